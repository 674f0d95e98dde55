// What the beans tell about collections and memory pools: notifications, the last collection's figures, thresholds of
// usage.
import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.GcInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryNotificationInfo;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;

public class CollectionNotices {
    static final int MIB = 1 << 20;
    static List<byte[]> held;

    static void hold(int mib) {
        List<byte[]> l = new ArrayList<>();
        for (int i = 0; i < mib; i++) l.add(new byte[MIB - 100]);
        held = l;
    }

    static long used(java.util.Map<String, MemoryUsage> usage, Set<String> pools) {
        return usage.entrySet()
            .stream()
            .filter(e -> pools.contains(e.getKey()))
            .mapToLong(e -> e.getValue().getUsed())
            .sum();
    }

    static Set<String> pools(MemoryType type) {
        Set<String> names = new TreeSet<>();
        for (MemoryPoolMXBean p : ManagementFactory.getMemoryPoolMXBeans()) {
            if (type == null || p.getType() == type) names.add(p.getName());
        }
        return names;
    }

    static void collections() throws Exception {
        BlockingQueue<GarbageCollectionNotificationInfo> notices = new LinkedBlockingQueue<>();
        NotificationListener listener = (n, back) -> {
            if (!n.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)
                || back != notices)
                throw new AssertionError();
            notices.add(GarbageCollectionNotificationInfo.from((CompositeData) n.getUserData()));
        };
        List<com.sun.management.GarbageCollectorMXBean> beans =
            ManagementFactory.getPlatformMXBeans(com.sun.management.GarbageCollectorMXBean.class);
        for (com.sun.management.GarbageCollectorMXBean b : beans) {
            System.out.println(Arrays.toString(((NotificationEmitter) b).getNotificationInfo()[0].getNotifTypes()));
            break;
        }
        for (com.sun.management.GarbageCollectorMXBean b : beans)
            ((NotificationEmitter) b).addNotificationListener(listener, null, notices);
        long last = 0;
        for (int i = 0; i < 3; i++) {
            hold(24);
            held = null;
            System.gc();
            Set<String> heap = pools(MemoryType.HEAP);
            GarbageCollectionNotificationInfo taken;
            long freed = 0;
            do {                         // others may come before ours, and free what we dropped
                taken = notices.take();
                freed += used(taken.getGcInfo().getMemoryUsageBeforeGc(), heap)
                         - used(taken.getGcInfo().getMemoryUsageAfterGc(), heap);
            } while (!taken.getGcCause().equals("System.gc()"));
            GarbageCollectionNotificationInfo n = taken;
            GcInfo info = n.getGcInfo();
            com.sun.management.GarbageCollectorMXBean bean =
                beans.stream().filter(b -> b.getName().equals(n.getGcName())).findFirst().get();
            System.out.println(n.getGcAction() + ", " + n.getGcCause() + ", later " + (info.getId() > last) + ", times "
                               + (info.getStartTime() >= 0 && info.getEndTime() >= info.getStartTime()
                                  && info.getDuration() == info.getEndTime() - info.getStartTime()));
            last = info.getId();
            System.out.println("all pools " + info.getMemoryUsageBeforeGc().keySet().equals(pools(null))
                + info.getMemoryUsageAfterGc().keySet().equals(pools(null)) + ", freed "
                + (freed >= 20 * MIB));
            GcInfo again = bean.getLastGcInfo();
            System.out.println(
                "last " + (again.getId() >= info.getId())
                + (again.getId() != info.getId() || again.getStartTime() == info.getStartTime()) + ", count "
                + (bean.getCollectionCount() >= info.getId()) + (bean.getCollectionTime() >= 0) + ", threads "
                + ((Integer) ((CompositeData) info.toCompositeData(info.getCompositeType())).get("GcThreadCount")
                   >= 1));
        }
        for (com.sun.management.GarbageCollectorMXBean b : beans)
            ((NotificationEmitter) b).removeNotificationListener(listener);
    }

    static void expectNoMore(MemoryPoolMXBean pool) {
        for (int i = 0; i < 1000 && pool.isUsageThresholdExceeded(); i++) System.gc();
        System.out.println("exceeded " + pool.isUsageThresholdExceeded());
    }

    static void thresholds() throws Exception {
        MemoryPoolMXBean pool = null;
        for (MemoryPoolMXBean p : ManagementFactory.getMemoryPoolMXBeans())
            if (p.getType() == MemoryType.HEAP && p.isUsageThresholdSupported()
                && p.isCollectionUsageThresholdSupported())
                pool = p;
        System.out.println(pool.getUsageThreshold() + " " + pool.getUsageThresholdCount() + " "
                           + pool.isUsageThresholdExceeded() + " " + pool.getCollectionUsageThreshold() + " "
                           + pool.getCollectionUsageThresholdCount() + " " + pool.isCollectionUsageThresholdExceeded());
        for (long bad : new long[] {-1, Long.MAX_VALUE}) {
            try {
                pool.setUsageThreshold(bad);
                System.out.println("set");
            } catch (IllegalArgumentException e) {
                System.out.println(e.getMessage().replaceAll("[(<].*", ""));
            }
        }
        BlockingQueue<MemoryNotificationInfo> notices = new LinkedBlockingQueue<>();
        BlockingQueue<String> types = new LinkedBlockingQueue<>();
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        NotificationListener listener = (n, back) -> {
            types.add(n.getType());
            notices.add(MemoryNotificationInfo.from((CompositeData) n.getUserData()));
        };
        ((NotificationEmitter) memory).addNotificationListener(listener, null, null);
        System.gc();
        long threshold = pool.getUsage().getUsed() + 16 * MIB;
        pool.setUsageThreshold(threshold);
        System.out.println(pool.getUsageThreshold() == threshold);
        for (int i = 1; i <= 3; i++) {
            hold(48);
            System.gc();
            MemoryNotificationInfo n = notices.take();
            System.out.println(types.take() + " " + n.getPoolName().equals(pool.getName()) + " " + (n.getCount() == i)
                               + " " + (n.getUsage().getUsed() >= threshold) + " " + pool.isUsageThresholdExceeded()
                               + " " + pool.getUsageThresholdCount());
            held = null;
            expectNoMore(pool);
        }
        pool.setUsageThreshold(0);
        try {
            System.out.println(pool.isUsageThresholdExceeded());
        } catch (UnsupportedOperationException e) {
            System.out.println(e.getMessage());
        }
        pool.setCollectionUsageThreshold(1);
        System.gc();
        MemoryNotificationInfo n = notices.take();
        System.out.println(types.take() + " " + n.getPoolName().equals(pool.getName()) + " " + (n.getCount() >= 1) + " "
                           + (n.getUsage().getUsed() >= 1) + " " + pool.isCollectionUsageThresholdExceeded() + " "
                           + (pool.getCollectionUsageThresholdCount() >= 1));
        MemoryUsage after = pool.getCollectionUsage();
        System.out.println((after.getUsed() > 0) + " " + (after.getUsed() <= after.getCommitted()));
        pool.resetPeakUsage();
        System.out.println(pool.getPeakUsage().getUsed() >= 0);
        ((NotificationEmitter) memory).removeNotificationListener(listener);
    }

    public static void main(String[] args) throws Exception {
        collections();
        thresholds();
    }
}
