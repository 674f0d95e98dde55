/* subscriber.c: which probes the enabled events need, and the events that probes become. */
#include "jvmpi/jvmpi_internal.h"

#include <string.h>

/* ---- masks -------------------------------------------------------------------------------------------------------------------- */

enum probe_number {
#define THREAD_PROBE(name, bit, parameters, arguments) AT_##name = (bit),
#define WORLD_PROBE THREAD_PROBE
#include "probe/probes.def"
#undef THREAD_PROBE
#undef WORLD_PROBE
};

/* The probes that an event needs. Events without a row are never due: objects do not move, the arena stays, nothing is compiled; and
 * contention of raw monitors is seen by their functions. */
static const struct need {
    uint8_t event, probe;
} needs[] = {
    {JVMPI_EVENT_METHOD_ENTRY, AT_method_entry},
    {JVMPI_EVENT_METHOD_ENTRY2, AT_method_entry},
    {JVMPI_EVENT_METHOD_EXIT, AT_method_exit},
    {JVMPI_EVENT_OBJECT_ALLOC, AT_object_alloc},
    {JVMPI_EVENT_OBJECT_FREE, AT_gc_marked},
    {JVMPI_EVENT_INSTRUCTION_START, AT_single_step},
    {JVMPI_EVENT_THREAD_START, AT_thread_start},
    {JVMPI_EVENT_THREAD_START, AT_virtual_thread_start},
    {JVMPI_EVENT_THREAD_END, AT_thread_end},
    {JVMPI_EVENT_THREAD_END, AT_virtual_thread_end},
    {JVMPI_EVENT_CLASS_LOAD, AT_class_load},
    {JVMPI_EVENT_CLASS_LOAD, AT_array_class_load},
    {JVMPI_EVENT_CLASS_UNLOAD, AT_gc_marked},
    {JVMPI_EVENT_JNI_GLOBALREF_ALLOC, AT_global_ref_new},
    {JVMPI_EVENT_JNI_GLOBALREF_FREE, AT_global_ref_delete},
    {JVMPI_EVENT_JNI_WEAK_GLOBALREF_ALLOC, AT_global_ref_new},
    {JVMPI_EVENT_JNI_WEAK_GLOBALREF_FREE, AT_global_ref_delete},
    {JVMPI_EVENT_DATA_DUMP_REQUEST, AT_data_dump_request},
    {JVMPI_EVENT_DATA_RESET_REQUEST, AT_data_dump_request},
    {JVMPI_EVENT_JVM_INIT_DONE, AT_vm_init},
    {JVMPI_EVENT_JVM_SHUT_DOWN, AT_vm_death},
    {JVMPI_EVENT_MONITOR_CONTENDED_ENTER, AT_monitor_contended_enter},
    {JVMPI_EVENT_MONITOR_CONTENDED_ENTERED, AT_monitor_contended_entered},
    {JVMPI_EVENT_MONITOR_CONTENDED_EXIT, AT_monitor_contended_exit},
    {JVMPI_EVENT_MONITOR_WAIT, AT_monitor_wait},
    {JVMPI_EVENT_MONITOR_WAIT, AT_sleep},
    {JVMPI_EVENT_MONITOR_WAITED, AT_monitor_wait},       /* when the waiting began */
    {JVMPI_EVENT_MONITOR_WAITED, AT_sleep},
    {JVMPI_EVENT_MONITOR_WAITED, AT_monitor_waited},
    {JVMPI_EVENT_MONITOR_WAITED, AT_slept},
    {JVMPI_EVENT_GC_START, AT_gc_announce},
    {JVMPI_EVENT_GC_FINISH, AT_gc_announce},
    {JVMPI_EVENT_GC_FINISH, AT_gc_conclude},
};

static uint64_t wanted(struct java_thread *t) {
    struct jvmpi_state *s = vm->jvmpi;
    uint64_t enabled = atomic_load(&s->enabled), mask = 0;
    int phase = atomic_load(&vm->phase);
    if (t && t->hidden) enabled &= JVMPI_OF_ANY_THREAD;
    if (enabled == 0 || phase == PHASE_ONLOAD || phase == PHASE_DEAD) return 0;
    if (enabled & jvmpi_bit(JVMPI_EVENT_CLASS_LOAD_HOOK)) mask |= PROBE_MASK(AT_class_file_load);
    if (phase == PHASE_PRIMORDIAL) return mask;
    if (!atomic_load(&s->told)) return mask | PROBE_MASK(AT_vm_start);
    for (size_t i = 0; i < ARRAY_LEN(needs); i++)
        if (enabled & jvmpi_bit(needs[i].event)) mask |= PROBE_MASK(needs[i].probe);
    return mask;
}

/* Collections that a thread has left disabled are enabled when it ends. */
static void forget_thread(struct java_thread *t) {
    if (t->profiler.gc_disabled == 0) return;
    t->profiler.gc_disabled = 0;
    if (t->carrier) t->carrier->gc_disabled = 0;
    heap_release_gc();
}

/* ---- events without a file of their own --------------------------------------------------------------------------------------------- */

static void send_plain(struct os_thread *self, jint event) {
    if (!jvmpi_wants(self, event)) return;
    JVMPI_Event e;
    memset(&e, 0, sizeof e);
    e.event_type = event;
    jvmpi_notify(self, &e, false);
}

static void on_vm_start(struct os_thread *self) {
    bool early = atomic_load(&vm->phase) != PHASE_START;         /* the class library does not stand yet */
    if (!early && !atomic_load(&vm->jvmpi->told)) jvmpi_tell_existing(self);
}
static void on_vm_init(struct os_thread *self) { send_plain(self, JVMPI_EVENT_JVM_INIT_DONE); }
static void on_vm_death(struct os_thread *self) { send_plain(self, JVMPI_EVENT_JVM_SHUT_DOWN); }
static void on_thread_end(struct os_thread *self) { send_plain(self, JVMPI_EVENT_THREAD_END); }

static void on_thread_start(struct os_thread *self) {
    if (!jvmpi_wants(self, JVMPI_EVENT_THREAD_START) || self->java->profiler.started) return;
    self->java->profiler.started = jvmpi_send_thread_start(self, self->java->mirror, thread_env(self), 0);
}

/* The same hint may mean either; what is to be dumped is there until the reset. */
static void on_data_dump_request(struct os_thread *self) {
    send_plain(self, JVMPI_EVENT_DATA_DUMP_REQUEST);
    send_plain(self, JVMPI_EVENT_DATA_RESET_REQUEST);
}

static void on_class_load(struct os_thread *self, struct class *c) {
    if (jvmpi_wants(self, JVMPI_EVENT_CLASS_LOAD)) jvmpi_send_class_load(self, c, 0);
}

static void on_method_entry(struct os_thread *self, struct frame *f) {
    JVMPI_Event e;
    memset(&e, 0, sizeof e);
    if (jvmpi_wants(self, JVMPI_EVENT_METHOD_ENTRY)) {
        e.event_type = JVMPI_EVENT_METHOD_ENTRY;
        e.u.method.method_id = method_code_id(f->code);
        jvmpi_notify(self, &e, false);
    }
    if (!jvmpi_wants(self, JVMPI_EVENT_METHOD_ENTRY2)) return;
    bool is_static = frame_method(f)->access_flags & ACC_STATIC;
    e.event_type = JVMPI_EVENT_METHOD_ENTRY2;
    e.u.method_entry2.method_id = method_code_id(f->code);
    e.u.method_entry2.obj_id = is_static ? NULL : jvmpi_id(slot_object(f->locals[0]));
    jvmpi_notify(self, &e, true);
}

static void on_method_exit(struct os_thread *self, struct frame *f, bool by_exception, uint64_t value) {
    (void)by_exception, (void)value;
    if (!jvmpi_wants(self, JVMPI_EVENT_METHOD_EXIT)) return;
    JVMPI_Event e;
    memset(&e, 0, sizeof e);
    e.event_type = JVMPI_EVENT_METHOD_EXIT;
    e.u.method.method_id = method_code_id(f->code);
    jvmpi_notify(self, &e, false);
}

static void on_object_alloc(struct os_thread *self, struct object *o) {
    struct java_thread *t = self->java;
    if (t == NULL || t->profiler.in_alloc || !jvmpi_wants(self, JVMPI_EVENT_OBJECT_ALLOC)) return;
    t->profiler.in_alloc = true;         /* a handler that allocates would not come to an end */
    jvmpi_send_object_alloc(self, o, 0);
    t->profiler.in_alloc = false;
}

static void on_global_ref_new(struct os_thread *self, jobject ref, struct object *o, bool weak) {
    jint event = weak ? JVMPI_EVENT_JNI_WEAK_GLOBALREF_ALLOC : JVMPI_EVENT_JNI_GLOBALREF_ALLOC;
    if (!jvmpi_wants(self, event)) return;
    JVMPI_Event e;
    memset(&e, 0, sizeof e);
    e.event_type = event;
    e.u.jni_globalref_alloc.obj_id = jvmpi_id(o);
    e.u.jni_globalref_alloc.ref_id = ref;
    jvmpi_notify(self, &e, true);
}

/* Deleting what is no such reference does nothing, and is no event. */
static void on_global_ref_delete(struct os_thread *self, jobject ref, bool weak) {
    jint event = weak ? JVMPI_EVENT_JNI_WEAK_GLOBALREF_FREE : JVMPI_EVENT_JNI_GLOBALREF_FREE;
    if (!jvmpi_wants(self, event) || handle_type(self, ref) != (weak ? JNIWeakGlobalRefType : JNIGlobalRefType)) return;
    JVMPI_Event e;
    memset(&e, 0, sizeof e);
    e.event_type = event;
    e.u.jni_globalref_free.ref_id = ref;
    jvmpi_notify(self, &e, false);
}

const struct probe_subscriber jvmpi_subscriber = {
    .name = "jvmpi",
    .mask = wanted,
    .forget_thread = forget_thread,
    .vm_start = on_vm_start,
    .vm_init = on_vm_init,
    .vm_death = on_vm_death,
    .thread_start = on_thread_start,
    .thread_end = on_thread_end,
    .virtual_thread_start = on_thread_start,
    .virtual_thread_end = on_thread_end,
    .class_file_load = jvmpi_on_class_file,
    .class_load = on_class_load,
    .array_class_load = on_class_load,
    .single_step = jvmpi_on_instruction,
    .method_entry = on_method_entry,
    .method_exit = on_method_exit,
    .data_dump_request = on_data_dump_request,
    .monitor_contended_enter = jvmpi_on_contended_enter,
    .monitor_contended_entered = jvmpi_on_contended_entered,
    .monitor_contended_exit = jvmpi_on_contended_exit,
    .monitor_wait = jvmpi_on_wait,
    .monitor_waited = jvmpi_on_waited,
    .sleep = jvmpi_on_sleep,
    .slept = jvmpi_on_slept,
    .object_alloc = on_object_alloc,
    .global_ref_new = on_global_ref_new,
    .global_ref_delete = on_global_ref_delete,
    .gc_announce = jvmpi_on_gc_announce,
    .gc_marked = jvmpi_on_gc_marked,
    .gc_conclude = jvmpi_on_gc_conclude,
};
