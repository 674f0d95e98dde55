// Threads that are suspended, stopped and interrupted; monitors; allocations.
import java.lang.reflect.Array;
import java.lang.reflect.Field;

public class Monitors {
    static native void event(int event, boolean on);
    static native int told();
    static native long sampled(int interval);
    static native String suspend(Thread t);
    static native String resume(Thread t);
    static native void lists(Thread a, Thread b, Object none);
    static native int state(Thread t);
    static native String signal(Thread t, Throwable e);
    static native void owned(Thread t);
    static native void usage(Object o);
    static native void locked(Object o);
    static native boolean isWaitedOn(Object o);
    static native boolean isOwnedBy(Object o, Thread t);
    static native void run(Thread fresh, Thread running);

    static final int WAIT = 73, WAITED = 74, ENTER = 75, ENTERED = 76, EXHAUSTED = 80, VM_ALLOC = 84, SAMPLED = 86,
                     SUSPENDED = 0x100000;

    static class Lock { }
    static class Outer { }
    static class Copied implements Cloneable {
        Copied() { }
        Object copy() throws CloneNotSupportedException { return clone(); }
    }
    static class Bare { }
    static final Lock lock = new Lock();
    static final Outer outer = new Outer();
    static volatile boolean stop;
    static volatile long beats;

    static Thread start(String name, Runnable body) {
        Thread t = new Thread(body, name);
        t.setDaemon(true);
        t.start();
        return t;
    }

    static void settle(Thread t, Thread.State state) throws Exception {
        while (t.getState() != state) Thread.sleep(1);
    }

    static void beat() { while (!stop) beats++; }

    static void moved() throws Exception {
        for (long seen = beats; beats == seen;) Thread.sleep(1);
    }

    static void suspending() throws Exception {
        System.out.println("-- suspending");
        Thread t = start("beater", Monitors::beat), u = start("other", Monitors::beat);
        moved();
        System.out.println(suspend(t) + " " + suspend(t) + " " + ((state(t) & SUSPENDED) != 0));
        System.out.println(suspend(u));
        long seen = beats;
        Thread.sleep(20);
        System.out.println(seen == beats);
        System.out.println(resume(t) + " " + resume(t) + " " + ((state(t) & SUSPENDED) != 0));
        moved();
        System.out.println(resume(u));
        lists(t, u, "no thread");
        moved();
        Thread me = Thread.currentThread();
        Thread helper = start("helper", () -> {
            while ((state(me) & SUSPENDED) == 0) Thread.onSpinWait();
            System.out.println("main is suspended");
            System.out.println(resume(me));
        });
        System.out.println(suspend(me));
        helper.join();
        stop = true;
        t.join();
        u.join();
        System.out.println(suspend(t) + " " + resume(t) + " " + suspend(new Thread()));
    }

    static void signals() throws Exception {
        System.out.println("-- signals");
        stop = false;
        Thread t = start("stopped", () -> {
            try { beat(); } catch (IllegalStateException e) { System.out.println("stopped by " + e.getMessage()); }
        });
        moved();
        String stopped = signal(t, new IllegalStateException("agent"));
        t.join();
        System.out.println("stop: " + stopped);
        Thread s = start("sleeper", () -> {
            try { Thread.sleep(1_000_000); } catch (InterruptedException e) { System.out.println("interrupted"); }
        });
        settle(s, Thread.State.TIMED_WAITING);
        String interrupted = signal(s, null);
        s.join();
        System.out.println("interrupt: " + interrupted + " " + signal(s, null) + " " + signal(s, new Error()));
    }

    static void inner() throws InterruptedException {
        synchronized (lock) { lock.wait(); }
    }

    static void monitors() throws Exception {
        System.out.println("-- monitors");
        for (int e : new int[] {WAIT, WAITED, ENTER, ENTERED}) event(e, true);
        Thread waiter = start("waiter", () -> {
            synchronized (outer) {
                try { inner(); } catch (InterruptedException e) { System.out.println("interrupted"); }
            }
        });
        // HotSpot's thread says WAITING a little before it gives the monitor up.
        while (!isWaitedOn(lock)) Thread.sleep(1);
        settle(waiter, Thread.State.WAITING);
        owned(waiter);
        usage(lock);
        usage(outer);
        Thread blocked;
        synchronized (lock) {
            synchronized (lock) {
                int before = told();
                blocked = start("blocked", () -> { synchronized (lock) { System.out.println("blocked has it"); } });
                // A thread says BLOCKED before its event is sent.
                settle(blocked, Thread.State.BLOCKED);
                while (told() == before) Thread.sleep(1);
                owned(Thread.currentThread());
                owned(blocked);
                usage(lock);
                locked(outer2);
            }
        }
        blocked.join();
        synchronized (lock) { lock.notify(); }
        waiter.join();
        synchronized (outer) {
            synchronized (lock) { owned(null); }
        }
        synchronized (lock) { lock.wait(1); }
        for (int e : new int[] {WAIT, WAITED, ENTER, ENTERED}) event(e, false);
        usage(new Lock());
    }
    static final Outer outer2 = new Outer();

    static volatile boolean secondHadIt;

    static Thread enterer(String name, boolean tells) throws Exception {
        Thread t = start(name, () -> {
            synchronized (lock) {
                if (tells) System.out.println(name + " has it");
                if (name.equals("second")) secondHadIt = true;
            }
        });
        settle(t, Thread.State.BLOCKED);
        return t;
    }

    /** A suspended thread in a monitor's queue does not swallow the wake-up that the one behind it needs. */
    static void suspendedInQueue() throws Exception {
        System.out.println("-- suspended in a queue");
        Thread first, second;
        synchronized (lock) {
            first = enterer("first", true);
            second = enterer("second", true);
            System.out.println(suspend(first));
        }
        second.join();
        String resumed = resume(first);
        first.join();
        System.out.println("resumed: " + resumed);
        // Suspended when it has been woken already: it has the monitor by then, or the next one gets it. Whether that
        // has ended does not count: for that 17 wants a monitor which `first`, suspended as it ends, may have.
        for (int i = 0; i < 100; i++) {
            secondHadIt = false;
            synchronized (lock) {
                first = enterer("first", false);
                second = enterer("second", false);
            }
            suspend(first);
            while (!secondHadIt && !isOwnedBy(lock, first)) Thread.onSpinWait();
            resume(first);
            first.join();
            second.join();
        }
    }

    static void agentThread() throws Exception {
        System.out.println("-- agent thread");
        Thread t = new Thread("agent's");
        run(t, Thread.currentThread());
        t.join();
    }

    static Object kept;

    static void allocations() throws Exception {
        System.out.println("-- allocations");
        Copied c = new Copied();
        Field theUnsafe = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
        theUnsafe.setAccessible(true);
        sun.misc.Unsafe unsafe = (sun.misc.Unsafe) theUnsafe.get(null);
        event(VM_ALLOC, true);
        c.copy();
        Array.newInstance(Copied.class, 3);
        Array.newInstance(Copied.class, 2, 2);
        new Copied();
        System.out.println("by reflection");
        Copied.class.getDeclaredConstructor().newInstance();
        System.out.println("without a constructor");
        unsafe.allocateInstance(Bare.class);
        event(VM_ALLOC, false);
        sampled(-1);
        long before = sampled(0);
        kept = new Copied();
        event(SAMPLED, true);
        for (int i = 0; i < 50_000_000 && sampled(0) == before; i++) kept = new Copied();
        before = sampled(0);
        for (int i = 0; i < 1000; i++) kept = new Copied();
        event(SAMPLED, false);
        System.out.println(sampled(512 * 1024) - before >= 999);
        before = sampled(-1);
        event(SAMPLED, true);
        for (int i = 0; i < 100; i++) {
            Thread t = new Thread(() -> kept = new Copied());
            t.start();
            t.join();
        }
        event(SAMPLED, false);
        // Each would be one if a thread's first distance were not drawn.
        System.out.println("first allocations are sampled seldom: " + (sampled(-1) - before < 50));
        event(EXHAUSTED, true);
        try { kept = new byte[Integer.MAX_VALUE]; } catch (OutOfMemoryError e) { System.out.println(e.getMessage()); }
        try { kept = new long[1 << 28]; } catch (OutOfMemoryError e) { System.out.println(e.getMessage()); }
        try {
            new Thread(null, () -> {}, "large", 1L << 46).start();
        } catch (OutOfMemoryError e) { System.out.println(e.getMessage()); }
        event(EXHAUSTED, false);
    }

    public static void main(String[] args) throws Exception {
        suspending();
        signals();
        monitors();
        suspendedInQueue();
        agentThread();
        allocations();
    }
}
