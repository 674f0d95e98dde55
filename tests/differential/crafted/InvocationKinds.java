// Every invocation of every kind of method: what resolution, selection and their checks answer.
// JVMS 5.4.3.3, 5.4.3.4, 5.4.6, 6.5.
import java.util.LinkedHashMap;
import java.util.Map;

public class InvocationKinds {
    static final int PU = Crafted.PUBLIC, ST = Crafted.STATIC, AB = Crafted.ABSTRACT, PR = Crafted.PRIVATE;

    /** What the owner, its superclass S and its superinterfaces J and K declare under the name m. */
    interface Shape {
        void declare(ClassAssembler owner, ClassAssembler s, ClassAssembler j, ClassAssembler k);
    }
    static final Map<String, Shape> SHAPES = new LinkedHashMap<>();
    static ClassAssembler instance(ClassAssembler c, int access) {
        return c.method(access, "m", "()Ljava/lang/String;", 1, 1, "ldc \"" + c.name() + "\"\n areturn");
    }
    static ClassAssembler statics(ClassAssembler c, int access) {
        return c.method(access | ST, "m", "()Ljava/lang/String;", 1, 0, "ldc \"static " + c.name() + "\"\n areturn");
    }
    static ClassAssembler bare(ClassAssembler c, int access) {
        return c.method(access, "m", "()Ljava/lang/String;");
    }
    static {
        SHAPES.put("none", (o, s, j, k) -> {});
        SHAPES.put("instance", (o, s, j, k) -> instance(o, PU));
        SHAPES.put("private", (o, s, j, k) -> instance(o, PR));
        SHAPES.put("static", (o, s, j, k) -> statics(o, PU));
        SHAPES.put("private static", (o, s, j, k) -> statics(o, PR));
        SHAPES.put("abstract", (o, s, j, k) -> bare(o, PU | AB));
        SHAPES.put("above abstract", (o, s, j, k) -> {
            bare(o, PU | AB);
            instance(s, PU);
        });
        SHAPES.put("superclass", (o, s, j, k) -> instance(s, PU));
        SHAPES.put("superclass static", (o, s, j, k) -> statics(s, PU));
        SHAPES.put("superclass private", (o, s, j, k) -> instance(s, PR));
        SHAPES.put("superclass private, default", (o, s, j, k) -> {
            instance(s, PR);
            instance(j, PU);
        });
        SHAPES.put("default", (o, s, j, k) -> instance(j, PU));
        SHAPES.put("abstract above", (o, s, j, k) -> bare(j, PU | AB));
        SHAPES.put("static above", (o, s, j, k) -> statics(j, PU));
        SHAPES.put("private above", (o, s, j, k) -> instance(j, PR));
        SHAPES.put("two defaults", (o, s, j, k) -> {
            instance(j, PU);
            instance(k, PU);
        });
        SHAPES.put("default and abstract", (o, s, j, k) -> {
            instance(j, PU);
            bare(k, PU | AB);
        });
        SHAPES.put("default and static", (o, s, j, k) -> {
            instance(j, PU);
            statics(k, PU);
        });
        SHAPES.put("default and private", (o, s, j, k) -> {
            instance(j, PU);
            instance(k, PR);
        });
    }

    static ClassAssembler owner(int version, boolean face) {
        return face ? Crafted.iface(version, "Owner", "J", "K")
                    : Crafted.type(version, PU | Crafted.SUPER | AB, "Owner", "S", "J", "K").constructor("S");
    }

    /**
     * One call: `op` of Owner.m, through the constant that `tag` names, on an object of class User, which extends or
     * implements Owner.
     */
    static void row(int version, boolean face, String shape, String op, boolean interfaceRef, boolean overridden) {
        if (shape.equals("two defaults") && (face || !op.equals("invokevirtual"))) return;
        ClassAssembler owner = owner(version, face), s = Crafted.plain(version, "S"), j = Crafted.iface(version, "J"),
                       k = Crafted.iface(version, "K");
        SHAPES.get(shape).declare(owner, s, j, k);
        ClassAssembler user =
            face ? Crafted.plain(version, "User", "S", "Owner") : Crafted.plain(version, "User", "Owner");
        if (overridden) instance(user, PU);
        String ref =
                   (interfaceRef && !op.equals("invokeinterface") ? "interface " : "") + "Owner.m ()Ljava/lang/String;",
               call = op + " " + ref + "\n areturn";
        user.method(PU, "call", "()Ljava/lang/Object;", 2, 1, op.equals("invokestatic") ? call : "aload_0\n " + call);
        Crafted.go(user,
            "new User\n dup\n invokespecial User.<init> ()V\n invokevirtual User.call ()Ljava/lang/Object;\n areturn");
        Crafted.row(op + "/" + (face ? "interface" : "class")
                + (interfaceRef ? " as InterfaceMethodref/" : " as Methodref/") + shape
                + (overridden ? " overridden" : "") + "/" + version,
            user, owner, s, j, k);
    }

    /** Methods of Object, through a class, an interface and an array. */
    static void objectMethods() {
        String[][] methods = {{"hashCode", "()I"}, {"clone", "()Ljava/lang/Object;"}, {"finalize", "()V"},
            {"getClass", "()Ljava/lang/Class;"}, {"registerNatives", "()V"}, {"wait", "()V"}, {"nosuch", "()V"}};
        for (String[] m : methods)
            for (String owner : new String[] {"Face", "Own", "java/lang/Object", "[I", "[LOwn;"})
                for (String op : new String[] {"invokevirtual", "invokeinterface", "invokespecial", "invokestatic"}) {
                    boolean face = owner.equals("Face");
                    String ref = (face && !op.equals("invokeinterface") ? "interface " : "") + owner + "." + m[0] + " "
                        + m[1],
                           made = owner.startsWith("[") ? "iconst_1\n newarray int\n checkcast " + owner : "aload_0",
                           end = m[1].endsWith("V") ? "\n" : "\n pop\n";
                    ClassAssembler own =
                        Crafted.plain(55, "Own", "java/lang/Object", "Face", "java/lang/Cloneable")
                            .method(PU, "call", "()V", 2, 1,
                                (op.equals("invokestatic") ? "" : made + "\n ") + op + " " + ref + end + " return");
                    Crafted.go(own,
                        "new Own\n dup\n invokespecial Own.<init> ()V\n invokevirtual Own.call ()V\n"
                            + " ldc \"fine\"\n areturn");
                    Crafted.row(op + "/" + owner + "." + m[0], own, Crafted.iface(55, "Face"));
                }
    }

    /** Adds m, and a method that calls it through this class. */
    static ClassAssembler caller(ClassAssembler c, int access) {
        String owner = c.name().replace('.', '/');
        if (access >= 0) c.method(access, "m", "()Ljava/lang/String;", 1, 1, "ldc \"" + owner + "\"\n areturn");
        return c.method(PU | ST, "call", "(Ljava/lang/Object;)Ljava/lang/String;", 1, 1,
            "aload_0\n checkcast " + owner + "\n invokevirtual " + owner + ".m ()Ljava/lang/String;\n areturn");
    }

    /** Which methods override which: three classes, their packages, and who may see whose method. */
    static void overriding() {
        int[] accesses = {PU, Crafted.PROTECTED, 0, PR, -1, PU | Crafted.FINAL, Crafted.FINAL};
        for (int version : new int[] {55, 50})
            for (String packages : new String[] {"ppp", "ppq", "pqp", "pqq", "pqr"})
                for (int top : accesses)
                    for (int middle : accesses)
                        for (int low : new int[] {PU, Crafted.PROTECTED, 0, PR}) {
                            String a = packages.charAt(0) + "/A", b = packages.charAt(1) + "/B",
                                   c = packages.charAt(2) + "/C";
                            ClassAssembler user = caller(Crafted.plain(version, c, b), low);
                            Crafted.Loader l = new Crafted.Loader("one").define(
                                user, caller(Crafted.plain(version, b, a), middle),
                                caller(Crafted.plain(version, a), top));
                            StringBuilder row = new StringBuilder();
                            for (String owner : new String[] {a, b, c}) {
                                String from = "From" + owner.charAt(2);
                                l.define(Crafted.go(Crafted.plain(version, from),
                                    "new " + c + "\n dup\n invokespecial " + c + ".<init> ()V\n invokestatic " + owner
                                        + ".call (Ljava/lang/Object;)Ljava/lang/String;\n areturn"));
                                row.append(" ").append(owner).append(": ").append(Crafted.outcome(l, from, "go"));
                            }
                            Crafted.say(version + " " + packages + " " + top + " " + middle + " " + low,
                                row.toString());
                        }
    }

    public static void main(String[] args) {
        for (int version : new int[] {55, 52})
            for (boolean face : new boolean[] {false, true})
                for (String shape : SHAPES.keySet()) {
                    Crafted.section(face ? "5.4.3.4" : "5.4.3.3");
                    for (String op :
                        new String[] {"invokevirtual", "invokespecial", "invokestatic", "invokeinterface"}) {
                        if (version == 55 && !(face && op.equals("invokeinterface")))
                            row(version, face, shape, op, !face, false);
                        row(version, face, shape, op, face, false);
                    }
                    if (version == 55)
                        row(version, face, shape, face ? "invokeinterface" : "invokevirtual", face, true);
                }
        Crafted.section("5.4.5");
        overriding();
        Crafted.section("6.5");
        objectMethods();
        Crafted.end();
    }
}
