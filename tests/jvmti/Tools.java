import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Asks tests/agents/tools.c. */
public class Tools {
    static native void heap(Object[] graph, Class<?> base, Class<?> sub);
    static native void modules(Module base, Module own, ClassLoader loader, Class<?> service, Class<?> provider,
                               Object other);
    static native int length(int[] a);
    static native int intercept(boolean on);
    static native int bound(int n);
    static native int later(int n);
    static native void register();
    static native void search(String jar);

    static class Base { Object a, b; int n; }
    static class Sub extends Base { Object c; }
    static class Task implements Runnable { public void run() { } }

    static void heap() {
        Base[] all = {new Base(), new Sub(), new Base(), new Sub()};
        Object[] array = {all[1], all[2], all[1]};
        all[0].a = array;
        all[0].b = all[0];
        ((Sub) all[1]).c = all[3];
        all[2].a = all[3];
        heap(new Object[] {all[0], all[1], all[2], all[3], array}, Base.class, Sub.class);
    }

    public static void main(String[] args) throws Exception {
        heap();
        Module base = Object.class.getModule(), own = Tools.class.getModule();
        modules(base, own, Tools.class.getClassLoader(), Runnable.class, Task.class, "no module");
        System.out.println(base.canRead(own) + " " + base.isExported("jdk.internal.misc", own) + " "
                           + base.isOpen("java.lang", own) + " " + base.canUse(Runnable.class));
        int[] some = new int[9];
        System.out.println(length(some));
        int before = intercept(true);
        System.out.println(length(some) + length(some));
        System.out.println(intercept(false) - before >= 2);
        System.out.println(length(some));
        System.out.println(bound(5) + " " + bound(6));
        register();
        System.out.println(later(1));
        Path jar = Files.createTempFile("tools", ".jar");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new ZipEntry("empty.txt"));
        }
        search(jar.toString());
        Files.delete(jar);
    }
}
