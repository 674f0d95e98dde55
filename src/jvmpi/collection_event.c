/* collection_event.c: objects and the collector: OBJECT_ALLOC, OBJECT_FREE, CLASS_UNLOAD, GC_START, GC_FINISH;
 * DisableGC, EnableGC, RunGC. */
#include "jvmpi/jvmpi_internal.h"

#include <string.h>

/* ---- allocation -------------------------------------------------------------------------------------------------- */

void jvmpi_send_object_alloc(struct os_thread *self, struct object *o, jint requested) {
    REQUIRES(IN_VM);
    struct class *c = class_of(o);
    size_t size = object_size(o);
    JVMPI_Event e;
    memset(&e, 0, sizeof e);
    e.event_type = JVMPI_EVENT_OBJECT_ALLOC | requested;
    e.u.obj_alloc.arena_id = JVMPI_ARENA;
    e.u.obj_alloc.size = size > INT32_MAX ? INT32_MAX : (jint)size;
    e.u.obj_alloc.obj_id = jvmpi_id(o);
    e.u.obj_alloc.is_array = JVMPI_NORMAL_OBJECT;
    if (c->shape.kind == SHAPE_REF_ARRAY) {
        e.u.obj_alloc.is_array = JVMPI_CLASS;
        c = c->component;
    } else if (c->shape.kind == SHAPE_PRIM_ARRAY) {
        /* numbered as the operand of newarray, like JVMPI_INT etc. */
        e.u.obj_alloc.is_array = c->component->basic_type;
    }
    e.u.obj_alloc.class_id = jvmpi_class_id(c);
    jvmpi_notify(self, &e, true);
}

/* ---- collections ------------------------------------------------------------------------------------------------- */

void jvmpi_on_gc_announce(struct os_thread *self) {
    REQUIRES(IN_VM);
    if (!jvmpi_wants(self, JVMPI_EVENT_GC_START)) return;
    JVMPI_Event e;
    memset(&e, 0, sizeof e);
    e.event_type = JVMPI_EVENT_GC_START;
    jvmpi_notify(self, &e, false);
}

static void send_id(struct os_thread *self, jint event, struct object *o) {
    REQUIRES(IN_VM);
    JVMPI_Event e;
    memset(&e, 0, sizeof e);
    e.event_type = event;
    if (event == JVMPI_EVENT_OBJECT_FREE) e.u.obj_free.obj_id = jvmpi_id(o);
    else e.u.class_unload.class_id = jvmpi_id(o);
    jvmpi_notify(self, &e, true);
}

static bool report_unloaded(void *self, struct class *c) {
    struct class_holder *h = c->shape.holder;
    if (!h->permanent && !atomic_load(&h->marked) && class_mirror(c))
        send_id(self, JVMPI_EVENT_CLASS_UNLOAD, class_mirror(c));
    return true;
}

static bool report_freed(void *self, struct object *o) {
    if (shape_of(o)->kind != SHAPE_STATICS) send_id(self, JVMPI_EVENT_OBJECT_FREE, o);
    return true;
}

/* Classes go before the objects that stand for them. World stopped. */
void jvmpi_on_gc_marked(struct os_thread *self) {
    REQUIRES(IN_VM);
    if (self == NULL) return;
    if (jvmpi_wants(self, JVMPI_EVENT_CLASS_UNLOAD)) class_walk_all(report_unloaded, self);
    if (jvmpi_wants(self, JVMPI_EVENT_OBJECT_FREE)) heap_walk_dead(report_freed, self);
}

static bool count_object(void *arg, struct object *o) {
    JVMPI_Event *e = arg;
    if (shape_of(o)->kind == SHAPE_STATICS) return true;
    e->u.gc_info.used_objects++;
    e->u.gc_info.used_object_space += (jlong)object_size(o);
    return true;
}

void jvmpi_on_gc_conclude(struct os_thread *self) {
    REQUIRES(IN_VM);
    if (!jvmpi_wants(self, JVMPI_EVENT_GC_FINISH)) return;
    JVMPI_Event e;
    memset(&e, 0, sizeof e);
    e.event_type = JVMPI_EVENT_GC_FINISH;
    struct heap_stats stats;
    safepoint_begin(self, "JVMPI GC_FINISH");        /* stands already, unless the collection was called off */
    heap_walk(count_object, &e);
    heap_stats(&stats);
    safepoint_end(self);
    e.u.gc_info.total_object_space = (jlong)stats.committed;
    jvmpi_notify(self, &e, false);
}

/* ---- functions --------------------------------------------------------------------------------------------------- */

void jvmpi_DisableGC(void) {
    struct jvmpi_call call;
    if (!jvmpi_call_begin(&call)) return;
    struct jvmpi_thread *d = jvmpi_thread_make(call.self->java);
    if (d) {
        heap_disable_gc(call.self);
        d->gc_disabled++;
    }
    jvmpi_call_end(&call);
}

/* Only what DisableGC has disabled: not what the VM disables around an event. */
void jvmpi_EnableGC(void) {
    struct jvmpi_call call;
    if (!jvmpi_call_begin(&call)) return;
    struct jvmpi_thread *d = jvmpi_thread(call.self->java);
    if (d && d->gc_disabled > 0) {
        d->gc_disabled--;
        heap_enable_gc(call.self);
    } else {
        log_warning(jvmpi, "EnableGC without DisableGC in this thread");
    }
    jvmpi_call_end(&call);
}

void jvmpi_RunGC(void) {
    struct jvmpi_call call;
    if (!jvmpi_call_begin(&call)) return;
    if (!call.entered || call.self->gc_disabled > 0 || atomic_load(&vm->jvmpi->held) > 0)
        log_warning(jvmpi, "RunGC while collections are disabled: nothing is done");
    else
        heap_collect(call.self, "JVMPI RunGC", false);
    jvmpi_call_end(&call);
}
