// jdk.incubator.foreign of 17: wrong descriptors, scopes that are closed, symbols that are not there.
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;
import jdk.incubator.foreign.*;

import static java.lang.invoke.MethodType.methodType;
import static jdk.incubator.foreign.CLinker.*;

public class IncubatorRefused {
    interface Body { void run() throws Throwable; }
    static void attempt(String what, Body body) {
        try {
            body.run();
            System.out.println(what + ": nothing thrown");
        } catch (Throwable t) {
            System.out.println(what + ": " + t.getClass().getName() + ": "
                + String.valueOf(t.getMessage()).replaceAll("[0-9]{9,}|0x[0-9a-f]+", "#")
                .replaceAll("@[0-9a-f]+", "@#"));
        }
    }
    static long identity(long v) { return v; }

    public static void main(String[] args) throws Throwable {
        System.load(System.getProperty("functions"));
        CLinker linker = CLinker.getInstance();
        MemoryAddress f = SymbolLookup.loaderLookup().lookup("next_i64").orElseThrow();
        FunctionDescriptor type = FunctionDescriptor.of(C_LONG, C_LONG);
        System.out.println(SymbolLookup.loaderLookup().lookup("no_such") + " "
            + CLinker.systemLookup().lookup("no_such"));
        attempt("carrier", () -> linker.downcallHandle(f, methodType(int.class, long.class), type));
        attempt("count", () -> linker.downcallHandle(f, methodType(long.class), type));
        attempt("order", () -> linker.downcallHandle(f, methodType(void.class, int.class),
            FunctionDescriptor.ofVoid(C_INT.withOrder(ByteOrder.BIG_ENDIAN))));
        attempt("layout without a class", () -> linker.downcallHandle(f, methodType(void.class, int.class),
            FunctionDescriptor.ofVoid(MemoryLayouts.BITS_32_LE)));
        attempt("null", () -> linker.downcallHandle((Addressable) null, methodType(long.class, long.class), type));
        MethodHandle next = linker.downcallHandle(f, methodType(long.class, long.class), type);
        attempt("int for long", () -> { int r = (int) next.invokeExact(1); });
        MethodHandle unbound = linker.downcallHandle(methodType(long.class, long.class), type);
        attempt("NULL", () -> { long r = (long) unbound.invokeExact((Addressable) MemoryAddress.NULL, 1L); });
        MethodHandle identity = MethodHandles.lookup().findStatic(IncubatorRefused.class, "identity",
            methodType(long.class, long.class));
        attempt("handle", () -> linker.upcallStub(identity, FunctionDescriptor.of(C_INT, C_LONG),
            ResourceScope.globalScope()));
        ResourceScope closed = ResourceScope.newConfinedScope();
        closed.close();
        attempt("closed", () -> linker.upcallStub(identity, type, closed));
    }
}
