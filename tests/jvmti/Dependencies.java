import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;
import java.util.function.IntSupplier;

/* What compiled code relies on is broken by one thread while another runs the code in a loop (agent dependencies): each
 * line says that the loop has noticed, and goes on. */
public class Dependencies {
    static native void redefine(Class<?> c, byte[] classFile);
    /* The first instruction of Callee.value. */
    static native void breakpoint(Class<?> callee, boolean set);
    static native void watch(boolean access, boolean set);
    static native void samples(boolean on);
    /* Objects that the VM makes, not an instruction: those of lambdas. */
    static native void vmAllocations(boolean on);
    /* Static finals, by JNI. */
    static native void assign(int base);
    static native void assign(MethodHandle fixed);
    /* Events of the kind that was asked for last. */
    static native int events();

    static class Callee {
        static int value() { return 1000001; }
    }
    static class Late {
        static final Object MADE = new Object();
        static int value = MADE.hashCode() * 0 + 500;
    }
    static class Made { int x; }

    static final MutableCallSite SITE = new MutableCallSite(constant(1));
    static final MethodHandle TARGET = SITE.dynamicInvoker();
    static final MethodHandle FIXED = constant(0);
    static final int BASE = Integer.parseInt("0");
    static int looked = 20, stored;
    static boolean late;
    static Made made;
    static IntSupplier lambda;
    static volatile boolean done;
    static volatile int result, turns;

    static MethodHandle constant(int i) { return MethodHandles.constant(int.class, i); }

    static int turn() throws Throwable {
        int n = Callee.value() + looked;
        if (late) n += Late.value;
        stored = n;
        made = new Made();
        int captured = n;
        lambda = () -> captured;
        return lambda.getAsInt() + (int) TARGET.invokeExact() + BASE + (int) FIXED.invokeExact();
    }

    static void loop() {
        try {
            while (!done) {
                result = turn();
                turns++;
            }
        } catch (Throwable t) {
            System.out.println("thrown: " + t);
        }
    }

    interface Condition { boolean holds(); }

    static void await(Condition c) {
        while (!c.holds()) Thread.yield();
    }
    /* So many turns later its code is hot again. */
    static void more() {
        int from = turns;
        await(() -> turns - from > 12_000);
    }

    static void noticed(String what, int expected) {
        await(() -> result == expected);
        more();
        System.out.println(what + ": " + result);
    }

    /* As soon as there are events of it, or after so many turns that there will be none. */
    static boolean isReported() {
        int from = turns;
        await(() -> events() >= 3 || turns - from > 100_000);
        return events() >= 3;
    }

    static void reported(String what) {
        System.out.println(what + ": " + (isReported() ? result : "no events"));
    }

    /* The class file with another int constant. */
    static byte[] changed(int from, int to) throws Exception {
        byte[] b;
        try (InputStream in = Dependencies.class.getResourceAsStream("Dependencies$Callee.class")) {
            b = in.readAllBytes();
        }
        for (int i = 0; i < b.length - 4; i++)
            if (b[i] == 3 && java.nio.ByteBuffer.wrap(b, i + 1, 4).getInt() == from)
                java.nio.ByteBuffer.wrap(b, i + 1, 4).putInt(to);
        return b;
    }

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(Dependencies::loop);
        t.start();
        noticed("as it began", 1000022);
        redefine(Callee.class, changed(1000001, 2000001));
        noticed("redefined", 2000022);
        SITE.setTarget(constant(3));
        MutableCallSite.syncAll(new MutableCallSite[] {SITE});
        noticed("another target", 2000024);
        late = true;
        noticed("initialised", 2000524);
        breakpoint(Callee.class, true);
        reported("breakpoint");
        breakpoint(Callee.class, false);
        noticed("cleared", 2000524);
        for (boolean access : new boolean[] {true, false}) {
            watch(access, true);
            reported(access ? "accesses watched" : "modifications watched");
            watch(access, false);
            noticed("not any more", 2000524);
        }
        samples(true);
        reported("allocations sampled");
        samples(false);
        looked = 30;
        noticed("another value", 2000534);
        vmAllocations(true);
        boolean are = isReported();
        vmAllocations(false);
        noticed("objects that the VM makes, reported: " + (args.length > 0 || are), 2000534);
        redefine(Callee.class, changed(1000001, 3000001));
        noticed("redefined again", 3000534);
        assign(4);
        noticed("a final int assigned", 3000538);
        assign(5);
        noticed("assigned again", 3000539);
        assign(constant(100));
        noticed("a final method handle assigned", 3000639);
        done = true;
        t.join();
    }
}
