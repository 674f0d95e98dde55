// Errors of instantiation and access: abstract classes, interfaces, private members, wrong arguments, failing
// constructors.
import java.lang.reflect.InvocationTargetException;

public class LinkageFromReflection {
    static abstract class Abs { public Abs() { } }
    static class Bad { public Bad() { throw new IllegalStateException("constructor"); } }
    static class NoDefault { NoDefault(int i) { } }
    static class Init { static { if (true) throw new RuntimeException("init"); } public Init() { } }
    interface Face { }
    interface Action { Object run() throws Throwable; }
    static void t(Action a) {
        try {
            System.out.println(a.run());
        } catch (InvocationTargetException e) {
            System.out.println("ITE of " + e.getTargetException());
        } catch (Throwable e) {
            System.out.println(e.toString().replaceAll("@(0x)?[0-9a-f]+", "@")
                               + (e.getCause() != null ? " caused by " + e.getCause() : ""));
        }
    }

    public static void main(String[] args) {
        t(() -> Abs.class.getConstructor().newInstance());
        t(() -> Bad.class.getConstructor().newInstance());
        t(() -> NoDefault.class.getConstructor());
        t(() -> NoDefault.class.getDeclaredConstructor().newInstance());
        t(() -> Init.class.getConstructor().newInstance());
        t(() -> Init.class.getConstructor().newInstance());
        t(() -> Face.class.getDeclaredConstructor());
        t(() -> int[].class.getDeclaredConstructor());
        t(() -> Enum.valueOf(Thread.State.class, "MISSING"));
        t(() -> String.class.getMethod("charAt", int.class).invoke("abc", 9));
        t(() -> String.class.getMethod("charAt", int.class).invoke("abc", "x"));
        t(() -> String.class.getMethod("charAt", int.class).invoke("abc"));
        t(() -> String.class.getMethod("charAt", int.class).invoke(5, 1));
        t(() -> String.class.getMethod("noSuch", int[].class, String.class));
        t(() -> String.class.getField("value"));
        t(() -> { var f = String.class.getDeclaredField("value"); f.setAccessible(true); return 0; });
        t(() -> String.class.getDeclaredField("value").get("abc"));
        t(() -> { Integer.class.getField("MAX_VALUE").set(null, 5); return 0; });
        t(() -> { Integer.class.getField("MAX_VALUE").setInt(null, 5); return 0; });
        t(() -> Integer.class.getField("MAX_VALUE").getByte(null));
        t(() -> Integer.class.getField("MAX_VALUE").getLong(null));
        t(() -> Class.forName("java.lang.Missing"));
        t(() -> LinkageFromReflection.class.getClassLoader().loadClass("[I"));
        t(() -> Class.forName("LinkageFromReflection$Init", true, LinkageFromReflection.class.getClassLoader()));
        t(() -> Class.forName("jdk.internal.misc.Unsafe").getMethod("getUnsafe").invoke(null));
    }
}
