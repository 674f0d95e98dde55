// Lists, deques and array helpers with their exceptions: ArrayList, LinkedList, ArrayDeque, immutable lists, sublists,
// iterators.
import java.util.*;

public class Lists {
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
        for (List<Integer> l : List.of(new ArrayList<Integer>(), new LinkedList<Integer>(), new Vector<Integer>(),
                                       new Stack<Integer>())) {
            for (int i = 0; i < 30; i++) l.add(i % 2 == 0 ? l.size() : 0, i);
            l.remove(Integer.valueOf(7));
            l.remove(3);
            l.set(5, 99);
            l.addAll(2, List.of(1, 2, 3));
            l.removeIf(x -> x % 11 == 0);
            l.replaceAll(x -> x * 2);
            System.out.println(l.getClass().getSimpleName() + l + l.indexOf(4) + l.lastIndexOf(4) + l.contains(58)
                               + l.hashCode() + l.subList(2, 5) + l.equals(new ArrayList<>(l)));
            l.sort(null);
            l.subList(0, 20).clear();
            System.out.println(l);
            ListIterator<Integer> it = l.listIterator();
            while (it.hasNext()) {
                int v = it.next();
                if (v > 50)
                    it.remove();
                else if (v % 4 == 0)
                    it.add(-v);
                else
                    it.set(v + 1);
            }
            while (it.hasPrevious()) System.out.print(it.previous() + "@" + it.nextIndex() + " ");
            System.out.println();
            t(() -> l.get(100));
            t(() -> l.get(-1));
            t(() -> l.remove(100));
            t(() -> {
                l.add(500, 1);
                return 0;
            });
            t(() -> l.subList(3, 1));
            t(() -> l.listIterator().next() + 0 * l.listIterator(l.size()).next());
            t(() -> {
                for (Integer x : l) l.add(x);
                return 0;
            });
            t(() -> {
                Iterator<Integer> i = l.iterator();
                i.remove();
                return 0;
            });
        }
        Deque<Integer> d = new ArrayDeque<>();
        for (int i = 0; i < 50; i++) {
            if (i % 3 == 0)
                d.addFirst(i);
            else
                d.addLast(i);
            if (i % 5 == 0) d.pollFirst();
        }
        System.out.println(d + " " + d.peekFirst() + d.peekLast() + d.removeFirstOccurrence(4) + d.size());
        d.push(5);
        System.out.println(d.pop() + " " + new ArrayDeque<>(d).descendingIterator().next());
        t(() -> new ArrayDeque<>().removeFirst());
        t(() -> new ArrayDeque<>().add(null));
        t(() -> new LinkedList<>().getFirst());
        t(() -> new Stack<>().pop());
        t(() -> new ArrayDeque<>().pop());
        t(() -> new PriorityQueue<>().remove());
        PriorityQueue<String> pq =
            new PriorityQueue<>(Comparator.comparing(String::length).thenComparing(Comparator.naturalOrder()));
        Collections.addAll(pq, "ccc", "a", "bb", "aaa", "b", "dddd", "");
        StringBuilder b = new StringBuilder();
        while (!pq.isEmpty()) b.append(pq.poll()).append(',');
        System.out.println(b);
        List<Integer> im = List.of(1, 2, 3);
        t(() -> im.add(4));
        t(() -> List.of(1, null));
        t(() -> List.copyOf(Arrays.asList(1, null)));
        t(() -> im.contains(null));
        t(() -> Collections.unmodifiableList(im).set(0, 1));
        t(() -> Arrays.asList(1, 2).add(3));
        t(() -> Collections.emptyList().iterator().next());
        List<Integer> s = new ArrayList<>(List.of(5, 3, 8, 1));
        Collections.sort(s);
        Collections.reverse(s);
        Collections.swap(s, 0, 3);
        Collections.rotate(s, 1);
        System.out.println(s + " " + Collections.max(s) + Collections.min(s) + Collections.frequency(s, 3)
                           + Collections.binarySearch(List.of(1, 3, 5), 4) + Collections.nCopies(3, "x")
                           + Collections.disjoint(s, List.of(9)));
        Collections.shuffle(s, new Random(1));
        System.out.println(s);
        t(() -> {
            new ArrayList<>(List.of(3, 1)).sort((x, y) -> { throw new IllegalStateException("comparator"); });
            return 0;
        });
        t(() -> {
            List<Object> mixed = new ArrayList<>(List.of(1, "a"));
            mixed.sort(null);
            return 0;
        });
        t(() -> {
            Integer[] bad = new Integer[200];
            for (int i = 0; i < 200; i++) bad[i] = i * 37 % 200;
            Arrays.sort(bad, (x, y) -> x % 3 == 0 ? 1 : -1);
            return 0;
        });
        System.out.println(Arrays.toString(im.toArray()) + Arrays.toString(im.toArray(new Number[5]))
                           + Arrays.toString(im.toArray(Integer[] ::new)));
        t(() -> im.toArray(new String[0]));
        BitSet bs = new BitSet();
        bs.set(1, 5);
        bs.set(100);
        bs.flip(3);
        System.out.println(bs + " " + bs.cardinality() + bs.nextClearBit(1) + bs.previousSetBit(99)
                           + Arrays.toString(bs.toLongArray()) + bs.length());
        Spliterator<Integer> sp = new ArrayList<>(List.of(1, 2, 3, 4, 5)).spliterator(), half = sp.trySplit();
        StringBuilder o = new StringBuilder();
        half.forEachRemaining(o::append);
        o.append('|');
        sp.forEachRemaining(o::append);
        System.out.println(o + " " + sp.hasCharacteristics(Spliterator.SIZED));
        StringJoiner j = new StringJoiner(",", "{", "}").setEmptyValue("none");
        System.out.print(j);
        System.out.println(j.add("a").add("b") + " " + j.length());
        System.out.println(new StringTokenizer("a b,c", " ,", true).countTokens());
    }
}
