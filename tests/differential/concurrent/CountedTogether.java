// Several threads add to the same counters, and pass tokens on by getAndSet, in loops that are compiled: nothing that
// one adds or leaves is lost. By atomic classes, field updaters, variable handles of static fields and elements.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;

public class CountedTogether {
    static final int THREADS = 4, TURNS = 150_000;
    volatile int i;
    volatile long j;
    static int si;
    static final AtomicInteger COUNT = new AtomicInteger(), TOKEN = new AtomicInteger(), TAKEN = new AtomicInteger();
    static final AtomicLong WIDE = new AtomicLong(), WIDE_TOKEN = new AtomicLong(), WIDE_TAKEN = new AtomicLong();
    static final AtomicIntegerArray COUNTS = new AtomicIntegerArray(3);
    static final AtomicIntegerFieldUpdater<CountedTogether> I =
        AtomicIntegerFieldUpdater.newUpdater(CountedTogether.class, "i");
    static final AtomicLongFieldUpdater<CountedTogether> J =
        AtomicLongFieldUpdater.newUpdater(CountedTogether.class, "j");
    static final VarHandle SI, LONGS = MethodHandles.arrayElementVarHandle(long[].class);
    static final long[] ELEMENTS = new long[4];
    static {
        try {
            SI = MethodHandles.lookup().findStaticVarHandle(CountedTogether.class, "si", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    interface Work { void run(int thread) throws Exception; }

    static void together(Work work) throws InterruptedException {
        Thread[] threads = new Thread[THREADS];
        CyclicBarrier begin = new CyclicBarrier(THREADS);
        for (int k = 0; k < THREADS; k++) {
            int number = k;
            threads[k] = new Thread(() -> {
                try {
                    begin.await();
                    work.run(number);
                } catch (Exception e) {
                    System.out.println(e);
                }
            });
            threads[k].start();
        }
        for (Thread t : threads) t.join();
    }

    static void ints(CountedTogether o) {
        for (int k = 0; k < TURNS; k++) {
            COUNT.incrementAndGet();
            COUNTS.getAndAdd(1, -3);
            I.addAndGet(o, 5);
            int before = (int) SI.getAndAdd(7);
            if (before % 7 != 0) System.out.println("in between: " + before);
        }
    }

    static void longs(CountedTogether o) {
        for (int k = 0; k < TURNS; k++) {
            WIDE.getAndAdd(1L << 33);
            J.decrementAndGet(o);
            LONGS.getAndAdd(ELEMENTS, k & 3, 3L);
        }
    }

    /** Each thread leaves its own tokens, and takes what is there: all are taken once. */
    static void tokens(int thread) {
        int taken = 0;
        long wide = 0;
        for (int k = 0; k < TURNS; k++) {
            taken += TOKEN.getAndSet(k * THREADS + thread);
            wide += WIDE_TOKEN.getAndSet((long) k * THREADS + thread << 20);
        }
        TAKEN.addAndGet(taken);
        WIDE_TAKEN.addAndGet(wide);
    }

    public static void main(String[] args) throws Exception {
        CountedTogether o = new CountedTogether();
        together(thread -> ints(o));
        System.out.println(COUNT + " " + COUNTS + " " + o.i + " " + si);
        together(thread -> longs(o));
        System.out.println(WIDE + " " + o.j + " " + ELEMENTS[0] + " " + ELEMENTS[3]);
        together(CountedTogether::tokens);
        System.out.println(TAKEN.get() + TOKEN.get() + " " + (WIDE_TAKEN.get() + WIDE_TOKEN.get()));
    }
}
