// Arrays of every element type: creation, initialisers, defaults, multi-dimensional forms, clone and covariance.
import java.util.Arrays;

public class ArrayForms {
    static Object[] all() {
        return new Object[] {new boolean[2], new byte[2],   new char[2],   new short[2], new int[2],   new long[2],
                             new float[2],   new double[2], new String[2], new int[2][], new Object[0]};
    }

    public static void main(String[] args) {
        for (Object a : all())
            System.out.println(a.getClass().getName() + " " + a.getClass().getSimpleName() + " "
                               + a.getClass().getSuperclass());
        boolean[] z = {true, false, true};
        byte[] b = {-128, 127, (byte) 255};
        char[] c = {'a', '\0', '\uffff'};
        short[] s = {-32768, 32767};
        int[] i = {Integer.MIN_VALUE, 0, Integer.MAX_VALUE};
        long[] l = {Long.MIN_VALUE, Long.MAX_VALUE};
        float[] f = {1.5f, Float.NaN, -0f};
        double[] d = {1e300, Double.NEGATIVE_INFINITY};
        z[1] = !z[1];
        b[0]--;
        c[0]++;
        s[1]++;
        i[0]--;
        l[1]++;
        f[0] /= 3;
        d[0] *= 1e10;
        System.out.println(Arrays.toString(z) + Arrays.toString(b) + (int) c[0] + (int) c[1] + (int) c[2]
                           + Arrays.toString(s));
        System.out.println(Arrays.toString(i) + Arrays.toString(l) + Arrays.toString(f) + Arrays.toString(d));
        b[1] = (byte) 0x1ff;
        c[1] = (char) -1;
        s[0] = (short) 0x18000;
        z[0] = false;
        System.out.println(b[1] + " " + (int) c[1] + " " + s[0] + " " + z[0]);
        int[][] jagged = {{1}, {2, 3}, {}, null};
        System.out.println(Arrays.deepToString(jagged));
        int[][][] cube = new int[2][3][4];
        cube[1][2][3] = 7;
        System.out.println(Arrays.deepToString(cube) + cube.getClass().getName());
        String[][][] partial = new String[2][3][];
        System.out.println(partial[1].length + " " + partial[1][2]);
        System.out.println(new double[3][0][5].length + " " + new double[3][0][5][1].length);
        System.out.println(Arrays.deepToString(new boolean[2][2]) + Arrays.deepToString(new byte[1][2])
                           + Arrays.deepToString(new short[1][1]) + Arrays.deepToString(new long[1][2])
                           + Arrays.deepToString(new float[2][1]) + new char[4][5][4].length);
        int[] copy = i.clone();
        copy[1] = 99;
        System.out.println(i[1] + " " + copy[1] + " " + copy.getClass().getName());
        int[][] shallow = jagged.clone();
        System.out.println((shallow[0] == jagged[0]) + " " + (shallow != jagged));
        for (Object a : all())
            System.out.print(java.lang.reflect.Array.getLength(a) + (a instanceof Cloneable ? "c" : "-")
                             + (a instanceof java.io.Serializable ? "s" : "-") + " ");
        System.out.println();
        Object[] cov = new Integer[] {1, 2};
        System.out.println(cov instanceof Number[]);
        System.out.println((Object) cov instanceof Comparable[]);
        System.out.println((Object) jagged instanceof Object[]);
        System.out.println((Object) i instanceof Object[]);
        System.out.println((Object) jagged instanceof Cloneable[]);
        System.arraycopy(i, 0, i, 1, 2);
        System.out.println(Arrays.toString(i));
        Object[] from = {"a", "b", "c"};
        String[] to = new String[3];
        System.arraycopy(from, 0, to, 1, 2);
        System.out.println(Arrays.toString(to));
        char[] big = new char[70_000];
        for (int n = 0; n < big.length; n++) big[n] = (char) n;
        System.arraycopy(big, 0, big, 4_465, 65_535);
        System.out.println((int) big[69_999] + " " + (int) big[4_465] + " " + (int) big[4_464]);
    }
}
