// Hands classes of every kind to the agent classes, which prints all it can learn of them.
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.util.function.Supplier;

public class Classes {
    static native void print(Class<?> c);
    static native void lists(ClassLoader loader, Class<?> c);
    static native int status(Class<?> c);
    static native void hidden(Class<?> c);

    interface Plain {
        int CONSTANT = 7;
        default String name() { return "plain"; }
        static void stay() {}
        int twice(int x);
    }
    static abstract class Generic<T extends Comparable<T>> implements Plain, Supplier<T> {
        protected volatile T value;
        private transient final long number = 12345678901L;
        static final String TEXT = "text";
        native int missing(String s, long... rest);
        abstract Inner make(double d, T[] list) throws Exception;
        public final synchronized T get() { return value; }
        class Inner { }
    }
    enum Color { RED, GREEN { @Override int code() { return 2; } }; int code() { return 1; } }
    record Point(int x, int y) { Point { if (x < 0) throw new IllegalArgumentException(); } }
    sealed interface Shape permits Circle { }
    static final class Circle implements Shape { @Deprecated double radius; private static int count; }
    @interface Mark { String value() default "none"; }
    static class NotPrepared { static int x; }
    static class Failing { static { if (true) throw new IllegalStateException("on purpose"); } }
    static class Secret { }
    static class Child extends ClassLoader { Child() { super(Classes.class.getClassLoader()); } }

    public static void main(String[] args) throws Exception {
        Runnable local = new Runnable() { public void run() { System.out.println("ran " + args.length); } };
        local.run();
        new Circle();
        for (Class<?> c : new Class<?>[] {Plain.class, Generic.class, Color.class, Point.class, Shape.class,
                                          Circle.class, Mark.class, local.getClass(), Classes.class, NotPrepared.class,
                                          int.class, void.class, int[].class, String[][].class, Point[].class})
            print(c);
        try {
            new Failing();
        } catch (ExceptionInInitializerError e) {
            System.out.println("status after a failed initialisation: " + status(Failing.class));
        }
        unlisted();
    }

    /**
     * A hidden class and its arrays are loaded, and initiated by nobody; a loader that was asked for a class has
     * initiated it.
     */
    static void unlisted() throws Exception {
        Class<?> secret;
        try (InputStream in = Classes.class.getResourceAsStream("Classes$Secret.class")) {
            secret = MethodHandles.lookup().defineHiddenClass(in.readAllBytes(), true).lookupClass();
        }
        for (Class<?> c : new Class<?>[] {secret, secret.arrayType(), secret.arrayType().arrayType()}) {
            hidden(c);
            lists(Classes.class.getClassLoader(), c);
        }
        Child asked = new Child();
        Class.forName("Classes$Secret", false, asked);
        lists(asked, Secret.class);
        lists(asked, Circle.class);
        lists(null, Object.class);
        lists(null, int[].class);
        lists(null, Secret.class);
        primitives(asked);
    }

    /** Arrays of primitive types can be found through every loader, one that has been asked for nothing too. */
    static void primitives(ClassLoader asked) {
        for (ClassLoader loader : new ClassLoader[] {null, ClassLoader.getPlatformClassLoader(),
                                                     Classes.class.getClassLoader(), asked, new Child()})
            for (Class<?> c : new Class<?>[] {boolean[].class, boolean[][].class, double[][][].class, byte.class})
                lists(loader, c);
    }
}
