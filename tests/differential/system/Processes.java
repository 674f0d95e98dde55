// Child processes: cat, sh, exit values, environment, directory, redirects, merged streams, missing programs, handles,
// pipelines.
import java.io.*;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.*;

public class Processes {
    static String read(InputStream in) throws IOException { return new String(in.readAllBytes()).strip(); }

    public static void main(String[] args) throws Exception {
        Process cat = new ProcessBuilder("/bin/cat").start();
        try (OutputStream out = cat.getOutputStream()) {
            out.write("through cat\n".getBytes());
        }
        System.out.println(read(cat.getInputStream()) + " " + cat.waitFor() + " " + cat.exitValue() + " "
                           + cat.isAlive());
        Process sh = new ProcessBuilder("/bin/sh", "-c", "echo out; echo err >&2; exit 7").start();
        System.out.println(read(sh.getInputStream()) + " " + read(sh.getErrorStream()) + " " + sh.waitFor());
        ProcessBuilder env = new ProcessBuilder("/bin/sh", "-c", "echo $OWN-$PWD; env | wc -l")
                                 .redirectErrorStream(true)
                                 .directory(new File("/"));
        env.environment().clear();
        env.environment().put("OWN", "value with space");
        System.out.println(read(env.start().getInputStream()).lines().findFirst().get());
        Path f = Files.createTempFile(Path.of(""), "proc", ".txt");
        new ProcessBuilder("/bin/sh", "-c", "echo to file; echo error >&2")
            .redirectOutput(f.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor();
        new ProcessBuilder("/bin/echo", "appended", "two  words", "")
            .redirectOutput(ProcessBuilder.Redirect.appendTo(f.toFile()))
            .start()
            .waitFor();
        System.out.print(Files.readString(f));
        System.out.println(
            read(new ProcessBuilder("/bin/cat").redirectInput(f.toFile()).start().getInputStream()).length());
        Files.delete(f);
        for (String[] cmd : new String[][] {{"/does/not/exist"}, {"/tmp"}, {}, {"a\0b"}, {null}}) try {
                new ProcessBuilder(cmd).start();
                System.out.println("started");
            } catch (IOException | RuntimeException e) {
                System.out.println(e.toString().replaceAll("Exec failed, error|error=", "e="));
            }
        try {
            new ProcessBuilder("/bin/true").directory(new File("/no/such/dir")).start();
        } catch (IOException e) {
            System.out.println(e.getMessage().contains("No such file"));
        }
        Process sleep = new ProcessBuilder("/bin/cat").start();
        System.out.println(sleep.isAlive() + " " + sleep.waitFor(1, TimeUnit.NANOSECONDS) + " "
                           + sleep.toHandle().isAlive() + " " + (sleep.pid() > 1) + " "
                           + sleep.supportsNormalTermination());
        try {
            sleep.exitValue();
        } catch (IllegalThreadStateException e) {
            System.out.println(e.getMessage());
        }
        sleep.destroy();
        System.out.println(sleep.waitFor() + " " + sleep.isAlive());
        Process kill = new ProcessBuilder("/bin/cat").start();
        kill.destroyForcibly();
        System.out.println(kill.waitFor());
        CompletableFuture<Process> done = new ProcessBuilder("/bin/true").start().onExit();
        System.out.println(done.get().exitValue());
        Process sig = new ProcessBuilder("/bin/sh", "-c", "kill -9 $$").start();
        System.out.println(sig.waitFor());
        List<Process> pipe =
            ProcessBuilder.startPipeline(List.of(new ProcessBuilder("/bin/echo", "c\nb\na"), new ProcessBuilder("sort"),
                                                 new ProcessBuilder("tr", "a-z", "A-Z")));
        System.out.println(read(pipe.get(2).getInputStream()).replace("\n", ","));
        Process big =
            new ProcessBuilder(
                "/bin/sh", "-c",
                "i=0; while [ $i -lt 2000 ]; do echo 0123456789012345678901234567890123456789; i=$((i+1)); done")
                .start();
        System.out.println(big.getInputStream().readAllBytes().length + " " + big.waitFor());
        ProcessHandle me = ProcessHandle.current();
        System.out.println(me.isAlive() + " " + (me.pid() == ProcessHandle.of(me.pid()).get().pid()) + " "
                           + me.parent().isPresent() + " " + me.info().command().isPresent() + " "
                           + me.equals(ProcessHandle.current()) + " " + ProcessHandle.of(Long.MAX_VALUE).isPresent());
        try {
            me.destroy();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        try (
            BufferedReader r =
                new ProcessBuilder("/bin/echo", "grüße").start().inputReader(java.nio.charset.StandardCharsets.UTF_8)) {
            System.out.println(r.readLine().length() > 3);
        }
        Process rt = Runtime.getRuntime().exec(new String[] {"/bin/sh", "-c", "echo $V"}, new String[] {"V=runtime"});
        System.out.println(read(rt.getInputStream()));
        Process io =
            new ProcessBuilder("/bin/sh", "-c", "echo inherited; echo inherited error >&2").inheritIO().start();
        System.out.flush();
        io.waitFor();
        Map<String, String> e = System.getenv();
        try {
            e.put("x", "y");
        } catch (UnsupportedOperationException x) {
            System.out.println("read-only environment " + e.containsKey("PATH") + System.getenv("no such variable"));
        }
    }
}
