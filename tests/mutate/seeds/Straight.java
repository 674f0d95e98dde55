/* Code without branches, access to inherited protected members, native and abstract methods, static initialisation. */
public abstract class Straight extends java.util.AbstractList<String> implements Cloneable, java.io.Serializable {
    private static final long serialVersionUID = 42L;
    static final Object[] KEEP;
    static int a = 1, b = 2;
    static long c = 3;
    static double d = 4;

    static {
        KEEP = new Object[] {"x", 1, 2L, 3f, 4d, 'c', (byte) 5, (short) 6, true, Straight.class};
        a += b;
    }

    protected native int hidden();

    abstract void later();

    int bump() {
        modCount++;
        return modCount;
    }

    Object copy() throws CloneNotSupportedException {
        int[] array = {1, 2};
        int[] other = array.clone();
        return other.length == 2 ? super.clone() : null;
    }

    static int arithmetic(int x, int y) {
        int r = x + y - x * y;
        r ^= x << 2 | y >> 1 & 7;
        r += 100;
        r += 1000;
        r -= -x;
        return r % 97;
    }

    static long longs(long x, long y) {
        return (x * y + (x >>> 3) - (y << 2) | x & y ^ 5L) / 7 % 1000;
    }

    static double doubles(double x, float f) {
        return x * f - (double) (float) x / 3 + (int) x + (long) f + (byte) (int) x + (char) 66 + (short) 7;
    }

    static void swaps() {
        long[] l = {1, 2, 3};
        int i = 0;
        l[i++] += l[i];
        d = c = a = b;
        String s = "a";
        s += d;
        KEEP[0] = s;
    }

    static final class Concrete extends Straight {
        private static final long serialVersionUID = 43L;
        @Override void later() { add("x"); }
        @Override public String get(int index) { return String.valueOf(index); }
        @Override public int size() { return 2; }
    }

    public static void main(String[] args) throws Exception {
        arithmetic(3, 4);
        longs(5, 6);
        doubles(7, 8);
        swaps();
        Concrete x = new Concrete();
        x.bump();
        x.copy();
        x.get(1);
    }
}
