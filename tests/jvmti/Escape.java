import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;

/** Objects that only the method sees that makes them: how much is allocated for them, and what a tool hears of them. */
public class Escape {
    static final class Point {
        final int x, y;
        Point(int x, int y) { this.x = x; this.y = y; }
        Point plus(Point o) { return new Point(x + o.x, y + o.y); }
    }
    static final class Box { Object held; int number; Box(Object held) { this.held = held; } }

    static final int TURNS = 300, MANY = 100_000, HOT_SUM = -100_001;
    static final int[] array = new int[16];
    static volatile int stage;
    static int handled;
    static ThreadMXBean threads;

    static native void watch(boolean on);
    static native int events();
    /** Classes of the objects whose monitors the thread holds, each with the depth of the frame that entered it. */
    static native String owned(Thread t);

    static int sum(int n) {
        int h = 0;
        for (int i = 0; i < n; i++) {
            Point p = new Point(i, 3).plus(new Point(h, i));
            h += p.x * p.y;
        }
        return h;
    }
    static int nested(int n) {
        int h = 0;
        for (int i = 0; i < n; i++) {
            Box b = new Box(new Point(i, 3));
            if (i % 3 == 0) b.number = i;
            h += ((Point) b.held).x + b.number;
        }
        return h;
    }
    static int depth(int n) { return n == 0 ? 0 : depth(n - 1) + 1; }
    /** A call sees it, since not all of those are inlined. */
    static int seen(int n) {
        int h = 0;
        for (int i = 0; i < n; i++) {
            Point p = new Point(i, 3);
            h += depth(5) + p.x;
        }
        return h;
    }
    static final class Guard {
        int entered;
        synchronized int add(int n) { return entered += n; }
        /** Until another thread has looked, and so many turns more. */
        synchronized int loops(int more) {
            int h = 0;
            for (int i = 0; more > 0; i++) {
                h += i ^ entered;
                if (stage == 0) stage = 1;
                else if (stage == 2) more--;
            }
            return h;
        }
    }
    static int locked(int n) {
        int h = 0;
        for (int i = 0; i < n; i++) {
            Guard g = new Guard();
            Point p = new Point(i, 3);
            synchronized (p) { h += g.add(i) + p.x + g.add(p.y); }
        }
        return h;
    }
    static int held(int more) {
        Point p = new Point(more, 3);
        synchronized (p) {
            Guard g = new Guard();
            synchronized (g) { return g.loops(p.x) + p.y; }
        }
    }
    static int watched(int n, int from, int to) {
        int h = 0;
        for (int i = 0; i < n; i++) {
            if (i == from) watch(true);
            if (i == to) watch(false);
            Point p = new Point(i, h);
            h += p.x ^ p.y;
        }
        return h;
    }
    /** Until another thread has begun to watch, and so many turns more; the first of them has made its point before. */
    static int awaited(int more) {
        int h = 0;
        for (int i = 0; more > 0; i++) {
            Point p = new Point(i, h);
            h += p.x ^ p.y;
            if (stage == 0) stage = 1;
            else if (stage == 2) more--;
        }
        return h;
    }
    static int full(int i, int at) {
        Point p = new Point(i, at);
        Point q = p.plus(p);
        try {
            return array[i == at ? 99 : i & 15] + q.x + q.y;
        } catch (OutOfMemoryError e) {
            handled++;
            return p.x - q.y;
        }
    }

    static final class Big {
        long a, b, c, d, e, f, g, h, i, j, k, l, m, n;
        Big next;
    }
    static Big chain;
    static int length;

    static long allocated() { return threads.getCurrentThreadAllocatedBytes(); }

    interface Loop { int run(int n); }

    /** What a call of so many turns allocates, in objects for each turn. */
    static void measure(String name, Loop loop) {
        int h = 0;
        for (int i = 0; i < TURNS; i++) h += loop.run(1000);
        long before = allocated();
        h += loop.run(MANY);
        System.out.println(name + ": " + h + ", " + (allocated() - before) / 16 / (MANY - 1000) + " objects a turn");
    }

    static int becomeHot() {
        int h = 0;
        for (int i = 0; i < TURNS; i++) h += watched(1000, -1, -1);
        return h;
    }

    /** Of a call that computes HOT_SUM. */
    static boolean allocatesNone() {
        long before = allocated();
        if (watched(MANY, -1, -1) != HOT_SUM) throw new AssertionError();
        return allocated() - before < MANY;
    }

    static void events(String name) {
        int h = becomeHot() + HOT_SUM;
        boolean none = allocatesNone();
        h += watched(MANY, 60_000, 90_000);
        System.out.println(name + ": " + h + ", " + (none ? "none before, " : "") + events() + " events");
    }

    /** Compiled while a tool watches, and then hot again. */
    static void watchedThroughout() {
        watch(true);
        becomeHot();
        boolean none = allocatesNone();
        watch(false);
        becomeHot();
        System.out.println("watched throughout: " + (none ? "none" : "all")
                           + (allocatesNone() ? ", none afterwards" : ""));
    }

    static void eventsOfOther() throws InterruptedException {
        for (int i = 0; i < TURNS; i++) {
            stage = 2;
            awaited(1000);
        }
        stage = 0;
        Thread other = new Thread(() -> {
            while (stage != 1) Thread.onSpinWait();
            watch(true);
            stage = 2;
        });
        other.start();
        awaited(MANY);
        other.join();
        watch(false);
        System.out.println("from another thread: " + (events() >= MANY - 1 ? "all" : events()) + " events");
    }

    /** A tool looks at a thread that has not entered what it holds. */
    static void monitors() throws InterruptedException {
        int h = 0;
        stage = 2;
        for (int i = 0; i < TURNS * 50; i++) h += held(100);
        long before = allocated();
        for (int i = 0; i < 1000; i++) h += held(100);
        boolean none = allocated() - before < 1000 * 16;
        Thread here = Thread.currentThread();
        String[] found = new String[1];
        stage = 0;
        Thread other = new Thread(() -> {
            while (stage != 1) Thread.onSpinWait();
            found[0] = owned(here);
            stage = 2;
        });
        other.start();
        h += held(100);
        other.join();
        System.out.println((none ? "none" : "all") + " allocated before; held: " + found[0] + "; afterwards: "
                           + owned(here) + "; " + (h != 0));
    }

    static void keep(int i, boolean really) {
        Big b = new Big();
        b.a = b.n = i;
        if (really) {
            b.next = chain;
            chain = b;
        }
        length += b.a != b.n ? 1 : 0;
    }

    /** The library's own threads have all that they need. */
    static void settle() throws InterruptedException {
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        WeakReference<Object> gone = new WeakReference<>(new Object(), queue);
        System.gc();
        if (queue.remove() != gone) throw new AssertionError();
    }

    static Object[] fill() {
        Object[] kept = new Object[1 << 16];
        int count = 0;
        for (int size = 1 << 20; size > 0; size /= 2)
            try {
                for (;;) kept[count++] = new int[size];
            } catch (OutOfMemoryError e) {
                count--;
            }
        try {
            for (;;) kept[count++] = new Object();
        } catch (OutOfMemoryError e) {
            count--;
        }
        return kept;
    }

    /** The heap is full when objects are wanted after all: they are there, if they were not allocated before. What
     *  the method is about to throw is not, and that error it can handle. */
    static void memory() throws InterruptedException {
        settle();
        int h = 0;
        for (int i = 0; i < 20_000; i++) h += full(i, -1);
        int errors = 0, wrong = 0;
        Object[] kept = fill();
        for (int i = 0; i < 10; i++)
            try {
                full(5, 5);
                wrong++;
            } catch (OutOfMemoryError e) {
                errors++;
            } catch (ArrayIndexOutOfBoundsException e) {
                wrong++;
            }
        kept = null;
        String what = "";
        try {
            full(5, 5);
        } catch (ArrayIndexOutOfBoundsException e) {
            what = e.getMessage();
        }
        System.out.println(h + ": " + errors + " errors, " + handled
            + " handled, " + wrong + " others, then " + what + ", " + full(6, 7));
    }

    /** Nor is there memory for these without end: then an error ends the method, and nothing has happened to the
     *  others. */
    static void usedUp() throws InterruptedException {
        settle();
        for (int i = 0; i < 20_000; i++) keep(i, false);
        Object[] kept = fill();
        int errors = 0, count = 0;
        try {
            for (;; count++) keep(count, true);
        } catch (OutOfMemoryError e) {
            errors++;
        }
        kept = null;
        int good = 0;
        for (Big b = chain; b != null; b = b.next) good += b.a == count - 1 - good && b.n == b.a && b.b == 0 ? 1 : 0;
        keep(count, true);
        System.out.println(errors + " error, all as they were: " + (good == count && length == 0 && chain.a == count)
            + ", " + (count == 0 ? "none" : count < 100 ? "some" : "many"));
    }

    public static void main(String[] args) throws InterruptedException {
        if (args[0].equals("used up")) {
            usedUp();
            return;
        }
        if (args[0].equals("memory")) {
            memory();
            return;
        }
        threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        if (args[0].equals("events")) {
            events("first");
            events("again");
            watchedThroughout();
            eventsOfOther();
        } else if (args[0].equals("monitors")) {
            monitors();
        } else {
            measure("sum", Escape::sum);
            measure("nested", Escape::nested);
            measure("seen", Escape::seen);
            measure("locked", Escape::locked);
        }
    }
}
