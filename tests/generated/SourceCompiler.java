import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles classes from text to bytes in this process. */
final class SourceCompiler {
    private SourceCompiler() {}

    private static final class Text extends SimpleJavaFileObject {
        private final String text;

        Text(String name, String text) {
            super(URI.create("string:///" + name + ".java"), Kind.SOURCE);
            this.text = text;
        }

        @Override public CharSequence getCharContent(boolean ignoreErrors) { return text; }
    }

    private static final class Bytes extends SimpleJavaFileObject {
        final String name;
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        Bytes(String name) {
            super(URI.create("bytes:///" + name.replace('$', '-') + ".class"), Kind.CLASS);
            this.name = name;
        }

        @Override public OutputStream openOutputStream() { return bytes; }
    }

    private static final class Manager extends ForwardingJavaFileManager<JavaFileManager> {
        final List<Bytes> made = new ArrayList<>();

        Manager(JavaFileManager below) {
            super(below);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(Location location, String name, JavaFileObject.Kind kind,
                                                   FileObject sibling) {
            Bytes b = new Bytes(name);
            made.add(b);
            return b;
        }
    }

    /** The class files by name, those of a program with its main class first, for each name of a text. */
    static Map<String, Map<String, byte[]>> compile(Map<String, String> texts, int release) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<Text> units = new ArrayList<>();
        texts.forEach((name, text) -> units.add(new Text(name, text)));
        List<String> options = List.of("--release", "" + release, "-nowarn", "-g", "-proc:none", "-classpath",
                                       System.getProperty("java.class.path"));
        Map<String, Map<String, byte[]>> programs = new LinkedHashMap<>();
        try (StandardJavaFileManager standard = compiler.getStandardFileManager(null, null, null);
             Manager manager = new Manager(standard)) {
            if (!compiler.getTask(null, manager, null, options, null, units).call())
                throw new IllegalStateException("a generated source is no Java");
            for (String name : texts.keySet()) programs.put(name, new LinkedHashMap<>(Map.of(name, new byte[0])));
            for (Bytes b : manager.made) {
                String outermost = b.name.contains("$") ? b.name.substring(0, b.name.indexOf('$')) : b.name;
                programs.get(outermost).put(b.name, b.bytes.toByteArray());
            }
        }
        return programs;
    }
}
