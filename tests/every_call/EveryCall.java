import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.lang.management.ManagementFactory;

/** The threads and objects that the agent of this directory makes its calls with. */
public class EveryCall implements Runnable {
    static native void run(Object[] objects);
    static native void runOutOfMemory(Object[] objects);
    static native void onVirtualThread();

    static volatile int mode = 'I', at;
    int field = 1;

    static int spinInt(int i, long j, float f, double d, EveryCall o) { at = 'I'; while (mode == 'I') { } return i; }
    static long spinLong(int i, long j, float f, double d, EveryCall o) { at = 'J'; while (mode == 'J') { } return j; }
    static float spinFloat(int i, long j, float f, double d, EveryCall o) {
        at = 'F';
        while (mode == 'F') {}
        return f;
    }
    static double spinDouble(int i, long j, float f, double d, EveryCall o) {
        at = 'D';
        while (mode == 'D') {}
        return d;
    }
    static Object spinObject(int i, long j, float f, double d, EveryCall o) {
        at = 'L';
        while (mode == 'L') {}
        return o;
    }
    static void spinVoid(int i, long j, float f, double d, EveryCall o) { at = 'V'; while (mode == 'V') { } }

    void step() {
        switch (mode) {
        case 'I': spinInt(1, 2, 3, 4, this); break;
        case 'J': spinLong(1, 2, 3, 4, this); break;
        case 'F': spinFloat(1, 2, 3, 4, this); break;
        case 'D': spinDouble(1, 2, 3, 4, this); break;
        case 'L': spinObject(1, 2, 3, 4, this); break;
        case 'V': spinVoid(1, 2, 3, 4, this); break;
        }
    }

    @Override
    public void run() {
        while (mode != 0) {
            try {
                step();
            } catch (StackOverflowError stopped) {
                // what StopThread sends
            }
        }
    }

    static Thread waiter() throws Exception {
        Thread waiter = new Thread("waiter") {
            @Override
            public synchronized void run() {
                try {
                    while (mode != 0) wait();
                } catch (InterruptedException e) {
                    System.out.println("interrupted");
                }
            }
        };
        waiter.start();
        while (waiter.getState() != Thread.State.WAITING) Thread.sleep(1);
        return waiter;
    }

    /** Defines Extended, to whose class file an attribute is added; its name is a constant of the class. */
    static class Extender extends ClassLoader {
        Class<?> define(byte[] file) throws Exception {
            String name = "SourceDebugExtension";
            int entry = 0, wanted = 0;
            for (int p = 10; entry < (file[8] & 255) * 256 + (file[9] & 255) - 1; ) {
                entry++;
                int tag = file[p], size = tag == 1               ? 2 + (file[p + 1] & 255) * 256 + (file[p + 2] & 255)
                                          : tag == 7 || tag == 8 ? 2
                                                                 : 4;
                if (tag == 1 && size == 2 + name.length()
                    && new String(file, p + 3, size - 2, "ISO-8859-1").equals(name))
                    wanted = entry;
                p += 1 + size;
            }
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(bytes);
            out.write(file, 0, file.length - 10);         // before the number of attributes: SourceFile is the only one
            out.writeShort(2);
            out.write(file, file.length - 8, 8);
            out.writeShort(wanted);
            out.writeInt(3);
            out.writeBytes("abc");
            return defineClass("Extended", bytes.toByteArray(), 0, bytes.size());
        }
    }

    static Class<?> extended() throws Exception {
        return new Extender().define(EveryCall.class.getResourceAsStream("Extended.class").readAllBytes());
    }

    /** A running virtual thread and one that is not started; nulls before 21. */
    static Thread[] virtualThreads() throws Exception {
        Thread[] threads = new Thread[2];
        if (Runtime.version().feature() < 21) return threads;
        Thread t = (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class)
                       .invoke(null, (Runnable) EveryCall::onVirtualThread);
        t.join();
        threads[0] =
            (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, (Runnable) () -> {
                while (mode != 0) Thread.onSpinWait();
            });
        Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
        threads[1] = (Thread) Class.forName("java.lang.Thread$Builder")
                         .getMethod("unstarted", Runnable.class)
                         .invoke(builder, (Runnable) () -> {});
        return threads;
    }

    /** The n-th allocation of the next call is to fail; 0: none. */
    static void fail(long n) { Switch.bean.setVMOption("FailToolAllocation", Long.toString(n)); }

    /** Nothing has failed since. */
    static boolean untouched() { return !Switch.bean.getVMOption("FailToolAllocation").getValue().equals("0"); }

    /** For the VM that has the switch. */
    static class Switch {
        static final HotSpotDiagnosticMXBean bean = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    }

    public static void main(String[] args) throws Exception {
        Thread victim = new Thread(new EveryCall(), "victim"), fresh = new Thread("fresh"), done = new Thread("done"),
               waiter = waiter();
        done.start();
        done.join();
        Thread[] virtual = virtualThreads();
        ClassLoader loader = EveryCall.class.getClassLoader();
        Object[] objects = {
            "object",
            victim,
            fresh,
            done,
            waiter,
            victim.getThreadGroup(),
            loader,
            EveryCall.class.getModule(),
            Object.class.getModule(),
            new StackOverflowError(),
            int[].class,
            virtual[0],
            virtual[1],
            loader.loadClass("Unlinked"),
            extended(),
            Stripped.class,
        };
        victim.start();
        if (args.length == 0) run(objects);
        else runOutOfMemory(objects);
        mode = 0;
        synchronized (waiter) {
            waiter.notifyAll();
        }
        waiter.join();
        victim.join();
    }
}

/** Only loaded. */
class Unlinked implements Runnable {
    int field;
    @Override
    public void run() { field++; }
}
