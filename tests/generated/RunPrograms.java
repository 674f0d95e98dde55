import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Runs generated programs, each in a loader of its own.
 *
 *     java RunPrograms FILE [FIRST [LAST [THREADS]]]
 *
 * So many threads take the programs in their order, one each; beside more than one goes a thread that enters the
 * monitors of the programs that run. A line of a program is its number, the checksum of what it did, what tools were
 * told of it (EventStream), and how it ended: "normally", or the exception's class and message. At the end a line for
 * each class of exception that came out of a method, and of each instruction if the programs count.
 */
public final class RunPrograms {
    private static final int ROUNDS = 2;

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

    private static final class Numbered {
        final int number;
        final Map<String, byte[]> classes;

        Numbered(int number, Map<String, byte[]> classes) {
            this.number = number;
            this.classes = classes;
        }
    }

    /** The programs that are still to be run, and the lines of those that have been. */
    private static final class Work {
        private final Iterator<Numbered> programs;
        private final Map<Integer, String> lines = new HashMap<>();
        private final PrintStream out = System.out;
        private int printed;

        Work(List<Numbered> programs) {
            this.programs = programs.iterator();
            printed = programs.isEmpty() ? 0 : programs.get(0).number;
        }

        /** Null: there are no more. */
        synchronized Numbered next() { return programs.hasNext() ? programs.next() : null; }

        /** Prints lines in their order, and as soon as it can. */
        synchronized void done(int number, String line) {
            lines.put(number, line);
            while (lines.containsKey(printed)) out.println(lines.remove(printed++));
        }
    }

    /** A thread that runs programs. */
    static final class Worker extends Thread {
        private final Work work;
        private volatile Generated registered;
        /** Of the program that runs. */
        final Checksum checksum = new Checksum();

        Worker(String name, Work work) {
            super(name);
            this.work = work;
        }

        private String runOne(Numbered numbered) {
            Map<String, byte[]> classes = numbered.classes;
            checksum.begin();
            EventStream.begin(numbered.number);
            try {
                registered = null;
                Class.forName(classes.keySet().iterator().next(), true, new Loader(classes));
                Generated program = registered;
                for (int round = 0; round < ROUNDS; round++) {
                    EventStream.round(round);
                    program.run(round);
                }
                return "normally";
            } catch (Throwable t) {
                Checksum.thrown(t);
                return t.getClass().getName() + " " + Checksum.described(t).replace('\n', ' ');
            }
        }

        @Override public void run() {
            for (Numbered p = work.next(); p != null; p = work.next()) {
                String end = runOne(p), told = EventStream.end();
                work.done(p.number, p.number + " " + Long.toHexString(checksum.sum()) + " " + told + end);
            }
        }
    }

    /** Enters the monitors that the programs enter: of their objects and of their classes. */
    private static final class Contender extends Thread {
        private final List<Worker> workers;

        Contender(List<Worker> workers) {
            super("contender");
            this.workers = workers;
            setDaemon(true);
        }

        @Override public void run() {
            for (int turn = 0;; turn++) {
                Generated program = workers.get(turn % workers.size()).registered;
                if (program != null) enter(program);
                if (turn % 64 == 0) Thread.yield();
            }
        }

        private static void enter(Generated program) {
            synchronized (program) {
                Thread.onSpinWait();
            }
            synchronized (program.getClass()) {
                Thread.onSpinWait();
            }
        }
    }

    /** Each program's class initialiser comes here. */
    public static void register(Generated program) { ((Worker) Thread.currentThread()).registered = program; }

    private static List<Numbered> read(Path file, int first, int last) throws IOException {
        List<Numbered> programs = new ArrayList<>();
        ProgramFile.read(file, (number, classes) -> {
            if (number >= first && number <= last) programs.add(new Numbered(number, classes));
        });
        return programs;
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        int first = args.length > 1 ? Integer.parseInt(args[1]) : 0;
        int last = args.length > 2 ? Integer.parseInt(args[2]) : Integer.MAX_VALUE;
        int threads = args.length > 3 ? Integer.parseInt(args[3]) : 1;
        Work work = new Work(read(Path.of(args[0]), first, last));
        List<Worker> workers = new ArrayList<>();
        for (int i = 0; i < threads; i++) workers.add(new Worker("worker " + i, work));
        for (Worker w : workers) w.start();
        if (threads > 1) new Contender(workers).start();
        for (Worker w : workers) w.join();
        Checksum.exceptions().forEach((name, count) -> System.out.println("thrown " + name + " " + count));
        if (Executed.counts[0] > 0) Executed.print(System.out);
    }
}
