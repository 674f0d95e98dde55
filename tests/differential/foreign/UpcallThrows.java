// An exception that reaches the C caller of a call back ends the process, after its stack trace.
import java.lang.foreign.*;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;

import static java.lang.foreign.ValueLayout.*;

public class UpcallThrows {
    static long thrower(long v) {
        if (v == 3) throw new IllegalStateException("on purpose");
        System.out.println("called with " + v);
        return v;
    }

    public static void main(String[] args) throws Throwable {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("shutdown hook")));
        Thread.setDefaultUncaughtExceptionHandler((t, e) -> System.out.println("handler: " + e));
        MethodHandle back = ForeignFunctions.function("back_i64", FunctionDescriptor.of(JAVA_LONG, ADDRESS, JAVA_LONG));
        MemorySegment f = ForeignFunctions.stub(MethodHandles.lookup(), "thrower", FunctionDescriptor.of(JAVA_LONG,
            JAVA_LONG), Arena.global());
        for (long v = 1; v < 5; v++) {
            try {
                System.out.println((long) back.invokeExact(f, v));
            } catch (Throwable t) {
                System.out.println("caught " + t);
            } finally {
                System.out.println("finally");
            }
        }
    }
}
