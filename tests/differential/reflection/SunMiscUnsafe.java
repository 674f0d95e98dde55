// sun.misc.Unsafe: field offsets, gets and puts of every type, compare-and-set, raw memory, allocation without
// constructor.
import java.lang.reflect.Field;
import sun.misc.Unsafe;

public class SunMiscUnsafe {
    boolean z;
    byte b;
    char c;
    short s;
    int i = 1;
    long l = 2;
    float f;
    double d;
    Object o;
    volatile int vi;
    static int st = 7;
    SunMiscUnsafe() { i = 99; }

    public static void main(String[] args) throws Exception {
        Field theUnsafe = Unsafe.class.getDeclaredField("theUnsafe");
        theUnsafe.setAccessible(true);
        Unsafe u = (Unsafe) theUnsafe.get(null);
        SunMiscUnsafe x = (SunMiscUnsafe) u.allocateInstance(SunMiscUnsafe.class);
        System.out.println(x.i + " " + x.l);
        long[] off = new long[10];
        String[] names = "z b c s i l f d o vi".split(" ");
        for (int k = 0; k < 10; k++) off[k] = u.objectFieldOffset(SunMiscUnsafe.class.getDeclaredField(names[k]));
        java.util.Set<Long> distinct = new java.util.HashSet<>();
        for (long o : off) distinct.add(o);
        System.out.println(distinct.size());
        u.putBoolean(x, off[0], true);
        u.putByte(x, off[1], (byte) -5);
        u.putChar(x, off[2], 'u');
        u.putShort(x, off[3], (short) -300);
        u.putInt(x, off[4], 1 << 30);
        u.putLong(x, off[5], 1L << 60);
        u.putFloat(x, off[6], 1.5f);
        u.putDouble(x, off[7], 2.5);
        u.putObject(x, off[8], "obj");
        u.putIntVolatile(x, off[9], 11);
        System.out.println(x.z + " " + x.b + " " + x.c + " " + x.s + " " + x.i + " " + x.l + " " + x.f + " " + x.d + " "
                           + x.o + " " + x.vi);
        System.out.println(u.getBoolean(x, off[0]) + " " + u.getByte(x, off[1]) + " " + u.getChar(x, off[2]) + " "
                           + u.getShort(x, off[3]) + " " + u.getInt(x, off[4]) + " " + u.getLong(x, off[5]) + " "
                           + u.getFloat(x, off[6]) + " " + u.getDouble(x, off[7]) + " " + u.getObject(x, off[8]) + " "
                           + u.getIntVolatile(x, off[9]));
        System.out.println(u.compareAndSwapInt(x, off[4], 1 << 30, 5) + " " + u.compareAndSwapInt(x, off[4], 1 << 30, 6)
                           + " " + x.i + " " + u.compareAndSwapLong(x, off[5], 1L << 60, -1) + x.l + " "
                           + u.compareAndSwapObject(x, off[8], "obj", x) + (x.o == x));
        System.out.println(u.getAndAddInt(x, off[4], 10) + " " + u.getAndSetLong(x, off[5], 77) + " " + x.i + " " + x.l
                           + " " + (u.getAndSetObject(x, off[8], null) == x));
        u.putOrderedInt(x, off[4], 3);
        u.putOrderedLong(x, off[5], 4);
        u.putOrderedObject(x, off[8], "ord");
        u.loadFence();
        u.storeFence();
        u.fullFence();
        System.out.println(x.i + " " + x.l + " " + x.o);
        Field sf = SunMiscUnsafe.class.getDeclaredField("st");
        u.putInt(u.staticFieldBase(sf), u.staticFieldOffset(sf), 70);
        System.out.println(st);
        int[] a = {1, 2, 3};
        System.out.println(u.getInt(a, Unsafe.ARRAY_INT_BASE_OFFSET + 2L * Unsafe.ARRAY_INT_INDEX_SCALE) + " "
                           + u.arrayIndexScale(long[].class) + " " + u.arrayIndexScale(byte[].class) + " "
                           + u.addressSize() + " " + u.pageSize());
        byte[] bytes = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
        System.out.println(Long.toHexString(u.getLong(bytes, Unsafe.ARRAY_BYTE_BASE_OFFSET + 1L)) + " "
            + Integer.toHexString(u.getInt(bytes, Unsafe.ARRAY_BYTE_BASE_OFFSET + 3L)) + " "
            + (int) u.getChar(bytes, Unsafe.ARRAY_BYTE_BASE_OFFSET + 1L));
        long m = u.allocateMemory(64);
        u.setMemory(m, 64, (byte) 0x5a);
        u.putLong(m, 0x0102030405060708L);
        u.putInt(m + 8, -1);
        u.putDouble(m + 16, 1.25);
        u.putByte(m + 24, (byte) 9);
        u.putAddress(m + 32, m);
        System.out.println(u.getByte(m) + " " + u.getShort(m + 2) + " " + u.getInt(m + 8) + " " + u.getDouble(m + 16)
                           + " " + u.getByte(m + 25) + " " + (u.getAddress(m + 32) == m));
        m = u.reallocateMemory(m, 128);
        u.copyMemory(m, m + 64, 32);
        u.copyMemory(null, m, bytes, Unsafe.ARRAY_BYTE_BASE_OFFSET, 8);
        System.out.println(u.getDouble(m + 80) + " " + bytes[0] + bytes[7] + bytes[8]);
        u.freeMemory(m);
        try {
            u.allocateInstance(Runnable.class);
        } catch (InstantiationException e) {
            System.out.println(e.getMessage());
        }
        try {
            u.objectFieldOffset(String.class.getDeclaredField("CASE_INSENSITIVE_ORDER"));
        } catch (IllegalArgumentException e) {
            System.out.println("static field");
        }
        try {
            u.throwException(new java.io.IOException("sneaky"));
        } catch (Exception e) {
            System.out.println(e.getMessage());
        }
        Thread t = new Thread(() -> u.park(false, 0));
        t.start();
        while (t.getState() != Thread.State.WAITING) Thread.onSpinWait();
        u.unpark(t);
        t.join();
        u.park(true, 1);
        System.out.println("unparked");
    }
}
