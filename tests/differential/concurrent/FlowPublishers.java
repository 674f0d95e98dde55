// Reactive streams: SubmissionPublisher with several subscribers, back pressure, errors and cancellation.
import java.util.*;
import java.util.concurrent.*;

public class FlowPublishers {
    static class Sub implements Flow.Subscriber<Integer> {
        final CountDownLatch done = new CountDownLatch(1);
        final List<Integer> got = Collections.synchronizedList(new ArrayList<>());
        final int stopAfter;
        volatile String end;
        Flow.Subscription s;
        Sub(int stopAfter) { this.stopAfter = stopAfter; }
        @Override
        public void onSubscribe(Flow.Subscription x) {
            s = x;
            s.request(1);
        }
        @Override
        public void onNext(Integer i) {
            got.add(i);
            if (got.size() == stopAfter) {
                s.cancel();
                end = "cancelled";
                done.countDown();
            } else {
                s.request(1);
            }
        }
        @Override
        public void onError(Throwable t) {
            end = "error " + t.getMessage();
            done.countDown();
        }
        @Override
        public void onComplete() {
            end = "complete";
            done.countDown();
        }
    }

    public static void main(String[] args) throws Exception {
        ExecutorService ex = Executors.newFixedThreadPool(2);
        Sub all = new Sub(-1), some = new Sub(10), failing = new Sub(-1);
        try (SubmissionPublisher<Integer> p = new SubmissionPublisher<>(ex, 8)) {
            p.subscribe(all);
            p.subscribe(some);
            for (int i = 0; i < 200; i++) p.submit(i);
            System.out.println(p.getMaxBufferCapacity());
        }
        all.done.await();
        some.done.await();
        System.out.println(all.got.size() + " " + all.got.hashCode() + " " + all.end + " " + some.got + " " + some.end);
        SubmissionPublisher<Integer> q = new SubmissionPublisher<>(ex, 4);
        q.subscribe(failing);
        q.submit(1);
        q.closeExceptionally(new IllegalStateException("broken"));
        failing.done.await();
        System.out.println(failing.end + " " + q.isClosed() + " " + q.getClosedException());
        try {
            q.submit(2);
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        SubmissionPublisher<Integer> r = new SubmissionPublisher<>(ex, 4);
        CompletableFuture<Void> consumed = r.consume(x -> {
            if (x == 3) throw new ArithmeticException("consumer");
        });
        for (int i = 0; i < 5; i++) r.submit(i);
        r.close();
        System.out.println(consumed.handle((v, t) -> String.valueOf(t)).get());
        ex.shutdown();
        System.out.println(ex.awaitTermination(1, TimeUnit.DAYS));
    }
}
