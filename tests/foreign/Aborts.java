// Programs that misuse what java.lang.foreign gives them: the first argument says how. command.25.foreign.
import java.lang.foreign.*;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Path;

import static java.lang.foreign.ValueLayout.*;

public class Aborts {
    static final Linker LINKER = Linker.nativeLinker();
    static final SymbolLookup FUNCTIONS = SymbolLookup.libraryLookup(Path.of(System.getProperty("functions")),
        Arena.global());
    static final FunctionDescriptor LONG_TO_LONG = FunctionDescriptor.of(JAVA_LONG, JAVA_LONG);

    static MethodHandle function(String name, FunctionDescriptor type) {
        return LINKER.downcallHandle(FUNCTIONS.find(name).orElseThrow(), type);
    }
    static MemorySegment stub(String name, FunctionDescriptor type, Arena arena) throws Exception {
        return LINKER.upcallStub(MethodHandles.lookup().findStatic(Aborts.class, name, type.toMethodType()), type,
            arena);
    }

    private static Arena closed;
    static long closing(long v) {
        closed.close();
        return v + 1;
    }
    static long identity(long v) { return v; }
    static MemorySegment nullPointer(MemorySegment v) { return null; }
    static long deep(long v) {
        try {
            return (long) recurse.invokeExact(again, 1_000_000L);
        } catch (Throwable t) {
            throw new Error("from the depth", t);
        }
    }
    private static MethodHandle recurse;
    private static MemorySegment again;

    public static void main(String[] args) throws Throwable {
        switch (args[0]) {
            case "freed" -> {
                try (Arena arena = Arena.ofConfined()) {
                    function("keep", FunctionDescriptor.ofVoid(ADDRESS)).invoke(stub("identity", LONG_TO_LONG, arena));
                    System.out.println((long) function("call_kept", LONG_TO_LONG).invokeExact(5L));
                }
                System.out.println((long) function("call_kept", LONG_TO_LONG).invokeExact(6L));
            }
            case "closing" -> {      // the arena of the stub that runs: the call ends all the same
                closed = Arena.ofConfined();
                function("keep", FunctionDescriptor.ofVoid(ADDRESS)).invoke(stub("closing", LONG_TO_LONG, closed));
                System.out.println((long) function("call_kept", LONG_TO_LONG).invokeExact(5L));
            }
            case "null" -> {
                FunctionDescriptor type = FunctionDescriptor.of(ADDRESS, ADDRESS);
                MemorySegment f = stub("nullPointer", type, Arena.global());
                System.out.println(function("back_pointer", FunctionDescriptor.of(ADDRESS, ADDRESS,
                    ADDRESS)).invoke(f, f));
            }
            case "deep" -> {         // no stack for another call: the error is not Java's to handle any more
                recurse = function("recurse", FunctionDescriptor.of(JAVA_LONG, ADDRESS, JAVA_LONG));
                again = stub("deep", LONG_TO_LONG, Arena.global());
                System.out.println((long) recurse.invokeExact(again, 1L));
            }
            case "exit" -> {         // in a call back
                MemorySegment f = stub("exit", LONG_TO_LONG, Arena.global());
                System.out.println((long) function("back_i64", FunctionDescriptor.of(JAVA_LONG, ADDRESS,
                    JAVA_LONG)).invoke(f, 9L));
            }
            default -> throw new IllegalArgumentException(args[0]);
        }
    }
    static long exit(long v) { System.exit((int) v); return v; }
}
