// Execution control: what is reported to an agent, and what it changes.
public class Execution {
    static native void throwNative();
    static native int catchNative();

    // ---- breakpoints and steps
    static int hot(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) sum += i * i;
        return sum;
    }

    int i, j = 5;
    long wide = 1L << 40;
    static long counter;
    volatile boolean flag;
    String s = "s";

    int pairs() { return i + j; }

    /** aload 5, iload 4, iaload, iload 4, iload 4, imul, ...: two loads in a row. */
    static int indexed(int a, int b, int c, int d, int i, int[] values) { return values[i] + i * i + d; }

    static int simple(int x) {
        Execution e = new Execution();
        e.i = x;
        return e.pairs() + 1;
    }

    static void control(int event, boolean on) { ExecutionControl.event(event, on, Thread.currentThread()); }

    static void at(boolean set, String name, String desc, long location) {
        ExecutionControl.breakpoint(set, Execution.class, name, desc, location);
    }

    static void breakpoints() {
        System.out.println("-- breakpoints");
        at(true, "simple", "(I)I", 0);
        at(true, "simple", "(I)I", 0);
        at(true, "simple", "(I)I", -1);
        at(true, "simple", "(I)I", 100);
        at(false, "simple", "(I)I", 8);
        System.out.println(simple(3));       // not enabled
        control(ExecutionControl.BREAKPOINT, true);
        System.out.println(simple(4));
        at(true, "simple", "(I)I", 8);
        at(true, "pairs", "()I", 0);
        at(true, "pairs", "()I", 1);
        at(true, "pairs", "()I", 5);
        System.out.println(simple(5));
        System.out.println(simple(6));
        at(false, "pairs", "()I", 1);
        System.out.println(simple(7));
        at(false, "simple", "(I)I", 0);
        at(false, "simple", "(I)I", 8);
        at(false, "pairs", "()I", 0);
        at(false, "pairs", "()I", 5);
        at(false, "pairs", "()I", 5);
        System.out.println(simple(8));
        at(true, "throwNative", "()V", 0);
        String sum = "(IIIII[I)I";
        for (int n = 0; n < 2; n++) indexed(0, 0, 0, 7, 1, new int[] {3, 4});
        at(true, "indexed", sum, 2);
        System.out.println(indexed(0, 0, 0, 7, 1, new int[] {3, 4}));
        at(true, "indexed", sum, 0);
        at(true, "indexed", sum, 5);
        System.out.println(indexed(0, 0, 0, 7, 1, new int[] {3, 4}));
        at(false, "indexed", sum, 2);
        System.out.println(indexed(0, 0, 0, 7, 0, new int[] {3, 4}));
        at(false, "indexed", sum, 0);
        at(false, "indexed", sum, 5);
        System.out.println(indexed(0, 0, 0, 7, 0, new int[] {3, 4}));
    }

    static void steps() {
        System.out.println("-- steps");
        control(ExecutionControl.STEP, true);
        int r = simple(9);
        control(ExecutionControl.STEP, false);
        System.out.println(r);
        at(true, "simple", "(I)I", 13);
        ExecutionControl.action("step");     // begun in the breakpoint
        r = simple(10);
        control(ExecutionControl.STEP, false);
        at(false, "simple", "(I)I", 13);
        System.out.println(r);
        control(ExecutionControl.STEP, true);
        r = indexed(0, 0, 0, 7, 1, new int[] {3, 4});
        control(ExecutionControl.STEP, false);
        System.out.println(r);
        long before = ExecutionControl.steps();
        hot(1000);
        System.out.println(ExecutionControl.steps() - before);
    }

    // ---- methods
    static boolean aBoolean(boolean b) { return b; }
    static byte aByte() { return (byte) 200; }
    static char aChar() { return 'c'; }
    static short aShort() { return -5; }
    static long aLong() { return 1L << 33; }
    static float aFloat() { return 0.5f; }
    static double aDouble() { return 0.25; }
    static String aString() { return "x"; }
    static Object aNull() { return null; }
    static synchronized void locked() { }
    static int thrower(int n) {
        if (n > 0) throw new IllegalArgumentException("thrown");
        return n;
    }
    static int passer(int n) { return thrower(n) + 1; }

    static void methods() {
        System.out.println("-- methods");
        control(ExecutionControl.ENTRY, true);
        control(ExecutionControl.EXIT, true);
        aBoolean(true);
        aByte();
        aChar();
        aShort();
        simple(1);
        aLong();
        aFloat();
        aDouble();
        aString();
        aNull();
        locked();
        try { passer(1); } catch (IllegalArgumentException e) { aByte(); }
        try { throwNative(); } catch (IllegalStateException e) { aByte(); }
        catchNative();
        control(ExecutionControl.ENTRY, false);
        control(ExecutionControl.EXIT, false);
        aByte();
    }

    // ---- a method of the library that the VM may compute by itself: its code runs where somebody looks
    static int bits(int i) { return Integer.bitCount(i) + 1; }

    static void library() {
        System.out.println("-- library");
        for (int i = 0; i < 3; i++) bits(i);
        ExecutionControl.breakpoint(true, Integer.class, "bitCount", "(I)I", 0);
        System.out.println(bits(7));
        ExecutionControl.breakpoint(false, Integer.class, "bitCount", "(I)I", 0);
        System.out.println(bits(7));
        control(ExecutionControl.STEP, true);
        int stepped = bits(5);
        control(ExecutionControl.STEP, false);
        control(ExecutionControl.ENTRY, true);
        control(ExecutionControl.EXIT, true);
        int entered = bits(6);
        control(ExecutionControl.ENTRY, false);
        control(ExecutionControl.EXIT, false);
        System.out.println(stepped + " " + entered + " " + bits(-1));
    }

    // ---- frame pops
    static int popped(int n) { return n == 0 ? 1 : popped(n - 1) + thrower(n - 5); }

    static void pops() {
        System.out.println("-- frame pops");
        control(ExecutionControl.POP, true);
        at(true, "thrower", "(I)I", 0);
        ExecutionControl.action("notify");
        System.out.println(passer(0));
        ExecutionControl.action("notify1");
        System.out.println(passer(0));
        ExecutionControl.action("notify1");
        try { passer(1); } catch (IllegalArgumentException e) { System.out.println("caught"); }
        ExecutionControl.action("notify and pop");
        System.out.println(passer(0));
        if (Runtime.version().feature() >= 25) {     // ClearAllFramePops is newer than 17
            ExecutionControl.action("notify and clear");
            System.out.println(passer(0));
        }
        at(false, "thrower", "(I)I", 0);
        at(true, "popped", "(I)I", 0);
        ExecutionControl.action("notify");
        System.out.println(popped(3));
        at(false, "popped", "(I)I", 0);
        control(ExecutionControl.POP, false);
    }

    // ---- exceptions
    static int finallies(int n) {
        int r = 0;
        try {
            r = passer(n);
        } finally {
            r += 10;
        }
        return r;
    }
    static int rethrow(int n) {
        try { return passer(n); } catch (IllegalArgumentException e) { throw e; }
    }
    static int divide(int a, int b) { return a / b; }
    static synchronized Object element(Object[] a, int i) { return a[i]; }

    static void exceptions() {
        System.out.println("-- exceptions");
        control(ExecutionControl.EXCEPTION, true);
        control(ExecutionControl.CATCH, true);
        try { thrower(1); } catch (RuntimeException e) { System.out.println("1"); }
        try { finallies(1); } catch (RuntimeException e) { System.out.println("2"); }
        try { rethrow(1); } catch (RuntimeException e) { System.out.println("3"); }
        try { divide(1, 0); } catch (ArithmeticException e) { System.out.println("4"); }
        try { element(new Object[1], 1); } catch (ArrayIndexOutOfBoundsException e) { System.out.println("5"); }
        try { throwNative(); } catch (IllegalStateException e) { System.out.println("6"); }
        System.out.println(catchNative());
        try { thrower(1); } catch (RuntimeException e) { System.out.println("7"); }
        try { Class.forName("no.such.Class"); } catch (ClassNotFoundException e) { System.out.println("8"); }
        try { ((String) null).length(); } catch (NullPointerException e) { System.out.println("9"); }
        control(ExecutionControl.EXCEPTION, false);
        try { thrower(1); } catch (RuntimeException e) { System.out.println("10"); }
        control(ExecutionControl.CATCH, false);
    }

    // ---- watches
    static void use(Execution e) {
        e.i = e.i + e.j;
        e.wide += counter;
        counter = e.wide;
        e.flag = !e.flag;
        e.s = e.s + "x";
    }

    static void watch(int kind, String name, String desc, boolean isStatic) {
        ExecutionControl.watch(kind, Execution.class, name, desc, isStatic);
    }

    static void watches() {
        System.out.println("-- watches");
        Execution e = new Execution();
        use(e);
        control(ExecutionControl.ACCESS, true);
        control(ExecutionControl.MODIFICATION, true);
        watch(ExecutionControl.SET_ACCESS, "i", "I", false);
        watch(ExecutionControl.SET_ACCESS, "i", "I", false);
        use(e);
        watch(ExecutionControl.SET_MODIFICATION, "i", "I", false);
        watch(ExecutionControl.SET_MODIFICATION, "wide", "J", false);
        watch(ExecutionControl.SET_ACCESS, "counter", "J", true);
        watch(ExecutionControl.SET_MODIFICATION, "counter", "J", true);
        watch(ExecutionControl.SET_MODIFICATION, "flag", "Z", false);
        watch(ExecutionControl.SET_ACCESS, "s", "Ljava/lang/String;", false);
        watch(ExecutionControl.SET_MODIFICATION, "s", "Ljava/lang/String;", false);
        use(e);
        System.out.println(e.pairs());
        ExecutionControl.touch(e);
        watch(ExecutionControl.CLEAR_ACCESS, "i", "I", false);
        watch(ExecutionControl.CLEAR_ACCESS, "i", "I", false);
        watch(ExecutionControl.CLEAR_MODIFICATION, "i", "I", false);
        watch(ExecutionControl.CLEAR_ACCESS, "counter", "J", true);
        watch(ExecutionControl.CLEAR_MODIFICATION, "counter", "J", true);
        use(e);
        watch(ExecutionControl.CLEAR_ACCESS, "s", "Ljava/lang/String;", false);
        watch(ExecutionControl.CLEAR_MODIFICATION, "s", "Ljava/lang/String;", false);
        watch(ExecutionControl.CLEAR_MODIFICATION, "flag", "Z", false);
        watch(ExecutionControl.CLEAR_MODIFICATION, "wide", "J", false);
        use(e);
        control(ExecutionControl.ACCESS, false);
        control(ExecutionControl.MODIFICATION, false);
        System.out.println(e.i + " " + e.wide + " " + counter + " " + e.flag + " " + e.s);
    }

    // ---- locals
    String locals(String a, int b, long c, float d, double e) {
        int later = b;
        later++;
        return a + b + c + d + e + later;
    }

    static void locals() {
        System.out.println("-- locals");
        at(true, "locals", "(Ljava/lang/String;IJFD)Ljava/lang/String;", 3);
        ExecutionControl.action("locals");
        System.out.println(new Execution().locals("a", 1, 2, 3, 4));
        ExecutionControl.action("change");
        System.out.println(new Execution().locals("a", 1, 2, 3, 4));
        at(false, "locals", "(Ljava/lang/String;IJFD)Ljava/lang/String;", 3);
        ExecutionControl.breakpoint(true, ExecutionNoTable.class, "locals",
                                    "(Ljava/lang/String;IJFD)Ljava/lang/String;", 3);
        ExecutionControl.action("slots");
        System.out.println(new ExecutionNoTable().locals("a", 1, 2, 3, 4));
        ExecutionControl.action("change slots");
        System.out.println(new ExecutionNoTable().locals("a", 1, 2, 3, 4));
        ExecutionControl.breakpoint(false, ExecutionNoTable.class, "locals",
                                    "(Ljava/lang/String;IJFD)Ljava/lang/String;", 3);
        slotsOfScopes();
        ExecutionControl.tables(Execution.class);
        ExecutionControl.tables(ExecutionNoTable.class);
        ExecutionControl.tables(Runnable.class);
    }

    // What comes of the sums is HotSpot's business: it stores an int that it got from half a double.
    static void slotsOfScopes() {
        ExecutionControl.breakpoint(true, ExecutionNoTable.class, "place", "(I)V", 0);
        ExecutionControl.action("scopes");
        ExecutionNoTable.scopes(1, true);
        ExecutionControl.action("scopes");
        ExecutionNoTable.scopes(1, false);
        ExecutionControl.action("");
        ExecutionControl.breakpoint(false, ExecutionNoTable.class, "place", "(I)V", 0);
    }

    // ---- frames that go
    static int calls;
    static int counted(int n) { calls++; return n; }
    static int changed(int n) { n += 10; calls++; return n; }
    static synchronized int lockedCount(int n) { calls++; synchronized (lock) { return n; } }
    static final Object lock = new Object();

    static void forced(String method, String desc, long at, String... actions) throws Exception {
        at(true, method, desc, at);
        for (String a : actions) {
            ExecutionControl.action(a);
            Object r = switch (method) {
                case "aBoolean" -> aBoolean(true);
                case "aByte" -> aByte();
                case "aChar" -> aChar();
                case "aShort" -> aShort();
                case "aLong" -> aLong();
                case "aFloat" -> aFloat();
                case "aDouble" -> aDouble();
                case "aString" -> aString();
                case "counted" -> counted(6);
                case "changed" -> changed(6);
                case "lockedCount" -> lockedCount(7);
                default -> { locked(); yield "void"; }
            };
            System.out.println(method + " " + a + ": " + (r instanceof Character c ? (int) c : r) + " calls " + calls
                               + " holds " + Thread.holdsLock(lock) + Thread.holdsLock(Execution.class));
        }
        at(false, method, desc, at);
    }

    static void frames() throws Exception {
        System.out.println("-- frames");
        forced("counted", "(I)I", 0, "pop", "return I", "return J", "return L");
        forced("counted", "(I)I", 8, "pop", "return I");
        forced("changed", "(I)I", 3, "pop");
        forced("lockedCount", "(I)I", 16, "pop", "return I");
        forced("aBoolean", "(Z)Z", 0, "return I");
        forced("aByte", "()B", 0, "return I");
        forced("aChar", "()C", 0, "return I");
        forced("aShort", "()S", 0, "return I", "return V");
        forced("aLong", "()J", 0, "return J", "return D");
        forced("aFloat", "()F", 0, "return F");
        forced("aDouble", "()D", 0, "return D");
        forced("aString", "()Ljava/lang/String;", 0, "return L", "return and follow", "return null", "return wrong",
               "return I");
        forced("locked", "()V", 0, "return V");
        control(ExecutionControl.EXIT, true);
        control(ExecutionControl.ENTRY, true);
        forced("counted", "(I)I", 0, "pop", "return I");
        control(ExecutionControl.EXIT, false);
        control(ExecutionControl.ENTRY, false);
    }

    static volatile boolean stop;

    public static void main(String[] args) throws Exception {
        breakpoints();
        steps();
        methods();
        library();
        pops();
        exceptions();
        watches();
        locals();
        frames();
        System.out.println("-- errors");
        Thread t = new Thread(() -> { while (!stop) Thread.onSpinWait(); });
        t.start();
        ExecutionControl.errors(t);
        stop = true;
        t.join();
        System.out.println(hot(10));
    }
}
