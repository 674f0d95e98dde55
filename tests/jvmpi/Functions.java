import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/** Every function of the interface, with good and bad arguments. */
public class Functions extends Profiler {
    static volatile boolean stop;
    static volatile long counter;
    static volatile long otherEnv;

    static void results() {
        boolean all = true;
        for (int e = -1; e < 70; e++) {
            boolean event = e >= 1 && e <= 9 || e >= 33 && e <= 35 || e >= 37 && e <= 61;
            boolean dump = e == HEAP_DUMP || e == OBJECT_DUMP || e == MONITOR_DUMP;
            int expected = event && !dump ? SUCCESS : NOT_AVAILABLE;
            if (e == GC_START || e == INSTRUCTION_START) continue;
            int enabled = enable(e), disabled = disable(e);
            if (enabled != expected || disabled != expected) {
                System.out.println("event " + e + ": " + enabled + " " + disabled);
                all = false;
            }
        }
        clear();
        check(all, "JP-039 JP-040 JP-012 JP-013 JP-117 JP-118 JP-119 JP-120: results of EnableEvent and DisableEvent");
        boolean none = true;
        for (int e = 1; e <= 61; e++) {
            boolean requestable = e == HEAP_DUMP || e == MONITOR_DUMP || e == OBJECT_DUMP || e == CLASS_LOAD
                                  || e == THREAD_START || e == OBJECT_ALLOC;
            if (!requestable && request(e, 0) != NOT_AVAILABLE) none = false;
        }
        check(none, "JP-042: nothing else can be requested");
        check(request(OBJECT_DUMP, 0) == FAIL && request(OBJECT_DUMP, 0x1234567) == FAIL
                  && request(CLASS_LOAD, id(new Object())) == FAIL && request(THREAD_START, id("no thread")) == FAIL
                  && request(OBJECT_ALLOC, 8) == FAIL && requestDump(3) == FAIL && requestDump(-1) == FAIL,
              "JP-042 JP-014: requests with ids that are none");
    }

    static void ids() {
        Object o = new Object();
        disableGC();
        long id = id(o);
        check(object(id) == o && id != 0 && id(null) == 0 && object(0) == null && object(12345) == null,
              "JP-036 JP-037 JP-066 JP-069 JP-144: object ids and handles");
        check(threadObject(env()) == id(Thread.currentThread()) && threadObject(0) == 0 && threadObject(77) == 0,
              "JP-034 JP-059 JP-077: GetThreadObject");
        long[] trace = trace(env(), 10);
        check(methodClass(trace[1]) == id(Profiler.class) && methodClass(trace[3]) == id(Functions.class)
                  && methodClass(0) == 0 && methodClass(0xabcdef) == 0,
              "JP-035 JP-071: GetMethodClass");
        enableGC();
    }

    static void inner() {
        long[] t = trace(env(), 3);
        boolean lines = t[0] == -3 && t[2] > 0 && t[4] > t[2];
        check(t.length == 6 && methodName(t[1]).equals("trace") && methodName(t[3]).equals("inner")
                  && methodName(t[5]).equals("traces0") && lines,
              "JP-015 JP-047 JP-049 JP-141: frames of the current thread, callee first");
        check(trace(env(), 0).length == 0 && trace(env(), -5).length == 0 && trace(99, 5).length == 0,
              "JP-047: no depth, no thread");
    }

    static void traces0() {
        inner();
    }

    static void spin() {
        otherEnv = env();
        while (!stop) counter++;
    }

    /** Until a condition holds. */
    interface Condition {
        boolean holds();
    }

    static void await(Condition c) {
        while (!c.holds()) Thread.yield();
    }

    static void suspension() throws Exception {
        stop = false;
        otherEnv = 0;
        Thread t = new Thread(Functions::spin, "spinner");
        t.start();
        await(() -> otherEnv != 0 && counter > 0);
        disableGC();
        suspend(otherEnv);
        long before = counter;
        long cpu = cpuTime();
        while (cpuTime() < cpu + 20_000_000) { }
        check(counter == before, "JP-024 JP-051 JP-052 JP-050 JP-023: a suspended thread stands");
        check(status(otherEnv) == 1, "JP-054 JP-026: its status is what it was");
        long[] frames = trace(otherEnv, 10);
        check(methodName(frames[1]).equals("spin"), "JP-048: the stack of a suspended thread");
        suspend(otherEnv);
        resume(otherEnv);
        await(() -> counter > before);
        boolean ran = false;
        while (!ran) {
            suspend(otherEnv);
            ran = hasRun(otherEnv);
            resume(otherEnv);
        }
        check(ran, "JP-027 JP-053 JP-025: a resumed thread has run");
        suspend(otherEnv);
        check(createThread("not now", 5) == -1, "JP-080: no thread while collections are disabled");
        enableGC();
        check(createThread("not now", 5) == -1,
              "JP-081 JP-148: nor while a thread is suspended, whatever EnableGC says");
        runGC();
        check(true, "JP-058: RunGC returns at once in the thread-suspended mode");
        resume(otherEnv);
        resume(otherEnv);
        resume(0);
        suspend(4711);
        stop = true;
        t.join();
        Thread parked = new Thread(LockSupport::park, "parked");
        parked.start();
        await(() -> parked.getState() == Thread.State.WAITING);
        long env = envOf(parked);
        boolean waits = false;
        while (!waits) {                 // it may still be on its way into the kernel
            suspend(env);
            waits = !hasRun(env) && status(env) == 3;
            resume(env);
        }
        check(waits, "JP-053 JP-054: one that waits has not");
        parked.interrupt();
        parked.join();
        check(status(env) == 0 && !hasRun(env), "JP-068: the id of an ended thread is none");
    }

    /** The JNIEnv of a thread by its THREAD_START. */
    static long envOf(Thread t) {
        only(env());
        clear();
        int result = request(THREAD_START, id(t));
        List<Event> events = take();
        return result == SUCCESS && events.size() == 1 ? events.get(0).v[1] : 0;
    }

    static void statuses() throws Exception {
        Object lock = new Object();
        Thread blocked = new Thread(() -> { synchronized (lock) { } }, "blocked");
        synchronized (lock) {
            blocked.start();
            await(() -> blocked.getState() == Thread.State.BLOCKED);
            check(status(envOf(blocked)) == 2, "JP-054: MONITOR_WAIT");
        }
        blocked.join();
        Thread waiting = new Thread(() -> {
            synchronized (lock) {
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                }
            }
        }, "waiting");
        waiting.start();
        await(() -> waiting.getState() == Thread.State.WAITING);
        long env = envOf(waiting);
        check(status(env) == 3, "JP-054: CONDVAR_WAIT");
        suspendByTool(waiting, true);
        check(status(env) == (3 | 0x8000), "JP-054: the suspended bit");
        suspendByTool(waiting, false);
        check(status(env) == 3, "JP-054: resumed");
        waiting.interrupt();
        waiting.join();
        Thread.currentThread().interrupt();
        check(status(env()) == (1 | 0x4000), "JP-054: the interrupted bit");
        Thread.interrupted();
        check(status(env()) == 1 && status(0) == 0, "JP-054: RUNNABLE; no thread");
    }

    static void storage() throws Exception {
        check(getStorage(env()) == 0, "JP-056 JP-030: initially NULL");
        setStorage(env(), 42);
        long mine = env();
        long[] seen = new long[2];
        CountDownLatch set = new CountDownLatch(1), go = new CountDownLatch(1);
        Thread t = new Thread(() -> {
            seen[0] = getStorage(env());
            seen[1] = getStorage(mine);
            setStorage(env(), 43);
            otherEnv = env();
            set.countDown();
            try {
                go.await();
            } catch (InterruptedException e) {
            }
        });
        t.start();
        set.await();
        check(seen[0] == 0 && seen[1] == 42 && getStorage(otherEnv) == 43,
              "JP-056 JP-029: each thread its own, readable by others");
        setStorage(otherEnv, 44);
        check(getStorage(otherEnv) == 44 && getStorage(env()) == 42 && getStorage(1) == 0,
              "JP-056 JP-009: set for another thread");
        setStorage(env(), 0);
        go.countDown();
        t.join();
    }

    static void systemThreads() {
        check(createThread("profiler thread", 4) == -1 && createThread("profiler thread", 0) == -1,
              "JP-055: a priority that is none");
        disableGC();
        check(createThread("profiler thread", 5) == -1, "JP-055 JP-080: none while collections are disabled");
        enableGC();
        only(0);
        enable(THREAD_START);
        enable(THREAD_END);
        clear();
        check(createThread("profiler thread", 10) == 0, "JP-028 JP-055: CreateSystemThread");
        await(() -> systemThread() != 0);
        long env = systemThread();
        await(() -> status(env) == 0);
        disable(THREAD_START);
        disable(THREAD_END);
        boolean started = false, ended = false;
        for (Event e : take()) {
            if (e.type == THREAD_START && e.env == env)
                started = e.text.equals("profiler thread|system|") && e.v[1] == env;
            if (e.type == THREAD_END && e.env == env) ended = true;
        }
        check(started && ended, "JP-055 JP-085 JP-114 JP-115: its start and end are told");
    }

    static void collections() {
        disableGC();
        disableGC();
        enableGC();
        runGC();
        enableGC();
        enableGC();
        only(env());
        enable(GC_START);
        enable(GC_FINISH);
        clear();
        disableGC();
        runGC();
        boolean none = take().isEmpty();
        enableGC();
        check(none, "JP-031 JP-032 JP-033 JP-057 JP-058: no collection while they are disabled");
        runGC();
        disable(GC_START);
        disable(GC_FINISH);
        List<Event> events = take();
        check(events.size() == 2 && events.get(0).type == GC_START && events.get(1).type == GC_FINISH,
              "JP-058 JP-033 JP-085: RunGC and its events");
        only(0);
    }

    static void rawMonitors() throws Exception {
        long m = createRaw("monitor"), quiet = createRaw("_quiet");
        enterRaw(m);
        enterRaw(m);
        exitRaw(m);
        exitRaw(m);
        check(m != 0, "JP-017 JP-018 JP-019 JP-065: entered twice, left twice");
        waitRaw(m, 0);
        exitRaw(m);
        notifyRaw(m);
        check(true, "JP-020 JP-062: who does not own it does not wait");
        enterRaw(m);
        waitRaw(m, 1);
        exitRaw(m);
        boolean[] woken = new boolean[1];
        long[] env = new long[1];
        Thread t = new Thread(() -> {
            env[0] = env();
            enterRaw(m);
            otherEnv = env();
            waitRaw(m, 0);
            woken[0] = true;
            exitRaw(m);
        });
        otherEnv = 0;
        t.start();
        await(() -> otherEnv != 0 && status(otherEnv) == 3);
        enterRaw(m);
        notifyRaw(m);
        exitRaw(m);
        t.join();
        check(woken[0], "JP-021 JP-061 JP-020: wait for ever, notified");
        for (long monitor : new long[] {m, quiet}) {
            only(0);
            enable(RAW_ENTER);
            enable(RAW_ENTERED);
            enable(RAW_EXIT);
            clear();
            enterRaw(monitor);
            otherEnv = 0;
            Thread waits = new Thread(() -> {
                otherEnv = env();
                enterRaw(monitor);
                exitRaw(monitor);
            });
            waits.start();
            await(() -> otherEnv != 0 && status(otherEnv) == 2);
            exitRaw(monitor);
            waits.join();
            disable(RAW_ENTER);
            disable(RAW_ENTERED);
            disable(RAW_EXIT);
            List<Event> events = take();
            boolean told = events.size() == 3 && of(events, RAW_ENTER).get(0).env == otherEnv
                           && of(events, RAW_ENTERED).get(0).env == otherEnv && of(events, RAW_EXIT).get(0).env == env()
                           && events.get(0).v[0] == m && events.get(0).text.equals("monitor");
            if (monitor == m) check(told, "JP-113: contention of a raw monitor");
            else check(events.isEmpty(), "JP-063 JP-017: none of one whose name begins with an underscore");
        }
        destroyRaw(m);
        destroyRaw(m);
        destroyRaw(quiet);
        enterRaw(m);
        exitRaw(0x1000);
        waitRaw(quiet, 0);
        check(true, "JP-022 JP-061: what is no monitor is left alone");
    }

    public static void main(String[] args) throws Exception {
        results();
        ids();
        traces0();
        suspension();
        statuses();
        storage();
        systemThreads();
        collections();
        rawMonitors();
        finish();
        if (args.length > 0) exit(Integer.parseInt(args[0]));
    }
}
