import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/* What tools see of frames in the middle of a thread's stack, and what they do to them (agent compiled_frames): chains
 * of calls of every kind, of methods of every result type, down to a place where the thread stands still. What a method
 * needs behind its call lies on its operand stack and in its variables meanwhile; it prints that at its end. */
public class CompiledFrames {
    static native void begins(String scenario);
    static native void runs(boolean on);
    static native void trace(Thread t);
    static native void monitors(Thread t);
    static native void locals(Thread t, String method, int nth, boolean change);
    static native void receiver(Thread t, String method, int nth);
    static native void suspend(Thread t);
    static native void resume(Thread t);
    static native void stop(Thread t, Throwable e);
    static native void pop(Thread t);
    static native void forceReturn(Thread t);
    static native void notifyPop(Thread t, String method, int nth);
    static native void clearPops(Thread t);
    static native void event(int event, boolean on, Thread t);
    static native void breakpoint(Thread t, String method, int nth, int where, int hits, String action);
    static native void clearBreakpoints();
    static native void roots(Thread t, String[] methods);
    static native void watch(String field, String desc, boolean isStatic, boolean on);
    static native void redefine(Class<?> old, byte[] bytes);
    static native void retransform(Class<?> c);
    static native void hold();
    static native void awaitHeld();
    static native void release(boolean go);
    static native int through(int i);

    static final int AT_ENTRY = 0, AT_CALL = 1, BEHIND_CALL = 2;
    static final int STEP = 60, ENTRY = 65, EXIT = 66, EXCEPTION = 58, CATCH = 59;

    // ---- where it stands

    enum Place { NATIVE, WAIT, ENTER, SPIN, TOOL, COLLECTED }

    interface Tool { void use(Thread t) throws Exception; }

    static class Gate {
        synchronized void pass() { }
    }

    static final Gate gate = new Gate();
    static int[][] used;
    static Place place = Place.NATIVE;
    static Tool tool;
    static RuntimeException thrown;              // at the end of standing
    static volatile boolean go = true, reached;
    static volatile int spins;

    public static void stand() throws Exception {
        if (place == null) return;               // it is but warmed up
        switch (place) {
            case NATIVE: hold(); break;
            case WAIT: waitForGo(); break;
            case ENTER: reached = true; gate.pass(); break;
            case SPIN: spin(); break;
            case TOOL: tool.use(Thread.currentThread()); break;
            default: collect(); break;
        }
        if (thrown != null) throw thrown;
    }

    /* What was free is in use then. */
    static void collect() {
        System.gc();
        used = new int[50000][];
        for (int i = 0; i < used.length; i++) used[i] = new int[] {-1, -1, -1, -1};
    }

    static void waitForGo() throws InterruptedException {
        synchronized (gate) {
            reached = true;
            while (!go) gate.wait();
        }
    }

    static void spin() {
        spins++;
        while (!go) reached = true;
    }

    // ---- the chain

    interface Part { float third(int i, String s) throws Throwable; }
    interface Fifth { Object fifth(int i, Object o) throws Throwable; }

    static class Box implements Part {
        final int content;

        Box(int content) { this.content = content; }

        double second(int i, double d) throws Throwable { return d; }

        public float third(int i, String s) throws Throwable {
            int[] values = {i, i + 1, new CompiledFrames().fourth(i + 1, s), i + 2};
            note(i, s, values[0] + values[1] + values[3]);
            return values[2] / 2f;
        }
    }

    static class Sub extends Box {
        Part part;

        Sub(int content) { super(content); }

        @Override double second(int i, double d) throws Throwable {
            double twice = d * 2;
            twice = twice + i * part.third(i + 1, String.valueOf(d));
            note(i, d, twice);
            accessed += twice;
            return twice + 0.5;
        }
    }

    static double accessed;
    int counter = 3;
    static final List<Object> locked = new ArrayList<>();
    static StringBuilder notes = new StringBuilder();

    static final Method SIXTH;

    static {
        try {
            SIXTH = CompiledFrames.class.getDeclaredMethod("sixth", int.class);
        } catch (NoSuchMethodException e) {
            throw new Error(e);
        }
    }

    static final Fifth FIFTH = (i, o) -> {
        try {
            return new StringBuilder().append(o).append(i).append(SIXTH.invoke(null, i)).toString();
        } catch (java.lang.reflect.InvocationTargetException e) {
            throw e.getCause();
        }
    };

    public static void note(Object a, Object b, Object c) {
        notes.append(' ').append(a).append(',').append(b).append(',').append(c);
    }

    static long first(int i, long l, String s) throws Throwable {
        Sub sub = new Sub(i);
        sub.part = sub;
        float f = i * 0.5f;
        Object o = s;
        long r = l * 3 + (long) sub.second(i + 1, 0.25);
        note(i, l, f);
        note(s, o, r);
        return r - i;
    }

    synchronized int fourth(int i, Object o) throws Throwable {
        Object[] objects;
        locked.add(this);
        locked.add(o);
        synchronized (o) {
            objects = new Object[] {"o" + i, FIFTH.fifth(i + 1, "a"), null};
        }
        note(i, objects[0], objects[1]);
        counter += i;
        return counter + i;
    }

    static short sixth(int i) throws Throwable {
        long l = i;
        short s = (short) (l + through(i + 1));
        note(l, s, null);
        return s;
    }

    static byte seventh(int i) throws Throwable {
        Box box = new Box(eighth(i, new StringBuilder("b")));
        note(i, box.content, null);
        return (byte) box.content;
    }

    static char eighth(int i, StringBuilder s) throws Throwable {
        char c = 'x';
        try {
            c += new CompiledFrames().ninth(i, 7L, s) ? 1 : 2;
        } catch (IllegalStateException e) {
            note(e.getMessage(), c, s);
            c += 3;
        }
        return c;
    }

    private boolean ninth(int i, long l, StringBuilder s) throws Exception {
        i += 20;
        l = -l;
        s.append(i);
        stand();
        note(i, l, s);
        return l == -7;
    }

    static final String[] CHAIN = {"first", "second", "third", "fourth", "lambda$static$0", "sixth", "seventh",
                                   "eighth", "ninth", "stand"};

    // ---- the same for code that has its methods built into each other: between calls they do nothing that keeps them
    // from it; what does, or is told not to be, are the ends of its parts

    static class Inlined {
        static class Outer implements Part {
            Part part;

            double second(int i, double d) throws Throwable {
                double twice = d * 2;
                twice = twice + i * part.third(i + 1, "d" + i);
                note(i, d, twice);
                accessed += twice;
                return twice + 0.5;
            }

            public float third(int i, String s) throws Throwable {
                int[] values = {i, i + 1, new Inlined().fourth(i + 1, s), i + 2};
                note(i, s, values[0] + values[1] + values[3]);
                return values[2] / 2f;
            }
        }

        static final Fifth FIFTH = (i, o) -> {
            Object[] objects = {o, null};
            objects[1] = "o" + sixth(i) + objects[0];
            return objects[1];
        };

        static long first(int i, long l, String s) throws Throwable {
            Outer outer = new Outer();
            outer.part = outer;
            float f = i * 0.5f;
            Object o = s;
            long r = l * 3 + (long) outer.second(i + 1, 0.25);
            note(i, l, f);
            note(s, o, r);
            return r - i;
        }

        int fourth(int i, Object o) throws Throwable {
            int[] before = {i};
            CompiledFrames to = new CompiledFrames();
            Object[] objects = {"o" + i, FIFTH.fifth(i + 1, "a"), null};
            note(before[0], objects[0], objects[1]);
            to.counter += i;
            return to.counter + before[0];
        }

        static short sixth(int i) throws Throwable {
            long l = i;
            short s = (short) (l + seventh(i + 1));
            note(l, s, null);
            return s;
        }

        static byte seventh(int i) throws Throwable {
            Box box = new Box(eighth(i, new StringBuilder("b")));
            note(i, box.content, null);
            return (byte) box.content;
        }

        static char eighth(int i, StringBuilder s) throws Throwable {
            char c = 'x';
            try {
                c += new Inlined().ninth(i, 7L, s) ? 1 : 2;
            } catch (IllegalStateException e) {
                note(e.getMessage(), c, s);
                c += 3;
            }
            return c;
        }

        private boolean ninth(int i, long l, StringBuilder s) throws Exception {
            i += 20;
            l = -l;
            s.append(i);
            stand();
            note(i, l, s);
            return l == -7;
        }
    }

    /** How often each chain runs before it is looked at; 0: it is not of methods that are built into each other. */
    static int turnsBefore;

    static long chain(int i, long l, String s) throws Throwable {
        return turnsBefore != 0 ? Inlined.first(i, l, s) : first(i, l, s);
    }

    /* Leaves no trace. */
    static void warmUp(Chain chain) {
        double before = accessed;
        place = null;
        thrown = null;
        for (int n = 0; n < turnsBefore; n++) {
            notes.setLength(0);
            locked.clear();
            try {
                chain.run();
            } catch (Throwable e) {
                throw new Error(e);
            }
        }
        accessed = before;
    }

    // ---- another chain, of classes that are loaded anew each time: nothing in them has been run before

    public interface Chain { Object run() throws Throwable; }
    public interface Once extends Chain { }      // another run of it would do something else

    public static class Cold implements Once {
        public Object run() throws Throwable {
            long l = 5;
            try {
                return l * 1000 + Late.value;
            } catch (ExceptionInInitializerError e) {
                return l + " " + e.getException().getMessage();
            } finally {
                note("finally", l, null);
            }
        }
    }

    static class Late {
        static final int value = 2 * initial(11) + 1;

        static int initial(int n) {
            try {
                Derived d = new Derived(n, "d" + n);
                return d.of * 10 + d.s.length();
            } catch (RuntimeException e) {
                throw e;
            } catch (Throwable e) {
                return -1;
            }
        }
    }

    interface Manners { default int greets(int n) throws Throwable { return n + 1; } }

    static class Base implements Manners {
        static final MethodHandle MANY;
        final int of;

        static {
            try {
                MethodType type = MethodType.methodType(double.class, int.class, long.class, float.class, double.class,
                                                        Object.class, int[].class, byte.class, char.class, long.class,
                                                        double.class, String.class);
                MANY = MethodHandles.lookup().findStatic(Base.class, "many", type);
            } catch (ReflectiveOperationException e) {
                throw new Error(e);
            }
        }

        Base(int n) throws Throwable {
            of = n * greets(n + 1);
            note("of", of, n);
        }

        @Override public int greets(int n) throws Throwable {
            double d = n + (double) MANY.invokeExact(n, 2L, 3f, 4.0, (Object) "five", new int[] {6}, (byte) 7, (char) 8,
                                                     9L, 10.0, "eleven");
            return Manners.super.greets(n) + (int) d;
        }

        static double many(int a, long b, float c, double d, Object e, int[] f, byte g, char h, long i, double j,
                           String k) throws Throwable {
            a += 100;
            f[0]++;
            j = j / 4;
            long r = a + b;
            stand();
            note(r + (long) c + (long) d, e, f[0] + g + h);
            note(i, j, k);
            return r + j;
        }
    }

    static class Derived extends Base {
        final String s;

        Derived(int n, String s) throws Throwable {
            super(n + 2);
            this.s = s + n;
            note(s, this.s, null);
        }
    }

    static class Loader extends ClassLoader {
        Loader() { super(CompiledFrames.class.getClassLoader()); }

        @Override protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            for (Class<?> c : new Class<?>[] {Cold.class, Late.class, Manners.class, Base.class, Derived.class}) {
                if (!name.equals(c.getName())) continue;
                Class<?> found = findLoadedClass(name);
                if (found != null) return found;
                try {
                    byte[] image = bytes(c, c);
                    return defineClass(name, image, 0, image.length);
                } catch (Exception e) {
                    throw new ClassNotFoundException(name, e);
                }
            }
            return super.loadClass(name, resolve);
        }
    }

    static Chain cold() throws Exception {
        return (Chain) new Loader().loadClass(Cold.class.getName()).getDeclaredConstructor().newInstance();
    }

    static final String[] COLD_CHAIN = {"run", "<clinit>", "initial", "<init>", "greets", "many", "stand"};

    // ---- running it

    static void with(Place where, String name, Tool todo) throws Exception {
        with(where, name, null, todo, () -> chain(1, 10, "s"));
    }

    /* Runs the chain on a thread; when it stands still, suspended, `todo` is done with it. */
    static void with(Place where, String name, RuntimeException end, Tool todo, Chain chain) throws Exception {
        System.out.println("-- " + name + ": " + where);
        begins(name + ": " + where);
        if (turnsBefore != 0 && !(chain instanceof Once)) warmUp(chain);
        place = where;
        tool = todo;
        thrown = end;
        go = reached = false;
        spins = 0;
        release(false);
        notes.setLength(0);
        locked.clear();
        Thread t = new Thread(() -> run(chain), "stands");
        if (where == Place.ENTER) {
            synchronized (gate) {
                t.start();
                whileSuspended(t, todo);
            }
        } else {
            t.start();
            if (where != Place.TOOL && where != Place.COLLECTED) whileSuspended(t, todo);
        }
        synchronized (gate) {
            go = true;
            gate.notifyAll();
        }
        release(true);
        t.join();
        clearBreakpoints();
    }

    static void run(Chain chain) {
        Object result;
        runs(true);
        try {
            result = chain.run();
        } catch (Throwable e) {
            result = e;
        }
        runs(false);
        for (Object o : locked) if (Thread.holdsLock(o)) System.out.println("  holds " + o);
        System.out.println("  notes:" + notes + "\n  result: " + result);
    }

    static void whileSuspended(Thread t, Tool todo) throws Exception {
        switch (place) {
            case NATIVE: awaitHeld(); break;
            case WAIT: while (!reached || t.getState() != Thread.State.WAITING) Thread.yield(); break;
            case ENTER: while (!reached || t.getState() != Thread.State.BLOCKED) Thread.yield(); break;
            default: while (!reached) Thread.yield(); break;
        }
        suspend(t);
        todo.use(t);
        if (t.isAlive()) resume(t);
    }

    static void breakBehind(Thread t, String method, int nth, int hits, String action) {
        breakpoint(t, method, nth, BEHIND_CALL, hits, action);
    }

    static void once(String name) throws Exception { with(Place.COLLECTED, name, null); }

    // ---- what tools do

    static void look(Thread t) {
        trace(t);
        monitors(t);
        collect();
        for (int i = 0; i < 9; i++) locals(t, CHAIN[i], 0, false);
        receiver(t, "second", 0);
        receiver(t, "ninth", 0);
        roots(t, Arrays.copyOf(CHAIN, 9));
        StringBuilder lines = new StringBuilder("  lines:");
        for (StackTraceElement e : t.getStackTrace())
            if (e.getClassName().startsWith("CompiledFrames") && !e.getClassName().contains("$$"))
                lines.append(' ').append(e.getMethodName().equals("spin") ? "spin" : e.getLineNumber());
        System.out.println(lines);
    }

    static void lookAndChange() throws Exception {
        for (Place p : Place.values()) with(p, "looked at", CompiledFrames::look);
        for (Place p : new Place[] {Place.NATIVE, Place.SPIN, Place.TOOL}) {
            with(p, "variables changed", t -> {
                for (int i = 0; i < 9; i++) locals(t, CHAIN[i], 0, true);
            });
        }
    }

    static void pops() throws Exception {
        Tool some = t -> {
            for (String method : new String[] {"third", "first", "ninth", "eighth", "fourth", "sixth"})
                notifyPop(t, method, 0);
            if (Runtime.version().feature() >= 25) notifyPop(t, "third", 0);     // 17 does not refuse it
        };
        for (Place p : new Place[] {Place.WAIT, Place.SPIN, Place.TOOL}) with(p, "frame pops", some);
        Tool all = t -> { for (String method : CHAIN) notifyPop(t, method, 0); };
        with(Place.NATIVE, "all frame pops", all);
        with(Place.NATIVE, "pops by an exception caught in the middle", new IllegalStateException("inner"), all,
             () -> chain(1, 10, "s"));
        with(Place.SPIN, "pops by an exception", new IllegalArgumentException("outer"), all, () -> chain(1, 10, "s"));
        if (Runtime.version().feature() >= 25) {
            with(Place.NATIVE, "frame pops cleared", t -> {
                all.use(t);
                clearPops(t);
                notifyPop(t, "fourth", 0);
            });
        }
    }

    static void breakpoints() throws Exception {
        for (Place p : new Place[] {Place.NATIVE, Place.SPIN, Place.TOOL}) {
            with(p, "breakpoints behind the calls", t -> {
                for (String method : CHAIN) breakBehind(t, method, 0, 1, "");
            });
        }
        with(Place.NATIVE, "breakpoints where variables are changed", t -> {
            for (int i = 0; i < 9; i++) breakBehind(t, CHAIN[i], 0, 1, "variables");
        });
        once("after breakpoints");
        with(Place.NATIVE, "breakpoint in each of many frames", null,
             t -> { trace(t); breakBehind(t, "recurse", 1, 4, ""); }, () -> recurse(4, 1));
        with(Place.SPIN, "breakpoint cleared in the middle", null, t -> {
            notifyPop(t, "recurse", 2);
            breakBehind(t, "recurse", 0, 1, "");
            breakBehind(t, "recurse", 3, 2, "");
        }, () -> recurse(4, 1));
    }

    /* Set while the chain stands, met when it is called again. */
    static void atEntries() throws Exception {
        Chain twice = () -> chain(1, 10, "s") + chain(2, 20, "t");
        for (String action : new String[] {"", "variables", "notify"}) {
            with(Place.NATIVE, "breakpoints at entries, " + action, null, t -> {
                for (String method : CHAIN) breakpoint(t, method, 0, AT_ENTRY, 1, action);
            }, twice);
        }
        for (String action : new String[] {"pop", "return", "stop", "step"}) {
            for (String method : CHAIN) {
                if (action.equals("step") && !method.equals("seventh")) continue;
                // A method handle calls it, on 25: we do not pop what a linker method has called.
                if (action.equals("pop") && method.equals("sixth")) continue;
                with(Place.SPIN, action + " at the entry of " + method, null,
                     t -> breakpoint(t, method, 0, AT_ENTRY, 1, action), twice);
            }
        }
        with(Place.NATIVE, "stop behind a call", t -> breakBehind(t, "seventh", 0, 1, "stop"));
        with(Place.NATIVE, "caught, and stop behind the next call", t -> {
            breakBehind(t, "ninth", 0, 1, "stop");
            breakBehind(t, "third", 0, 1, "stop");
        });
    }

    static int recurse(int n, long l) throws Exception {
        int[] sums = {n, 0};
        if (n == 0) stand();
        else sums[1] = recurse(n - 1, l * 2) + (int) l;
        return sums[0] + sums[1];
    }

    static void events() throws Exception {
        with(Place.NATIVE, "steps", t -> event(STEP, true, t));
        with(Place.SPIN, "steps behind a breakpoint", t -> breakBehind(t, "fourth", 0, 1, "step"));
        for (Place p : new Place[] {Place.WAIT, Place.SPIN}) with(p, "exits", t -> event(EXIT, true, t));
        with(Place.TOOL, "entries and exits", t -> { event(ENTRY, true, t); event(EXIT, true, t); });
        with(Place.NATIVE, "exits by an exception", new IllegalArgumentException("outer"), t -> event(EXIT, true, t),
             () -> chain(1, 10, "s"));
        with(Place.ENTER, "steps, pops and exits", t -> {
            event(STEP, true, t);
            event(EXIT, true, t);
            notifyPop(t, "third", 0);
            notifyPop(t, "eighth", 0);
        });
    }

    /* Until the suspended thread spins again. */
    static void again(Thread t) {
        int before = spins;
        reached = false;
        resume(t);
        while (spins == before || !reached) Thread.yield();
        suspend(t);
    }

    static void poppedFrames() throws Exception {
        with(Place.SPIN, "frames popped", t -> {
            for (int n = 0; n < 3; n++) {
                pop(t);
                again(t);
            }
            trace(t);
        });
        with(Place.NATIVE, "frames popped behind their calls", t -> {
            for (String method : new String[] {"ninth", "eighth", "fourth", "third", "second"})
                breakBehind(t, method, 0, 1, "pop");
        });
        with(Place.SPIN, "frames popped that native methods called", t -> {
            breakBehind(t, "seventh", 0, 1, "pop");
            breakBehind(t, "lambda$static$0", 0, 1, "pop");
        });
        with(Place.SPIN, "popped, with a breakpoint at the call", t -> {
            breakpoint(t, "stand", 0, AT_CALL, 2, "");
            pop(t);
            again(t);
            pop(t);
            again(t);
        });
        with(Place.SPIN, "popped, with steps", t -> {
            breakBehind(t, "eighth", 0, 1, "pop");
            event(STEP, true, t);
            pop(t);
        });
        with(Place.NATIVE, "popped by itself", t -> pop(t));
    }

    static void returns() throws Exception {
        for (Place p : new Place[] {Place.NATIVE, Place.WAIT, Place.SPIN, Place.TOOL}) {
            with(p, "returned early from the middle", t -> {
                for (int i = 1; i < CHAIN.length; i++) breakBehind(t, CHAIN[i], 0, 1, "return");
            });
        }
        for (String method : CHAIN)
            with(Place.NATIVE, "returned early from " + method, t -> breakBehind(t, method, 0, 1, "return"));
        for (Place p : new Place[] {Place.NATIVE, Place.WAIT, Place.TOOL})
            with(p, "early return of a native method", CompiledFrames::forceReturn);
        with(Place.SPIN, "returned early from the top", t -> { forceReturn(t); trace(t); });
        with(Place.SPIN, "returned early with pops and exits", t -> {
            event(EXIT, true, t);
            for (String method : CHAIN) {
                notifyPop(t, method, 0);
                breakBehind(t, method, 0, 1, "return");
            }
        });
    }

    static void stopAndWait(Thread t, Throwable e) throws Exception {
        stop(t, e);
        resume(t);
        t.join();
    }

    static void stopped() throws Exception {
        RuntimeException[] kinds = {new IllegalStateException("stopped"), new IllegalArgumentException("stopped")};
        for (RuntimeException e : kinds) {
            with(Place.SPIN, "stopped", t -> stopAndWait(t, e));
            with(Place.SPIN, "stopped, with events", t -> {
                event(EXCEPTION, true, t);
                event(CATCH, true, t);
                notifyPop(t, "fourth", 0);
                breakBehind(t, "seventh", 0, 1, "");
                stopAndWait(t, e);
            });
            with(Place.NATIVE, "thrown, with events", e, t -> {
                event(EXCEPTION, true, t);
                event(CATCH, true, t);
            }, () -> chain(1, 10, "s"));
        }
        for (Place p : new Place[] {Place.NATIVE, Place.WAIT, Place.TOOL})
            with(p, "stopped, caught in the middle", t -> stop(t, kinds[0]));
        with(Place.SPIN, "popped and stopped", t -> { pop(t); again(t); stopAndWait(t, kinds[0]); });
        once("after exceptions");
    }

    static void watches() throws Exception {
        for (Place p : new Place[] {Place.NATIVE, Place.SPIN, Place.TOOL}) {
            with(p, "fields watched", t -> {
                watch("accessed", "D", true, true);
                watch("counter", "I", false, true);
            });
            watch("accessed", "D", true, false);
            watch("counter", "I", false, false);
        }
        once("after watches");
    }

    // ---- the cold chain

    static void coldly() throws Exception {
        for (Place p : Place.values()) {
            with(p, "cold", null, t -> {
                trace(t);
                monitors(t);
                collect();
                for (int i = 0; i < 6; i++) locals(t, COLD_CHAIN[i], 0, false);
                locals(t, "<init>", 1, false);
                receiver(t, "<init>", 0);
                roots(t, new String[] {"run", "initial", "greets", "many"});
            }, cold());
        }
        with(Place.NATIVE, "cold, variables changed", null, t -> {
            for (int i = 2; i < 6; i++) locals(t, COLD_CHAIN[i], 0, true);
            locals(t, "<init>", 1, true);
        }, cold());
        with(Place.NATIVE, "cold, steps", null, t -> event(STEP, true, t), cold());
        with(Place.SPIN, "cold, all at once", null, t -> {
            for (String method : COLD_CHAIN) {
                notifyPop(t, method, 0);
                breakBehind(t, method, 0, 1, "");
            }
            event(EXIT, true, t);
            event(STEP, true, t);
        }, cold());
        for (String method : COLD_CHAIN) {
            with(Place.NATIVE, "cold, returned early from " + method, null, t -> breakBehind(t, method, 0, 1, "return"),
                 cold());
        }
        for (String method : new String[] {"greets", "<init>"}) {
            with(Place.SPIN, "cold, popped " + method, null, t -> {
                pop(t);
                again(t);
                breakBehind(t, method, 0, 1, "pop");
            }, cold());
        }
        for (Exception e : new Exception[] {new IllegalStateException("cold"), new InterruptedException("cold")}) {
            with(Place.SPIN, "cold, stopped", null, t -> {
                event(EXCEPTION, true, t);
                event(CATCH, true, t);
                for (String method : COLD_CHAIN) notifyPop(t, method, 0);
                stopAndWait(t, e);
            }, cold());
        }
    }

    // ---- redefinition

    static class Version1 {
        static int value = 5;

        static int call(int n, String s) throws Exception {
            int r = n * 10 + other();
            if (n == 0) stand();
            else r += call(n - 1, s + n);
            note("old", r, s);
            return r + other();
        }

        static int other() { return value; }
    }

    static class Version2 {
        static int value = 6;

        static int call(int n, String s) throws Exception {
            String[] more = {s, "new", null};
            long r = n * 1000L + other();
            if (n > 0) r += call(n - 1, more[0]);
            more[2] = more[1];
            note(more[2], r, s);
            return (int) r;
        }

        static int other() { return value * 100; }
    }

    static byte[] bytes(Class<?> of, Class<?> as) throws Exception {
        try (InputStream in = CompiledFrames.class.getResourceAsStream(of.getName() + ".class")) {
            String image = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
            return image.replace(of.getSimpleName(), as.getSimpleName()).getBytes(StandardCharsets.ISO_8859_1);
        }
    }

    static void redefinitions() throws Exception {
        byte[] newer = bytes(Version2.class, Version1.class), older = bytes(Version1.class, Version1.class);
        Chain chain = () -> Version1.call(3, "s");
        for (Place p : new Place[] {Place.NATIVE, Place.SPIN, Place.TOOL}) {
            with(p, "retransformed", null, t -> { retransform(Version1.class); trace(t); }, chain);
            with(p, "redefined", null, t -> {
                notifyPop(t, "call", 1);
                redefine(Version1.class, newer);
                notifyPop(t, "call", 2);
                collect();
                trace(t);
            }, chain);
            with(Place.COLLECTED, "after redefinition", null, null, chain);
            redefine(Version1.class, older);
        }
        with(Place.SPIN, "redefined, steps and exits", null, t -> {
            redefine(Version1.class, newer);
            event(EXIT, true, t);
            event(STEP, true, t);
        }, chain);
        redefine(Version1.class, older);
        with(Place.NATIVE, "the whole chain retransformed", t -> {
            retransform(CompiledFrames.class);
            retransform(Box.class);
            retransform(Sub.class);
            trace(t);
            for (int i = 0; i < 9; i++) locals(t, CHAIN[i], 0, false);
        });
        once("after retransformation");
    }

    /* With an argument: of methods that are built into each other, each run so often before. */
    public static void main(String[] args) throws Exception {
        if (args.length > 0) turnsBefore = Integer.parseInt(args[0]);
        with(Place.NATIVE, "called for the first time", t -> {
            trace(t);
            for (String method : CHAIN) notifyPop(t, method, 0);
            event(STEP, true, t);
        });
        lookAndChange();
        pops();
        breakpoints();
        atEntries();
        events();
        poppedFrames();
        returns();
        stopped();
        watches();
        coldly();
        redefinitions();
        once("last");
    }
}
