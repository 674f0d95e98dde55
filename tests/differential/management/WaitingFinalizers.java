// GC.finalizer_info: what waits for a finalizer that does not come to its end, by class.
import java.lang.management.ManagementFactory;
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
        protected void finalize() { }
    }

    static void make(boolean slow, int n) {
        for (int i = 0; i < n; i++) {
            Object made = slow ? new Slow() : new Waiting();
        }
    }

    public static void main(String[] args) throws Exception {
        make(true, 1);
        while (running.getCount() > 0) {
            System.gc();
            Thread.sleep(10);
        }
        make(false, 7);
        String row = String.format("%10d  %s%n", 7, Waiting.class.getName()), text = "";
        for (int i = 0; i < 200 && !text.contains(row); i++) {
            System.gc();
            Thread.sleep(20);
            text = (String) ManagementFactory.getPlatformMBeanServer()
                .invoke(new ObjectName("com.sun.management:type=DiagnosticCommand"), "gcFinalizerInfo", null, null);
        }
        text.lines().filter(l -> !l.contains("  java.") && !l.contains("  sun.")).forEach(System.out::println);
        end.countDown();
    }
}
