import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Writes generated programs into a file for {@link RunPrograms}.
 *
 *     java Generate FILE SEED FIRST COUNT TEXTS RELEASE [counted]
 *
 * One of TEXTS programs is Java source of that release, or none if that is 0. Counted: programs in bytecode tell {@link
 * Executed} of each instruction.
 */
public final class Generate {
    private Generate() {}

    public static void main(String[] args) throws IOException {
        long seed = Long.parseLong(args[1]);
        int first = Integer.parseInt(args[2]), count = Integer.parseInt(args[3]), every = Integer.parseInt(args[4]);
        int release = Integer.parseInt(args[5]);
        boolean counted = args.length > 6;
        Map<String, String> texts = new LinkedHashMap<>();
        for (int i = first; i < first + count; i++) {
            if (!isText(i, every)) continue;
            SourceProgram p = new SourceProgram(seed, i, release);
            texts.put(p.name(), p.text());
        }
        Map<String, Map<String, byte[]>> compiled = texts.isEmpty() ? Map.of() : SourceCompiler.compile(texts, release);
        try (DataOutputStream out =
                 new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(Path.of(args[0]))))) {
            for (int i = first; i < first + count; i++) {
                ProgramFile.write(out, i, isText(i, every) ? compiled.get("S" + i)
                                                           : new Program(seed, i, counted).classFiles());
            }
        }
    }

    private static boolean isText(int number, int every) { return every > 0 && number % every == every - 1; }
}
