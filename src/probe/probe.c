/* probe.c: masks, subscribers, phases, and the hooks through which the rooms below reach their probes. */
#include "probe/probe.h"

#include "base/alloc.h"
#include "base/log.h"
#include "heap/heap.h"
#include "link/redefine.h"
#include "thread/monitor.h"

/* ---- masks ------------------------------------------------------------------------------------------------------ */

static uint64_t union_of_masks(struct java_thread *t) {
    uint64_t mask = 0;
    unsigned n = atomic_load(&vm->probes->subscriber_count);
    for (unsigned i = 0; i < n; i++) mask |= vm->probes->subscribers[i]->mask(t);
    return mask;
}

/* What is asked before those of t's events are sent, mask being all of them: nothing while more than one subscriber wants them. */
static struct event_filter *filter_of(struct java_thread *t, uint64_t mask, uint64_t events) {
    const struct probe_subscriber *only = NULL;
    if (!(mask & events)) return NULL;
    unsigned n = atomic_load(&vm->probes->subscriber_count);
    for (unsigned i = 0; i < n; i++) {
        const struct probe_subscriber *s = vm->probes->subscribers[i];
        if (!(s->mask(t) & events)) continue;
        if (only != NULL) return NULL;
        only = s;
    }
    return only != NULL && only->filter != NULL ? only->filter(t, events) : NULL;
}

/* What a thread's carrier has to do for its mask. Caller holds the thread list. */
static void apply_mask(struct java_thread *t) {
    uint64_t mask = union_of_masks(t);
    atomic_store(&t->event_mask, mask);
    atomic_store(&t->method_filter, filter_of(t, mask, PROBE_MASK(PROBE_METHOD_ENTRY) | PROBE_MASK(PROBE_METHOD_EXIT)));
    atomic_store(&t->allocation_filter, filter_of(t, mask, PROBE_MASK(PROBE_SAMPLED_ALLOC)));
    struct os_thread *carrier = t->carrier;
    if (carrier == NULL) return;
    bool steps = mask & PROBE_MASK(PROBE_SINGLE_STEP) && !t->hidden;
    uint8_t watch = atomic_load(&vm->probes->object_init_watched) ? WATCH_OBJECT_INIT : 0;
    if (mask & (PROBE_MASK(PROBE_METHOD_ENTRY) | PROBE_MASK(PROBE_METHOD_EXIT)) && !t->hidden) watch |= WATCH_METHODS;
    if (steps) watch |= WATCH_STEPS;
    atomic_store(&carrier->watch, watch);
    bool stepped = atomic_load(&carrier->poll) & POLL_SINGLE_STEP;
    if (steps && !stepped) thread_request(carrier, POLL_SINGLE_STEP);
    if (!steps && stepped) thread_unrequest(carrier, POLL_SINGLE_STEP);
}

void probe_watch_object_init(struct os_thread *self, bool on) {
    atomic_store(&vm->probes->object_init_watched, on);
    probes_changed(self);
}

void probes_changed(struct os_thread *self) {
    if (self == NULL) {
        atomic_store(&vm->probes->world_mask, union_of_masks(NULL));
        return;
    }
    uint64_t any = 0;
    threads_lock(self);
    atomic_store(&vm->probes->world_mask, union_of_masks(NULL));
    for (struct java_thread *t = threads_first(); t; t = t->next) {
        apply_mask(t);
        any |= atomic_load(&t->event_mask);
    }
    threads_unlock(self);
    bool samples = any & PROBE_MASK(PROBE_SAMPLED_ALLOC), watches = any & PROBE_MASK(PROBE_OBJECT_ALLOC);
    if (samples != heap_is_sampling()) heap_set_sampling(self, samples);
    if (watches != heap_is_watching()) heap_set_watching(self, watches);
    heap_set_announcing(probe_wanted_by_world(PROBE_GC_ANNOUNCE));
}

void probe_subscribe(const struct probe_subscriber *s) {
    unsigned n = atomic_load(&vm->probes->subscriber_count);
    if (n == PROBE_SUBSCRIBERS_MAX) fatal("too many probe subscribers");
    vm->probes->subscribers[n] = s;
    atomic_store(&vm->probes->subscriber_count, n + 1);
}

/* ---- firing ----------------------------------------------------------------------------------------------------- */

/* Subscribers are only added, before the first probe fires, so the list needs no lock. */
#define THREAD_PROBE(name, bit, parameters, arguments)                                                                  \
    static NOINLINE void fire_several_##name parameters {                                                               \
        unsigned n = atomic_load(&vm->probes->subscriber_count);                                                        \
        for (unsigned i = 0; i < n; i++)                                                                                \
            if (vm->probes->subscribers[i]->name) vm->probes->subscribers[i]->name arguments;                           \
    }                                                                                                                   \
    void probe_fire_##name parameters {                                                                                 \
        const struct probe_subscriber *only = vm->probes->subscribers[0];                                               \
        if (LIKELY(atomic_load(&vm->probes->subscriber_count) == 1 && only->name)) only->name arguments;                \
        else fire_several_##name arguments;                                                                             \
    }
#define WORLD_PROBE THREAD_PROBE
#include "probe/probes.def"
#undef THREAD_PROBE
#undef WORLD_PROBE

/* ---- phases and threads ------------------------------------------------------------------------------------------- */

void probe_enter_phase(struct os_thread *self, enum vm_phase phase) {
    if (phase == PHASE_DEAD && atomic_load(&vm->phase) == PHASE_LIVE) {
        probe_thread_end(self);
        probe_vm_death(self);
    }
    log_debug(startup, "phase %d", phase);
    atomic_store(&vm->phase, phase);
    probes_changed(self);
    if (phase == PHASE_START) probe_vm_start(self);
    if (phase == PHASE_LIVE) {
        probe_vm_init(self);
        probe_thread_start(self);
    }
}

/* Bound virtual threads: what they tell is not what platform threads tell. */
static bool is_virtual(const struct java_thread *t) {
    return known_class(java_lang_BaseVirtualThread) != NULL && t->mirror != NULL &&
           object_is_instance(t->mirror, known_class(java_lang_BaseVirtualThread));
}

void probe_thread_begin(struct os_thread *self) {
    threads_lock(self);
    apply_mask(self->java);
    threads_unlock(self);
    if (is_virtual(self->java)) probe_virtual_thread_start(self);
    else probe_thread_start(self);
}

void probe_thread_finish(struct os_thread *self) {
    if (is_virtual(self->java)) probe_virtual_thread_end(self);
    else probe_thread_end(self);
    threads_lock(self);
    unsigned n = atomic_load(&vm->probes->subscriber_count);
    for (unsigned i = 0; i < n; i++)
        if (vm->probes->subscribers[i]->forget_thread) vm->probes->subscribers[i]->forget_thread(self->java);
    apply_mask(self->java);
    threads_unlock(self);
}

/* ---- hooks of the rooms below ------------------------------------------------------------------------------------- */

static void on_class_file(struct os_thread *self, struct class_file_hook *h) { probe_class_file_load(self, h); }
static void on_class_loaded(struct os_thread *self, struct class *c) { probe_class_load(self, c); }
static void on_class_prepared(struct os_thread *self, struct class *c) { probe_class_prepare(self, c); }

static void on_collection_begin(const char *cause) {
    (void)cause;
    probe_gc_start(current_thread());
}
static void on_collection_end(void) {
    /* An exception that has died uncaught (native code dropped it): its address may become another one's. */
    for (struct java_thread *t = threads_first(); t; t = t->next)
        if (t->reported_exception && !heap_is_object(t->reported_exception)) t->reported_exception = NULL;
    probe_gc_finish(current_thread());
}
static void on_object_freed(int environment, int64_t tag) { probe_object_free(current_thread(), environment, tag); }

static void on_step(struct os_thread *self, struct frame *f) { probe_single_step(self, f); }
static void on_breakpoint(struct os_thread *self, struct frame *f) { probe_breakpoint(self, f); }
static void on_method_entry(struct os_thread *self, struct frame *f) { probe_method_entry(self, f); }

static void on_method_exit(struct os_thread *self, struct frame *f, bool by_exception, uint64_t *value) {
    probe_method_exit(self, f, by_exception, *value);
    if (!(f->flags & FRAME_POP_EVENT)) return;
    f->flags &= ~(uint32_t)FRAME_POP_EVENT;
    /* Not by the mask: whoever asked for it forgets it, even when the event is not enabled any more. */
    probe_fire_frame_pop(self, f, by_exception);
}

static void on_frame_popped(struct os_thread *self, struct frame *f) {
    unsigned n = atomic_load(&vm->probes->subscriber_count);
    for (unsigned i = 0; i < n; i++)
        if (vm->probes->subscribers[i]->frame_forgotten) vm->probes->subscribers[i]->frame_forgotten(self, f);
}

static void on_field(struct os_thread *self, struct frame *f, struct field *field, struct object *object, const uint64_t *value) {
    if (value == NULL) probe_field_access(self, f, field, object);
    else probe_field_modification(self, f, field, object, *value);
}

/* The frame that is expected to catch e, looking from f down the stack. It may be wrong: native code between may clear e. */
static struct method_code *expected_catcher(struct os_thread *self, struct frame *f, struct object *e, int32_t *bci) {
    for (; f != NULL; f = f->caller) {
        if (f->flags & FRAME_NATIVE) continue;
        *bci = handler_expected(self, f->code, frame_bci(f), e);
        if (*bci >= 0) return f->code;
    }
    *bci = 0;
    return NULL;
}

static void on_throw(struct os_thread *self, struct frame *f) {
    if (!probe_wanted(self, PROBE_EXCEPTION) || self->java->reported_exception == self->exception) return;
    struct object *e = exception_take(self);
    self->java->reported_exception = e;
    int32_t bci;
    struct method_code *catcher = expected_catcher(self, f, e, &bci);
    probe_exception(self, f, e, catcher, bci);
    if (self->exception == NULL) self->exception = e;
}

static void on_catch(struct os_thread *self, struct frame *f, struct object *e) {
    self->java->reported_exception = NULL;
    probe_exception_catch(self, f, e);
}

static void on_sample(struct os_thread *self, struct object *o) {
    if (!self->java->hidden) probe_sampled_object_alloc(self, o);
}

/* Not by the thread's mask: one that attaches itself makes its java.lang.Thread before it has begun. */
static void on_alloc(struct os_thread *self, struct object *o) {
    if (probe_wanted_by_world(PROBE_OBJECT_ALLOC)) probe_fire_object_alloc(self, o);
}
static void on_array_class(struct os_thread *self, struct class *c) { probe_array_class_load(self, c); }

static bool on_gc_announce(struct os_thread *self) {
    bool wanted = probe_wanted_by_world(PROBE_GC_ANNOUNCE);
    probe_gc_announce(self);
    return wanted;
}
/* Whoever was told of the beginning is told of the end. */
static void on_gc_conclude(struct os_thread *self) { probe_fire_gc_conclude(self); }
static void on_gc_marked(struct os_thread *self) { probe_gc_marked(self); }

static void on_contended_exit(struct os_thread *self, struct object *o) { probe_monitor_contended_exit(self, o); }
static void on_sleep(struct os_thread *self, int64_t millis) { probe_sleep(self, millis); }
static void on_slept(struct os_thread *self) { probe_slept(self); }
static void on_wait(struct os_thread *self, struct object *o, int64_t millis) { probe_monitor_wait(self, o, millis); }
static void on_waited(struct os_thread *self, struct object *o, bool timed_out) { probe_monitor_waited(self, o, timed_out); }
static void on_contended_enter(struct os_thread *self, struct object *o) { probe_monitor_contended_enter(self, o); }
static void on_contended_entered(struct os_thread *self, struct object *o) { probe_monitor_contended_entered(self, o); }

/* World stopped: Object.<init> is from now on what somebody has made of it. */
static void on_class_redefined(struct class *c) {
    if (c == known_class(java_lang_Object)) {
        atomic_store(&vm->probes->object_init_watched, true);
        probes_changed(current_thread());
    }
    unsigned n = atomic_load(&vm->probes->subscriber_count);
    for (unsigned i = 0; i < n; i++)
        if (vm->probes->subscribers[i]->class_redefined) vm->probes->subscribers[i]->class_redefined(c);
}

static void hooks_set(void) {
    class_redefined_hook = on_class_redefined;
    class_file_load_hook = on_class_file;
    class_loaded_hook = on_class_loaded;
    class_prepared_hook = on_class_prepared;
    gc_begin_hook = on_collection_begin;
    gc_end_hook = on_collection_end;
    gc_object_freed_hook = on_object_freed;
    exec_step_hook = on_step;
    exec_breakpoint_hook = on_breakpoint;
    exec_method_entry_hook = on_method_entry;
    exec_method_exit_hook = on_method_exit;
    exec_frame_popped_hook = on_frame_popped;
    exec_throw_hook = on_throw;
    exec_catch_hook = on_catch;
    exec_field_hook = on_field;
    heap_sample_hook = on_sample;
    heap_alloc_hook = on_alloc;
    array_class_hook = on_array_class;
    monitor_probes = (struct monitor_probes){on_contended_enter, on_contended_entered, on_wait, on_waited, on_contended_exit, on_sleep, on_slept};
    static const struct heap_hooks collection = {.announce = on_gc_announce, .conclude = on_gc_conclude, .marked = on_gc_marked};
    heap_set_hooks(&collection);
}

static void hooks_clear(void) {
    class_redefined_hook = NULL;
    class_file_load_hook = NULL;
    class_loaded_hook = NULL;
    class_prepared_hook = NULL;
    gc_begin_hook = NULL;
    gc_end_hook = NULL;
    gc_object_freed_hook = NULL;
    exec_step_hook = exec_breakpoint_hook = exec_method_entry_hook = exec_frame_popped_hook = exec_throw_hook = NULL;
    exec_method_exit_hook = NULL;
    exec_catch_hook = NULL;
    exec_field_hook = NULL;
    heap_sample_hook = heap_alloc_hook = NULL;
    array_class_hook = NULL;
    monitor_probes = (struct monitor_probes){0};
}

bool probes_create(void) {
    vm->probes = mem_zalloc(sizeof *vm->probes);
    if (vm->probes == NULL) return false;
    hooks_set();
    return true;
}

void probes_destroy(void) {
    hooks_clear();
    mem_free(vm->probes);
    vm->probes = NULL;
}
