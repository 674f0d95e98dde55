import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/** Heap, object and monitor dumps, read record by record and compared with JVM TI and with known objects. */
public class Dumps extends Profiler {
    static class Base {
        int i = 0x01020304;
        Object o;
        boolean z = true;
    }

    static class Known extends Base implements Runnable, Cloneable {
        static long number = 0x1122334455667788L;
        static Object text;
        static byte b = 7;
        double d = 1.5;
        short s = -2;
        String name = "known";
        char c = 'x';
        float f = 2.5f;

        public void run() {
        }
    }

    static Known known = new Known();
    static Known[] array = {null, known, null};
    static char[] chars = {'a', 'b', 'c'};
    static long[] longs = {1, -1};
    static Object[][] nested = {array, null};

    /** Has a class of its own, with signers. */
    static class Signer extends ClassLoader {
        static final Object[] SIGNERS = {"signer"};
        static final Class<?> SIGNED = new Signer().define();

        Class<?> define() {
            try (java.io.InputStream in = Dumps.class.getResourceAsStream("Dumps$Base.class")) {
                byte[] bytes = in.readAllBytes();
                Class<?> c = defineClass("Dumps$Base", bytes, 0, bytes.length);
                setSigners(c, SIGNERS);
                return c;
            } catch (java.io.IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Reads a dump. */
    static class Reader {
        final ByteBuffer in = ByteBuffer.wrap(dump()).order(ByteOrder.nativeOrder());
        final int level;
        final Map<Long, String> layouts = new HashMap<>();
        final Map<Long, Long> superOf = new HashMap<>();
        final Map<Long, Integer> objects = new HashMap<>();      // id -> type or record
        final Map<Long, Object[]> values = new HashMap<>();      // of the objects asked for
        final Map<Integer, Integer> roots = new HashMap<>();
        final Set<Long> wanted = new HashSet<>(), stackRootEnvs = new HashSet<>();
        final Set<Long> monitorsUsed = new HashSet<>(), sticky = new HashSet<>(), globals = new HashSet<>(),
                        frameRoots = new HashSet<>();
        // of the fields of a class's instances, as they are written
        final Map<Long, String> typesOf = new HashMap<>();
        final Map<Long, Map<Long, Integer>> referees = new HashMap<>();
        int maxFrame = -1;
        boolean twice;

        Reader(int level) {
            this.level = level;
        }

        String[] layout(long id) {
            String s = layouts.get(id);
            if (s == null) {
                s = Profiler.layout(id);
                layouts.put(id, s);
            }
            return s.split(":", -1);
        }

        Object value(char type) {
            switch (type) {
            case 'Z': case 'B': return in.get();
            case 'S': return in.getShort();
            case 'C': return in.getChar();
            case 'I': return in.getInt();
            case 'F': return in.getFloat();
            case 'J': return in.getLong();
            case 'D': return in.getDouble();
            default: return in.getLong();
            }
        }

        Object[] values(String types) {
            Object[] all = new Object[types.length()];
            int n = 0;
            for (int i = 0; i < types.length(); i++) {
                char type = types.charAt(i);
                if (level == 2 || type == 'L' || type == '[') all[n++] = value(type);
            }
            return java.util.Arrays.copyOf(all, n);
        }

        /** Reads values, and notes what they refer to. */
        Object[] valuesOf(long id, String types) {
            Object[] all = values(types);
            int n = 0;
            for (int i = 0; i < types.length(); i++) {
                boolean reference = types.charAt(i) == 'L' || types.charAt(i) == '[';
                if (reference && (long) all[n] != 0) refer(referees, id, (long) all[n]);
                if (level == 2 || reference) n++;
            }
            return all;
        }

        String typesOf(long type) {
            String types = typesOf.get(type);
            if (types == null) {
                types = layout(type)[2];
                long above = superId(type);
                if (above != 0) types += typesOf(above);
                typesOf.put(type, types);
            }
            return types;
        }

        void object(long id, int type) {
            twice |= objects.put(id, type) != null;
        }

        Object[] array(int n, int type) {
            char c = type == 4    ? 'Z'
                     : type == 5  ? 'C'
                     : type == 6  ? 'F'
                     : type == 7  ? 'D'
                     : type == 8  ? 'B'
                     : type == 9  ? 'S'
                     : type == 10 ? 'I'
                     : type == 11 ? 'J'
                                  : '?';
            if (c == '?') throw new IllegalStateException("element type " + type);
            if (level == 1) n = 0;
            Object[] all = new Object[n];
            for (int i = 0; i < n; i++) all[i] = value(c);
            return all;
        }

        void classDump() {
            long id = in.getLong();
            object(id, 0x20);
            long[] head = new long[6];
            for (int i = 0; i < 6; i++) head[i] = in.getLong();
            superOf.put(id, head[0]);
            int size = in.getInt();
            String[] layout = layout(id);
            Object[] interfaces = values("L".repeat(Integer.parseInt(layout[0])));
            int constants = in.getShort() & 0xffff;
            boolean references = true;
            for (int i = 0; i < constants; i++) {
                in.getShort();
                int type = in.get();
                references &= type == 0 || type == 2;
                in.getLong();
            }
            Object[] statics = valuesOf(id, layout[1]);
            if (wanted.contains(id)) values.put(id, new Object[] {head, size, interfaces, statics, references});
        }

        void instanceDump() {
            long id = in.getLong(), type = in.getLong();
            object(id, 0x21);
            int bytes = in.getInt(), end = in.position() + bytes;
            Object[] all = valuesOf(id, typesOf(type));
            if (in.position() != end) throw new IllegalStateException("instance of " + bytes + " bytes");
            if (wanted.contains(id)) values.put(id, all);
        }

        long superId(long c) {
            disableGC();
            Class<?> s = ((Class<?>) Profiler.object(c)).getSuperclass();
            long id = id(s);
            enableGC();
            return id;
        }

        void record() {
            int tag = in.get() & 0xff;
            if (tag == 0xff || tag < 0x20) roots.merge(tag, 1, Integer::sum);
            long id;
            switch (tag) {
            case 0xff: in.getLong(); break;
            case 5: sticky.add(in.getLong()); break;
            case 7: monitorsUsed.add(in.getLong()); break;
            case 1: globals.add(in.getLong()); in.getLong(); break;
            case 2: case 3:
                id = in.getLong();
                if (tag == 3) frameRoots.add(id);
                stackRootEnvs.add(in.getLong());
                maxFrame = Math.max(maxFrame, in.getInt());
                break;
            case 4: case 6:
                in.getLong();
                stackRootEnvs.add(in.getLong());
                break;
            case 0x20: classDump(); break;
            case 0x21: instanceDump(); break;
            case 0x22: {
                id = in.getLong();
                object(id, tag);
                int n = in.getInt();
                long element = in.getLong();
                Object[] elements = valuesOf(id, "L".repeat(n));
                if (wanted.contains(id)) values.put(id, new Object[] {element, elements});
                break;
            }
            case 0x23: {
                id = in.getLong();
                object(id, tag);
                int n = in.getInt();
                int type = in.get();
                Object[] elements = wanted.contains(id) ? array(n, type) : null;
                if (elements != null) values.put(id, new Object[] {n, type, elements});
                else if (level == 2)
                    in.position(in.position()
                                + (n << (type == 4 || type == 8    ? 0
                                         : type == 5 || type == 9  ? 1
                                         : type == 6 || type == 10 ? 2
                                                                   : 3)));
                break;
            }
            default: throw new IllegalStateException("record " + tag + " at " + in.position());
            }
        }

        Reader read() {
            while (in.hasRemaining()) {
                if (level == 0) {
                    int type = in.get();
                    object(in.getLong(), type);
                } else {
                    record();
                }
            }
            return this;
        }
    }

    static void refer(Map<Long, Map<Long, Integer>> referees, long from, long to) {
        referees.computeIfAbsent(from, x -> new HashMap<>()).merge(to, 1, Integer::sum);
    }

    /** What JVM TI has found, as a reader keeps it. */
    static Map<Long, Map<Long, Integer>> found(long[] references) {
        Map<Long, Map<Long, Integer>> referees = new HashMap<>();
        for (int i = 0; i < references.length; i += 2) refer(referees, references[i], references[i + 1]);
        return referees;
    }

    /** Where two maps of referees differ: the first objects. */
    static String difference(Map<Long, Map<Long, Integer>> dump, Map<Long, Map<Long, Integer>> jvmti) {
        StringBuilder text = new StringBuilder();
        Set<Long> all = new HashSet<>(dump.keySet());
        all.addAll(jvmti.keySet());
        int n = 0;
        for (long id : all)
            if (!java.util.Objects.equals(dump.get(id), jvmti.get(id)) && n++ < 3)
                text.append(" ")
                    .append(object(id).getClass())
                    .append(": dump ")
                    .append(dump.get(id))
                    .append(", JVM TI ")
                    .append(jvmti.get(id))
                    .append(" such as ")
                    .append(jvmti.get(id) == null ? "none"
                                                  : object(jvmti.get(id).keySet().iterator().next()).getClass());
        return n == 0 ? "" : n + " objects:" + text;
    }

    static Set<Long> set(long[] ids) {
        Set<Long> s = new HashSet<>();
        for (long id : ids) s.add(id);
        return s;
    }

    static String difference(Set<Long> a, Set<Long> b) {
        int onlyA = 0, onlyB = 0;
        String first = "";
        for (long x : a) if (!b.contains(x) && onlyA++ < 3) first += " dump: " + object(x).getClass();
        for (long x : b) if (!a.contains(x) && onlyB++ < 3) first += " JVM TI: " + object(x).getClass();
        return onlyA + onlyB == 0 ? "" : onlyA + " only in the dump, " + onlyB + " only by JVM TI:" + first;
    }

    static void heap(int level) {
        Class<?> signed = Signer.SIGNED;
        disableGC();
        long[] ids = dumpAndReach(level);
        Reader r = new Reader(level);
        for (Object o : new Object[] {known, array, chars, longs, nested, Known.class, Base.class, int.class,
                                      Known[].class, signed})
            r.wanted.add(id(o));
        r.read();
        String difference = difference(r.objects.keySet(), set(ids));
        long[] references = reached();
        String referees = level == 0 ? "" : difference(r.referees, found(references));
        enableGC();
        check(referees.isEmpty() && references.length > 2 * 1000,
              "JP-127 JP-130 JP-132 JP-133: level " + level + ": what each object refers to is what JVM TI says "
                  + referees);
        check(difference.isEmpty() && !r.twice, "JP-099 JP-126 JP-127 JP-128 JP-131: level " + level
                                                    + ": each object that JVM TI reaches once " + difference);
        if (level == 0) {
            check(r.objects.get(id(known)) == 0 && r.objects.get(id(array)) == 2 && r.objects.get(id(chars)) == 5
                      && r.objects.get(id(longs)) == 11 && r.objects.get(id(nested)) == 2
                      && r.objects.get(id(Known.class)) == 0 && traces().length == 0,
                  "JP-126 JP-127 JP-122: kinds at level 0");
            return;
        }
        boolean two = level == 2;
        Object[] instance = r.values.get(id(known));
        Object[] expected =
            two ? new Object[] {1.5, (short) -2, id("known"), 'x', 2.5f, 0x01020304, id(known.o), (byte) 1}
                : new Object[] {id("known"), id(known.o)};
        check(java.util.Arrays.equals(instance, expected),
              "JP-132 JP-124 JP-125 JP-135: instance fields, the class's own first: "
                  + java.util.Arrays.toString(instance));
        Object[] classDump = r.values.get(id(Known.class));
        long[] head = (long[]) classDump[0];
        check(head[0] == id(Base.class) && head[1] == id(Known.class.getClassLoader())
                  && head[3] == id(Known.class.getProtectionDomain())
                  && (head[4] == 0 || head[4] == id(Known.class.getName())) && head[5] == 0
                  && (int) classDump[1] == sizeOf(known),
              "JP-130 JP-146: class, super, loader, protection domain, name, instance size");
        long signers = ((long[]) r.values.get(id(signed))[0])[2];
        check(signers != 0 && ((Object[]) object(signers))[0] == Signer.SIGNERS[0] && head[2] == 0, "JP-130: signers");
        Object[] statics = (Object[]) classDump[3];
        expected = two ? new Object[] {Known.number, id(Known.text), (byte) 7} : new Object[] {id(Known.text)};
        check(java.util.Arrays.equals((Object[]) classDump[2], new Object[] {id(Runnable.class), id(Cloneable.class)})
                  && java.util.Arrays.equals(statics, expected) && (boolean) classDump[4],
              "JP-130 JP-131 JP-135: interfaces, static fields, constants");
        check(((long[]) r.values.get(id(int.class))[0])[0] == 0
                  && ((long[]) r.values.get(id(Known[].class))[0])[0] == id(Object.class),
              "JP-130: classes of arrays and primitive types");
        Object[] elements = r.values.get(id(array));
        check((long) elements[0] == id(Known.class)
                  && java.util.Arrays.equals((Object[]) elements[1], new Object[] {0L, id(known), 0L})
                  && (long) r.values.get(id(nested))[0] == id(Object[].class),
              "JP-133: arrays of objects");
        Object[] primitive = r.values.get(id(chars));
        check((int) primitive[0] == 3 && (int) primitive[1] == 5
                  && java.util.Arrays.equals((Object[]) primitive[2],
                                             two ? new Object[] {'a', 'b', 'c'} : new Object[0]),
              "JP-134 JP-135 JP-123: arrays of a primitive type");
    }

    static void roots() {
        Object monitor = new Object(), local = new Object();
        long global = newGlobal(new int[1], false);
        Reader r = new Reader(2);
        long depth;
        synchronized (monitor) {
            requestDump(2);
            long[] traces = traces();
            boolean mine = false, all = true;
            Set<Long> envs = new HashSet<>();
            long deepest = 0;
            for (int i = 0; i < traces.length; i += 3 + 2 * (int) traces[i + 2]) {
                envs.add(traces[i]);
                deepest = Math.max(deepest, traces[i + 2]);
                if (traces[i] == env())
                    mine = methodName(traces[i + 4]).equals("requestDump") && methodName(traces[i + 6]).equals("roots");
            }
            r = new Reader(2).read();
            all = envs.containsAll(r.stackRootEnvs);
            check(mine && all && r.maxFrame < deepest, "JP-136 JP-099: the traces of the threads that have roots");
        }
        check(r.monitorsUsed.contains(id(monitor)) && r.frameRoots.contains(id(local))
                  && r.sticky.contains(id(String.class)) && r.roots.getOrDefault(6, 0) > 2
                  && r.roots.getOrDefault(1, 0) > 0 && r.roots.getOrDefault(2, 0) > 0,
              "JP-129 JP-123: roots: monitor, frame, system class, threads, JNI global and local " + r.roots);
        deleteGlobal(global, false);
    }

    static void oneObject() {
        Object[] all = {known, array, chars, Known.class};
        int[] tags = {0x21, 0x22, 0x23, 0x20};
        boolean ok = true;
        for (int i = 0; i < all.length; i++) {
            disableGC();
            long id = id(all[i]);
            ok &= request(OBJECT_DUMP, id) == SUCCESS;
            Reader r = new Reader(2);
            r.wanted.add(id);
            r.read();
            ok &= r.objects.size() == 1 && r.objects.get(id) == tags[i] && r.values.get(id) != null;
            enableGC();
        }
        check(ok, "JP-110 JP-137: OBJECT_DUMP: one record each");
    }

    /** A monitor of a dump. */
    static class Monitor {
        long id, owner;
        int entries;
        long[] entering, waiting;
    }

    static Map<Long, Monitor> monitors(boolean raw) {
        ByteBuffer in = ByteBuffer.wrap(dump()).order(ByteOrder.nativeOrder());
        Map<Long, Monitor> all = new HashMap<>();
        while (in.hasRemaining()) {
            int tag = in.get();
            if (tag != 1 && tag != 2) throw new IllegalStateException("record " + tag);
            if (tag == 2 && in.getLong() == 0) throw new IllegalStateException("a raw monitor without a name");
            Monitor m = new Monitor();
            m.id = in.getLong();
            m.owner = in.getLong();
            m.entries = in.getInt();
            m.entering = new long[in.getInt()];
            for (int i = 0; i < m.entering.length; i++) m.entering[i] = in.getLong();
            m.waiting = new long[in.getInt()];
            for (int i = 0; i < m.waiting.length; i++) m.waiting[i] = in.getLong();
            if (tag == (raw ? 2 : 1)) all.put(m.id, m);
        }
        return all;
    }

    static volatile long waiterEnv, enterEnv, rawEnv;

    static void monitorDump() throws Exception {
        Object lock = new Object();
        long raw = createRaw("dumped");
        Thread waiter = new Thread(() -> {
            waiterEnv = env();
            synchronized (lock) {
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                }
            }
        });
        waiter.start();
        while (waiter.getState() != Thread.State.WAITING) Thread.yield();
        Thread enterer = new Thread(() -> {
            enterEnv = env();
            synchronized (lock) {
            }
        });
        Thread rawEnterer = new Thread(() -> {
            rawEnv = env();
            enterRaw(raw);
            exitRaw(raw);
        });
        enterRaw(raw);
        rawEnterer.start();
        synchronized (lock) {
            synchronized (lock) {
                enterer.start();
                while (entering(lock) != 1 || enterer.getState() != Thread.State.BLOCKED || rawEnv == 0
                       || status(rawEnv) != 2)
                    Thread.yield();
                check(request(MONITOR_DUMP, 0) == SUCCESS, "JP-108: MONITOR_DUMP");
            }
        }
        exitRaw(raw);
        Monitor m = monitors(false).get(id(lock)), r = monitors(true).get(raw);
        check(m != null && m.owner == env() && m.entries == 2 && m.entering.length == 1 && m.entering[0] == enterEnv
                  && m.waiting.length == 1 && m.waiting[0] == waiterEnv,
              "JP-138: a Java monitor: owner, entries, who waits to enter and to be notified");
        check(r != null && r.owner == env() && r.entries == 1 && r.entering.length == 1 && r.entering[0] == rawEnv
                  && r.waiting.length == 0,
              "JP-139: a raw monitor");
        long[] traces = traces();
        Map<Long, Long> statuses = new HashMap<>();
        for (int i = 0; i < traces.length; i += 3 + 2 * (int) traces[i + 2]) statuses.put(traces[i], traces[i + 1]);
        check(statuses.get(env()) == 1 && statuses.get(waiterEnv) == 3 && statuses.get(enterEnv) == 2
                  && statuses.size() >= 4,
              "JP-140 JP-108: traces and statuses of all threads");
        waiter.interrupt();
        waiter.join();
        enterer.join();
        rawEnterer.join();
        destroyRaw(raw);
    }

    public static void main(String[] args) throws Exception {
        known.o = array;
        Known.text = chars;
        for (int level = 2; level >= 0; level--) heap(level);
        roots();
        oneObject();
        monitorDump();
        finish();
    }
}
