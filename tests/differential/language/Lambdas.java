// Lambdas and method references of every kind: capturing, recursive, serializable, generic, intersection, varargs,
// constructors.
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.*;

public class Lambdas {
    interface TriFunction<A, B, C, R> {
        R apply(A a, B b, C c);
    }
    interface LongDouble {
        double f(long a, double b, int c, float d);
    }
    interface SerialRunnable extends Runnable, Serializable {}
    int field = 5;
    static int sfield = 6;
    static int twice(int x) { return 2 * x; }
    int plus(int x) { return x + field; }
    Supplier<Integer> self() { return () -> field++; }
    static String join(String... s) { return String.join("+", s); }
    static <T, R> R apply(Function<? super T, ? extends R> f, T t) { return f.apply(t); }
    static class Gen<T> {
        final T t;
        Gen(T t) { this.t = t; }
        <U> Gen<U> map(Function<T, U> f) { return new Gen<>(f.apply(t)); }
    }
    static class Sup {
        String hi() { return "sup"; }
    }
    static class Der extends Sup {
        String hi() {
            Supplier<String> s = super::hi;
            return s.get() + "/der";
        }
    }
    static void raise() throws Exception { throw new Exception("checked"); }
    static Function<Integer, Integer> fact;

    public static void main(String[] args) throws Exception {
        int i = 1;
        long l = 2;
        double d = 3.5;
        float f = 4.5f;
        String s = "cap";
        char c = 'c';
        byte b = 7;
        short sh = 8;
        boolean z = true;
        int[] arr = {9};
        Supplier<String> all =
            () -> i + " " + l + " " + d + " " + f + " " + s + " " + c + " " + b + " " + sh + " " + z + " " + arr[0]++;
        System.out.println(all.get() + " | " + all.get());
        Lambdas o = new Lambdas();
        IntUnaryOperator st = Lambdas::twice, bound = o::plus;
        ToIntBiFunction<Lambdas, Integer> unbound = Lambdas::plus;
        System.out.println(st.andThen(bound).applyAsInt(10) + " " + unbound.applyAsInt(o, 3) + " " + o.self().get()
                           + o.self().get() + o.field);
        Function<String, Integer> len = String::length;
        Supplier<List<String>> mk = ArrayList::new;
        IntFunction<int[][]> mkArr = int[][] ::new;
        Function<Integer, Gen<Integer>> ctor = Gen::new;
        System.out.println(apply(len, "four") + " " + mk.get() + " " + mkArr.apply(3).length + " "
                           + ctor.apply(5).map(x -> x * 2.5).map(Object::toString).t);
        LongDouble ld = (a, bb, cc, dd) -> a + bb * cc - dd;
        System.out.println(ld.f(1L << 33, 2.5, 3, 0.5f));
        Function<String[], String> j1 = Lambdas::join;
        TriFunction<String, String, String, String> j3 = Lambdas::join;
        Supplier<String> j0 = Lambdas::join;
        System.out.println(j1.apply(new String[] {"a"}) + j3.apply("a", "b", "c") + "[" + j0.get() + "]"
                           + new Der().hi());
        fact = n -> n <= 1 ? 1 : n * fact.apply(n - 1);
        System.out.println(fact.apply(10));
        Function<Integer, Function<Integer, Function<Integer, Integer>>> curry = x -> y -> w -> x * y + w + sfield;
        System.out.println(curry.apply(2).apply(3).apply(4));
        Callable<Object> call = () -> {
            raise();
            return null;
        };
        try {
            call.call();
        } catch (Exception e) {
            System.out.println(e.getMessage());
        }
        Runnable r = (Runnable & Serializable) () -> System.out.println("serializable");
        r.run();
        System.out.println((r instanceof Serializable) + " " + r.getClass().isSynthetic() + " "
                           + r.getClass().isHidden() + " " + r.getClass().getInterfaces().length + " "
                           + r.getClass().getSimpleName().startsWith("Lambdas$$Lambda"));
        Object same = null;
        for (int k = 0; k < 3; k++) {
            Runnable x = () -> {};
            if (same == null)
                same = x;
            else
                System.out.print((same == x) + " ");
        }
        for (int k = 0; k < 3; k++) {
            int kk = k;
            IntSupplier x = () -> kk;
            System.out.print(x.getAsInt());
        }
        System.out.println();
        String[] words = {"pear", "fig", "apple", "kiwi"};
        Arrays.sort(words, Comparator.comparing(String::length).thenComparing(Comparator.reverseOrder()));
        System.out.println(Arrays.toString(words));
        BiFunction<Integer, Integer, Integer> add = Integer::sum;
        BinaryOperator<Integer> max = BinaryOperator.maxBy(Comparator.naturalOrder());
        ToLongFunction<Integer> widen = Integer::longValue;
        Function<Integer, Long> boxy = x -> (long) x;
        IntToDoubleFunction id = x -> x / 2.0;
        Predicate<String> p = String::isEmpty;
        ObjIntConsumer<int[]> oc = (a, v) -> a[0] = v;
        BooleanSupplier bs = () -> !z;
        oc.accept(arr, 42);
        System.out.println(add.andThen(x -> - x).apply(3, 4) + " " + max.apply(3, 9) + widen.applyAsLong(5)
                           + boxy.apply(6) + id.applyAsDouble(7) + p.negate().or(x -> true).test("") + arr[0]
                           + bs.getAsBoolean());
        Supplier<Runnable> nested = () -> {
            class L implements Runnable {
                public void run() { System.out.println("local in lambda " + s); }
            }
            return new L();
        };
        nested.get().run();
        Comparable<Integer> bridge = ((Integer) 5)::compareTo;
        System.out.println(bridge.compareTo(4) + " " + ((IntPredicate) x -> x > 0).test(1)
                           + ((Supplier<Supplier<String>>) () -> () -> "deep").get().get());
        try {
            Lambdas nul = null;
            IntUnaryOperator bad = nul::plus;
        } catch (NullPointerException e) {
            System.out.println("null receiver");
        }
        try {
            Function raw = len;
            raw.apply(5);
        } catch (ClassCastException e) {
            System.out.println(e.getMessage().replaceAll("Lambda.*? ", "Lambda "));
        }
    }
}
