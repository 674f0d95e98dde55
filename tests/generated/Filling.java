/** Gives arrays contents that are the same everywhere. */
public final class Filling {
    private Filling() {}

    public static void fill(Object array, int seed) {
        if (array instanceof boolean[]) {
            boolean[] a = (boolean[]) array;
            for (int i = 0; i < a.length; i++) a[i] = (i * 7 + seed) % 3 == 0;
        } else if (array instanceof byte[]) {
            byte[] a = (byte[]) array;
            for (int i = 0; i < a.length; i++) a[i] = (byte) number(i, seed);
        } else if (array instanceof char[]) {
            char[] a = (char[]) array;
            for (int i = 0; i < a.length; i++) a[i] = (char) number(i, seed);
        } else if (array instanceof short[]) {
            short[] a = (short[]) array;
            for (int i = 0; i < a.length; i++) a[i] = (short) number(i, seed);
        } else if (array instanceof int[]) {
            int[] a = (int[]) array;
            for (int i = 0; i < a.length; i++) a[i] = number(i, seed);
        } else if (array instanceof long[]) {
            long[] a = (long[]) array;
            for (int i = 0; i < a.length; i++) a[i] = (long) number(i, seed) * number(i, ~seed);
        } else if (array instanceof float[]) {
            float[] a = (float[]) array;
            for (int i = 0; i < a.length; i++) a[i] = number(i, seed) / 1024f;
        } else if (array instanceof double[]) {
            double[] a = (double[]) array;
            for (int i = 0; i < a.length; i++) a[i] = number(i, seed) / 3.0;
        } else {
            fillObjects((Object[]) array, seed);
        }
    }

    private static void fillObjects(Object[] array, int seed) {
        for (int i = 0; i < array.length; i++) {
            Object o = null;
            if (array instanceof String[]) o = "text" + i;
            else if (array instanceof int[][]) o = new int[8 + i % 3];
            else if (array instanceof Object[][]) o = new Object[8];
            else if (array.getClass() == Object[].class) o = i % 3 == 0 ? "s" + seed : (Object) number(i, seed);
            array[i] = o;
        }
    }

    private static int number(int i, int seed) { return (i * 31 + seed) * 0x9e3779b1; }
}
