// Fork/join recursion in a pool and the common pool, counted completers, and parallel streams with ordered results.
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.stream.*;

public class ForkJoinAndParallelStreams {
    static class Fib extends RecursiveTask<Integer> {
        final int n;
        Fib(int n) { this.n = n; }
        @Override
        protected Integer compute() {
            if (n < 8) return fib(n);
            Fib a = new Fib(n - 1);
            a.fork();
            return new Fib(n - 2).compute() + a.join();
        }
        static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
    }
    static class Inc extends RecursiveAction {
        final int[] a;
        final int lo, hi;
        Inc(int[] a, int lo, int hi) {
            this.a = a;
            this.lo = lo;
            this.hi = hi;
        }
        @Override
        protected void compute() {
            if (hi - lo < 500)
                for (int i = lo; i < hi; i++) a[i]++;
            else
                invokeAll(new Inc(a, lo, (lo + hi) / 2), new Inc(a, (lo + hi) / 2, hi));
        }
    }
    static class Bad extends RecursiveTask<Integer> {
        @Override
        protected Integer compute() {
            throw new IllegalStateException("in task");
        }
    }

    public static void main(String[] args) throws Exception {
        ForkJoinPool pool = new ForkJoinPool(4);
        System.out.println(pool.invoke(new Fib(16)) + " " + ForkJoinPool.commonPool().invoke(new Fib(14)) + " "
                           + new Fib(12).fork().join());
        int[] a = new int[10_000];
        pool.invoke(new Inc(a, 0, a.length));
        pool.submit(new Inc(a, 0, a.length)).get();
        System.out.println(Arrays.stream(a).sum());
        try {
            pool.invoke(new Bad());
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        try {
            pool.submit(new Bad()).get();
        } catch (ExecutionException e) {
            System.out.println(e.getCause().getClass().getSimpleName());
        }
        System.out.println(pool.submit(() -> "callable").get() + " " + pool.getParallelism());
        pool.shutdown();
        System.out.println(pool.awaitTermination(1, TimeUnit.DAYS));
        System.out.println(
            IntStream.rangeClosed(1, 5000).parallel().filter(i -> i % 3 == 0).mapToLong(i -> (long) i * i).sum());
        List<Integer> l = IntStream.range(0, 3000).boxed().collect(Collectors.toList());
        System.out.println(
            l.parallelStream().map(i -> i * 2).filter(i -> i % 7 == 0).collect(Collectors.toList()).hashCode() + " "
            + l.parallelStream().reduce(0, Integer::sum) + " " + l.parallelStream().mapToInt(i -> i).max().getAsInt()
            + " " + l.parallelStream().skip(100).limit(5).collect(Collectors.toList()) + " "
            + l.parallelStream().sorted(Comparator.reverseOrder()).findFirst().get());
        System.out.println(new TreeMap<>(l.parallelStream().collect(
                               Collectors.groupingByConcurrent(i -> i % 5, Collectors.counting())))
                           + " " + l.parallelStream().anyMatch(i -> i == 2999)
                           + l.parallelStream().allMatch(i -> i >= 0) + l.parallelStream().noneMatch(i -> i > 5000)
                           + " " + l.parallelStream().map(i -> i % 100).distinct().count());
        StringBuilder b = new StringBuilder();
        l.parallelStream().limit(20).forEachOrdered(b::append);
        System.out.println(b + " " + l.parallelStream().map(String::valueOf).collect(Collectors.joining()).hashCode());
        AtomicInteger c = new AtomicInteger();
        LongAdder adder = new LongAdder();
        l.parallelStream().forEach(i -> {
            c.incrementAndGet();
            adder.add(i);
        });
        System.out.println(c + " " + adder);
        try {
            l.parallelStream().forEach(i -> {
                if (i == 1500) throw new IllegalStateException("element");
            });
        } catch (IllegalStateException e) {
            // Another thread's exception comes wrapped in one of its kind; which thread had the element is chance.
            System.out.println((e.getCause() == null ? e : e.getCause()).getMessage());
        }
        int[] big = new Random(5).ints(9000, 0, 1_000_000).toArray(), copy = big.clone();
        Arrays.parallelSort(big);
        Arrays.sort(copy);
        System.out.println(Arrays.equals(big, copy));
        long[] pre = new long[9000];
        Arrays.parallelSetAll(pre, i -> i);
        Arrays.parallelPrefix(pre, Long::sum);
        System.out.println(pre[8999]);
        System.out.println(DoubleStream.iterate(1, x -> x / 2).limit(40).parallel().sum() + " "
            + Stream.of("b", "a", "c").parallel().sorted().toList() + " "
            + StreamSupport.stream(new ArrayDeque<>(List.of(1, 2, 3)).spliterator(), true).mapToInt(x -> x).sum());
    }
}
