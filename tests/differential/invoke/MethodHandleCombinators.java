// Every combinator of MethodHandles: argument shuffling, guards, loops, tables, try/finally, arrays, spreading and
// collecting.
import java.lang.invoke.*;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import static java.lang.invoke.MethodHandles.*;
import static java.lang.invoke.MethodType.methodType;

public class MethodHandleCombinators {
    static int add(int a, int b) { return a + b; }
    static String cat(String a, long b, double c) { return a + b + c; }
    static boolean positive(int x) { return x > 0; }
    static String name(int x) { return "n" + x; }
    static String other(int x) { return "o" + x; }
    static String caught(IllegalStateException e, int x) { return "caught " + e.getMessage() + x; }
    static String risky(int x) {
        if (x > 1) throw new IllegalStateException("risky");
        if (x < 0) throw new Error("error");
        return "fine" + x;
    }
    static String cleanup(Throwable t, String r, int x) {
        return t == null ? r + "/clean" : "cleaned " + t.getMessage();
    }
    static void print(String s) { System.out.print(s + " "); }
    static int step(int v, int i) { return v * 2 + i; }
    static boolean less(int v, int i, int limit) { return v < limit; }
    static boolean lt100(int v) { return v < 100; }
    static int triple(int v) { return v * 3 + 1; }
    static String big(byte a, long b, char c, double d, short e, float f, boolean g, int h, String i, Object j) {
        return "" + a + b + c + d + e + f + g + h + i + j;
    }

    public static void main(String[] args) throws Throwable {
        Lookup l = lookup();
        Class<?> me = MethodHandleCombinators.class;
        MethodHandle add = l.findStatic(me, "add", methodType(int.class, int.class, int.class)),
                     cat = l.findStatic(me, "cat", methodType(String.class, String.class, long.class, double.class)),
                     positive = l.findStatic(me, "positive", methodType(boolean.class, int.class)),
                     name = l.findStatic(me, "name", methodType(String.class, int.class)),
                     other = l.findStatic(me, "other", methodType(String.class, int.class)),
                     risky = l.findStatic(me, "risky", methodType(String.class, int.class)),
                     print = l.findStatic(me, "print", methodType(void.class, String.class)),
                     triple = l.findStatic(me, "triple", methodType(int.class, int.class)),
                     lt100 = l.findStatic(me, "lt100", methodType(boolean.class, int.class));
        System.out.println((int) insertArguments(add, 0, 10).invokeExact(5) + " "
                           + (String) insertArguments(cat, 1, 7L, 2.5).invokeExact("s") + " "
                           + (int) dropArguments(add, 1, String.class, long.class).invokeExact(1, "dropped", 9L, 2));
        System.out.println(
            (String) permuteArguments(cat, methodType(String.class, double.class, String.class, long.class), 1, 2, 0)
                .invokeExact(1.5, "p", 3L)
            + " " + (int) permuteArguments(add, methodType(int.class, int.class), 0, 0).invokeExact(21));
        MethodHandle guard = guardWithTest(positive, name, other);
        System.out.println((String) guard.invokeExact(5) + (String) guard.invokeExact(-5));
        MethodHandle cat1 =
            catchException(risky, IllegalStateException.class,
                           l.findStatic(me, "caught",
                                        methodType(String.class, IllegalStateException.class, int.class)));
        System.out.println((String) cat1.invokeExact(1) + (String) cat1.invokeExact(2));
        try {
            String s = (String) cat1.invokeExact(-1);
        } catch (Error e) {
            System.out.println(e.getMessage());
        }
        MethodHandle tf =
            tryFinally(risky,
                       l.findStatic(me, "cleanup", methodType(String.class, Throwable.class, String.class, int.class)));
        System.out.println((String) tf.invokeExact(1));
        try {
            System.out.println((String) tf.invokeExact(2));
        } catch (IllegalStateException e) {
            System.out.println("rethrown " + e.getMessage());
        }
        System.out.println((String) filterReturnValue(add, name).invokeExact(3, 4)
                           + (int) filterArguments(add, 0, triple, null).invokeExact(3, 4)
                           + (String) collectArguments(name, 0, add).invokeExact(8, 9)
                           + (int) foldArguments(add, triple).invokeExact(5));
        foldArguments(print, dropReturn(l.findVirtual(String.class, "length", methodType(int.class))))
            .invokeExact("folded");
        System.out.println((int) identity(int.class).invokeExact(4)
                           + (String) constant(String.class, "const").invokeExact()
                           + (long) constant(long.class, 1L << 33).invokeExact() + (int) zero(int.class).invokeExact()
                           + (Object) empty(methodType(Object.class, int.class)).invokeExact(1));
        System.out.println((int) add.asSpreader(int[].class, 2).invokeExact(new int[] {3, 4}) + " "
            + add.asSpreader(Object[].class, 2).invoke(new Object[] {5, 6}) + " "
            + ((int[]) identity(int[].class).asCollector(int[].class, 3).invoke(7, 8, 9)).length + " "
            + Arrays.toString((Object[]) identity(Object[].class).asCollector(Object[].class, 2).invoke("a", 1))
            + add.asSpreader(1, Integer[].class, 1).invoke(1, new Integer[] {2}));
        for (Object bad : new Object[] {new int[] {1}, null}) {
            try {
                int r = (int) add.asSpreader(int[].class, 2).invokeExact((int[]) bad);
            } catch (IllegalArgumentException | NullPointerException e) {
                System.out.println(e);
            }
        }
        MethodHandle get = arrayElementGetter(int[].class), set = arrayElementSetter(String[].class),
                     len = arrayLength(double[].class), mk = arrayConstructor(char[].class);
        String[] sa = new String[2];
        set.invokeExact(sa, 1, "set");
        System.out.println((int) get.invokeExact(new int[] {1, 2, 3}, 2) + sa[1] + (int) len.invokeExact(new double[5])
                           + ((char[]) mk.invokeExact(4)).length);
        try {
            int r = (int) get.invokeExact(new int[1], 5);
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        System.out.println((int) countedLoop(constant(int.class, 5), constant(int.class, 1),
                                             l.findStatic(me, "step", methodType(int.class, int.class, int.class)))
                               .invokeExact()
                           + " " + (int) whileLoop(constant(int.class, 2), lt100, triple).invokeExact() + " "
                           + (int) doWhileLoop(constant(int.class, 500), triple, lt100).invokeExact());
        MethodHandle iter = iteratedLoop(null, constant(String.class, ""),
                                         l.findVirtual(String.class, "concat", methodType(String.class, String.class)));
        System.out.println((String) iter.invoke(List.of("x", "y", "z")));
        MethodHandle[] clause = {constant(int.class, 1), triple, lt100, identity(int.class)};
        System.out.println((int) loop(clause).invokeExact());
        MethodHandle ts = tableSwitch(dropArguments(constant(String.class, "default"), 0, int.class),
                                      dropArguments(constant(String.class, "zero"), 0, int.class), name);
        System.out.println((String) ts.invokeExact(0) + (String) ts.invokeExact(1) + (String) ts.invokeExact(7));
        MethodHandle thr = throwException(String.class, IllegalArgumentException.class);
        try {
            String s = (String) thr.invokeExact(new IllegalArgumentException("thrown"));
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        MethodHandle big =
            l.findStatic(me, "big",
                         methodType(String.class, byte.class, long.class, char.class, double.class, short.class,
                                    float.class, boolean.class, int.class, String.class, Object.class));
        System.out.println((String) insertArguments(big, 3, 2.5, (short) 4)
                               .invokeExact((byte) 1, 2L, 'c', 6f, true, 8, "nine", (Object) 10)
                           + " "
                           + big.asSpreader(4, Object[].class, 6)
                                 .invoke((byte) 1, 2L, 'c', 3d, new Object[] {(short) 4, 5f, false, 7, "8", null}));
        System.out.println(explicitCastArguments(name, methodType(String.class, double.class)).invoke(3.99) + " "
            + explicitCastArguments(triple, methodType(byte.class, boolean.class)).invoke(true) + " "
            + explicitCastArguments(identity(String.class), methodType(Object.class, Object.class)).invoke("s") + " "
            + explicitCastArguments(identity(int.class), methodType(char.class, long.class)).invoke(65L + (1L << 40)));
        System.out.println(exactInvoker(add.type()).invoke(add, 1, 2) + " "
            + invoker(methodType(Object.class, Object.class, Object.class)).invoke(add, 3, 4) + " "
            + spreadInvoker(add.type(), 1).invoke(add, 5, new Object[] {6}));
        SwitchPoint sp = new SwitchPoint();
        MethodHandle sw = sp.guardWithTest(name, other);
        System.out.print((String) sw.invokeExact(1) + sp.hasBeenInvalidated());
        SwitchPoint.invalidateAll(new SwitchPoint[] {sp});
        System.out.println((String) sw.invokeExact(1) + sp.hasBeenInvalidated());
        MutableCallSite site = new MutableCallSite(name);
        MethodHandle dyn = site.dynamicInvoker();
        System.out.print((String) dyn.invokeExact(1));
        site.setTarget(other);
        System.out.println((String) dyn.invokeExact(1));
        Runnable r = MethodHandleProxies.asInterfaceInstance(Runnable.class, insertArguments(print, 0, "proxied"));
        r.run();
        System.out.println(MethodHandleProxies.isWrapperInstance(r));
        MethodHandle acc = add;
        for (int i = 0; i < 50; i++)
            acc = insertArguments(dropArguments(filterReturnValue(acc, identity(int.class)), 0, int.class), 0, i);
        System.out.println((int) acc.invokeExact(1, 2));
        long h = 0;
        for (int i = 0; i < 500; i++)
            h = h * 31 + ((String) guard.invokeExact(i % 7 - 3)).hashCode()
                + (int) permuteArguments(add, methodType(int.class, int.class), 0, 0).invokeExact(i);
        System.out.println(h);
    }
}
