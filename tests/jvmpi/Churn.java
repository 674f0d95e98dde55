import java.io.InputStream;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * Threads that come and go, contend, make garbage and classes: material for the account of ids
 * (tests/agents/profiler_ids.c).
 */
public class Churn {
    static final Object lock = new Object();
    static int shared;

    static class Node {
        Node next;
        int[] payload = new int[5];

        Node(Node next) {
            this.next = next;
        }
    }

    static void work(int n) {
        Node list = null;
        for (int i = 0; i < n; i++) {
            list = new Node(i % 100 == 0 ? null : list);
            if (i % 50 == 0) {
                synchronized (lock) {
                    shared += list.payload.length;
                }
            }
        }
    }

    static void forget(URL here) throws Exception {
        try (URLClassLoader loader = new URLClassLoader(new URL[] {here}, null)) {
            loader.loadClass("Churn$Node");
        }
    }

    static class Awaited {
    }

    /** Defines what another thread looks for meanwhile. */
    static class Eager extends ClassLoader {
        Eager() {
            super(null);
        }

        Class<?> define() throws Exception {
            try (InputStream file = Churn.class.getResourceAsStream("Churn$Awaited.class")) {
                byte[] bytes = file.readAllBytes();
                return defineClass("Churn$Awaited", bytes, 0, bytes.length);
            }
        }

        Class<?> peek() {
            return findLoadedClass("Churn$Awaited");
        }
    }

    static void use(Class<?> c, CountDownLatch both) {
        try {
            Constructor<?> constructor = c.getDeclaredConstructor();
            constructor.setAccessible(true);
            constructor.newInstance();
            both.countDown();
            both.await();
            Array.newInstance(Array.newInstance(c, 1).getClass(), 1);
        } catch (ReflectiveOperationException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** One thread defines a class, another one uses it as soon as it can be found. */
    static void race() throws Exception {
        Eager loader = new Eager();
        CountDownLatch both = new CountDownLatch(2);
        Thread definer = new Thread(() -> {
            try {
                use(loader.define(), both);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        definer.start();
        Class<?> found;
        while ((found = loader.peek()) == null) Thread.onSpinWait();
        use(found, both);
        definer.join();
    }

    public static void main(String[] args) throws Exception {
        URL here = Churn.class.getProtectionDomain().getCodeSource().getLocation();
        for (int round = 0; round < 3; round++) {
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                Thread t = new Thread(() -> work(4000));
                threads.add(t);
                t.start();
            }
            for (Thread t : threads) t.join();
            forget(here);
            race();
            String[][] arrays = new String[3][round + 1];
            System.gc();
            System.gc();
            synchronized (lock) {
                lock.wait(1);
            }
            shared += arrays.length;
        }
        System.out.println("shared " + shared);
    }
}
