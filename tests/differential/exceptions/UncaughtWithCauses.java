// An uncaught exception with causes, suppressed exceptions, a shared tail and a circular reference, printed by the VM;
// exit code 1.
public class UncaughtWithCauses {
    static void inner() { throw new IllegalArgumentException("inner\nsecond line"); }
    static void middle() {
        try {
            inner();
        } catch (RuntimeException e) {
            IllegalStateException s = new IllegalStateException("middle", e);
            s.addSuppressed(new UnsupportedOperationException("suppressed", new Error("its cause")));
            throw s;
        }
    }
    static class Odd extends RuntimeException {
        Odd(Throwable c) { super(null, c); }
        @Override public String toString() { return "Odd exception"; }
    }

    public static void main(String[] args) {
        System.out.println("before");
        try {
            middle();
        } catch (RuntimeException e) {
            Odd o = new Odd(e);
            e.addSuppressed(o);
            throw o;
        } finally {
            System.out.println("finally");
        }
    }
}
