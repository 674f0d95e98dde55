// C memory that classes cost: `java ClassMemory lambdas | comparators | weak COUNT` makes COUNT hidden classes after
// some to warm up, uses and keeps them, and prints by how much the pool of class metadata has grown for each: the
// median of BATCHES, in which a class that somebody else loads meanwhile (a thread of the library's) does not count,
// and the mean of all, in which nothing is lost.
import java.io.InputStream;
import java.lang.invoke.LambdaMetafactory;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.util.Arrays;
import java.util.Comparator;
import java.util.function.IntUnaryOperator;

public class ClassMemory {
    static final int WARM = 500, BATCHES = 20;

    interface Maker { Object make(int i) throws Throwable; }

    static class Plain implements IntUnaryOperator {
        public int applyAsInt(int x) { return "four".length() + x; }
    }

    static int next(int x) { return x + 1; }
    static int compare(Object a, Object b) { return a.hashCode() - b.hashCode(); }

    static MethodHandle lambda(Class<?> type, String method, String target, MethodType shape) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        return LambdaMetafactory.metafactory(lookup, method, MethodType.methodType(type), shape,
                lookup.findStatic(ClassMemory.class, target, shape), shape).getTarget();
    }

    /** A lambda of an interface with few methods beside its own. */
    static Object operator(int i) throws Throwable {
        MethodType shape = MethodType.methodType(int.class, int.class);
        IntUnaryOperator f = (IntUnaryOperator) lambda(IntUnaryOperator.class, "applyAsInt", "next", shape).invoke();
        if (f.andThen(f).applyAsInt(i) != i + 2) throw new AssertionError("next");
        return f;
    }

    /** One of an interface with many default methods. */
    @SuppressWarnings("unchecked")
    static Object comparator(int i) throws Throwable {
        MethodType shape = MethodType.methodType(int.class, Object.class, Object.class);
        Comparator<Object> c = (Comparator<Object>) lambda(Comparator.class, "compare", "compare", shape).invoke();
        if (c.reversed().compare(i, i + 3) != 3) throw new AssertionError("compare");
        return c;
    }

    /** A hidden class that is unloaded by itself. */
    static Maker weak() throws Throwable {
        byte[] bytes;
        try (InputStream in = ClassMemory.class.getResourceAsStream("ClassMemory$Plain.class")) {
            bytes = in.readAllBytes();
        }
        return i -> {
            IntUnaryOperator f = (IntUnaryOperator) MethodHandles.lookup().defineHiddenClass(bytes, true).lookupClass()
                    .getDeclaredConstructor().newInstance();
            if (f.andThen(f).applyAsInt(i) != i + 8) throw new AssertionError("applyAsInt");
            return f;
        };
    }

    static long metadata() {
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            if (pool.getName().equals("Metaspace")) return pool.getUsage().getUsed();
        }
        throw new IllegalStateException("no pool of class metadata");
    }

    public static void main(String[] args) throws Throwable {
        Maker maker = args[0].equals("lambdas") ? ClassMemory::operator
                : args[0].equals("comparators") ? ClassMemory::comparator : weak();
        int count = Integer.parseInt(args[1]);
        Object[] kept = new Object[WARM + count];
        long[] grown = new long[BATCHES];
        for (int i = 0; i < WARM; i++) kept[i] = maker.make(i);
        int made = WARM;
        metadata();
        for (int batch = 0; batch < BATCHES; batch++) {
            long before = metadata();
            for (int i = 0; i < count / BATCHES; i++) kept[made++] = maker.make(made);
            grown[batch] = metadata() - before;
        }
        Arrays.sort(grown);
        int each = count / BATCHES;
        System.out.println(args[0] + ": " + grown[BATCHES / 2] / each + " "
                + Arrays.stream(grown).sum() / (each * BATCHES));
        if (kept[made - 1] == kept[0]) throw new AssertionError("not a class each");
    }
}
