// Executors: pools, futures, cancellation, rejection, invokeAll and invokeAny, scheduled tasks, thread factories,
// shutdown.
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;

public class ExecutorServices {
    public static void main(String[] args) throws Exception {
        AtomicInteger made = new AtomicInteger();
        ThreadPoolExecutor pool = new ThreadPoolExecutor(2, 2, 1, TimeUnit.DAYS, new ArrayBlockingQueue<>(2),
                                                         r -> new Thread(r, "pool-" + made.incrementAndGet()));
        CountDownLatch hold = new CountDownLatch(1), running = new CountDownLatch(2);
        Callable<String> blocker = () -> {
            running.countDown();
            hold.await();
            return "held";
        };
        Future<String> a = pool.submit(blocker), b = pool.submit(blocker), c = pool.submit(() -> "queued"),
                       d = pool.submit(() -> "cancelled");
        running.await();
        try {
            pool.submit(() -> "too many");
        } catch (RejectedExecutionException e) {
            System.out.println("rejected");
        }
        System.out.println(d.cancel(false) + " " + d.isCancelled() + " " + d.isDone() + " " + c.isDone() + " "
                           + pool.getActiveCount() + " " + pool.getQueue().size());
        try {
            a.get(1, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            System.out.println("timeout");
        }
        hold.countDown();
        System.out.println(a.get() + b.get() + c.get());
        try {
            d.get();
        } catch (CancellationException e) {
            System.out.println("cancellation");
        }
        Future<?> bad = pool.submit(() -> { throw new IllegalStateException("task"); });
        try {
            bad.get();
        } catch (ExecutionException e) {
            System.out.println(e.getMessage() + " / " + e.getCause());
        }
        List<Callable<Integer>> calls = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int k = i;
            calls.add(() -> k * k);
        }
        ExecutorService fixed = Executors.newFixedThreadPool(3);
        int sum = 0;
        for (Future<Integer> f : fixed.invokeAll(calls)) sum += f.get();
        System.out.println(sum + " " + calls.contains(null) + " "
                           + List.of(0, 1, 4, 9).contains(fixed.invokeAny(calls)));
        CountDownLatch inTask = new CountDownLatch(1);
        Future<?> intr = fixed.submit(() -> {
            inTask.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                System.out.println("task interrupted");
            }
            hold.countDown();
            return null;
        });
        inTask.await();
        List<Runnable> left;
        fixed.shutdown();
        System.out.println(fixed.isShutdown() + " " + fixed.isTerminated());
        left = fixed.shutdownNow();
        fixed.awaitTermination(1, TimeUnit.DAYS);
        System.out.println(left.size() <= 1 ? "ended" : "left");
        pool.shutdown();
        System.out.println(pool.awaitTermination(1, TimeUnit.DAYS) + " " + pool.getCompletedTaskCount() + " "
                           + pool.getLargestPoolSize() + " " + made);
        try {
            pool.execute(() -> {});
        } catch (RejectedExecutionException e) {
            System.out.println("after shutdown");
        }
        ScheduledExecutorService sch = Executors.newScheduledThreadPool(1);
        CountDownLatch ticks = new CountDownLatch(3);
        ScheduledFuture<?> tick = sch.scheduleAtFixedRate(ticks::countDown, 0, 1, TimeUnit.MILLISECONDS),
                           once = sch.schedule(() -> "delayed", 1, TimeUnit.MILLISECONDS);
        ticks.await();
        System.out.println(once.get() + " " + tick.cancel(false) + " " + tick.isDone());
        CountDownLatch wd = new CountDownLatch(2);
        sch.scheduleWithFixedDelay(() -> {
            wd.countDown();
            if (wd.getCount() == 0) throw new RuntimeException("stops");
        }, 0, 1, TimeUnit.NANOSECONDS);
        wd.await();
        sch.shutdownNow();
        sch.awaitTermination(1, TimeUnit.DAYS);
        ExecutorService single = Executors.newSingleThreadExecutor();
        StringBuffer order = new StringBuffer();
        for (int i = 0; i < 10; i++) {
            int k = i;
            single.execute(() -> order.append(k));
        }
        single.execute(() -> {
            Thread.currentThread().setUncaughtExceptionHandler((t, e) -> order.append("!"));
            throw new RuntimeException();
        });
        single.execute(() -> order.append("next"));
        single.shutdown();
        single.awaitTermination(1, TimeUnit.DAYS);
        System.out.println(order.toString().startsWith("0123456789") + " " + order.toString().contains("next"));
        ExecutorCompletionService<Integer> ecs = new ExecutorCompletionService<>(Runnable::run);
        for (Callable<Integer> k : calls) ecs.submit(k);
        System.out.println(ecs.take().get() + ecs.take().get() + ecs.take().get() + ecs.take().get() + " "
                           + ecs.poll());
        ExecutorService cached = Executors.newCachedThreadPool();
        FutureTask<String> ft = new FutureTask<>(() -> "future task");
        cached.execute(ft);
        System.out.println(ft.get());
        cached.shutdown();
        for (RejectedExecutionHandler h :
             List.of(new ThreadPoolExecutor.CallerRunsPolicy(), new ThreadPoolExecutor.DiscardPolicy(),
                     new ThreadPoolExecutor.DiscardOldestPolicy())) {
            ThreadPoolExecutor p = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(1), h);
            CountDownLatch in = new CountDownLatch(1), out = new CountDownLatch(1);
            StringBuffer log = new StringBuffer();
            p.execute(() -> {
                in.countDown();
                try {
                    out.await();
                } catch (InterruptedException e) {
                    throw new Error(e);
                }
            });
            in.await();
            p.execute(() -> log.append("queued "));
            p.execute(() -> log.append("extra "));
            out.countDown();
            p.shutdown();
            p.awaitTermination(1, TimeUnit.DAYS);
            System.out.println(h.getClass().getSimpleName() + " " + log);
        }
    }
}
