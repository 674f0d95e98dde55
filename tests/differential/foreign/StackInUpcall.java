// What stack traces and walkers show of a call from Java through C to Java.
import java.lang.foreign.*;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;

import static java.lang.foreign.ValueLayout.*;

public class StackInUpcall {
    static long inside(long v) {
        for (StackTraceElement e : new Throwable().getStackTrace()) System.out.println("  " + e);
        StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE).forEach(f -> System.out.println("  walked "
            + f));
        System.out.println("  caller "
            + StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE).getCallerClass().getName());
        for (StackTraceElement e : Thread.currentThread().getStackTrace()) System.out.println("  current " + e);
        return v;
    }

    public static void main(String[] args) throws Throwable {
        MethodHandle back = ForeignFunctions.function("back_i64", FunctionDescriptor.of(JAVA_LONG, ADDRESS, JAVA_LONG));
        MemorySegment f = ForeignFunctions.stub(MethodHandles.lookup(), "inside", FunctionDescriptor.of(JAVA_LONG,
            JAVA_LONG), Arena.global());
        System.out.println((long) back.invokeExact(f, 5L));
    }
}
