// Exceptions that leave frames of every kind: thrown at each depth and caught at each depth above, through finally,
// monitors, lambdas, reflection, method handles, class loaders, initialisers and proxies; stack overflows in recursions
// of many shapes; the frames that traces and walkers see meanwhile; handlers in hot loops and next to calls.
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

public class CompiledUnwinding {
    static final int S = ClassAssembler.PUBLIC | ClassAssembler.STATIC;

    public static class Boom extends RuntimeException {
        final int depth;
        Boom(int depth) {
            super("boom " + depth);
            this.depth = depth;
        }
    }

    static long mix(long h, long v) { return (h ^ v) * 0x9e3779b97f4a7c15L + (h >>> 29); }

    // ---- one frame of each kind; each either has a handler or not, and calls the next

    static int depth, catchAt;
    static long trail;                       // what ran on the way out, in its order
    static boolean walk;
    static List<String> seen;
    static final Object BLOCK = new Object(), INNER = new Object();
    static final CompiledUnwinding SELF = new CompiledUnwinding();
    static final Method REFLECTED;
    static final MethodHandle HANDLE;
    static {
        try {
            REFLECTED = CompiledUnwinding.class.getDeclaredMethod("handled", int.class);
            HANDLE = MethodHandles.lookup().findStatic(CompiledUnwinding.class, "constructed",
                                                       MethodType.methodType(int.class, int.class));
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    static int note(int n) { trail = mix(trail, n); return n; }
    static int caught(int n, Boom e) {
        if (n != catchAt || e.depth != depth) throw new AssertionError(n + " " + e.depth);
        return note(1000 + n);
    }
    /** The deepest frame: throws, or looks at the frames above and returns. */
    static int end(int n) {
        if (!walk) throw new Boom(n);
        StackWalker.getInstance().forEach(f -> {
            if (f.getClassName().startsWith("CompiledUnwinding"))
                seen.add(f.getMethodName() + ":" + f.getLineNumber() + "@" + f.getByteCodeIndex());
        });
        for (StackTraceElement e : Thread.currentThread().getStackTrace())
            if (e.getClassName().startsWith("CompiledUnwinding")) seen.add(e.getMethodName() + ":" + e.getLineNumber());
        return 1;
    }

    static int plain(int n) {
        if (n == depth) return end(n);
        if (n != catchAt) return n + wide(n + 1, n, -n, 0.5f * n, "text");
        try {
            return n + wide(n + 1, n, -n, 0.5f * n, "text");
        } catch (Boom e) {
            return caught(n, e);
        }
    }
    static int wide(int n, long a, double b, float c, String d) {
        if (n == depth) return end(n);
        if (n != catchAt) return (int) (a + (long) (b * c + note(n) + cleaned(n + 1)) + d.length());
        try {
            return (int) (a + (long) (b * c + note(n) + cleaned(n + 1)) + d.length());
        } catch (Boom e) {
            return caught(n, e) + (int) (a + (long) b + (long) c) + d.length();
        }
    }
    static int cleaned(int n) {
        if (n == depth) return end(n);
        int before = n * 3;
        try {
            return n == catchAt ? before : SELF.locked(n + 1) + before;
        } finally {
            note(before);
            try {
                if (n == catchAt) before += SELF.locked(n + 1);
            } catch (Boom e) {
                before += caught(n, e);
            } finally {
                note(before);
            }
        }
    }
    synchronized int locked(int n) {
        if (n == depth) return end(n);
        if (n != catchAt) return n + SELF.lockedAgain(n + 1) * 2;
        try {
            return n + SELF.lockedAgain(n + 1) * 2;
        } catch (Boom e) {
            return caught(n, e) + (Thread.holdsLock(this) ? 1 : 5);
        } finally {
            note(Thread.holdsLock(this) ? n : -n);
        }
    }
    synchronized int lockedAgain(int n) {
        if (n == depth) return end(n);
        if (n != catchAt) return lockedClass(n + 1) - n;
        try {
            return lockedClass(n + 1) - n;
        } catch (Boom e) {
            return caught(n, e);
        }
    }
    static synchronized int lockedClass(int n) {
        if (n == depth) return end(n);
        if (n != catchAt) return block(n + 1) - n;
        try {
            return block(n + 1) - n;
        } catch (Boom e) {
            return caught(n, e) + (Thread.holdsLock(CompiledUnwinding.class) ? 1 : 5);
        }
    }
    static int block(int n) {
        if (n == depth) return end(n);
        int r = n;
        synchronized (BLOCK) {
            if (n != catchAt) {
                synchronized (INNER) {
                    synchronized (BLOCK) { r += lambda(n + 1); }
                }
            } else {
                try {
                    synchronized (INNER) { r += lambda(n + 1); }
                } catch (Boom e) {
                    r += caught(n, e) + (Thread.holdsLock(BLOCK) ? 1 : 2);
                    note(Thread.holdsLock(INNER) ? 5 : 6);     // a run farther up may hold it
                }
            }
        }
        return r;
    }
    static int lambda(int n) {
        if (n == depth) return end(n);
        int r = n;
        Callable<Integer> next = () -> reflected(n + 1) + n;
        try {
            return n != catchAt ? r + next.call() : guarded(n, next);
        } catch (RuntimeException e) {
            note(-7);
            throw e;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
    static int guarded(int n, Callable<Integer> next) throws Exception {
        try {
            return next.call();
        } catch (Boom e) {
            return caught(n, e);
        }
    }
    static int reflected(int n) {
        if (n == depth) return end(n);
        try {
            return (int) REFLECTED.invoke(null, n + 1) + n;
        } catch (InvocationTargetException e) {
            if (n == catchAt) return caught(n, (Boom) e.getCause());
            throw (Boom) e.getTargetException();
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }
    static int handled(int n) {
        if (n == depth) return end(n);
        try {
            return (int) HANDLE.invokeExact(n + 1) * 3;
        } catch (Boom e) {
            if (n == catchAt) return caught(n, e);
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }
    static class Constructed {
        final int value;
        Constructed(int n) { this(n, proxied(n + 1)); }
        Constructed(int n, int of) { value = n + of; }
    }
    static int constructed(int n) {
        if (n == depth) return end(n);
        if (n != catchAt) return new Constructed(n).value + 1;
        try {
            return new Constructed(n).value + 1;
        } catch (Boom e) {
            return caught(n, e);
        }
    }
    interface Step {
        int go(int n) throws Exception;
        default int defaulted(int n) throws Exception { return go(n) + 1; }
    }
    static final Step STEP = CompiledUnwinding::library, PROXY = (Step) Proxy.newProxyInstance(
        CompiledUnwinding.class.getClassLoader(), new Class<?>[] {Step.class},
        (p, m, a) -> m.getName().equals("go") ? (Object) (STEP.defaulted((int) a[0]) + 1) : null);
    static int proxied(int n) {
        if (n == depth) return end(n);
        try {
            return PROXY.go(n + 1);
        } catch (Boom e) {
            if (n != catchAt) throw e;
            return caught(n, e);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
    static int library(int n) {
        if (n == depth) return end(n);
        if (n != catchAt) return Optional.of(n).map(v -> v + loaded(v + 1)).get();
        try {
            return Optional.of(n).map(v -> v + loaded(v + 1)).get();
        } catch (Boom e) {
            return caught(n, e);
        }
    }
    static class Asking extends ClassLoader {
        int n, result;
        Asking(int n) { this.n = n; }
        @Override protected Class<?> findClass(String name) {
            result = sorted(n + 1);
            return CompiledUnwinding.class;
        }
    }
    static int loaded(int n) {
        if (n == depth) return end(n);
        Asking asking = new Asking(n);
        try {
            Class.forName("not.There", false, asking);
        } catch (Boom e) {
            if (n != catchAt) throw e;
            return caught(n, e);
        } catch (ClassNotFoundException | NoClassDefFoundError e) {
            note(44);
        }
        return asking.result;
    }
    static int sorted(int n) {
        if (n == depth) return end(n);
        Integer[] two = {2, 1};
        int[] r = new int[1];
        try {
            Arrays.sort(two, (a, b) -> {
                r[0] += plain(n + 1);
                return a - b;
            });
        } catch (Boom e) {
            if (n != catchAt) throw e;
            r[0] += caught(n, e);
        }
        return r[0] + two[0];
    }

    static final Object[] LOCKS = {SELF, CompiledUnwinding.class, BLOCK, INNER};
    static String held() {
        String s = "";
        for (Object o : LOCKS) if (Thread.holdsLock(o)) s += " held: " + o.getClass();
        return s;
    }
    static String frames(Throwable e) {
        StringBuilder b = new StringBuilder();
        for (StackTraceElement f : e.getStackTrace())
            if (f.getClassName().startsWith("CompiledUnwinding"))
                b.append(' ').append(f.getMethodName()).append(':').append(f.getLineNumber());
        return b.toString();
    }
    static int run(int d, int c) {
        depth = d;
        catchAt = c;
        trail = 1;
        return plain(0);
    }
    static void everyDepth() {
        for (int d = 0; d <= 29; d++) {
            long h = 1;
            for (int c = 0; c < d; c++) {
                h = mix(mix(h, run(d, c)), trail);
                if (!held().isEmpty()) System.out.println(d + " " + c + held());
            }
            for (int round = 0; round < 2; round++)
                try {
                    run(d, -1);
                    System.out.println("not thrown");
                } catch (Boom e) {
                    h = mix(mix(h, e.depth), trail);
                    if (d > 14 && round == 1) System.out.println(e.getMessage() + frames(e));
                }
            System.out.println(d + " " + h + held());
        }
        walk = true;
        for (int d : new int[] {3, 15, 28}) {
            seen = new ArrayList<>();
            System.out.println(run(d, 40) + " " + trail + " " + seen);
        }
        walk = false;
    }

    // ---- the stack is not large enough

    interface Deep { int down(int n) throws Throwable; }
    static int over(int n) { return over(n + 1) + 1; }
    synchronized int overLocked(int n) { return overLocked(n + 1) + 1; }
    static synchronized int overClass(int n) { return overClass(n + 1) + 1; }
    static int overBlock(int n) { synchronized (BLOCK) { return overBlock(n + 1) + 1; } }
    static long overWide(long a, double b, long c, float d, Object e, int f, long g, double h, long i, long j, long k) {
        return a + overWide(b > 0 ? a + 1 : k, h, g, d + 1, e, f - 1, c, b, j, k, i) + 1;
    }
    static final Deep LAMBDA = n -> lambdaAgain().down(n + 1) + 1;
    static Deep lambdaAgain() { return LAMBDA; }
    static class Implemented implements Deep {
        Deep next = this;
        public int down(int n) throws Throwable { return next.down(n + 1) + 1; }
    }
    static Method overMethod;
    static MethodHandle overHandle;
    static int limit = Integer.MAX_VALUE;
    static int overReflected(int n) throws Throwable {
        if (n >= limit) return n;
        try {
            return (int) overMethod.invoke(null, n + 1) + 1;
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
    static int overHandled(int n) throws Throwable { return n >= limit ? n : (int) overHandle.invokeExact(n + 1) + 1; }
    static class Cyclic { final Cyclic next; Cyclic(int n) { next = new Cyclic(n + 1); } }
    static int closed;
    static int overCaught(int n) {
        try {
            return overCaught(n + 1) + 1;
        } catch (StackOverflowError e) {
            closed++;
            return 0;
        }
    }
    static int overFinally(int n) {
        try {
            return overFinally(n + 1) + 1;
        } finally {
            closed++;
        }
    }
    static int overMutual(int n) { return n % 3 == 0 ? SELF.overSecond(n, n) : over3(n + 1, 2L) + 1; }
    int overSecond(int n, double d) { return over3(n + 1, (long) d) - 1; }
    static int over3(int n, long l) { return overMutual(n + 1) + (int) l; }
    static int fill(int n, Deep then) throws Throwable { return n == 0 ? then.down(0) : fill(n - 1, then) + 1; }

    static void overflow(String name, Deep d) {
        int times = 0;
        String wrong = "";
        for (int i = 0; i < 3; i++)
            for (int gap : new int[] {0, 1, 7}) {
                try {
                    wrong += " returned " + (fill(gap, d) > 100);
                } catch (StackOverflowError e) {
                    times++;
                    if (e.getStackTrace().length < 100) wrong += " trace " + e.getStackTrace().length;
                } catch (Throwable e) {
                    wrong += " " + e;
                }
                wrong += held();
            }
        System.out.println(name + " " + times + wrong);
    }
    static void overflows() throws Exception {
        overMethod = CompiledUnwinding.class.getDeclaredMethod("overReflected", int.class);
        overHandle = MethodHandles.lookup().findStatic(CompiledUnwinding.class, "overHandled",
                                                       MethodType.methodType(int.class, int.class));
        limit = 50;                             // links what is to be linked where there is room
        try {
            for (int i = 0; i < 30; i++) limit += overReflected(i) + overHandled(i) > 0 ? 0 : 1;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
        limit = Integer.MAX_VALUE;
        Implemented implemented = new Implemented();
        overflow("static", CompiledUnwinding::over);
        overflow("synchronized", SELF::overLocked);
        overflow("static synchronized", CompiledUnwinding::overClass);
        overflow("synchronized block", CompiledUnwinding::overBlock);
        overflow("many arguments", n -> (int) overWide(n, 1, 2, 3, "x", 5, 6, 7, 8, 9, 10));
        overflow("interface", implemented);
        overflow("lambda", LAMBDA);
        overflow("reflection", CompiledUnwinding::overReflected);
        overflow("method handle", CompiledUnwinding::overHandled);
        overflow("constructor", n -> new Cyclic(n).hashCode());
        overflow("mutual", CompiledUnwinding::overMutual);
        overflow("finally", CompiledUnwinding::overFinally);
        overflow("caught below", CompiledUnwinding::overCaught);
        System.out.println(closed > 1000);
    }

    // ---- handlers in loops

    static final Boom MADE = new Boom(-1);
    static int thrower(int n) {
        if (n % 3 == 0) throw MADE;
        if (n % 97 == 0) throw new IllegalStateException("" + n);
        return n;
    }
    static long hot(int times, int[] a, Object[] objects) {
        long h = 0;
        int zero = 0, caught = 0;
        for (int i = 0; i < times; i++) {
            try {
                switch (i % 8) {
                    case 0: h += i / zero; break;
                    case 1: h += a[i % 11]; break;
                    case 2: h += objects[i % 3].hashCode(); break;
                    case 3: h += ((String) objects[1 + i % 2]).length(); break;
                    case 4: h += thrower(i); break;
                    case 5: throw MADE;
                    case 6: h += new int[3 - i % 5].length; break;
                    default: objects[i % 3] = i % 5 == 0 ? (Object) "s" : Integer.valueOf(5);
                }
                h = mix(h, i);
            } catch (ArithmeticException | Boom e) {
                h = mix(h, e instanceof Boom ? 1 : 2);
            } catch (IndexOutOfBoundsException | ClassCastException e) {
                h = mix(h, e.getClass().getName().length());
                continue;
            } catch (RuntimeException e) {
                h = mix(h, e.getClass().getName().length() * 3);
            } finally {
                caught++;
            }
        }
        return h + caught;
    }
    static long nestedTries(int times) {
        long h = 0;
        for (int i = 0; i < times; i++) {
            try {
                try {
                    try {
                        h = mix(h, thrower(i));
                    } catch (Boom e) {
                        if (i % 2 == 0) throw e;
                        h = mix(h, 3);
                    } finally {
                        h = mix(h, thrower(i + 1));
                    }
                } catch (IllegalStateException e) {
                    h = mix(h, e.getMessage().length());
                    if (i % 4 == 0) continue;
                    throw new Boom(i);
                }
            } catch (Boom e) {
                h = mix(h, e.depth);
            }
        }
        return h;
    }

    // ---- a handler that begins where a call ends, and calls at a method's end

    public static int made;
    public static void call(int n, int at) {
        made = made * 10 + at;
        if (n == at) throw new Boom(at);
    }
    static void boundaries() throws Throwable {
        String call = "invokestatic CompiledUnwinding.call (II)V\n",
               handled = ".frame full int | CompiledUnwinding$Boom\n astore_1\n";
        ClassAssembler c =
            new ClassAssembler(52, "Edges")
                .method(S, "adjacent", "(I)I", 3, 2,
                        ".catch CompiledUnwinding$Boom a b h1\n .catch CompiledUnwinding$Boom b c h2\n"
                            + ".catch any c d h3\n"
                            + "iload_0\n iconst_1\na:\n" + call + "b:\n iload_0\n iconst_2\n" + call
                            + "c:\n iload_0\n iconst_3\n" + call + "d:\n iload_0\n iconst_4\n" + call
                            + "bipush 9\n ireturn\nh1:\n" + handled + "bipush 11\n ireturn\nh2:\n" + handled
                            + "bipush 12\n ireturn\nh3:\n .frame full int | java/lang/Throwable\n pop\n"
                            + "bipush 13\n ireturn")
                .method(S, "atEnd", "(I)I", 3, 2,
                        ".catch CompiledUnwinding$Boom back out h\n"
                            + "goto last\nback:\n .frame same\n .line 10\n iload_0\n iconst_1\n .line 11\n" + call
                            + "out:\n .line 12\n bipush 7\n ireturn\nh:\n" + handled
                            + ".line 13\n iconst_5\n ireturn\nlast:\n .frame full int |\n .line 20\n iload_0\n"
                            + "iconst_2\n .line 21\n" + call + ".line 22\n goto back")
                .method(S, "itself", "(I)I", 3, 3,                   // a handler that is among what it guards
                        ".catch CompiledUnwinding$Boom a d a2\n"
                            + "iconst_0\n istore_2\n aconst_null\n astore_1\na:\n goto body\na2:\n"
                            + ".frame full int CompiledUnwinding$Boom int | CompiledUnwinding$Boom\n astore_1\n"
                            + "iinc 2 1\nbody:\n .frame full int CompiledUnwinding$Boom int |\n"
                            + "iload_2\n iload_0\n if_icmpge e\n iconst_3\n iconst_3\n" + call
                            + "d:\n e:\n .frame same\n iload_2\n ireturn");
        Class<?> k = ClassAssembler.load(c);
        for (String name : new String[] {"adjacent", "atEnd", "itself"})
            for (int round = 0; round < 2; round++)
                for (int n = 0; n < 6; n++) {
                    made = 0;
                    String text = name + " " + n;
                    try {
                        text += " = " + ClassAssembler.call(k, name, n);
                    } catch (Boom e) {
                        text += " " + e.getMessage();
                        for (StackTraceElement f : Arrays.copyOf(e.getStackTrace(), 2))
                            text += " " + f.getMethodName()
                                    + (f.getClassName().equals("Edges") ? f.getLineNumber() : "");
                    }
                    System.out.println(text + " " + made);
                }
    }

    // ---- out of initialisers, resources, and with what is thrown in place of something else

    static class Failing { static final int V; static { V = call2(1); } static int get() { return V; } }
    static int call2(int n) { if (n == 1) throw new Boom(77); return n; }
    static int failing(int n) { return n + Failing.get() * 2; }
    static class Late extends Exception { Late(String s) { super(s); } }
    static int late(int n) {
        try {
            if (n > 1) throw new Late("late " + n);
            return call2(n);
        } catch (Late e) {
            return e.getMessage().length();
        }
    }
    static class Resource implements AutoCloseable {
        final int n;
        Resource(int n) { if (note(n) == 4) throw new Boom(n); this.n = n; }
        @Override public void close() { if (note(-n) < -1) throw new Boom(100 + n); }
    }
    static int resources(int n) {
        try (Resource a = new Resource(1); Resource b = new Resource(n); Resource c = new Resource(n + 1)) {
            return call2(n - 1) + a.n + b.n + c.n;
        }
    }
    static int odd(int n) {
        try {
            call2(1);
        } finally {
            if (n > 2) return n;                // what was thrown is forgotten
        }
        return -n;
    }
    static int checked(int n) throws Exception {
        return ((Step) Proxy.newProxyInstance(CompiledUnwinding.class.getClassLoader(), new Class<?>[] {Step.class},
                                              (p, m, a) -> { throw new Throwable("" + a[0]); })).go(n);
    }
    static void tried(String name, Deep d) {
        for (int n = 0; n < 5; n++) {
            trail = 1;
            String text = name + " " + n;
            try {
                text += " = " + d.down(n);
            } catch (Throwable e) {
                text += " " + e + frames(e);
                for (Throwable s : e.getSuppressed()) text += " suppressed " + s.getMessage() + frames(s);
                for (Throwable c = e.getCause(); c != null; c = c.getCause()) text += " <- " + c + frames(c);
            }
            System.out.println(text + " " + trail);
        }
    }

    public static void main(String[] args) throws Throwable {
        everyDepth();
        Thread deep = new Thread(null, () -> {
            try {
                overflows();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }, "deep", 512 << 10);
        deep.start();
        deep.join();
        System.out.println(hot(20000, new int[7], new Object[] {"a", null, 5}) + " " + nestedTries(6000));
        boundaries();
        tried("initialiser", CompiledUnwinding::failing);
        tried("late class", CompiledUnwinding::late);
        tried("resources", CompiledUnwinding::resources);
        tried("finally returns", CompiledUnwinding::odd);
        tried("undeclared", CompiledUnwinding::checked);
        everyDepth();
    }
}
