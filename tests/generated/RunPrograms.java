import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;

/**
 * Runs generated programs one after the other, each in a loader of its own.
 *
 *     java RunPrograms FILE [FIRST [LAST]]
 *
 * A line of a program is its number, the checksum of what it did, and how it ended: "normally", or the exception's
 * class and message. At the end a line for each class of exception that came out of a method, and
 * of each instruction if the programs count.
 */
public final class RunPrograms {
    private static final int ROUNDS = 2;
    private static Generated registered;

    private RunPrograms() {}

    private static final class Loader extends ClassLoader {
        private final Map<String, byte[]> classes;

        Loader(Map<String, byte[]> classes) {
            super(RunPrograms.class.getClassLoader());
            this.classes = classes;
        }

        @Override protected Class<?> findClass(String name) throws ClassNotFoundException {
            byte[] bytes = classes.get(name);
            if (bytes == null) throw new ClassNotFoundException(name);
            return defineClass(name, bytes, 0, bytes.length);
        }
    }

    /** Each program's class initialiser comes here. */
    public static void register(Generated program) { registered = program; }

    private static String run(Map<String, byte[]> classes) {
        Checksum.begin();
        try {
            registered = null;
            Class.forName(classes.keySet().iterator().next(), true, new Loader(classes));
            Generated program = registered;
            for (int round = 0; round < ROUNDS; round++) program.run(round);
            return "normally";
        } catch (Throwable t) {
            Checksum.thrown(t);
            return t.getClass().getName() + " " + Checksum.described(t).replace('\n', ' ');
        }
    }

    public static void main(String[] args) throws IOException {
        int first = args.length > 1 ? Integer.parseInt(args[1]) : 0;
        int last = args.length > 2 ? Integer.parseInt(args[2]) : Integer.MAX_VALUE;
        PrintStream out = System.out;
        ProgramFile.read(Path.of(args[0]), (number, classes) -> {
            if (number < first || number > last) return;
            String end = run(classes);
            out.println(number + " " + Long.toHexString(Checksum.sum()) + " " + end);
        });
        Checksum.exceptions().forEach((name, count) -> out.println("thrown " + name + " " + count));
        if (Executed.counts[0] > 0) Executed.print(out);
    }
}
