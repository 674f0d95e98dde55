// With -XX:+ShowHiddenFrames frames of lambdas and of method handles are in every trace and walk.
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

public class HiddenFramesShown {
    static void print(Object frame) {
        String text = frame.toString().replaceAll("0x[0-9a-f]+", "0x...");
        if (text.startsWith("HiddenFramesShown") || text.contains("invoke")) System.out.println("  " + text);
    }

    static void walked() {
        System.out.println("walked");
        StackWalker.getInstance().forEach(HiddenFramesShown::print);
    }
    static void thrown() {
        System.out.println("thrown");
        for (StackTraceElement f : new Throwable().getStackTrace()) print(f);
    }
    static void caller() {
        try {
            StackWalker walker = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);
            System.out.println("called by " + walker.getCallerClass().getName().replaceAll("0x[0-9a-f]+", "0x..."));
        } catch (IllegalCallerException e) {
            System.out.println(e.getMessage());
        }
    }

    static volatile boolean ends;
    static void another() throws InterruptedException {
        CountDownLatch runs = new CountDownLatch(1);
        Runnable parks = () -> {
            runs.countDown();
            while (!ends) LockSupport.park();
        };
        Thread t = new Thread(() -> parks.run());
        t.start();
        runs.await();
        System.out.println("another's");
        for (StackTraceElement f : t.getStackTrace()) print(f.getClassName() + "." + f.getMethodName());
        System.out.println("another's, by management");
        for (StackTraceElement f : ManagementFactory.getThreadMXBean().getThreadInfo(t.getId(), 100).getStackTrace())
            print(f.getClassName() + "." + f.getMethodName());
        ends = true;
        LockSupport.unpark(t);
        t.join();
    }

    public static void main(String[] args) throws Throwable {
        Runnable[] all = {HiddenFramesShown::walked, HiddenFramesShown::thrown, HiddenFramesShown::caller};
        for (Runnable r : all) r.run();
        MethodType type = MethodType.methodType(void.class);
        for (String name : new String[] {"walked", "thrown", "caller"}) {
            MethodHandle m = MethodHandles.lookup().findStatic(HiddenFramesShown.class, name, type);
            m.invokeExact();
            m.invoke();
        }
        another();
    }
}
