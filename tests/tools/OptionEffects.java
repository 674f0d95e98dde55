import java.io.InputStream;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.HashMap;
import java.util.concurrent.CountDownLatch;

/** Shows what options change. The arguments say what is looked at, in this order. */
public class OptionEffects {
    /** What another loader defines, and nobody uses. */
    public static class Unused { }

    /** The test gives one method, which nobody calls, code that does not verify. */
    public static class Unverified {
        public static int never() { return 12345; }
        public static String run() { return "runs"; }
    }

    static class Loader extends ClassLoader {
        Class<?> define(String name) throws Exception {
            try (InputStream in = OptionEffects.class.getResourceAsStream("/" + name + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            }
        }
    }

    static WeakReference<Class<?>> defined() throws Exception {
        return new WeakReference<>(new Loader().define("OptionEffects$Unused"));
    }

    static void collections() throws Exception {
        WeakReference<Object> object = new WeakReference<>(new Object());
        WeakReference<Class<?>> type = defined();
        System.gc();
        System.out.println("an object is gone: " + (object.get() == null) + ", a class: " + (type.get() == null));
    }

    static void soft() {
        SoftReference<Object> object = new SoftReference<>(new Object());
        for (int i = 0; i < 3; i++) System.gc();
        System.out.println("a soft reference is cleared: " + object.refersTo(null));
    }

    /** ... when the clock of soft references, which collections move on, has gone on. */
    static void cleared() {
        SoftReference<Object> object = new SoftReference<>(new Object());
        while (!object.refersTo(null)) System.gc();
        System.out.println("a soft reference is cleared");
    }

    static void trace() {
        System.out.println("frames: " + new Throwable().getStackTrace().length);
        new Throwable("printed").printStackTrace(System.out);
    }

    static void message(int[] array) {
        try {
            System.out.println(array.length);
        } catch (NullPointerException e) {
            System.out.println("message: " + e.getMessage());
        }
    }

    static void hidden() {
        Runnable r = () -> Arrays.stream(new Throwable().getStackTrace())
            .map(e -> e.getMethodName().replaceAll("\\d+", "N")).forEach(System.out::println);
        r.run();
    }

    static void assertions() {
        boolean on = false;
        assert on = true;
        System.out.println("assertions: " + on + ", of the system: " + HashMap.class.desiredAssertionStatus());
    }

    static void verified() {
        try {
            System.out.println(Unverified.run());
        } catch (VerifyError e) {
            System.out.println("VerifyError");
        }
    }

    static final byte[][] kept = new byte[1 << 15][];

    /** Ten times as much as stays alive. */
    static void allocates() {
        for (int i = 0; i < 10 * kept.length; i++) kept[i % kept.length] = new byte[1000];
        System.out.println("allocated");
    }

    static int recursive(int n) { return n == 0 ? 0 : recursive(n - 1) + n; }

    static int many(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) sum ^= i;
        return sum;
    }

    static int one() { return 1; }

    static void inlined() {
        int sum = 0;
        for (int i = 0; i < 30_000; i++) sum += calls(i & 7);
        System.out.println("inlined: " + sum);
    }

    static int calls(int n) { return recursive(n) + many(n) + one(); }

    static void waits() throws Exception {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
        System.out.println("waits");
        new CountDownLatch(1).await();
    }

    public static void main(String[] what) throws Exception {
        for (String each : what) {
            switch (each) {
                case "collections": collections(); break;
                case "soft": soft(); break;
                case "cleared": cleared(); break;
                case "trace": trace(); break;
                case "throw": throw new IllegalStateException("thrown");
                case "message": message(null); break;
                case "hidden": hidden(); break;
                case "assertions": assertions(); break;
                case "verified": verified(); break;
                case "allocates": allocates(); break;
                case "inlined": inlined(); break;
                case "waits": waits(); break;
                default: throw new IllegalArgumentException(each);
            }
        }
    }
}
