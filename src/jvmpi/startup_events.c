/* startup_events.c: what exists when events begin to be sent.
 *
 * An agent that has enabled a defining event in JVM_OnLoad sees it before the id appears anywhere else. Until the class
 * library stands there is nothing that an event could be sent in, so in the start phase the world is stopped once and
 * what exists is reported: the arena, classes, objects, threads, compiled methods, JNI references. Only then the other
 * events begin. */
#include "jvmpi/jvmpi_internal.h"

#include <string.h>

static bool enabled(jint event) { return atomic_load(&vm->jvmpi->enabled) & jvmpi_bit(event); }

static bool report_class(void *self, struct class *c) {
    if (class_mirror(c)) jvmpi_send_class_load(self, c, 0);
    return true;
}

static bool send_object(void *self, struct object *o) {
    if (shape_of(o)->kind != SHAPE_STATICS) jvmpi_send_object_alloc(self, o, 0);
    return true;
}

static bool report_global(void *self, jobject handle, struct object *o, jint event) {
    JVMPI_Event e;
    memset(&e, 0, sizeof e);
    e.event_type = event;
    e.u.jni_globalref_alloc.obj_id = jvmpi_id(o);
    e.u.jni_globalref_alloc.ref_id = handle;
    jvmpi_notify(self, &e, true);
    return true;
}
static bool report_strong(void *self, jobject handle, struct object *o) {
    return report_global(self, handle, o, JVMPI_EVENT_JNI_GLOBALREF_ALLOC);
}
static bool report_weak(void *self, jobject handle, struct object *o) {
    return report_global(self, handle, o, JVMPI_EVENT_JNI_WEAK_GLOBALREF_ALLOC);
}

static void report_arena(struct os_thread *self) {
    REQUIRES(IN_VM);
    JVMPI_Event e;
    memset(&e, 0, sizeof e);
    e.event_type = JVMPI_EVENT_ARENA_NEW;
    e.u.new_arena.arena_id = JVMPI_ARENA;
    e.u.new_arena.arena_name = (char *)"Java heap";
    jvmpi_notify(self, &e, false);
}

void jvmpi_report_existing(struct os_thread *self) {
    REQUIRES(IN_VM);
    heap_disable_gc(self);
    safepoint_begin(self, "JVMPI start");
    MAY_ALLOCATE("an event without its name is left out");
    atomic_store(&vm->jvmpi->caught_up, true);
    probes_changed(self);
    if (enabled(JVMPI_EVENT_ARENA_NEW)) report_arena(self);
    if (enabled(JVMPI_EVENT_CLASS_LOAD)) class_walk_all(report_class, self);
    if (enabled(JVMPI_EVENT_OBJECT_ALLOC)) heap_walk(send_object, self);
    for (struct java_thread *t = threads_first(); t && enabled(JVMPI_EVENT_THREAD_START); t = t->next) {
        JNIEnv *env = !t->hidden && t->mirror ? thread_jni_env(t) : NULL;
        struct jvmpi_thread *d = env ? jvmpi_thread_make(t) : NULL;
        if (d) d->started = jvmpi_send_thread_start(self, t->mirror, env, 0);
    }
    if (enabled(JVMPI_EVENT_COMPILED_METHOD_LOAD)) jvmpi_report_compiled_methods(self);
    if (enabled(JVMPI_EVENT_JNI_GLOBALREF_ALLOC)) handles_walk_global(false, report_strong, self);
    if (enabled(JVMPI_EVENT_JNI_WEAK_GLOBALREF_ALLOC)) handles_walk_global(true, report_weak, self);
    safepoint_end(self);
    heap_enable_gc(self);
}
