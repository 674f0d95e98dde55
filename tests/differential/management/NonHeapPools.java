// The memory pools outside the heap by the names that monitors look for, what they say, and the notification that the
// code cache has come to a threshold; with an argument by code that is made meanwhile (command.<jdk>.compiler_tools:
// HotSpot gives up code as well).
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryNotificationInfo;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;

public class NonHeapPools {
    public static class Work implements Runnable {
        static int sum;
        @Override public void run() { for (int i = 0; i < 10; i++) sum += i * sum ^ i; }
    }

    static class Loader extends ClassLoader {
        Runnable work(byte[] bytes) throws Exception {
            return (Runnable) defineClass("NonHeapPools$Work", bytes, 0, bytes.length).getConstructor().newInstance();
        }
    }

    static MemoryPoolMXBean named(String name) {
        for (MemoryPoolMXBean p : ManagementFactory.getMemoryPoolMXBeans()) if (p.getName().equals(name)) return p;
        throw new AssertionError("no pool " + name);
    }

    static void show(MemoryPoolMXBean p) {
        MemoryUsage u = p.getUsage(), peak = p.getPeakUsage();
        System.out.println(p.getName() + " " + p.getType() + " " + Arrays.toString(p.getMemoryManagerNames()) + " "
            + p.isValid() + " " + p.isUsageThresholdSupported() + " " + p.isCollectionUsageThresholdSupported() + " "
            + p.getCollectionUsage());
        System.out.println("  used " + (u.getUsed() > 10_000) + ", committed " + (u.getCommitted() >= u.getUsed())
            + ", max " + (u.getMax() == -1 ? "none" : u.getMax() >= u.getCommitted()) + ", peak "
            + (peak.getUsed() >= u.getUsed()));
    }

    public static void main(String[] arguments) throws Exception {
        MemoryPoolMXBean code = named("CodeCache"), metaspace = named("Metaspace");
        show(code);
        show(metaspace);
        System.out.println("max " + (code.getUsage().getMax() >> 20) + " MB");
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        long sum = 0, whole = memory.getNonHeapMemoryUsage().getUsed();
        for (MemoryPoolMXBean p : ManagementFactory.getMemoryPoolMXBeans())
            if (p.getType() == MemoryType.NON_HEAP) sum += p.getUsage().getUsed();
        System.out.println("all of them " + (Math.abs(sum - whole) < 1_000_000));
        BlockingQueue<MemoryNotificationInfo> told = new LinkedBlockingQueue<>();
        ((NotificationEmitter) memory).addNotificationListener((n, o) ->
            told.add(MemoryNotificationInfo.from((CompositeData) n.getUserData())), null, null);
        byte[] bytes = NonHeapPools.class.getResourceAsStream("NonHeapPools$Work.class").readAllBytes();
        boolean grows = arguments.length > 0;
        long used = code.getUsage().getUsed(), limit = grows ? used + 100_000 : used / 2;
        code.setUsageThreshold(limit);
        List<Runnable> kept = new ArrayList<>();
        while (grows && told.isEmpty() && kept.size() < 2000) {
            kept.add(new Loader().work(bytes));
            kept.get(kept.size() - 1).run();
        }
        MemoryNotificationInfo info = grows ? told.remove() : told.take();
        System.out.println(info.getPoolName() + " " + (info.getCount() >= 1) + " "
            + (info.getUsage().getUsed() >= limit));
    }
}
