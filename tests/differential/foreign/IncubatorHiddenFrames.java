// jdk.incubator.foreign of 17: a stack trace with its hidden frames, taken in a call from Java through C to Java. What
// HotSpot has there instead of linkToNative, which it compiles only later, is left out.
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import jdk.incubator.foreign.*;

import static java.lang.invoke.MethodType.methodType;
import static jdk.incubator.foreign.CLinker.*;

public class IncubatorHiddenFrames {
    static long inside(long v) {
        for (StackTraceElement e : new Throwable().getStackTrace())
            if (!e.getClassName().matches(".*(LambdaForm|ProgrammableInvoker).*")) System.out.println("  " + e);
        return v;
    }

    public static void main(String[] args) throws Throwable {
        System.load(System.getProperty("functions"));
        MethodHandle back = getInstance().downcallHandle(SymbolLookup.loaderLookup().lookup("back_i64").orElseThrow(),
            methodType(long.class, MemoryAddress.class, long.class),
            FunctionDescriptor.of(C_LONG, C_POINTER, C_LONG));
        try (ResourceScope scope = ResourceScope.newSharedScope()) {
            MemoryAddress f = getInstance().upcallStub(MethodHandles.lookup().findStatic(IncubatorHiddenFrames.class,
                "inside", methodType(long.class, long.class)), FunctionDescriptor.of(C_LONG, C_LONG), scope);
            System.out.println((long) back.invokeExact(f, 5L));
        }
    }
}
