// CountDownLatch, CyclicBarrier, Phaser, Exchanger and blocking queues: exact results and broken barriers.
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

public class Synchronizers {
    public static void main(String[] args) throws Exception {
        AtomicInteger trips = new AtomicInteger(), sum = new AtomicInteger();
        CyclicBarrier barrier = new CyclicBarrier(5, trips::incrementAndGet);
        Thread[] ts = new Thread[5];
        for (int i = 0; i < 5; i++) {
            int id = i;
            ts[i] = new Thread(() -> {
                try {
                    for (int r = 0; r < 20; r++) {
                        sum.addAndGet(id);
                        int arrival = barrier.await();
                        if (arrival == 0 && sum.get() < (r + 1) * 10) System.out.println("too early");
                        barrier.await();
                    }
                } catch (Exception e) {
                    throw new Error(e);
                }
            });
            ts[i].start();
        }
        for (Thread t : ts) t.join();
        System.out.println(trips + " " + sum + " " + barrier.getNumberWaiting());
        CyclicBarrier b2 = new CyclicBarrier(3);
        String[] results = new String[2];
        Thread[] us = new Thread[2];
        for (int i = 0; i < 2; i++) {
            int id = i;
            us[i] = new Thread(() -> {
                try {
                    b2.await();
                } catch (Exception e) {
                    results[id] = e.getClass().getSimpleName();
                }
            });
            us[i].start();
        }
        while (b2.getNumberWaiting() < 2) Thread.onSpinWait();
        us[0].interrupt();
        for (Thread u : us) u.join();
        System.out.println(results[0] + " " + results[1] + " " + b2.isBroken());
        try {
            b2.await();
        } catch (BrokenBarrierException e) {
            System.out.println("broken");
        }
        b2.reset();
        try {
            b2.await(1, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            System.out.println("timeout");
        }
        Phaser ph = new Phaser(1) {
            @Override
            protected boolean onAdvance(int phase, int parties) {
                System.out.println("phase " + phase + " parties " + parties);
                return phase == 3;
            }
        };
        for (int i = 0; i < 3; i++) {
            ph.register();
            new Thread(() -> {
                while (!ph.isTerminated()) ph.arriveAndAwaitAdvance();
            }).start();
        }
        while (!ph.isTerminated()) ph.arriveAndAwaitAdvance();
        System.out.println(ph.getPhase() < 0);
        Exchanger<String> ex = new Exchanger<>();
        String[] got = new String[2];
        Thread x = new Thread(() -> {
            try {
                got[0] = ex.exchange("from x");
            } catch (InterruptedException e) {
                throw new Error(e);
            }
        });
        x.start();
        got[1] = ex.exchange("from main");
        x.join();
        System.out.println(got[0] + " " + got[1]);
        for (BlockingQueue<Integer> q :
             java.util.List.of(new ArrayBlockingQueue<Integer>(3), new LinkedBlockingQueue<Integer>(3),
                               new SynchronousQueue<Integer>(), new LinkedTransferQueue<Integer>(),
                               new PriorityBlockingQueue<Integer>(), new LinkedBlockingDeque<Integer>(2))) {
            Thread prod = new Thread(() -> {
                try {
                    for (int i = 1; i <= 200; i++) q.put(i);
                    q.put(-1);
                } catch (InterruptedException e) {
                    throw new Error(e);
                }
            });
            if (q instanceof PriorityBlockingQueue) {
                prod.start();
                prod.join();
                System.out.println(q.take() + " " + q.take() + " " + q.size());
                continue;
            }
            prod.start();
            long total = 0;
            for (int v; (v = q.take()) != -1;) total = total * 31 + v;
            prod.join();
            System.out.println(q.getClass().getSimpleName() + " " + total + " " + q.size() + " " + q.poll() + " "
                               + q.poll(1, TimeUnit.NANOSECONDS) + " " + q.remainingCapacity());
        }
        ArrayBlockingQueue<String> full = new ArrayBlockingQueue<>(1);
        System.out.println(full.offer("a") + " " + full.offer("b") + " " + full.offer("c", 1, TimeUnit.NANOSECONDS));
        try {
            full.add("d");
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        try {
            full.put(null);
        } catch (NullPointerException e) {
            System.out.println("null");
        }
        DelayQueue<Delayed> dq = new DelayQueue<>();
        System.out.println(dq.poll() + " " + dq.size());
        CountDownLatch l = new CountDownLatch(2);
        System.out.println(l.await(1, TimeUnit.NANOSECONDS) + " " + l.getCount());
        l.countDown();
        l.countDown();
        l.countDown();
        l.await();
        System.out.println(l.getCount());
        TransferQueue<String> tq = new LinkedTransferQueue<>();
        Thread taker = new Thread(() -> {
            try {
                System.out.println(tq.take());
            } catch (InterruptedException e) {
                throw new Error(e);
            }
        });
        taker.start();
        tq.transfer("transferred");
        taker.join();
    }
}
