// The intrinsics that compiled code has instructions for, with every kind of argument, in places where other operands
// are below the call; what the library answers itself (NaN, whose bits nobody promises) comes in between.
public class CompiledIntrinsics {
    static final double[] DOUBLES = {
        0.0, -0.0, 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 1e300, -1e300, Double.NaN,
        Double.longBitsToDouble(0x7ff8000000000123L), Double.longBitsToDouble(0xfff0000000000001L),
        Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY,
        Double.MIN_VALUE, Double.MAX_VALUE, 4503599627370497.5, 3.7};
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
    }

    static void floats(float x, float y) {
        add(Math.abs(x));
        add(Math.min(x, y));
        add(Math.max(x, y));
        add(Float.floatToIntBits(x));
        add(y - Math.max(Math.min(y, 3), x) * 2);
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
    }

    public static void main(String[] args) {
        for (int round = 0; round < 20; round++) {
            for (double x : DOUBLES) {
                for (double y : DOUBLES) {
                    doubles(x, y);
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
            System.out.println(sum);
        }
    }
}
