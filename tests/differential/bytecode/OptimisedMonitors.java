// Methods that use monitors and call nothing, run so often that an optimising compiler takes them: blocks in blocks, of
// one object again and again, in loops and around them, synchronized methods, what is thrown inside; and several
// threads that want the same one.
public class OptimisedMonitors {
    static final int TURNS = 300;
    int count;
    long sum;
    static int total;
    static final Object A = new Object(), B = new Object();

    // ---- nobody else wants them

    static int inLoop(int[] v, int n) {
        int h = 0;
        for (int i = 0; i < n; i++) synchronized (A) { h = h * 31 + v[i & 7] + total; total = h & 15; }
        return h;
    }
    static int around(int n) {
        int h = 0;
        synchronized (A) {
            for (int i = 0; i < n; i++) h = h * 31 + i;
        }
        return h;
    }
    static int nested(int n) {
        int h = 0;
        for (int i = 0; i < n; i++)
            synchronized (A) {
                h += i;
                synchronized (B) {
                    h ^= 7;
                    synchronized (A) { h += h >>> 3; }
                }
            }
        return h;
    }
    static int oneByOne(Object[] locks, int n) {
        int h = 0;
        for (int i = 0; i < n; i++) {
            Object o = locks[i % locks.length];
            synchronized (o) { h += i; }
            if (h % 3 == 0) synchronized (locks[0]) { h++; }
        }
        return h;
    }
    static int returns(Object o, int n) {
        synchronized (o) {
            int h = 0;
            for (int i = 0; ; i++) {
                if (i == n) return h;
                h += i ^ n;
            }
        }
    }
    synchronized int member(int n) {
        for (int i = 0; i < n; i++) count += i;
        return count;
    }
    synchronized long wide(long x) { return sum += x * 3; }
    synchronized double floating(double x) { return sum + x / 2; }
    static synchronized Object ofClass(Object o, int n) {
        Object last = null;
        for (int i = 0; i < n; i++) last = (i & 1) == 0 ? o : null;
        return last;
    }
    synchronized void nothing() { count++; }

    // ---- many values alive around them

    static long manyValues(Object o, int[] v, int n) {
        long a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, k = 9, l = 10, m = 11, p = 12;
        double x = 0.5, y = 1.5;
        for (int i = 0; i < n; i++) {
            synchronized (o) { a += b ^ v[i & 7]; b += c; c += d ^ i; x += y; }
            d += e; e += f; f += g; g += h; h += k; k += l; l += m; m += p; p += a; y -= x * 0.5;
        }
        return a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ k ^ l ^ m ^ p ^ (long) (x * 1000) ^ (long) (y * 1000);
    }

    // ---- what is thrown while they are held, and for want of an object

    static int thrown(Object[] locks, int[] v, int at) {
        int h = 0;
        for (int i = 0; i < 20; i++) {
            try {
                synchronized (locks[i & 3]) { h += v[i == at ? v.length : i & 7]; }
            } catch (ArrayIndexOutOfBoundsException e) {
                h = h * 31 + 5;
            } catch (NullPointerException e) {
                h = h * 31 + 6;
            }
        }
        return h;
    }
    static boolean isHeld(Object o) {
        return Thread.holdsLock(o);
    }

    // ---- several threads

    static int shared;
    static int[] cells = new int[8];
    static void contend(int n) {
        for (int i = 0; i < n; i++) {
            synchronized (A) { shared++; cells[i & 7] += i; }
            if ((i & 63) == 0) synchronized (B) { synchronized (A) { shared += 2; } }
        }
    }
    static synchronized void contendStatic(int n) {
        for (int i = 0; i < n; i++) shared++;
    }
    // Takes turns: each waits until the other has written, holding nothing.
    static volatile int turn;

    public static void main(String[] args) throws InterruptedException {
        int[] v = {3, 1, 4, 1, 5, 9, 2, 6};
        OptimisedMonitors o = new OptimisedMonitors();
        Object[] locks = {new Object(), new Object(), new int[1], "text"}, oneNull = {A, B, null, A};
        long all = 0;
        for (int t = 0; t < TURNS; t++) {
            all = all * 31 + inLoop(v, 200) + around(200) + nested(200) + oneByOne(locks, 200) + returns(B, 200)
                + manyValues(v, v, 200) + (ofClass(v, 201) == v ? 1 : 0);
            for (int k = 0; k < 50; k++) {
                all += o.member(5) + o.wide(k) + (long) o.floating(k);
                o.nothing();
            }
            if (t % 10 == 0) all += thrown(locks, v, t % 20) + thrown(oneNull, v, t % 7);
            if (t % 50 == 0 || t == TURNS - 1) System.out.println(t + " " + all + " " + o.count + " " + o.sum);
        }
        System.out.println(isHeld(A) + " " + isHeld(B) + " " + isHeld(o) + " " + isHeld(locks[0]) + " "
            + isHeld(OptimisedMonitors.class));
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                for (int k = 0; k < 400; k++) {          // hot enough, although threads that race lose counts
                    contend(200);
                    contendStatic(1);
                }
            });
            threads[i].start();
        }
        for (Thread t : threads) t.join();
        System.out.println(cells[0] + " " + cells[7]);
    }
}
