// Thread.getStackTrace and getAllStackTraces of threads in known places: waiting, parked, blocked, spinning.
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

public class StackTracesOfThreads {
    static final Object lock = new Object(), cond = new Object();
    static volatile boolean stop;
    static void waits() {
        synchronized (cond) {
            try {
                cond.wait();
            } catch (InterruptedException e) {}
        }
    }
    static void parks() {
        while (!stop) LockSupport.park();
    }
    static void blocks() {
        synchronized (lock) {
            if (stop) return;
        }
    }
    static void spins(CountDownLatch l) {
        for (l.countDown(); !stop;) Thread.onSpinWait();     // one line: who counts down may still be there
    }
    static void recurse(int n, Runnable r) {
        if (n == 0)
            r.run();
        else
            recurse(n - 1, r);
    }
    static boolean mine(StackTraceElement e) {
        return e.getClassName().equals("StackTracesOfThreads") && !e.getMethodName().startsWith("lambda");
    }
    static void show(Thread t, StackTraceElement[] st) {
        StringBuilder b = new StringBuilder(t.getName() + " " + t.getState() + ":");
        for (StackTraceElement e : st)
            if (mine(e)) b.append(' ').append(e.getMethodName()).append(':').append(e.getLineNumber());
        System.out.println(b);
    }

    public static void main(String[] args) throws Exception {
        CountDownLatch spinning = new CountDownLatch(1);
        Thread w = new Thread(() -> recurse(3, StackTracesOfThreads::waits), "waiter"),
               p = new Thread(() -> recurse(2, StackTracesOfThreads::parks), "parker"),
               b = new Thread(() -> recurse(1, StackTracesOfThreads::blocks), "blocker"),
               s = new Thread(() -> recurse(0, () -> spins(spinning)), "spinner");
        Thread unborn = new Thread(() -> {}, "unborn"), dead = new Thread(() -> {}, "dead");
        dead.start();
        dead.join();
        synchronized (lock) {
            for (Thread t : new Thread[] {w, p, b, s}) t.start();
            while (w.getState() != Thread.State.WAITING || p.getState() != Thread.State.WAITING
                   || b.getState() != Thread.State.BLOCKED)
                Thread.onSpinWait();
            spinning.await();
            for (Thread t : new Thread[] {w, p, b, s, unborn, dead}) show(t, t.getStackTrace());
            Map<Thread, StackTraceElement[]> all = Thread.getAllStackTraces();
            for (Thread t : new Thread[] {w, p, b, s}) show(t, all.get(t));
            System.out.println(all.containsKey(unborn) + " " + all.containsKey(dead) + " "
                               + all.get(Thread.currentThread())[0].getMethodName() + " "
                               + w.getStackTrace()[0].getClassName() + " " + b.getStackTrace()[0].getMethodName());
            stop = true;
        }
        synchronized (cond) { cond.notifyAll(); }
        LockSupport.unpark(p);
        for (Thread t : new Thread[] {w, p, b, s}) t.join();
        var bean = java.lang.management.ManagementFactory.getThreadMXBean();
        System.out.println((bean.getThreadCount() > 0) + " " + bean.findDeadlockedThreads() + " "
            + bean.getThreadInfo(Thread.currentThread().getId()).getThreadName());
    }
}
