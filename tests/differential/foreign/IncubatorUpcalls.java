// jdk.incubator.foreign of 17: C functions that call Java, on Java's threads and on C's own.
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import jdk.incubator.foreign.*;

import static java.lang.invoke.MethodType.methodType;
import static jdk.incubator.foreign.CLinker.*;

public class IncubatorUpcalls {
    static final CLinker LINKER = CLinker.getInstance();

    static byte onByte(byte v) { System.out.println("byte " + v); return (byte) (v + 1); }
    static int onInt(int v) { System.out.println("int " + v); return ~v; }
    static long onLong(long v) { return ~v; }
    static float onFloat(float v) { System.out.println("float " + v); return -v; }
    static double onDouble(double v) { System.out.println("double " + v); return -v; }
    static MemoryAddress onPointer(MemoryAddress v) { return v.addOffset(10); }
    static int compare(MemoryAddress a, MemoryAddress b) {
        ResourceScope global = ResourceScope.globalScope();
        return Integer.compare(MemoryAccess.getInt(a.asSegment(4, global)), MemoryAccess.getInt(b.asSegment(4,
            global)));
    }
    static double onMany(int a, double b, long c, float d, MemoryAddress e, double f, byte g, float h, long i,
        double j, int k, double l,
                         long m, float n, double o, double p, float q, short r, byte s, short t) {
        System.out.println(a + " " + b + " " + c + " " + d + " " + e.toRawLongValue() + " " + f + " " + g + " " + h
            + " " + i + " " + j + " " + k
            + " " + l + " " + m + " " + n + " " + o + " " + p + " " + q + " " + r + " " + s + " " + t);
        return a + b + c + d + f + g + h + i + j + k + l + m + n + o + p + q + r;
    }
    private static MethodHandle recurse;
    private static MemoryAddress again;
    static long onRecursion(long depth) throws Throwable {
        if (depth % 16 == 0) System.gc();
        return (long) recurse.invokeExact(again, depth);
    }
    private static final ConcurrentSkipListSet<String> seen = new ConcurrentSkipListSet<>();
    private static final AtomicLong calls = new AtomicLong();
    static long onForeignThread(long number) {
        Thread t = Thread.currentThread();
        seen.add(t.isDaemon() + " " + t.getName().replaceAll("[0-9]+", "#") + " " + t.getThreadGroup().getName());
        if (calls.incrementAndGet() % 500 == 0) System.gc();
        return number * 2;
    }
    private static GroupLayout layout;
    static MemorySegment onStructure(MemorySegment s, int number) {
        System.out.println("structure" + bytes(s) + " " + number);
        MemorySegment answer = MemorySegment.allocateNative(layout, ResourceScope.newImplicitScope());
        answer.copyFrom(s);
        MemoryAccess.setByte(answer, (byte) (MemoryAccess.getByte(answer) + 1));
        return answer;
    }
    static String bytes(MemorySegment s) { return " " + java.util.HexFormat.of().formatHex(s.toByteArray()); }

    static MethodHandle function(String name, MethodType type, FunctionDescriptor descriptor) {
        MemoryAddress f = SymbolLookup.loaderLookup().lookup(name)
            .or(() -> CLinker.systemLookup().lookup(name)).orElseThrow();
        return LINKER.downcallHandle(f, type, descriptor);
    }
    static MemoryAddress stub(String name, MethodType type, FunctionDescriptor descriptor,
        ResourceScope scope) throws Throwable {
        return LINKER.upcallStub(MethodHandles.lookup().findStatic(IncubatorUpcalls.class, name, type), descriptor,
            scope);
    }
    static Object back(String name, Class<?> type, MemoryLayout layout, String target,
        Object argument) throws Throwable {
        try (ResourceScope scope = ResourceScope.newConfinedScope()) {
            MemoryAddress f = stub(target, methodType(type, type), FunctionDescriptor.of(layout, layout), scope);
            return function(name, methodType(type, MemoryAddress.class, type), FunctionDescriptor.of(layout,
                C_POINTER, layout)).invoke(f, argument);
        }
    }

    public static void main(String[] args) throws Throwable {
        System.load(System.getProperty("functions"));
        System.out.println(back("back_i8", byte.class, C_CHAR, "onByte", (byte) -128));
        System.out.println(back("back_i32", int.class, C_INT, "onInt", 12));
        System.out.println(back("back_i64", long.class, C_LONG, "onLong", Long.MIN_VALUE));
        System.out.println(back("back_f32", float.class, C_FLOAT, "onFloat", 1.5f));
        System.out.println(back("back_f64", double.class, C_DOUBLE, "onDouble", Math.E));
        System.out.println(((MemoryAddress) back("back_pointer", MemoryAddress.class, C_POINTER, "onPointer",
            MemoryAddress.ofLong(70))).toRawLongValue());
        try (ResourceScope scope = ResourceScope.newSharedScope()) {
            many(scope);
            sorts(scope);
            recurse = function("recurse", methodType(long.class, MemoryAddress.class, long.class),
                FunctionDescriptor.of(C_LONG, C_POINTER, C_LONG));
            FunctionDescriptor one = FunctionDescriptor.of(C_LONG, C_LONG);
            again = stub("onRecursion", methodType(long.class, long.class), one, scope);
            System.out.println((long) recurse.invokeExact(again, 60L));
            MethodHandle from = function("from_threads", methodType(long.class, MemoryAddress.class, int.class,
                int.class),
                FunctionDescriptor.of(C_LONG, C_POINTER, C_INT, C_INT));
            MemoryAddress f = stub("onForeignThread", methodType(long.class, long.class), one, scope);
            System.out.println((long) from.invokeExact(f, 6, 300) + " " + calls + " " + seen);
            structure("i2", MemoryLayout.structLayout(C_INT, C_INT), scope);
            structure("dl", MemoryLayout.structLayout(C_DOUBLE, C_LONG), scope);
            structure("ld", MemoryLayout.structLayout(C_LONG, C_DOUBLE), scope);
            structure("d2", MemoryLayout.structLayout(C_DOUBLE, C_DOUBLE), scope);
            structure("l2", MemoryLayout.structLayout(C_LONG, C_LONG), scope);
            structure("big", MemoryLayout.structLayout(C_LONG, C_DOUBLE, C_INT, C_FLOAT), scope);
        }
        stubs();
    }

    private static void many(ResourceScope scope) throws Throwable {
        MemoryAddress f = stub("onMany", methodType(double.class, int.class, double.class, long.class, float.class,
            MemoryAddress.class,
            double.class, byte.class, float.class, long.class, double.class, int.class, double.class, long.class,
                float.class, double.class,
            double.class, float.class, short.class, byte.class, short.class), FunctionDescriptor.of(C_DOUBLE, C_INT,
                C_DOUBLE, C_LONG, C_FLOAT,
            C_POINTER, C_DOUBLE, C_CHAR, C_FLOAT, C_LONG, C_DOUBLE, C_INT, C_DOUBLE, C_LONG, C_FLOAT, C_DOUBLE,
                C_DOUBLE, C_FLOAT, C_SHORT, C_CHAR,
            C_SHORT), scope);
        MethodHandle many = function("back_many", methodType(double.class, MemoryAddress.class, MemoryAddress.class),
            FunctionDescriptor.of(C_DOUBLE, C_POINTER, C_POINTER));
        System.out.println((double) many.invokeExact(f, MemoryAddress.ofLong(4711)));
    }

    private static void sorts(ResourceScope scope) throws Throwable {
        MethodHandle qsort = function("qsort", methodType(void.class, MemoryAddress.class, long.class, long.class,
            MemoryAddress.class),
            FunctionDescriptor.ofVoid(C_POINTER, C_LONG, C_LONG, C_POINTER));
        MemoryAddress f = stub("compare", methodType(int.class, MemoryAddress.class, MemoryAddress.class),
            FunctionDescriptor.of(C_INT, C_POINTER, C_POINTER), scope);
        int[] numbers = new java.util.Random(7).ints(1000).toArray();
        MemorySegment outside = SegmentAllocator.ofScope(scope).allocateArray(C_INT, numbers);
        qsort.invokeExact(outside.address(), (long) numbers.length, 4L, f);
        Arrays.sort(numbers);
        System.out.println(Arrays.equals(numbers, outside.toIntArray()));
    }

    private static void structure(String name, GroupLayout of, ResourceScope scope) throws Throwable {
        layout = of;
        SegmentAllocator room = SegmentAllocator.arenaAllocator(scope);
        MemoryAddress f = stub("onStructure", methodType(MemorySegment.class, MemorySegment.class, int.class),
            FunctionDescriptor.of(of, of, C_INT), scope);
        MethodHandle back = function("back_" + name, methodType(MemorySegment.class, MemorySegment.class,
            MemoryAddress.class),
            FunctionDescriptor.of(of, of, C_POINTER));
        MemorySegment s = MemorySegment.allocateNative(of, scope);
        for (int i = 0; i < s.byteSize(); i++) MemoryAccess.setByteAtOffset(s, i, (byte) (i % 4 == 3 ? 0x3f : i));
        System.out.println(name + bytes((MemorySegment) back.invokeExact(room, s, f)));
    }

    private static void stubs() throws Throwable {
        MethodHandle back = function("back_i64", methodType(long.class, MemoryAddress.class, long.class),
            FunctionDescriptor.of(C_LONG, C_POINTER, C_LONG));
        MethodHandle sum = MethodHandles.lookup().findStatic(Math.class, "addExact", methodType(long.class,
            long.class, long.class));
        for (int round = 0; round < 2; round++) {
            try (ResourceScope scope = ResourceScope.newConfinedScope()) {
                long total = 0;
                for (long i = 0; i < 200; i++)
                    total += (long) back.invokeExact(LINKER.upcallStub(MethodHandles.insertArguments(sum, 0, i),
                        FunctionDescriptor.of(C_LONG, C_LONG), scope), 1000L);
                System.out.println(total);
            }
        }
    }
}
