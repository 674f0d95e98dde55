// Exceptions passing through synchronized methods, reflection, proxies, iterators, class loaders, comparators and
// native frames.
import java.lang.reflect.*;
import java.util.*;
import java.util.concurrent.*;

public class ExceptionsAcrossFrames {
    static class Own extends RuntimeException {
        final int code;
        Own(int code) {
            super("own " + code);
            this.code = code;
        }
    }
    static synchronized void locked(int c) { throw new Own(c); }
    synchronized void lockedInstance(int c) {
        try {
            locked(c);
        } finally {
            if (!Thread.holdsLock(this)) System.out.println("lost the monitor");
        }
    }
    static int nested(int depth, int[] order) {
        try {
            if (depth == 0) throw new Own(depth);
            return nested(depth - 1, order);
        } finally {
            order[0] = order[0] * 10 + depth % 10;
        }
    }
    static class Key implements Comparable<Key> {
        @Override
        public int hashCode() {
            throw new Own(1);
        }
        @Override
        public boolean equals(Object o) {
            throw new Own(2);
        }
        public int compareTo(Key k) { throw new Own(3); }
        @Override
        public String toString() {
            throw new Own(4);
        }
        @Override
        protected Object clone() {
            throw new Own(5);
        }
    }
    static class Loader extends ClassLoader {
        @Override
        protected Class<?> findClass(String n) {
            throw new Own(6);
        }
    }
    interface Action {
        void run() throws Throwable;
    }
    static void t(Action a) {
        try {
            a.run();
            System.out.println("nothing");
        } catch (Own e) {
            System.out.println(e.getMessage() + " from " + e.getStackTrace()[0].getMethodName());
        } catch (Throwable e) {
            System.out.println(e.getClass().getName() + " of " + e.getCause());
        }
    }

    public static void main(String[] args) throws Throwable {
        ExceptionsAcrossFrames x = new ExceptionsAcrossFrames();
        t(() -> locked(0));
        t(() -> x.lockedInstance(7));
        System.out.println(Thread.holdsLock(x) + " " + Thread.holdsLock(ExceptionsAcrossFrames.class));
        int[] order = new int[1];
        t(() -> nested(5, order));
        System.out.println(order[0]);
        t(() -> new HashMap<Key, String>().put(new Key(), "x"));
        t(() -> new TreeMap<>(Map.of()).put(null, null));
        t(() -> {
            TreeSet<Key> s = new TreeSet<>();
            s.add(new Key());
        });
        t(() -> String.valueOf(new Key()));
        t(() -> System.out.println("" + new Key()));
        t(() -> new Key().clone());
        t(() -> Arrays.sort(new Key[] {new Key(), new Key()}));
        t(() -> List.of(new Key()).contains(new Key()));
        t(() -> new ArrayList<>(List.of(1)).forEach(i -> locked(8)));
        t(() -> new Loader().loadClass("any.Thing"));
        t(() -> Class.forName("any.Thing", true, new Loader()));
        Method m = ExceptionsAcrossFrames.class.getDeclaredMethod("locked", int.class);
        t(() -> m.invoke(null, 9));
        Runnable p = (Runnable) Proxy.newProxyInstance(null, new Class<?>[] {Runnable.class},
                                                       (q, mm, a) -> { throw new Own(10); });
        t(p::run);
        Runnable c = (Runnable) Proxy.newProxyInstance(null, new Class<?>[] {Runnable.class},
                                                       (q, mm, a) -> { throw new Exception("checked"); });
        t(c::run);
        t(() -> new FutureTask<>(() -> { throw new Own(11); }) {
            { run(); }
        }.get());
        t(() -> ThreadLocal.withInitial(() -> { throw new Own(12); }).get());
        t(() -> java.security.AccessController.doPrivileged((java.security.PrivilegedAction<Object>) () -> {
            throw new Own(13);
        }));
        t(() -> java.lang.invoke.MethodHandles.lookup().unreflect(m).invoke(14));
        t(() -> new Object() {
            { locked(15); }
        });
        t(() -> {
            class Init {
                static final int V;
                static {
                    V = 1;
                    locked(16);
                }
            }
            System.out.println(Init.V);
        });
        Iterator<Integer> bad = new Iterator<>() {
            int n;
            public boolean hasNext() { return n < 3; }
            public Integer next() {
                if (n++ == 1) throw new Own(17);
                return n;
            }
        };
        Iterable<Integer> it = () -> bad;
        int[] seen = new int[1];
        t(() -> {
            for (int i : it) seen[0] += i;
        });
        System.out.println(seen[0]);
        int loops = 0;
        for (int i = 0; i < 1000; i++) try {
                if (i % 2 == 0)
                    locked(i);
                else
                    nested(i % 7, new int[1]);
            } catch (Own e) {
                loops += e.code;
            }
        System.out.println(loops);
        Thread t = new Thread(() -> {
            try {
                locked(18);
            } finally {
                System.out.println("unwinding " + Thread.holdsLock(ExceptionsAcrossFrames.class));
            }
        });
        t.setUncaughtExceptionHandler((th, e) -> System.out.println("handled " + e.getMessage()));
        t.start();
        t.join();
        try {
            try {
                throw new Own(19);
            } finally {
                locked(20);
            }
        } catch (Own e) {
            System.out.println(e.code + " " + e.getSuppressed().length);
        }
        Throwable[] chain = {new Own(21)};
        for (int i = 0; i < 50; i++) chain[0] = new RuntimeException("wrap", chain[0]);
        int d = 0;
        for (Throwable e = chain[0]; e != null; e = e.getCause()) d++;
        System.out.println(d);
        StackTraceElement[] st = null;
        try {
            rec(3000);
        } catch (Own e) {
            st = e.getStackTrace();
        }
        System.out.println(st.length);
        throw new Own(99);
    }
    static void rec(int n) {
        if (n == 0) locked(22);
        rec(n - 1);
    }
}
