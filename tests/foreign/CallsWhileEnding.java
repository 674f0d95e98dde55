// Threads that C has made go on calling Java while the program ends: it ends all the same.
import java.lang.foreign.*;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.concurrent.CountDownLatch;

import static java.lang.foreign.ValueLayout.*;

public class CallsWhileEnding {
    private static final CountDownLatch called = new CountDownLatch(3000);
    static long count(long v) { called.countDown(); return v; }

    public static void main(String[] args) throws Throwable {
        MethodHandle keep = ForeignFunctions.function("keep_calling", FunctionDescriptor.ofVoid(ADDRESS));
        MemorySegment f = ForeignFunctions.stub(MethodHandles.lookup(), "count", FunctionDescriptor.of(JAVA_LONG,
            JAVA_LONG), Arena.global());
        for (int i = 0; i < 3; i++) keep.invokeExact(f);
        called.await();
        System.out.println("ends");
    }
}
