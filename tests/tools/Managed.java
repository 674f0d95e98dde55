import java.io.FileInputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntUnaryOperator;
import javax.management.ObjectName;

/** A program to be managed: its own bean lets it do what the beans of the platform then have to tell. What it answers
 *  comes from its own counting, or from the kernel. */
public class Managed implements ManagedWork {
    public static class Part implements IntUnaryOperator {
        public int applyAsInt(int n) {
            int sum = n;
            for (int i = 0; i < 100; i++) sum = sum * 31 + (sum >>> 3 ^ i);
            return sum;
        }
    }

    private static class Loader extends ClassLoader {
        Loader() { super(Managed.class.getClassLoader()); }
        Class<?> define(byte[] bytes) { return defineClass(null, bytes, 0, bytes.length); }
    }

    private final List<Thread> threads = new ArrayList<>();
    private final List<Class<?>> classes = new ArrayList<>();
    private final List<ByteBuffer> buffers = new ArrayList<>();
    private final List<FileInputStream> files = new ArrayList<>();
    private byte[][] held;
    private volatile boolean ending;
    private int words = 1;
    private byte[] part;

    private interface Task<T> { T run() throws Exception; }

    /** What the task answers, done by a new thread that then stays until endThreads. */
    private <T> T inThread(String name, Task<T> task) {
        var answer = new SynchronousQueue<Object>();
        start(name, true, () -> {
            Object value;
            try {
                value = task.run();
            } catch (Exception e) {
                value = e;
            }
            while (!answer.offer(value)) Thread.onSpinWait();    // offering neither blocks nor waits
            stay();
        });
        try {
            Object value = answer.take();
            if (value instanceof Exception e) throw new IllegalStateException(e);
            @SuppressWarnings("unchecked") T t = (T) value;
            return t;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void stay() {
        while (!ending) LockSupport.park(this);
    }

    private Thread start(String name, boolean daemon, Runnable what) {
        var t = new Thread(what, name);
        t.setDaemon(daemon);
        t.start();
        threads.add(t);
        return t;
    }

    public void startThreads(int count, boolean daemon) {
        for (int i = 0; i < count; i++) {
            Thread t = start("worker " + threads.size(), daemon, this::stay);
            while (t.getState() != Thread.State.WAITING) Thread.onSpinWait();
        }
    }

    public void endThreads() {
        ending = true;
        for (Thread t : threads) {
            while (t.isAlive()) LockSupport.unpark(t);
        }
        threads.clear();
        ending = false;
    }

    /** User and system time of the current thread, whose unit is 10 ms. */
    private static long kernelMillis() throws IOException {
        String stat = Files.readString(Path.of("/proc/thread-self/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * 10;
    }

    public long[] compute(long millis) {
        return inThread("computes", () -> {
            long now = 0;
            for (int x = 1; now < millis; now = kernelMillis()) {
                for (int i = 0; i < 100_000; i++) x = x * 31 + i;
                words += x == 0 ? 1 : 0;
            }
            return new long[] {Thread.currentThread().getId(), kernelMillis()};
        });
    }

    public long contend(int blocked, int waited) {
        var lock = new Object();
        var turns = new int[1];
        var enters = new boolean[1];
        volatileSet(enters);             // both are linked now: two threads at once contend for the library's locks
        enters[0] = !volatileRead(enters);
        var t = start("contends", true, () -> {
            for (int i = 0; i < blocked; i++) {
                while (!volatileRead(enters)) Thread.onSpinWait();
                synchronized (lock) { enters[0] = false; }
            }
            synchronized (lock) {
                for (int i = 0; i < waited; i++) {
                    try {
                        while (turns[0] == i) lock.wait();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }
            }
            volatileSet(enters);
            while (!ending) Thread.onSpinWait();
        });
        for (int i = 0; i < blocked; i++) {
            synchronized (lock) {
                volatileSet(enters);
                while (t.getState() != Thread.State.BLOCKED) Thread.onSpinWait();
            }
            while (volatileRead(enters)) Thread.onSpinWait();
        }
        for (int i = 0; i < waited; i++) {
            while (t.getState() != Thread.State.WAITING) Thread.onSpinWait();
            synchronized (lock) {
                turns[0]++;
                lock.notify();
            }
        }
        while (!volatileRead(enters)) Thread.onSpinWait();
        return t.getId();
    }

    private static final java.lang.invoke.VarHandle FLAG =
        java.lang.invoke.MethodHandles.arrayElementVarHandle(boolean[].class);
    private static boolean volatileRead(boolean[] flag) { return (boolean) FLAG.getVolatile(flag, 0); }
    private static void volatileSet(boolean[] flag) { FLAG.setVolatile(flag, 0, true); }

    public long allocate(long bytes) {
        return inThread("allocates", () -> {
            byte[] last = null;
            for (long n = 0; n < bytes; n += 4096) last = new byte[4096 - 16];
            Reference.reachabilityFence(last);
            return Thread.currentThread().getId();
        });
    }

    public void loadClasses(int count, boolean hot) {
        try {
            if (part == null) {
                try (var in = Managed.class.getResourceAsStream("Managed$Part.class")) {
                    part = in.readAllBytes();
                }
            }
            for (int i = 0; i < count; i++) {
                Class<?> c = new Loader().define(part);
                classes.add(c);
                var operator = (IntUnaryOperator) c.getConstructor().newInstance();
                for (int n = 0; hot && n < 20_000; n++) words ^= operator.applyAsInt(n) == 0 ? 0 : 1;
            }
        } catch (IOException | ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    public void dropClasses() { classes.clear(); }

    public void collect(int times) {
        for (int i = 0; i < times; i++) System.gc();
    }

    public void hold(int mebibytes) {
        held = new byte[mebibytes][];
        for (int i = 0; i < mebibytes; i++) held[i] = new byte[(1 << 20) - 16];
    }

    public void drop() { held = null; }

    public void buffers(int direct, int mapped, int bytes) {
        try {
            for (int i = 0; i < direct; i++) buffers.add(ByteBuffer.allocateDirect(bytes));
            Path file = Path.of("mapped");
            for (int i = 0; i < mapped; i++) {
                try (var c = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ,
                                              StandardOpenOption.WRITE)) {
                    buffers.add(c.map(FileChannel.MapMode.READ_WRITE, 0, bytes));
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    public void dropBuffers() { buffers.clear(); }

    public void openFiles(int count) {
        try {
            for (int i = 0; i < count; i++) files.add(new FileInputStream("/dev/null"));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    public void closeFiles() {
        try {
            for (FileInputStream f : files) f.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        files.clear();
    }

    public long[] deadlock() {
        Object a = new Object(), b = new Object();
        var both = new CyclicBarrier(2);
        return new long[] {deadly(a, b, both), deadly(b, a, both)};
    }

    private static long deadly(Object first, Object second, CyclicBarrier both) {
        var t = new Thread(() -> {
            synchronized (first) {
                try {
                    both.await();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
                synchronized (second) { }
            }
        }, "deadly");
        t.setDaemon(true);
        t.start();
        return t.getId();
    }

    public int getWords() { return words; }
    public void setWords(int n) { words = n; }

    public static void main(String[] arguments) throws Exception {
        var server = ManagementFactory.getPlatformMBeanServer();
        server.registerMBean(new Managed(), new ObjectName("test:type=Work"));
        System.out.println("ready");
        System.in.read();
    }
}
