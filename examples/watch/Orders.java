/**
 * Takes orders for some seconds (the argument, 5 if there is none), and says each time how many. After every other
 * second the price is raised: an agent that watches the field `price` sees that, and nothing else.
 */
public class Orders {
    private int price = 100;
    private long earned;

    void take(int quantity) {
        earned += (long) quantity * price;
    }

    void raisePrice() {
        price += 5;
    }

    public static void main(String[] args) {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 5;
        Orders orders = new Orders();
        for (int second = 1; second <= seconds; second++) {
            long taken = 0;
            for (long end = System.nanoTime() + 1_000_000_000L; System.nanoTime() < end; taken += 1000)
                for (int i = 0; i < 1000; i++) orders.take(i & 7);
            System.out.printf("second %d: %,.1f million orders%n", second, taken / 1e6);
            if (second % 2 == 0) orders.raisePrice();
        }
    }
}
