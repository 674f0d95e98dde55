// Properties and environment which do not depend on the VM, their errors, and Runtime.Version.
import java.util.*;

public class SystemProperties {
    interface Action {
        Object run() throws Exception;
    }
    static void t(Action a) {
        try {
            System.out.println(a.run());
        } catch (Exception | UnsatisfiedLinkError e) {
            System.out.println(e);
        }
    }

    public static void main(String[] args) {
        for (String k : new String[] {"java.version",
                                      "java.specification.version",
                                      "java.vendor",
                                      "java.class.version",
                                      "file.separator",
                                      "path.separator",
                                      "line.separator",
                                      "os.name",
                                      "os.arch",
                                      "user.dir",
                                      "java.io.tmpdir",
                                      "java.vm.specification.name",
                                      "java.vm.specification.version",
                                      "java.specification.name",
                                      "native.encoding",
                                      "file.encoding",
                                      "sun.jnu.encoding",
                                      "java.runtime.version",
                                      "java.vendor.url",
                                      "sun.arch.data.model",
                                      "java.library.path",
                                      "stdout.encoding",
                                      "java.version.date",
                                      "sun.cpu.endian",
                                      "sun.io.unicode.encoding"}) {
            String v = System.getProperty(k);
            System.out.println(k + "=" + (v == null ? null : k.equals("user.dir") ? "dir" : v.replace("\n", "\\n")));
        }
        System.out.println(System.setProperty("own", "1") + " " + System.setProperty("own", "2") + " "
                           + System.clearProperty("own") + " " + System.getProperty("own", "default") + " "
                           + Long.getLong("own", 5L) + " " + System.getProperty("java.home").isEmpty()
                           + System.getProperty("java.class.path").isEmpty());
        t(() -> System.getProperty(""));
        t(() -> System.getProperty(null));
        t(() -> System.setProperty("a", null));
        t(() -> System.getenv(null));
        Runtime.Version v = Runtime.version();
        System.out.println(v.feature() + " " + v.interim() + " "
                           + Runtime.Version.parse("17.0.1+12").compareTo(Runtime.Version.parse("17.0.2")) + " "
                           + v.equals(Runtime.Version.parse(v.toString())));
        t(() -> Runtime.Version.parse("x"));
        System.out.println((System.nanoTime() <= System.nanoTime()) + " "
                           + (System.currentTimeMillis() > 1_600_000_000_000L) + " " + System.lineSeparator().length()
                           + " " + System.mapLibraryName("x") + " " + (System.identityHashCode("") != 0));
        t(() -> {
            System.load("relative.so");
            return 0;
        });
        try {
            System.loadLibrary("no_such_library");
        } catch (UnsatisfiedLinkError e) {
            System.out.println(e.getMessage().replaceAll("java.library.path:? .*", "java.library.path"));
        }
        try {
            System.load("/no/such.so");
        } catch (UnsatisfiedLinkError e) {
            System.out.println(e.getMessage());
        }
        System.out.println(Locale.getDefault().getLanguage().length() <= 3);
        System.gc();
        System.runFinalization();
        System.out.println(Thread.currentThread().getContextClassLoader().getName() + " "
                           + ProcessHandle.current().info().startInstant().isPresent());
    }
}
