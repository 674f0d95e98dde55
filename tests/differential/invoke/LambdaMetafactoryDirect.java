// LambdaMetafactory, StringConcatFactory and ObjectMethods called directly as bootstrap methods, with their complaints.
import java.lang.invoke.*;
import java.util.function.*;
import static java.lang.invoke.MethodType.methodType;

public class LambdaMetafactoryDirect {
    public interface Wide {
        long f(int a, long b, Object c);
        default int d() { return 5; }
    }
    public interface Marker {}
    record R(int a, String b) {}
    static long target(long a, long b, Object c) { return a + b + c.hashCode(); }
    interface Action {
        Object run() throws Throwable;
    }
    static void t(Action a) {
        try {
            System.out.println(a.run());
        } catch (Throwable e) {
            System.out.println(e);
        }
    }

    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup l = MethodHandles.lookup();
        MethodHandle len = l.findVirtual(String.class, "length", methodType(int.class));
        CallSite cs = LambdaMetafactory.metafactory(l, "apply", methodType(Function.class),
                                                    methodType(Object.class, Object.class), len,
                                                    methodType(Integer.class, String.class));
        Function<Object, Object> f = (Function<Object, Object>) cs.getTarget().invokeExact();
        System.out.println(f.apply("four"));
        try {
            f.apply(5);
        } catch (ClassCastException e) {
            System.out.println("cast");
        }
        MethodHandle target = l.findStatic(LambdaMetafactoryDirect.class, "target",
                                           methodType(long.class, long.class, long.class, Object.class));
        Wide w = (Wide) LambdaMetafactory
                     .metafactory(l, "f", methodType(Wide.class),
                                  methodType(long.class, int.class, long.class, Object.class), target,
                                  methodType(long.class, int.class, long.class, Object.class))
                     .getTarget()
                     .invokeExact();
        System.out.println(w.f(1, 2L, 3) + " " + w.d());
        IntSupplier captured = (IntSupplier) LambdaMetafactory
                                   .metafactory(l, "getAsInt", methodType(IntSupplier.class, String.class),
                                                methodType(int.class), len, methodType(int.class))
                                   .getTarget()
                                   .invokeExact("captured");
        System.out.println(captured.getAsInt());
        Object alt = LambdaMetafactory
                         .altMetafactory(l, "run", methodType(Runnable.class), methodType(void.class),
                                         l.findStatic(System.class, "gc", methodType(void.class)),
                                         methodType(void.class), LambdaMetafactory.FLAG_MARKERS, 1, Marker.class)
                         .getTarget()
                         .invoke();
        System.out.println((alt instanceof Marker) + " " + (alt instanceof Runnable));
        Object ser = LambdaMetafactory
                         .altMetafactory(l, "run", methodType(Runnable.class), methodType(void.class),
                                         l.findStatic(System.class, "gc", methodType(void.class)),
                                         methodType(void.class), LambdaMetafactory.FLAG_SERIALIZABLE)
                         .getTarget()
                         .invoke();
        System.out.println(ser instanceof java.io.Serializable);
        t(()
              -> LambdaMetafactory.metafactory(l, "apply", methodType(String.class),
                                               methodType(Object.class, Object.class), len,
                                               methodType(Integer.class, String.class)));
        t(()
              -> LambdaMetafactory.metafactory(l, "apply", methodType(Function.class),
                                               methodType(Object.class, Object.class), len,
                                               methodType(Integer.class, Integer.class)));
        t(()
                -> LambdaMetafactory.metafactory(MethodHandles.publicLookup(), "apply", methodType(Function.class),
                    methodType(Object.class, Object.class), len, methodType(Integer.class, String.class)));
        CallSite sc = StringConcatFactory.makeConcatWithConstants(l, "c",
                                                                  methodType(String.class, int.class, String.class,
                                                                             double.class, char.class),
                                                                  "i=\1 s=\1 const=\2 d=\1 c=\1", "K");
        System.out.println((String) sc.getTarget().invokeExact(5, "str", 2.5, 'ü'));
        System.out.println(
            (String) StringConcatFactory.makeConcat(l, "c", methodType(String.class, Object.class, boolean.class))
                .getTarget()
                .invokeExact((Object) null, true));
        t(() -> StringConcatFactory.makeConcatWithConstants(l, "c", methodType(String.class, int.class), "\1\1"));
        t(() -> StringConcatFactory.makeConcat(l, "c", methodType(int.class, int.class)));
        MethodHandle a = l.findGetter(R.class, "a", int.class), b = l.findGetter(R.class, "b", String.class);
        CallSite ts =
            (CallSite) java.lang.runtime.ObjectMethods.bootstrap(l, "toString", methodType(String.class, R.class),
                                                                 R.class, "a;b", a, b);
        CallSite eq =
            (CallSite) java.lang.runtime.ObjectMethods.bootstrap(l, "equals",
                                                                 methodType(boolean.class, R.class, Object.class),
                                                                 R.class, "a;b", a, b);
        System.out.println((String) ts.getTarget().invokeExact(new R(1, "x"))
                           + (boolean) eq.getTarget().invokeExact(new R(1, "x"), (Object) new R(1, "x")));
        t(()
              -> java.lang.runtime.ObjectMethods.bootstrap(l, "nothing", methodType(String.class, R.class), R.class,
                                                           "a;b", a, b));
        ConstantCallSite c = new ConstantCallSite(len);
        t(() -> {
            c.setTarget(len);
            return 0;
        });
        t(() -> new MutableCallSite(len.type()).getTarget().invoke("x"));
        t(() -> {
            MutableCallSite m = new MutableCallSite(len);
            m.setTarget(target);
            return 0;
        });
        VolatileCallSite v = new VolatileCallSite(len);
        System.out.println(v.dynamicInvoker().invoke("abc") + " " + v.type());
        System.out.println((int) ConstantBootstraps.invoke(l, "_", int.class,
                                                           l.findStatic(Math.class, "max",
                                                                        methodType(int.class, int.class, int.class)),
                                                           3, 8)
                           + " " + ConstantBootstraps.primitiveClass(l, "J", Class.class)
                           + ConstantBootstraps.getStaticFinal(l, "MAX_VALUE", int.class, Integer.class)
                           + ConstantBootstraps.explicitCast(l, "_", byte.class, 300));
    }
}
