// Loops that call nothing on their way round, so that compiled code may have their variables in registers: each is
// entered where it begins, in its middle, or by a handler, and left by branches, returns, exceptions and calls that do
// not come back. Intrinsics among them are sometimes calls.
public class LoopVariables {
    static final int N = 30000;
    static final int S = ClassAssembler.PUBLIC | ClassAssembler.STATIC;

    // ---- variables

    static String words(int n) {
        int a = 1, b = 2, c = 3, d = 4, e = 5, f = 6;            // more than there are registers
        long l = 7;
        for (int i = 0; i < n; i++) {
            a += b; b ^= c; c -= d; d = e * 31; e += f; f = i; l = l * 3 + a;
        }
        return a + " " + b + " " + c + " " + d + " " + e + " " + f + " " + l;
    }
    static String floats(int n, float[] x, double[] y) {
        float a = 1, b = 2, c = 3;
        double d = 4, e = 5, f = 6, g = 7, h = 8;
        for (int i = 0; i < n; i++) {
            a += x[i & 7]; b -= a; c = b * 0.5f;
            d += y[i & 7] * c; e = -e; f = d / 3; g -= f; h = i;
            if (i == 5) e = 0;
            if (i == 6) a = 1;
        }
        return a + " " + b + " " + c + " " + d + " " + e + " " + f + " " + g + " " + h;
    }
    /* a variable is assigned while its former value is an operand */
    static long assigned(int n) {
        int i = 0, j = 1;
        long s = 0, t = 1;
        double x = 1, y = 2;
        while (i < n) {
            int k = i++ + (i += 2) - i;
            s += s + (s = t) + (t = i);
            x = x + (x = y) * (y = 0.5 * k);
            int swapped = i;
            i = j; j = swapped;
            i += j - i + 1;
            s ^= j + (j = k) + j;
        }
        return s * 31 + t + Double.doubleToLongBits(x + y) + j;
    }
    /* variables that have no register get the values of those that have one, and change */
    static long copied(int n) {
        int a = 1, b = 2, c = 3, d = 4, e, f;
        double u = 1, v = 2, w = 3, x = 4, y = 5, z = 6, s, t;
        long h = 0;
        for (int i = 0; i < n; i++) {
            a += b + i; b += c - a; c += d + a; d += a - b; a ^= d; b ^= c;
            e = a; f = b;
            e++; f += 3;
            u += v; v -= w; w += x * 0.5; x -= y; y += z * 0.25; z -= u * 0.125;
            s = u; t = v;
            s = s * 0.5 + t; t = t - s;
            h = h * 31 + a + b + e + f + (long) (s + t + u + v);
        }
        return h;
    }
    static Object references(Object[] list, int n) {
        Object o = list, last = null;
        for (int i = 0; i < n; i++) {
            Object before = o;
            o = ((Object[]) o)[1];
            if (o == null) o = list;
            if (before == o) return "same";
            last = o instanceof Integer[] ? o : before;
            list[2] = last;
        }
        return ((Object[]) last).length + " " + (list[2] == last);
    }
    /* the same variable has several types */
    static long reused(int n) {
        long h = 0;
        for (int i = 0; i < n; i++) {
            if ((i & 1) == 0) { int x = i; x *= 3; h += x; }
            else { double x = i; x *= 0.3; h ^= (long) x; }
        }
        return h;
    }

    // ---- ways in

    static long handlers(int[] a, int n) {
        long h = 1;
        int caught = 0, i = 0;
        for (; i < n; i++) {
            try {
                h = h * 31 + a[i % 9] / (i % 5);
            } catch (ArithmeticException e) {
                caught++;
                h ^= i;
            } catch (ArrayIndexOutOfBoundsException e) {
                caught += 1000;
            }
            h += caught;
        }
        return h * 7 + i;
    }
    /* the condition comes last, and is where the loop is entered; javac puts it first */
    static Class<?> crafted() throws Throwable {
        ClassAssembler c = new ClassAssembler(52, "Entered");
        c.method(S, "last", "(I)J", 6, 3,
                 "lconst_1\n lstore_1\n goto test\nbody:\n .frame append long\n lload_1\n ldc2_w 31L\n lmul\n iload_0\n"
                     + "i2l\n ladd\n lstore_1\n iinc 0 -1\ntest:\n .frame same\n iload_0\n ifgt body\n lload_1\n"
                     + "lreturn");
        c.method(S, "anywhere", "(II)J", 6, 4,
                 "iload_1\n i2l\n lstore_2\n iload_1\n tableswitch 0 head first second : head\n"
                     + "head:\n .frame append long\n lload_2\n lconst_1\n ladd\n lstore_2\n"
                     + "first:\n .frame same\n lload_2\n ldc2_w 31L\n lmul\n lstore_2\n iinc 1 3\n"
                     + "second:\n .frame same\n lload_2\n iload_1\n i2l\n lxor\n lstore_2\n iinc 0 -1\n"
                     + "iload_0\n iconst_3\n irem\n ifeq first\n iload_0\n ifgt head\n lload_2\n lreturn");
        return ClassAssembler.load(c);
    }

    // ---- ways out

    static int returns(int[] a, int key) {
        int i = 0;
        for (;; i++) {
            if (a[i] == key) return i;
            if (i > N) throw new IllegalStateException("not there after " + i + " of " + a.length);
        }
    }
    static String thrown(int[] a, int key) {
        try {
            return "found at " + returns(a, key);
        } catch (IllegalStateException | ArrayIndexOutOfBoundsException e) {
            return e.getMessage();
        }
    }
    static int twice(int i) { return 2 * i; }
    static String called(int n) {
        int i = 0, j = 7;
        try {
            for (;; i++) {
                j ^= i;
                if (i > n) throw new IllegalStateException(twice(i) + " " + Math.max(i, 5) + " " + (i + j));
            }
        } catch (IllegalStateException e) {
            return e.getMessage();
        }
    }
    /* what is made in a loop, while the collector comes */
    static int made(int n) {
        int[] kept = null, before;
        Object[] list = new Object[7];
        int i = 0, sum = 0;
        for (; i < n; i++) {
            before = kept;
            kept = new int[i % 100 + 1];
            kept[i % kept.length] = i;
            list[i % 7] = i % 2 == 0 ? kept : before;
            list = i % 1000 == 0 ? new Object[list.length] : list;
            if (before != null) sum += before[(i - 1) % before.length] - i + 1;
        }
        return sum + i + kept.length;
    }
    static synchronized long locked(int n) {
        long h = 0;
        for (int i = 0; ; i++) {
            h = h * 33 + i;
            if (i == n) return h;
        }
    }

    // ---- intrinsics that are calls now and then

    static long intrinsics(int n, double[] y) {
        double low = 0, high = 0, sum = 0;
        long bits = 0;
        int big = Integer.MIN_VALUE;
        for (int i = 0; i < n; i++) {
            double v = y[i & 7];
            low = Math.min(low + v, 1000);
            high = Math.max(high, v);
            if (high != high) high = 0;
            sum += Math.floor(v) + Math.sqrt(i);
            if (sum != sum) sum = i;
            bits = bits * 31 + Float.floatToIntBits((float) v) + Double.doubleToLongBits(low);
            big = Math.max(big, Math.abs(i - n / 2));
            if (low != low) low = -i;
        }
        return bits * 31 + big + Double.doubleToLongBits(low + high * 3 + sum * 5);
    }

    // ---- a collection, while variables refer to objects

    static volatile boolean collected;
    static volatile boolean walking;
    static Object[] chain(int n) {
        Object[] first = new Object[2], last = first;
        for (int i = 0; i < n; i++) last[1] = last = new Object[] {i, null};
        last[1] = first;
        return first;
    }
    static Object walk(Object[] at) {
        Object[] young = at;
        long turns = 0;
        while (!collected || turns < N) {
            walking = true;
            young = (Object[]) young[1];
            turns++;
        }
        return young.length + (young[1] != null ? " linked" : " lost");
    }
    static Object whileCollecting() throws InterruptedException {
        Thread collector = new Thread(() -> {
            while (!walking) Thread.onSpinWait();
            for (int i = 0; i < 5; i++) System.gc();
            collected = true;
        });
        collector.start();
        Object found = walk(chain(100));
        collector.join();
        return found;
    }

    public static void main(String[] args) throws Throwable {
        float[] x = {1, 0.5f, -3, 0, Float.MIN_VALUE, 7, -0.0f, 1e10f};
        double[] y = {1.5, Double.NaN, -0.0, 0.0, -2.5, 1e300, Double.NEGATIVE_INFINITY, 3};
        double[] finite = {1.5, 2, -0.25, 0.0, -2.5, 1e3, 7, 3};
        int[] a = {5, 6, 7, 8, 9, 10, 11, 12};
        int[] large = new int[N + 10];
        large[N - 1] = 1;
        Object[] list = {null, new Object[] {1, null}, null};
        Class<?> entered = crafted();
        for (int round = 0; round < 2; round++) {
            System.out.println(words(N));
            System.out.println(floats(N, x, finite) + " " + floats(N, x, y));
            System.out.println(assigned(N) + " " + references(list, N) + " " + reused(N)
                               + " " + copied(N));
            System.out.println(handlers(a, N));
            System.out.println(ClassAssembler.call(entered, "last", N) + " " + ClassAssembler.call(entered, "last", 0)
                               + " " + ClassAssembler.call(entered, "anywhere", N, 0) + " "
                               + ClassAssembler.call(entered, "anywhere", N, 1) + " "
                               + ClassAssembler.call(entered, "anywhere", N, 2));
            System.out.println(thrown(large, 1) + ", " + thrown(large, 2) + ", " + thrown(a, 3));
            System.out.println(called(N) + " " + made(10 * N));
            System.out.println(locked(N) + " " + Thread.holdsLock(LoopVariables.class));
            System.out.println(intrinsics(N, finite) + " " + intrinsics(N, y));
        }
        System.out.println(whileCollecting());
    }
}
