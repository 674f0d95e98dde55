// Objects that only locals across subroutines (jsr) keep alive: collections inside the subroutine, nested ones, in
// handlers, and behind subroutines that do not return.
public class SubroutineRoots {
    static final int P = ClassAssembler.PUBLIC, S = P | ClassAssembler.STATIC;
    static Object[] churn = new Object[64];

    /** Collects, and reuses the memory of whatever was taken for dead. */
    public static void collect() {
        System.gc();
        for (int i = 0; i < 20000; i++) churn[i & 63] = new int[] {i, i, i, i};
    }
    public static Object fresh(int i) { return new StringBuilder("fresh ").append(i); }
    public static void fail() { throw new IllegalStateException("in subroutine"); }

    /**
     * Subroutines one after the other that are called or not, and left by a jump instead of a return: what lies behind
     * is not reached in 2 to the 24th ways, but by the one that has left its address.
     */
    static String leftByJumps() {
        StringBuilder calls = new StringBuilder(), subroutines = new StringBuilder();
        for (int i = 0; i < 24; i++) {
            calls.append("iload_0\nifeq behind" + i + "\njsr sub" + i + "\nbehind" + i + ":\n");
            subroutines.append("sub" + i + ":\nastore_2\ngoto behind" + i + "\n");
        }
        return """
            iload_0
            invokestatic SubroutineRoots.fresh (I)Ljava/lang/Object;
            astore_1
            """ + calls + """
            invokestatic SubroutineRoots.collect ()V
            aload_1
            invokestatic java/lang/String.valueOf (Ljava/lang/Object;)Ljava/lang/String;
            areturn
            """ + subroutines;
    }

    public static void main(String[] args) throws Throwable {
        ClassAssembler a = new ClassAssembler(48, "Roots")
            // local 1 is an object for one caller of the subroutine, an int for the other, and unset for the third
            .method(S, "polymorphic", "(I)Ljava/lang/String;", 3, 4, """
                iload_0
                tableswitch 0 object number : unset
                object:
                iload_0
                invokestatic SubroutineRoots.fresh (I)Ljava/lang/Object;
                astore_1
                jsr sub
                aload_1
                invokestatic java/lang/String.valueOf (Ljava/lang/Object;)Ljava/lang/String;
                areturn
                number:
                ldc 123456789
                istore_1
                jsr sub
                iload_1
                invokestatic java/lang/String.valueOf (I)Ljava/lang/String;
                areturn
                unset:
                jsr sub
                ldc "unset"
                areturn
                sub:
                astore_2
                invokestatic SubroutineRoots.collect ()V
                ret 2
                """)
            // two levels; the outer subroutine has an object of its own
            .method(S, "nested", "(I)Ljava/lang/String;", 4, 8, """
                iload_0
                invokestatic SubroutineRoots.fresh (I)Ljava/lang/Object;
                astore_1
                jsr outer
                iload_0
                istore_1
                jsr outer
                iload_1
                ifle bad
                iload_0
                invokestatic SubroutineRoots.fresh (I)Ljava/lang/Object;
                astore_1
                jsr outer
                aload_1
                invokestatic java/lang/String.valueOf (Ljava/lang/Object;)Ljava/lang/String;
                areturn
                bad:
                aconst_null
                areturn
                outer:
                astore_2
                iload_0
                iconst_1
                iadd
                invokestatic SubroutineRoots.fresh (I)Ljava/lang/Object;
                astore_3
                jsr inner
                aload_3
                invokestatic java/lang/String.valueOf (Ljava/lang/Object;)Ljava/lang/String;
                invokestatic SubroutineRoots.print (Ljava/lang/String;)V
                ret 2
                inner:
                astore 4
                invokestatic SubroutineRoots.collect ()V
                ret 4
                """)
            // try-finally as old compilers made it: the subroutine runs on both paths
            .method(S, "finallyClause", "(ILjava/lang/Object;)Ljava/lang/Object;", 3, 6, """
                iload_0
                invokestatic SubroutineRoots.fresh (I)Ljava/lang/Object;
                astore_2
                from:
                iload_0
                ifeq fine
                invokestatic SubroutineRoots.fail ()V
                fine:
                jsr clean
                to:
                aload_2
                areturn
                handler:
                astore_3
                jsr clean
                aload_3
                athrow
                clean:
                astore 4
                invokestatic SubroutineRoots.collect ()V
                aload_2
                invokestatic java/lang/String.valueOf (Ljava/lang/Object;)Ljava/lang/String;
                invokestatic SubroutineRoots.print (Ljava/lang/String;)V
                ret 4
                .catch any from to handler
                """)
            .method(S, "left", "(I)Ljava/lang/String;", 3, 3, leftByJumps());
        Class<?> c = ClassAssembler.load(a);
        for (int i = 0; i < 3; i++) System.out.println(ClassAssembler.call(c, "polymorphic", i));
        System.out.println(ClassAssembler.call(c, "nested", 5));
        for (int i = 0; i < 2; i++) System.out.println(ClassAssembler.call(c, "left", i));
        for (int i = 0; i < 2; i++) {
            try {
                System.out.println(ClassAssembler.call(c, "finallyClause", i, fresh(7)));
            } catch (IllegalStateException e) {
                System.out.println(e);
            }
        }
    }
    public static void print(String s) { System.out.println(s); }
}
