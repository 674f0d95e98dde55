// How a program ends while others still run: `java Ending <how>`.
import java.util.concurrent.CountDownLatch;

public class Ending {
    static volatile long work;
    static final Object monitor = new Object();

    static void background(boolean daemon) {
        for (int i = 0; i < 8; i++) {
            int kind = i % 4;
            Thread t = new Thread(() -> {
                try {
                    switch (kind) {
                        case 0 -> { while (true) work++; }
                        case 1 -> { while (true) work += new byte[1000].length; }
                        case 2 -> { synchronized (monitor) { monitor.wait(); } }
                        default -> { while (true) { synchronized (monitor) { work++; } Thread.sleep(1); } }
                    }
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }, "background-" + i);
            t.setDaemon(daemon);
            t.start();
        }
    }

    static void hooks() {
        for (int i = 0; i < 3; i++) {
            int k = i;
            Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook " + k)));
        }
    }

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "return" -> {               // only daemons are left
                background(true);
                Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
            }
            case "exit" -> {                 // others still run
                background(false);
                hooks();
                Thread.sleep(20);
                System.exit(3);
            }
            case "halt" -> {
                background(false);
                hooks();
                Runtime.getRuntime().halt(4);
            }
            case "crowd" -> {                // several threads exit at once: one of them wins
                CountDownLatch start = new CountDownLatch(1);
                Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
                for (int i = 0; i < 20; i++) {
                    new Thread(() -> {
                        try {
                            start.await();
                        } catch (InterruptedException e) {
                            throw new AssertionError(e);
                        }
                        System.exit(5);
                    }).start();
                }
                background(true);
                start.countDown();
                Thread.sleep(1_000_000);
            }
            case "uncaught" -> {             // main ends by an exception, another thread goes on for a while
                new Thread(() -> {
                    try {
                        Thread.sleep(50);
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                    System.out.println("last words");
                }).start();
                throw new IllegalStateException("main is over");
            }
            case "hookexit" -> {             // System.exit inside a hook would wait for ever: halt ends it
                Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                    System.out.println("hook");
                    Runtime.getRuntime().halt(6);
                }));
                System.exit(7);
            }
            default -> throw new IllegalArgumentException(args[0]);
        }
    }
}
