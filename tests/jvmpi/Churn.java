import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;

/** Threads that come and go, contend, make garbage and classes: material for the account of ids (tests/agents/profiler_ids.c). */
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
