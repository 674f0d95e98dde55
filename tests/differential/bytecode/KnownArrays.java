import java.util.Arrays;

// Arrays that static finals and records hold: the optimising compiler knows them, with their lengths, and leaves out
// checks of indexes that are constants or cut to a range. What lies outside throws as ever, and elements change.
public class KnownArrays {
    static final byte[] BYTES = {1, -2, 3, -4};
    static final boolean[] FLAGS = {true, false, true, true};
    static final short[] SHORTS = {100, -200, 300};
    static final char[] CHARS = "0123456789abcdef".toCharArray();
    static final int[] INTS = {7, 11, 13, 17, 19, 23, 29, 31};
    static final long[] LONGS = {1L << 40, -(1L << 41)};
    static final float[] FLOATS = {1.5f, -2.5f, 3.5f};
    static final double[] DOUBLES = {0.1, 0.2, 0.3, 0.4};
    static final String[] TEXTS = {"zero", null, "two"};
    static final int[][] ROWS = {{1, 2, 3}, {4, 5}, {}};
    static final int[] EMPTY = {};
    static final int[] NONE = null;
    static final Object AS_OBJECT = new int[] {5, 6};

    record Held(int[] of, int from) { }
    static final Held HELD = new Held(new int[] {40, 41, 42, 43}, 2);

    static long inside(int i) {
        long s = BYTES[0] + BYTES[3] + BYTES.length + SHORTS[2] + INTS[7] + LONGS[1] + (long) FLOATS[2];
        s += CHARS[i & 15] + INTS[i & 7] + INTS[i >>> 29] + CHARS[(i >>> 4) & 3] + (FLAGS[i & 3] ? 3 : 4);
        s += (long) (DOUBLES[i & 3] * 10) + ROWS[1][1] + ROWS[0].length + HELD.of[HELD.from] + HELD.of[i & 3];
        s += (TEXTS[1] == null ? 1 : 2) + TEXTS[2].length() + EMPTY.length + ((int[]) AS_OBJECT)[i & 1];
        INTS[i & 7] += i;
        BYTES[i & 3]++;
        FLAGS[i & 3] = i % 3 == 0;
        HELD.of[i & 3] ^= i;
        return s;
    }

    interface Access { long at(int i); }

    static final Access[] OUTSIDE = {
        i -> INTS[8],
        i -> INTS[-1],
        i -> INTS[i & 8],
        i -> INTS[i & 15],
        i -> INTS[i & -1],
        i -> INTS[i >>> 28],
        i -> INTS[i >> 29],
        i -> INTS[i % 8],
        i -> EMPTY[0],
        i -> EMPTY[i & 0],
        i -> NONE[0],
        i -> NONE.length,
        i -> ROWS[2][0],
        i -> ROWS[i & 3].length,
        i -> TEXTS[1].length(),
        i -> TEXTS[i & 3].length(),
        i -> HELD.of[4],
        i -> HELD.of[HELD.from + 2],
        i -> CHARS[i & 31],
        i -> ((long[]) AS_OBJECT)[0],
        i -> { SHORTS[3] = (short) i; return 1; },
        i -> { SHORTS[i & 3] = (short) i; return 2; },
        i -> { ((Object[]) TEXTS)[i & 1] = i; return 3; },
    };

    static String attempt(Access a, int i) {
        try {
            return "" + a.at(i);
        } catch (RuntimeException e) {
            return e.toString();
        }
    }

    static long equal(byte[] a, byte[] b, int[] c, int[] d, String s, String t) {
        return (Arrays.equals(a, b) ? 1 : 0) + (Arrays.equals(c, d) ? 2 : 0) + (s.equals(t) ? 4 : 0);
    }

    public static void main(String[] args) {
        long sum = 0;
        for (int i = 0; i < 40_000; i++) sum = sum * 31 + inside(i * 0x9e3779b9);
        System.out.println(sum + " " + Arrays.toString(INTS) + Arrays.toString(BYTES) + Arrays.toString(FLAGS));
        for (Access a : OUTSIDE) {
            int hash = 0;
            for (int i = 0; i < 12_000; i++) hash = hash * 31 + attempt(a, i * 0x9e3779b9).hashCode();
            System.out.println(hash + " " + attempt(a, 8) + " " + attempt(a, -1) + " " + attempt(a, 0));
        }
        byte[][] bytes = {null, {}, {1}, {1, 2}, {1, 3}, {1, 2}};
        int[][] ints = {null, {}, {1}, {1, 2}, {1, 3}, {1, 2}};
        String[] texts = {"", "a", "ab", "ac", new String("ab"), "a\u0416", "\u0416b", new String("a\u0416"), null};
        for (int i = 0; i < 60_000; i++) {
            int k = i % 6, l = i / 6 % 6;
            sum = sum * 31 + equal(bytes[k], bytes[l], ints[k], ints[l], texts[i % 8], texts[i / 8 % 9]);
        }
        System.out.println(sum);
    }
}
