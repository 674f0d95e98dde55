// Classes whose methods C calls are unloaded when their stubs' arenas are closed or forgotten, and not before.
import java.lang.foreign.*;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.ref.WeakReference;

import static java.lang.foreign.ValueLayout.*;

public class StubsAndUnloading {
    public static class Target {
        static long seven(long v) { return v + 7; }
        public static MethodHandle handle() throws ReflectiveOperationException {
            return MethodHandles.lookup().findStatic(Target.class, "seven", MethodType.methodType(long.class,
                long.class));
        }
    }

    private static class Loader extends ClassLoader {
        Loader() { super(null); }
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            try {
                byte[] bytes = StubsAndUnloading.class.getResourceAsStream(name + ".class").readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (java.io.IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    private static final FunctionDescriptor TYPE = FunctionDescriptor.of(JAVA_LONG, JAVA_LONG);

    private static WeakReference<Class<?>> stubIn(Arena arena, MemorySegment[] out) throws Throwable {
        Class<?> c = new Loader().loadClass("StubsAndUnloading$Target");
        out[0] = ForeignFunctions.LINKER.upcallStub((MethodHandle) c.getMethod("handle").invoke(null), TYPE, arena);
        return new WeakReference<>(c);
    }

    private static void awaitUnloading(WeakReference<?> r) throws InterruptedException {
        while (r.get() != null) {
            System.gc();
            byte[][] pressure = new byte[64][];
            for (int i = 0; i < pressure.length; i++) pressure[i] = new byte[10_000];
            Thread.sleep(1);
        }
    }

    public static void main(String[] args) throws Throwable {
        MethodHandle back = ForeignFunctions.function("back_i64", FunctionDescriptor.of(JAVA_LONG, ADDRESS, JAVA_LONG));
        MemorySegment[] stub = new MemorySegment[1];
        for (int round = 0; round < 5; round++) {
            Arena arena = Arena.ofConfined();
            WeakReference<Class<?>> c = stubIn(arena, stub);
            for (int i = 0; i < 3; i++) System.gc();
            System.out.println((long) back.invokeExact(stub[0], (long) round) + " " + (c.get() != null));
            arena.close();
            stub[0] = null;
            awaitUnloading(c);
            System.out.println("unloaded");
        }
        WeakReference<Class<?>> automatic = stubIn(Arena.ofAuto(), stub);
        System.out.println((long) back.invokeExact(stub[0], 100L));
        stub[0] = null;
        awaitUnloading(automatic);
        System.out.println("unloaded with its segment");
    }
}
