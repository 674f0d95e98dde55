// Kernels of `make bench` about calls; see Kernels.java. About a second each on HotSpot's interpreter.
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;

class CallKernels {
    interface Operation { int apply(int x); }
    interface Named { default int number() { return 1; } }
    static abstract class Numbered implements Named, Operation {
        int turns;
        int twice(int x) { turns++; return apply(x) + number(); }
    }
    static class A extends Numbered { public int apply(int x) { return x + 1; } }
    static class B extends Numbered { public int apply(int x) { return x ^ 3; } public int number() { return 2; } }
    static class C extends Numbered { public int apply(int x) { return x * 5; } int twice(int x) { return x; } }
    static class D extends A { public int apply(int x) { return super.apply(x) >> 1; } }
    static class E extends B { public int apply(int x) { return -x; } public int number() { return 5; } }
    static class F extends C {
        public int apply(int x) { return x | 1; }
        int twice(int x) { return super.twice(x) + 1; }
    }
    static class G extends D { public int apply(int x) { return x & 0xffff; } }
    static class H extends E { public int apply(int x) { return super.apply(x) + 9; } }
    static final Numbered[] ALL = {new A(), new B(), new C(), new D(), new E(), new F(), new G(), new H()};

    /** One call site, eight receivers, two interfaces. */
    public static long megamorphicCalls() {
        long sum = 0;
        for (int i = 0; i < 14_000_000; i++) {
            Operation operation = ALL[i * 7 >> 2 & 7];
            Named named = ALL[i & 7];
            sum += operation.apply(i) + named.number();
        }
        return sum;
    }
    public static long virtualCalls() {
        long sum = 0;
        for (int i = 0; i < 16_000_000; i++) sum += ALL[i & 7].twice(i);
        return sum;
    }
    /** A class test in place of a call. */
    public static long casts() {
        Object[] objects = {"text", 7, 8L, new A(), new int[1], new G(), 'c', new String[2]};
        long sum = 0;
        for (int i = 0; i < 30_000_000; i++) {
            Object o = objects[i * 5 >> 1 & 7];
            if (o instanceof String) sum += ((String) o).length();
            else if (o instanceof Number) sum += ((Number) o).intValue();
            else if (o instanceof Operation) sum += ((Numbered) o).turns;
            else if (o instanceof Object[]) sum += ((Object[]) o).length;
            else if (o instanceof Comparable) sum += 3;
        }
        return sum;
    }
    public static long capturingLambdas() {
        LongUnaryOperator[] chain = new LongUnaryOperator[6];
        for (int i = 0; i < chain.length; i++) {
            int k = i;
            chain[i] = i == 0 ? x -> x + 1 : x -> chain[k - 1].applyAsLong(x) * 3 + k;
        }
        long sum = 0;
        for (int i = 0; i < 2_500_000; i++) {
            int n = i;
            Supplier<Integer> boxed = () -> n & 127;
            sum += chain[i % 6].applyAsLong(i) + boxed.get();
        }
        return sum;
    }

    static int ackermann(int m, int n) {
        return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
    }
    static long down(int depth, long a, double b, Object o) {
        return depth == 0 ? a + (long) b : down(depth - 1, a + depth, b * 0.5, o) + (o == null ? 1 : 2);
    }
    public static long deepRecursion() {
        long sum = ackermann(3, 9);
        for (int i = 0; i < 9000; i++) sum += down(2500, i, i, sum);
        return sum;
    }

    private int number;
    private static long total;
    private volatile int shared;
    private final int[] cells = new int[64];
    int add(int x) { return number += x; }
    static long sum(long a, int b) { return a + b; }

    static final VarHandle NUMBER, SHARED, TOTAL, INTS = MethodHandles.arrayElementVarHandle(int[].class);
    static final MethodHandle ADD, SUM;
    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            NUMBER = lookup.findVarHandle(CallKernels.class, "number", int.class);
            SHARED = lookup.findVarHandle(CallKernels.class, "shared", int.class);
            TOTAL = lookup.findStaticVarHandle(CallKernels.class, "total", long.class);
            ADD = lookup.findVirtual(CallKernels.class, "add", MethodType.methodType(int.class, int.class));
            SUM = lookup.findStatic(CallKernels.class, "sum", MethodType.methodType(long.class, long.class, int.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
    public static long varHandles() {
        CallKernels k = new CallKernels();
        for (int i = 0; i < 600_000; i++) {
            NUMBER.set(k, (int) NUMBER.get(k) + i);
            int old = (int) SHARED.getVolatile(k);
            SHARED.compareAndSet(k, old, old + 1);
            INTS.setRelease(k.cells, i & 63, (int) INTS.getAcquire(k.cells, i + 1 & 63) + 1);
            TOTAL.set((long) TOTAL.get() + (int) SHARED.getAndAdd(k, 2));
        }
        return k.number + k.shared + k.cells[5] + total;
    }
    public static long methodHandles() throws Throwable {
        CallKernels k = new CallKernels();
        MethodHandle bound = ADD.bindTo(k), swapped = MethodHandles.permuteArguments(
            SUM, MethodType.methodType(long.class, int.class, long.class), 1, 0);
        long sum = 0;
        for (int i = 0; i < 1_500_000; i++) {
            sum += (int) ADD.invokeExact(k, i);
            sum = (long) SUM.invokeExact(sum, i);
            sum += (int) bound.invokeExact(1) + (long) swapped.invokeExact(i, 2L);
        }
        return sum;
    }
    public int reflected(int x, Integer y) { return number ^= x + y; }
    public static long reflection() throws Exception {
        Method method = CallKernels.class.getDeclaredMethod("reflected", int.class, Integer.class),
               still = CallKernels.class.getDeclaredMethod("sum", long.class, int.class);
        Field field = CallKernels.class.getDeclaredField("number");
        Constructor<CallKernels> made = CallKernels.class.getDeclaredConstructor();
        CallKernels k = new CallKernels();
        long sum = 0;
        for (int i = 0; i < 170_000; i++) {
            sum += (int) method.invoke(k, i, 3) + (long) still.invoke(null, sum, i);
            field.setInt(k, field.getInt(k) + 1);
            if (i % 4 == 0) sum += made.newInstance().number;
        }
        return sum;
    }
    public static long proxies() {
        int[] calls = {0};
        Operation operation = (Operation) Proxy.newProxyInstance(CallKernels.class.getClassLoader(),
            new Class<?>[] {Operation.class}, (proxy, method, arguments) -> {
                calls[0]++;
                return (int) arguments[0] + method.getName().length();
            });
        long sum = 0;
        for (int i = 0; i < 3_000_000; i++) sum += operation.apply(i);
        return sum + calls[0];
    }

    record Point(int x, int y) {}
    record Line(Point from, Point to, String name) {}
    public static long records() {
        Map<Point, Integer> visited = new HashMap<>();
        long sum = 0;
        for (int i = 0; i < 80_000; i++) {
            Point p = new Point(i % 97, i % 89);
            visited.merge(p, 1, Integer::sum);
            Line line = new Line(p, new Point(p.y(), p.x()), "l");
            if (line.equals(new Line(line.from(), line.to(), "l"))) sum += line.hashCode();
            if (i % 16 == 0) sum += line.toString().length();
        }
        return sum + visited.size();
    }
}
