// What ThreadInfo says of threads that wait in, wait to enter and own monitors and locks: state, lock, owner, monitors.
import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.MonitorInfo;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

public class LocksOfThreads {
    static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    static class First { }
    static class Second { }
    static class Third { }
    static volatile boolean go;

    static String lock(LockInfo l) { return l == null ? "nothing" : l.getClassName(); }
    static String wait(ThreadInfo i) {
        return i.getThreadState() + " for " + lock(i.getLockInfo()) + " owned by " + i.getLockOwnerName() + " "
            + (i.getLockOwnerId() > 0);
    }

    @SuppressWarnings("deprecation")                      // threadId() is newer than 17
    static void show(String what, Thread t, int depth) {
        ThreadInfo i = THREADS.getThreadInfo(new long[] {t.getId()}, true, true, depth)[0];
        System.out.println(what + ": " + wait(i) + "; of no frame: " + wait(THREADS.getThreadInfo(t.getId())));
        for (MonitorInfo m : i.getLockedMonitors())
            System.out.println("  " + lock(m) + " in " + m.getLockedStackDepth() + " "
                               + m.getLockedStackFrame().getMethodName());
        for (LockInfo l : i.getLockedSynchronizers()) System.out.println("  " + lock(l));
    }
    static void show(String what, Thread t) { show(what, t, Integer.MAX_VALUE); }

    static void idle(Object monitor, long millis) {
        try {
            monitor.wait(millis);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
    static synchronized void idleInClass(Object monitor) {
        synchronized (monitor) { idle(monitor, 0); }
    }

    static Thread start(String name, Thread.State state, Runnable body) {
        Thread t = new Thread(body, name);
        t.setDaemon(true);
        t.start();
        if (state != null) while (t.getState() != state) Thread.onSpinWait();
        return t;
    }

    static void monitors() {
        First first = new First();
        Second second = new Second();
        Third third = new Third();
        Thread waits = start("waits", Thread.State.WAITING, () -> {
            synchronized (second) { synchronized (first) { synchronized (first) { idle(first, 0); } } }
        });
        show("waits in the innermost", waits);
        show("two frames of it", waits, 2);
        Thread timed = start("timed", Thread.State.TIMED_WAITING, () -> {
            synchronized (third) { synchronized (second.getClass()) { idle(third, Long.MAX_VALUE); } }
        });
        show("waits in an outer one, with a time limit", timed);
        Thread far = start("far", Thread.State.WAITING, () -> {
            Object inner = new Object();
            synchronized (inner) { idleInClass(inner); }
        });
        show("waits in one of two frames", far);
        Thread owns = start("owns", null, () -> {
            synchronized (first) {
                first.notify();
                while (!go) { }                          // no call: the depth of the frame is shown
            }
        });
        while (waits.getState() != Thread.State.BLOCKED) Thread.onSpinWait();
        show("enters again", waits);
        show("owns", owns);
        Thread enters = start("enters", Thread.State.BLOCKED, () -> {
            synchronized (third) { synchronized (first) { go = true; } }
        });
        show("enters", enters);
        show("waits in what another one owns", timed);
        Thread entersSecond = start("enters another", Thread.State.BLOCKED, () -> {
            synchronized (third) { go = true; }
        });
        show("enters what the last one owns", entersSecond);
    }

    static void locks() {
        ReentrantLock lock = new ReentrantLock(), other = new ReentrantLock(), third = new ReentrantLock();
        Condition condition = third.newCondition();
        lock.lock();
        Thread parks = start("parks", Thread.State.WAITING, () -> {
            other.lock();
            lock.lock();
        });
        show("parks", parks);
        Thread awaits = start("parks as well", Thread.State.WAITING, () -> {
            third.lock();
            condition.awaitUninterruptibly();
        });
        show("parks as well", awaits);
        Thread sleeps = start("sleeps", Thread.State.TIMED_WAITING, () -> {
            try {
                synchronized (lock) { Thread.sleep(Long.MAX_VALUE); }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        show("sleeps", sleeps);
        boolean[] ready = new boolean[1];
        Thread runs = start("runs", null, () -> {
            LockSupport.setCurrentBlocker(lock);
            synchronized (ready) { ready[0] = true; }
            while (!go) { }
        });
        for (;;) synchronized (ready) { if (ready[0]) break; }
        show("runs, with something set to park by", runs);
    }

    public static void main(String[] args) {
        monitors();
        System.out.println();
        locks();
    }
}
