// StackWalker: frames, caller class, skip rules for reflection and lambdas, limits, and unusable instances.
import java.util.List;
import java.util.stream.Collectors;

public class StackWalking {
    static final StackWalker PLAIN = StackWalker.getInstance();
    static final StackWalker CLASSES = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);
    static String frames(StackWalker w) {
        return w.walk(s -> s.map(f -> f.getMethodName() + ":" + f.getLineNumber()).collect(Collectors.joining(" ")));
    }
    static class A {
        String call() { return frames(PLAIN); }
        Class<?> caller() { return CLASSES.getCallerClass(); }
    }
    static class B extends A {
        @Override
        String call() {
            return super.call();
        }
    }
    interface Deep {
        Object go(int n);
    }
    static Object deep(int n, Deep end) { return n == 0 ? end.go(n) : deep(n - 1, end); }
    static Class<?> viaStatic() { return CLASSES.getCallerClass(); }

    public static void main(String[] args) throws Exception {
        System.out.println(frames(PLAIN));
        System.out.println(new B().call());
        System.out.println(new A().caller() + " " + viaStatic());
        System.out.println(((Deep) n -> frames(PLAIN).replaceAll("lambda\\$main\\$\\d+", "lambda")).go(1));
        System.out.println(StackWalking.class.getDeclaredMethod("viaStatic").invoke(null));
        System.out.println(StackWalking.class.getDeclaredMethod("frames", StackWalker.class).invoke(null, PLAIN));
        System.out.println(deep(100, n -> PLAIN.walk(s -> s.count())));
        System.out.println(deep(50,
                                n
                                -> PLAIN.walk(s
                                              -> s.limit(5)
                                                     .map(StackWalker.StackFrame::getMethodName)
                                                     .filter(m -> !m.startsWith("lambda"))
                                                     .toList())));
        System.out.println(deep(30, n -> PLAIN.walk(s -> s.skip(25).findFirst().get().getMethodName())));
        System.out.println((Object) CLASSES.walk(
            s
            -> s.map(f
                     -> f.getDeclaringClass().getSimpleName() + " " + f.getDescriptor() + " " + f.getMethodType() + " "
                            + f.isNativeMethod() + " " + f.getFileName() + " " + f.getClassName() + " "
                            + (f.getByteCodeIndex() >= 0) + " " + f.toStackTraceElement())
                   .toList()));
        try {
            PLAIN.getCallerClass();
        } catch (UnsupportedOperationException e) {
            System.out.println(e.getMessage());
        }
        try {
            PLAIN.walk(s -> s.findFirst().get().getDeclaringClass());
        } catch (UnsupportedOperationException e) {
            System.out.println("no class reference");
        }
        java.util.stream.Stream<StackWalker.StackFrame>[] kept = new java.util.stream.Stream[1];
        PLAIN.walk(s -> {
            kept[0] = s;
            return 0;
        });
        try {
            kept[0].count();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        int[] n = {0};
        PLAIN.forEach(f -> n[0]++);
        System.out.println(n[0]);
        Thread t = new Thread(() -> System.out.println(frames(PLAIN).replaceAll("lambda\\$main\\$\\d+", "lambda")));
        t.start();
        t.join();
        List<Integer> l = List.of(1);
        l.forEach(i
                  -> System.out.println(
                      (Object) CLASSES.walk(s -> s.anyMatch(f -> f.getClassName().startsWith("java.util")))));
        Thread.State st = Thread.currentThread().getState();
        StackTraceElement[] trace = Thread.currentThread().getStackTrace();
        System.out.println(st + " " + trace[0].getMethodName() + " " + trace[1]);
        long hidden = StackWalker.getInstance(StackWalker.Option.SHOW_HIDDEN_FRAMES).walk(s -> s.count());
        System.out.println(hidden >= 1);
    }
}
