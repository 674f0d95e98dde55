// Classes that come and go: loads a class in a loader of its own, prints "ready" and waits for a line, drops it until
// it is unloaded, prints
// "ready" again, loads classes in a thread until the next line arrives.
import java.io.InputStream;
import java.lang.ref.WeakReference;

public class Unloading {
    public static class Passing { static int n = 5; int m = 6; public Passing[] row = new Passing[2]; }

    static class Own extends ClassLoader {
        Class<?> load(String name) throws Exception {
            try (InputStream in = Unloading.class.getResourceAsStream(name + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            }
        }
    }

    static Object passing;
    static volatile Object latest;
    static volatile boolean stop;

    static void load() throws Exception {
        passing = new Own().load("Unloading$Passing").getDeclaredConstructor().newInstance();
    }

    public static void main(String[] args) throws Exception {
        load();
        System.out.println("ready");
        System.in.read();
        WeakReference<Class<?>> gone = new WeakReference<>(passing.getClass());
        passing = null;
        while (gone.get() != null) System.gc();
        Thread loading = new Thread(() -> {
            try {
                while (!stop) latest = new Own().load("Unloading$Passing").getDeclaredConstructor().newInstance();
            } catch (Exception e) {
                e.printStackTrace();
            }
        });
        loading.start();
        while (latest == null) Thread.sleep(1);
        System.out.println("ready");
        System.in.read();
        stop = true;
        loading.join();
    }
}
