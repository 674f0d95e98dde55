// Kernels of `make bench` about numbers; see Kernels.java. About a second each on HotSpot's interpreter.
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Random;

class NumberKernels {
    /** Rounded: the last bit may differ. */
    public static long powers() {
        long sum = 0;
        for (int i = 1; i < 8_000_000; i++) sum += Math.round(Math.pow(1 + i * 2e-7, 2.5 + (i & 15)));
        return sum;
    }
    public static long transcendentals() {
        long sum = 0;
        for (int i = 1; i < 1_500_000; i++) {
            double x = i * 3e-4;
            double y = Math.exp(-x * 1e-2) + Math.log(x) + Math.cos(x) + Math.atan2(x, 3) + Math.cbrt(x);
            sum += Math.round(y * 1e6);
        }
        return sum;
    }

    /** A matrix of five elements a row times a vector. */
    public static long sparseMatrix() {
        int rows = 2000, each = 5;
        double[] values = new double[rows * each], x = new double[rows], y = new double[rows];
        int[] begins = new int[rows + 1], columns = new int[rows * each];
        for (int r = 0; r < rows; r++) {
            begins[r + 1] = begins[r] + each;
            x[r] = r % 17;
            for (int i = 0; i < each; i++) {
                columns[r * each + i] = (r * 31 + i * 397) % rows;
                values[r * each + i] = i - 1.5;
            }
        }
        double sum = 0;
        for (int round = 0; round < 300; round++) {
            for (int r = 0; r < rows; r++) {
                double product = 0;
                for (int i = begins[r]; i < begins[r + 1]; i++) product += values[i] * x[columns[i]];
                y[r] = product;
            }
            sum += y[round];
        }
        return (long) sum;
    }
    /** Steps until numbers come to one. */
    public static long collatz() {
        long most = 0;
        for (int i = 1; i < 60_000; i++) {
            int steps = 0;
            for (long n = i; n != 1; steps++) n = (n & 1) == 0 ? n >> 1 : 3 * n + 1;
            most = Math.max(most, steps);
        }
        return most;
    }

    public static long matrices() {
        int n = 130;
        double[][] a = new double[n][n], b = new double[n][n], product = new double[n][n];
        for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { a[i][j] = i - j; b[i][j] = i + j & 7; }
        for (int round = 0; round < 25; round++) {
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    double sum = 0;
                    for (int k = 0; k < n; k++) sum += a[i][k] * b[k][j];
                    product[i][j] = sum;
                }
            }
            double[][] last = a;
            a = product;
            product = last;
            for (double[] row : a) for (int j = 0; j < n; j++) row[j] %= 97;
        }
        double sum = 0;
        for (double[] row : a) for (double x : row) sum += x;
        return (long) sum;
    }
    /** Gauss' elimination: rows change places and are added to each other. */
    public static long elimination() {
        int n = 160;
        double determinants = 0;
        for (int round = 1; round <= 80; round++) {
            double[][] m = new double[n][n];
            for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) m[i][j] = (i * 31 + j * 17 + round) % 23 - 11;
            double determinant = 1;
            for (int k = 0; k < n; k++) {
                int pivot = k;
                for (int i = k + 1; i < n; i++) if (Math.abs(m[i][k]) > Math.abs(m[pivot][k])) pivot = i;
                double[] row = m[pivot];
                m[pivot] = m[k];
                m[k] = row;
                determinant = determinant * row[k] % 1009;
                for (int i = k + 1; i < n && row[k] != 0; i++) {
                    double[] other = m[i];
                    double factor = other[k] / row[k];
                    for (int j = k; j < n; j++) other[j] -= factor * row[j];
                }
            }
            determinants += determinant;
        }
        return Double.doubleToLongBits(determinants);
    }
    /** Conversions and comparisons between int, float and double. */
    public static long mandelbrot() {
        long inside = 0;
        for (int y = 0; y < 400; y++) {
            for (int x = 0; x < 600; x++) {
                float cr = x / 300f - 1.5f, ci = y / 200f - 1f, zr = 0, zi = 0;
                int turns = 0;
                while (turns < 200 && zr * zr + zi * zi <= 4) {
                    float t = zr * zr - zi * zi + cr;
                    zi = 2 * zr * zi + ci;
                    zr = t;
                    turns++;
                }
                inside += turns + (int) (zr * 1000) + (long) (double) zi;
            }
        }
        return inside;
    }

    public static long longArithmetic() {
        long x = 0x9E3779B97F4A7C15L, sum = 0;
        for (int i = 0; i < 40_000_000; i++) {
            x = x * 6364136223846793005L + 1442695040888963407L;
            long y = x >>> 17 ^ x << 5;
            sum += (y & 0xffffffffL) - (y >> 32);
            if (y > sum) sum ^= -y | i;
        }
        return sum;
    }
    public static long divisions() {
        long sum = 0;
        int n = 0;
        for (int i = 1; i < 20_000_000; i++) {
            sum += (sum ^ i * 0x5DEECE66DL) / i + (sum + i) % (i | 1L);
            n += (n ^ i * 31) / (i & 1023 | 1) + (n + i) % 10;
        }
        for (int i = 0; i < 200_000; i++) {
            long a = 1_000_003L * i + 7, b = 999_983L * (i + 5);
            while (b != 0) {
                long rest = a % b;
                a = b;
                b = rest;
            }
            sum += a;
        }
        return sum + n;
    }
    public static long bitTwiddling() {
        long sum = 0, x = 1;
        for (int i = 0; i < 4_500_000; i++) {
            x ^= x << 13;
            x ^= x >>> 7;
            x ^= x << 17;
            sum += Long.bitCount(x) + Integer.numberOfLeadingZeros((int) x | 1) + Long.numberOfTrailingZeros(x)
                 + Integer.rotateLeft(i, (int) x) + Math.floorMod(i, 7);
        }
        return sum;
    }

    public static long bigIntegers() {
        BigInteger factorial = BigInteger.ONE, fibonacci = BigInteger.ZERO, next = BigInteger.ONE;
        for (int i = 2; i <= 500; i++) factorial = factorial.multiply(BigInteger.valueOf(i));
        for (int i = 0; i < 1000; i++) {
            BigInteger sum = fibonacci.add(next);
            fibonacci = next;
            next = sum;
        }
        BigInteger modulus = BigInteger.ONE.shiftLeft(521).subtract(BigInteger.ONE), power = BigInteger.TWO;
        for (int i = 0; i < 60; i++) power = factorial.add(power).modPow(fibonacci.shiftRight(200), modulus);
        return factorial.toString().hashCode() + power.toString(16).hashCode() + factorial.mod(power).longValue();
    }
    public static long bigDecimals() {
        BigDecimal sum = BigDecimal.ZERO, rate = new BigDecimal("1.0375");
        for (int i = 1; i < 350_000; i++) {
            BigDecimal amount = BigDecimal.valueOf(i * 137L, 2).multiply(rate).setScale(2, RoundingMode.HALF_EVEN);
            sum = sum.add(amount).subtract(BigDecimal.valueOf(i % 10));
            if (i % 10 == 0) sum = sum.add(amount.divide(new BigDecimal(i), 8, RoundingMode.DOWN));
        }
        return sum.toPlainString().hashCode();
    }
    public static long random() {
        Random random = new Random(7);
        long sum = 0;
        for (int i = 0; i < 2_400_000; i++) sum += random.nextInt(1000) + (random.nextBoolean() ? 1 : 0);
        for (int i = 0; i < 400_000; i++) sum += (long) (random.nextGaussian() * 1e6);
        return sum;
    }
}
