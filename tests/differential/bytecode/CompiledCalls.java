// Calls of every kind out of methods that do little else: each instruction, each type of argument and result, up to 255
// slots of arguments, arguments that wait on the operand stack meanwhile, and calls that resolve, initialise, link or
// fail first. Everything runs several times: what is resolved the first time is done otherwise later.
import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import java.util.function.LongBinaryOperator;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

public class CompiledCalls {
    static final int ROUNDS = 3;
    static final int P = ClassAssembler.PUBLIC, S = ClassAssembler.PUBLIC | ClassAssembler.STATIC,
                     IFACE = P | ClassAssembler.INTERFACE | ClassAssembler.ABSTRACT;

    public static long mix(long h, long v) { return (h ^ v) * 0x9e3779b97f4a7c15L + (h >>> 29); }
    public static long mix(long h, int v) { return mix(h, v * 31L); }
    public static long mix(long h, float v) { return mix(h, Float.floatToIntBits(v)); }
    public static long mix(long h, double v) { return mix(h, Double.doubleToLongBits(v)); }
    public static long mix(long h, Object v) { return mix(h, v == null ? 17 : v.hashCode()); }

    // ---- every kind of call

    interface Shape {
        int area(int n);
        default int twice(int n) { return area(n) * 2 + inner(n) + unit(); }
        default String name() { return "shape " + area(1); }
        private int inner(int n) { return n ^ 5; }
        static int unit() { return Hidden.unit(7); }
        class Hidden { private static int unit(int n) { return n + 4; } }
    }
    interface Titled { default String name() { return "titled"; } }
    static class Square implements Shape {
        final int side;
        Square(int side) { this.side = side; }
        public int area(int n) { return side * n; }
        private int own(int n) { return side - n; }
        protected int over(int n) { return own(n) + last(n); }
        final int last(int n) { return n * 3; }
    }
    static class Rhomb extends Square {
        Rhomb(int side) { super(side + 1); }
        private int own(int n) { return side + 100 * n; }
        @Override protected int over(int n) { return super.over(n) + own(n) + super.area(n); }
        @Override public int area(int n) { return super.area(n) + 1; }
    }
    static class Both extends Rhomb implements Titled {
        Both() { this(5); }
        private Both(int n) { super(n); }
        @Override public String name() { return super.name() + Titled.super.name(); }
        @Override public int twice(int n) { return super.twice(n) + 1; }
        @Override public String toString() { return "both"; }
    }
    static class Neither implements Shape, Titled {
        public int area(int n) { return 1 - n; }
        public String name() { return Titled.super.name() + Shape.super.name(); }
    }
    static int viaInterface(Shape s, int n) { return s.area(n) + s.twice(n + 1) + s.name().length(); }
    static int viaClass(Square s, int n) { return s.over(n) + s.last(n) + s.own(n) + s.area(n) + s.twice(n); }
    static String asObject(Shape s) {
        return s.getClass().getName() + s.equals(s) + (s.hashCode() == ((Object) s).hashCode())
               + s.toString().equals(String.valueOf(s));
    }
    static void kinds() {
        Square[] all = {new Square(2), new Rhomb(3), new Both()};
        Neither other = new Neither();
        for (int round = 0; round < ROUNDS; round++) {
            for (Square s : all)
                System.out.println(viaInterface(s, round) + " " + viaClass(s, round) + " " + asObject(s));
            System.out.println(viaInterface(other, round) + " " + other.name() + asObject(other));
        }
    }

    // ---- many receivers at one place; a receiver whose class is loaded only when the call has been made often

    static abstract class Base implements IntUnaryOperator {
        abstract int pick(int n);
        int kept(int n) { return n + 1; }
    }
    static class M0 extends Base { int pick(int n) { return n; } public int applyAsInt(int n) { return n - 1; } }
    static class M1 extends Base { int pick(int n) { return n * 2; } public int applyAsInt(int n) { return -n; } }
    static class M2 extends M1 { int pick(int n) { return n * 3; } int kept(int n) { return n + 2; } }
    static class M3 extends M2 { public int applyAsInt(int n) { return n * 7; } }
    static class M4 extends M0 { int pick(int n) { return super.pick(n) + 4; } }
    static class M5 extends M4 { int kept(int n) { return super.kept(n) * 5; } }
    static class Late extends M0 { int pick(int n) { return 1000; } int kept(int n) { return 2000; } }
    static long receivers(Base[] of, int times) {
        long h = 1;
        for (int i = 0; i < times; i++) {
            Base b = of[i % of.length];
            h = mix(h, b.pick(i) + b.kept(b.applyAsInt(i)));
        }
        return h;
    }
    static void dispatch() {
        M0 only = new M0();
        System.out.println(receivers(new Base[] {only}, 300));
        System.out.println(receivers(new Base[] {only, new M1()}, 300));
        System.out.println(receivers(new Base[] {new M3(), new M1(), new M2(), only, new M5(), new M4()}, 600));
        System.out.println(receivers(new Base[] {new Late(), only}, 300));
    }

    // ---- arguments on the operand stack while others are computed

    static int i3(int a, int b, int c) { return a * 100 + b * 10 + c; }
    static long j3(long a, int b, long c) { return a * 31 + b - c; }
    static double d3(double a, long b, float c) { return a / 3 + b - c; }
    static float f3(float a, double b, int c) { return (float) (a - b * c); }
    static String o3(Object a, int b, Object c) { return a + "," + b + "," + c; }
    static void none() { }
    static int nested(int a, int b, int c, int d) {
        return i3(a, i3(b, i3(c, d, a), i3(d, c, b)), i3(i3(a, b, c), d, i3(a, i3(b, c, d), a)));
    }
    static long mixed(int a, long b, double c, float d) {
        return j3(b, i3(a, (int) j3(b, a, (long) d3(c, b, d)), a), (long) d3(c, j3(b, a, b), f3(d, c, a)))
               + (long) (a + b * d3(c + f3(d, c + d3(c, b, d), a), b - j3(b, a, b), d - f3(d, c, a)));
    }
    static String strings(String a, int b) {
        return o3(o3(a, b, a), i3(b, b, b), o3(a.concat("x"), a.length() + i3(1, b, 2), o3(null, -b, a.trim())));
    }
    static int arrays(int[] a, int i) {
        a[i3(0, 0, i)] = i3(a[i], a[i + 1] += i3(0, i, i), a[i]);
        a[i]++;
        return a[i] + i3(a[0], a[1], a.length);
    }
    static int locals(int a, long b, Object c, double d) {
        int e = i3(a, a + 1, a + 2);
        none();
        long f = j3(b, e, b);
        String g = o3(c, e, c);
        double h = d3(d, f, 1.5f);
        none();
        a = i3(e, a, e); b = j3(f, a, b); c = o3(g, a, c); d = d3(h, b, a);
        none();
        return e + (int) f + g.length() + (int) h + a + (int) b + c.hashCode() + (int) d;
    }
    static void operands() {
        int[] a = new int[5];
        for (int round = 0; round < ROUNDS; round++)
            System.out.println(nested(1 + round, 2, 3, 4) + " " + mixed(round, 10000000000L + round, 2.5, 0.25f) + " "
                               + strings(" s ", round) + " " + arrays(a, round) + " "
                               + locals(round, 7L << 33, "c", -1.25));
    }

    // ---- every type in and out

    static boolean z(boolean v) { return !v; }
    static byte b(byte v) { return (byte) (v + 1); }
    static char c(char v) { return (char) (v + 1); }
    static short s(short v) { return (short) (v + 1); }
    static int i(int v) { return v + 1; }
    static long j(long v) { return v + 1; }
    static float f(float v) { return v + 1; }
    static double d(double v) { return v + 1; }
    static String o(String v) { return v; }
    static int[] a(int... v) { return v; }
    boolean vz(long x, boolean v) { return !v; }
    byte vb(long x, byte v) { return (byte) (v - x); }
    char vc(long x, char v) { return (char) (v - x); }
    short vs(long x, short v) { return (short) (v - x); }
    int vi(long x, int v) { return (int) (v - x); }
    long vj(long x, long v) { return v - x; }
    float vf(long x, float v) { return v - x; }
    double vd(long x, double v) { return v - x; }
    static long all(CompiledCalls self, int n) {
        long h = n;
        h = mix(h, (z(n > 0) ? 1 : 2) + b((byte) n) + c((char) n) + s((short) n) + i(n));
        h = mix(h, j(n * 10000000000L));
        h = mix(h, f(n / 3f));
        h = mix(h, d(n / 3.0));
        h = mix(h, o("x" + n));
        h = mix(h, a().length + a(n).length + a(n, n)[1]);
        h = mix(h, (self.vz(n, n > 0) ? 1 : 2) + self.vb(n, (byte) n) + self.vc(n, (char) 5) + self.vs(n, (short) -n));
        return mix(mix(mix(mix(h, self.vi(n, 2)), self.vj(n, 1L << 40)), self.vf(n, 0.1f)), self.vd(n, 1e300));
    }
    static String plain(Object o) { return "=" + (o instanceof Character ? (int) (char) o : o); }
    /* results that are wider than their type, as only crafted code returns them */
    static void narrowed() throws Throwable {
        ClassAssembler c = new ClassAssembler(52, "Narrow").constructor(P);
        for (char t : "ZBCSI".toCharArray())
            c.method(S, "to" + t, "(I)" + t, 1, 1, "iload_0\n ireturn")
                .method(P, "v" + t, "(JI)" + t, 1, 4, "iload_3\n ireturn")
                .method(S, "as" + t, "(I)I", 5, 1,
                        "sipush 1000\n iload_0\n invokestatic Narrow.to" + t + " (I)" + t
                            + "\n iadd\n new Narrow\n dup\n invokespecial Narrow.<init> ()V\n lconst_1\n iload_0\n"
                            + "invokevirtual Narrow.v" + t + " (JI)" + t + "\n iadd\n ireturn");
        Class<?> k = ClassAssembler.load(c);
        int[] values = {0, 1, 2, 3, -1, 127, 128, 255, 256, 32768, 65535, 65537, 0x12345678, Integer.MIN_VALUE};
        for (char t : "ZBCSI".toCharArray()) {
            Method m = k.getMethod("as" + t, int.class), to = k.getMethod("to" + t, int.class);
            MethodHandle h = MethodHandles.publicLookup().unreflect(to);
            StringBuilder line = new StringBuilder().append(t);
            for (int v : values) line.append(' ').append(m.invoke(null, v)).append(plain(to.invoke(null, v)));
            System.out.println(line + plain(h.invoke(3)) + plain(h.invoke(0x18180)));
        }
    }
    static void types() throws Throwable {
        CompiledCalls self = new CompiledCalls();
        for (int round = 0; round < ROUNDS; round++)
            System.out.println(all(self, round) + " " + all(self, -1 - round) + " " + all(self, 40000 * round));
        narrowed();
    }

    // ---- as many arguments as there may be

    static String descriptor(String pattern, int slots) {
        StringBuilder d = new StringBuilder("(");
        for (int at = 0, n = 0; at < slots; n++) {
            char t = pattern.charAt(n % pattern.length());
            if (at + 1 == slots && (t == 'J' || t == 'D')) t = 'I';
            d.append(t == 'O' ? "Ljava/lang/Object;" : String.valueOf(t));
            at += t == 'J' || t == 'D' ? 2 : 1;
        }
        return d.append(")J").toString();
    }
    static char[] typesOf(String descriptor) {
        return descriptor.substring(1, descriptor.indexOf(')')).replace("Ljava/lang/Object;", "O").toCharArray();
    }
    /** Makes a checksum of all arguments, each by a call. */
    static String callee(String descriptor, int first) {
        StringBuilder code = new StringBuilder("lconst_1\n wide lstore 255\n");
        int at = first;
        for (char t : typesOf(descriptor)) {
            code.append("wide lload 255\n ").append("ilfda".charAt("IJFDO".indexOf(t))).append("load ").append(at);
            code.append("\n invokestatic CompiledCalls.mix (J").append(t == 'O' ? "Ljava/lang/Object;" : "" + t);
            code.append(")J\n ");
            code.append("wide lstore 255\n");
            at += t == 'J' || t == 'D' ? 2 : 1;
        }
        return code + "wide lload 255\n lreturn";
    }
    static String arguments(String descriptor) {
        StringBuilder code = new StringBuilder();
        int n = 0;
        for (char t : typesOf(descriptor)) {
            n++;
            switch (t) {
                case 'I': code.append("sipush ").append(n * 13 - 700).append('\n'); break;
                case 'J': code.append("ldc2_w ").append(n * 10000000007L).append("L\n"); break;
                case 'F': code.append("ldc_w ").append(n).append(".5f\n"); break;
                case 'D': code.append("ldc2_w ").append(n).append(".25d\n"); break;
                default: code.append(n % 5 == 0 ? "aconst_null\n" : "ldc_w \"text " + n + "\"\n");
            }
        }
        return code.toString();
    }
    static void manyArguments() throws Throwable {
        String[] patterns = {"I", "J", "D", "O", "F", "IJ", "DI", "OIJOFD", "FFFD", "IJIJO"};
        ClassAssembler user = new ClassAssembler(52, "User"),
                       face = new ClassAssembler(52, IFACE, "Face", "java/lang/Object"),
                       wide = new ClassAssembler(52, P | ClassAssembler.SUPER, "Wide", "java/lang/Object", "Face");
        wide.constructor(P);
        String receiver = "ldc2_w 77L\n ldc_w \"kept\"\n new Wide\n dup\n invokespecial Wide.<init> ()V\n";
        String after =
            "\n lstore_0\n invokevirtual java/lang/Object.hashCode ()I\n i2l\n ladd\n lload_0\n ladd\n lreturn";
        for (int k = 0; k < patterns.length; k++) {
            String all = descriptor(patterns[k], 255), less = descriptor(patterns[k], 254);
            user.method(S, "s" + k, all, 5, 257, callee(all, 0));
            wide.method(P, "v" + k, less, 5, 257, callee(less, 1));
            face.method(P | ClassAssembler.ABSTRACT, "v" + k, less);
            user.method(S, "static" + k, "()J", 260, 2,
                        "ldc2_w 77L\n ldc_w \"kept\"\n" + arguments(all) + "invokestatic User.s" + k + " " + all
                            + after);
            user.method(S, "virtual" + k, "()J", 260, 2,
                        receiver + arguments(less) + "invokevirtual Wide.v" + k + " " + less + after);
            user.method(S, "interface" + k, "()J", 260, 2,
                        receiver + arguments(less) + "invokeinterface Face.v" + k + " " + less + after);
        }
        Class<?> c = ClassAssembler.load(user, face, wide);
        for (int k = 0; k < patterns.length; k++)
            for (int round = 0; round < ROUNDS; round++)
                System.out.println(patterns[k] + " " + ClassAssembler.call(c, "static" + k) + " "
                                   + ClassAssembler.call(c, "virtual" + k) + " "
                                   + ClassAssembler.call(c, "interface" + k));
    }

    // ---- calls that initialise the class they go to

    static StringBuilder order = new StringBuilder();
    static class First { static { order.append(" First"); } static int go(int n) { return n + Second.go(n); } }
    static class Second {
        static { order.append(" Second"); Third.go(1); }
        static int go(int n) { return n * Third.n; }
    }
    static class Third {
        static int n = Second.go(5);                    // Second is being initialised by this thread
        static { order.append(" Third ").append(n); n = 9; }
        static int go(int n) { return n; }
    }
    static class Made { static { order.append(" Made"); } final int v; Made(int v) { this.v = v; } }
    static class SubMade extends Made {
        static { order.append(" SubMade"); }
        SubMade() { super(Count.next()); }
    }
    static class Count { static int n = 40; static { order.append(" Count"); } static int next() { return ++n; } }
    static class Self { static int n = twice(4); static int twice(int n) { order.append(" Self"); return n * 2; } }
    static class Bad {
        static { if (order != null) throw new IllegalStateException("bad"); }
        static int go() { return 1; }
    }
    static int initialising(int n) { return i3(n, First.go(n), new SubMade().v + Self.twice(Self.n)); }
    static int bad(int n) { return i3(n, Bad.go(), n); }
    static void initialisation() {
        for (int round = 0; round < ROUNDS; round++) {
            System.out.println(initialising(round) + order.toString());
            try {
                System.out.println(bad(1));
            } catch (LinkageError e) {
                System.out.println(e + " <- " + e.getCause());
            }
        }
    }

    // ---- recursion

    interface Fib { long of(int n); }
    static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
    int fibVirtual(int n) { return n < 2 ? n : fibVirtual(n - 1) + fibVirtual(n - 2); }
    static final Fib FIB = n -> n < 2 ? n : again().of(n - 1) + again().of(n - 2);
    static Fib again() { return FIB; }
    static double fibMixed(double a, int n, long b) {
        return n < 2 ? a * n : fibMixed(a, n - 1, b + 1) + fibMixed(a + b, n - 2, b) - b;
    }
    static int ackermann(int m, int n) {
        return m == 0 ? n + 1 : ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
    }
    static boolean even(int n) { return n == 0 || odd(n - 1); }
    static boolean odd(int n) { return n != 0 && even(n - 1); }
    static String reversed(String s) { return s.isEmpty() ? s : reversed(s.substring(1)) + s.charAt(0); }
    static int hanoi(int n, int[] from, int[] to, int[] via) {
        if (n == 0) return 0;
        int moves = hanoi(n - 1, from, via, to);
        to[to[0]++] = from[--from[0]];
        return moves + 1 + hanoi(n - 1, via, to, from);
    }
    static int sum(int... of) { return of.length == 0 ? 0 : of[0] + sum(Arrays.copyOfRange(of, 1, of.length)); }
    static void recursion() {
        int[][] towers = {new int[12], new int[12], new int[12]};
        for (int i = 0; i < 3; i++) towers[i][0] = 1;
        for (int i = 9; i > 0; i--) towers[0][towers[0][0]++] = i;
        System.out.println(fib(15) + " " + new CompiledCalls().fibVirtual(14) + " " + FIB.of(13) + " "
                           + fibMixed(0.5, 12, 3) + " " + ackermann(2, 30) + " " + even(501) + odd(501) + " "
                           + reversed("recursion") + " " + sum(1, 2, 3, 4, 5, 6, 7));
        System.out.println(hanoi(9, towers[0], towers[1], towers[2]) + Arrays.deepToString(towers));
    }

    // ---- nothing to call on

    static final String NONE = null;
    static int nulls(int k, Square square, Shape shape, int[] array, Object any, MethodHandle handle, Integer boxed)
    throws Throwable {
        switch (k) {
            case 0: return i3(1, square.area(2), 3);
            case 1: return square.own(1);
            case 2: return square.last(1);
            case 3: return i3(1, 2, shape.area(3));
            case 4: return shape.twice(1);
            case 5: return shape.hashCode();
            case 6: return array.clone().length;
            case 7: return any.getClass().hashCode();
            case 8: return (int) handle.invokeExact(5);
            case 9: return i3(1, boxed, 2);
            case 10: return NONE.length();
            case 11: any.notify(); return 1;
            case 12: return ((Supplier<String>) any::toString).get().length();
            case 13: return (int) INT_FIELD.get((Holder) any);
            case 14: return any.equals(NONE) ? 1 : 2;
            default: return (int) handle.invoke("x");
        }
    }
    static void nullReceivers() {
        for (int k = 0; k <= 15; k++)
            for (int round = 0; round < ROUNDS; round++)
                try {
                    System.out.println(nulls(k, null, null, null, null, null, null));
                } catch (Throwable e) {
                    if (round != 1) System.out.println(k + " " + e);
                }
    }

    // ---- calls that cannot be made

    static void impossible() throws Throwable {
        ClassAssembler user = new ClassAssembler(52, "User");
        ClassAssembler face = new ClassAssembler(52, IFACE, "Face", "java/lang/Object");
        face.method(P | ClassAssembler.ABSTRACT, "m", "(I)I").method(P | ClassAssembler.ABSTRACT, "hidden", "()V");
        ClassAssembler one = new ClassAssembler(52, IFACE, "One", "java/lang/Object")
                                 .method(P, "both", "()V", 0, 1, "return");
        ClassAssembler two = new ClassAssembler(52, IFACE, "Two", "java/lang/Object")
                                 .method(P, "both", "()V", 0, 1, "return");
        ClassAssembler top = new ClassAssembler(52, P | ClassAssembler.ABSTRACT, "Top", "java/lang/Object")
                                 .constructor(P)
                                 .method(P | ClassAssembler.ABSTRACT, "missing", "(JI)J");
        ClassAssembler thing = new ClassAssembler(52, P | ClassAssembler.SUPER, "Thing", "Top", "Face")
                                   .constructor("Top")
                                   .method(ClassAssembler.PRIVATE, "hidden", "()V", 0, 1, "return")
                                   .method(S, "shared", "(I)I", 1, 1, "iload_0\n ireturn");
        ClassAssembler torn = new ClassAssembler(52, P | ClassAssembler.SUPER, "Torn", "java/lang/Object", "One", "Two")
                                  .constructor(P);
        String made = "new Thing\n dup\n invokespecial Thing.<init> ()V\n",
               both = "new Torn\n dup\n invokespecial Torn.<init> ()V\n";
        String[] codes = {made + "iconst_5\n invokeinterface Face.m (I)I\n pop",
                          made + "iconst_5\n invokevirtual Thing.m (I)I\n pop",
                          made + "lconst_1\n iconst_2\n invokevirtual Top.missing (JI)J\n pop2",
                          made + "invokeinterface Face.hidden ()V",
                          made + "invokevirtual Thing.hidden ()V",
                          both + "invokevirtual Torn.both ()V",
                          both + "invokeinterface Two.both ()V",
                          made + "iconst_1\n invokevirtual Thing.shared (I)I\n pop",
                          "iconst_1\n invokestatic Top.missing (I)I\n pop",
                          made + "invokestatic Thing.hidden ()V\n pop",
                          made + "invokestatic Gone.m ()V\n pop",
                          made + "iconst_1\n invokevirtual Face.m (I)I\n pop",
                          "iconst_1\n invokestatic interface Thing.shared (I)I\n pop",
                          "ldc \"text\"\n iconst_1\n invokeinterface Face.m (I)I\n pop",
                          "iconst_1\n invokestatic Thing.shared (I)I\n pop"};
        for (int k = 0; k < codes.length; k++)
            user.method(S, "go" + k, "()I", 9, 1,
                        "bipush 7\n lconst_1\n ldc \"live\"\n" + codes[k]
                            + "\n invokevirtual java/lang/String.length ()I\n i2l\n ladd\n l2i\n iadd\n ireturn");
        Class<?> c = ClassAssembler.load(user, face, one, two, top, thing, torn);
        for (int k = 0; k < codes.length; k++)
            for (int round = 0; round < ROUNDS; round++)
                try {
                    System.out.println(k + " " + ClassAssembler.call(c, "go" + k));
                } catch (Throwable e) {
                    System.out.println(k + " " + Crafted.text(e).replaceAll("Loader @[0-9a-f]+", "Loader @#"));
                }
    }

    // ---- method handles and variables' handles

    static class Holder {
        int n = 5; long l = 6; String s = "s"; volatile double d = 1.5; static byte b = 7;
        Holder() { }
        Holder(int n, long l, String s) { this.n = n; this.l = l; this.s = s; }
        String show(int times, double d) { return s.repeat(times) + n + l + d; }
    }
    static class SubHolder extends Holder {
        @Override String show(int times, double d) { return "sub"; }
        static MethodHandle parents() throws ReflectiveOperationException {
            return MethodHandles.lookup().findSpecial(Holder.class, "show", SHOW, SubHolder.class);
        }
    }
    static final MethodType SHOW = MethodType.methodType(String.class, int.class, double.class);
    static final MethodHandle ADD, MAKE, VIRTUAL, GET, SET, PARENTS, MANY;
    static final VarHandle INT_FIELD, LONG_FIELD, TEXT, BYTE, DOUBLE;
    static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class),
                           TEXTS = MethodHandles.arrayElementVarHandle(String[].class);
    static {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        try {
            ADD = lookup.findStatic(CompiledCalls.class, "j3",
                                    MethodType.methodType(long.class, long.class, int.class, long.class));
            MAKE = lookup.findConstructor(Holder.class,
                                          MethodType.methodType(void.class, int.class, long.class, String.class));
            VIRTUAL = lookup.findVirtual(Holder.class, "show", SHOW);
            GET = lookup.findGetter(Holder.class, "l", long.class);
            SET = lookup.findSetter(Holder.class, "n", int.class);
            PARENTS = SubHolder.parents();
            MANY = lookup.findStatic(CompiledCalls.class, "many", MANY_TYPE());
            INT_FIELD = lookup.findVarHandle(Holder.class, "n", int.class);
            LONG_FIELD = lookup.findVarHandle(Holder.class, "l", long.class);
            TEXT = lookup.findVarHandle(Holder.class, "s", String.class);
            BYTE = lookup.findStaticVarHandle(Holder.class, "b", byte.class);
            DOUBLE = lookup.findVarHandle(Holder.class, "d", double.class);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }
    static MethodType MANY_TYPE() {
        return MethodType.methodType(String.class, int.class, long.class, float.class, double.class, Object.class,
                                     byte.class, short.class, char.class, boolean.class, long.class, double.class,
                                     float.class, int.class, String.class);
    }
    static String many(int a, long b, float c, double d, Object e, byte f, short g, char h, boolean i, long j, double k,
                       float l, int m, String n) {
        return a + " " + b + c + d + e + f + g + h + i + j + " " + k + " " + l + m + n;
    }
    static String handles(int n, MethodHandle bound) throws Throwable {
        long a = (long) ADD.invokeExact((long) n, i3(n, n, n), (long) ADD.invokeExact(2L, n, 3L));
        Object loose = ADD.invoke(n, (short) n, (byte) 4);
        Holder made = (Holder) MAKE.invokeExact(n, a, "made");
        Object any = "o";
        SubHolder sub = new SubHolder();
        SET.invokeExact(made, n + 40);
        String text = (String) VIRTUAL.invokeExact(made, 2, 0.5) + (String) VIRTUAL.invoke(sub, n, n)
                      + (String) PARENTS.invokeExact(sub, n, 2.5) + (long) GET.invokeExact(made) + bound.invoke(n);
        return a + " " + loose + text
               + (String) MANY.invokeExact(n, 2L, 3f, 4d, any, (byte) n, (short) n, 'c', n > 1, 5L, 6d, 7f, n, "e")
               + MANY.invokeWithArguments(n, 2L, 3f, 4d, null, (byte) n, (short) n, 'c', n > 1, 5L, 6d, 7f, n, "e");
    }
    static String variables(Holder h, int n, int[] ints, String[] texts) {
        INT_FIELD.set(h, i3(n, (int) INT_FIELD.get(h), n));
        long old = (long) LONG_FIELD.getAndAdd(h, 5L);
        boolean swapped = LONG_FIELD.compareAndSet(h, old + 5, old * 3), not = LONG_FIELD.weakCompareAndSet(h, -1L, 0L);
        String was = (String) TEXT.getAndSet(h, "new" + n);
        DOUBLE.setVolatile(h, (double) DOUBLE.getVolatile(h) * 1.5);
        BYTE.set((byte) ((byte) BYTE.get() + 50));
        INTS.setRelease(ints, n, (int) INTS.getAcquire(ints, n) + (int) INTS.getAndAdd(ints, 0, 3));
        boolean text = TEXTS.compareAndSet(texts, n, (String) null, "t" + n);
        String thrown = "";
        try { TEXTS.set((Object[]) texts, 3 + n, "out"); } catch (RuntimeException e) { thrown = e.getMessage(); }
        try { INT_FIELD.set(h, "wrong"); } catch (RuntimeException e) { thrown += " " + e.getMessage(); }
        return h.n + " " + h.l + h.s + h.d + Holder.b + swapped + not + was + text + Arrays.toString(ints)
               + Arrays.toString(texts) + thrown;
    }
    static void methodHandles() throws Throwable {
        MethodHandle bound = MethodHandles.insertArguments(ADD, 0, 100L).asSpreader(Object[].class, 2)
                                 .asCollector(Object[].class, 2).bindTo(7);
        Holder h = new Holder();
        int[] ints = new int[ROUNDS];
        String[] texts = new String[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            System.out.println(handles(round, bound));
            System.out.println(variables(h, round, ints, texts));
            try {
                System.out.println((int) ADD.invokeExact(1L, 2, 3L));
            } catch (Throwable e) {
                System.out.println(e.getMessage());
            }
        }
    }

    // ---- invokedynamic

    record Point(int x, long y, String z, double w) { }
    static String lambdas(int n, long l, double d, String s) {
        IntUnaryOperator one = v -> v + n;
        LongBinaryOperator two = (a, b) -> a * l - b + n;
        Supplier<String> three = () -> s + n + l + d;
        ToIntFunction<String> four = String::length, five = s::indexOf, six = CompiledCalls::lengthOf;
        Supplier<Holder> seven = Holder::new;
        Runnable eight = () -> order.append(n).append(d);
        eight.run();
        return one.applyAsInt(i3(n, one.applyAsInt(1), 2)) + " " + two.applyAsLong(l, one.applyAsInt(3)) + three.get()
               + four.applyAsInt(s) + five.applyAsInt("t") + six.applyAsInt(three.get()) + seven.get().s;
    }
    static int lengthOf(String s) { return s.length(); }
    static String concatenated(boolean z, byte b, char c, short s, int i, long j, float f, double d, Object o,
                               String t) {
        return "" + z + b + c + s + i + j + f + d + o + t + (t + i(i) + o("\1") + j(j)) + (char) (c + 1) + null + "\2";
    }
    static MutableCallSite changing;
    static int bootstraps;
    public static String target(int n, String s) { return s + n; }
    public static String other(int n, String s) { return n + s; }
    public static CallSite bootstrap(MethodHandles.Lookup l, String name, MethodType t) throws Throwable {
        bootstraps++;
        MethodHandle target = MethodHandles.lookup().findStatic(CompiledCalls.class, "target", t);
        switch (name) {
            case "constant": return new ConstantCallSite(target);
            case "changing": return changing = new MutableCallSite(target);
            case "throwing": throw new IllegalStateException("by the bootstrap method");
            case "failing": throw new UnknownError("of the bootstrap method");
            case "wrong": return new ConstantCallSite(MethodHandles.constant(String.class, "x"));
            default: return null;
        }
    }
    static void dynamic() throws Throwable {
        ClassAssembler c = new ClassAssembler(52, "Dynamic");
        int bsm = c.bootstrap("handle 6 CompiledCalls.bootstrap (Ljava/lang/invoke/MethodHandles$Lookup;"
                              + "Ljava/lang/String;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/CallSite;");
        String[] names = {"constant", "changing", "throwing", "failing", "wrong", "none"};
        for (String name : names)
            c.method(S, name, "(I)Ljava/lang/String;", 9, 1,
                     "ldc \"before \"\n lconst_1\n iload_0\n ldc \"dynamic\"\n invokedynamic " + bsm + " " + name
                         + " (ILjava/lang/String;)Ljava/lang/String;\n astore_0\n pop2\n aload_0\n"
                         + "invokevirtual java/lang/String.concat (Ljava/lang/String;)Ljava/lang/String;\n areturn");
        Class<?> k = ClassAssembler.load(c);
        for (int round = 0; round < ROUNDS; round++) {
            for (String name : names)
                try {
                    System.out.println(name + " " + ClassAssembler.call(k, name, round) + " " + bootstraps);
                } catch (Throwable e) {
                    System.out.println(name + " " + Crafted.text(e) + " " + bootstraps);
                }
            changing.setTarget(MethodHandles.lookup().findStatic(CompiledCalls.class, round == 0 ? "other" : "target",
                                                                 changing.type()));
            System.out.println(lambdas(round, 1L << 40, 0.75, "text"));
            String text = concatenated(round == 1, (byte) round, 'c', (short) -round, round, 1L << round, 0.1f,
                                            1e9, new Point(round, round, "z", 0.5), "\2t");
            System.out.println(text.replace('\1', '1').replace('\2', '2'));
            System.out.println(new Point(1, 2, "p", 3).equals(new Point(1, 2, "p", 2 + round)) + " "
                               + new Point(round, 2, "p", 3).hashCode());
        }
    }

    // ---- natives, reflection, proxies

    static String natives(int n) {
        Object z = Array.newInstance(boolean.class, 2), b = new byte[2], c = new char[2], s = new short[2],
               i = new int[ROUNDS], j = new long[2], f = new float[2], d = new double[2], o = new String[2];
        Array.setBoolean(z, 1, n > 0); Array.setByte(b, 1, (byte) n); Array.setChar(c, 1, 'x'); Array.setInt(i, n, n);
        Array.setShort(s, 1, (short) n); Array.setLong(j, 1, 1L << 50 + n); Array.setFloat(f, 1, n / 3f);
        Array.setDouble(d, 1, n / 7.0); Array.set(o, 1, "o" + n);
        String text = o3(Array.getBoolean(z, 1), Array.getByte(b, 1), Array.getChar(c, 1))
                      + o3(Array.getShort(s, 1), Array.getInt(i, n), Array.getLong(j, 1))
                      + o3(Array.getFloat(f, 1), Array.getLength(d), Array.getDouble(d, 1)) + Array.get(o, 1);
        int[] copied = {1, 2, 3, 4, 5};
        System.arraycopy(copied, 0, copied, i3(0, 0, 1), copied.length - 1);
        try {
            System.arraycopy(copied, n, copied, 3, 3);
        } catch (IndexOutOfBoundsException e) {
            text += e.getMessage();
        }
        return text + Arrays.toString(copied) + i3(1, (int) StrictMath.cbrt(27.0 * n), 2)
               + (System.identityHashCode(z) == z.hashCode()) + text.intern().length()
               + (Thread.currentThread() == Thread.currentThread());
    }
    interface Speaker { String speak(int a, long b, double c); default int loud() { return 3; } }
    static String reflected(int n) throws ReflectiveOperationException {
        Object self = new CompiledCalls();
        String text = "";
        for (char t : "zbcsijfd".toCharArray()) {
            Object v = t == 'z' ? (Object) (n > 0) : t == 'b' ? (Object) (byte) n : t == 'c' ? (Object) 'c'
                : t == 's' ? (Object) (short) n : t == 'i' ? (Object) n : t == 'j' ? (Object) (5L << n)
                : t == 'f' ? (Object) (n / 3f) : (Object) (n / 3.0);
            Class<?> type = (Class<?>) v.getClass().getField("TYPE").get(null);
            text += " " + CompiledCalls.class.getDeclaredMethod("" + t, type).invoke(null, v)
                    + CompiledCalls.class.getDeclaredMethod("v" + t, long.class, type).invoke(self, 1, v);
        }
        Speaker p = (Speaker) Proxy.newProxyInstance(
            CompiledCalls.class.getClassLoader(), new Class<?>[] {Speaker.class},
            (proxy, m, a) -> m.getName().equals("loud") ? (Object) (n + 1) : m.getName() + Arrays.toString(a));
        return text + p.speak(i3(n, n, p.loud()), 1L << 40, n / 3.0) + p.loud()
               + Holder.class.getDeclaredConstructor(int.class, long.class, String.class).newInstance(n, 2L, "x").n;
    }
    static void outside() throws ReflectiveOperationException {
        for (int round = 0; round < ROUNDS; round++) System.out.println(natives(round) + reflected(round));
    }

    public static void main(String[] args) throws Throwable {
        kinds();
        dispatch();
        operands();
        types();
        manyArguments();
        initialisation();
        recursion();
        nullReceivers();
        impossible();
        methodHandles();
        dynamic();
        outside();
    }
}
