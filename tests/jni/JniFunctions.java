// Calls every family of JNI functions through libjni_functions.so and prints what they answer and throw.
import java.util.Arrays;

public class JniFunctions {
    boolean z; byte b; char c; short s; int i; long j; float f; double d; Object o; volatile long v; final int fixed;
    static boolean sz;
    static byte sb;
    static char sc;
    static short ss;
    static int si;
    static long sj;
    static float sf;
    static double sd;
    static Object so;

    JniFunctions(int fixed) { this.fixed = fixed; }
    JniFunctions(int a, long b, double c, String t) { fixed = a; j = b; d = c; o = t; }

    interface Shape { default String name() { return "shape"; } }
    static class Square implements Shape { public String name() { return "square"; } }
    static class Base { String who() { return "base"; } }
    static class Derived extends Base { String who() { return "derived"; } }
    static abstract class Abstract {}
    static class Failing { static { if (true) throw new IllegalStateException("no luck"); } }

    // Called from C.
    String mixed(boolean z, byte b, char c, short s, int i, long j, float f, double d, Object o, int[] a) {
        return z + " " + b + " " + (int) c + " " + s + " " + i + " " + j + " " + f + " " + d + " " + o + " "
            + Arrays.toString(a);
    }
    static String smixed(double d, long j, float f, int i, short s, char c, byte b, boolean z, double e, double g,
                         double h, double k, double l, double m, double n, float p, long q, long r, long t, long u) {
        return d + " " + j + " " + f + " " + i + " " + s + " " + (int) c + " " + b + " " + z + " " + e + g + h + k + l
            + m + n + p + q + r + t + u;
    }
    boolean rz(int k) { return k != 0; }
    byte rb(int k) { return (byte) k; }
    char rc(int k) { return (char) k; }
    short rs(int k) { return (short) k; }
    int ri(int k) { return k; }
    long rj(int k) { return k * 0x100000001L; }
    float rf(int k) { return k / 8f; }
    double rd(int k) { return k / 16d; }
    static boolean srz(int k) { return k != 0; }
    static byte srb(int k) { return (byte) k; }
    static char src(int k) { return (char) k; }
    static short srs(int k) { return (short) k; }
    static int sri(int k) { return k; }
    static long srj(int k) { return k * 0x100000001L; }
    static float srf(int k) { return k / 8f; }
    static double srd(int k) { return k / 16d; }
    static void thrower(String m) { throw new IllegalArgumentException(m); }
    static int depth;
    static void recurse() { depth++; again(); }
    static native void again();

    static native int count();
    static native String run(int k, JniFunctions self, Object extra);
    native String this_and(long a, double b, Object c);
    static synchronized native String locked();
    static native byte[] escaped_1name_\u00e9(int[][] a, String b);
    static native int overloaded(int a);
    static native int overloaded(long a, String b);
    native void missing(int a, String[][] b);
    static native boolean nz(); static native byte nb(); static native char nc(); static native short ns();
    static native int registered(int a);
    static int notNative(int a) { return a; }

    public static void main(String[] args) throws Throwable {
        System.load(args[0]);
        JniFunctions self = new JniFunctions(7);
        int n = count();
        for (int k = 0; k < n; k++) {
            String text;
            try {
                text = run(k, self, k % 2 == 0 ? "extra" : new int[] {1, 2, 3});
            } catch (Throwable t) {
                text = "threw " + t + (t.getCause() != null ? " because of " + t.getCause() : "");
            }
            System.out.println(k + ": " + text);
        }
        System.out.println(self.this_and(1L << 40, 0.5, "x"));
        System.out.println(locked() + " " + Thread.holdsLock(JniFunctions.class));
        System.out.println(Arrays.toString(escaped_1name_\u00e9(new int[2][3], "esc")));
        System.out.println(overloaded(3) + " " + overloaded(4L, "five"));
        System.out.println(nz() + " " + nb() + " " + (int) nc() + " " + ns());
        System.out.println(registered(20));
        try {
            self.missing(1, null);
        } catch (UnsatisfiedLinkError e) {
            System.out.println(e.getMessage());
        }
        System.out.println(self.z + " " + self.b + " " + (int) self.c + " " + self.s + " " + self.i + " " + self.j + " "
                           + self.f + " " + self.d + " " + self.o + " " + self.v + " " + self.fixed);
        System.out.println(sz + " " + sb + " " + (int) sc + " " + ss + " " + si + " " + sj + " " + sf + " " + sd + " "
                           + so);
        try {
            recurse();
        } catch (StackOverflowError e) {
            System.out.println("overflow, deep enough: " + (depth > 100));
        }
    }
}
