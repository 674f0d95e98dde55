// Cleaners, finalizers with resurrection, and runFinalization, waited for by latches.
import java.lang.ref.Cleaner;
import java.lang.ref.WeakReference;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

public class CleanersAndFinalizers {
    static final AtomicInteger finalized = new AtomicInteger(), cleaned = new AtomicInteger();
    static CleanersAndFinalizers revived;
    static final CountDownLatch revivedOnce = new CountDownLatch(1);
    final int id;
    CleanersAndFinalizers(int id) { this.id = id; }
    @SuppressWarnings({"deprecation", "removal"})
    @Override
    protected void finalize() {
        finalized.incrementAndGet();
        if (id == 7) {
            revived = this;
            revivedOnce.countDown();
        }
    }
    static class Throwing {
        @SuppressWarnings({"deprecation", "removal"})
        @Override
        protected void finalize() {
            cleaned.incrementAndGet();
            throw new IllegalStateException("ignored");
        }
    }
    static class FailingConstructor {
        FailingConstructor() { throw new RuntimeException("constructor"); }
        @SuppressWarnings({"deprecation", "removal"})
        @Override
        protected void finalize() {
            finalized.addAndGet(1000);
        }
    }
    static class Resource implements AutoCloseable {
        static final Cleaner CLEANER = Cleaner.create();
        static class State implements Runnable {
            final String name;
            State(String n) { name = n; }
            public void run() { System.out.println("cleaned " + name); }
        }
        final Cleaner.Cleanable c;
        Resource(String n) { c = CLEANER.register(this, new State(n)); }
        public void close() { c.clean(); }
    }
    static void drop(int n) {
        for (int i = 0; i < n; i++) new CleanersAndFinalizers(i);
    }
    static boolean until(java.util.function.BooleanSupplier done) {
        for (int i = 0; i < 3000; i++) {
            if (done.getAsBoolean()) return true;
            System.gc();
            Thread.yield();
        }
        return false;
    }

    public static void main(String[] args) throws Exception {
        try (Resource r = new Resource("explicitly")) {
            System.out.println("using");
        }
        Resource twice = new Resource("once");
        twice.close();
        twice.close();
        CountDownLatch latch = new CountDownLatch(5);
        for (int i = 0; i < 5; i++) Resource.CLEANER.register(new Object(), latch::countDown);
        System.out.println(until(() -> latch.getCount() == 0));
        drop(20);
        System.out.println(until(() -> finalized.get() == 20) + " " + finalized.get());
        revivedOnce.await();
        System.out.println(revived.id);
        WeakReference<Object> again = new WeakReference<>(revived);
        revived = null;
        System.out.println(until(() -> again.get() == null) + " " + finalized.get());
        new Throwing();
        System.out.println(until(() -> cleaned.get() == 1));
        try {
            new FailingConstructor();
        } catch (RuntimeException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(until(() -> finalized.get() == 1020));
        try {
            Resource.CLEANER.register(new Object(), null);
        } catch (NullPointerException e) {
            System.out.println("no action");
        }
    }
}
