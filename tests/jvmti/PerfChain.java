/* Computes as many times as the first argument says, nearly all the time in a method that others call in a row. */
public class PerfChain {
    interface Middle { int middle(int n); }

    static class Own implements Middle {
        public synchronized int middle(int n) { return inner(n) + 1; }
    }

    static int sum;

    static int inner(int n) {
        int s = n;
        for (int i = 0; i < 100_000; i++) s = s * 31 + (s >>> 7 ^ i);
        return s;
    }

    static int outer(Middle m, int n) { return m.middle(n) + 2; }

    static void turns(int count) {
        Middle own = new Own();
        for (int i = 0; i < count; i++) sum += outer(own, sum);
    }

    public static void main(String[] args) {
        turns(1);                                // resolves what it names
        turns(Integer.parseInt(args[0]));
        System.out.println(sum != 0);
    }
}
