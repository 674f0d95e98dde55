/* Arrays of nearly half the heap, one after another: each must be gone when the next one is asked for. What a register,
 * a slot or the C stack still has of it keeps nothing alive. The methods are hot before. */
import java.util.Arrays;

public class LargeArraysInTurn {
    static final int TURNS = 20, SMALL = 500, LARGE = 30 << 20;

    static int here(int n) {
        int sum = 0;
        for (int i = 0; i < TURNS; i++) {
            byte[] a = new byte[n];
            a[i] = (byte) i;
            sum += a[i];
        }
        return sum;
    }

    static int heldByAnother(int n) {
        int sum = 0;
        for (int i = 0; i < TURNS; i++) {
            byte[] a = new byte[n / 2 + i];
            Object[] o = new Object[n / 16];
            o[3] = a;
            a[i] = (byte) i;
            sum += a[i] + ((byte[]) o[3])[i];
        }
        return sum;
    }

    static byte[] make(int n, int i) {
        byte[] b = new byte[n];
        b[i] = (byte) i;
        return b;
    }

    static int made(int n) {
        int sum = 0;
        for (int i = 0; i < TURNS; i++) {
            byte[] a = make(n, i);
            sum += a[i];
        }
        return sum;
    }

    static int deeper(int n, int depth) {
        if (depth > 0) return deeper(n, depth - 1) + 1;
        byte[] a = make(n, 7);
        return a[7];
    }

    static int madeDeeper(int n) {
        int sum = 0;
        for (int i = 0; i < TURNS; i++) {
            byte[] a = make(n, i);
            sum += a[i];
            a = null;
            sum += deeper(n, 3);
        }
        return sum;
    }

    static int ofArrays(int n) {
        int sum = 0;
        for (int i = 0; i < TURNS; i++) {
            byte[][] a = new byte[2][n / 2];
            a[1][i] = 1;
            sum += a[1][i] + a[0][i];
        }
        return sum;
    }

    static int copied(int n) {
        int sum = 0;
        byte[] first = new byte[n / 3];
        for (int i = 0; i < TURNS; i++) {
            byte[] copy = first.clone(), longer = Arrays.copyOf(copy, n / 3 * 2);
            copy = null;
            sum += longer[i] + longer.length % 7;
        }
        return sum;
    }

    static int texts(int n) {
        int sum = 0;
        char[] chars = new char[n / 8];
        for (int i = 0; i < TURNS; i++) sum += new String(chars).length();
        return sum;
    }

    static synchronized int locked(int n, int i) {
        byte[] a = new byte[n];
        a[i] = 3;
        return a[i];
    }

    static int underLock(int n) {
        int sum = 0;
        for (int i = 0; i < TURNS; i++) sum += locked(n, i);
        return sum;
    }

    interface Kind { int run(int n); }

    public static void main(String[] args) {
        Kind[] kinds = {LargeArraysInTurn::here, LargeArraysInTurn::heldByAnother, LargeArraysInTurn::made,
                        LargeArraysInTurn::madeDeeper, LargeArraysInTurn::ofArrays, LargeArraysInTurn::copied,
                        LargeArraysInTurn::texts, LargeArraysInTurn::underLock};
        long sum = 0;
        for (int i = 0; i < 1000; i++) for (Kind k : kinds) sum += k.run(SMALL);
        System.out.println(sum);
        for (Kind k : kinds) {
            try {
                System.out.println(k.run(LARGE));
            } catch (OutOfMemoryError e) {
                System.out.println(e);
            }
        }
    }
}
