// The JDK's own compiler run in the program through the tool interface: sources in memory, diagnostics, classes loaded
// at once.
import java.io.*;
import java.net.URI;
import java.util.*;
import javax.tools.*;

public class CompilerInProcess {
    static class Source extends SimpleJavaFileObject {
        final String text;
        Source(String name, String text) {
            super(URI.create("string:///" + name + ".java"), Kind.SOURCE);
            this.text = text;
        }
        @Override
        public CharSequence getCharContent(boolean ignore) {
            return text;
        }
    }
    static class Output extends SimpleJavaFileObject {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Output(String name) { super(URI.create("mem:///" + name + ".class"), Kind.CLASS); }
        @Override
        public OutputStream openOutputStream() {
            return bytes;
        }
    }

    public static void main(String[] args) throws Throwable {
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        Map<String, Output> classes = new TreeMap<>();
        DiagnosticCollector<JavaFileObject> messages = new DiagnosticCollector<>();
        JavaFileManager files =
            new ForwardingJavaFileManager<JavaFileManager>(javac.getStandardFileManager(null, Locale.ROOT, null)) {
                @Override
                public JavaFileObject getJavaFileForOutput(Location l, String name, JavaFileObject.Kind k,
                                                           FileObject sibling) {
                    return classes.computeIfAbsent(name, Output::new);
                }
            };
        boolean ok =
            javac
                .getTask(
                    null, files, messages, List.of("-proc:none"), null,
                    List.of(new Source(
                        "Made",
                        "public class Made { record P(int x) { } public static String go() { return "
                            + "java.util.stream.Stream.of(1, 2, 3).map(i -> new P(i)).toList().toString(); } }")))
                .call();
        System.out.println(ok + " " + classes.keySet() + " " + messages.getDiagnostics());
        ClassAssembler.Loader l = new ClassAssembler.Loader(CompilerInProcess.class.getClassLoader());
        classes.forEach((n, o) -> l.add(n, o.bytes.toByteArray()));
        System.out.println(ClassAssembler.call(l.loadClass("Made"), "go"));
        ok = javac
                 .getTask(null, files, messages, List.of("-proc:none"), null,
                     List.of(new Source("Broken", "class Broken { int x = \"s\"; void m() { undefined(); } }")))
                 .call();
        System.out.println(ok);
        for (Diagnostic<?> d : messages.getDiagnostics())
            System.out.println(d.getKind() + " " + d.getLineNumber() + ":" + d.getColumnNumber() + " " + d.getCode()
                               + " " + d.getMessage(Locale.ROOT));
    }
}
