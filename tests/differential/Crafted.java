// Rows of crafted class files: each row defines its classes in fresh loaders and prints what became of them, in one
// line.
import java.lang.reflect.InvocationTargetException;
import java.util.HashMap;
import java.util.Map;

/**
 * A row is {@code section/name: stage outcome}. The stages are {@code define} (defineClass refuses), {@code link}
 * (verification, preparation and initialisation fail) and {@code run}: the static method {@code go()} of the row's
 * first class has returned or thrown. An outcome is a value, or an exception with its message and causes.
 */
public final class Crafted {
    static final int PUBLIC = 1, PRIVATE = 2, PROTECTED = 4, STATIC = 8, FINAL = 16, SUPER = 32, NATIVE = 256,
                     INTERFACE = 512, ABSTRACT = 1024;

    private static String section = "";
    private static int rows;

    private Crafted() {}

    /**
     * A loader with named classes of its own and named loaders that it asks for others; everything else comes from its
     * parent.
     */
    public static final class Loader extends ClassLoader {
        private final Map<String, byte[]> own = new HashMap<>();
        private final Map<String, ClassLoader> others = new HashMap<>();

        public Loader(String name, ClassLoader parent) {
            super(name, parent);
        }
        public Loader(String name) {
            this(name, Crafted.class.getClassLoader());
        }

        public Loader define(ClassAssembler... classes) {
            for (ClassAssembler c : classes) own.put(c.name(), c.toBytes());
            return this;
        }
        public Loader ask(ClassLoader other, String... names) {
            for (String n : names) others.put(n.replace('/', '.'), other);
            return this;
        }
        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> c = findLoadedClass(name);
                if (c != null) return c;
                byte[] b = own.get(name);
                if (b != null) return defineClass(name, b, 0, b.length);
                ClassLoader other = others.get(name);
                return other != null ? other.loadClass(name) : super.loadClass(name, resolve);
            }
        }
    }

    /** The section of JVMS that the following rows are about. */
    public static void section(String s) {
        section = s;
    }

    public static void say(String name, String outcome) {
        rows++;
        System.out.println(section + "/" + name + ": " + outcome);
    }

    /** How many rows there were: the last line of a program, so that none is lost unseen. */
    public static void end() {
        System.out.println(rows + " rows");
    }

    static ClassAssembler type(int version, int access, String name, String parent, String... interfaces) {
        return new ClassAssembler(version, access, name, parent, interfaces);
    }
    /** A public class with a public constructor. */
    static ClassAssembler plain(int version, String name, String parent, String... interfaces) {
        return type(version, PUBLIC | SUPER, name, parent, interfaces).constructor(parent);
    }
    static ClassAssembler plain(int version, String name) {
        return plain(version, name, "java/lang/Object");
    }
    static ClassAssembler iface(int version, String name, String... interfaces) {
        return type(version, PUBLIC | INTERFACE | ABSTRACT, name, "java/lang/Object", interfaces);
    }
    /** Adds {@code public static Object go()}. */
    static ClassAssembler go(ClassAssembler c, String code) {
        return c.method(PUBLIC | STATIC, "go", "()Ljava/lang/Object;", 8, 8, code);
    }

    /** All classes in one loader. */
    public static void row(String name, ClassAssembler... classes) {
        Loader l;
        try {
            l = new Loader("one").define(classes);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(name, e);
        }
        row(name, l, classes[0].name());
    }

    public static void row(String name, ClassLoader loader, String first) {
        say(name, outcome(loader, first, "go"));
    }

    /** How loading, linking, initialising and running {@code method} of a class ends. */
    public static String outcome(ClassLoader loader, String first, String method) {
        Class<?> c;
        try {
            c = loader.loadClass(first);
        } catch (Throwable t) {
            return "define " + text(t);
        }
        try {
            Class.forName(first, true, loader);
        } catch (Throwable t) {
            return "link " + text(t);
        }
        try {
            return "run " + oneLine(c.getMethod(method).invoke(null));
        } catch (NoSuchMethodException none) {
            return "linked";
        } catch (InvocationTargetException e) {
            return "run " + text(e.getCause());
        } catch (Throwable t) {
            return "run by reflection " + text(t);
        }
    }

    /** The exception, its message and its causes in one line, without identity hashes. */
    static String text(Throwable t) {
        StringBuilder b = new StringBuilder(t.toString());
        for (Throwable c = t.getCause(); c != null; c = c.getCause()) b.append(" <- ").append(c);
        return oneLine(b);
    }

    private static String oneLine(Object text) {
        return String.valueOf(text)
            .replaceAll("\\s*\n\\s*", " | ")
            .replaceAll("(?<=\\w|' |module )@(0x)?[0-9a-f]{1,8}\\b", "@#");
    }
}
