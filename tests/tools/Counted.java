import java.io.InputStreamReader;
import java.io.BufferedReader;
import java.lang.management.ManagementFactory;

/** Does countable things at each line of its input, and says what its own beans know of them. */
public class Counted {
    static Object kept;

    public static void main(String[] arguments) throws Exception {
        var in = new BufferedReader(new InputStreamReader(System.in));
        int threads = 0;
        for (String line; (line = in.readLine()) != null; ) {
            switch (line) {
                case "gc" -> System.gc();
                case "fill" -> kept = new byte[64 << 20];
                case "classes" -> {
                    java.util.function.Supplier<?>[] suppliers = {() -> 1, () -> 2, () -> 3};
                    kept = java.util.stream.Stream.of(suppliers).map(s -> s.get() + "").sorted().toList();
                }
                case "thread" -> {
                    var t = new Thread(() -> {
                        while (true) java.util.concurrent.locks.LockSupport.park();
                    }, "more " + threads++);
                    t.setDaemon(true);
                    t.start();
                }
                case "halt" -> Runtime.getRuntime().halt(3);
                case "crash" -> {
                    var field = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
                    field.setAccessible(true);
                    ((sun.misc.Unsafe) field.get(null)).putInt(8L, 1);
                }
                default -> { }
            }
            var classes = ManagementFactory.getClassLoadingMXBean();
            var beans = ManagementFactory.getThreadMXBean();
            long collections = 0;
            for (var c : ManagementFactory.getGarbageCollectorMXBeans()) collections += c.getCollectionCount();
            long[] known = {classes.getLoadedClassCount(), classes.getTotalLoadedClassCount(), beans.getThreadCount(),
                beans.getDaemonThreadCount(), beans.getPeakThreadCount(), beans.getTotalStartedThreadCount(),
                collections, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed()};
            var text = new StringBuilder(line);
            for (long n : known) text.append(' ').append(n);
            System.out.println(text);
        }
    }
}
