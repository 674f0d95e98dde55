// VM.classloaders: loaders of one class, name and parent that are nobody's parent are shown once, with their number.
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import javax.management.ObjectName;

public class LoaderTree {
    static class Empty extends ClassLoader {
        Empty(String name, ClassLoader parent) { super(name, parent); }
    }

    static class Defining extends ClassLoader {
        Defining(String name, ClassLoader parent) throws IOException {
            super(name, parent);
            try (InputStream in = LoaderTree.class.getResourceAsStream("LoaderTree$Defined.class")) {
                byte[] bytes = in.readAllBytes();
                defineClass(null, bytes, 0, bytes.length);
            }
        }
    }

    static class Defined { }

    static final List<ClassLoader> kept = new ArrayList<>();

    static ClassLoader define(String name, ClassLoader parent) throws IOException {
        ClassLoader made = new Defining(name, parent);
        kept.add(made);
        return made;
    }

    public static void main(String[] args) throws Exception {
        ClassLoader unnamed = define(null, null);
        define("Kevin", null);
        define("Bill", unnamed);
        define("Child", new Empty("second", new Empty("first", null)));
        ClassLoader empty = new Empty("fourth", new Empty("third", null)), anonymous = new Empty(null, null);
        for (int i = 0; i < 4; i++) {
            define("alike", empty);
            define(i % 2 == 0 ? null : "odd", anonymous);
        }
        ClassLoader one = define("parent", null), other = define("parent", null);
        define("parent", null);
        define("parent", null);
        define("a child", one);
        define("a child", other);
        define("another", other);
        String tree = (String) ManagementFactory.getPlatformMBeanServer()
            .invoke(new ObjectName("com.sun.management:type=DiagnosticCommand"), "vmClassloaders",
                    new Object[] {new String[0]}, new String[] {String[].class.getName()});
        tree.lines().filter(l -> l.contains("LoaderTree")).map(l -> l.replaceFirst("[^+]*", "")).sorted()
            .forEach(System.out::println);
        System.out.println(kept.size() + " made");
    }
}
