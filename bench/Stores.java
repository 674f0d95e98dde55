// What a barrier behind reference stores costs, for `bench/run.py --only cards`: kernels that store references, and
// two that do other things as well. Arguments: kernel and number of turns; without any, their names. Prints a check
// sum.
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;

public class Stores {
    interface Kernel { long run(int turns); }

    static class Node {
        Node left, right;
        Object value;
        Node(Node left, Node right) { this.left = left; this.right = right; }
    }
    static Object fixed;

    static long fields(int turns) {
        Node n = new Node(null, null), a = new Node(null, null), b = new Node(null, null);
        for (int i = 0; i < turns; i++) {
            n.left = a;
            n.right = b;
            n.left = b;
            n.right = a;
        }
        return n.left == b ? 1 : 0;
    }
    static long statics(int turns) {
        Object a = "a", b = "b";
        for (int i = 0; i < turns; i++) {
            fixed = a;
            fixed = b;
            fixed = a;
            fixed = b;
        }
        return fixed == b ? 1 : 0;
    }
    static long elements(int turns) {
        Object[] a = new Object[1024];
        Object x = "x";
        for (int i = 0; i < turns; i++) {
            a[i & 1023] = x;
            a[i + 1 & 1023] = x;
        }
        return a.length;
    }
    static long copies(int turns) {
        Object[] a = new Object[256], b = new Object[256];
        for (int i = 0; i < turns; i++) System.arraycopy(a, i & 127, b, i & 63, 100);
        return b.length;
    }
    static long atomics(int turns) {
        AtomicReference<Object> r = new AtomicReference<>();
        for (int i = 0; i < turns; i++) r.set(r.get() == null ? "x" : null);
        return r.get() == null ? 0 : 1;
    }
    static Node tree(int depth) {
        return depth == 0 ? new Node(null, null) : new Node(tree(depth - 1), tree(depth - 1));
    }
    static long trees(int turns) {
        long n = 0;
        for (int i = 0; i < turns; i++) n += tree(10).left != null ? 1 : 0;
        return n;
    }
    static long sorting(int turns) {
        List<Integer> list = new ArrayList<>();
        for (int i = 0; i < 1000; i++) list.add(i);
        Random random = new Random(1);
        for (int i = 0; i < turns; i++) {
            Collections.shuffle(list, random);
            Collections.sort(list);
        }
        return list.get(500);
    }
    static long maps(int turns) {
        Map<Integer, Object> map = new HashMap<>();
        for (int i = 0; i < turns; i++) {
            map.put(i * 7 & 4095, "x");
            if ((i & 3) == 0) map.remove(i * 3 & 4095);
        }
        return map.size();
    }

    static final Map<String, Kernel> KERNELS = new java.util.LinkedHashMap<>();
    static {
        KERNELS.put("putfield", Stores::fields);
        KERNELS.put("putstatic", Stores::statics);
        KERNELS.put("aastore", Stores::elements);
        KERNELS.put("arraycopy", Stores::copies);
        KERNELS.put("atomics", Stores::atomics);
        KERNELS.put("trees", Stores::trees);
        KERNELS.put("sorting", Stores::sorting);
        KERNELS.put("maps", Stores::maps);
    }

    public static void main(String[] args) {
        if (args.length == 0) System.out.println(String.join(" ", KERNELS.keySet()));
        else System.out.println(KERNELS.get(args[0]).run(Integer.parseInt(args[1])));
    }
}
