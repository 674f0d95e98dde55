// StackOverflowError from Java, from an initialiser chain, through interfaces and synchronized methods, caught again
// and again.
public class StackOverflow {
    interface Step { int step(int n); }
    static int depth;
    static int plain(int n) { depth = n; return plain(n + 1) + 1; }
    synchronized int locked(int n) { depth = n; return locked(n + 1) + 1; }
    static long wide(long a, double b, long c) { depth++; return wide(a + 1, b * 2, c) + 1; }
    static final Step lambda = n -> StackOverflow.lambda().step(n + 1) + 1;
    static Step lambda() { return lambda; }
    static void withFinally(int n) {
        try {
            withFinally(n + 1);
        } finally {
            depth = Math.max(depth, n);
        }
    }
    static class Cyclic {
        Cyclic child = new Cyclic();
    }
    @Override public String toString() { return "x" + this; }
    static String text;

    static void t(String name, Runnable r) {
        depth = 0;
        for (int i = 0; i < 2; i++) {
            try {
                r.run();
                System.out.println(name + " returned");
            } catch (StackOverflowError e) {
                StackTraceElement[] st = e.getStackTrace();
                System.out.println(name + " " + e.getMessage() + " " + st.length);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        t("plain", () -> plain(0));
        System.out.println(depth > 500);
        StackOverflow o = new StackOverflow();
        t("locked", () -> o.locked(0));
        System.out.println(Thread.holdsLock(o));
        t("wide", () -> wide(0, 1, 2));
        t("lambda", () -> lambda.step(0));
        t("finally", () -> withFinally(0));
        t("constructor", () -> new Cyclic());
        t("toString", () -> text = o.toString());
        Thread th = new Thread(() -> t("thread", () -> plain(0)), "deep");
        th.start();
        th.join();
        Thread small = new Thread(null, () -> t("own size", () -> plain(0)), "small", 256 * 1024);
        small.start();
        small.join();
        System.out.println("alive");
        plain(0);
    }
}
