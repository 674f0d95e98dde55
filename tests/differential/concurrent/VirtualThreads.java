// Virtual threads: names, states, interrupts, locals, locks, executors, pinning code, builders and their complaints.
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;

public class VirtualThreads {
    static int byLock, byMonitor;
    static final Object monitor = new Object();

    public static void main(String[] args) throws Exception {
        Thread v = Thread.ofVirtual().name("virt").unstarted(
            ()
                -> System.out.println(Thread.currentThread().isVirtual() + " " + Thread.currentThread().getName() + " "
                    + Thread.currentThread().isDaemon() + " " + Thread.currentThread().getPriority() + " "
                    + Thread.currentThread().getThreadGroup().getName()));
        System.out.println(v.getState() + " " + v.isVirtual());
        v.start();
        v.join();
        System.out.println(v.getState() + " " + v.isAlive() + " " + v.join(java.time.Duration.ofMillis(1)));
        try {
            v.setDaemon(false);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        v.setPriority(10);
        System.out.println(v.getPriority());
        AtomicInteger count = new AtomicInteger();
        ReentrantLock lock = new ReentrantLock();
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < 300; i++)
            all.add(Thread.startVirtualThread(() -> {
                for (int k = 0; k < 5; k++) {
                    count.incrementAndGet();
                    Thread.yield();
                    lock.lock();
                    try {
                        byLock++;
                    } finally {
                        lock.unlock();
                    }
                    synchronized (monitor) { byMonitor++; }
                }
            }));
        for (Thread t : all) t.join();
        System.out.println(count + " " + byLock + " " + byMonitor);
        try (ExecutorService ex = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> fs = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                int k = i;
                fs.add(ex.submit(() -> {
                    Thread.sleep(1);
                    return k;
                }));
            }
            int sum = 0;
            for (Future<Integer> f : fs) sum += f.get();
            System.out.println(sum);
        }
        Thread parked = Thread.startVirtualThread(LockSupport::park);
        while (parked.getState() != Thread.State.WAITING) Thread.onSpinWait();
        LockSupport.unpark(parked);
        parked.join();
        Thread sleeper = Thread.startVirtualThread(() -> {
            try {
                Thread.sleep(1_000_000);
            } catch (InterruptedException e) {
                System.out.println("sleep interrupted " + Thread.currentThread().isInterrupted());
            }
        });
        while (sleeper.getState() != Thread.State.TIMED_WAITING) Thread.onSpinWait();
        sleeper.interrupt();
        sleeper.join();
        Thread waiter = Thread.startVirtualThread(() -> { synchronized (monitor) {
            try { monitor.wait(); System.out.println("notified");
    }
    catch (InterruptedException e) {
    }
}
});
while (waiter.getState() != Thread.State.WAITING) Thread.onSpinWait();
synchronized (monitor) { monitor.notifyAll(); }
waiter.join();
ThreadLocal<String> tl = ThreadLocal.withInitial(() -> "init");
InheritableThreadLocal<String> inh = new InheritableThreadLocal<>();
inh.set("inherited");
Thread.ofVirtual().start(() -> System.out.println(tl.get() + " " + inh.get())).join();
Thread.ofVirtual().inheritInheritableThreadLocals(false).start(() -> System.out.println(inh.get())).join();
Thread bad = Thread.ofVirtual()
                 .name("bad")
                 .uncaughtExceptionHandler((t, e) -> System.out.println(t.getName() + " " + e))
                 .start(() -> { throw new IllegalStateException("virtual"); });
bad.join();
SynchronousQueue<String> q = new SynchronousQueue<>();
Thread.startVirtualThread(() -> {
    try {
        q.put("handed");
    } catch (InterruptedException e) {}
});
System.out.println(q.take());
Thread tr = Thread.startVirtualThread(() -> {
    StackTraceElement[] st = new Throwable().getStackTrace();
    System.out.println(st.length > 0 && st[0].getMethodName().startsWith("lambda"));
});
tr.join();
Thread plat =
    Thread.ofPlatform()
        .name("plat-", 5)
        .daemon()
        .start(() -> System.out.println(Thread.currentThread().getName() + Thread.currentThread().isDaemon()));
plat.join();
System.out.println(Thread.ofVirtual().factory().newThread(() -> {}).getName().isEmpty() + " "
                   + Thread.currentThread().isVirtual() + " " + v.getThreadGroup());
CompletableFuture<String> cf = new CompletableFuture<>();
Thread.startVirtualThread(() -> cf.complete("completed"));
System.out.println(cf.get());
CountDownLatch deep = new CountDownLatch(1);
Thread.startVirtualThread(() -> {
    System.out.println(depth(500));
    deep.countDown();
});
deep.await();
Thread so = Thread.startVirtualThread(() -> {
    try {
        forever(0);
    } catch (StackOverflowError e) {
        System.out.println("overflow caught");
    }
});
so.join();
}
static int depth(int n) {
    if (n == 0) {
        Thread.yield();
        return 0;
    }
    return depth(n - 1) + 1;
}
static int forever(int n) { return forever(n + 1) + 1; }
}
