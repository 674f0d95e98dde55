/* heap_dump.c: HEAP_DUMP and OBJECT_DUMP. The heap dump has what the roots reach, by the one traversal of inspect/. */
#include "jvmpi/dump_record.h"

#include <string.h>

static JNIEnv *env_of(const struct java_thread *t) { return t && !t->hidden ? thread_jni_env(t) : NULL; }

static void dump_root(struct dump *d, jint record, struct object *o) {
    dump_u1(d, record);
    dump_pointer(d, jvmpi_id(o));
}

/* Roots of the VM's own threads, of which the profiler does not know, are of an unknown kind. */
static void dump_stack_root(struct dump *d, jint record, const struct walk_reference *r) {
    JNIEnv *env = r->stack ? env_of(r->stack->thread) : NULL;
    dump_root(d, env ? record : JVMPI_GC_ROOT_UNKNOWN, r->object);
    if (env == NULL) return;
    dump_pointer(d, env);
    dump_u4(d, r->stack->code ? (uint32_t)r->stack->depth : UINT32_MAX);
}

static void dump_thread_root(struct dump *d, struct object *mirror) {
    JNIEnv *env = env_of(thread_of_mirror(mirror));
    dump_root(d, env ? JVMPI_GC_ROOT_THREAD_BLOCK : JVMPI_GC_ROOT_UNKNOWN, mirror);
    if (env) dump_pointer(d, env);
}

static enum walk_answer on_reference(void *arg, const struct walk_reference *r) {
    struct dump *d = arg;
    if (r->referrer || d->level == JVMPI_DUMP_LEVEL_0) return WALK_EXPAND;
    switch (r->kind) {
    case WALK_ROOT_JNI_GLOBAL:
        dump_root(d, JVMPI_GC_ROOT_JNI_GLOBAL, r->object);
        dump_pointer(d, r->handle);
        break;
    case WALK_ROOT_SYSTEM_CLASS: dump_root(d, JVMPI_GC_ROOT_STICKY_CLASS, r->object); break;
    case WALK_ROOT_MONITOR: dump_root(d, JVMPI_GC_ROOT_MONITOR_USED, r->object); break;
    case WALK_ROOT_STACK_LOCAL: dump_stack_root(d, JVMPI_GC_ROOT_JAVA_FRAME, r); break;
    case WALK_ROOT_JNI_LOCAL: dump_stack_root(d, JVMPI_GC_ROOT_JNI_LOCAL, r); break;
    case WALK_ROOT_THREAD: dump_thread_root(d, r->object); break;
    default: dump_root(d, JVMPI_GC_ROOT_UNKNOWN, r->object); break;
    }
    return WALK_EXPAND;
}

static bool on_object(void *arg, struct object *o, struct walk_class *wc) {
    struct dump *d = arg;
    if (wc->kind == SHAPE_STATICS) return true;
    if (d->level == JVMPI_DUMP_LEVEL_0) dump_kind(d, o);
    else dump_object(d, o);
    return !d->failed;
}

/* World stopped. False: out of memory. */
static bool dump_heap(struct dump *d, struct jvmpi_traces *traces) {
    struct walk_visitor visitor = {on_reference, on_object, d, false};
    struct heap_walk *w = heap_walk_new(&visitor);
    bool ok = w && heap_walk_follow(w, NULL) && !d->failed;
    heap_walk_free(w);
    return ok && (d->level == JVMPI_DUMP_LEVEL_0 || jvmpi_collect_traces(traces));
}

bool jvmpi_send_heap_dump(struct os_thread *self, jint level) {
    REQUIRES(IN_VM);
    struct dump d = {.level = level};
    struct jvmpi_traces traces = {0};
    safepoint_begin(self, "JVMPI heap dump");
    MAY_ALLOCATE("the dump is called off");
    bool ok = dump_heap(&d, &traces);
    safepoint_end(self);
    if (ok) {
        JVMPI_Event e;
        memset(&e, 0, sizeof e);
        e.event_type = JVMPI_EVENT_HEAP_DUMP | JVMPI_REQUESTED_EVENT;
        e.u.heap_dump.dump_level = level;
        e.u.heap_dump.begin = d.data;
        e.u.heap_dump.end = d.data + d.used;
        e.u.heap_dump.num_traces = traces.count;
        e.u.heap_dump.traces = traces.traces;
        jvmpi_notify(self, &e, true);
    }
    arena_free(traces.arena);
    mem_free(d.data);
    return ok;
}

bool jvmpi_send_object_dump(struct os_thread *self, struct object *o) {
    REQUIRES(IN_VM);
    struct dump d = {.level = JVMPI_DUMP_LEVEL_2};
    safepoint_begin(self, "JVMPI object dump");
    MAY_ALLOCATE("the dump is called off");
    dump_object(&d, o);
    safepoint_end(self);
    bool ok = !d.failed && d.used <= INT32_MAX;
    if (ok) {
        JVMPI_Event e;
        memset(&e, 0, sizeof e);
        e.event_type = JVMPI_EVENT_OBJECT_DUMP | JVMPI_REQUESTED_EVENT;
        e.u.object_dump.data_len = (jint)d.used;
        e.u.object_dump.data = d.data;
        jvmpi_notify(self, &e, true);
    }
    mem_free(d.data);
    return ok;
}
