// Objects that only the method sees that makes them, in methods that are run until an optimising compiler takes them:
// the code then leaves, or throws, while such an object is in variables, on the operand stack, in another object, in
// inlined callers and in those that they call. Whoever goes on finds the object, with the fields it had, once.
import java.util.Arrays;
import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;

public class OptimisedEscape {
    record Point(int x, int y) {
        Point plus(Point other) { return new Point(x + other.x, y + other.y); }
        int dot(Point other) { return x * other.x + y * other.y; }
    }
    static final class Cell {
        boolean z; byte b; char c; short s; int i; long j; float f; double d; Object o; int[] a;
        Cell() {}
        Cell(int v) {
            z = (v & 1) != 0;
            b = (byte) v; c = (char) v; s = (short) v; i = v; j = v * 5_000_000_000L; f = v / 3f; d = v / 7.0;
            o = v % 3 == 0 ? null : "o"; a = SHARED;
        }
        String told() {
            return z + " " + b + " " + (int) c + " " + s + " " + i + " " + j + " " + f + " " + d + " " + o + " "
                + (a == SHARED);
        }
    }
    static class Counter {
        int from, to;
        Counter(int to) { this.to = to; }
        boolean hasNext() { return from < to; }
        int next() { return from++; }
    }
    static class Base { int base = 7; int get() { return base; } }
    static class Derived extends Base { int own; Derived(int own) { this.own = own; base += own; }
        @Override int get() { return base + own; } }
    static final class Pair { Object first, second; Pair(Object first, Object second) { this.first = first;
        this.second = second; } }

    static final int TURNS = 400;
    static final int[] SHARED = {1, 2, 3, 4, 5, 6, 7, 8};
    static final int[] SHORT = {1, 99};
    static Object sink;
    static int[] array = new int[16];
    static int[] none;

    // ---- values alone

    static long points(int n) {
        long h = 0;
        for (int i = 0; i < n; i++) {
            Point p = new Point(i, i * 3), q = new Point(i ^ 5, 2);
            h += p.plus(q).plus(p).dot(q);
        }
        return h;
    }
    static long branches(int n) {
        long h = 0;
        for (int i = 0; i < n; i++) {
            Cell c = new Cell();
            c.i = i;
            if (i % 3 == 0) c.i += 5;
            else if (i % 3 == 1) { c.j = i; c.d = 0.5; }
            else c.f = -i;
            h += c.i + c.j * 3 + (long) (c.d * 8) + (long) c.f + (c.o == null ? 1 : 2);
        }
        return h;
    }
    static int narrow(int n) {
        int h = 0;
        for (int i = 0; i < n; i++) {
            Cell c = new Cell(i * 12345);
            h = h * 31 + c.b + c.c * 3 + c.s * 5 + (c.z ? 1 : 0);
            c.z = (i & 2) != 0;
            c.b += 100;
            h += c.b + (c.z ? 10 : 20);
        }
        return h;
    }
    static int counted(int n) {
        int h = 0;
        for (int i = 0; i < n; i++) h += countTo(i % 10);
        return h;
    }
    static int countTo(int n) {
        int h = 0;
        for (Counter c = new Counter(n); c.hasNext();) h = h * 3 + c.next();
        return h;
    }
    static int types(int n) {
        int h = 0;
        for (int i = 0; i < n; i++) {
            Object o = new Derived(i);
            if (o instanceof Derived d) h += d.get();
            if (o instanceof Runnable) h += 1000;
            if (o instanceof Base b) h ^= b.get();
            if (o == null) h += 10000;
            Base other = new Base();
            if (o == other) h += 20000;
            if (o != null && o == (Object) o) h += 3;
            h += other.get();
        }
        return h;
    }
    static int lambdas(int n) {
        int h = 0;
        for (int i = 0; i < n; i++) {
            int k = i;
            IntUnaryOperator add = v -> v + k;
            IntBinaryOperator both = (v, w) -> v * k - w;
            h += add.applyAsInt(h) ^ both.applyAsInt(i, h);
        }
        return h;
    }
    static int nested(int n) {
        int h = 0;
        for (int i = 0; i < n; i++) {
            Pair p = new Pair(new Point(i, 1), new Pair(new Point(i, 2), null));
            Pair q = (Pair) p.second;
            h += ((Point) p.first).x() * 3 + ((Point) q.first).y() + array[i & 15];
            q.second = p.first;
            h ^= array[h & 7];
            if (((Pair) p.second).second == p.first) h++;
        }
        return h;
    }

    // ---- the code leaves

    static String atBounds(int n, int at) {              // an index is wrong while the object is in a variable
        int h = 0;
        Cell kept = null;
        try {
            for (int i = 0; i < n; i++) {
                Cell c = new Cell(i);
                c.i += i;
                kept = null;
                h += c.i + array[i == at ? 99 : i & 15];
            }
        } catch (ArrayIndexOutOfBoundsException e) {
            return h + " " + e.getMessage();
        }
        return h + " " + kept;
    }
    static String caught(int n, int at) {                // ... and the handler reads it
        String s = "";
        for (int i = 0; i < n; i++) {
            Cell c = new Cell(i);
            try {
                c.i += array[i == at ? 16 : 0];
            } catch (ArrayIndexOutOfBoundsException e) {
                s += c.told();
            }
            c.i++;
            if (i == at) s += " " + c.i;
        }
        return s;
    }
    static int atNull(int n, int at) {
        int h = 0;
        for (int i = 0; i < n; i++) {
            Point p = new Point(i, h);
            int[] a = i == at ? none : SHARED;
            try {
                h += a[p.x() & 7] + p.y() % 3;
            } catch (NullPointerException e) {
                h += 100 * p.x() + p.y();
                sink = p;
            }
        }
        return h;
    }
    static int never(int n, int at) {                    // a way that has not been taken
        int h = 0;
        for (int i = 0; i < n; i++) {
            Cell c = new Cell(i);
            Cell same = c;
            if (i == at) {
                sink = c;
                same.i = -5;
                h += System.identityHashCode(c) == System.identityHashCode(same) && c == same ? c.i : 1 << 20;
                h += c.told().length() + (sink == same ? 1 : 0);
            }
            h += same.i + c.i;
        }
        return h;
    }
    static int twoInState(int n, int at) {               // one object in a variable, an operand, and in another object
        int h = 0;
        for (int i = 0; i < n; i++) {
            Point p = new Point(i, -i);
            Pair q = new Pair(p, p);
            h += same(p, i == at ? array[(i & 15) / one(i - at)] : 1, q);
        }
        return h;
    }
    static int one(int v) { return v; }
    static int same(Point p, int v, Pair q) {
        if (v == 77) {
            sink = q;
            return q.first == p && q.second == p ? 5 : 1 << 20;
        }
        return p.x() + v;
    }
    static int divides(int n, int at) {
        int h = 0;
        for (int i = 0; i < n; i++) {
            Point p = new Point(i, 5);
            try {
                h += p.dot(new Point(2, 100 / (i == at ? 0 : 3)));
            } catch (ArithmeticException e) {
                h += p.x() * 7 + p.y();
            }
        }
        return h;
    }
    static int inlined(int n, int at) {                  // frames that are inlined hold objects of their own
        int h = 0;
        for (int i = 0; i < n; i++) {
            Point p = new Point(i, 1);
            h += outer(p, i, at) + p.y();
        }
        return h;
    }
    static int outer(Point p, int i, int at) {
        Point q = new Point(p.x() + 1, 3);
        int k = inner(p, q, i == at);
        return k + q.x();
    }
    static int inner(Point p, Point q, boolean rare) {
        Pair r = new Pair(q, p);
        if (rare) {
            sink = r;
            return ((Point) r.first).x() == q.x() && r.second == p ? -1000 : 1 << 20;
        }
        return ((Point) r.second).x() - ((Point) r.first).y();
    }
    static int thrown(int n, int at) {                   // thrown, out of where the object is
        int h = 0;
        for (int i = 0; i < n; i++)
            try {
                h += throwing(new Point(i, 2), i == at);
            } catch (IllegalStateException e) {
                h += e.getMessage().length() + e.getStackTrace()[0].getMethodName().length();
            }
        return h;
    }
    static int throwing(Point p, boolean rare) {
        Cell c = new Cell(p.x());
        if (rare) throw new IllegalStateException(c.told() + p);
        return c.i + p.y();
    }
    static int allocates(int n) {                        // C makes an object now and then, while others are not made
        int h = 0;
        for (int i = 0; i < n; i++) {
            Cell c = new Cell(i);
            Point p = new Point(i, c.i);
            int[] real = new int[100 + i % 3];
            sink = real;
            c.a = real;
            h += p.x() + c.i + c.a.length + c.s;
        }
        return h;
    }
    static int locked(int n) {
        int h = 0;
        for (int i = 0; i < n; i++) {
            Cell c = new Cell(i);
            synchronized (c) { c.i++; }
            synchronized (array) {
                Point p = new Point(c.i, 1);
                h += p.x() + array[i & 15];
            }
        }
        return h;
    }
    static double floating(int n, int at) {
        double h = 0;
        for (int i = 0; i < n; i++) {
            Cell c = new Cell(i);
            c.d += c.f;
            c.f *= 1.5f;
            if (i == at) { sink = c; h += c.told().length(); }
            h += c.d - c.f;
        }
        return h;
    }
    static int loops(int n, int at) {                    // a loop in what is inlined changes the object
        int h = 0;
        for (int i = 0; i < n; i++) {
            Counter c = new Counter(3 + i % 4);
            h += drained(c, i == at) + c.from;
        }
        return h;
    }
    static int drained(Counter c, boolean rare) {
        int h = 0;
        while (c.hasNext()) {
            h += c.next();
            if (rare) { sink = c; h += 100; }
        }
        return h;
    }
    static int hoisted(int n, int at) {                  // checks leave before a loop in what is inlined
        int h = 0;
        for (int i = 0; i < n; i++) {
            Point p = new Point(i, 9);
            h += scanned(new Counter(20), i == at ? SHORT : SHARED, 8) + p.x() * p.y();
        }
        return h;
    }
    static int scanned(Counter c, int[] a, int to) {
        int h = 0;
        for (int k = 0; k < to; k++) {
            h = h * 3 + a[k] + c.next();
            if (a[k] == 99) break;
        }
        return h + c.from;
    }
    static int called(int n, int at) {                   // what is called has the object
        int h = 0;
        for (int i = 0; i < n; i++) {
            Point p = new Point(i, 2);
            if (i == at) h += kept(p);
            h += p.x();
        }
        return h;
    }
    static int loopOf(int[] a, int n) {                  // its checks move before its loop
        int h = 0;
        for (int k = 0; k < n; k++) h = h * 3 + a[k];
        return h;
    }
    static int inlinedLoop(int n, int at) {              // around a loop that is inlined, and is left before it begins
        int h = 0;
        for (int i = 0; i < n; i++) {
            Counter c = new Counter(i);
            c.from = i & 3;
            try {
                h += loopOf(i == at ? SHORT : SHARED, 3) + c.next();
                c.to -= 5;
            } catch (ArrayIndexOutOfBoundsException e) {
                sink = c;
                h += 1000;
            }
            h = h * 31 + c.from + c.to;
        }
        return h;
    }
    static int kept(Object o) {
        sink = o;
        return o.toString().length();
    }

    static String sinks() {
        Object o = sink;
        sink = null;
        if (o instanceof Cell c) return c.told();
        if (o instanceof Pair p) return "(" + p.first + ", " + p.second + ", " + (p.first == p.second) + ")";
        if (o instanceof Counter c) return c.from + " of " + c.to;
        return o instanceof int[] a ? a.length + " ints" : String.valueOf(o);
    }

    public static void main(String[] args) {
        Arrays.setAll(array, i -> i);
        for (int round = 0; round < 3; round++) {
            long h = 0;
            int n = 60, rare = round == 0 ? -1 : 31 + round;
            for (int turn = 0; turn < TURNS; turn++) {
                int at = turn == TURNS - 1 || round == 2 && turn % 50 == 0 ? rare : -1;
                h += points(n) + branches(n) * 3 + narrow(n) + counted(n) + types(n) + lambdas(n) + nested(n);
                h = h * 31 + atBounds(n, at).hashCode() + caught(n, at).hashCode() + atNull(n, at) + never(n, at)
                    + twoInState(n, at == -1 ? -1 : -2) + divides(n, at) + inlined(n, at) + thrown(n, at);
                h = h * 31 + allocates(n) + locked(n) + (long) floating(n, at) + loops(n, at) + called(n, at)
                    + hoisted(n, at) + inlinedLoop(n, at);
            }
            System.out.println(round + ": " + h);
            System.out.println("bounds " + atBounds(n, rare) + "; caught " + caught(n, rare));
            System.out.println("null " + atNull(n, rare) + " " + sinks());
            System.out.println("never " + never(n, rare) + " " + sinks());
            try {
                System.out.println("two " + twoInState(n, rare) + " " + sinks());
            } catch (ArithmeticException e) {
                System.out.println("two " + e.getMessage() + " " + sinks());
            }
            System.out.println("divides " + divides(n, rare));
            System.out.println("inlined " + inlined(n, rare) + " " + sinks());
            System.out.println("thrown " + thrown(n, rare));
            System.out.println("floating " + floating(n, rare) + " " + sinks());
            System.out.println("loops " + loops(n, rare) + " " + sinks());
            System.out.println("called " + called(n, rare) + " " + sinks());
            System.out.println("hoisted " + hoisted(n, rare));
            System.out.println("inlined loop " + inlinedLoop(n, rare) + " " + sinks());
            System.out.println("allocates " + allocates(n) + " " + sinks());
        }
    }
}
