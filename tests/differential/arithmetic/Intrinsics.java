import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

// Methods that a VM may compute by itself give what their Java code gives, to the bit: edge values, random ones,
// refused arguments.
public class Intrinsics {
    static final Random random = new Random(17);
    static long sum;

    static final double[] DOUBLES = new double[400];
    static final float[] FLOATS = new float[400];
    static final int[] INTS = new int[400];
    static final long[] LONGS = new long[400];

    static void values() {
        double[] edges = {0.0,
                          -0.0,
                          1,
                          -1,
                          0.5,
                          -0.5,
                          1.5,
                          2.5,
                          -2.5,
                          0.49999999999999994,
                          -0.49999999999999994,
                          Double.MIN_VALUE,
                          -Double.MIN_VALUE,
                          Double.MAX_VALUE,
                          -Double.MAX_VALUE,
                          Double.MIN_NORMAL,
                          Double.POSITIVE_INFINITY,
                          Double.NEGATIVE_INFINITY,
                          Double.NaN,
                          4503599627370495.5,
                          4503599627370496.0,
                          -4503599627370495.5,
                          9007199254740993.0,
                          0x1p-1022,
                          0x1.fffffffffffffp-1,
                          2,
                          4,
                          1e308,
                          1e-308,
                          Double.longBitsToDouble(0x7ff8000000000001L),
                          Double.longBitsToDouble(0xfff8000000000000L),
                          3,
                          1 + Math.ulp(1.0)};
        float[] fedges = {0f,
                          -0f,
                          1f,
                          -1f,
                          0.5f,
                          -0.5f,
                          1.5f,
                          Float.MIN_VALUE,
                          -Float.MIN_VALUE,
                          Float.MAX_VALUE,
                          Float.MIN_NORMAL,
                          Float.POSITIVE_INFINITY,
                          Float.NEGATIVE_INFINITY,
                          Float.NaN,
                          Float.intBitsToFloat(0x7fc00001),
                          Float.intBitsToFloat(0xffc00000),
                          1 + Math.ulp(1f)};
        long[] ledges = {0,
                         1,
                         -1,
                         2,
                         7,
                         8,
                         Long.MIN_VALUE,
                         Long.MAX_VALUE,
                         Integer.MIN_VALUE,
                         Integer.MAX_VALUE,
                         1L << 32,
                         0x5555555555555555L};
        for (int i = 0; i < DOUBLES.length; i++) {
            DOUBLES[i] = i < edges.length ? edges[i]
                         : i % 2 == 0     ? Double.longBitsToDouble(random.nextLong())
                                          : random.nextGaussian() * 1000;
            FLOATS[i] = i < fedges.length ? fedges[i]
                        : i % 2 == 0      ? Float.intBitsToFloat(random.nextInt())
                                          : (float) random.nextGaussian() * 100;
            LONGS[i] = i < ledges.length ? ledges[i] : random.nextLong() >> random.nextInt(64);
            INTS[i] = i < ledges.length ? (int) ledges[i] : random.nextInt() >> random.nextInt(32);
            // A NaN that comes out of arithmetic has the machine's bits: those of the library's code and of HotSpot's
            // instruction may differ.
            if (Double.isNaN(DOUBLES[i])) DOUBLES[i] = Double.NaN;
            if (Float.isNaN(FLOATS[i])) FLOATS[i] = Float.NaN;
        }
    }

    static void add(long bits) { sum = sum * 31 + bits; }
    static void add(double d) { add(Double.isNaN(d) ? 1 : Double.doubleToRawLongBits(d)); }
    static void add(float f) { add(Float.isNaN(f) ? 2L : Float.floatToRawIntBits(f)); }
    static void say(String what) {
        System.out.println(what + " " + Long.toHexString(sum));
        sum = 0;
    }

    static void ofOne() {
        for (double d : DOUBLES) { add(Math.sqrt(d)); add(StrictMath.sqrt(d)); }
        say("sqrt");
        for (double d : DOUBLES) { add(Math.floor(d)); add(StrictMath.floor(d)); }
        say("floor");
        for (double d : DOUBLES) { add(Math.ceil(d)); add(StrictMath.ceil(d)); }
        say("ceil");
        for (double d : DOUBLES) { add(Math.rint(d)); add(StrictMath.rint(d)); }
        say("rint");
        for (double d : DOUBLES) { add(Math.abs(d)); add(StrictMath.abs(d)); }
        for (float f : FLOATS) { add(Math.abs(f)); add(StrictMath.abs(f)); }
        for (int i : INTS) { add(Math.abs(i)); add(StrictMath.abs(i)); }
        for (long l : LONGS) { add(Math.abs(l)); add(StrictMath.abs(l)); }
        say("abs");
        for (double d : DOUBLES) { add(Double.doubleToLongBits(d)); add(Double.doubleToRawLongBits(d)); }
        for (float f : FLOATS) { add((long) Float.floatToIntBits(f)); add((long) Float.floatToRawIntBits(f)); }
        for (long l : LONGS) add(Double.longBitsToDouble(l));
        for (int i : INTS) add(Float.intBitsToFloat(i));
        add(Double.doubleToLongBits(Double.longBitsToDouble(0xfff8000000000001L)));
        add((long) Float.floatToIntBits(Float.intBitsToFloat(0xffc00001)));
        add(Double.doubleToRawLongBits(Double.longBitsToDouble(0xfff8000000000001L)));
        say("bits");
        for (int i : INTS) {
            add((long) Integer.bitCount(i));
            add((long) Integer.numberOfLeadingZeros(i));
            add((long) Integer.numberOfTrailingZeros(i));
            add((long) Integer.reverse(i)); add((long) Integer.reverseBytes(i));
        }
        for (long l : LONGS) {
            add((long) Long.bitCount(l));
            add((long) Long.numberOfLeadingZeros(l));
            add((long) Long.numberOfTrailingZeros(l));
            add(Long.reverse(l)); add(Long.reverseBytes(l));
        }
        say("integers");
    }

    static void ofTwo() {
        for (double a : DOUBLES)
            for (double b : DOUBLES) {
                add(Math.min(a, b));
                add(Math.max(a, b));
                add(StrictMath.min(a, b));
                add(StrictMath.max(a, b));
            }
        for (float a : FLOATS) for (float b : FLOATS) { add(Math.min(a, b)); add(Math.max(a, b)); }
        for (int a : INTS) for (int b : INTS) { add((long) Math.min(a, b)); add((long) Math.max(a, b)); }
        for (long a : LONGS) for (long b : LONGS) { add(Math.min(a, b)); add(Math.max(a, b)); }
        say("min and max");
        for (double a : DOUBLES) for (double b : DOUBLES) copySign(a, b);
        for (float a : FLOATS) for (float b : FLOATS) copySign(a, b);
        say("copySign");
        for (long a : LONGS) for (long b : LONGS) add(Math.multiplyHigh(a, b));
        say("multiplyHigh");
        for (int a : INTS) for (int b : INTS) rotate(a, b);
        say("rotations");
        for (int a : INTS) for (int b : INTS) exact(a, b);
        for (long a : LONGS) for (long b : LONGS) exact(a, b);
        say("exact");
    }

    static void rotate(int a, int b) {
        add((long) Integer.rotateLeft(a, b)); add((long) Integer.rotateRight(a, b));
        add(Long.rotateLeft(a * 0x123456789L, b)); add(Long.rotateRight(a * 0x123456789L, b));
    }
    static void copySign(double a, double b) { add(Math.copySign(a, b)); add(StrictMath.copySign(a, b)); }
    static void copySign(float a, float b) { add(Math.copySign(a, b)); add(StrictMath.copySign(a, b)); }
    static void exact(int a, int b) {
        try { add((long) Math.addExact(a, b)); } catch (ArithmeticException e) { add(1L); }
        try { add((long) Math.subtractExact(a, b)); } catch (ArithmeticException e) { add(2L); }
        try { add((long) Math.multiplyExact(a, b)); } catch (ArithmeticException e) { add(3L); }
        try { add((long) StrictMath.addExact(a, b)); } catch (ArithmeticException e) { add(4L); }
    }
    static void exact(long a, long b) {
        try { add(Math.addExact(a, b)); } catch (ArithmeticException e) { add(1L); }
        try { add(Math.subtractExact(a, b)); } catch (ArithmeticException e) { add(2L); }
        try { add(Math.multiplyExact(a, b)); } catch (ArithmeticException e) { add(3L); }
    }

    // Natives that tell what is at hand; copies of arrays of all kinds, which overlap, are empty, long, or refused.
    static void objects() {
        Object[] all = {new Object(), "text", new int[3], new String[2], Thread.State.NEW, 7, new Object[0], null};
        Class<?>[] classes = {Object.class, String.class, int.class, int[].class, Object[].class, Comparable.class,
                              Enum.class, void.class, Number.class};
        var weak = new WeakReference<Object>(all[1]);
        var phantom = new PhantomReference<Object>(all[2], new ReferenceQueue<>());
        for (int i = 0; i < 300; i++) {
            for (Object o : all) {
                if (o != null) add((long) o.getClass().getName().length());
                add(System.identityHashCode(o) == System.identityHashCode(o) ? 1L : 0);
                add(weak.refersTo(o) ? 1L : 0);
                add(phantom.refersTo(o) ? 1L : 0);
                for (Class<?> c : classes) add(c.isInstance(o) ? 1L : 0);
            }
            for (Class<?> c : classes) for (Class<?> d : classes) add(c.isAssignableFrom(d) ? 1L : 0);
            add(all[0].hashCode() == System.identityHashCode(all[0]) ? 1L : 0);
            add((long) Thread.currentThread().getName().length());
            add(Thread.currentThread() == Thread.currentThread() ? 1L : 0);
            add((long) System.identityHashCode(null));
        }
        say("objects");
        for (int i = 0; i < 300; i++) copies(i);
        say("copies");
    }

    static void copy(Object from, int at, Object to, int toAt, int count) {
        try {
            System.arraycopy(from, at, to, toAt, count);
        } catch (RuntimeException e) {
            add((long) e.getClass().getName().hashCode());
            add((long) (e.getMessage() + "").replaceAll("[0-9]+", "").hashCode());
        }
    }

    static void copies(int i) {
        byte[] bytes = new byte[300];
        long[] longs = new long[300];
        Object[] objects = new Object[300];
        String[] texts = new String[300];
        for (int k = 0; k < 300; k++) { bytes[k] = (byte) k; longs[k] = k * 3L; texts[k] = "" + k; }
        copy(bytes, i % 50, bytes, i % 70, i % 200);
        copy(longs, i % 70, longs, i % 50, i % 200);
        copy(texts, 0, objects, 3, i % 297);
        copy(objects, i % 9, texts, 2, 40);
        copy(bytes, i - 20, bytes, 280, 30);
        copy(longs, 3, bytes, 3, 3);
        copy(longs, 3, texts, 3, 3);
        copy("text", 3, texts, 3, 3);
        copy(texts, 3, i % 2 == 0 ? null : "text", 3, 3);
        copy(texts, 0, texts, 300, 0);
        copy(texts, 0, texts, 0, -1);
        copy(longs, Integer.MAX_VALUE, longs, 1, Integer.MAX_VALUE);
        objects[299] = i;
        copy(objects, 290, texts, 0, 10);
        for (int k = 0; k < 300; k++) add(bytes[k] + longs[k] + (objects[k] + texts[k]).hashCode());
    }

    static void ofThree() {
        for (int i = 0; i < 4000; i++) {
            double a = DOUBLES[random.nextInt(100)], b = DOUBLES[random.nextInt(400)],
                   c = i % 3 == 0 ? -(a * b) : DOUBLES[random.nextInt(400)];
            add(Math.fma(a, b, c)); add(StrictMath.fma(a, b, c));
            float x = FLOATS[random.nextInt(100)], y = FLOATS[random.nextInt(400)],
                  z = i % 3 == 0 ? -(x * y) : FLOATS[random.nextInt(400)];
            add(Math.fma(x, y, z)); add(StrictMath.fma(x, y, z));
        }
        say("fma");
    }

    static void strings() {
        String[] texts = {"",
                          "a",
                          "b",
                          "ab",
                          "abc",
                          "abcabcabd",
                          "h\u00e9llo",
                          "\u00ff\u0080",
                          "\u0416\u0443\u043a",
                          "a\u0100b",
                          "x".repeat(100),
                          "x".repeat(99) + "y",
                          "\ud83d\ude00 smile",
                          new String(new char[] {'a', 0}),
                          "key-00001",
                          "key-00002"};
        for (String s : texts) {
            add((long) s.hashCode()); add((long) s.hashCode()); add((long) s.length()); add(s.isEmpty() ? 1L : 0);
            for (int i = 0; i < s.length(); i++) add((long) s.charAt(i));
            for (char c : new char[] {'a', 'y', '\u00e9', '\u0100', '\u0443', 0})
                for (int from = -1; from <= s.length() + 1; from++) add((long) s.indexOf(c, from));
            for (String t : texts) {
                String copy = new String(t.toCharArray());
                add(s.equals(copy) ? 1L : 0);
                add((long) s.compareTo(copy));
                add((long) s.indexOf(t));
                add((long) s.indexOf(t, 2));
                add(s.contains(t) ? 1L : 0);
                add((long) (s + t).hashCode());
                add((long) new StringBuilder(s).append(t).append('\u0416').toString().hashCode());
                add(s.startsWith(t) ? 1L : 0); add((long) s.lastIndexOf(t)); add(s.equalsIgnoreCase(t) ? 1L : 0);
            }
            add(s.equals(null) ? 1L : 0); add(s.equals((Object) 7) ? 1L : 0); add(s.equals(s) ? 1L : 0);
            add((long) Arrays.hashCode(s.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
            add((long) new String(s.getBytes(java.nio.charset.StandardCharsets.UTF_8),
                                  java.nio.charset.StandardCharsets.UTF_8)
                    .hashCode());
            add((long) Arrays.hashCode(s.toCharArray()));
        }
        say("strings");
    }

    static void arrays() {
        for (int n = 0; n < 40; n++) for (int at = -1; at < n; at++) {
            byte[] a = new byte[n], b = new byte[n];
            char[] c = new char[n], d = new char[n];
            int[] e = new int[n], f = new int[n];
            long[] g = new long[n], h = new long[n];
            if (at >= 0) { b[at] = 1; d[at] = 0x100; f[at] = 1 << 31; h[at] = 1L << 40; }
            add((long) Arrays.mismatch(a, b));
            add((long) Arrays.mismatch(c, d));
            add((long) Arrays.mismatch(e, f));
            add((long) Arrays.mismatch(g, h));
            add(Arrays.equals(a, b) ? 1L : 0);
            add(Arrays.equals(c, d) ? 1L : 0);
            add(Arrays.equals(e, f) ? 1L : 0);
            add(Arrays.equals(g, h) ? 1L : 0);
            if (n > 2) {
                add((long) Arrays.mismatch(a, 1, n, b, 1, n));
                add((long) Arrays.compare(a, 1, n, b, 0, n - 1));
            }
            add((long) ByteBuffer.wrap(a).mismatch(ByteBuffer.wrap(b)));
        }
        add(Arrays.equals((byte[]) null, null) ? 1L : 0);
        add(Arrays.equals(new int[0], null) ? 1L : 0);
        say("arrays");
    }

    static void checksums() {
        byte[] bytes = new byte[(1 << 20) + 100];
        random.nextBytes(bytes);
        ByteBuffer direct = ByteBuffer.allocateDirect(5000);
        direct.put(bytes, 0, 5000);
        for (Checksum c : new Checksum[] {new CRC32(), new CRC32C(), new Adler32()}) {
            for (int b = -300; b < 300; b += 7) { c.update(b); add(c.getValue()); }
            for (int n = 0; n < 400; n++) { c.update(bytes, n * 3, n); add(c.getValue()); }
            for (int n = 400; n < 2000; n += 7) { c.update(bytes, n & 63, n); add(c.getValue()); }
            c.update(bytes);
            add(c.getValue());
            for (int from = 0; from < 10; from++) {
                c.update(direct.position(from).limit(4000 + from));
                add(c.getValue());
            }
            say(c.getClass().getSimpleName());
        }
    }

    interface Action { Object run() throws Throwable; }
    static void refused(String what, Action a) {
        try {
            System.out.println(what + ": " + a.run());
        } catch (Throwable e) {
            System.out.println(what + ": " + e);
            for (StackTraceElement f : e.getStackTrace()) {
                if (f.getClassName().startsWith("Intrinsics")) break;
                System.out.println("    " + f.getClassName() + "." + f.getMethodName() + ":" + f.getLineNumber());
            }
        }
    }

    static void chars(String s, int i) {
        add((s.isEmpty() ? 1L : 0) + s.length());
        try {
            add((long) s.charAt(i));
        } catch (IndexOutOfBoundsException e) {
            add(-1L);
        }
        try {
            add((long) Objects.checkIndex(i, s.length()));
        } catch (IndexOutOfBoundsException e) {
            add(-2L);
        }
    }
    static void chars() {
        for (int i = 0; i < 100; i++)
            for (String s : new String[] {"", "a", "abc", "\u0416", "\u0416bc\u0416", "x".repeat(i)})
                for (int k : new int[] {-1, 0, 1, 3, 4, i, i - 1, Integer.MIN_VALUE}) chars(s, k);
        say("chars");
    }

    static void refusals() {
        refused("charAt", () -> "abc".charAt(3));
        refused("charAt, negative", () -> "abc".charAt(-1));
        refused("charAt, wide", () -> "\u0416\u0416".charAt(2));
        refused("checkIndex", () -> Objects.checkIndex(4, 4));
        refused("checkIndex, good", () -> Objects.checkIndex(3, 4));
        refused("checkIndex, negative", () -> Objects.checkIndex(0, -1));
        refused("compareTo", () -> "a".compareTo(null));
        refused("mismatch", () -> Arrays.mismatch(new byte[1], null));
        refused("length", () -> ((String) null).length());
        refused("isEmpty", () -> ((String) null).isEmpty());
        refused("charAt of nothing", () -> ((String) null).charAt(1));
        refused("getClass", () -> ((Object) null).getClass());
        refused("hashCode", () -> ((Object) null).hashCode());
        refused("isInstance", () -> ((Class<?>) null).isInstance(""));
        refused("isAssignableFrom", () -> String.class.isAssignableFrom(null));
        refused("addExact", () -> Math.addExact(Integer.MAX_VALUE, 1));
        refused("multiplyExact", () -> Math.multiplyExact(Long.MIN_VALUE, -1L));
        refused("equals", () -> ((String) null).equals("a"));
        refused("update", () -> { new CRC32().update(new byte[4], 2, 3); return null; });
        refused("update, nothing", () -> { new CRC32C().update((byte[]) null, 0, 1); return null; });
    }

    static void otherWays() throws Throwable {
        MethodHandle root =
            MethodHandles.lookup().findStatic(Math.class, "sqrt", MethodType.methodType(double.class, double.class));
        add((double) root.invokeExact(2.0));
        add((Double) Math.class.getMethod("sqrt", double.class).invoke(null, 3.0));
        add((int) (char) MethodHandles.lookup()
                .findVirtual(String.class, "charAt", MethodType.methodType(char.class, int.class))
                .invoke("abc", 1));
        java.util.function.DoubleUnaryOperator floor = Math::floor;
        add(floor.applyAsDouble(-1.5));
        CharSequence text = "via an interface";
        add((long) text.length() + text.charAt(4));
        Object o = "as an object";
        add((long) o.hashCode());
        say("handles, reflection, interfaces");
    }

    public static void main(String[] args) throws Throwable {
        values();
        for (int i = 0; i < 2; i++) {
            ofOne(); ofTwo(); ofThree(); strings(); arrays();
            checksums(); objects(); chars();
        }
        for (int i = 0; i < 3; i++) refusals();
        otherWays();
    }
}
