// Kernels of `make bench` that need the language of JDK 21; see Kernels.java. About a second each on HotSpot's
// interpreter.
class PatternKernels {
    sealed interface Term permits Number, Sum, Product, Negation {}
    record Number(int value) implements Term {}
    record Sum(Term left, Term right) implements Term {}
    record Product(Term left, Term right) implements Term {}
    record Negation(Term of) implements Term {}

    static Term term(int depth, int n) {
        if (depth == 0) return new Number(n & 15);
        return switch (n % 3) {
        case 0 -> new Sum(term(depth - 1, n * 5 + 1), term(depth - 1, n + 2));
        case 1 -> new Product(term(depth - 1, n * 3 + 1), term(depth - 1, n + 1));
        default -> new Negation(term(depth - 1, n + 7));
        };
    }
    static Term simplified(Term term) {
        return switch (term) {
        case Sum(Number(var a), Number(var b)) -> new Number(a + b);
        case Product(Number(var a), var right) when a == 1 -> simplified(right);
        case Product(var left, var right) -> new Product(simplified(left), simplified(right));
        case Sum(var left, var right) -> new Sum(simplified(left), simplified(right));
        case Negation(Negation(var inner)) -> simplified(inner);
        case Negation(var inner) -> new Negation(simplified(inner));
        case Number n -> n;
        };
    }
    static int value(Term term) {
        return switch (term) {
        case Number n -> n.value();
        case Sum(var left, var right) -> value(left) + value(right);
        case Product(var left, var right) -> value(left) * value(right);
        case Negation(var of) -> -value(of);
        };
    }
    public static long recordPatterns() {
        Term term = term(10, 1);
        long sum = 0;
        for (int i = 0; i < 2400; i++) sum = sum * 31 + value(term) + value(simplified(simplified(term)));
        return sum;
    }

    static int size(Object o) {
        return switch (o) {
        case null -> 0;
        case String s when s.isEmpty() -> 1;
        case String s -> s.length();
        case Integer i when i > 5 -> i;
        case Integer i -> -i;
        case int[] array -> array.length;
        case Enum<?> e -> e.ordinal();
        case CharSequence text -> text.length() * 2;
        default -> 9;
        };
    }
    public static long patternSwitch() {
        Object[] objects = {"", "text", 3, 7, null, new int[4], Thread.State.WAITING, new StringBuilder("b"), 2.0, "x"};
        long sum = 0;
        for (int i = 0; i < 3_500_000; i++) sum = sum * 7 + size(objects[i * 3 % 10]);
        return sum;
    }
}
