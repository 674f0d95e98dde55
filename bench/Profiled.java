// Programs for the profiler's benchmark. Arguments: "calls" and a number n: fibonacci(n), prints how many calls that
// makes. "shares" and seconds: three methods of the same loop share the processor as 50 to 30 to 20, until the thread
// has used it that long. "heap" and thousands of objects: prints "ready", and at the end of standard input the longest
// time in milliseconds for which a thread that sleeps 1 ms at a time was held up.
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

public class Profiled {
    static long called;
    static int fibonacci(int n) {
        called++;
        return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
    }

    static volatile long sink;
    static void fifty(int n) { for (int i = 0; i < n; i++) sink += i; }
    static void thirty(int n) { for (int i = 0; i < n; i++) sink += i; }
    static void twenty(int n) { for (int i = 0; i < n; i++) sink += i; }
    static void share(long seconds) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        while (threads.getCurrentThreadCpuTime() < seconds * 1_000_000_000) {
            for (int i = 0; i < 20; i++) {
                fifty(50_000);
                thirty(30_000);
                twenty(20_000);
            }
        }
    }

    static volatile boolean stop;
    static long longest;
    static void tick() {
        try {
            for (long last = System.nanoTime(); !stop;) {
                Thread.sleep(1);
                long now = System.nanoTime();
                longest = Math.max(longest, now - last - 1_000_000);
                last = now;
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
        case "calls" -> {
            fibonacci(Integer.parseInt(args[1]));
            System.out.println(called + " calls");
        }
        case "shares" -> share(Long.parseLong(args[1]));
        default -> {
            Objects.main(new String[] { args[1] });
            System.gc();
            Thread ticking = new Thread(Profiled::tick);
            ticking.start();
            System.out.println("ready");
            while (System.in.read() >= 0) continue;
            stop = true;
            ticking.join();
            System.out.println("held up " + longest / 1_000_000);
        }
        }
    }
}
