// Known (tests/hprof) and more: collections, references, threads that hold objects in their frames. Prints "ready"
// and waits for the end of its input.
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.concurrent.CountDownLatch;

public class Population {
    enum Colour { RED, GREEN { } }
    static class Node { Node left, right; int depth; Node(int d) { depth = d; } }
    class Inner { String name = "inner " + Population.this.tag; }
    static class Local { final int depth; Local(int d) { depth = d; } }
    static class Garbage { byte[] bytes = new byte[100]; Garbage other; }
    static class Tall extends Node { Object top; Tall() { super(-1); } }

    String tag = "outer";
    static ArrayList<String> names = new ArrayList<>();
    static LinkedHashMap<String, Object> map = new LinkedHashMap<>();
    static Node tree;
    static Population outer = new Population();
    static Inner inner = outer.new Inner();
    static Object strong = new Tall();
    static WeakReference<Object> weak = new WeakReference<>(strong);
    static SoftReference<Object> soft = new SoftReference<>(new Tall());
    static Colour[] colours = Colour.values();
    static Object[][] nested = {{1, 2L, 'c', 1.5, null}, {}, null, {new Object[] {"deep"}}};
    static final String CONSTANT = "constant", WIDE = "\u20ac\ud83d\ude00";
    static final Object lock = new Object();
    static final CountDownLatch started = new CountDownLatch(2);

    static Node grow(int depth) {
        Node n = new Node(depth);
        if (depth > 0) { n.left = grow(depth - 1); n.right = grow(depth - 1); }
        return n;
    }

    static int hold(int depth) throws InterruptedException {
        Local mine = new Local(depth);
        if (depth > 0) return hold(depth - 1) + mine.depth;
        synchronized (lock) {
            started.countDown();
            lock.wait();
        }
        return mine.depth;
    }

    static void litter(int n) {
        for (Garbage last = null; n > 0; n--) { Garbage g = new Garbage(); g.other = last; last = g; }
    }

    static void begin(String name, int depth) {
        Thread t = new Thread(() -> { try { hold(depth); } catch (InterruptedException e) { } }, name);
        t.setDaemon(true);
        t.start();
    }

    // In a thread that is gone afterwards: no word on a living stack can keep what is garbage then.
    static void apart(Runnable body) throws InterruptedException {
        Thread t = new Thread(body);
        t.start();
        t.join();
    }

    static void known() {
        try {
            Known.main(new String[] {"end"});
        } catch (Exception e) {
            throw new Error(e);
        }
    }

    public static void main(String[] args) throws Exception {
        apart(Population::known);
        apart(() -> litter(50));
        for (int i = 0; i < 5; i++) { names.add("name " + i); map.put("key " + i, new Node(i)); }
        tree = grow(6);
        begin("holder", 3);
        begin("other", 1);
        started.await();
        synchronized (lock) { }                 // both wait now
        Local own = new Local(-1);
        System.out.println("ready");
        while (System.in.read() >= 0) { }
        System.out.println("end " + own.depth);
    }
}
