/* Sealed types, records, interfaces with default, private and static methods, an abstract class. */
public sealed interface Shapes permits Shapes.Circle, Shapes.Square, Shapes.Named {
    double area();

    default String label() {
        return prefix() + (int) area();
    }

    private String prefix() {
        return getClass().isRecord() ? "r" : "c";
    }

    static Shapes unit() {
        return new Square(1);
    }

    record Circle(@Deprecated double radius) implements Shapes {
        public Circle {
            if (radius < 0) throw new IllegalArgumentException();
        }
        public double area() {
            return Math.PI * radius * radius;
        }
    }

    record Square(double side) implements Shapes, Comparable<Square> {
        public double area() {
            return side * side;
        }
        @Override public int compareTo(Square other) {
            return Double.compare(side, other.side);
        }
    }

    abstract non-sealed class Named implements Shapes {
        protected final String name;
        protected static int count;

        protected Named(String name) {
            this.name = name;
            count++;
        }

        abstract <T extends Comparable<T>> T best(java.util.List<? extends T> list);

        @Override public String label() {
            return name + Shapes.super.label();
        }
    }
}
