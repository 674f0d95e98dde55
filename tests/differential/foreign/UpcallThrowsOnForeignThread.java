// The same on a thread that C has made.
import java.lang.foreign.*;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;

import static java.lang.foreign.ValueLayout.*;

public class UpcallThrowsOnForeignThread {
    static long thrower(long v) { throw new Error("from a foreign thread"); }

    public static void main(String[] args) throws Throwable {
        MethodHandle from = ForeignFunctions.function("from_threads", FunctionDescriptor.of(JAVA_LONG, ADDRESS,
            JAVA_INT, JAVA_INT));
        MemorySegment f = ForeignFunctions.stub(MethodHandles.lookup(), "thrower", FunctionDescriptor.of(JAVA_LONG,
            JAVA_LONG), Arena.global());
        System.out.println((long) from.invokeExact(f, 1, 1));
    }
}
