/* For agent decisions. */
public class Decisions {
    static int field;
    static void target() { field = 1; }
    static int countDown(int n) { return n == 0 ? 0 : countDown(n - 1); }
    static native void decide();
    static native void showBound();
    static native void waitForNotification();
    static native void suspendAndNotify(Thread thread);
    static native boolean destroysMonitors();
    static native void waitForNothing();
    static native void enterNothing();
    static native void enterDoomed(int waiters);
    static native void destroyDoomed();
    static native void useNext();

    /** Three threads wait in a raw monitor and one waits to enter it when its owner destroys it. */
    static void destroyMonitor() throws InterruptedException {
        Thread[] threads = new Thread[4];
        for (int i = 0; i < 3; i++) (threads[i] = new Thread(Decisions::waitForNothing)).start();
        enterDoomed(3);
        (threads[3] = new Thread(Decisions::enterNothing)).start();
        destroyDoomed();
        for (Thread thread : threads) thread.join();
        useNext();
    }

    public static void main(String[] args) throws Exception {
        Class.forName("jdk.internal.perf.Perf");             // its initialiser registers its native methods
        showBound();
        decide();
        Thread thread = new Thread(Decisions::waitForNotification, "waits");
        thread.start();
        suspendAndNotify(thread);
        thread.join();
        if (destroysMonitors()) destroyMonitor();
    }
}
