// Hot methods that call others: what lives across calls is there behind them, whatever the callee does: all kinds of
// calls, recursion, values that change places while they wait, exceptions, collections, a stack that is used up.
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

public class OptimisedCalls {
    interface Shape { int area(int x); default int twice(int x) { return 2 * area(x); } }
    static class Square implements Shape { public int area(int x) { return x * x; } }
    static class Line implements Shape {
        public int area(int x) { return x; }
        public int twice(int x) { return x + 1; }
    }
    static class Point extends Line { public int area(int x) { return super.area(x) ^ 5; } }
    static final Shape[] SHAPES = {new Square(), new Line(), new Point()};
    static int counter;
    static long total;
    int field = 3;

    // ---- callees ---------------------------------------------------------------------------------------------------

    static int plus(int x, int y) { return x + y; }
    static long wide(long x, int y, double z) { return x * 3 + y - (long) z; }
    static double half(double d) { return d / 2; }
    static float third(float f) { return f / 3; }
    static boolean even(int x) { return (x & 1) == 0; }
    static byte narrow(int x) { return (byte) x; }
    static void bump(int by) { counter += by; }
    static Object same(Object o) { return o; }
    static Object pick(Object a, Object b, int i) { return (i & 1) == 0 ? a : b; }
    private int own(int x) { return x + field; }
    final int last(int x) { return x - field; }
    static int throwsAt(int i, int at) {
        if (i == at) throw new IllegalStateException("at " + i);
        return i;
    }
    static int collects(int i) {
        if (i % 4000 == 3999) System.gc();
        return i;
    }

    // ---- callers ---------------------------------------------------------------------------------------------------

    static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
    static int ackermann(int m, int n) {
        return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
    }
    static boolean isEven(int n) { return n == 0 || isOdd(n - 1); }
    static boolean isOdd(int n) { return n != 0 && isEven(n - 1); }

    static long all(int n) {
        long s = 0;
        double d = 1;
        float f = 9;
        for (int i = 0; i < n; i++) {
            int k = i;
            s += plus(i, 1) ^ plus(k++, i) + k;
            s = wide(s, i, d) ^ s >> 3;
            d += half(d);
            f = third(f) + i;
            if (d > 1000) d = 1;
            if (even(i)) s += narrow(i * 7);
            s += (long) f;
        }
        return s;
    }

    /** Values that wait as operands while their variables change. */
    static int operands(int n, int[] a) {
        int x = 1, y = 2, sum = 0;
        for (int i = 0; i < n; i++) {
            sum += x * plus(x = y, y = x + i & 15) + x - y;
            int at = i & 3;
            a[at++] += plus(at, a[at]);
            sum ^= at + (at = plus(at, i)) * at;
            sum += even(i) ? plus(sum, x) : y;
        }
        return sum + a[0] + 3 * a[1] + 5 * a[2];
    }

    static String turns(int n) {
        Object previous = "a", current = "b", third = "c";
        int same = 0;
        for (int i = 0; i < n; i++) {
            Object next = pick(previous, current, i * 7 >> 2);
            previous = current;
            current = third;
            third = pick(next, previous, i);
            if (current == previous) same++;
            if (same(third) != third) return "lost";
        }
        return previous + "," + current + "," + third + "," + same;
    }

    static int shapes(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            Shape s = SHAPES[i % 3];
            sum += s.area(i) - s.twice(sum & 7);
        }
        return sum;
    }

    int members(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            sum += own(i) ^ last(sum);
            if (i % 1000 == 0) field = i % 7;
            sum -= field;
        }
        return sum;
    }

    static int lambdas(int n, int by) {
        IntUnaryOperator f = x -> x + by, g = x -> f.applyAsInt(x) * 3;
        int sum = 0;
        for (int i = 0; i < n; i++) sum += g.applyAsInt(i) - f.applyAsInt(sum);
        return sum;
    }

    /** What calls change is read again; what they cannot change stays. */
    static int memory(int n, int[] a) {
        int sum = 0, before;
        for (int i = 0; i < n; i++) {
            before = counter;
            bump(i & 3);
            sum += counter - before + a.length * a[i & 7];
            a[i & 7] = plus(a[i & 7], 1);
            sum ^= a[i & 7];
        }
        return sum;
    }

    /** Loops that call nothing in loops that do, and the other way round. */
    static long nested(int n, int[] a) {
        long sum = 0;
        for (int i = 0; i < n; i++) {
            int of = plus(i, 3) & 7;
            for (int k = 0; k < a.length; k++) sum += a[k] * of + a.length;
            for (int k = 0; k < 3; k++)
                for (int j = 0; j < 3; j++) sum += plus(k * of, j) + of;
            sum -= of;
        }
        return sum;
    }

    static int caught(int n, int at) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            int k = i;
            try {
                k = 2 * i;
                sum += throwsAt(i % 1000, at) + k;
                k++;
            } catch (IllegalStateException e) {
                sum += k - e.getMessage().length();
            }
            sum ^= k;
        }
        return sum;
    }

    static int throwing(int n, int at) {
        int sum = 0;
        for (int i = 0; i < n; i++) sum += plus(throwsAt(i, at), sum & 3);
        return sum;
    }

    /** References that nothing but this frame has. */
    static String held(int n) {
        Object first = new int[] {1}, second = null;
        int sum = 0;
        for (int i = 0; i < n; i++) {
            Object third = i % 1000 == 0 ? new int[] {i} : first;
            sum += collects(i) & 1;
            second = pick(first, third, i);
            sum += ((int[]) second)[0] + plus(((int[]) third)[0], collects(i));
            if (i % 2000 == 1999) first = new int[] {sum & 255};
        }
        return sum + " " + ((int[]) first)[0] + " " + ((int[]) second)[0];
    }

    static int nulls(Shape[] shapes, OptimisedCalls[] objects, int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            try {
                sum += shapes[i % shapes.length].area(i);
                sum += objects[i % objects.length].own(i) + objects[i % objects.length].last(sum);
            } catch (NullPointerException e) {
                sum ^= i;
            }
        }
        return sum;
    }

    static int deep(int n) { return n == 0 ? 0 : 1 + deep(n - 1); }
    static int endless(int n) { return endless(n + 1) + n; }
    static String usedUp() {
        for (int i = 0; i < 3; i++) {
            try {
                return "returned " + endless(0);
            } catch (StackOverflowError e) {
                if (i == 2) return "overflow, " + deep(500);
            }
        }
        return "";
    }

    static <T> T get(Supplier<T> s) { return s.get(); }
    static int boxes(int n) {
        List<Integer> list = new ArrayList<>();
        int sum = 0;
        for (int i = 0; i < n; i++) {
            int k = i;
            list.add(get(() -> k & 15));
            if (list.size() > 20) list.clear();
            else sum += list.get(list.size() / 2);
        }
        return sum;
    }

    // ---------------------------------------------------------------------------------------------------------------

    static void say(String what, Object value) { System.out.println(what + " " + value); }

    static String thrown(int n, int at) {
        try {
            return "" + throwing(n, at);
        } catch (IllegalStateException e) {
            return e.getMessage() + " by " + e.getStackTrace()[1].getMethodName();
        }
    }

    public static void main(String[] args) {
        int[] a = {1, 2, 3, 4, 5, 6, 7, 8};
        Shape[] shapes = {SHAPES[0], SHAPES[1], null, SHAPES[2]};
        OptimisedCalls[] objects = {new OptimisedCalls(), null, new OptimisedCalls(), new OptimisedCalls()};
        for (int turn = 0; turn < 3; turn++) {
            say("fib", fib(21));
            say("ackermann", ackermann(2, 60));
            say("even", isEven(400) + " " + isOdd(400));
            say("all", all(60_000));
            say("operands", operands(60_000, new int[8]));
            say("turns", turns(60_000));
            say("shapes", shapes(60_000));
            say("members", new OptimisedCalls().members(60_000));
            say("lambdas", lambdas(60_000, turn));
            say("memory", memory(60_000, a));
            say("nested", nested(6_000, a));
            say("caught", caught(60_000, 7 + turn));
            say("thrown", thrown(60_000, 50_000 + turn));
            say("held", held(60_000));
            say("nulls", nulls(shapes, objects, 6_000));
            say("used up", usedUp());
            say("boxes", boxes(20_000));
        }
        say("counter", counter);
    }
}
