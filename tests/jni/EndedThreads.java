import java.io.File;

/** One thread is kept from ending after its Java code is over; those that end behind it do not wait for it. */
public class EndedThreads {
    static final int MANY = 50, FEW = 4;

    /** The calling thread's end does not come until letEnd. */
    static native void holdEnd();
    /** Until a thread has come there. */
    static native void awaitHeld();
    /** ... and until it has gone on. */
    static native void letEnd();

    static int threads() { return new File("/proc/self/task").list().length; }

    static void run(Runnable body) throws InterruptedException {
        Thread t = new Thread(body);
        t.start();
        t.join();
    }

    /** A thread that has been joined may still count for a while. */
    static void awaitAtMost(int count) {
        while (threads() > count) Thread.onSpinWait();
    }

    public static void main(String[] args) throws Exception {
        System.load(args[0]);
        run(() -> { });
        int before = threads();
        run(EndedThreads::holdEnd);
        awaitHeld();
        for (int i = 0; i < MANY; i++) run(() -> { });
        awaitAtMost(before + FEW);
        System.out.println("threads end while another one's end does not come");
        letEnd();
        awaitAtMost(before);
        System.out.println("and that one, too");
    }
}
