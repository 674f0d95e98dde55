// ExceptionInInitializerError, the NoClassDefFoundError after it, errors passed through, and initialisation in several
// threads.
public class InitializationErrors {
    static class Runtime1 { static int v = 1 / Integer.parseInt("0"); }
    static class Error1 {
        static {
            if (true) throw new AssertionError("as it is");
        }
        static int v;
    }
    static class Sub extends Runtime1 {
        static int w = 5;
        static void m() {}
    }
    static class Recursive { static int v = Recursive2.v; }
    static class Recursive2 {
        static int v;
        static {
            v = Recursive.v + 1;
            if (v == 1) throw new IllegalStateException("recursive");
        }
    }
    interface Face {
        int V = Integer.parseInt("bad");
        default void m() {}
    }
    static class Impl implements Face {}
    static class Slow {
        static final java.util.concurrent.CountDownLatch begun = new java.util.concurrent.CountDownLatch(1);
        static int v;
        static {
            System.out.println("slow runs once");
            InitializationErrors.started.countDown();
            try {
                InitializationErrors.go.await();
            } catch (InterruptedException e) {
                throw new Error(e);
            }
            v = 42;
        }
    }
    static class SlowBad {
        static int v;
        static {
            InitializationErrors.started2.countDown();
            try {
                InitializationErrors.go2.await();
            } catch (InterruptedException e) {
                throw new Error(e);
            }
            if (v == 0) throw new IllegalStateException("slow bad");
        }
    }
    static final java.util.concurrent.CountDownLatch started = new java.util.concurrent.CountDownLatch(1),
                                                     go = new java.util.concurrent.CountDownLatch(1);
    static final java.util.concurrent.CountDownLatch started2 = new java.util.concurrent.CountDownLatch(1),
                                                     go2 = new java.util.concurrent.CountDownLatch(1);

    static void t(Runnable r) {
        try {
            r.run();
            System.out.println("fine");
        } catch (Throwable e) {
            for (Throwable x = e; x != null; x = x.getCause()) System.out.println((x == e ? "" : "  caused by ") + x);
        }
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 2; i++) t(() -> System.out.println(Runtime1.v));
        for (int i = 0; i < 2; i++) t(() -> System.out.println(Error1.v));
        for (int i = 0; i < 2; i++) t(() -> new Sub());
        t(Sub::m);
        for (int i = 0; i < 2; i++) t(() -> System.out.println(Recursive.v));
        for (int i = 0; i < 2; i++) t(() -> new Impl());
        t(() -> {
            try {
                Class.forName("InitializationErrors$Impl");
            } catch (ClassNotFoundException e) {
                System.out.println(e);
            }
        });
        t(() -> {
            Impl[] a = new Impl[1];
            System.out.println(a.length + " " + (a[0] instanceof Face));
        });
        t(() -> java.lang.reflect.Array.newInstance(Runtime1.class, 1));
        Thread[] ts = new Thread[4];
        ts[0] = new Thread(() -> System.out.println("first " + (Slow.v == 42)));
        ts[0].start();
        started.await();
        int[] seen = new int[4];
        for (int i = 1; i < 4; i++) {
            int k = i;
            ts[i] = new Thread(() -> seen[k] = Slow.v);
            ts[i].start();
        }
        for (int i = 1; i < 4; i++)
            while (ts[i].getState() == Thread.State.NEW) Thread.onSpinWait();
        go.countDown();
        for (Thread x : ts) x.join();
        System.out.println(seen[1] + " " + seen[2] + " " + seen[3]);
        String[] errors = new String[3];
        Thread[] us = new Thread[3];
        us[0] = new Thread(() -> {
            try {
                SlowBad.v++;
            } catch (Throwable e) {
                errors[0] = e.getClass().getName() + " " + e.getCause();
            }
        });
        us[0].start();
        started2.await();
        for (int i = 1; i < 3; i++) {
            int k = i;
            us[i] = new Thread(() -> {
                try {
                    SlowBad.v++;
                } catch (Throwable e) {
                    errors[k] = e.toString();
                }
            });
            us[i].start();
        }
        go2.countDown();
        for (Thread x : us) x.join();
        for (String e : errors) System.out.println(e);
    }
}
