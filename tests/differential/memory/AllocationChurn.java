// Millions of short-lived and some long-lived objects of many sizes in a small heap; the survivors stay intact.
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

public class AllocationChurn {
    static class Node {
        Node left, right;
        int value;
        Node(int depth) {
            value = depth;
            if (depth > 0) {
                left = new Node(depth - 1);
                right = new Node(depth - 1);
            }
        }
        int sum() { return value + (left == null ? 0 : left.sum() + right.sum()); }
    }

    public static void main(String[] args) {
        Node kept = new Node(12);
        List<byte[]> sized = new ArrayList<>();
        Map<Integer, int[]> map = new HashMap<>();
        Random r = new Random(42);
        long check = 0;
        for (int i = 0; i < 6_000; i++) {
            byte[] b = new byte[r.nextInt(4000)];
            if (b.length > 0) b[b.length - 1] = (byte) i;
            if (i % 37 == 0) sized.add(b);
            if (sized.size() > 60) sized.remove(r.nextInt(60));
            map.put(i % 100, new int[] {i, i * 2, i * 3});
            if (i % 500 == 0) check += new Node(8).sum();
            if (i % 1000 == 0) {
                long[] big = new long[100_000];
                big[99_999] = i;
                check += big[99_999];
            }
            String s = "s" + i;
            check += s.length();
        }
        for (int[] a : map.values()) check += a[1] * 3 - a[2] * 2;
        for (byte[] b : sized)
            if (b.length > 0) check += b[b.length - 1];
        int[][][] grid = new int[20][30][40];
        for (int[][] x : grid)
            for (int[] y : x)
                for (int v : y) check += v;
        System.out.println(check + " " + kept.sum() + " " + sized.size() + " " + map.size());
        Runtime rt = Runtime.getRuntime();
        System.out.println((rt.maxMemory() <= 32 << 20) + " " + (rt.totalMemory() <= rt.maxMemory()) + " "
                           + (rt.freeMemory() < rt.totalMemory()) + " " + (rt.availableProcessors() > 0));
    }
}
