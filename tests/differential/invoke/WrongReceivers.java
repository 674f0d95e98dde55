// invokeinterface of a private method on receivers that do not have the interface, which the verifier lets pass: the
// same error whether the code is interpreted or compiled.
import java.lang.reflect.Field;
import sun.misc.Unsafe;

public class WrongReceivers {
    interface I {
        private String own() { return "own of " + this.getClass().getSimpleName(); }
        private int one() { return 1; }          // small enough to be inlined
        default String through() { return own(); }
    }
    static class Right implements I { }
    static class Wrong {
        private String own() { return "never"; }
    }

    static class Holder { I value; }

    static String call(I i) { return i.own(); }

    static String callInLoop(I i) {
        String s = null;
        for (int n = 0; n < 3; n++) s = i.own();
        return s;
    }

    static int callSmall(I i) { return i.one(); }

    static void attempt(String what, I i) {
        for (int way = 0; way < 3; way++) {
            try {
                System.out.println(what + ": " + switch (way) {
                    case 0 -> call(i);
                    case 1 -> callInLoop(i);
                    default -> "small " + callSmall(i);
                });
            } catch (IncompatibleClassChangeError | NullPointerException e) {
                System.out.println(what + ": " + e.getClass().getName());
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Field field = Unsafe.class.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        var unsafe = (Unsafe) field.get(null);
        var holder = new Holder();
        unsafe.putObject(holder, unsafe.objectFieldOffset(Holder.class.getDeclaredField("value")), new Wrong());
        I wrong = holder.value;
        int length = 0;
        int[] warm = {0, 600, 3_000, 20_000, 20_000};    // by then the one compiler's code runs, or the other's
        for (int round = 0; round < warm.length; round++) {
            for (int i = 0; i < warm[round]; i++) {
                length += call(new Right()).length() + callInLoop(new Right()).length() + callSmall(new Right());
            }
            attempt("wrong, round " + round, wrong);
            attempt("right, round " + round, new Right());
            attempt("null, round " + round, null);
        }
        System.out.println(length);
    }
}
