// As -javaagent: starts threads, and asks for a data dump, before the program's main() is called: one thread has ended
// by then, one goes on until main() lets it end.
import java.lang.management.ManagementFactory;
import java.util.concurrent.CountDownLatch;
import javax.management.ObjectName;

public class Early {
    static final CountDownLatch go = new CountDownLatch(1);
    static Thread waiting;

    static void await() {
        try {
            go.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    public static void premain(String options) throws Exception {
        Thread ended = new Thread(() -> {}, "early-ended");
        ended.start();
        ended.join();
        waiting = new Thread(Early::await, "early-waiting");
        waiting.start();
        System.out.println(ManagementFactory.getPlatformMBeanServer().invoke(
                new ObjectName("com.sun.management:type=DiagnosticCommand"), "jvmtiDataDump", null, null));
    }

    public static void main(String[] args) throws Exception {
        go.countDown();
        waiting.join();
    }
}
