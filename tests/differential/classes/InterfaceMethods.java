// Default, static and private interface methods, diamonds, super calls, Object methods on interfaces, functional
// interfaces.
import java.util.function.BiFunction;

public class InterfaceMethods {
    interface A {
        default String who() { return "A"; }
        static String st() { return "A.st"; }
        private String p() { return "A.p " + who(); }
        default String viaPrivate() { return p() + ps(); }
        private static String ps() { return " A.ps"; }
    }
    interface B extends A {
        default String who() { return "B>" + A.super.who(); }
    }
    interface C extends A {}
    interface D extends A {
        default String who() { return "D"; }
    }
    static class BC implements B, C {}
    static class BD implements B, D {
        public String who() { return "BD(" + B.super.who() + "," + D.super.who() + ")"; }
    }
    static class Base {
        public String who() { return "Base"; }
    }
    static class Wins extends Base implements B {}
    interface E extends B {
        String who();
    }
    static class Impl implements E {
        public String who() { return "Impl"; }
    }
    interface Obj {
        boolean equals(Object o);
        int hashCode();
        String toString();
        default int twice() { return hashCode() * 2; }
    }
    interface Wide {
        default double sum(long a, double b, int c, float d) { return a + b + c + d; }
        long l();
    }
    interface G<T, R> {
        R apply(T t);
        default<V> G<T, V> then(G<? super R, ? extends V> g) { return t -> g.apply(apply(t)); }
    }
    interface Deep0 {
        default int d() { return 0; }
    }
    interface Deep1 extends Deep0 {
        default int d() { return Deep0.super.d() + 1; }
    }
    interface Deep2 extends Deep1 {
        default int d() { return Deep1.super.d() + 1; }
    }
    interface Deep3 extends Deep2, Deep0 {
        default int d() { return Deep2.super.d() + 1; }
    }
    static class Deep implements Deep0, Deep3, Deep1 {}

    static <T extends A> String call(T t) {
        return t.who() + "|" + t.viaPrivate() + "|" + t.equals(t) + "|" + (t.hashCode() == t.hashCode());
    }

    public static void main(String[] args) throws Exception {
        A[] all = {new A(){}, new BC(), new BD(), new Wins(), new Impl()};
        for (A a : all) System.out.println(call(a));
        System.out.println(A.st() + " " + new Deep().d());
        Obj o = new Obj() {
            public int hashCode() { return 21; }
            public String toString() { return "obj"; }
        };
        System.out.println(o.twice() + " " + o + " " + o.equals(o) + " " + o.getClass().isInterface());
        Wide w = () -> 1L << 40;
        System.out.println(w.sum(1L << 40, 0.5, 3, 0.25f) + " " + w.l());
        G<Integer, Integer> g = x -> x + 1;
        System.out.println(g.then(x -> "v" + x).then(String::length).then(x -> x * 1.5).apply(99));
        BiFunction<A, Object, Boolean> eq = A::equals;
        System.out.println(eq.apply(all[0], all[0]) + " " + eq.apply(all[0], all[1]));
        Comparable<String> c = "b" ::compareTo;
        System.out.println(c.compareTo("a"));
        CharSequence cs = "text";
        System.out.println(cs.length() + cs.chars().sum() + " " + cs.isEmpty() + " " + CharSequence.compare(cs, "tex"));
        System.out.println(A.class.getMethod("who").isDefault() + " " + E.class.getMethod("who").isDefault() + " "
            + BC.class.getMethod("who").getDeclaringClass().getSimpleName() + " " + Impl.class.getMethods().length);
        Iterable<Integer> it = () -> java.util.List.of(1, 2, 3).iterator();
        int sum = 0;
        for (int i : it) sum += i;
        System.out.println(sum);
    }
}
