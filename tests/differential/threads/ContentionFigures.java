// How often and how long threads were blocked and waited, as ThreadInfo says: exact counts, times by their bounds.
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.locks.LockSupport;

public class ContentionFigures {
    static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    static final Object LOCK = new Object();
    static volatile boolean go;
    static boolean notified;
    static volatile int phase;

    static void await(Thread t, Thread.State... states) {
        while (true) {
            Thread.State s = t.getState();
            for (Thread.State w : states) {
                if (s == w) return;
            }
            Thread.onSpinWait();
        }
    }

    static void show(String what, Thread t) {
        ThreadInfo i = THREADS.getThreadInfo(t.getId());
        System.out.println(what + ": blocked " + i.getBlockedCount() + ", waited " + i.getWaitedCount());
    }

    /** The times are -1 without monitoring. */
    static void showTimes(String what, Thread t, boolean blocked, boolean waited) {
        ThreadInfo i = THREADS.getThreadInfo(t.getId());
        System.out.println(what + ": blocked time "
                           + (i.getBlockedTime() < 0 ? "none"
                              : blocked              ? i.getBlockedTime() >= 20
                                                     : i.getBlockedTime() < 20)
                           + ", waited time "
                           + (i.getWaitedTime() < 0 ? "none"
                              : waited              ? i.getWaitedTime() >= 20
                                                    : i.getWaitedTime() < 20));
    }

    static void spinFor(long millis) {
        long end = System.nanoTime() + millis * 1_000_000;
        while (System.nanoTime() < end) Thread.onSpinWait();
    }

    static void pause(int next) {
        phase = next;
        while (phase == next) Thread.onSpinWait();
    }

    static void reached(int p) {
        while (phase != p) Thread.onSpinWait();
    }

    static void blockedOnce(Thread t, int atPhase) throws Exception {
        synchronized (LOCK) {
            phase = -1;
            await(t, Thread.State.BLOCKED);
            spinFor(60);
        }
        reached(atPhase);
    }

    public static void main(String[] args) throws Exception {
        System.out.println(THREADS.isThreadContentionMonitoringSupported() + " "
                           + THREADS.isThreadContentionMonitoringEnabled());
        Thread t = new Thread(() -> {
            try {
                pause(1);
                synchronized (LOCK) {}
                pause(2);
                synchronized (LOCK) { while (!notified) LOCK.wait(); }
                pause(3);
                synchronized (LOCK) { LOCK.wait(40); }
                pause(4);
                Thread.sleep(40);
                pause(5);
                while (!go) LockSupport.park(LOCK);
                pause(6);
                synchronized (LOCK) {}
                pause(7);
                Thread.sleep(40);
                pause(8);
                synchronized (LOCK) {}
                pause(9);
            } catch (InterruptedException e) {
                throw new Error(e);
            }
        }, "watched");
        t.setDaemon(true);
        t.start();
        reached(1);
        show("at the start", t);
        showTimes("at the start", t, false, false);
        blockedOnce(t, 2);
        show("after a monitor", t);
        phase = -1;
        await(t, Thread.State.WAITING);
        synchronized (LOCK) {
            notified = true;
            LOCK.notify();
        }
        reached(3);
        show("after a notification", t);
        phase = -1;
        reached(4);
        show("after a wait that ran out", t);
        phase = -1;
        reached(5);
        show("after sleeping", t);
        phase = -1;
        await(t, Thread.State.WAITING);
        go = true;
        LockSupport.unpark(t);
        reached(6);
        show("after parking", t);
        showTimes("never asked for", t, true, true);
        THREADS.setThreadContentionMonitoringEnabled(true);
        System.out.println(THREADS.isThreadContentionMonitoringEnabled());
        showTimes("just asked for", t, false, false);
        blockedOnce(t, 7);
        showTimes("blocked", t, true, false);
        phase = -1;
        reached(8);
        showTimes("and slept", t, true, true);
        THREADS.setThreadContentionMonitoringEnabled(false);
        showTimes("no more", t, true, true);
        THREADS.setThreadContentionMonitoringEnabled(true);
        showTimes("again from nothing", t, false, false);
        blockedOnce(t, 9);
        show("at the end", t);
        showTimes("at the end", t, true, false);
        phase = -1;
        t.join();
        System.out.println(THREADS.getThreadInfo(t.getId()));
    }
}
