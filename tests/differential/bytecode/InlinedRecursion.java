// Methods that call each other until the stack is deep, some of them built into those that call them: what they return,
// and what they throw, comes back through all of them, wherever engines have changed on the way.
public class InlinedRecursion {
    static final int DEPTH = 3000, STACK = 16 << 20;

    static int even(int n, int x) { return n == 0 ? x : 3 * odd(n - 1, leaf(x) + 1) + n; }
    static int odd(int n, int x) { return n == 0 ? -x : middle(n - 1, leaf(x) ^ n) - n; }
    static int middle(int n, int x) { return n == 0 ? 2 * x : even(n - 1, x) + half(n, x); }
    static int half(int n, int x) { return (n & 1) == 0 ? x / 2 : leaf(n) + x; }
    /** Is not built into what calls it. */
    static int leaf(int n) { return n + new int[] {n}.length; }

    static int thrown(int n) {
        if (n == 0) throw new IllegalStateException("at the end");
        return leaf(n) + pass(n - 1);
    }
    static int pass(int n) { return leaf(n) + thrown(n); }

    static int catching(int n) {
        try {
            return thrown(n);
        } catch (IllegalStateException e) {
            return n + e.getMessage().length();
        }
    }

    public static void main(String[] arguments) throws Exception {
        Thread deep = new Thread(null, () -> {
            long sum = 0;
            for (int i = 0; i < 400; i++) sum = 31 * sum + even(i % 40, i) + catching(i % 40);
            System.out.println(sum);
            for (int i = 0; i < 20; i++) sum = 31 * sum + even(DEPTH + i, i) + catching(DEPTH + i);
            System.out.println(sum);
        }, "deep", STACK);
        deep.start();
        deep.join();
    }
}
