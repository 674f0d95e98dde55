// Small methods without calls, one for each kind of instruction that a compiler knows, with the values at the
// edges. Each runs several times: what is resolved the first time is done otherwise later.
public class CompiledLeaves {
    static final int[] INTS = {0, 1, -1, 2, -2, 3, 7, 31, 32, 33, -31, 127, 128, 255, 256, 32767, 32768, 65535, 65536,
                               0x12345678, 0xfedcba98, Integer.MAX_VALUE, Integer.MIN_VALUE, Integer.MIN_VALUE + 1};
    static final long[] LONGS = {0, 1, -1, 2, 31, 32, 63, 64, 65, -64, 255, 65536, Integer.MAX_VALUE, Integer.MIN_VALUE,
                                 1L << 31, 1L << 32, -(1L << 32), 0x123456789abcdef0L, Long.MAX_VALUE, Long.MIN_VALUE};
    static final float[] FLOATS = {0, -0.0f, 1, -1, 0.5f, -1.5f, 3.4e38f, -3.4e38f, 1e-45f, Float.MIN_NORMAL, Float.NaN,
                                   Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, 2147483648f, -2147483648f,
                                   9.223372e18f, 127.9f, 65536.5f};
    static final double[] DOUBLES = {0, -0.0, 1, -1, 0.5, -1.5, 1.7e308, -1.7e308, 4.9e-324, Double.MIN_NORMAL,
                                     Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 2147483647.0,
                                     2147483648.0, -2147483648.0, -2147483649.0, 9.223372036854775807e18,
                                     -9.223372036854775808e18, 1e-10, 16777217.0};

    static long mix(long h, long v) { return (h ^ v) * 0x9e3779b97f4a7c15L + (h >>> 29); }
    static long mix(long h, float v) { return mix(h, Float.floatToIntBits(v)); }
    static long mix(long h, double v) { return mix(h, Double.doubleToLongBits(v)); }

    interface IntOp { int of(int a, int b); }
    interface LongOp { long of(long a, long b); }
    interface FloatOp { float of(float a, float b); }
    interface DoubleOp { double of(double a, double b); }

    static int i_add(int a, int b) { return a + b; }
    static int i_sub(int a, int b) { return a - b; }
    static int i_mul(int a, int b) { return a * b; }
    static int i_div(int a, int b) { return a / b; }
    static int i_rem(int a, int b) { return a % b; }
    static int i_and(int a, int b) { return a & b; }
    static int i_or(int a, int b) { return a | b; }
    static int i_xor(int a, int b) { return a ^ b; }
    static int i_shl(int a, int b) { return a << b; }
    static int i_shr(int a, int b) { return a >> b; }
    static int i_ushr(int a, int b) { return a >>> b; }
    static int i_divBy7(int a, int b) { return a / 7 + b / -1 + a % -1 + b % 10; }
    static int i_mulBy(int a, int b) { return a * 10 + b * 1000 + a * -3; }
    static int i_shiftBy(int a, int b) { return (a << 5) + (b >> 31) + (a >>> 1) + (b << 0) + (a >>> 32); }
    static int i_minus(int a, int b) { return -a + -b; }
    static int i_bytes(int a, int b) { return (byte) a + (short) b + (char) a; }
    static int i_less(int a, int b) { return a < b ? a : b; }
    static int i_tests(int a, int b) {
        return (a == b ? 1 : 0) + (a != b ? 2 : 0) + (a <= b ? 4 : 0) + (a > b ? 8 : 0) + (a >= b ? 16 : 0);
    }
    static int i_zero(int a, int b) {
        return (a == 0 ? 1 : 0) + (a != 0 ? 2 : 0) + (b < 0 ? 4 : 0) + (b <= 0 ? 8 : 0) + (b > 0 ? 16 : 0)
               + (b >= 0 ? 32 : 0);
    }
    static int i_deep(int a, int b) {
        return ((a + b) * (a - b) ^ (a & b) - (a | b)) + ((a << 3) - (b >> 2)) * ((a ^ b) + (a >>> 7) - b * 5)
               + (a - (b + (a * (b - (a ^ (b + 1))))));
    }
    static long l_add(long a, long b) { return a + b; }
    static long l_sub(long a, long b) { return a - b; }
    static long l_mul(long a, long b) { return a * b; }
    static long l_div(long a, long b) { return a / b; }
    static long l_rem(long a, long b) { return a % b; }
    static long l_and(long a, long b) { return a & b; }
    static long l_or(long a, long b) { return a | b; }
    static long l_xor(long a, long b) { return a ^ b; }
    static long l_shl(long a, long b) { return a << b; }
    static long l_shr(long a, long b) { return a >> (int) b; }
    static long l_ushr(long a, long b) { return a >>> b; }
    static long l_divBy7(long a, long b) { return a / 7 + b / -1 + a % -1 + b % 10000000000L; }
    static long l_mulBy(long a, long b) { return a * 10 + b * 10000000000L; }
    static long l_shiftBy(long a, long b) { return (a << 5) + (b >> 63) + (a >>> 33) + (b << 64); }
    static long l_minus(long a, long b) { return -a - -b; }
    static long l_less(long a, long b) { return a < b ? a : b; }
    static long l_tests(long a, long b) {
        return (a == b ? 1 : 0) + (a != b ? 2 : 0) + (a <= b ? 4 : 0) + (a > b ? 8 : 0) + (a >= b ? 16 : 0);
    }
    static long l_ints(long a, long b) { return (int) a + (int) b; }
    static long l_floats(long a, long b) { return (long) (float) a + (long) (double) b; }
    static long l_deep(long a, long b) { return ((a + b) * (a - b) ^ (a & b)) + (a - (b + (a * (b - (a ^ (b + 1)))))); }
    static float f_add(float a, float b) { return a + b; }
    static float f_sub(float a, float b) { return a - b; }
    static float f_mul(float a, float b) { return a * b; }
    static float f_div(float a, float b) { return a / b; }
    static float f_rem(float a, float b) { return a % b; }
    static float f_minus(float a, float b) { return -a; }
    static float f_less(float a, float b) { return a < b ? a : b; }
    static float f_greater(float a, float b) { return a > b ? 1 : a >= b ? 2 : 3; }
    static float f_tests(float a, float b) {
        return (a == b ? 1 : 0) + (a != b ? 2 : 0) + (a <= b ? 4 : 0) + (a > b ? 8 : 0) + (a >= b ? 16 : 0)
               + (a < b ? 32 : 0);
    }
    static float f_notTests(float a, float b) {
        return (!(a < b) ? 1 : 0) + (!(a <= b) ? 2 : 0) + (!(a > b) ? 4 : 0) + (!(a >= b) ? 8 : 0);
    }
    static float f_toInt(float a, float b) { return (int) a ^ (int) b; }
    static float f_constants(float a, float b) { return a * 2 + b * 1 + 0 - 1.5F; }
    static double d_add(double a, double b) { return a + b; }
    static double d_sub(double a, double b) { return a - b; }
    static double d_mul(double a, double b) { return a * b; }
    static double d_div(double a, double b) { return a / b; }
    static double d_rem(double a, double b) { return a % b; }
    static double d_minus(double a, double b) { return -a; }
    static double d_less(double a, double b) { return a < b ? a : b; }
    static double d_greater(double a, double b) { return a > b ? 1 : a >= b ? 2 : 3; }
    static double d_tests(double a, double b) {
        return (a == b ? 1 : 0) + (a != b ? 2 : 0) + (a <= b ? 4 : 0) + (a > b ? 8 : 0) + (a >= b ? 16 : 0)
               + (a < b ? 32 : 0);
    }
    static double d_notTests(double a, double b) {
        return (!(a < b) ? 1 : 0) + (!(a <= b) ? 2 : 0) + (!(a > b) ? 4 : 0) + (!(a >= b) ? 8 : 0);
    }
    static double d_toInt(double a, double b) { return (int) a ^ (int) b; }
    static double d_constants(double a, double b) { return a * 2 + b * 1 + 0 - 1.5; }
    static float f_toLong(float a, float b) { return (long) a + (float) (double) b + (byte) a + (char) b; }
    static double d_toLong(double a, double b) { return (long) a + (double) (float) b + (short) a; }
    static double d_ofInt(double a, double b) {
        int i = (int) a; long l = (long) b;
        return i + (double) l + (float) i * (float) l;
    }

    static void numbers() {
        IntOp[] is = {CompiledLeaves::i_add,
                     CompiledLeaves::i_sub,
                     CompiledLeaves::i_mul,
                     CompiledLeaves::i_div,
                     CompiledLeaves::i_rem,
                     CompiledLeaves::i_and,
                     CompiledLeaves::i_or,
                     CompiledLeaves::i_xor,
                     CompiledLeaves::i_shl,
                     CompiledLeaves::i_shr,
                     CompiledLeaves::i_ushr,
                     CompiledLeaves::i_divBy7,
                     CompiledLeaves::i_mulBy,
                     CompiledLeaves::i_shiftBy,
                     CompiledLeaves::i_minus,
                     CompiledLeaves::i_bytes,
                     CompiledLeaves::i_less,
                     CompiledLeaves::i_tests,
                     CompiledLeaves::i_zero,
                     CompiledLeaves::i_deep};
        LongOp[] ls = {CompiledLeaves::l_add,
                     CompiledLeaves::l_sub,
                     CompiledLeaves::l_mul,
                     CompiledLeaves::l_div,
                     CompiledLeaves::l_rem,
                     CompiledLeaves::l_and,
                     CompiledLeaves::l_or,
                     CompiledLeaves::l_xor,
                     CompiledLeaves::l_shl,
                     CompiledLeaves::l_shr,
                     CompiledLeaves::l_ushr,
                     CompiledLeaves::l_divBy7,
                     CompiledLeaves::l_mulBy,
                     CompiledLeaves::l_shiftBy,
                     CompiledLeaves::l_minus,
                     CompiledLeaves::l_less,
                     CompiledLeaves::l_tests,
                     CompiledLeaves::l_ints,
                     CompiledLeaves::l_floats,
                     CompiledLeaves::l_deep};
        FloatOp[] fs = {CompiledLeaves::f_add,
                     CompiledLeaves::f_sub,
                     CompiledLeaves::f_mul,
                     CompiledLeaves::f_div,
                     CompiledLeaves::f_rem,
                     CompiledLeaves::f_minus,
                     CompiledLeaves::f_less,
                     CompiledLeaves::f_greater,
                     CompiledLeaves::f_tests,
                     CompiledLeaves::f_notTests,
                     CompiledLeaves::f_toInt,
                     CompiledLeaves::f_constants,
                     CompiledLeaves::f_toLong};
        DoubleOp[] ds = {CompiledLeaves::d_add,
                     CompiledLeaves::d_sub,
                     CompiledLeaves::d_mul,
                     CompiledLeaves::d_div,
                     CompiledLeaves::d_rem,
                     CompiledLeaves::d_minus,
                     CompiledLeaves::d_less,
                     CompiledLeaves::d_greater,
                     CompiledLeaves::d_tests,
                     CompiledLeaves::d_notTests,
                     CompiledLeaves::d_toInt,
                     CompiledLeaves::d_constants,
                     CompiledLeaves::d_toLong,
                     CompiledLeaves::d_ofInt};
        for (IntOp op : is) {
            long h = 0;
            for (int a : INTS)
                for (int b : INTS) {
                    try { h = mix(h, op.of(a, b)); } catch (ArithmeticException e) { h = mix(h, 77L); }
                }
            System.out.println(h);
        }
        for (LongOp op : ls) {
            long h = 0;
            for (long a : LONGS)
                for (long b : LONGS) {
                    try { h = mix(h, op.of(a, b)); } catch (ArithmeticException e) { h = mix(h, 77L); }
                }
            System.out.println(h);
        }
        for (FloatOp op : fs) {
            long h = 0;
            for (float a : FLOATS) for (float b : FLOATS) h = mix(h, op.of(a, b));
            System.out.println(h);
        }
        for (DoubleOp op : ds) {
            long h = 0;
            for (double a : DOUBLES) for (double b : DOUBLES) h = mix(h, op.of(a, b));
            System.out.println(h);
        }
    }

    // More than 256 local variables: wide instructions.
    static long manyLocals(int n, long m) {
        int a0 = n + 0; long b0 = m * 1;
        int a2 = n + 2; long b2 = m * 3;
        int a4 = n + 4; long b4 = m * 5;
        int a6 = n + 6; long b6 = m * 7;
        int a8 = n + 8; long b8 = m * 9;
        int a10 = n + 10; long b10 = m * 11;
        int a12 = n + 12; long b12 = m * 13;
        int a14 = n + 14; long b14 = m * 15;
        int a16 = n + 16; long b16 = m * 17;
        int a18 = n + 18; long b18 = m * 19;
        int a20 = n + 20; long b20 = m * 21;
        int a22 = n + 22; long b22 = m * 23;
        int a24 = n + 24; long b24 = m * 25;
        int a26 = n + 26; long b26 = m * 27;
        int a28 = n + 28; long b28 = m * 29;
        int a30 = n + 30; long b30 = m * 31;
        int a32 = n + 32; long b32 = m * 33;
        int a34 = n + 34; long b34 = m * 35;
        int a36 = n + 36; long b36 = m * 37;
        int a38 = n + 38; long b38 = m * 39;
        int a40 = n + 40; long b40 = m * 41;
        int a42 = n + 42; long b42 = m * 43;
        int a44 = n + 44; long b44 = m * 45;
        int a46 = n + 46; long b46 = m * 47;
        int a48 = n + 48; long b48 = m * 49;
        int a50 = n + 50; long b50 = m * 51;
        int a52 = n + 52; long b52 = m * 53;
        int a54 = n + 54; long b54 = m * 55;
        int a56 = n + 56; long b56 = m * 57;
        int a58 = n + 58; long b58 = m * 59;
        int a60 = n + 60; long b60 = m * 61;
        int a62 = n + 62; long b62 = m * 63;
        int a64 = n + 64; long b64 = m * 65;
        int a66 = n + 66; long b66 = m * 67;
        int a68 = n + 68; long b68 = m * 69;
        int a70 = n + 70; long b70 = m * 71;
        int a72 = n + 72; long b72 = m * 73;
        int a74 = n + 74; long b74 = m * 75;
        int a76 = n + 76; long b76 = m * 77;
        int a78 = n + 78; long b78 = m * 79;
        int a80 = n + 80; long b80 = m * 81;
        int a82 = n + 82; long b82 = m * 83;
        int a84 = n + 84; long b84 = m * 85;
        int a86 = n + 86; long b86 = m * 87;
        int a88 = n + 88; long b88 = m * 89;
        int a90 = n + 90; long b90 = m * 91;
        int a92 = n + 92; long b92 = m * 93;
        int a94 = n + 94; long b94 = m * 95;
        int a96 = n + 96; long b96 = m * 97;
        int a98 = n + 98; long b98 = m * 99;
        int a100 = n + 100; long b100 = m * 101;
        int a102 = n + 102; long b102 = m * 103;
        int a104 = n + 104; long b104 = m * 105;
        int a106 = n + 106; long b106 = m * 107;
        int a108 = n + 108; long b108 = m * 109;
        int a110 = n + 110; long b110 = m * 111;
        int a112 = n + 112; long b112 = m * 113;
        int a114 = n + 114; long b114 = m * 115;
        int a116 = n + 116; long b116 = m * 117;
        int a118 = n + 118; long b118 = m * 119;
        int a120 = n + 120; long b120 = m * 121;
        int a122 = n + 122; long b122 = m * 123;
        int a124 = n + 124; long b124 = m * 125;
        int a126 = n + 126; long b126 = m * 127;
        int a128 = n + 128; long b128 = m * 129;
        double d130 = n + 130.5; float f130 = m; Object o130 = null;
        double d131 = n + 131.5; float f131 = m; Object o131 = null;
        double d132 = n + 132.5; float f132 = m; Object o132 = null;
        double d133 = n + 133.5; float f133 = m; Object o133 = null;
        double d134 = n + 134.5; float f134 = m; Object o134 = null;
        double d135 = n + 135.5; float f135 = m; Object o135 = null;
        double d136 = n + 136.5; float f136 = m; Object o136 = null;
        double d137 = n + 137.5; float f137 = m; Object o137 = null;
        double d138 = n + 138.5; float f138 = m; Object o138 = null;
        double d139 = n + 139.5; float f139 = m; Object o139 = null;
        double d140 = n + 140.5; float f140 = m; Object o140 = null;
        double d141 = n + 141.5; float f141 = m; Object o141 = null;
        double d142 = n + 142.5; float f142 = m; Object o142 = null;
        double d143 = n + 143.5; float f143 = m; Object o143 = null;
        double d144 = n + 144.5; float f144 = m; Object o144 = null;
        double d145 = n + 145.5; float f145 = m; Object o145 = null;
        double d146 = n + 146.5; float f146 = m; Object o146 = null;
        double d147 = n + 147.5; float f147 = m; Object o147 = null;
        double d148 = n + 148.5; float f148 = m; Object o148 = null;
        double d149 = n + 149.5; float f149 = m; Object o149 = null;
        for (int i = 0; i < 10; i++) { a128 += 1000 + i; a128 -= 3; b128 += a128; d149 += f149; o149 = o148; }
        return a0 + b0 + a26 + b26 + a52 + b52 + a78 + b78 + a104 + b104
               + a128 + b128 + (long) d149 + (o149 == null ? 1 : 0);
    }

    // ---- fields

    static class Fields {
        boolean z; byte b; char c; short s; int i; long j; float f; double d; Object o; Fields next;
        volatile boolean vz; volatile byte vb; volatile char vc; volatile short vs; volatile int vi; volatile long vj;
        volatile float vf; volatile double vd; volatile Object vo;
        static boolean sz; static byte sb; static char sc; static short ss; static int si; static long sj;
        static float sf; static double sd; static Object so;
        static volatile int svi; static volatile long svj; static volatile double svd; static volatile Object svo;

        void set(int n) {
            z = n > 3; b = (byte) n; c = (char) n; s = (short) n; i = n; j = n * 10000000000L; f = n * 0.5f;
            d = n / 3.0; o = this; next = this;
        }
        long sum() {
            return (z ? 1 : 0) + b + c + s + i + j + (long) f + (long) (d * 1000) + (o == this ? 1 : 0)
                   + (next.next.next == o ? 2 : 0);
        }
        void setVolatile(int n) {
            vz = n > 3; vb = (byte) n; vc = (char) n; vs = (short) n; vi = n; vj = n * 10000000000L; vf = n * 0.5f;
            vd = n / 3.0; vo = this; svi = n; svj = n * 3L; svd = n * 0.25; svo = this;
        }
        long sumVolatile() {
            return (vz ? 1 : 0) + vb + vc + vs + vi + vj + (long) vf + (long) (vd * 1000) + (vo == svo ? 1 : 0) + svi
                   + svj + (long) svd;
        }
        static void setStatic(int n) {
            sz = n > 3; sb = (byte) n; sc = (char) n; ss = (short) n; si = n; sj = n * 10000000000L; sf = n * 0.5f;
            sd = n / 3.0; so = "text";
        }
        static long sumStatic() {
            return (sz ? 1 : 0) + sb + sc + ss + si + sj + (long) sf + (long) (sd * 1000) + (so == "text" ? 1 : 0);
        }
        int chain() { int r = next.next.i++; next.i += 5; return r + ++next.next.next.i; }
        long chainLong() { long r = next.j++; next.j += 5; return r + (next.next.j *= 3); }
        static int twice(Fields a, Fields b, int n) { a.i = b.i = n; a.j = b.j = n; a.d = b.d = n; return a.i + b.i; }
    }
    static int fieldOf(Fields f) { return f.i; }
    static void setField(Fields f, long v) { f.j = v; f.d = v; }
    static int lengthOf(int[] a) { return a.length; }

    static void fields() {
        Fields f = new Fields();
        for (int n : INTS) {
            f.set(n);
            f.setVolatile(n);
            Fields.setStatic(n);
            System.out.println(f.sum() + " " + f.sumVolatile() + " " + Fields.sumStatic() + " " + f.chain() + " "
                               + f.chainLong() + " " + Fields.twice(f, new Fields(), n));
        }
        for (int i = 0; i < 3; i++) {
            try { System.out.println(fieldOf(null)); } catch (NullPointerException e) { System.out.println("null"); }
            try { setField(null, 3); } catch (NullPointerException e) { System.out.println("null"); }
            try { System.out.println(lengthOf(null)); } catch (NullPointerException e) { System.out.println("null"); }
            setField(f, i);
            System.out.println(fieldOf(f) + " " + f.j + " " + f.d);
        }
    }

    // ---- arrays

    static double z_access(boolean[] a, int i, int n) { a[i] = n > 2; return (a[i] ? 1 : 0) + a.length; }
    static double b_access(byte[] a, int i, int n) { a[i] = (byte) n; return a[i] + a.length; }
    static double c_access(char[] a, int i, int n) { a[i] = (char) n; return a[i] + a.length; }
    static double s_access(short[] a, int i, int n) { a[i] = (short) n; return a[i] + a.length; }
    static double i_access(int[] a, int i, int n) { a[i] = n; return a[i] + a.length; }
    static double j_access(long[] a, int i, int n) { a[i] = n * 10000000000L; return a[i] + a.length; }
    static double f_access(float[] a, int i, int n) { a[i] = n * 0.5f; return a[i] + a.length; }
    static double d_access(double[] a, int i, int n) { a[i] = n / 3.0; return a[i] + a.length; }
    static double o_access(Object[] a, int i, int n) {
        a[i] = n > 2 ? "x" : null;
        return (a[i] == null ? 0 : 1) + a.length;
    }
    static int compound(int[] a, int i, int j) { a[i]++; a[j] += a[i]; a[i] = a[j] = a[i] * 3; return a[i]-- + --a[j]; }
    static long compound(long[] a, int i, int j) {
        a[i]++; a[j] += a[i]; a[i] = a[j] = a[i] * 3;
        return a[i]-- + --a[j];
    }
    static double compound(double[] a, int i, int j) { a[i] += 2; return a[j] = a[i] = a[i] * a[j]; }
    static int nested(int[][] a, int i, int j) { a[i][j] += a[j][i]; return a[i].length + a[i][j]; }
    static void store(Object[] a, int i, Object v) { a[i] = v; }

    interface Access { double at(int length, int i, int n); }
    static void arrays() {
        Access[] all = {(l, i, n) -> z_access(l < 0 ? null : new boolean[l], i, n),
                        (l, i, n) -> b_access(l < 0 ? null : new byte[l], i, n),
                        (l, i, n) -> c_access(l < 0 ? null : new char[l], i, n),
                        (l, i, n) -> s_access(l < 0 ? null : new short[l], i, n),
                        (l, i, n) -> i_access(l < 0 ? null : new int[l], i, n),
                        (l, i, n) -> j_access(l < 0 ? null : new long[l], i, n),
                        (l, i, n) -> f_access(l < 0 ? null : new float[l], i, n),
                        (l, i, n) -> d_access(l < 0 ? null : new double[l], i, n),
                        (l, i, n) -> o_access(l < 0 ? null : new Object[l], i, n)};
        for (Access access : all) {
            long h = 0;
            String thrown = "";
            for (int length = -1; length < 4; length++)
                for (int i = -2; i < 5; i++)
                    for (int n : INTS) {
                        try { h = mix(h, access.at(length, i, n)); }
                        catch (RuntimeException e) { if (n == 0) thrown += " " + e.getMessage(); h = mix(h, 5L); }
                    }
            System.out.println(h + thrown);
        }
        int[] is = {1, 2, 3};
        long[] ls = {1, 2, 3};
        double[] ds = {1, 2, 3};
        int[][] iss = {{1, 2, 3}, {4, 5, 6}, null};
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) {
                String text = i + " " + j;
                try { text += " " + compound(is, i, j); } catch (RuntimeException e) { text += " " + e.getMessage(); }
                try { text += " " + compound(ls, i, j); } catch (RuntimeException e) { text += " " + e.getMessage(); }
                try { text += " " + compound(ds, i, j); } catch (RuntimeException e) { text += " " + e.getMessage(); }
                try { text += " " + nested(iss, i, j); } catch (RuntimeException e) { text += " " + e.getClass(); }
                System.out.println(text);
            }
        Object[] holders = {new Object[1], new String[1], new Number[1], new Integer[1], new Comparable[1],
                            new int[1][], new Object[1][], new Level9[1], new Level2[1], new Runnable[1], null};
        for (int round = 0; round < 3; round++)
            for (Object holder : holders) {
                String text = "";
                for (Object v : VALUES) {
                    try { store((Object[]) holder, 0, v); text += "+"; }
                    catch (ArrayStoreException e) { text += " " + e.getMessage() + " "; }
                    catch (NullPointerException e) { text += "0"; }
                }
                System.out.println(text);
            }
    }

    // ---- allocation and types

    static class Level1 { int a; } static class Level2 extends Level1 { } static class Level3 extends Level2 { }
    static class Level4 extends Level3 { } static class Level5 extends Level4 { } static class Level6 extends Level5 { }
    static class Level7 extends Level6 { } static class Level8 extends Level7 { } static class Level9 extends Level8
        implements Runnable { public void run() { } }
    static final Object[] VALUES = {null, "text", 1, 2L, new Object(), new Level1(), new Level5(), new Level9(),
                                    new int[0],
                                    new long[0], new Object[0], new String[0], new int[0][], new String[0][],
                                    new Runnable() { public void run() { } }};

    static Object newObject() { return new Level1(); }
    static int[] newInts(int n) { return new int[n]; }
    static long[] newLongs(int n) { return new long[n]; }
    static byte[] newBytes(int n) { return new byte[n]; }
    static String[] newStrings(int n) { return new String[n]; }
    static Level9[][] newNested(int n) { return new Level9[n][]; }

    static boolean is0(Object o) { return o instanceof Object; }
    static Object as0(Object o) { return (Object) o; }
    static boolean is1(Object o) { return o instanceof String; }
    static Object as1(Object o) { return (String) o; }
    static boolean is2(Object o) { return o instanceof Integer; }
    static Object as2(Object o) { return (Integer) o; }
    static boolean is3(Object o) { return o instanceof Number; }
    static Object as3(Object o) { return (Number) o; }
    static boolean is4(Object o) { return o instanceof Comparable; }
    static Object as4(Object o) { return (Comparable) o; }
    static boolean is5(Object o) { return o instanceof Runnable; }
    static Object as5(Object o) { return (Runnable) o; }
    static boolean is6(Object o) { return o instanceof Level1; }
    static Object as6(Object o) { return (Level1) o; }
    static boolean is7(Object o) { return o instanceof Level5; }
    static Object as7(Object o) { return (Level5) o; }
    static boolean is8(Object o) { return o instanceof Level8; }
    static Object as8(Object o) { return (Level8) o; }
    static boolean is9(Object o) { return o instanceof Level9; }
    static Object as9(Object o) { return (Level9) o; }
    static boolean is10(Object o) { return o instanceof int[]; }
    static Object as10(Object o) { return (int[]) o; }
    static boolean is11(Object o) { return o instanceof Object[]; }
    static Object as11(Object o) { return (Object[]) o; }
    static boolean is12(Object o) { return o instanceof String[]; }
    static Object as12(Object o) { return (String[]) o; }
    static boolean is13(Object o) { return o instanceof Object[][]; }
    static Object as13(Object o) { return (Object[][]) o; }
    static boolean is14(Object o) { return o instanceof Cloneable; }
    static Object as14(Object o) { return (Cloneable) o; }

    interface Test { boolean of(Object o); }
    interface Cast { Object of(Object o); }
    static void types() {
        Test[] tests = {CompiledLeaves::is0, CompiledLeaves::is1, CompiledLeaves::is2,
                        CompiledLeaves::is3, CompiledLeaves::is4, CompiledLeaves::is5, CompiledLeaves::is6,
                        CompiledLeaves::is7, CompiledLeaves::is8, CompiledLeaves::is9, CompiledLeaves::is10,
                        CompiledLeaves::is11, CompiledLeaves::is12, CompiledLeaves::is13, CompiledLeaves::is14};
        Cast[] casts = {CompiledLeaves::as0, CompiledLeaves::as1, CompiledLeaves::as2,
                        CompiledLeaves::as3, CompiledLeaves::as4, CompiledLeaves::as5, CompiledLeaves::as6,
                        CompiledLeaves::as7, CompiledLeaves::as8, CompiledLeaves::as9, CompiledLeaves::as10,
                        CompiledLeaves::as11, CompiledLeaves::as12, CompiledLeaves::as13, CompiledLeaves::as14};
        for (int round = 0; round < 3; round++)
            for (int k = 0; k < tests.length; k++) {
                String text = "";
                for (Object v : VALUES) {
                    text += tests[k].of(v) ? "1" : "0";
                    try { text += casts[k].of(v) == v ? "=" : "?"; } catch (ClassCastException e) { text += "!"; }
                }
                System.out.println(text);
            }
        long h = 0;
        for (int n : INTS) {
            if (n > 100000) continue;
            try { h = mix(h, newInts(n).length + newLongs(n).length + newBytes(n).length + newStrings(n).length); }
            catch (NegativeArraySizeException e) { System.out.println(e.getMessage()); }
            try { h = mix(h, newNested(n).length); }
            catch (NegativeArraySizeException e) { System.out.println(e.getMessage()); }
        }
        System.out.println(h + " " + (newObject() != newObject()) + " " + newObject().getClass());
    }

    // ---- control

    static int dense(int n) {
        switch (n) {
        case -2: return 1; case -1: return 2; case 0: return 3; case 1: return 4; case 2: return 5; case 3: return 6;
        case 4: return 7; case 5: return 8; case 6: return 9; default: return 0;
        }
    }
    static int sparse(int n) {
        switch (n) {
        case Integer.MIN_VALUE: return 1; case -1: return 2; case 0: return 3; case 255: return 4; case 32768: return 5;
        case 0x12345678: return 6; case Integer.MAX_VALUE: return 7; default: return n >> 1;
        }
    }
    static int machine(int n) {
        int state = 0, steps = 0;
        for (;;) {
            steps++;
            switch (state) {
            case 0: state = n > 10 ? 1 : 2; continue;
            case 1: n -= 7; state = 0; continue;
            case 2: if (n < 0) return steps * 100 - n; n -= 3; state = 3; continue;
            default: state = 2;
            }
        }
    }
    static int ternaries(int a, int b, int c) {
        return (a > b ? a : b) + ((b > c ? (a == c ? b : c) : a) * (c != 0 ? a : b)) - (a < c ? -1 : a > c ? 1 : 0);
    }
    static long loops(int n) {
        long sum = 0;
        outer:
        for (int i = 0; i < n; i++) {
            for (int j = i; j >= 0; j--) {
                if ((i ^ j) % 7 == 3) continue outer;
                if (sum > 1L << 40) break outer;
                sum += i * j;
            }
            do { sum ^= i; } while (sum % 3 == 1);
        }
        return sum;
    }
    static int caught(int[] a, int i, int by) {
        int r = 0;
        try { r = a[i] / by; r += 100; }
        catch (ArithmeticException e) { r = -1; }
        catch (ArrayIndexOutOfBoundsException e) { r = -2 - i; }
        catch (NullPointerException e) { r = -100; }
        finally { r *= 2; }
        return r;
    }
    static int caughtInLoop(int[] a, int n) {
        int sum = 0;
        for (int i = -n; i < n; i++) {
            try { sum += a[i] + i; } catch (ArrayIndexOutOfBoundsException e) { sum += 3; }
        }
        return sum;
    }
    static boolean truth(int a, long b) { return a > b; }
    static byte small(int a) { return (byte) (a + 1); }
    static char letter(int a) { return (char) (a * 3); }
    static short brief(int a) { return (short) (a - 5); }
    static Object first(Object[] a) { return a[0]; }
    static Class<?> literal(int n) { return n > 0 ? String.class : int[].class; }
    static String text(int n) { return n > 0 ? "positive" : "not"; }

    static void control() {
        for (int n : INTS) {
            StringBuilder b = new StringBuilder();
            b.append(dense(n)).append(' ').append(sparse(n)).append(' ');
            b.append(n < 70000 && n > -70000 ? machine(n) : 0);
            b.append(' ').append(ternaries(n, 3, n & 7)).append(' ').append(ternaries(5, n, n)).append(' ');
            b.append(loops(n & 255)).append(' ').append(truth(n, 7)).append(small(n)).append(' ');
            b.append((int) letter(n));
            b.append(' ').append(brief(n)).append(' ').append(literal(n)).append(text(n));
            b.append(' ').append(manyLocals(n, n * 3L));
            System.out.println(b);
        }
        int[] a = {10, 20, 30};
        for (int i = -1; i < 4; i++)
            System.out.println(caught(a, i, i) + " " + caught(a, i, 1) + " " + caught(null, i, i));
        System.out.println(caughtInLoop(a, 5) + " " + first(new Object[] {"x"}));
        try { first(new Object[0]); }
        catch (ArrayIndexOutOfBoundsException e) { System.out.println(e.getStackTrace()[0].getMethodName()); }
    }

    // ---- stops and collections while compiled code loops

    static volatile boolean done;
    static int[] kept;
    static long spin(int n) { long s = 0; for (int i = 0; i < n && !done; i++) s += i; return s; }
    static Object[] allocate(int n) {
        Object[] chain = null;
        for (int i = 0; i < n; i++) {
            Object[] link = new Object[3];
            link[0] = chain;
            link[1] = new Level9();
            link[2] = new int[i & 63];
            chain = (i & 1023) == 0 ? null : link;
        }
        return chain;
    }
    static int measure(Object[] chain) {
        int n = 0;
        for (; chain != null; chain = (Object[]) chain[0]) n += ((int[]) chain[2]).length + ((Level9) chain[1]).a + 1;
        return n;
    }

    static void stops() throws Exception {
        Thread other = new Thread(() -> {
            for (int i = 0; i < 20; i++) System.gc();
            done = true;
        });
        other.start();
        long rounds = 0;
        while (!done) {
            spin(10000);
            measure(allocate(200));
            rounds++;
        }
        other.join();
        System.out.println(rounds > 0);
        for (int i = 0; i < 20; i++) System.out.println(measure(allocate(20000 + i * 37)));
    }

    public static void main(String[] args) throws Exception {
        numbers();
        fields();
        arrays();
        types();
        control();
        stops();
    }
}
