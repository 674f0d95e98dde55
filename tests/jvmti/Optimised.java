/* Methods that call nothing, hot before anybody watches: then what they make is sampled, the monitors that they enter
 * are wanted by two threads, and what they throw is reported. Their frames are read meanwhile, and changed. */
public class Optimised {
    static final int TURNS = 60000, WATCHED = 50;
    static Object kept;
    static int total;

    static native void begin(boolean changes);
    static native void beginEntries();
    static native String end();
    static native void awaitContention();

    static double make(int n, int turns) {
        int a = n;
        long b = a * 3L;
        float c = n + 0.5f;
        double d = 0.25 * n;
        for (int i = 0; i < turns; i++) {
            int[] ints = new int[a & 3];
            Object[] row = new Object[(int) (b & 3) + 1];
            row[0] = ints;
            int[][] grid = new int[2][i & 3];
            d += c * 0.5 / ((a & 255) + 1 + grid[1].length);
            kept = row;
            c = c * 0.25f + (b & 7) + i;
            b ^= a + ints.length;
        }
        return d + b + c + a;
    }

    static int guarded(Object lock, Object other, int turns) {
        int h = 1;
        for (int i = 0; i < turns; i++) {
            synchronized (lock) {
                h = h * 31 + i;
                synchronized (other) { kept = new byte[h & 3]; }
                total += h & 1;
            }
        }
        return h;
    }

    static int wrong(int every, int turns) {
        int h = 1;
        for (int i = 1; i <= turns; i++) {
            try {
                kept = new short[i % every == 0 ? -i : i & 7];
            } catch (NegativeArraySizeException e) {
                h = h * 31 + 7;
            }
            h += i;
        }
        return h;
    }

    static int known(int n, int turns) {
        int h = n;
        for (int i = 0; i < turns; i++) h = Math.max(h ^ i, i) + Integer.bitCount(h) * 3;
        return h;
    }

    static void row(String what, boolean changes) {
        begin(changes);
        double made = make(5, WATCHED);
        String events = end();
        begin(changes);
        int h = guarded(new Object(), what, WATCHED);
        String held = end();
        begin(changes);
        int thrown = wrong(7, WATCHED);
        System.out.println(what + ": " + made + " " + events + "; " + h + " " + held + "; " + thrown + " " + end());
    }

    public static void main(String[] args) throws InterruptedException {
        Object lock = new Object(), other = new Object();
        System.out.println(make(3, TURNS) + " " + guarded(lock, other, TURNS) + " " + wrong(20000, TURNS));
        System.out.println(known(3, TURNS));
        beginEntries();
        System.out.println("entries: " + known(3, WATCHED) + " " + end() + " " + known(3, TURNS));
        row("read", false);
        row("changed", true);
        row("read again", false);
        System.out.println(make(3, TURNS) + " " + guarded(lock, other, TURNS) + " " + wrong(20000, TURNS));
        begin(false);
        Thread wants = new Thread(() -> System.out.println(guarded(lock, other, WATCHED)));
        synchronized (lock) {
            wants.start();
            awaitContention();
        }
        wants.join();
        System.out.println("contended: " + end());
        System.out.println(make(3, TURNS) + " " + guarded(lock, other, TURNS) + " " + wrong(20000, TURNS));
    }
}
