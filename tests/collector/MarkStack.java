// A graph in which marking meets far more objects than its work lists may hold: `java MarkStack COUNT`.
// tests/command/mark_stack.py runs it.
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

public class MarkStack {
    static final class Node {
        final int number;
        Node left, right;
        Object[] more;
        Node(int number) { this.number = number; }
    }

    static Object[] kept;

    /** Nodes that refer to others near and far, one array of all, arrays of many; and a list as long as all. */
    static void build(int count) {
        Random random = new Random(5);
        Node[] nodes = new Node[count];
        for (int i = 0; i < count; i++) nodes[i] = new Node(i);
        for (int i = 0; i < count; i++) {
            nodes[i].left = nodes[random.nextInt(count)];
            nodes[i].right = nodes[Math.min(count - 1, i + random.nextInt(5000))];
            if (i % 1000 != 0) continue;
            nodes[i].more = new Object[5000];
            for (int k = 0; k < 5000; k++) nodes[i].more[k] = k % 2 == 0 ? new int[] {k} : nodes[random.nextInt(count)];
        }
        Node list = null;
        for (int i = 0; i < count; i++) {
            Node next = new Node(i);
            next.left = list;
            list = next;
        }
        kept = new Object[] {nodes, list};
    }

    static long sum() {
        long sum = 0;
        for (Node n : (Node[]) kept[0]) {
            sum = sum * 31 + n.number + 7L * n.left.number + 3L * n.right.number;
            if (n.more == null) continue;
            for (Object o : n.more) sum = sum * 31 + (o instanceof int[] a ? a[0] : ((Node) o).number);
        }
        for (Node n = (Node) kept[1]; n != null; n = n.left) sum = sum * 31 + n.number;
        return sum;
    }

    public static void main(String[] args) {
        int count = Integer.parseInt(args[0]);
        build(count);
        long before = sum();
        List<WeakReference<Object>> live = new ArrayList<>(), dead = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            live.add(new WeakReference<>(((Node[]) kept[0])[i * (count / 1000)]));
            dead.add(new WeakReference<>(new Node(i)));
        }
        for (int round = 0; round < 2; round++) {
            System.gc();
            long cleared = live.stream().filter(r -> r.get() == null).count();
            long gone = dead.stream().filter(r -> r.get() == null).count();
            System.out.println("whole: " + (sum() == before) + ", cleared: " + cleared + " of the live, "
                               + gone + " of the dead");
        }
    }
}
