/**
 * What tests/embed/exits.c calls: Java frames above native code that ends its thread, and daemon threads in raw
 * monitors.
 */
public class Exits {
    static native void leave();
    static native void leaveWith(long a1, long a2, long a3, long a4, long a5, long a6, long a7, long a8, double d);
    static native void stay();
    static native void enterHeld();
    static native void waitInWaited();

    static void leaveWithin(Object monitor) {
        synchronized (monitor) {
            leave();
        }
    }

    static void leaveWithArguments(Object monitor) {
        synchronized (monitor) {
            leaveWith(1, 2, 3, 4, 5, 6, 7, 8, 9);
        }
    }

    static class Base {
    }

    static class Derived extends Base {
    }

    /** Another one each time: it defines Derived itself, and the thread ends in the loading of what Derived extends. */
    static class Loader extends ClassLoader {
        Loader() {
            super(Exits.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.equals("Exits$Base")) leave();
            return super.loadClass(name, resolve);
        }

        void define() throws java.io.IOException {
            try (java.io.InputStream in = Exits.class.getResourceAsStream("Exits$Derived.class")) {
                byte[] bytes = in.readAllBytes();
                defineClass("Exits$Derived", bytes, 0, bytes.length);
            }
        }
    }

    static void leaveInLoader(Object monitor) throws java.io.IOException {
        synchronized (monitor) {
            new Loader().define();
        }
    }

    static volatile Object sink;

    static void collectAndLoad() throws Exception {
        System.gc();
        Object[] many = new Object[1000];
        for (int i = 0; i < 1000; i++) many[i] = new byte[100];
        sink = many;
        System.gc();
        Class<?> c = new ClassLoader(null) { }.loadClass("java.util.Locale");
        sink = java.lang.reflect.Array.newInstance(c, 1);
    }

    static void stayWithin(Object monitor) {
        synchronized (monitor) {
            stay();
        }
    }

    static int join(Thread t) throws InterruptedException {
        t.join();
        return t.isAlive() ? 1 : 0;
    }

    static int startAndJoin(Object monitor) throws InterruptedException {
        Thread t = new Thread(() -> leaveWithin(monitor));
        t.start();
        return join(t);
    }

    private static void daemon(Runnable body) {
        Thread t = new Thread(body);
        t.setDaemon(true);
        t.start();
    }

    static void enterAsDaemon() {
        daemon(Exits::enterHeld);
    }

    static void waitAsDaemon() {
        daemon(Exits::waitInWaited);
    }
}
