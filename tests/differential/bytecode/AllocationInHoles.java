// Hot code that allocates where a collection has left holes of a line or two: most objects are taken from a new hole,
// in the midst of code that has words, floats and doubles in registers. Objects and arrays; in loops and in recursion;
// by several threads at once.
public class AllocationInHoles {
    static class Small { int number; Small(int number) { this.number = number; } }
    static class Larger { long a, b, c, d, e; Object next; }

    static Object[] kept;

    // Leaves every third object of small ones alive.
    static void makeHoles(int count) {
        kept = new Object[count / 3 + 1];
        for (int i = 0; i < count; i++) {
            Object o = i % 2 == 0 ? new Small(i) : new Larger();
            if (i % 3 == 0) kept[i / 3] = o;
        }
        System.gc();
    }

    static String mix(int n, int seed) {
        int a = seed, b = seed * 31, c = ~seed;
        long d = seed * 0x123456789L, e = d ^ a;
        float f = seed * 0.5f, g = f + 1;
        double h = seed / 3.0, k = h * h, l = 1 / (h + 1), m = 0, o = 1, p = 2, q = 3, r = 4, s = 5, t = 6;
        Object last = null;
        for (int i = 0; i < n; i++) {
            Small small = new Small(i + a);
            Larger larger = new Larger();
            int[] numbers = new int[i & 7];
            Object[] objects = new Object[1 + (b & 3)];
            larger.next = last;
            larger.a = d;
            objects[0] = larger;
            if (numbers.length > 2) numbers[2] = c;
            a += small.number;
            b ^= a + numbers.length;
            c += objects.length;
            d += e + larger.a + larger.b;
            e ^= d >>> 7;
            f = f * 0.75f + numbers.length;
            g += f;
            h = h * 0.5 + l;
            k += h + g;
            l = l * 0.9 + i;
            m += o; o = p * 0.5; p = q; q = r - m * 1e-9; r = s; s = t; t = m + k * 1e-12;
            last = (i & 15) == 0 ? null : (Object) objects;
        }
        return a + " " + b + " " + c + " " + d + " " + e + " " + f + " " + g + " " + h + " " + k + " " + l + " " + m
               + " " + o + " " + p + " " + q + " " + r + " " + s + " " + t;
    }

    static double recursive(int depth, double x, float y, long z) {
        Small small = new Small(depth);
        double below = depth == 0 ? x : recursive(depth - 1, x * 0.5 + depth, y + 0.25f, z ^ depth);
        return below + y + z % 7 + new int[depth & 3].length + small.number;
    }

    public static void main(String[] args) throws Exception {
        for (int round = 0; round < 3; round++) {
            makeHoles(60_000);
            System.out.println(mix(12_000, round));
            double sum = 0;
            for (int i = 0; i < 400; i++) sum += recursive(20, i, round, i * 31L);
            System.out.println(sum);
        }
        makeHoles(90_000);
        String[] results = new String[3];
        Thread[] threads = new Thread[results.length];
        for (int i = 0; i < threads.length; i++) {
            int number = i;
            threads[i] = new Thread(() -> results[number] = mix(15_000, number));
            threads[i].start();
        }
        for (Thread thread : threads) thread.join();
        for (String result : results) System.out.println(result);
        int live = 0;
        for (int i = 0; i < kept.length; i++)
            if (kept[i] instanceof Small small && small.number == 3 * i) live++;
        System.out.println(live);
    }
}
