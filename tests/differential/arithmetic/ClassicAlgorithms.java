// Small classic computations whose checksums betray a wrong instruction: sieve, matrix, queens, mandelbrot, hash, sort,
// LCS.
public class ClassicAlgorithms {
    static int queens(int n, int row, int cols, int d1, int d2) {
        if (row == n) return 1;
        int c = 0;
        for (int free = ~(cols | d1 | d2) & ((1 << n) - 1); free != 0; free &= free - 1) {
            int b = free & -free;
            c += queens(n, row + 1, cols | b, (d1 | b) << 1, (d2 | b) >> 1);
        }
        return c;
    }
    static int ackermann(int m, int n) {
        return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
    }
    static void quick(int[] a, int lo, int hi) {
        while (lo < hi) {
            int p = a[(lo + hi) >>> 1], i = lo, j = hi;
            while (i <= j) {
                while (a[i] < p) i++;
                while (a[j] > p) j--;
                if (i <= j) {
                    int t = a[i];
                    a[i++] = a[j];
                    a[j--] = t;
                }
            }
            if (j - lo < hi - i) {
                quick(a, lo, j);
                lo = i;
            } else {
                quick(a, i, hi);
                hi = j;
            }
        }
    }
    static void hanoi(int n, int from, int to, int[][] pegs, int[] top) {
        if (n == 0) return;
        int via = 3 - from - to;
        hanoi(n - 1, from, via, pegs, top);
        pegs[to][top[to]++] = pegs[from][--top[from]];
        hanoi(n - 1, via, to, pegs, top);
    }

    public static void main(String[] args) {
        boolean[] composite = new boolean[20_000];
        int primes = 0;
        for (int i = 2; i < composite.length; i++)
            if (!composite[i]) {
                primes++;
                for (long j = (long) i * i; j < composite.length; j += i) composite[(int) j] = true;
            }
        System.out.println("primes " + primes);
        double[][] a = new double[30][30], b = new double[30][30];
        for (int i = 0; i < 30; i++)
            for (int j = 0; j < 30; j++) {
                a[i][j] = i * 0.5 - j;
                b[i][j] = 1.0 / (i + j + 1);
            }
        double trace = 0;
        for (int i = 0; i < 30; i++)
            for (int j = 0; j < 30; j++) {
                double s = 0;
                for (int k = 0; k < 30; k++) s += a[i][k] * b[k][j];
                if (i == j) trace += s;
            }
        System.out.println("trace " + trace);
        System.out.println("queens " + queens(8, 0, 0, 0, 0) + " ackermann " + ackermann(2, 20));
        int inside = 0;
        for (int y = -20; y <= 20; y++)
            for (int x = -40; x <= 20; x++) {
                double cr = x / 20.0, ci = y / 20.0, zr = 0, zi = 0;
                int n = 0;
                while (n < 60 && zr * zr + zi * zi < 4) {
                    double t = zr * zr - zi * zi + cr;
                    zi = 2 * zr * zi + ci;
                    zr = t;
                    n++;
                }
                if (n == 60) inside++;
            }
        System.out.println("mandelbrot " + inside);
        float fsum = 0;
        for (int i = 1; i < 5000; i++) fsum += (i & 1) == 0 ? -4f / (2 * i - 1) : 4f / (2 * i - 1);
        System.out.println("float pi " + fsum);
        int[] arr = new int[3000];
        long seed = 1;
        for (int i = 0; i < arr.length; i++) {
            seed = seed * 6364136223846793005L + 1442695040888963407L;
            arr[i] = (int) (seed >>> 33);
        }
        quick(arr, 0, arr.length - 1);
        long h = 0;
        for (int i = 0; i < arr.length; i++) {
            h = h * 31 + arr[i];
            if (i > 0 && arr[i - 1] > arr[i]) System.out.println("unsorted");
        }
        System.out.println("sorted " + h);
        String x = "the quick brown fox jumps over the lazy dog and runs",
               y = "a slow green turtle walks under the busy cat or sits";
        int[][] lcs = new int[x.length() + 1][y.length() + 1];
        for (int i = 1; i <= x.length(); i++)
            for (int j = 1; j <= y.length(); j++)
                lcs[i][j] =
                    x.charAt(i - 1) == y.charAt(j - 1) ? lcs[i - 1][j - 1] + 1 : Math.max(lcs[i - 1][j], lcs[i][j - 1]);
        System.out.println("lcs " + lcs[x.length()][y.length()]);
        int[][] pegs = new int[3][10];
        int[] top = {10, 0, 0};
        for (int i = 0; i < 10; i++) pegs[0][i] = 10 - i;
        hanoi(10, 0, 2, pegs, top);
        System.out.println("hanoi " + java.util.Arrays.toString(pegs[2]));
        byte[] fnv = new byte[5000];
        int hash = 0x811c9dc5;
        for (int i = 0; i < fnv.length; i++) {
            fnv[i] = (byte) (i * i);
            hash = (hash ^ fnv[i]) * 0x01000193;
        }
        short crc = 0;
        for (byte v : fnv) {
            crc ^= (short) (v << 8);
            for (int k = 0; k < 8; k++) crc = (short) (crc < 0 ? crc << 1 ^ 0x1021 : crc << 1);
        }
        System.out.println("fnv " + hash + " crc16 " + crc);
        char[][] life = new char[20][20];
        for (char[] row : life) java.util.Arrays.fill(row, '.');
        life[1][2] = life[2][3] = life[3][1] = life[3][2] = life[3][3] = '#';
        for (int g = 0; g < 30; g++) {
            char[][] next = new char[20][20];
            for (int r = 0; r < 20; r++)
                for (int c = 0; c < 20; c++) {
                    int n = 0;
                    for (int dr = -1; dr <= 1; dr++)
                        for (int dc = -1; dc <= 1; dc++)
                            if ((dr | dc) != 0 && life[(r + dr + 20) % 20][(c + dc + 20) % 20] == '#') n++;
                    next[r][c] = n == 3 || n == 2 && life[r][c] == '#' ? '#' : '.';
                }
            life = next;
        }
        StringBuilder alive = new StringBuilder();
        for (int r = 0; r < 20; r++)
            for (int c = 0; c < 20; c++)
                if (life[r][c] == '#') alive.append(r).append(',').append(c).append(' ');
        System.out.println("life " + alive);
    }
}
