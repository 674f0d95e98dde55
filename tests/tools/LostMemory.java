import java.io.File;
import java.io.RandomAccessFile;
import java.lang.reflect.Method;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import jdk.internal.misc.Unsafe;

/** A file is cut under its mapping, which compiled code accesses in loops (tests/command/lost_memory.py): the access
 * that finds no memory throws, and none before it or behind. */
public class LostMemory {
    static final Unsafe U = Unsafe.getUnsafe();
    static final int SIZE = 1 << 16, PAGE = 4096, TURNS = 300;
    static int progress;

    static long loads(long at, int n) {
        long h = 0;
        for (int i = 0; i < n; i++) { progress = i; h = h * 31 + U.getInt(null, at + i * 4L); }
        return h;
    }
    static long stores(long at, int n) {
        for (int i = 0; i < n; i++) { progress = i; U.putIntVolatile(null, at + i * 4L, i); }
        return n;
    }
    static long exchanges(long at, int n) {
        long h = 0;
        for (int i = 0; i < n; i++) {
            progress = i;
            if (U.compareAndSetInt(null, at + i * 4L, i, i + 1)) h++;
            h += U.compareAndExchangeInt(null, at + i * 4L, i + 1, i);
        }
        return h;
    }
    static long adds(long at, int n) {
        long h = 0;
        for (int i = 0; i < n; i++) {
            progress = i;
            h += U.getAndAddInt(null, at + i * 4L, 5);
            h += U.getAndSetInt(null, at + i * 4L, i);
        }
        return h;
    }
    static long floats(long at, int n) {
        double h = 0;
        for (int i = 0; i < n; i++) {
            progress = i;
            U.putDouble(null, at + i * 8L, i * 0.5);
            h += U.getDouble(null, at + i * 8L) + U.getFloat(null, at + i * 8L);
        }
        return (long) h;
    }
    static long narrow(long at, int n) {
        long h = 0;
        for (int i = 0; i < n; i++) {
            progress = i;
            U.putByte(null, at + i, (byte) i);
            h = h * 31 + U.getByte(null, at + i) + U.getCharVolatile(null, at + (i & ~1));
        }
        return h;
    }
    static long inBuffer(MappedByteBuffer b, int n) {
        long h = 0;
        for (int i = 0; i < n; i++) { progress = i; h = h * 31 + b.get(i); b.put(i, (byte) i); }
        return h;
    }

    interface Access { long run(); }

    static void outcome(String what, Access a) {
        progress = -1;
        try {
            System.out.println(what + ": " + a.run());
        } catch (InternalError e) {
            boolean said = e.getMessage().startsWith("a fault occurred in a");
            System.out.println(what + ": " + (said ? "lost" : e.getMessage()) + " at " + progress);
        }
    }
    static void all(long at, MappedByteBuffer b) {
        outcome("loads", () -> loads(at, 4000));
        outcome("stores", () -> stores(at, 4000));
        outcome("exchanges", () -> exchanges(at, 4000));
        outcome("adds", () -> adds(at, 4000));
        outcome("floats", () -> floats(at, 4000));
        outcome("narrow", () -> narrow(at, 5000));
        outcome("in a buffer", () -> inBuffer(b, 5000));
    }

    public static void main(String[] args) throws Exception {
        File file = File.createTempFile("LostMemory", null);
        try (RandomAccessFile f = new RandomAccessFile(file, "rw")) {
            f.setLength(SIZE);
            MappedByteBuffer b = f.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, SIZE);
            Method address = Class.forName("sun.nio.ch.DirectBuffer").getMethod("address");
            long at = (Long) address.invoke(b);
            for (int i = 0; i < TURNS; i++) {
                loads(at, 4000); stores(at, 4000); exchanges(at, 4000); adds(at, 4000);
                floats(at, 4000); narrow(at, 4000); inBuffer(b, 4000);
            }
            all(at, b);
            f.setLength(PAGE);
            for (int i = 0; i < 3; i++) {
                System.out.println("cut");
                all(at, b);
            }
            f.setLength(SIZE);
            System.out.println("whole again");
            all(at, b);
        } finally {
            file.delete();
        }
    }
}
