// CompletableFuture chains, combination, exceptions, cancellation, timeouts by completion, async on a given executor.
import java.util.*;
import java.util.concurrent.*;
import java.util.stream.*;

public class CompletableFutures {
    public static void main(String[] args) throws Exception {
        ExecutorService ex = Executors.newFixedThreadPool(3);
        CompletableFuture<Integer> a = CompletableFuture.supplyAsync(() -> 20, ex),
                                   b = CompletableFuture.supplyAsync(() -> 22, ex);
        System.out.println(a.thenCombineAsync(b, Integer::sum, ex).thenApply(x -> "sum " + x).get());
        System.out.println(a.thenCompose(x -> CompletableFuture.supplyAsync(() -> x * 2, ex)).join() + " "
                           + a.thenApply(x -> x / 0).exceptionally(t -> - 1).join() + " "
                           + a.thenApply(x -> x / 0).handle((v, t) -> t.toString()).join());
        CompletableFuture<String> failed = CompletableFuture.failedFuture(new java.io.IOException("io"));
        try {
            failed.get();
        } catch (ExecutionException e) {
            System.out.println(e.getMessage() + " " + e.getCause());
        }
        try {
            failed.thenApply(String::length).join();
        } catch (CompletionException e) {
            System.out.println(e.getMessage() + " " + e.getCause().getClass().getSimpleName());
        }
        System.out.println(failed.isCompletedExceptionally() + " " + failed.isDone() + " " + failed.isCancelled());
        CompletableFuture<String> manual = new CompletableFuture<>();
        CompletableFuture<Void> chained =
            manual.thenAccept(v -> System.out.println("accepted " + v)).thenRun(() -> System.out.println("then run"));
        System.out.println(manual.getNow("absent") + " " + manual.complete("value") + " " + manual.complete("again")
                           + " " + manual.join() + " " + chained.isDone());
        CompletableFuture<String> canc = new CompletableFuture<>();
        CompletableFuture<Integer> dep = canc.thenApply(String::length);
        System.out.println(canc.cancel(true) + " " + dep.isCompletedExceptionally());
        try {
            canc.join();
        } catch (CancellationException e) {
            System.out.println("cancelled");
        }
        try {
            dep.join();
        } catch (CompletionException e) {
            System.out.println(e.getCause().getClass().getSimpleName());
        }
        List<CompletableFuture<Integer>> many = IntStream.range(0, 50)
                                                    .mapToObj(i -> CompletableFuture.supplyAsync(() -> i * i, ex))
                                                    .collect(Collectors.toList());
        CompletableFuture.allOf(many.toArray(new CompletableFuture[0])).join();
        System.out.println(many.stream().mapToInt(CompletableFuture::join).sum());
        CompletableFuture<Object> any =
            CompletableFuture.anyOf(new CompletableFuture<>(), CompletableFuture.completedFuture("any"));
        System.out.println(any.join());
        CompletableFuture<String> never = new CompletableFuture<>();
        System.out.println(never.completeOnTimeout("timed", 1, TimeUnit.MILLISECONDS).join());
        try {
            new CompletableFuture<String>().orTimeout(1, TimeUnit.MILLISECONDS).join();
        } catch (CompletionException e) {
            System.out.println(e.getCause().getClass().getSimpleName());
        }
        StringBuffer log = new StringBuffer();
        CompletableFuture.completedFuture(1)
            .whenComplete((v, t) -> log.append("when").append(v).append(t))
            .thenAcceptBoth(b, (x, y) -> log.append(" both").append(x + y))
            .runAfterBoth(a, () -> log.append(" after"))
            .applyToEither(new CompletableFuture<>(), v -> log.append(" either"))
            .join();
        System.out.println(log);
        System.out.println(a.acceptEither(new CompletableFuture<>(), x -> {}).join() + " " + a.copy().join() + " "
                           + a.minimalCompletionStage().toCompletableFuture().join() + " "
                           + new CompletableFuture<>().toString().contains("Not completed") + " "
                           + a.getNumberOfDependents());
        System.out.println(CompletableFuture.supplyAsync(() -> Thread.currentThread().isDaemon()).join() + " "
                           + CompletableFuture.runAsync(() -> {}).join());
        ex.shutdown();
        System.out.println(ex.awaitTermination(1, TimeUnit.DAYS));
    }
}
