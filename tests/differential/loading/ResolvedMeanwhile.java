// A class loader that runs code of the very class that asks it: the code resolves the same constant-pool entry, which
// stays resolved when the loader then throws a LinkageError (JVMS 5.4.3), but what else it throws is thrown.
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Supplier;

public class ResolvedMeanwhile {
    public static class Asker implements Supplier<Class<?>> {
        @Override
        public Class<?> get() { return Target.class; }
    }

    public static class Target { }

    static class Loader extends ClassLoader {
        static { registerAsParallelCapable(); }          // for others it is a circle

        final Supplier<? extends Throwable> thrown;
        Supplier<Class<?>> asker;
        boolean inside, again;

        Loader(Supplier<? extends Throwable> thrown) {
            super(ResolvedMeanwhile.class.getClassLoader());
            this.thrown = thrown;
        }

        Class<?> define(String name) {
            try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        @SuppressWarnings("unchecked")
        static <T extends Throwable> void sneak(Throwable t) throws T { throw (T) t; }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.equals(Asker.class.getName())) return define(name);
            if (!name.equals(Target.class.getName())) return super.loadClass(name, resolve);
            if (again) System.out.println("  asked again");
            if (inside) return define(name);
            inside = true;
            System.out.println("  inside: " + asker.get().getName());
            inside = false;
            again = true;
            if (thrown == null) return define(name);     // a second time
            Loader.<RuntimeException>sneak(thrown.get());
            return null;
        }
    }

    static void ask(String what, Supplier<? extends Throwable> thrown) throws Exception {
        System.out.println(what);
        Loader loader = new Loader(thrown);
        @SuppressWarnings("unchecked")
        Supplier<Class<?>> asker = (Supplier<Class<?>>) loader.loadClass(Asker.class.getName()).getConstructor()
            .newInstance();
        loader.asker = asker;
        for (int i = 0; i < 2; i++) {
            try {
                Class<?> found = asker.get();
                System.out.println("  " + found.getName() + ", of the loader: " + (found.getClassLoader() == loader));
            } catch (Throwable t) {
                System.out.println("  " + t.getClass().getName());
            }
        }
    }

    public static void main(String[] args) throws Exception {
        ask("defined twice", null);
        ask("LinkageError", () -> new LinkageError("thrown"));
        ask("NoClassDefFoundError", () -> new NoClassDefFoundError("thrown"));
        ask("ClassNotFoundException", () -> new ClassNotFoundException("thrown"));
        ask("IllegalStateException", () -> new IllegalStateException("thrown"));
        ask("InternalError", () -> new InternalError("thrown"));
    }
}
