// Accesses by Unsafe, in loops that an optimising compiler takes: every type and mode, to fields, static fields,
// array elements and memory elsewhere, with offsets that are constant, scaled and neither; what is stored is narrowed,
// what is loaded extended. Then variable handles, which come down to them.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import jdk.internal.misc.Unsafe;

public class OptimisedUnsafe {
    static final Unsafe U = Unsafe.getUnsafe();
    static final int TURNS = 3200;
    static final long[] VALUES = {0, 1, -1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffffL, 0x80000000L,
                                  0x123456789abcdefL, Long.MIN_VALUE, Long.MAX_VALUE};

    static class Fields {
        boolean z; byte b; short s; char c; int i; long j; float f; double d; Object o = "o";
        volatile int vi; volatile long vj; volatile Object vo;
        static int si; static long sj; static Object so = "so";
    }
    static long at(Class<?> c, String name) { return U.objectFieldOffset(c, name); }
    static final long Z = at(Fields.class, "z"), B = at(Fields.class, "b"), S = at(Fields.class, "s"),
                      C = at(Fields.class, "c"), I = at(Fields.class, "i"), J = at(Fields.class, "j"),
                      F = at(Fields.class, "f"), D = at(Fields.class, "d"), O = at(Fields.class, "o");

    static long mix(long h, long v) { return h * 31 + v; }
    static long mix(long h, float v) { return h * 31 + Float.floatToRawIntBits(v); }
    static long mix(long h, double v) { return h * 31 + Double.doubleToRawLongBits(v); }

    // ---- fields ----------------------------------------------------------------------------------------------------

    static long plain(Fields x, long[] v) {
        long h = 1;
        for (int i = 0; i < v.length; i++) {
            U.putBoolean(x, Z, (v[i] & 1) != 0); h = mix(h, U.getBoolean(x, Z) ? 1 : 0); h = mix(h, x.z ? 1 : 0);
            U.putByte(x, B, (byte) v[i]); h = mix(h, U.getByte(x, B)); h = mix(h, x.b);
            U.putShort(x, S, (short) v[i]); h = mix(h, U.getShort(x, S)); h = mix(h, x.s);
            U.putChar(x, C, (char) v[i]); h = mix(h, U.getChar(x, C)); h = mix(h, x.c);
            U.putInt(x, I, (int) v[i]); h = mix(h, U.getInt(x, I)); h = mix(h, x.i);
            U.putLong(x, J, v[i]); h = mix(h, U.getLong(x, J)); h = mix(h, x.j);
            U.putFloat(x, F, v[i] * 0.5f); h = mix(h, U.getFloat(x, F)); h = mix(h, x.f);
            U.putDouble(x, D, v[i] * 0.5); h = mix(h, U.getDouble(x, D)); h = mix(h, x.d);
            U.putReference(x, O, i % 3 == 0 ? null : VALUES); h = mix(h, U.getReference(x, O) == null ? 1 : 0);
        }
        return h;
    }
    static long strong(Fields x, long[] v) {
        long h = 1;
        for (int i = 0; i < v.length; i++) {
            U.putBooleanVolatile(x, Z, (v[i] & 1) != 0); h = mix(h, U.getBooleanVolatile(x, Z) ? 1 : 0);
            U.putByteVolatile(x, B, (byte) v[i]); h = mix(h, U.getByteVolatile(x, B)); h = mix(h, x.b);
            U.putShortVolatile(x, S, (short) v[i]); h = mix(h, U.getShortVolatile(x, S)); h = mix(h, x.s);
            U.putCharVolatile(x, C, (char) v[i]); h = mix(h, U.getCharVolatile(x, C)); h = mix(h, x.c);
            U.putIntVolatile(x, I, (int) v[i]); h = mix(h, U.getIntVolatile(x, I)); h = mix(h, x.i);
            U.putLongVolatile(x, J, v[i]); h = mix(h, U.getLongVolatile(x, J)); h = mix(h, x.j);
            U.putFloatVolatile(x, F, v[i] * 0.5f); h = mix(h, U.getFloatVolatile(x, F)); h = mix(h, x.f);
            U.putDoubleVolatile(x, D, v[i] * 0.5); h = mix(h, U.getDoubleVolatile(x, D)); h = mix(h, x.d);
            U.putReferenceVolatile(x, O, i % 3 == 0 ? null : VALUES);
            h = mix(h, U.getReferenceVolatile(x, O) == VALUES ? 1 : 0);
        }
        return h;
    }
    static long between(Fields x, long[] v) {
        long h = 1;
        for (int i = 0; i < v.length; i++) {
            U.putByteRelease(x, B, (byte) v[i]); h = mix(h, U.getByteAcquire(x, B)); h = mix(h, x.b);
            U.putShortOpaque(x, S, (short) v[i]); h = mix(h, U.getShortOpaque(x, S));
            U.putCharRelease(x, C, (char) v[i]); h = mix(h, U.getCharAcquire(x, C));
            U.putIntRelease(x, I, (int) v[i]); h = mix(h, U.getIntAcquire(x, I)); h = mix(h, x.i);
            U.putIntOpaque(x, I, (int) v[i] + 1); h = mix(h, U.getIntOpaque(x, I)); h = mix(h, x.i);
            U.putLongRelease(x, J, v[i]); h = mix(h, U.getLongAcquire(x, J)); h = mix(h, x.j);
            U.putFloatRelease(x, F, v[i] * 0.25f); h = mix(h, U.getFloatAcquire(x, F));
            U.putDoubleOpaque(x, D, v[i] * 0.25); h = mix(h, U.getDoubleOpaque(x, D));
            U.putReferenceRelease(x, O, VALUES); h = mix(h, U.getReferenceAcquire(x, O) == VALUES ? 1 : 0);
            U.loadFence(); U.storeFence(); U.fullFence(); U.loadLoadFence(); U.storeStoreFence();
            h = mix(h, x.i);
        }
        return h;
    }
    static long exchanges(Fields x, long[] v) {
        long h = 1;
        x.i = 0; x.j = 0; x.o = null;
        for (int i = 0; i < v.length; i++)
            for (int k = 0; k < v.length; k++) {
                h = mix(h, U.compareAndSetInt(x, I, (int) v[i], (int) v[k]) ? 1 : 0); h = mix(h, x.i);
                h = mix(h, U.compareAndExchangeInt(x, I, (int) v[k], (int) v[i])); h = mix(h, x.i);
                h = mix(h, U.weakCompareAndSetIntPlain(x, I, x.i, k) ? 1 : 0); h = mix(h, x.i);
                h = mix(h, U.compareAndSetLong(x, J, v[i], v[k]) ? 1 : 0); h = mix(h, x.j);
                h = mix(h, U.compareAndExchangeLong(x, J, v[k], v[i])); h = mix(h, x.j);
                h = mix(h, U.weakCompareAndSetLongAcquire(x, J, x.j, v[k]) ? 1 : 0); h = mix(h, x.j);
                h = mix(h, U.compareAndSetReference(x, O, null, VALUES) ? 1 : 0); h = mix(h, x.o == null ? 1 : 0);
                h = mix(h, U.compareAndExchangeReference(x, O, VALUES, x) == VALUES ? 1 : 0);
                h = mix(h, x.o == x ? 1 : 0);
                h = mix(h, U.compareAndExchangeReference(x, O, VALUES, null) == x ? 1 : 0);
                h = mix(h, U.weakCompareAndSetReferenceRelease(x, O, x, null) ? 1 : 0); h = mix(h, x.o == null ? 1 : 0);
            }
        return h;
    }
    static long adds(Fields x, long[] v) {
        long h = 1;
        x.i = 5; x.j = 6; x.b = 7; x.s = 8;
        for (int i = 0; i < v.length; i++) {
            h = mix(h, U.getAndAddInt(x, I, (int) v[i])); h = mix(h, x.i);
            h = mix(h, U.getAndSetInt(x, I, i)); h = mix(h, U.getAndBitwiseOrInt(x, I, (int) v[i]));
            h = mix(h, U.getAndAddLong(x, J, v[i])); h = mix(h, U.getAndSetLongAcquire(x, J, i)); h = mix(h, x.j);
            h = mix(h, U.getAndAddByte(x, B, (byte) v[i])); h = mix(h, x.b);
            h = mix(h, U.getAndSetShort(x, S, (short) v[i])); h = mix(h, x.s);
            h = mix(h, U.compareAndSetByte(x, B, (byte) v[i], (byte) i) ? 1 : 0); h = mix(h, x.b);
            h = mix(h, U.getAndSetReference(x, O, x) == null ? 1 : 0);
        }
        return h;
    }

    // ---- where no access may move over another ---------------------------------------------------------------------

    // What a field holds is known before, and not any more behind, what has no name.
    static int aliases(Fields x, Fields y, int n) {
        int h = 1;
        for (int i = 0; i < n; i++) {
            x.i = i;
            U.putInt(y, I, i + 7);
            h = h * 31 + x.i;
            h = h * 31 + U.getInt(x, I);
            y.i = i * 3;
            h = h * 31 + U.getInt(x, I) + x.i;
        }
        return h;
    }
    static int elements(int[] a, int n) {
        int h = 1;
        long base = Unsafe.ARRAY_INT_BASE_OFFSET;
        for (int i = 0; i < n; i++) {
            a[2] = i;
            U.putInt(a, base + 8, i ^ 5);
            h = h * 31 + a[2];
            U.compareAndSetInt(a, base + 8, i ^ 5, i);
            h = h * 31 + a[2];
            a[2] += 3;
            h = h * 31 + U.getInt(a, base + 8);
        }
        return h;
    }
    // The value at the loop's begin is not that of each turn.
    static int changing(Fields x, int n) {
        int h = 0;
        for (int i = 0; i < n; i++) {
            int before = U.getInt(x, I), again = x.i;
            h = h * 31 + before + again;
            U.putInt(x, I, before + i);
        }
        return h;
    }
    // The offset is one only where the branch has gone.
    static int guarded(int[] a, long[] offsets, int n) {
        int h = 0;
        for (int i = 0; i < n; i++) {
            long at = offsets[i % offsets.length];
            if (at != Long.MIN_VALUE) h = h * 31 + U.getInt(a, at);
        }
        return h;
    }
    // Where it does not go there is nothing at that offset.
    static int never(int[] a, long at, boolean goes, int n) {
        int h = 0;
        for (int i = 0; i < n; i++) {
            h += U.getInt(a, 16);
            if (goes) h = h * 31 + U.getInt(a, at);
        }
        return h;
    }
    // A new object that nobody knows but Unsafe.
    static int fresh(int n) {
        int h = 0;
        for (int i = 0; i < n; i++) {
            Fields x = new Fields();
            U.putInt(x, I, i);
            x.j = i * 3L;
            h = h * 31 + x.i + (int) U.getLong(x, J);
            if (U.compareAndSetReference(x, O, "o", x)) h += x.o == x ? 5 : 6;
        }
        return h;
    }
    static int unused(Fields x, int n) {
        int h = 0;
        for (int i = 0; i < n; i++) {
            U.getInt(x, I);
            U.getLongVolatile(x, J);
            U.compareAndSetInt(x, I, i, i + 1);
            h += x.i;
        }
        return h;
    }

    // ---- places ----------------------------------------------------------------------------------------------------

    static long arrays(byte[] b, short[] s, int[] a, long[] l, Object[] o, int n) {
        long h = 1;
        for (int i = 0; i < n; i++) {
            int k = i % a.length;
            U.putByte(b, Unsafe.ARRAY_BYTE_BASE_OFFSET + (long) k, (byte) (i * 7));
            h = mix(h, U.getByte(b, (long) k + Unsafe.ARRAY_BYTE_BASE_OFFSET));
            U.putShort(s, Unsafe.ARRAY_SHORT_BASE_OFFSET + ((long) k << 1), (short) (i * 777));
            h = mix(h, U.getShort(s, ((long) k << 1) + Unsafe.ARRAY_SHORT_BASE_OFFSET));
            U.putInt(a, ((long) k << 2) + 16, i * 77777);
            h = mix(h, U.getInt(a, ((long) k << 2) + 16) + a[k]);
            U.putLong(l, 16 + ((long) k << 3), i * 7777777777L);
            h = mix(h, U.getLong(l, 16 + ((long) k << 3)) + l[k]);
            U.putReferenceRelease(o, Unsafe.ARRAY_OBJECT_BASE_OFFSET + (long) k * Unsafe.ARRAY_OBJECT_INDEX_SCALE, a);
            h = mix(h, o[k] == a ? 1 : 0);
            h = mix(h, U.compareAndSetReference(o, Unsafe.ARRAY_OBJECT_BASE_OFFSET
                                                   + (long) k * Unsafe.ARRAY_OBJECT_INDEX_SCALE, a, b) ? 1 : 0);
            h = mix(h, U.getInt(b, 16 + (k & 3)));               // not aligned
            h = mix(h, U.getLong(b, 16L + (k & 7)));
        }
        return h;
    }
    static long memory(long address, int n) {
        long h = 1;
        for (int i = 0; i < n; i++) {
            U.putLong(address, i * 0x123456789abcdL); h = mix(h, U.getInt(address + 4));
            U.putByte(null, address + 8 + (i & 7), (byte) i); h = mix(h, U.getLong(address + 8));
            U.putShort(address + 16, (short) i); U.putChar(address + 18, (char) -i); h = mix(h, U.getInt(address + 16));
            U.putFloat(address + 24, i * 0.5f); h = mix(h, U.getFloat(address + 24));
            U.putDouble(address + 32, i * 0.25); h = mix(h, U.getDouble(null, address + 32));
            h = mix(h, U.compareAndSetInt(null, address, (int) (i * 0x123456789abcdL), 4) ? 1 : 0);
            h = mix(h, U.getAndAddLong(null, address, 3)); h = mix(h, U.getLongVolatile(null, address));
        }
        return h;
    }
    // Here it is an object, there none.
    static long either(Object[] bases, long[] offsets, int n) {
        long h = 1;
        for (int i = 0; i < n; i++) {
            Object base = bases[i & 1];
            long at = offsets[i & 1];
            U.putInt(base, at, i); h = mix(h, U.getInt(base, at));
            h = mix(h, U.compareAndExchangeInt(base, at, i, i + 1)); h = mix(h, U.getShort(base, at));
        }
        return h;
    }
    static long statics(Object base, long i, long j, long o, int n) {
        long h = 1;
        for (int k = 0; k < n; k++) {
            U.putInt(base, i, k); h = mix(h, Fields.si);
            U.putLongVolatile(base, j, k * 3L); h = mix(h, Fields.sj);
            U.putReference(base, o, base); h = mix(h, Fields.so == base ? 1 : 0);
            h = mix(h, U.compareAndSetReference(base, o, base, null) ? 1 : 0); h = mix(h, Fields.so == null ? 1 : 0);
        }
        return h;
    }
    // Bytes that no boolean has, and values that are wider than the field.
    static long bytes(byte[] b, int n) {
        long h = 1;
        for (int i = 0; i < n; i++) {
            U.putByte(b, 16, (byte) i);
            h = mix(h, U.getByte(b, 16)); h = mix(h, U.getChar(b, 16)); h = mix(h, U.getShort(b, 16));
            U.putChar(b, 18, (char) (i * 12345)); h = mix(h, U.getShort(b, 18)); h = mix(h, U.getByte(b, 19));
        }
        return h;
    }
    // More values than there are registers.
    static long dense(Fields x, long a, long b, long c, long d, long e, long f, long g, long p, long q, int n) {
        long h = 1;
        for (int i = 0; i < n; i++) {
            U.putLong(x, J, a + i);
            a = b ^ U.getLong(x, J); b = c + i; c = d * 3; d = e - a; e = f + b; f = g ^ c; g = p + d; p = q + e; q = a;
            if (U.compareAndSetLong(x, J, a ^ c, f)) h++;
            h = mix(h, U.compareAndExchangeLong(x, J, U.getLong(x, J), g + p)); h = mix(h, x.j + q);
            U.putDouble(x, D, a * 0.5); h = mix(h, U.getDouble(x, D));
        }
        return h + a + b + c + d + e + f + g + p + q;
    }
    static int nulls(Unsafe[] unsafes, Fields x, int n) {
        int caught = 0;
        for (int i = 0; i < n; i++)
            try {
                caught += unsafes[i % 5 == 4 ? 1 : 0].getInt(x, I) & 1;
            } catch (NullPointerException e) {
                caught += 100;
            }
        return caught;
    }
    // Old objects, each stored to in one way, and new ones, in sight of the collector.
    static int collected(Object[] old, Object[] exchanged, Object[] last, int n) {
        int h = 0;
        for (int i = 0; i < n; i++) {
            long at = Unsafe.ARRAY_OBJECT_BASE_OFFSET + (long) (i % old.length) * Unsafe.ARRAY_OBJECT_INDEX_SCALE;
            int[] fresh = {i, i + 1};
            Object was = U.getReferenceAcquire(exchanged, at);
            U.putReference(old, at, fresh);
            if (U.compareAndSetReference(exchanged, at, was, fresh)) h++;
            Object before = U.compareAndExchangeReference(last, at, U.getReference(last, at), new int[] {i + 2});
            if (was != null) h = h * 31 + ((int[]) was)[1] + ((int[]) before)[0];
        }
        return h;
    }

    // ---- variable handles ------------------------------------------------------------------------------------------

    static final VarHandle VI, VJ, VO, VB, VF, SI, SO, INTS, REFS, LITTLE, BIG, WIDE;
    static {
        try {
            MethodHandles.Lookup l = MethodHandles.lookup();
            VI = l.findVarHandle(Fields.class, "vi", int.class);
            VJ = l.findVarHandle(Fields.class, "vj", long.class);
            VO = l.findVarHandle(Fields.class, "vo", Object.class);
            VB = l.findVarHandle(Fields.class, "b", byte.class);
            VF = l.findVarHandle(Fields.class, "f", float.class);
            SI = l.findStaticVarHandle(Fields.class, "si", int.class);
            SO = l.findStaticVarHandle(Fields.class, "so", Object.class);
            INTS = MethodHandles.arrayElementVarHandle(int[].class);
            REFS = MethodHandles.arrayElementVarHandle(Object[].class);
            LITTLE = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
            BIG = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
            WIDE = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }
    static long handles(Fields x, int[] a, Object[] o, byte[] b, int n) {
        long h = 1;
        for (int i = 0; i < n; i++) {
            VI.set(x, i); h = mix(h, (int) VI.getVolatile(x));
            VI.setRelease(x, i + 1); h = mix(h, (int) VI.getAcquire(x));
            VI.setOpaque(x, i - 1); h = mix(h, (int) VI.getOpaque(x));
            VI.setVolatile(x, i); h = mix(h, (int) VI.get(x));
            h = mix(h, VI.compareAndSet(x, i, 3) ? 1 : 0); h = mix(h, (int) VI.compareAndExchange(x, 3, 4));
            h = mix(h, VI.weakCompareAndSetPlain(x, 4, 5) ? 1 : 0); h = mix(h, (int) VI.getAndAdd(x, 6));
            h = mix(h, (int) VI.getAndSet(x, 7)); h = mix(h, (int) VI.getAndBitwiseXor(x, i));
            VJ.setVolatile(x, i * 5L); h = mix(h, (long) VJ.getAndAdd(x, 1L << 40)); h = mix(h, (long) VJ.get(x));
            VO.set(x, a); h = mix(h, VO.compareAndSet(x, a, b) ? 1 : 0); h = mix(h, VO.getAcquire(x) == b ? 1 : 0);
            h = mix(h, (Object) VO.getAndSet(x, x) == b ? 1 : 0);
            VB.set(x, (byte) i); h = mix(h, (byte) VB.getAndAdd(x, (byte) 100)); h = mix(h, (byte) VB.getVolatile(x));
            VF.setRelease(x, i * 0.5f); h = mix(h, (float) VF.getAndAdd(x, 0.25f)); h = mix(h, (float) VF.get(x));
            SI.set(i); h = mix(h, (int) SI.getAndAdd(2)); SO.setVolatile((Object) a); h = mix(h, SO.get() == a ? 1 : 0);
            INTS.setVolatile(a, i % a.length, i); h = mix(h, (int) INTS.getAndAdd(a, i % a.length, 9));
            REFS.setRelease(o, i % o.length, (Object) b); h = mix(h, REFS.getAcquire(o, i % o.length) == b ? 1 : 0);
            h = mix(h, REFS.compareAndSet(o, i % o.length, (Object) b, (Object) a) ? 1 : 0);
            LITTLE.set(b, i % 9, i * 77777); h = mix(h, (int) BIG.get(b, i % 9));
            h = mix(h, (int) LITTLE.get(b, i % 9));
            BIG.set(b, i % 5, i * 1234567); h = mix(h, (int) LITTLE.get(b, i % 5));
            WIDE.set(b, i % 7, i * 0x1234567890abL); h = mix(h, (long) WIDE.get(b, i % 7));
        }
        return h;
    }

    public static void main(String[] args) throws Exception {
        Fields x = new Fields(), y = new Fields();
        int[] ints = new int[16];
        Object[] refs = new Object[16];
        byte[] bytes = new byte[64];
        long address = U.allocateMemory(64);
        U.setMemory(address, 64, (byte) 0);
        Object base = U.staticFieldBase(Fields.class.getDeclaredField("si"));
        long si = U.staticFieldOffset(Fields.class.getDeclaredField("si")),
             sj = U.staticFieldOffset(Fields.class.getDeclaredField("sj")),
             so = U.staticFieldOffset(Fields.class.getDeclaredField("so"));
        Object[] bases = {ints, null};
        long[] offsets = {16 + 12, address + 40}, some = {16, Long.MIN_VALUE, 24, Long.MIN_VALUE};
        Unsafe[] unsafes = {U, null};
        long h = 0;
        for (int turn = 0; turn < TURNS; turn++) {
            h = mix(h, plain(x, VALUES)); h = mix(h, strong(x, VALUES)); h = mix(h, between(x, VALUES));
            h = mix(h, exchanges(x, VALUES)); h = mix(h, adds(x, VALUES));
            h = mix(h, aliases(x, x, 40)); h = mix(h, aliases(x, y, 40)); h = mix(h, elements(ints, 40));
            h = mix(h, changing(x, 40)); h = mix(h, guarded(ints, some, 40)); h = mix(h, fresh(40));
            h = mix(h, never(ints, 24, true, 40)); h = mix(h, never(ints, 1L << 45, false, 40));
            h = mix(h, unused(x, 40));
            h = mix(h, arrays(bytes, new short[16], ints, new long[16], refs, 40));
            h = mix(h, memory(address, 40)); h = mix(h, either(bases, offsets, 40));
            h = mix(h, statics(base, si, sj, so, 40));
            h = mix(h, bytes(bytes, 300));
            h = mix(h, dense(x, 1, 2, 3, 4, 5, 6, 7, 8, 9, 40)); h = mix(h, nulls(unsafes, x, 40));
            h = mix(h, handles(x, ints, refs, bytes, 40));
            if (turn % 400 == 0)
                System.out.println(turn + " " + h + " " + Arrays.hashCode(ints) + " " + Arrays.hashCode(bytes));
        }
        Object[] old = new Object[256], exchanged = new Object[256], last = new Object[256];
        for (int i = 0; i < 20; i++) {
            h = mix(h, collected(old, exchanged, last, 5000));
            if (i % 5 == 0) System.gc();
        }
        U.freeMemory(address);
        System.out.println(h);
    }
}
