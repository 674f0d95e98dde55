import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.function.IntBinaryOperator;
import java.util.function.Supplier;

// Method handles of every kind, call sites and VarHandles in code that runs often enough to be compiled, with the
// library's forms: arguments of all types, null receivers, targets that throw or are native, operands below the call.
public class CompiledMethodHandles {
    interface Shape { int area(int scale, long bias); }
    record Square(int side) implements Shape {
        public int area(int scale, long bias) { return side * side * scale + (int) bias; }
    }
    record Line(int length) implements Shape {
        public int area(int scale, long bias) { return length - scale; }
    }
    static class Base { int twice(int x) { return 2 * x; } }
    static class Derived extends Base {
        int field = 5;
        @Override int twice(int x) { return 3 * x; }
        static MethodHandle base() throws Exception {
            return MethodHandles.lookup().findSpecial(Base.class, "twice", MethodType.methodType(int.class, int.class),
                                                      Derived.class);
        }
    }

    static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
    static final MethodHandle MIX, AREA, TWICE, BASE, FIELD, LENGTH, HASH, BITS, THROWS, NEW, ITEM;
    static final VarHandle COUNT, ELEMENT;
    static int count;
    static long sum;

    static MethodType type(Class<?> result, Class<?>... parameters) {
        return MethodType.methodType(result, parameters);
    }

    static {
        try {
            Class<?> c = CompiledMethodHandles.class;
            MIX = LOOKUP.findStatic(c, "mix", type(long.class, byte.class, char.class, short.class, int.class,
                                                   long.class, float.class, double.class, boolean.class, Object.class,
                                                   long.class));
            AREA = LOOKUP.findVirtual(Shape.class, "area", type(int.class, int.class, long.class));
            TWICE = LOOKUP.findVirtual(Base.class, "twice", type(int.class, int.class));
            BASE = Derived.base();
            FIELD = LOOKUP.findGetter(Derived.class, "field", int.class);
            LENGTH = LOOKUP.findVirtual(String.class, "length", type(int.class));
            HASH = LOOKUP.findStatic(System.class, "identityHashCode", type(int.class, Object.class));
            BITS = LOOKUP.findStatic(Double.class, "doubleToRawLongBits", type(long.class, double.class));
            THROWS = LOOKUP.findStatic(c, "fails", type(double.class, int.class));
            NEW = LOOKUP.findConstructor(Square.class, type(void.class, int.class));
            ITEM = MethodHandles.arrayElementGetter(int[].class);
            COUNT = LOOKUP.findStaticVarHandle(c, "count", int.class);
            ELEMENT = MethodHandles.arrayElementVarHandle(long[].class);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    static long mix(byte b, char c, short s, int i, long j, float f, double d, boolean z, Object o, long last) {
        return b + 3L * c + 5L * s + 7L * i + 11 * j + (long) (f * 13) + (long) (d * 17) + (z ? 19 : 23)
               + (o == null ? 0 : o.hashCode()) + 29 * last;
    }
    static double fails(int i) {
        if (i % 3 == 0) throw new IllegalStateException("at " + i);
        return i;
    }

    static void direct(int i) throws Throwable {
        sum = sum * 31 + (long) MIX.invokeExact((byte) i, (char) i, (short) -i, i, i * 1L << 33, i * 0.5f, i / 3.0,
                                                (i & 1) == 0, (Object) (i % 5 == 0 ? null : "text"), -7L);
        Base b = (i & 1) == 0 ? new Base() : new Derived();
        sum += i * (long) (int) TWICE.invokeExact(b, i);
        sum = sum * 31 + (int) BASE.invokeExact(new Derived(), i) + (int) FIELD.invokeExact(new Derived());
        sum += (int) LENGTH.invokeExact("length" + i) * 3 + (long) BITS.invokeExact(i * 0.25);
        sum += (int) HASH.invokeExact((Object) null) + ((Square) NEW.invokeExact(i)).side();
        sum ^= (int) ITEM.invokeExact(new int[] {1, i, 3}, 1);
    }

    static void interfaces(int i) throws Throwable {
        Shape s = i % 3 == 0 ? new Line(i) : i % 3 == 1 ? new Square(i) : (scale, bias) -> scale + (int) bias;
        sum = sum * 31 + (int) AREA.invokeExact(s, i, 4L);
        sum += (int) AREA.invoke((Object) s, (short) i, i);
    }

    static void refusals(int i) {
        try {
            sum += (int) TWICE.invokeExact((Base) null, i);
        } catch (Throwable e) {
            sum = sum * 31 + e.getClass().getName().hashCode();
        }
        try {
            sum += (int) AREA.invokeExact((Shape) null, i, 1L);
        } catch (Throwable e) {
            sum = sum * 31 + e.getClass().getName().hashCode();
        }
        try {
            MethodHandle none = i < 0 ? TWICE : null;
            sum += (int) none.invokeExact(i);
        } catch (Throwable e) {
            sum = sum * 31 + e.getClass().getName().hashCode();
        }
        try {
            sum += (int) TWICE.invokeExact(i);
        } catch (Throwable e) {
            sum = sum * 31 + e.getMessage().hashCode();
        }
        try {
            sum += i + (long) (double) THROWS.invokeExact(i);
        } catch (Throwable e) {
            sum = sum * 31 + e.getMessage().hashCode() + e.getStackTrace()[0].getMethodName().hashCode();
        }
    }

    static void combined(MethodHandle swapped, MethodHandle guarded, MethodHandle caught, int i) throws Throwable {
        sum += (int) swapped.invokeExact((long) i, i + 1, (Shape) new Square(2));
        sum = sum * 31 + (int) guarded.invokeExact((Base) (i % 4 == 0 ? new Base() : new Derived()), i);
        sum += (long) (double) caught.invokeExact(i);
    }

    static void variables(long[] a, int i) {
        sum += (int) COUNT.getAndAdd(2) + ((boolean) COUNT.compareAndSet(2 * i + 2, 2 * i + 2) ? 1 : 0);
        ELEMENT.setVolatile(a, i & 3, (long) ELEMENT.getAcquire(a, i + 1 & 3) + i);
        try {
            sum += (long) ELEMENT.get(a, (i & 7) - 2);
        } catch (ArrayIndexOutOfBoundsException e) {
            sum = sum * 31 + e.getMessage().hashCode();
        }
    }

    static void sites(int i) {
        IntBinaryOperator f = (x, y) -> x * i + y;
        Supplier<String> g = String::new;
        String text = "at " + i + ", " + (i / 2.0) + 'x' + f.applyAsInt(1, 2);
        sum = sum * 31 + f.applyAsInt(i, 3) + g.get().length() + text.hashCode();
        sum += new Square(i).hashCode() + (new Square(i).equals(new Square(i + (i & 1))) ? 1 : 2);
    }

    static boolean isPlain(Base b, int i) { return b.getClass() == Base.class; }
    static double recovers(IllegalStateException e, int i) { return -i; }

    public static void main(String[] args) throws Throwable {
        Class<?> c = CompiledMethodHandles.class;
        MethodHandle swapped = MethodHandles.permuteArguments(
            AREA, type(int.class, long.class, int.class, Shape.class), 2, 1, 0);
        MethodHandle isPlain = LOOKUP.findStatic(c, "isPlain", type(boolean.class, Base.class, int.class));
        MethodHandle negated = LOOKUP.findStatic(Math.class, "negateExact", type(int.class, int.class));
        MethodHandle guarded = MethodHandles.guardWithTest(isPlain, TWICE,
                                                           MethodHandles.filterReturnValue(TWICE, negated));
        MethodHandle recovers = LOOKUP.findStatic(
            c, "recovers", type(double.class, IllegalStateException.class, int.class));
        MethodHandle caught = MethodHandles.catchException(THROWS, IllegalStateException.class, recovers);
        long[] array = new long[4];
        for (int i = 0; i < 3000; i++) {
            direct(i);
            interfaces(i);
            refusals(i);
            combined(swapped, guarded, caught, i);
            variables(array, i);
            sites(i);
            if (i % 500 == 0) System.out.println(i + ": " + sum);
        }
        System.out.println(sum + " " + count);
    }
}
