// Method handles of every kind with exact and generic invocation, conversions, varargs collectors, and their errors.
import java.lang.invoke.*;
import java.util.Arrays;
import java.util.List;
import static java.lang.invoke.MethodType.methodType;

public class MethodHandleBasics {
    int field = 3;
    static long sfield = 4;
    final String fin = "final";
    private double hidden = 1.5;
    static boolean rz(boolean x) { return !x; }
    static byte rb(byte x) { return (byte) -x; }
    static char rc(char x) { return (char) (x + 1); }
    static short rs(short x) { return (short) -x; }
    static int ri(int x) { return -x; }
    static long rl(long x) { return -x; }
    static float rf(float x) { return -x; }
    static double rd(double x) { return -x; }
    static Object ro(Object x) { return "[" + x + "]"; }
    static void rv() { sfield++; }
    static String all(boolean z, byte b, char c, short s, int i, long l, float f, double d, Object o) {
        return "" + z + b + c + s + i + l + f + d + o;
    }
    private String priv(int x) { return "priv" + x + hidden; }
    public String over() { return "base"; }
    static class Sub extends MethodHandleBasics {
        public String over() { return "sub"; }
        String sup() throws Throwable {
            return (String) MethodHandles.lookup()
                .findSpecial(MethodHandleBasics.class, "over", methodType(String.class), Sub.class)
                .invokeExact(this);
        }
    }
    static String va(int n, String... s) { return n + Arrays.toString(s); }
    static int thrower(int x) throws Exception {
        if (x > 0) throw new java.io.IOException("thrown " + x);
        return x;
    }
    interface Action {
        Object run() throws Throwable;
    }
    static void t(Action a) {
        try {
            System.out.println(a.run());
        } catch (Throwable e) {
            System.out.println(e.toString().replaceAll("@(0x)?[0-9a-f]+", "@"));
        }
    }

    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup l = MethodHandles.lookup();
        Class<?> me = MethodHandleBasics.class;
        System.out.println(
            (boolean) l.findStatic(me, "rz", methodType(boolean.class, boolean.class)).invokeExact(true));
        System.out.println((byte) l.findStatic(me, "rb", methodType(byte.class, byte.class)).invokeExact((byte) 5));
        System.out.println((char) l.findStatic(me, "rc", methodType(char.class, char.class)).invokeExact('a'));
        System.out.println((short) l.findStatic(me, "rs", methodType(short.class, short.class)).invokeExact((short) 5));
        MethodHandle ri = l.findStatic(me, "ri", methodType(int.class, int.class));
        System.out.println((int) ri.invokeExact(5));
        System.out.println((long) l.findStatic(me, "rl", methodType(long.class, long.class)).invokeExact(5L));
        System.out.println((float) l.findStatic(me, "rf", methodType(float.class, float.class)).invokeExact(5f));
        System.out.println((double) l.findStatic(me, "rd", methodType(double.class, double.class)).invokeExact(5d));
        System.out.println(
            (Object) l.findStatic(me, "ro", methodType(Object.class, Object.class)).invokeExact((Object) "x"));
        l.findStatic(me, "rv", methodType(void.class)).invokeExact();
        System.out.println((long) ri.invoke((byte) 7) + " " + (Object) ri.invoke((Integer) 8) + " "
                           + (double) ri.invoke('c') + " " + ri.invokeWithArguments(9) + " "
                           + ri.asType(methodType(Object.class, Object.class)).invoke(10));
        MethodHandle all = l.findStatic(me, "all",
                                        methodType(String.class, boolean.class, byte.class, char.class, short.class,
                                                   int.class, long.class, float.class, double.class, Object.class));
        System.out.println((String) all.invokeExact(true, (byte) 1, 'c', (short) 2, 3, 4L, 5f, 6d, (Object) "o")
            + all.invoke(true, (byte) 1, 'c', (byte) 2, 'd', 4, 5L, 6f, "o")
            + all.invokeWithArguments(List.of(true, (byte) 1, 'c', (short) 2, 3, 4L, 5f, 6d, "o")));
        MethodHandleBasics x = new MethodHandleBasics(), s = new Sub();
        MethodHandle over = l.findVirtual(me, "over", methodType(String.class));
        System.out.println((String) over.invokeExact(x) + (String) over.invokeExact(s) + ((Sub) s).sup()
                           + over.bindTo(s).invoke() + l.bind(s, "over", methodType(String.class)).invoke());
        System.out.println((String) l.findVirtual(me, "priv", methodType(String.class, int.class)).invokeExact(x, 5));
        System.out.println(
            (int) l.findVirtual(CharSequence.class, "length", methodType(int.class)).invokeExact((CharSequence) "four")
            + " " + (int) l.findVirtual(List.class, "size", methodType(int.class)).invoke(List.of(1)));
        System.out.println(((StringBuilder) l.findConstructor(StringBuilder.class, methodType(void.class, String.class))
                                .invokeExact("made"))
                               .append("!"));
        MethodHandle get = l.findGetter(me, "field", int.class), set = l.findSetter(me, "field", int.class),
                     sget = l.findStaticGetter(me, "sfield", long.class),
                     sset = l.findStaticSetter(me, "sfield", long.class);
        set.invokeExact(x, 30);
        sset.invokeExact(40L);
        System.out.println((int) get.invokeExact(x) + " " + (long) sget.invokeExact() + " "
                           + (String) l.findGetter(me, "fin", String.class).invokeExact(x));
        MethodHandle va = l.findStatic(me, "va", methodType(String.class, int.class, String[].class));
        System.out.println(va.isVarargsCollector() + " " + va.invoke(1) + va.invoke(1, "a", "b")
                           + va.invoke(1, new String[] {"arr"}) + va.asFixedArity().isVarargsCollector()
                           + va.invokeWithArguments(2, "x") + (String) va.invokeExact(3, new String[0]));
        MethodHandle th = l.findStatic(me, "thrower", methodType(int.class, int.class));
        t(() -> th.invoke(1));
        t(() -> {
            int r = (int) ri.invokeExact((short) 5);
            return r;
        });
        t(() -> (Object) ri.invokeExact(5));
        t(() -> ri.invoke("string"));
        t(() -> ri.invoke());
        t(() -> ri.invoke((Object) "string"));
        t(() -> ri.invoke((Integer) null));
        t(() -> ri.invokeWithArguments(1, 2));
        t(() -> over.invoke((MethodHandleBasics) null));
        t(() -> get.invoke((MethodHandleBasics) null));
        t(() -> over.invoke((Object) "wrong"));
        t(() -> l.findStatic(me, "nothing", methodType(void.class)));
        t(() -> l.findStatic(me, "over", methodType(String.class)));
        t(() -> l.findVirtual(me, "ri", methodType(int.class, int.class)));
        t(() -> l.findGetter(me, "sfield", long.class));
        t(() -> l.findGetter(me, "field", long.class));
        t(() -> l.findSetter(me, "fin", String.class));
        t(() -> l.findConstructor(Runnable.class, methodType(void.class)));
        t(()
              -> MethodHandles.publicLookup()
                     .findVirtual(me, "priv", methodType(String.class, int.class))
                     .toString()
                     .length());
        t(() -> l.findSpecial(Object.class, "toString", methodType(String.class), String.class));
        t(() -> ri.asType(methodType(Runnable.class, int.class)));
        t(() -> l.unreflect(me.getDeclaredMethod("priv", int.class)).invoke(x, 6));
        t(() -> l.unreflectConstructor(String.class.getConstructor(char[].class)).invoke(new char[] {'u'}));
        t(() -> l.revealDirect(over));
        t(() -> l.findClass("java.util.List"));
        t(() -> l.accessClass(String.class));
        System.out.println(ri + " " + all.type().parameterCount() + " " + all.type().wrap().unwrap().erase().generic()
                           + " " + methodType(int.class, long.class).toMethodDescriptorString()
                           + MethodType.fromMethodDescriptorString("(I[Ljava/lang/String;)V", null)
                           + methodType(int.class).equals(methodType(int.class))
                           + (methodType(int.class) == methodType(int.class)));
        long sum = 0;
        for (int i = 0; i < 3000; i++) sum += (int) ri.invokeExact(i) + (int) get.invokeExact(x);
        System.out.println(sum);
    }
}
