// Rows of tests/jvmti/rows.tsv that an agent can show only together with a program: the agent direct.
public class Direct {
    static class Small { static int one() { return 1; } }
    static class Mine extends Throwable { }

    /** The capabilities for any class do not stand for those for classes. */
    static native void capabilities(Class<?> c, byte[] file);
    static native void watchExceptions(boolean on);
    /** The local variables of a thread that spins in spin(), called by outer(). */
    static native void locals(Thread t);
    static native void waitingLocals(Thread t, Object other);
    static native void twoErrors(Object other);
    static native void stopAt(Class<?> c, boolean on);

    static volatile boolean spinning, stop;
    static volatile int seenInner, seenOuter;

    static void raise(int kind) throws Throwable {
        switch (kind) {
            case 0: throw new Mine();
            case 1: throw new StackOverflowError();
            case 2: throw new InterruptedException();
            case 3: throw new Throwable("plain");
            case 4: ((Object) null).hashCode(); break;
            case 5: Integer.class.cast(stopWord()); break;
            case 6: System.out.println((Integer) stopWord()); break;
            default: throw new AssertionError();
        }
    }
    static Object stopWord() { return "word"; }

    static void exceptions() {
        watchExceptions(true);
        for (int kind = 0; kind < 8; kind++) {
            try {
                raise(kind);
            } catch (Throwable t) {
                System.out.println(kind + " " + t.getClass().getName());
            }
        }
        watchExceptions(false);
    }

    static void inner(int n) {
        spinning = true;
        while (!stop) Thread.onSpinWait();
        seenInner = n;
    }
    static void outer(int n) {
        inner(n + 1);
        seenOuter = n;
    }
    static int stopped(int n) { return n + 1; }

    static void virtual() throws Exception {
        java.lang.reflect.Method start;
        try {
            start = Thread.class.getMethod("startVirtualThread", Runnable.class);
        } catch (NoSuchMethodException e) {
            System.out.println("no virtual threads");
            return;
        }
        Thread t = (Thread) start.invoke(null, (Runnable) () -> outer(10));
        while (!spinning) Thread.onSpinWait();
        locals(t);
        stop = true;
        t.join();
        System.out.println("JT-210 the top frame had " + seenInner);
        stopAt(Direct.class, true);
        t = (Thread) start.invoke(null, (Runnable) () -> System.out.println("JT-210 set at an event: " + stopped(20)));
        t.join();
        stopAt(Direct.class, false);
    }

    /** Waits with variables of each type, and shows them afterwards. */
    synchronized void idle(int i, Object o, long j, double d) throws InterruptedException {
        wait();
        System.out.println("waited with " + i + " " + o.getClass().getName() + " " + j + " " + d);
    }
    static void waiting() throws Exception {
        Direct direct = new Direct();
        Object other = new Object();
        Thread t = new Thread(() -> {
            try {
                direct.idle(7, other, 8, 9.5);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        t.start();
        while (t.getState() != Thread.State.WAITING) Thread.onSpinWait();
        waitingLocals(t, other);
        synchronized (direct) { direct.notify(); }
        t.join();
    }

    public static void main(String[] args) throws Exception {
        try (var in = Direct.class.getResourceAsStream("Direct$Small.class")) {
            capabilities(Small.class, in.readAllBytes());
        }
        exceptions();
        virtual();
        waiting();
        twoErrors(new Object());
    }
}
