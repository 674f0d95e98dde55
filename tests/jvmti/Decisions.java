/* For agent decisions. */
public class Decisions {
    static int field;
    static void target() { field = 1; }
    static native void decide();
    static native void showBound();
    static native void waitForNotification();
    static native void suspendAndNotify(Thread thread);

    public static void main(String[] args) throws Exception {
        Class.forName("jdk.internal.perf.Perf");             // its initialiser registers its native methods
        showBound();
        decide();
        Thread thread = new Thread(Decisions::waitForNotification, "waits");
        thread.start();
        suspendAndNotify(thread);
        thread.join();
    }
}
