import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.jar.JarFile;

/**
 * The agent of tests/command/javaagent.py: premain, agentmain, Launcher-Agent-Class. Its options: the directory with
 * the class files and jars.
 */
public class Agent {
    static Instrumentation inst;
    static String how = "not started";

    public static void premain(String options, Instrumentation i) throws Exception {
        how = "premain";
        start(options, i);
    }

    public static void agentmain(String options, Instrumentation i) throws Exception {
        how = "agentmain";
        start(options, i);
    }

    static void start(String options, Instrumentation i) throws Exception {
        inst = i;
        System.out.println(how + ": redefine " + i.isRedefineClassesSupported() + " retransform "
                           + i.isRetransformClassesSupported() + " prefix " + i.isNativeMethodPrefixSupported());
        if (options == null || options.isEmpty()) return;
        i.appendToBootstrapClassLoaderSearch(new JarFile(options + "/boot.jar"));
        i.appendToSystemClassLoaderSearch(new JarFile(options + "/system.jar"));
        ClassFileTransformer wrapper = new ClassFileTransformer() {
            public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain,
                                    byte[] bytes) {
                if (!"Natives".equals(name)) return null;
                try {
                    return Files.readAllBytes(Path.of(options, "wrapped", "Natives.class"));
                } catch (Exception e) {
                    throw new RuntimeException(e);
                }
            }
        };
        i.addTransformer(wrapper, true);
        i.setNativeMethodPrefix(wrapper, "wrapped_");
        i.addTransformer(new Words("Target", "hello", "HELLO"), true);
        Words never = new Words("Target", "never", "NEVER");
        i.addTransformer(never, false);
        i.setNativeMethodPrefix(never, "outer_");
    }

    /** Replaces a word in the constants of one class; says what it was asked. */
    static class Words implements ClassFileTransformer {
        final String target, from, to;

        Words(String target, String from, String to) {
            this.target = target;
            this.from = from;
            this.to = to;
        }

        public byte[] transform(Module module, ClassLoader loader, String name, Class<?> redefined,
                                ProtectionDomain domain, byte[] bytes) {
            if (!target.equals(name)) return null;
            System.out.println(from + ": " + name + " in " + module.isNamed() + " redefined " + redefined + " domain "
                               + (domain != null) + " loader " + (loader != null));
            String text = new String(bytes, StandardCharsets.ISO_8859_1);
            return text.contains(from) ? text.replace(from, to).getBytes(StandardCharsets.ISO_8859_1) : null;
        }
    }
}
