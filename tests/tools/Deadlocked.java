import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Threads that wait for each other for ever: for monitors, for locks of the library, for both; with -Dafter.wait=true
 *  also behind Object.wait, which HotSpot does not find. And one that waits for them. */
public class Deadlocked {
    static class Left { }
    static class Right { }
    interface Step { void run() throws Exception; }

    /** Each has what the next wants, and wants it when all have. */
    static void ring(String name, int threads, Step[] take, Step[] want) {
        var have = new CountDownLatch(threads);
        for (int i = 0; i < threads; i++) {
            int me = i;
            start(name + i, () -> take[me].run(), () -> {
                have.countDown();
                have.await();
                want[(me + 1) % threads].run();
            });
        }
    }

    static Thread start(String name, Step take, Step then) {
        var thread = new Thread(() -> {
            try {
                take.run();
                then.run();
            } catch (Exception e) {
                e.printStackTrace();
            }
        }, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    static int count(long[] ids) { return ids == null ? 0 : ids.length; }

    static final Object LEFT = new Left(), RIGHT = new Right(), INNER = new Object(), OUTER = new Object();

    static void nested(Object first, Object second, CountDownLatch both) throws InterruptedException {
        synchronized (first) {
            both.countDown();
            both.await();
            synchronized (second) {
                System.out.println("both are free");
            }
        }
    }

    /** It waits in OUTER, and when it is notified OUTER belongs to one that wants INNER. */
    static void waits(CountDownLatch begun) throws InterruptedException {
        synchronized (INNER) {
            synchronized (OUTER) {
                begun.countDown();
                OUTER.wait();
            }
        }
    }

    static void notifies(CountDownLatch begun) throws InterruptedException {
        begun.await();
        synchronized (OUTER) {
            OUTER.notify();
            synchronized (INNER) {
                System.out.println("both are free");
            }
        }
    }

    static void names(long[] ids) {
        for (ThreadInfo info : ManagementFactory.getThreadMXBean().getThreadInfo(ids))
            System.out.println(info.getThreadName() + " waits for " + info.getLockOwnerName());
    }

    static void locked(ReentrantLock first, Object second, CountDownLatch both) throws InterruptedException {
        first.lock();
        both.countDown();
        both.await();
        synchronized (second) {
            System.out.println("both are free");
        }
    }

    static void monitored(Object first, ReentrantLock second, CountDownLatch both) throws InterruptedException {
        synchronized (first) {
            both.countDown();
            both.await();
            second.lock();
        }
    }

    public static void main(String[] args) throws Exception {
        Step nothing = () -> { };
        CountDownLatch monitors = new CountDownLatch(2), mixed = new CountDownLatch(2), begun = new CountDownLatch(1);
        start("monitor 0", nothing, () -> nested(LEFT, RIGHT, monitors));
        start("monitor 1", nothing, () -> nested(RIGHT, LEFT, monitors));
        var locks = new ReentrantLock[] {new ReentrantLock(), new ReentrantLock(true), new ReentrantLock()};
        var step = new Step[] {locks[0]::lock, locks[1]::lock, locks[2]::lock};
        ring("lock ", 3, step, step);
        var lock = new ReentrantLock();
        var object = new Object();
        start("mixed 0", nothing, () -> locked(lock, object, mixed));
        start("mixed 1", nothing, () -> monitored(object, lock, mixed));
        var first = new ReentrantReadWriteLock();
        var second = new ReentrantReadWriteLock();
        ring("writer ", 2, new Step[] {first.writeLock()::lock, second.writeLock()::lock},
             new Step[] {first.readLock()::lock, second.writeLock()::lock});
        boolean afterWait = Boolean.getBoolean("after.wait");
        if (afterWait) {
            start("waits", nothing, () -> waits(begun));
            start("notifies", nothing, () -> notifies(begun));
        }
        var threads = ManagementFactory.getThreadMXBean();
        while (count(threads.findDeadlockedThreads()) < (afterWait ? 11 : 9)) Thread.sleep(1);
        Thread behind = start("behind them", nothing, () -> nested(new Object(), LEFT, new CountDownLatch(0)));
        while (behind.getState() != Thread.State.BLOCKED) Thread.sleep(1);
        System.out.println("all:");
        names(threads.findDeadlockedThreads());
        System.out.println("by monitors:");
        names(threads.findMonitorDeadlockedThreads());
        System.out.println("true");
        System.in.read();
    }
}
