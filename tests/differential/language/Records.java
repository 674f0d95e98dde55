// Records: accessors, compact constructors, equality, nesting, generics, reflection and serial-free use in maps.
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

public class Records {
    record Point(int x, int y) {
        static int made;
        Point {
            if (x < 0) throw new IllegalArgumentException("x is negative: " + x);
            made++;
        }
        Point(int both) { this(both, both); }
        double length() { return Math.sqrt(x * x + y * y); }
    }
    record All(boolean z, byte b, char c, short s, int i, long l, float f, double d, String t, int[] a, Object o) {}
    record Pair<A extends Comparable<A>, B>(A first, B second) implements Comparable<Pair<A, B>> {
        public int compareTo(Pair<A, B> o) { return first.compareTo(o.first); }
        static <T extends Comparable<T>> Pair<T, T> twin(T t) { return new Pair<>(t, t); }
    }
    record Empty() {}
    record Override2(String name) {
        @Override
        public String name() {
            return "<" + name + ">";
        }
        @Override
        public String toString() {
            return "own";
        }
        @Override
        public boolean equals(Object o) {
            return o instanceof Override2;
        }
        @Override
        public int hashCode() {
            return 7;
        }
    }
    record Tree(Tree left, int value, Tree right) {
        int sum() { return (left == null ? 0 : left.sum()) + value + (right == null ? 0 : right.sum()); }
    }
    record Varargs(int first, String... rest) {}

    public static void main(String[] args) throws Exception {
        Point p = new Point(3, 4), q = new Point(3, 4);
        System.out.println(p + " " + p.equals(q) + " " + (p.hashCode() == q.hashCode()) + " " + p.hashCode() + " "
                           + p.length() + " " + new Point(5) + " " + Point.made);
        try {
            new Point(-1, 0);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        int[] shared = {1};
        All a = new All(true, (byte) 1, 'c', (short) 2, 3, 4L, -0.0f, Double.NaN, "t", shared, null),
            b = new All(true, (byte) 1, 'c', (short) 2, 3, 4L, -0.0f, Double.NaN, "t", shared, null);
        System.out.println(
            a.equals(b) + " "
            + a.equals(new All(true, (byte) 1, 'c', (short) 2, 3, 4L, 0.0f, Double.NaN, "t", shared, null)) + " "
            + a.toString().replaceAll("@[0-9a-f]+", "@"));
        System.out.println(new Empty() + " " + new Empty().equals(new Empty()) + " " + new Empty().hashCode() + " "
                           + new Override2("n").name() + new Override2("n")
                           + new Override2("m").equals(new Override2("n")));
        System.out.println(Pair.twin("x") + " " + new Pair<>(1, null).equals(new Pair<>(1, null)) + " "
            + new Pair<>("a", 1).compareTo(new Pair<>("b", 1)) + " " + new Pair<>(1, "b").hashCode());
        System.out.println(new Tree(new Tree(null, 1, null), 2, new Tree(null, 3, null)) + " "
                           + new Tree(new Tree(null, 1, null), 2, null).sum());
        System.out.println(new Varargs(1, "a", "b").rest().length);
        for (RecordComponent c : Pair.class.getRecordComponents())
            System.out.println(c + " " + c.getGenericType() + " " + c.getAccessor() + " "
                               + c.getDeclaringRecord().getSimpleName() + " "
                               + c.getAccessor().invoke(new Pair<>("r", 2.5)));
        System.out.println(Point.class.isRecord() + " " + String.class.isRecord() + " "
                           + Arrays.toString(String.class.getRecordComponents()) + " " + Point.class.getSuperclass()
                           + " " + java.lang.reflect.Modifier.toString(Point.class.getModifiers()));
        try {
            var f = Point.class.getDeclaredField("x");
            f.setAccessible(true);
            f.setInt(p, 9);
        } catch (IllegalAccessException e) {
            System.out.println(e.getMessage());
        }
        record Local(String s, int n) {}
        Map<Local, String> m = new TreeMap<>(java.util.Comparator.comparing(Local::s).thenComparing(Local::n));
        m.put(new Local("b", 1), "b1");
        m.put(new Local("a", 2), "a2");
        m.put(new Local("a", 1), "a1");
        System.out.println(m);
    }
}
