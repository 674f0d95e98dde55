// Five hundred threads at once over a latch, a monitor and a park, started, met, and ended with exact counts.
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

public class ManyThreads {
    static int guarded;
    public static void main(String[] args) throws Exception {
        int n = 500;
        CountDownLatch ready = new CountDownLatch(n), go = new CountDownLatch(1);
        AtomicInteger counter = new AtomicInteger(), finished = new AtomicInteger();
        ThreadLocal<int[]> local = ThreadLocal.withInitial(() -> new int[1]);
        Thread[] ts = new Thread[n];
        for (int i = 0; i < n; i++) {
            ts[i] = new Thread(null, () -> {
                ready.countDown();
                try { go.await(); } catch (InterruptedException e) { throw new Error(e); }
                for (int k = 0; k < 20; k++) {
                    counter.incrementAndGet();
                    local.get()[0]++;
                    synchronized (ManyThreads.class) { guarded++; }
                }
                if (local.get()[0] == 20) finished.incrementAndGet();
            }, "t" + i, 64 * 1024);
            ts[i].start();
        }
        ready.await();
        System.out.println(Thread.activeCount());
        go.countDown();
        for (Thread t : ts) t.join();
        System.out.println(counter.get() + " " + guarded + " " + finished.get() + " " + Thread.activeCount());
        for (int round = 0; round < 300; round++) {
            Thread t = new Thread(counter::incrementAndGet);
            t.start();
            t.join();
        }
        System.out.println(counter.get());
    }
}
