// Monitors that are contended a known number of times. Arguments: "end", or "wait": one thread keeps a monitor, one
// waits to enter it, one waits to be notified on another, one sleeps, one runs with its interrupt pending; prints
// "ready" and lets go when a line arrives on standard input.
public class Contended {
    static class Gate { }
    static class Bell { }
    static final Gate gate = new Gate();
    static final Bell bell = new Bell();

    static void enter() { synchronized (gate) { gate.hashCode(); } }

    static void until(Thread t, Thread.State state) throws InterruptedException {
        while (t.getState() != state) Thread.sleep(1);
    }

    static void contend(int n) throws InterruptedException {
        Thread t = new Thread(Contended::enter, "enterer-" + n);
        synchronized (gate) {
            t.start();
            until(t, Thread.State.BLOCKED);
        }
        t.join();
    }

    static void await() {
        synchronized (bell) {
            try { bell.wait(); } catch (InterruptedException e) { }
        }
    }

    static volatile boolean running, stop;

    static void sleep() {
        try { Thread.sleep(Long.MAX_VALUE); } catch (InterruptedException e) { }
    }

    static void run() {
        Thread.currentThread().interrupt();
        running = true;
        while (!stop) { }
    }

    static void hold() throws Exception {
        Thread sleeping = new Thread(Contended::sleep, "sleeping"), interrupted =
                                                                        new Thread(Contended::run, "interrupted");
        sleeping.start();
        interrupted.start();
        until(sleeping, Thread.State.TIMED_WAITING);
        while (!running) Thread.sleep(1);
        Thread entering = new Thread(Contended::enter, "entering"), waiting = new Thread(Contended::await, "waiting");
        synchronized (gate) {
            synchronized (gate) {
                entering.start();
                waiting.start();
                until(entering, Thread.State.BLOCKED);
                until(waiting, Thread.State.WAITING);
                System.out.println("ready");
                System.in.read();
            }
        }
        synchronized (bell) { bell.notifyAll(); }
        stop = true;
        sleeping.interrupt();
        sleeping.join();
        interrupted.join();
        entering.join();
        waiting.join();
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 7; i++) contend(i);
        if (args[0].equals("wait")) hold();
    }
}
