/* What is watched stays compiled: hot methods run under each kind of observation (agent watched_hot), which looks at
 * every event whether the frame that it is about is compiled code's. */
public class WatchedHot {
    static final int CALLS = 400, CHANGES = 5000;

    /* `what` is observed in the calling thread, or of all, from here on. */
    static native void begin(String what);
    /* What was reported of the methods below; nothing is observed any more. */
    static native String end();

    static int total;
    static Object kept;
    int own = 3, unwatched = 3;

    int work(int n) {
        int s = n;
        for (int i = 0; i < 10; i++) s += i ^ own;
        total = s;
        return s;
    }

    static void fail(int n) {
        if (n >= 0) throw new IllegalStateException();
        total = n;
    }

    static int caught(int n) {
        try {
            fail(n);
        } catch (IllegalStateException e) {
            return n;
        }
        return -1;
    }

    static int read(WatchedHot from) { return from.unwatched; }

    static int tryToRead(WatchedHot from) {
        try {
            return read(from);
        } catch (NullPointerException e) {
            return 1;
        }
    }

    /* Locals and operands of every type wait while something is made. */
    static double make(int n) {
        int a = n;
        long b = a * 3L;
        float c = n + 0.5f;
        double d = 0.25 * n;
        for (int i = 0; i < 4; i++) {
            int[] ints = new int[a & 3];
            d += c * d / (b + take(new WatchedHot(), n) + a);
            kept = new Object[][] {new Object[i], {ints, kept == null ? null : kept.getClass()}};
            c += b + i + ((int[])((Object[][])kept)[1][0]).length;
            b ^= a + take(new byte[2000], n);
        }
        return d + b + c + a;
    }

    static int take(Object o, int n) {
        kept = o;
        return n & 7;
    }

    static int run(WatchedHot hot) {
        int sum = 0;
        for (int i = 0; i < CALLS; i++)
            sum += hot.work(i) + caught(i) + tryToRead(i % 2 == 0 ? hot : null) + (int)make(i);
        return sum;
    }

    static void row(WatchedHot hot, String what) {
        begin(what);
        int sum = run(hot);
        String events = end();
        System.out.println(what + ": " + sum + ", " + events + "; afterwards " + run(hot) + ", " + end());
    }

    public static void main(String[] args) throws Exception {
        WatchedHot hot = new WatchedHot();
        run(hot);
        for (String what : new String[] {"nothing", "entries", "exits", "breakpoint", "breakpoints", "access",
                                         "modification", "pops", "exceptions", "locals", "early",
                                         "breakpoint at null", "samples", "samples, and locals", "all"})
            row(hot, what);
        // `work` loads the field, constructors store to it: loads have no event until they are watched too.
        row(hot, "stores of what is loaded");
        begin("stores of what is loaded");
        int sum = run(hot);
        begin("access");
        sum += run(hot);
        System.out.println("stores, then loads: " + sum + ", " + end());
        sum = 0;
        for (int i = 0; i < CHANGES; i++) {
            begin("breakpoint");
            sum += hot.work(i);
            end();
            sum += hot.work(i);
        }
        System.out.println("code made anew " + CHANGES + " times: " + sum);
        Thread other = new Thread(() -> {
            begin("entries");
            int total = run(hot);
            System.out.println("another thread: " + total + ", " + end());
        });
        other.start();
        other.join();
    }
}
