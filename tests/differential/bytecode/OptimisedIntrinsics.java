// Library methods that compilers know, called where nothing else is called, in loops that an optimising compiler takes:
// each with every pair of edge values, invariant in a loop and not, with results that only the library's own code
// makes.
import java.util.Objects;

public class OptimisedIntrinsics {
    static final int[] INTS = {0, 1, -1, 2, -2, 7, 31, 32, 33, 255, -128, 65535, 65536, 0x12345678, 0x80000001,
                               Integer.MAX_VALUE, Integer.MIN_VALUE, Integer.MIN_VALUE + 1};
    static final long[] LONGS = {0, 1, -1, 63, 64, 65, 1L << 31, -(1L << 31), 1L << 32, 0x123456789abcdefL,
                                 Long.MAX_VALUE, Long.MIN_VALUE, Long.MIN_VALUE + 1};
    static final float[] FLOATS = {0f, -0f, 1f, -1f, 0.5f, -0.5f, 1.5f, 2.5f, 0.49999997f, 8388609f, 1e10f, -1e20f,
                                   Float.MIN_VALUE, Float.MAX_VALUE, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY,
                                   Float.NaN};
    static final double[] DOUBLES = {0d, -0d, 1d, -1d, 0.5, -0.5, 1.5, 2.5, 0.49999999999999994, 4503599627370497.5,
                                     1e18, -1e19, 4.9e-324, Double.MAX_VALUE, Double.POSITIVE_INFINITY,
                                     Double.NEGATIVE_INFINITY, Double.NaN};
    static final String[] TEXTS = {"", "a", "hello world", "\u00e9t\u00e9", "\u4e2d\u6587 text", "\ud83d\ude00"};
    static final int TURNS = 300;

    static int ints(int[] v) {
        int h = 1;
        for (int i = 0; i < v.length; i++)
            for (int k = 0; k < v.length; k++) {
                int a = v[i], b = v[k];
                h = h * 31 + Math.abs(a); h = h * 31 + Math.min(a, b); h = h * 31 + Math.max(a, b);
                h = h * 31 + Integer.compareUnsigned(a, b); h = h * 31 + Integer.bitCount(b);
                h = h * 31 + Integer.numberOfLeadingZeros(a); h = h * 31 + Integer.numberOfTrailingZeros(b);
                h = h * 31 + Integer.reverse(b); h = h * 31 + Integer.reverseBytes(a);
                h = h * 31 + Integer.rotateLeft(a, b); h = h * 31 + Integer.rotateRight(a, b);
                h = h * 31 + Integer.rotateLeft(b, 5); h = h * 31 + Integer.rotateRight(a, 33);
                h = h * 31 + Character.reverseBytes((char) a); h = h * 31 + Short.reverseBytes((short) b);
                h = h * 31 + Math.min(a, 7) + Math.max(-3, b) + Integer.compareUnsigned(a, 100);
            }
        return h;
    }
    static long longs(long[] v) {
        long h = 1;
        for (int i = 0; i < v.length; i++)
            for (int k = 0; k < v.length; k++) {
                long a = v[i], b = v[k];
                h = h * 31 + Math.abs(a); h = h * 31 + Math.min(a, b); h = h * 31 + Math.max(a, b);
                h = h * 31 + Long.compareUnsigned(a, b); h = h * 31 + Long.bitCount(b);
                h = h * 31 + Long.numberOfLeadingZeros(a); h = h * 31 + Long.numberOfTrailingZeros(b);
                h = h * 31 + Long.reverse(b); h = h * 31 + Long.reverseBytes(a);
                h = h * 31 + Long.rotateLeft(a, (int) b); h = h * 31 + Long.rotateRight(a, k);
                h = h * 31 + Math.multiplyHigh(a, b); h = h * 31 + Math.min(a, 1L << 40);
            }
        return h;
    }
    // Where only the library knows, the frame leaves: few values, so that it stays.
    static double doubles(double[] v) {
        double h = 1;
        long bits = 0;
        for (int i = 0; i < v.length; i++)
            for (int k = 0; k < v.length; k++) {
                double a = v[i], b = v[k], x;
                bits = bits * 31 + Double.doubleToRawLongBits(Math.abs(a));
                bits = bits * 31 + Double.doubleToLongBits(Math.min(a, b));
                bits = bits * 31 + Double.doubleToLongBits(Math.max(a, b));
                bits = bits * 31 + Double.doubleToLongBits(Math.sqrt(b));
                bits = bits * 31 + Double.doubleToLongBits(Math.signum(a));
                x = Double.longBitsToDouble(Double.doubleToRawLongBits(a) ^ k);
                bits = bits * 31 + Double.doubleToLongBits(x);
                bits = bits * 31 + Double.doubleToLongBits(Math.floor(a)) + Double.doubleToLongBits(Math.ceil(b));
                bits = bits * 31 + Double.doubleToLongBits(Math.rint(a)) + Math.round(a) + Math.round((float) b);
                if (a == a && b == b) {
                    bits = bits * 31 + Double.doubleToLongBits(Math.copySign(a, b));
                    bits = bits * 31 + Double.doubleToLongBits(Math.copySign(b, -2.5));
                    if (Math.abs(a) < 1e100 && Math.abs(b) < 1e100)
                        bits = bits * 31 + Double.doubleToLongBits(Math.fma(a, b, 0.1))
                            + Double.doubleToLongBits(Math.fma(3.0, a, b));
                }
            }
        return h + bits;
    }
    // What is no number, or too far from zero, is not rare here; the bits, since NaN can have others.
    static final long[] NOT_NUMBERS = {0x7ff8000000000000L, 0xfff8000000000000L, 0x7ff0000000000001L,
                                       0xfff4000000000123L, 0x7fffffffffffffffL};
    static long roundings(double[] v, long[] bits) {
        long h = 1;
        for (int i = 0; i < v.length; i++) {
            h = h * 31 + Double.doubleToLongBits(Math.floor(v[i])) + Double.doubleToLongBits(Math.ceil(v[i]));
            h = h * 31 + Double.doubleToLongBits(Math.rint(v[i])) + Math.round(v[i]) + Math.round((float) v[i]);
        }
        for (int i = 0; i < bits.length; i++) {
            double none = Double.longBitsToDouble(bits[i]);
            if (Math.floor(none) == none || Math.ceil(none) == none || Math.rint(none) == none) h++;
            h = h * 31 + Math.round(none) + Math.round((float) none);
        }
        return h;
    }
    static int floats(float[] v) {
        int bits = 0;
        for (int i = 0; i < v.length; i++)
            for (int k = 0; k < v.length; k++) {
                float a = v[i], b = v[k];
                bits = bits * 31 + Float.floatToRawIntBits(Math.abs(a));
                bits = bits * 31 + Float.floatToIntBits(Math.min(a, b));
                bits = bits * 31 + Float.floatToIntBits(Math.max(a, b));
                bits = bits * 31 + Float.floatToIntBits(Math.signum(b));
                bits = bits * 31 + Float.floatToIntBits(Float.intBitsToFloat(Float.floatToRawIntBits(a) ^ k));
                bits = bits * 31 + Math.round(a);
                if (a == a && b == b) {
                    bits = bits * 31 + Float.floatToIntBits(Math.copySign(a, b));
                    if (Math.abs(a) < 1e10f && Math.abs(b) < 1e10f)
                        bits = bits * 31 + Float.floatToIntBits(Math.fma(a, b, 0.1f));
                }
            }
        return bits;
    }
    // All of the three are in memory as often as not.
    static double manyFloats(double[] v, int n) {
        double a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, k = 9, l = 10, m = 11, p = 12, q = 13, r = 14,
               s = 15, t = 16;
        for (int i = 0; i < n; i++) {
            a = Math.min(a + v[i & 3], b); b = Math.max(b - 1, c); c = Math.abs(d - c); d = Math.fma(e, 0.5, d);
            e = Math.sqrt(f); f = Math.copySign(g, h); g = Math.floor(h) + 1; h = Math.signum(k) + l;
            k = Math.min(l, m); l = Math.max(m, k) - 0.5; m = Math.fma(p, q, r) % 100; p = Math.rint(p * 0.75);
            q = Math.abs(r - 20); r = Math.ceil(s * 0.5); s = Math.min(t, a) + 3; t = Math.fma(0.25, t, a);
        }
        return a + b + c + d + e + f + g + h + k + l + m + p + q + r + s + t;
    }

    static long exact(int[] v, int n) {
        long h = 0;
        for (int i = 0; i < n; i++) {
            int a = v[i & 7] & 0xffff, b = i & 255;
            h = h * 31 + Math.addExact(a, b) + Math.subtractExact(a, b) + Math.multiplyExact(a, b)
                + Math.incrementExact(a) + Math.decrementExact(b) + Math.negateExact(a);
            h = Math.addExact(h & 0xffffff, Math.multiplyExact((long) a, (long) b)) + Math.subtractExact(h & 255, a);
        }
        return h;
    }
    static String overflows(int kind, int x) {
        try {
            switch (kind) {
            case 0: return "" + addAll(x, 100);
            case 1: return "" + multiplyAll(x, 100);
            default: return "" + negated(x, 100);
            }
        } catch (ArithmeticException e) {
            return e.getMessage();
        }
    }
    static int addAll(int x, int n) {
        int h = 0;
        for (int i = 0; i < n; i++) h = Math.addExact(h, x);
        return h;
    }
    static long multiplyAll(long x, int n) {
        long h = 1;
        for (int i = 0; i < n; i++) h = Math.multiplyExact(h, x);
        return h;
    }
    static int negated(int x, int n) {
        int h = x;
        for (int i = 0; i < n; i++) h = Math.negateExact(h);
        return h;
    }

    // ---- text

    static int chars(String s) {
        int h = 0;
        for (int i = 0; i < s.length(); i++) h = h * 31 + s.charAt(i);
        return h;
    }
    static int backwards(String s) {
        int h = 0;
        for (int i = s.length() - 1; i >= 0; i--) h = h * 31 + s.charAt(i);
        return h + (s.isEmpty() ? 7 : 0);
    }
    static int upTo(String s, int n) {
        int h = 0;
        for (int i = 0; i < n; i++) h += s.charAt(i);
        return h;
    }
    static int allOf(String[] texts) {
        int h = 0;
        for (int i = 0; i < texts.length; i++) {
            String s = texts[i];
            if (s.isEmpty()) continue;
            h = h * 31 + s.charAt(0) + s.charAt(s.length() - 1) + s.length();
        }
        return h;
    }
    static String charsThrow(String s, int n) {
        try {
            return "" + upTo(s, n);
        } catch (StringIndexOutOfBoundsException | NullPointerException e) {
            return e.getClass().getSimpleName();
        }
    }

    // ---- objects

    static int classes(Object[] all, int n) {
        int h = 0;
        for (int i = 0; i < n; i++) {
            Object o = all[i % all.length];
            if (o.getClass() == String.class) h += 1;
            else if (o.getClass() == int[].class) h += 2;
            else if (o.getClass() == Object.class) h += 3;
            h *= 3;
        }
        return h;
    }
    static int objects(int n) {
        int h = 0;
        for (int i = 0; i < n; i++) {
            Object o = new Object(), p = new Object();
            if (o.getClass() == p.getClass() && o != p) h++;
        }
        return h;
    }
    static int indexes(int[] v, int n) {
        int h = 0;
        for (int i = 0; i < n; i++) h = h * 31 + v[Objects.checkIndex(i & 7, v.length)];
        return h;
    }
    static int checked(int from, int to, int length) {
        int h = 0;
        for (int i = from; i < to; i++) h += Objects.checkIndex(i, length);
        return h;
    }
    static String checkThrows(int from, int to, int length) {
        try {
            return "" + checked(from, to, length);
        } catch (IndexOutOfBoundsException e) {
            return e.getMessage();
        }
    }
    static boolean itself(Thread t, int n) {
        boolean same = true;
        for (int i = 0; i < n; i++) same &= Thread.currentThread() == t;
        return same;
    }
    // No turn changes it: it may be computed once.
    static int invariant(int a, int b, int n) {
        int h = 0;
        for (int i = 0; i < n; i++) h += Math.max(a, b) + Integer.bitCount(a) + Math.abs(b) + i;
        return h;
    }

    public static void main(String[] args) {
        Object[] all = {"text", new int[0], new Object(), 1, "other"};
        int[] v = {3, 1, 4, 1, 5, 9, 2, 6};
        double[] d = {0.5, 1.5, -2.5, 3.25};
        String text = "The quick brown fox jumps over the lazy dog", wide = text + "\u2603";
        for (int turn = 0; turn < TURNS; turn++) {
            long h = ints(INTS) + longs(LONGS) + (long) doubles(DOUBLES) + floats(FLOATS) + exact(v, 300)
                + chars(text) * 3 + chars(wide) + backwards(text) + backwards(wide) + upTo(wide, 40) + upTo(text, 40)
                + allOf(TEXTS) + classes(all, 200) + objects(200) + indexes(v, 200) + checked(0, 200, 200)
                + invariant(turn, -turn, 200) + (itself(Thread.currentThread(), 200) ? 1 : 2)
                + addAll(turn, 200) + multiplyAll(1, 200) + negated(turn, 200)
                + Double.doubleToLongBits(manyFloats(d, 200));
            for (String s : TEXTS) h = h * 31 + chars(s) + backwards(s);
            for (int k = 0; k < 20; k++) h += roundings(DOUBLES, NOT_NUMBERS);
            for (int k = 0; k < 3; k++) h = h * 31 + upTo(text, 43) + upTo(wide, 44);
            if (turn % 50 == 0 || turn == TURNS - 1) System.out.println(turn + " " + h);
        }
        for (int kind = 0; kind < 3; kind++)
            for (int x : new int[] {1, -1, 1 << 29, Integer.MIN_VALUE, Integer.MAX_VALUE})
                System.out.println(kind + " " + x + " " + overflows(kind, x));
        for (int[] r : new int[][] {{0, 5, 5}, {0, 6, 5}, {-1, 3, 5}, {5, 6, -1}, {0, 1, Integer.MIN_VALUE}})
            System.out.println(checkThrows(r[0], r[1], r[2]));
        for (String s : new String[] {text, wide, "", null})
            System.out.println(charsThrow(s, 43) + " " + charsThrow(s, 44) + " " + charsThrow(s, 45) + " "
                + charsThrow(s, 0) + " " + charsThrow(s, 1));
        System.out.println((float) manyFloats(d, 7));
    }
}
