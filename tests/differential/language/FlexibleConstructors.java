// Statements before super(), instance main methods' cousins, unnamed variables, module imports and markdown-era syntax
// of 25.
import module java.base;

public class FlexibleConstructors {
    static class Base {
        final String seen;
        Base(String s) { seen = s + describe(); }
        String describe() { return "base"; }
    }
    static class Sub extends Base {
        final int early;
        Sub(String text) {
            if (text.isBlank()) throw new IllegalArgumentException("blank");
            int n = 0;
            for (char c : text.toCharArray()) n += c;
            early = n;
            super(text.strip() + n + ":");
            System.out.println("after super " + early);
        }
        Sub(int n) {
            var copies = "x".repeat(n);
            this(copies);
        }
        @Override String describe() { return "sub sees " + early; }
    }
    class Inner {
        final int v;
        Inner(int a) {
            int doubled = a * 2;
            v = doubled;
            super();
        }
    }

    public static void main(String[] args) {
        System.out.println(new Sub(" ab ").seen);
        System.out.println(new Sub(3).seen);
        try {
            new Sub(" ");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(new FlexibleConstructors().new Inner(21).v);
        int count = 0;
        for (var _ : List.of(1, 2, 3)) count++;
        try {
            Integer.parseInt("x");
        } catch (NumberFormatException _) {
            count += 10;
        }
        BiFunction<Integer, Integer, Integer> second = (_, b) -> b;
        Map<String, Integer> m = new TreeMap<>(Map.of("a", 1, "b", 2));
        System.out.println(count + " " + second.apply(1, 2) + m);
        SequencedCollection<Integer> s = new ArrayList<>(List.of(1, 2, 3));
        System.out.println(s.reversed() + " " + s.getFirst() + s.getLast());
        System.out.println(Stream.of(1, 2, 3, 4, 5).gather(Gatherers.windowSliding(2)).toList());
        IO.println("IO class");
    }
}
