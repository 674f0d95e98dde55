// The kernels of `make bench`: each does a fixed amount of work, and prints a check sum that must be the same on every
// VM. Those of this file take about two seconds on HotSpot's interpreter. Argument: a kernel's name; without any, their
// names.
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

public class Kernels {
    // --- calls ------------------------------------------------------------------------------------------------------
    static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
    public static long calls() { return fibonacci(38); }

    private int state;
    private int step(int x) { state += x; return state ^ x; }
    public static long instanceCalls() {
        Kernels k = new Kernels();
        long sum = 0;
        for (int i = 0; i < 60_000_000; i++) sum += k.step(i);
        return sum;
    }

    // --- loops ------------------------------------------------------------------------------------------------------
    public static long integerLoop() {
        int[] sieve = new int[1 << 16];
        long sum = 0;
        for (int round = 0; round < 60; round++) {
            Arrays.fill(sieve, 0);
            for (int i = 2; i < sieve.length; i++) {
                if (sieve[i] != 0) continue;
                sum += i;
                for (int j = i + i; j < sieve.length; j += i) sieve[j] = i;
            }
        }
        int h = 1;
        for (int i = 0; i < 50_000_000; i++) h = h * 31 + (i ^ h >>> 7);
        return sum + h;
    }
    public static long floatingLoop() {
        double x = 0.5, sum = 0;
        for (int i = 0; i < 40_000_000; i++) {
            x = 3.9 * x * (1.0 - x);
            sum += x > 0.5 ? x : -x;
        }
        double[][] a = new double[120][120], b = new double[120][120];
        for (int i = 0; i < 120; i++) for (int j = 0; j < 120; j++) { a[i][j] = i + j; b[i][j] = i - j; }
        for (int round = 0; round < 10; round++) {
            for (int i = 0; i < 120; i++) for (int j = 0; j < 120; j++) {
                double s = 0;
                for (int k = 0; k < 120; k++) s += a[i][k] * b[k][j];
                sum += s;
            }
        }
        return Double.doubleToLongBits(sum);
    }

    public static long squareRoots() {
        double sum = 0;
        for (int i = 0; i < 60_000_000; i++) sum += Math.sqrt(i) + Math.abs(i - sum);
        return Double.doubleToLongBits(sum);
    }
    public static long sines() {                    // rounded: HotSpot's own sine may differ in the last bit
        long sum = 0;
        for (int i = 0; i < 8_000_000; i++) sum += Math.round(Math.sin(i * 0.37) * 1e6);
        return sum;
    }
    public static long fma() {
        double x = 0.5;
        for (int i = 0; i < 12_000_000; i++) x = Math.fma(x, -x, Math.floor(x * 7.5) * 0.125 + 0.25);
        return Double.doubleToLongBits(x);
    }
    /** Five bodies that attract each other. */
    public static long bodies() {
        double[] x = {0, 4.84, 8.34, 12.89, 15.37}, y = {0, -1.16, 4.12, -15.11, -25.9},
                 vx = {0, 0.6, -1.01, 1.08, 0.97}, vy = {0, 2.81, 1.81, 0.86, 0.59},
                 mass = {39.47, 0.037, 0.011, 0.0017, 0.002};
        for (int step = 0; step < 900_000; step++) {
            for (int i = 0; i < 5; i++) {
                for (int j = i + 1; j < 5; j++) {
                    double dx = x[i] - x[j], dy = y[i] - y[j], square = dx * dx + dy * dy,
                           pull = 0.001 / (square * Math.sqrt(square));
                    vx[i] -= dx * mass[j] * pull; vy[i] -= dy * mass[j] * pull;
                    vx[j] += dx * mass[i] * pull; vy[j] += dy * mass[i] * pull;
                }
            }
            for (int i = 0; i < 5; i++) { x[i] += 0.001 * vx[i]; y[i] += 0.001 * vy[i]; }
        }
        return Double.doubleToLongBits(x[0] + y[1] + vx[2] + vy[3]);
    }
    public static long checksums() {
        java.util.zip.CRC32 crc = new java.util.zip.CRC32();
        java.util.zip.CRC32C castagnoli = new java.util.zip.CRC32C();
        byte[] data = new byte[1 << 12];
        for (int i = 0; i < data.length; i++) data[i] = (byte) (i * 7);
        for (int i = 0; i < 1_000_000; i++) { crc.update(data); castagnoli.update(data); crc.update(i); }
        return crc.getValue() ^ castagnoli.getValue();
    }
    public static long arrayLoop() {
        long sum = 0;
        for (int round = 0; round < 40; round++) {
            boolean[] composite = new boolean[200_000];
            int length = composite.length, primes = 0;
            for (int i = 2; i < length; i++) {
                if (composite[i]) continue;
                primes++;
                for (int j = i + i; j < length; j += i) composite[j] = true;
            }
            sum += primes;
        }
        int[][] grid = new int[300][300];
        for (int round = 0; round < 20; round++) {
            for (int i = 1; i < 299; i++)
                for (int j = 1; j < 299; j++) grid[i][j] = grid[i - 1][j] + grid[i][j - 1] ^ grid[i + 1][j] + round;
        }
        byte[] bytes = new byte[100_000];
        for (int round = 0; round < 40; round++) {
            for (int i = 0; i < bytes.length; i++) { sum += bytes[i]; bytes[i] = (byte) (sum ^ i); }
        }
        return sum + Arrays.hashCode(grid[150]);
    }

    // --- objects ----------------------------------------------------------------------------------------------------
    record Node(Node left, Node right) {
        static Node tree(int depth) {
            return depth == 0 ? new Node(null, null) : new Node(tree(depth - 1), tree(depth - 1));
        }
        int count() { return left == null ? 1 : 1 + left.count() + right.count(); }
    }
    public static long allocation() {
        long sum = 0;
        Node kept = Node.tree(16);
        for (int i = 0; i < 2000; i++) sum += Node.tree(12).count();
        return sum + kept.count();
    }
    public static long strings() {
        long sum = 0;
        for (int i = 0; i < 350_000; i++) {
            String s = "key-" + i + ":" + (i * 7L) + "/" + (char) ('a' + i % 26);
            sum += s.hashCode() + s.indexOf(':') + s.substring(4).length();
            if (s.contains("99")) sum += s.replace('9', 'x').toUpperCase().length();
        }
        StringBuilder b = new StringBuilder();
        for (int i = 0; i < 1_500_000; i++) b.append(i % 10);
        return sum + b.toString().hashCode();
    }
    public static long maps() {
        long sum = 0;
        for (int round = 0; round < 6; round++) {
            Map<Integer, String> hash = new HashMap<>();
            Map<String, Integer> tree = new TreeMap<>();
            for (int i = 0; i < 60_000; i++) {
                hash.put(i * 31, "v" + i);
                if (i % 4 == 0) tree.put("k" + i, i);
            }
            for (int i = 0; i < 120_000; i++) { String v = hash.get(i); if (v != null) sum += v.length(); }
            for (int v : tree.values()) sum += v;
        }
        return sum;
    }

    // --- dispatch ---------------------------------------------------------------------------------------------------
    interface Shape { int area(int x); }
    static final class Square implements Shape { public int area(int x) { return x * x; } }
    static final class Slab implements Shape { public int area(int x) { return x * 3; } }
    static final class Triangle implements Shape { public int area(int x) { return x * x / 2; } }
    public static long interfaceCalls() {
        Shape[] shapes = { new Square(), new Slab(), new Triangle(), new Slab() };
        long sum = 0;
        for (int i = 0; i < 45_000_000; i++) sum += shapes[i & 3].area(i & 1023);
        return sum;
    }
    public static long lambdaCalls() {
        IntBinaryOperator add = (a, b) -> a + b;
        int seven = 7;
        IntUnaryOperator shift = a -> a ^ a << seven;
        int x = 1;
        for (int i = 0; i < 14_000_000; i++) x = add.applyAsInt(shift.applyAsInt(x), i);
        return x;
    }
    public static long streams() {
        long sum = 0;
        for (int round = 0; round < 300; round++) {
            sum += IntStream.range(0, 40_000).filter(i -> i % 3 == 0).mapToLong(i -> i * 2L).sum();
            sum += IntStream.range(0, 10_000)
                       .boxed()
                       .map(i -> i + 1)
                       .filter(i -> i % 2 == 0)
                       .mapToInt(Integer::intValue)
                       .max()
                       .getAsInt();
        }
        return sum;
    }

    // --- exceptions and monitors -------------------------------------------------------------------------------------
    static int thrower(int n, int depth) {
        if (depth == 0) {
            if (n % 2 == 0) throw new IllegalStateException("n" + n);
            return n;
        }
        return thrower(n, depth - 1) + 1;
    }
    public static long exceptions() {
        long sum = 0;
        for (int i = 0; i < 900_000; i++) {
            try {
                sum += thrower(i, 8);
            } catch (IllegalStateException e) {
                sum += e.getMessage().length();
            }
        }
        return sum;
    }
    private synchronized void increment() { state++; }
    public static long monitors() {
        Kernels k = new Kernels();
        Object lock = new Object();
        for (int i = 0; i < 40_000_000; i++) {
            k.increment();
            synchronized (lock) { k.state ^= i; }
        }
        return k.state;
    }

    /** Two threads that need the same monitor for half of their time. */
    public static long contendedMonitor() throws InterruptedException {
        Object lock = new Object();
        long[] sum = {0};
        Runnable work = () -> {
            int own = 0;
            for (int i = 0; i < 40_000; i++) {
                synchronized (lock) { for (int k = 0; k < 200; k++) sum[0] += k & i; }
                for (int k = 0; k < 200; k++) own += k & i;
            }
            synchronized (lock) { sum[0] += own; }
        };
        Thread other = new Thread(work);
        other.start();
        work.run();
        other.join();
        return sum[0];
    }

    // --- library code ------------------------------------------------------------------------------------------------
    public static long sorting() {
        long seed = 42, sum = 0;
        for (int round = 0; round < 4; round++) {
            int[] numbers = new int[300_000];
            List<String> words = new ArrayList<>();
            for (int i = 0; i < numbers.length; i++) {
                seed = seed * 6364136223846793005L + 1442695040888963407L;
                numbers[i] = (int) (seed >>> 32);
                if (i % 10 == 0) words.add(Long.toString(seed >>> 20, 36));
            }
            Arrays.sort(numbers);
            words.sort(null);
            sum += numbers[1000] + words.get(77).hashCode();
        }
        return sum;
    }
    public static long sha256() throws Exception {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        byte[] data = new byte[1 << 16];
        for (int i = 0; i < data.length; i++) data[i] = (byte) (i * 7);
        for (int i = 0; i < 60; i++) digest.update(data);
        return Arrays.hashCode(digest.digest());
    }

    // --- finding and running them ------------------------------------------------------------------------------------
    /** Where kernels are: what is public, static and without parameters there. Its name with dashes is the kernel's. */
    private static final String[] PLACES = { "Kernels", "NumberKernels", "TextKernels", "DataKernels", "CallKernels",
                                             "ControlKernels", "LoadingKernels", "PatternKernels" };

    private static List<Method> kernelsOf(String place) {
        List<Method> kernels = new ArrayList<>();
        try {
            for (Method m : Class.forName(place).getDeclaredMethods())
                if (Modifier.isPublic(m.getModifiers()) && m.getParameterCount() == 0) kernels.add(m);
        } catch (ClassNotFoundException e) {
            // not compiled: run.py says why
        }
        return kernels;
    }

    private static String dashed(String name) {
        return name.replaceAll("(?<=[a-z])(?=[A-Z0-9])", "-").toLowerCase(Locale.ROOT);
    }

    public static void main(String[] args) throws Throwable {
        String wanted = args.length == 0 ? "" : args[0].replace("-", "");
        for (String place : PLACES) {
            for (Method m : kernelsOf(place)) {
                if (args.length == 0) {
                    System.out.println(dashed(m.getName()));
                } else if (m.getName().equalsIgnoreCase(wanted)) {
                    System.out.println(args[0] + " " + m.invoke(null));
                    return;
                }
            }
        }
        if (args.length != 0) throw new IllegalArgumentException("no kernel " + args[0]);
    }
}
