// Structures and unions by value: in registers of one kind, of two kinds, in memory, behind arguments that leave few
// registers, and as arguments and results of calls back.
import java.lang.foreign.*;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

import static java.lang.foreign.MemoryLayout.*;
import static java.lang.foreign.ValueLayout.*;

public class Structures {
    private static final GroupLayout FI = structLayout(JAVA_FLOAT, JAVA_INT), I2 = structLayout(JAVA_INT, JAVA_INT),
        F2 = structLayout(JAVA_FLOAT, JAVA_FLOAT), EITHER = unionLayout(JAVA_LONG, JAVA_DOUBLE);
    private static byte mark;

    public static void main(String[] args) throws Throwable {
        one("i1", structLayout(JAVA_BYTE));
        one("i2", I2);
        one("f2", F2);
        one("f3", structLayout(JAVA_FLOAT, JAVA_FLOAT, JAVA_FLOAT));
        one("fi", FI);
        one("df", structLayout(JAVA_DOUBLE, JAVA_FLOAT, paddingLayout(4)));
        one("dl", structLayout(JAVA_DOUBLE, JAVA_LONG));
        one("ld", structLayout(JAVA_LONG, JAVA_DOUBLE));
        one("d2", structLayout(JAVA_DOUBLE, JAVA_DOUBLE));
        one("l2", structLayout(JAVA_LONG, JAVA_LONG));
        one("odd", structLayout(sequenceLayout(3, JAVA_BYTE)));
        one("c12", structLayout(sequenceLayout(6, JAVA_SHORT)));
        one("nested", structLayout(FI, I2));
        one("big", structLayout(JAVA_LONG, JAVA_DOUBLE, JAVA_INT, JAVA_FLOAT));
        one("array_of", structLayout(sequenceLayout(3, F2)));
        if (!Boolean.getBoolean("no.unions")) {
            one("either", EITHER);
            one("floats", unionLayout(JAVA_FLOAT, JAVA_DOUBLE));
            one("with_union", structLayout(JAVA_INT, paddingLayout(4), EITHER));
        }
    }

    // Small numbers, so that floats in them are sums without surprise.
    private static MemorySegment filled(GroupLayout layout, Arena arena) {
        MemorySegment s = arena.allocate(layout);
        fill(layout, s, 0);
        return s;
    }

    private static long fill(MemoryLayout layout, MemorySegment s, long offset) {
        switch (layout) {
            case ValueLayout.OfByte l -> s.set(l, offset, ++mark);
            case ValueLayout.OfShort l -> s.set(l, offset, ++mark);
            case ValueLayout.OfInt l -> s.set(l, offset, -++mark);
            case ValueLayout.OfLong l -> s.set(l, offset, ++mark * 1_000_000_007L);
            case ValueLayout.OfFloat l -> s.set(l, offset, ++mark / 2f);
            case ValueLayout.OfDouble l -> s.set(l, offset, ++mark / 4d);
            case SequenceLayout l -> { for (long i = 0,
                at = offset; i < l.elementCount(); i++) at = fill(l.elementLayout(), s, at); }
            case StructLayout l -> { long at = offset; for (MemoryLayout m : l.memberLayouts()) at = fill(m, s, at); }
            case UnionLayout l -> fill(l.memberLayouts().getLast(), s, offset);
            default -> { }
        }
        return offset + layout.byteSize();
    }

    private static String text(MemoryLayout layout, MemorySegment s, long offset) {
        return switch (layout) {
            case ValueLayout.OfByte l -> s.get(l, offset) + " ";
            case ValueLayout.OfShort l -> s.get(l, offset) + " ";
            case ValueLayout.OfInt l -> s.get(l, offset) + " ";
            case ValueLayout.OfLong l -> s.get(l, offset) + " ";
            case ValueLayout.OfFloat l -> s.get(l, offset) + "f ";
            case ValueLayout.OfDouble l -> s.get(l, offset) + "d ";
            case SequenceLayout l -> {
                StringBuilder b = new StringBuilder("[");
                for (long i = 0; i < l.elementCount(); i++)
                    b.append(text(l.elementLayout(), s, offset + i * l.elementLayout().byteSize()));
                yield b + "]";
            }
            case StructLayout l -> {
                StringBuilder b = new StringBuilder("{");
                long at = offset;
                for (MemoryLayout m : l.memberLayouts()) {
                    b.append(text(m, s, at));
                    at += m.byteSize();
                }
                yield b + "}";
            }
            case UnionLayout l -> "<" + text(l.memberLayouts().getLast(), s, offset) + ">";
            default -> "";
        };
    }

    private static GroupLayout layoutOfCallback;
    private static Arena arenaOfCallback;

    private static MemorySegment called(MemorySegment s, int number) {
        System.out.println("  called with " + text(layoutOfCallback, s, 0) + number + " bytes " + s.byteSize());
        MemorySegment answer = arenaOfCallback.allocate(layoutOfCallback).copyFrom(s);
        answer.set(JAVA_BYTE, 0, (byte) (answer.get(JAVA_BYTE, 0) + 1));
        return answer;
    }

    private static void one(String name, GroupLayout layout) throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            SegmentAllocator room = arena;
            MethodHandle plain = ForeignFunctions.function("by_value_" + name, FunctionDescriptor.of(layout, layout));
            MethodHandle late = ForeignFunctions.function("late_" + name, FunctionDescriptor.of(layout, JAVA_INT,
                JAVA_LONG,
                JAVA_INT, JAVA_DOUBLE, JAVA_FLOAT, JAVA_DOUBLE, JAVA_FLOAT, JAVA_DOUBLE, JAVA_FLOAT, layout, JAVA_INT));
            MethodHandle back = ForeignFunctions.function("back_" + name, FunctionDescriptor.of(layout, layout,
                ADDRESS));
            MemorySegment s = filled(layout, arena);
            System.out.println(name + " " + text(layout, s, 0));
            System.out.println("  plain " + text(layout, (MemorySegment) plain.invokeExact(room, s), 0));
            System.out.println("  late " + text(layout, (MemorySegment) late.invokeExact(room, 1, 2L, 3, 1d, 2f, 3d,
                4f, 5d, 6f, s, 77), 0));
            layoutOfCallback = layout;
            arenaOfCallback = arena;
            MethodHandle target = MethodHandles.lookup().findStatic(Structures.class, "called",
                MethodType.methodType(MemorySegment.class, MemorySegment.class, int.class));
            MemorySegment stub = ForeignFunctions.LINKER.upcallStub(target, FunctionDescriptor.of(layout, layout,
                JAVA_INT), arena);
            System.out.println("  back " + text(layout, (MemorySegment) back.invokeExact(room, s, stub), 0));
            System.out.println("  after " + text(layout, s, 0));
        }
    }
}
