// Methods that call nothing, run so often and in loops so long that an optimising compiler takes them: every kind of
// arithmetic, array, branch and conversion with its edge values; loops in loops; more values than there are registers;
// what fails in the middle of an expression, in loops and around them.
import java.util.Arrays;

public class OptimisedLoops {
    static final int[] INTS = {0, 1, -1, 2, -2, 7, 31, 32, 33, 63, 64, 255, 256, -128, 32767, 65535, 65536, 1 << 30,
                               Integer.MAX_VALUE, Integer.MAX_VALUE - 1, Integer.MIN_VALUE, Integer.MIN_VALUE + 1};
    static final long[] LONGS = {0, 1, -1, 2, -2, 63, 64, 65, 1L << 31, (1L << 31) - 1, -(1L << 31), 1L << 32,
        1L << 62,
                                 Long.MAX_VALUE, Long.MAX_VALUE - 1, Long.MIN_VALUE, Long.MIN_VALUE + 1,
                                     0x123456789L};
    static final float[] FLOATS = {0f, -0f, 1f, -1f, 0.5f, 1.5f, 2147483647f, -2147483648f, 3e9f, -3e9f, 1e19f,
        -1e19f,
                                   Float.MIN_VALUE, Float.MAX_VALUE, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY,
                                   Float.NaN, 16777217f};
    static final double[] DOUBLES = {0d, -0d, 1d, -1d, 0.5, 1.5, 2147483647d, -2147483649d, 9e18, 1e19, -1e19,
        4.9e-324,
                                     Double.MAX_VALUE, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY,
                                         Double.NaN};
    static final int TURNS = 150;

    // ---- arithmetic: each pair of edge values

    static int ints(int[] v) {
        int h = 1;
        for (int i = 0; i < v.length; i++) {
            for (int j = 0; j < v.length; j++) {
                int a = v[i], b = v[j];
                h = h * 31 + (a + b); h = h * 31 + (a - b); h = h * 31 + a * b; h = h * 31 + (a & b);
                    h = h * 31 + (a | b);
                h = h * 31 + (a ^ b); h = h * 31 + (a << b); h = h * 31 + (a >> b); h = h * 31 + (a >>> b); h ^= -a;
                    h += ~b;
                if (b != 0) { h = h * 31 + a / b; h = h * 31 + a % b; }
                h = h * 31 + a / 2 + a / 16 + a / 7 + a / -3 + a % 8 + a % 10 + a / 1 + a / -1 + a % 1 + a % -1;
                h = h * 31 + a * 8 + a * 3 + a * -1 + a * 0 + (a << 33) + (a >> 31) + (a >>> 1) + (a + 0) + (a & -1);
                h = h * 31 + (5 - a) + (a < b ? 1 : 2) + (a <= b ? 3 : 4) + (a > b ? 5 : 6) + (a >= b ? 7 : 8)
                    + (a == b ? 9 : 10) + (a != b ? 11 : 12) + (byte) a + (short) b + (char) a;
            }
        }
        return h;
    }
    static long longs(long[] v) {
        long h = 1;
        for (int i = 0; i < v.length; i++) {
            for (int j = 0; j < v.length; j++) {
                long a = v[i], b = v[j];
                h = h * 31 + (a + b); h = h * 31 + (a - b); h = h * 31 + a * b; h = h * 31 + (a & b);
                    h = h * 31 + (a | b);
                h = h * 31 + (a ^ b); h = h * 31 + (a << b); h = h * 31 + (a >> (int) b); h = h * 31 + (a >>> b);
                    h ^= -a;
                if (b != 0) { h = h * 31 + a / b; h = h * 31 + a % b; }
                h = h * 31 + a / 2 + a / 1024 + a / 7 + a / -3 + a % 8 + a % 1000 + a / 1 + a / -1 + a % -1
                    + a / (1L << 40);
                h = h * 31 + (a < b ? 1 : 2) + (a <= b ? 3 : 4) + (a > b ? 5 : 6) + (a >= b ? 7 : 8)
                    + (a == b ? 9 : 10);
                h = h * 31 + (int) a + (a & 0xffffffffffL) + (0x100000000L - b) + (short) a + (byte) b;
            }
        }
        return h;
    }
    static int order(long a, long b) { return a < b ? -1 : a > b ? 1 : 0; }
    static int longOrder(long[] v, int[] out) {
        int n = 0;
        for (int i = 0; i < v.length; i++)
            for (int j = 0; j < v.length; j++) {
                boolean less = v[i] < v[j], greater = v[i] > v[j];
                out[n & 63] += (less ? 1 : 0) - (greater ? 2 : 0);
                n++;
            }
        return n;
    }
    static float floats(float[] v, int[] bits) {
        float s = 0;
        for (int i = 0; i < v.length; i++) {
            for (int j = 0; j < v.length; j++) {
                float a = v[i], b = v[j], c = a * b + a / b - (a - b) + -a;
                int k = (a < b ? 1 : 0) + (a <= b ? 2 : 0) + (a > b ? 4 : 0) + (a >= b ? 8 : 0) + (a == b ? 16 : 0)
                        + (a != b ? 32 : 0) + (!(a < b) ? 64 : 0) + (!(a >= b) ? 128 : 0);
                bits[k & 7] += k + (int) a + (int) (long) b + (int) (double) a;
                if (c == c && c < 1e30f && c > -1e30f) s = s * 0.5f + c * 1e-30f;
            }
        }
        return s;
    }
    static double doubles(double[] v, long[] bits) {
        double s = 0;
        for (int i = 0; i < v.length; i++) {
            for (int j = 0; j < v.length; j++) {
                double a = v[i], b = v[j], c = a * b + a / b - (a - b) + -a;
                int k = (a < b ? 1 : 0) + (a <= b ? 2 : 0) + (a > b ? 4 : 0) + (a >= b ? 8 : 0) + (a == b ? 16 : 0)
                        + (a != b ? 32 : 0) + (!(a > b) ? 64 : 0) + (!(a <= b) ? 128 : 0);
                bits[k & 7] += k + (int) a + (long) b + (long) (float) a;
                if (c == c && c < 1e300 && c > -1e300) s = s * 0.5 + c * 1e-300;
            }
        }
        return s;
    }
    static double mixed(int n) {
        double d = 0;
        float f = 0;
        long l = 0;
        for (int i = -n; i < n; i++) {
            f += i; d += f; l += (long) d; d -= (float) l; f = (float) (d * 0.25); d = l + i; l = (long) f + (int) d;
            d += (double) i * (byte) l; f -= (char) i; l ^= (short) (i * 77);
        }
        return d + f + l;
    }

    // ---- arrays of every type

    static long everyArray(boolean[] z, byte[] b, char[] c, short[] s, int[] i, long[] j, float[] f, double[] d,
        Object[] l) {
        long h = 0;
        for (int k = 0; k < z.length; k++) {
            z[k] = (k & 3) == 1; b[k] = (byte) (k * 37); c[k] = (char) (k * 7919); s[k] = (short) (k * 1234);
            i[k] = k * k; j[k] = (long) k << 33; f[k] = k * 0.5f; d[k] = k / 3.0; l[k] = l;
            if ((k & 7) == 3) l[k] = null;
        }
        for (int k = z.length - 1; k >= 0; k--) {
            h = h * 31 + (z[k] ? 1 : 0) + b[k] + c[k] + s[k] + i[k] + j[k] + (long) f[k] + (long) d[k];
            h += l[k] == l ? 5 : l[k] == null ? 7 : 11;
        }
        return h;
    }
    static int at(int[] a, int i) { return a[i]; }
    static void put(byte[] a, int i, int v) { a[i] = (byte) v; }
    static int length(Object[] a) { return a.length; }
    static int far(int[] a) { return a[20000000] + a[-1]; }

    // ---- loops: their variables, their begins, their ends

    static int upTo(int[] a) { int s = 0; for (int i = 0; i < a.length; i++) s += a[i]; return s; }
    static int from(int[] a, int i) { int s = 0; for (; i < a.length; i++) s = s * 3 + a[i]; return s; }
    static int downTo(int[] a) { int s = 0; for (int i = a.length; --i >= 0;) s = s * 3 + a[i]; return s; }
    static int byTwo(int[] a) { int s = 0; for (int i = 0; i < a.length; i += 2) s = s * 3 + a[i]; return s; }
    static int changing(int[] a) {
        int s = 0;
        for (int i = 0; i < a.length; i++) { s = s * 3 + a[i]; if (s % 5 == 0) i -= 1 - (s & 1); s++; }
        return s;
    }
    static int other(int[] a, int[] b) { int s = 0; for (int i = 0; i < a.length; i++) s = s * 3 + b[i]; return s; }
    static int doWhile(int n) { int s = 0; do { s = s * 3 + n; } while (--n > 0); return s; }
    static int late(int n) { int s = 0, i = 0; for (;;) { s += i; if (++i > n) break; if ((i & 1) == 0) continue;
        s ^= i; } return s; }
    static int labelled(int n) {
        int s = 0;
        outer:
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                if (j == i) continue outer;
                if (i * j > n * 3) break outer;
                for (int k = j; k < i; k++) { if ((k ^ s) % 7 == 3) break; s += k; }
                s = s * 3 + j;
            }
        }
        return s;
    }
    static long exchange(int n) { int a = 1, b = 2, c = 3; for (int i = 0; i < n; i++) { int t = a; a = b; b = c;
        c = t + i; } return a * 1000003L + b * 31L + c; }
    static double exchangeFloats(int n) { double a = 1, b = 2, c = 3; for (int i = 0; i < n; i++) { double t = a;
        a = b; b = c; c = t * 0.5 + i; } return a * 100 + b * 10 + c; }
    static void multiply(double[][] a, double[][] b, double[][] c) {
        for (int i = 0; i < a.length; i++)
            for (int j = 0; j < b[0].length; j++) {
                double s = 0;
                for (int k = 0; k < b.length; k++) s += a[i][k] * b[k][j];
                c[i][j] = s;
            }
    }
    static void sort(int[] a) {
        for (int i = 1; i < a.length; i++) {
            int v = a[i], j = i - 1;
            while (j >= 0 && a[j] > v) { a[j + 1] = a[j]; j--; }
            a[j + 1] = v;
        }
    }
    static int switches(int n) {
        int s = 0;
        for (int i = -n; i < n; i++) {
            switch (i & 15) {
                case 0: s += 1; break;
                case 1: s ^= 2;
                case 2: s -= i; break;
                case 3: case 4: continue;
                case 7: s *= 3; break;
                case 9: if (s > 1000000) s = 0; break;
                default: s += 7;
            }
            switch (i) {
                case -100000: s = 1; break;
                case -7: s += 2; break;
                case 0: s += 3; break;
                case 5: s += 4; break;
                case 1000: s += 5; break;
                case Integer.MAX_VALUE: s += 6; break;
            }
        }
        return s;
    }
    static long registers(int n, long seed) {
        long a = seed, b = 1, c = 2, d = 3, e = 4, f = 5, g = 6, h = 7, i = 8, j = 9, k = 10, l = 11, m = 12;
        for (int x = 0; x < n; x++) {
            a += b; b ^= c; c -= d; d += e * 3; e ^= f >>> 3; f += g; g -= h; h ^= i; i += j; j -= k; k ^= l;
                l += m; m ^= a << (x & 7);
            if (b != 0) a += c / b;
        }
        return a + b * 3 + c * 5 + d * 7 + e * 11 + f * 13 + g * 17 + h * 19 + i * 23 + j * 29 + k * 31 + l * 37
            + m * 41;
    }
    static double floatRegisters(int n) {
        double a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, i = 9, j = 10, k = 11, l = 12, m = 13,
            o = 14, p = 15, q = 16, r = 17, s = 18;
        for (int x = 0; x < n; x++) {
            a = b * 0.5; b = c - 1; c = d * 0.25; d = e + x; e = -f; f = g / 3; g = h; h = i - j; i = j * 0.125;
                j = k; k = l + 1;
            l = m * 0.5; m = o; o = p - q; p = q * 0.75; q = r + 2; r = s * 0.5; s = a + 3;
        }
        return a + b + c + d + e + f + g + h + i + j + k + l + m + o + p + q + r + s;
    }

    // ---- fields

    static boolean sz; static byte sb; static char sc; static short ss; static int si; static long sj;
        static float sf;
    static double sd; static Object sl; static volatile int sv; static final int CONSTANT = 17;
    boolean z; byte b; char c; short s; int i; long j; float f; double d; Object l; volatile long v;
    OptimisedLoops next;

    static long statics(int n, Object o) {
        for (int k = 0; k < n; k++) {
            sz = (k & 1) != 0; sb += k; sc += sb; ss -= sc; si = si * 31 + ss; sj += si; sf = sf * 0.5f + k;
                sd = sd * 0.5 - sf;
            sl = sz ? o : null; sv += k + CONSTANT;
            if (sl == o) sj++;
        }
        return sj + sv + (long) sf + (long) sd + si + (sz ? 1 : 2);
    }
    long fields(int n) {
        for (int k = 0; k < n; k++) {
            z = (k & 1) != 0; b += k; c += b; s -= c; i = i * 31 + s; j += i; f = f * 0.5f + k; d = d * 0.5 - f;
                v += j;
            l = z ? this : null;
            if (l != null) j++;
        }
        return j + v + (long) f + (long) d + i + b + c + s;
    }
    static int changed(OptimisedLoops o, int[] a, int n) {
        int s = 0;
        for (int k = 0; k < n; k++) {
            o.i += k;
            s = s * 3 + o.i + CHANGED[1];
            CHANGED[1] = s ^ o.i;
            a[0] += a[k % a.length] + k;
            changed = changed * 31 + a[0];
        }
        return s + changed;
    }
    static final int[] CHANGED = new int[2];
    static int changed;
    static int chain(OptimisedLoops o) { int n = 0; for (; o != null; o = o.next) n += o.i; return n; }
    static int chainTo(OptimisedLoops o, int n) { while (n-- > 0) o = o.next; return o.i; }

    // ---- types

    interface Shape {} static class Round implements Shape { int r = 3; } static class Square implements Shape {
        int a = 4; }
    static class Large extends Square { int b = 5; }
    static int types(Object[] o) {
        int n = 0;
        for (int k = 0; k < o.length; k++) {
            Object x = o[k];
            if (x instanceof Large) n += ((Large) x).b + ((Square) x).a;
            else if (x instanceof Square) n += ((Square) x).a * 10;
            else if (x instanceof Shape) n += 100 + ((Round) x).r;
            else if (x instanceof int[]) n += ((int[]) x).length * 1000;
            else if (x instanceof Object[]) n += ((Object[]) x).length * 10000;
            else if (x == null) n += 1;
        }
        return n;
    }
    static int cast(Object o) { return ((Square) o).a; }
    static int castShape(Object[] o, int k) { Shape s = (Shape) o[k]; return s == null ? 1 : 2; }
    static void fill(Object[] a, Object v) { for (int k = 0; k < a.length; k++) a[k] = v; }

    // ---- failures, with operands beneath them, in loops and around them

    static int divides(int a, int b) { return 5 * a + (7 + a / b) * (a - a % b); }
    static long divides(long a, long b) { return 5 * a + (7 + a / b) * (a - a % b); }
    static int sumUntil(int[] a, int n) { int s = 0; try { for (int k = 0; k < n; k++) s = s * 3 + a[k];
        } catch (ArrayIndexOutOfBoundsException e) { return ~s; } return s; }
    static int caughtInside(int[] a, int n) {
        int s = 0;
        for (int k = 0; k < n; k++) {
            try { s = s * 3 + a[k * 2] / (k % 50 - 9); } catch (ArrayIndexOutOfBoundsException e) { s ^= k;
                } catch (ArithmeticException e) { s += 17; } finally { s++; }
        }
        return s;
    }
    /* the handler, which is interpreted, sets the loop's variable back to where there is no element */
    static int setBack(int[] a, int at) {
        int s = 0;
        for (int k = 0; k < a.length; k++) {
            try {
                s = s * 3 + a[k];
                if (k == at) s /= k - at;
            } catch (ArithmeticException e) {
                k = -3;
                at = -1;
            } catch (ArrayIndexOutOfBoundsException e) {
                s += 1000;
            }
        }
        return s;
    }
    static int nullInside(Object[][] a, int n) {
        int s = 0;
        for (int k = 0; k < n; k++) { try { s += a[k % a.length].length; } catch (NullPointerException e) {
            s += 1000; } }
        return s;
    }
    static int throwsAt(int n, RuntimeException e) { int s = 0; for (int k = 0; ; k++) { s += k;
        if (k == n) throw e; } }
    static int storesInside(Object[] a, Object v, int n) {
        int s = 0;
        for (int k = 0; k < n; k++) { try { a[k % a.length] = (k & 1) == 0 ? null : v; s++;
            } catch (ArrayStoreException e) { s += 100; } }
        return s;
    }
    static int rare(int n, boolean often) {
        int s = 0;
        for (int k = 0; k < n; k++) { s += k; if (often && k % 3 == 0) s += Integer.toString(k).length(); }
        return s;
    }
    static synchronized int locked(int n) { int s = 0; for (int k = 0; k < n; k++) s += k; return s; }
    static boolean narrow(int n) { return (n & 1) != 0; }
    static byte narrowByte(int n) { return (byte) n; }
    static char narrowChar(int n) { return (char) n; }
    static short narrowShort(int n) { return (short) n; }
    static float oneFloat(float a, float b) { return a < b ? a * 2 : b / 3; }

    static String tried(int way, int n) {
        int[] a = new int[100];
        for (int k = 0; k < a.length; k++) a[k] = k * 7 - 50;
        Object[] o = {new Round(), new Square(), null, new Large(), "text", new int[3], new String[2],
            Integer.valueOf(5)};
        try {
            switch (way) {
                case 0: return "" + divides(n, n % 10);
                case 1: return "" + divides((long) n << 33, n % 10);
                case 2: return "" + at(a, n % 120 - 10);
                case 3: put(new byte[n % 20], 10, n); return "put";
                case 4: return "" + cast(o[n % 8]);
                case 5: return "" + castShape(o, n % 8);
                case 6: fill(n % 3 == 0 ? new Object[9] : n % 3 == 1 ? new String[9] : new Shape[9], o[n % 8]);
                    return "filled";
                case 7: return "" + chainTo(chain, n % 7);
                case 8: return "" + length(n % 9 == 0 ? null : o);
                case 9: return "" + other(a, n % 11 == 0 ? new int[50] : n % 13 == 0 ? null : a);
                case 10: return "" + from(a, n % 10 == 0 ? -1 : n % 120);
                case 11: return "" + throwsAt(n % 30, new IllegalStateException("x" + n));
                case 12: return "" + sumUntil(a, n % 200);
                default: return "" + far(a);
            }
        } catch (RuntimeException e) {
            return e.toString() + " " + e.getStackTrace()[0].getLineNumber();
        }
    }
    static OptimisedLoops chain;

    // ---- each many times, with a check sum

    static long sum(long h, Object v) { return h * 31 + v.hashCode(); }

    static void repeated() {
        long h = 0;
        for (int t = 0; t < TURNS; t++) {
            h = sum(h, ints(INTS)); h = sum(h, longs(LONGS)); int[] bits = new int[8]; long[] more = new long[8];
            h = sum(h, floats(FLOATS, bits)); h = sum(h, doubles(DOUBLES, more));
                h = sum(h, Arrays.hashCode(bits) + Arrays.hashCode(more));
            int[] out = new int[64]; h = sum(h, longOrder(LONGS, out)); h = sum(h, Arrays.hashCode(out));
                h = sum(h, mixed(300));
            int n = 320;
            h = sum(h, everyArray(new boolean[n], new byte[n], new char[n], new short[n], new int[n], new long[n],
                new float[n], new double[n], new Object[n]));
            int[] a = new int[400];
            for (int k = 0; k < a.length; k++) a[k] = (k * 7919 + t) % 1009 - 500;
            h = sum(h, upTo(a)); h = sum(h, from(a, t)); h = sum(h, downTo(a)); h = sum(h, byTwo(a));
                h = sum(h, changing(a));
            h = sum(h, doWhile(300)); h = sum(h, late(300)); h = sum(h, labelled(30)); h = sum(h, exchange(300));
                h = sum(h, exchangeFloats(300));
            double[][] x = new double[12][9], y = new double[9][11], z = new double[12][11];
            for (int k = 0; k < 9; k++) { for (int m = 0; m < 12; m++) x[m][k] = k - m + t; for (int m = 0; m < 11;
                m++) y[k][m] = k * m; }
            multiply(x, y, z); h = sum(h, Arrays.deepHashCode(z)); sort(a); h = sum(h, Arrays.hashCode(a));
            h = sum(h, switches(300)); h = sum(h, registers(300, t)); h = sum(h, floatRegisters(300));
                h = sum(h, statics(300, "o"));
            h = sum(h, setBack(a, t * 2 + 7));
            h = sum(h, changed(new OptimisedLoops(), new int[7], 300));
            h = sum(h, chain.fields(300)); h = sum(h, chain(chain)); h = sum(h, rare(900, t > TURNS / 2));
                h = sum(h, locked(300));
            h = sum(h, caughtInside(a, 300)); h = sum(h, nullInside(new Object[][] {{}, {1}, null, {1, 2, 3}}, 300));
            h = sum(h, storesInside(new String[5], t % 2 == 0 ? "s" : (Object) 5, 300));
                h = sum(h, types(new Object[] {new Round(), null, new Large(), "x", new Square(), new int[2],
                new Long[3]}));
            if (t % 50 == 0) System.out.println(t + " " + h);
        }
        System.out.println(h);
    }

    static void often() {
        long h = 0;
        for (int k = 0; k < 12000; k++) {
            h = h * 31 + divides(k, 7) + at(INTS, k % INTS.length) + order(k, 6000) + (narrow(k) ? 1 : 0)
                + narrowByte(k) + narrowChar(-k) + narrowShort(k * 7);
            h += (long) oneFloat(k, 6000) + divides((long) k, 3L) + cast(new Large()) + length(new Object[k % 5]);
        }
        System.out.println(h);
    }

    // ---- loops so long that they are entered in the middle, in the first call

    static void entered() {
        int[] a = new int[300000];
        for (int k = 0; k < a.length; k++) a[k] = k * 31 ^ k >> 3;
        System.out.println(enteredOnce(a, 7) + " " + enteredNested(600, 0.5f) + " " + enteredDown(a) + " "
            + enteredLate(a, null));
    }
    static long enteredOnce(int[] a, int step) { long s = 1; double d = 0; for (int k = 0; k < a.length; k++) {
        s = s * step + a[k]; d += s * 1e-18; } return s + (long) d; }
    static double enteredNested(int n, float by) {
        double s = 0;
        for (int i = 0; i < n; i++) { float f = i; for (int j = 0; j < n; j++) { f = f * by + j; s += f;
            } long l = (long) f; while (l > 0) { l -= 100; s--; } }
        return s;
    }
    static int enteredDown(int[] a) { int s = 0, k = a.length; while (k > 0) s = s * 31 + a[--k]; return s; }
    static String enteredLate(int[] a, int[] b) {
        int s = 0;
        try {
            for (int k = 0; k < a.length; k++) { s += a[k]; if (k == 250000) s += b[0]; }
        } catch (NullPointerException e) {
            return "null after " + s;
        }
        return "" + s;
    }

    public static void main(String[] args) {
        for (int k = 0; k < 5; k++) { OptimisedLoops o = new OptimisedLoops(); o.i = k * 3; o.next = chain;
            chain = o; }
        entered();
        repeated();
        often();
        for (int way = 0; way < 14; way++) {
            long h = 0;
            for (int n = 1; n < 7000; n++) { String s = tried(way, n); h = sum(h, s);
                if (n % 1700 == 0 || n < 4) System.out.println(way + " " + n + " " + s); }
            System.out.println(way + " " + h);
        }
        entered();
        repeated();
    }
}
