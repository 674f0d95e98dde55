// Many threads over few monitors, nested and recursive, with interrupts thrown in: exact final counts.
public class ContendedMonitors {
    static final int THREADS = 24, ROUNDS = 150;
    static final Object[] locks = new Object[5];
    static final int[] counts = new int[5];
    static int both;
    static synchronized void bumpStatic() { both++; }
    static int total;

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 5; i++) locks[i] = new Object();
        Thread[] ts = new Thread[THREADS];
        int[] interrupted = new int[THREADS];
        for (int i = 0; i < THREADS; i++) {
            int me = i;
            ts[i] = new Thread(() -> {
                for (int r = 0; r < ROUNDS; r++) {
                    int a = (me + r) % 5, b = (a + 1 + r % 4) % 5, lo = Math.min(a, b), hi = Math.max(a, b);
                    synchronized (locks[lo]) {
                        counts[lo]++;
                        synchronized (locks[hi]) {
                            counts[hi]++;
                            synchronized (locks[lo]) { counts[lo]++; }
                        }
                        if (r % 10 == 0) Thread.yield();
                        if (r % 50 == 0) locks[lo].hashCode();
                    }
                    bumpStatic();
                    if (r % 40 == 0) synchronized (locks[lo]) {
                            try {
                                locks[lo].wait(0, 1);
                            } catch (InterruptedException e) {
                                interrupted[me]++;
                            }
                        }
                }
            });
        }
        for (Thread t : ts) t.start();
        for (int i = 0; i < THREADS; i += 3) ts[i].interrupt();
        for (Thread t : ts) t.join();
        for (int c : counts) total += c;
        boolean few = true;
        for (int n : interrupted) few &= n <= 1;
        System.out.println(total + " " + both + " " + few);
        Object[] many = new Object[2000];
        for (int i = 0; i < many.length; i++) many[i] = new Object();
        int[] hits = new int[many.length];
        Thread[] us = new Thread[6];
        for (int k = 0; k < 6; k++) {
            int s = k;
            us[k] = new Thread(() -> {
                for (int i = 0; i < many.length; i++) {
                    int j = (i * 7 + s * 331) % many.length;
                    synchronized (many[j]) { hits[j]++; }
                }
            });
            us[k].start();
        }
        for (Thread u : us) u.join();
        int exact = 0;
        for (int h : hits)
            if (h == 6) exact++;
        System.out.println(exact);
    }
}
