// The rules of native libraries: names, loaders (IA-044), versions (IA-048), unloading (IA-045). Arguments: a
// directory, the library (native_rules.c) to copy into it.
import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;

public class NativeRules {
    static Path directory, original;

    static String copy(String name) throws Exception {
        Path to = directory.resolve("lib" + name + ".so");
        Files.deleteIfExists(to);
        Files.copy(original, to);
        return to.toString();
    }

    static void load(String what, String path) {
        try {
            System.load(path);
            System.out.println(what + ": loaded");
        } catch (Throwable t) {
            System.out.println(what + ": " + t.toString().replace(directory.toString(), "DIR")
                               + (t.getCause() != null ? ", because of " + t.getCause() : ""));
        }
    }

    // The class Loaded in a loader of its own.
    static Class<?> fresh() throws Exception {
        URL here = NativeRules.class.getProtectionDomain().getCodeSource().getLocation();
        return Class.forName("Loaded", true, new URLClassLoader(new URL[] {here}, null));
    }

    static void call(String what, Class<?> c, String method, Object... arguments) throws Exception {
        try {
            Class<?>[] types = arguments.length == 0 ? new Class<?>[0] : new Class<?>[] {String.class};
            System.out.println(what + ": " + c.getMethod(method, types).invoke(null, arguments));
        } catch (InvocationTargetException e) {
            System.out.println(what + ": " + e.getCause().toString().replace(directory.toString(), "DIR"));
        }
    }

    static void loaders() throws Exception {
        String one = copy("one"), two = copy("two"), shared = copy("shared");
        Class<?> a = fresh(), b = fresh(), none = fresh();
        call("a loads its own", a, "load", one);
        call("b loads its own", b, "load", two);
        call("a", a, "use");
        call("a again", a, "use");
        call("b", b, "use");
        call("a class without a library", none, "use");
        call("a loads it twice", a, "load", one);
        call("a", a, "use");
        call("a loads another's", a, "load", two);
        call("a takes the registration back", a, "after");
        call("a loads a second one", a, "load", shared);
        call("b wants that too", b, "load", shared);
    }

    static void unloading() throws Exception {
        String path = copy("unloaded");
        Class<?> c = fresh();
        call("before", c, "load", path);
        call("before", c, "use");
        c = null;
        File mark = new File(path + ".unloaded");
        while (!mark.exists()) {
            System.gc();
            Thread.sleep(10);
        }
        System.out.println("JNI_OnUnload ran");
        // Its entry goes before or after JNI_OnUnload runs; then another loader may have it.
        for (Class<?> d = fresh(); ; Thread.sleep(10)) {
            try {
                d.getMethod("load", String.class).invoke(null, path);
                call("another loader", d, "use");
                break;
            } catch (InvocationTargetException e) {
                if (!(e.getCause() instanceof UnsatisfiedLinkError)) throw e;
            }
        }
    }

    public static void main(String[] args) throws Throwable {
        directory = Path.of(args[0]).toRealPath();
        original = Path.of(args[1]);
        p_q.Names.run();
        load("for the names", copy("names"));
        p_q.Names.run();
        load("a relative path", "libnames.so");
        load("nothing there", directory.resolve("libnothing.so").toString());
        Files.write(directory.resolve("libtext.so"), new byte[] {'t', 'e', 'x', 't'});
        load("no library", directory.resolve("libtext.so").toString());
        try {
            System.loadLibrary("no_such_library");
        } catch (UnsatisfiedLinkError e) {
            System.out.println(e.getMessage().replaceAll(": .*", ": PATH"));
        }
        try {
            System.loadLibrary("a/b");
        } catch (UnsatisfiedLinkError e) {
            System.out.println(e.getMessage());
        }
        for (String version : new String[] {"00000000", "00010001", "00010002", "00010003", "00010004", "00010006",
                                            "00010007", "00010008", "00090000", "000a0000", "000b0000", "00130000",
                                            "00140000", "00150000", "00180000", "00190000", "12345678", "ffffffff"})
            load("version " + version, copy("version_" + version));
        load("an exception in JNI_OnLoad", copy("throws"));
        loaders();
        unloading();
    }
}
