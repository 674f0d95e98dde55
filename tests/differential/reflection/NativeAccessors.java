// Reflection by the VM's own native accessors: the same calls, conversions and exceptions, deep recursion through
// invoke.
import java.lang.reflect.*;

public class NativeAccessors {
    public static long all(boolean z, byte b, char c, short s, int i, long l, float f, double d, Object o, int[] a) {
        return (z ? 1 : 0) + b + c + s + i + l + (long) f + (long) d + o.hashCode() + a.length;
    }
    public final int made;
    public NativeAccessors(int x, long y) {
        if (x < 0) throw new IllegalArgumentException("negative");
        made = x + (int) y;
    }
    public double virtual(float f) { return f * 2; }
    static class Sub extends NativeAccessors {
        public Sub() { super(1, 2); }
        @Override
        public double virtual(float f) {
            return -f;
        }
    }
    interface Face {
        default char c(char x) { return (char) (x + 1); }
    }
    public static int deep(int n) throws Exception {
        return n == 0 ? 0 : 1 + (Integer) NativeAccessors.class.getMethod("deep", int.class).invoke(null, n - 1);
    }
    public static void thrower() { throw new UnsupportedOperationException("thrown"); }
    interface Action {
        Object run() throws Throwable;
    }
    static void t(Action a) {
        try {
            System.out.println(a.run());
        } catch (InvocationTargetException e) {
            System.out.println("target " + e.getTargetException());
        } catch (Throwable e) {
            System.out.println(e);
        }
    }

    public static void main(String[] args) throws Exception {
        Method all =
            NativeAccessors.class.getMethod("all", boolean.class, byte.class, char.class, short.class, int.class,
                                            long.class, float.class, double.class, Object.class, int[].class);
        t(() -> all.invoke(null, true, (byte) 1, 'c', (short) 2, 3, 4L, 5f, 6d, "obj", new int[2]));
        t(() -> all.invoke(null, true, (byte) 1, 'c', (byte) 2, 'x', 4, 5L, 6f, "obj", new int[2]));
        t(() -> all.invoke(null, 1, (byte) 1, 'c', (byte) 2, 'x', 4, 5L, 6f, "obj", new int[2]));
        t(() -> all.invoke(null, true));
        Constructor<?> c = NativeAccessors.class.getConstructor(int.class, long.class);
        t(() -> ((NativeAccessors) c.newInstance((short) 5, 'a')).made);
        t(() -> c.newInstance(-1, 0L));
        Method v = NativeAccessors.class.getMethod("virtual", float.class);
        t(() -> v.invoke(new Sub(), 1.5f));
        t(() -> v.invoke(c.newInstance(1, 2L), (byte) 3));
        t(() -> v.invoke(null, 1f));
        t(() -> v.invoke("wrong", 1f));
        t(() -> Face.class.getMethod("c", char.class).invoke(new Face() {}, 'a'));
        t(() -> NativeAccessors.class.getMethod("thrower").invoke(null));
        t(() -> deep(200));
        for (int i = 0; i < 40; i++)
            if (!v.invoke(new Sub(), (float) i).equals((double) -i)) System.out.println("wrong at " + i);
        t(() -> Object.class.getMethod("hashCode").invoke("x"));
        t(() -> Runnable.class.getMethod("run").invoke((Runnable) () -> System.out.println("ran")));
        t(() -> Abstract.class.getDeclaredConstructor().newInstance());
    }
    abstract static class Abstract {}
}
