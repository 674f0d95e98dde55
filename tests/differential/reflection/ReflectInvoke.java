// Method.invoke, Constructor.newInstance and Field access with every type, widening, varargs, exceptions, access
// control, inflation.
import java.lang.reflect.*;
import java.util.Arrays;

public class ReflectInvoke {
    public boolean z = true;
    public byte b = 1;
    public char c = 'c';
    public short s = 2;
    public int i = 3;
    public long l = 4;
    public float f = 5;
    public double d = 6;
    public Object o = "o";
    public int[] a = {7};
    public static boolean sz;
    public static byte sb;
    public static char sc;
    public static short ss;
    public static int si;
    public static long sl;
    public static float sf;
    public static double sd;
    public static String so;
    private final int fin = 10;
    static final int CONST = 11;
    private static final Object SFIN = "sfin";
    volatile long vol = 12;
    public static String all(boolean z, byte b, char c, short s, int i, long l, float f, double d, Object o, int[] a) {
        return "" + z + b + c + s + i + l + f + d + o + a.length;
    }
    public boolean rz() { return true; }
    public byte rb() { return -1; }
    public char rc() { return 'r'; }
    public short rs() { return -2; }
    public int ri() { return -3; }
    public long rl() { return -4; }
    public float rf() { return -5; }
    public double rd() { return -6; }
    public void rv() {}
    public Object ro() { return null; }
    private static String secret(int x) { return "secret " + x; }
    protected String virtual() { return "base"; }
    static class Sub extends ReflectInvoke {
        @Override
        protected String virtual() {
            return "sub";
        }
    }
    static String varargs(String first, Object... rest) { return first + rest.length; }
    static void thrower(int n) throws Exception {
        if (n == 0) throw new java.io.IOException("io");
        if (n == 1) throw new Error("error");
        throw new IllegalStateException("state");
    }
    private ReflectInvoke() {}
    public ReflectInvoke(int i, String... rest) { this.i = i + rest.length; }
    static int count;
    public static int counting(int x) {
        count += x;
        return count;
    }
    interface Action {
        Object run() throws Throwable;
    }
    static void t(Action a) {
        try {
            System.out.println(a.run());
        } catch (InvocationTargetException e) {
            System.out.println("target " + e.getCause() + " " + e.getMessage());
        } catch (Throwable e) {
            System.out.println(e.toString().replaceAll("@(0x)?[0-9a-f]+", "@"));
        }
    }

    public static void main(String[] args) throws Throwable {
        ReflectInvoke x = new ReflectInvoke();
        Method all =
            Arrays.stream(ReflectInvoke.class.getMethods()).filter(m -> m.getName().equals("all")).findFirst().get();
        t(() -> all.invoke(null, true, (byte) 1, 'c', (short) 2, 3, 4L, 5f, 6d, "obj", new int[2]));
        t(() -> all.invoke(null, true, (byte) 1, 'c', (byte) 2, (short) 3, 'd', 5L, 6f, null, new int[0]));
        t(() -> all.invoke(null, true, (byte) 1, 'c', (short) 2, 3L, 4L, 5f, 6d, "narrowing", new int[2]));
        t(() -> all.invoke(null, true, (byte) 1, 'c', (short) 2, null, 4L, 5f, 6d, "null", new int[2]));
        t(() -> all.invoke(null, true));
        t(() -> all.invoke(null, (Object[]) null));
        for (String n : "rz rb rc rs ri rl rf rd rv ro".split(" ")) {
            Object r = ReflectInvoke.class.getMethod(n).invoke(x);
            System.out.print(n + "=" + r + (r == null ? "" : r.getClass().getSimpleName()) + " ");
        }
        System.out.println();
        for (String n : "z b c s i l f d o a".split(" ")) {
            Field f = ReflectInvoke.class.getField(n);
            Object r = f.get(x);
            System.out.print(f.getType() + "=" + (r instanceof int[] k ? k[0] : r) + " ");
        }
        System.out.println();
        Field fz = ReflectInvoke.class.getField("z"), fi = ReflectInvoke.class.getField("i"),
              fd = ReflectInvoke.class.getField("d"), fo = ReflectInvoke.class.getField("o"),
              fl = ReflectInvoke.class.getField("l"), fb = ReflectInvoke.class.getField("b");
        fz.setBoolean(x, false);
        fi.setInt(x, 33);
        fi.setByte(x, (byte) 44);
        fi.setChar(x, 'A');
        fd.setFloat(x, 1.5f);
        fo.set(x, 99);
        fl.setInt(x, -1);
        fb.set(x, (byte) -9);
        System.out.println(x.z + " " + x.i + " " + x.d + " " + x.o + " " + x.l + " " + x.b + " " + fi.getLong(x)
                           + fi.getDouble(x) + fb.getInt(x) + fz.getBoolean(x));
        t(() -> {
            fi.set(x, 5L);
            return 0;
        });
        t(() -> {
            fi.setLong(x, 5L);
            return 0;
        });
        t(() -> fi.getShort(x));
        t(() -> fz.getInt(x));
        t(() -> {
            fz.set(x, null);
            return 0;
        });
        t(() -> fi.get(null));
        t(() -> fi.get("wrong"));
        t(() -> fo.getInt(x));
        t(() -> {
            ReflectInvoke.class.getField("a").set(x, "s");
            return 0;
        });
        Object[] statics = {true, (byte) 1, 'x', (short) 2, 3, 4L, 5f, 6d, "str"};
        String[] names = "sz sb sc ss si sl sf sd so".split(" ");
        for (int k = 0; k < names.length; k++) {
            Field f = ReflectInvoke.class.getField(names[k]);
            f.set(null, statics[k]);
            System.out.print(f.get("ignored") + " ");
        }
        System.out.println();
        Field fin = ReflectInvoke.class.getDeclaredField("fin");
        t(() -> {
            fin.setInt(x, 20);
            return 0;
        });
        fin.setAccessible(true);
        fin.setInt(x, 20);
        System.out.println(fin.getInt(x) + " " + x.fin);
        Field sfin = ReflectInvoke.class.getDeclaredField("SFIN");
        sfin.setAccessible(true);
        t(() -> {
            sfin.set(null, "changed");
            return 0;
        });
        Field vol = ReflectInvoke.class.getDeclaredField("vol");
        vol.setLong(x, 13);
        System.out.println(vol.get(x));
        Method secret = ReflectInvoke.class.getDeclaredMethod("secret", int.class);
        t(() -> secret.invoke(null, 5));
        t(() -> ReflectInvoke.class.getDeclaredMethod("virtual").invoke(new Sub()));
        t(() -> Sub.class.getDeclaredMethod("virtual").invoke(x));
        Method va = ReflectInvoke.class.getDeclaredMethod("varargs", String.class, Object[].class);
        t(() -> va.invoke(null, "a", new Object[] {1, 2}));
        t(() -> va.invoke(null, "a", 1));
        Method th = ReflectInvoke.class.getDeclaredMethod("thrower", int.class);
        for (int k = 0; k < 3; k++) {
            int kk = k;
            t(() -> th.invoke(null, kk));
        }
        Constructor<?> c = ReflectInvoke.class.getConstructor(int.class, String[].class);
        t(() -> ((ReflectInvoke) c.newInstance(5, new String[] {"a", "b"})).i);
        t(() -> c.newInstance(5));
        t(() -> Thread.State.class.getDeclaredConstructors()[0].newInstance("X", 1));
        t(() -> {
            Constructor<?> e = Thread.State.class.getDeclaredConstructors()[0];
            e.setAccessible(true);
            return e;
        });
        Method counting = ReflectInvoke.class.getMethod("counting", int.class);
        int sum = 0;
        for (int k = 0; k < 50; k++) sum += (Integer) counting.invoke(null, k);
        System.out.println(sum + " " + count);
        for (int k = 0; k < 20; k++) {
            try {
                th.invoke(null, 2);
            } catch (InvocationTargetException e) {
                count += e.getCause().getMessage().length();
            }
            if (k % 5 == 0) c.newInstance(k, new String[0]);
        }
        System.out.println(count + " " + fi.canAccess(x) + secret.canAccess(null) + " " + secret.trySetAccessible()
                           + " " + String.class.getDeclaredField("hash").trySetAccessible());
        Object arr = Array.newInstance(int.class, 2, 3);
        Array.setInt(Array.get(arr, 1), 2, 77);
        Array.setByte(Array.get(arr, 0), 0, (byte) 5);
        System.out.println(Arrays.deepToString((int[][]) arr) + Array.getLong(Array.get(arr, 1), 2)
                           + Array.getLength(arr) + Array.get(new char[] {'q'}, 0)
                           + Array.getDouble(new float[] {1.5f}, 0) + Array.newInstance(String[].class, 1).getClass());
        System.out.println(Object.class.getMethod("hashCode").invoke("abc") + " "
            + Comparable.class.getMethod("compareTo", Object.class).invoke("b", "a") + " "
            + Object.class.getMethod("toString").invoke(new int[0][]).toString().startsWith("[[I@") + " "
            + CharSequence.class.getMethod("isEmpty").invoke(""));
        System.out.println(all.equals(ReflectInvoke.class.getMethod("all", all.getParameterTypes())) + " "
                           + all.hashCode() + " " + fi.hashCode() + " " + c.hashCode());
    }
}
