import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;
import java.lang.invoke.VarHandle;
import java.lang.invoke.WrongMethodTypeException;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

// Method handles, VarHandles and lambdas that static finals and call sites hold, called so often that compiled code has
// what they call in it: of each kind and combination, with what they throw, and from where.
public class InlinedMethodHandles {
    static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
    static final int TURNS = 12_000;

    interface Shape { int area(); default int twice() { return 2 * area(); } }
    static class Square implements Shape {
        int side;
        Square(int side) { this.side = side; }
        public int area() { return side * side; }
        final int fixed() { return side + 1; }
        private int hidden(long by, double and) { return (int) (side * by + and); }
    }
    static class Cube extends Square {
        Cube(int side) { super(side); }
        @Override public int area() { return 6 * side * side; }
    }
    record Point(int x, long y, String name) { }

    static int count;
    static volatile int noisy;
    int field;

    static int add(int a, int b) { return a + b; }
    static long mix(byte a, long b, float c, double d) { return a + b + (long) c + (long) d; }
    static boolean isOdd(int a) { return (a & 1) != 0; }
    static String name(Object o) { return "<" + o + ">"; }
    static void note(int by) { count += by; }
    static int thrower(int a) {
        if (a % 4_000 == 3_999) throw new IllegalStateException("at " + a);
        return a;
    }
    static int caught(IllegalStateException e, int a) { return -a; }
    static int all(Object... values) { return values.length + values[values.length - 1].hashCode(); }

    static MethodHandle find(String name, Class<?> returns, Class<?>... takes) {
        try {
            return LOOKUP.findStatic(InlinedMethodHandles.class, name, MethodType.methodType(returns, takes));
        } catch (ReflectiveOperationException e) {
            throw new Error(e);
        }
    }
    interface Finder { MethodHandle find() throws ReflectiveOperationException; }
    static MethodHandle found(Finder f) {
        try {
            return f.find();
        } catch (ReflectiveOperationException e) {
            throw new Error(e);
        }
    }

    static final MethodHandle ADD = find("add", int.class, int.class, int.class),
        MIX = find("mix", long.class, byte.class, long.class, float.class, double.class),
        IS_ODD = find("isOdd", boolean.class, int.class), NAME = find("name", String.class, Object.class),
        NOTE = find("note", void.class, int.class), THROWER = find("thrower", int.class, int.class),
        ALL = find("all", int.class, Object[].class),
        AREA = found(() -> LOOKUP.findVirtual(Square.class, "area", MethodType.methodType(int.class))),
        AREA_OF_SHAPE = found(() -> LOOKUP.findVirtual(Shape.class, "area", MethodType.methodType(int.class))),
        TWICE = found(() -> LOOKUP.findVirtual(Shape.class, "twice", MethodType.methodType(int.class))),
        FIXED = found(() -> LOOKUP.findVirtual(Square.class, "fixed", MethodType.methodType(int.class))),
        HIDDEN = found(() -> LOOKUP.findVirtual(Square.class, "hidden",
                                                MethodType.methodType(int.class, long.class, double.class))),
        NEW = found(() -> LOOKUP.findConstructor(Cube.class, MethodType.methodType(void.class, int.class))),
        GETTER = found(() -> LOOKUP.findGetter(InlinedMethodHandles.class, "field", int.class)),
        SETTER = found(() -> LOOKUP.findSetter(InlinedMethodHandles.class, "field", int.class)),
        STATIC_SETTER = found(() -> LOOKUP.findStaticSetter(InlinedMethodHandles.class, "noisy", int.class)),
        BOUND = MethodHandles.insertArguments(ADD, 0, 40),
        DOUBLED = find("twice", int.class, int.class), FILTERED = MethodHandles.filterArguments(ADD, 0, BOUND, BOUND),
        NESTED = MethodHandles.filterReturnValue(FILTERED, MethodHandles.filterReturnValue(BOUND, BOUND)),
        FOLDED = MethodHandles.foldArguments(MethodHandles.dropArguments(ADD, 2, int.class), ADD),
        SWAPPED = MethodHandles.permuteArguments(find("less", int.class, int.class, int.class),
                                                 MethodType.methodType(int.class, int.class, int.class), 1, 0),
        GUARDED = MethodHandles.guardWithTest(IS_ODD, BOUND, THROWER),
        CAUGHT = MethodHandles.catchException(THROWER, IllegalStateException.class,
                                              find("caught", int.class, IllegalStateException.class, int.class)),
        BOXED = ADD.asType(MethodType.methodType(Object.class, Integer.class, Object.class)),
        WIDENED = ADD.asType(MethodType.methodType(long.class, byte.class, short.class)),
        COLLECTED = ALL.asCollector(Object[].class, 3), SPREAD = ADD.asSpreader(int[].class, 2),
        NONE = null;
    static int twice(int a) { return 2 * a; }
    static int less(int a, int b) { return a - b; }
    static final MutableCallSite SITE = new MutableCallSite(BOUND);
    static final MethodHandle OF_SITE = SITE.dynamicInvoker();

    static final VarHandle FIELD, STATIC, ELEMENT, BYTES, NAMES;
    static {
        try {
            FIELD = LOOKUP.findVarHandle(InlinedMethodHandles.class, "field", int.class);
            STATIC = LOOKUP.findStaticVarHandle(InlinedMethodHandles.class, "noisy", int.class);
        } catch (ReflectiveOperationException e) {
            throw new Error(e);
        }
        ELEMENT = MethodHandles.arrayElementVarHandle(long[].class);
        NAMES = MethodHandles.arrayElementVarHandle(String[].class);
        BYTES = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    }

    interface Body { long turn(int i) throws Throwable; }

    static void run(String name, Body body) {
        long sum = 0;
        List<String> thrown = new ArrayList<>();
        for (int i = 0; i < TURNS; i++) {
            try {
                sum = sum * 31 + body.turn(i);
            } catch (Throwable t) {
                StringBuilder text = new StringBuilder(t.toString());
                for (StackTraceElement e : t.getStackTrace())
                    if (e.getClassName().startsWith("Inlined"))
                        text.append(' ').append(e.getMethodName().replaceAll("\\d+", "#"));
                String all = text.toString();
                if (thrown.isEmpty() || !thrown.get(thrown.size() - 1).equals(all)) thrown.add(all);
            }
        }
        System.out.println(name + " " + sum + " " + thrown);
    }

    static int through(int depth) throws Throwable {
        return depth == 0 ? 1 : (int) ADD.invokeExact(through(depth - 1), (int) BOUND.invokeExact(depth));
    }

    static void calls() {
        Square[] squares = {new Square(3), new Cube(2), new Square(5)};
        run("static", i -> (int) ADD.invokeExact(i, 7));
        run("of many types", i -> (long) MIX.invokeExact((byte) i, (long) i << 20, i * 0.5f, i * 1.5));
        run("boolean", i -> (boolean) IS_ODD.invokeExact(i) ? i : -1);
        run("reference", i -> ((String) NAME.invokeExact((Object) (i & 15))).length());
        run("void", i -> { NOTE.invokeExact(i); return count; });
        run("virtual", i -> (int) AREA.invokeExact(squares[i % 3]));
        run("virtual of one", i -> (int) AREA.invokeExact(squares[0]) + (int) AREA.invokeExact(squares[2]));
        run("interface", i -> (int) AREA_OF_SHAPE.invokeExact((Shape) squares[i % 3]));
        run("default", i -> (int) TWICE.invokeExact((Shape) squares[i % 3]));
        run("final", i -> (int) FIXED.invokeExact(squares[i % 2]));
        run("private", i -> (int) HIDDEN.invokeExact(squares[i % 2], (long) i, 0.5));
        run("constructor", i -> ((Cube) NEW.invokeExact(i & 7)).area());
        run("null receiver", i -> (int) FIXED.invokeExact(i % 5_000 == 4_999 ? null : squares[0]));
        run("null receiver of a virtual one", i -> (int) AREA.invokeExact(i % 5_000 == 4_999 ? null : squares[1]));
        run("null handle", i -> i % 5_000 == 4_999 ? (int) NONE.invokeExact(i) : 0);
        run("another type", i -> i % 5_000 == 4_999 ? (int) ADD.invokeExact(i) : (int) ADD.invokeExact(i, i));
        run("generic", i -> (int) (Integer) ADD.invoke((Object) i, (short) 3) + (long) ADD.invoke((byte) 1, i));
        run("recursion", i -> i % 100 == 0 ? through(20) : 0);
    }

    static final int ONE = Integer.parseInt("1");

    /* What a handler assigns is seen behind it, whatever is known where nothing is thrown. */
    static int afterHandler(int i) throws Throwable {
        MethodHandle h = BOUND, other = null;
        int n = ONE;
        try {
            if (i % 3 == 0) throw new IllegalStateException();
            other = h;
        } catch (IllegalStateException e) {
            if (other == null) n = 2;
            h = DOUBLED;
        }
        return (n == 1 ? 1_000 : 2_000) + (int) h.invokeExact(i) + (other == null ? 7 : 0);
    }
    /* What a turn assigns is seen at the next. */
    static int changing(int i) throws Throwable {
        MethodHandle h = BOUND;
        int sum = 0, n = ONE;
        for (int k = 0; k < 4; k++) {
            sum += (int) h.invokeExact(i) + (n == 1 ? 100 : 200);
            if (k == i % 5) {
                h = DOUBLED;
                n = 2;
            }
        }
        return sum;
    }

    static void combined() {
        run("after a handler", i -> afterHandler(i));
        run("changing in a loop", i -> changing(i));
        run("bound", i -> (int) BOUND.invokeExact(i));
        run("filtered", i -> (int) FILTERED.invokeExact(i, 3));
        run("nested", i -> (int) NESTED.invokeExact(i, 3));
        run("folded", i -> (int) FOLDED.invokeExact(i, 3));
        run("swapped", i -> (int) SWAPPED.invokeExact(i, 3));
        run("guarded", i -> (int) GUARDED.invokeExact(i));
        run("guarded, one way", i -> (int) GUARDED.invokeExact(2 * (i % 1_000)));
        run("caught", i -> (int) CAUGHT.invokeExact(i));
        run("boxed", i -> (int) (Object) BOXED.invokeExact((Integer) i, (Object) 5));
        run("boxed wrongly", i -> {
            Object o = i % 5_000 == 4_999 ? "text" : (Object) 5;
            return (int) (Object) BOXED.invokeExact((Integer) i, o);
        });
        run("widened", i -> (long) WIDENED.invokeExact((byte) i, (short) (i * 3)));
        run("collected", i -> (int) COLLECTED.invokeExact((Object) i, (Object) "b", (Object) (i + 1)));
        run("spread", i -> (int) SPREAD.invokeExact(new int[i % 5_000 == 4_999 ? 3 : 2]));
        run("call site", i -> {
            if (i % 3_000 == 2_999) SITE.setTarget(SITE.getTarget() == BOUND ? THROWER : BOUND);
            return (int) OF_SITE.invokeExact(i);
        });
        MethodHandle four = MethodHandles.dropArguments(MethodHandles.constant(int.class, 4), 0, int.class);
        MethodHandle[] several = {BOUND, four};
        run("not constant", i -> (int) several[i % 2].invokeExact(i));
    }

    static void fields() {
        InlinedMethodHandles o = new InlinedMethodHandles();
        run("getter and setter", i -> { SETTER.invokeExact(o, i * 3); return (int) GETTER.invokeExact(o); });
        run("static setter", i -> { STATIC_SETTER.invokeExact(i); return noisy; });
        run("null holder", i -> (int) GETTER.invokeExact(i % 5_000 == 4_999 ? null : o));
        run("field", i -> {
            FIELD.set(o, i);
            FIELD.setVolatile(o, (int) FIELD.getAcquire(o) + 1);
            return (int) FIELD.getAndAdd(o, 3) + ((boolean) FIELD.compareAndSet(o, i + 4, 9) ? 100 : 0) + o.field;
        });
        run("static field", i -> {
            STATIC.setRelease(i);
            return (int) STATIC.getAndBitwiseXor(5) + (int) STATIC.getOpaque();
        });
        long[] longs = new long[8];
        run("element", i -> {
            ELEMENT.setOpaque(longs, i & 7, (long) i);
            return (long) ELEMENT.getVolatile(longs, i * 7 & 7) + (long) ELEMENT.compareAndExchange(longs, 3, 3L, 5L);
        });
        run("element outside", i -> (long) ELEMENT.get(longs, i % 5_000 == 4_999 ? 8 : 1));
        String[] names = {"a", "b"};
        run("element of another class", i -> {
            Object[] as = i % 5_000 == 4_999 ? new Object[2] : names;
            NAMES.set((String[]) as, 1, "c" + (i & 3));
            return names[1].hashCode();
        });
        byte[] bytes = new byte[64];
        run("view", i -> { BYTES.set(bytes, i & 31, i); return (int) BYTES.get(bytes, i * 5 & 31); });
        run("null of a VarHandle", i -> (int) FIELD.get(i % 5_000 == 4_999 ? (InlinedMethodHandles) null : o));
        run("other types", i -> (int) FIELD.getAndSet(o, (short) i) + (byte) (int) FIELD.get(o));
    }

    static int apply(IntUnaryOperator f, int i) { return f.applyAsInt(i); }

    static void lambdas() {
        run("lambda", i -> apply(x -> x * 3, i));
        run("capturing", i -> apply(x -> x * i, i));
        run("reference to a method", i -> apply(Math::abs, -i));
        run("reference to a constructor", i -> { Supplier<Square> s = () -> new Square(i); return s.get().area(); });
        run("bound receiver", i -> { Square s = new Cube(i & 7); Supplier<Integer> f = s::area; return f.get(); });
        run("unbound receiver", i -> {
            ToIntFunction<Square> f = Square::area;
            return f.applyAsInt(new Square(i & 7));
        });
        run("text", i -> ("a" + i + 'b' + (i * 3L) + i * 0.25 + null + (i % 2 == 0) + "c").hashCode());
        run("record", i -> {
            Point p = new Point(i & 3, i % 5, i % 7 == 0 ? null : "n" + (i & 1));
            int same = p.equals(new Point(i & 1, i % 5, "n0")) ? 1_000 : 0;
            return p.hashCode() + same + (i % 50 == 0 ? p.toString().hashCode() : 0);
        });
    }

    public static void main(String[] args) {
        calls();
        combined();
        fields();
        lambdas();
    }
}
