// Thread.stop, suspend and resume, which 17 still has: ThreadDeath unwinds, monitors are released, suspended threads
// stand still.
public class StopAndSuspend {
    static volatile long counter;
    static final Object lock = new Object();
    static volatile boolean entered;

    @SuppressWarnings({"deprecation", "removal"})
    public static void main(String[] args) throws Exception {
        Thread spin = new Thread(() -> {
            try {
                for (;;) counter++;
            } finally {
                System.out.println("finally of the stopped thread");
            }
        });
        spin.start();
        while (counter == 0) Thread.onSpinWait();
        spin.suspend();
        long seen = counter;
        for (int i = 0; i < 100; i++) Thread.yield();
        System.out.println((counter == seen) + " " + spin.isAlive());
        spin.resume();
        while (counter == seen) Thread.onSpinWait();
        spin.stop();
        spin.join();
        System.out.println(spin.isAlive() + " " + spin.getState());
        Thread holder = new Thread(() -> {
            synchronized (lock) {
                entered = true;
                for (;;) Thread.onSpinWait();
    }
});
holder.start();
while (!entered) Thread.onSpinWait();
holder.stop();
synchronized (lock) { System.out.println("monitor is free again"); }
holder.join();
        Thread waiter = new Thread(() -> {
            synchronized (lock) {
                try {
                    lock.wait();
        }
        catch (ThreadDeath d) {
            System.out.println("death in wait " + Thread.holdsLock(lock));
            throw d;
        }
        catch (InterruptedException e) {
            System.out.println("interrupted");
        }
        }
        });
        waiter.start();
        while (waiter.getState() != Thread.State.WAITING) Thread.onSpinWait();
        waiter.stop();
        waiter.join();
        Thread early = new Thread(() -> System.out.println("must not run"));
        early.stop();
        early.start();
        early.join();
        try {
            Thread.currentThread().stop();
        } catch (ThreadDeath d) {
            System.out.println(d);
        }
        }
        }
