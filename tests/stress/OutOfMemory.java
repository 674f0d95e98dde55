// OutOfMemoryError of every kind, and life afterwards: `java OutOfMemory <kind>...`.
import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.HashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

public class OutOfMemory {
    static Object sink;

    static void heap() {
        List<Object> all = new LinkedList<>();
        while (true) all.add(new int[100]);
    }

    static void small() {
        Object[] last = null;
        while (true) last = new Object[]{last};
    }

    static void large() {
        List<byte[]> all = new ArrayList<>();
        while (true) all.add(new byte[3_000_000]);
    }

    static void strings() {
        StringBuilder b = new StringBuilder("x");
        while (true) b.append(b);
    }

    static void maps() {
        Map<Integer, String> map = new HashMap<>();
        for (int i = 0;; i++) map.put(i, "value " + i);
    }

    static void huge() { sink = new long[Integer.MAX_VALUE - 2]; }

    static void array() { sink = new int[Integer.MAX_VALUE]; }

    static void arrays() { sink = new int[50_000][50_000]; }

    static void cloned() {
        byte[] half = new byte[(int) (Runtime.getRuntime().maxMemory() * 6 / 10)];
        sink = half.clone();
    }

    /** A stack larger than the address space. */
    static void stack() { new Thread(null, () -> {}, "big", 1L << 46).start(); }

    /** Threads until the system has no more; all of them end in good order. */
    static void threads() throws InterruptedException {
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger ended = new AtomicInteger();
        List<Thread> started = new ArrayList<>();
        try {
            while (true) {
                Thread t = new Thread(null, () -> {
                    try {
                        go.await();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                    ended.incrementAndGet();
                }, "many", 64 << 20);
                t.start();
                started.add(t);
            }
        } finally {
            go.countDown();
            for (Thread t : started) t.join();
            if (ended.get() != started.size() || started.isEmpty())
                throw new AssertionError(ended + " of " + started.size());
        }
    }

    /** The error strikes in many threads at once. */
    static void everywhere() throws InterruptedException {
        AtomicInteger caught = new AtomicInteger();
        Thread[] all = new Thread[8];
        for (int i = 0; i < all.length; i++) {
            all[i] = new Thread(() -> {
                try {
                    small();
                } catch (OutOfMemoryError e) {
                    caught.incrementAndGet();
                }
            });
            all[i].start();
        }
        for (Thread t : all) t.join();
        if (caught.get() != all.length) throw new AssertionError(caught);
        throw new OutOfMemoryError("caught by all");
    }

    static void cause(String kind) throws Exception {
        switch (kind) {
            case "heap" -> heap();
            case "small" -> small();
            case "large" -> large();
            case "strings" -> strings();
            case "maps" -> maps();
            case "huge" -> huge();
            case "array" -> array();
            case "arrays" -> arrays();
            case "clone" -> cloned();
            case "stack" -> stack();
            case "threads" -> threads();
            case "everywhere" -> everywhere();
            default -> throw new IllegalArgumentException(kind);
        }
    }

    public static void main(String[] args) throws Exception {
        for (String kind : args) {
            try {
                cause(kind);
            } catch (OutOfMemoryError e) {
                StackTraceElement[] trace = e.getStackTrace();
                System.out.println(kind + ": " + e.getMessage() + " " + (trace.length > 0) + " "
                                   + (e.getSuppressed().length == 0) + " " + e.getCause());
            }
            // Everything works again, and the heap can be filled to three quarters.
            List<byte[]> room = new ArrayList<>();
            for (long free = Runtime.getRuntime().maxMemory() * 6 / 10; free > 0; free -= 100_000)
                room.add(new byte[100_000]);
            String text = String.format("%s after %d blocks", kind, room.size());
            Thread t = new Thread(() -> System.out.println(text));
            t.start();
            t.join();
        }
    }
}
