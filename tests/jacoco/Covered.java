import java.util.ArrayList;
import java.util.List;

/** Some of it runs and some of it does not. */
public class Covered {
    interface Shape {
        int area();
        default int twice() { return 2 * area(); }
        default int never() { return 0; }
    }

    static class Square implements Shape {
        final int side;
        Square(int side) { this.side = side; }
        public int area() { return side * side; }
    }

    static class Unused {
        int value() { return 7; }
    }

    static int choose(int n) {
        switch (n % 4) {
        case 0: return 1;
        case 1: return n > 100 ? 2 : 3;
        case 2:
            try {
                return Integer.parseInt(n > 5 ? "x" : "12");
            } catch (NumberFormatException e) {
                return -1;
            }
        default: return 0;
        }
    }

    static void never() { System.out.println("not reached"); }

    public static void main(String[] args) throws Exception {
        int sum = 0;
        for (int i = 0; i < 7; i++) sum += choose(i);
        List<Shape> shapes = new ArrayList<>();
        shapes.add(new Square(3));
        shapes.add(() -> 4);
        for (Shape s : shapes) sum += s.twice();
        Thread t = new Thread(() -> System.out.println("in a thread"));
        t.start();
        t.join();
        System.out.println(sum);
        if (args.length > 5) never();
    }
}
