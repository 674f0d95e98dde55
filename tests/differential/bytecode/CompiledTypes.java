// checkcast, instanceof and stores to arrays of references, each against every kind of class, often enough that the
// methods are compiled: classes high and deep in their hierarchy, interfaces, arrays of all of them.
import java.io.Serializable;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

public class CompiledTypes {
    interface Top {}
    interface Middle extends Top {}
    interface Other {}
    static class A0 implements Middle {}
    static class A1 extends A0 {}
    static class A2 extends A1 implements Other {}
    static class A3 extends A2 {}
    static class A4 extends A3 {}
    static class A5 extends A4 {}
    static class A6 extends A5 {}
    static class A7 extends A6 {}
    static class A8 extends A7 implements Runnable { public void run() {} }
    static class A9 extends A8 {}
    static final class Leaf extends A9 {}
    enum Colour { RED, GREEN { @Override public String toString() { return "green"; } } }

    static final Object[] OBJECTS = {
        null, new Object(), "text", 7, new A0(), new A1(), new A2(), new A6(), new A7(), new A8(), new A9(), new Leaf(),
        Colour.RED, Colour.GREEN, (Runnable) () -> { }, new int[1], new long[1], new boolean[1], new byte[1],
        new int[1][1], new int[1][1][1], new Object[1], new Object[1][1], new String[1], new String[1][1], new A0[1],
        new A8[1], new Leaf[1], new A9[1][1], new Middle[1], new Top[1][1], new Runnable[1], new Cloneable[1],
        new Serializable[1], new Number[1], new Integer[1], new Colour[1]};

    static boolean isObject(Object o) { return o instanceof Object; }
    static boolean isString(Object o) { return o instanceof String; }
    static boolean isA0(Object o) { return o instanceof A0; }
    static boolean isA6(Object o) { return o instanceof A6; }
    static boolean isA7(Object o) { return o instanceof A7; }
    static boolean isA8(Object o) { return o instanceof A8; }
    static boolean isLeaf(Object o) { return o instanceof Leaf; }
    static boolean isTop(Object o) { return o instanceof Top; }
    static boolean isOther(Object o) { return o instanceof Other; }
    static boolean isRunnable(Object o) { return o instanceof Runnable; }
    static boolean isComparable(Object o) { return o instanceof Comparable; }
    static boolean isCloneable(Object o) { return o instanceof Cloneable; }
    static boolean isSerializable(Object o) { return o instanceof Serializable; }
    static boolean isInts(Object o) { return o instanceof int[]; }
    static boolean isBytes(Object o) { return o instanceof byte[]; }
    static boolean isInts2(Object o) { return o instanceof int[][]; }
    static boolean isObjects(Object o) { return o instanceof Object[]; }
    static boolean isObjects2(Object o) { return o instanceof Object[][]; }
    static boolean isA8s(Object o) { return o instanceof A8[]; }
    static boolean isTops(Object o) { return o instanceof Top[]; }
    static boolean isTops2(Object o) { return o instanceof Top[][]; }
    static boolean isRunnables(Object o) { return o instanceof Runnable[]; }
    static boolean isCloneables(Object o) { return o instanceof Cloneable[]; }
    static boolean isSerializables(Object o) { return o instanceof Serializable[]; }

    static Object asString(Object o) { return (String) o; }
    static Object asA0(Object o) { return (A0) o; }
    static Object asA7(Object o) { return (A7) o; }
    static Object asA9(Object o) { return (A9) o; }
    static Object asLeaf(Object o) { return (Leaf) o; }
    static Object asTop(Object o) { return (Top) o; }
    static Object asRunnable(Object o) { return (Runnable) o; }
    static Object asInts(Object o) { return (int[]) o; }
    static Object asInts2(Object o) { return (int[][]) o; }
    static Object asObjects(Object o) { return (Object[]) o; }
    static Object asObjects2(Object o) { return (Object[][]) o; }
    static Object asTops(Object o) { return (Top[]) o; }
    static Object asCloneables(Object o) { return (Cloneable[]) o; }

    // nothing is in memory when it is asked
    static int mixed(Object a, Object b, int x, long y, double z) {
        return x * 3 + (a instanceof Top ? x : (int) y) + (b instanceof Cloneable[] ? (int) z : x - 1) +
               (((Object) a) instanceof A9 ? 1 : 2) * (x + (b instanceof String ? 5 : 7));
    }

    static Object store(Object[] to, Object o) {
        to[0] = o;
        return to[0];
    }
    static String storeAt(Object[] to, int at, Object o, Object same) {
        to[at] = o;
        return to[at] == same ? "same" : "other";
    }

    static String outcome(UnaryOperator<Object> f, Object o) {
        try {
            return f.apply(o) == o ? "." : "another";
        } catch (ClassCastException | ArrayStoreException e) {
            return e.getClass() == ClassCastException.class ? "C" : "S";
        }
    }

    static void tests(String name, Predicate<Object> p) {
        StringBuilder s = new StringBuilder();
        for (int round = 0; round < 60; round++) {
            s.setLength(0);
            for (Object o : OBJECTS) s.append(p.test(o) ? '1' : '0');
        }
        System.out.println(name + " " + s);
    }
    static void casts(String name, UnaryOperator<Object> f) {
        StringBuilder s = new StringBuilder();
        for (int round = 0; round < 20; round++) {
            s.setLength(0);
            for (Object o : OBJECTS) s.append(outcome(f, o));
        }
        System.out.println(name + " " + s);
    }

    public static void main(String[] args) {
        tests("Object", CompiledTypes::isObject);
        tests("String", CompiledTypes::isString);
        tests("A0", CompiledTypes::isA0);
        tests("A6", CompiledTypes::isA6);
        tests("A7", CompiledTypes::isA7);
        tests("A8", CompiledTypes::isA8);
        tests("Leaf", CompiledTypes::isLeaf);
        tests("Top", CompiledTypes::isTop);
        tests("Other", CompiledTypes::isOther);
        tests("Runnable", CompiledTypes::isRunnable);
        tests("Comparable", CompiledTypes::isComparable);
        tests("Cloneable", CompiledTypes::isCloneable);
        tests("Serializable", CompiledTypes::isSerializable);
        tests("int[]", CompiledTypes::isInts);
        tests("byte[]", CompiledTypes::isBytes);
        tests("int[][]", CompiledTypes::isInts2);
        tests("Object[]", CompiledTypes::isObjects);
        tests("Object[][]", CompiledTypes::isObjects2);
        tests("A8[]", CompiledTypes::isA8s);
        tests("Top[]", CompiledTypes::isTops);
        tests("Top[][]", CompiledTypes::isTops2);
        tests("Runnable[]", CompiledTypes::isRunnables);
        tests("Cloneable[]", CompiledTypes::isCloneables);
        tests("Serializable[]", CompiledTypes::isSerializables);
        casts("String", CompiledTypes::asString);
        casts("A0", CompiledTypes::asA0);
        casts("A7", CompiledTypes::asA7);
        casts("A9", CompiledTypes::asA9);
        casts("Leaf", CompiledTypes::asLeaf);
        casts("Top", CompiledTypes::asTop);
        casts("Runnable", CompiledTypes::asRunnable);
        casts("int[]", CompiledTypes::asInts);
        casts("int[][]", CompiledTypes::asInts2);
        casts("Object[]", CompiledTypes::asObjects);
        casts("Object[][]", CompiledTypes::asObjects2);
        casts("Top[]", CompiledTypes::asTops);
        casts("Cloneable[]", CompiledTypes::asCloneables);
        Object[][] arrays = {new Object[1], new String[1], new A0[1], new A8[1], new Leaf[1], new Top[1],
                             new Runnable[1], new Cloneable[1], new int[1][], new Object[1][], new Top[1][]};
        for (Object[] to : arrays) casts("to " + to.getClass().getSimpleName(), o -> store(to, o));
        for (Object[] to : arrays) {
            Object[] three = java.util.Arrays.copyOf(to, 3);
            BiFunction<Integer, Object, String> f = (at, o) -> {
                try {
                    return storeAt(three, at, o, o);
                } catch (ArrayStoreException | ArrayIndexOutOfBoundsException e) {
                    return e.getClass().getSimpleName();
                }
            };
            String last = "";
            for (int i = 0; i < 400; i++) last = f.apply(i % 5 - 1, OBJECTS[i % OBJECTS.length]);
            System.out.println(last + " " + f.apply(2, null) + " " + f.apply(3, null));
        }
        long sum = 0;
        for (int i = 0; i < 4000; i++)
            sum = sum * 31 + mixed(OBJECTS[i % OBJECTS.length], OBJECTS[i / 7 % OBJECTS.length], i, -i, i * 0.5);
        System.out.println(sum);
    }
}
