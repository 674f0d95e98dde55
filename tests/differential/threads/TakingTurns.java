import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.locks.LockSupport;

/** Threads that take turns, so often that each comes to look for the other's sign before it sleeps: by notifications,
 *  with and without a time limit, by permits, by interrupts of one that waits or parks, through queues. */
public class TakingTurns {
    interface Player { void play(int me) throws Exception; }

    static volatile int turn;
    static final Thread[] players = new Thread[3];

    static void game(String name, int count, Player player) throws Exception {
        turn = 0;
        for (int i = 0; i < count; i++) {
            int me = i;
            players[i] = new Thread(() -> {
                try {
                    player.play(me);
                } catch (Exception e) {
                    System.out.println(name + ": " + e);
                }
            });
        }
        for (int i = 0; i < count; i++) players[i].start();
        for (int i = 0; i < count; i++) players[i].join();
        System.out.println(name + ": " + turn);
    }

    static void byNotification(int rounds, int count, long limit) throws Exception {
        Object lock = new Object();
        game("notified" + (limit > 0 ? ", with a limit, " : " ") + count, count, me -> {
            for (int i = 0; i < rounds; i++) {
                synchronized (lock) {
                    while (turn % count != me) lock.wait(limit);
                    turn++;
                    if (count == 2) lock.notify(); else lock.notifyAll();
                }
            }
        });
    }

    static void byPermits(int rounds, long limit) throws Exception {
        game("permits" + (limit > 0 ? ", with a limit" : ""), 2, me -> {
            for (int i = 0; i < rounds; i++) {
                while (turn % 2 != me) if (limit > 0) LockSupport.parkNanos(limit); else LockSupport.park();
                turn++;
                LockSupport.unpark(players[1 - me]);
            }
        });
    }

    /** A turn is an interrupt: of the one who waits in a monitor of its own, or parks. */
    static void byInterrupts(int rounds, boolean parks) throws Exception {
        game(parks ? "interrupted while parked" : "interrupted while waiting", 2, me -> {
            Object own = new Object();
            for (int i = 0; i < rounds; i++) {
                if (me == 1 || i > 0) awaitInterrupt(own, parks);
                turn++;
                players[1 - me].interrupt();
            }
            if (me == 0) awaitInterrupt(own, parks);
        });
    }

    static void awaitInterrupt(Object own, boolean parks) {
        if (parks) {
            while (!Thread.interrupted()) LockSupport.park();
            return;
        }
        synchronized (own) {
            try {
                while (true) own.wait();
            } catch (InterruptedException e) {
                if (Thread.currentThread().isInterrupted()) System.out.println("still interrupted");
            }
        }
    }

    static void throughQueues(int rounds) throws Exception {
        ArrayBlockingQueue<Integer> there = new ArrayBlockingQueue<>(1), back = new ArrayBlockingQueue<>(1);
        long[] sum = {0};
        game("queues", 2, me -> {
            for (int i = 0; i < rounds; i++) {
                if (me == 0) {
                    there.put(i);
                    sum[0] += back.take();
                } else {
                    back.put(there.take() * 3);
                }
            }
        });
        System.out.println(sum[0]);
    }

    /** Nobody comes: each wait ends with its limit, not before. */
    static void alone() throws Exception {
        Object lock = new Object();
        int early = 0;
        for (int i = 0; i < 300; i++) {
            long start = System.nanoTime();
            if (i % 2 == 0) synchronized (lock) { lock.wait(0, 200_000); } else LockSupport.parkNanos(200_000);
            if (i % 2 == 0 && System.nanoTime() - start < 200_000) early++;
        }
        System.out.println("early: " + early);
    }

    public static void main(String[] args) throws Exception {
        byNotification(8_000, 2, 0);
        byNotification(2_000, 3, 0);
        byNotification(4_000, 2, 1_000);
        byPermits(8_000, 0);
        byPermits(4_000, 1_000_000_000L);
        byInterrupts(4_000, false);
        byInterrupts(4_000, true);
        throughQueues(8_000);
        alone();
    }
}
