// A monitor that has been one thread's alone is wanted by a second one, while a third collects: the owner may leave it,
// and a collection take the record that it had, before the second one is there. `java WantedMeanwhile TIMES`
public class WantedMeanwhile {
    static volatile int held = -1;
    static volatile boolean done;

    public static void main(String[] args) throws Exception {
        Object[] locks = new Object[Integer.parseInt(args[0])];
        for (int i = 0; i < locks.length; i++) locks[i] = new Object();
        Thread owner = new Thread(() -> {
            for (int i = 0; i < locks.length; i++) {
                synchronized (locks[i]) {
                    held = i;
                    for (int k = 0; k < 2000; k++) Thread.onSpinWait();
                }
            }
        });
        Thread collecting = new Thread(() -> { while (!done) System.gc(); });
        owner.start();
        collecting.start();
        for (int i = 0; i < locks.length; i++) {
            while (held < i) Thread.onSpinWait();
            synchronized (locks[i]) {
                if (Thread.holdsLock(locks[i])) continue;
                System.out.println("entered, and not held: " + i);
                Runtime.getRuntime().halt(1);        // leaving it would throw, in a handler that covers itself
            }
        }
        owner.join();
        done = true;
        collecting.join();
        System.out.println("entered: " + locks.length);
    }
}
