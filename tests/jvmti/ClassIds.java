// Many hidden classes, of which an agent (tests/agents/class_ids.c) keeps the ids of methods and fields.
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;

public class ClassIds {
    public interface Numbered { int number(); }

    /** What every hidden class is a copy of. Each numbers itself, so that a call that ends in another class shows. */
    public static class Copy implements Numbered {
        static int copies;
        int number;
        public Copy(int n) { number = n; copies++; }
        @Override public int number() { return number * 2 + copies; }
    }
    public static class Other implements Numbered {
        static String text;
        long first, second;
        public Other(int n) { first = n; text = "other"; }
        @Override public int number() { return -(int) first; }
    }

    /** Keeps the ids of the class's methods and fields, as numbers. */
    static native void keep(Class<?> c);
    /** Asks for all ids of o's class c, answers o's number and adds 1 to it; keeps the ids of some classes. */
    static native int ask(Class<?> c, Object o);
    /** Sets a breakpoint in number(). */
    static native void stopIn(Class<?> c);
    /** How many breakpoints have been met. */
    static native int stops();
    /** Counts the kept ids that still mean something, and how many are there twice. */
    static native void report(String when, Object object);

    static byte[] bytes(Class<?> c) throws IOException {
        try (InputStream in = ClassIds.class.getResourceAsStream(c.getName() + ".class")) {
            return in.readAllBytes();
        }
    }

    /** Instances of `count` hidden classes, and the last of them. */
    static Numbered instances(byte[][] files, int from, int count, boolean kept) throws Exception {
        Numbered last = null;
        for (int i = from; i < from + count; i++) {
            Class<?> c = MethodHandles.lookup().defineHiddenClass(files[i % 2], true).lookupClass();
            if (kept) keep(c);
            last = (Numbered) c.getConstructor(int.class).newInstance(i);
            int expected = i % 2 == 0 ? i * 2 + 1 : -i;
            if (last.number() != expected) throw new AssertionError(i + ": " + last.number());
        }
        return last;
    }

    static void collect(WeakReference<?> gone) throws InterruptedException {
        do System.gc(); while (gone.get() != null);
    }

    /** Defines files under their own names, each once. */
    static class Loader extends ClassLoader {
        Loader() { super(ClassIds.class.getClassLoader()); }
        Class<?> define(byte[] file) { return defineClass(null, file, 0, file.length); }
    }
    /** Copies of a class, whose name is replaced by others of the same length. */
    static byte[][] renamed(byte[] file, String name, int count) {
        String text = new String(file, StandardCharsets.ISO_8859_1);
        byte[][] copies = new byte[count][];
        for (int i = 0; i < count; i++) {
            String other = name.substring(0, name.length() - 3) + (100 + i);
            copies[i] = text.replace(name, other).getBytes(StandardCharsets.ISO_8859_1);
        }
        return copies;
    }
    /** What the ordinary classes are copies of: what it inherits from is asked for ids as well. */
    public static class Watched implements Numbered {
        static int made;
        long before = 5;
        int number;
        Object after = this;
        public Watched(int n) { number = n; made++; }
        @Override public int number() { return after == this && before == 5 && made == 1 ? number : -1; }
    }
    /** One batch of classes of a loader of their own, watched; the loader. */
    static ClassLoader batch(byte[][] files, int from) throws Exception {
        Loader loader = new Loader();
        for (int i = 0; i < files.length; i++) {
            Class<?> c = loader.define(files[i]);
            Numbered n = (Numbered) c.getConstructor(int.class).newInstance(from + i);
            int read = ask(c, n);
            if (read != from + i || n.number() != read + 1)
                throw new AssertionError((from + i) + ": " + read + ", " + n.number());
        }
        return loader;
    }
    static void watched(int count) throws Exception {
        byte[][] files = renamed(bytes(Watched.class), "ClassIds$Watched", 250);
        for (int done = 0; done < count; done += files.length) {
            WeakReference<?> loader = new WeakReference<>(batch(files, done));
            if (done / files.length % 4 == 3) collect(loader);
        }
        System.out.println(count + " classes of loaders, all ids asked for");
    }
    static Class<?> stopped(byte[] file, int n) throws Exception {
        Class<?> c = new Loader().define(file);
        stopIn(c);
        ((Numbered) c.getConstructor(int.class).newInstance(n)).number();
        return c;
    }
    /** A breakpoint goes with its class (HotSpot's keeps it), and is none in the class that comes into its place. */
    static void stopped(int count) throws Exception {
        byte[] file = bytes(Watched.class);
        for (int i = 0; i < count; i++) {
            collect(new WeakReference<>(stopped(file, i)));
            Numbered other = (Numbered) new Loader().define(file).getConstructor(int.class).newInstance(i);
            if (other.number() != i) throw new AssertionError("number " + i);
        }
        System.out.println(count + " classes with a breakpoint, met " + stops() + " times");
    }

    public static void main(String[] args) throws Exception {
        if (args.length > 0) {
            watched(Integer.parseInt(args[0]));
            report("after watched classes", new Watched(1));
            stopped(70);
            return;
        }
        int count = 8000;
        byte[][] files = {bytes(Copy.class), bytes(Other.class)};
        Numbered survivor = instances(files, 0, 1, true);
        for (int done = 0; done < count; done += 500)
            collect(new WeakReference<>(instances(files, done, 500, false).getClass()));
        System.out.println(count + " classes without ids, the first one says " + survivor.number());
        for (int done = 0; done < count / 2; done += 500)
            collect(new WeakReference<>(instances(files, done, 500, true).getClass()));
        report("after " + count / 2 + " classes with ids", survivor);
        // One row after the other comes to the end of its generations.
        for (int i = 0; i < 300; i++) collect(new WeakReference<>(instances(files, i, 1, true).getClass()));
        Numbered last = instances(files, 0, 1, true);
        report("after 300 classes with ids, each gone before the next", survivor);
        System.out.println(survivor.number() + " " + last.number());
        watched(3000);
    }
}
