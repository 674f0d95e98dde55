// Methods that call C functions without frames, and floating-point remainders, run so often that an optimising compiler
// takes them: with values alive around the calls, in registers and in memory; functions that decline, so that the
// library's own code runs, or throws; switches of every size.
import java.util.Arrays;
import java.util.zip.CRC32;

public class OptimisedLeaves {
    static final float[] FLOATS = {0f, -0f, 1f, -1f, 0.1f, 1.5f, -7.25f, 1e10f, Float.MIN_VALUE, Float.MAX_VALUE,
                                   Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, Float.NaN};
    static final double[] DOUBLES = {0d, -0d, 1d, -1d, 0.1, 1.5, -7.25, 1e100, 4.9e-324, Double.MAX_VALUE,
                                     Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.NaN};
    static final int TURNS = 300;

    static int floatRemainders(float[] v) {
        int h = 1;
        for (int i = 0; i < v.length; i++)
            for (int k = 0; k < v.length; k++)
                h = h * 31 + Float.floatToIntBits(v[i] % v[k]) + Float.floatToIntBits(v[k] % 3f);
        return h;
    }
    static long doubleRemainders(double[] v) {
        long h = 1;
        for (int i = 0; i < v.length; i++)
            for (int k = 0; k < v.length; k++)
                h = h * 31 + Double.doubleToLongBits(v[i] % v[k]) + Double.doubleToLongBits(0.3 % v[k]);
        return h;
    }
    static double functions(double x, int n) {
        double h = 0;
        for (int i = 0; i < n; i++) {
            double a = x + i * 0.25;
            h += Math.sin(a) + Math.cos(a) * 0.5 + Math.pow(1.01, i) + Math.exp(a * 0.01) + Math.log(a + 2)
                + Math.tan(a) % 1 + Math.cbrt(a) + Math.log10(a + 1) + Math.tanh(a);
        }
        return h;
    }
    // Most of it is not called: what the loops have in registers stays there.
    static int cold(int[] v, int n) {
        int a = 1, b = 2, c = 3, d = 4;
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < v.length; k++) { a += v[k] ^ b; b += c; c = c * 5 + d; d ^= a + k; }
            if ((i & 31) == 31) System.arraycopy(v, 1, v, 0, v.length - 1);
            v[v.length - 1] = i;
        }
        return a ^ b ^ c ^ d;
    }
    static long manyValues(int[] v, int[] w, int n) {
        long a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, k = 9, l = 10, m = 11, p = 12;
        double x = 0.5, y = 1.5, z = 2.5;
        float q = 1.25f;
        for (int i = 0; i < n; i++) {
            a += b ^ v[i & 7]; b += c; c += d ^ i; d += e; e += f; f += g; g += h; h += k; k += l; l += m; m += p;
            System.arraycopy(v, i & 3, w, i & 1, 4);
            p += a ^ w[i & 7]; x += y * 0.5; y -= z; z = z % 3 + i; q = q % 7f + 1.5f;
        }
        return a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ k ^ l ^ m ^ p ^ (long) (x * 1000) ^ (long) (y * 1000) ^ (long) (z * 1000)
            ^ (long) (q * 1000);
    }
    static int texts(String[] t, int n) {
        int h = 0;
        for (int i = 0; i < n; i++) {
            String s = t[i % t.length], u = t[i * 7 % t.length];
            h = h * 31 + s.hashCode();
            if (s.equals(u)) h++;
            if (u.equals(t)) h += 2;
        }
        return h;
    }
    static int arrays(byte[] a, byte[] b, int[] v, int[] w, int n) {
        int h = 0;
        for (int i = 0; i < n; i++) {
            a[i % a.length] = (byte) i;
            if (Arrays.equals(a, b)) h++;
            if (Arrays.equals(v, w)) h += 2;
            w[i % w.length] ^= i & 64;
        }
        return h;
    }
    static int identities(Object[] all, int n) {
        int same = 0;
        for (int i = 0; i < n; i++) {
            Object o = all[i % all.length];
            if (System.identityHashCode(o) == System.identityHashCode(all[(i + all.length) % all.length])) same++;
        }
        return same;
    }
    static int instances(Class<?> c, Object[] all, int n) {
        int h = 0;
        for (int i = 0; i < n; i++) h = h * 3 + (c.isInstance(all[i % all.length]) ? 1 : 0);
        return h;
    }

    // ---- functions that decline

    static int copies(int[] from, int[] to, int at, int n) {
        int done = 0;
        for (int i = 0; i < n; i++) {
            try {
                System.arraycopy(from, i == at ? from.length : 0, to, 0, 2);
                done++;
            } catch (IndexOutOfBoundsException e) {
                done += 1000;
            }
        }
        return done;
    }
    static int storesThrow(Object[] from, Object[] to, int n) {
        int h = 0;
        for (int i = 0; i < n; i++) {
            try {
                System.arraycopy(from, 0, to, 0, from.length);
                h++;
            } catch (ArrayStoreException e) {
                h += 100;
            }
        }
        return h;
    }

    // ---- switches

    static int dense(int[] v, int n) {
        int h = 0;
        for (int i = 0; i < n; i++) {
            switch (v[i & 7] + i % 14) {
            case -1: h += 1; break;
            case 0: h += 2; break;
            case 1: h ^= 3; break;
            case 2: h += 4; break;
            case 3: h *= 5; break;
            case 4: h += 6;
            case 5: h -= 7; break;
            case 6: case 7: h += 8; break;
            case 8: continue;
            case 9: h += 10; break;
            case 10: h += 11; break;
            case 11: if (h > 1 << 20) return h + i; h += 12; break;
            default: h += 13;
            }
            h &= 0xffffff;
        }
        return h;
    }
    static int farKeys(int[] v, int n) {
        int h = 0;
        for (int i = 0; i < n; i++)
            switch (v[i % v.length]) {
            case Integer.MAX_VALUE: h += 1; break;
            case Integer.MAX_VALUE - 1: h += 2; break;
            case Integer.MAX_VALUE - 2: h += 3; break;
            case Integer.MAX_VALUE - 3: h += 4; break;
            case Integer.MAX_VALUE - 4: h += 5; break;
            case Integer.MAX_VALUE - 5: h += 6; break;
            case Integer.MAX_VALUE - 6: h += 7; break;
            case Integer.MAX_VALUE - 7: h += 8; break;
            case Integer.MAX_VALUE - 8: h += 9; break;
            case Integer.MAX_VALUE - 9: h += 10; break;
            default: h = h * 3 + 11;
            }
        return h;
    }

    public static void main(String[] args) {
        int[] far = {Integer.MAX_VALUE, 0, Integer.MIN_VALUE, Integer.MAX_VALUE - 9, Integer.MAX_VALUE - 10, -1,
                     Integer.MAX_VALUE - 4};
        String[] texts = {"a", "", "text", new String("text"), "\u4e2d\u6587", new String("\u4e2d\u6587"), "longer"};
        Object[] all = {"text", new int[2], 1, texts, null};
        int[] v = {3, 1, 4, 1, 5, 9, 2, 6}, w = new int[8], x = v.clone(), y = v.clone();
        byte[] a = new byte[16], b = new byte[16];
        for (int turn = 0; turn < TURNS; turn++) {
            long h = floatRemainders(FLOATS) + doubleRemainders(DOUBLES) + (long) (functions(turn, 200) * 1e6)
                + cold(x, 200) + manyValues(v, w, 200) + texts(texts, 200) + arrays(a, b, v, y, 200)
                + identities(all, 200) + instances(String.class, all, 200) + dense(v, 200) + farKeys(far, 200)
                + copies(v, w, -1, 200);
            if (turn % 20 == 0)
                h += copies(v, w, turn % 200, 50) + storesThrow(new Object[] {"a", 1}, texts.clone(), 5);
            if (turn % 50 == 0 || turn == TURNS - 1) System.out.println(turn + " " + h);
        }
        System.out.println(storesThrow(new Object[] {"a", "b"}, texts.clone(), 5) + " "
            + storesThrow(new Object[] {1, "b"}, texts.clone(), 5) + " " + copies(v, w, 3, 10) + " "
            + Arrays.toString(w) + functions(-1, 9));
        CRC32 crc = new CRC32();
        for (int i = 0; i < 5000; i++) crc.update(i);
        System.out.println(crc.getValue());
    }
}
