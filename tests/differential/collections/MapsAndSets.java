// Maps and sets: hash, linked, tree, identity, enum; collisions, treeified bins, views, navigation, compute methods.
import java.util.*;
import java.util.stream.*;

public class MapsAndSets {
    static class Collide implements Comparable<Collide> {
        final int v;
        Collide(int v) { this.v = v; }
        @Override
        public int hashCode() {
            return 42;
        }
        @Override
        public boolean equals(Object o) {
            return o instanceof Collide c && c.v == v;
        }
        public int compareTo(Collide o) { return Integer.compare(v, o.v); }
        @Override
        public String toString() {
            return "c" + v;
        }
    }
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
        HashMap<Collide, Integer> h = new HashMap<>();
        for (int i = 0; i < 200; i++) h.put(new Collide(i), i);
        for (int i = 0; i < 200; i += 2) h.remove(new Collide(i));
        int sum = 0;
        for (int v : h.values()) sum += v;
        System.out.println(h.size() + " " + sum + " " + h.get(new Collide(77)) + h.get(new Collide(78))
                           + h.containsValue(99));
        HashMap<Integer, String> m = new HashMap<>();
        for (int i = 0; i < 1000; i++) m.put(i * 31, "v" + i);
        System.out.println(m.hashCode() + " " + m.keySet().stream().mapToInt(x -> x).sum() + " "
                           + m.entrySet().iterator().next());
        LinkedHashMap<String, Integer> lru = new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Integer> e) {
                return size() > 3;
            }
        };
        for (String s : "a b c a d e a".split(" ")) lru.merge(s, 1, Integer::sum);
        System.out.println(lru);
        TreeMap<String, Integer> t = new TreeMap<>(Comparator.reverseOrder());
        for (String s : "the quick brown fox jumps over the lazy dog".split(" ")) t.merge(s, s.length(), Integer::sum);
        System.out.println(t + " " + t.firstKey() + t.floorKey("m") + t.ceilingEntry("m") + t.headMap("m", true)
                           + t.subMap("q", "d") + t.descendingMap() + t.pollLastEntry());
        t(() -> t.subMap("a", "z"));
        t(() -> t.tailMap("m").put("z", 1));
        t(() -> new TreeMap<>().firstKey());
        t(() -> new TreeMap<String, String>().put(null, "x"));
        t(() -> {
            new TreeMap<Object, Object>().put(new Object(), 1);
            return 0;
        });
        TreeSet<Integer> ts = new TreeSet<>(List.of(5, 1, 9, 3));
        System.out.println(ts + " " + ts.higher(5) + ts.lower(1) + ts.headSet(5) + ts.tailSet(5, false)
                           + ts.descendingSet() + ts.pollFirst());
        Random r = new Random(7);
        TreeMap<Integer, Integer> big = new TreeMap<>();
        for (int i = 0; i < 3000; i++) {
            int k = r.nextInt(1000);
            if (i % 3 == 2)
                big.remove(k);
            else
                big.put(k, i);
        }
        long check = 0;
        for (Map.Entry<Integer, Integer> e : big.entrySet()) check = check * 31 + e.getKey() + e.getValue();
        System.out.println(big.size() + " " + check);
        IdentityHashMap<String, Integer> id = new IdentityHashMap<>();
        id.put(new String("k"), 1);
        id.put(new String("k"), 2);
        id.put("k", 3);
        System.out.println(id.size() + " " + id.get("k"));
        Map<String, Integer> c = new HashMap<>();
        System.out.println(c.computeIfAbsent("a", String::length) + " " + c.computeIfPresent("a", (k, v) -> v + 1)
                           + c.compute("b", (k, v) -> v == null ? 10 : v) + c.merge("b", 5, Integer::sum)
                           + c.putIfAbsent("a", 9) + c.getOrDefault("z", -1) + c.replace("a", 2, 7) + c.remove("a", 8)
                           + c.merge("a", 1, (x, y) -> null) + c);
        t(() -> c.computeIfAbsent("x", k -> {
            c.put("y", 1);
            return 2;
        }));
        t(() -> {
            for (String k : c.keySet()) c.put(k + k, 1);
            return 0;
        });
        t(() -> Map.of("a", 1, "a", 2));
        t(() -> Map.of(null, 1));
        t(() -> Set.of(1, 1));
        t(() -> Map.of().put("a", 1));
        t(() -> Map.entry("k", null));
        t(() -> Collections.unmodifiableMap(c).put("q", 1));
        Set<Integer> a = new TreeSet<>(List.of(1, 2, 3, 4)), b = new HashSet<>(List.of(3, 4, 5));
        a.retainAll(b);
        System.out.println(a + " " + b.containsAll(a) + a.equals(new HashSet<>(List.of(4, 3)))
                           + Set.of(1, 2).equals(Set.of(2, 1)) + Map.of("x", 1).equals(new HashMap<>(Map.of("x", 1)))
                           + new LinkedHashSet<>(List.of(3, 1, 2))
                           + Collections.newSetFromMap(new IdentityHashMap<>()).add("x"));
        Hashtable<String, Integer> ht = new Hashtable<>(Map.of("one", 1));
        t(() -> ht.put("n", null));
        System.out.println(ht + " " + ht.keys().nextElement());
        System.out.println(new AbstractMap.SimpleEntry<>("k", 1).equals(Map.entry("k", 1)) + " "
            + Map.Entry.<Integer, Integer>comparingByValue().compare(Map.entry(1, 2), Map.entry(2, 1)));
        Properties p = new Properties();
        p.setProperty("a", "1");
        p.put("ü", "日");
        try {
            p.load(new java.io.StringReader("# c\nkey = value\\\n   continued\nu=\\u0041\\t|\nempty\n a\\ b : c"));
        } catch (java.io.IOException e) {
            throw new Error(e);
        }
        System.out.println(new TreeMap<>(p));
        java.io.StringWriter w = new java.io.StringWriter();
        try {
            p.store(w, null);
        } catch (java.io.IOException e) {
            throw new Error(e);
        }
        System.out.println(w.toString().lines().filter(l -> !l.startsWith("#")).sorted().collect(Collectors.toList()));
    }
}
