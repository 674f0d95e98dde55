import java.io.IOException;
import java.io.InputStream;

// A class is redefined more often than the version in a method's id can count, while a frame runs its first version
// (tests/agents/versions.c).
public class Versions {
    /** What is redefined: 0x1234 in all its code becomes another number. */
    static class Changing {
        static int value() { return 0x1234; }

        static int held(Object lock, boolean[] goes) throws InterruptedException {
            synchronized (lock) {
                goes[0] = true;
                lock.notifyAll();
                while (goes[0]) lock.wait();
            }
            return 0x1234 + value();
        }
    }

    /** Remembers the id of the method in which the thread waits. */
    static native void keep(Thread t);
    /** Redefines the class so often, with the two class files in turn, the odd one last; false: it was refused. */
    static native boolean redefine(Class<?> c, byte[] even, byte[] odd, int times);
    /** What the remembered id and the one in the thread's frame mean. */
    static native void report(Thread t);

    static byte[] changed(byte[] file, int number) {
        byte[] copy = file.clone();
        for (int i = 0; i + 2 < copy.length; i++) {
            if (copy[i] != 0x11 || copy[i + 1] != 0x12 || copy[i + 2] != 0x34) continue;      // sipush 0x1234
            copy[i + 1] = (byte) (number >> 8);
            copy[i + 2] = (byte) number;
        }
        return copy;
    }

    public static void main(String[] args) throws Exception {
        byte[] file;
        try (InputStream in = Versions.class.getResourceAsStream("Versions$Changing.class")) {
            file = in.readAllBytes();
        }
        Object lock = new Object();
        boolean[] stays = {false};
        int[] result = {0};
        Thread holder = new Thread(() -> {
            try {
                result[0] = Changing.held(lock, stays);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        holder.start();
        synchronized (lock) {
            while (!stays[0]) lock.wait();
        }
        keep(holder);
        int times = Integer.parseInt(args[0]);
        System.out.println(
            times + " times: " + redefine(Changing.class, changed(file, 0x2345), changed(file, 0x3456), times));
        report(holder);
        System.out.println("value " + Integer.toHexString(Changing.value()));
        synchronized (lock) {
            stays[0] = false;
            lock.notifyAll();
        }
        holder.join();
        System.out.println("the frame returns " + Integer.toHexString(result[0]));
        System.out.println("once more: " + redefine(Changing.class, file, file, 1));
        System.out.println("value " + Integer.toHexString(Changing.value()));
    }
}
