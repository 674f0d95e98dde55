import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.UnixOperatingSystemMXBean;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.FileReader;
import java.io.FileWriter;
import java.io.IOException;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Timer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/** Does what a limit forbids, which the test has set; says how each act ended. Then the limit is left alone, and all
 * works again. The arguments: threads, descriptors DIRECTORY, disk DIRECTORY or space. */
public class Limits {
    interface Act { Object run() throws Throwable; }

    static void act(String what, Act a) {
        try {
            System.out.println(what + ": " + a.run());
        } catch (Throwable e) {
            System.out.println(what + ": " + e + (e.getCause() != null ? ", cause: " + e.getCause() : ""));
        }
    }

    static Object run(Thread t) throws InterruptedException {
        t.start();
        t.join();
        return t.getState();
    }

    static Thread idle() { return new Thread(() -> { }, "idle"); }

    static Object execute() throws Exception { return new ProcessBuilder("true").start().waitFor(); }

    static int first(File file) throws IOException {
        try (FileInputStream in = new FileInputStream(file)) {
            return in.read();
        }
    }

    static class Unloaded { }

    // ---- threads ----------------------------------------------------------------------------------------------------

    /** Starts threads that wait for `end`, until there can be none more. */
    static List<Thread> allThreads(CountDownLatch end) {
        List<Thread> all = new ArrayList<>();
        act("as many as there can be", () -> {
            for (;;) {
                Thread t = new Thread(() -> {
                    try {
                        end.await();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                }, "waits");
                t.start();
                all.add(t);
            }
        });
        return all;
    }

    /** A thread that has been joined may still count. */
    static void awaitEnds() throws InterruptedException {
        while (new File("/proc/self/task").list().length > 40) Thread.sleep(1);
    }

    static void threads() throws Throwable {
        act("before", () -> first(new File("/dev/null")) + " " + execute());
        CountDownLatch end = new CountDownLatch(1);
        List<Thread> all = allThreads(end);
        System.out.println("more than one: " + (all.size() > 1));
        Thread refused = idle();
        act("thread", () -> run(refused));
        act("its state", () -> refused.getState() + " " + refused.isAlive());
        act("pool", () -> {
            ExecutorService pool = Executors.newFixedThreadPool(2);
            try {
                return pool.submit(() -> 7).get();
            } finally {
                pool.shutdownNow();
            }
        });
        act("timer", () -> new Timer("timer"));
        act("process", Limits::execute);
        act("parallel stream", () -> IntStream.range(0, 1000).parallel().sum());
        act("collection", () -> {
            System.gc();
            return "done";
        });
        act("stacks", () -> Thread.getAllStackTraces().size() > all.size());
        end.countDown();
        for (Thread t : all) t.join();
        awaitEnds();
        act("refused thread again", () -> run(refused));
        act("thread after", () -> run(idle()));
        act("process after", Limits::execute);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
    }

    // ---- descriptors ------------------------------------------------------------------------------------------------

    static Object useUp(List<FileInputStream> open) throws IOException {
        for (;;) open.add(new FileInputStream("/dev/null"));
    }

    /** What an act has lost a collection may have closed. */
    static void actWithout(List<FileInputStream> open, String what, Act a) {
        try {
            useUp(open);
        } catch (IOException e) {
            act(what, a);
        }
    }

    /** A process is started afterwards only: forkAndExec of both libraries, when it gets no pipe, closes two
     * descriptors whose numbers it reads in memory that it has not set; standard output may be one. */
    static void descriptors(File directory) throws Throwable {
        File file = new File(directory, "file");
        Files.writeString(file.toPath(), "content");
        act("before", () -> first(file) + " " + Limits.class.getResource("no"));
        List<FileInputStream> open = new ArrayList<>();
        act("as many as there can be", () -> useUp(open));
        actWithout(open, "reader", () -> new FileReader(file).read());
        actWithout(open, "random access", () -> new RandomAccessFile(file, "rw"));
        actWithout(open, "channel of a file", () -> Files.newByteChannel(file.toPath()));
        actWithout(open, "Files.list", () -> Files.list(directory.toPath()).count());
        actWithout(open, "File.list", () -> directory.list());
        actWithout(open, "socket", () -> new Socket("127.0.0.1", 9));
        actWithout(open, "server", () -> new ServerSocket(0));
        actWithout(open, "channel", () -> SocketChannel.open());
        actWithout(open, "selector", () -> Selector.open());
        actWithout(open, "address", () -> InetAddress.getByName("127.0.0.1"));
        actWithout(open, "class", () -> Class.forName("Limits$Unloaded"));
        actWithout(open, "class of the library", () -> Class.forName("java.util.concurrent.Phaser"));
        URL[] urls = {directory.toURI().toURL()};
        actWithout(open, "class of another loader", () -> new URLClassLoader(urls).loadClass("No"));
        actWithout(open, "zip file", () -> new ZipFile(file));
        actWithout(open, "resource", () -> Limits.class.getResourceAsStream("Limits.class"));
        actWithout(open, "library", () -> {
            System.loadLibrary("rmi");
            return "loaded";
        });
        actWithout(open, "random", () -> new SecureRandom().nextInt());
        actWithout(open, "thread", () -> run(idle()));
        actWithout(open, "dump", () -> dump(directory));
        for (FileInputStream f : open) f.close();
        act("reader after", () -> first(file));
        act("class after", () -> Class.forName("Limits$Unloaded"));
        act("process after", Limits::execute);
        act("dump after", () -> dump(directory));
        act("open", () -> ((UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
            .getOpenFileDescriptorCount() < 50);
    }

    // ---- a disk -----------------------------------------------------------------------------------------------------

    /** Whether the dump is there. */
    static Object dump(File directory) throws Exception {
        File file = new File(directory, "dump.hprof");
        try {
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpHeap(file.getPath(), false);
            return file.length() > 100_000;
        } catch (IOException e) {
            return e + ", left: " + file.exists();
        } finally {
            file.delete();
        }
    }

    static Object mapped(File file, int at) throws Exception {
        try (RandomAccessFile f = new RandomAccessFile(file, "rw")) {
            f.setLength(1 << 16);
            ByteBuffer b = f.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, 1 << 16);
            b.putInt(at, 77);
            return "" + b.getInt(at);
        }
    }

    static Object disk(File directory, String what) {
        File full = new File(directory, "full");
        act(what, () -> {
            try (FileOutputStream o = new FileOutputStream(full)) {
                for (;;) o.write(new byte[4096]);
            }
        });
        return full.length();
    }

    static void disk(File directory) throws Throwable {
        System.out.println(disk(directory, "as much as there can be"));
        act("stream", () -> {
            try (FileOutputStream o = new FileOutputStream(new File(directory, "stream"))) {
                o.write(1);
                return "written";
            }
        });
        act("writer", () -> {
            try (FileWriter w = new FileWriter(new File(directory, "writer"))) {
                w.write("text");
            }
            return "closed";
        });
        act("print stream", () -> {
            try (PrintStream p = new PrintStream(new File(directory, "print"))) {
                p.println("text");
                return p.checkError();
            }
        });
        act("random access", () -> {
            try (RandomAccessFile f = new RandomAccessFile(new File(directory, "random"), "rw")) {
                f.setLength(1 << 20);
                f.seek(1000);
                f.write(1);
                return "written";
            }
        });
        act("channel", () -> {
            try (FileChannel c = FileChannel.open(new File(directory, "channel").toPath(), StandardOpenOption.CREATE,
                                                  StandardOpenOption.WRITE)) {
                return c.write(ByteBuffer.allocateDirect(10));
            }
        });
        act("string", () -> Files.writeString(new File(directory, "string").toPath(), "text"));
        act("zip file", () -> {
            try (ZipOutputStream z = new ZipOutputStream(new FileOutputStream(new File(directory, "zip")))) {
                z.putNextEntry(new ZipEntry("entry"));
                z.write(new byte[100]);
            }
            return "closed";
        });
        act("dump", () -> dump(directory));
        File map = new File(directory, "map");
        for (int i = 0; i < 3; i++) act("mapped", () -> mapped(map, 12));
        new File(directory, "full").delete();
        act("mapped after", () -> mapped(map, 12));
        act("in the file", () -> Files.readAllBytes(map.toPath())[15]);
        act("string after", () -> Files.readString(Files.writeString(new File(directory, "a").toPath(), "text")));
        System.out.println(disk(directory, "full again"));
    }

    // ---- address space ----------------------------------------------------------------------------------------------

    /** What a collection has found dead a thread of the library's gives back, soon: until then there may be no memory
     * for anything, and the process can have no child. */
    static void awaitMemory() throws Exception {
        for (;;) {
            List<Deflater> some = new ArrayList<>();
            try {
                for (int i = 0; i < 20; i++) some.add(new Deflater(9));
                execute();
                return;
            } catch (IOException | OutOfMemoryError e) {
                System.gc();
                Thread.sleep(1);
            } finally {
                for (Deflater d : some) d.end();
            }
        }
    }

    /** Buffers outside the heap that are there, mapped files among them. */
    static long buffers() {
        long count = 0;
        for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class))
            count += pool.getCount();
        return count;
    }

    static Object fill(Act one) throws Throwable {
        List<Object> kept = new ArrayList<>();
        try {
            for (;;) kept.add(one.run());
        } finally {
            if (kept.size() < 2) throw new AssertionError("only " + kept.size());
            kept.clear();
            System.gc();
        }
    }

    /** With buffers: they are gone when this ends, and what follows finds the same room each time. */
    static Object fillWithBuffers(Act one) throws Throwable {
        long before = buffers();
        try {
            return fill(one);
        } finally {
            for (boolean gone = false; !gone;) {
                try {
                    gone = buffers() <= before;
                } catch (OutOfMemoryError e) {
                    gone = false;
                }
                if (!gone) {
                    System.gc();
                    Thread.sleep(1);
                }
            }
        }
    }

    static void space(File directory) throws Throwable {
        act("before", () -> first(new File("/dev/null")) + " " + execute() + " " + run(idle()));
        awaitMemory();
        act("arrays", () -> fill(() -> new byte[1 << 20]));
        act("files", () -> fillWithBuffers(() -> {
            try (RandomAccessFile f = new RandomAccessFile(new File(directory, "map"), "rw")) {
                f.setLength(1 << 26);
                return f.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, 1 << 26);
            }
        }));
        CountDownLatch end = new CountDownLatch(1);
        List<Thread> all = allThreads(end);
        act("thread", () -> run(new Thread(null, () -> { }, "large", 1 << 28)));
        end.countDown();
        for (Thread t : all) t.join();
        act("thread of no size", () -> run(new Thread(null, () -> { }, "large", 1L << 40)));
        act("memory", () -> fillWithBuffers(() -> ByteBuffer.allocateDirect(1 << 24)));
        act("memory of the library", () -> fill(() -> new Deflater(9)));
        awaitMemory();
        act("array after", () -> new byte[1 << 20].length);
        act("process after", Limits::execute);
    }

    public static void main(String[] args) throws Throwable {
        switch (args[0]) {
            case "threads": threads(); break;
            case "descriptors": descriptors(new File(args[1])); break;
            case "disk": disk(new File(args[1])); break;
            case "space": space(new File(args[1])); break;
            default: throw new IllegalArgumentException(args[0]);
        }
        System.out.println("end");
    }
}
