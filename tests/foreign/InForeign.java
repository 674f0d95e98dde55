// A thread is in a C function while a tool asks for its frames, and for what cannot be done to them: the youngest is
// bytecode that calls MethodHandle.linkToNative, which has none.
import java.lang.foreign.*;
import java.lang.invoke.MethodHandle;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;

import static java.lang.foreign.ValueLayout.*;

public class InForeign {
    static native void look(Thread t);

    public static void main(String[] args) throws Throwable {
        MethodHandle wait = ForeignFunctions.function("wait_here", FunctionDescriptor.ofVoid(ADDRESS));
        MemorySegment flags = Arena.global().allocate(JAVA_LONG, 2);
        Thread t = new Thread(() -> {
            try {
                wait.invokeExact(flags);
                System.out.println("back again");
            } catch (Throwable e) {
                e.printStackTrace();
            }
        }, "waits in C");
        t.start();
        while (flags.get(JAVA_LONG, 0) == 0) Thread.sleep(1);
        System.gc();
        look(t);
        ThreadInfo info = ManagementFactory.getThreadMXBean().getThreadInfo(t.threadId());
        System.out.println("in native: " + info.isInNative());
        for (StackTraceElement e : t.getStackTrace()) System.out.println("  " + e);
        flags.setAtIndex(JAVA_LONG, 1, 1);
        t.join();
    }
}
