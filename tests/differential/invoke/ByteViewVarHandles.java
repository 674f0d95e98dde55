// Views of byte arrays and byte buffers: every element type and order, aligned and unaligned, with the modes each
// allows.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

public class ByteViewVarHandles {
    interface Action {
        Object run() throws Throwable;
    }
    static void t(String n, Action a) {
        try {
            System.out.println(n + " " + a.run());
        } catch (Throwable e) {
            System.out.println(n + " " + e.getClass().getName());
        }
    }

    public static void main(String[] args) throws Throwable {
        byte[] bytes = new byte[32];
        for (int i = 0; i < 32; i++) bytes[i] = (byte) (i * 17 + 3);
        for (ByteOrder order : new ByteOrder[] {ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN}) {
            for (Class<?> type : new Class<?>[] {short[].class, char[].class, int[].class, long[].class, float[].class,
                                                 double[].class}) {
                VarHandle a = MethodHandles.byteArrayViewVarHandle(type, order),
                          b = MethodHandles.byteBufferViewVarHandle(type, order);
                StringBuilder m = new StringBuilder();
                for (VarHandle.AccessMode mode : VarHandle.AccessMode.values())
                    m.append(a.isAccessModeSupported(mode) ? '1' : '0')
                        .append(b.isAccessModeSupported(mode) ? '1' : '0');
                ByteBuffer direct = ByteBuffer.allocateDirect(32).put(bytes).flip(), heap =
                                                                                         ByteBuffer.wrap(bytes.clone());
                System.out.println(order + " " + type.getSimpleName() + " " + m);
                for (int i : new int[] {0, 1, 3, 8}) {
                    Object v = a.toMethodHandle(VarHandle.AccessMode.GET).invoke(bytes, i);
                    Object w = b.toMethodHandle(VarHandle.AccessMode.GET).invoke(direct, i),
                           h = b.toMethodHandle(VarHandle.AccessMode.GET).invoke(heap, i);
                    System.out.print((v instanceof Character c ? (int) c : v)
                                     + (v.equals(w) && v.equals(h) ? "= " : "! "));
                }
                System.out.println();
            }
        }
        VarHandle ints = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN),
                  longs = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN),
                  littleInts = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
        byte[] w = new byte[16];
        ints.set(w, 0, 0x01020304);
        ints.set(w, 5, 0x0a0b0c0d);
        System.out.println(Arrays.toString(w));
        ByteBuffer d = ByteBuffer.allocateDirect(64);
        longs.set(d, 0, 0x0102030405060708L);
        longs.setVolatile(d, 8, 5L);
        System.out.println(d.get(0) + " " + (long) longs.getVolatile(d, 8) + " " + longs.compareAndSet(d, 8, 5L, 6L)
                           + (long) longs.getAndAdd(d, 8, 10L) + " " + (long) longs.getAndBitwiseXor(d, 8, 3L) + " "
                           + (long) longs.getAndSet(d, 8, -1L) + " " + (long) longs.compareAndExchange(d, 8, -1L, 100L)
                           + " " + d.getLong(8));
        littleInts.setRelease(d, 16, 0x11223344);
        System.out.println(d.get(16) + " " + (int) littleInts.getAcquire(d, 16) + " "
                           + (int) littleInts.getAndAdd(d, 16, 1) + " " + (int) littleInts.getAndBitwiseOr(d, 16, 8)
                           + " " + (int) littleInts.getOpaque(d, 16));
        t("bounds", () -> (int) ints.get(w, 13));
        t("negative", () -> (int) ints.get(w, -1));
        t("null", () -> (int) ints.get((byte[]) null, 0));
        t("misaligned", () -> (long) longs.getVolatile(d, 4));
        t("plain misaligned", () -> (long) longs.get(d, 4));
        t("read only", () -> {
            longs.set(d.asReadOnlyBuffer(), 0, 1L);
            return 0;
        });
        t("limit", () -> (long) longs.get(d.duplicate().limit(4), 0));
        t("byte view", () -> MethodHandles.byteArrayViewVarHandle(byte[].class, ByteOrder.BIG_ENDIAN));
        VarHandle floats = MethodHandles.byteBufferViewVarHandle(float[].class, ByteOrder.nativeOrder()),
                  doubles = MethodHandles.byteBufferViewVarHandle(double[].class, ByteOrder.BIG_ENDIAN);
        floats.setVolatile(d, 24, 1.5f);
        doubles.setOpaque(d, 32, 2.5);
        System.out.println((float) floats.getAcquire(d, 24) + " " + floats.compareAndSet(d, 24, 1.5f, 3f)
                           + (float) floats.getAndSet(d, 24, 0f) + " " + (double) doubles.getVolatile(d, 32)
                           + doubles.compareAndSet(d, 32, 2.5, -0.0) + Long.toHexString(d.getLong(32)));
    }
}
