// Methods that use monitors and are called from loops until an optimising compiler builds them into their callers:
// synchronized methods and blocks, static ones, in each other; what is thrown in them, and by what they call; monitors
// that others want, wait for or have inflated; monitors that are left held, or are left for somebody else. Each time it
// is looked who holds what, from inside and afterwards.
public class InlinedMonitors {
    static final int TURNS = 400, N = 60;
    static int statics;
    int count;
    final int[] values = {3, 1, 4, 1, 5, 9, 2, 6};
    Object lock = new Object();

    // ---- kinds of methods

    synchronized int get() { return count; }
    synchronized void add(int n) { count += n; }
    synchronized void nothing() {}
    synchronized long wide(long x, double y) { return x * 3 + (long) (y * 2) + count; }
    synchronized boolean bool(int n) { return (n & 4) != 0; }
    synchronized Object reference(Object o) { return o == null ? this : o; }
    static synchronized int ofClass(int n) { return statics += n; }
    int block(int n) { synchronized (lock) { return count ^ n; } }
    int blocks(int n, Object other) {
        int h = 0;
        synchronized (lock) { h += n; synchronized (other) { h ^= 5; } h += 3; }
        synchronized (other) { h = h * 3 + count; }
        return h;
    }
    synchronized int again(int n) { return n == 0 ? get() : inner(n) + get(); }
    private synchronized int inner(int n) { add(1); return n + count; }
    synchronized int loops(int n) {
        int h = 0;
        for (int i = 0; i < n; i++) h = h * 31 + values[i & 7];
        return h;
    }
    // its own monitor, and another one
    synchronized int both(int n) { synchronized (lock) { return n + count; } }
    // the receiver is another one at the end
    static int changed(InlinedMonitors m, InlinedMonitors other) {
        synchronized (m) { m = other; }
        return m.count;
    }

    static long kinds(InlinedMonitors m, InlinedMonitors other, int n) {
        long h = 0;
        for (int i = 0; i < n; i++) {
            m.add(i & 3);
            m.nothing();
            h = h * 31 + m.get() + m.wide(i, i * 0.5) + (m.bool(i) ? 1 : 0) + (m.reference(null) == m ? 2 : 0)
                + (m.reference(other) == m ? 4 : 0) + ofClass(i) + m.block(i) + m.blocks(i, other) + m.again(i & 1)
                + m.loops(i & 15) + m.both(i) + changed(m, other);
            m.count &= 0xffff;
            statics &= 0xff;
        }
        return h;
    }

    // ---- what is thrown

    synchronized int atBounds(int i) { return values[i]; }
    synchronized int asked(int i, int at) {
        if (i == at) throw new IllegalStateException(Thread.holdsLock(this) + " " + i);
        return i;
    }
    synchronized int callsOne(int i, int at) { return rare(i, at) + 1; }
    int blockCalls(int i, int at) {
        synchronized (lock) { return rare(i, at) + 2; }
    }
    static int rare(int i, int at) {
        if (i == at) throw new UnsupportedOperationException("at " + i);
        return i;
    }
    synchronized int caughtInside(int i, int at) {
        try {
            return rare(i, at);
        } catch (UnsupportedOperationException e) {
            return Thread.holdsLock(this) ? -1 : -2;
        }
    }
    static int ofNull(InlinedMonitors m) { return m.get(); }

    static String thrown(InlinedMonitors m, int n, int at) {
        int h = 0;
        String found = "";
        for (int i = 0; i < n; i++) {
            try {
                h = h * 31 + m.atBounds(i == at ? 8 : i & 7);
            } catch (ArrayIndexOutOfBoundsException e) {
                found += " bounds " + i + held(m);
            }
            try {
                h += m.asked(i, at);
            } catch (IllegalStateException e) {
                found += " " + e.getMessage() + held(m);
            }
            try {
                h += m.callsOne(i, at) + m.blockCalls(i, at - 1);
            } catch (UnsupportedOperationException e) {
                found += " called " + e.getMessage() + held(m);
            }
            h += m.caughtInside(i, at);
            try {
                h += ofNull(i == at ? null : m);
            } catch (NullPointerException e) {
                found += " null" + held(m);
            }
        }
        return h + found + held(m);
    }
    static String held(InlinedMonitors m) {
        return Thread.holdsLock(m) || Thread.holdsLock(m.lock) ? " held" : " free";
    }

    // ---- objects that nobody else has

    static final class Cell {
        int v;
        Cell next;
        synchronized int add(int n) { return v += n; }
        synchronized int twice(int n) { return add(n) + add(n); }
        int block(int n) { synchronized (this) { return v * n; } }
    }
    static int own(int n, int at) {
        int h = 0;
        for (int i = 0; i < n; i++) {
            Cell c = new Cell(), d = new Cell();
            c.next = d;
            h = h * 31 + c.add(i) + c.twice(3) + d.block(2);
            synchronized (c) {
                synchronized (c.next) {
                    d.v += i;
                    h += d.twice(1);
                    if (i == at) h += seen(c);
                }
                h ^= c.v;
            }
        }
        return h;
    }
    static int seen(Cell c) {
        boolean[] is = {Thread.holdsLock(c), Thread.holdsLock(c.next)};
        return (is[0] ? 1000 : 0) + (is[1] ? 2000 : 0) + c.v + c.next.v;
    }
    synchronized int leavesInside(int i, int at, Cell c) { return i == at ? values[7 + c.v] : c.v; }
    static String leaves(InlinedMonitors m, int n, int at) {
        int h = 0;
        String found = "";
        for (int i = 0; i < n; i++) {
            Cell c = new Cell();
            try {
                synchronized (c) {
                    c.v = i == at ? 1 : 0;
                    h += c.add(0) + m.leavesInside(i, at, c);
                    c.v += 2;
                }
            } catch (ArrayIndexOutOfBoundsException e) {
                found += " " + c.v + Thread.holdsLock(c) + held(m);
            }
            h += c.v;
        }
        return h + found;
    }

    // ---- others

    int turns;
    synchronized boolean takes(int who) {
        if ((turns & 1) != who) return false;
        turns++;
        return true;
    }
    synchronized void waitsFor(int n) throws InterruptedException { while (count < n) wait(); }
    synchronized void tells(int n) { count = n; notifyAll(); }

    static void contend(InlinedMonitors m, int n) {
        for (int i = 0; i < n; i++) {
            m.add(1);
            ofClass(1);
            synchronized (m.lock) { m.values[0]++; }
            m.values[1] += m.block(0) & 0;
        }
    }
    /** While another object is in nobody's hands but the method's. */
    static long contendBeside(InlinedMonitors m, int n) {
        long h = 0;
        for (int i = 0; i < n; i++) {
            Cell c = new Cell();
            c.v = i;
            m.add(2);
            h += c.v;
            synchronized (c) {
                c.v++;
                ofClass(2);
                h += c.add(1);
            }
        }
        return h;
    }
    static int takeTurns(InlinedMonitors m, int who, int n) {
        int taken = 0;
        while (taken < n)
            if (m.takes(who)) taken++;
        return taken;
    }
    static void together(Runnable... all) throws InterruptedException {
        Thread[] threads = new Thread[all.length];
        for (int i = 0; i < all.length; i++) (threads[i] = new Thread(all[i])).start();
        for (Thread t : threads) t.join();
    }
    static void others() throws InterruptedException {
        InlinedMonitors m = new InlinedMonitors();
        statics = 0;
        Runnable contends = () -> { for (int k = 0; k < 100; k++) contend(m, 200); };
        together(contends, contends, contends);
        long[] sums = new long[3];
        Runnable[] beside = new Runnable[sums.length];
        for (int t = 0; t < sums.length; t++) {
            int at = t;
            beside[t] = () -> { for (int k = 0; k < 200; k++) sums[at] += contendBeside(m, 200); };
        }
        together(beside);
        System.out.println("beside: " + sums[0] + " " + sums[1] + " " + sums[2]);
        System.out.println("contended: " + m.count + " " + statics + " " + m.values[0] + held(m));
        together(() -> takeTurns(m, 0, 200), () -> takeTurns(m, 1, 200));
        System.out.println("in turn: " + m.turns + held(m));
        m.count = 0;
        together(() -> steps(m, 1), () -> steps(m, 2));
        System.out.println("waited for: " + m.count + held(m));
        long h = 0;
        for (int turn = 0; turn < TURNS; turn++) h += kinds(m, new InlinedMonitors(), N);       // fat by now
        System.out.println("inflated: " + h + held(m));
    }
    static void steps(InlinedMonitors m, int from) {
        try {
            for (int i = from; i < 300; i += 2) {
                m.waitsFor(i - 1);
                m.tells(i);
            }
        } catch (InterruptedException e) {
            throw new Error(e);
        }
    }

    // ---- what javac does not write

    public interface Work { int run(Object o, int i); }
    static final int S = ClassAssembler.PUBLIC | ClassAssembler.STATIC;
    static Work work(String name, String body, String of, int depth, int flags) throws Throwable {
        ClassAssembler a = new ClassAssembler(49, ClassAssembler.PUBLIC | ClassAssembler.SUPER, name,
                                              "java/lang/Object", "InlinedMonitors$Work")
            .method(ClassAssembler.PUBLIC, "<init>", "()V", 1, 1,
                    "aload_0\n invokespecial java/lang/Object.<init> ()V\n return")
            .method(ClassAssembler.PUBLIC, "run", "(Ljava/lang/Object;I)I", 3, 3, body)
            .method(S | flags, "of", "(Ljava/lang/Object;I)I", depth, 2, of);
        return (Work) ClassAssembler.load(a).getConstructor().newInstance();
    }
    static String unbalanced(Work w, Object o, int n) {
        int h = 0, thrown = 0;
        for (int i = 0; i < n; i++) {
            try {
                h = h * 31 + w.run(o, i);
            } catch (IllegalMonitorStateException e) {
                thrown++;
            }
        }
        return h + " thrown " + thrown + (Thread.holdsLock(o) ? " held" : " free");
    }
    static void written() throws Throwable {
        String call = "aload_1\n iload_2\n invokestatic %s.of (Ljava/lang/Object;I)I\n ireturn",
               at = "iload_1\n sipush 255\n iand\n sipush 200\n if_icmpne past\n ";
        Work[] all = {
            work("LeavesHeld", String.format(call, "LeavesHeld"),
                 at + "aload_0\n monitorenter\n past:\n iload_1\n ireturn", 2, 0),
            work("LeavesTwice", String.format(call, "LeavesTwice"),
                 "aload_0\n monitorenter\n " + at + "aload_0\n monitorexit\n past:\n aload_0\n monitorexit\n "
                 + "iload_1\n ireturn", 2, 0),
            work("LeavesCallers", "aload_1\n monitorenter\n " + String.format(call, "LeavesCallers"),
                 "aload_0\n monitorexit\n iload_1\n ireturn", 2, 0),
            work("LeavesOwn", String.format(call, "LeavesOwn"),
                 at + "ldc class LeavesOwn\n monitorexit\n past:\n iload_1\n ireturn", 2, ClassAssembler.SYNCHRONIZED),
            work("Crossed", String.format(call, "Crossed"),
                 "aload_0\n monitorenter\n ldc class Crossed\n monitorenter\n aload_0\n monitorexit\n "
                 + "ldc class Crossed\n monitorexit\n iload_1\n ireturn", 2, 0)};
        for (Work w : all) {
            Object o = new Object();
            for (int turn = 0; turn < 20; turn++) unbalanced(w, o, 1000);
            System.out.println(w.getClass().getName() + ": " + unbalanced(w, o, 1000) + " "
                               + Thread.holdsLock(w.getClass()));
        }
    }

    public static void main(String[] args) throws Throwable {
        InlinedMonitors m = new InlinedMonitors(), other = new InlinedMonitors();
        long h = 0;
        for (int turn = 0; turn < TURNS; turn++) {
            int at = turn == TURNS - 1 || turn > TURNS / 2 && turn % 50 == 0 ? 31 : -1;
            h = h * 31 + kinds(m, other, N) + thrown(m, N, at).hashCode() + own(N, at) + leaves(m, N, at).hashCode();
            if (turn % 100 == 0) System.out.println(turn + ": " + h + held(m) + held(other));
        }
        System.out.println(h + " " + thrown(m, N, 31) + " " + own(N, 31) + leaves(m, N, 31));
        written();
        others();
    }
}
