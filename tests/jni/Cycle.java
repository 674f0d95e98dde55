import java.io.*;
import java.lang.management.*;
import java.net.*;
import java.nio.channels.*;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.stream.*;
import java.util.zip.*;

/**
 * Uses a VM as programs do: threads of all kinds, files, sockets, compression, lambdas, collections; leaves daemons
 * behind.
 */
public class Cycle {
    static volatile Object sink;

    static Thread daemon(String name, Callable<?> body) throws InterruptedException {
        CountDownLatch running = new CountDownLatch(1);
        Thread t = new Thread(() -> {
            running.countDown();
            try {
                body.call();
            } catch (Exception e) {
                System.out.println(name + ": " + e);
            }
        }, name);
        t.setDaemon(true);
        t.start();
        running.await();
        return t;
    }

    static void user(Runnable body) {
        new Thread(body, "user").start();
    }

    static boolean sockets() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            user(() -> {
                try (Socket s = new Socket(server.getInetAddress(), server.getLocalPort())) {
                    s.getOutputStream().write(42);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            try (Socket s = server.accept()) {
                return s.getInputStream().read() == 42;
            }
        }
    }

    /** Leaves a daemon that waits in a library of the JDK, which is not to keep the library loaded. */
    static void acceptor() throws Exception {
        ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Thread t = daemon("acceptor", server::accept);
        for (StackTraceElement[] stack; (stack = t.getStackTrace()).length == 0 || !stack[0].isNativeMethod();)
            Thread.sleep(1);
    }

    static native void block();

    static native void awaitBlocked();

    /** Bytes allocated for each sample as long as nobody in this VM has asked for another interval than 512 KiB. */
    static native int interval();

    /** Is everything as in a new VM? Afterwards it is not. */
    static boolean settings() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        ThreadInfo own = threads.getThreadInfo(Thread.currentThread().getId());
        if (own.getBlockedTime() != -1 || threads.isThreadContentionMonitoringEnabled()) return false;
        if (!threads.isThreadCpuTimeEnabled() || memory.isVerbose()) return false;
        threads.setThreadContentionMonitoringEnabled(true);
        threads.setThreadCpuTimeEnabled(false);
        memory.setVerbose(true);
        own = threads.getThreadInfo(Thread.currentThread().getId());
        return own.getBlockedTime() != -1 && !threads.isThreadCpuTimeEnabled() && memory.isVerbose();
    }

    static int run(int cycle) throws Exception {
        String library = System.getProperty("library");
        if (library != null) System.load(library);
        if (Boolean.getBoolean("block")) {
            daemon("in native code", () -> { block(); return null; });
            awaitBlocked();
        }
        if (Boolean.getBoolean("settings") && !settings()) return -4;
        if (Boolean.getBoolean("interval") && interval() < 50_000) return -5;
        Object lock = new Object();
        daemon("sleeper", () -> { Thread.sleep(1_000_000); return null; });
        daemon("waiter", () -> { synchronized (lock) { lock.wait(); } return null; });
        daemon("parker", () -> { new LinkedBlockingQueue<String>().take(); return null; });
        daemon("runner", () -> { for (long i = 0; ; i++) if (i % 1_000_000 == 0) Thread.yield(); });
        CountDownLatch held = new CountDownLatch(1);
        Object monitor = new Object();
        daemon("holder", () -> { synchronized (monitor) { held.countDown(); Thread.sleep(1_000_000); } return null; });
        held.await();
        daemon("blocked", () -> { synchronized (monitor) { return null; } });
user(() -> sink = IntStream.range(0, 2000).parallel().mapToObj(Integer::toString).collect(Collectors.joining()));

Path file = Path.of("cycle.txt");
Files.writeString(file, "line\n".repeat(1000));
try (Stream<String> lines = Files.lines(file)) {
    if (lines.count() != 1000) return -1;
        }
        Files.delete(file);

        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(new byte[100_000]);
        }
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            if (in.readAllBytes().length != 100_000) return -2;
        }

        if (Boolean.getBoolean("sockets")) {
            if (!sockets()) return -3;
            acceptor();
        }
        List<byte[]> garbage = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            garbage.add(new byte[10_000]);
            if (i % 100 == 99) garbage.clear();
        }
        System.gc();
        return cycle;
    }
}
