import java.io.IOException;
import java.lang.ref.WeakReference;

/** Calls of one method whose receivers differ from place to place: which class each has is noted there. */
public class Receivers {
    public interface Sized { int size(); }

    static class One implements Sized { public int size() { return 1; } }
    static class Two implements Sized { public int size() { return 2; } }
    static class Heir extends Two { }
    public static class Lone implements Sized { public int size() { return 5; } }

    abstract static class Shape {
        abstract int sides();
    }
    static class Square extends Shape { int sides() { return 4; } }
    static class Kite extends Square { }
    static class Triangle extends Shape { int sides() { return 3; } }

    static final int TIMES = 20_000;

    static int ofOne(Sized s) { return s.size(); }
    static int ofTwo(Sized s) { return s.size(); }
    static int ofBoth(Sized s) { return s.size(); }
    /** Three of four have one class. */
    static int ofMost(Sized s) { return s.size(); }
    /** No class has half of them. */
    static int ofMany(Sized s) { return s.size(); }
    /** Two classes, and both inherit the method or are where it is. */
    static int ofHeirs(Sized s) { return s.size(); }

    static int ofSquare(Shape s) { return s.sides(); }
    static int ofTriangle(Shape s) { return s.sides(); }
    static int ofAll(Shape s) { return s.sides(); }
    static int ofSquares(Shape s) { return s.sides(); }

    /** The class that it has first is unloaded before it has another. */
    static int ofGone(Sized s) { return s.size(); }

    static int ofNone(Sized s, Shape t, boolean is) { return is ? s.size() + t.sides() : 7; }

    /** Has baseline code from the first loop on, when what the second one calls is not resolved yet. */
    static long later(Shape s, int times) {
        long sum = 0;
        for (int i = 0; i < 3 * TIMES / 2; i++) sum += i & 3;
        for (int i = 0; i < times; i++) sum += s.sides();
        return sum;
    }

    static long all(int times, Sized one, Sized two, Shape square, Shape triangle) {
        Sized heir = new Heir(), lone = new Lone();
        Shape kite = new Kite();
        long sum = 0;
        for (int i = 0; i < times; i++) {
            boolean odd = i % 2 == 1;
            sum += ofOne(one) + 10 * ofTwo(two) + 100 * ofBoth(odd ? one : two) + 1000 * ofHeirs(odd ? two : heir);
            sum += 7 * ofSquare(square) + 70 * ofTriangle(triangle) + 700 * ofAll(odd ? square : triangle);
            sum += 7000 * ofSquares(odd ? square : kite) + ofNone(one, square, false);
            sum += 3 * ofMost(i % 4 == 0 ? one : two) + 30 * ofMany(i % 3 == 0 ? one : i % 3 == 1 ? two : lone);
        }
        return sum;
    }

    static class Apart extends ClassLoader {
        Sized lone() throws IOException, ReflectiveOperationException {
            try (var in = Receivers.class.getResourceAsStream("Receivers$Lone.class")) {
                byte[] file = in.readAllBytes();
                return (Sized) defineClass(null, file, 0, file.length).getConstructor().newInstance();
            }
        }
    }

    static long gone(Sized s, int times) {
        long sum = 0;
        for (int i = 0; i < times; i++) sum += ofGone(s);
        return sum;
    }

    static String firstGone(Sized then) throws Exception {
        Sized lone = new Apart().lone();
        long sum = gone(lone, 1000);
        WeakReference<?> type = new WeakReference<>(lone.getClass());
        lone = null;
        while (type.get() != null) System.gc();
        return sum + " " + gone(then, TIMES);
    }

    static String nullPointers() {
        StringBuilder b = new StringBuilder();
        for (int i = 0; i < 2; i++) {
            try {
                b.append(i == 0 ? ofOne(null) : ofSquares(null));
            } catch (NullPointerException e) {
                b.append(e.getStackTrace()[0].getMethodName()).append(' ');
            }
        }
        return b.toString();
    }

    public static void main(String[] arguments) throws Exception {
        Sized one = new One(), two = new Two();
        Shape square = new Square(), triangle = new Triangle();
        System.out.println("gone:        " + firstGone(one));
        System.out.println("later:       " + later(square, 50 * TIMES));
        System.out.println("as at first: " + all(TIMES, one, two, square, triangle));
        System.out.println("null:        " + nullPointers());
        System.out.println("others:      " + all(100, two, one, triangle, square));
        System.out.println("as at first: " + all(TIMES, one, two, square, triangle));
        System.out.println("none:        " + ofNone(one, square, true));
    }
}
