import java.util.concurrent.locks.ReentrantLock;

/** What the agent sampler looks for: work of each kind goes on until the agent has seen enough of it. */
public class Sampled {
    static native void begin();
    static native boolean enough(int what);
    static native void finish();

    static final int WORKING = 0, IDLE = 1, ENTERED = 2, PARKED = 3;

    static class Lock { }

    static final Lock monitor = new Lock();
    static final ReentrantLock lock = new ReentrantLock();
    static volatile Object sink;
    static volatile double sum;
    static volatile boolean over;

    static void spin() {
        double s = 0;
        for (int i = 1; i < 10_000; i++) s += 1.0 / i;
        sum = s;
    }

    static void work(String kind) {
        switch (kind) {
            case "alloc" -> { for (int i = 0; i < 1000; i++) sink = new byte[100]; }
            case "monitor" -> { synchronized (monitor) { spin(); } }
            case "lock" -> { lock.lock(); lock.unlock(); }
            default -> spin();
        }
    }

    static void idle() throws InterruptedException {
        Thread.sleep(1_000_000);
    }

    /** Two threads do the same until the agent has seen enough. */
    static void together(String kind, int what) throws InterruptedException {
        Runnable body = () -> { while (!enough(what)) work(kind); };
        Thread other = new Thread(body, "other");
        other.start();
        body.run();
        other.join();
        System.out.println(kind + ": seen");
    }

    static Thread startAndAwait(String kind, Thread.State state) throws InterruptedException {
        Thread other = new Thread(() -> work(kind), "other");
        other.start();
        while (other.getState() != state) Thread.sleep(1);
        return other;
    }

    /** Holds what another thread wants until that waits for it. */
    static void contended() throws InterruptedException {
        while (!enough(ENTERED)) {
            Thread other;
            synchronized (monitor) {
                other = startAndAwait("monitor", Thread.State.BLOCKED);
            }
            other.join();
        }
        System.out.println("monitor: seen");
        while (!enough(PARKED)) {
            Thread other;
            lock.lock();
            try {
                other = startAndAwait("lock", Thread.State.WAITING);
            } finally {
                lock.unlock();
            }
            other.join();
        }
        System.out.println("lock: seen");
    }

    public static void main(String[] args) throws Exception {
        begin();
        switch (args[0]) {
            case "itimer" -> together("spin", WORKING);
            case "wall" -> {
                Thread idle = new Thread(() -> {
                    try {
                        idle();
                    } catch (InterruptedException e) {
                        over = true;
                    }
                }, "idle");
                idle.start();
                together("spin", WORKING);
                while (!enough(IDLE)) Thread.sleep(1);
                idle.interrupt();
                idle.join();
                System.out.println("idle: seen, " + over);
            }
            case "alloc" -> together("alloc", WORKING);
            case "lock" -> contended();
        }
        finish();
    }
}
