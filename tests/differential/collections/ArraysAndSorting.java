// Arrays: sort of every type and size, binary search, fill, copies, comparisons, mismatch, deep operations.
import java.util.*;

public class ArraysAndSorting {
    interface Action {
        Object run() throws Exception;
    }
    static void t(Action a) {
        try {
            System.out.println(a.run());
        } catch (Exception e) {
            System.out.println(e);
        }
    }

    public static void main(String[] args) {
        for (int n : new int[] {0, 1, 2, 10, 50, 300, 2000}) {
            Random r = new Random(n);
            int[] i = r.ints(n).toArray();
            long[] l = r.longs(n).toArray();
            double[] d = r.doubles(n).map(x -> x > 0.9 ? Double.NaN : x > 0.8 ? -0.0 : x - 0.5).toArray();
            byte[] b = new byte[n];
            r.nextBytes(b);
            char[] c = new char[n];
            short[] s = new short[n];
            float[] f = new float[n];
            Integer[] o = new Integer[n];
            String[] t = new String[n];
            for (int k = 0; k < n; k++) {
                c[k] = (char) r.nextInt();
                s[k] = (short) r.nextInt();
                f[k] = r.nextFloat();
                o[k] = r.nextInt(50);
                t[k] = Integer.toString(r.nextInt(), 36);
            }
            Arrays.sort(i);
            Arrays.sort(l);
            Arrays.sort(d);
            Arrays.sort(b);
            Arrays.sort(c);
            Arrays.sort(s);
            Arrays.sort(f);
            Arrays.sort(o, Comparator.reverseOrder());
            Arrays.sort(t);
            System.out.println(n + " " + Arrays.hashCode(i) + " " + Arrays.hashCode(l) + " " + Arrays.hashCode(d) + " "
                               + Arrays.hashCode(b) + " " + Arrays.hashCode(c) + " " + Arrays.hashCode(s) + " "
                               + Arrays.hashCode(f) + " " + Arrays.hashCode(o) + " " + Arrays.hashCode(t));
            if (n > 0)
                System.out.println(Arrays.binarySearch(i, i[n / 2]) + " " + (Arrays.binarySearch(l, l[0] + 1) < 0)
                                   + Arrays.binarySearch(t, t[n - 1]));
        }
        int[] saw = new int[1000];
        for (int k = 0; k < 1000; k++) saw[k] = k % 100;
        Arrays.sort(saw);
        int[] desc = new int[500];
        for (int k = 0; k < 500; k++) desc[k] = -k;
        Arrays.sort(desc, 100, 400);
        System.out.println(saw[500] + " " + desc[99] + desc[100] + desc[399] + desc[400]);
        record P(int k, int order) {}
        P[] stable = new P[300];
        for (int k = 0; k < 300; k++) stable[k] = new P(k * 7 % 10, k);
        Arrays.sort(stable, Comparator.comparingInt(P::k));
        boolean ok = true;
        for (int k = 1; k < 300; k++)
            ok &= stable[k - 1].k() < stable[k].k() || stable[k - 1].order() < stable[k].order();
        System.out.println(ok);
        int[] a = {1, 2, 3, 4, 5};
        Arrays.fill(a, 1, 3, 9);
        System.out.println(Arrays.toString(a) + Arrays.toString(Arrays.copyOf(a, 7))
                           + Arrays.toString(Arrays.copyOfRange(a, 2, 4)) + Arrays.equals(a, a.clone())
                           + Arrays.equals(a, 0, 2, new int[] {0, 1, 9}, 1, 3) + Arrays.compare(a, new int[] {1, 9, 8})
                           + Arrays.mismatch(a, new int[] {1, 9, 8})
                           + Arrays.compareUnsigned(new byte[] {-1}, new byte[] {1}));
        System.out.println(Arrays.deepToString(new Object[] {1, new int[] {2}, new Object[] {"x", null}})
                           + Arrays.deepEquals(new int[][] {{1}}, new int[][] {{1}})
                           + Arrays.deepHashCode(new int[][] {{1}, {2}}) + Arrays.asList(1, 2).hashCode()
                           + Arrays.equals(new double[] {Double.NaN, 0.0}, new double[] {Double.NaN, 0.0})
                           + Arrays.equals(new float[] {0f}, new float[] {-0f})
                           + Arrays.mismatch(new long[] {1, 2}, new long[] {1, 2, 3}));
        Object[] self = new Object[1];
        self[0] = self;
        System.out.println(Arrays.deepToString(self));
        String[] up = Arrays.copyOf(new Object[] {"a", "b"}, 2, String[].class);
        System.out.println(up[1]);
        t(() -> Arrays.copyOf(new Object[] {1}, 1, String[].class));
        t(() -> Arrays.copyOf(a, -1));
        t(() -> Arrays.copyOfRange(a, 6, 7));
        t(() -> Arrays.copyOfRange(a, 3, 2));
        t(() -> {
            Arrays.sort(a, 3, 9);
            return 0;
        });
        t(() -> {
            Arrays.fill(a, -1, 2, 0);
            return 0;
        });
        t(() -> {
            Arrays.fill(new String[1], (Object) 1);
            return 0;
        });
        byte[] x = new byte[100], y = new byte[100];
        for (int k = 0; k < 100; k++) x[k] = y[k] = (byte) k;
        for (int k = 0; k < 100; k += 13) {
            y[k]++;
            System.out.print(Arrays.mismatch(x, y) + " ");
            y[k]--;
        }
        System.out.println(Arrays.equals(x, y));
    }
}
