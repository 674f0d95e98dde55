// wait, notify and notifyAll: a bounded buffer with several producers and consumers, timed waits, notify before exit.
import java.util.ArrayDeque;

public class WaitNotify {
    static final ArrayDeque<Integer> queue = new ArrayDeque<>();
    static final int CAP = 7, EACH = 300;
    static long sum;
    static int taken;

    static void put(int v) throws InterruptedException {
        synchronized (queue) {
            while (queue.size() == CAP) queue.wait();
            queue.add(v);
            queue.notifyAll();
        }
    }
    static int take() throws InterruptedException {
        synchronized (queue) {
            while (queue.isEmpty()) queue.wait();
            int v = queue.remove();
            queue.notifyAll();
            return v;
        }
    }

    public static void main(String[] args) throws Exception {
        Thread[] ts = new Thread[8];
        Object total = new Object();
        for (int p = 0; p < 4; p++) {
            int id = p;
            ts[p] = new Thread(() -> {
                try {
                    for (int i = 0; i < EACH; i++) put(id * 1000 + i);
                } catch (InterruptedException e) {
                    throw new Error(e);
                }
            });
            ts[p + 4] = new Thread(() -> {
                try {
                    for (int i = 0; i < EACH; i++) {
                        int v = take();
                        synchronized (total) {
                            sum += v;
                            taken++;
                        }
                    }
                } catch (InterruptedException e) {
                    throw new Error(e);
                }
            });
        }
        for (Thread t : ts) t.start();
        for (Thread t : ts) t.join();
        System.out.println(taken + " " + sum + " " + queue.size());
        Object o = new Object();
        int[] woken = new int[2];
        Thread[] ws = new Thread[5];
        for (int i = 0; i < 5; i++) { ws[i] = new Thread(() -> {
            synchronized (o) { try { woken[0]++; o.wait(); woken[1]++;
        }
        catch (InterruptedException e) {
            throw new Error(e);
        }
    }
});
ws[i].start();
}
for (Thread w : ws)
    while (w.getState() != Thread.State.WAITING) Thread.onSpinWait();
synchronized (o) {
    o.notify();
    o.notify();
    System.out.println(woken[0] + " " + woken[1]);
}
for (;;) {
    synchronized (o) {
        if (woken[1] == 2) break;
    }
    Thread.onSpinWait();
}
synchronized (o) { o.notifyAll(); }
for (Thread w : ws) w.join();
System.out.println(woken[1]);
synchronized (o) {
    o.wait(1);
    o.wait(0, 1);
    System.out.println(Thread.holdsLock(o));
}
int[] depth = new int[1];
        Thread re = new Thread(() -> { synchronized (o) { synchronized (o) { synchronized (o) { try { o.wait();
        }
        catch (InterruptedException e) {
            throw new Error(e);
        }
        depth[0] = Thread.holdsLock(o) ? 3 : 0;
        }
        depth[0] += Thread.holdsLock(o) ? 1 : 0;
        }
        }
        });
        re.start();
        while (re.getState() != Thread.State.WAITING) Thread.onSpinWait();
        synchronized (o) { o.notify(); }
        re.join();
        System.out.println(depth[0]);
        int[] pingpong = new int[1];
        Thread a = new Thread(() -> {
            for (int i = 0; i < 500; i++) synchronized (o) {
                    while (pingpong[0] % 2 != 0) try {
                            o.wait();
                        } catch (InterruptedException e) {
                            throw new Error(e);
                        }
                    pingpong[0]++;
                    o.notify();
                }
        });
        Thread b = new Thread(() -> {
            for (int i = 0; i < 500; i++) synchronized (o) {
                    while (pingpong[0] % 2 != 1) try {
                            o.wait();
                        } catch (InterruptedException e) {
                            throw new Error(e);
                        }
                    pingpong[0]++;
                    o.notify();
                }
        });
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(pingpong[0]);
        }
        }
