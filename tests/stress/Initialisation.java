// Many threads initialise the same classes at once, in different orders, some of which fail: `java Initialisation
// <threads>`.
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

public class Initialisation {
    static final AtomicInteger runs = new AtomicInteger();

    static void pause() {
        runs.incrementAndGet();
        try {
            Thread.sleep(5);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    // A chain of superclasses, an interface with a default method, classes that need each other, and one that fails.
    interface WithDefault {
        int VALUE = value();
        static int value() { pause(); return 7; }
        default int get() { return VALUE; }
    }
    static class Base { static int x; static { pause(); x = 1; } }
    static class Middle extends Base implements WithDefault { static int x; static { pause(); x = Base.x + 1; } }
    static class Leaf extends Middle { static int x; static { pause(); x = Middle.x + 1; } }
    static class Other extends Middle { static int x; static { pause(); x = Middle.x + 10; } }
    static class First { static int x = 1; static { pause(); Second.touch(); } static void touch() {} }
    static class Second { static int x = 2; static { pause(); } static void touch() {} }
    static class Fails {
        static {
            pause();
            if (runs.get() > 0) throw new IllegalStateException("on purpose");
        }
        static void touch() {}
    }

    static int work(int k, ConcurrentHashMap<String, AtomicInteger> errors) {
        int sum = 0;
        for (int i = 0; i < 6; i++) {
            switch ((k + i) % 6) {
                case 0 -> sum += Leaf.x;
                case 1 -> sum += Other.x;
                case 2 -> sum += new Middle().get();
                case 3 -> { First.touch(); sum += First.x; }
                case 4 -> { Second.touch(); sum += Second.x; }
                default -> {
                    try {
                        Fails.touch();
                        throw new AssertionError("initialised");
                    } catch (ExceptionInInitializerError | NoClassDefFoundError e) {
                        errors.computeIfAbsent(e.getClass().getSimpleName(),
                            n -> new AtomicInteger()).incrementAndGet();
                    }
                }
            }
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        int threads = Integer.parseInt(args[0]);
        ConcurrentHashMap<String, AtomicInteger> errors = new ConcurrentHashMap<>();
        ConcurrentHashMap<Integer, AtomicInteger> sums = new ConcurrentHashMap<>();
        CountDownLatch start = new CountDownLatch(1);
        Thread[] all = new Thread[threads];
        for (int i = 0; i < threads; i++) {
            int k = i;
            all[i] = new Thread(() -> {
                try {
                    start.await();
                    sums.computeIfAbsent(work(k, errors), n -> new AtomicInteger()).incrementAndGet();
                } catch (Throwable e) {
                    e.printStackTrace();
                    System.exit(1);
                }
            });
            all[i].start();
        }
        start.countDown();
        for (Thread t : all) t.join();
        System.out.println("initialisers run: " + runs);
        System.out.println("sums: " + sums);
        System.out.println("errors: " + new java.util.TreeMap<>(errors));
    }
}
