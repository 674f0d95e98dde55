// Soft, weak and phantom references, queues, refersTo, clear and enqueue, WeakHashMap and reachability fences.
import java.lang.ref.*;
import java.util.WeakHashMap;

public class ReferenceKinds {
    static Object strong = new Object();
    static boolean gcUntil(java.util.function.BooleanSupplier done) {
        for (int i = 0; i < 2000; i++) {
            if (done.getAsBoolean()) return true;
            System.gc();
        }
        return false;
    }
    static class Chain {
        Chain next;
        byte[] load = new byte[100];
    }
    static WeakReference<Chain> chain(int n) {
        Chain c = null;
        for (int i = 0; i < n; i++) {
            Chain d = new Chain();
            d.next = c;
            c = d;
        }
        return new WeakReference<>(c);
    }
    static SoftReference<Object> soft() { return new SoftReference<>(new byte[1000]); }

    public static void main(String[] args) throws Exception {
        ReferenceQueue<Object> q = new ReferenceQueue<>();
        Object[] referents = {new Object(), new Object()};
        WeakReference<Object> w = new WeakReference<>(referents[0], q);
        PhantomReference<Object> p = new PhantomReference<>(referents[1], q);
        System.out.println(w.get() != null && p.get() == null);
        System.out.println(p.refersTo(null) + " " + w.refersTo(strong));
        Reference.reachabilityFence(referents);
        referents = null;
        System.out.println(gcUntil(() -> w.refersTo(null) && p.refersTo(null)));
        Reference<?> a = q.remove(), b = q.remove();
        System.out.println(((a == w && b == p) || (a == p && b == w)) + " " + q.poll() + " " + w.get());
        WeakReference<Object> s = new WeakReference<>(strong, q);
        System.gc();
        System.out.println((s.get() == strong) + " " + s.refersTo(strong) + " " + s.enqueue() + s.enqueue() + " "
                           + (q.poll() == s) + " " + s.get());
        WeakReference<Object> c = new WeakReference<>(strong, q);
        c.clear();
        System.out.println(c.get() + " " + c.enqueue());
        SoftReference<Object> soft = soft();
        System.gc();
        System.out.println(soft.get() != null);
        System.out.println(gcUntil(() -> {
            WeakReference<Chain> r = chain(10000);
            System.gc();
            return r.get() == null;
        }));
        WeakHashMap<Object, String> map = new WeakHashMap<>();
        map.put(strong, "kept");
        for (int i = 0; i < 100; i++) map.put(new Object(), "lost");
        System.out.println(gcUntil(() -> map.size() == 1) + " " + map.get(strong));
        ReferenceQueue<Object> q2 = new ReferenceQueue<>();
        System.out.println(q2.poll() + " " + q2.remove(1));
        WeakReference<Object> noQueue = new WeakReference<>(new Object());
        System.out.println(gcUntil(() -> noQueue.get() == null) + " " + noQueue.enqueue());
        Object fenced = new Object();
        WeakReference<Object> f = new WeakReference<>(fenced);
        System.gc();
        System.out.println(f.get() != null);
        Reference.reachabilityFence(fenced);
        WeakReference<String> lit = new WeakReference<>("literal stays");
        System.gc();
        System.out.println(lit.get());
        WeakReference<Class<?>> k = new WeakReference<>(ReferenceKinds.class);
        System.gc();
        System.out.println(k.get());
        ThreadLocal<Object> tl = ThreadLocal.withInitial(Object::new);
        WeakReference<Object> held = new WeakReference<>(tl.get());
        System.gc();
        System.out.println(held.get() == tl.get());
        try {
            q2.remove(-1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        Thread waiter = new Thread(() -> {
            try {
                q2.remove();
            } catch (InterruptedException e) {
                System.out.println("interrupted");
            }
        });
        waiter.start();
        while (waiter.getState() != Thread.State.WAITING) Thread.onSpinWait();
        waiter.interrupt();
        waiter.join();
    }
}
