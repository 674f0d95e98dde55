/** Calls whose receivers turn out to be others than at first, and checks of a class that has only ever seen null. */
public class Guesses {
    static class Shape {
        final int side;
        Shape(int side) { this.side = side; }
        int area() { return side * side; }
        int sides() { return 4; }
    }
    static final class Circle extends Shape {
        Circle(int side) { super(side); }
        @Override int area() { return 3 * side * side; }
    }
    /** Not loaded before somebody makes one. */
    static final class Late { int value = 5; }

    interface Sized { int size(); }
    static final class Small implements Sized { public int size() { return 1; } }
    static final class Large implements Sized { public int size() { return 100; } }

    /** The one call has one callee, the other two. */
    static int measured(Shape s) { return s.sides() + s.area(); }

    static int sized(Sized s, Shape t) { return s.size() + t.sides(); }

    /** The loop makes the check of the receiver before its first turn. */
    static int looped(Shape s, int turns) {
        int sum = 0;
        for (int i = 0; i < turns; i++) sum += s.area() + s.sides();
        return sum;
    }

    static int cast(Object o) {
        Late late = (Late) o;
        return late == null ? 1 : late.value;
    }

    static int tested(Object o) { return o instanceof Late ? 2 : 1; }

    static final int TIMES = 20_000;

    static long all(Shape s, Sized size, Object o) {
        long sum = 0;
        for (int i = 0; i < TIMES; i++) {
            sum += measured(s) + sized(size, s) + cast(o) + tested(o);
            if (i % 4 == 0) sum += looped(s, 5);
        }
        return sum;
    }

    public static void main(String[] arguments) {
        Shape square = new Shape(2), circle = new Circle(2);
        Sized small = new Small(), large = new Large();
        System.out.println("as at first: " + all(square, small, null));
        System.out.println("others:      " + all(circle, large, null));
        System.out.println("in turn:     " + (all(square, large, null) + all(circle, small, null)));
        System.out.println("not null:    " + all(square, small, new Late()));
    }
}
