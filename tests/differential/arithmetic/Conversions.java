// All primitive conversions on corner values, including saturating float-to-integer and narrowing chains.
public class Conversions {
    public static void main(String[] args) {
        int[] is = {0,
                    1,
                    -1,
                    127,
                    128,
                    255,
                    256,
                    32767,
                    32768,
                    65535,
                    65536,
                    16777217,
                    Integer.MAX_VALUE,
                    Integer.MIN_VALUE,
                    0x12348765};
        for (int i : is)
            System.out.println(i + ": " + (byte) i + " " + (short) i + " " + (int) (char) i + " " + (long) i + " "
                               + (float) i + " " + (double) i);
        long[] ls = {0,
                     -1,
                     1L << 31,
                     1L << 32,
                     (1L << 53) + 1,
                     (1L << 24) + 1,
                     Long.MAX_VALUE,
                     Long.MIN_VALUE,
                     0x123456789abcdef0L,
                     -0x7fffffbfffffffffL};
        for (long l : ls)
            System.out.println(l + ": " + (int) l + " " + (byte) l + " " + (short) l + " " + (int) (char) l + " "
                               + (float) l + " " + (double) l);
        float[] fs = {0f,
                      -0f,
                      0.99f,
                      -0.99f,
                      1.5f,
                      -1.5f,
                      127.9f,
                      128f,
                      2147483520f,
                      2147483648f,
                      -2147483648f,
                      -2147483904f,
                      9.2233715e18f,
                      9.223372e18f,
                      -9.223372e18f,
                      Float.MAX_VALUE,
                      Float.MIN_VALUE,
                      Float.NaN,
                      Float.POSITIVE_INFINITY,
                      Float.NEGATIVE_INFINITY};
        for (float f : fs)
            System.out.println(f + ": " + (int) f + " " + (long) f + " " + (double) f + " " + (byte) f + " " + (short) f
                               + " " + (int) (char) f);
        double[] ds = {0,
                       -0.0,
                       0.99,
                       -0.99,
                       1.5,
                       -1.5,
                       2147483647.0,
                       2147483647.9,
                       2147483648.0,
                       -2147483648.9,
                       -2147483649.0,
                       9.223372036854775e18,
                       9.223372036854776e18,
                       -9.223372036854776e18,
                       1e300,
                       -1e300,
                       3.4028235677973366e38,
                       1e-46,
                       7e-46,
                       Double.MIN_VALUE,
                       Double.NaN,
                       Double.POSITIVE_INFINITY,
                       Double.NEGATIVE_INFINITY};
        for (double d : ds)
            System.out.println(d + ": " + (int) d + " " + (long) d + " " + (float) d + " " + (byte) d + " " + (short) d
                               + " " + (int) (char) d);
        System.out.println(Float.intBitsToFloat(0x7f800001) != Float.intBitsToFloat(0x7f800001));
        System.out.println(Integer.toHexString(Float.floatToRawIntBits(Float.intBitsToFloat(0x7fc12345))));
        System.out.println(Long.toHexString(Double.doubleToRawLongBits(Double.longBitsToDouble(0x7ff8123456789abcL))));
        System.out.println(Integer.toHexString(Float.floatToIntBits(Float.intBitsToFloat(0x7fc12345))));
        char c = 'A';
        c += 1.7;
        byte b = 10;
        b *= 30.5;
        short s = 1;
        s <<= 15;
        int i = 7;
        i *= 1.5f;
        long l = 10;
        l /= 0.3;
        System.out.println(c + " " + b + " " + s + " " + i + " " + l);
        System.out.println((byte) 'é' + " " + (char) 97 + " " + (short) 70000L + " " + (char) (byte) -1 + 0);
    }
}
