// LockSupport: permits, blockers, interrupts, timed parks, park in many threads.
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

public class ParkUnpark {
    public static void main(String[] args) throws Exception {
        LockSupport.unpark(Thread.currentThread());
        LockSupport.unpark(Thread.currentThread());
        LockSupport.park();
        System.out.println("one permit");
        LockSupport.parkNanos(1000);
        LockSupport.parkUntil(1);
        LockSupport.parkNanos(-5);
        Thread.currentThread().interrupt();
        LockSupport.park();
        System.out.println("interrupted " + Thread.interrupted());
        Object blocker = "blocker";
        Thread t = new Thread(() -> {
            LockSupport.park(blocker);
            System.out.println("released " + Thread.currentThread().isInterrupted());
        });
        t.start();
        while (LockSupport.getBlocker(t) == null || t.getState() != Thread.State.WAITING) Thread.onSpinWait();
        System.out.println(LockSupport.getBlocker(t));
        LockSupport.unpark(t);
        t.join();
        System.out.println(LockSupport.getBlocker(t));
        Thread u = new Thread(() -> {
            while (!Thread.currentThread().isInterrupted()) LockSupport.park();
            System.out.println("left by interrupt");
        });
        u.start();
        LockSupport.unpark(u);
        u.interrupt();
        u.join();
        LockSupport.unpark(null);
        LockSupport.unpark(new Thread());
        LockSupport.unpark(t);
        AtomicInteger turn = new AtomicInteger();
        Thread[] ring = new Thread[10];
        for (int i = 0; i < 10; i++) {
            int me = i;
            ring[i] = new Thread(() -> {
                for (int r = 0; r < 50; r++) {
                    while (turn.get() % 10 != me) LockSupport.park(turn);
                    turn.incrementAndGet();
                    LockSupport.unpark(ring[(me + 1) % 10]);
                }
            });
        }
        for (Thread r : ring) r.start();
        for (Thread r : ring) r.join();
        System.out.println(turn.get());
        Thread timed = new Thread(() -> {
            long n = 0;
            while (!Thread.interrupted()) {
                LockSupport.parkNanos("timed", 1_000_000_000_000L);
                n++;
            }
            System.out.println(n >= 1);
        });
        timed.start();
        while (timed.getState() != Thread.State.TIMED_WAITING) Thread.onSpinWait();
        timed.interrupt();
        timed.join();
    }
}
