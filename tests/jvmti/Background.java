import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/* One thread runs the method that the last command on standard input has named, over and over, and looks that it always
 * gives the same; each command is answered with a line. The methods work* are the only ones to be compiled. */
public class Background {
    static native void breakpoint(Class<?> c, String method, boolean set);
    static native int hits();
    /* Of `factor`. */
    static native void watch(boolean set);
    static native void redefine(Class<?> c, byte[] classFile);
    /* Of methods, in every thread. */
    static native void entries(boolean watched);

    static boolean hasAgent;
    static int factor = 7;

    static int workA(int n) {
        int s = n;
        for (int i = 0; i < n; i++) s = s * 31 + (i ^ s >>> 3);
        return s;
    }
    static int workB(int n) {
        int s = 0;
        for (int i = 0; i < n; i++) s += i * factor ^ s;
        return s;
    }
    static int workE(int n) {
        int s = 1;
        for (int i = 0; i < n; i++) s ^= s << 5 ^ i;
        return s;
    }
    static synchronized int workF(int n) {
        int s = 1;
        for (int i = 0; i < n; i++) s += s << 2 ^ i;
        return s;
    }
    interface Shape { int workArea(int k); }
    static final class Square implements Shape { public int workArea(int k) { return k * k; } }
    static Shape shape = new Square();
    static int workI(int n) {
        int s = 0;
        for (int i = 0; i < n; i++) s += shape.workArea(i);
        return s;
    }
    /* One call for as long as it is the job: few turns in a second once `load` is set. */
    static int workG(int n) {
        int s = n;
        while (!ends) {
            s += 3;
            if (load != 0) s ^= workE(load);
        }
        return 0;
    }
    static volatile int load;
    static volatile boolean ends;

    static class Replaced {
        static int workC(int n) {
            int s = 0;
            for (int i = 0; i < n; i++) s += i ^ 1000001;
            return s;
        }
    }
    public static class Gone {
        public static int workD(int n) {
            int s = 0;
            for (int i = 0; i < n; i++) s = s * 17 + i;
            return s;
        }
    }

    /* Its name, and what it gives. */
    static final class Job {
        final IntUnaryOperator body;
        final int expected;
        Job(IntUnaryOperator body, int expected) {
            this.body = body;
            this.expected = expected;
        }
    }
    static final int TURNS = 500;
    static volatile Job job;
    static volatile boolean idle;
    static volatile long calls;

    static void loop() {
        for (;;) {
            Job j = job;
            idle = j == null;
            if (j == null) {
                Thread.yield();
                continue;
            }
            int result = j.body.applyAsInt(TURNS);
            if (result != j.expected) System.out.println("FAILED " + result + " for " + j.expected);
            calls++;
        }
    }

    interface Condition { boolean holds(); }

    static void await(Condition c) {
        while (!c.holds()) Thread.yield();
    }

    static void rest() {
        job = null;
        await(() -> idle);
    }

    /* Of a class that can be unloaded. */
    static IntUnaryOperator other() throws Exception {
        ClassLoader parent = ClassLoader.getSystemClassLoader().getParent();
        URL here = Background.class.getProtectionDomain().getCodeSource().getLocation();
        Class<?> c = new URLClassLoader(new URL[] {here}, parent).loadClass("Background$Gone");
        gone = new WeakReference<>(c);
        return (IntUnaryOperator) java.lang.invoke.MethodHandleProxies.asInterfaceInstance(
            IntUnaryOperator.class, java.lang.invoke.MethodHandles.publicLookup().findStatic(c, "workD",
            java.lang.invoke.MethodType.methodType(int.class, int.class)));
    }
    static WeakReference<Class<?>> gone;

    static byte[] changed() throws Exception {
        byte[] b = Background.class.getResourceAsStream("Background$Replaced.class").readAllBytes();
        byte[] from = {3, 0, 15, 66, 65};                /* CONSTANT_Integer 1000001 */
        for (int i = 0; i + 5 <= b.length; i++)
            if (java.util.Arrays.equals(java.util.Arrays.copyOfRange(b, i, i + 5), from)) b[i + 4] = 66;
        return b;
    }

    static void run(String name) throws Exception {
        rest();
        IntUnaryOperator body;
        switch (name) {
        case "A": body = Background::workA; break;
        case "B": body = Background::workB; break;
        case "C": body = Replaced::workC; break;
        case "D": body = other(); break;
        case "E": body = Background::workE; break;
        case "I": body = Background::workI; break;
        case "G":
            job = new Job(Background::workG, 0);
            return;
        default: body = Background::workF;
        }
        job = new Job(body, body.applyAsInt(TURNS));
        long from = calls;
        await(() -> calls > from);
    }

    static void obey(String[] words) throws Exception {
        int before = hasAgent ? hits() : 0;
        long from = calls;
        switch (words[0]) {
        case "run": run(words[1]); break;
        case "rest": rest(); break;
        case "slow": load = TURNS; break;
        case "end":
            job = null;
            ends = true;
            await(() -> idle);
            break;
        case "turns": await(() -> calls > from + 2000); break;
        case "break":
            breakpoint(Background.class, "work" + words[1], true);
            await(() -> job == null || hits() > before);
            break;
        case "clear": breakpoint(Background.class, "work" + words[1], false); break;
        case "watch":
            watch(true);
            await(() -> hits() > before);
            break;
        case "unwatch": watch(false); break;
        case "entries": entries(words[1].equals("on")); break;
        case "redefine": redefine(Replaced.class, changed()); break;
        case "unload":
            rest();
            while (gone.get() != null) System.gc();
            break;
        case "threads":
            StringBuilder names = new StringBuilder();
            for (java.io.File f : new java.io.File("/proc/self/task").listFiles())
                try {
                    names.append(' ').append(java.nio.file.Files.readAllLines(f.toPath().resolve("comm")));
                } catch (java.io.IOException gone) {
                    continue;
                }
            System.out.println("threads" + names);
            break;
        default: throw new Error(words[0]);
        }
    }

    public static void main(String[] args) throws Exception {
        hasAgent = args.length != 0;
        if (hasAgent) System.loadLibrary(args[0]);
        Thread t = new Thread(Background::loop);
        t.setDaemon(true);
        t.start();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        System.out.println("ready");
        for (String line; (line = in.readLine()) != null; System.out.println("did " + line)) obey(line.split(" "));
    }
}
