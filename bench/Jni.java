// What JNI costs, for `make bench`: the loops that call native methods are here, all others in native/jni.c.
// Prints lines "<operation>\t<nanoseconds of thread CPU time>". Argument: the native library.
public class Jni {
    static int staticNumber;
    int number;
    Object reference = this;

    static native void empty();
    static native int ints2(int a, int b);
    static native int ints6(int a, int b, int c, int d, int e, int f);
    static native double doubles2(double a, double b);
    static native double doubles6(double a, double b, double c, double d, double e, double f);
    static native Object objects2(Object a, Object b);
    static native Object objects6(Object a, Object b, Object c, Object d, Object e, Object f);
    static native int mixed(int a, double b, Object c, long d, float e, Object f, int g, int h);
    static synchronized native void emptySynchronized();
    native void emptyInstance();

    /** CPU time of the calling thread in nanoseconds. */
    static native long time();
    /** Measures what native code calls. */
    static native void measure(Jni object, int[] small, int[] large);

    static void staticVoid() { }
    static int staticInts(int a, int b) { return a + b; }
    void instanceVoid() { }
    int instanceInt(int a) { return a + number; }
    double instanceDouble(double a, double b) { return a * b; }
    Object instanceObject(Object o) { return o; }

    interface Loop { void run(int count); }

    static int sinkInt;
    static double sinkDouble;
    static boolean sinkBoolean;
    static Object sink;

    /** The best of some rounds of about ten milliseconds each. */
    static void row(String what, Loop loop) {
        int count = 1000;
        for (long spent = 0; spent < 10_000_000; count *= 2) {
            long start = time();
            loop.run(count);
            spent = time() - start;
        }
        double best = Double.MAX_VALUE;
        for (int round = 0; round < 9; round++) {
            long start = time();
            loop.run(count);
            best = Math.min(best, (double) (time() - start) / count);
        }
        System.out.println(what + "\t" + best);
    }

    public static void main(String[] args) {
        System.load(args[0]);
        Jni o = new Jni();
        row("native call, nothing", n -> { for (int i = 0; i < n; i++) empty(); });
        row("native call, instance", n -> { for (int i = 0; i < n; i++) o.emptyInstance(); });
        row("native call, 2 ints", n -> { for (int i = 0; i < n; i++) sinkInt = ints2(i, n); });
        row("native call, 6 ints", n -> { for (int i = 0; i < n; i++) sinkInt = ints6(i, n, i, n, i, n); });
        row("native call, 2 doubles", n -> { for (int i = 0; i < n; i++) sinkDouble = doubles2(1, i); });
        row("native call, 6 doubles", n -> { for (int i = 0; i < n; i++) sinkDouble = doubles6(1, 2, 3, 4, 5, i); });
        row("native call, 2 objects", n -> { for (int i = 0; i < n; i++) sink = objects2(o, args); });
        row("native call, 6 objects", n -> { for (int i = 0; i < n; i++) sink = objects6(o, args, o, args, o, args); });
        row("native call, 8 of all kinds", n -> {
            for (int i = 0; i < n; i++) sinkInt = mixed(i, 1, o, n, 2, args, i, n);
        });
        row("native call, synchronized", n -> { for (int i = 0; i < n; i++) emptySynchronized(); });
        row("native call, the VM's own", n -> { for (int i = 0; i < n; i++) sinkBoolean = Thread.holdsLock(o); });
        measure(o, new int[4], new int[1 << 18]);
    }
}
