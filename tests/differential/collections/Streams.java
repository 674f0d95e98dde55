// Sequential streams: sources, lazy operations, collectors, primitive streams, infinite ones, errors of reuse.
import java.util.*;
import java.util.function.*;
import java.util.stream.*;

public class Streams {
    record Person(String name, int age, String city) {}
    interface Action {
        Object run() throws Exception;
    }
    static void t(Action a) {
        try {
            System.out.println(a.run());
        } catch (Exception e) {
            System.out.println(e);
        }
    }

    public static void main(String[] args) {
        List<Person> ps =
            List.of(new Person("Ann", 30, "Rome"), new Person("Bob", 25, "Oslo"), new Person("Cid", 35, "Rome"),
                    new Person("Dee", 25, "Oslo"), new Person("Eve", 41, "Bern"));
        System.out.println(
            ps.stream().filter(p -> p.age() > 26).map(Person::name).collect(Collectors.joining(",", "[", "]"))
            + ps.stream().collect(Collectors.groupingBy(Person::city, TreeMap::new,
                                                        Collectors.mapping(Person::name, Collectors.toList())))
            + ps.stream().collect(Collectors.partitioningBy(p -> p.age() < 30, Collectors.counting())));
        System.out.println(
            ps.stream()
                .sorted(Comparator.comparingInt(Person::age).thenComparing(Person::name, Comparator.reverseOrder()))
                .map(Person::name)
                .toList()
            + " " + ps.stream().collect(Collectors.averagingInt(Person::age))
            + ps.stream().mapToInt(Person::age).summaryStatistics()
            + ps.stream().collect(Collectors.toMap(Person::name, Person::age, (a, b) -> a, LinkedHashMap::new)));
        System.out.println(
            ps.stream().collect(Collectors.teeing(Collectors.minBy(Comparator.comparingInt(Person::age)),
                                                  Collectors.maxBy(Comparator.comparingInt(Person::age)),
                                                  (a, b) -> a.get().name() + b.get().name()))
            + ps.stream().collect(Collectors.collectingAndThen(Collectors.toList(), List::size))
            + ps.stream().collect(Collectors.reducing(0, Person::age, Integer::sum))
            + ps.stream().collect(Collectors.flatMapping(p
                                                         -> p.name().chars().mapToObj(c -> (char) c),
                                                         Collectors.toCollection(TreeSet::new)))
            + ps.stream().collect(Collectors.filtering(p -> p.age() > 30, Collectors.summingLong(Person::age))));
        StringBuilder log = new StringBuilder();
        Optional<Integer> f = Stream.of(5, 2, 8, 1)
                                  .peek(x -> log.append("p").append(x))
                                  .filter(x -> x > 4)
                                  .peek(x -> log.append("f").append(x))
                                  .skip(1)
                                  .findFirst();
        System.out.println(f + " " + log);
        System.out.println(
            Stream.iterate(1, x -> x * 3).limit(8).toList() + " "
            + Stream.iterate(1, x -> x < 50, x -> x * 2).map(String::valueOf).collect(Collectors.joining("+"))
            + IntStream.range(0, 20).boxed().takeWhile(x -> x < 5).toList()
            + Stream.of(1, 2, 5, 1).dropWhile(x -> x < 3).toList() + Stream.generate(() -> "z").limit(3).toList()
            + Stream.concat(Stream.of(1), Stream.of(2)).toList()
            + Stream.of(List.of(1, 2), List.of(3)).flatMap(List::stream).toList()
            + Stream.of(1, 2, 3)
                  .<Integer>mapMulti((x, c) -> {
                      for (int i = 0; i < x; i++) c.accept(x);
                  })
                  .toList());
        System.out.println(
            IntStream.rangeClosed(1, 5).mapToObj(Integer::toString).toList() + " "
            + LongStream.of(3, 1, 2).sorted().boxed().toList() + DoubleStream.of(1.5, 2.5).map(Math::ceil).sum()
            + IntStream.of(3, 1, 2).average() + IntStream.empty().max()
            + "hello".chars().filter(c -> c != 'l').mapToObj(c -> "" + (char) c).collect(Collectors.joining())
            + IntStream.iterate(10, i -> i > 0, i -> i - 3).sum() + IntStream.of(1, 2, 2).distinct().count()
            + LongStream.range(0, 5).reduce(1, (a, b) -> a * (b + 1)) + DoubleStream.of(0.1, 0.2, 0.3).sum()
            + IntStream.range(0, 5).asLongStream().mapToObj(Long::toString).toList());
        System.out.println(Stream.of(3, 1, 2).reduce(Integer::sum).get() + " "
                           + Stream.of("a", "bb").reduce(0, (n, s) -> n + s.length(), Integer::sum)
                           + Stream.of(1, 2, 3).min(Comparator.naturalOrder()).get()
                           + Stream.empty().findAny().isPresent()
                           + Stream.of(1, null, 2).filter(Objects::nonNull).count() + Stream.ofNullable(null).count()
                           + Arrays.stream(new int[] {1, 2, 3, 4}, 1, 3).sum()
                           + Arrays.toString(Stream.of(1, 2).toArray(Integer[] ::new))
                           + Stream.of("b", "a").collect(ArrayList::new, ArrayList::add, ArrayList::addAll));
        Stream<Integer> once = Stream.of(1);
        once.count();
        t(() -> once.count());
        t(() -> Stream.of(1, 2).collect(Collectors.toMap(x -> "k", x -> x)));
        t(() -> Stream.of(1).toList().add(2));
        t(() -> Stream.of((Object) null).findFirst());
        t(() -> Stream.of(1, 0).map(x -> 1 / x).toList());
        t(() -> IntStream.range(0, 3).boxed().iterator().next());
        Stream<String> closed = Stream.of("x").onClose(() -> System.out.println("closed one")).onClose(() -> {
            throw new IllegalStateException("close");
        });
        t(() -> {
            closed.close();
            return 0;
        });
        Iterator<Integer> it = Stream.of(1, 2).iterator();
        System.out.println(it.next() + it.next() + " " + it.hasNext());
        BaseStream<Integer, Stream<Integer>> bs = Stream.of(1).parallel();
        System.out.println(bs.isParallel() + " " + bs.sequential().isParallel());
        Optional<String> o = Optional.of("opt");
        System.out.println(o.map(String::length) + " " + o.filter(s -> s.isEmpty()).or(() -> Optional.of("alt")).get()
                           + o.flatMap(s -> Optional.empty()).isPresent() + Optional.ofNullable(null).orElse("else")
                           + Optional.empty().orElseGet(() -> "get") + o.stream().count() + OptionalInt.of(3)
                           + OptionalDouble.empty() + o.equals(Optional.of("opt")) + o.hashCode());
        t(() -> Optional.empty().get());
        t(() -> Optional.empty().orElseThrow(() -> new IllegalStateException("own")));
        t(() -> Optional.of(null));
        o.ifPresentOrElse(s -> System.out.println("present " + s), () -> System.out.println("absent"));
        System.out.println(
            Stream.of("x", "y").collect(Collectors.collectingAndThen(Collectors.toUnmodifiableSet(), Set::size)) + " "
            + Collectors.toList().characteristics() + Stream.of(5, 3).sorted(Collections.reverseOrder()).toList()
            + Stream.of(1, 2, 3, 4).collect(Collector.of(() -> new int[1], (a, x) -> a[0] += x, (a, b) -> {
                  a[0] += b[0];
                  return a;
              }, a -> a[0])));
        Function<Integer, Integer> inc = x -> x + 1, dbl = x -> x * 2;
        System.out.println(inc.andThen(dbl).apply(5) + " " + inc.compose(dbl).apply(5)
                           + Function.<Integer>identity().apply(7) + UnaryOperator.identity().apply("u")
                           + ((Predicate<Integer>) x -> x > 0).and(x -> x < 10).negate().test(5)
                           + Predicate.isEqual("a").test("a") + Predicate.not(String::isEmpty).test("")
                           + BinaryOperator.minBy(Comparator.<Integer>naturalOrder()).apply(3, 2)
                           + ((IntUnaryOperator) x -> x * x).andThen(x -> x + 1).applyAsInt(4));
    }
}
