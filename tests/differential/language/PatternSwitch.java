// Pattern switch of 21: type, record, nested, guarded, null, enum constant, qualified and exhaustive forms; unnamed
// patterns.
import java.util.List;

public class PatternSwitch {
    sealed interface Shape permits Circle, Rect, Line {}
    record Point(int x, int y) {}
    record Circle(Point centre, int r) implements Shape {}
    record Rect(Point a, Point b) implements Shape {}
    record Line(Point from, Point to) implements Shape {}
    enum Suit { CLUBS, HEARTS }
    sealed interface Card permits Suit2, Joker {}
    enum Suit2 implements Card { SPADES, DIAMONDS }
    record Joker() implements Card {}
    record Box<T>(T content) {}
    record Bad(int v) {
        public int v() { throw new IllegalStateException("accessor"); }
    }

    static String shape(Shape s) {
        return switch (s) {
            case Circle(Point(var x, var y), int r) when r > 10 -> "big circle at " + x + "," + y;
            case Circle(_, int r) -> "circle " + r;
            case Rect(Point(int x1, int y1), Point(int x2, int y2)) -> "rect " + Math.abs((x2 - x1) * (y2 - y1));
            case Line l when l.from().equals(l.to()) -> "dot";
            case Line(Point f, Point _) -> "line from " + f;
        };
    }
    static String object(Object o) {
        return switch (o) {
            case null -> "null";
            case Integer i when i > 100 -> "big " + i;
            case Integer i -> "int " + i;
            case Long l -> "long " + l;
            case String s when s.isEmpty() -> "empty";
            case String s -> "string " + s.length();
            case Suit.HEARTS -> "hearts";
            case Suit s -> "suit " + s;
            case int[] a when a.length == 0 -> "no ints";
            case int[] a -> "ints " + a[0];
            case List<?> l when l.size() == 1 && l.get(0) instanceof Point(int x, int _) -> "single point " + x;
            case List<?> l -> "list " + l.size();
            case Box(String s) -> "box of string " + s;
            case Box(Box(var inner)) -> "box of box of " + inner;
            case Box(var other) -> "box of " + other;
            case Class<?> c -> c.getSimpleName();
            default -> "default " + o.getClass().getSimpleName();
        };
    }
    static String card(Card c) {
        return switch (c) {
            case Suit2.SPADES -> "spades";
            case Suit2.DIAMONDS -> "diamonds";
            case Joker() -> "joker";
        };
    }
    static int string(String s) {
        return switch (s) {
            case "one" -> 1;
            case String t when t.startsWith("t") -> 2;
            case "three" -> 3;
            case null, default -> -1;
        };
    }
    static String integer(Integer i) {
        return switch (i) {
            case 1 -> "one";
            case 2 -> "two";
            case Integer n when n < 0 -> "negative";
            case Integer n -> "n" + n;
        };
    }
    static String statement(Object o) {
        StringBuilder b = new StringBuilder();
        switch (o) {
            case Long _:
                b.append("l");
                break;
            case Integer _: b.append("i"); break;
            default: b.append("d");
        }
        return b.toString();
    }

    public static void main(String[] args) {
        Point o = new Point(0, 0), p = new Point(3, 4);
        for (Shape s : List.of(new Circle(p, 11), new Circle(o, 5), new Rect(o, p), new Line(p, p), new Line(o, p)))
            System.out.println(shape(s));
        Object[] os = {null,
                       5,
                       500,
                       7L,
                       "",
                       "abc",
                       Suit.CLUBS,
                       Suit.HEARTS,
                       new int[0],
                       new int[] {8},
                       List.of(),
                       List.of(p),
                       List.of(1, 2),
                       new Box<>("x"),
                       new Box<>(new Box<>(3)),
                       new Box<>(4),
                       new Box<>(null),
                       String.class,
                       2.5};
        for (Object x : os) System.out.println(object(x));
        for (Card c : new Card[] {Suit2.SPADES, Suit2.DIAMONDS, new Joker()}) System.out.println(card(c));
        for (String s : new String[] {"one", "two", "three", "four", null}) System.out.print(string(s) + " ");
        System.out.println();
        for (Integer i : new Integer[] {1, 2, 3, -4}) System.out.print(integer(i) + " ");
        System.out.println(statement(1) + statement(1.5));
        try {
            shape(null);
        } catch (NullPointerException e) {
            System.out.println("null shape");
        }
        try {
            Object bad = new Bad(1);
            if (bad instanceof Bad(int v)) System.out.println(v);
        } catch (MatchException e) {
            System.out.println(e + " / " + e.getCause());
        }
    }
}
