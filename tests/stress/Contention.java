// Many threads over few monitors, parks, interrupts and waits: `java Contention <threads> <rounds>`. Every count is
// exact.
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

public class Contention {
    static int threads, rounds;

    interface Body { void run(int index) throws Exception; }

    /** Runs the body in all threads at once; whatever one of them throws ends the program. */
    static void inParallel(String what, int count, Body body) throws Exception {
        List<Thread> all = new ArrayList<>();
        ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
        CountDownLatch start = new CountDownLatch(1);
        for (int i = 0; i < count; i++) {
            int index = i;
            Thread t = new Thread(() -> {
                try {
                    start.await();
                    body.run(index);
                } catch (Throwable e) {
                    failures.add(e);
                }
            }, what + "-" + i);
            all.add(t);
            t.start();
        }
        start.countDown();
        for (Thread t : all) t.join();
        for (Throwable e : failures) e.printStackTrace();
        if (!failures.isEmpty()) throw new AssertionError(what + ": " + failures.size() + " threads failed");
    }

    static void check(String what, long expected, long actual) {
        System.out.println(what + ": " + actual);
        if (expected != actual) throw new AssertionError(what + ": expected " + expected);
    }

    static final Object[] monitors = new Object[8];
    static final long[] counters = new long[8];
    static long inMethod;

    static synchronized void countInMethod() { inMethod++; }

    static void recursive(Object monitor, int depth, int slot) {
        synchronized (monitor) {
            if (depth > 0) recursive(monitor, depth - 1, slot);
            else counters[slot]++;
        }
    }

    static void monitors() throws Exception {
        for (int i = 0; i < monitors.length; i++) monitors[i] = new Object();
        inParallel("monitors", threads, index -> {
            for (int r = 0; r < rounds; r++) {
                int slot = (index + r) % monitors.length;
                recursive(monitors[slot], r % 5, slot);
                countInMethod();
                if (r % 16 == 0) Thread.yield();
                if (r % 50 == 0) monitors[slot].hashCode();
                if (index == 0 && r % 100 == 0) System.gc();
            }
        });
        long sum = 0;
        for (long c : counters) sum += c;
        check("monitors", (long) threads * rounds, sum);
        check("synchronized methods", (long) threads * rounds, inMethod);
    }

    /** Exceptions leave monitors, too. */
    static void exceptions() throws Exception {
        Object monitor = new Object();
        long[] caught = new long[1];
        inParallel("exceptions", threads, index -> {
            for (int r = 0; r < rounds / 10; r++) {
                try {
                    synchronized (monitor) {
                        caught[0]++;
                        if (r % 2 == 0) throw new IllegalStateException();
                        monitor.wait(0, 1 + r % 3);
                    }
                } catch (IllegalStateException e) {
                    if (Thread.holdsLock(monitor)) throw new AssertionError("still locked");
                }
            }
        });
        check("monitors left by exceptions", (long) threads * (rounds / 10), caught[0]);
    }

    /** A bounded buffer with wait and notifyAll. */
    static void waiting() throws Exception {
        Object monitor = new Object();
        int[] buffer = new int[1];
        long[] taken = new long[1];
        int pairs = threads / 2, each = rounds / 5;
        inParallel("waiting", 2 * pairs, index -> {
            for (int r = 0; r < each; r++) {
                synchronized (monitor) {
                    if (index % 2 == 0) {
                        while (buffer[0] == 10) monitor.wait();
                        buffer[0]++;
                    } else {
                        while (buffer[0] == 0) monitor.wait();
                        buffer[0]--;
                        taken[0]++;
                    }
                    monitor.notifyAll();
                }
            }
        });
        check("taken from the buffer", (long) pairs * each, taken[0]);
        check("left in the buffer", 0, buffer[0]);
    }

    /** A token goes round a ring of parked threads. */
    static void parking() throws Exception {
        int members = Math.min(threads, 100), laps = Math.max(rounds / 20, 2);
        Thread[] ring = new Thread[members];
        AtomicInteger token = new AtomicInteger();
        AtomicInteger passed = new AtomicInteger();
        CyclicBarrier ready = new CyclicBarrier(members);
        inParallel("parking", members, index -> {
            ring[index] = Thread.currentThread();
            ready.await();
            for (int lap = 0; lap < laps; lap++) {
                int mine = lap * members + index;
                while (token.get() != mine) LockSupport.park(token);
                passed.incrementAndGet();
                token.incrementAndGet();
                LockSupport.unpark(ring[(index + 1) % members]);
            }
        });
        check("tokens passed", (long) members * laps, passed.get());
    }

    /** Every interrupt is seen exactly once, in whatever the thread does. */
    static void interrupts() throws Exception {
        int count = threads / 2;
        AtomicInteger seen = new AtomicInteger();
        Semaphore never = new Semaphore(0);
        ReentrantLock lock = new ReentrantLock();
        Object monitor = new Object();
        CountDownLatch waiting = new CountDownLatch(count);
        Thread[] targets = new Thread[count];
        lock.lock();
        for (int i = 0; i < count; i++) {
            int index = i;
            targets[i] = new Thread(() -> {
                waiting.countDown();
                try {
                    switch (index % 5) {
                        case 0 -> Thread.sleep(1_000_000);
                        case 1 -> { synchronized (monitor) { while (true) monitor.wait(); } }
                        case 2 -> never.acquire();
                        case 3 -> lock.lockInterruptibly();
                        default -> {
                            while (!Thread.currentThread().isInterrupted()) LockSupport.park();
                            if (Thread.interrupted()) seen.incrementAndGet();
                            if (Thread.interrupted()) throw new AssertionError("interrupted twice");
                        }
                    }
                } catch (InterruptedException e) {
                    seen.incrementAndGet();
                    if (Thread.interrupted()) throw new AssertionError("still interrupted");
                }
            }, "target-" + i);
            targets[i].start();
        }
        waiting.await();
        for (Thread t : targets) t.interrupt();
        for (Thread t : targets) t.join();
        check("interrupts seen", count, seen.get());
    }

    public static void main(String[] args) throws Exception {
        threads = Integer.parseInt(args[0]);
        rounds = Integer.parseInt(args[1]);
        monitors();
        exceptions();
        waiting();
        parking();
        interrupts();
        System.out.println("done");
    }
}
