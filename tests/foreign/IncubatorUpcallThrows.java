// jdk.incubator.foreign of 17: an exception that reaches C ends the process.
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import jdk.incubator.foreign.*;

import static java.lang.invoke.MethodType.methodType;
import static jdk.incubator.foreign.CLinker.*;

public class IncubatorUpcallThrows {
    static long thrower(long v) {
        if (v == 2) throw new IllegalStateException("on purpose");
        return v;
    }

    public static void main(String[] args) throws Throwable {
        System.load(System.getProperty("functions"));
        CLinker linker = CLinker.getInstance();
        FunctionDescriptor type = FunctionDescriptor.of(C_LONG, C_LONG);
        MethodHandle back = linker.downcallHandle(SymbolLookup.loaderLookup().lookup("back_i64").orElseThrow(),
            methodType(long.class, MemoryAddress.class, long.class), FunctionDescriptor.of(C_LONG, C_POINTER, C_LONG));
        MemoryAddress f = linker.upcallStub(MethodHandles.lookup().findStatic(IncubatorUpcallThrows.class, "thrower",
            methodType(long.class, long.class)), type, ResourceScope.globalScope());
        try {
            for (long v = 1; v < 4; v++) System.out.println((long) back.invokeExact(f, v));
        } catch (Throwable t) {
            System.out.println("caught " + t);
        }
    }
}
