// Stack traces with line numbers through constructors, initialisers, lambdas, bridges, reflection and nested classes.
import java.util.function.Supplier;

public class StackTraces {
    static class Thrower {
        int value = fail("field initialiser");
        Thrower() { System.out.println("not reached"); }
        Thrower(int x) { this(); }
    }
    static class Second {
        { fail("instance block"); }
    }
    static class Static { static int v = fail("static initialiser"); }
    interface Shape<T> {
        T make(T t);
        default T twice(T t) { return make(make(t)); }
    }
    static class Text implements Shape<String> {
        public String make(String s) { return s.substring(5); }
    }
    static int fail(String why) {
        if (why != null) throw new IllegalStateException(why);
        return 0;
    }
    static void show(Throwable e) {
        System.out.println(e);
        for (StackTraceElement s : e.getStackTrace())
            if (s.getClassName().startsWith("StackTraces"))
                System.out.println("  " + s.getClassName().replaceAll("\\$\\$Lambda.*", "\\$\\$Lambda") + "."
                                   + s.getMethodName() + ":" + s.getLineNumber() + " " + s.getFileName() + " "
                                   + s.getModuleName());
        if (e.getCause() != null) show(e.getCause());
    }
    static void t(Runnable r) {
        try {
            r.run();
        } catch (Throwable e) {
            show(e);
        }
    }
    private int multi(int a, int b) { return a + fail("multi-line") / b; }
    static native void missing();

    public static void main(String[] args) {
        t(() -> new Thrower(1));
        t(Second::new);
        t(() -> System.out.println(Static.v));
        t(() -> System.out.println(Static.v));
        t(() -> new Text().twice("abc"));
        t(() -> {
            Supplier<Supplier<String>> s = () -> () -> "x".substring(2);
            s.get().get();
        });
        t(() -> new StackTraces().multi(1, 2));
        t(() -> {
            new Object() {
                void go() {
                    new Object() {
                        void go() { fail("anonymous"); }
                    }.go();
                }
            }.go();
        });
        t(() -> java.util.List.of(3, 1, 2).stream().map(i -> 6 / (i - 2)).forEach(i -> {}));
        t(() -> {
            class Local {
                void m() { fail("local class"); }
            }
            new Local().m();
        });
        t(() -> {
            try {
                StackTraces.class.getDeclaredMethod("fail", String.class).invoke(null, "reflected");
            } catch (ReflectiveOperationException e) {
                throw new RuntimeException(e);
            }
        });
        t(StackTraces::missing);
        t(() -> {
            int[] a = {1};
            for (int i = 0;; i++) a[i] = 5;
        });
        Throwable late = new Throwable("made here");
        t(() -> {
            late.fillInStackTrace();
            show(late);
        });
        show(late);
        new Thread(() -> show(new Throwable("in thread"))).run();
        StackTraceElement e = new Throwable().getStackTrace()[0];
        System.out.println(e + " " + e.isNativeMethod() + " " + e.getClassLoaderName() + " " + e.getModuleVersion()
                           + " " + e.equals(new Throwable().getStackTrace()[0]));
        new Text().make("ab");
    }
}
