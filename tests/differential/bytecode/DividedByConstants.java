// Divisions by constants, which the optimising compiler does by products and shifts: quotients and remainders of edge
// values and of many others, by powers of two, by numbers near them and by factors of 2^32+1 and 2^64+1.
public class DividedByConstants {
    static final int[] INTS = {
            1, -1, 2, -2, 3, -3, 5, 6, 7, -7, 9, 10, -10, 11, 12, 13, 25, 28, 60, 64, -64, 100, 125, 365, 641,
            1000, 1024, -1000, 3600, 65535, 65536, 65537, 1000000, -1000000007, 1073741824, 1431655765,
            2147483646, 2147483647, -2147483647, -2147483648};

    static void ints(int x, long[] s) {
        s[0] = s[0] * 31 + x / 1 + (x % 1) * 7;
        s[1] = s[1] * 31 + x / -1 + (x % -1) * 7;
        s[2] = s[2] * 31 + x / 2 + (x % 2) * 7;
        s[3] = s[3] * 31 + x / -2 + (x % -2) * 7;
        s[4] = s[4] * 31 + x / 3 + (x % 3) * 7;
        s[5] = s[5] * 31 + x / -3 + (x % -3) * 7;
        s[6] = s[6] * 31 + x / 5 + (x % 5) * 7;
        s[7] = s[7] * 31 + x / 6 + (x % 6) * 7;
        s[8] = s[8] * 31 + x / 7 + (x % 7) * 7;
        s[9] = s[9] * 31 + x / -7 + (x % -7) * 7;
        s[10] = s[10] * 31 + x / 9 + (x % 9) * 7;
        s[11] = s[11] * 31 + x / 10 + (x % 10) * 7;
        s[12] = s[12] * 31 + x / -10 + (x % -10) * 7;
        s[13] = s[13] * 31 + x / 11 + (x % 11) * 7;
        s[14] = s[14] * 31 + x / 12 + (x % 12) * 7;
        s[15] = s[15] * 31 + x / 13 + (x % 13) * 7;
        s[16] = s[16] * 31 + x / 25 + (x % 25) * 7;
        s[17] = s[17] * 31 + x / 28 + (x % 28) * 7;
        s[18] = s[18] * 31 + x / 60 + (x % 60) * 7;
        s[19] = s[19] * 31 + x / 64 + (x % 64) * 7;
        s[20] = s[20] * 31 + x / -64 + (x % -64) * 7;
        s[21] = s[21] * 31 + x / 100 + (x % 100) * 7;
        s[22] = s[22] * 31 + x / 125 + (x % 125) * 7;
        s[23] = s[23] * 31 + x / 365 + (x % 365) * 7;
        s[24] = s[24] * 31 + x / 641 + (x % 641) * 7;
        s[25] = s[25] * 31 + x / 1000 + (x % 1000) * 7;
        s[26] = s[26] * 31 + x / 1024 + (x % 1024) * 7;
        s[27] = s[27] * 31 + x / -1000 + (x % -1000) * 7;
        s[28] = s[28] * 31 + x / 3600 + (x % 3600) * 7;
        s[29] = s[29] * 31 + x / 65535 + (x % 65535) * 7;
        s[30] = s[30] * 31 + x / 65536 + (x % 65536) * 7;
        s[31] = s[31] * 31 + x / 65537 + (x % 65537) * 7;
        s[32] = s[32] * 31 + x / 1000000 + (x % 1000000) * 7;
        s[33] = s[33] * 31 + x / -1000000007 + (x % -1000000007) * 7;
        s[34] = s[34] * 31 + x / 1073741824 + (x % 1073741824) * 7;
        s[35] = s[35] * 31 + x / 1431655765 + (x % 1431655765) * 7;
        s[36] = s[36] * 31 + x / 2147483646 + (x % 2147483646) * 7;
        s[37] = s[37] * 31 + x / 2147483647 + (x % 2147483647) * 7;
        s[38] = s[38] * 31 + x / -2147483647 + (x % -2147483647) * 7;
        s[39] = s[39] * 31 + x / -2147483648 + (x % -2147483648) * 7;
    }

    static final long[] LONGS = {
            1L, -1L, 2L, -2L, 3L, -3L, 5L, 7L, -7L, 9L, 10L, -10L, 12L, 13L, 60L, 100L, 125L, 641L, 1000L,
            1024L, -1024L, 86400L, 1000000L, 1000003L, 274177L, 1000000000L, 6700417L, -1000000007L,
            4294967295L, 4294967296L, 4294967297L, 1000000000000L, 86400000000000L, 1000000000000000000L,
            4611686018427387904L, -4611686018427387904L, 6917529027641081856L, 9223372036854775807L,
            -9223372036854775807L, -9223372036854775808L};

    static void longs(long x, long[] s) {
        s[0] = s[0] * 31 + x / 1L + (x % 1L) * 7;
        s[1] = s[1] * 31 + x / -1L + (x % -1L) * 7;
        s[2] = s[2] * 31 + x / 2L + (x % 2L) * 7;
        s[3] = s[3] * 31 + x / -2L + (x % -2L) * 7;
        s[4] = s[4] * 31 + x / 3L + (x % 3L) * 7;
        s[5] = s[5] * 31 + x / -3L + (x % -3L) * 7;
        s[6] = s[6] * 31 + x / 5L + (x % 5L) * 7;
        s[7] = s[7] * 31 + x / 7L + (x % 7L) * 7;
        s[8] = s[8] * 31 + x / -7L + (x % -7L) * 7;
        s[9] = s[9] * 31 + x / 9L + (x % 9L) * 7;
        s[10] = s[10] * 31 + x / 10L + (x % 10L) * 7;
        s[11] = s[11] * 31 + x / -10L + (x % -10L) * 7;
        s[12] = s[12] * 31 + x / 12L + (x % 12L) * 7;
        s[13] = s[13] * 31 + x / 13L + (x % 13L) * 7;
        s[14] = s[14] * 31 + x / 60L + (x % 60L) * 7;
        s[15] = s[15] * 31 + x / 100L + (x % 100L) * 7;
        s[16] = s[16] * 31 + x / 125L + (x % 125L) * 7;
        s[17] = s[17] * 31 + x / 641L + (x % 641L) * 7;
        s[18] = s[18] * 31 + x / 1000L + (x % 1000L) * 7;
        s[19] = s[19] * 31 + x / 1024L + (x % 1024L) * 7;
        s[20] = s[20] * 31 + x / -1024L + (x % -1024L) * 7;
        s[21] = s[21] * 31 + x / 86400L + (x % 86400L) * 7;
        s[22] = s[22] * 31 + x / 1000000L + (x % 1000000L) * 7;
        s[23] = s[23] * 31 + x / 1000003L + (x % 1000003L) * 7;
        s[24] = s[24] * 31 + x / 274177L + (x % 274177L) * 7;
        s[25] = s[25] * 31 + x / 1000000000L + (x % 1000000000L) * 7;
        s[26] = s[26] * 31 + x / 6700417L + (x % 6700417L) * 7;
        s[27] = s[27] * 31 + x / -1000000007L + (x % -1000000007L) * 7;
        s[28] = s[28] * 31 + x / 4294967295L + (x % 4294967295L) * 7;
        s[29] = s[29] * 31 + x / 4294967296L + (x % 4294967296L) * 7;
        s[30] = s[30] * 31 + x / 4294967297L + (x % 4294967297L) * 7;
        s[31] = s[31] * 31 + x / 1000000000000L + (x % 1000000000000L) * 7;
        s[32] = s[32] * 31 + x / 86400000000000L + (x % 86400000000000L) * 7;
        s[33] = s[33] * 31 + x / 1000000000000000000L + (x % 1000000000000000000L) * 7;
        s[34] = s[34] * 31 + x / 4611686018427387904L + (x % 4611686018427387904L) * 7;
        s[35] = s[35] * 31 + x / -4611686018427387904L + (x % -4611686018427387904L) * 7;
        s[36] = s[36] * 31 + x / 6917529027641081856L + (x % 6917529027641081856L) * 7;
        s[37] = s[37] * 31 + x / 9223372036854775807L + (x % 9223372036854775807L) * 7;
        s[38] = s[38] * 31 + x / -9223372036854775807L + (x % -9223372036854775807L) * 7;
        s[39] = s[39] * 31 + x / Long.MIN_VALUE + (x % Long.MIN_VALUE) * 7;
    }

    // Of what is known not to be negative less is to be done.
    static long positive(int x) {
        int p = x & 0x7fffffff, q = x >>> 1;
        return p / 10 + p % 10 * 3L + p / 8 + p % 8 + q / 7 + q % 1000 + q / 64 + (x & 0xffff) % 100;
    }

    static long positiveByVariables(int x, int[] by) {
        int p = x & 0x7fffffff, q = x >>> 1;
        return p / by[0] + p % by[0] * 3L + p / by[1] + p % by[1] + q / by[2] + q % by[3] + q / by[4]
                + (x & 0xffff) % by[5];
    }

    static long[] sums = new long[INTS.length], longSums = new long[LONGS.length];

    static void attempt(long x) {
        ints((int) x, sums);
        longs(x, longSums);
    }

    static void compare(long x) {
        long[] s = new long[INTS.length], t = new long[LONGS.length];
        ints((int) x, s);
        longs(x, t);
        for (int i = 0; i < s.length; i++) {
            int n = (int) x, by = INTS[i];
            if (s[i] != n / by + (n % by) * 7) System.out.println(n + " / " + by + ": " + s[i]);
        }
        for (int i = 0; i < t.length; i++)
            if (t[i] != x / LONGS[i] + (x % LONGS[i]) * 7) System.out.println(x + " / " + LONGS[i] + ": " + t[i]);
        int[] by = {10, 8, 7, 1000, 64, 100};
        if (positive((int) x) != positiveByVariables((int) x, by)) System.out.println("positive " + (int) x);
    }

    public static void main(String[] args) {
        long random = 42;
        for (int round = 0; round < 60_000; round++) {
            random = random * 6364136223846793005L + 1442695040888963407L;
            attempt(random >> (random >>> 58));
            compare(random >> (random >>> 58));
        }
        long[] edges = {0, 1, Integer.MAX_VALUE, Integer.MIN_VALUE, Long.MAX_VALUE, Long.MIN_VALUE};
        for (long edge : edges)
            for (int i = -3; i <= 3; i++) compare(edge + i);
        for (long by : LONGS)
            for (int k = -3; k <= 3; k++)
                for (int i = -1; i <= 1; i++) compare(by * k + i);
        for (int by : INTS)
            for (int k = -3; k <= 3; k++)
                for (int i = -1; i <= 1; i++) compare(by * k + i);
        for (int i = 0; i < INTS.length; i++) System.out.println(INTS[i] + ": " + sums[i]);
        for (int i = 0; i < LONGS.length; i++) System.out.println(LONGS[i] + "L: " + longSums[i]);
    }
}
