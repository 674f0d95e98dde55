import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.locks.LockSupport;

/** Monitors that have been one thread's alone until a second one wants them: at every moment of entering, entering
 * again and leaving, in a loop, in native code, asleep, and for monitors of which one thread holds several. */
public class FirstContention {
    static final int ROUNDS = 1200;
    static long plain;                           // guarded by the round's lock
    static Object[] locks;
    static Thread contender;
    static volatile int held;                    // as many locks have been held by now

    static synchronized void again(int depth) {
        plain++;
        if (depth > 0) again(depth - 1);
    }

    static int nested(Object lock, int depth) {
        synchronized (lock) {
            plain++;
            return depth == 0 ? 1 : nested(lock, depth - 1) + 1;
        }
    }

    /** All threads go for a lock that nobody has had yet. */
    static void fresh(int threads, int times, int depth) throws Exception {
        plain = 0;
        Object[] current = new Object[1];
        CyclicBarrier start = new CyclicBarrier(threads, () -> current[0] = new Object());
        long[] sums = new long[threads];
        run(threads, me -> {
            for (int round = 0; round < ROUNDS / threads; round++) {
                start.await();
                Object lock = current[0];
                for (int i = 0; i < times; i++) sums[me] += nested(lock, depth);
            }
        });
        long sum = 0;
        for (long s : sums) sum += s;
        System.out.println(threads + " threads, " + times + " times, depth " + depth + ": " + plain + " " + sum);
    }

    interface Body { void run(int me) throws Exception; }

    static void run(int threads, Body body) throws Exception {
        Thread[] all = new Thread[threads];
        for (int t = 0; t < threads; t++) {
            int me = t;
            all[t] = new Thread(() -> {
                try {
                    body.run(me);
                } catch (Exception e) {
                    System.out.println("thread " + me + ": " + e);
                }
            });
        }
        for (Thread t : all) t.start();
        for (Thread t : all) t.join();
    }

    /** One thread has each monitor in turn, as `owner` says; a second one wants it about then. */
    static void against(String what, Runnable owner, int locksWanted) throws Exception {
        locks = new Object[locksWanted];
        for (int i = 0; i < locksWanted; i++) locks[i] = new Object();
        plain = 0;
        held = 0;
        contender = Thread.currentThread();
        Thread busy = new Thread(owner);
        busy.start();
        long got = 0;
        for (int i = 0; i < locksWanted; i++) {
            while (held <= i) Thread.onSpinWait();
            synchronized (locks[i]) {
                got++;
                if (Thread.holdsLock(locks[i])) got++;
            }
        }
        busy.join();
        System.out.println(what + ": " + got + " " + plain);
    }

    static void enterAndLeave() {
        for (Object lock : locks) {
            held++;
            for (int i = 0; i < 300; i++) synchronized (lock) { plain++; }
        }
    }
    static void compute() {
        for (Object lock : locks) {
            synchronized (lock) {
                held++;
                for (int i = 0; i < 20_000; i++) plain += i & 1;
            }
        }
    }
    static void asleep() {
        for (Object lock : locks) {
            synchronized (lock) {
                synchronized (lock) {
                    held++;
                    while (contender.getState() != Thread.State.BLOCKED) LockSupport.parkNanos(100_000);
                }
                plain++;
            }
        }
    }
    static void several() {
        Object other = new Object();
        for (Object lock : locks) {
            synchronized (other) {
                synchronized (lock) {
                    held++;
                    synchronized (other) { plain++; }
                }
            }
        }
    }

    public static void main(String[] args) throws Exception {
        fresh(2, 1, 0);
        fresh(2, 20, 0);
        fresh(2, 20, 3);
        fresh(4, 10, 1);
        fresh(2, 3, 300);                        // more recursions than a monitor word counts
        against("entering and leaving", FirstContention::enterAndLeave, 400);
        against("computing", FirstContention::compute, 200);
        against("sleeping", FirstContention::asleep, 60);
        against("holding several", FirstContention::several, 1000);
        plain = 0;
        run(3, me -> { for (int i = 0; i < ROUNDS; i++) again(i % 5); });
        System.out.println("static: " + plain);
    }
}
