/* Runs what a VM accepts of damaged class files: each accepted one is initialised, and all its methods are called with
 * fixed arguments.
 *
 *     java AcceptedRunner <file of Mutator> <flips> <first>
 *
 * Of each mutant there are <flips> more, with one to three bytes changed at places that only its number decides. What a
 * call returns or throws does not matter: the VM has to survive it, with whatever it checks of itself. A call that
 * takes too long is left alone; after a few of those the process ends, and the next one begins where it says. The last
 * line is "next <n> of <n>, accepted <n>, methods called <n>". */
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

public final class AcceptedRunner {
    private static final long LIMIT_MILLIS = 500;
    private static final int MOST_LEFT_ALONE = 3;
    private static final Map<String, byte[]> seeds = new HashMap<>();
    private static int accepted, called, leftAlone;

    /** Defines the mutant, and sound copies of the seeds for whatever else it names. */
    private static final class Loader extends ClassLoader {
        final byte[] mutant;
        Class<?> defined;

        Loader(byte[] mutant) {
            super(AcceptedRunner.class.getClassLoader());
            this.mutant = mutant;
        }

        @Override protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                if (defined != null && defined.getName().equals(name)) return defined;
                byte[] seed = seeds.get(name);
                if (seed == null) return super.loadClass(name, resolve);
                Class<?> loaded = findLoadedClass(name);
                return loaded != null ? loaded : defineClass(name, seed, 0, seed.length);
            }
        }

        Class<?> define() {
            return defined = defineClass(null, mutant, 0, mutant.length);
        }
    }

    private static final class Trial extends Thread {
        private final byte[] mutant;
        private volatile int calls;
        private volatile boolean good;

        Trial(byte[] mutant) {
            super(null, null, "trial", 1 << 19);
            this.mutant = mutant;
            setDaemon(true);
        }

        @Override public void run() {
            try {
                Loader loader = new Loader(mutant);
                Class<?> c = loader.define();
                c = Class.forName(c.getName(), true, loader);
                good = true;
                Object receiver = instance(c);
                for (Method m : c.getDeclaredMethods()) {
                    if (Modifier.isAbstract(m.getModifiers())) continue;
                    if (!Modifier.isStatic(m.getModifiers()) && receiver == null) continue;
                    for (int kind = 0; kind < 2; kind++) invoke(m, receiver, kind);
                }
            } catch (Throwable t) {
                // Refused, or it threw: both are answers.
            }
        }

        private Object instance(Class<?> c) {
            for (Constructor<?> constructor : c.getDeclaredConstructors()) {
                try {
                    constructor.setAccessible(true);
                    return constructor.newInstance(arguments(constructor, 1));
                } catch (Throwable t) {
                    calls++;
                }
            }
            return null;
        }

        private void invoke(Method m, Object receiver, int kind) {
            try {
                m.setAccessible(true);
                calls++;
                m.invoke(receiver, arguments(m, kind));
            } catch (Throwable t) {
                // An exception of the mutant's own.
            }
        }

        /** Kind 0: zeros and nulls; 1: small numbers, a text, arrays of three elements. */
        private static Object[] arguments(Executable e, int kind) {
            Class<?>[] types = e.getParameterTypes();
            Object[] values = new Object[types.length];
            for (int i = 0; i < types.length; i++) values[i] = argument(types[i], kind);
            return values;
        }

        private static Object argument(Class<?> type, int kind) {
            if (type == char.class) return kind == 0 ? '\0' : 'c';
            if (type == boolean.class) return kind == 1;
            if (type.isPrimitive()) {
                Object number = Array.newInstance(type, 1);
                Array.setByte(number, 0, (byte) (kind * 3));
                return Array.get(number, 0);
            }
            if (kind == 0) return null;
            if (type.isArray()) return Array.newInstance(type.getComponentType(), 3);
            return type.isAssignableFrom(String.class) ? "text" : null;
        }
    }

    private static void tryOut(byte[] mutant) throws InterruptedException {
        Trial t = new Trial(mutant);
        t.start();
        t.join(LIMIT_MILLIS);
        if (t.isAlive()) leftAlone++;
        if (t.good) accepted++;
        called += t.calls;
    }

    private static byte[] flipped(byte[] mutant, Random random) {
        byte[] copy = mutant.clone();
        for (int n = 1 + random.nextInt(3); n > 0; n--)
            copy[10 + random.nextInt(copy.length - 10)] ^= (byte) (1 << random.nextInt(8));
        return copy;
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        PrintStream out = System.out;                        // some set another one, or none
        List<byte[]> mutants = new ArrayList<>();
        try (DataInputStream in =
                 new DataInputStream(new BufferedInputStream(Files.newInputStream(Path.of(args[0]))))) {
            for (int n = in.readInt(); n > 0; n--) seeds.put(in.readUTF(), readBytes(in));
            for (int n = in.readInt(); n > 0; n--) {
                in.readByte();
                in.readUnsignedShort();
                mutants.add(readBytes(in));
            }
        }
        int flips = Integer.parseInt(args[1]), next = Integer.parseInt(args[2]);
        for (; next < mutants.size() && leftAlone < MOST_LEFT_ALONE; next++) {
            tryOut(mutants.get(next));
            Random random = new Random(next);
            for (int k = 0; k < flips; k++) tryOut(flipped(mutants.get(next), random));
        }
        System.gc();
        out.println("next " + next + " of " + mutants.size() + ", accepted " + accepted + ", methods called " + called);
        Runtime.getRuntime().halt(0);                        // some may loop for ever
    }

    private static byte[] readBytes(DataInputStream in) throws IOException {
        byte[] b = new byte[in.readInt()];
        in.readFully(b);
        return b;
    }
}
