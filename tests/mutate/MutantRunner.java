/* Loads every mutant of a file made by Mutator in a loader of its own and prints what became of it.
 *
 *     java MutantRunner [-m] [-r] <file> [first [count]]
 *
 *     -m  messages too    -r  run main(String[]) of the accepted ones
 *
 * A line is: index, category, "ok" or the class of the exception; with -r, for accepted ones, how main ended.
 *
 * The file: u4 number of seeds; per seed UTF name, u4 length, bytes. u4 number of mutants; per mutant u1 category,
 * u2 number of its seed, u4 length, bytes. */
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

public final class MutantRunner {
    private static final long LIMIT_MILLIS = 2000;
    private static final Map<String, byte[]> seeds = new HashMap<>();
    private static boolean messages, run;

    /* Defines the mutant itself and, for whatever else it names, fresh copies of the sound seeds. */
    private static final class MutantLoader extends ClassLoader {
        private final String name;
        private final byte[] mutant;

        MutantLoader(String name, byte[] mutant) {
            super(MutantRunner.class.getClassLoader());
            this.name = name;
            this.mutant = mutant;
        }

        @Override protected Class<?> loadClass(String n, boolean resolve) throws ClassNotFoundException {
            if (!n.equals(name) && !seeds.containsKey(n)) return super.loadClass(n, resolve);
            synchronized (getClassLoadingLock(n)) {
                Class<?> c = findLoadedClass(n);
                if (c != null) return c;
                byte[] b = n.equals(name) ? mutant : seeds.get(n);
                return defineClass(n.equals(name) ? null : n, b, 0, b.length);
            }
        }

        Class<?> define() {
            return defineClass(null, mutant, 0, mutant.length);
        }
    }

    private static final class Trial extends Thread {
        final String name;
        final byte[] mutant;
        volatile String load = "timeout", ran = "";

        Trial(String name, byte[] mutant) {
            this.name = name;
            this.mutant = mutant;
            setDaemon(true);
        }

        @Override public void run() {
            Class<?> c;
            try {
                MutantLoader loader = new MutantLoader(name, mutant);
                c = loader.define();
                c = Class.forName(c.getName(), true, loader);
            } catch (Throwable t) {
                load = describe(t);
                return;
            }
            load = "ok";
            if (!run) return;
            ran = " timeout";
            try {
                c.getMethod("main", String[].class).invoke(null, (Object) new String[0]);
                ran = " ran";
            } catch (InvocationTargetException e) {
                ran = " " + describe(e.getCause());
            } catch (Throwable t) {
                ran = " " + describe(t);
            }
        }
    }

    private static String describe(Throwable t) {
        try {
            return messages ? t.getClass().getName() + "\n" + t.getMessage() : t.getClass().getName();
        } catch (Throwable again) {
            return again.getClass().getName();
        }
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        int a = 0;
        for (; args[a].startsWith("-"); a++) {
            messages |= args[a].equals("-m");
            run |= args[a].equals("-r");
        }
        int first = args.length > a + 1 ? Integer.parseInt(args[a + 1]) : 0;
        int count = args.length > a + 2 ? Integer.parseInt(args[a + 2]) : Integer.MAX_VALUE;
        PrintStream out = System.out;
        try (DataInputStream in =
                 new DataInputStream(new BufferedInputStream(Files.newInputStream(Path.of(args[a]))))) {
            String[] names = new String[in.readInt()];
            for (int i = 0; i < names.length; i++) {
                names[i] = in.readUTF();
                seeds.put(names[i], readBytes(in));
            }
            int total = in.readInt();
            for (int i = 0; i < total; i++) {
                int category = in.readByte();
                String name = names[in.readUnsignedShort()];
                byte[] mutant = readBytes(in);
                if (i < first || i - first >= count) continue;
                Trial t = new Trial(name, mutant);
                t.start();
                t.join(LIMIT_MILLIS);
                String load = t.load, ran = t.ran;
                out.println(i + " " + category + " " + load + ran);
            }
        }
        out.flush();
        Runtime.getRuntime().halt(0); /* mutants may have left threads running */
    }

    private static byte[] readBytes(DataInputStream in) throws IOException {
        byte[] b = new byte[in.readInt()];
        in.readFully(b);
        return b;
    }
}
