// Long loops, each entered once: whoever compiles a method while it runs can only go over to that code where the loop
// goes back. The locals are of every type, the operand stack is not empty, things are resolved and initialised in the
// first round or in the middle; collections, natives, exceptions, monitors and other threads come in between.
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

public class CompiledLoops {
    static final int N = 12000;
    static final int P = ClassAssembler.PUBLIC, S = ClassAssembler.PUBLIC | ClassAssembler.STATIC;

    public static long mix(long h, long v) { return (h ^ v) * 0x9e3779b97f4a7c15L + (h >>> 29); }
    static long mix(long h, double v) { return mix(h, Double.doubleToLongBits(v)); }

    // ---- locals

    static String everyType(int n, String s, Object o) {
        boolean z = false; byte b = 1; char c = 'a'; short t = 3; int i = 4; long j = 5; float f = 6; double d = 7;
        int[] a = new int[16];
        Object before = o, last = null;
        for (int k = 0; k < n; k++) {
            z = !z; b += 3; c += 5; t -= 7; i = i * 31 + k; j = mix(j, i); f = f * 0.5f + k; d = d * 0.75 - f;
            a[k & 15] += b + c + t;
            last = (k & 1023) == 0 ? o : last;
            if ((k & 4095) == 4095) o = s + k;
        }
        long h = mix(mix(j, d), f);
        for (int v : a) h = mix(h, v);
        return z + " " + b + " " + (int) c + " " + t + " " + i + " " + h + s + o + last + before;
    }
    static long oneInt(int n) { int h = 0; while (n > 0) { h = h * 31 + n; n--; } return h; }
    static long oneLong(long n) { long h = 0; do { h = mix(h, n); n -= 3; } while (n > 0); return h; }
    static float oneFloat(float n) { float h = 0; for (float f = 0; f < n; f += 0.5f) h = h * 0.5f + f; return h; }
    static double oneDouble(double n) { double h = 0; for (double d = n; d > 0.5; d -= 1) h = h / 3 + d; return h; }
    static Object oneReference(Object[] list) {
        Object o = list;
        while (o != null) {
            list = (Object[]) o;
            o = list[0];
        }
        return list[1];
    }
    static String chars(int n) {
        StringBuilder b = new StringBuilder();
        for (char c = 0; c < n; c++) if (c % 1000 == 65) b.append((char) (65 + b.length()));
        return b.toString();
    }
    static void forever(int[] at) { for (;;) if (++at[0] == N) break; }
    static boolean bool(int n) { boolean z = true; for (int i = 0; i < n; i++) z ^= i % 3 == 0; return z; }
    /* a local that holds different types one after the other */
    static long reused(int n) {
        long h = 0;
        { int x = n; while (x-- > 0) h += x; }
        { double x = n; while (x-- > 0) h += (long) x; }
        { Object x = "x"; for (int i = 0; i < n; i++) { h += x.hashCode(); if (i == n / 2) x = i; } }
        { long x = n; while (x-- > 0) h += x; }
        return h;
    }
    static Object[] list(int n) {
        Object[] l = {null, "the end"};
        for (int i = 0; i < n; i++) l = new Object[] {l};
        return l;
    }
    static void locals() {
        System.out.println(everyType(N, "s", 5) + everyType(N * 2, "t", null));
        System.out.println(oneInt(N) + " " + oneLong(N * 3) + " " + oneFloat(N / 2) + " " + oneDouble(N) + " "
                           + oneReference(list(N)) + chars(N) + bool(N) + " " + reused(N));
        int[] at = new int[1];
        forever(at);
        System.out.println(at[0]);
    }

    // ---- what is resolved, linked and initialised: in the first round, and in the middle

    static StringBuilder order = new StringBuilder();
    static class A { static int n = 1; static { order.append("A"); } int f = 2; int m() { return f + n; } }
    static class B { static long n = 3; static { order.append("B"); } static int m(int i) { return i + (int) n++; } }
    interface C { int K = CompiledLoops.noted("C"); default int m(int i) { return i ^ K; } }
    static class D extends A implements C {
        static { order.append("D"); }
        Object g = "g";
        @Override int m() { return 9; }
    }
    static class E { static { order.append("E"); } static double[] all = new double[3]; }
    static class F extends D { static { order.append("F"); } @Override int m() { return super.m() * 3; } }
    static class Bad { static { if (order != null) throw new IllegalStateException(); } static int n; }
    static int noted(String s) { order.append(s); return s.length(); }
    static long resolving(int n) {
        long h = 0;
        A a = new A();
        for (int i = 0; i < n; i++) {
            h = mix(h, a.m() + A.n++ + B.m(i));
            B.n ^= i;
            if (i >= n / 2) {
                D d = a instanceof D ? (D) a : new D();
                d.f += d.m(i);
                h = mix(h, d.g.hashCode() + d.f);
                E.all[i % 3] += i;
                a = i % 2 == 0 ? d : new D();
            }
            if (i >= n - 5) {
                Runnable r = () -> order.append(B.n % 10);
                r.run();
                a = new F();
                order.append("x" + i + new int[1][2].length + F.class.getSimpleName());
            }
            if (i % 1000 == 999)
                try {
                    h += Bad.n;
                } catch (ExceptionInInitializerError | NoClassDefFoundError e) {
                    h = mix(h, e.getClass().getName().length());
                }
        }
        return mix(h, E.all[1]);
    }
    static class InInitialiser {
        static long h = 1;
        static int k;
        static {
            for (int i = 0; i < N; i++) h = mix(h, i + k++);
            order.append(" init");
        }
    }
    static class InConstructor {
        final int a; long h; final double d;
        InConstructor(int n) {
            int sum = 0;
            for (int i = 0; i < n; i++) { sum += i; h = mix(h, sum + noisy(i)); }
            a = sum;
            d = h;
        }
        int noisy(int i) { return a + i; }
    }

    // ---- shapes

    static long nested(int n) {
        long h = 0;
        outer:
        for (int i = 0; i < n; i++) {
            int j = i;
            while (true) {
                if (j++ > i + 20) break;
                for (int k = 40; k > j % 30; k -= 3) {
                    h = mix(h, i * j + k);
                    if (h % 97 == 0) continue outer;
                    if (h % 89 == 0) break;
                }
                if (j % 13 == 0) continue;
                h += j;
            }
            do h ^= j--; while (j > i);
        }
        return h;
    }
    static long switches(int n) {
        long h = 0;
        int state = 0;
        String[] names = {"one", "two", "three", "four"};
        for (int i = 0; i < n; i++) {
            switch (state) {
                case 0: h += i; state = i % 7; continue;
                case 1: h ^= i;                                  // falls through
                case 2: state = 0; break;
                case 3: case 4: h = mix(h, state); state--; continue;
                case 1000: return -1;
                default: state = 3; h *= 3;
            }
            switch (i * 1000) {
                case 5000: h++; break;
                case -7000: return -2;
                case 11000: case 999000: h += 5;
            }
            switch (names[i & 3]) {
                case "one": h += 7; break;
                case "three": h -= 9; break;
                default: h ^= 3;
            }
        }
        return h;
    }
    static int primes(int n) {
        boolean[] composite = new boolean[n];
        int count = 0;
        for (int i = 2; i < n; i++) {
            if (composite[i]) continue;
            count++;
            for (int j = i + i; j < n; j += i) composite[j] = true;
        }
        return count;
    }
    static long recursive(int n, int depth) {                     // in each activation a loop of its own
        long h = depth;
        for (int i = 0; i < n; i++) {
            h = mix(h, i);
            if (i == n / 2 && depth > 0) h = mix(h, recursive(n, depth - 1));
        }
        return h;
    }

    /** Loops that javac does not write. */
    static void crafted() throws Throwable {
        ClassAssembler c = new ClassAssembler(52, "Loops").constructor(P);
        String mix = "invokestatic CompiledLoops.mix (JJ)J\n";
        /* operands stay on the stack from round to round */
        c.method(S, "operands", "(ILjava/lang/Object;)J", 12, 3,
                 "iconst_0\n istore_2\n bipush 7\n ldc2_w 1000000000000L\n ldc_w 1.5f\n ldc2_w 2.25d\n aload_1\n"
                     + "head:\n .frame full int java/lang/Object int | int long float double java/lang/Object\n"
                     + "invokevirtual java/lang/Object.hashCode ()I\n pop\n ldc2_w 1.0001d\n dmul\n aload_1\n"
                     + "iinc 2 1\n iload_2\n iload_0\n if_icmplt head\n"
                     + "invokevirtual java/lang/Object.hashCode ()I\n i2d\n dadd\n d2l\n lstore_1\n f2l\n lload_1\n"
                     + "ladd\n ladd\n l2i\n iadd\n i2l\n lreturn");
        /* an accumulator that is nowhere but on the stack */
        c.method(S, "accumulator", "(I)J", 8, 1,
                 "lconst_1\nhead:\n .frame full int | long\n iload_0\n i2l\n " + mix
                     + "iinc 0 -1\n iload_0\n ifgt head\n lreturn");
        /* an object that is not yet initialised, on the stack and in a local */
        c.method(S, "uninitialised", "(I)Ljava/lang/Object;", 8, 2,
                 "here:\n new java/lang/String\n dup\n astore_1\n"
                     + "head:\n .frame full int new:here | new:here\n iinc 0 -1\n iload_0\n ifgt head\n"
                     + "ldc \"made\"\n invokespecial java/lang/String.<init> (Ljava/lang/String;)V\n aload_1\n"
                     + "areturn");
        /* before the superclass's constructor */
        c.method(P, "<init>", "(I)V", 8, 4,
                 "lconst_0\n lstore_2\nhead:\n .frame full uninitializedThis int long |\n lload_2\n iload_1\n i2l\n "
                     + mix + "lstore_2\n iinc 1 -1\n iload_1\n ifgt head\n aload_0\n"
                     + "invokespecial java/lang/Object.<init> ()V\n aload_0\n lload_2\n putfield Loops.f J\n return");
        c.field(P, "f", "J");
        c.method(S, "constructed", "(I)J", 4, 1,
                 "new Loops\n dup\n iload_0\n invokespecial Loops.<init> (I)V\n getfield Loops.f J\n lreturn");
        /* entered in the middle */
        c.method(S, "twoEntries", "(I)J", 8, 3,
                 "lconst_0\n lstore_1\n iload_0\n iconst_1\n iand\n ifeq middle\n"
                     + "head:\n .frame append long\n lload_1\n ldc2_w 3L\n " + mix + "lstore_1\n"
                     + "middle:\n .frame same\n lload_1\n iload_0\n i2l\n " + mix + "lstore_1\n iinc 0 -1\n"
                     + "iload_0\n iconst_5\n irem\n ifeq middle\n iload_0\n ifgt head\n lload_1\n lreturn");
        /* that go back by a switch, by goto_w, by null, and out of a handler */
        c.method(S, "switched", "(I)J", 8, 3,
                 "lconst_0\n lstore_1\nhead:\n .frame append long\n lload_1\n iload_0\n i2l\n " + mix
                     + "lstore_1\n iinc 0 -1\nagain:\n .frame same\n iload_0\n ifle out\n iinc 0 -1\n iload_0\n"
                     + "iconst_4\n irem\n tableswitch 0 head again next : again\nnext:\n .frame same\n iload_0\n"
                     + "lookupswitch 6=again 10=head : head\nout:\n .frame same\n lload_1\n lreturn");
        c.method(S, "wide", "(I)J", 8, 303,
                 "lconst_0\n wide lstore 300\n goto test\nhead:\n"
                     + ".frame full int" + " top".repeat(299) + " long |\n wide lload 300\n iload_0\n i2l\n " + mix
                     + "wide lstore 300\n wide iinc 0 -2\n goto_w test\ntest:\n .frame same\n iload_0\n ifle out\n"
                     + "goto_w head\nout:\n .frame same\n wide lload 300\n lreturn");
        c.method(S, "nulls", "([Ljava/lang/Object;)I", 8, 2,
                 "iconst_0\n istore_1\nhead:\n .frame append int\n iinc 1 1\n aload_0\n iconst_0\n aaload\n"
                     + "checkcast [Ljava/lang/Object;\n dup\n astore_0\n ifnonnull head\n iload_1\n ireturn");
        c.method(S, "handled", "(I)J", 8, 3,
                 ".catch java/lang/ArithmeticException head end caught\n"
                     + "lconst_0\n lstore_1\nhead:\n .frame append long\n lload_1\n sipush 100\n iload_0\n iconst_5\n"
                     + "irem\n idiv\n i2l\n " + mix + "lstore_1\n iinc 0 -1\n iload_0\n ifge head\nend:\n lload_1\n"
                     + "lreturn\ncaught:\n .frame same1 java/lang/ArithmeticException\n pop\n iinc 0 -1\n lload_1\n"
                     + "lconst_1\n ladd\n lstore_1\n iload_0\n ifge head\n lload_1\n lneg\n lreturn");
        Class<?> k = ClassAssembler.load(c);
        for (int round = 0; round < 2; round++) {
            System.out.println(ClassAssembler.call(k, "operands", N, "object") + " "
                               + ClassAssembler.call(k, "accumulator", N) + " "
                               + ClassAssembler.call(k, "uninitialised", N) + " "
                               + ClassAssembler.call(k, "constructed", N) + " "
                               + ClassAssembler.call(k, "twoEntries", N) + " "
                               + ClassAssembler.call(k, "twoEntries", N + 1) + " "
                               + ClassAssembler.call(k, "switched", N) + " " + ClassAssembler.call(k, "wide", N) + " "
                               + ClassAssembler.call(k, "nulls", (Object) list(N)) + " "
                               + ClassAssembler.call(k, "handled", N));
        }
    }

    // ---- calls, natives, exceptions

    int field;
    int count(int n) { return field += n; }
    static int last(int[] a, int at) { return a[at]; }
    long calling(int n) {
        long h = 0;
        for (int i = 0; i < n; i++) h = mix(h, count(i) + last(new int[] {i, h > 0 ? 1 : 2}, count(1) & 1));
        return h;
    }
    static long natives(int n) {
        long h = 0;
        int[] a = {1, 2, 3, 4, 5, 6};
        long time = System.nanoTime();
        Thread self = Thread.currentThread();
        for (int i = 0; i < n; i++) {
            System.arraycopy(a, i % 3, a, (i + 1) % 3, 3);
            a[i % 6] += i;
            h = mix(h, a[3] + Math.max(i, a[0]) + (int) StrictMath.log10(1 + i) + Float.floatToRawIntBits(i));
            long now = System.nanoTime();
            if (now < time || Thread.currentThread() != self || self.isInterrupted()) return -1;
            time = now;
            Object o = a.clone();
            if (o.hashCode() != System.identityHashCode(o) || o.getClass() != int[].class) return -2;
            if (i % 2000 == 0) Thread.yield();
        }
        return h;
    }
    static long throwing(int n) {
        long h = 0;
        int[] a = new int[5];
        int i = 0;
        try {
            for (;; i++) {
                try {
                    h = mix(h, a[i % 7] + i);
                    if (i % 11 == 0) throw new RuntimeException();
                } catch (ArrayIndexOutOfBoundsException e) {
                    h++;
                } catch (RuntimeException e) {
                    h = mix(h, 11);
                } finally {
                    h ^= i;
                }
                a[i == n ? 5 : i % 5] = i;
            }
        } catch (ArrayIndexOutOfBoundsException e) {
            return mix(h, i);
        }
    }
    static int pastTheEnd(int[] a) {
        int i = 0, sum = 0;
        try { while (true) sum += a[i++]; } catch (IndexOutOfBoundsException e) { return sum + i; }
    }

    // ---- monitors that are held from round to round

    static final Object LOCK = new Object(), OTHER = new Object();
    static synchronized long locked(int n) {
        long h = 0;
        for (int i = 0; i < n; i++) h = mix(h, i);
        return Thread.holdsLock(CompiledLoops.class) ? h : -1;
    }
    synchronized long lockedInstance(int n) {
        long h = 0;
        for (int i = 0; i < n; i++) {
            synchronized (this) { h = mix(h, i); }
            if (i == n - 1) throw new IllegalStateException("" + h);
        }
        return h;
    }
    static long blocks(int n, int leave) {
        long h = 0;
        synchronized (LOCK) {
            for (int i = 0; i < n; i++) {
                h = mix(h, i);
                synchronized (i % 2 == 0 ? LOCK : OTHER) {
                    for (int j = 0; j < 3; j++) h += j;
                    if (i == leave) return h;
                    if (i == leave + n) break;
                    if (i % 5 == 0) continue;
                }
                if (i + leave == 0) throw new IllegalStateException("" + h);
            }
            return Thread.holdsLock(LOCK) && !Thread.holdsLock(OTHER) ? h : -1;
        }
    }
    static String held(Object... locks) {
        String s = "";
        for (Object o : locks) s += Thread.holdsLock(o) ? " held" : " free";
        return s;
    }
    static void monitors() {
        CompiledLoops self = new CompiledLoops();
        System.out.println(locked(N) + held(CompiledLoops.class));
        try {
            System.out.println(self.lockedInstance(N));
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage() + held(self));
        }
        for (int leave : new int[] {N + 1, N - 1, -1, 2 - N, -N / 2 - 1})
            try {
                System.out.println(blocks(N, leave) + held(LOCK, OTHER));
            } catch (IllegalStateException e) {
                System.out.println(e.getMessage() + held(LOCK, OTHER));
            }
    }

    // ---- collections

    static final class Node {
        final Node next; final int value; final byte[] body;
        Node(Node next, int value) { this.next = next; this.value = value; body = new byte[value & 63]; }
    }
    static long allocating(int n) {
        long h = 0;
        Node kept = null, shorter = null;
        String text = "";
        List<Object> list = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            kept = new Node(i % 500 == 0 ? null : kept, i);
            if (i % 7 == 0) shorter = kept;
            text = i % 50 == 0 ? "" : text + (char) ('a' + i % 26);
            h = mix(h, text.length() + (shorter == null ? 0 : shorter.value + shorter.body.length));
            list.add(new Object[] {kept, text, i});
            if (list.size() > 100) list.clear();
            if (i % (n / 4) == n / 8) System.gc();
        }
        for (Node k = kept; k != null; k = k.next) h = mix(h, k.value + k.body.length);
        return mix(h, text.hashCode());
    }
    /* the only reference is on the operand stack while the collection runs */
    static int collected(int[] a, int round) {
        if (round % 400 == 0) System.gc();
        return a.length + round;
    }
    static int sum(Node a, int b, String c, int d, int[] e) { return a.value + b + c.length() + d + e[e.length - 1]; }
    static long onStack(int n) {
        long h = 0;
        for (int i = 0; i < n; i++)
            h = mix(h, sum(new Node(null, i), collected(new int[i % 9], i), "t".concat("" + i),
                           collected(new int[2], i), new int[] {i, collected(new int[3], -i)}));
        return h;
    }
    static String freed() {
        Object strong = new Object(), weakly = new Object();
        WeakReference<Object> a = new WeakReference<>(strong), b = new WeakReference<>(weakly);
        weakly = null;
        int rounds = 0;
        while (b.get() != null && rounds++ < 10000) {
            System.gc();
            Thread.yield();
        }
        return (a.get() == strong) + " " + (b.get() == null);
    }

    // ---- other threads

    static volatile int turn;
    static volatile boolean go, counting;
    static boolean plain;
    static long counter;
    /* two threads in loops without a call, while a third collects */
    static void stopped() throws InterruptedException {
        Thread spinner = new Thread(() -> {
            long h = 1;
            counting = true;
            while (!go) h = h * 32 + 7;
            counter = h;
        });
        spinner.start();
        while (!counting) Thread.onSpinWait();
        for (int i = 0; i < 5; i++) System.gc();
        StackTraceElement[] trace = spinner.getStackTrace();
        go = true;
        spinner.join();
        System.out.println(trace[0].getMethodName() + " " + (counter % 2 != 0));
        Thread[] two = new Thread[2];
        long[] sums = new long[2];
        for (int t = 0; t < 2; t++) {
            int me = t;
            two[t] = new Thread(() -> {
                for (int i = 0; i < 200; i++) {
                    while (turn != me) Thread.onSpinWait();
                    sums[me] = mix(sums[1 - me], i);
                    turn = 1 - me;
                    if (i % 64 == 0) System.gc();
                    else if (i % 8 == 0) Thread.yield();
                }
            });
            two[t].start();
        }
        for (Thread t : two) t.join();
        System.out.println(sums[0] + " " + sums[1]);
    }

    public static void main(String[] args) throws Throwable {
        locals();
        System.out.println(resolving(N) + order.toString());
        System.out.println(InInitialiser.h + order.substring(order.length() - 5));
        InConstructor made = new InConstructor(N);
        System.out.println(made.a + " " + made.h + " " + made.d);
        System.out.println(nested(400) + " " + switches(N) + " " + primes(N) + " " + recursive(3000, 6));
        crafted();
        System.out.println(new CompiledLoops().calling(N) + " " + natives(N) + " " + throwing(N) + " "
                           + pastTheEnd(new int[N]));
        monitors();
        System.out.println(allocating(N) + " " + onStack(2000) + " " + freed());
        stopped();
        /* the program's last loop is main's own */
        long h = 0;
        String text = "main";
        for (int i = 0; i < N; i++) {
            h = mix(h, i + text.length());
            if (i == N / 2) text = text + args.length;
        }
        System.out.println(h + text);
    }
}
