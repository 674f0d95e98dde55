import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntUnaryOperator;

/** A program that knows nothing of aspects; what they do with it is said by tests/aspectj/Watching.java. */
public class Woven {
    static class Account {
        static int opened;
        int balance;
        final String owner;

        Account(String owner) {
            this.owner = owner;
            opened++;
        }

        void deposit(int amount) {
            if (amount < 0) throw new IllegalArgumentException("amount " + amount);
            balance += amount;
        }

        int balance() { return balance; }
        static Account of(String owner) { return new Account(owner); }
        public String toString() { return owner + ":" + balance; }
    }

    static long factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

    static double mixed(byte b, char c, long l, float f, double d, int[] a, String... s) {
        return b + c + l + f + d + a.length + s.length;
    }

    static int outer(int n) { return inner(n) + 1; }
    static int inner(int n) { return n * 10; }

    static String caught(String number) {
        try {
            return "" + Integer.parseInt(number);
        } catch (NumberFormatException e) {
            return "none";
        }
    }

    static synchronized int slow(int n) { return n * n; }

    static void accounts() {
        Account a = Account.of("ann");
        a.deposit(5);
        a.deposit(7);
        try {
            a.deposit(-1);
        } catch (IllegalArgumentException e) {
            System.out.println("thrown: " + e.getMessage());
        }
        System.out.println(a + " " + a.balance() + " " + Account.opened);
        Object o = a;
        System.out.println("mixed in: " + Arrays.toString(Account.class.getInterfaces()) + " "
                           + (o instanceof Comparable));
    }

    static void threads() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(4);
        List<Future<Integer>> results = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            int n = i;
            results.add(pool.submit(() -> slow(n)));
        }
        int sum = 0;
        for (Future<Integer> f : results) sum += f.get();
        pool.shutdown();
        System.out.println("sum " + sum);
    }

    public static void main(String[] args) throws Exception {
        accounts();
        System.out.println(factorial(6));
        System.out.println(mixed((byte) 1, 'a', 3L, 4.5f, 5.25, new int[2], "x", "y", "z"));
        System.out.println(inner(4) + " " + outer(4));
        System.out.println(caught("12") + " " + caught("x"));
        IntUnaryOperator square = n -> slow(n);
        System.out.println(square.applyAsInt(9));
        threads();
        System.out.println(Tally.text());
    }
}
