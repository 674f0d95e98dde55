import java.net.URL;
import java.net.URLClassLoader;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.IntUnaryOperator;

/**
 * Threads switch on and off what a tool is sent of them, each for itself and all at the same time; another thread
 * switches what concerns nobody, and lets a second environment come and go. Behind every change a thread is sent all
 * that it wants, and nothing else. Half of the changes another thread makes for it. Arguments: rounds, and whether
 * there is a second environment (tests/agents/switches.c).
 */
public class Switches {
    /** In the order of the agent's kinds. The last four are of a place, which is set or not, too. */
    enum Kind { METHOD_ENTRY, METHOD_EXIT, SINGLE_STEP, EXCEPTION, EXCEPTION_CATCH, SAMPLED_OBJECT_ALLOC,
                BREAKPOINT, FIELD_ACCESS, FIELD_MODIFICATION, FRAME_POP;
        boolean hasPlace() { return compareTo(BREAKPOINT) >= 0; }
    }

    static final int THREADS = 3, STEPS_OF_LEAF = 4;
    static final Kind[] KINDS = Kind.values();
    static final AtomicIntegerArray wanted = new AtomicIntegerArray(KINDS.length);
    static final AtomicIntegerArray wrong = new AtomicIntegerArray(KINDS.length);
    static volatile boolean over;

    /* The current thread is the one with this number, and runs that class. */
    static native void begin(int number, Thread thread, Class<?> work);
    static native void event(int number, int kind, boolean on);
    static native void place(int number, int kind, boolean on);
    /* How many events of the kind the current thread has been sent since it was asked last. */
    static native int sent(int kind);
    /* From SwitchedWork.turn. */
    public static native void arrive();
    /* Something that no thread here wants is switched on or off, or a second environment is made and disposed of. */
    static native void restless(int what, boolean second);

    static void rounds(int number, int rounds) throws Exception {
        SplittableRandom random = new SplittableRandom(number);
        ExecutorService other = Executors.newSingleThreadExecutor();
        URL[] here = {Switches.class.getProtectionDomain().getCodeSource().getLocation()};
        ClassLoader loader = new URLClassLoader(here, Switches.class.getClassLoader()) {
            protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
                return name.equals("SwitchedWork") ? findClass(name) : super.loadClass(name, resolve);
            }
        };
        Class<?> c = loader.loadClass("SwitchedWork");
        IntUnaryOperator work = (IntUnaryOperator)c.getConstructor().newInstance();
        begin(number, Thread.currentThread(), c);
        boolean[] event = new boolean[KINDS.length], place = new boolean[KINDS.length];
        for (int round = 0; round < rounds; round++) {
            for (int changes = random.nextInt(3); changes >= 0; changes--) {
                Kind kind = KINDS[random.nextInt(KINDS.length)];
                int k = kind.ordinal();
                boolean ofPlace = kind.hasPlace() && random.nextBoolean();
                boolean[] state = ofPlace ? place : event;
                boolean on = state[k] = !state[k];
                Runnable change = ofPlace ? () -> place(number, k, on) : () -> event(number, k, on);
                if (random.nextBoolean()) change.run();
                else other.submit(change).get();
            }
            int turns = random.nextInt(40) == 0 ? 1000 : 1 + random.nextInt(5);
            for (Kind kind : KINDS) sent(kind.ordinal());
            int sum = work.applyAsInt(turns), expected = turns * (turns - 1) / 2 * 3 + turns * 4;
            if (sum != expected) System.out.println("round " + round + ": " + sum + " is not " + expected);
            for (Kind kind : KINDS) {
                int k = kind.ordinal(), sent = sent(k);
                boolean isWanted = event[k] && (place[k] || !kind.hasPlace());
                int all = isWanted ? turns * (kind == Kind.SINGLE_STEP ? STEPS_OF_LEAF : 1) : 0;
                if (isWanted) wanted.getAndIncrement(k);
                if (sent != all && wrong.getAndIncrement(k) < 10)
                    System.err.println("thread " + number + ", round " + round + ", " + turns + " turns: " + kind +
                                       " " + sent + " times, not " + all);
            }
        }
        for (Kind kind : KINDS) {
            int k = kind.ordinal();
            if (event[k]) event(number, k, false);
            if (place[k]) place(number, k, false);
        }
        other.shutdown();
    }

    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[0]);
        boolean second = args[1].equals("second");
        Thread restless = new Thread(() -> {
            SplittableRandom random = new SplittableRandom(THREADS);
            while (!over) restless(random.nextInt(1000), second);
        });
        Thread[] threads = new Thread[THREADS];
        for (int i = 0; i < THREADS; i++) {
            int number = i;
            threads[i] = new Thread(() -> {
                try {
                    rounds(number, rounds);
                } catch (Throwable e) {
                    e.printStackTrace();
                    System.exit(1);
                }
            });
        }
        restless.start();
        for (Thread t : threads) t.start();
        for (Thread t : threads) t.join();
        over = true;
        restless.join();
        for (Kind kind : KINDS)
            System.out.println(kind + ": wanted " + wanted.get(kind.ordinal()) + " times, wrong " +
                               wrong.get(kind.ordinal()));
    }
}
