// Who asks for all threads gets them from the oldest to the youngest, whichever way, also when some have ended.
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

public class ListedThreads {
    static final List<Thread> threads = new ArrayList<>();

    static Thread started(String name, CountDownLatch until) {
        Thread t = new Thread(() -> {
            try {
                until.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }, name);
        t.start();
        threads.add(t);
        return t;
    }

    /** The library's threads are other ones here and there. */
    static boolean isOurs(String name) { return name.equals("main") || name.startsWith("of "); }

    static void list() {
        ThreadMXBean bean = ManagementFactory.getThreadMXBean();
        StringBuilder s = new StringBuilder("group:");
        Thread[] found = new Thread[50];
        int n = Thread.currentThread().getThreadGroup().enumerate(found);
        for (int i = 0; i < n; i++) if (isOurs(found[i].getName())) s.append(' ').append(found[i].getName());
        s.append("\nids:");
        for (ThreadInfo i : bean.getThreadInfo(bean.getAllThreadIds()))
            if (i != null && isOurs(i.getThreadName())) s.append(' ').append(i.getThreadName());
        s.append("\ndump:");
        for (ThreadInfo i : bean.dumpAllThreads(false, false))
            if (isOurs(i.getThreadName())) s.append(' ').append(i.getThreadName());
        System.out.println(s);
    }

    public static void main(String[] arguments) throws InterruptedException {
        CountDownLatch first = new CountDownLatch(1), second = new CountDownLatch(1);
        for (int i = 0; i < 6; i++) started("of six " + i, i % 2 == 0 ? first : second);
        list();
        first.countDown();
        for (int i = 0; i < 6; i += 2) threads.get(i).join();
        list();
        started("of two, a", second);
        started("of two, b", second);
        list();
        second.countDown();
        for (Thread t : threads) t.join();
        list();
    }
}
