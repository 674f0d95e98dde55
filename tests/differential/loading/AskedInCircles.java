// A class loader that is not parallel capable, and wants from the VM the class that it is asked for: a
// ClassCircularityError, whether a constant-pool entry asks or Class.forName.
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.Callable;

public class AskedInCircles {
    public static class Asker implements Callable<Class<?>> {
        @Override
        public Class<?> call() { return Target.class; }
    }

    public static class Target { }

    static class Loader extends ClassLoader {
        final boolean byName;
        Callable<Class<?>> asker;
        int depth;

        Loader(boolean byName) {
            super(AskedInCircles.class.getClassLoader());
            this.byName = byName;
        }

        Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.equals(Asker.class.getName())) return define(name);
            if (!name.equals(Target.class.getName())) return super.loadClass(name, resolve);
            System.out.println("  asked, depth " + depth);
            if (depth++ > 0) return define(name);
            try {
                System.out.println("  inside: " + (byName ? Class.forName(name, false, this) : asker.call()).getName());
            } catch (Throwable t) {
                System.out.println("  inside: " + t);
            }
            Class<?> found = findLoadedClass(name);
            return found != null ? found : define(name);
        }
    }

    @SuppressWarnings("unchecked")
    static void ask(boolean byName) throws Exception {
        System.out.println(byName ? "by name" : "by constant");
        Loader loader = new Loader(byName);
        loader.asker = (Callable<Class<?>>) loader.loadClass(Asker.class.getName()).getConstructor().newInstance();
        for (int i = 0; i < 2; i++) {
            try {
                Class<?> found = loader.asker.call();
                System.out.println("  " + found.getName() + ", of the loader: " + (found.getClassLoader() == loader));
            } catch (Throwable t) {
                System.out.println("  " + t);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        ask(false);
        ask(true);
    }
}
