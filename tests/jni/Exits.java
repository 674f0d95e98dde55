/** What tests/embed/exits.c calls: Java frames above native code that ends its thread, and daemon threads in raw monitors. */
public class Exits {
    static native void leave();
    static native void leaveWith(long a1, long a2, long a3, long a4, long a5, long a6, long a7, long a8, double d);
    static native void stay();
    static native void enterHeld();
    static native void waitInWaited();

    static void leaveWithin(Object monitor) {
        synchronized (monitor) {
            leave();
        }
    }

    static void leaveWithArguments(Object monitor) {
        synchronized (monitor) {
            leaveWith(1, 2, 3, 4, 5, 6, 7, 8, 9);
        }
    }

    static void stayWithin(Object monitor) {
        synchronized (monitor) {
            stay();
        }
    }

    static int join(Thread t) throws InterruptedException {
        t.join();
        return t.isAlive() ? 1 : 0;
    }

    static int startAndJoin(Object monitor) throws InterruptedException {
        Thread t = new Thread(() -> leaveWithin(monitor));
        t.start();
        return join(t);
    }

    private static void daemon(Runnable body) {
        Thread t = new Thread(body);
        t.setDaemon(true);
        t.start();
    }

    static void enterAsDaemon() {
        daemon(Exits::enterHeld);
    }

    static void waitAsDaemon() {
        daemon(Exits::waitInWaited);
    }
}
