// Something for each kind of profile, with names that mean something to HTML and JavaScript. Prints "ready" and spins
// until a line arrives on standard input; prints "idle" and waits until its end. Argument "end": does not spin or
// wait.
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;

class Plain_____ {
    static Object make() { return new Plain_____(); }
}

public class Pages {
    static final String THREAD = "</script><img src=x onerror=alert(1)>;&amp;\"'\\u0041 \u00e9\u2028\ud83d\ude00<!--";
    static final String CLASS = "Evil<b>&\"'";
    static class Item { long a, b; }
    static class Gate { }

    static final Gate gate = new Gate();
    static Object[] kept = new Object[25];
    static volatile long sink;

    static void hot(int n) { for (int i = 0; i < n; i++) sink += i; }
    static void warm(int n) { for (int i = 0; i < n; i++) sink += i; }
    /* In a hidden class. */
    static final Runnable lambda = () -> warm(100_000);
    static void gr\u00f6\u00dfe() { hot(300_000); lambda.run(); }
    static void allocate(int from, int to) { for (int i = from; i < to; i++) kept[i] = new Item(); }
    static void recurse(int n) { if (n > 0) recurse(n - 1); else allocate(0, 10); }

    static void inThread() {
        allocate(10, 20);
        synchronized (gate) { sink++; }
    }

    /* A class with a name that no Java source can give it. */
    static void evil() throws Exception {
        byte[] bytes;
        try (InputStream in = Pages.class.getResourceAsStream("Plain_____.class")) { bytes = in.readAllBytes(); }
        String text = new String(bytes, StandardCharsets.ISO_8859_1).replace("Plain_____", CLASS);
        var make =
            MethodHandles.lookup().defineClass(text.getBytes(StandardCharsets.ISO_8859_1)).getDeclaredMethod("make");
        make.setAccessible(true);
        for (int i = 20; i < 25; i++) kept[i] = make.invoke(null);
    }

    static void contend() throws Exception {
        Thread t = new Thread(Pages::inThread, THREAD);
        synchronized (gate) {
            t.start();
            while (t.getState() != Thread.State.BLOCKED) Thread.sleep(1);
        }
        t.join();
    }

    public static void main(String[] args) throws Exception {
        recurse(3);
        evil();
        contend();
        if (args.length > 0 && args[0].equals("end")) return;
        System.out.println("ready");
        while (System.in.available() == 0) gr\u00f6\u00dfe();
        System.in.read();
        System.out.println("idle");
        while (System.in.read() >= 0) continue;
    }
}
