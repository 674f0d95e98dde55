// Threads in known states for the agent threads.
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

public class Threads {
    static native void list();
    static native void stack(Thread t, int start, int max);
    static native void running(Thread t);
    static native void stacks(Thread[] threads);
    static native int state(Thread t);
    static native void storage(Thread t, long value);
    static native void rawWait(long millis);
    static native void awaitRawWait();
    static native void rawNotify();
    static native long rawCount(int times);
    static native void rawErrors();
    static native void groups();
    static native void cpu(Thread t);

    static final Object lock = new Object(), waited = new Object();
    static volatile boolean stop;

    static Thread start(ThreadGroup group, String name, int priority, boolean daemon, Runnable body) {
        Thread t = new Thread(group, body, name);
        t.setPriority(priority);
        t.setDaemon(daemon);
        t.start();
        return t;
    }

    static void settle(Thread t, Thread.State state) throws Exception {
        while (t.getState() != state) Thread.sleep(1);
    }

    static void recurse(int n) {
        if (n > 0) recurse(n - 1);
        else synchronized (waited) {
            try { waited.wait(); } catch (InterruptedException e) { System.out.println("wait interrupted"); }
        }
    }

    static class Waiter implements Runnable { public void run() { recurse(3); } }
    static class Blocker implements Runnable {
        public void run() {
            synchronized (lock) { System.out.println("blocker got the lock"); }
        }
    }
    static class Sleeper implements Runnable {
        public void run() {
            try {
                Thread.sleep(1_000_000);
            } catch (InterruptedException e) { System.out.println("sleep interrupted"); }
        }
    }
    static class Parker implements Runnable { public void run() { while (!stop) LockSupport.park(); } }
    static volatile boolean spins;
    static class Spinner implements Runnable { public void run() { while (!stop) spins = true; } }
    static class Counter implements Runnable { public void run() { rawCount(20_000); } }
    static class RawWaiter implements Runnable { public void run() { rawWait(0); } }

    public static void main(String[] args) throws Exception {
        ThreadGroup group = new ThreadGroup("g-one"), inner = new ThreadGroup(group, "g-two");
        group.setMaxPriority(7);
        Thread fresh = new Thread("t-fresh"), done = start(null, "t-done", 5, false, () -> { });
        done.join();
        Thread waiter, blocker, sleeper, parker, spinner;
        synchronized (lock) {
            waiter = start(group, "t-waiter", 4, true, new Waiter());
            blocker = start(inner, "t-blocker", 6, false, new Blocker());
            sleeper = start(null, "t-sleeper", 10, true, new Sleeper());
            parker = start(inner, "t-parker", 9, true, new Parker());
            spinner = start(null, "t-spinner", 1, false, new Spinner());
            while (!spins) Thread.onSpinWait();
            settle(waiter, Thread.State.WAITING);
            settle(blocker, Thread.State.BLOCKED);
            settle(sleeper, Thread.State.TIMED_WAITING);
            settle(parker, Thread.State.WAITING);
            list();
            groups();
            System.out.printf("fresh %x done %x null %x%n", state(fresh), state(done), state(null) & ~0x400000);
            stack(waiter, 0, 20);
            stack(waiter, 2, 3);
            stack(waiter, -2, 20);
            stack(waiter, 100, 20);
            stack(waiter, -100, 20);
            stack(waiter, 0, 0);
            stack(waiter, 0, -1);
            stack(null, 0, 20);
            stack(fresh, 0, 20);
            stack(done, 0, 20);
            running(spinner);
            stacks(new Thread[] { waiter, blocker, fresh, done });
        }
        blocker.join();
        storage(null, 11);
        storage(waiter, 22);
        storage(waiter, 0);
        storage(null, 0);
        storage(waiter, 0);
        storage(done, 1);
        storage(fresh, 1);
        cpu(null);
        waiter.interrupt();
        waiter.join();
        sleeper.interrupt();
        sleeper.join();
        stop = true;
        LockSupport.unpark(parker);
        parker.join();
        spinner.join();

        rawErrors();
        Thread[] counters = new Thread[4];
        for (int i = 0; i < counters.length; i++) counters[i] = start(null, "t-counter", 5, false, new Counter());
        for (Thread t : counters) t.join();
        System.out.println("raw monitor count " + rawCount(0));
        rawWait(20);
        Thread raw = start(null, "t-raw", 5, false, new RawWaiter());
        awaitRawWait();
        rawNotify();
        raw.join();
        Thread interrupted = start(null, "t-interrupted", 5, false, () -> {
            rawWait(1_000_000);
            System.out.println("flag " + Thread.interrupted());
        });
        awaitRawWait();
        interrupted.interrupt();
        interrupted.join();
    }
}
