// Wrong descriptors, symbols that are not there, memory that has gone: the exceptions that the specification names.
import java.lang.foreign.*;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteOrder;
import java.nio.file.Path;

import static java.lang.foreign.MemoryLayout.*;
import static java.lang.foreign.ValueLayout.*;

public class Refused {
    static long identity(long v) { return v; }

    public static void main(String[] args) throws Throwable {
        Linker linker = ForeignFunctions.LINKER;
        MemorySegment f = ForeignFunctions.symbol("next_i64");
        MethodHandle next = linker.downcallHandle(f, FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
        ForeignFunctions.attempt("int for long", () -> { int r = (int) next.invokeExact(1); });
        ForeignFunctions.attempt("int for long, converted", () -> System.out.println((long) next.invoke(1)));
        ForeignFunctions.attempt("string for long", () -> next.invoke("1"));
        ForeignFunctions.attempt("no argument", () -> next.invoke());
        ForeignFunctions.attempt("null symbol", () -> linker.downcallHandle((MemorySegment) null,
            FunctionDescriptor.ofVoid()));
        ForeignFunctions.attempt("NULL symbol", () -> linker.downcallHandle(MemorySegment.NULL,
            FunctionDescriptor.ofVoid()));
        ForeignFunctions.attempt("heap symbol", () -> linker.downcallHandle(MemorySegment.ofArray(new long[1]),
            FunctionDescriptor.ofVoid()));
        MethodHandle unbound = linker.downcallHandle(FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
        ForeignFunctions.attempt("NULL target", () -> { long r = (long) unbound.invokeExact(MemorySegment.NULL, 1L); });
        ForeignFunctions.attempt("null target", () -> { long r = (long) unbound.invokeExact((MemorySegment) null,
            1L); });
        ForeignFunctions.attempt("heap target", () -> {
            long r = (long) unbound.invokeExact(MemorySegment.ofArray(new byte[1]), 1L); });
        MethodHandle after = ForeignFunctions.function("after_pointer", FunctionDescriptor.of(ADDRESS, ADDRESS));
        ForeignFunctions.attempt("null pointer", () -> after.invoke((Object) null));
        ForeignFunctions.attempt("heap pointer", () -> after.invoke(MemorySegment.ofArray(new byte[4])));
        layouts(linker, f);
        lookups();
        arenas(linker);
        upcalls(linker);
    }

    private static void layouts(Linker linker, MemorySegment f) throws Throwable {
        MemoryLayout[] wrong = {
            JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN), JAVA_LONG_UNALIGNED, JAVA_INT.withByteAlignment(8),
                paddingLayout(8),
            sequenceLayout(2, JAVA_INT), structLayout(JAVA_INT, JAVA_LONG_UNALIGNED), structLayout(JAVA_INT,
                paddingLayout(8)),
            structLayout(JAVA_LONG, JAVA_INT), structLayout(paddingLayout(4), JAVA_INT),
                structLayout(JAVA_INT).withByteAlignment(8),
            structLayout(JAVA_LONG.withOrder(ByteOrder.BIG_ENDIAN)), unionLayout(JAVA_INT, paddingLayout(16)),
                structLayout(),
        };
        for (MemoryLayout layout : wrong) {
            ForeignFunctions.attempt("argument " + layout, () -> linker.downcallHandle(f,
                FunctionDescriptor.ofVoid(layout)));
            ForeignFunctions.attempt("result " + layout, () -> linker.downcallHandle(f, FunctionDescriptor.of(layout)));
        }
        MethodHandle structure = ForeignFunctions.function("by_value_l2",
            FunctionDescriptor.of(structLayout(JAVA_LONG, JAVA_LONG), structLayout(JAVA_LONG, JAVA_LONG)));
        try (Arena arena = Arena.ofConfined()) {
            SegmentAllocator room = arena;
            ForeignFunctions.attempt("short structure", () -> { var r = (MemorySegment) structure.invokeExact(room,
                arena.allocate(8)); });
            ForeignFunctions.attempt("no allocator", () -> {
                var r = (MemorySegment) structure.invokeExact((SegmentAllocator) null, arena.allocate(16)); });
            ForeignFunctions.attempt("allocator that gives little", () -> {
                SegmentAllocator little = (size, alignment) -> arena.allocate(1);
                var r = (MemorySegment) structure.invokeExact(little, arena.allocate(16));
            });
            ForeignFunctions.attempt("structure in the heap", () -> {
                MemorySegment s = MemorySegment.ofArray(new long[] {5, 6});
                System.out.println(((MemorySegment) structure.invokeExact(room, s)).get(JAVA_LONG, 8));
            });
        }
    }

    private static void lookups() throws Throwable {
        System.out.println(ForeignFunctions.FUNCTIONS.find("no such symbol") + " "
            + ForeignFunctions.LINKER.defaultLookup().find("no_such"));
        ForeignFunctions.attempt("findOrThrow", () -> ForeignFunctions.FUNCTIONS.findOrThrow("no_such"));
        ForeignFunctions.attempt("no library", () -> SymbolLookup.libraryLookup("libno_such.so", Arena.global()));
        ForeignFunctions.attempt("no file", () -> SymbolLookup.libraryLookup(Path.of("/no/such.so"), Arena.global()));
        ForeignFunctions.attempt("empty name", () -> SymbolLookup.libraryLookup("", Arena.global()));
        ForeignFunctions.attempt("null name", () -> ForeignFunctions.FUNCTIONS.find(null));
        System.out.println(SymbolLookup.loaderLookup().find("next_i64"));
        System.load(ForeignFunctions.FILE);
        System.out.println(SymbolLookup.loaderLookup().find("next_i64").isPresent());
        MemorySegment counter = ForeignFunctions.symbol("counter").reinterpret(4),
            pair = ForeignFunctions.symbol("pair").reinterpret(8);
        MethodHandle count = ForeignFunctions.function("next_count", FunctionDescriptor.of(JAVA_INT));
        System.out.println(counter.get(JAVA_INT, 0) + " " + (int) count.invokeExact() + " " + counter.get(JAVA_INT, 0)
            + " "
            + pair.getAtIndex(JAVA_INT, 1));
        System.out.println(ForeignFunctions.symbol("greeting").reinterpret(8).get(ADDRESS,
            0).reinterpret(100).getString(0));
        System.out.println(ForeignFunctions.symbol("counter").byteSize());
        ForeignFunctions.attempt("beyond", () -> ForeignFunctions.symbol("counter").get(JAVA_INT, 0));
        SymbolLookup gone;
        MemorySegment f;
        try (Arena arena = Arena.ofConfined()) {
            gone = SymbolLookup.libraryLookup(Path.of(ForeignFunctions.FILE), arena);
            f = gone.find("next_i32").orElseThrow();
        }
        ForeignFunctions.attempt("closed library", () -> gone.find("next_i32"));
        MethodHandle closed = ForeignFunctions.LINKER.downcallHandle(f, FunctionDescriptor.of(JAVA_INT, JAVA_INT));
        ForeignFunctions.attempt("function of a closed library", () -> { int r = (int) closed.invokeExact(1); });
    }

    private static Arena arena;

    private static void arenas(Linker linker) throws Throwable {
        MethodHandle after = ForeignFunctions.function("after_pointer", FunctionDescriptor.of(ADDRESS, ADDRESS));
        MemorySegment closed;
        try (Arena arena = Arena.ofConfined()) { closed = arena.allocate(8); }
        ForeignFunctions.attempt("closed argument", () -> { var r = (MemorySegment) after.invokeExact(closed); });
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mine = arena.allocate(8);
            Thread other = new Thread(() -> {
                try {
                    ForeignFunctions.attempt("argument of another thread", () -> {
                        var r = (MemorySegment) after.invokeExact(mine); });
                } catch (Throwable t) {
                    t.printStackTrace();
                }
            });
            other.start();
            other.join();
        }
        // an arena whose memory is in use by a call cannot be closed
        arena = Arena.ofConfined();
        try (Arena stubs = Arena.ofConfined()) {
            MethodHandle run = ForeignFunctions.function("back_void", FunctionDescriptor.ofVoid(ADDRESS, JAVA_INT));
            MemorySegment f = ForeignFunctions.stub(MethodHandles.lookup(), "closingFails",
                FunctionDescriptor.ofVoid(), arena);
            run.invokeExact(f, 1);
        }
        arena.close();
        ForeignFunctions.attempt("closed stub", () -> {
            try (Arena stubs = Arena.ofConfined()) {
                MemorySegment f = ForeignFunctions.stub(MethodHandles.lookup(), "identity",
                    FunctionDescriptor.of(JAVA_LONG, JAVA_LONG), stubs);
                stubs.close();
                ForeignFunctions.function("back_i64", FunctionDescriptor.of(JAVA_LONG, ADDRESS, JAVA_LONG)).invoke(f,
                    1L);
            }
        });
    }

    static void closingFails() {
        try {
            ForeignFunctions.attempt("close in a call", () -> arena.close());
        } catch (Throwable t) {
            throw new Error(t);
        }
    }

    private static void upcalls(Linker linker) throws Throwable {
        MethodHandle identity = MethodHandles.lookup().findStatic(Refused.class, "identity",
            MethodType.methodType(long.class, long.class));
        ForeignFunctions.attempt("wrong type", () -> linker.upcallStub(identity, FunctionDescriptor.of(JAVA_INT,
            JAVA_LONG), Arena.global()));
        ForeignFunctions.attempt("wrong count", () -> linker.upcallStub(identity, FunctionDescriptor.of(JAVA_LONG),
            Arena.global()));
        ForeignFunctions.attempt("null handle", () -> linker.upcallStub(null, FunctionDescriptor.of(JAVA_LONG),
            Arena.global()));
        ForeignFunctions.attempt("layout", () -> linker.upcallStub(identity, FunctionDescriptor.of(JAVA_LONG,
            JAVA_LONG_UNALIGNED), Arena.global()));
        Arena closed = Arena.ofConfined();
        closed.close();
        ForeignFunctions.attempt("closed arena", () -> linker.upcallStub(identity, FunctionDescriptor.of(JAVA_LONG,
            JAVA_LONG), closed));
        ForeignFunctions.attempt("errno", () -> linker.upcallStub(identity, FunctionDescriptor.of(JAVA_LONG,
            JAVA_LONG), Arena.global(),
            Linker.Option.captureCallState("errno")));
    }
}
