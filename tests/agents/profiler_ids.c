/* profiler_ids.c: a JVMPI agent that keeps account of all ids: each is defined before it appears elsewhere, ends once,
 * and between GC_START and GC_FINISH only. Its one lock is a raw monitor that GC_START takes and GC_FINISH gives back,
 * as the specification advises. */
#include <jvmpi.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static JVMPI_Interface *jvmpi;
static JVMPI_RawMonitor lock;
static long long counts[64];
static int violations;
static _Atomic int collecting;
static int arenas;

/* ---- a set of ids: no memory is taken, since objects are freed while threads are suspended ----------------------- */

enum { SLOTS = 1 << 21, GONE = 1 };
struct set {
    uintptr_t slots[SLOTS];
};
static struct set objects, classes, methods, threads;

static uintptr_t *find(struct set *s, const void *id) {
    uintptr_t key = (uintptr_t)id, *free_slot = NULL;
    for (size_t i = (key >> 3) * UINT64_C(0x9e3779b97f4a7c15) % SLOTS;; i = (i + 1) % SLOTS) {
        if (s->slots[i] == key) return &s->slots[i];
        if (s->slots[i] == GONE && free_slot == NULL) free_slot = &s->slots[i];
        if (s->slots[i] == 0) return free_slot ? free_slot : &s->slots[i];
    }
}
static int has(struct set *s, const void *id) { return *find(s, id) == (uintptr_t)id; }
static void add(struct set *s, const void *id) { *find(s, id) = (uintptr_t)id; }
static void drop(struct set *s, const void *id) { *find(s, id) = GONE; }

static void expect(int holds, const char *what, const JVMPI_Event *e) {
    if (!holds && violations++ < 20) printf("FAILED event %d: %s\n", e->event_type, what);
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

static void on_class_load(const JVMPI_Event *e) {
    expect(!has(&classes, e->u.class_load.class_id), "class loaded twice", e);
    add(&classes, e->u.class_load.class_id);
    for (jint i = 0; i < e->u.class_load.num_methods; i++) add(&methods, e->u.class_load.methods[i].method_id);
}

static void on_alloc(const JVMPI_Event *e) {
    expect(e->u.obj_alloc.arena_id == 1 && arenas == 1, "unknown arena", e);
    expect(has(&classes, e->u.obj_alloc.class_id), "object of an unknown class", e);
    expect(!has(&objects, e->u.obj_alloc.obj_id), "object defined twice", e);
    expect(e->u.obj_alloc.size >= 16, "size", e);
    add(&objects, e->u.obj_alloc.obj_id);
}

static void known_object(jobjectID id, const JVMPI_Event *e) {
    expect(id == NULL || has(&objects, id), "unknown object", e);
}

static void handle(const JVMPI_Event *e) {
    switch (e->event_type) {
    case JVMPI_EVENT_ARENA_NEW: arenas++; break;
    case JVMPI_EVENT_CLASS_LOAD: on_class_load(e); break;
    case JVMPI_EVENT_CLASS_UNLOAD:
        expect(has(&classes, e->u.class_unload.class_id), "unknown class", e);
        drop(&classes, e->u.class_unload.class_id);
        break;
    case JVMPI_EVENT_OBJECT_ALLOC: on_alloc(e); break;
    case JVMPI_EVENT_OBJECT_FREE:
        expect(atomic_load(&collecting), "freed outside a collection", e);
        known_object(e->u.obj_free.obj_id, e);
        drop(&objects, e->u.obj_free.obj_id);
        break;
    case JVMPI_EVENT_METHOD_ENTRY2:
        expect(has(&methods, e->u.method_entry2.method_id), "unknown method", e);
        known_object(e->u.method_entry2.obj_id, e);
        expect(has(&threads, e->env_id), "unknown thread", e);
        break;
    case JVMPI_EVENT_THREAD_START:
        known_object(e->u.thread_start.thread_id, e);
        expect(!has(&threads, e->u.thread_start.thread_env_id), "thread started twice", e);
        add(&threads, e->u.thread_start.thread_env_id);
        break;
    case JVMPI_EVENT_THREAD_END:
        expect(has(&threads, e->env_id), "unknown thread", e);
        drop(&threads, e->env_id);
        break;
    case JVMPI_EVENT_JNI_GLOBALREF_ALLOC: known_object(e->u.jni_globalref_alloc.obj_id, e); break;
    case JVMPI_EVENT_MONITOR_CONTENDED_ENTER:
    case JVMPI_EVENT_MONITOR_CONTENDED_ENTERED:
    case JVMPI_EVENT_MONITOR_CONTENDED_EXIT: known_object(e->u.monitor.object, e); break;
    case JVMPI_EVENT_MONITOR_WAIT: case JVMPI_EVENT_MONITOR_WAITED: known_object(e->u.monitor_wait.object, e); break;
    default: break;
    }
}

static void report(void) {
    long long paired = counts[JVMPI_EVENT_GC_START] - counts[JVMPI_EVENT_GC_FINISH];
    printf("%d violations; collections %s, unpaired %lld, objects %s, freed %s, methods %s, classes unloaded %s, "
           "threads %s, moved %lld\n",
           violations, counts[JVMPI_EVENT_GC_FINISH] > 3 ? "many" : "few", paired,
           counts[JVMPI_EVENT_OBJECT_ALLOC] > 50000 ? "many" : "few",
           counts[JVMPI_EVENT_OBJECT_FREE] > 10000 ? "many" : "few",
           counts[JVMPI_EVENT_METHOD_ENTRY2] > 10000 ? "many" : "few",
           counts[JVMPI_EVENT_CLASS_UNLOAD] > 0 ? "some" : "none", counts[JVMPI_EVENT_THREAD_END] >= 8 ? "many" : "few",
           counts[JVMPI_EVENT_OBJECT_MOVE]);
    fflush(stdout);
}

/* Two threads want this class at once. One of them has defined it and is here; were the other one let at it before this
 * returns, its objects and methods would be unknown. What is checked does not depend on how long that takes: it only
 * gives the other one the chance to go wrong. */
static bool is_awaited(const JVMPI_Event *e) {
    return e->event_type == JVMPI_EVENT_CLASS_LOAD && strstr(e->u.class_load.class_name, "Churn$Awaited") != NULL;
}
static void linger(void) { nanosleep(&(struct timespec){.tv_nsec = 50 * 1000 * 1000}, NULL); }

static void notify(JVMPI_Event *e) {
    if (e->event_type == JVMPI_EVENT_GC_START) {
        jvmpi->RawMonitorEnter(lock);
        atomic_store(&collecting, 1);
        counts[e->event_type]++;
        return;
    }
    if (atomic_load(&collecting) &&
        (e->event_type == JVMPI_EVENT_OBJECT_FREE || e->event_type == JVMPI_EVENT_CLASS_UNLOAD)) {
        counts[e->event_type]++;
        handle(e);
        return;
    }
    if (e->event_type == JVMPI_EVENT_GC_FINISH) {
        counts[e->event_type]++;
        atomic_store(&collecting, 0);
        jvmpi->RawMonitorExit(lock);
        return;
    }
    if (is_awaited(e)) linger();
    jvmpi->RawMonitorEnter(lock);
    counts[e->event_type]++;
    handle(e);
    if (e->event_type == JVMPI_EVENT_JVM_SHUT_DOWN) report();
    jvmpi->RawMonitorExit(lock);
}

JNIEXPORT jint JNICALL JVM_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)options, (void)reserved;
    static const jint events[] = {
        JVMPI_EVENT_ARENA_NEW,
        JVMPI_EVENT_CLASS_LOAD,
        JVMPI_EVENT_CLASS_UNLOAD,
        JVMPI_EVENT_OBJECT_ALLOC,
        JVMPI_EVENT_OBJECT_FREE,
        JVMPI_EVENT_OBJECT_MOVE,
        JVMPI_EVENT_METHOD_ENTRY2,
        JVMPI_EVENT_THREAD_START,
        JVMPI_EVENT_THREAD_END,
        JVMPI_EVENT_GC_START,
        JVMPI_EVENT_GC_FINISH,
        JVMPI_EVENT_JNI_GLOBALREF_ALLOC,
        JVMPI_EVENT_MONITOR_CONTENDED_ENTER,
        JVMPI_EVENT_MONITOR_CONTENDED_ENTERED,
        JVMPI_EVENT_MONITOR_CONTENDED_EXIT,
        JVMPI_EVENT_MONITOR_WAIT,
        JVMPI_EVENT_MONITOR_WAITED,
        JVMPI_EVENT_JVM_SHUT_DOWN,
    };
    if ((*vm)->GetEnv(vm, (void **)&jvmpi, JVMPI_VERSION_1) != JNI_OK) return JNI_ERR;
    jvmpi->NotifyEvent = notify;
    lock = jvmpi->RawMonitorCreate((char *)"_ids");
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        if (jvmpi->EnableEvent(events[i], NULL) != JVMPI_SUCCESS) return JNI_ERR;
    return JNI_OK;
}
