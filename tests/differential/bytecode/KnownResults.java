// What a method returns is narrowed to its type (JVMS ireturn), whatever int it has on its stack; so it is where the
// compiler knows the int, and has the method built into its caller.
public class KnownResults {
    static final int S = ClassAssembler.PUBLIC | ClassAssembler.STATIC;
    static final String[] TYPES = {"Z", "B", "C", "S", "I"};
    static final int[] RETURNED = {2, 3, -1980762004, 300, -129, -1, 70_000};

    static ClassAssembler returning(String name, int n) {
        ClassAssembler c = new ClassAssembler(49, name);
        for (String t : TYPES) {
            String call = "invokestatic " + name + "." + t + " ()" + t + "\n ";
            c.method(S, t, "()" + t, 1, 0, "ldc " + n + "\n ireturn");
            c.method(S, "value" + t, "()I", 1, 0, call + "ireturn");
            c.method(S, "isZero" + t, "()I", 1, 0,
                     call + "ifeq zero\n iconst_0\n ireturn\n zero:\n iconst_1\n ireturn");
            c.method(S, "isOne" + t, "()I", 2, 0,
                     call + "iconst_1\n if_icmpeq one\n iconst_0\n ireturn\n one:\n iconst_1\n ireturn");
        }
        return c;
    }

    public static void main(String[] args) throws Throwable {
        for (int k = 0; k < RETURNED.length; k++) {
            Class<?> c = ClassAssembler.load(returning("Returning" + k, RETURNED[k]));
            for (String t : TYPES) {
                long sum = 0;
                for (int i = 0; i < 3_000; i++)
                    for (String question : new String[] {"value", "isZero", "isOne"})
                        sum = sum * 31 + (int) ClassAssembler.call(c, question + t);
                System.out.println(RETURNED[k] + " as " + t + ": " + ClassAssembler.call(c, "value" + t) + " "
                    + ClassAssembler.call(c, "isZero" + t) + " " + ClassAssembler.call(c, "isOne" + t) + " " + sum);
            }
        }
    }
}
