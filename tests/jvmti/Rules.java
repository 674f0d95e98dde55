import java.io.InputStream;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Asks tests/agents/rules.c. */
public class Rules {
    /** Whether Java code can find the thread by looking for it. */
    static boolean lists(Thread t) {
        Thread[] members = new Thread[100];
        int n = t.getThreadGroup().enumerate(members, true);
        return java.util.Arrays.asList(members).subList(0, n).contains(t) || Thread.getAllStackTraces().containsKey(t);
    }

    static native void run(Object object, Thread victim, Thread fresh, Thread named, Thread second, ByteBuffer beats);
    static native int state(Thread t);
    static native Object contended(Thread t);
    static native void nativeSpin();
    static native void awaitSpin();
    static native void endSpin();
    static native void forceOut(Thread t);
    static native void useLists(boolean on, Thread other);
    static native void suspendBoth(Thread me, Thread other);
    static native void resumeBoth(Thread caller, Thread other);
    static native void ended(Thread t);
    static native void callBack();
    static native boolean addToBoot(String jar);
    static native void watchVirtual(boolean on);
    static native void virtualThread(Thread t, Thread platform);
    static native int wrapped_linked();
    static native int wrapped_other();

    static class Empty { }
    static class One { static void load() { } }
    static class Two { static void load() { } }
    static class Three { static void load() { } }
    static class Four { static void load() { } }
    static class Five { static void load() { } }
    static class Six { static void load() { } }
    static class Half {
        int field;
        Half() { field = 1; }
    }
    static class Whole extends Half { }

    static void loadOne() { One.load(); }
    static void loadTwo() { Two.load(); }
    static void loadThree() { Three.load(); }
    static void loadFour() { Four.load(); }
    static void loadFive() { Five.load(); }
    static void loadSix() { Six.load(); }

    static int linked() { return wrapped_linked(); }
    static int other() { return wrapped_other(); }

    static void callLinked() { System.out.println("JT-287 JT-288 with the prefix: " + linked()); }
    static void callOther() {
        try {
            System.out.println("FAILED JT-012 still linked: " + other());
        } catch (UnsatisfiedLinkError e) {
            System.out.println("JT-012 the prefix is gone");
        }
    }

    static void half() { System.out.println("JT-205 field " + new Half().field); }

    static void sleep() {
        try { Thread.sleep(1); } catch (InterruptedException e) { throw new IllegalStateException(e); }
    }
    static synchronized void await() {
        try { Rules.class.wait(1); } catch (InterruptedException e) { throw new IllegalStateException(e); }
    }

    static int count;
    static void place() {
        count++;
    }

    static volatile boolean stop;

    static void compare(Thread t, String what) {
        System.out.println("JT-171 " + what + ": " + t.getState() + " " + Integer.toHexString(state(t) & 0x487));
    }

    /** A thread that has been notified waits to enter, also while the notifier owns the monitor. */
    static void notified() throws Exception {
        Object lock = new Object();
        boolean[] waiting = new boolean[1];
        Thread t = new Thread(() -> {
            synchronized (lock) {
                waiting[0] = true;
                try { lock.wait(); } catch (InterruptedException e) { System.out.println("FAILED interrupted"); }
            }
        });
        t.start();
        for (boolean ready = false; !ready; ) {
            synchronized (lock) {
                ready = waiting[0];
            }
        }
        synchronized (lock) {
            lock.notify();
            System.out.println("JT-168 JT-183 blocked " + ((state(t) & 0x400) != 0) + ", contends for it "
                               + (contended(t) == lock));
        }
        t.join();
        Thread spinner = new Thread(Rules::nativeSpin);
        spinner.start();
        awaitSpin();
        System.out.println("JT-169 in native code " + ((state(spinner) & 0x400000) != 0));
        endSpin();
        spinner.join();
    }

    static final int SUSPENDED = 0x100000, INTERRUPTED = 0x200000, IN_NATIVE = 0x400000;

    static volatile boolean calledBack, leave;
    static void spin() {
        calledBack = true;
        while (!leave) Thread.onSpinWait();
    }

    static String bits(Thread t) {
        int s = state(t);
        return "interrupted " + ((s & INTERRUPTED) != 0) + " native " + ((s & IN_NATIVE) != 0) + " suspended "
            + ((s & SUSPENDED) != 0) + " runnable " + ((s & 4) != 0);
    }

    /** Native code that has called back is no longer native; an interrupt shows until the thread takes notice. */
    static void flags() throws Exception {
        Thread t = new Thread(Rules::callBack);
        t.start();
        while (!calledBack) Thread.onSpinWait();
        System.out.println("JT-169 called back: " + bits(t));
        t.interrupt();
        System.out.println("JT-165 interrupted: " + bits(t));
        leave = true;
        t.join();
        System.out.println("JT-165 ended: " + bits(t));
        ended(t);
    }

    /** A thread that suspends itself and another by a list, and main, which looks on. */
    static void suspendedByList(Thread other) throws Exception {
        useLists(true, other);
        Thread caller = new Thread(() -> suspendBoth(Thread.currentThread(), other));
        caller.start();
        resumeBoth(caller, other);
        caller.join();
        useLists(false, other);
    }

    static class Only extends Thread {
        volatile boolean entered;
        @Override
        public void run() {
            entered = true;
            while (true) { }
        }
    }

    static void onlyFrame() throws Exception {
        Only only = new Only();
        only.setDaemon(true);
        only.start();
        while (!only.entered) Thread.onSpinWait();
        forceOut(only);
        only.join();
        System.out.println("JT-203 the thread has ended");
    }

    static class Late { }
    static class Uses implements Runnable {
        @Override
        public void run() {
            try {
                System.out.println("resolved " + new Late().getClass().getName());
            } catch (NoClassDefFoundError e) {
                System.out.println("JT-312 " + e.getMessage());
            }
        }
    }

    static byte[] file(String name) throws Exception {
        try (InputStream in = Rules.class.getResourceAsStream(name + ".class")) {
            return in.readAllBytes();
        }
    }

    /** What could not be resolved stays so when the boot loader has it later. */
    static void lateClass() throws Exception {
        byte[] uses = file("Rules$Uses");
        class Plain extends ClassLoader {
            Plain() { super(null); }
            Class<?> define() { return defineClass("Rules$Uses", uses, 0, uses.length); }
        }
        Plain loader = new Plain();
        var constructor = loader.define().getDeclaredConstructor();
        constructor.setAccessible(true);
        Runnable user = (Runnable) constructor.newInstance();
        user.run();
        Path jar = Files.createTempFile("late", ".jar");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new ZipEntry("Rules$Late.class"));
            out.write(file("Rules$Late"));
        }
        addToBoot(jar.toString());
        user.run();
        System.out.println("JT-310 found by name: " + Class.forName("Rules$Late", false, loader).getName());
        Files.delete(jar);
    }

    static volatile boolean virtualEntered;
    static void virtualSpin(int n) {
        virtualEntered = true;
        while (!stop) { }
    }

    static void virtual(Thread platform) throws Exception {
        if (Runtime.version().feature() < 21) return;
        watchVirtual(true);
        Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
        Class<?> type = Class.forName("java.lang.Thread$Builder");
        builder = type.getMethod("name", String.class).invoke(builder, "rules virtual");
        Method start = type.getMethod("start", Runnable.class);
        Thread v = (Thread) start.invoke(builder, (Runnable) () -> virtualSpin(42));
        while (!virtualEntered) Thread.onSpinWait();
        virtualThread(v, platform);
        stop = true;
        v.join();
        watchVirtual(false);
    }

    public static void main(String[] args) throws Exception {
        ByteBuffer beats = ByteBuffer.allocateDirect(8);
        Thread victim = new Thread(() -> { for (long n = 0; !stop; n++) beats.putLong(0, n); }, "victim");
        victim.start();
        Thread fresh = new Thread("rules agent"), named = new Thread("a\0\u00e9\ud83d\ude00z"),
               second = new Thread("second");
        run("object", victim, fresh, named, second, beats);
        fresh.join();
        second.join();
        compare(named, "new");
        compare(victim, "runnable");
        notified();
        flags();
        suspendedByList(victim);
        onlyFrame();
        lateClass();
        virtual(victim);
        stop = true;
        victim.join();
        compare(victim, "terminated");
    }
}
