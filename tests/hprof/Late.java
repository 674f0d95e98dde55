// Loads classes while a heap dump is being made: between the dump's list of classes and its walk
// (tests/agents/late_classes.c calls load() there), and,
// with the argument "threads", in threads that do nothing else. Prints "ready" and waits for a line.
import java.io.InputStream;

public class Late {
    static class Marker {}
    static class Sole { int n = 3; }                      // loaded from the start; its array classes are made in load()

    interface Named { Object TOKEN = new Object(); }
    static class Base implements Named {
        static String label = new String("late");
        static double ratio = 0.75;
        long number = 1L << 40;
        Object link;
    }
    static class Passing extends Base {
        static int n = 5;
        static short s = -2;
        static Object self;
        boolean z = true; byte b = -7; char c = 'q'; short t = -1234; int i = 123456789; float f = 1.5f; double d = 0.1;
        Passing[] row = {this, null};
        short[][][] cube = {{{1, 2}}, {}};
        Object[] empty = new Passing[0][];
        Passing() { self = link = this; }
    }
    // Loaded and not prepared when the classes are listed.
    static class Waiting {
        static int n = 9;
        static Object object = new Object();
        int m = 11;
        Object mine = object;
    }
    // In a loader that is dropped when the classes have been listed. Not instantiated by reflection, whose caches would
    // keep it.
    static class Dropped { static Object[] held = {new Object()}; }

    static class Own extends ClassLoader {
        final int number;
        Own(int number) {
            super(Late.class.getClassLoader());
            this.number = number;
        }
        @Override protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.matches("Late\\$(Named|Base|Passing|Waiting|Dropped)")) return super.loadClass(name, resolve);
            synchronized (getClassLoadingLock(name)) {
                Class<?> known = findLoadedClass(name);
                if (known != null) return known;
                try (InputStream in = Late.class.getResourceAsStream(name + ".class")) {
                    byte[] bytes = in.readAllBytes();
                    return defineClass(name, bytes, 0, bytes.length);
                } catch (java.io.IOException e) {
                    throw new ClassNotFoundException(name, e);
                }
            }
        }
        Object make(String name) throws Exception {
            var constructor = Class.forName(name, true, this).getDeclaredConstructor();
            constructor.setAccessible(true);
            return constructor.newInstance();
        }
    }

    static native void mark(Class<?> of);

    static int loads;
    static Object latest, waiting, dropped, arrays;
    static Own next;
    static volatile Object passing;
    static volatile boolean stop;

    // A loader whose class Waiting is loaded and no more, and a class that will be dropped.
    static void prepare() throws Exception {
        next = new Own(loads + 1);
        Class.forName("Late$Waiting", false, next);
        dropped = Class.forName("Late$Dropped", true, new Own(-1));
    }

    static void load() throws Exception {
        loads++;
        latest = next.make("Late$Passing");
        waiting = next.make("Late$Waiting");
        arrays = java.lang.reflect.Array.newInstance(Sole.class, new int[loads % 200]);
        dropped = null;
    }

    static void loadOnAndOn() {
        try {
            while (!stop) passing = new Own(0).make("Late$Passing");
        } catch (Exception e) {
            e.printStackTrace();
        }
    }

    public static void main(String[] args) throws Exception {
        new Sole();
        prepare();
        Thread[] threads = new Thread[args.length == 0 ? 0 : 3];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(Late::loadOnAndOn);
            threads[i].start();
        }
        while (threads.length > 0 && passing == null) Thread.sleep(1);
        mark(Marker.class);
        System.out.println("ready");
        while (System.in.read() >= 0) {
            prepare();
            System.out.println("prepared");
        }
        stop = true;
        for (Thread t : threads) t.join();
        prepare();                                        // for the dump at the end
    }
}
