// Bytecode that calls the VM's own intrinsics of java.lang.invoke directly. Only java.lang.invoke may: they check no
// type.
public class IntrinsicsFromUserCode {
    static final int S = ClassAssembler.PUBLIC | ClassAssembler.STATIC;
    static final String MH = "java/lang/invoke/MethodHandle", O = "Ljava/lang/Object;",
                        NAME = "Ljava/lang/invoke/MemberName;";
    static int n;

    public static Object same(Object o) { return o; }
    public static String text() { return "text"; }

    static void run(String code) { run("java/lang/Object", code); }
    static void run(String parent, String code) {
        ClassAssembler u = new ClassAssembler(52, ClassAssembler.PUBLIC | ClassAssembler.SUPER, "User" + ++n, parent);
        u.method(S, "go", "()Ljava/lang/Object;", 6, 4, code);
        try {
            Class<?> c = ClassAssembler.load(u);
            for (int i = 0; i < 2; i++) {
                try {
                    System.out.println(n + " " + ClassAssembler.call(c, "go"));
                } catch (Throwable e) {
                    System.out.println(n + " " + e.toString().replaceAll("@(0x)?[0-9a-f]+", "@"));
                }
            }
        } catch (Throwable e) {
            System.out.println(n + " " + e.toString().replaceAll("@(0x)?[0-9a-f]+", "@"));
        }
    }

    public static void main(String[] args) {
        String same = "ldc handle 6 IntrinsicsFromUserCode.same (" + O + ")" + O + "\n";
        String text = "ldc handle 6 IntrinsicsFromUserCode.text ()Ljava/lang/String;\n";
        /* an int, and a String, as something else */
        run(same + "iconst_5\n invokevirtual " + MH + ".invokeBasic (I)" + O + "\n areturn");
        run(text + "invokevirtual " + MH + ".invokeBasic ()Ljava/lang/Integer;\n areturn");
        run(text + "ldc \"x\"\n iconst_1\n lconst_1\n invokevirtual " + MH
            + ".invokeBasic (Ljava/lang/String;ZJ)V\n aconst_null\n areturn");
        run("aconst_null\n invokevirtual " + MH + ".invokeBasic ()" + O + "\n areturn");
        for (String link :
             new String[] {"linkToStatic", "linkToSpecial", "linkToVirtual", "linkToInterface", "linkToNative"}) {
            run("ldc \"x\"\n aconst_null\n invokestatic " + MH + "." + link + " (" + O + NAME + ")" + O + "\n areturn");
            run("iconst_1\n aconst_null\n invokestatic " + MH + "." + link + " (Z" + NAME + ")" + O + "\n areturn");
            run(same + "aconst_null\n invokevirtual " + MH + "." + link + " (" + NAME + ")" + O + "\n areturn");
            run("ldc handle 6 " + MH + "." + link + " (" + O + NAME + ")" + O + "\n areturn");
        }
        run("ldc handle 5 " + MH + ".invokeBasic (I)" + O + "\n areturn");
        /* the checking ones are for all, but no static methods */
        run(text + "invokevirtual " + MH + ".invokeExact ()Ljava/lang/String;\n areturn");
        run(text + "invokevirtual " + MH + ".invokeExact ()Ljava/lang/Integer;\n areturn");
        run("invokestatic " + MH + ".invokeExact ()Ljava/lang/String;\n areturn");
        run("aconst_null\n invokestatic " + MH + ".invoke (" + O + ")V\n aconst_null\n areturn");
        run("invokestatic java/lang/invoke/VarHandle.get ()" + O + "\n areturn");
        run("invokestatic " + MH + ".invokeBasic ()" + O + "\n areturn");
        run("ldc handle 6 " + MH + ".invokeExact ()" + O + "\n areturn");
        /* a subclass is not in java.lang.invoke either */
        run(MH,
            "aconst_null\n checkcast User" + (n + 1) + "\n invokespecial " + MH + ".invokeExact ()" + O + "\n areturn");
        run(MH,
            "aconst_null\n checkcast User" + (n + 1) + "\n invokespecial " + MH + ".invokeBasic ()" + O + "\n areturn");
    }
}
