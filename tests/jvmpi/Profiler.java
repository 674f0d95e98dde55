import java.util.ArrayList;
import java.util.List;

/** The functions of JVMPI as the agent tests/agents/profiler.c hands them on, and what it records. */
public class Profiler {
    static final int METHOD_ENTRY = 1, METHOD_ENTRY2 = 2, METHOD_EXIT = 3, OBJECT_ALLOC = 4, OBJECT_FREE = 5,
                     OBJECT_MOVE = 6, COMPILED_METHOD_LOAD = 7, COMPILED_METHOD_UNLOAD = 8, INSTRUCTION_START = 9,
                     THREAD_START = 33, THREAD_END = 34, CLASS_LOAD_HOOK = 35, HEAP_DUMP = 37, GLOBALREF_ALLOC = 38,
                     GLOBALREF_FREE = 39, WEAK_GLOBALREF_ALLOC = 40, WEAK_GLOBALREF_FREE = 41, CLASS_LOAD = 42,
                     CLASS_UNLOAD = 43, DATA_DUMP_REQUEST = 44, DATA_RESET_REQUEST = 45, JVM_INIT_DONE = 46,
                     JVM_SHUT_DOWN = 47, ARENA_NEW = 48, ARENA_DELETE = 49, OBJECT_DUMP = 50, RAW_ENTER = 51,
                     RAW_ENTERED = 52, RAW_EXIT = 53, MONITOR_ENTER = 54, MONITOR_ENTERED = 55, MONITOR_EXIT = 56,
                     MONITOR_WAIT = 57, MONITOR_WAITED = 58, MONITOR_DUMP = 59, GC_START = 60, GC_FINISH = 61;
    static final int SUCCESS = 0, NOT_AVAILABLE = 1, FAIL = -1, REQUESTED = 0x10000000;

    static native int enable(int event);
    static native int disable(int event);
    static native int request(int event, long arg);
    static native int requestDump(int level);
    static native void only(long thread);
    static native long env();
    static native long id(Object o);
    static native Object object(long id);
    static native long threadObject(long thread);
    static native long methodClass(long method);
    static native int status(long thread);
    static native boolean hasRun(long thread);
    static native void suspend(long thread);
    static native void resume(long thread);
    static native void setStorage(long thread, long value);
    static native long getStorage(long thread);
    static native long cpuTime();
    static native void disableGC();
    static native void enableGC();
    static native void runGC();
    static native void exit(int code);
    static native long createRaw(String name);
    static native void enterRaw(long m);
    static native void exitRaw(long m);
    static native void waitRaw(long m, long ms);
    static native void notifyRaw(long m);
    static native void destroyRaw(long m);
    static native void lockCollections(long m);
    static native int createThread(String name, int priority);
    static native long systemThread();
    static native long[] next();
    static native String text();
    static native int clear();
    static native byte[] dump();
    static native String layout(long id);
    static native long[] traces();
    static native long[] trace(long thread, int depth);
    static native String methodName(long method);
    static native long[] dumpAndReach(int level);
    /** Of the objects that dumpAndReach has reached: pairs of ids, who refers and to what. */
    static native long[] reached();
    static native long sizeOf(Object o);
    /** As a debugger does it, by JVM TI. */
    static native void suspendByTool(Thread t, boolean on);
    /** How many threads stand in the queue of those who wait to enter o's monitor, by JVM TI. */
    static native int entering(Object o);
    static native long newGlobal(Object o, boolean weak);
    static native void deleteGlobal(long ref, boolean weak);

    /** A recorded event. */
    static class Event {
        final int type;
        final boolean requested;
        final long env;
        final long[] v;
        final String text;

        Event(long[] record, String text) {
            type = (int) record[0] & ~REQUESTED;
            requested = (record[0] & REQUESTED) != 0;
            env = record[1];
            v = java.util.Arrays.copyOfRange(record, 2, 8);
            this.text = text;
        }

        @Override
        public String toString() {
            return type + " " + java.util.Arrays.toString(v) + " " + text;
        }
    }

    /** Takes what has been recorded. Only while nothing that could be recorded happens. */
    static List<Event> take() {
        List<Event> events = new ArrayList<>();
        for (long[] r = next(); r != null; r = next()) events.add(new Event(r, text()));
        clear();
        return events;
    }

    static List<Event> of(List<Event> events, int type) {
        List<Event> found = new ArrayList<>();
        for (Event e : events) if (e.type == type) found.add(e);
        return found;
    }

    static int failures;

    /** One line: the rows of the check-list that the check shows, and what it is. */
    static void check(boolean ok, String what) {
        if (!ok) failures++;
        System.out.println((ok ? "ok " : "FAILED ") + what);
    }

    static void finish() {
        System.out.println(failures == 0 ? "all as expected" : failures + " failures");
    }
}
