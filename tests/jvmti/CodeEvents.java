import java.io.InputStream;
import java.lang.ref.Reference;

/** With the agent code_events: what is reported to a tool of the compiled code of these methods. */
public class CodeEvents {
    static final int COMPILED_METHOD_LOAD = 68, COMPILED_METHOD_UNLOAD = 69, DYNAMIC_CODE_GENERATED = 70;
    static final int LOADS = 0, UNLOADS = 1, MAP_LENGTH = 2, HAS_INFO = 3;
    static final int CALLS = 1000;               /* enough to be hot */

    /** What has been reported so far of the methods of this name. */
    static native int told(String method, int what);
    static native void listen(int event, boolean on);
    static native void generate(int event);
    static native int beforeStart();
    static native String allNames();
    /** But for native stubs, which are made when methods are called. */
    static String names() {
        return allNames().replaceAll("native_(static_)?[A-Z]*_[A-Z] ", "");
    }
    static native int overlaps();

    public static int loop(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            try {
                sum += 100 / (i % 7);
            } catch (ArithmeticException e) {
                sum ^= i;
            }
        }
        return sum;
    }
    static int late(int n) { return n * 3; }
    static int untold(int n) { return n * 5; }
    static int toldAgain(int n) { return n * 7; }

    public interface Body { int run(int n); }

    public static class Victim implements Body {
        public int run(int n) { return victim(n); }
        static int victim(int n) { return n * 11 + loop(3); }
    }

    static class Loader extends ClassLoader {
        @Override protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals("CodeEvents$Victim")) return super.loadClass(name, resolve);
            try (InputStream in = CodeEvents.class.getResourceAsStream("/CodeEvents$Victim.class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (java.io.IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    static int repeat(Body body) {
        int sum = 0;
        for (int i = 0; i < CALLS; i++) sum += body.run(i % 10);
        return sum;
    }

    static void await(String method, int what, int more) throws Exception {
        while (told(method, what) < more) {
            if (what == UNLOADS) System.gc();
            Thread.sleep(1);
        }
    }

    /** In a class of its own, which lives until its code has been told of: what goes before that is never told of. */
    static int inVictim() throws Exception {
        Body body = (Body) new Loader().loadClass("CodeEvents$Victim").getDeclaredConstructor().newInstance();
        int before = told("victim", LOADS), sum = repeat(body);
        await("victim", LOADS, before + 1);
        Reference.reachabilityFence(body);
        return sum;
    }

    static void compiled(boolean ours) throws Exception {
        System.out.println(repeat(CodeEvents::loop));
        await("loop", LOADS, 1);
        System.out.println("JT-149 loop is told of, with a map: " + (told("loop", MAP_LENGTH) > 5));
        if (ours) System.out.println("JT-149 compile_info: " + told("loop", HAS_INFO));
        int before = told("loop", LOADS);
        generate(COMPILED_METHOD_LOAD);
        System.out.println("JT-097 told of again when GenerateEvents returns: " + (told("loop", LOADS) - before >= 1));
        if (ours) System.out.println("JT-097 events for it: " + (told("loop", LOADS) - before));

        System.out.println(inVictim());
        await("victim", UNLOADS, 1);
        before = told("victim", LOADS);
        System.out.println("JT-151 told of where the code was when its class is gone: true");
        generate(COMPILED_METHOD_LOAD);
        System.out.println("JT-097 what is gone is not told of: " + (told("victim", LOADS) == before));

        for (int i = 0; i < 20; i++) inVictim();
        await("victim", UNLOADS, 2);
        System.out.println(inVictim());
        System.out.println("JT-111 code where other code has not gone: " + overlaps());

        listen(COMPILED_METHOD_LOAD, false);
        System.out.println(repeat(CodeEvents::untold));
        generate(COMPILED_METHOD_LOAD);
        listen(COMPILED_METHOD_LOAD, true);
        System.out.println(repeat(CodeEvents::toldAgain));
        await("toldAgain", LOADS, 1);
        System.out.println("what was compiled while nobody listened: " + told("untold", LOADS));
        generate(COMPILED_METHOD_LOAD);
        System.out.println("JT-097 ... is told of on request: " + (told("untold", LOADS) >= 1));
    }

    static void generated(boolean ours) {
        String names = names();
        System.out.println("JT-152 generated code before the start phase: " + (beforeStart() > 5));
        if (ours) System.out.println("JT-152 " + names);
        generate(DYNAMIC_CODE_GENERATED);
        String again = names();
        System.out.println("JT-097 generated code on request: " + !again.isEmpty());
        if (ours) System.out.println("JT-097 the same: " + again.contains(names));
        listen(DYNAMIC_CODE_GENERATED, false);
        generate(DYNAMIC_CODE_GENERATED);
        // What was generated meanwhile may have been sent before.
        if (ours) System.out.println("not enabled: " + !names().contains(names));
    }

    /** An agent that has not enabled anything, and begins to in the live phase. */
    static void lateComer() throws Exception {
        System.out.println(repeat(CodeEvents::untold));
        generate(COMPILED_METHOD_LOAD);
        generate(DYNAMIC_CODE_GENERATED);
        System.out.println("before anything is enabled: " + told("untold", LOADS) + names());
        listen(COMPILED_METHOD_LOAD, true);
        System.out.println(repeat(CodeEvents::late));
        await("late", LOADS, 1);
        System.out.println("enabled in the live phase: " + (told("late", LOADS) >= 1) + ", " + told("untold", LOADS));
    }

    /** Nothing is compiled. */
    static void interpreted() {
        System.out.println(repeat(CodeEvents::loop));
        generate(COMPILED_METHOD_LOAD);
        generate(DYNAMIC_CODE_GENERATED);
        System.out.println("interpreted: " + told("loop", LOADS) + names());
    }

    public static void main(String[] args) throws Exception {
        boolean ours = args.length > 1;
        switch (args[0]) {
        case "compiled" -> {
            generated(ours);
            compiled(ours);
        }
        case "late" -> lateComer();
        default -> interpreted();
        }
    }
}
