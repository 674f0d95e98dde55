import java.util.concurrent.atomic.AtomicInteger;

/** What tests/embed/attach.c calls: allocation on visiting threads while another thread collects. */
public class Attached {
    static volatile boolean stopping;
    static final AtomicInteger collections = new AtomicInteger();
    static Thread collector;

    static void start() {
        collector = new Thread(() -> {
            while (!stopping) {
                System.gc();
                collections.incrementAndGet();
            }
        }, "collector");
        collector.start();
        while (collections.get() == 0) Thread.onSpinWait();
    }

    static int touch(int i) {
        byte[][] some = new byte[4][];
        for (int k = 0; k < some.length; k++) some[k] = new byte[64 * (k + 1)];
        return i + (Thread.currentThread().isAlive() ? some[3].length / 256 : 0);
    }

    /** How many visitors the VM still counts as alive. */
    static int stop() throws InterruptedException {
        stopping = true;
        collector.join();
        int left = 0;
        for (Thread t : Thread.getAllStackTraces().keySet()) left += t.getName().startsWith("visitor") ? 1 : 0;
        return left;
    }
}
