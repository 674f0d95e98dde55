// Protected members through every kind of receiver: the verifiers' check and the one at run time. JVMS 4.10.1.8, 5.4.4.
import java.util.LinkedHashMap;
import java.util.Map;

public class ProtectedMembers {
    static final int PU = Crafted.PUBLIC, PT = Crafted.PROTECTED, ST = Crafted.STATIC;
    static final String DONE = "\n ldc \"fine\"\n areturn";

    /** Receivers: how code in q/User gets one, and the verification type that it then has. */
    static final Map<String, String> RECEIVERS = new LinkedHashMap<>();
    static {
        for (String c : new String[] {"q/User", "q/Below", "q/Sibling", "p/Owner"})
            RECEIVERS.put(c, "new " + c + "\n dup\n invokespecial " + c + ".<init> ()V\n");
        RECEIVERS.put("null", "aconst_null\n");
        RECEIVERS.put("null as q/User", "aconst_null\n checkcast q/User\n");
        RECEIVERS.put("null as q/Sibling", "aconst_null\n checkcast q/Sibling\n");
        RECEIVERS.put("null as p/Owner", "aconst_null\n checkcast p/Owner\n");
        RECEIVERS.put("null as array", "aconst_null\n checkcast [Lq/User;\n");
        RECEIVERS.put("uninitialised", "new q/User\n");
        RECEIVERS.put("String", "ldc \"x\"\n");
    }

    static ClassAssembler owner(int version, String name) {
        return new ClassAssembler(version, name)
            .field(PT, "f", "I")
            .field(PT | ST, "s", "I")
            .method(PT, "m", "()V", 0, 1, "return")
            .method(PT | ST, "sm", "()V", 0, 0, "return")
            .method(PT, "<init>", "(I)V", 1, 2, "aload_0\n invokespecial java/lang/Object.<init> ()V\n return")
            .constructor(PU);
    }

    static void row(String name, int version, String code, String ownerPackage) {
        String top = ownerPackage + "/Owner";
        ClassAssembler user =
            Crafted.go(Crafted.plain(version, "q/User", top).method(PU, "m2", "()V", 0, 1, "return"), code);
        Crafted.row(name + "/" + version, user, owner(version, top), Crafted.plain(version, "q/Below", "q/User"),
            Crafted.plain(version, "q/Sibling", top));
    }

    static void members(int version) {
        for (String holder : new String[] {"p/Owner", "q/User", "q/Below", "q/Sibling"})
            RECEIVERS.forEach((receiver, made) -> {
                String name = " " + holder + " on " + receiver;
                row("getfield" + name, version, made + "getfield " + holder + ".f I\n pop" + DONE, "p");
                row("putfield" + name, version, made + "iconst_1\n putfield " + holder + ".f I" + DONE, "p");
                row("invokevirtual" + name, version, made + "invokevirtual " + holder + ".m ()V" + DONE, "p");
                if (holder.equals("p/Owner") || holder.equals("q/User"))
                    row("invokespecial" + name, version, made + "invokespecial " + holder + ".m ()V" + DONE, "p");
            });
        for (String holder : new String[] {"p/Owner", "q/User", "q/Below", "q/Sibling"}) {
            row("getstatic " + holder, version, "getstatic " + holder + ".s I\n pop" + DONE, "p");
            row("invokestatic " + holder, version, "invokestatic " + holder + ".sm ()V" + DONE, "p");
            row("constructor " + holder, version,
                "new " + holder + "\n dup\n iconst_0\n invokespecial " + holder + ".<init> (I)V\n pop" + DONE, "p");
        }
        for (String receiver : new String[] {"q/Sibling", "null as q/Sibling"}) { /* in one package it is no matter */
            String made = RECEIVERS.get(receiver).replace("p/Owner", "q/Owner");
            row("getfield in the package on " + receiver, version, made + "getfield q/Owner.f I\n pop" + DONE, "q");
            row("invokevirtual in the package on " + receiver, version, made + "invokevirtual q/Owner.m ()V" + DONE,
                "q");
        }
    }

    /** clone and finalize of Object, from a class and from an interface. */
    static void objectMethods(int version) {
        String[][] methods = {{"clone", "()Ljava/lang/Object;", "\n pop"}, {"finalize", "()V", ""},
            {"toString", "()Ljava/lang/String;", "\n pop"}};
        String[][] receivers = {{"User", "aload_0"}, {"User", "aload_0\n checkcast Sibling"},
            {"Sibling", "aconst_null\n checkcast Sibling"}, {"java/lang/Object", "aload_0"},
            {"java/lang/Object", "aconst_null"}, {"java/lang/Object", "ldc \"x\""},
            {"java/lang/Object", "aconst_null\n checkcast Sibling"}, {"java/lang/Object", "iconst_1\n newarray int"},
            {"java/lang/Object", "aconst_null\n checkcast [LUser;"}, {"[I", "iconst_1\n newarray int"},
            {"[LUser;", "iconst_1\n anewarray User"}, {"[LUser;", "aconst_null"}, {"[[J", "iconst_1\n anewarray [J"}};
        for (String[] m : methods)
            for (String[] r : receivers)
                for (boolean face : new boolean[] {false, true}) {
                    String code = r[1] + "\n invokevirtual " + r[0] + "." + m[0] + " " + m[1] + m[2] + "\n return";
                    if (face && version < 52 || face && r[0].equals("User")) continue;
                    ClassAssembler user =
                        Crafted.go(Crafted.plain(version, "User", "java/lang/Object", "java/lang/Cloneable", "Face"),
                            "new User\n dup\n invokespecial User.<init> ()V\n "
                                + (face ? "invokeinterface Face" : "invokevirtual User") + ".call ()V" + DONE);
                    ClassAssembler f = Crafted.iface(version, "Face");
                    (face ? f : user).method(PU, "call", "()V", 2, 1, code);
                    Crafted.row((face ? "interface" : "class") + " " + r[0] + "." + m[0] + " on "
                            + r[1].replace("\n", ",") + "/" + version,
                        user, f, Crafted.plain(version, "Sibling"));
                }
    }

    public static void main(String[] args) {
        for (int version : new int[] {55, 49}) {
            Crafted.section(version == 49 ? "4.10.2" : "4.10.1.8");
            members(version);
            objectMethods(version);
        }
        Crafted.end();
    }
}
