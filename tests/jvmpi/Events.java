import java.util.ArrayList;
import java.util.List;

/** Every event, caused on purpose, with all its members. Options: CLASS_LOAD_HOOK,JVM_INIT_DONE. */
public class Events extends Profiler {
    interface Shape {
        void draw(int n);
    }

    static class Square implements Shape, Cloneable {
        static int drawn;
        static final String NAME = "square";
        long size;
        String label;

        public void draw(int n) {
            drawn += n;
        }

        static int twice(int n) {
            return 2 * n;
        }

        void fail() {
            throw new IllegalStateException();
        }
    }

    static class Loaded {
        static int a;
        byte b;
        Loaded() {
            b = 1;
        }
    }

    static class Hooked {
        static String text() {
            return "old text";
        }
    }

    static volatile long otherEnv;
    static boolean foreign;                  // an event came in a thread that did not cause it

    static void await(java.util.function.BooleanSupplier c) {
        while (!c.getAsBoolean()) Thread.yield();
    }

    static List<Event> during(Runnable action, int... events) {
        only(env());
        for (int e : events) enable(e);
        clear();
        action.run();
        for (int i = events.length; i-- > 0;) disable(events[i]);
        List<Event> seen = take();
        for (Event e : seen) foreign |= e.env != env();
        only(0);
        return seen;
    }

    static String names(List<Event> events) {
        StringBuilder s = new StringBuilder();
        for (Event e : events) s.append(e.type == METHOD_EXIT ? '-' : '+').append(methodName(e.v[0])).append(' ');
        return s.toString();
    }

    static void calls(Square s) {
        s.draw(1);
        Square.twice(2);
        try {
            s.fail();
        } catch (IllegalStateException e) {
        }
    }

    static void methods() {
        Square s = new Square();
        calls(s);
        List<Event> events = during(() -> calls(s), METHOD_ENTRY, METHOD_EXIT);
        String calls = names(events);
        check(calls.contains("+calls +draw -draw +twice -twice +fail ") && calls.contains("-fail -calls "),
              "JP-105 JP-150: entries and exits, by exceptions too");
        events = during(() -> calls(s), METHOD_ENTRY2);
        boolean draw = false, twice = false;
        for (Event e : events) {
            if (methodName(e.v[0]).equals("draw")) draw = e.v[1] == id(s);
            if (methodName(e.v[0]).equals("twice")) twice = e.v[1] == 0;
        }
        check(draw && twice && of(events, METHOD_ENTRY2).size() == events.size(),
              "JP-105 JP-087 JP-046: METHOD_ENTRY2 with its receiver, NULL for a static method");
        events = during(() -> calls(s));
        check(events.isEmpty(), "JP-039 JP-041: nothing once it is disabled");
    }

    static Object[] made = new Object[6];

    static void objects() {
        List<Event> events = during(() -> {
            made[0] = new Square();
            made[1] = new int[10];
            made[2] = new Square[3];
            made[3] = new String[2][];
            made[4] = ((Object[]) made[2]).clone();
            made[5] = new byte[3000];
        }, OBJECT_ALLOC);
        Class<?>[] classes = {Square.class, int[].class, Square.class, String[].class, Square.class, byte[].class};
        int[] kinds = {0, 10, 2, 2, 2, 8};
        boolean all = true;
        for (int i = 0; i < made.length; i++) {
            int n = 0;
            for (Event e : events) {
                if (e.v[0] != id(made[i])) continue;
                n++;
                all &= e.v[1] == id(classes[i]) && e.v[2] == kinds[i] && e.v[3] == sizeOf(made[i]) && e.v[4] == 1
                       && !e.requested;
            }
            all &= n == 1;
        }
        check(all, "JP-109 JP-045 JP-147 JP-122: OBJECT_ALLOC: class or element class, kind, size, arena");
        only(env());
        clear();
        boolean same = request(OBJECT_ALLOC, id(made[2])) == SUCCESS;
        events = take();
        check(same && events.size() == 1 && events.get(0).requested && events.get(0).v[0] == id(made[2])
                  && events.get(0).v[1] == id(Square.class) && events.get(0).env == env(),
              "JP-043 JP-044 JP-076 JP-121: OBJECT_ALLOC by request, not enabled, before RequestEvent returns");
    }

    static long lost, large;

    static void lose() {
        lost = id(new Square());
        large = id(new byte[4 << 20]);
    }

    static void collections() {
        lose();
        long kept = id(made[0]);
        lockCollections(createRaw("_collections"));
        List<Event> events = during(Profiler::runGC, GC_START, GC_FINISH, OBJECT_FREE, OBJECT_MOVE, ARENA_DELETE);
        lockCollections(0);
        int n = events.size();
        boolean pair = n > 2 && events.get(0).type == GC_START && events.get(n - 1).type == GC_FINISH
                       && of(events, GC_START).size() == 1;
        check(
            pair && of(events, OBJECT_FREE).size() == n - 2,
            "JP-082 JP-083 JP-084 JP-078 JP-111 JP-112: objects are freed between GC_START and GC_FINISH, none moves");
        boolean freed = false, keptLives = true;
        for (Event e : of(events, OBJECT_FREE)) {
            freed |= e.v[0] == lost;
            keptLives &= e.v[0] != kept;
        }
        check(freed && keptLives, "JP-069 JP-111 JP-081: OBJECT_FREE of what was lost, not of what is kept");
        Event end = events.get(n - 1);
        check(end.v[0] > 1000 && end.v[1] >= 16 * end.v[0] && end.v[2] >= end.v[1], "JP-098: figures of GC_FINISH");
        check(request(OBJECT_DUMP, large) == FAIL && request(OBJECT_ALLOC, large) == FAIL,
              "JP-042 JP-074: the id of a freed object is none");
    }

    static void classes() throws Exception {
        List<Event> events = during(() -> { Loaded.a++; }, CLASS_LOAD);
        Event e = null;
        for (Event x : events) if (x.text.startsWith("Events$Loaded ")) e = x;
        check(e != null && e.text.equals("Events$Loaded Events.java a:I b:B") && e.v[0] == id(Loaded.class)
                  && e.v[1] == 0 && e.v[2] == 1 && e.v[3] == 1 && e.v[4] == 1 && e.v[5] >> 32 > 1
                  && (int) e.v[5] == (e.v[5] >> 32) + 2,
              "JP-090 JP-070 JP-116 JP-142: CLASS_LOAD");
        only(env());
        clear();
        boolean ok = request(CLASS_LOAD, id(Square.class)) == SUCCESS
                     && request(CLASS_LOAD, id(Square[][].class)) == SUCCESS
                     && request(CLASS_LOAD, id(int.class)) == SUCCESS;
        events = take();
        check(ok && events.size() == 3 && events.get(0).requested
                  && events.get(0).text.equals(
                      "Events$Square Events.java drawn:I NAME:Ljava/lang/String; size:J label:Ljava/lang/String;")
                  && events.get(0).v[1] == 2 && events.get(0).v[2] == 4
                  && events.get(1).text.equals("[[LEvents$Square; -") && events.get(2).text.equals("int -"),
              "JP-091 JP-044 JP-043: CLASS_LOAD by request, of arrays and primitive types too");
        check(Hooked.text().equals("new text"), "JP-092 JP-093: a class file replaced by CLASS_LOAD_HOOK");
    }

    /** A class of a loader of its own, used and forgotten. */
    static long unloadable() throws Exception {
        java.net.URL here = Events.class.getProtectionDomain().getCodeSource().getLocation();
        java.net.URLClassLoader loader = new java.net.URLClassLoader(new java.net.URL[] {here}, null);
        Class<?> c = loader.loadClass("Events$Loaded");
        long id = id(c);
        loader.close();
        return id;
    }

    static void unloading() throws Exception {
        long id = unloadable();
        boolean unloaded = false, first = false;
        for (int i = 0; i < 20 && !unloaded; i++) {
            List<Event> events = during(Profiler::runGC, GC_START, CLASS_UNLOAD, OBJECT_FREE, GC_FINISH);
            boolean free = false;
            for (Event e : events) {
                free |= e.type == OBJECT_FREE && e.v[0] == id;
                if (e.type != CLASS_UNLOAD || e.v[0] != id) continue;
                unloaded = true;
                first = !free;
            }
        }
        check(unloaded && first, "JP-094 JP-070 JP-071: CLASS_UNLOAD, before its object is freed");
    }

    static void threads() throws Exception {
        only(0);
        enable(THREAD_START);
        enable(THREAD_END);
        clear();
        ThreadGroup group = new ThreadGroup("group of events");
        Thread t = new Thread(group, () -> { otherEnv = env(); }, "thread of events");
        t.start();
        t.join();
        await(() -> status(otherEnv) == 0);
        disable(THREAD_START);
        disable(THREAD_END);
        List<Event> mine = new ArrayList<>();
        for (Event e : take()) if (e.env == otherEnv) mine.add(e);
        check(mine.size() == 2 && mine.get(0).type == THREAD_START
                  && mine.get(0).text.equals("thread of events|group of events|main") && mine.get(0).v[0] == id(t)
                  && mine.get(0).v[1] == otherEnv && mine.get(1).type == THREAD_END,
              "JP-114 JP-115 JP-068: THREAD_START and THREAD_END");
        only(env());
        clear();
        boolean ok = request(THREAD_START, id(Thread.currentThread())) == SUCCESS;
        List<Event> events = take();
        check(ok && request(THREAD_START, id(t)) == FAIL && events.size() == 1 && events.get(0).requested
                  && events.get(0).text.equals("main|main|system"),
              "JP-043 JP-044 JP-077: THREAD_START by request, while the thread lives");
    }

    static void monitors() throws Exception {
        Object lock = new Object();
        only(0);
        enable(MONITOR_ENTER);
        enable(MONITOR_ENTERED);
        enable(MONITOR_EXIT);
        Thread t = new Thread(() -> {
            otherEnv = env();
            synchronized (lock) {
            }
        });
        synchronized (lock) {
            t.start();
            await(() -> entering(lock) == 1);
        }
        t.join();
        disable(MONITOR_ENTER);
        disable(MONITOR_ENTERED);
        disable(MONITOR_EXIT);
        String order = "";
        for (Event e : take())
            if (e.v[0] == id(lock)) order += e.type + (e.env == otherEnv ? "t " : e.env == env() ? "m " : "? ");
        check(order.equals("54t 56m 55t "), "JP-106 JP-087: contended enter, exit by the owner, entered");
        List<Event> events = during(() -> {
            synchronized (lock) {
                try {
                    lock.wait(3);
                    Thread.sleep(2);
                } catch (InterruptedException e) {
                }
            }
        }, MONITOR_WAIT, MONITOR_WAITED);
        check(events.size() == 4 && events.get(0).type == MONITOR_WAIT && events.get(0).v[0] == id(lock)
                  && events.get(0).v[1] == 3 && events.get(1).type == MONITOR_WAITED && events.get(1).v[0] == id(lock)
                  && events.get(1).v[1] >= 2 && events.get(2).type == MONITOR_WAIT && events.get(2).v[0] == 0
                  && events.get(2).v[1] == 2 && events.get(3).type == MONITOR_WAITED && events.get(3).v[0] == 0
                  && events.get(3).v[1] >= 1,
              "JP-107: waiting, and sleeping as waiting on nothing");
    }

    static void references() {
        Object o = new Object();
        for (boolean weak : new boolean[] {false, true}) {
            int alloc = weak ? WEAK_GLOBALREF_ALLOC : GLOBALREF_ALLOC, free =
                                                                           weak ? WEAK_GLOBALREF_FREE : GLOBALREF_FREE;
            long[] ref = new long[1];
            List<Event> events = during(() -> {
                ref[0] = newGlobal(o, weak);
                deleteGlobal(ref[0], weak);
            }, alloc, free);
            check(events.size() == 2 && events.get(0).type == alloc && events.get(0).v[0] == id(o)
                      && events.get(0).v[1] == ref[0] && events.get(1).type == free && events.get(1).v[0] == ref[0],
                  "JP-103 JP-073: " + (weak ? "weak " : "") + "global references");
        }
    }

    static int branch(int n) {
        if (n > 3) n++;
        switch (n) {
        case 1: return 10;
        case 2: return 20;
        case 3: return 30;
        default:
        }
        switch (n) {
        case 100: return 1;
        case 20000: return 2;
        default: return 3;
        }
    }

    static void instructions() {
        branch(1);
        List<Event> all = during(() -> branch(5), INSTRUCTION_START);
        List<Event> events = new ArrayList<>();
        for (Event e : all) if ("branch".equals(methodName(e.v[0]))) events.add(e);
        boolean rising = true;
        for (int i = 1; i < events.size(); i++) rising &= events.get(i).v[1] > events.get(i - 1).v[1];
        // iload, iconst_3, if_icmple (not taken), iinc, iload, tableswitch (6 in 1..3), iload, lookupswitch (default of
        // 2), iconst_3, ireturn
        check(events.size() == 10 && rising && events.get(0).v[1] == 0 && events.get(2).v[2] == 0
                  && events.get(5).v[3] == 6 && events.get(5).v[4] == 3 && events.get(7).v[3] == 2
                  && events.get(7).v[5] == 1,
              "JP-100 JP-101 JP-102 JP-145 JP-149: INSTRUCTION_START, branches and switches");
        events.clear();
        for (Event e : during(() -> branch(100), INSTRUCTION_START))
            if ("branch".equals(methodName(e.v[0]))) events.add(e);
        events.clear();
        for (Event e : during(() -> branch(2), INSTRUCTION_START))
            if ("branch".equals(methodName(e.v[0]))) events.add(e);
        check(events.get(2).v[2] == 1, "JP-100: a branch that is taken");
    }

    static void others() throws Exception {
        check(during(() -> calls(new Square()), COMPILED_METHOD_LOAD, COMPILED_METHOD_UNLOAD).isEmpty(),
              "nothing is compiled, nothing told");
        only(0);
        enable(DATA_DUMP_REQUEST);
        enable(DATA_RESET_REQUEST);
        clear();
        new ProcessBuilder("sh", "-c", "kill -QUIT " + ProcessHandle.current().pid()).start().waitFor();
        List<Event> events = new ArrayList<>();
        while (events.size() < 2) {
            for (long[] r = next(); r != null; r = next()) events.add(new Event(r, text()));
            Thread.yield();
        }
        disable(DATA_DUMP_REQUEST);
        disable(DATA_RESET_REQUEST);
        clear();
        check(events.get(0).type == DATA_DUMP_REQUEST && events.get(1).type == DATA_RESET_REQUEST,
              "JP-097: the quit signal");
    }

    public static void main(String[] args) throws Exception {
        int done = 0;
        for (Event e : take()) if (e.type == JVM_INIT_DONE) done++;
        check(done == 1, "JP-104 JP-002 JP-003 JP-004 JP-006 JP-011: options arrive, JVM_INIT_DONE comes once");
        methods();
        objects();
        collections();
        classes();
        unloading();
        threads();
        monitors();
        references();
        instructions();
        others();
        check(!foreign, "JP-086 JP-088: sent in the thread that causes it");
        finish();
    }
}
