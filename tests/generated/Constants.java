/** Constants of the primitive types, most of them at the edge of something. */
final class Constants {
    private static final int[] INTS = {0, 1, -1, 2, 3, 5, 7, 8, 31, 32, 33, 63, 64, 65, 127, 128, -128, -129, 255, 256,
                                       32767, 32768, -32768, -32769, 65535, 65536, 0x55555555, 0xaaaaaaaa, 1 << 24,
                                       (1 << 24) + 1, Integer.MAX_VALUE, Integer.MIN_VALUE, Integer.MIN_VALUE + 1};
    private static final long[] LONGS = {0, 1, -1, 2, 10, 31, 63, 64, 65, 127, 128, 65535, 1L << 31, -(1L << 31),
                                         (1L << 31) - 1, 1L << 32, 0xffffffffL, (1L << 53) + 1, 0x5555555555555555L,
                                         Long.MAX_VALUE, Long.MIN_VALUE, Long.MIN_VALUE + 1};
    private static final float[] FLOATS = {0, -0.0f, 1, -1, 2, 0.5f, 1.5f, -2.5f, 0.1f, 16777217f, 2147483648f,
                                           -2147483904f, 9.223372e18f, 1e20f, 3.4e38f, Float.MIN_VALUE,
                                           Float.MIN_NORMAL, Float.MAX_VALUE, Float.NaN, Float.POSITIVE_INFINITY,
                                           Float.NEGATIVE_INFINITY};
    private static final double[] DOUBLES = {0, -0.0, 1, -1, 2, 0.5, 1.5, -2.5, 0.1, 2147483647.5, -2147483649.0, 1e10,
                                             9007199254740993.0, 9.223372036854775807e18, 1e19, 3.5e38, 1e300,
                                             1e-310, Double.MIN_VALUE, Double.MIN_NORMAL, Double.MAX_VALUE,
                                             Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
    private static final String[] TEXTS = {"", "a", "generated", "Grüße", "0123456789abcdef"};

    private Constants() {}

    static void push(Body b, String type) {
        switch (type) {
        case "I": pushInt(b, b.chance(70) ? INTS[b.random.nextInt(INTS.length)] : b.random.nextInt()); break;
        case "J": pushLong(b, b.chance(70) ? LONGS[b.random.nextInt(LONGS.length)] : b.random.nextLong()); break;
        case "F": pushFloat(b, b.chance(70) ? FLOATS[b.random.nextInt(FLOATS.length)] : b.random.nextFloat() * 1000);
            break;
        case "D":
            pushDouble(b, b.chance(70) ? DOUBLES[b.random.nextInt(DOUBLES.length)] : b.random.nextDouble() * 1e6);
            break;
        default: throw new IllegalArgumentException(type);
        }
    }

    static void pushInt(Body b, int v) {
        boolean shortest = b.chance(90);
        if (shortest && v >= -1 && v <= 5) b.emit("iconst_" + (v < 0 ? "m1" : "" + v), 0, "I");
        else if (shortest && v == (byte) v) b.emit("bipush " + v, 0, "I");
        else if (v == (short) v && b.chance(95)) b.emit("sipush " + v, 0, "I");
        else b.constant("" + v, "I");
    }

    private static void pushLong(Body b, long v) {
        if ((v == 0 || v == 1) && b.chance(90)) b.emit("lconst_" + v, 0, "J");
        else b.constant(v + "L", "J");
    }

    private static void pushFloat(Body b, float v) {
        boolean minus = Float.floatToRawIntBits(v) < 0;
        if (!minus && (v == 0 || v == 1 || v == 2)) b.emit("fconst_" + (int) v, 0, "F");
        else b.constant(v + "f", "F");
    }

    private static void pushDouble(Body b, double v) {
        boolean minus = Double.doubleToRawLongBits(v) < 0;
        if (!minus && (v == 0 || v == 1)) b.emit("dconst_" + (int) v, 0, "D");
        else b.constant(v + "d", "D");
    }

    static void pushText(Body b) { b.constant('"' + b.oneOf(TEXTS) + '"', Types.STRING); }
}
