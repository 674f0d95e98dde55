import java.util.function.IntUnaryOperator;

/** Compiled code with native code above and below it, for tests/embed/unwinds.c. */
public class Unwinds {
    static native void bottom(int what);
    /** Calls thrower(n) from native code, and clears what it throws. */
    static native int callThrower(int n);
    /** The object; throws where the last number is 0. More words and floating-point numbers than C has registers. */
    native Object many(int a, long b, Object c, int d, double e, float f, double g, float h, double i, float j,
                       double k, float l, double m, float n, Object o, int p);
    static synchronized native int inside(int n);
    static native void step(boolean on);
    static native void watch(boolean calls, boolean steps);

    static int one(int what) { return two(what) + 1; }
    static int two(int what) { return three(what) + 1; }
    static int three(int what) {
        bottom(what);
        return 0;
    }

    interface Shape { int area(int n); }
    static class Square implements Shape {
        public int area(int n) { return n * n; }
    }
    static class Later {
        static int value = 3;
        int field = 4;
    }

    static int thrower(int n) {
        if (n > 0) return thrower(n - 1) + 1;
        throw new IllegalStateException();
    }

    static int caught(int n) {
        try {
            return thrower(n);
        } catch (IllegalStateException e) {
            return 7;
        }
    }

    static synchronized int locked(Object o, int n) {
        synchronized (o) {
            return n + 1;
        }
    }

    static int left(Later later) {
        try {
            return later.field;
        } catch (NullPointerException e) {
            return 11;
        }
    }

    /** Resolves in its first turn, and so leaves compiled code until the loop goes back. */
    static int looped(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) sum += Later.value;
        return sum;
    }

    static int watched(int n) { return n + 1; }

    static int natives(int n) {
        Unwinds u = new Unwinds();
        try {
            Object o = u.many(1, 2, u, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, null, n);
            return (o == u ? 100 : 0) + inside(n) + (Thread.holdsLock(u) ? 1 : 0);
        } catch (IllegalStateException e) {
            return 200;
        }
    }

    static int work(Shape shape, IntUnaryOperator operator) {
        int sum = shape.area(3) + caught(2) + locked(shape, 4) + left(null) + looped(5) + callThrower(2);
        sum += natives(1) + natives(0);
        return sum + operator.applyAsInt(6) + new int[2][3][0].length;
    }

    /** All of it is stepped through; if the first time is, then with names that are not resolved yet. */
    static int traced(boolean fromTheFirst) {
        Shape shape = new Square();
        IntUnaryOperator operator = n -> n + 1;
        if (fromTheFirst) step(true);
        int sum = work(shape, operator);
        if (fromTheFirst) step(false);
        work(shape, operator);           // by then all native stubs are made that it needs
        step(true);
        sum += work(shape, operator);
        watch(true, false);
        sum += watched(1);
        watch(false, true);
        sum += callThrower(0);
        watch(false, false);
        step(false);
        return sum;
    }
}
