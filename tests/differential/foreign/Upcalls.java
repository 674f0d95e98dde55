// C functions that call Java: every type, more arguments than registers, recursion over both languages, collections and
// new classes meanwhile, threads that C has made, stubs that come and go.
import java.lang.foreign.*;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import static java.lang.foreign.ValueLayout.*;

public class Upcalls {
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    static boolean onBool(boolean v) { System.out.println("bool " + v); return !v; }
    static byte onByte(byte v) { System.out.println("byte " + v); return (byte) (v + 1); }
    static short onShort(short v) { System.out.println("short " + v); return (short) (v + 1); }
    static char onChar(char v) { System.out.println("char " + (int) v); return (char) (v + 1); }
    static int onInt(int v) { System.out.println("int " + v); return ~v; }
    static long onLong(long v) { System.out.println("long " + v); return ~v; }
    static float onFloat(float v) { System.out.println("float " + v); return -v; }
    static double onDouble(double v) { System.out.println("double " + v); return -v; }
    static MemorySegment onPointer(MemorySegment v) {
        System.out.println("pointer " + v.address() + " " + v.byteSize());
        return MemorySegment.ofAddress(v.address() + 10);
    }
    static int compare(MemorySegment a, MemorySegment b) { return Integer.compare(a.get(JAVA_INT, 0), b.get(JAVA_INT,
        0)); }
    static double onMany(int a, double b, long c, float d, MemorySegment e, double f, byte g, float h, long i,
        double j, int k,
                         double l, long m, float n, double o, double p, float q, short r, boolean s, char t) {
        System.out.println(a + " " + b + " " + c + " " + d + " " + e.address() + " " + f + " " + g + " " + h + " " + i
            + " " + j + " "
            + k + " " + l + " " + m + " " + n + " " + o + " " + p + " " + q + " " + r + " " + s + " " + (int) t);
        return a + b + c + d + f + g + h + i + j + k + l + m + n + o + p + q + r + (int) t;
    }

    private static MethodHandle recurse;
    private static MemorySegment again;
    static long onRecursion(long depth) {
        if (depth % 16 == 0) System.gc();
        byte[] garbage = new byte[1000];
        try {
            return (long) recurse.invokeExact(again, depth) + garbage[999];
        } catch (Throwable t) {
            throw new Error(t);
        }
    }

    private static final AtomicInteger runs = new AtomicInteger();
    static void onRun() {
        int n = runs.incrementAndGet();
        Object[] garbage = new Object[100];
        Arrays.setAll(garbage, i -> "text " + i);
        if (n % 400 == 0) System.gc();
    }

    private static final ConcurrentSkipListSet<String> seen = new ConcurrentSkipListSet<>();
    private static final AtomicLong calls = new AtomicLong();
    static long onForeignThread(long number) {
        Thread t = Thread.currentThread();
        seen.add(t.isDaemon() + " " + t.isVirtual() + " " + t.getName().replaceAll("[0-9]+", "#") + " "
            + t.getThreadGroup().getName()
            + " " + (t.getContextClassLoader() != null) + " " + t.getPriority());
        if (calls.incrementAndGet() % 500 == 0) System.gc();
        return number * 2;
    }
    static long sameThread(long number) { return Thread.currentThread().threadId(); }

    private static Object back(String name, ValueLayout layout, String target, Object argument) throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment f = ForeignFunctions.stub(LOOKUP, target, FunctionDescriptor.of(layout, layout), arena);
            return ForeignFunctions.function(name, FunctionDescriptor.of(layout, ADDRESS, layout)).invoke(f, argument);
        }
    }

    public static void main(String[] args) throws Throwable {
        System.out.println(back("back_bool", JAVA_BOOLEAN, "onBool", true) + " " + back("back_bool", JAVA_BOOLEAN,
            "onBool", false));
        System.out.println(back("back_i8", JAVA_BYTE, "onByte", (byte) -128) + " " + back("back_i8", JAVA_BYTE,
            "onByte", (byte) 126));
        System.out.println(back("back_i16", JAVA_SHORT, "onShort", (short) -32768));
        System.out.println((int) (char) back("back_u16", JAVA_CHAR, "onChar", (char) 0xfff0));
        System.out.println(back("back_i32", JAVA_INT, "onInt", Integer.MIN_VALUE));
        System.out.println(back("back_i64", JAVA_LONG, "onLong", Long.MIN_VALUE));
        System.out.println(back("back_f32", JAVA_FLOAT, "onFloat", 1.5f) + " " + back("back_f64", JAVA_DOUBLE,
            "onDouble", Math.PI));
        System.out.println(((MemorySegment) back("back_pointer", ADDRESS, "onPointer",
            MemorySegment.ofAddress(77))).address());
        try (Arena arena = Arena.ofShared()) {
            narrow(arena);
            sorts(arena);
            MethodHandle many = ForeignFunctions.function("back_many", FunctionDescriptor.of(JAVA_DOUBLE, ADDRESS,
                ADDRESS));
            MemorySegment f = ForeignFunctions.stub(LOOKUP, "onMany", FunctionDescriptor.of(JAVA_DOUBLE, JAVA_INT,
                JAVA_DOUBLE, JAVA_LONG,
                JAVA_FLOAT, ADDRESS, JAVA_DOUBLE, JAVA_BYTE, JAVA_FLOAT, JAVA_LONG, JAVA_DOUBLE, JAVA_INT,
                    JAVA_DOUBLE, JAVA_LONG,
                JAVA_FLOAT, JAVA_DOUBLE, JAVA_DOUBLE, JAVA_FLOAT, JAVA_SHORT, JAVA_BOOLEAN, JAVA_CHAR), arena);
            System.out.println((double) many.invokeExact(f, MemorySegment.ofAddress(4711)));
            recurse = ForeignFunctions.function("recurse", FunctionDescriptor.of(JAVA_LONG, ADDRESS, JAVA_LONG));
            again = ForeignFunctions.stub(LOOKUP, "onRecursion", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG), arena);
            System.out.println((long) recurse.invokeExact(again, 100L));
            MethodHandle run = ForeignFunctions.function("back_void", FunctionDescriptor.ofVoid(ADDRESS, JAVA_INT));
            run.invokeExact(ForeignFunctions.stub(LOOKUP, "onRun", FunctionDescriptor.ofVoid(), arena), 2000);
            System.out.println(runs);
            threads(arena);
        }
        stubs();
    }

    static int onDirty(byte a) { return a; }
    private static void narrow(Arena arena) throws Throwable {
        MethodHandle dirty = ForeignFunctions.function("back_dirty", FunctionDescriptor.of(JAVA_INT, ADDRESS,
            JAVA_LONG));
        MethodHandle target = LOOKUP.findStatic(Upcalls.class, "onDirty", MethodType.methodType(int.class, byte.class));
        MemorySegment f = ForeignFunctions.LINKER.upcallStub(target, FunctionDescriptor.of(JAVA_INT, JAVA_BYTE), arena);
        System.out.println((int) dirty.invokeExact(f, 0x1234567890L) + " " + (int) dirty.invokeExact(f, 0x7fL) + " "
            + (int) dirty.invokeExact(f, 0x12345678f0L));
    }

    private static void sorts(Arena arena) throws Throwable {
        MethodHandle qsort = ForeignFunctions.function("qsort", FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG,
            JAVA_LONG, ADDRESS));
        AddressLayout toInt = ADDRESS.withTargetLayout(JAVA_INT);
        MemorySegment f = ForeignFunctions.stub(LOOKUP, "compare", FunctionDescriptor.of(JAVA_INT, toInt, toInt),
            arena);
        int[] numbers = new java.util.Random(7).ints(3000).toArray();
        MemorySegment outside = arena.allocateFrom(JAVA_INT, numbers);
        qsort.invokeExact(outside, (long) numbers.length, 4L, f);
        Arrays.sort(numbers);
        System.out.println(Arrays.equals(numbers, outside.toArray(JAVA_INT)));
    }

    private static void threads(Arena arena) throws Throwable {
        MethodHandle from = ForeignFunctions.function("from_threads", FunctionDescriptor.of(JAVA_LONG, ADDRESS,
            JAVA_INT, JAVA_INT));
        FunctionDescriptor type = FunctionDescriptor.of(JAVA_LONG, JAVA_LONG);
        MemorySegment f = ForeignFunctions.stub(LOOKUP, "onForeignThread", type, arena);
        System.out.println((long) from.invokeExact(f, 8, 500) + " " + calls + " " + seen);
        MemorySegment id = ForeignFunctions.stub(LOOKUP, "sameThread", type, arena);
        long sum = (long) from.invokeExact(id, 1, 10);
        System.out.println("one identity for all calls of a thread: " + (sum % 10 == 0 && sum > 0));
        Thread[] javas = new Thread[4];
        for (int i = 0; i < javas.length; i++)
            javas[i] = new Thread(() -> {
                try {
                    long r = (long) from.invokeExact(f, 3, 100);
                    if (r != 1200) System.out.println("wrong: " + r);
                } catch (Throwable t) {
                    t.printStackTrace();
                }
            });
        for (Thread t : javas) t.start();
        for (Thread t : javas) t.join();
        System.out.println(calls);
        int attached = 0;
        for (Thread t : Thread.getAllStackTraces().keySet()) if (t.getName().matches("Thread-[0-9]+")) attached++;
        System.out.println("left: " + attached);
    }

    // More at a time than one page of stubs has, each with a target of its own.
    private static void stubs() throws Throwable {
        MethodHandle back = ForeignFunctions.function("back_i64", FunctionDescriptor.of(JAVA_LONG, ADDRESS, JAVA_LONG));
        MethodHandle sum = LOOKUP.findStatic(Math.class, "addExact", MethodType.methodType(long.class, long.class,
            long.class));
        FunctionDescriptor type = FunctionDescriptor.of(JAVA_LONG, JAVA_LONG);
        for (int round = 0; round < 3; round++) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment[] all = new MemorySegment[300];
                for (int i = 0; i < all.length; i++)
                    all[i] = ForeignFunctions.LINKER.upcallStub(MethodHandles.insertArguments(sum, 0, (long) i), type,
                        arena);
                long total = 0;
                for (MemorySegment f : all) total += (long) back.invokeExact(f, 1000L);
                System.out.println(total + " " + Arrays.stream(all).map(MemorySegment::address).distinct().count());
            }
        }
    }
}
