// System.exit with hooks: several hooks, hooks added too late, exceptions in hooks, exit from a second thread; exit
// code 3.
import java.util.concurrent.CountDownLatch;

public class ShutdownHooks {
    public static void main(String[] args) throws Exception {
        CountDownLatch first = new CountDownLatch(1);
        Runtime rt = Runtime.getRuntime();
        Thread a = new Thread(() -> {
            System.out.println("hook a");
            first.countDown();
        });
        Thread b = new Thread(() -> {
            try {
                first.await();
            } catch (InterruptedException e) {
                throw new Error(e);
            }
            System.out.println("hook b after a");
            try {
                rt.addShutdownHook(new Thread());
            } catch (IllegalStateException e) {
                System.out.println(e.getMessage());
            }
            try {
                rt.removeShutdownHook(a);
            } catch (IllegalStateException e) {
                System.out.println(e.getMessage());
            }
            throw new IllegalStateException("hook b fails");
        }, "hook-b");
        Thread c = new Thread(() -> System.out.println("removed, must not run"));
        rt.addShutdownHook(a);
        rt.addShutdownHook(b);
        rt.addShutdownHook(c);
        System.out.println(rt.removeShutdownHook(c) + " " + rt.removeShutdownHook(c));
        try {
            rt.addShutdownHook(a);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        Thread running = new Thread(() -> {synchronized (ShutdownHooks.class){}});
        synchronized (ShutdownHooks.class) {
            running.start();
            try {
                rt.addShutdownHook(running);
            } catch (IllegalArgumentException e) {
                System.out.println(e.getMessage());
            }
        }
        running.join();
        Thread other = new Thread(() -> {
            try {
                System.exit(3);
            } finally {
                System.out.println("never printed");
            }
        });
        other.start();
        other.join();
        System.out.println("never reached");
    }
}
