import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Takes amounts of memory that are known, as its input asks for: what tells of them must say the same. */
public class Measured {
    static final sun.misc.Unsafe UNSAFE = unsafe();
    static final List<Object> kept = new ArrayList<>();
    static final CountDownLatch last = new CountDownLatch(1);
    static long block;
    static int poked;

    public static class Copied {
        public static int hot(int i) { return i * 31 + 7; }
    }

    static class Loader extends ClassLoader {
        Class<?> define(byte[] file) { return defineClass(null, file, 0, file.length); }
    }

    static sun.misc.Unsafe unsafe() {
        try {
            var field = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
            field.setAccessible(true);
            return (sun.misc.Unsafe) field.get(null);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    static Instrumentation instrumentation;

    public static void premain(String options, Instrumentation i) { instrumentation = i; }

    static byte[] copiedFile() throws Exception {
        try (var in = Measured.class.getResourceAsStream("Measured$Copied.class")) {
            return in.readAllBytes();
        }
    }

    static void startThreads(int n) throws InterruptedException {
        CountDownLatch running = new CountDownLatch(n);
        for (int i = 0; i < n; i++) {
            Thread t = new Thread(() -> {
                running.countDown();
                try {
                    last.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }, "measured " + i);
            t.start();
            kept.add(t);
        }
        running.await();
    }

    static void defineClasses(int n) throws Exception {
        byte[] file = copiedFile();
        for (int i = 0; i < n; i++) kept.add(new Loader().define(file).getDeclaredConstructor().newInstance());
    }

    static void run(String command, int n) throws Exception {
        switch (command) {
            case "take" -> block = UNSAFE.allocateMemory(n);
            case "give" -> UNSAFE.freeMemory(block);
            case "buffer" -> kept.add(ByteBuffer.allocateDirect(n));
            case "threads" -> startThreads(n);
            case "classes" -> defineClasses(n);
            case "poke" -> {
                for (int i = 0; i < n; i++) poked = i;
            }
            case "hot" -> {
                for (int i = 0; i < n; i++) block += Copied.hot(i);
            }
            case "warm" -> {                    // the copy that was defined last
                var hot = kept.get(kept.size() - 1).getClass().getMethod("hot", int.class);
                for (int i = 0; i < n; i++) hot.invoke(null, i);
            }
            case "redefine" -> {
                for (int i = 0; i < n; i++)
                    instrumentation.redefineClasses(new ClassDefinition(Copied.class, copiedFile()));
            }
            case "forget" -> kept.clear();
            case "collect" -> System.gc();
            case "throw" -> {
                for (int i = 0; i < n; i++)
                    try {
                        Object o = new int[-1 - i];
                    } catch (NegativeArraySizeException expected) {
                        kept.add(expected);
                    }
            }
            default -> throw new IllegalArgumentException(command);
        }
    }

    public static void main(String[] args) throws Exception {
        defineClasses(1);                       // what the first of a kind brings along does not count
        startThreads(1);
        run("take", 1);
        run("give", 0);
        System.out.println(true);
        var in = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = in.readLine()) != null;) {
            String[] words = line.split(" ");
            run(words[0], words.length > 1 ? Integer.parseInt(words[1]) : 0);
            System.out.println("done");
        }
        last.countDown();
    }
}
