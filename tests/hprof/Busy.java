// Threads that use the processor. Arguments: "lines": main runs a loop of several lines; "fleet": threads come and
// go, each with a class of a loader of its own, and a daemon thread outlives main. Prints "ready", and ends when a
// line arrives on standard input.
import java.io.InputStream;

public class Busy {
    static volatile int sink;

    static int lines(int n) {
        int x = n;
        for (int i = 0; i < n; i++) {
            x = x * 31 + i;                                      // first
            x ^= x >>> 7;                                        // second
            x += x << 3;                                         // third
        }
        return x;
    }

    public static class Passing implements Runnable {
        static volatile int done;

        public void run() { for (int i = 0; i < 50; i++) burn(); }
        static void burn() { for (int i = 0; i < 10_000; i++) done += i; }
    }

    static class Own extends ClassLoader {
        Runnable passing() throws Exception {
            try (InputStream in = Busy.class.getResourceAsStream("Busy$Passing.class")) {
                byte[] bytes = in.readAllBytes();
                return (Runnable) defineClass("Busy$Passing", bytes, 0, bytes.length)
                    .getDeclaredConstructor()
                    .newInstance();
            }
        }
    }

    static void forever() { while (true) sink++; }

    public static void main(String[] args) throws Exception {
        boolean fleet = args[0].equals("fleet");
        if (fleet) {
            Thread daemon = new Thread(Busy::forever, "forever");
            daemon.setDaemon(true);
            daemon.start();
        }
        System.out.println("ready");
        for (int n = 0; System.in.available() == 0; n++) {
            if (!fleet) {
                sink += lines(100_000);
                continue;
            }
            Thread t = new Thread(new Own().passing(), "passing-" + n);
            t.start();
            t.join();
            if (n % 10 == 0) System.gc();
        }
    }
}
