// GC.finalizer_info: what waits for a finalizer that does not come to its end, by class.
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import javax.management.ObjectName;

public class WaitingFinalizers {
    static final CountDownLatch running = new CountDownLatch(1), end = new CountDownLatch(1);

    static class Slow {
        @Override
        protected void finalize() throws InterruptedException {
            running.countDown();
            end.await();
        }
    }

    static class Waiting {
        @Override
        protected void finalize() { running.countDown(); }           // an empty one would be none
    }

    static void make(boolean slow, int n) {
        for (int i = 0; i < n; i++) {
            Object made = slow ? new Slow() : new Waiting();
        }
    }

    /** The rows of the program's own classes, and of those that have no name. */
    static List<String> rows() throws Exception {
        String text = (String) ManagementFactory.getPlatformMBeanServer()
            .invoke(new ObjectName("com.sun.management:type=DiagnosticCommand"), "gcFinalizerInfo", null, null);
        return text.lines().filter(l -> !l.contains("  java.") && !l.contains("  sun.")).toList();
    }

    static int instances(List<String> rows) {
        return rows.stream().filter(l -> l.matches(" *[0-9]+  .*"))
            .mapToInt(l -> Integer.parseInt(l.strip().split(" ")[0])).sum();
    }

    public static void main(String[] args) throws Exception {
        make(true, 1);
        while (running.getCount() > 0) {
            System.gc();
            Thread.sleep(1);
        }
        make(false, 7);
        List<String> rows = rows();
        while (instances(rows) < 7) {
            System.gc();
            Thread.sleep(1);
            rows = rows();
        }
        rows.forEach(System.out::println);
        end.countDown();
    }
}
