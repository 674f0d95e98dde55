// OutOfMemoryError for array size and for heap, the VM alive and usable after each.
import java.util.ArrayList;
import java.util.List;

public class OutOfMemory {
    static class Node {
        Node next;
        long[] load = new long[1000];
        Node(Node next) { this.next = next; }
    }

    static void fillList() {
        List<byte[]> list = new ArrayList<>();
        for (;;) list.add(new byte[1 << 20]);
    }
    static void fillChain() {
        Node n = null;
        for (;;) n = new Node(n);
    }
    static class Fields {
        Fields next;
        long a, b, c, d, e, f, g, h;
    }
    static void fillWithInstances() {
        Fields first = null;
        for (;;) {
            Fields f = new Fields();
            f.next = first;
            first = f;
        }
    }
    static void t(String name, Runnable r) {
        try {
            r.run();
            System.out.println(name + " fitted");
        } catch (OutOfMemoryError e) {
            System.out.println(name + ": " + e.getMessage());
        }
    }

    public static void main(String[] args) {
        t("limit", () -> { int[] a = new int[Integer.MAX_VALUE]; });
        t("one below", () -> { byte[] a = new byte[Integer.MAX_VALUE - 1]; });
        t("large", () -> { long[] a = new long[1 << 28]; });
        t("two dimensions", () -> { int[][] a = new int[1 << 12][1 << 16]; });
        for (int i = 0; i < 3; i++) t("list", OutOfMemory::fillList);
        t("chain", OutOfMemory::fillChain);
        t("instances", OutOfMemory::fillWithInstances);
        t("clone", () -> { long[] a = new long[2 << 20]; long[] b = a.clone(), c = a.clone(); });
        StringBuilder b = new StringBuilder("x");
        try {
            for (;;) b.append(b);
        } catch (OutOfMemoryError e) {
            System.out.println(b.length() >= 1 << 20);
        }
        b = null;
        long sum = 0;
        for (int i = 0; i < 20_000; i++) sum += new byte[i % 1000 + 1].length;
        System.out.println(sum);
        System.out.println("alive");
    }
}
