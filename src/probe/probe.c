/* probe.c: masks, subscribers, phases. */
#include "probe/probe.h"

#include "base/alloc.h"
#include "base/log.h"
#include "heap/heap.h"
#include "jit/jit.h"

#define SAMPLED_ALLOCATIONS PROBE_MASK(PROBE_sampled_object_alloc)
#define ALL_ALLOCATIONS PROBE_MASK(PROBE_object_alloc)

/* ---- masks ------------------------------------------------------------------------------------------------------ */

static uint64_t union_of_masks(struct java_thread *t) {
    uint64_t mask = 0;
    unsigned n = atomic_load(&vm->probes->subscriber_count);
    for (unsigned i = 0; i < n; i++) mask |= vm->probes->subscribers[i]->mask(t);
    return mask;
}

/* What is asked before those of t's events are sent, mask being all of them: nothing while more than one subscriber
 * wants them. */
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

void probe_ask_nobody(struct java_thread *t) {
    REQUIRES(STOPPED);
    struct probe_thread *p = probe_thread(t);
    atomic_store(&t->method_filter, NULL);
    if (p) atomic_store(&p->allocation_filter, NULL);
}

/* What a thread has to do for its mask. Caller holds the thread list. */
static void apply_mask(struct java_thread *t) {
    uint64_t mask = union_of_masks(t);
    atomic_store(&t->event_mask, mask);
    atomic_store(&t->method_filter, filter_of(t, mask, PROBE_MASK(PROBE_method_entry) | PROBE_MASK(PROBE_method_exit)));
    struct event_filter *allocation = filter_of(t, mask, PROBE_MASK(PROBE_sampled_object_alloc));
    struct probe_thread *p = allocation ? thread_extend(t, EXT_PROBE, sizeof *p) : probe_thread(t);
    if (p) atomic_store(&p->allocation_filter, allocation);
    bool steps = mask & PROBE_MASK(PROBE_single_step) && !t->hidden;
    uint32_t watch = atomic_load(&vm->probes->object_init_watched) ? WATCH_OBJECT_INIT : 0;
    if (mask & (PROBE_MASK(PROBE_method_entry) | PROBE_MASK(PROBE_method_exit)) && !t->hidden) watch |= WATCH_METHODS;
    if (steps) watch |= WATCH_STEPS;
    thread_set_watch(t, watch);
    bool stepped = thread_asked(t) & POLL_SINGLE_STEP;
    if (steps && !stepped) thread_ask(t, POLL_SINGLE_STEP);
    if (!steps && stepped) thread_unask(t, POLL_SINGLE_STEP);
}

void probe_watch_object_init(bool on) {
    REQUIRES(STOPPED);
    atomic_store(&vm->probes->object_init_watched, on);
}

/* What any thread wants to be sent of allocations. Caller holds the thread list, or the world is stopped. */
static uint64_t allocation_events(void) {
    uint64_t any = 0;
    for (struct java_thread *t = threads_first(); t; t = t->next) any |= atomic_load(&t->event_mask);
    return any & (SAMPLED_ALLOCATIONS | ALL_ALLOCATIONS | PROBE_MASK(PROBE_vm_object_alloc));
}

/* Several threads may do so at the same moment: whoever stops the world sees the masks that all of them have set. */
static void observe_allocations(struct os_thread *self) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    safepoint_begin(self, "allocation events");
    uint64_t events = allocation_events();
    atomic_store(&vm->probes->allocation_events, events);
    jit_watch_allocations(events != 0);
    heap_observe_allocations(events & SAMPLED_ALLOCATIONS, events & ALL_ALLOCATIONS);
    safepoint_end(self);
}

void probes_changed(struct os_thread *self) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (self == NULL) {
        atomic_store(&vm->event_mask, union_of_masks(NULL));
        return;
    }
    threads_lock(self);
    atomic_store(&vm->event_mask, union_of_masks(NULL));
    for (struct java_thread *t = threads_first(); t; t = t->next) apply_mask(t);
    uint64_t events = allocation_events();
    threads_unlock(self);
    if (events != atomic_load(&vm->probes->allocation_events)) observe_allocations(self);
}

/* ---- firing ----------------------------------------------------------------------------------------------------- */

/* Subscribers are only added, so that the list needs no lock. */
#define PROBE(scope, interface, name, number, parameters, arguments) \
    static void fire_several_##name parameters { \
        unsigned n = atomic_load(&vm->probes->subscriber_count); \
        for (unsigned i = 0; i < n; i++) \
            if (vm->probes->subscribers[i]->name) vm->probes->subscribers[i]->name arguments; \
    }
#include "thread/probes.def"
#undef PROBE

/* only: the subscriber that has all that it wants; NULL: there are several. */
static void set_receivers(const struct probe_subscriber *only) {
#define PROBE(scope, interface, name, number, parameters, arguments) \
    atomic_store(&vm->probe_receivers->name, only != NULL && only->name != NULL ? only->name : fire_several_##name);
#include "thread/probes.def"
#undef PROBE
}

void probe_subscribe(const struct probe_subscriber *s) {
    unsigned n = atomic_load(&vm->probes->subscriber_count);
    if (n == PROBE_SUBSCRIBERS_MAX) fatal("too many probe subscribers");
    vm->probes->subscribers[n] = s;
    atomic_store(&vm->probes->subscriber_count, n + 1);
    set_receivers(n == 0 ? s : NULL);
}

/* ---- phases and threads ------------------------------------------------------------------------------------------ */

void probe_enter_phase(struct os_thread *self, enum vm_phase phase) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
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

/* Bound virtual threads: they send other events than platform threads do. */
static bool is_virtual(const struct java_thread *t) {
    return known_class(java_lang_BaseVirtualThread) != NULL && t->mirror != NULL &&
           object_is_instance(t->mirror, known_class(java_lang_BaseVirtualThread));
}

void probe_thread_begin(struct os_thread *self) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    threads_lock(self);
    apply_mask(self->java);
    threads_unlock(self);
    if (is_virtual(self->java)) probe_virtual_thread_start(self);
    else probe_thread_start(self);
}

void probe_thread_finish(struct os_thread *self) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (is_virtual(self->java)) probe_virtual_thread_end(self);
    else probe_thread_end(self);
    threads_lock(self);
    unsigned n = atomic_load(&vm->probes->subscriber_count);
    for (unsigned i = 0; i < n; i++)
        if (vm->probes->subscribers[i]->forget_thread) vm->probes->subscribers[i]->forget_thread(self->java);
    apply_mask(self->java);
    threads_unlock(self);
}

/* ---- what is no event -------------------------------------------------------------------------------------------- */

void probe_frame_forgotten(struct os_thread *self, struct frame *f) {
    REQUIRES(IN_VM);
    unsigned n = atomic_load(&vm->probes->subscriber_count);
    for (unsigned i = 0; i < n; i++)
        if (vm->probes->subscribers[i]->frame_forgotten) vm->probes->subscribers[i]->frame_forgotten(self, f);
}

void probe_breakpoints_go(struct class *c) {
    REQUIRES(STOPPED);
    unsigned n = atomic_load(&vm->probes->subscriber_count);
    for (unsigned i = 0; i < n; i++)
        if (vm->probes->subscribers[i]->breakpoints_go) vm->probes->subscribers[i]->breakpoints_go(c);
}

/* Object.<init> is from now on what somebody has made of it. */
void probe_class_redefined(struct class *c) {
    if (c == known_class(java_lang_Object)) {
        atomic_store(&vm->probes->object_init_watched, true);
        probes_changed(current_thread());
    }
    probe_breakpoints_go(c);
}

bool probes_create(void) {
    vm->probes = mem_zalloc(sizeof *vm->probes);
    if (vm->probes == NULL) return false;
    vm->probe_receivers = &vm->probes->receivers;
    set_receivers(NULL);
    return true;
}

void probes_destroy(void) {
    atomic_store(&vm->event_mask, 0);
    mem_free(vm->probes);
    vm->probes = NULL;
    vm->probe_receivers = NULL;
}
