// Uncaught exceptions in threads: default text, per-thread, group and default handlers, handlers that throw; exit code
// stays 0.
public class UncaughtHandlers {
    static void run(Thread t) throws InterruptedException {
        t.start();
        t.join();
    }
    static Runnable thrower(String s) {
        return () -> { throw new IllegalStateException(s); };
    }

    public static void main(String[] args) throws Exception {
        run(new Thread(thrower("plain"), "plain thread"));
        Thread own = new Thread(thrower("own"), "own");
        own.setUncaughtExceptionHandler(
            (t, e) -> System.out.println("own handler " + t.getName() + " " + e.getMessage()));
        run(own);
        ThreadGroup g = new ThreadGroup("special") {
            @Override
            public void uncaughtException(Thread t, Throwable e) {
                System.out.println("group handler " + t.getName() + " " + e.getMessage());
            }
        };
        run(new Thread(g, thrower("in group"), "grouped"));
        Thread.setDefaultUncaughtExceptionHandler((t, e) -> {
            System.out.println("default " + t.getName() + " " + e.getMessage());
            if (e.getMessage().equals("bad")) throw new Error("handler fails");
        });
        run(new Thread(thrower("for default"), "third"));
        run(new Thread(thrower("bad"), "fourth"));
        Thread.setDefaultUncaughtExceptionHandler(null);
        run(new Thread(() -> {
            int[] a = new int[1];
            a[1] = 0;
        }, "bounds"));
        Thread h = new Thread(() -> {
            throw new Error() {
                @Override
                public String toString() {
                    throw new RuntimeException("toString fails");
                }
            };
        }, "odd");
        run(h);
        System.out.println(own.getUncaughtExceptionHandler() + " " + Thread.getDefaultUncaughtExceptionHandler());
        System.out.println("main ends");
    }
}
