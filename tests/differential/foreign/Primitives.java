// Every primitive type and pointers, alone and in crowds that the registers do not hold.
import java.lang.foreign.*;
import java.lang.invoke.MethodHandle;
import java.util.Random;

import static java.lang.foreign.ValueLayout.*;

public class Primitives {
    public static void main(String[] args) throws Throwable {
        MethodHandle notBool = ForeignFunctions.function("not_bool", FunctionDescriptor.of(JAVA_BOOLEAN, JAVA_BOOLEAN));
        MethodHandle i8 = ForeignFunctions.function("next_i8", FunctionDescriptor.of(JAVA_BYTE, JAVA_BYTE));
        MethodHandle i16 = ForeignFunctions.function("next_i16", FunctionDescriptor.of(JAVA_SHORT, JAVA_SHORT));
        MethodHandle u16 = ForeignFunctions.function("next_u16", FunctionDescriptor.of(JAVA_CHAR, JAVA_CHAR));
        MethodHandle i32 = ForeignFunctions.function("next_i32", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
        MethodHandle i64 = ForeignFunctions.function("next_i64", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
        MethodHandle f32 = ForeignFunctions.function("half_f32", FunctionDescriptor.of(JAVA_FLOAT, JAVA_FLOAT));
        MethodHandle f64 = ForeignFunctions.function("half_f64", FunctionDescriptor.of(JAVA_DOUBLE, JAVA_DOUBLE));
        MethodHandle pointer = ForeignFunctions.function("after_pointer", FunctionDescriptor.of(ADDRESS, ADDRESS));
        MethodHandle set = ForeignFunctions.function("set_i32", FunctionDescriptor.ofVoid(ADDRESS, JAVA_INT));
        for (boolean b : new boolean[] {true, false}) System.out.println(b + " " + (boolean) notBool.invokeExact(b));
        for (byte b : new byte[] {0, 1, -1, 127, -128}) System.out.println(b + " " + (byte) i8.invokeExact(b));
        for (short s : new short[] {0, -1, 32767, -32768}) System.out.println(s + " " + (short) i16.invokeExact(s));
        for (char c : new char[] {0, 'a', 0x7fff, 0xffff}) System.out.println((int) c + " " + (int) (char)
            u16.invokeExact(c));
        for (int i : new int[] {0, -1, Integer.MAX_VALUE, Integer.MIN_VALUE}) System.out.println((int)
            i32.invokeExact(i));
        for (long l : new long[] {0, -1, Long.MAX_VALUE, Long.MIN_VALUE}) System.out.println((long) i64.invokeExact(l));
        for (float f : new float[] {1, -0f, Float.NaN, Float.POSITIVE_INFINITY, Float.MIN_VALUE})
            System.out.println((float) f32.invokeExact(f));
        for (double d : new double[] {1, -0d, Double.NaN, Double.NEGATIVE_INFINITY, Double.MIN_NORMAL})
            System.out.println((double) f64.invokeExact(d));
        System.out.println(((MemorySegment) pointer.invokeExact(MemorySegment.ofAddress(41))).address());
        System.out.println(pointer.invoke(MemorySegment.NULL));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment where = arena.allocate(JAVA_INT);
            set.invokeExact(where, 1234567);
            System.out.println(where.get(JAVA_INT, 0));
        }
        crowds();
        System.out.println(notBool.type() + " " + pointer.type());
        System.out.println(ForeignFunctions.LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_INT)).type());
        MethodHandle unbound = ForeignFunctions.LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_INT));
        System.out.println((int) unbound.invokeExact(ForeignFunctions.symbol("next_i32"), 3));
        System.out.println(ForeignFunctions.LINKER.canonicalLayouts().entrySet().stream()
            .map(Object::toString).sorted().toList());
    }

    private static void crowds() throws Throwable {
        MethodHandle integers = ForeignFunctions.function("fold_integers", FunctionDescriptor.of(JAVA_LONG, JAVA_BYTE,
            JAVA_SHORT, JAVA_CHAR, JAVA_INT, JAVA_LONG, JAVA_BOOLEAN, JAVA_BYTE, JAVA_SHORT, JAVA_CHAR, JAVA_INT,
            JAVA_LONG, JAVA_BOOLEAN));
        MethodHandle floating = ForeignFunctions.function("sum_floating", FunctionDescriptor.of(JAVA_DOUBLE, JAVA_FLOAT,
            JAVA_DOUBLE, JAVA_FLOAT, JAVA_DOUBLE, JAVA_FLOAT, JAVA_DOUBLE, JAVA_FLOAT, JAVA_DOUBLE, JAVA_FLOAT,
            JAVA_DOUBLE, JAVA_FLOAT));
        MethodHandle mixed = ForeignFunctions.function("fold_mixed", FunctionDescriptor.of(JAVA_LONG, JAVA_INT,
            JAVA_DOUBLE, JAVA_LONG, JAVA_FLOAT, ADDRESS, JAVA_DOUBLE, JAVA_BYTE, JAVA_FLOAT, JAVA_LONG, JAVA_DOUBLE,
            JAVA_INT, JAVA_DOUBLE, JAVA_LONG, JAVA_FLOAT, JAVA_DOUBLE, JAVA_DOUBLE, JAVA_FLOAT, JAVA_SHORT));
        Random r = new Random(25);
        long folded = 0;
        double sum = 0;
        for (int round = 0; round < 2000; round++) {
            long one = (long) integers.invokeExact((byte) r.nextInt(), (short) r.nextInt(), (char) r.nextInt(),
                r.nextInt(),
                r.nextLong(), r.nextBoolean(), (byte) r.nextInt(), (short) r.nextInt(), (char) r.nextInt(), r.nextInt(),
                r.nextLong(), r.nextBoolean());
            sum += (double) floating.invokeExact(r.nextFloat(), r.nextDouble(), r.nextFloat(), r.nextDouble(),
                r.nextFloat(), r.nextDouble(), r.nextFloat(), r.nextDouble(), r.nextFloat(), r.nextDouble(),
                r.nextFloat());
            long other = (long) mixed.invokeExact(r.nextInt(), r.nextDouble(), r.nextLong(), r.nextFloat(),
                MemorySegment.ofAddress(r.nextLong()), r.nextDouble(), (byte) r.nextInt(), r.nextFloat(), r.nextLong(),
                r.nextDouble(), r.nextInt(), r.nextDouble(), r.nextLong(), r.nextFloat(), r.nextDouble(),
                    r.nextDouble(),
                r.nextFloat(), (short) r.nextInt());
            folded = folded * 31 + one ^ other;
            if (round < 3) System.out.println(one + " " + other + " " + sum);
        }
        System.out.println(folded + " " + sum);
    }
}
