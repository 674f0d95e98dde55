// A suspended thread whose monitor has been left waits for something that nobody owns: ThreadInfo says that it runs.
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;

public class SuspendedBlocked {
    static ThreadInfo info(Thread t) { return ManagementFactory.getThreadMXBean().getThreadInfo(t.getId()); }
    static void show(ThreadInfo i) {
        System.out.println(i.getThreadState() + " " + (i.getLockInfo() != null) + " " + i.getLockOwnerName() + " "
                           + i.isSuspended());
    }

    @SuppressWarnings({"deprecation", "removal"})
    public static void main(String[] args) throws Exception {
        Object lock = new Object();
        Thread enters = new Thread(() -> { synchronized (lock) { System.out.println("entered"); } });
        synchronized (lock) {
            enters.start();
            while (enters.getState() != Thread.State.BLOCKED) Thread.onSpinWait();
            show(info(enters));
            enters.suspend();
            show(info(enters));
        }
        ThreadInfo i;
        do i = info(enters); while (i.getLockOwnerName() != null);
        show(i);
        enters.resume();
        enters.join();
    }
}
