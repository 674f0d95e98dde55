/* A concrete subclass with bridges, inner and local classes, lambdas and concatenation. */
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

@Shape.
Mark(value = "outer", numbers = {1, 2}, kind = Shape.Kind.LARGE, inner = @Deprecated(forRemoval = true, since = "x"))
public class Shape extends Shapes.Named {
    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.TYPE, ElementType.METHOD, ElementType.FIELD, ElementType.PARAMETER, ElementType.TYPE_USE})
    public @interface Mark {
        String value() default "none";
        int[] numbers() default {};
        Kind kind() default Kind.SMALL;
        Deprecated inner() default @Deprecated;
        Class<?> type() default Object.class;
    }

    public enum Kind {
        SMALL, MEDIUM { @Override int weight() { return 2; } }, LARGE;
        int weight() { return ordinal(); }
    }

    @Mark("field") private List<@Mark String> parts = new ArrayList<>();
    transient volatile int version = 7;

    public Shape(String name, int n) {
        super(n > 0 ? name : name + "!");
        Supplier<String> s = () -> name + n;
        parts.add(s.get());
        Function<Integer, Integer> f = Integer::bitCount;
        version = f.apply(n);
        class Local implements Runnable {
            @Override public void run() {
                version += parts.size() + n;
            }
        }
        new Local().run();
        new Object() {
            void touch() {
                parts.add(name);
            }
        }.touch();
    }

    @Override public double area() {
        return version * 2.0;
    }

    @Override @Deprecated <T extends Comparable<T>> T best(List<? extends T> list) {
        T best = null;
        for (T t : list)
            if (best == null || t.compareTo(best) > 0) best = t;
        return best;
    }

    @Mark(numbers = 3) public String describe(@Mark("p") Object o, long count, char c) throws IllegalStateException {
        return "shape " + o + count + c + Kind.valueOf("SMALL").weight() + parts;
    }

    static int sum(int... values) {
        int total = 0;
        for (int v : values) total += v;
        assert total >= 0 : "negative " + total;
        return total;
    }

    public static void main(String[] args) {
        Shape s = new Shape("a", 3);
        s.describe("o", 4, 'c');
        s.best(List.of(1, 5, 2));
        s.label();
        sum(1, 2, 3);
        Kind.MEDIUM.weight();
        Shapes.unit().label();
    }
}
