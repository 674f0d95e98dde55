// HotSpotDiagnosticMXBean.dumpThreads: what it says of a thread that waits for a monitor, and of its holder.
import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

public class ThreadDumpFile {
    static final Object LOCK = new Object();
    static void waitsForIt() {
        synchronized (LOCK) { System.out.println("got it"); }
    }

    public static void main(String[] args) throws Exception {
        Path directory = Files.createTempDirectory("dump");
        Thread blocked = Thread.ofPlatform().name("the blocked one").unstarted(ThreadDumpFile::waitsForIt);
        synchronized (LOCK) {
            blocked.start();
            while (blocked.getState() != Thread.State.BLOCKED) Thread.onSpinWait();
            for (var format : HotSpotDiagnosticMXBean.ThreadDumpFormat.values()) {
                Path file = directory.resolve(format.name());
                ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpThreads(file.toString(), format);
                List<String> lines = Files.readAllLines(file);
                int at = IntStream.range(0, lines.size())
                             .filter(i -> lines.get(i).contains("the blocked one"))
                             .findFirst()
                             .getAsInt();
                System.out.println(
                    format + " "
                    + lines.subList(at, lines.size()).stream().anyMatch(l -> l.contains("ThreadDumpFile.waitsForIt"))
                    + " " + lines.stream().anyMatch(l -> l.contains("BLOCKED")) + " "
                    + lines.stream().anyMatch(l -> l.contains("\"main\"")));
                Files.delete(file);
            }
        }
        blocked.join();
        Files.delete(directory);
    }
}
