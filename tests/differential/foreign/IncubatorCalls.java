// jdk.incubator.foreign of 17: calls of C functions with every type, many arguments, structures, variable arguments.
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.Random;
import jdk.incubator.foreign.*;

import static java.lang.invoke.MethodType.methodType;
import static jdk.incubator.foreign.CLinker.*;

public class IncubatorCalls {
    static final CLinker LINKER = CLinker.getInstance();

    static MethodHandle function(String name, MethodType type, FunctionDescriptor descriptor) {
        MemoryAddress f = SymbolLookup.loaderLookup().lookup(name)
            .or(() -> CLinker.systemLookup().lookup(name)).orElseThrow();
        return LINKER.downcallHandle(f, type, descriptor);
    }

    public static void main(String[] args) throws Throwable {
        System.load(System.getProperty("functions"));
        MethodHandle i8 = function("next_i8", methodType(byte.class, byte.class), FunctionDescriptor.of(C_CHAR,
            C_CHAR));
        MethodHandle i16 = function("next_i16", methodType(short.class, short.class), FunctionDescriptor.of(C_SHORT,
            C_SHORT));
        MethodHandle u16 = function("next_u16", methodType(char.class, char.class), FunctionDescriptor.of(C_SHORT,
            C_SHORT));
        MethodHandle i32 = function("next_i32", methodType(int.class, int.class), FunctionDescriptor.of(C_INT, C_INT));
        MethodHandle i64 = function("next_i64", methodType(long.class, long.class), FunctionDescriptor.of(C_LONG,
            C_LONG));
        MethodHandle f32 = function("half_f32", methodType(float.class, float.class), FunctionDescriptor.of(C_FLOAT,
            C_FLOAT));
        MethodHandle f64 = function("half_f64", methodType(double.class, double.class),
            FunctionDescriptor.of(C_DOUBLE, C_DOUBLE));
        MethodHandle pointer = function("after_pointer", methodType(MemoryAddress.class, MemoryAddress.class),
            FunctionDescriptor.of(C_POINTER, C_POINTER));
        MethodHandle set = function("set_i32", methodType(void.class, MemoryAddress.class, int.class),
            FunctionDescriptor.ofVoid(C_POINTER, C_INT));
        for (byte b : new byte[] {0, -1, 127}) System.out.println((byte) i8.invokeExact(b));
        for (short s : new short[] {0, -1, 32767}) System.out.println((short) i16.invokeExact(s));
        for (char c : new char[] {0, 'a', 0xffff}) System.out.println((int) (char) u16.invokeExact(c));
        for (int i : new int[] {0, -1, Integer.MAX_VALUE}) System.out.println((int) i32.invokeExact(i));
        for (long l : new long[] {0, -1, Long.MIN_VALUE}) System.out.println((long) i64.invokeExact(l));
        System.out.println((float) f32.invokeExact(3f) + " " + (double) f64.invokeExact(-0d));
        System.out.println(((MemoryAddress) pointer.invokeExact(MemoryAddress.ofLong(41))).toRawLongValue());
        try (ResourceScope scope = ResourceScope.newConfinedScope()) {
            MemorySegment where = MemorySegment.allocateNative(C_INT, scope);
            set.invokeExact(where.address(), 99);
            System.out.println(MemoryAccess.getInt(where));
            crowds(scope);
            structures(scope);
            variable(scope);
        }
        for (int i = 0; i < 100_000; i++) if ((int) i32.invokeExact(i) != (i ^ 0x55)) System.out.println("wrong at "
            + i);
    }

    private static void crowds(ResourceScope scope) throws Throwable {
        MethodHandle integers = function("fold_integers", methodType(long.class, byte.class, short.class, char.class,
            int.class, long.class,
            byte.class, byte.class, short.class, char.class, int.class, long.class, byte.class),
            FunctionDescriptor.of(C_LONG, C_CHAR, C_SHORT, C_SHORT, C_INT, C_LONG, C_CHAR, C_CHAR, C_SHORT, C_SHORT,
                C_INT, C_LONG, C_CHAR));
        MethodHandle floating = function("sum_floating", methodType(double.class, float.class, double.class,
            float.class, double.class,
            float.class, double.class, float.class, double.class, float.class, double.class, float.class),
            FunctionDescriptor.of(C_DOUBLE, C_FLOAT, C_DOUBLE, C_FLOAT, C_DOUBLE, C_FLOAT, C_DOUBLE, C_FLOAT,
                C_DOUBLE, C_FLOAT, C_DOUBLE, C_FLOAT));
        Random r = new Random(17);
        for (int i = 0; i < 200; i++) {
            long one = (long) integers.invokeExact((byte) r.nextInt(), (short) r.nextInt(), (char) r.nextInt(),
                r.nextInt(), r.nextLong(),
                (byte) r.nextInt(2), (byte) r.nextInt(), (short) r.nextInt(), (char) r.nextInt(), r.nextInt(),
                    r.nextLong(), (byte) r.nextInt(2));
            double other = (double) floating.invokeExact(r.nextFloat(), r.nextDouble(), r.nextFloat(), r.nextDouble(),
                r.nextFloat(),
                r.nextDouble(), r.nextFloat(), r.nextDouble(), r.nextFloat(), r.nextDouble(), r.nextFloat());
            if (i % 20 == 0) System.out.println(one + " " + other);
        }
    }

    private static void structure(String name, GroupLayout layout, ResourceScope scope) throws Throwable {
        SegmentAllocator room = SegmentAllocator.arenaAllocator(scope);
        MethodHandle plain = function("by_value_" + name, methodType(MemorySegment.class, MemorySegment.class),
            FunctionDescriptor.of(layout, layout));
        MethodHandle late = function("late_" + name, methodType(MemorySegment.class, int.class, long.class, int.class,
            double.class,
            float.class, double.class, float.class, double.class, float.class, MemorySegment.class, int.class),
                FunctionDescriptor.of(layout,
            C_INT, C_LONG, C_INT, C_DOUBLE, C_FLOAT, C_DOUBLE, C_FLOAT, C_DOUBLE, C_FLOAT, layout, C_INT));
        MemorySegment s = MemorySegment.allocateNative(layout, scope);
        for (int i = 0; i < s.byteSize(); i++) MemoryAccess.setByteAtOffset(s, i, (byte) (i % 4 == 3 ? 0x3f : i));
        System.out.println(name + bytes((MemorySegment) plain.invokeExact(room, s)));
        System.out.println(name + bytes((MemorySegment) late.invokeExact(room, 1, 2L, 3, 1d, 2f, 3d, 4f, 5d, 6f, s,
            77)));
    }

    static String bytes(MemorySegment s) {
        return " " + java.util.HexFormat.of().formatHex(s.toByteArray());
    }

    private static void structures(ResourceScope scope) throws Throwable {
        structure("i1", MemoryLayout.structLayout(C_CHAR), scope);
        structure("i2", MemoryLayout.structLayout(C_INT, C_INT), scope);
        structure("f2", MemoryLayout.structLayout(C_FLOAT, C_FLOAT), scope);
        structure("f3", MemoryLayout.structLayout(C_FLOAT, C_FLOAT, C_FLOAT), scope);
        structure("fi", MemoryLayout.structLayout(C_FLOAT, C_INT), scope);
        structure("dl", MemoryLayout.structLayout(C_DOUBLE, C_LONG), scope);
        structure("ld", MemoryLayout.structLayout(C_LONG, C_DOUBLE), scope);
        structure("d2", MemoryLayout.structLayout(C_DOUBLE, C_DOUBLE), scope);
        structure("l2", MemoryLayout.structLayout(C_LONG, C_LONG), scope);
        structure("c12", MemoryLayout.structLayout(MemoryLayout.sequenceLayout(6, C_SHORT)), scope);
        structure("nested", MemoryLayout.structLayout(MemoryLayout.structLayout(C_FLOAT, C_INT),
            MemoryLayout.structLayout(C_INT, C_INT)), scope);
        structure("big", MemoryLayout.structLayout(C_LONG, C_DOUBLE, C_INT, C_FLOAT), scope);
        structure("either", MemoryLayout.unionLayout(C_LONG, C_DOUBLE), scope);
    }

    private static void variable(ResourceScope scope) throws Throwable {
        MemorySegment out = MemorySegment.allocateNative(1000, scope);
        MethodHandle print = function("print_kinds", methodType(int.class, MemoryAddress.class, MemoryAddress.class,
            int.class, double.class,
            long.class, double.class), FunctionDescriptor.of(C_INT, C_POINTER, C_POINTER, asVarArg(C_INT),
                asVarArg(C_DOUBLE),
            asVarArg(C_LONG), asVarArg(C_DOUBLE)));
        System.out.println((int) print.invokeExact(out.address(), toCString("idld", scope).address(), -3, 1.5,
            1L << 50, -2.25)
            + " " + toJavaString(out));
    }
}
