import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;

/** Defines a class in a loader of its own for each line that it reads, and collects until that loader is gone. */
public class Unloading {
    public static class Short {
        static final String NAME = "short-lived";
    }

    static class Loader extends ClassLoader {
        @Override protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals("Unloading$Short")) return super.loadClass(name, resolve);
            try (InputStream in = Unloading.class.getResourceAsStream("Unloading$Short.class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    static WeakReference<ClassLoader> use(ReferenceQueue<ClassLoader> gone) throws ReflectiveOperationException {
        ClassLoader loader = new Loader();
        Class<?> c = Class.forName("Unloading$Short", true, loader);
        if (c == Short.class || c.getClassLoader() != loader) throw new AssertionError(c);
        return new WeakReference<>(loader, gone);
    }

    public static void main(String[] args) throws Exception {
        ReferenceQueue<ClassLoader> gone = new ReferenceQueue<>();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        System.out.println("open");
        for (String line; (line = in.readLine()) != null; ) {
            WeakReference<ClassLoader> loader = use(gone);
            while (gone.poll() == null) {
                System.gc();
                new Object().hashCode();
            }
            System.out.println("unloaded after " + line + ": " + (loader.get() == null));
        }
        System.out.println("closed");
    }
}
