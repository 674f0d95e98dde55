/* subscriber.c: which probes the enabled events need, and the events that probes become. */
#include "jvmpi/jvmpi_internal.h"

#include <string.h>

/* ---- masks ------------------------------------------------------------------------------------------------------- */

/* The probes that an event needs. Events without a row are never due: objects do not move, the arena stays; and
 * contention of raw monitors is seen by their functions. */
static const struct need {
    uint8_t event, probe;
} needs[] = {
    {JVMPI_EVENT_METHOD_ENTRY, PROBE_method_entry},
    {JVMPI_EVENT_METHOD_ENTRY2, PROBE_method_entry},
    {JVMPI_EVENT_METHOD_EXIT, PROBE_method_exit},
    {JVMPI_EVENT_OBJECT_ALLOC, PROBE_object_alloc},
    {JVMPI_EVENT_OBJECT_FREE, PROBE_gc_marked},
    {JVMPI_EVENT_INSTRUCTION_START, PROBE_single_step},
    {JVMPI_EVENT_THREAD_START, PROBE_thread_start},
    {JVMPI_EVENT_THREAD_START, PROBE_virtual_thread_start},
    {JVMPI_EVENT_THREAD_END, PROBE_thread_end},
    {JVMPI_EVENT_THREAD_END, PROBE_virtual_thread_end},
    {JVMPI_EVENT_CLASS_LOAD, PROBE_class_defined},
    {JVMPI_EVENT_CLASS_LOAD, PROBE_array_class_load},
    {JVMPI_EVENT_CLASS_UNLOAD, PROBE_gc_marked},
    {JVMPI_EVENT_JNI_GLOBALREF_ALLOC, PROBE_global_ref_new},
    {JVMPI_EVENT_JNI_GLOBALREF_FREE, PROBE_global_ref_delete},
    {JVMPI_EVENT_JNI_WEAK_GLOBALREF_ALLOC, PROBE_global_ref_new},
    {JVMPI_EVENT_JNI_WEAK_GLOBALREF_FREE, PROBE_global_ref_delete},
    {JVMPI_EVENT_DATA_DUMP_REQUEST, PROBE_data_dump_request},
    {JVMPI_EVENT_DATA_RESET_REQUEST, PROBE_data_dump_request},
    {JVMPI_EVENT_JVM_INIT_DONE, PROBE_vm_init},
    {JVMPI_EVENT_JVM_SHUT_DOWN, PROBE_vm_death},
    {JVMPI_EVENT_MONITOR_CONTENDED_ENTER, PROBE_monitor_contended_enter},
    {JVMPI_EVENT_MONITOR_CONTENDED_ENTERED, PROBE_monitor_contended_entered},
    {JVMPI_EVENT_MONITOR_CONTENDED_EXIT, PROBE_monitor_contended_exit},
    {JVMPI_EVENT_MONITOR_WAIT, PROBE_monitor_wait},
    {JVMPI_EVENT_MONITOR_WAIT, PROBE_sleep},
    {JVMPI_EVENT_MONITOR_WAITED, PROBE_monitor_wait},       /* when the waiting began */
    {JVMPI_EVENT_MONITOR_WAITED, PROBE_sleep},
    {JVMPI_EVENT_MONITOR_WAITED, PROBE_monitor_waited},
    {JVMPI_EVENT_MONITOR_WAITED, PROBE_slept},
    {JVMPI_EVENT_COMPILED_METHOD_LOAD, PROBE_compiled_method_load},
    {JVMPI_EVENT_COMPILED_METHOD_UNLOAD, PROBE_compiled_method_unload},
    {JVMPI_EVENT_GC_START, PROBE_gc_announce},
    {JVMPI_EVENT_GC_FINISH, PROBE_gc_announce},
    {JVMPI_EVENT_GC_FINISH, PROBE_gc_conclude},
};

static uint64_t wanted(struct java_thread *t) {
    struct jvmpi_state *s = vm->jvmpi;
    uint64_t enabled = atomic_load(&s->enabled), mask = 0;
    int phase = atomic_load(&vm->phase);
    if (t && t->hidden) enabled &= JVMPI_OF_ANY_THREAD;
    if (enabled == 0 || phase == PHASE_ONLOAD || phase == PHASE_DEAD) return 0;
    if (enabled & jvmpi_bit(JVMPI_EVENT_CLASS_LOAD_HOOK)) mask |= PROBE_MASK(PROBE_class_file_load);
    if (phase == PHASE_PRIMORDIAL) return mask;
    if (!atomic_load(&s->caught_up)) return mask | PROBE_MASK(PROBE_vm_start);
    for (size_t i = 0; i < ARRAY_LEN(needs); i++)
        if (enabled & jvmpi_bit(needs[i].event)) mask |= PROBE_MASK(needs[i].probe);
    return mask;
}

/* Collections that a thread has left disabled are enabled when it ends. In the thread itself. */
static void forget_thread(struct java_thread *t) {
    struct jvmpi_thread *d = jvmpi_thread(t);
    if (d == NULL || d->gc_disabled == 0) return;
    d->gc_disabled = 0;
    current_thread()->gc_disabled = 0;
    heap_release_gc();
}

/* ---- events without a file of their own -------------------------------------------------------------------------- */

static void send_plain(struct os_thread *self, jint event) {
    REQUIRES(IN_VM | MAY_STOP);
    if (!jvmpi_wants(self, event)) return;
    JVMPI_Event e;
    memset(&e, 0, sizeof e);
    e.event_type = event;
    jvmpi_notify(self, &e, false);
}

static void on_vm_start(struct os_thread *self) {
    REQUIRES(IN_VM);
    bool early = atomic_load(&vm->phase) != PHASE_START;         /* the class library does not stand yet */
    if (!early && !atomic_load(&vm->jvmpi->caught_up)) jvmpi_report_existing(self);
}
static void on_vm_init(struct os_thread *self) { send_plain(self, JVMPI_EVENT_JVM_INIT_DONE); }
static void on_vm_death(struct os_thread *self) { send_plain(self, JVMPI_EVENT_JVM_SHUT_DOWN); }
static void on_thread_end(struct os_thread *self) { send_plain(self, JVMPI_EVENT_THREAD_END); }

static void on_thread_start(struct os_thread *self) {
    REQUIRES(IN_VM | MAY_STOP);
    if (!jvmpi_wants(self, JVMPI_EVENT_THREAD_START)) return;
    struct jvmpi_thread *d = jvmpi_thread_make(self->java);
    if (d == NULL || d->started) return;
    d->started = jvmpi_send_thread_start(self, self->java->mirror, thread_env(self), 0);
}

/* The same hint may mean either; what is to be dumped is there until the reset. */
static void on_data_dump_request(struct os_thread *self) {
    REQUIRES(IN_VM | MAY_STOP);
    send_plain(self, JVMPI_EVENT_DATA_DUMP_REQUEST);
    send_plain(self, JVMPI_EVENT_DATA_RESET_REQUEST);
}

static void on_class_load(struct os_thread *self, struct class *c) {
    REQUIRES(IN_VM | MAY_STOP);
    if (jvmpi_wants(self, JVMPI_EVENT_CLASS_LOAD)) jvmpi_send_class_load(self, c, 0);
}

static void on_method_entry(struct os_thread *self, struct frame *f) {
    REQUIRES(IN_VM | MAY_STOP);
    JVMPI_Event e;
    memset(&e, 0, sizeof e);
    if (jvmpi_wants(self, JVMPI_EVENT_METHOD_ENTRY)) {
        e.event_type = JVMPI_EVENT_METHOD_ENTRY;
        e.u.method.method_id = method_code_id(f->code);
        jvmpi_notify(self, &e, false);
    }
    if (!jvmpi_wants(self, JVMPI_EVENT_METHOD_ENTRY2)) return;
    bool is_static = frame_method(f)->access_flags & ACC_STATIC;
    struct frame_cursor c = frame_first(self->java);
    e.event_type = JVMPI_EVENT_METHOD_ENTRY2;
    e.u.method_entry2.method_id = method_code_id(f->code);
    e.u.method_entry2.obj_id = is_static ? NULL : jvmpi_id(slot_object(cursor_locals(&c)[0]));
    jvmpi_notify(self, &e, true);
}

static void on_method_exit(struct os_thread *self, struct frame *f, bool by_exception, uint64_t value) {
    REQUIRES(IN_VM | MAY_STOP);
    (void)by_exception, (void)value;
    if (!jvmpi_wants(self, JVMPI_EVENT_METHOD_EXIT)) return;
    JVMPI_Event e;
    memset(&e, 0, sizeof e);
    e.event_type = JVMPI_EVENT_METHOD_EXIT;
    e.u.method.method_id = method_code_id(f->code);
    jvmpi_notify(self, &e, false);
}

static void on_object_alloc(struct os_thread *self, struct object *o) {
    REQUIRES(IN_VM);
    struct java_thread *t = self->java;
    if (t == NULL || !jvmpi_wants(self, JVMPI_EVENT_OBJECT_ALLOC)) return;
    struct jvmpi_thread *d = jvmpi_thread_make(t);
    if (d == NULL || d->in_alloc) return;
    d->in_alloc = true;                  /* a handler that allocates would not come to an end */
    jvmpi_send_object_alloc(self, o, 0);
    d->in_alloc = false;
}

static void on_global_ref_new(struct os_thread *self, jobject ref, struct object *o, bool weak) {
    REQUIRES(IN_VM);
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
    REQUIRES(IN_VM);
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
    .class_defined = on_class_load,
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
    .compiled_method_load = jvmpi_on_compiled_method,
    .compiled_method_unload = jvmpi_on_compiled_method_unload,
    .gc_announce = jvmpi_on_gc_announce,
    .gc_marked = jvmpi_on_gc_marked,
    .gc_conclude = jvmpi_on_gc_conclude,
};
