import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.TreeSet;

/** Native methods that compiled code calls, while things happen to their threads. See tests/agents/native_calls.c. */
public class NativeCalls {
    /** The object, by a new local reference, behind as many others. */
    static native Object give(Object o, int references);
    /** n; throws where it is odd. */
    native int failing(int n, int references);
    /** n, in a register whose other bits are set. */
    static native int dirty(int n);
    static native void prepare(Throwable prepared);
    /** n; throws what is prepared where it is odd. */
    static native int throwing(int n);
    /** n + 1, when it has been released. */
    static native int waits(int n);
    static native void awaitArrival();
    /** Returns when waits is about to return. */
    static native void release();
    /** The sum of all n. */
    static synchronized native long count(int n);
    /** n + 1 or n + 2, as bind(1) or bind(2) says; n + 100. */
    static native int bound(int n);
    static native void bind(int which);
    static native int bindings();
    static native void suspend(Thread t);
    static native void resume(Thread t);
    static native void stop(Thread t, Throwable exception);
    static native void watch(Thread t, boolean on);
    static native String top(Thread t);
    static native int instances(Class<?> of);
    static native void printEvents();
    static native void awaitStubs();
    static native boolean hasStubs();

    static volatile boolean returned, ends;
    static volatile int seen;

    static void references(Object o) {
        for (int count : new int[] {0, 1, 7, 29, 30, 31, 100}) {
            boolean same = true;
            for (int turn = 0; turn < 300; turn++) same &= give(o, count) == o && give(null, count) == null;
            System.out.println(count + " references: " + same);
        }
    }

    static void indexes() {
        int[] squares = new int[20];
        for (int i = 0; i < squares.length; i++) squares[i] = i * i;
        long sum = 0;
        for (int i = 0; i < squares.length; i++)
            sum += squares[dirty(i)] + (long) dirty(-i) + (dirty(i) == i ? 0 : 1000);
        System.out.println("indexes: " + sum + " " + new int[dirty(3)].length);
    }

    static int caught(NativeCalls o, int n, int references) {
        try {
            return o.failing(n, references);
        } catch (IllegalStateException e) {
            StackTraceElement[] trace = e.getStackTrace();
            boolean named = trace[0].getMethodName().equals("failing") && trace[1].getMethodName().equals("caught");
            return e.getMessage().equals("told") && trace[0].isNativeMethod() && named ? -1 : -2;
        }
    }

    static int caughtPrepared(int n) {
        try {
            return throwing(n);
        } catch (IllegalArgumentException e) {
            return -n;
        }
    }

    static void exceptions(NativeCalls o) {
        int sum = 0, prepared = 0;
        for (int n = 0; n < 200; n++) sum += caught(o, n, n % 35);
        for (int n = 0; n < 200; n++) prepared += caughtPrepared(n);
        System.out.println("thrown: " + sum + " " + prepared);
    }

    /** Kilobytes in memory. */
    static long resident() throws Exception {
        for (String line : Files.readAllLines(Path.of("/proc/self/status")))
            if (line.startsWith("VmRSS:")) return Long.parseLong(line.replaceAll("[^0-9]", ""));
        throw new IllegalStateException();
    }

    /** What local references need is given back: 30 megabytes of it would not be. */
    static void memory(Object o) throws Exception {
        for (int turn = 0; turn < 1000; turn++) give(o, 100);
        long before = resident();
        for (int turn = 0; turn < 30_000; turn++) give(o, 100);
        System.out.println("grown: " + (resident() - before > 15_000));
    }

    static class Made { }
    static final Made[] made = new Made[100];

    static int waiting(int n) {
        int answer = waits(n);
        for (int i = 0; i < made.length; i++) made[i] = new Made();
        returned = true;
        return answer;
    }

    interface Event { void happens(Thread t) throws Exception; }

    /** What happens to a thread in a native method, and then where it returns. */
    static void during(String what, Event event, Event after) throws Exception {
        returned = false;
        Arrays.fill(made, null);
        Thread t = new Thread(() -> {
            try {
                System.out.println("  returned " + waiting(5));
            } catch (IllegalStateException e) {
                System.out.println("  threw " + e.getMessage());
            }
        });
        t.start();
        awaitArrival();
        System.out.println(what);
        event.happens(t);
        release();
        after.happens(t);
        t.join();
    }

    /** What was made behind the call is in the heap as it is after the collections. */
    static void made(Thread t) throws Exception {
        t.join();
        System.out.println("  made: " + instances(Made.class));
    }

    static void collect() {
        for (int i = 0; i < 3; i++) System.gc();
    }

    static void suspended(Thread t) {
        for (int i = 0; i < 1000; i++) Thread.yield();
        collect();
        System.out.println("  returned though suspended: " + returned + ", " + top(t));
        resume(t);
    }

    static long counting() {
        long last = 0;
        for (int i = 0; i < 100_000; i++) last = count(1);
        return last;
    }

    /** Threads that want the monitor of a synchronized native method at the same time. */
    static void contended() throws Exception {
        Thread[] threads = new Thread[3];
        for (int i = 0; i < threads.length; i++) (threads[i] = new Thread(NativeCalls::counting)).start();
        for (Thread t : threads) t.join();
        System.out.println("counted: " + count(0) + " " + Thread.holdsLock(NativeCalls.class));
        synchronized (NativeCalls.class) {
            System.out.println("counted again: " + (counting() - count(0)) + " " + Thread.holdsLock(NativeCalls.class));
        }
    }

    static int callBound(int n) {
        return bound(n);
    }

    /** Binding while another thread calls. */
    static void rebound() throws Exception {
        int before = bindings();
        TreeSet<Integer> seenThere = new TreeSet<>();
        bind(1);
        Thread t = new Thread(() -> {
            while (!ends) {
                seen = callBound(1);
                seenThere.add(seen);
            }
        });
        t.start();
        for (int turn = 0; turn < 40; turn++) {
            int which = 2 - turn % 2;
            bind(which);
            bind(which);         // what is there already: no event
            while (seen != 1 + which) Thread.onSpinWait();
            if (callBound(1) != 1 + which) System.out.println("FAILED: another function");
        }
        ends = true;
        t.join();
        bind(0);
        System.out.println("bound: " + seenThere + " " + callBound(1) + " " + callBound(1) + ", events: "
                + (bindings() - before));
    }

    static void watched(NativeCalls o) {
        for (int n = 4; n < 6; n++) {
            give(o, n);
            caught(o, n, 1);
        }
    }

    public static void main(String[] args) throws Exception {
        NativeCalls o = new NativeCalls();
        prepare(new IllegalArgumentException());
        for (int turn = 0; turn < 2; turn++) {
            references(o);
            exceptions(o);
            indexes();
            during("nothing", t -> { }, t -> { });
            during("collections", t -> collect(), t -> made(t));
            during("suspended", t -> suspend(t), t -> suspended(t));
            during("asked for its frames", t -> System.out.println("  " + top(t)), t -> { });
            during("watched", t -> watch(t, true), t -> { });
            printEvents();
            during("stopped", t -> stop(t, new IllegalStateException("stopped")), t -> { });
            watch(Thread.currentThread(), true);
            watched(o);
            watch(Thread.currentThread(), false);
            printEvents();
        }
        rebound();
        contended();
        memory(o);
        if (args.length == 0) return;
        awaitStubs();
        System.out.println("native stubs: " + hasStubs());
    }
}
