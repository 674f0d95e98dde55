// System.arraycopy in methods that an optimising compiler takes: every length up to where its code leaves copying to
// others, of every element, from and to every alignment, between two arrays and within one, whose parts overlap; with
// null, with arrays of other types, and just inside and outside the bounds. What stands beside what is copied, what the
// method has in variables meanwhile, and the stack trace of what is called behind the copy, are as they were.
import java.util.Arrays;

public class OptimisedCopies {
    static final int LONGEST = 150, ROOM = LONGEST + 40;

    static void bytes(byte[] from, byte[] to, int n, int a, int b) {
        for (int i = 0; i <= n; i++) System.arraycopy(from, a, to, b, i);
    }
    static void booleans(boolean[] from, boolean[] to, int n, int a, int b) {
        for (int i = 0; i <= n; i++) System.arraycopy(from, a, to, b, i);
    }
    static void chars(char[] from, char[] to, int n, int a, int b) {
        for (int i = 0; i <= n; i++) System.arraycopy(from, a, to, b, i);
    }
    static void shorts(short[] from, short[] to, int n, int a, int b) {
        for (int i = 0; i <= n; i++) System.arraycopy(from, a, to, b, i);
    }
    static void ints(int[] from, int[] to, int n, int a, int b) {
        for (int i = 0; i <= n; i++) System.arraycopy(from, a, to, b, i);
    }
    static void floats(float[] from, float[] to, int n, int a, int b) {
        for (int i = 0; i <= n; i++) System.arraycopy(from, a, to, b, i);
    }
    static void longs(long[] from, long[] to, int n, int a, int b) {
        for (int i = 0; i <= n; i++) System.arraycopy(from, a, to, b, i);
    }
    static void doubles(double[] from, double[] to, int n, int a, int b) {
        for (int i = 0; i <= n; i++) System.arraycopy(from, a, to, b, i);
    }

    /** One length alone: what a longer one before it has copied would hide what is missing. */
    static long each(byte[] from, byte[] to, int n) {
        long h = 0;
        for (int i = 0; i <= n; i++) {
            Arrays.fill(to, (byte) -1);
            System.arraycopy(from, i & 7, to, i & 15, i);
            h = h * 31 + Arrays.hashCode(to);
        }
        return h;
    }
    static long overlapping(int[] a, byte[] b, int n) {
        long h = 0;
        for (int i = 0; i <= n; i++) {
            for (int k = 0; k < b.length; k++) b[k] = (byte) (k * 7);
            for (int k = 0; k < a.length; k++) a[k] = k * 7;
            System.arraycopy(b, 17, b, 17 + (i % 33 - 16), i);
            System.arraycopy(a, 17, a, 17 + (i % 33 - 16), i / 4);
            h = (h * 31 + Arrays.hashCode(a)) * 31 + Arrays.hashCode(b);
        }
        return h;
    }

    static int refused(Object from, int a, Object to, int b, int n) {
        int h = 0;
        for (int i = 0; i < 20; i++)
            try {
                System.arraycopy(from, a, to, b, n);
                h = h * 3 + 1;
            } catch (ArrayStoreException e) {
                h = h * 3 + 2;
            } catch (IndexOutOfBoundsException e) {
                h = h * 3 + 3;
            } catch (NullPointerException e) {
                h = h * 3 + 4;
            }
        return h;
    }

    static long beside(long[] from, int[] to, int[] ints, double x, int n) {
        long a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7;
        double y = x * 2, z = x * 3;
        float q = 1.5f;
        for (int i = 0; i < n; i++) {
            a += b ^ i; b += c; c ^= d + i; d += e; e ^= f; f += g; g ^= a;
            y += z * 0.5; z -= x; q = q * 0.5f + i;
            System.arraycopy(ints, i & 7, to, i & 3, i & 15);
            a += to[i & 15]; y += to[i & 7]; q += to[0];
            System.arraycopy(from, i & 1, from, i & 3, i & 7);
            g += from[5];
        }
        return a ^ b ^ c ^ d ^ e ^ f ^ g ^ (long) (y * 100) ^ (long) (z * 100) ^ (long) (q * 100);
    }

    // Each of them walks the stack, and what stands there is told of some.
    static int traced;
    static int trace(boolean now) {
        StackTraceElement[] stack = (traced++ & 7) == 0 || now ? new Throwable().getStackTrace() : null;
        if (stack == null) return new Throwable() != null ? 1 : 0;
        int h = 0;
        for (StackTraceElement e : stack) h = h * 31 + e.getLineNumber() + e.getMethodName().length();
        if (now) System.out.println(Arrays.toString(stack));
        return h;
    }
    static int copies(byte[] b, int n) {
        System.arraycopy(b, 0, b, 3, n);
        return b[4];
    }
    static int copiesAndCalls(byte[] b, int n, boolean now) {
        int h = copies(b, n);
        return h + trace(now);
    }
    static int outer(byte[] b, int turns, boolean now) {
        int h = 0;
        for (int i = 0; i < turns; i++)
            h += copiesAndCalls(b, i & 31, now && i == turns - 1) + copies(b, 300);
        return h;
    }

    public static void main(String[] arguments) {
        byte[] b = new byte[ROOM], c = new byte[ROOM];
        boolean[] z = new boolean[ROOM], z2 = new boolean[ROOM];
        char[] ch = new char[ROOM], ch2 = new char[ROOM];
        short[] s = new short[ROOM], s2 = new short[ROOM];
        int[] i = new int[ROOM], i2 = new int[ROOM];
        float[] f = new float[ROOM], f2 = new float[ROOM];
        long[] l = new long[ROOM], l2 = new long[ROOM];
        double[] d = new double[ROOM], d2 = new double[ROOM];
        for (int k = 0; k < ROOM; k++) {
            b[k] = (byte) (k * 31); z[k] = k % 3 == 0; ch[k] = (char) (k * 1234); s[k] = (short) (k * 4321);
            i[k] = k * 123456789; f[k] = k / 3f; l[k] = k * 123456789123456789L; d[k] = k / 7.0;
        }
        long h = 0;
        for (int turn = 0; turn < 300; turn++) {
            int a = turn % 19, o = turn % 17, n = turn % LONGEST;
            bytes(b, c, n, a, o); booleans(z, z2, n, a, o); chars(ch, ch2, n, a, o); shorts(s, s2, n, a, o);
            ints(i, i2, n, a, o); floats(f, f2, n, a, o); longs(l, l2, n, a, o); doubles(d, d2, n, a, o);
            h = h * 31 + Arrays.hashCode(c) + Arrays.hashCode(z2) + Arrays.hashCode(ch2) + Arrays.hashCode(s2)
                + Arrays.hashCode(i2) + Arrays.hashCode(f2) + Arrays.hashCode(l2) + Arrays.hashCode(d2);
        }
        System.out.println("all elements: " + h);
        h = 0;
        for (int turn = 0; turn < 40; turn++) h = h * 31 + each(b, new byte[ROOM], LONGEST);
        System.out.println("each length: " + h);
        h = 0;
        for (int turn = 0; turn < 40; turn++) h = h * 31 + overlapping(new int[ROOM], new byte[ROOM], LONGEST);
        System.out.println("overlapping: " + h);
        Object[] objects = {"a", 1, null}, strings = new String[3];
        Object[][] cases = {{b, 0, c, 0, 16}, {b, ROOM - 4, c, 0, 4}, {b, ROOM - 4, c, 0, 5}, {b, 0, c, ROOM - 4, 5},
                            {b, ROOM, c, ROOM, 0}, {b, ROOM + 1, c, 0, 0}, {b, 0, c, ROOM + 1, 0}, {b, -1, c, 0, 2},
                            {b, 0, c, -1, 2}, {b, 0, c, 0, -1}, {b, 5, c, 0, Integer.MAX_VALUE},
                            {b, Integer.MAX_VALUE, c, 0, 1}, {b, Integer.MIN_VALUE, c, 0, 8}, {null, 0, c, 0, 4},
                            {b, 0, null, 0, 4}, {b, 0, z, 0, 4}, {i, 0, f, 0, 4}, {i, 0, objects, 0, 1},
                            {objects, 0, i, 0, 1}, {objects, 0, strings, 0, 1}, {objects, 0, strings, 0, 3},
                            {strings, 0, objects, 0, 3}, {"text", 0, b, 0, 1}, {b, 0, "text", 0, 1},
                            {l, ROOM - 2, l, 0, 3}, {l, 0, l, 1, ROOM - 1}, {new byte[0], 0, new byte[0], 0, 0}};
        for (int turn = 0; turn < 60; turn++) {
            StringBuilder told = new StringBuilder("refused:");
            for (Object[] k : cases)
                told.append(' ').append(refused(k[0], (int) k[1], k[2], (int) k[3], (int) k[4]));
            if (turn % 59 == 0) System.out.println(told);
        }
        for (int turn = 0; turn < 200; turn++) h = h * 31 + beside(l, i2, i, 0.75, 200);
        System.out.println("beside: " + h);
        byte[] large = new byte[400];
        for (int turn = 0; turn < 6000; turn++) h = h * 31 + outer(large, 20, turn == 1 || turn == 5999);
        System.out.println("traced: " + h + " " + traced);
    }
}
