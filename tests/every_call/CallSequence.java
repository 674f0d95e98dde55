import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.concurrent.CountDownLatch;

/**
 * Runs sequence.c: four threads that make random calls, and the threads, classes and objects that the calls are about.
 */
public class CallSequence extends Thread {
    static final int CALLERS = 4, VICTIMS = 4;

    static native void begin(CallSequence[] callers);
    static native void run(int index, long seed, int calls);
    static native void end();

    static final Victim[] victims = new Victim[VICTIMS];
    static byte[] plain;

    final int index, calls;
    final long seed;

    CallSequence(int index, long seed, int calls) {
        this.index = index;
        this.seed = seed;
        this.calls = calls;
    }

    @Override
    public void run() { run(index, seed, calls); }

    static class Loader extends ClassLoader {
        Class<?> define(byte[] file) { return defineClass("Plain", file, 0, file.length); }
    }

    /** A class that nobody else holds, linked and used. */
    static Class<?> fresh() throws Exception {
        Class<?> c = new Loader().define(plain);
        c.getMethod("use").invoke(null);
        return c;
    }

    /** Threads that run the code which is redefined, stopped and popped. Those that have ended are replaced. */
    static Thread[] victims() {
        for (int i = 0; i < victims.length; i++) {
            if (victims[i] != null && victims[i].isAlive()) continue;
            victims[i] = new Victim();
            victims[i].setDaemon(true);
            victims[i].start();
        }
        return victims;
    }

    /** What is neither victim nor caller: suspended and asked, but never stopped. */
    static Thread[] others() throws Exception {
        Thread done = new Thread("done"), fresh = new Thread("fresh");
        done.start();
        done.join();
        if (Runtime.version().feature() < 21) return new Thread[] {done, fresh};
        Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
        Runnable loop = () -> { while (!Victim.end) Thread.onSpinWait(); };
        return new Thread[] {done, fresh, (Thread) start.invoke(null, loop)};
    }

    static Object[] objects() {
        return new Object[] {
            "text",
            new int[3],
            new Object[2],
            new IllegalStateException(),
            new StackOverflowError(),
            new Victim(),
            Victim.lock,
            Victim.class,
            Object.class,
            String.class,
            Thread.class,
            int.class,
            int[].class,
            Runnable.class,
            CallSequence.class,
            Loader.class,
            CallSequence.class.getClassLoader(),
            CallSequence.class.getModule(),
            Object.class.getModule(),
            new Thread().getThreadGroup(),
        };
    }

    static byte[] file(String name) throws Exception {
        try (InputStream in = CallSequence.class.getResourceAsStream(name + ".class")) {
            return in.readAllBytes();
        }
    }

    /** Class files for redefinition: as it is, with another number in a method, of another class, cut off. */
    static byte[][] files() throws Exception {
        byte[] victim = file("Victim"), changed = victim.clone(),
               cut = java.util.Arrays.copyOf(victim, victim.length / 2);
        for (int i = 0; i + 2 < changed.length; i++)
            if (changed[i] == 0x11 && changed[i + 1] == 0x30 && changed[i + 2] == 0x39) changed[i + 2]++;
        return new byte[][] {victim, changed, plain, cut};
    }

    static void go(long seed, int calls) throws Exception {
        setDefaultUncaughtExceptionHandler((thread, stopped) -> { });
        plain = file("Plain");
        fresh();
        new Victim().step(1, 2, 3, 4, null);
        CallSequence[] callers = new CallSequence[CALLERS];
        for (int i = 0; i < CALLERS; i++) callers[i] = new CallSequence(i, seed * CALLERS + i + 1, calls / CALLERS);
        begin(callers);
        for (CallSequence c : callers) c.start();
        for (CallSequence c : callers) c.join();
        Victim.end = true;
        end();
    }

    public static void main(String[] args) throws Exception { go(Long.parseLong(args[0]), Integer.parseInt(args[1])); }
}

/** What tests/embed/cycles.c runs in each of its VMs. */
class Cycle {
    static int run(int cycle) throws Exception {
        CallSequence.go(Long.getLong("seed") + cycle, Integer.getInteger("calls"));
        return cycle;
    }
}

class Victim extends Thread {
    static final Object lock = new Object();
    static volatile boolean end;
    static int entered;
    static Object shared;
    int field;
    long wide;
    Object reference;

    @Override
    public void run() {
        while (!end) {
            try {
                step(1, 2, 3, 4, this);
            } catch (Throwable stopped) {
                shared = stopped;
            }
        }
    }

    Object step(int i, long j, float f, double d, Object o) throws InterruptedException {
        field = number(i);
        wide = longer(j);
        reference = pass(o);
        fraction(f, d);
        deep(field & 7);
        synchronized (lock) {
            entered++;
            shared = pass(o);
        }
        try {
            throwing();
        } catch (IllegalStateException e) {
            shared = e;
        }
        spin(j, d, f, i, o);
        pause(1, d, f, i, o);
        return o;
    }

    int number(int i) { return i + 12345; }
    long longer(long j) { return j * 3; }
    static Object pass(Object o) { return o; }
    double fraction(float f, double d) { return f * d; }
    int deep(int n) { return n > 0 && !end ? deep(n - 1) + 1 : field; }
    void throwing() { throw new IllegalStateException("thrown"); }
    /** Here frames may be popped and left early, and a variable of each type read and set. */
    int spin(long j, double d, float f, int i, Object o) {
        int n = 0;
        while (n < 5000 && !end) n++;
        return n;
    }
    /** Here victims are most of the time, with the same variables one or two frames down. */
    synchronized void pause(long millis, double d, float f, int i, Object o) throws InterruptedException {
        wait(millis);
    }
}
