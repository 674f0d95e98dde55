import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

// Calls of tool functions, and what changes while they wait for the world to stop (tests/agents/stale_ids.c).
// Arguments: the directory with the variants of the class Victim, then rows "function:change:opposite".
public class StaleIds {
    static class Loader extends ClassLoader {
        Class<?> define(byte[] file) { return defineClass("Victim", file, 0, file.length); }
    }

    /** All that keeps the class: loader, class, an instance. */
    static Object[] victim;
    static WeakReference<Object> gone;
    static Thread target;
    static CountDownLatch ends;
    static Path variants;

    /** Until a call has looked up what it was given. */
    static native void await();
    /** The change has been made: the call goes on. */
    static native void changed();
    static native boolean hold();
    static native void prepare(Class<?> c, ClassLoader loader, Object instance, Thread target);
    static native void call(String function, String change, String opposite);
    static native void redefine(Class<?> c, byte[] file);
    static native void dispose();
    static native void relinquish();
    /** The target, if the call has it suspended. */
    static native void resume();

    static byte[] variant(String name) throws Exception {
        return Files.readAllBytes(variants.resolve(name + "/Victim.class"));
    }

    static void load() throws Exception {
        Loader loader = new Loader();
        Class<?> c = loader.define(variant("long"));
        victim = new Object[] {loader, c, c.getDeclaredConstructor().newInstance()};
        gone = new WeakReference<>(c);
        target = waiting();
        prepare(c, loader, victim[2], target);
    }

    /** A thread that waits until `ends` of now is counted down. */
    static Thread waiting() throws Exception {
        CountDownLatch end = ends = new CountDownLatch(1);
        Thread t = new Thread(() -> {
            try {
                end.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        t.setDaemon(true);
        t.start();
        while (t.getState() != Thread.State.WAITING) Thread.onSpinWait();
        return t;
    }

    static void change(String how) throws Exception {
        switch (how) {
            case "short", "other" -> redefine((Class<?>) victim[1], variant(how));
            case "unloaded" -> {
                victim = null;
                while (gone.get() != null) System.gc();
            }
            case "dropped" -> {
                victim = null;
                for (int i = 0; i < 3; i++) System.gc();
            }
            case "disposed" -> dispose();
            case "relinquished" -> relinquish();
            case "resumed" -> resume();
            case "ended" -> {
                resume();
                ends.countDown();
                target.join();
            }
            default -> throw new AssertionError(how);
        }
    }

    static void row(String[] row) throws Exception {
        load();
        Thread changer = new Thread(() -> {
            await();
            try {
                change(row[1]);
            } catch (Exception e) {
                e.printStackTrace();
            }
            changed();
        });
        changer.start();
        while (changer.getState() == Thread.State.NEW) Thread.onSpinWait();
        call(row[0], row[1], row.length > 2 ? row[2] : null);
        changer.join();
        ends.countDown();
        target.join();
        victim = null;
    }

    public static void main(String[] args) throws Exception {
        variants = Path.of(args[0]);
        System.out.println("held: " + hold());
        for (int i = 1; i < args.length; i++) row(args[i].split(":"));
        System.out.println("end");
    }
}
