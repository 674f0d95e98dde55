// Every int and long operation on corner values: add, sub, mul, div, rem, neg, shifts, and/or/xor, compares.
public class IntegerArithmetic {
    static final int[] I = {0,
                            1,
                            -1,
                            2,
                            -2,
                            7,
                            -7,
                            31,
                            32,
                            33,
                            63,
                            64,
                            255,
                            -256,
                            65535,
                            0x12345678,
                            Integer.MAX_VALUE,
                            Integer.MIN_VALUE,
                            Integer.MIN_VALUE + 1};
    static final long[] L = {0,
                             1,
                             -1,
                             2,
                             -2,
                             7,
                             -7,
                             31,
                             32,
                             63,
                             64,
                             65,
                             0xffffffffL,
                             0x123456789abcdef0L,
                             Integer.MIN_VALUE,
                             Long.MAX_VALUE,
                             Long.MIN_VALUE,
                             Long.MIN_VALUE + 1};
    static long hash = 17;

    static void mix(long v) { hash = hash * 1000003 + v; }

    static void ints(int a, int b, boolean print) {
        int[] r = {a + b,
                   a - b,
                   a * b,
                   b == 0 ? 0 : a / b,
                   b == 0 ? 0 : a % b,
                   -a,
                   ~b,
                   a << b,
                   a >> b,
                   a >>> b,
                   a & b,
                   a | b,
                   a ^ b,
                   a < b ? 1 : 0,
                   a <= b ? 1 : 0,
                   a > b ? 1 : 0,
                   a >= b ? 1 : 0,
                   a == b ? 1 : 0,
                   a != b ? 1 : 0};
        for (int v : r) mix(v);
        if (print) {
            StringBuilder s = new StringBuilder(a + "," + b + ":");
            for (int v : r) s.append(' ').append(v);
            System.out.println(s);
        }
    }

    static void longs(long a, long b, boolean print) {
        long[] r = {a + b,
                    a - b,
                    a * b,
                    b == 0 ? 0 : a / b,
                    b == 0 ? 0 : a % b,
                    -a,
                    ~b,
                    a << b,
                    a >> b,
                    a >>> b,
                    a << (int) b,
                    a & b,
                    a | b,
                    a ^ b,
                    a < b ? 1 : 0,
                    a <= b ? 1 : 0,
                    a > b ? 1 : 0,
                    a >= b ? 1 : 0,
                    a == b ? 1 : 0,
                    a != b ? 1 : 0,
                    Long.compare(a, b)};
        for (long v : r) mix(v);
        if (print) {
            StringBuilder s = new StringBuilder(a + "," + b + ":");
            for (long v : r) s.append(' ').append(v);
            System.out.println(s);
        }
    }

    static void zero() {
        int z = 0;
        long zl = 0;
        try {
            System.out.println(1 / z);
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        try {
            System.out.println(1 % z);
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        try {
            System.out.println(1 / zl);
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        try {
            System.out.println(1 % zl);
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
    }

    public static void main(String[] args) {
        for (int i = 0; i < I.length; i++)
            for (int j = 0; j < I.length; j++) ints(I[i], I[j], (i * 5 + j * 3) % 11 == 0);
        System.out.println(hash);
        for (int i = 0; i < L.length; i++)
            for (int j = 0; j < L.length; j++) longs(L[i], L[j], (i * 5 + j * 3) % 11 == 0);
        System.out.println(hash);
        zero();
        System.out.println(Integer.MIN_VALUE / -1 + " " + Integer.MIN_VALUE % -1 + " " + Long.MIN_VALUE / I[2] + " "
                           + Long.MIN_VALUE % I[2]);
        int c = -1;
        c += 127;
        c += -128;
        c += 32767;
        c += -32768;
        c += 40000;
        c -= 40000;
        System.out.println(c);
        int m1 = -1, p2 = 2, p3 = 3, p4 = 4, p5 = 5;
        System.out.println(m1 + p2 * p3 - p4 / p5 + 100 - 1000 + 100000);
    }
}
