// What watching costs, for `make bench`: the loops in which events happen, or must not be felt. What is measured by
// calling the JVM TI alone is in native/watch_calls.c. Arguments: the native library, which is the agent too, and the
// row (the agent's option); then, for somebody who counts instructions, how many turns to run inside `counted`. Prints
// lines "<row>\t<figures>"; see run.py.
import java.io.InputStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntBinaryOperator;

public class Watch {
    /** CPU time of the calling thread in nanoseconds. */
    static native long time();
    /**
     * Switches on or off what the agent's option names: an event, a watch, a breakpoint, for `subject` where it is
     * about a thread.
     */
    static native void set(boolean on, Object subject);
    /** How many events the agent has been sent. */
    static native long events();
    /** Runs the loop; what happens in this method is counted by whoever counts. */
    static native void counted(Loop loop, int n);
    static native void measureHeap(Object[] roots);
    static native void measureTags(Object[] objects);
    static native void measureDepth();
    static native void measureThreads(Thread running, Thread suspended, Thread[] parked);
    static native void measureClasses(Class<?>[] classes, byte[] bytes);

    interface Loop { void run(int n); }

    static final int ROUNDS = 21, UNUSED_ROUNDS = 5, ROUND_NS = 5_000_000;
    /** Not measured after every switch: code is made anew meanwhile, optimised code in the background. */
    static final int ANEW = 1000, ANEW_NS = 20_000_000;
    /** How many turns are counted; 0: the clock counts. */
    static int turns;
    /** So many times as many run before: then there is optimised code, which -Xbatch has the loop wait for. */
    static final int BEFORE_COUNTING = 8;

    static long spent(Loop loop, int n) {
        if (turns != 0) {
            counted(loop, turns);
            return 0;
        }
        long start = time();
        loop.run(n);
        return time() - start;
    }

    /** Runs the loop until there is the code that it will have. */
    static void settle(Loop loop, int n) {
        for (long begin = time(); turns == 0 && time() - begin < ANEW_NS; ) loop.run(n);
        for (int i = 0; turns != 0 && i < 200; i++) loop.run(n);
    }

    static double best(Loop loop, int n, int rounds) {
        long best = Long.MAX_VALUE;
        for (int round = 0; round < rounds; round++) best = Math.min(best, spent(loop, n));
        return (double) best / n;
    }

    /**
     * As many turns as take some milliseconds, the loop having run long enough to be compiled where there is a
     * compiler.
     */
    static int calibrate(Loop loop) {
        for (int i = 0; turns != 0 && i < BEFORE_COUNTING; i++) loop.run(turns);
        if (turns != 0) return turns;
        int n = 64;
        while (spent(loop, n) < ROUND_NS) n *= 2;
        for (int i = 0; i < 20; i++) loop.run(n);
        n = 64;
        while (spent(loop, n) < ROUND_NS) n *= 2;
        return n;
    }

    // --- what is switched on and does not happen ---------------------------------------------------------------------
    static int neverTouched;
    int value;
    static Object sink;
    static final int[] ARRAY = new int[256];

    static int hot(int x) {
        if (x < 0)
            sink = null;                        // the line with the breakpoint
        return x * 31 ^ x >>> 3;
    }
    static int unrelated(int x) { return x + 1; }

    /** Ordinary code: calls, fields, arrays, allocation. */
    static void ordinary(int n) {
        Watch w = new Watch();
        for (int i = 0; i < n; i++) {
            w.value += hot(i);
            ARRAY[i & 255] ^= w.value;
            if ((i & 63) == 0) sink = new int[4];
        }
    }

    interface Switch { void set(boolean on); }

    /** Three figures: before anything was switched on, while it is on, after it was switched off. */
    static void unused(String what, Switch row) {
        Loop loop = Watch::ordinary;
        int n = calibrate(loop), rounds = turns != 0 ? 1 : UNUSED_ROUNDS;
        double before = best(loop, n, rounds), on = Double.MAX_VALUE, after = Double.MAX_VALUE;
        for (int round = 0; round < rounds; round++) {
            row.set(true);                      // fewer turns: it may be a hundred times slower
            settle(loop, ANEW);
            on = Math.min(on, best(loop, n / 8, 1));
            row.set(false);
            settle(loop, ANEW);
            after = Math.min(after, best(loop, n, 1));
        }
        System.out.println(what + "\t" + before + "\t" + on + "\t" + after);
    }

    /**
     * The time of one run, below a frame of which the end is asked for: it ends, and with it the asking, when this
     * returns.
     */
    static long below(int levels, Loop loop, int n, boolean asked) {
        if (levels == 40 && asked) set(true, null);
        return levels == 0 ? spent(loop, n) : below(levels - 1, loop, n, asked);
    }

    static void framePopPending(String what) {
        Loop loop = Watch::ordinary;
        int n = calibrate(loop), fewer = n / 8, rounds = turns != 0 ? 1 : UNUSED_ROUNDS;
        long before = Long.MAX_VALUE, on = Long.MAX_VALUE, after = Long.MAX_VALUE;
        for (int round = 0; round < rounds; round++) before = Math.min(before, below(50, loop, n, false));
        for (int round = 0; round < rounds; round++) {
            on = Math.min(on, below(50, loop, fewer, true));
            after = Math.min(after, below(50, loop, n, false));
        }
        System.out.println(what + "\t" + (double) before / n + "\t" + (double) on / fewer + "\t" + (double) after / n);
    }

    /** A thread that waits in a frame of which the end is asked for. */
    static final class Asker extends Thread {
        volatile boolean asked, released;
        Asker() { setDaemon(true); }
        @Override public void run() {
            Watch.set(true, null);
            asked = true;
            while (!released) LockSupport.park();
        }
    }
    static Asker asker;
    static void askElsewhere(boolean on) {
        if (on) {
            asker = new Asker();
            asker.start();
            while (!asker.asked) Thread.yield();
        } else {
            asker.released = true;
            LockSupport.unpark(asker);
            try {
                asker.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            set(false, null);
        }
    }

    // --- what happens ------------------------------------------------------------------------------------------------
    static int step(int x) { return x + 1; }
    static void calls(int n) { for (int i = 0, x = 0; i < n; i++) x = step(x); }
    static int watched;
    static void reads(int n) { for (int i = 0, x = 0; i < n; i++) x += watched; }
    static void writes(int n) { for (int i = 0; i < n; i++) watched = ARRAY[i & 255]; }
    static final RuntimeException THROWN = new RuntimeException("thrown again and again", null, false, false) { };
    static void thrower() { throw THROWN; }
    static void exceptions(int n) {
        for (int i = 0; i < n; i++) {
            try {
                thrower();
            } catch (RuntimeException e) {
                sink = e;
            }
        }
    }
    /** A native method that asks for the end of its caller's frame while the row is switched on. */
    static native void ask();
    static void asks() { ask(); }
    static void framePops(int n) { for (int i = 0; i < n; i++) asks(); }
    static final int[] COPIED = new int[2];
    static void copies(int n) { for (int i = 0; i < n; i++) sink = COPIED.clone(); }
    static void allocations(int n) { for (int i = 0; i < n; i++) sink = new Watch(); }

    /**
     * Time that each event (or each `together` of them) adds, once `unmeasured` turns have run with it; that of a turn
     * before any, and after it was switched off.
     */
    static void added(String what, Loop loop, int together, int unmeasured) {
        int n = 20_000;
        for (int i = 0; i < 50; i++) loop.run(n);
        double before = best(loop, n, ROUNDS), on = Double.MAX_VALUE, after = Double.MAX_VALUE;
        long sent = 0;
        for (int round = 0; round < ROUNDS; round++) {
            set(true, null);
            if (unmeasured == ANEW) settle(loop, ANEW);
            else loop.run(unmeasured);
            long events = events();
            on = Math.min(on, best(loop, n, 1));
            sent = events() - events;
            set(false, null);
            settle(loop, ANEW);
            after = Math.min(after, best(loop, n, 1));
        }
        double each = (double) sent / n;
        String figure = sent < n / 2 ? "none" : String.valueOf((on - Math.min(before, after)) * together / each);
        System.out.println(what + "\t" + figure + "\t" + before + "\t" + after);
    }

    // --- kernels of everything, for an agent that holds every capability and uses none -------------------------------
    static void monitors(int n) {
        Object lock = new Object();
        for (int i = 0; i < n; i++) synchronized (lock) { watched ^= i; }
    }
    static void strings(int n) {
        for (int i = 0; i < n; i++) sink = ("key-" + i + ":" + i * 7L).indexOf(':');
    }
    static void maps(int n) {
        Map<Integer, Integer> map = new HashMap<>();
        for (int i = 0; i < n; i++) map.merge(i & 1023, 1, Integer::sum);
    }
    static void interfaces(int n) {
        Kernels.Shape[] shapes = {new Kernels.Square(), new Kernels.Slab(), new Kernels.Triangle(), new Kernels.Slab()};
        int x = 0;
        for (int i = 0; i < n; i++) x += shapes[i & 3].area(x);
        watched = x;
    }
    static void lambdas(int n) {
        IntBinaryOperator add = (a, b) -> a + b;
        int x = 0;
        for (int i = 0; i < n; i++) x = add.applyAsInt(x, i);
        watched = x;
    }
    static void floating(int n) {
        double x = 0.5;
        for (int i = 0; i < n; i++) x = 3.9 * x * (1.0 - x);
        sink = x;
    }
    static void sorting(int n) {
        int[] numbers = new int[n];
        for (int i = 0; i < n; i++) numbers[i] = i * 0x9E3779B9;
        Arrays.sort(numbers);
        sink = numbers;
    }

    static final Map<String, Loop> KERNELS = new TreeMap<>(
        Map.ofEntries(Map.entry("ordinary", Watch::ordinary),
                      Map.entry("calls",
                                n -> {
                                    for (; n > 0; n -= 500) Kernels.fibonacci(12);
                                }),
                      Map.entry("trees",
                                n -> {
                                    for (; n > 0; n -= 500) Kernels.Node.tree(8).count();
                                }),
                      Map.entry("exceptions",
                                n -> {
                                    for (int i = 0; i < n; i++) try {
                                            Kernels.thrower(i, 8);
                                        } catch (IllegalStateException e) { sink = e; }
                                }),
                      Map.entry("exceptions without trace", Watch::exceptions), Map.entry("monitors", Watch::monitors),
                      Map.entry("strings", Watch::strings), Map.entry("maps", Watch::maps),
                      Map.entry("interfaces", Watch::interfaces), Map.entry("lambdas", Watch::lambdas),
                      Map.entry("floating", Watch::floating), Map.entry("sorting", Watch::sorting),
                      Map.entry("writes", Watch::writes), Map.entry("allocations", Watch::allocations)));

    static void kernels() {
        for (Map.Entry<String, Loop> kernel : KERNELS.entrySet()) {
            Loop loop = kernel.getValue();
            int n = 1 << 12;
            for (int i = 0; i < (turns != 0 ? BEFORE_COUNTING : 20); i++) loop.run(turns != 0 ? turns : n);
            while (turns == 0 && n < 1 << 24 && spent(loop, n) < ROUND_NS / 4) n *= 2;
            System.out.println(kernel.getKey() + "\t" + best(loop, n, turns != 0 ? 1 : 9));
        }
    }

    // --- what is looked at -------------------------------------------------------------------------------------------
    static final class Node {
        final Node left, right;
        final int number;
        Node(Node left, Node right, int number) { this.left = left; this.right = right; this.number = number; }
    }

    static Object[] nodes(int n) {
        Node[] nodes = new Node[n];
        for (int i = 0; i < n; i++) nodes[i] = new Node(i > 0 ? nodes[i - 1] : null, i > 0 ? nodes[i / 2] : null, i);
        return nodes;
    }

    static Object[] heap() {
        Object[] nodes = nodes(1_000_000), strings = new Object[200_000];
        for (int i = 0; i < strings.length; i++) strings[i] = Integer.toString(i, 7);
        return new Object[] { nodes, strings };
    }

    static void deep(int levels) {
        if (levels == 0) measureDepth();
        else deep(levels - 1);
    }

    static volatile boolean ends;
    static int spins;
    static int spin(int local) {
        while (!ends) spins = local++;
        return local;
    }

    static Thread started(Runnable r) {
        Thread t = new Thread(r);
        t.setDaemon(true);
        t.start();
        return t;
    }

    static void threads() {
        Thread[] parked = new Thread[200];
        for (int i = 0; i < parked.length; i++) parked[i] = started(() -> { while (!ends) LockSupport.park(); });
        measureThreads(started(() -> spin(1)), started(() -> spin(2)), parked);
        ends = true;
    }

    static class Redefined {
        int a, b;
        int sum(int x) { return a + b + x; }
        String text() { return "a " + a + ", b " + b; }
    }

    static final class Loader extends ClassLoader {
        Class<?> define(String name, byte[] bytes) { return defineClass(name, bytes, 0, bytes.length); }
    }

    static void classes() throws Exception {
        byte[] bytes;
        try (InputStream in = Watch.class.getResourceAsStream("Watch$Redefined.class")) { bytes = in.readAllBytes(); }
        Class<?>[] classes = new Class<?>[500];
        for (int i = 0; i < classes.length; i++) classes[i] = new Loader().define("Watch$Redefined", bytes);
        for (Class<?> c : classes) c.getDeclaredConstructor().setAccessible(true);
        measureClasses(classes, bytes);
    }

    public static void main(String[] args) throws Exception {
        System.load(args[0]);
        String row = args[1];
        if (args.length > 2) turns = Integer.parseInt(args[2]);
        switch (row) {
        case "nothing", "everything" -> kernels();
        case "field-unused" -> unused("watch, field never touched", on -> set(on, null));
        case "breakpoint-unused" -> unused("breakpoint, line never reached", on -> set(on, null));
        case "breakpoint-unrelated" -> unused("breakpoint, unrelated method", on -> set(on, null));
        case "methods-elsewhere", "step-elsewhere" -> {
            Thread other = started(LockSupport::park);
            unused(row.startsWith("step") ? "SingleStep of another thread" : "MethodEntry+Exit, another thread",
                on -> set(on, other));
        }
        case "pop-elsewhere" -> unused("NotifyFramePop, another thread", Watch::askElsewhere);
        case "pop-unused" -> framePopPending("NotifyFramePop, far up");
        case "methods" -> added("MethodEntry+MethodExit", Watch::calls, 1, ANEW);
        case "step" -> added("SingleStep", Watch::calls, 1, ANEW);
        case "breakpoint" -> added("Breakpoint", Watch::calls, 1, ANEW);
        case "access" -> added("FieldAccess", Watch::reads, 1, ANEW);
        case "modification" -> added("FieldModification", Watch::writes, 1, ANEW);
        case "exceptions" -> added("Exception+ExceptionCatch", Watch::exceptions, 2, ANEW);
        case "pop" -> added("NotifyFramePop+FramePop", Watch::framePops, 1, ANEW);
        case "vm-alloc" -> added("VMObjectAlloc", Watch::copies, 1, ANEW);
        case "sampled-alloc" -> added("sampled allocation", Watch::allocations, 1, 200_000);
        case "heap" -> measureHeap(heap());
        case "tags" -> measureTags(nodes(1_000_000));
        case "stack" -> { deep(990); threads(); }
        case "classes" -> classes();
        default -> throw new IllegalArgumentException(row);
        }
    }
}
