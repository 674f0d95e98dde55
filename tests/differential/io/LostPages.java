import java.io.File;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.util.zip.CRC32;

/** A file is cut under its mapping: each access says so, and works again as soon as the file has grown. With an
 * argument (tests/command/limits.py): accesses to many bytes instead, which HotSpot does not survive. */
public class LostPages {
    static final int SIZE = 1 << 16, PAGE = 4096;
    static boolean withLongOnes;
    static int count;

    interface Access { Object run() throws Exception; }

    /** Compiled code may notice it some instructions later. */
    static String outcome(Access a) {
        try {
            Object result = a.run();
            Thread.yield();
            return "" + result;
        } catch (InternalError e) {
            return e.getMessage();
        } catch (Exception e) {
            return e.toString();
        }
    }

    static void all(String when, MappedByteBuffer b) {
        ByteBuffer little = b.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        Access[] accesses = {
            () -> b.get(1), () -> b.put(2, (byte) 1), () -> b.getShort(PAGE), () -> b.putShort(PAGE + 2, (short) 2),
            () -> b.getChar(PAGE + 4), () -> b.getInt(PAGE + 8), () -> little.putInt(PAGE + 12, 3),
            () -> b.getLong(2 * PAGE), () -> b.putLong(2 * PAGE + 8, 4), () -> b.getFloat(16), () -> b.getDouble(24),
            () -> little.putDouble(32, 5.0), () -> little.getLong(3),
        };
        Access[] longOnes = {
            () -> b.put(100, new byte[9000], 0, 9000),
            () -> { byte[] to = new byte[9000]; b.get(3 * PAGE + 5, to, 0, 9000); return to[8999]; },
            () -> b.duplicate().put(b.slice(4 * PAGE, 3000)).position(),
            () -> { CRC32 sum = new CRC32(); sum.update(b.slice(5 * PAGE, 5000)); return "summed"; },
        };
        for (Access a : withLongOnes ? longOnes : accesses)
            System.out.println(when + ", " + count++ + ": " + outcome(a));
    }

    /** How often an access is refused. */
    static int refusals(MappedByteBuffer b, int times) {
        int refused = 0;
        for (int i = 0; i < times; i++) {
            int at = i % SIZE;
            if (outcome(() -> b.put(at, (byte) 7)).startsWith("a fault")) refused++;
        }
        return refused;
    }

    public static void main(String[] args) throws Exception {
        withLongOnes = args.length != 0;
        File file = File.createTempFile("LostPages", null);
        try (RandomAccessFile f = new RandomAccessFile(file, "rw")) {
            f.setLength(SIZE);
            MappedByteBuffer b = f.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, SIZE);
            all("whole", b);
            f.setLength(0);
            for (int i = 0; i < 3; i++) all("cut", b);
            System.out.println(refusals(b, 5000) + " of 5000 refused");
            f.setLength(SIZE);
            all("whole again", b);
            System.out.println(refusals(b, 5000) + " of 5000 refused");
            byte[] written = new byte[SIZE];
            f.readFully(written);
            int sevens = 0;
            for (byte x : written) sevens += x == 7 ? 1 : 0;
            System.out.println(sevens + " bytes are in the file; the last: " + written[4999]);
        } finally {
            file.delete();
        }
    }
}
