// Five million live objects of mixed classes and sizes, for the histogram benchmark. Argument: how many, in thousands.
import java.util.ArrayList;
import java.util.List;

public class Objects {
    static final class Small { int a; }
    static final class Pair { Object left, right; Pair(Object l, Object r) { left = l; right = r; } }
    static final class Wide { long a, b, c; Object next; }

    static Object[] kept;

    public static void main(String[] args) {
        int groups = Integer.parseInt(args[0]) * 1000 / 10;
        kept = new Object[groups];
        for (int i = 0; i < groups; i++) {
            List<Object> list = new ArrayList<>(4);                              // with its array: 2
            Wide wide = new Wide();                                              // 3
            wide.next = new Small();                                             // 4
            list.add(new Pair(new Small(), new Pair(null, wide)));               // 7
            list.add(new int[i % 7]);                                            // 8
            list.add(new String(new char[] { (char) ('a' + i % 26), 'b' }));     // 10 with its bytes
            kept[i] = list;
        }
        System.out.println(groups);
    }
}
