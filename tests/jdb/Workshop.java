import java.io.BufferedReader;
import java.io.InputStreamReader;

// For a debugger that attaches. One thread at a time has something to do: it is known which of them meets a breakpoint.
public class Workshop {
    static class Trouble extends RuntimeException {
        Trouble(String message) { super(message); }
    }

    interface Job {
        void run() throws InterruptedException;
    }

    static class Worker extends Thread {
        private Job job;
        volatile boolean begun, finished;

        Worker(String name) { super(name); }

        synchronized void give(Job next) {
            begun = finished = false;
            job = next;
            notifyAll();
        }

        synchronized void await() throws InterruptedException {
            while (job != null) wait();
        }

        @Override public synchronized void run() {
            while (true) {
                try {
                    while (job == null) wait();
                    begun = true;
                    job.run();
                    finished = true;
                } catch (InterruptedException e) {
                    System.out.println(getName() + " interrupted");
                    if (job == null) return;
                } catch (Trouble e) {
                    System.out.println(getName() + " in trouble: " + e.getMessage());
                    if (job == null) return;
                }
                job = null;
                notifyAll();
            }
        }
    }

    static int shared;
    int total;
    int[] parts = {1, 2, 3};

    int add(int a, int b) {
        int sum = a + b;
        total += sum;
        return sum;
    }

    static void fail(int n) {
        if (n > 1) throw new Trouble("n is " + n);
    }

    static void work(Thread other, int n) throws InterruptedException {
        until(other, Thread.State.BLOCKED);
        int p = Prices.price(n);
        System.out.println("price of " + n + ": " + p);
    }

    static void serve(String line) {
        int length = line.length();
        System.out.println("served " + line + ", " + length);
    }

    static void until(Thread thread, Thread.State state) throws InterruptedException {
        while (thread.getState() != state) Thread.sleep(1);
    }

    public static void main(String[] args) throws Exception {
        if (args.length > 0) {
            System.out.println("open");
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
            for (String line; (line = in.readLine()) != null; ) serve(line);
            System.out.println("closed");
            return;
        }
        Workshop shop = new Workshop();
        Worker left = new Worker("left"), right = new Worker("right");
        left.start();
        right.start();
        until(left, Thread.State.WAITING);
        until(right, Thread.State.WAITING);
        int r = shop.add(3, 4);
        System.out.println("sum " + r + ", total " + shop.total + ", part " + shop.parts[1]);
        shared = r;
        int seen = shared;
        try { fail(2); } catch (Trouble e) { System.out.println(e.getMessage()); }
        Thread main = Thread.currentThread();
        left.give(() -> work(main, 21));
        while (!left.begun) Thread.yield();         // it holds its monitor from here on
        left.await();
        right.give(() -> System.out.println("right works"));
        for (int i = 0; i < 1000 && !right.finished; i++) Thread.yield();
        boolean done = right.finished;
        right.await();
        System.out.println("right has " + (done ? "finished" : "not finished"));
        until(left, Thread.State.WAITING);
        until(right, Thread.State.WAITING);
        System.out.println("the end is near");
        right.join();
        left.join();
        System.out.println("end " + seen);
    }
}
