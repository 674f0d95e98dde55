// A program of several threads for the debugger. It prints nothing: jdb mixes a program's output with its own.
public class Debuggee {
    static class Trouble extends RuntimeException {
        Trouble(String message) { super(message); }
    }

    int total;
    static int shared;

    int add(int a, int b) {
        int sum = a + b;
        total += sum;
        return sum;
    }

    static void fail(int n) {
        if (n > 1) throw new Trouble("n is " + n);
    }

    static int twice(int n) {
        int r = n * 2;
        return r;
    }

    static void await(Object lock) {
        synchronized (lock) {
            try { lock.wait(); } catch (InterruptedException e) { shared = -1; }
        }
    }

    public static void main(String[] args) throws Exception {
        Debuggee d = new Debuggee();
        Thread worker = new Thread(() -> await(d), "worker");
        worker.start();
        while (worker.getState() != Thread.State.WAITING) Thread.sleep(1);
        int r = d.add(3, 4);
        String text = "r=" + r;
        shared = r;
        try { fail(2); } catch (Trouble e) { shared = 0; }
        r = twice(r);
        synchronized (d) { d.notify(); }
        worker.join();
    }
}
