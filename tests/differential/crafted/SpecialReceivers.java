// invokespecial from classes and interfaces, invokeinterface on what implements nothing, and the methods only
// java.lang.invoke may call. JVMS 6.5, 2.9.3.
public class SpecialReceivers {
    static final int V = 55, PU = Crafted.PUBLIC, ST = Crafted.STATIC;
    static final String END = "\n ldc \"fine\"\n areturn";
    static final String[][] OBJECTS = {{"an implementor", "new Own\n dup\n invokespecial Own.<init> ()V\n"},
        {"a sibling", "new Sibling\n dup\n invokespecial Sibling.<init> ()V\n"},
        {"an object", "new java/lang/Object\n dup\n invokespecial java/lang/Object.<init> ()V\n"},
        {"a String", "ldc \"x\"\n"}, {"an array", "iconst_1\n newarray int\n"}, {"null", "aconst_null\n"}};
    static final String[][] METHODS = {
        {"dm", "()V"}, {"pm", "()V"}, {"hashCode", "()I"}, {"getClass", "()Ljava/lang/Class;"}, {"nosuch", "()V"}};

    static ClassAssembler face(String name, String... above) {
        return Crafted.iface(V, name, above)
            .method(PU, "dm", "()V", 0, 1, "return")
            .method(Crafted.PRIVATE, "pm", "()V", 0, 1, "return");
    }

    static String call(String op, String owner, String[] m) {
        boolean face = owner.endsWith("Face") || owner.equals("Top");
        return op + " " + (face && op.equals("invokespecial") ? "interface " : "") + owner + "." + m[0] + " " + m[1]
            + (m[1].endsWith("V") ? "\n" : "\n pop\n");
    }

    /** Interfaces count as Object for the verifier, so any object reaches the instruction. */
    static void inInterface() {
        for (String[] o : OBJECTS)
            for (String[] m : METHODS) {
                for (String owner : new String[] {"Face", "Top", "java/lang/Object"})
                    Crafted.row("interface, invokespecial " + owner + "." + m[0] + " on " + o[0],
                        Crafted.go(face("Face", "Top"), o[1] + call("invokespecial", owner, m) + END.substring(1)),
                        face("Top"), Crafted.plain(V, "Own", "java/lang/Object", "Face"),
                        Crafted.plain(V, "Sibling", "java/lang/Object", "Top"));
                for (String op : new String[] {"invokeinterface", "invokespecial"})
                    for (boolean own : new boolean[] {true, false}) {
                        ClassAssembler user =
                            own ? Crafted.plain(V, "Own", "java/lang/Object", "Face") : Crafted.plain(V, "User");
                        Crafted.row((own ? "implementor, " : "stranger, ") + op + " Face." + m[0] + " on " + o[0],
                            Crafted.go(user, o[1] + call(op, "Face", m) + END.substring(1)), face("Face", "Top"),
                            face("Top"),
                            own ? Crafted.plain(V, "Other") : Crafted.plain(V, "Own", "java/lang/Object", "Face"),
                            Crafted.plain(V, "Sibling", "java/lang/Object", "Top"));
                    }
            }
    }

    /**
     * The receiver of a class's invokespecial is the class or below it; which method is selected depends on ACC_SUPER
     * no more.
     */
    static void inClass() {
        String[] made = {"Base", "User", "Below", "Sibling"};
        for (String owner : new String[] {"Top", "Base", "User", "Below", "Sibling", "java/lang/Object"})
            for (String receiver : made)
                for (int flags : new int[] {PU | Crafted.SUPER, PU})
                    for (int version : new int[] {55, 46}) {
                        String m = "m ()Ljava/lang/String;",
                               name = "class, invokespecial " + owner + ".m on " + receiver
                            + ((flags & Crafted.SUPER) == 0 ? ", without ACC_SUPER/" : "/") + version;
                        ClassAssembler user =
                            Crafted.type(version, flags, "User", "Base")
                                .constructor("Base")
                                .method(PU, "m", "()Ljava/lang/String;", 1, 1, "ldc \"User\"\n areturn");
                        Crafted.row(name,
                            Crafted.go(user,
                                "new " + receiver + "\n dup\n invokespecial " + receiver
                                    + ".<init> ()V\n invokespecial " + owner + "." + m + "\n areturn"),
                            named(version, "Top", "java/lang/Object"), Crafted.plain(version, "Base", "Top"),
                            named(version, "Below", "User"), named(version, "Sibling", "Base"));
                    }
    }

    static ClassAssembler named(int version, String name, String parent) {
        return Crafted.plain(version, name, parent)
            .method(PU, "m", "()Ljava/lang/String;", 1, 1, "ldc \"" + name + "\"\n areturn");
    }

    /** Signature-polymorphic methods by every instruction, with fitting and unfitting descriptors. */
    static void polymorphic() {
        String handle = "ldc handle 6 java/lang/String.valueOf (I)Ljava/lang/String;\n ";
        String[] names = {"invokeExact", "invoke", "invokeBasic", "linkToStatic", "linkToVirtual", "linkToSpecial",
            "linkToInterface", "linkToNative", "invokeWithArguments", "nosuch"};
        for (String name : names)
            for (String op : new String[] {"invokevirtual", "invokestatic", "invokespecial", "invokeinterface"})
                for (String desc : new String[] {"(I)Ljava/lang/String;", "(Ljava/lang/String;)Ljava/lang/String;",
                         "([Ljava/lang/Object;)Ljava/lang/Object;", "(I)Ljava/lang/String"}) {
                    if (!desc.endsWith(";") && !op.equals("invokevirtual")) continue;
                    String argument = desc.startsWith("(I") ? "bipush 7\n"
                        : desc.startsWith("([")             ? "iconst_1\n anewarray java/lang/Object\n"
                                                            : "ldc \"x\"\n";
                    Crafted.row(op + " MethodHandle." + name + desc,
                        Crafted.go(Crafted.plain(V, "User"),
                            (op.equals("invokestatic") ? "" : handle) + argument + op
                                + " java/lang/invoke/MethodHandle." + name + " " + desc + "\n areturn"));
                }
        for (String name : new String[] {"get", "set", "getAndAdd", "compareAndSet", "nosuch"})
            for (String op : new String[] {"invokevirtual", "invokestatic"})
                for (String desc : new String[] {"()I", "(I)V", "(II)Z", "(I)I", "()Ljava/lang/Object;"}) {
                    StringBuilder arguments = new StringBuilder();
                    for (int i = 1; desc.charAt(i) != ')'; i++) arguments.append("iconst_1\n ");
                    Crafted.row(op + " VarHandle." + name + desc,
                        Crafted.go(Crafted.plain(V, "User").field(PU | ST, "s", "I"),
                            (op.equals("invokestatic")
                                    ? ""
                                    : "invokestatic java/lang/invoke/MethodHandles.lookup "
                                        + "()Ljava/lang/invoke/MethodHandles$Lookup;\n"
                                        + " ldc class User\n ldc \"s\"\n"
                                        + " getstatic java/lang/Integer.TYPE Ljava/lang/Class;\n"
                                        + " invokevirtual java/lang/invoke/MethodHandles$Lookup"
                                        + ".findStaticVarHandle (Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)"
                                        + "Ljava/lang/invoke/VarHandle;\n ")
                                + arguments + op + " java/lang/invoke/VarHandle." + name + " " + desc
                                + (desc.endsWith("V") ? "" : "\n pop") + END));
                }
    }

    public static void main(String[] args) {
        Crafted.section("6.5");
        inInterface();
        inClass();
        Crafted.section("2.9.3");
        polymorphic();
        Crafted.end();
    }
}
