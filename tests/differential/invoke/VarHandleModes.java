// Every access mode of VarHandles over fields, statics and array elements of every type.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

public class VarHandleModes {
    boolean z;
    byte b;
    char c;
    short s;
    int i;
    long l;
    float f;
    double d;
    String o;
    final int fin = 9;
    static boolean sz;
    static byte sb;
    static char sc;
    static short ss;
    static int si;
    static long sl;
    static float sf;
    static double sd;
    static String so;
    interface Action {
        Object run() throws Throwable;
    }
    static void t(String n, Action a) {
        try {
            System.out.println(n + " " + a.run());
        } catch (Throwable e) {
            System.out.println(n + " " + e.toString().replaceAll("@(0x)?[0-9a-f]+", "@"));
        }
    }

    static void modes(VarHandle h, String supported) {
        StringBuilder m = new StringBuilder();
        for (VarHandle.AccessMode mode : VarHandle.AccessMode.values())
            m.append(h.isAccessModeSupported(mode) ? '1' : '0');
        System.out.println(supported + " " + m + " " + h.varType() + " " + h.coordinateTypes() + " "
                           + h.accessModeType(VarHandle.AccessMode.COMPARE_AND_EXCHANGE));
    }

    static void ints(VarHandle h, Object base) {
        int[] r = new int[40];
        int k = 0;
        h.set(base, 1);
        r[k++] = (int) h.get(base);
        h.setVolatile(base, 2);
        r[k++] = (int) h.getVolatile(base);
        h.setOpaque(base, 3);
        r[k++] = (int) h.getOpaque(base);
        h.setRelease(base, 4);
        r[k++] = (int) h.getAcquire(base);
        r[k++] = h.compareAndSet(base, 4, 5) ? 1 : 0;
        r[k++] = h.compareAndSet(base, 4, 6) ? 1 : 0;
        r[k++] = (int) h.compareAndExchange(base, 5, 7);
        r[k++] = (int) h.compareAndExchange(base, 5, 8);
        r[k++] = (int) h.compareAndExchangeAcquire(base, 7, 9);
        r[k++] = (int) h.compareAndExchangeRelease(base, 9, 10);
        while (!h.weakCompareAndSet(base, 10, 11)) {}
        while (!h.weakCompareAndSetPlain(base, 11, 12)) {}
        while (!h.weakCompareAndSetAcquire(base, 12, 13)) {}
        while (!h.weakCompareAndSetRelease(base, 13, 14)) {}
        r[k++] = h.weakCompareAndSet(base, -1, 0) ? 1 : 0;
        r[k++] = (int) h.getAndSet(base, 15);
        r[k++] = (int) h.getAndSetAcquire(base, 16);
        r[k++] = (int) h.getAndSetRelease(base, 17);
        r[k++] = (int) h.getAndAdd(base, 3);
        r[k++] = (int) h.getAndAddAcquire(base, -5);
        r[k++] = (int) h.getAndAddRelease(base, 100);
        r[k++] = (int) h.getAndBitwiseOr(base, 8);
        r[k++] = (int) h.getAndBitwiseOrAcquire(base, 16);
        r[k++] = (int) h.getAndBitwiseOrRelease(base, 32);
        r[k++] = (int) h.getAndBitwiseAnd(base, ~1);
        r[k++] = (int) h.getAndBitwiseAndAcquire(base, ~2);
        r[k++] = (int) h.getAndBitwiseAndRelease(base, ~4);
        r[k++] = (int) h.getAndBitwiseXor(base, 255);
        r[k++] = (int) h.getAndBitwiseXorAcquire(base, 15);
        r[k++] = (int) h.getAndBitwiseXorRelease(base, 3);
        r[k++] = (int) h.get(base);
        System.out.println(Arrays.toString(Arrays.copyOf(r, k)));
    }

    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup l = MethodHandles.lookup();
        Class<?> me = VarHandleModes.class;
        VarHandleModes x = new VarHandleModes();
        Class<?>[] types = {boolean.class, byte.class,  char.class,   short.class, int.class,
                            long.class,    float.class, double.class, String.class};
        String[] names = {"z", "b", "c", "s", "i", "l", "f", "d", "o"};
        VarHandle[] hs = new VarHandle[9], ss2 = new VarHandle[9], as = new VarHandle[9];
        for (int k = 0; k < 9; k++) {
            modes(hs[k] = l.findVarHandle(me, names[k], types[k]), "field");
            modes(ss2[k] = l.findStaticVarHandle(me, "s" + names[k], types[k]), "static");
            modes(as[k] = MethodHandles.arrayElementVarHandle(types[k].arrayType()), "array");
        }
        modes(l.findVarHandle(me, "fin", int.class), "final");
        ints(hs[4], x);
        VarHandle H;
        H = hs[0];
        H.set(x, true);
        System.out.println((boolean) H.get(x) + " " + H.compareAndSet(x, true, false) + H.compareAndSet(x, true, false)
                           + (boolean) H.getAndSet(x, true) + (boolean) H.getAndBitwiseXor(x, true)
                           + (boolean) H.getAndBitwiseOr(x, true) + (boolean) H.getAndBitwiseAnd(x, false) + x.z
                           + (boolean) H.compareAndExchange(x, false, true));
        H = hs[1];
        H.setVolatile(x, (byte) -1);
        System.out.println((byte) H.getVolatile(x) + " " + H.compareAndSet(x, (byte) -1, (byte) 5)
                           + (byte) H.getAndAdd(x, (byte) 125) + " " + x.b + " "
                           + (byte) H.getAndBitwiseXor(x, (byte) 0x7f) + (byte) H.compareAndExchange(x, x.b, (byte) 9)
                           + x.b);
        H = hs[2];
        H.setRelease(x, 'a');
        System.out.println((char) H.getAcquire(x) + " " + H.compareAndSet(x, 'a', '\uffff')
                           + (int) (char) H.getAndAdd(x, (char) 2) + " " + (int) x.c
                           + (char) H.compareAndExchange(x, x.c, 'q') + x.c + (char) H.getAndBitwiseOr(x, 'b'));
        H = hs[3];
        H.setOpaque(x, (short) -300);
        System.out.println((short) H.getOpaque(x) + " " + H.weakCompareAndSetPlain(x, (short) 0, (short) 1)
                           + (short) H.getAndAdd(x, (short) -32700) + " " + x.s + " "
                           + (short) H.getAndBitwiseAnd(x, (short) 255)
                           + (short) H.compareAndExchange(x, x.s, (short) 3));
        H = hs[5];
        H.set(x, 1L << 40);
        System.out.println((long) H.getAndAdd(x, 1L) + " " + H.compareAndSet(x, (1L << 40) + 1, -1L)
                           + (long) H.getAndBitwiseAnd(x, 255L) + " " + (long) H.getAndSet(x, 7L)
                           + (long) H.compareAndExchange(x, 7L, 8L) + x.l + (long) H.getAndAdd(x, 2));
        H = hs[6];
        H.set(x, 1.5f);
        System.out.println((float) H.getAndAdd(x, 1f) + " " + H.compareAndSet(x, 2.5f, Float.NaN)
                           + H.compareAndSet(x, Float.NaN, -0f) + H.compareAndSet(x, 0f, 1f)
                           + (float) H.getAndSet(x, 3f) + (float) H.compareAndExchange(x, 3f, 4f) + x.f);
        H = hs[7];
        H.set(x, 1.5);
        System.out.println((double) H.getAndAdd(x, 1) + " " + H.compareAndSet(x, 2.5, Double.NaN)
                           + H.compareAndSet(x, Double.NaN, -0.0) + H.compareAndSet(x, 0.0, 1.0)
                           + (double) H.getAndSet(x, 3) + (double) H.compareAndExchange(x, 3.0, 4.0) + x.d);
        H = hs[8];
        H.set(x, "a");
        System.out.println((String) H.get(x) + H.compareAndSet(x, "a", "b") + (String) H.getAndSet(x, "c")
            + (String) H.compareAndExchange(x, "c", null) + x.o + H.weakCompareAndSet(x, null, "d"));
        for (int k = 0; k < 9; k++) {
            Object v = new Object[] {true, (byte) 1, 'x', (short) 2, 3, 4L, 5f, 6d, "st"}[k], old = null;
            VarHandle sh = ss2[k], ah = as[k];
            Object arr = java.lang.reflect.Array.newInstance(types[k], 3);
            sh.toMethodHandle(VarHandle.AccessMode.SET_VOLATILE).invoke(v);
            ah.toMethodHandle(VarHandle.AccessMode.SET_RELEASE).invoke(arr, 1, v);
            System.out.print(sh.toMethodHandle(VarHandle.AccessMode.GET_ACQUIRE).invoke() + " "
                + ah.toMethodHandle(VarHandle.AccessMode.GET_VOLATILE).invoke(arr, 1) + " "
                + ah.toMethodHandle(VarHandle.AccessMode.COMPARE_AND_SET).invoke(arr, 1, v, v) + " "
                + sh.toMethodHandle(VarHandle.AccessMode.GET_AND_SET).invoke(v) + "; ");
        }
        System.out.println();
        int[] ia = {1, 2, 3};
        VarHandle ah = as[4];
        System.out.println((int) ah.getAndAdd(ia, 1, 40) + " " + ia[1] + ah.compareAndSet(ia, 2, 3, 30)
                           + (int) ah.getVolatile(ia, 2) + (int) ah.getAndBitwiseXor(ia, 0, 6) + ia[0]);
        t("bounds", () -> (int) ah.get(ia, 3));
        t("negative", () -> {
            ah.setVolatile(ia, -1, 0);
            return 0;
        });
        t("null array", () -> (int) ah.get((int[]) null, 0));
        t("null base", () -> (int) hs[4].get((VarHandleModes) null));
        t("store", () -> {
            MethodHandles.arrayElementVarHandle(Object[].class).set((Object[]) new String[1], 0, (Object) 5);
            return 0;
        });
        t("wrong type", () -> {
            hs[4].set(x, "s");
            return 0;
        });
        t("arity", () -> {
            hs[4].set(x);
            return 0;
        });
        t("read only", () -> {
            l.findVarHandle(me, "fin", int.class).set(x, 1);
            return 0;
        });
        t("unsupported", () -> hs[6].getAndBitwiseOr(x, 1f));
        t("string add", () -> hs[8].getAndAdd(x, "s"));
        t("missing", () -> l.findVarHandle(me, "none", int.class));
        t("static as field", () -> l.findVarHandle(me, "si", int.class));
        t("type", () -> l.findVarHandle(me, "i", long.class));
        t("wrong base", () -> (int) hs[4].get((Object) "str"));
        t("exact", () -> (long) hs[4].withInvokeExactBehavior().get(x));
        t("generic", () -> (long) hs[4].withInvokeBehavior().get(x));
        VarHandle.fullFence();
        VarHandle.acquireFence();
        VarHandle.releaseFence();
        VarHandle.loadLoadFence();
        VarHandle.storeStoreFence();
        long sum = 0;
        for (int k = 0; k < 3000; k++) sum += (int) hs[4].getAndAdd(x, 1) + (int) ah.getAndAdd(ia, k % 3, 1);
        System.out.println(sum + " " + VarHandle.AccessMode.valueFromMethodName("getAndSet") + " "
                           + hs[4].describeConstable().isPresent());
    }
}
