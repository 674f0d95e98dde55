// Stack traces and walks with hidden frames, in calls of every kind that the library makes by hidden classes.
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.stream.Stream;

import static java.lang.StackWalker.Option.RETAIN_CLASS_REFERENCE;
import static java.lang.StackWalker.Option.SHOW_HIDDEN_FRAMES;
import static java.lang.invoke.MethodType.methodType;

public class HiddenFrames {
    static String plain(Object o) { return o.toString().replaceAll("0x[0-9a-f]+", "#"); }

    static void trace(String what) {
        System.out.println(what);
        for (StackTraceElement e : new Throwable().getStackTrace()) System.out.println("  " + plain(e));
        StackWalker.getInstance(Set.of(SHOW_HIDDEN_FRAMES, RETAIN_CLASS_REFERENCE)).forEach(f ->
            System.out.println("  walked " + plain(f) + " at " + f.getByteCodeIndex() + ", " + plain(f.getMethodType())
                + ", " + f.getDeclaringClass().getModule().getName()));
    }

    public static void called() { trace("called"); }
    static String shown(Object o) { trace("shown"); return "x"; }

    record Pair(Object left, Object right) { }

    static class Told {
        @Override public String toString() { trace("toString"); return "t"; }
        @Override public int hashCode() { trace("hashCode"); return 1; }
        @Override public boolean equals(Object o) { trace("equals"); return true; }
    }

    private static void lambdas() {
        Runnable reference = HiddenFrames::called, lambda = () -> trace("lambda");
        reference.run();
        lambda.run();
        Stream.of(1).map(x -> { trace("in a stream"); return x; }).forEach(x -> { });
    }

    private static void madeByTheLibrary() {
        System.out.println("a" + new Told() + 1);
        Pair a = new Pair(new Told(), 1), b = new Pair(new Told(), 1);
        System.out.println(a.hashCode() == b.hashCode() && a.equals(b));
        System.out.println(a);
    }

    private static void handles() throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodHandle f = lookup.findStatic(HiddenFrames.class, "called", methodType(void.class));
        f.invokeExact();
        f.invoke();
        f.invokeWithArguments();
        MethodHandles.guardWithTest(MethodHandles.constant(boolean.class, true), f, f).invokeExact();
        MethodHandles.catchException(f, RuntimeException.class,
            MethodHandles.dropArguments(f, 0, RuntimeException.class)).invokeExact();
        MethodHandles.tryFinally(f, MethodHandles.dropArguments(f, 0, Throwable.class)).invokeExact();
        MethodHandle g = lookup.findStatic(HiddenFrames.class, "shown", methodType(String.class, Object.class));
        System.out.println(g.asSpreader(Object[].class, 1).invoke(new Object[] {1}));
        System.out.println(g.asType(methodType(Object.class, String.class)).invoke("q"));
    }

    private static void proxies() throws Throwable {
        MethodHandle f = MethodHandles.lookup().findStatic(HiddenFrames.class, "called", methodType(void.class));
        Runnable ofHandle = MethodHandleProxies.asInterfaceInstance(Runnable.class, f);
        System.out.println(ofHandle.getClass().getModule() + " " + ofHandle.getClass().getPackageName());
        ofHandle.run();
        HiddenFrames.class.getMethod("called").invoke(null);
        ((Runnable) Proxy.newProxyInstance(HiddenFrames.class.getClassLoader(), new Class<?>[] {Runnable.class},
            (proxy, method, arguments) -> { trace("proxy " + method.getName()); return null; })).run();
    }

    public static void main(String[] arguments) throws Throwable {
        lambdas();
        madeByTheLibrary();
        handles();
        proxies();
    }
}
