import java.io.InputStream;

/** COMPILED_METHOD_LOAD and COMPILED_METHOD_UNLOAD, where methods are compiled. */
public class CompiledMethods extends Profiler {
    static int line() { return new Throwable().getStackTrace()[1].getLineNumber(); }

    static int begins;

    static int known(int n) {
        begins = line();
        int sum = 0;
        for (int i = 0; i < n; i++)
            sum += i;
        return sum;
    }

    static int unheard(int n) { return n + 1; }
    static int heard(int n) { return n + 2; }

    public interface Body { int run(int n); }

    public static class Victim implements Body {
        public int run(int n) { return victim(n); }
        static int victim(int n) { return n * 11; }
    }

    static class Loader extends ClassLoader {
        @Override protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals("CompiledMethods$Victim")) return super.loadClass(name, resolve);
            try (InputStream in = CompiledMethods.class.getResourceAsStream("/CompiledMethods$Victim.class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (java.io.IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    /** The next event of this type, of the method of this name, or (NULL) with this id; of others nothing is kept. */
    static Event await(int type, String name, long id) throws InterruptedException {
        for (;;) {
            long[] r = next();
            if (r == null) {
                if (type == COMPILED_METHOD_UNLOAD) System.gc();
                Thread.sleep(1);
                continue;
            }
            Event e = new Event(r, text());
            if (e.type == COMPILED_METHOD_LOAD) heard |= "unheard".equals(methodName(e.v[0]));
            if (e.type == type && (name != null ? name.equals(methodName(e.v[0])) : e.v[0] == id)) return e;
        }
    }

    static boolean heard;

    /** Keeps its class until it has been heard that its code is there: an id of a class that is gone has no name. */
    static Body victim;

    static int inVictim() throws Exception {
        victim = (Body) new Loader().loadClass("CompiledMethods$Victim").getDeclaredConstructor().newInstance();
        return victim.run(3);
    }

    public static void main(String[] args) throws Exception {
        only(0);
        int sum = unheard(1);
        enable(COMPILED_METHOD_LOAD);
        enable(COMPILED_METHOD_UNLOAD);
        sum += known(4) + heard(1);
        Event e = await(COMPILED_METHOD_LOAD, "known", 0);
        // the optimising compiler makes no code for the constant that the second line stores
        String first = begins + " " + (args.length == 0 ? begins + 1 + " " : "");
        String lines = first + (begins + 2) + " " + (begins + 3) + " " + (begins + 2) + " " + (begins + 4) + " ";
        check(methodClass(e.v[0]) == id(CompiledMethods.class) && e.v[1] != 0 && e.v[2] > 0 && e.env != 0
                  && e.v[3] >= (args.length == 0 ? 6 : 5) && e.text.startsWith(lines) && !e.text.contains("back"),
              "JP-095 JP-143: COMPILED_METHOD_LOAD: method, code and lines" + (args.length == 0 ? "" : ", optimised"));
        await(COMPILED_METHOD_LOAD, "heard", 0);
        check(!heard, "JP-095: nothing is told of what was compiled before");
        sum += inVictim();
        long id = await(COMPILED_METHOD_LOAD, "victim", 0).v[0];
        victim = null;
        check(await(COMPILED_METHOD_UNLOAD, null, id).v[0] == id, "JP-096 JP-146: COMPILED_METHOD_UNLOAD");
        disable(COMPILED_METHOD_LOAD);
        disable(COMPILED_METHOD_UNLOAD);
        clear();
        check(sum == 2 + 6 + 3 + 33, "the methods' results");
        finish();
    }
}
