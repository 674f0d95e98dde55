// monitorenter and monitorexit out of step, nesting deep, over exceptions, in synchronized methods, and on odd objects.
public class MonitorInstructions {
    static final int S = ClassAssembler.PUBLIC | ClassAssembler.STATIC;
    static synchronized int recurse(int n) {
        return n == 0 ? (Thread.holdsLock(MonitorInstructions.class) ? 1 : 0) : recurse(n - 1) + 1;
    }
    synchronized void thrower() { throw new IllegalStateException("held " + Thread.holdsLock(this)); }
    synchronized void waits() throws InterruptedException { wait(1); }

    static String status(Object o) {
        boolean[] free = new boolean[1];
        Thread t = new Thread(() -> { synchronized (o) { free[0] = true;
    }
});
t.start();
try {
    t.join();
} catch (InterruptedException e) {
    throw new Error(e);
}
return "free " + free[0] + " held " + Thread.holdsLock(o);
}

public static void main(String[] args) throws Throwable {
    ClassAssembler a =
        new ClassAssembler(49, "Mon")
            .method(S, "exitTooOften", "(Ljava/lang/Object;)V", 2, 1,
                    "aload_0\n monitorenter\n aload_0\n monitorexit\n aload_0\n monitorexit\n return")
            .method(S, "leaveHeld", "(Ljava/lang/Object;)V", 2, 1, "aload_0\n monitorenter\n return")
            .method(S, "leaveInt", "(Ljava/lang/Object;)I", 2, 1, "aload_0\n monitorenter\n iconst_1\n ireturn")
            .method(S, "leaveLong", "(Ljava/lang/Object;)J", 2, 1, "aload_0\n monitorenter\n lconst_1\n lreturn")
            .method(S, "leaveFloat", "(Ljava/lang/Object;)F", 2, 1, "aload_0\n monitorenter\n fconst_1\n freturn")
            .method(S, "leaveDouble", "(Ljava/lang/Object;)D", 2, 1, "aload_0\n monitorenter\n dconst_1\n dreturn")
            .method(S, "leaveReference", "(Ljava/lang/Object;)Ljava/lang/Object;", 2, 1,
                    "aload_0\n monitorenter\n aload_0\n areturn")
            .method(S, "throwHeld", "(Ljava/lang/Object;)V", 2, 1, "aload_0\n monitorenter\n aconst_null\n athrow")
            .method(S, "exitOther", "(Ljava/lang/Object;Ljava/lang/Object;)V", 2, 2,
                    "aload_0\n monitorenter\n aload_1\n monitorexit\n return")
            .method(
                S, "crossed", "(Ljava/lang/Object;Ljava/lang/Object;)V", 2, 2,
                "aload_0\n monitorenter\n aload_1\n monitorenter\n aload_0\n monitorexit\n aload_1\n monitorexit\n "
                    + "return")
            .method(S, "exitCallers", "(Ljava/lang/Object;)V", 2, 1, "aload_0\n monitorexit\n return")
            .method(S, "callsHeld", "(Ljava/lang/Object;)V", 2, 1,
                    "aload_0\n monitorenter\n aload_0\n invokestatic Mon.exitCallers (Ljava/lang/Object;)V\n return")
            .method(S | ClassAssembler.SYNCHRONIZED, "methodExit", "()V", 2, 2, "ldc class Mon\n monitorexit\n return");
    Class<?> c = ClassAssembler.load(a);
    for (String m : new String[] {"exitTooOften", "leaveHeld", "leaveInt", "leaveLong", "leaveFloat", "leaveDouble",
                                  "leaveReference", "throwHeld", "callsHeld"}) {
        Object o = new Object();
        try {
            ClassAssembler.call(c, m, o);
            System.out.println(m + " returned");
        } catch (Throwable e) {
            System.out.println(m + " " + e);
        }
        System.out.println(status(o));
    }
    Object x = new Object(), y = new Object();
    for (String m : new String[] {"crossed", "exitOther"}) {
        try {
            ClassAssembler.call(c, m, x, y);
            System.out.println(m + " returned");
        } catch (Throwable e) {
            System.out.println(m + " " + e);
        }
        System.out.println(status(x) + " " + status(y));
    }
    try {
        ClassAssembler.call(c, "methodExit");
    } catch (Throwable e) {
        System.out.println(e);
    }
    System.out.println(recurse(1000));
    Object o = new Object();
    System.out.println(nest(o, 300) + " " + Thread.holdsLock(o));
    MonitorInstructions m = new MonitorInstructions();
    try {
        m.thrower();
    } catch (IllegalStateException e) {
        System.out.println(e.getMessage() + " " + Thread.holdsLock(m));
    }
    m.waits();
    synchronized (Integer.class) {
        synchronized ("literal") {
            synchronized (new int[0]) { System.out.println(Thread.holdsLock("literal")); }
        }
    }
    Object[] many = new Object[5000];
    for (int i = 0; i < many.length; i++) many[i] = new Object();
    System.out.println(holdAll(many, 0) + " " + Thread.holdsLock(many[17]));
    try {
        m.notify();
    } catch (IllegalMonitorStateException e) {
        System.out.println(e.getMessage());
    }
    try {
        m.wait();
    } catch (IllegalMonitorStateException e) {
        System.out.println(e.getMessage());
    }
    synchronized (m) {
        try {
            m.wait(0, -1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            m.wait(-5);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        Thread.currentThread().interrupt();
        try {
            m.wait();
        } catch (InterruptedException e) {
            System.out.println(e.getMessage() + " " + Thread.interrupted() + Thread.holdsLock(m));
        }
    }
}
static int nest(Object o, int n) {
    if (n == 0) return 0;
    synchronized (o) { return nest(o, n - 1) + 1; }
}
static int holdAll(Object[] a, int i) {
    if (i == 1000) return i;
    synchronized (a[i]) { return holdAll(a, i + 1); }
}
}
