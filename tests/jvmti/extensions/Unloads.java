import java.lang.reflect.Array;

/** With the agent unload_event: classes that go, and the extension event that tells of them. */
public class Unloads {
    /** The interface, the class, and the hidden one of the lambda; arrays are not reported. */
    static final int CLASSES = 3;

    static class Loader extends ClassLoader {
        Loader() { super(null); }
        @Override protected Class<?> findClass(String name) throws ClassNotFoundException {
            try (var in = Unloads.class.getResourceAsStream("/" + name + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (java.io.IOException | NullPointerException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    /** How many events of classes of this program the environment (1 or 2) has had since the last print. */
    static native int seen(int environment);
    /** Prints them in the order of their names, and forgets them. */
    static native void print(int environment);
    static native void listen(int environment, boolean on);

    static void loadAndForget() throws Exception {
        Thread t = new Thread(() -> {
            try {
                Class<?> c = new Loader().loadClass("UnloadsSquare");
                Object[] array = (Object[]) Array.newInstance(c, 1);
                var constructor = c.getDeclaredConstructor();
                constructor.setAccessible(true);
                array[0] = constructor.newInstance();
                ((Runnable) array[0]).run();
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        });
        t.start();
        t.join();
    }

    static void await(int environment) throws Exception {
        while (seen(environment) < CLASSES) {
            System.gc();
            Thread.sleep(1);
        }
    }

    public static void main(String[] args) throws Exception {
        System.out.println("-- by the first, since the OnLoad phase");
        loadAndForget();
        await(1);
        print(1);
        System.out.println("-- by both");
        listen(2, true);
        loadAndForget();
        await(1);
        await(2);
        print(1);
        print(2);
        System.out.println("-- by the second");
        listen(1, false);
        loadAndForget();
        await(2);
        print(1);
        print(2);
    }
}

interface UnloadsShape { }

class UnloadsSquare implements UnloadsShape, Runnable {
    static final Runnable hidden = () -> System.out.println("run");
    @Override public void run() { hidden.run(); }
}
