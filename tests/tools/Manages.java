import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.UnixOperatingSystemMXBean;
import com.sun.tools.attach.VirtualMachine;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ClassLoadingMXBean;
import java.lang.management.CompilationMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryNotificationInfo;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.PlatformManagedObject;
import java.lang.management.RuntimeMXBean;
import java.lang.management.ThreadInfo;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import javax.management.Attribute;
import javax.management.JMX;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanParameterInfo;
import javax.management.MBeanServerConnection;
import javax.management.NotificationEmitter;
import javax.management.NotificationFilterSupport;
import javax.management.NotificationListener;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import sun.tools.attach.HotSpotVirtualMachine;

/** A manager of process args[1], a Managed: by its local agent (args[0] is "local"), or by its remote one, which asks
 *  for a password ("remote"). It prints what any VM has to tell: what the beans say against what the program did. */
public class Manages {
    static final int MIB = 1 << 20;
    static MBeanServerConnection server;
    static ManagedWork work;

    static void say(String what, Object... values) { System.out.println(what + ": " + Arrays.deepToString(values)); }

    /** The value, if it is out of these bounds. */
    static Object within(long value, long from, long to) { return value >= from && value <= to ? "true" : value; }

    /** Waits for what must come, and says that it did not when minutes have passed. */
    static boolean until(BooleanSupplier condition) {
        String scale = System.getenv().getOrDefault("VITRINE_TEST_TIME_SCALE", "1");
        long end = System.nanoTime() + (long) (300e9 * Double.parseDouble(scale));
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) return false;
            Thread.yield();
        }
        return true;
    }

    static <T extends PlatformManagedObject> T bean(Class<T> c) {
        try {
            return ManagementFactory.getPlatformMXBean(server, c);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    static <T extends PlatformManagedObject> List<T> beans(Class<T> c) {
        try {
            return ManagementFactory.getPlatformMXBeans(server, c);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** How much the figure grew by the action. The first time, classes are loaded and threads started for it. */
    static long growth(LongSupplier figure, Runnable first, Runnable action) {
        first.run();
        long before = figure.getAsLong();
        action.run();
        return figure.getAsLong() - before;
    }

    /** The same, but tried again while it is not what is expected: connections come and go. */
    static long growth(long expected, LongSupplier figure, Runnable first, Runnable action) {
        long grown = growth(figure, first, action);
        for (int i = 0; i < 20 && grown != expected; i++) grown = growth(figure, () -> { }, action);
        return grown;
    }

    // ---- what there is ---------------------------------------------------------------------------------------------

    /** Collectors and pools are each VM's own. */
    static void names() throws Exception {
        for (var name : new TreeSet<>(server.queryNames(null, null))) {
            String shown = name.getCanonicalName();
            if (shown.contains("FlightRecorder")) continue;
            if (shown.matches(".*type=(GarbageCollector|Memory(Pool|Manager)).*")) continue;
            say(shown);
            describe(shown, name);
        }
        for (String type : new String[] {"GarbageCollector", "MemoryPool", "MemoryManager"}) {
            var all = server.queryNames(new ObjectName("java.lang:type=" + type + ",*"), null);
            if (type.equals("MemoryManager")) say(type, !all.isEmpty());
            else describe(type, all.iterator().next());
        }
    }

    static void describe(String shown, ObjectName name) throws Exception {
        var info = server.getMBeanInfo(name);
        var lines = new TreeSet<String>();
        var attributes = new ArrayList<String>();
        for (MBeanAttributeInfo a : info.getAttributes()) {
            lines.add("  " + a.getName() + " " + a.getType() + " " + a.isReadable() + a.isWritable());
            attributes.add(a.getName());
        }
        for (MBeanOperationInfo o : info.getOperations()) {
            if (!shown.contains("DiagnosticCommand"))
                lines.add("  " + o.getName() + Arrays.toString(Arrays.stream(o.getSignature())
                    .map(MBeanParameterInfo::getType).toArray()) + " " + o.getReturnType());
        }
        for (var n : info.getNotifications()) lines.add("  " + Arrays.toString(n.getNotifTypes()));
        for (String a : attributes) lines.add("  value of " + a + ": " + valueType(name, a));
        lines.forEach(System.out::println);
    }

    static String valueType(ObjectName name, String attribute) {
        if (name.getKeyProperty("type").startsWith("Memory") && name.getKeyProperty("name") != null) return "";
        if (attribute.equals("LastGcInfo")) return "";
        try {
            Object value = server.getAttribute(name, attribute);
            return value == null ? "null" : value.getClass().getName();
        } catch (Exception e) {
            Throwable t = e;
            while (t.getCause() != null) t = t.getCause();
            return t.toString();
        }
    }

    static void ownBean() throws Exception {
        var name = new ObjectName("test:type=Work");
        server.setAttribute(name, new Attribute("Words", 7));
        say("own bean", work.getWords(), server.getAttributes(name, new String[] {"Words", "None"}).size());
        work.setWords(8);
        say("own bean again", server.getAttribute(name, "Words"), server.isInstanceOf(name, "Managed"));
        for (Object[] bad : new Object[][] {{"None", new Object[0]}, {"setWords", new Object[] {"text"}}}) {
            try {
                say("invoked", server.invoke(name, (String) bad[0], (Object[]) bad[1], null));
            } catch (Exception e) {
                say("not invoked", e.getClass());
            }
        }
    }

    // ---- what the program did ---------------------------------------------------------------------------------------

    static void threads() {
        var bean = bean(com.sun.management.ThreadMXBean.class);
        LongSupplier workers = () -> Arrays.stream(bean.getThreadInfo(bean.getAllThreadIds()))
            .filter(i -> i != null && i.getThreadName().startsWith("worker ")).count();
        work.startThreads(1, true);
        long started = bean.getTotalStartedThreadCount();
        say("workers", growth(workers, () -> { }, () -> work.startThreads(20, true)),
            growth(workers, () -> { }, () -> work.startThreads(3, false)));
        say("started", within(bean.getTotalStartedThreadCount() - started, 23, 26));
        say("count is of ids", until(() -> bean.getThreadCount() == bean.getAllThreadIds().length));
        say("daemons and others", within(bean.getThreadCount() - bean.getDaemonThreadCount(), 4, 6));
        ThreadInfo one = Arrays.stream(bean.dumpAllThreads(true, true)).filter(i -> i.getThreadName()
            .equals("worker 5")).findFirst().get();
        say("a worker", one.getThreadState(), frames(one), one.getLockInfo().getClassName(),
            one.isDaemon(), one.getPriority(), one.isInNative(), one.isSuspended(), one.getLockOwnerId());
        int peak = bean.getPeakThreadCount();
        say("peak", within(peak, bean.getThreadCount(), bean.getThreadCount() + 5));
        work.endThreads();
        say("ended", workers.getAsLong(), bean.getThreadInfo(one.getThreadId()), bean.getPeakThreadCount() >= peak);
        bean.resetPeakThreadCount();
        say("peak again", within(bean.getPeakThreadCount(), 1, peak - 20));

        long contends = work.contend(7, 5);
        ThreadInfo i = bean.getThreadInfo(contends);
        say("contended", i.getBlockedCount(), i.getWaitedCount(), i.getBlockedTime(), i.getWaitedTime());

        long[] computed = work.compute(300);
        long nanos = bean.getThreadCpuTime(computed[0]);
        until(() -> bean.getThreadInfo(computed[0]).getThreadState() == Thread.State.WAITING);
        long again = bean.getThreadCpuTime(computed[0]);
        say("computed", within(nanos / 1_000_000 - computed[1], -20, 60), again >= nanos,
            again == bean.getThreadCpuTime(computed[0]),
            within(bean.getThreadUserTime(computed[0]), 0, again + 20_000_000),
            Arrays.equals(bean.getThreadCpuTime(new long[] {computed[0]}), new long[] {again}));

        long allocates = work.allocate(16 * MIB);
        say("allocated", within(bean.getThreadAllocatedBytes(allocates), 16 * MIB, 17 * MIB));
        work.endThreads();
        say("of ended threads", bean.getThreadCpuTime(computed[0]), bean.getThreadAllocatedBytes(allocates));
        long[] deadlocked = work.deadlock();
        say("deadlock", until(() -> bean.findDeadlockedThreads() != null
                              && same(bean.findDeadlockedThreads(), deadlocked)),
            same(bean.findMonitorDeadlockedThreads(), deadlocked));
    }

    static String frames(ThreadInfo info) {
        var all = new StringBuilder();
        for (StackTraceElement e : info.getStackTrace())
            all.append(e.getClassName().replaceAll("\\$\\$Lambda.*", "<lambda>")).append('.').append(e.getMethodName())
                .append(' ');
        return all.toString();
    }

    static boolean same(long[] a, long[] b) {
        Arrays.sort(a);
        Arrays.sort(b);
        return Arrays.equals(a, b);
    }

    static void classes() {
        var bean = bean(ClassLoadingMXBean.class);
        say("loaded", growth(30, bean::getLoadedClassCount, () -> work.loadClasses(1, false),
                             () -> work.loadClasses(30, false)),
            growth(30, bean::getTotalLoadedClassCount, () -> { }, () -> work.loadClasses(30, false)));
        long loaded = bean.getLoadedClassCount(), all = bean.getTotalLoadedClassCount();
        long unloaded = bean.getUnloadedClassCount();
        work.dropClasses();
        say("unloaded", until(() -> {
            work.collect(1);
            return bean.getUnloadedClassCount() >= unloaded + 61;
        }), within(bean.getLoadedClassCount(), 100, loaded - 61 + 40),
            bean.getTotalLoadedClassCount() - bean.getUnloadedClassCount() - bean.getLoadedClassCount(),
            within(bean.getTotalLoadedClassCount() - all, 0, 40));
    }

    static void compilation() throws Exception {
        if (server.queryNames(new ObjectName("java.lang:type=Compilation"), null).isEmpty()) {
            say("no compiler");
            return;
        }
        var bean = bean(CompilationMXBean.class);
        long before = bean.getTotalCompilationTime();
        say("compiles", bean.isCompilationTimeMonitoringSupported(), until(() -> {
            work.loadClasses(10, true);
            return bean.getTotalCompilationTime() >= before + 3;
        }), within(bean.getTotalCompilationTime(), before + 3,
                  bean(RuntimeMXBean.class).getUptime() * 3));
        work.dropClasses();
    }

    static MemoryPoolMXBean largestHeapPool() {
        MemoryPoolMXBean largest = null;
        for (MemoryPoolMXBean p : beans(MemoryPoolMXBean.class)) {
            if (p.getType() == MemoryType.HEAP && p.isUsageThresholdSupported()
                && p.isCollectionUsageThresholdSupported())
                largest = p;
        }
        return largest;
    }

    static long usedByPools(MemoryType type) {
        long sum = 0;
        for (MemoryPoolMXBean p : beans(MemoryPoolMXBean.class))
            if (p.getType() == type) sum += p.getUsage().getUsed();
        return sum;
    }

    static void memory() throws Exception {
        var bean = bean(MemoryMXBean.class);
        LongSupplier heap = () -> {
            bean.gc();
            return bean.getHeapMemoryUsage().getUsed();
        };
        say("held", within(growth(heap, () -> { }, () -> work.hold(40)), 38 * MIB, 43 * MIB));
        say("by pools", within(usedByPools(MemoryType.HEAP) - bean.getHeapMemoryUsage().getUsed(), -MIB, MIB),
            within(usedByPools(MemoryType.NON_HEAP) - bean.getNonHeapMemoryUsage().getUsed(), -MIB, MIB));
        say("dropped", within(growth(heap, () -> { }, work::drop), -43 * MIB, -38 * MIB));
        MemoryPoolMXBean pool = largestHeapPool();
        say("peak", pool.getPeakUsage().getUsed() >= 38 * MIB);
        pool.resetPeakUsage();
        say("peak again", pool.getPeakUsage().getUsed() < 38 * MIB);
        say("managers", Arrays.stream(pool.getMemoryManagerNames()).allMatch(m -> {
            try {
                return server.isRegistered(new ObjectName("java.lang:type=GarbageCollector,name=" + m));
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }));
        LongSupplier others = () -> usedByPools(MemoryType.NON_HEAP);
        say("of classes", growth(others, () -> { }, () -> work.loadClasses(200, false)) >= 200 * 1000);
        work.dropClasses();
    }

    static void collections() throws Exception {
        BlockingQueue<GarbageCollectionNotificationInfo> notices = new LinkedBlockingQueue<>();
        NotificationListener listener = (n, back) ->
            notices.add(GarbageCollectionNotificationInfo.from((CompositeData) n.getUserData()));
        var collectors = beans(com.sun.management.GarbageCollectorMXBean.class);
        for (var c : collectors) ((NotificationEmitter) c).addNotificationListener(listener, null, null);
        LongSupplier count = () -> collectors.stream().mapToLong(GarbageCollectorMXBean::getCollectionCount).sum();
        LongSupplier time = () -> collectors.stream().mapToLong(GarbageCollectorMXBean::getCollectionTime).sum();
        long collected = count.getAsLong(), took = time.getAsLong(), began = System.nanoTime();
        work.collect(5);
        int asked = 0, told = 0;
        for (; asked < 5; told++) asked += notices.take().getGcCause().equals("System.gc()") ? 1 : 0;
        for (int i = 0; i < 1000 && count.getAsLong() - collected != told; i++) told += notices.poll() == null ? 0 : 1;
        long millis = (System.nanoTime() - began) / 1_000_000 + 1;
        say("collections", count.getAsLong() - collected == told, within(time.getAsLong() - took, 0, millis));
        for (var c : collectors) ((NotificationEmitter) c).removeNotificationListener(listener);
        say("no more notices", growth(count, () -> { }, () -> work.collect(1)) >= 1, notices.size() <= 2);
    }

    static void threshold() throws Exception {
        BlockingQueue<String> notices = new LinkedBlockingQueue<>();
        MemoryPoolMXBean pool = largestHeapPool();
        NotificationListener listener = (n, back) -> {
            var info = MemoryNotificationInfo.from((CompositeData) n.getUserData());
            notices.add(n.getType() + " " + n.getMessage() + " " + info.getPoolName().equals(pool.getName()) + " "
                        + info.getCount() + " " + back);
        };
        var emitter = (NotificationEmitter) bean(MemoryMXBean.class);
        var filter = new NotificationFilterSupport();
        filter.enableType("java.management.memory.");
        emitter.addNotificationListener(listener, filter, "hand-back");
        work.collect(1);
        long limit = pool.getUsage().getUsed() + 16 * MIB;
        pool.setUsageThreshold(limit);
        say("below", pool.isUsageThresholdExceeded(), pool.getUsageThreshold() == limit);
        work.hold(40);
        work.collect(1);
        say("above", notices.take().replace(pool.getName(), "<pool>"), pool.isUsageThresholdExceeded());
        pool.setUsageThreshold(0);
        pool.setCollectionUsageThreshold(20 * MIB);
        work.collect(1);
        say("after a collection", notices.take().replace(pool.getName(), "<pool>"),
            pool.isCollectionUsageThresholdExceeded());
        pool.setCollectionUsageThreshold(0);
        work.drop();
        emitter.removeNotificationListener(listener);
    }

    static Map<String, long[]> buffers() {
        var all = new TreeMap<String, long[]>();
        for (BufferPoolMXBean b : beans(BufferPoolMXBean.class))
            all.put(b.getName(), new long[] {b.getCount(), b.getTotalCapacity(), b.getMemoryUsed()});
        return all;
    }

    /** Threads of connections have buffers, too: when one gets or grows meanwhile, this is tried again. */
    static void bufferPools() {
        work.buffers(1, 1, 1000);
        Map<String, long[]> before, after;
        for (int attempt = 0;; attempt++) {
            before = buffers();
            work.buffers(5, 3, 10_000);
            after = buffers();
            for (String name : after.keySet()) {
                for (int i = 0; i < 3; i++) before.get(name)[i] = after.get(name)[i] - before.get(name)[i];
            }
            long[] direct = before.get("direct");
            if (attempt == 10 || direct[0] == 5 && direct[1] == 50_000) break;
        }
        before.forEach((name, grown) -> say("buffers " + name, grown));
        work.dropBuffers();
        for (String name : new String[] {"direct", "mapped"}) {
            long most = after.get(name)[0] - before.get(name)[0];
            say("gone", until(() -> {
                work.collect(1);
                return buffers().get(name)[0] <= most;
            }));
        }
    }

    // ---- the process ------------------------------------------------------------------------------------------------

    static long kibibytes(String pid, String name) throws Exception {
        var m = Pattern.compile("(?m)^" + name + ":\\s+(\\d+) kB").matcher(Files.readString(Path.of("/proc/" + pid
                                                                                                    + "/status")));
        return m.find() ? Long.parseLong(m.group(1)) : -1;
    }

    static void process(String pid) throws Exception {
        var os = bean(UnixOperatingSystemMXBean.class);
        say("files", growth(25, os::getOpenFileDescriptorCount, () -> work.openFiles(1), () -> work.openFiles(25)),
            os.getMaxFileDescriptorCount() > 100);
        work.closeFiles();
        say("virtual memory", within(os.getCommittedVirtualMemorySize() / MIB - kibibytes(pid, "VmSize") / 1024,
                                     -64, 64));
        String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        long kernel = (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * 10;
        say("processor time", within(os.getProcessCpuTime() / 1_000_000 - kernel, -30, 1000));
        String total = Files.readString(Path.of("/proc/meminfo")).split("\\s+")[1];
        say("machine", os.getTotalMemorySize() / 1024 <= Long.parseLong(total),
            within(os.getFreeMemorySize(), 1, os.getTotalMemorySize()), os.getAvailableProcessors());
        var runtime = bean(RuntimeMXBean.class);
        long uptime = Long.parseLong(Files.readString(Path.of("/proc/uptime")).split("\\.")[0]) * 1000
                      - Long.parseLong(fields[19]) * 10;
        say("runtime", runtime.getPid() == Long.parseLong(pid), within(runtime.getUptime() - uptime, -3000, 3000),
            within(System.currentTimeMillis() - runtime.getStartTime() - uptime, -3000, 3000),
            runtime.getInputArguments().contains("-Dmanaged=yes"), runtime.getSystemProperties().get("managed"),
            runtime.getSpecVersion());
        var diagnostic = bean(HotSpotDiagnosticMXBean.class);
        diagnostic.setVMOption("MinHeapFreeRatio", "30");
        var option = diagnostic.getVMOption("MinHeapFreeRatio");
        say("option", option.getValue(), option.getOrigin(), option.isWriteable());
        Files.deleteIfExists(Path.of("managed.hprof"));
        diagnostic.dumpHeap(Path.of("managed.hprof").toAbsolutePath().toString(), true);
        say("dump", new String(Files.readAllBytes(Path.of("managed.hprof")), 0, 18, "latin1"));
        var commands = new ObjectName("com.sun.management:type=DiagnosticCommand");
        String[] signature = {String[].class.getName()};
        say("command", ((String) server.invoke(commands, "threadPrint", new Object[] {null}, signature))
            .contains("\n\"deadly\" "), ((String) server.invoke(commands, "gcClassHistogram", new Object[] {null},
                                                                signature)).contains(" Managed\n"));
    }

    // ---- connecting -------------------------------------------------------------------------------------------------

    static JMXConnector remote(HotSpotVirtualMachine vm, String user, String password) throws Exception {
        try (var in = new BufferedReader(new InputStreamReader(vm.executeJCmd("ManagementAgent.status")))) {
            boolean isRemote = false;
            for (String line; (line = in.readLine()) != null; ) {
                isRemote |= line.endsWith(": remote");
                int at = line.indexOf("service:jmx:");
                if (at < 0 || !isRemote) continue;
                Map<String, Object> credentials = Map.of(JMXConnector.CREDENTIALS, new String[] {user, password});
                return JMXConnectorFactory.connect(new JMXServiceURL(line.substring(at)),
                                                   user == null ? null : credentials);
            }
        }
        throw new IllegalStateException("no remote agent");
    }

    static void tryRefused(HotSpotVirtualMachine vm) throws Exception {
        try (var c = remote(vm, "writer", "wrong")) {
            say("connected", c);
        } catch (SecurityException e) {
            say("refused", e.getMessage());
        }
        try (var c = remote(vm, "reader", "known")) {
            var name = new ObjectName("test:type=Work");
            say("read", c.getMBeanServerConnection().getAttribute(name, "Words") instanceof Integer);
            c.getMBeanServerConnection().setAttribute(name, new Attribute("Words", 1));
        } catch (SecurityException e) {
            say("refused", e.getMessage());
        }
    }

    public static void main(String[] arguments) throws Exception {
        String pid = arguments[1];
        var vm = (HotSpotVirtualMachine) VirtualMachine.attach(pid);
        boolean isRemote = arguments[0].equals("remote");
        if (isRemote) tryRefused(vm);
        String address = isRemote ? null : vm.startLocalManagementAgent();
        try (JMXConnector c = isRemote ? remote(vm, "writer", "secret")
                                       : JMXConnectorFactory.connect(new JMXServiceURL(address))) {
            server = c.getMBeanServerConnection();
            work = JMX.newMXBeanProxy(server, new ObjectName("test:type=Work"), ManagedWork.class);
            say("connected", c.getConnectionId().startsWith("rmi:"), server.getDefaultDomain());
            names();
            ownBean();
            threads();
            classes();
            compilation();
            memory();
            collections();
            threshold();
            bufferPools();
            process(pid);
        }
        vm.detach();
    }
}
