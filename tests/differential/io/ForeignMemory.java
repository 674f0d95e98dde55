// Memory segments and arenas: native and heap memory, layouts, var handles, slices, lifetimes, confinement and bounds
// errors.
import java.lang.foreign.*;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import static java.lang.foreign.ValueLayout.*;

public class ForeignMemory {
    interface Action {
        Object run() throws Exception;
    }
    static void t(Action a) {
        try {
            System.out.println(a.run());
        } catch (Exception e) {
            System.out.println(e.toString().replaceAll("0x[0-9a-f]+|address:\\d+|@[0-9a-f]+", "@"));
        }
    }

    public static void main(String[] args) throws Exception {
        MemorySegment kept;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment s = arena.allocate(64, 8);
            kept = s;
            s.set(JAVA_INT, 0, 42);
            s.set(JAVA_LONG, 8, -1L);
            s.set(JAVA_DOUBLE_UNALIGNED, 17, 2.5);
            s.set(JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN), 2, (short) 0x0102);
            s.setAtIndex(JAVA_CHAR, 20, 'q');
            s.set(JAVA_BOOLEAN, 50, true);
            s.setString(52, "native");
            System.out.println(s.get(JAVA_INT, 0) + " " + s.get(JAVA_LONG, 8) + " " + s.get(JAVA_DOUBLE_UNALIGNED, 17)
                               + " " + s.get(JAVA_BYTE, 3) + " " + s.getAtIndex(JAVA_CHAR, 20) + s.get(JAVA_BOOLEAN, 50)
                               + s.getString(52) + " " + s.byteSize() + s.isNative() + s.isReadOnly());
            t(() -> s.get(JAVA_INT, 61));
            t(() -> s.get(JAVA_INT, 1));
            t(() -> s.get(JAVA_INT, -4));
            t(() -> s.asSlice(60, 8));
            t(() -> {
                s.asReadOnly().set(JAVA_BYTE, 0, (byte) 1);
                return 0;
            });
            t(() -> arena.allocate(-1));
            t(() -> arena.allocate(8, 3));
            Thread other = new Thread(() -> t(() -> s.get(JAVA_INT, 0)));
            other.start();
            other.join();
            MemorySegment arr = arena.allocateFrom(JAVA_INT, 5, 3, 8, 1),
                          heap = MemorySegment.ofArray(new int[] {9, 9, 9, 9, 9});
            MemorySegment.copy(arr, 0, heap, 4, 12);
            System.out.println(Arrays.toString(heap.toArray(JAVA_INT)) + " " + arr.mismatch(heap) + " "
                               + arr.elements(JAVA_INT).mapToInt(x -> x.get(JAVA_INT, 0)).sum() + " "
                               + arr.asByteBuffer().order(ByteOrder.nativeOrder()).getInt(4) + " "
                               + heap.heapBase().isPresent());
            arr.fill((byte) 1);
            System.out.println(arr.getAtIndex(JAVA_INT, 3));
            t(() -> MemorySegment.ofArray(new byte[16]).get(JAVA_LONG, 0));
            t(() -> MemorySegment.ofArray(new byte[16]).get(JAVA_LONG_UNALIGNED, 3));
            StructLayout point = MemoryLayout.structLayout(JAVA_INT.withName("x"), MemoryLayout.paddingLayout(4),
                                                           JAVA_LONG.withName("y"),
                                                           MemoryLayout.sequenceLayout(3, JAVA_SHORT).withName("z"),
                                                           MemoryLayout.paddingLayout(2));
            VarHandle y = point.varHandle(MemoryLayout.PathElement.groupElement("y")),
                      z = point.varHandle(MemoryLayout.PathElement.groupElement("z"),
                                          MemoryLayout.PathElement.sequenceElement());
            MemorySegment ps = arena.allocate(point, 4);
            for (int i = 0; i < 4; i++) {
                y.set(ps, (long) i * point.byteSize(), i * 100L);
                z.set(ps, (long) i * point.byteSize(), 2L, (short) i);
            }
            System.out.println(
                (long) y.get(ps, 2 * point.byteSize()) + " " + (short) z.get(ps, 3 * point.byteSize(), 2L) + " "
                + point.byteSize() + point.byteOffset(MemoryLayout.PathElement.groupElement("z")) + " " + point + " "
                + y.compareAndSet(ps, 0L, 0L, 7L) + (long) y.getAndAdd(ps, 0L, 3L) + (long) y.getVolatile(ps, 0L));
            t(() -> (short) z.get(ps, 0L, 3L));
            t(() -> MemoryLayout.structLayout(JAVA_BYTE, JAVA_INT));
        }
        t(() -> kept.get(JAVA_INT, 0));
        System.out.println(kept.scope().isAlive());
        Arena shared = Arena.ofShared();
        MemorySegment sh = shared.allocate(8);
        Thread w = new Thread(() -> sh.set(JAVA_INT, 0, 77));
        w.start();
        w.join();
        System.out.println(sh.get(JAVA_INT, 0));
        shared.close();
        t(() -> sh.get(JAVA_INT, 0));
        t(() -> {
            shared.close();
            return 0;
        });
        t(() -> {
            Arena.global().close();
            return 0;
        });
        System.out.println(Arena.ofAuto().allocate(16).fill((byte) 0).byteSize() + " " + MemorySegment.NULL.address()
                           + " " + MemorySegment.NULL.byteSize());
        long[] la = new long[100];
        MemorySegment ls = MemorySegment.ofArray(la);
        for (int i = 0; i < 100; i++) ls.setAtIndex(JAVA_LONG, i, i * i);
        System.out.println(la[99] + " " + ls.asSlice(80, 16).get(JAVA_LONG, 8) + " "
                           + MemorySegment.ofArray("text".toCharArray()).toArray(JAVA_CHAR)[2]);
    }
}
