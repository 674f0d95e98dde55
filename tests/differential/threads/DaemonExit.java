// The VM ends when the last user thread ends: daemon threads are left behind, others waited for, hooks run last.
import java.util.concurrent.CountDownLatch;

public class DaemonExit {
    public static void main(String[] args) throws Exception {
        CountDownLatch started = new CountDownLatch(2), mainDone = new CountDownLatch(1);
        Thread main = Thread.currentThread();
        Thread spin = new Thread(() -> {
            started.countDown();
            for (;;) Thread.onSpinWait();
        });
        Thread park = new Thread(() -> {
            started.countDown();
            synchronized (DaemonExit.class) {
                try {
                    DaemonExit.class.wait();
                } catch (InterruptedException e) {
                    System.out.println("never");
                }
            }
            System.out.println("never");
        });
        spin.setDaemon(true);
        park.setDaemon(true);
        spin.start();
        park.start();
        started.await();
        Thread user = new Thread(() -> {
            try {
                main.join();
            } catch (InterruptedException e) {
                throw new Error(e);
            }
            System.out.println("user thread after main " + main.isAlive());
            Thread last = new Thread(() -> System.out.println("last one"));
            last.start();
        });
        user.start();
        Runtime.getRuntime().addShutdownHook(
            new Thread(() -> System.out.println("hook, daemons alive " + spin.isAlive() + park.isAlive())));
        System.out.println("main done");
    }
}
