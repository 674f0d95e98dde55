/* What is watched stays compiled: hot methods run under each kind of observation (agent watched_hot), which looks at
 * every event whether the frame that it is about is compiled code's. */
public class WatchedHot {
    static final int CALLS = 400, CHANGES = 5000;

    /* `what` is observed in the calling thread, or of all, from here on. */
    static native void begin(String what);
    /* What was reported of the methods below; nothing is observed any more. */
    static native String end();

    static int total;
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

    static int run(WatchedHot hot) {
        int sum = 0;
        for (int i = 0; i < CALLS; i++) sum += hot.work(i) + caught(i) + tryToRead(i % 2 == 0 ? hot : null);
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
                                         "breakpoint at null", "all"})
            row(hot, what);
        int sum = 0;
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
