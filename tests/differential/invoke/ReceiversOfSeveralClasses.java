import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;

/**
 * Calls whose receivers have several classes, one of which most have: its method may be inlined, and the others'
 * called. Both ways return values of all kinds and throw; what the caller holds meanwhile is whole behind them.
 */
public class ReceiversOfSeveralClasses {
    abstract static class Shape {
        abstract long area(int k);
        long twice(int k) { return 2 * area(k); }
    }
    static final class Square extends Shape {
        final long side = 3;
        long area(int k) { return side * side + k; }
    }
    static final class Circle extends Shape {
        final double radius = 2;
        long area(int k) { return (long) (3.14 * radius * radius) + k; }
    }
    static final class Unsteady extends Shape {
        long area(int k) {
            if (k % 1000 == 7) throw new IllegalStateException("at " + k);
            return k;
        }
    }

    interface Operation {
        int apply(int a, int b);
        default double wide(double x, long y) { return x + y; }
    }
    static final class Sum implements Operation {
        public int apply(int a, int b) { return a + b; }
    }
    static final class Product implements Operation {
        public int apply(int a, int b) { return a * b; }
        public double wide(double x, long y) { return x * 0.75 - y; }
    }

    static long areas(Shape[] all, int k) {
        long sum = 0;
        for (Shape s : all) sum += s.area(k) + s.twice(k);
        return sum;
    }

    static int applied(Operation[] all, int n) {
        int t = 1;
        for (int i = 0; i < n; i++) t = all[i % all.length].apply(t, i) + (t ^ i);
        return t;
    }

    /** A double and a long lie below the arguments while it is called. */
    static double wide(Operation[] all, int n) {
        double t = 1;
        long step = 3;
        for (int i = 0; i < n; i++) {
            double before = t;
            t = before * 0.5 + (step * 7 + all[i % all.length].wide(t, step)) - before * 0.25;
            step += i & 3;
        }
        return t;
    }

    static long caught(Shape[] all, int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) {
            try {
                sum += all[i % all.length].area(i);
            } catch (IllegalStateException e) {
                sum += e.getMessage().length() * 31 + e.getStackTrace().length;
            } catch (NullPointerException e) {
                sum -= 5;
            }
        }
        return sum;
    }

    static long summed(List<Integer> list) {
        long sum = 0;
        for (Integer i : list) sum += i;
        return sum;
    }

    public static void main(String[] arguments) {
        Shape[] mostly = {new Square(), new Square(), new Square(), new Circle()}, even = {new Square(), new Circle()};
        Shape[] unsteady = {new Unsteady(), new Unsteady(), new Square()}, holey = {new Square(), new Circle(), null};
        Operation[] operations = {new Product(), new Sum(), new Sum(), new Sum()};
        List<Integer> array = new ArrayList<>(List.of(1, 2, 3)), linked = new LinkedList<>(List.of(4, 5));
        long sum = 0;
        double wide = 0;
        for (int i = 0; i < 6000; i++) {
            sum += areas(mostly, i) + areas(even, i) + applied(operations, 20);
            sum += summed(array) + summed(i % 3 == 0 ? linked : i % 5 == 0 ? List.of() : array);
            sum += caught(unsteady, 30) + caught(holey, 8);
            wide += wide(operations, 20);
        }
        System.out.println(sum + " " + wide);
    }
}
