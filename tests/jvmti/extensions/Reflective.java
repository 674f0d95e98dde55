import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import jdk.internal.misc.Unsafe;

/** With the agent reflective: accesses to watched fields that no instruction of a method names. */
public class Reflective {
    static class Base { int inherited = 4; }
    static class Target extends Base {
        int i = 1, unwatched = 2;
        long wide = 1L << 40;
        double real = 0.5;
        byte b0, b1 = 1, b2, b3;
        boolean flag;
        volatile int v;
        volatile String text = "a";
        static int counter = 7;
        static Object shared = "s";
    }

    /** Whether such accesses are reported from now on; false: the VM does not offer it. */
    static native boolean report(boolean on);
    static native boolean secondReports(boolean on);
    /** Watches the field for accesses and modifications, or no longer. */
    static native void watch(boolean on, Class<?> c, String name, String desc, boolean isStatic);
    static native void mark(String text);

    static final String[][] WATCHED = {{"i", "I"},
                                       {"wide", "J"},
                                       {"real", "D"},
                                       {"b1", "B"},
                                       {"flag", "Z"},
                                       {"v", "I"},
                                       {"text", "Ljava/lang/String;"}};

    static void watchAll(boolean on) {
        for (String[] f : WATCHED) watch(on, Target.class, f[0], f[1], false);
        watch(on, Base.class, "inherited", "I", false);
        watch(on, Target.class, "counter", "I", true);
        watch(on, Target.class, "shared", "Ljava/lang/Object;", true);
    }

    static Field field(Class<?> c, String name) throws Exception {
        Field f = c.getDeclaredField(name);
        f.setAccessible(true);
        return f;
    }

    static void fields(Target t) throws Exception {
        mark("Field");
        mark("" + field(Target.class, "i").getInt(t));
        field(Target.class, "i").setInt(t, 5);
        field(Target.class, "unwatched").setInt(t, 6);
        field(Base.class, "inherited").setInt(t, 8);
        mark("" + field(Target.class, "wide").get(t));
        field(Target.class, "real").setDouble(t, 2.5);
        field(Target.class, "flag").setBoolean(t, true);
        field(Target.class, "text").set(t, "b");
        field(Target.class, "counter").setInt(null, 9);
        mark("" + field(Target.class, "shared").get(null));
    }

    static void handles(Target t) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        mark("MethodHandle");
        MethodHandle getter = lookup.findGetter(Target.class, "i", int.class),
                     setter = lookup.findStaticSetter(Target.class, "shared", Object.class);
        mark("" + (int) getter.invokeExact(t));
        setter.invokeExact((Object) "t");
        mark("VarHandle");
        VarHandle v = lookup.findVarHandle(Target.class, "v", int.class),
                  text = lookup.findVarHandle(Target.class, "text", String.class);
        VarHandle b1 = lookup.findVarHandle(Target.class, "b1", byte.class),
                  b2 = lookup.findVarHandle(Target.class, "b2", byte.class);
        v.set(t, 3);
        mark("" + (int) v.getAcquire(t));
        mark("" + v.compareAndSet(t, 4, 5));
        mark("" + v.compareAndSet(t, 3, 5));
        mark("" + text.compareAndSet(t, "b", "c"));
        mark("a byte by the word that it is in");
        mark("" + b1.compareAndSet(t, (byte) 1, (byte) -2));
        mark("" + b2.compareAndSet(t, (byte) 0, (byte) 3));
    }

    static void updaters(Target t) {
        mark("updaters");
        AtomicIntegerFieldUpdater<Target> v = AtomicIntegerFieldUpdater.newUpdater(Target.class, "v");
        AtomicReferenceFieldUpdater<Target, String> text =
            AtomicReferenceFieldUpdater.newUpdater(Target.class, String.class, "text");
        v.set(t, 11);
        mark("" + v.get(t));
        text.lazySet(t, "d");
    }

    static final Unsafe U = Unsafe.getUnsafe();
    static final long I = U.objectFieldOffset(Target.class, "i");

    /** Is compiled before anything is watched: compilers have instructions in the place of these. */
    static int compiled(Target t, int times) {
        int sum = 0;
        for (int k = 0; k < times; k++) {
            U.putInt(t, I, k + 20);
            sum += U.getIntVolatile(t, I);
            if (U.compareAndSetInt(t, I, k + 20, k + 21)) sum++;
            sum += U.getAndAddInt(t, I, 9);
        }
        return sum;
    }

    static void unsafe(Target t) throws Exception {
        mark("compiled");
        mark("" + compiled(t, 1));
        mark("Unsafe");
        Unsafe u = Unsafe.getUnsafe();
        long i = u.objectFieldOffset(field(Target.class, "i")), wide = u.objectFieldOffset(field(Target.class, "wide"));
        u.putInt(t, i, 12);
        mark("" + u.getInt(t, i));
        mark("" + u.compareAndExchangeLong(t, wide, 1L << 40, 13));
        int[] array = {1};
        u.putInt(array, (long) Unsafe.ARRAY_INT_BASE_OFFSET, 2);
        long memory = u.allocateMemory(8);
        u.putInt(memory, 3);
        mark("" + u.getInt(memory) + array[0]);
        u.freeMemory(memory);
    }

    static void all(Target t) throws Throwable {
        fields(t);
        handles(t);
        updaters(t);
        unsafe(t);
        mark("bytecode");
        t.i++;
    }

    public static void main(String[] args) throws Throwable {
        Target warm = new Target();
        compiled(warm, 200000);
        all(warm);
        watchAll(true);
        mark("== not asked for");
        all(new Target());
        mark("== asked for: " + report(true));
        all(new Target());
        mark("== not any more: " + report(false));
        all(new Target());
        mark("== by another environment, without watches: " + secondReports(true));
        all(new Target());
        mark("== its end: " + secondReports(false));
        mark("== asked for, nothing watched: " + report(true));
        watchAll(false);
        all(new Target());
    }
}
