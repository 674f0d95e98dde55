// Compiles every differential program on its own, in one warm compiler, into CLASSES/<theme>/<Program>/.
// Usage: java CompileAll.java SOURCES CLASSES. A program whose source and options did not change is skipped; a program
// that does not compile leaves its messages in CLASSES/<theme>/<Program>/errors.txt, where its test reports them.
// Classes which programs share lie directly in SOURCES and are compiled with each program that names them.
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

public class CompileAll {
    private static final String LIBRARY = Integer.toString(Runtime.version().feature());
    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

    public static void main(String[] args) throws Exception {
        Path sources = Path.of(args[0]), classes = Path.of(args[1]);
        List<Path> programs;
        try (Stream<Path> files = Files.walk(sources, 2)) {
            programs = files.filter(p -> p.getNameCount() == sources.getNameCount() + 2
                                      && p.toString().endsWith(".java")).sorted().toList();
        }
        ExecutorService pool = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors(), r -> {
            Thread t = new Thread(r);
            t.setDaemon(true);                           // an error ends the program, whatever is still compiled
            return t;
        });
        List<Future<String>> results = new ArrayList<>();
        for (Path program : programs) {
            Path out = classes.resolve(program.getParent().getFileName()).resolve(stem(program));
            Callable<String> task = () -> compile(sources, program, out);
            results.add(pool.submit(task));
        }
        int compiled = 0, failed = 0;
        for (Future<String> result : results) {
            String outcome = result.get();
            if (outcome == null) continue;
            compiled++;
            if (!outcome.isEmpty()) { failed++; System.out.print(outcome); }
        }
        pool.shutdown();
        System.out.printf("%d programs, %d compiled now, %d of them with errors%n", programs.size(), compiled, failed);
    }

    private static String stem(Path file) {
        return file.getFileName().toString().replaceFirst("\\.java$", "");
    }

    private static Path beside(Path program, String suffix) {
        return program.resolveSibling(stem(program) + suffix);
    }

    /* null: up to date or not for this library; "": compiled; otherwise the messages. */
    private static String compile(Path sources, Path program, Path out) throws Exception {
        Path only = beside(program, ".jdk");
        if (Files.exists(only) && !List.of(Files.readString(only).trim().split("\\s+")).contains(LIBRARY)) return null;
        List<String> options = new ArrayList<>(List.of("-nowarn", "-Xlint:none", "-proc:none", "-encoding", "UTF-8"));
        Path arguments = beside(program, ".args");
        if (Files.exists(arguments)) {
            for (String line : Files.readAllLines(arguments)) {
                if (line.startsWith("javac:")) options.addAll(List.of(line.substring(6).trim().split("\\s+")));
            }
        }
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        digest.update(Files.readAllBytes(program));
        try (var shared = Files.newDirectoryStream(sources, "*.java")) {
            for (Path file : shared) digest.update(Files.readAllBytes(file));
        }
        digest.update((options + Runtime.version().toString()).getBytes(StandardCharsets.UTF_8));
        String key = HexFormat.of().formatHex(digest.digest());
        Path stamp = out.resolve("source.sha256");
        if (Files.exists(stamp) && Files.readString(stamp).equals(key)) return null;

        if (Files.exists(out)) {
            try (Stream<Path> old = Files.walk(out)) {
                old.sorted(Comparator.reverseOrder()).forEach(CompileAll::delete);
            }
        }
        Files.createDirectories(out);
        options.addAll(List.of("-d", out.toString(), "-sourcepath", sources.toString(), "-implicit:class"));
        StringWriter messages = new StringWriter();
        try (var files = COMPILER.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            boolean good =
                COMPILER.getTask(messages, files, null, options, null, files.getJavaFileObjects(program)).call();
            if (!good) {
                Files.writeString(out.resolve("errors.txt"), messages.toString());
                return messages.toString();
            }
        }
        Files.writeString(stamp, key);
        return "";
    }

    private static void delete(Path p) {
        try {
            Files.delete(p);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
