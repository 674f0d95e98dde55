import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Exchanger;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.StampedLock;

/** A thread for each way to wait, until the program ends: of monitors, of locks of the library, of classes that another
 *  thread initialises. */
public class Waiting {
    static final CountDownLatch BOTH = new CountDownLatch(2);
    static class First {
        static { begin(); Second.touch(); }
        static void touch() { }
    }
    static class Second {
        static { begin(); First.touch(); }
        static void touch() { }
    }
    static class Slow {
        static { sleep(); }
        static void touch() { }
    }

    static void begin() {
        BOTH.countDown();
        try {
            BOTH.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static void sleep() {
        try {
            Thread.sleep(Long.MAX_VALUE);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static synchronized Object ofClass() {
        sleep();
        return null;
    }

    synchronized Object ofObject() throws InterruptedException {
        wait();
        return null;
    }

    static Object waitsIn(Object o, long milliseconds) throws InterruptedException {
        synchronized (o) {
            o.wait(milliseconds);
            return null;
        }
    }

    static Object recursively(int depth, Object o) {
        synchronized (o) {
            if (depth > 0) return recursively(depth - 1, o);
            sleep();
            return null;
        }
    }

    private static final List<Thread> THREADS = new ArrayList<>();

    /** When it returns the thread waits, or runs for Thread.getState, which does not see all kinds of waiting. */
    static void start(String name, Thread.State state, Callable<Object> waits) throws InterruptedException {
        var thread = new Thread(() -> {
            try {
                waits.call();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }, "waiting: " + name);
        thread.setDaemon(true);
        thread.start();
        while (thread.getState() != state) Thread.sleep(1);
    }

    public static void main(String[] args) throws Exception {
        var runs = Thread.State.RUNNABLE;
        var waits = Thread.State.WAITING;
        var timed = Thread.State.TIMED_WAITING;
        var object = new Object();
        long forever = 1L << 40;
        start("a monitor", waits, () -> waitsIn(object, 0));
        start("a monitor, timed", timed, () -> waitsIn(object, forever));
        start("an array", waits, () -> waitsIn(new int[0], 0));
        start("a class object", waits, () -> waitsIn(Waiting.class, 0));
        start("its own monitor", waits, () -> new Waiting().ofObject());
        start("recursively", timed, () -> recursively(3, new Object()));
        start("has the class", timed, Waiting::ofClass);
        start("wants the class", Thread.State.BLOCKED, Waiting::ofClass);
        start("parked", waits, () -> { LockSupport.park(); return null; });
        start("parked for an object", timed, () -> { LockSupport.parkNanos(object, Long.MAX_VALUE); return null; });
        start("a semaphore", waits, () -> { new Semaphore(0).acquire(); return null; });
        start("an exchange", waits, () -> new Exchanger<String>().exchange("x"));
        start("a queue", waits, () -> new DelayQueue<>().take());
        start("a condition", waits, () -> {
            var lock = new ReentrantLock();
            lock.lock();
            lock.newCondition().await();
            return null;
        });
        start("a stamped lock", waits, () -> {
            var lock = new StampedLock();
            return lock.writeLock() + lock.writeLock();
        });
        Thread main = Thread.currentThread();
        start("the main thread", waits, () -> { main.join(); return null; });
        start("initialises", timed, () -> { Slow.touch(); return null; });
        start("class", runs, () -> { Slow.touch(); return null; });
        start("class each other 1", waits, () -> { First.touch(); return null; });
        start("class each other 2", runs, () -> { Second.touch(); return null; });
        var owned = new Object();
        start("to lock again", waits, () -> waitsIn(owned, 0));
        synchronized (owned) {
            owned.notify();
            System.out.println("true");
            System.in.read();
        }
    }
}
