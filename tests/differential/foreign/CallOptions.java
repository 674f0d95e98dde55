// Linker.Option: variable arguments, errno, functions that are called with arrays of the heap.
import java.lang.foreign.*;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

import static java.lang.foreign.ValueLayout.*;

public class CallOptions {
    public static void main(String[] args) throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            variable(arena);
            errno(arena);
            critical(arena);
        }
    }

    private static void variable(Arena arena) throws Throwable {
        MemorySegment out = arena.allocate(1000);
        GroupLayout pair = MemoryLayout.structLayout(JAVA_LONG, JAVA_DOUBLE);
        MethodHandle none = ForeignFunctions.function("print_kinds", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS),
            Linker.Option.firstVariadicArg(2));
        System.out.println((int) none.invokeExact(out, arena.allocateFrom("")));
        MethodHandle some = ForeignFunctions.function("print_kinds", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS,
            JAVA_INT,
            JAVA_DOUBLE, JAVA_LONG, ADDRESS, JAVA_DOUBLE), Linker.Option.firstVariadicArg(2));
        System.out.println((int) some.invokeExact(out, arena.allocateFrom("idlpd"), -7, 2.5, 1L << 40,
            arena.allocateFrom("text"), -0.125) + " " + out.getString(0));
        FunctionDescriptor type = FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS);
        StringBuilder kinds = new StringBuilder();
        Object[] values = new Object[26];
        values[0] = out;
        for (int i = 0; i < 24; i++) {
            boolean isDouble = i % 2 == 1;
            type = type.appendArgumentLayouts(isDouble ? JAVA_DOUBLE : JAVA_INT);
            kinds.append(isDouble ? 'd' : 'i');
            values[i + 2] = isDouble ? (Object) (i + 0.5) : (Object) i;
        }
        values[1] = arena.allocateFrom(kinds.toString());
        MethodHandle many = ForeignFunctions.function("print_kinds", type, Linker.Option.firstVariadicArg(2));
        System.out.println((int) many.invokeWithArguments(values) + " " + out.getString(0));
        MethodHandle structure = ForeignFunctions.function("print_kinds", FunctionDescriptor.of(JAVA_INT, ADDRESS,
            ADDRESS,
            JAVA_INT, pair, JAVA_INT), Linker.Option.firstVariadicArg(2));
        MemorySegment s = arena.allocate(pair);
        s.set(JAVA_LONG, 0, 12);
        s.set(JAVA_DOUBLE, 8, 3.25);
        System.out.println((int) structure.invokeExact(out, arena.allocateFrom("isi"), 1, s, 2) + " "
            + out.getString(0));
        MethodHandle snprintf = ForeignFunctions.function("snprintf", FunctionDescriptor.of(JAVA_INT, ADDRESS,
            JAVA_LONG, ADDRESS,
            JAVA_INT, JAVA_DOUBLE, ADDRESS), Linker.Option.firstVariadicArg(3));
        System.out.println((int) snprintf.invokeExact(out, 100L, arena.allocateFrom("%5d|%.3f|%s"), 42, Math.PI,
            arena.allocateFrom("s")) + " " + out.getString(0));
        ForeignFunctions.attempt("index", () -> ForeignFunctions.function("print_kinds",
            FunctionDescriptor.of(JAVA_INT, ADDRESS), Linker.Option.firstVariadicArg(3)));
        ForeignFunctions.attempt("negative", () -> ForeignFunctions.function("print_kinds",
            FunctionDescriptor.of(JAVA_INT, ADDRESS), Linker.Option.firstVariadicArg(-1)));
        ForeignFunctions.attempt("byte", () -> ForeignFunctions.function("print_kinds",
            FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_BYTE), Linker.Option.firstVariadicArg(2)));
        ForeignFunctions.attempt("float", () -> ForeignFunctions.function("print_kinds",
            FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_FLOAT), Linker.Option.firstVariadicArg(2)));
    }

    private static void errno(Arena arena) throws Throwable {
        StructLayout layout = Linker.Option.captureStateLayout();
        System.out.println(layout);
        VarHandle errno = layout.varHandle(MemoryLayout.PathElement.groupElement("errno"));
        MethodHandle fail = ForeignFunctions.function("fail_with", FunctionDescriptor.of(JAVA_INT, JAVA_INT),
            Linker.Option.captureCallState("errno"));
        MemorySegment state = arena.allocate(layout);
        for (int i = 0; i < 200; i++) {
            int r = (int) fail.invokeExact(state, i);
            if (r != -1 || (int) errno.get(state, 0L) != i) System.out.println("errno " + errno.get(state, 0L)
                + " for " + i);
            if (i % 50 == 0) System.gc();
        }
        MethodHandle open = ForeignFunctions.function("open", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
            Linker.Option.captureCallState("errno"));
        System.out.println((int) open.invokeExact(state, arena.allocateFrom("/no/such/file"), 0) + " "
            + errno.get(state, 0L));
        ForeignFunctions.attempt("no state", () -> { int r = (int) fail.invokeExact(MemorySegment.NULL, 1); });
        ForeignFunctions.attempt("short state", () -> { int r = (int) fail.invokeExact(arena.allocate(2), 1); });
        ForeignFunctions.attempt("state in the heap", () -> {
            int r = (int) fail.invokeExact(MemorySegment.ofArray(new int[1]), 1);
        });
        ForeignFunctions.attempt("unknown state", () -> Linker.Option.captureCallState("GetLastError"));
        ForeignFunctions.attempt("twice", () -> ForeignFunctions.function("fail_with", FunctionDescriptor.of(JAVA_INT,
            JAVA_INT),
            Linker.Option.captureCallState("errno"), Linker.Option.captureCallState("errno")));
    }

    private static void critical(Arena arena) throws Throwable {
        FunctionDescriptor type = FunctionDescriptor.of(JAVA_LONG, ADDRESS, JAVA_INT);
        MethodHandle plain = ForeignFunctions.function("sum_and_double", type);
        MethodHandle without = ForeignFunctions.function("sum_and_double", type, Linker.Option.critical(false));
        MethodHandle with = ForeignFunctions.function("sum_and_double", type, Linker.Option.critical(true));
        MethodHandle state = ForeignFunctions.function("sum_and_double", type, Linker.Option.critical(true),
            Linker.Option.captureCallState("errno"));
        int[] heap = {1, 2, 3, 4, 5, 6};
        MemorySegment all = MemorySegment.ofArray(heap);
        ForeignFunctions.attempt("heap", () -> { long r = (long) plain.invokeExact(all, 6); });
        ForeignFunctions.attempt("heap, not allowed", () -> { long r = (long) without.invokeExact(all, 6); });
        System.out.println((long) with.invokeExact(all, 6) + " " + Arrays.toString(heap));
        System.out.println((long) with.invokeExact(all.asSlice(8), 3) + " " + Arrays.toString(heap));
        MemorySegment outside = arena.allocateFrom(JAVA_INT, 7, 8);
        System.out.println((long) with.invokeExact(outside, 2) + " " + Arrays.toString(outside.toArray(JAVA_INT)));
        System.out.println((long) without.invokeExact(outside, 2) + " " + Arrays.toString(outside.toArray(JAVA_INT)));
        System.out.println((long) with.invokeExact(MemorySegment.NULL, 0));
        int[] errno = new int[3];
        System.out.println((long) state.invokeExact(MemorySegment.ofArray(errno).asSlice(4), all, 5) + " "
            + Arrays.toString(errno) + Arrays.toString(heap));
        MethodHandle compare = ForeignFunctions.function("compare_late", FunctionDescriptor.of(JAVA_INT, JAVA_LONG,
            JAVA_LONG,
            JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS, ADDRESS, JAVA_LONG), Linker.Option.critical(true));
        byte[] x = new byte[100_000], y = new byte[100_001];
        x[99_999] = 1;
        System.out.println((int) compare.invokeExact(1L, 2L, 3L, 4L, 5L, 6L, MemorySegment.ofArray(x),
            MemorySegment.ofArray(y), 99_999L)
            + " " + (int) compare.invokeExact(1L, 2L, 3L, 4L, 5L, 6L, MemorySegment.ofArray(x),
                MemorySegment.ofArray(y), 100_000L)
            + " " + (int) compare.invokeExact(1L, 2L, 3L, 4L, 5L, 6L, MemorySegment.ofArray(y).asSlice(1),
                MemorySegment.ofArray(x), 100_000L));
        long sum = 0;
        for (int i = 0; i < 20_000; i++) {
            int[] fresh = {i, 1};
            sum += (long) with.invokeExact(MemorySegment.ofArray(fresh), 2) + fresh[0];
        }
        System.out.println(sum);
    }
}
