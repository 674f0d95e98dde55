// Management beans: names, counts that must hold, notifications not used, attributes by the platform MBean server.
import java.lang.management.*;
import java.util.*;
import javax.management.*;

public class Management {
    public interface OwnMBean {
        int getCount();
        void setCount(int c);
        String hello(String n);
    }
    public static class Own implements OwnMBean {
        int c = 1;
        public int getCount() { return c; }
        public void setCount(int x) { c = x; }
        public String hello(String n) { return "hello " + n; }
    }

    public static void main(String[] args) throws Exception {
        RuntimeMXBean rt = ManagementFactory.getRuntimeMXBean();
        System.out.println(rt.getSpecName() + " "
                           + rt.getSpecVersion().equals(System.getProperty("java.vm.specification.version")) + " "
                           + (rt.getUptime() >= 0) + " " + (rt.getPid() == ProcessHandle.current().pid()) + " "
                           + rt.getInputArguments().contains("-Dmanaged=1") + rt.getSystemProperties().get("managed")
                           + (rt.getStartTime() > 0) + rt.getClassPath().isEmpty() + rt.isBootClassPathSupported());
        MemoryMXBean mem = ManagementFactory.getMemoryMXBean();
        MemoryUsage u = mem.getHeapMemoryUsage();
        System.out.println((u.getUsed() >= 0) + " " + (u.getUsed() <= u.getCommitted())
                           + (u.getCommitted() <= u.getMax()) + (u.getMax() == Runtime.getRuntime().maxMemory())
                           + mem.isVerbose());
        mem.gc();
        long gcs = 0;
        for (GarbageCollectorMXBean g : ManagementFactory.getGarbageCollectorMXBeans()) gcs += g.getCollectionCount();
        System.out.println((gcs >= 1) + " " + !ManagementFactory.getMemoryPoolMXBeans().isEmpty());
        ThreadMXBean th = ManagementFactory.getThreadMXBean();
        System.out.println((th.getThreadCount() >= 1) + " " + (th.getPeakThreadCount() >= th.getThreadCount() - 5)
                           + (th.getTotalStartedThreadCount() >= 1)
                           + Arrays.stream(th.getAllThreadIds()).anyMatch(i -> i == Thread.currentThread().getId())
                           + (th.getCurrentThreadCpuTime() > 0) + th.isCurrentThreadCpuTimeSupported()
                           + th.isObjectMonitorUsageSupported());
        ThreadInfo ti = th.getThreadInfo(Thread.currentThread().getId(), 100);
        System.out.println(ti.getThreadName() + " " + ti.getThreadState() + " "
                           + ti.getStackTrace()[ti.getStackTrace().length - 1].getMethodName()
                           + th.getThreadInfo(123456789L));
        Object lock = new Object();
        Thread owner = Thread.currentThread(), w;
        synchronized (lock) {
            w = new Thread(() -> {synchronized (lock){}}, "blocked one");
            w.start();
            while (w.getState() != Thread.State.BLOCKED) Thread.onSpinWait();
            ThreadInfo b = th.getThreadInfo(new long[] {w.getId()}, true, true)[0];
            System.out.println(b.getThreadState() + " " + b.getLockOwnerName() + " "
                               + (b.getLockOwnerId() == owner.getId()) + " " + b.getLockInfo().getClassName() + " "
                               + b.getLockName().startsWith("java.lang.Object@"));
            ThreadInfo o = th.getThreadInfo(new long[] {owner.getId()}, true, false)[0];
            System.out.println(o.getLockedMonitors().length + " "
                               + o.getLockedMonitors()[0].getLockedStackFrame().getMethodName());
        }
        w.join();
        Object x = new Object(), y = new Object();
        java.util.concurrent.CyclicBarrier both = new java.util.concurrent.CyclicBarrier(2);
        Thread d1 = dead(x, y, both), d2 = dead(y, x, both);
        long[] found;
        while ((found = th.findDeadlockedThreads()) == null) Thread.onSpinWait();
        Arrays.sort(found);
        long[] want = {d1.getId(), d2.getId()};
        Arrays.sort(want);
        System.out.println(Arrays.equals(found, want) + " "
                           + Arrays.equals(th.findMonitorDeadlockedThreads() == null
                                               ? null
                                               : sorted(th.findMonitorDeadlockedThreads()),
                                           want));
        ClassLoadingMXBean cl = ManagementFactory.getClassLoadingMXBean();
        System.out.println((cl.getLoadedClassCount() > 100) + " "
                           + (cl.getTotalLoadedClassCount() >= cl.getLoadedClassCount())
                           + (cl.getUnloadedClassCount() >= 0));
        OperatingSystemMXBean os = ManagementFactory.getOperatingSystemMXBean();
        System.out.println(os.getName() + os.getArch()
                           + (os.getAvailableProcessors() == Runtime.getRuntime().availableProcessors()));
        System.out.println(ManagementFactory.getCompilationMXBean() == null
                           || ManagementFactory.getCompilationMXBean().getName() != null);
        MBeanServer s = ManagementFactory.getPlatformMBeanServer();
        ObjectName n = new ObjectName("own:type=Own");
        s.registerMBean(new Own(), n);
        s.setAttribute(n, new Attribute("Count", 7));
        System.out.println(s.getAttribute(n, "Count") + " "
                           + s.invoke(n, "hello", new Object[] {"bean"}, new String[] {"java.lang.String"}) + " "
                           + s.getMBeanInfo(n).getOperations()[0].getName() + " "
                           + s.getAttribute(new ObjectName("java.lang:type=Runtime"), "SpecVendor") + " "
                           + s.isRegistered(n));
        try {
            s.getAttribute(n, "None");
        } catch (AttributeNotFoundException e) {
            System.out.println(e.getMessage());
        }
        for (ObjectName o : new TreeSet<>(s.queryNames(new ObjectName("java.lang:type=*"), null)))
            if (!o.getKeyProperty("type").equals("Compilation")) System.out.print(o.getKeyProperty("type") + " ");
        System.out.println();
    }
    static long[] sorted(long[] a) {
        Arrays.sort(a);
        return a;
    }
    static Thread dead(Object a, Object b, java.util.concurrent.CyclicBarrier both) {
        Thread t = new Thread(() -> { synchronized (a) { try { both.await();
    }
    catch (Exception e) {
        throw new Error(e);
    }
    synchronized (b) {}
}
});
t.setDaemon(true);
t.start();
return t;
}
}
