// This JDK's own launcher in child processes: -cp, -jar, -p/-m, argument files, option variables, and the complaints
// about what is missing.
import java.nio.file.*;
import java.util.*;
import java.util.jar.*;

public class ChildLaunches {
    static Path dir;
    static void run(Map<String, String> env, String... args) throws Exception {
        List<String> cmd = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java"));
        cmd.addAll(List.of(args));
        ProcessBuilder b = new ProcessBuilder(cmd).directory(dir.toFile()).redirectErrorStream(true);
        b.environment().putAll(env);
        Process p = b.start();
        String out = new String(p.getInputStream().readAllBytes()).replace(dir.toString(), "DIR");
        System.out.print(String.join(" ", args) + " -> " + p.waitFor() + "\n" + out);
    }

    public static void main(String[] args) throws Exception {
        dir = Files.createTempDirectory("launch").toRealPath();
        try {
            int S = ClassAssembler.PUBLIC | ClassAssembler.STATIC;
            String
                main = "([Ljava/lang/String;)V",
                body =
                    "getstatic java/lang/System.out Ljava/io/PrintStream;\n aload_0\n invokestatic "
                        + "java/util/Arrays.toString ([Ljava/lang/Object;)Ljava/lang/String;\n invokevirtual "
                        + "java/io/PrintStream.println (Ljava/lang/String;)V\n return";
            Files.write(dir.resolve("Args.class"),
                        new ClassAssembler(49, "Args").method(S, "main", main, 2, 1, body).toBytes());
            Files.write(dir.resolve("NotStatic.class"), new ClassAssembler(49, "NotStatic")
                                                            .method(ClassAssembler.PUBLIC, "main", main, 2, 2, "return")
                                                            .toBytes());
            Files.write(dir.resolve("NoMain.class"), new ClassAssembler(49, "NoMain").toBytes());
            Files.write(dir.resolve("Newer.class"), new ClassAssembler(200, "Newer").toBytes());
            Files.write(dir.resolve("Wrong.class"), new ClassAssembler(49, "Other").toBytes());
            Files.write(dir.resolve("Broken.class"), new byte[] {1, 2, 3, 4});
            Files.writeString(dir.resolve("argfile"), "-Dx=1 -cp .\nArgs \"with space\" # comment\nlast");
            Manifest m = new Manifest();
            m.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
            m.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "Args");
            for (String j : new String[] {"good.jar", "nomain.jar"}) {
                if (j.startsWith("no")) m.getMainAttributes().remove(Attributes.Name.MAIN_CLASS);
                try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(dir.resolve(j)), m)) {
                    out.putNextEntry(new JarEntry("Args.class"));
                    out.write(Files.readAllBytes(dir.resolve("Args.class")));
                }
            }
            Files.write(dir.resolve("corrupt.jar"), new byte[50]);
            Map<String, String> none = Map.of();
            run(none, "-cp", ".", "Args", "one", "*", "");
            run(none, "@argfile");
            run(none, "-jar", "good.jar", "from", "jar");
            run(none, "-cp", "good.jar", "Args");
            run(Map.of("JDK_JAVA_OPTIONS", "-cp ."), "Args", "env");
            run(Map.of("JAVA_TOOL_OPTIONS", "-Dt=1"), "-cp", ".", "Args");
            for (String c : new String[] {"Missing", "NotStatic", "NoMain", "Newer", "Wrong", "Broken"})
                run(none, "-cp", ".", c);
            run(none, "-jar", "missing.jar");
            run(none, "-jar", "nomain.jar");
            run(none, "-jar", "corrupt.jar");
            Files.createDirectory(dir.resolve("mods"));
            run(none, "-p", "mods", "-m", "no.such/Main");
            run(none, "-m", "java.base/java.lang.Nothing");
            run(none, "-cp");
            run(none, "-ea:java...", "-esa", "-da:Args", "-cp", ".", "Args");
            run(none, "--list-modules", "--limit-modules", "java.base");
            run(none, "--add-modules", "no.such.module", "-cp", ".", "Args");
        } finally {
            try (var s = Files.walk(dir)) {
                for (Path p : s.sorted(Comparator.reverseOrder()).toList()) Files.delete(p);
            }
        }
    }
}
