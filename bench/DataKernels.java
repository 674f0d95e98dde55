// Kernels of `make bench` about collections and arrays; see Kernels.java. About a second each on HotSpot's interpreter.
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

class DataKernels {
    public static long deque() {
        Deque<Integer> deque = new ArrayDeque<>();
        long sum = 0;
        for (int i = 0; i < 3_000_000; i++) {
            deque.addLast(i);
            if (deque.size() > 50) sum += deque.pollFirst();
        }
        return sum;
    }
    public static long atomicCounters() {
        AtomicLong count = new AtomicLong();
        AtomicInteger token = new AtomicInteger();
        long sum = 0;
        for (int i = 0; i < 4_000_000; i++) {
            sum += count.getAndAdd(i & 3);
            sum ^= token.getAndSet(i);
        }
        return sum;
    }

    /** A hash table of longs with open addressing. */
    static final class LongTable {
        private long[] keys = new long[16], values = new long[16];
        private int size;

        private int find(long key) {
            long h = key * 0x9E3779B97F4A7C15L;
            int mask = keys.length - 1, i = (int) (h >>> 32) & mask;
            while (keys[i] != 0 && keys[i] != key) i = i + 1 & mask;
            return i;
        }
        void add(long key, long value) {
            int i = find(key);
            if (keys[i] == 0) {
                keys[i] = key;
                if (++size * 2 > keys.length) {
                    grow();
                    i = find(key);
                }
            }
            values[i] += value;
        }
        long get(long key) { return values[find(key)]; }
        private void grow() {
            long[] oldKeys = keys, oldValues = values;
            keys = new long[oldKeys.length * 2];
            values = new long[keys.length];
            for (int i = 0; i < oldKeys.length; i++) {
                if (oldKeys[i] == 0) continue;
                int at = find(oldKeys[i]);
                keys[at] = oldKeys[i];
                values[at] = oldValues[i];
            }
        }
    }
    public static long longHash() {
        long sum = 0;
        for (int round = 1; round <= 10; round++) {
            LongTable table = new LongTable();
            for (long i = 1; i <= 150_000; i++) table.add(i * round * 0x5851F42DL % 99_991 + 1, i);
            for (long i = 1; i <= 200_000; i++) sum = sum * 31 + table.get(i);
        }
        return sum;
    }

    enum Colour { RED, GREEN, BLUE, WHITE, BLACK }
    public static long boxedMaps() {
        Map<Long, Integer> counts = new HashMap<>();
        Map<String, List<Integer>> groups = new HashMap<>();
        EnumMap<Colour, Long> colours = new EnumMap<>(Colour.class);
        Colour[] all = Colour.values();
        for (int i = 0; i < 250_000; i++) {
            counts.merge(i * 7919L % 5003, 1, Integer::sum);
            if (i % 4 == 0) groups.computeIfAbsent("g" + i % 211, k -> new ArrayList<>()).add(i);
            colours.put(all[i % 5], colours.getOrDefault(all[i % 5], 0L) + i);
        }
        long sum = 0;
        for (Map.Entry<Long, Integer> e : counts.entrySet()) sum += e.getKey() * e.getValue();
        for (List<Integer> group : groups.values()) for (int i : group) sum += i;
        for (long n : colours.values()) sum ^= n;
        return sum;
    }
    public static long concurrentMaps() {
        ConcurrentHashMap<Integer, AtomicInteger> map = new ConcurrentHashMap<>();
        AtomicLong total = new AtomicLong();
        for (int i = 0; i < 2_000_000; i++) {
            map.computeIfAbsent(i * 31 % 4001, k -> new AtomicInteger()).incrementAndGet();
            total.addAndGet(i);
        }
        long[] sum = {0};
        map.forEach((k, v) -> sum[0] += k * (long) v.get());
        return sum[0] + total.get();
    }
    public static long iterators() {
        List<Integer> array = new ArrayList<>(), linked = new LinkedList<>();
        for (int i = 0; i < 5000; i++) {
            array.add(i);
            linked.add(i * 3);
        }
        long sum = 0;
        for (int round = 0; round < 1000; round++) {
            for (Integer i : array) sum += i;
            for (Integer i : linked) sum ^= i;
        }
        return sum;
    }
    public static long queues() {
        PriorityQueue<Long> heap = new PriorityQueue<>();
        Deque<Integer> deque = new ArrayDeque<>();
        BitSet seen = new BitSet();
        long sum = 0, x = 1;
        for (int i = 0; i < 300_000; i++) {
            x = x * 6364136223846793005L + 1442695040888963407L;
            heap.add(x >>> 40);
            deque.addLast((int) (x >>> 50));
            seen.set((int) (x >>> 48));
            if (i % 3 == 0) sum += heap.poll() + deque.pollFirst();
        }
        while (!heap.isEmpty()) sum = sum * 31 + heap.poll();
        for (int i = seen.nextSetBit(0); i >= 0; i = seen.nextSetBit(i + 1)) sum += i;
        return sum + deque.size();
    }
    public static long arrayCopies() {
        byte[] bytes = new byte[300];
        int[] ints = new int[60];
        String[] texts = new String[40];
        Arrays.fill(texts, "x");
        long sum = 0;
        for (int i = 0; i < 2_400_000; i++) {
            System.arraycopy(bytes, i & 63, bytes, i & 31, 200);
            ints = Arrays.copyOf(ints, 50 + (i & 15));
            Object[] copy = texts.clone();
            bytes[i & 255] = (byte) i;
            ints[i & 31] = copy.length + bytes[i & 127];
            sum += ints[i & 15];
        }
        return sum + Arrays.hashCode(bytes);
    }
    /** Objects, arrays and casts in place of primitive code: queens on boards of four to ten rows, with lists. */
    public static long queens() {
        long found = 0;
        for (int n = 4; n <= 10; n++) found = found * 1000 + place(n, new ArrayList<>());
        return found;
    }
    private static long place(int n, List<int[]> queens) {
        if (queens.size() == n) return 1;
        long found = 0;
        for (int column = 0; column < n; column++) {
            int row = queens.size(), c = column;
            boolean free = true;
            for (int[] other : queens) {
                if (other[1] == c || other[0] - row == other[1] - c || other[0] - row == c - other[1]) {
                    free = false;
                    break;
                }
            }
            if (!free) continue;
            queens.add(new int[] {row, column});
            found += place(n, queens);
            queens.remove(queens.size() - 1);
        }
        return found;
    }
    /** Dynamic programming in a table of objects: a sum per cell, of what lies left and above. */
    public static long objectGrid() {
        Cell[][] grid = new Cell[200][200];
        long sum = 0;
        for (int round = 0; round < 300; round++) {
            for (int i = 0; i < 200; i++) for (int j = 0; j < 200; j++) {
                Cell left = j > 0 ? grid[i][j - 1] : null, above = i > 0 ? grid[i - 1][j] : null;
                grid[i][j] = new Cell(left, above, i * 31 + j * 7 + round & 255);
            }
            sum += grid[199][199].best;
        }
        return sum;
    }
    static final class Cell {
        final Cell from;
        final long best;
        Cell(Cell left, Cell above, int cost) {
            from = left == null ? above : above == null || left.best < above.best ? left : above;
            best = (from == null ? 0 : from.best) + cost;
        }
    }
}
