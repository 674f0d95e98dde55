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
    static int progress, done;           // set before an access and behind it

    static long loads(long at, int n) {
        long h = 0;
        for (int i = 0; i < n; i++) { progress = i; h = h * 31 + U.getInt(null, at + i * 4L); done = i; }
        return h;
    }
    static long stores(long at, int n) {
        for (int i = 0; i < n; i++) { progress = i; U.putIntVolatile(null, at + i * 4L, i); done = i; }
        return n;
    }
    static long exchanges(long at, int n) {
        long h = 0;
        for (int i = 0; i < n; i++) {
            progress = i;
            if (U.compareAndSetInt(null, at + i * 4L, i, i + 1)) h++;
            done = i;
            h += U.compareAndExchangeInt(null, at + i * 4L, i + 1, i);
        }
        return h;
    }
    static long adds(long at, int n) {
        long h = 0;
        for (int i = 0; i < n; i++) {
            progress = i;
            h += U.getAndAddInt(null, at + i * 4L, 5);
            done = i;
            h += U.getAndSetInt(null, at + i * 4L, i);
        }
        return h;
    }
    static long floats(long at, int n) {
        double h = 0;
        for (int i = 0; i < n; i++) {
            progress = i;
            U.putDouble(null, at + i * 8L, i * 0.5);
            done = i;
            h += U.getDouble(null, at + i * 8L) + U.getFloat(null, at + i * 8L);
        }
        return (long) h;
    }
    static long narrow(long at, int n) {
        long h = 0;
        for (int i = 0; i < n; i++) {
            progress = i;
            U.putByte(null, at + i, (byte) i);
            done = i;
            h = h * 31 + U.getByte(null, at + i) + U.getCharVolatile(null, at + (i & ~1));
        }
        return h;
    }
    // All values are wanted at once.
    static long several(long at, int n) {
        long h = 0;
        for (int i = 0; i < n; i++) {
            progress = i;
            long a = at + i * 4L, b = a ^ 4, c = a ^ 8, d = a ^ 12;
            h = (h ^ U.getInt(null, a)) * 31 + (U.getInt(null, b) ^ U.getShort(null, c) * U.getLong(null, d & ~7));
            done = i;
        }
        return h;
    }
    static long branches(Object[] base, long[] at, int n) {
        long h = 0;
        for (int i = 0; i < n; i++) {
            progress = i;
            Object o = base[i & 1];
            if (o != null) h = h * 31 + U.getInt(o, at[i & 1]);
            else h = h * 31 + U.getInt(o, at[i & 1] + i * 4L);
            done = i;
        }
        return h;
    }
    static long inBuffer(MappedByteBuffer b, int n) {
        long h = 0;
        for (int i = 0; i < n; i++) { progress = i; h = h * 31 + b.get(i); done = i; b.put(i, (byte) i); }
        return h;
    }

    static final Object[] BASES = {new int[4], null};

    interface Access { long run(); }

    static void outcome(String what, Access a) {
        progress = done = -1;
        try {
            System.out.println(what + ": " + a.run());
        } catch (InternalError e) {
            boolean said = e.getMessage().startsWith("a fault occurred in a");
            System.out.println(what + ": " + (said ? "lost" : e.getMessage()) + " at " + progress + " behind "
                               + done);
        }
    }
    static void all(long at, MappedByteBuffer b) {
        outcome("loads", () -> loads(at, 4000));
        outcome("stores", () -> stores(at, 4000));
        outcome("exchanges", () -> exchanges(at, 4000));
        outcome("adds", () -> adds(at, 4000));
        outcome("floats", () -> floats(at, 4000));
        outcome("narrow", () -> narrow(at, 5000));
        outcome("several", () -> several(at, 4000));
        outcome("branches", () -> branches(BASES, new long[] {16, at}, 4000));
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
                floats(at, 4000); narrow(at, 4000); several(at, 4000); branches(BASES, new long[] {16, at}, 4000);
                inBuffer(b, 4000);
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
