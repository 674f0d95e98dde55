/* How deep a recursion gets before its StackOverflowError; the second time everything is compiled and resolved. */
public class CompiledDepth {
    static int depth;

    static void down(long a, Object b) {
        depth++;
        down(a + 1, b);
    }

    static void reach() {
        depth = 0;
        try {
            down(1, "b");
        } catch (StackOverflowError e) {
            return;
        }
    }

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(null, () -> { reach(); reach(); }, "deep", 512 * 1024);
        t.start();
        t.join();
        System.out.println(depth);
    }
}
