import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;

/** Two threads switch SampledObjectAlloc for themselves at the same moment, the one on and the other off, in turn: the
 * one that wants the events is sent each, and the other none (tests/agents/allocation_switches.c). */
public class AllocationSwitches {
    static final int ROUNDS = 20_000, ALLOCATIONS = 3;
    static final CyclicBarrier together = new CyclicBarrier(2);
    static final AtomicInteger missed = new AtomicInteger(), unasked = new AtomicInteger();

    static native void enable(Thread t, boolean on);
    static native int sent(int allocations);

    static void rounds(int odd) {
        try {
            for (int round = 0; round < ROUNDS; round++) {
                boolean on = round % 2 == odd;
                together.await();
                enable(Thread.currentThread(), on);
                together.await();
                int sent = sent(ALLOCATIONS);
                if (on && sent != ALLOCATIONS) missed.getAndIncrement();
                if (!on && sent != 0) unasked.getAndIncrement();
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> rounds(1));
        other.start();
        rounds(0);
        other.join();
        System.out.println(ROUNDS + " rounds, events missing in " + missed + ", not asked for in " + unasked);
    }
}
