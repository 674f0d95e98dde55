// Bridge methods, covariant returns, generic signatures, erasure casts and heap pollution.
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

public class GenericsAndBridges {
    static abstract class Box<T extends Comparable<T>> implements Comparable<Box<T>> {
        T value;
        Box(T v) { value = v; }
        abstract T get();
        void set(T v) { value = v; }
        public int compareTo(Box<T> o) { return value.compareTo(o.value); }
    }
    static class IntBox extends Box<Integer> {
        IntBox(int v) { super(v); }
        @Override
        Integer get() {
            return value * 2;
        }
        @Override
        void set(Integer v) {
            super.set(v + 1);
        }
    }
    interface Source<T> {
        T next();
        default List<? super T> list() {
            List<T> l = new ArrayList<>();
            l.add(next());
            return l;
        }
    }
    static class Words implements Source<String> {
        int n;
        public String next() { return "w" + n++; }
    }
    static class A {
        A self() { return this; }
        Object o(Object x) { return "A.o"; }
        Object o(String x) { return "A.s"; }
    }
    static class B extends A {
        @Override
        B self() {
            return this;
        }
        @Override
        String o(Object x) {
            return "B.o";
        }
    }
    @SafeVarargs
    static <T> List<T> of(T... ts) {
        return Arrays.asList(ts);
    }
    static <T> T unsafe(Object o) {
        @SuppressWarnings("unchecked") T t = (T) o;
        return t;
    }
    static <K extends Number & Comparable<K>, V> int max(K a, K b, V ignored) {
        return (a.compareTo(b) > 0 ? a : b).intValue();
    }
    static int vararg(int... v) { return v.length; }
    static int vararg(Object o, int... v) { return 100 + v.length; }
    static String over(Object o) { return "object"; }
    static String over(Integer i) { return "integer"; }
    static String over(long l) { return "long"; }
    static String over(int... i) { return "varargs"; }

    public static void main(String[] args) throws Exception {
        Box<Integer> b = new IntBox(5);
        b.set(10);
        System.out.println(b.get() + " " + b.compareTo(new IntBox(3)));
        Box raw = b;
        try {
            raw.set("text");
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
        List<String> polluted = new ArrayList<>();
        ((List) polluted).add(5);
        try {
            String s = polluted.get(0);
            System.out.println(s);
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
    }
    static {
        for (Class<?> c : new Class<?>[] {IntBox.class, Words.class, B.class, Box.class}) {
            Method[] ms = c.getDeclaredMethods();
            Arrays.sort(ms, Comparator.comparing(Method::toString));
            for (Method m : ms)
                System.out.println(m + (m.isBridge() ? " bridge" : "") + (m.isSynthetic() ? " synthetic" : "") + " | "
                                   + m.toGenericString());
        }
        A a = new B();
        System.out.println(a.self().getClass().getSimpleName() + a.o("x") + a.o((Object) "x") + new B().o("s"));
        System.out.println(new Words().list() + " " + of(1, "two", 3.0) + of().size() + of((Object) null));
        System.out.println(max(3, 4, "v") + " " + vararg("x", 1) + vararg("x", new int[3]));
        System.out.println(over(1) + over((short) 1) + over('c') + over(1.0) + over((Integer) 5) + over() + over(1, 2));
        try {
            Integer i = GenericsAndBridges.<Integer>unsafe("str");
            System.out.println(i);
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
        Object fine = GenericsAndBridges.<Integer>unsafe("passes");
        System.out.println(fine);
        Type t = IntBox.class.getGenericSuperclass();
        System.out.println(t + " " + ((ParameterizedType) t).getActualTypeArguments()[0] + " "
                           + Box.class.getTypeParameters()[0].getBounds()[0] + " "
                           + Arrays.toString(Words.class.getGenericInterfaces()));
        try {
            Method max = GenericsAndBridges.class.getDeclaredMethod("max", Number.class, Number.class, Object.class);
            System.out.println(max.toGenericString() + " " + Arrays.toString(max.getTypeParameters()[0].getBounds())
                + Arrays.toString(max.getGenericParameterTypes()));
        } catch (NoSuchMethodException e) {
            System.out.println(e);
        }
    }
}
