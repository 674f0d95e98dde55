import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** What tests/embed/attach.c calls: allocation on visiting threads while one thread collects, and one lists threads. */
public class Attached {
    static volatile boolean stopping;
    static final AtomicInteger collections = new AtomicInteger();
    static Thread collector, looker;
    static volatile Throwable seen;

    static void start() {
        collector = new Thread(() -> {
            while (!stopping) {
                System.gc();
                collections.incrementAndGet();
            }
        }, "collector");
        collector.start();
        looker = new Thread(() -> {
            try {
                look();
            } catch (Throwable e) {
                seen = e;
            }
        }, "looker");
        looker.start();
        while (collections.get() == 0) Thread.onSpinWait();
    }

    /** Each thread that is listed has been constructed. */
    static void look() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        Thread[] threads = new Thread[100];
        while (!stopping) {
            for (int i = group.enumerate(threads) - 1; i >= 0; i--) state(threads[i]);
            for (Thread t : Thread.getAllStackTraces().keySet()) state(t);
            for (long id : ManagementFactory.getThreadMXBean().getAllThreadIds())
                if (id <= 0) throw new AssertionError("a thread without an identifier");
        }
    }

    static void state(Thread t) {
        if (t.getState() == Thread.State.NEW) throw new AssertionError(t + " is not started");
    }

    static int touch(int i) {
        byte[][] some = new byte[4][];
        for (int k = 0; k < some.length; k++) some[k] = new byte[64 * (k + 1)];
        return i + (Thread.currentThread().isAlive() ? some[3].length / 256 : 0);
    }

    /** How many visitors the VM still counts as alive; -1: the looker has seen one that is not constructed. */
    static int stop() throws InterruptedException {
        stopping = true;
        collector.join();
        looker.join();
        if (seen != null) {
            seen.printStackTrace();
            return -1;
        }
        int left = 0;
        for (Thread t : Thread.getAllStackTraces().keySet()) left += t.getName().startsWith("visitor") ? 1 : 0;
        return left;
    }
}
