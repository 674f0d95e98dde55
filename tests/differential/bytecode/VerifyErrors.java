// Methods that the verifiers must reject (the error's class, for old files also its message), beside near neighbours
// that it must accept.
public class VerifyErrors {
    static final int P = ClassAssembler.PUBLIC, S = P | ClassAssembler.STATIC;
    static int n;
    static void t(String desc, int stack, int locals, String code) {
        n++;
        for (int version : new int[] {48, 52}) {
            try {
                Class<?> c = ClassAssembler.load(new ClassAssembler(version, "V" + n)
                                                     .constructor("java/lang/Object")
                                                     .field(P, "f", "I")
                                                     .method(S, "m", desc, stack, locals, code));
                Class.forName(c.getName(), true, c.getClassLoader());
                System.out.println(n + " " + version + " accepted");
            } catch (VerifyError e) {
                System.out.println(n + " " + version + " " + (version == 48 ? e : e.getClass()));
            } catch (Throwable e) {
                System.out.println(n + " " + version + " " + e);
            }
        }
    }

    public static void main(String[] args) {
        t("()V", 0, 0, "return");
        t("()V", 0, 0, "pop\n return");
        t("()V", 0, 0, "iconst_0\n pop\n return");
        t("()I", 1, 0, "return");
        t("()V", 1, 0, "iconst_0\n ireturn");
        t("()I", 1, 0, "iconst_0\n ireturn");
        t("()I", 1, 0, "fconst_0\n ireturn");
        t("()Ljava/lang/String;", 1, 0, "iconst_0\n areturn");
        t("()Ljava/lang/String;", 1, 0, "aconst_null\n areturn");
        t("(Ljava/lang/Object;)Ljava/lang/String;", 1, 1, "aload_0\n areturn");
        t("(Ljava/lang/Object;)Ljava/lang/Runnable;", 1, 1, "aload_0\n areturn");
        t("(Ljava/lang/String;)Ljava/lang/Object;", 1, 1, "aload_0\n areturn");
        t("()V", 0, 1, "iload_0\n return");
        t("()I", 1, 1, "iload_0\n ireturn");
        t("(J)I", 1, 2, "iload_0\n ireturn");
        t("(J)I", 1, 2, "iload_1\n ireturn");
        t("(I)J", 2, 1, "lload_0\n lreturn");
        t("(I)V", 1, 1, "iload_0\n");
        t("()V", 1, 0, "goto X\n X:\n nop");
        t("()V", 1, 0, "iconst_0\n iconst_0\n iadd\n pop\n return");
        t("()V", 2, 0, "iconst_0\n fconst_0\n iadd\n pop\n return");
        t("()V", 4, 0, "lconst_0\n pop\n pop\n return");
        t("()V", 4, 0, "lconst_0\n dup_x1\n return");
        t("()V", 4, 0, "iconst_0\n lconst_0\n swap\n return");
        t("()V", 4, 0, "new java/lang/Object\n pop\n return");
        t("()Ljava/lang/Object;", 4, 0, "new java/lang/Object\n areturn");
        t("()V", 4, 0, "new java/lang/Object\n invokevirtual java/lang/Object.hashCode ()I\n pop\n return");
        t("()V", 4, 0,
          "new java/lang/Object\n dup\n invokespecial java/lang/Object.<init> ()V\n invokespecial "
              + "java/lang/Object.<init> ()V\n return");
        t("()V", 4, 0, "ldc \"x\"\n invokespecial java/lang/String.<init> ()V\n return");
        t("(Ljava/lang/Object;)V", 4, 1, "aload_0\n getfield V" + (n + 1) + ".f I\n pop\n return");
        t("(Ljava/lang/Object;)I", 4, 1, "aload_0\n invokevirtual java/lang/String.length ()I\n ireturn");
        t("(Ljava/lang/Object;)I", 4, 1, "aload_0\n invokeinterface java/util/List.size ()I\n ireturn");
        t("(I)I", 4, 1, "iload_0\n arraylength\n ireturn");
        t("([I)J", 4, 1, "aload_0\n iconst_0\n laload\n lreturn");
        t("([Ljava/lang/String;)V", 4, 1, "aload_0\n iconst_0\n iconst_0\n aastore\n return");
        t("([Ljava/lang/String;)V", 4, 1,
          "aload_0\n iconst_0\n new java/lang/Object\n dup\n invokespecial java/lang/Object.<init> ()V\n aastore\n "
              + "return");
        t("()V", 4, 0, "ldc \"x\"\n athrow");
        t("()V", 4, 0, "aconst_null\n athrow");
        t("()V", 4, 0, "ldc2_w 5L\n pop2\n return");
        t("()V", 4, 0, "ldc class java/lang/String\n pop\n return");
        t("()V", 1, 0, "X:\n iconst_0\n goto X");
        t("(I)V", 2, 1, "iload_0\n ifeq X\n iconst_0\n X:\n return");
        t("(I)V", 2, 2, "iload_0\n ifeq X\n iconst_0\n istore_1\n X:\n iload_1\n pop\n return");
        t("(I)V", 2, 2, "iload_0\n ifeq X\n X:\n return");
        t("()V", 2, 2, "jsr X\n return\n X:\n astore_0\n ret 0");
        t("()V", 2, 2, "aconst_null\n astore_0\n ret 0");
        t("()V", 2, 2, ".byte 0xcb\n return");
        t("()V", 2, 2, ".byte 0xba 0 1 0 0\n return");
        t("()V", 2, 2, ".byte 0x12 0xff\n pop\n return");
        t("()V", 2, 2, ".byte 0xbc 3\n pop\n return");
        t("()V", 2, 2, ".byte 0xa7 0 7\n return");
        t("()V", 2, 2, ".byte 0xa7 0 1\n return");
        t("()V", 2, 2, "iconst_0\n tableswitch 5 A : A\n A:\n return");
        t("()V", 2, 2, "iconst_0\n lookupswitch 5=A 3=A : A\n A:\n return");
        t("()V", 2, 2, "iconst_0\n multianewarray [[I 0\n return");
        t("()V", 2, 2, "iconst_0\n multianewarray [I 2\n return");
        t("()V", 2, 2, "iconst_0\n multianewarray java/lang/String 1\n return");
        t("()V", 2, 2, "new [I\n pop\n return");
        t("()V", 2, 2, "invokestatic java/lang/Object.<init> ()V\n return");
        t("()V", 2, 2, "invokestatic java/lang/Object.<clinit> ()V\n return");
        t("()V", 2, 2, "from:\n aconst_null\n athrow\n to:\n h:\n pop\n return\n .catch java/lang/String from to h");
        t("()V", 2, 2, "from:\n aconst_null\n athrow\n to:\n h:\n pop\n return\n .catch java/lang/Error from to h");
        t("(I)V", 2, 1, "aload_0\n monitorenter\n return");
        t("(D)V", 2, 2, "iconst_0\n istore_1\n dload_0\n pop2\n return");
        t("()V", 100, 1, "iconst_0\n iconst_0\n iconst_0\n pop2\n pop\n return");
    }
}
