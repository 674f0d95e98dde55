// Class files of version 45.3 to 48: subroutines in loops, wide jumps, invokespecial without ACC_SUPER, and odd but
// legal code.
public class OldClassFiles {
    static final int P = ClassAssembler.PUBLIC, S = P | ClassAssembler.STATIC;

    public static void main(String[] args) throws Throwable {
        for (int version : new int[] {45 | 3 << 16, 46, 47, 48}) {
            String far =
                "iload_0\n ifeq near\n goto_w far\n near:\n .repeat 11000 iinc 0 1\n far:\n iload_0\n jsr_w sub\n "
                    + "ireturn\n sub:\n astore_1\n iconst_2\n imul\n ret 1";
            ClassAssembler a = new ClassAssembler(version, "Old")
                .method(S, "far", "(I)I", 3, 2, far)
                .method(S, "loop", "(I)I", 3, 4, """
                    iconst_0
                    istore_1
                    again:
                    iload_0
                    ifle done
                    jsr add
                    iinc 0 -1
                    goto again
                    done:
                    iload_1
                    ireturn
                    add:
                    astore_2
                    iload_1
                    iload_0
                    iadd
                    istore_1
                    iload_0
                    iconst_1
                    iand
                    ifeq skip
                    jsr twice
                    skip:
                    ret 2
                    twice:
                    astore_3
                    iload_1
                    iconst_2
                    imul
                    istore_1
                    ret 3
                    """)
                .method(S, "polymorphic", "(Z)Ljava/lang/String;", 3, 4, """
                    iload_0
                    ifeq ints
                    ldc "string"
                    astore_1
                    jsr sub
                    aload_1
                    areturn
                    ints:
                    iconst_5
                    istore_1
                    jsr sub
                    iload_1
                    invokestatic java/lang/String.valueOf (I)Ljava/lang/String;
                    areturn
                    sub:
                    astore_2
                    new java/lang/Object
                    pop
                    ret 2
                    """)
                .method(S, "escape", "(I)I", 3, 3, """
                    from:
                    jsr sub
                    iconst_1
                    ireturn
                    sub:
                    astore_1
                    iload_0
                    ifeq back
                    bipush 100
                    iload_0
                    idiv
                    ireturn
                    back:
                    iconst_1
                    iload_0
                    idiv
                    pop
                    ret 1
                    to:
                    handler:
                    pop
                    bipush -7
                    ireturn
                    .catch java/lang/ArithmeticException from to handler
                    """)
                .method(S, "self", "(I)I", 3, 3, """
                    goto start
                    handler:
                    pop
                    iinc 0 -1
                    start:
                    from:
                    iconst_1
                    iload_0
                    ifle out
                    iconst_0
                    idiv
                    to:
                    out:
                    ireturn
                    .catch any from to handler
                    """)
                .method(S, "dead", "()I", 3, 3, "iconst_3\n ireturn\n nop\n iconst_4\n ireturn")
                .method(S | ClassAssembler.SYNCHRONIZED, "sync", "(I)I", 3, 3, "bipush 10\n iload_0\n idiv\n ireturn");
            Class<?> c = ClassAssembler.load(a);
            System.out.println((version & 0xffff) + ": " + ClassAssembler.call(c, "far", 0)
                + " " + ClassAssembler.call(c, "far", 5) + " "
                + ClassAssembler.call(c, "loop", 10) + " " + ClassAssembler.call(c, "polymorphic", true)
                + ClassAssembler.call(c, "polymorphic", false) + " " + ClassAssembler.call(c, "escape", 0) + " "
                + ClassAssembler.call(c, "escape", 4) + " " + ClassAssembler.call(c, "self", 3)
                    + " " + ClassAssembler.call(c, "dead") + " "
                + ClassAssembler.call(c, "sync", 2));
            try {
                ClassAssembler.call(c, "sync", 0);
            } catch (ArithmeticException e) {
                System.out.println(e.getMessage() + " " + Thread.holdsLock(c));
            }
            ClassAssembler top = new ClassAssembler(version, P, "Top",
                "java/lang/Object").constructor("java/lang/Object")
                .method(P, "m", "()Ljava/lang/String;", 1, 1, "ldc \"Top\"\n areturn");
            ClassAssembler mid = new ClassAssembler(version, P, "Mid", "Top").constructor("Top")
                .method(P, "m", "()Ljava/lang/String;", 1, 1, "ldc \"Mid\"\n areturn");
            ClassAssembler low = new ClassAssembler(version, P, "Low", "Mid").constructor("Mid")
                .method(P, "m", "()Ljava/lang/String;", 1, 1,
                    "aload_0\n invokespecial Top.m ()Ljava/lang/String;\n areturn")
                .method(S, "go", "()Ljava/lang/String;", 2, 1,
                    "new Low\n dup\n invokespecial Low.<init> ()V\n invokevirtual Low.m ()Ljava/lang/String;\n "
                    + "areturn");
            System.out.println(ClassAssembler.call(ClassAssembler.load(low, mid, top), "go"));
            int guarded = ClassAssembler.PROTECTED;
            ClassAssembler base = new ClassAssembler(version, P, "p/Base",
                "java/lang/Object").constructor("java/lang/Object").field(guarded, "f", "I")
                .method(guarded, "m", "()I", 1, 1, "iconst_4\n ireturn");
            ClassAssembler own = new ClassAssembler(version, P, "q/Own", "p/Base").constructor("p/Base")
                .method(P, "sum", "()I", 3, 1, """
                    aload_0
                    iconst_3
                    putfield p/Base.f I
                    aload_0
                    getfield p/Base.f I
                    aload_0
                    invokevirtual p/Base.m ()I
                    iadd
                    ireturn
                    """)
                .method(S, "go", "()I", 2, 1,
                    "new q/Own\n dup\n invokespecial q/Own.<init> ()V\n invokevirtual q/Own.sum ()I\n ireturn");
            ClassAssembler foreign = new ClassAssembler(version, P, "q/Foreign", "p/Base").constructor("p/Base")
                .method(S, "go", "(Lp/Base;)I", 2, 1, "aload_0\n getfield p/Base.f I\n ireturn");
            System.out.println(ClassAssembler.call(ClassAssembler.load(own, base), "go"));
            try {
                ClassAssembler.call(ClassAssembler.load(foreign, base), "go", (Object) null);
            } catch (VerifyError e) {
                System.out.println(e.getMessage());
            }
        }
    }
}
