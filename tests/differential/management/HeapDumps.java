// HotSpotDiagnosticMXBean.dumpHeap: what it refuses, and that the file has what is alive, read here record by record.
import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.Map;

public class HeapDumps {
    static class Kept { long number = 0x123456789L; Object next; }
    static class Dropped { }

    static final HotSpotDiagnosticMXBean BEAN = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    static Kept kept;

    static void refused(String what, String path) {
        try {
            BEAN.dumpHeap(path, true);
            System.out.println(what + ": not refused");
        } catch (IOException | RuntimeException e) {
            System.out.println(what + ": " + e.toString().replace(path == null ? "-" : path, "PATH"));
        }
    }

    static void skip(DataInputStream in, long n) throws IOException {
        while (n > 0) n -= in.skip(n);
    }

    // Bytes that a value of a type takes.
    static int size(int type) {
        switch (type) {
        case 4: case 8: return 1;
        case 5: case 9: return 2;
        case 6: case 10: return 4;
        default: return 8;
        }
    }

    static Map<Long, String> strings = new HashMap<>(), classes = new HashMap<>();
    static Map<String, Integer> instances = new HashMap<>();

    static long readSubRecord(DataInputStream in) throws IOException {
        int tag = in.readUnsignedByte();
        int plain = tag == 0x01 || tag == 0x02 || tag == 0x03 || tag == 0x08 ? 16
                    : tag == 0x05 || tag == 0x07 || tag == 0xFF              ? 8
                                                                             : 0;
        if (plain != 0) { skip(in, plain); return 1 + plain; }
        if (tag == 0x20) {
            skip(in, 8 + 4 + 6 * 8 + 4);
            long n = 1 + 64 + 6;
            if (in.readUnsignedShort() != 0) throw new IOException("constant pool");
            for (int i = in.readUnsignedShort(); i > 0; i--) {
                skip(in, 8);
                int bytes = size(in.readUnsignedByte());
                skip(in, bytes);
                n += 9 + bytes;
            }
            int fields = in.readUnsignedShort();
            skip(in, fields * 9L);
            return n + fields * 9L;
        }
        skip(in, 12);
        if (tag == 0x21) {
            instances.merge(classes.get(in.readLong()), 1, Integer::sum);
            int bytes = in.readInt();
            skip(in, bytes);
            return 1 + 12 + 12 + bytes;
        }
        long bytes = in.readInt();
        if (tag == 0x22) { skip(in, 8 + bytes * 8); return 1 + 12 + 12 + bytes * 8; }
        if (tag != 0x23) throw new IOException("sub-record " + tag);
        bytes *= size(in.readUnsignedByte());
        skip(in, bytes);
        return 1 + 12 + 5 + bytes;
    }

    static void read(File file) throws IOException {
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file.toPath())))) {
            byte[] version = new byte[19];
            in.readFully(version);
            System.out.println(new String(version, 0, 18, "ISO-8859-1") + ", identifiers of " + in.readInt()
                               + " bytes");
            skip(in, 8);
            for (int tag; (tag = in.read()) >= 0;) {
                in.readInt();
                long length = in.readInt() & 0xFFFFFFFFL;
                if (tag == 0x01) {
                    long id = in.readLong();
                    byte[] text = new byte[(int) length - 8];
                    in.readFully(text);
                    strings.put(id, new String(text, "UTF-8"));
                } else if (tag == 0x02) {
                    in.readInt();
                    long id = in.readLong();
                    in.readInt();
                    classes.put(id, strings.get(in.readLong()));
                } else if (tag == 0x1C) {
                    while (length > 0) length -= readSubRecord(in);
                } else {
                    skip(in, length);
                }
            }
        }
    }

    static void populate() {
        for (int i = 0; i < 9; i++) {
            Kept k = new Kept();
            k.next = kept;
            kept = k;
            new Dropped();
        }
    }

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(HeapDumps::populate);     // whose stack is gone afterwards
        t.start();
        t.join();
        File directory = Files.createTempDirectory("dumps").toFile(), file = new File(directory, "some%pname.hprof");
        refused("name", directory + "/other");
        refused("no directory", directory + "/none/x.hprof");
        refused("null", null);
        BEAN.dumpHeap(file.getPath(), true);
        refused("there already", file.getPath());
        read(file);
        System.out.println(file.length() > 100_000 ? "large" : "small");
        System.out.println("kept " + instances.get("HeapDumps$Kept") + ", dropped "
                           + instances.get("HeapDumps$Dropped"));
        file.delete();
        BEAN.dumpHeap(file.getPath(), false);
        instances.clear();
        read(file);
        System.out.println("kept " + instances.get("HeapDumps$Kept") + ", deleted " + file.delete() + " "
                           + directory.delete());
    }
}
