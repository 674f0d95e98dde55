// SIGTERM from outside: shutdown hooks run, daemon and user threads are left as they stand, exit code 143.
import java.util.concurrent.CountDownLatch;

public class TerminatedBySignal {
    public static void main(String[] args) throws Exception {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook runs")));
        new Thread(() -> {
            synchronized (TerminatedBySignal.class) {
                try {
                    TerminatedBySignal.class.wait();
                } catch (InterruptedException e) {
                    System.out.println("never interrupted");
                }
            }
        }).start();
        System.out.println("asking for the end");
        new ProcessBuilder("/bin/kill", "-TERM", Long.toString(ProcessHandle.current().pid())).start();
        new CountDownLatch(1).await();
    }
}
