// Calls in known numbers: a recursion, exceptions through several frames, threads that come and go. Arguments: "end",
// or "spin": prints
// "ready", and two methods share the processor three to one until a line arrives on standard input.
public class Calls {
    static int leaf(int n) { return n + 1; }
    static int twice(int n) { return leaf(leaf(n)); }
    static int recursive(int n) { return n == 0 ? 0 : recursive(n - 1) + 1; }
    static void raise(int n) { if (n == 0) throw new IllegalStateException(); raise(n - 1); }
    static int catching() {
        try { raise(4); return 0; } catch (IllegalStateException e) { return 1; }
    }
    static void inThread() { for (int i = 0; i < 10; i++) leaf(i); }

    static volatile long sink;
    static void heavy(int n) { for (int i = 0; i < n; i++) sink += i; }
    static void light(int n) { for (int i = 0; i < n; i++) sink += i; }

    static void spin() throws Exception {
        System.out.println("ready");
        while (System.in.available() == 0) round();
    }

    static void round() { heavy(300_000); light(100_000); }

    public static void main(String[] args) throws Exception {
        if (args[0].equals("spin")) {
            Thread sleeper = new Thread(() -> {
                try {
                    Thread.sleep(1_000_000);
                } catch (InterruptedException e) {}
            }, "sleeper");
            sleeper.setDaemon(true);
            sleeper.start();
            spin();
            return;
        }
        for (int i = 0; i < 100; i++) twice(i);
        recursive(50);
        for (int i = 0; i < 3; i++) catching();
        for (int i = 0; i < 20; i++) {
            Thread t = new Thread(Calls::inThread, "short-" + i);
            t.start();
            t.join();
        }
    }
}
