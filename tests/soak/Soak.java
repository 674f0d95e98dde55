// What `make soak` runs for hours: `java Soak SCENARIO SEED SECONDS` does one thing over and over, and prints at its
// end how often. What it keeps does not grow, but for the two scenarios that leak so that the soak can be tested.
import com.sun.net.httpserver.HttpServer;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.FileWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

public class Soak {
    interface Round { void run(Random random) throws Exception; }

    static final Map<String, Round> SCENARIOS = Map.ofEntries(
        Map.entry("garbage", Soak::garbage), Map.entry("loaders", Soak::loaders), Map.entry("threads", Soak::threads),
        Map.entry("exhaustion", Soak::exhaustion), Map.entry("descriptors", Soak::descriptors),
        Map.entry("disk", Soak::disk), Map.entry("full-disk", Soak::fullDisk),
        Map.entry("few-threads", Soak::fewThreads), Map.entry("space", Soak::space), Map.entry("leak", Soak::leak),
        Map.entry("leak-descriptors", Soak::leakDescriptors));

    static final Object[] kept = new Object[4096];
    static final List<Object> leaked = new ArrayList<>();

    /** Objects of all sizes that live for a while, and point to each other. */
    static void garbage(Random random) {
        for (int i = 0; i < 20_000; i++) {
            Object[] made = new Object[2 + random.nextInt(20)];
            Object old = kept[random.nextInt(kept.length)];
            if (random.nextInt(4) != 0) made[0] = old instanceof Object[] array ? array[1] : old;
            made[1] = new byte[random.nextInt(1 << random.nextInt(12))];
            kept[random.nextInt(kept.length)] = made;
        }
    }

    public static class Loaded {
        static int runs;
        public static int run(int i) {
            Runnable r = () -> runs += i;
            r.run();
            return runs;
        }
    }

    static final class Loader extends ClassLoader {
        Class<?> define(byte[] b) { return defineClass(null, b, 0, b.length); }
    }

    static byte[] classFile(String name) throws IOException {
        try (InputStream in = Soak.class.getResourceAsStream(name + ".class")) {
            return in.readAllBytes();
        }
    }

    /** Loaders with a class each, which makes a hidden one; all of them unloaded. */
    static void loaders(Random random) throws Exception {
        byte[] b = classFile("Soak$Loaded");
        for (int i = 0; i < 50; i++) {
            int n = random.nextInt(100);
            Object sum = new Loader().define(b).getMethod("run", int.class).invoke(null, n);
            if ((int) sum != n) throw new AssertionError(sum + " is not " + n);
        }
    }

    static void threads(Random random) throws Exception {
        AtomicLong sum = new AtomicLong();
        List<Thread> started = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            Thread t = new Thread(() -> sum.incrementAndGet());
            t.start();
            started.add(t);
            if (random.nextInt(3) == 0) t.interrupt();
        }
        for (Thread t : started) t.join();
        if (sum.get() != 40) throw new AssertionError("threads: " + sum);
    }

    static int deeper(int depth) { return deeper(depth + 1) + 1; }

    /** Memory and stacks are used up, and both come back. */
    static void exhaustion(Random random) {
        List<byte[]> all = new ArrayList<>();
        try {
            for (;;) all.add(new byte[1 << 10 + random.nextInt(12)]);
        } catch (OutOfMemoryError e) {
            all.clear();
        }
        try {
            deeper(0);
            throw new AssertionError("no end of the stack");
        } catch (StackOverflowError e) {
            kept[0] = null;
        }
    }

    /** Descriptors are used up (the soak sets the limit), and given back. */
    static void descriptors(Random random) throws Exception {
        List<FileInputStream> open = new ArrayList<>();
        try {
            for (int i = 0; i < 10_000; i++) open.add(new FileInputStream("/dev/null"));
            throw new AssertionError("no limit of descriptors");
        } catch (IOException e) {
            // used up
        } finally {
            for (FileInputStream f : open) f.close();
        }
        new FileInputStream("/dev/null").close();
    }

    /** A file that must not become so large (the soak sets the limit): an IOException, and the program goes on. */
    static void disk(Random random) throws Exception {
        try (FileWriter w = new FileWriter("full.txt")) {
            for (int i = 0; i < 100_000; i++) w.write("a line that fills the disk, little by little\n");
            throw new AssertionError("the disk is not full");
        } catch (IOException e) {
            if (!new File("full.txt").delete()) throw e;
        }
    }

    static RandomAccessFile mappedFile;
    static MappedByteBuffer mapped;

    /** A disk that is full (the soak makes it a small one): an IOException, pages of a mapped file without memory, and
     * all of it works when there is room again. */
    static void fullDisk(Random random) throws Exception {
        if (mapped == null) {
            mappedFile = new RandomAccessFile("small/mapped", "rw");
            mappedFile.setLength(1 << 16);
            mapped = mappedFile.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, 1 << 16);
        }
        mappedFile.setLength(0);
        mappedFile.setLength(1 << 16);
        File full = new File("small/full");
        try (FileOutputStream out = new FileOutputStream(full)) {
            for (;;) out.write(new byte[4096]);
        } catch (IOException e) {
            // as much as there can be
        }
        int at = random.nextInt(1 << 16), value = random.nextInt(127) + 1;
        if (write(mapped, at, value)) throw new AssertionError("the disk is not full");
        if (!full.delete()) throw new AssertionError("not deleted");
        if (!write(mapped, at, value)) throw new AssertionError("the page is not back");
        mappedFile.seek(at);
        if (mappedFile.read() != value) throw new AssertionError("not in the file");
    }

    static boolean write(MappedByteBuffer b, int at, int value) {
        try {
            b.put(at, (byte) value);
            Thread.yield();
            return true;
        } catch (InternalError e) {
            return false;
        }
    }

    /** Starts threads until there can be none more. */
    static int startAll() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        List<Thread> started = new ArrayList<>();
        try {
            for (;;) {
                Thread t = new Thread(() -> {
                    try {
                        end.await();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                });
                t.start();
                started.add(t);
            }
        } catch (OutOfMemoryError e) {
            // as many as there can be
        }
        end.countDown();
        for (Thread t : started) t.join();
        return started.size();
    }

    static void fewThreads(Random random) throws Exception {
        int n = startAll();
        if (n == 0 || n > 80) throw new AssertionError(n + " threads");
        while (new File("/proc/self/task").list().length > 40) Thread.sleep(1);
    }

    /** Threads and mapped files, until there is no address space. */
    static void space(Random random) throws Exception {
        if (startAll() == 0) throw new AssertionError("no thread");
        List<ByteBuffer> all = new ArrayList<>();
        try (RandomAccessFile f = new RandomAccessFile("map", "rw")) {
            int size = 1 << 24 + random.nextInt(4);
            f.setLength(size);
            for (;;) all.add(f.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, size));
        } catch (IOException e) {
            all.clear();
        }
        System.gc();
    }

    static void leak(Random random) throws Exception {
        ByteBuffer b = ByteBuffer.allocateDirect(1 << 20);
        for (int i = 0; i < b.capacity(); i += 4096) b.put(i, (byte) 1);
        leaked.add(b);
        Thread.sleep(150);
    }

    static void leakDescriptors(Random random) throws Exception {
        leaked.add(new FileInputStream("/dev/null"));
        Thread.sleep(20);
    }

    /** An HTTP server, and clients that ask it and check what they get. */
    static long serve(Random random, long end) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        ExecutorService workers = Executors.newFixedThreadPool(4);
        server.setExecutor(workers);
        server.createContext("/", exchange -> {
            byte[] answer = exchange.getRequestURI().getQuery().repeat(100).getBytes();
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
        long rounds = 0;
        for (; System.nanoTime() < end; rounds++) {
            String text = "n" + random.nextInt(1000);
            HttpURLConnection c = (HttpURLConnection) URI.create("http://localhost:" + server.getAddress().getPort()
                + "/?" + text).toURL().openConnection();
            try (InputStream in = c.getInputStream()) {
                String got = new String(in.readAllBytes());
                if (!got.equals(text.repeat(100))) throw new AssertionError("wrong answer: " + got);
            }
        }
        server.stop(0);
        workers.shutdown();
        return rounds;
    }

    public static void main(String[] args) throws Exception {
        Random random = new Random(Long.parseLong(args[1]));
        long end = System.nanoTime() + Long.parseLong(args[2]) * 1_000_000_000, rounds = 0;
        System.out.println("soaking");
        if (args[0].equals("server")) rounds = serve(random, end);
        else
            for (Round r = SCENARIOS.get(args[0]); System.nanoTime() < end; rounds++) r.run(random);
        System.out.println("rounds: " + rounds);
    }
}
