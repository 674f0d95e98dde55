// Handles of the C functions in tests/foreign/functions.c, for the programs of foreign/.
import java.lang.foreign.*;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Path;

import static java.lang.foreign.ValueLayout.*;

class ForeignFunctions {
    static final Linker LINKER = Linker.nativeLinker();
    static final String FILE = System.getProperty("functions");
    static final SymbolLookup FUNCTIONS = SymbolLookup.libraryLookup(Path.of(FILE), Arena.global());

    static MemorySegment symbol(String name) {
        return FUNCTIONS.find(name).or(() -> LINKER.defaultLookup().find(name)).orElseThrow();
    }

    static MethodHandle function(String name, FunctionDescriptor type, Linker.Option... options) {
        return LINKER.downcallHandle(symbol(name), type, options);
    }

    /** A C function that calls the static method `name` of `c`, whose type the descriptor gives. */
    static MemorySegment stub(MethodHandles.Lookup lookup, String name, FunctionDescriptor type, Arena arena) {
        try {
            MethodHandle target = lookup.findStatic(lookup.lookupClass(), name, type.toMethodType());
            return LINKER.upcallStub(target, type, arena);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    interface Body { void run() throws Throwable; }

    /** What the body throws, in a line. */
    static void attempt(String what, Body body) throws Throwable {
        try {
            body.run();
            System.out.println(what + ": nothing thrown");
        } catch (Throwable t) {
            String message = String.valueOf(t.getMessage()).replace(FILE, "<functions>")
                .replaceAll("0x[0-9a-f]{2,}|[0-9]{12,}", "#").replaceAll("@[0-9a-f]+", "@#");
            System.out.println(what + ": " + t.getClass().getName() + ": " + message);
        }
    }
}
