import java.util.Arrays;
import java.util.Objects;

// The intrinsics that compiled code has instructions for, or calls by a stub, with every kind of argument, in places
// where other operands are below the call; what the library answers itself (NaN, whose bits nobody promises; what
// throws) comes in between.
public class CompiledIntrinsics {
    static final double[] DOUBLES = {
        0.0, -0.0, 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 1e300, -1e300, Double.NaN,
        Double.longBitsToDouble(0x7ff8000000000123L), Double.longBitsToDouble(0xfff0000000000001L),
        Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY,
        Double.MIN_VALUE, Double.MAX_VALUE, 4503599627370497.5, 3.7,
        0.49999999999999994, -0.50000000000000011, 8388607.5, -8388608.5, 2147483647.5, -2147483648.5, 0x1p31, -0x1p31,
        0x1p62, 0x1p63, -0x1p63, -0x1.8p63};
    static final long[] LONGS = {0, 1, -1, 2, 255, 256, -256, Long.MIN_VALUE, Long.MAX_VALUE, 0x123456789abcdefL,
                                 0x8000000000000001L, Integer.MIN_VALUE, Integer.MAX_VALUE, 1L << 40};
    static long sum;

    static void add(long v) { sum = sum * 31 + v; }
    static void add(double v) { add(Double.isNaN(v) ? 7 : Double.doubleToRawLongBits(v)); }
    static void add(float v) { add(Float.isNaN(v) ? 7 : Float.floatToRawIntBits(v)); }

    static void doubles(double x, double y) {
        add(Math.sqrt(x));
        add(Math.abs(x));
        add(Math.floor(x));
        add(Math.ceil(x));
        add(Math.rint(x));
        add(Math.min(x, y));
        add(Math.max(x, y));
        add(Double.doubleToLongBits(x));
        add(StrictMath.floor(y));
        add(StrictMath.min(x, x));
        add(1 + Math.min(3.0, Math.max(x, Math.abs(y) * 2)));
        add(x + y * Math.floor(x * 0.5) - Math.max(y, 2));
        add(Math.signum(x));
        add(y - StrictMath.signum(x * 2) * 3);
        add(Math.round(x));
        add(1 + (Math.round(y - 0.25) ^ StrictMath.round(x)));
        add(Double.doubleToRawLongBits(x));
        add(3 * Double.doubleToRawLongBits(x) - Double.doubleToRawLongBits(x - y));
    }

    static void elementary(double x, double y) {
        add(StrictMath.sin(x) + y * StrictMath.cos(x + 0.25));
        add(StrictMath.exp(x * 0.01) - StrictMath.log(y));
        add(StrictMath.pow(x, y));
        add(Math.copySign(x, 2));
        add(y - Math.fma(x, y, 1.5) * 3);
    }

    static void floats(float x, float y) {
        add(Math.abs(x));
        add(Math.min(x, y));
        add(Math.max(x, y));
        add(Float.floatToIntBits(x));
        add(y - Math.max(Math.min(y, 3), x) * 2);
        add(Math.signum(x));
        add(y - Math.signum(x) * Math.signum(y));
        add((long) Math.round(x));
        add(1L + (Math.round(y - 0.25f) ^ StrictMath.round(x)));
        add((long) Float.floatToRawIntBits(x) - Float.floatToRawIntBits(y) * 5L);
    }

    static void longs(long x, long y) {
        add(Math.abs(x));
        add(Math.min(x, y));
        add(Math.max(x, y));
        add(Math.multiplyHigh(x, y));
        add(Long.bitCount(x));
        add(Long.numberOfLeadingZeros(x));
        add(Long.numberOfTrailingZeros(x));
        add(Long.reverseBytes(x));
        add(Math.min(5L, x));
        add(x + Math.max(y, Math.abs(x - y) * 3));
        add(x - (y ^ Math.multiplyHigh(y, x + 1)));
        add(Double.longBitsToDouble(x));
        add(1 - Double.longBitsToDouble(x ^ y) * 2);
        add(Long.reverse(x) + y);
        add(y - Long.reverse(x ^ y) * 3);
        add(Long.compareUnsigned(x, y));
        add(x + 5 * Long.compareUnsigned(y, x - 1));
        exact(() -> add(Math.incrementExact(x) - y));
        exact(() -> add(y ^ Math.decrementExact(x)));
        exact(() -> add(y + 2 * Math.negateExact(x)));
        exact(() -> add(y + Objects.checkIndex(x, y) * 3));
    }

    interface Exact { void run(); }
    static void exact(Exact e) {
        try {
            e.run();
        } catch (ArithmeticException | IndexOutOfBoundsException f) {
            add(f.getMessage().hashCode());
        }
    }

    static void ints(int x, int y) {
        add(Math.abs(x));
        add(Math.min(x, y));
        add(Math.max(x, y));
        add(Integer.bitCount(x));
        add(Integer.numberOfLeadingZeros(x));
        add(Integer.numberOfTrailingZeros(x));
        add(Integer.reverseBytes(x));
        add(Math.max(x, 7));
        add(x * 3 + (y << Math.min(x & 31, Integer.bitCount(y))));
        add(Float.intBitsToFloat(x));
        add(2 * Float.intBitsToFloat(y ^ x) + y);
        add(x - Integer.reverse(y));
        add(y ^ Integer.reverse(x + y) * 3);
        add(Integer.compareUnsigned(x, y));
        add(x + 5 * Integer.compareUnsigned(y, x - 1));
        add(Character.reverseBytes((char) x));
        add(y + 3 * Character.reverseBytes((char) (x ^ y)));
        add(Short.reverseBytes((short) x));
        add(y + 3 * Short.reverseBytes((short) (x ^ y)));
        exact(() -> add(Math.incrementExact(x) - y));
        exact(() -> add(y ^ Math.decrementExact(x)));
        exact(() -> add(y + 2 * Math.negateExact(x)));
    }

    static void wide(String s, int at, char c) {
        StringBuilder b = new StringBuilder(s).append('\u1234');
        for (int i = 0; i < 3; i++) b.append((char) (c + i));
        add(b.toString().hashCode());
        try {
            b.setCharAt(at, c);
        } catch (IndexOutOfBoundsException e) {
            add(e.getMessage().hashCode());
        }
        add(b.reverse().toString().hashCode());
    }

    static final Object[] OBJECTS = {
        "", "a", "ab", "\u1234b", "\u1234c", "abcdefghijklmnop", "abcdefghijklmnoq", 3, null};

    static void texts(Object x, Object y) {
        add(x instanceof String s && s.equals(y) ? 1L : 2);
        add(x instanceof String s ? s.hashCode() * 3L + s.length() : 5);
        for (int i = -1; i < 3; i++) {
            try {
                add(i * 7L + ((String) x).charAt(i));
            } catch (RuntimeException e) {
                add((long) e.getClass().getName().length());
            }
        }
    }

    static final byte[][] BYTES = {null, {}, {1, 2, 3}, {1, 2, 3}, {1, 2, 4}, new byte[700]};

    static void bytes(byte[] x, byte[] y) {
        add(Arrays.equals(x, y) ? 1L : 2);
        try {
            java.util.zip.CRC32 crc = new java.util.zip.CRC32();
            crc.update(x);
            crc.update(y, 0, 3);
            add(crc.getValue());
        } catch (RuntimeException e) {
            add((long) e.getClass().getName().length());
        }
    }

    public static void main(String[] args) {
        for (int round = 0; round < 20; round++) {
            for (double x : DOUBLES) {
                for (double y : DOUBLES) {
                    doubles(x, y);
                    elementary(x, y);
                    floats((float) x, (float) y);
                }
            }
            System.out.println(sum);
            for (long x : LONGS) {
                for (long y : LONGS) {
                    longs(x, y);
                    ints((int) x, (int) y);
                }
            }
            for (Object x : OBJECTS)
                for (Object y : OBJECTS) texts(x, y);
            for (int at = -1; at < 9; at++) wide("abc\u0401", at, (char) (at * 77 + round));
            for (byte[] x : BYTES)
                for (byte[] y : BYTES) bytes(x, y);
            System.out.println(sum);
        }
    }
}
