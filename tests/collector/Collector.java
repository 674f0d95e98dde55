// The collector over a long run: `java Collector churn GIGABYTES | loaders | scattered [FLAG RATIO] | fragments PEAK`,
// where FLAG is MinHeapFreeRatio or MaxHeapFreeRatio, to be set as tools do. Prints what tests/command/collector.py
// judges.
import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

public class Collector {
    /** Resident kilobytes of this process. */
    static long resident() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmRSS:")) return Long.parseLong(line.replaceAll("\\D", ""));
        }
        throw new IllegalStateException("no VmRSS");
    }

    /** 20 GB of arrays of mixed sizes through a window of survivors. */
    static void churn(long total) throws IOException {
        Object[] window = new Object[2000];
        Random random = new Random(7);
        long allocated = 0, step = 1L << 30;
        List<Long> residents = new ArrayList<>();            // at each gigabyte
        for (long next = step; allocated < total; ) {
            int size = 16 + random.nextInt(random.nextInt(100) == 0 ? 200_000 : 8_000);
            window[random.nextInt(window.length)] = random.nextBoolean() ? new byte[size] : new Object[size / 4];
            allocated += size;
            if (allocated >= next) {
                residents.add(resident());
                next += step;
            }
        }
        int some = (residents.size() + 3) / 4;               // it goes up and down by what lies where
        System.out.println("resident at most, first " + some + " GB: " + Collections.max(residents.subList(0, some)));
        System.out.println("resident at least, last " + some + " GB: "
                           + Collections.min(residents.subList(residents.size() - some, residents.size())));
    }

    /** A class with a static array, as a class file. */
    static byte[] unit() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(0xcafebabe);
        out.writeInt(52);
        out.writeShort(5);
        out.writeByte(1); out.writeUTF("Unit");
        out.writeByte(7); out.writeShort(1);
        out.writeByte(1); out.writeUTF("java/lang/Object");
        out.writeByte(7); out.writeShort(3);
        out.writeShort(0x21); out.writeShort(2); out.writeShort(4);
        for (int i = 0; i < 4; i++) out.writeShort(0);
        return bytes.toByteArray();
    }

    static class Loader extends ClassLoader {
        Loader() { super(null); }
        Class<?> define(byte[] b) { return defineClass("Unit", b, 0, b.length); }
    }

    /** The first fifth is for what the program itself needs: the code that is compiled on the way, say. */
    static void loaders(int count) throws Exception {
        byte[] unit = unit();
        for (int i = 1; i <= count; i++) {
            Class<?> c = new Loader().define(unit);
            if (c.getInterfaces().length != 0) throw new AssertionError();
            if (i % 500 == 0) System.gc();
            if (i == count / 5) System.out.println("resident after " + i + " loaders: " + resident());
        }
        System.out.println("resident after " + count + " loaders: " + resident());
    }

    /**
     * Four times: mixed sizes until `peak` per cent of the heap is live, then dropped at random until 40 % stays,
     * scattered. Then the largest array that can be had, and again when the survivors are gone.
     */
    static void fragments(int peak) {
        long heap = Runtime.getRuntime().maxMemory(), live = 0;
        List<byte[]> all = new ArrayList<>();
        Random random = new Random(11);
        for (int round = 0; round < 4; round++) {
            for (int i = 0; live < heap * peak / 100; i++) {
                byte[] b = new byte[16 + random.nextInt(random.nextInt(20) == 0 ? 40_000 : 600)];
                live += b.length + 20;
                if (i < all.size() && all.get(i) == null) all.set(i, b);
                else all.add(b);
            }
            for (int i = 0; i < all.size(); i++) {
                if (all.get(i) == null || random.nextInt(peak) < 40) continue;
                live -= all.get(i).length + 20;
                all.set(i, null);
            }
        }
        System.out.println("live per cent: " + live * 100 / heap);
        int quarter = (int) (heap / 4), largest = quarter;
        while (!canAllocate(largest)) largest -= quarter / 64;
        System.out.println("per cent of a quarter of the heap in one piece: " + 100L * largest / quarter);
        if (all.stream().filter(b -> b != null && b.length >= 16).count() == 0)
            throw new AssertionError("no survivors");
        all = null;
        System.out.println("a quarter once they are gone: " + (canAllocate(quarter) ? 1 : 0));
    }

    /**
     * 40 MB of small objects, of which one in a while is replaced by one of another size, at random: what lives lies
     * scattered, and new objects are to go where old ones were. Deterministic: one thread, the same numbers each time.
     */
    static void scattered() {
        Object[] live = new Object[700_000];
        long x = 12345, sum = 0;
        for (int i = 0; i < 8_000_000; i++) {
            x = x * 6364136223846793005L + 1442695040888963407L;
            int r = (int) (x >>> 33);
            Object fresh = (r & 7) == 0 ? new byte[r >>> 3 & 255] : (r & 1) == 0 ? new Object[2] : new int[3];
            if (i < live.length || (r & 48) == 0) live[i < live.length ? i : r % live.length] = fresh;
            sum += fresh.hashCode() & 1;
        }
        System.gc();
        System.out.println("hash codes and survivors: " + (sum > 0 && live[77] != null ? 1 : 0));
    }

    static boolean canAllocate(int bytes) {
        try {
            return new byte[Math.max(bytes, 0)].length == bytes;
        } catch (OutOfMemoryError e) {
            return false;
        }
    }

    public static void main(String[] args) throws Exception {
        // The first line that is put together links a call site: some megabytes that are none of the collector's.
        System.out.println("resident at the start: " + resident());
        switch (args[0]) {
            case "churn" -> churn(Long.parseLong(args[1]) << 30);
            case "loaders" -> loaders(100_000);
            case "scattered" -> {
                if (args.length > 1)
                    ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).setVMOption(args[1], args[2]);
                scattered();
            }
            default -> fragments(Integer.parseInt(args[1]));
        }
    }
}
