// What tests/embed/cycles.c runs in each VM: calls of C and back, stubs that stay when the VM ends.
import java.lang.foreign.*;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;

import static java.lang.foreign.ValueLayout.*;

public class Cycle {
    static long added, count;
    static long add(long v) { return added += ++count; }

    public static int run(int cycle) throws Throwable {
        Linker linker = Linker.nativeLinker();
        SymbolLookup functions = SymbolLookup.libraryLookup(Path.of(System.getProperty("functions")), Arena.ofAuto());
        FunctionDescriptor type = FunctionDescriptor.of(JAVA_LONG, JAVA_LONG);
        MethodHandle add = MethodHandles.lookup().findStatic(Cycle.class, "add", type.toMethodType());
        MemorySegment stub = linker.upcallStub(add, type, Arena.global());
        try (Arena arena = Arena.ofConfined()) {
            for (int i = 0; i < 200; i++) linker.upcallStub(add, type, arena);
        }
        MethodHandle from = linker.downcallHandle(functions.find("from_threads").orElseThrow(),
            FunctionDescriptor.of(JAVA_LONG, ADDRESS, JAVA_INT, JAVA_INT));
        long r = (long) from.invokeExact(stub, 1, 4);
        return r == 1 + 3 + 6 + 10 ? cycle : -1;
    }
}
