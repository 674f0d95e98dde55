// Methods that allocate and call nothing, run so often that an optimising compiler takes them: objects and arrays of
// every kind, with more values alive around the allocation than there are registers, references that only the method
// holds, lengths that are negative or too large, collections while they run.
import java.util.Arrays;

public class OptimisedObjects {
    static final class Point {                           // no constructor is called: its fields are set by its users
        int x, y;
        Point next;
        static Point made;
    }
    static final int TURNS = 300;
    static Object sink;
    static int[] shared = new int[16];

    // ---- arrays of each type: what is in them, and that they begin as zeros

    static long everyArray(int n) {
        long h = 0;
        for (int i = 0; i < n; i++) {
            boolean[] z = new boolean[i % 5 + 1];
            byte[] b = new byte[i % 7 + 1];
            char[] c = new char[i % 3 + 1];
            short[] s = new short[i % 9 + 1];
            int[] k = new int[i % 11 + 1];
            long[] j = new long[i % 6 + 1];
            float[] f = new float[i % 4 + 1];
            double[] d = new double[i % 8 + 1];
            String[] t = new String[i % 10 + 1];
            int[][] m = new int[i % 12 + 1][];
            if (z[0] | b[0] != 0 | c[0] != 0 | s[0] != 0 | k[0] != 0 | j[0] != 0 | f[0] != 0 | d[0] != 0 | t[0] != null
                | m[0] != null) h += 1000000;
            z[z.length - 1] = true;
            b[b.length - 1] = (byte) i; c[c.length - 1] = (char) i; s[s.length - 1] = (short) i; k[k.length - 1] = i;
            j[j.length - 1] = i; f[f.length - 1] = i; d[d.length - 1] = i; t[t.length - 1] = "t"; m[m.length - 1] = k;
            h += b.length + c.length * 2 + s.length * 3 + k.length * 5 + j.length * 7 + f.length * 11 + d.length * 13
                + t.length * 17 + m.length * 19 + z.length * 23 + m[m.length - 1][k.length - 1] + b[b.length - 1];
        }
        return h;
    }
    static int[] constantLength(int n) {
        int[] last = null;
        for (int i = 0; i < n; i++) {
            int[] a = new int[3];
            a[0] = i;
            a[2] = last == null ? 0 : last[2] + last[0];
            last = a;
        }
        return last;
    }
    static int[][] nested(int n) {
        int[][] rows = new int[n][];
        for (int i = 0; i < n; i++) {
            rows[i] = new int[n];
            for (int k = 0; k < n; k++) rows[i][k] = i * k;
        }
        return rows;
    }
    static int several(int n) {
        int h = 0;
        for (int i = 0; i < n; i++) {
            int[][] a = new int[i % 3][4];
            long[][][] b = new long[2][i % 4][3];
            String[][] c = new String[2][];
            h += a.length * 7 + b[1].length * 5 + (b[0].length > 0 ? b[0][0].length : 9) + (c[1] == null ? 1 : 2);
            if (a.length > 0) a[a.length - 1][3] = i;
            for (int[] row : a) h += row[3];
        }
        return h;
    }

    // ---- lengths that are wrong: at every place among others

    static int negative(int[] lengths) {
        int h = 0;
        for (int i = 0; i < lengths.length; i++) {
            try {
                byte[] b = new byte[lengths[i]];
                h = h * 31 + b.length;
            } catch (NegativeArraySizeException e) {
                h = h * 31 - 7;
            }
        }
        return h;
    }
    static Object atLength(int kind, int n) {
        switch (kind) {
        case 0: return new boolean[n];
        case 1: return new char[n];
        case 2: return new int[n];
        case 3: return new long[n];
        case 4: return new Object[n];
        case 5: return new int[n][];
        case 6: return new int[2][n];
        default: return new double[n][1];
        }
    }
    static String thrownBy(int kind, int n) {
        try {
            Object o = atLength(kind, n);
            return o.getClass().getName();
        } catch (NegativeArraySizeException | OutOfMemoryError e) {
            return e.getClass().getSimpleName() + ": " + e.getMessage();
        }
    }

    // ---- values that live across allocations: in registers, in memory, floating ones, references nobody else has

    static long manyValues(int[] v, int n) {
        long a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, k = 9, l = 10, m = 11, o = 12;
        double x = 0.5, y = 1.5, z = 2.5;
        float w = 3.5f;
        for (int i = 0; i < n; i++) {
            int[] t = new int[v[i & 7] & 15];
            a += b ^ t.length; b += c; c += d ^ i; d += e; e += f; f += g; g += h; h += k; k += l; l += m; m += o;
            o += a + t.length; x += y * t.length; y -= z; z *= 0.5; w += x;
        }
        return a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ k ^ l ^ m ^ o ^ (long) (x * 1000) ^ (long) (y * 1000) ^ (long) (z * 1000)
            ^ (long) w;
    }
    // The arrays that are read before the loop are nobody else's any more once the field has others.
    static int[] field = new int[100];
    static int heldByNobody(int n) {
        int[] a = field, b;
        int h = 0;
        for (int i = 0; i < a.length; i++) a[i] = i;
        field = new int[100];
        b = field;
        for (int i = 0; i < 100; i++) b[i] = 3 * i;
        for (int i = 0; i < n; i++) {
            byte[] garbage = new byte[1000];
            h = h * 31 + a[i % 100] + b[(i + 7) % 100] + garbage[i % 1000];
        }
        return h;
    }
    static int hoisted(Point p, int n) {                 // p.next is read once; another thread's store is not seen
        int h = 0;
        for (int i = 0; i < n; i++) {
            int[] garbage = new int[50];
            h += p.next.x + garbage.length;
        }
        return h;
    }
    static Object[] stores(Object[] to, int n) {
        for (int i = 0; i < n; i++) {
            Object[] one = new Object[2];
            one[0] = to[i % to.length];
            one[1] = null;
            to[i % to.length] = one;
            if (i % 16 == 15) for (int k = 0; k < to.length; k++) to[k] = null;
        }
        return to;
    }
    static int lengthOf(Object o) {
        int n = 0;
        for (; o != null; n++) o = ((Object[]) o)[0];
        return n;
    }

    // ---- loops in loops, and frames that come in anywhere

    static int triangle(int n) {
        int h = 0;
        for (int i = 0; i < n; i++) {
            int[] row = new int[i + 1];
            row[0] = 1;
            for (int k = 1; k <= i; k++) {
                int[] pair = new int[2];
                pair[0] = row[k - 1];
                pair[1] = k;
                row[k] = pair[0] + pair[1];
            }
            h = h * 31 + row[i];
        }
        return h;
    }
    static int inBranches(int n) {
        int h = 0;
        int[] kept = null;
        for (int i = 0; i < n; i++) {
            if (i % 3 == 0) kept = new int[i % 10 + 1];
            else if (i % 3 == 1) h += new char[i % 5].length;
            if (kept != null) h += kept.length;
        }
        return h;
    }
    // An argument's slot has another value by then, and the argument is still wanted.
    static int argument(int[] a, int n) {
        int[] first = a;
        int h = 0;
        for (int i = 0; i < n; i++) {
            a = new int[8];
            a[i & 7] = i;
            h = h * 31 + first[i & 7] + a[i & 7] + a[i + 1 & 7];
        }
        return h;
    }
    // So many values at once that arguments stay in their slots, which show other values by then.
    static long manyArguments(int a, int b, int c, int d, int e, int f, int g, int h) {
        int a0 = a, b0 = b, c0 = c, d0 = d, e0 = e, f0 = f, g0 = g, h0 = h;
        a = b0 * 3 ^ c0;
        b = c0 * 5 ^ d0;
        c = d0 * 7 ^ e0;
        d = e0 * 9 ^ f0;
        e = f0 * 11 ^ g0;
        f = g0 * 13 ^ h0;
        g = h0 * 15 ^ a0;
        h = a0 * 17 ^ b0;
        int[] made = new int[8];
        made[a0 & 7] = b;
        return ((((((a0 * 31L + b0) * 31 + c0) * 31 + d0) * 31 + e0) * 31 + f0) * 31 + g0) * 31 + h0
            + (a ^ b ^ c ^ d ^ e ^ f ^ g ^ h) + made[3] + a * 3L - b * 5L + c * 7L - d * 9L + e - f * 11L + g - h * 13L;
    }

    public static void main(String[] args) {
        int[] lengths = {3, 0, 7, 1, 12, 5, -1, 100, Integer.MIN_VALUE, 2};
        for (int turn = 0; turn < TURNS; turn++) {
            boolean last = turn == TURNS - 1;
            Point p = new Point();
            p.next = new Point();
            p.next.x = turn;
            long h = everyArray(200) + constantLength(300)[2] + nested(20)[19][7] + several(300) + triangle(25)
                + inBranches(200) + argument(new int[] {1, 2, 3, 4, 5, 6, 7, 8}, 300) + hoisted(p, 200)
                + manyValues(lengths, 200) + heldByNobody(300);
            h += lengthOf(stores(new Object[5], 200)[1]);
            for (int i = 0; i < 200; i++) h = h * 7 + manyArguments(i, turn, i + 1, turn + i, -i, 9, i * turn, 3);
            if (turn % 20 == 0) h += negative(lengths);
            for (int kind = 0; kind < 8; kind++) h += atLength(kind, turn % 10).hashCode() & 0;
            if (last || turn % 50 == 0) System.out.println(turn + " " + h);
        }
        for (int kind = 0; kind < 8; kind++)
            for (int n : new int[] {0, 5, -1, Integer.MIN_VALUE})
                System.out.println(kind + " " + n + " " + thrownBy(kind, n));
        for (int kind = 0; kind < 6; kind++)
            System.out.println(kind + " " + thrownBy(kind, Integer.MAX_VALUE));
        System.out.println(Arrays.toString(constantLength(10)) + Arrays.deepToString(nested(4)));
    }
}
