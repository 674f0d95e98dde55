// Runs the cases of the JNI test library (tests/jni/*.c). Arguments: library, what to do, numbers of cases.
import java.nio.ByteBuffer;

public class EveryFunction {
    boolean z;
    byte b;
    char c;
    short s;
    int i;
    long j;
    float f;
    double d;
    Object l;
    final int number;
    volatile int vi;
    volatile Object vl;
    static boolean sz;
    static byte sb;
    static char sc;
    static short ss;
    static int si;
    static long sj;
    static float sf;
    static double sd;
    static Object sl; static final int FIXED = 7;

    EveryFunction(int number) { this.number = number; }

    boolean z(boolean v) { return v; }
    byte b(byte v) { return v; }
    char c(char v) { return v; }
    short s(short v) { return v; }
    int i(int v) { return v; }
    long j(long v) { return v; }
    float f(float v) { return v; }
    double d(double v) { return v; }
    Object l(Object v) { return v; }
    void nothing(Object v) { l = v; }
    static boolean sz(boolean v) { return v; }
    static byte sb(byte v) { return v; }
    static char sc(char v) { return v; }
    static short ss(short v) { return v; }
    static int si(int v) { return v; }
    static long sj(long v) { return v; }
    static float sf(float v) { return v; }
    static double sd(double v) { return v; }
    static Object sl(Object v) { return v; }
    static void snothing(Object v) { sl = v; }
    static void quiet() {}
    static int throwing(int v) { throw new IllegalArgumentException("thrown " + v); }
    int throwingInstance(int v) { throw new IllegalArgumentException("thrown " + v); }
    static int unlinked(int v) { return v; }
    static native int registered(int v);

    static class Derived extends EveryFunction {
        static int own;
        Derived(int n) { super(n); }
        int i(int v) { return v + 1000; }
    }
    static abstract class Abstract { abstract void gone(); }
    interface Shape { int SIDES = 4; default String name() { return "shape"; } static int sides() { return SIDES; } }
    static class Square implements Shape {}
    static class Failing {
        static int x;
        static {
            if (true) throw new IllegalStateException("no luck");
        }
        static void call() {}
    }
    static class Throwing { Throwing() { throw new IllegalArgumentException("constructor"); } }
    static class Odd extends Exception { Odd() {} }

    static Object aField() throws Exception { return EveryFunction.class.getDeclaredField("i"); }
    static Object aMethod() throws Exception { return EveryFunction.class.getDeclaredMethod("i", int.class); }
    static Object aConstructor() throws Exception { return EveryFunction.class.getDeclaredConstructor(int.class); }
    static Object aThrowable() { return new IllegalStateException("prepared"); }
    static Object aLoader() { return EveryFunction.class.getClassLoader(); }
    static Object heapBuffer() { return ByteBuffer.allocate(16); }
    static Object directBuffer() { return ByteBuffer.allocateDirect(16); }
    static Object view() { return ByteBuffer.allocateDirect(16).asLongBuffer(); }

    static native int count();
    static native int kind(int k);
    static native String name(int k);
    static native String expected(int k);
    static native String run(int k, EveryFunction self);
    static native void runIn(int k, EveryFunction self, int state);

    public static void main(String[] args) throws Throwable {
        System.load(args[0]);
        switch (args[1]) {
        case "list":
            for (int k = 0; k < count(); k++)
                System.out.println(k + "\t" + kind(k) + "\t" + name(k) + "\t" + expected(k));
            break;
        case "run":                      // cases of a kind
        case "case":                     // one, by its number
            for (int k = 0; k < count(); k++) {
                boolean wanted =
                    args[1].equals("case") ? k == Integer.parseInt(args[2]) : kind(k) == Integer.parseInt(args[2]);
                if (wanted) System.out.println(name(k) + ": " + run(k, new EveryFunction(k)));
                System.out.flush();
            }
            break;
        case "state":                    // the good cases in a state
            for (int k = 0; k < count(); k++) {
                if (!name(k).endsWith(" good") || kind(k) != 0) continue;
                try {
                    runIn(k, new EveryFunction(k), Integer.parseInt(args[2]));
                } catch (Throwable t) {
                    System.out.println("left " + t);
                }
            }
            break;
        }
    }
}
