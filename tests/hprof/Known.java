// A heap whose contents are known: every field type, inheritance over interfaces with constants, arrays of every type,
// statics,
// objects allocated at known places. Arguments: "end", or "wait": holds the monitor of `everies`, prints "ready" after
// each line on standard input until it ends.
public class Known {
    interface Limits { int LEAST = 3; Object MARK = new Object(); }
    interface More extends Limits { long MOST = 99; }
    static class Base implements Limits {
        static int made;
        int number;
        Object link;
        Base(int n) {
            number = n;
            made++;
        }
    }
    static class Every extends Base implements More {
        boolean z = true;
        byte b = -7;
        char c = 'q';
        short s = -1234;
        int i = 123456789;
        float f = 1.5f;
        long j = -5000000000L;
        double d = 0.1;
        String text = "every"; Every other; int number2;
        Every(int n) { super(n); number2 = n * 2; }
    }
    static class Empty { }
    static class Statics {
        static boolean z = true;
        static byte b = 8;
        static char c = 'C';
        static short s = 99;
        static int i = -1;
        static float f = 2.5f;
        static long j = 1L << 40; static double d = -0.5; static Object o = new Empty(); static Object none;
    }
    static class Gone { int g; }
    static class Thrown extends RuntimeException { }

    static Every[] everies = new Every[12];
    static Object[] arrays = {
        new boolean[] {true, false, true},
        new byte[] {1, -2, 3},
        new char[] {'a', '\u20ac'},
        new short[] {-3, 300},
        new int[] {7, -70000},
        new float[] {0.25f, -1f},
        new long[] {1L << 50, -1},
        new double[] {3.75},
        new int[0],
        new Object[0],
        new int[2][3],
        new String[] {"x", null, "y"},
    };
    static byte[] large = new byte[1_500_000];
    static int[] ints = new int[300_000];
    static Object[] many = new Object[300_000];
    static Empty[] empties = new Empty[40];
    static Object statics;

    static Object recursive(int n) { return n == 0 ? new Empty() : recursive(n - 1); }

    static Object thrower(int n) {
        try {
            if (n % 2 == 0) throw new Thrown();
            return null;
        } catch (Thrown e) {
            return new Empty();
        }
    }

    static void fill() {
        for (int i = 0; i < everies.length; i++) everies[i] = new Every(i);
        for (int i = 0; i < everies.length; i++) {
            everies[i].other = everies[(i + 1) % everies.length];
            everies[i].link = everies;
        }
        for (int i = 0; i < 10; i++) empties[i] = (Empty) recursive(i);
        for (int i = 10; i < 30; i++) empties[i] = (Empty) thrower(i);
        for (int i = 0; i < large.length; i++) large[i] = (byte) i;
        for (int i = 0; i < ints.length; i++) ints[i] = i * 3;
        many[0] = many; many[299_999] = empties[0];
        for (int i = 0; i < 500; i++) new Gone();
        statics = new Statics();
    }

    public static void main(String[] args) throws Exception {
        Thread worker = new Thread(() -> { for (int i = 30; i < 40; i++) empties[i] = new Empty(); }, "worker");
        worker.start();
        worker.join();
        fill();
        if (args[0].equals("end")) return;
        synchronized (everies) {
            System.out.println("ready");
            while (System.in.read() >= 0) System.out.println("ready");
        }
    }
}
