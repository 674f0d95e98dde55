// NIO buffers of every type: heap, direct, views, slices, byte order, read-only, marks, bulk operations and their
// exceptions.
import java.nio.*;
import java.util.Arrays;

public class Buffers {
    interface Action {
        Object run() throws Exception;
    }
    static void t(Action a) {
        try {
            System.out.println(a.run());
        } catch (Exception e) {
            System.out.println(e);
        }
    }

    public static void main(String[] args) {
        for (ByteBuffer b : new ByteBuffer[] {ByteBuffer.allocate(64), ByteBuffer.allocateDirect(64),
                                              ByteBuffer.wrap(new byte[80], 8, 64).slice()}) {
            for (ByteOrder o : new ByteOrder[] {ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN}) {
                b.clear().order(o);
                b.put((byte) 1)
                    .putShort((short) -2)
                    .putChar('é')
                    .putInt(3)
                    .putLong(-4L)
                    .putFloat(5.5f)
                    .putDouble(6.25)
                    .put(new byte[] {7, 8, 9}, 1, 2);
                System.out.print(b + " ");
                b.flip();
                System.out.println(b.get() + " " + b.getShort() + " " + (int) b.getChar() + " " + b.getInt() + " "
                                   + b.getLong() + " " + b.getFloat() + " " + b.getDouble() + " " + b.get()
                                   + b.remaining() + b.hasRemaining() + b.order());
                b.rewind();
                byte[] all = new byte[b.limit()];
                b.get(all);
                System.out.println(Arrays.hashCode(all) + " " + b.rewind().hashCode());
                b.clear();
                b.position(3);
                IntBuffer i = b.slice().order(o).asIntBuffer();
                i.put(0, 77).put(1, -1);
                LongBuffer l = b.duplicate().order(o).position(8).asLongBuffer();
                l.put(99L);
                System.out.println(i.get(0) + " " + b.getInt(7) + " " + b.getLong(8) + " " + i.capacity() + l.position()
                                   + " " + b.asShortBuffer().get() + (int) b.asCharBuffer().get(1)
                                   + b.asFloatBuffer().limit() + b.asDoubleBuffer().isDirect() + b.isDirect()
                                   + b.hasArray());
            }
            b.clear();
            for (int k = 0; k < 10; k++) b.put((byte) k);
            b.position(4).mark().position(8).reset();
            System.out.println(b.position() + " " + b.limit(10).compact() + " " + b.get(0) + b.get(5));
            ByteBuffer s = b.duplicate().position(1).limit(4).slice();
            s.put(0, (byte) 55);
            System.out.println(b.get(1) + " " + s.capacity() + b.slice(2, 3).capacity() + s.compareTo(b)
                               + s.equals(s.duplicate()) + s.mismatch(ByteBuffer.wrap(new byte[] {55, 6, 0})));
            ByteBuffer ro = b.asReadOnlyBuffer();
            t(() -> ro.put((byte) 1));
            t(() -> ro.array());
            t(() -> ro.isReadOnly());
            t(() -> {
                s.position(5);
                return 0;
            });
            t(() -> s.clear().position(3).get());
            t(() -> s.putInt(1));
            t(() -> s.get(99));
            t(() -> s.limit(-1));
            t(() -> s.clear().limit(1).position(1).mark().position(0).reset());
            t(() -> b.put(b));
            t(() -> s.get(new byte[100]));
            t(() -> b.clear().get(2, new byte[3], 0, 4));
            t(() -> s.arrayOffset() >= 0);
        }
        CharBuffer c = CharBuffer.wrap("character sequence", 2, 9);
        System.out.println(c + " " + c.length() + c.charAt(1) + c.subSequence(1, 3) + c.isReadOnly() + c.chars().sum()
                           + CharBuffer.allocate(5).put("ab").flip());
        t(() -> c.put('x'));
        DoubleBuffer d = DoubleBuffer.wrap(new double[] {1, Double.NaN, -0.0});
        System.out.println(d.compareTo(DoubleBuffer.wrap(new double[] {1, Double.NaN, 0.0})) + " " + d.get(1)
                           + d.put(0, 5).get() + Arrays.toString(d.array()));
        ShortBuffer sb = ShortBuffer.allocate(3).put((short) 1).put((short) 2);
        sb.flip();
        System.out.println(sb + " " + sb.hashCode() + LongBuffer.allocate(2)
                           + FloatBuffer.wrap(new float[] {1.5f}).get());
        t(() -> ByteBuffer.allocate(-1));
        t(() -> ByteBuffer.wrap(new byte[3], 2, 5));
        t(() -> IntBuffer.allocate(1).put(new int[2]));
        ByteBuffer big = ByteBuffer.allocateDirect(1 << 20);
        for (int k = 0; k < 1 << 18; k += 97) big.putInt(k * 4, k);
        ByteBuffer heap = ByteBuffer.allocate(1 << 20);
        heap.put(big);
        heap.flip();
        big.clear();
        System.out.println(heap.equals(big) + " " + heap.getInt(97 * 400));
        System.out.println(ByteOrder.nativeOrder());
    }
}
