// long and double values in every position: parameters, locals, fields, statics, arrays, returns, operand stack.
public class LongDoublePositions {
    static long sl = 0x123456789abcdefL;
    static double sd = Math.PI;
    static volatile long svl = -1;
    static volatile double svd = -0.0;
    long fl = Long.MIN_VALUE;
    double fd = Double.MIN_VALUE;
    volatile long fvl = 77;
    volatile double fvd = 7.7;
    int between = 42;

    static String many(int a, long b, int c, double d, float e, long f, byte g, double h, Object i, long j, boolean k,
                       double l) {
        return a + "," + b + "," + c + "," + d + "," + e + "," + f + "," + g + "," + h + "," + i + "," + j + "," + k
            + "," + l;
    }
    String manyInstance(long a, double b, long c, double d, int e, long f) {
        long x = a + c + f;
        double y = b * d;
        return x + ":" + y + ":" + e + ":" + fl + ":" + between;
    }
    static long chain(long a, long b) { return b == 0 ? a : chain(b, a % b); }
    static double pick(boolean b, double x, double y) { return b ? x : y; }
    static long postfix(long[] a, int i) { return a[i]++ + a[i]-- * ++a[i]; }
    static double compound(double[] a, int i) {
        a[i] += 1.5;
        a[i] *= a[i];
        a[i] -= 0.25;
        a[i] /= 3;
        a[i] %= 2;
        return a[i];
    }

    public static void main(String[] args) {
        System.out.println(
            many(1, 2L << 40, 3, 4.5, 5.5f, -6L, (byte) 7, -8.25, "nine", Long.MAX_VALUE, true, Double.MAX_VALUE));
        LongDoublePositions p = new LongDoublePositions();
        System.out.println(p.manyInstance(1, 2.5, 3, 4, 5, 6));
        System.out.println(sl + " " + sd + " " + svl + " " + svd + " " + p.fl + " " + p.fd + " " + p.fvl + " " + p.fvd);
        sl++; sd++; svl--; svd -= 1; p.fl--; p.fd *= 2; p.fvl <<= 3; p.fvd /= 7;
        System.out.println(sl + " " + sd + " " + svl + " " + svd + " " + p.fl + " " + p.fd + " " + p.fvl + " " + p.fvd);
        long before = p.fl++;
        double prev = p.fd--;
        System.out.println(before + " " + prev + " " + p.fl + " " + p.fd + " " + (p.fl = 9) + " " + (sd = 3.25));
        System.out.println(chain(1071L << 33, 462L << 33));
        System.out.println(pick(true, 1.25, 2.5) + " " + pick(false, 1.25, 2.5));
        long[] la = {1, 2, 3};
        double[] da = {0.5, 1.5};
        System.out.println(postfix(la, 1) + " " + la[1] + " " + compound(da, 0) + " " + da[0]);
        long x = la[0] = la[2] = 17L;
        double y = da[1] = 4;
        System.out.println(x + " " + la[0] + " " + la[2] + " " + y);
        long[][] grid = new long[3][4];
        grid[1][2] = 5; grid[1][2] += 6L; grid[2][3] = grid[1][2]++;
        System.out.println(grid[1][2] + " " + grid[2][3]);
        System.out.println((Long) x + (Double) y);
        Object o = x; Object q = y;
        System.out.println(o.equals(17L) + " " + q.equals(4.0) + " " + o.hashCode() + " " + q.hashCode());
        long l0 = 0, l1 = 1, l2 = 2, l3 = 3;
        double d0 = 0, d1 = 1, d2 = 2, d3 = 3;
        System.out.println(l0 + l1 * l2 - l3 + (d0 + d1 * d2 - d3));
        System.out.println(0L + " " + 1L + " " + 0.0 + " " + 1.0 + " " + 0f + " " + 1f + " " + 2f + " " + 2L);
    }
}
