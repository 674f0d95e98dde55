// Monitors of methods and blocks as callers and callees hold them: each way in and each way out, nested and recursive,
// given back where exceptions leave, taken by several threads in turn, waited for; enters and exits that do not match.
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

public class CompiledMonitors {
    static final int ROUNDS = 3;
    static final int P = ClassAssembler.PUBLIC, S = ClassAssembler.PUBLIC | ClassAssembler.STATIC,
                     L = ClassAssembler.SYNCHRONIZED;

    public static class Boom extends RuntimeException {
        Boom(String s) { super(s); }
    }

    static long mix(long h, long v) { return (h ^ v) * 0x9e3779b97f4a7c15L + (h >>> 29); }

    /** For each lock whether this thread holds it, and whether nobody else does: another thread gets it or does not. */
    static String held(Object... locks) {
        StringBuilder b = new StringBuilder();
        for (Object o : locks) b.append(Thread.holdsLock(o) ? '+' : '-');
        return b.toString();
    }
    static String free(Object... locks) throws InterruptedException {
        boolean[] got = new boolean[locks.length];
        Thread t = new Thread(() -> {
            for (int i = 0; i < locks.length; i++) synchronized (locks[i]) { got[i] = true; }
        });
        t.start();
        t.join();
        return held(locks) + Arrays.toString(got);
    }

    // ---- synchronized methods, each type of result

    synchronized void v() { if (!Thread.holdsLock(this)) throw new Boom("not held"); }
    synchronized int i(int n) { return n * 3 + (Thread.holdsLock(this) ? 1 : 0); }
    synchronized long j(long n) { return n * 3 + (Thread.holdsLock(this) ? 1 : 0); }
    synchronized float f(float n) { return n / 3 + (Thread.holdsLock(this) ? 1 : 0); }
    synchronized double d(double n) { return n / 3 + (Thread.holdsLock(this) ? 1 : 0); }
    synchronized Object o(Object n) { return Thread.holdsLock(this) ? n : null; }
    synchronized boolean z(boolean n) { return n ^ Thread.holdsLock(this); }
    static synchronized int si(int n) { return n - (Thread.holdsLock(CompiledMonitors.class) ? 1 : 0); }
    static synchronized double sd(double n) { return n - (Thread.holdsLock(CompiledMonitors.class) ? 1 : 0); }
    static synchronized Object so(Object n) { return Thread.holdsLock(CompiledMonitors.class) ? n : null; }
    synchronized int wide(long a, double b, Object c, int e, long f, double g, int h) {
        a += f; b += g; c = c.toString() + e; h++;              // the lock is not what the locals hold
        return (int) (a + (long) b) + c.hashCode() + h + (Thread.holdsLock(this) ? 1 : 0);
    }
    /* the receiver's local holds something else when the method ends */
    static Object swapped(Object lock, Object other) {
        synchronized (lock) {
            Object was = lock;
            lock = other;
            other = was;
            return held(lock, other) + (lock == was);
        }
    }
    static void results() throws InterruptedException {
        CompiledMonitors m = new CompiledMonitors();
        for (int r = 0; r < ROUNDS; r++) {
            m.v();
            System.out.println(m.i(r) + " " + m.j(r) + " " + m.f(r) + " " + m.d(r) + " " + m.o("o") + m.z(r == 1)
                               + si(r) + " " + sd(r) + so("so") + m.wide(r, 2.5, "c", 4, 5, 6.5, 7)
                               + swapped(m, "other") + free(m, CompiledMonitors.class));
        }
    }

    // ---- blocks, and every way out of them

    static String ways(int n, Object a, Object b, StringBuilder s) {
        for (int i = 0; ; i++) {
            synchronized (a) {
                if (n == 0) break;
                if (n == 1) return s.append(held(a, b)).toString();
                synchronized (b) {
                    s.append(held(a, b));
                    if (n == 2) return s.toString();
                    if (n == 3 && i == 0) continue;
                    if (n == 4) break;
                    if (n == 5) throw new Boom(held(a, b));
                    if (n == 6) s.append(1 / (n - 6));
                    if (n == 7) s.append(((Object[]) null)[0]);
                    if (n == 8) s.append((Integer) (Object) "8");
                    if (n == 9) thrower(a, b, s);
                    if (n == 10)
                        try {
                            thrower(b, a, s);
                        } catch (Boom e) {
                            s.append(e.getMessage()).append(held(a, b));
                            break;
                        } finally {
                            s.append(held(a, b));
                        }
                    if (n == 11) synchronized (a) { synchronized (b) { thrower(a, b, s); } }
                    if (n == 12) synchronized (s) { return new CompiledMonitors().rethrow(s, a, b); }
                    if (n == 13) synchronized ((Object) null) { s.append("entered"); }
                    if (n == 14) s.append(new int[n - 15].length);
                    if (i == 1) break;
                }
                s.append(held(a, b));
            }
        }
        return s.append(held(a, b)).toString();
    }
    static synchronized void thrower(Object a, Object b, StringBuilder s) {
        synchronized (a) {
            s.append(held(a, b, CompiledMonitors.class));
            throw new Boom("thrown");
        }
    }
    synchronized String rethrow(StringBuilder s, Object a, Object b) {
        try {
            thrower(this, b, s);
        } catch (Boom e) {
            synchronized (e) {
                s.append(held(this, a, b, s, e));
                throw new Boom("again");
            }
        }
        return "none";
    }
    static void exits() throws InterruptedException {
        Object a = new Object(), b = "literal";
        for (int n = 0; n <= 14; n++)
            for (int r = 0; r < ROUNDS; r++) {
                StringBuilder s = new StringBuilder();
                String text = n + " ";
                try {
                    text += ways(n, a, r == 1 ? a : b, s);
                } catch (RuntimeException e) {
                    text += s + " " + e.getClass().getSimpleName();
                }
                System.out.println(text + " " + free(a, b, s, CompiledMonitors.class));
            }
    }

    // ---- recursion

    synchronized int down(int n, CompiledMonitors other) {
        if (n == 0) return Thread.holdsLock(this) && Thread.holdsLock(other) ? 1 : 1000;
        return other.down(n - 1, this) + 1;
    }
    static synchronized int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
    static int blocks(Object[] locks, int n) {
        if (n == 0) return 0;
        synchronized (locks[n % locks.length]) {
            synchronized (locks[(n + 1) % locks.length]) {
                return blocks(locks, n - 1) + (Thread.holdsLock(locks[n % locks.length]) ? 1 : 0);
            }
        }
    }
    synchronized int unwound(int n, int catchAt) {
        try {
            if (n == 0) throw new Boom("bottom");
            return unwound(n - 1, catchAt) + 1;
        } catch (Boom e) {
            if (n != catchAt) throw e;
            return Thread.holdsLock(this) ? 100 : 0;
        }
    }
    static void recursion() throws InterruptedException {
        CompiledMonitors a = new CompiledMonitors(), b = new CompiledMonitors();
        Object[] locks = {new Object(), a, b, "lock", new int[0]};
        System.out.println(a.down(701, b) + " " + fib(14) + " " + blocks(locks, 200) + " " + free(locks));
        for (int c : new int[] {0, 1, 50, 99, 100}) System.out.println(a.unwound(100, c) + free(a));
        Supplier<Integer> lambda = () -> { synchronized (a) { return b.down(6, a); } };
        System.out.println(lambda.get() + free(a, b));
    }
    static void handles() throws Throwable {
        CompiledMonitors m = new CompiledMonitors();
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodHandle i = lookup.findVirtual(CompiledMonitors.class, "i", MethodType.methodType(int.class, int.class)),
                     s = lookup.findStatic(CompiledMonitors.class, "si", i.type().dropParameterTypes(0, 1));
        for (int r = 0; r < ROUNDS; r++)
            System.out.println((int) i.invokeExact(m, r) + " " + (int) s.invokeExact(r) + " "
                               + CompiledMonitors.class.getDeclaredMethod("d", double.class).invoke(m, 1.5)
                               + CompiledMonitors.class.getDeclaredMethod("si", int.class).invoke(null, r)
                               + free(m, CompiledMonitors.class));
    }

    // ---- natives that are synchronized, hash codes of what is locked, collections meanwhile

    static String odd() throws InterruptedException {
        Object o = new Object();
        int before;
        synchronized (o) {
            before = System.identityHashCode(o);
            System.gc();
            synchronized (o) {
                if (o.hashCode() != before) return "changed";
            }
        }
        Object[] many = new Object[300];
        for (int i = 0; i < many.length; i++) many[i] = i % 2 == 0 ? new Object() : new int[i];
        int deep = all(many, 0);
        Throwable t = new Throwable();
        synchronized (t) { t.fillInStackTrace(); }              // synchronized and native inside
        StringBuffer b = new StringBuffer();                    // whose methods are synchronized
        synchronized (b) { for (int i = 0; i < 100; i++) b.append(i % 10); }
        return (o.hashCode() == before) + " " + deep + " " + b.length() + free(o, many[0], many[299], t, b);
    }
    static int all(Object[] many, int at) {
        if (at == many.length) {
            System.gc();
            return held(many).indexOf('-');
        }
        synchronized (many[at]) { return all(many, at + 1); }
    }

    // ---- other threads

    static class Cell {
        private int value;
        private boolean full;
        synchronized void put(int v) throws InterruptedException {
            while (full) wait();
            value = v;
            full = true;
            notifyAll();
        }
        int take() throws InterruptedException {
            synchronized (this) {
                while (!full) wait();
                full = false;
                notifyAll();
                return value;
            }
        }
    }
    static int shared;
    static int[] counted = new int[3];
    synchronized void add(int n) { shared += n; counted[0]++; }
    static synchronized void addStatic() { counted[1]++; }
    void addBlock(Object lock) { synchronized (lock) { counted[2]++; } }
    static int inside;
    static boolean broken;
    /* leaves by an exception every other time */
    synchronized int critical(int n) {
        if (inside++ != 0) broken = true;
        try {
            if (n % 2 == 0) throw new Boom("" + n);
            return n;
        } finally {
            if (--inside != 0) broken = true;
        }
    }
    interface Body { void run() throws Exception; }
    static Thread start(Body b) {
        Thread t = new Thread(() -> {
            try {
                b.run();
            } catch (Exception e) {
                System.out.println(e);
            }
        });
        t.start();
        return t;
    }
    static void threads() throws InterruptedException {
        Cell there = new Cell(), back = new Cell();
        long[] sums = {1, 1};
        Thread other = start(() -> {
            for (int i = 0; i < 300; i++) {
                int v = there.take();
                sums[1] = mix(sums[1], v);
                back.put(v * 3);
            }
        });
        for (int i = 0; i < 300; i++) {
            there.put(i);
            sums[0] = mix(sums[0], back.take());
        }
        other.join();
        System.out.println(sums[0] + " " + sums[1]);

        CompiledMonitors m = new CompiledMonitors();
        Object lock = new Object();
        List<Thread> all = new ArrayList<>();
        for (int t = 0; t < 4; t++)
            all.add(start(() -> {
                for (int i = 0; i < 1500; i++) {
                    m.add(i);
                    addStatic();
                    m.addBlock(lock);
                    try {
                        m.critical(i);
                    } catch (Boom e) {
                        if (i != Integer.parseInt(e.getMessage())) broken = true;
                    }
                }
            }));
        for (Thread t : all) t.join();
        System.out.println(shared + Arrays.toString(counted) + broken + free(m, lock, CompiledMonitors.class));
    }

    // ---- waiting in the middle of nested frames gives the monitor back, all its entries, and none of the others

    static boolean ready, answered;
    static int waitDeep(int n, Object lock, Object kept) throws InterruptedException {
        synchronized (lock) {
            if (n > 0) return waitDeep(n - 1, lock, kept) + (Thread.holdsLock(lock) ? 1 : 100);
            synchronized (kept) {
                ready = true;
                lock.notifyAll();
                while (!answered) lock.wait();
                return Thread.holdsLock(lock) && Thread.holdsLock(kept) ? 1 : 100;
            }
        }
    }
    static synchronized String interrupted() {
        try {
            CompiledMonitors.class.wait();
            return "not interrupted";
        } catch (InterruptedException e) {
            return "interrupted " + Thread.holdsLock(CompiledMonitors.class) + Thread.currentThread().isInterrupted();
        }
    }
    static void waits() throws InterruptedException {
        Object lock = new Object(), kept = new Object();
        int[] result = new int[2];
        Thread waiter = start(() -> result[0] = waitDeep(5, lock, kept));
        synchronized (lock) {
            while (!ready) lock.wait();
        }
        Thread blocked = start(() -> { synchronized (kept) { result[1] = answered ? 1 : 2; } });
        while (blocked.getState() != Thread.State.BLOCKED) Thread.yield();
        synchronized (lock) {                                   // nobody has it, though it was entered six times
            answered = true;
            lock.notifyAll();
        }
        waiter.join();
        blocked.join();
        System.out.println(result[0] + " " + result[1]);
        String[] text = new String[1];
        Thread t = start(() -> text[0] = interrupted());
        while (t.getState() != Thread.State.WAITING) Thread.yield();
        t.interrupt();
        t.join();
        System.out.println(text[0] + free(lock, kept, CompiledMonitors.class));
        synchronized (lock) {
            synchronized (lock) { lock.wait(1); }
            System.out.println(held(lock));
        }
        for (int k = 0; k < 4; k++)
            try {
                switch (k) {
                    case 0: lock.wait(); break;
                    case 1: lock.notify(); break;
                    case 2: synchronized (kept) { lock.notifyAll(); } break;
                    default: kept.wait(5, 6);
                }
                System.out.println("not thrown");
            } catch (IllegalMonitorStateException e) {
                System.out.println(e.getMessage() + free(lock, kept));
            }
    }

    // ---- initialisers under monitors, and monitors under initialisers

    static class Init {
        static String s;
        static { synchronized (Init.class) { s = held(Init.class, CompiledMonitors.class); } }
        static synchronized String get() { return s + held(Init.class); }
    }
    static class BadInit {
        static { if (note(BadInit.class)) throw new Boom("bad"); }
        static synchronized int get() { return 1; }
    }
    static synchronized boolean note(Object lock) { synchronized (lock) { return true; } }
    static synchronized String initialising(Object lock) {
        synchronized (lock) {
            try {
                return Init.get() + BadInit.get();
            } catch (LinkageError e) {
                return e.getClass().getSimpleName() + held(lock, Init.class, BadInit.class, CompiledMonitors.class);
            }
        }
    }

    // ---- what javac does not write: exits that do not match

    static void crafted() throws Throwable {
        String o = "(Ljava/lang/Object;)I", oo = "(Ljava/lang/Object;Ljava/lang/Object;)I";
        String caught = ".frame full java/lang/Object java/lang/Object |\n";
        ClassAssembler c = new ClassAssembler(52, "Mon");
        c.method(S, "leave", oo, 2, 2, "aload_0\n monitorenter\n iconst_1\n ireturn")
            .method(S, "leaveTwo", oo, 2, 2, "aload_0\n monitorenter\n aload_1\n monitorenter\n iconst_1\n ireturn")
            .method(S, "leaveOfThree", oo, 2, 2,
                    "aload_0\n monitorenter\n aload_0\n monitorenter\n aload_0\n monitorenter\n aload_0\n monitorexit\n"
                        + "iconst_1\n ireturn")
            .method(S, "callersExit", oo, 2, 2, "aload_0\n monitorexit\n iconst_1\n ireturn")
            .method(S, "twice", oo, 2, 2,
                    "aload_0\n monitorenter\n aload_0\n monitorexit\n aload_0\n monitorexit\n iconst_1\n ireturn")
            .method(S, "other", oo, 2, 2,
                    "aload_0\n monitorenter\n aload_1\n monitorexit\n aload_0\n monitorexit\n iconst_1\n ireturn")
            .method(S, "crossed", oo, 2, 2,
                    "aload_0\n monitorenter\n aload_1\n monitorenter\n aload_0\n monitorexit\n aload_1\n monitorexit\n"
                        + "iconst_1\n ireturn")
            .method(S, "thrown", oo, 2, 2,
                    "aload_0\n monitorenter\n aload_1\n monitorenter\n aconst_null\n athrow")
            .method(S, "enterNull", oo, 2, 2,
                    "aload_1\n monitorenter\n aconst_null\n monitorenter\n iconst_1\n ireturn")
            .method(S, "exitNull", oo, 2, 2, "aload_1\n monitorenter\n aconst_null\n monitorexit\n iconst_1\n ireturn")
            .method(S | L, "methods", oo, 2, 2, "ldc class Mon\n monitorexit\n iconst_1\n ireturn")
            .method(S | L, "methodsAgain", oo, 2, 2,
                    "ldc class Mon\n monitorenter\n aload_0\n monitorenter\n iconst_1\n ireturn")
            .method(S | L, "methodThrows", oo, 2, 2, "aload_0\n monitorenter\n aconst_null\n athrow")
            .method(S, "loop", oo, 2, 3,                 // entered more often than it is left, in a loop
                    "iconst_0\n istore_2\nhead:\n .frame append int\n aload_0\n monitorenter\n aload_0\n monitorenter\n"
                        + "aload_0\n monitorexit\n iinc 2 1\n iload_2\n iconst_5\n if_icmplt head\n iconst_1\n ireturn")
            .method(S, "balancedLoop", oo, 2, 3,         // n times in one loop, and out in another
                    "iconst_0\n istore_2\nhead:\n .frame append int\n aload_0\n monitorenter\n aload_1\n monitorenter\n"
                        + "iinc 2 1\n iload_2\n iconst_5\n if_icmplt head\nout:\n .frame same\n aload_1\n monitorexit\n"
                        + "aload_0\n monitorexit\n iinc 2 -1\n iload_2\n ifgt out\n iconst_2\n ireturn")
            .method(S, "handler", oo, 2, 2,              // the handler gives back what the failing call left alone
                    ".catch any from to h\n aload_0\n monitorenter\nfrom:\n aload_0\n aload_1\n"
                        + "invokestatic Mon.thrown " + oo + "\nto:\n aload_0\n monitorexit\n ireturn\nh:\n"
                        + ".frame full java/lang/Object java/lang/Object | java/lang/Throwable\n pop\n aload_0\n"
                        + "monitorexit\n iconst_3\n ireturn");
        String[] names = {"leave", "leaveTwo", "leaveOfThree", "callersExit", "twice", "other", "crossed", "thrown",
                          "enterNull", "exitNull", "methods", "methodsAgain", "methodThrows", "loop", "balancedLoop",
                          "handler"};
        for (String name : names)
            c.method(S, name + "Called", oo, 4, 2,
                     "bipush 100\n aload_0\n aload_1\n invokestatic Mon." + name + " " + oo + "\n iadd\n ireturn");
        Class<?> k = ClassAssembler.load(c);
        for (String name : names)
            for (int r = 0; r < 4; r++) {
                // Whether a method may exit what its caller entered is left to the VM (JVMS 2.11.10).
                if (r > 1 && (name.equals("callersExit") || name.equals("twice"))) continue;
                Object a = new Object(), b = new Object();
                String text = name;
                try {
                    if (r < 2) text += " " + ClassAssembler.call(k, name + "Called", a, b);
                    else synchronized (a) {
                        synchronized (k) {
                            try {
                                text += " " + ClassAssembler.call(k, name + "Called", a, b);
                            } finally {
                                text += held(a, b, k);
                            }
                        }
                    }
                } catch (RuntimeException e) {
                    text += " " + e.getClass().getSimpleName();
                }
                System.out.println(text + " " + free(a, b, k));
            }
    }

    public static void main(String[] args) throws Throwable {
        results();
        exits();
        recursion();
        handles();
        System.out.println(odd());
        threads();
        waits();
        for (int r = 0; r < ROUNDS; r++)
            System.out.println(initialising("lock") + free("lock", Init.class, BadInit.class, CompiledMonitors.class));
        crafted();
    }
}
