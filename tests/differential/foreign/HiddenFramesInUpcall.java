// A stack trace with its hidden frames, taken in a call from Java through C to Java: linkToNative has none.
import java.lang.foreign.*;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;

import static java.lang.foreign.ValueLayout.*;

public class HiddenFramesInUpcall {
    static long inside(long v) {
        for (StackTraceElement e : new Throwable().getStackTrace())
            System.out.println("  " + e.toString().replaceAll("0x[0-9a-f]+", "#"));
        System.out.println("  depth " + new Throwable().getStackTrace().length + " walked "
            + StackWalker.getInstance(StackWalker.Option.SHOW_HIDDEN_FRAMES).walk(s -> s.count()));
        return v;
    }

    public static void main(String[] args) throws Throwable {
        MethodHandle back = ForeignFunctions.function("back_i64", FunctionDescriptor.of(JAVA_LONG, ADDRESS, JAVA_LONG));
        MemorySegment f = ForeignFunctions.stub(MethodHandles.lookup(), "inside", FunctionDescriptor.of(JAVA_LONG,
            JAVA_LONG), Arena.global());
        System.out.println((long) back.invokeExact(f, 5L));
    }
}
