import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/* Calls through compiled code (agent compiled), and class loaders whose classes have some. */
public class Compiled {
    static native void step(boolean on);
    static native void show();
    static native void again(Class<?> c);
    static native void fault(boolean really);

    static int leaf(int n) { return n + 1; }
    static int add(int a, int b) { return leaf(a) + b; }
    int virtual(int n) { return add(n, n); }

    int field;
    static int total;

    static void sum(int n) { total += n; }

    static int traced() {
        Compiled c = new Compiled();
        step(true);
        int n = add(1, 2) + c.virtual(3);
        step(false);
        return n;
    }

    static int beneath(int n) {
        int m = leaf(n);
        fault(n == 1);
        return m;
    }

    /* Nothing in it leaves compiled code the second time. */
    static int looped(Compiled c, int[] a) {
        int sum = 0;
        for (int i = 0; i < a.length; i++) sum += a[i];
        c.field = sum;
        return sum;
    }

    static int tracedLoop() {
        Compiled c = new Compiled();
        int[] a = {3, 4};
        looped(c, a);
        step(true);
        int n = looped(c, a);
        step(false);
        return n;
    }

    static int kept(int n) { return leaf(n) + 1; }

    /* An array that no buffer has room for, where n is large: C makes it. */
    static int low(int n) {
        int[] a = new int[n];
        a[0] = kept(n);
        return a[0] + a.length;
    }

    static int middle(int n) {
        int[] a = {n, 2}, b = new int[2];
        System.arraycopy(a, 0, b, 0, 2);
        return low(n) + b[0] + kept(b[1]);
    }

    static int deep(int n) { return middle(n) * kept(n); }

    static int tracedDeep() {
        step(true);
        int n = deep(1000000);
        step(false);
        return n;
    }

    /* Two calls, and what is computed between them. */
    static int pair(int n) { return kept(n) * 3 + kept(n + 1); }

    static int paired(int n) { return pair(n) - 1; }

    static int tracedPair() {
        step(true);
        int n = paired(3);
        step(false);
        return n;
    }

    interface Shape { int side(); }

    static class Square implements Shape {
        public int side() { return leaf(1); }
        synchronized int locked() { return leaf(2); }
        public boolean equals(Object o) { return o == this; }
    }

    static int interpreted(int n) { return n + leaf(n); }

    /* Calls by stubs, and what stubs do for it. */
    static int stubs(Shape s, Square q, Object o) {
        int n = s.side() + q.locked() + interpreted(1);
        synchronized (o) {
            n += System.identityHashCode(o) & 1;
        }
        fault(false);
        n += o.equals(s) ? 1 : 0;
        n += o instanceof Runnable ? 1 : new int[n].length;
        return n + (Thread.holdsLock(o) ? 1 : 0);
    }

    static int tracedStubs() {
        Square q = new Square();
        step(true);
        int n = stubs(q, q, q);
        step(false);
        return n;
    }

    /* Loads this class again, each time with another loader. */
    static class Again extends ClassLoader {
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            try (InputStream in = Compiled.class.getResourceAsStream(name + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (java.io.IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    public static class Many {
        public static int a(int n) { return b(n) + 1; }
        static int b(int n) { return c(n) + 1; }
        static int c(int n) { return d(n) + 1; }
        static int d(int n) { return e(n) + 1; }
        static int e(int n) { return f(n) + 1; }
        static int f(int n) { return g(n) + 1; }
        static int g(int n) { return h(n) + 1; }
        static int h(int n) { return n; }
    }

    static void loaders(int count, boolean kept) throws Exception {
        List<Object> all = new ArrayList<>();
        long sum = 0;
        for (int i = 0; i < count; i++) {
            Class<?> c = new Again().findClass("Compiled$Many");
            sum += (Integer) c.getMethod("a", int.class).invoke(null, i);
            if (kept) all.add(c);
        }
        System.out.println(sum + " " + all.size());
    }

    /* KiB of memory behind what begins with `label` in `file`, from the line on that matches `from`. */
    static int kibibytes(String file, String from, String label) throws Exception {
        boolean begun = false;
        for (String line : Files.readAllLines(Path.of(file))) {
            begun |= line.matches(from);
            if (begun && line.startsWith(label)) return Integer.parseInt(line.replaceAll("\\D", ""));
        }
        return -1;
    }

    /* After each tenth of so many loaders, what the process and its code cache have in memory. */
    static void levels(int count) throws Exception {
        for (int i = 0; i < 10; i++) {
            loaders(count / 10, false);
            System.gc();
            System.out.println("resident " + kibibytes("/proc/self/status", ".*", "VmRSS:") + ", code "
                    + kibibytes("/proc/self/smaps", "\\S+ r-xs .*", "Rss:"));
        }
    }

    static void redefined() throws Exception {
        again(Compiled.class);
        System.out.println(add(1, 2));
        for (int i = 0; i < 8; i++) again(Compiled.class);
        loaders(100, true);
        System.out.println(add(1, 2));
    }

    static void maps() throws Exception {
        boolean any = false;
        for (String line : Files.readAllLines(Path.of("/proc/self/maps"))) {
            if (line.matches("\\S+ .wx.*")) System.out.println("writable and executable: " + line);
            any |= line.matches("\\S+ r-xs .*/dev/zero.*");
        }
        System.out.println("two views: " + any);
    }

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
        case "trace":
            System.out.println(traced());
            show();
            break;
        case "inlined":                  // leaf in add
            int sum = 0;
            for (int i = 0; i < 20000; i++) sum += add(i, 1);
            System.out.println(sum + traced());
            show();
            break;
        case "deep":                     // middle and low in deep; they call and allocate
            for (int i = 1; i < 20000; i++) sum(deep(i % 10 + 1));
            System.out.println(total + tracedDeep());
            show();
            break;
        case "pair":                     // pair in paired; it calls twice
            for (int i = 1; i < 20000; i++) sum(paired(i % 10));
            System.out.println(total + tracedPair());
            show();
            break;
        case "stubs":
            Square q = new Square();
            for (int i = 1; i < 20000; i++) sum(stubs(q, q, i % 2 == 0 ? q : "o"));
            System.out.println(tracedStubs());
            show();
            break;
        case "loop":
            System.out.println(tracedLoop());
            show();
            break;
        case "unloaded":
        case "kept":
            loaders(Integer.parseInt(args[1]), args[0].equals("kept"));
            break;
        case "levels":
            levels(Integer.parseInt(args[1]));
            break;
        case "fault":
            beneath(3);                  // binds the method; its native stub is made when it is called next
            System.out.println(add(beneath(1), 2));
            break;
        case "redefined":
            redefined();
            break;
        case "maps":
            maps();
            break;
        default:
        }
    }
}
