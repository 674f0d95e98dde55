import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/* Methods that the optimising compiler builds into `hot`, under each kind of observation, which begins in the midst of
 * its loop, in a method that it calls: agent inlined. What is printed is HotSpot's. */
public class Inlined {
    static final int TURNS = 3000, AT = 1000, UNTIL = 2000;

    /* `what` is observed in this thread from here on; "": nothing is, and what was is told. */
    static native String observe(String what);

    public interface Shape { int area(int k); }
    static final class Square implements Shape { public int area(int k) { return side(k) * side(k); } }
    static final class Line implements Shape { public int area(int k) { return k + 1; } }
    public static class Tile implements Shape { public int area(int k) { return side(k) + 40; } }
    public static class Heir extends Tile { }
    static class Base { int own() { return 1; } }

    int field = 3;
    static Shape shape = new Square();
    static Base base = new Base();
    static String what = "";
    static int[] cells = {1, 2, 3};
    static int divisor = 7;

    int get() { return field; }
    void set(int v) { field = v; }
    public static int side(int k) { return k & 15; }
    static int twice(int k) { return side(k) + side(k + 1); }
    static int cell(int[] a, int i) { return a[i]; }
    static int cellOf(int[] a, int i) { return cell(a, i) + 1; }
    static int divide(int a, int b) { return a / b; }
    static int limited(int k) {
        int sum = 0;
        for (int i = 0; i < 3; i++) sum += i ^ k;
        return sum;
    }

    /* What is called, and not inlined: it throws and catches. */
    static void turn(int i) {
        if (i != AT && i != UNTIL) return;
        try {
            if (i == AT) observe(what);
            else throw new IllegalStateException(observe(""));
        } catch (IllegalStateException e) {
            told = e.getMessage();
        }
    }
    static String told;

    static int hot(Inlined o, int turns) {
        int sum = 0;
        for (int i = 0; i < turns; i++) {
            sum ^= side(i);                      // who watches is asked here, and once more behind the call
            turn(i);
            sum += o.get() + twice(i);
            o.set(sum & 255);
            sum += shape.area(i) + base.own() + cellOf(cells, i & 1) + divide(i, divisor);
            sum = sum * 31 + limited(i);
        }
        return sum;
    }

    static String trace(Throwable e) {
        StackTraceElement[] trace = e.getStackTrace();
        return e + " " + Arrays.toString(Arrays.copyOf(trace, trace.length - 1));
    }

    /* In an inlined method; and what is found behind it. */
    static void thrown(Inlined o) {
        int[] all = cells;
        cells = new int[0];
        try {
            hot(o, 5);
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println(trace(e));
        }
        cells = all;
        divisor = 0;
        try {
            hot(o, 5);
        } catch (ArithmeticException e) {
            System.out.println(trace(e));
        }
        divisor = 7;
        cells = null;
        try {
            hot(o, 5);
        } catch (NullPointerException e) {
            System.out.println(trace(e));
        }
        cells = all;
        try {
            hot(null, 5);
        } catch (NullPointerException e) {
            System.out.println(trace(e));
        }
        System.out.println(hot(o, 5));
    }

    static int depth(int n) { return n == 0 ? 0 : side(n) + twice(n) + depth(n - 1) + 1; }

    /* Deeper and deeper, up to the end of the stack, by frames that have inlined methods. */
    static boolean overflows() {
        for (int n = 1000;; n *= 2) {
            try {
                depth(n);
            } catch (StackOverflowError e) {
                return true;
            }
        }
    }

    /* Classes of its own, by the names of some of ours. */
    static class Others extends ClassLoader {
        Shape make(String name) throws Exception {
            try (InputStream in = Inlined.class.getResourceAsStream(name + ".class")) {
                byte[] bytes = in.readAllBytes();
                var made = defineClass(name, bytes, 0, bytes.length).getDeclaredConstructor();
                made.setAccessible(true);
                return (Shape) made.newInstance();
            }
        }
    }

    static int areas(Shape s, int turns) {
        int sum = 0;
        for (int i = 0; i < turns; i++) sum = sum * 31 + s.area(i);
        return sum;
    }

    /* A class is unloaded that has, or inherits, a method that is inlined; others that come then are others. */
    static int unloaded(String name) throws Exception {
        Shape s = new Others().make(name);
        int sum = 0;
        for (int i = 0; i < 60; i++) sum += areas(s, TURNS);
        s = null;
        for (int i = 0; i < 3; i++) System.gc();
        List<Shape> others = new ArrayList<>();
        for (int i = 0; i < 40; i++) others.add(new Others().make("Inlined$Line"));
        for (Shape other : others) sum = sum * 31 + areas(other, 10);
        return sum;
    }

    public static void main(String[] args) throws Exception {
        Inlined o = new Inlined();
        int sum = 0;
        for (int i = 0; i < 60; i++) sum += hot(o, TURNS);
        System.out.println(sum);
        for (String kind : args) {
            what = kind;
            System.out.println(kind + ": " + hot(o, TURNS) + ", " + told);
            what = "";
            for (int i = 0; i < 20; i++) sum += hot(o, TURNS);
            System.out.println(kind + ", afterwards: " + hot(o, TURNS) + ", " + told);
        }
        thrown(o);
        for (int i = 0; i < 20; i++) sum += depth(500);
        System.out.println(overflows() + " " + depth(300));
        for (int i = 0; i < 20; i++) sum += hot(o, TURNS);
        System.out.println(unloaded("Inlined$Heir") + " " + unloaded("Inlined$Square"));
        shape = new Line();
        base = new Base() { int own() { return 2; } };
        System.out.println(sum + " " + hot(o, TURNS) + " " + hot(o, TURNS));
    }
}
