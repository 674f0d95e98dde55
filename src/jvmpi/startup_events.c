/* startup_events.c: what exists when events begin to be sent.
 *
 * An agent that has enabled a defining event in JVM_OnLoad sees it before the id appears anywhere else. Until the class library stands there
 * is nothing that an event could be sent in, so in the start phase the world is stopped once and what exists is told: the arena,
 * classes, objects, threads, JNI references. Only then the other events begin. */
#include "jvmpi/jvmpi_internal.h"

#include <string.h>

static bool enabled(jint event) { return atomic_load(&vm->jvmpi->enabled) & jvmpi_bit(event); }

static bool tell_class(void *self, struct class *c) {
    if (class_mirror(c)) jvmpi_send_class_load(self, c, 0);
    return true;
}

static bool tell_object(void *self, struct object *o) {
    if (shape_of(o)->kind != SHAPE_STATICS) jvmpi_send_object_alloc(self, o, 0);
    return true;
}

static bool tell_global(void *self, jobject handle, struct object *o, jint event) {
    JVMPI_Event e;
    memset(&e, 0, sizeof e);
    e.event_type = event;
    e.u.jni_globalref_alloc.obj_id = jvmpi_id(o);
    e.u.jni_globalref_alloc.ref_id = handle;
    jvmpi_notify(self, &e, true);
    return true;
}
static bool tell_strong(void *self, jobject handle, struct object *o) { return tell_global(self, handle, o, JVMPI_EVENT_JNI_GLOBALREF_ALLOC); }
static bool tell_weak(void *self, jobject handle, struct object *o) { return tell_global(self, handle, o, JVMPI_EVENT_JNI_WEAK_GLOBALREF_ALLOC); }

static void tell_arena(struct os_thread *self) {
    JVMPI_Event e;
    memset(&e, 0, sizeof e);
    e.event_type = JVMPI_EVENT_ARENA_NEW;
    e.u.new_arena.arena_id = JVMPI_ARENA;
    e.u.new_arena.arena_name = (char *)"Java heap";
    jvmpi_notify(self, &e, false);
}

void jvmpi_tell_existing(struct os_thread *self) {
    heap_disable_gc(self);
    safepoint_begin(self, "JVMPI start");
    atomic_store(&vm->jvmpi->told, true);
    probes_changed(self);
    if (enabled(JVMPI_EVENT_ARENA_NEW)) tell_arena(self);
    if (enabled(JVMPI_EVENT_CLASS_LOAD)) class_walk_all(tell_class, self);
    if (enabled(JVMPI_EVENT_OBJECT_ALLOC)) heap_walk(tell_object, self);
    for (struct java_thread *t = threads_first(); t && enabled(JVMPI_EVENT_THREAD_START); t = t->next)
        if (!t->hidden && t->mirror && t->carrier) t->profiler.started = jvmpi_send_thread_start(self, t->mirror, thread_env(t->carrier), 0);
    if (enabled(JVMPI_EVENT_JNI_GLOBALREF_ALLOC)) handles_walk_global(false, tell_strong, self);
    if (enabled(JVMPI_EVENT_JNI_WEAK_GLOBALREF_ALLOC)) handles_walk_global(true, tell_weak, self);
    safepoint_end(self);
    heap_enable_gc(self);
}
