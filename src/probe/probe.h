/* probe.h: the engine's side of observation: probes, masks, phases. Tool interfaces subscribe, the engine fires.
 *
 * An unwatched probe costs one load and test. The mask of a thread is the union of what all subscribers want of it; it is
 * recomputed by probes_changed() whenever a subscriber's wishes change, and when a thread starts. */
#ifndef VITRINE_PROBE_PROBE_H
#define VITRINE_PROBE_PROBE_H

#include "exec/exec.h"
#include "link/link.h"
#include "thread/thread.h"
#include "vm.h"

enum { PROBE_FIRST = 50, PROBE_VM_INIT = 50, PROBE_EXCEPTION = 58, PROBE_SINGLE_STEP = 60, PROBE_METHOD_ENTRY = 65, PROBE_METHOD_EXIT = 66, PROBE_SAMPLED_ALLOC = 86,
       PROBE_OBJECT_ALLOC = 90, PROBE_GC_ANNOUNCE = 97, PROBE_GC_MARKED = 98 };
#define PROBE_MASK(bit) (UINT64_C(1) << ((bit) - PROBE_FIRST))

/* One interpreter of probes. Functions are called with no internal lock held; NULL = not interested. */
struct probe_subscriber {
    const char *name;
    /* What it wants of thread t (NULL: of events without a thread, and of threads to come). Caller holds the thread list. */
    uint64_t (*mask)(struct java_thread *t);
    /* The filter of whoever, alone among its tools, wants all these events of thread t; NULL: several, or one without filters. Caller holds the thread
     * list. NULL: it has none. */
    struct event_filter *(*filter)(struct java_thread *t, uint64_t events);
    /* The thread has ended: forget what hangs on it. Caller holds the thread list. */
    void (*forget_thread)(struct java_thread *t);
    /* A frame with FRAME_POP_EVENT goes without the event being sent (PopFrame). */
    void (*frame_forgotten)(struct os_thread *self, struct frame *f);
    /* A class has a new version. World stopped. */
    void (*class_redefined)(struct class *c);
#define THREAD_PROBE(name, bit, parameters, arguments) void (*name) parameters;
#define WORLD_PROBE THREAD_PROBE
#include "probe/probes.def"
#undef THREAD_PROBE
#undef WORLD_PROBE
};

enum { PROBE_SUBSCRIBERS_MAX = 8 };

struct probe_state {
    _Atomic uint64_t world_mask;         /* events without a thread                                             */
    _Atomic uint64_t any_mask;           /* what a thread gets before its own mask has been computed            */
    const struct probe_subscriber *subscribers[PROBE_SUBSCRIBERS_MAX];
    _Atomic unsigned subscriber_count;
    _Atomic bool object_init_watched;    /* Object.<init> may not be skipped                                    */
};

/* Makes vm->probes and registers the hooks of the rooms below. Before agents are loaded. False: out of memory. */
bool probes_create(void);
void probes_destroy(void);
void probe_subscribe(const struct probe_subscriber *s);
/* A subscriber's wishes changed: recomputes all masks. self may be NULL before the first thread is attached. */
void probes_changed(struct os_thread *self);

/* Whether Object.<init>, which the interpreter does not really call, has to be called: it has a breakpoint, or other code. */
void probe_watch_object_init(struct os_thread *self, bool on);

/* Enters a phase, in the order ONLOAD, PRIMORDIAL, START, LIVE, DEAD, and tells those who want to know: START fires vm_start,
 * LIVE vm_init and then the main thread's thread_start. DEAD fires vm_death while the phase is still LIVE; nothing is fired
 * afterwards. Thread: IN_VM, main thread (DEAD: the thread that ends the VM); self may be NULL for ONLOAD and PRIMORDIAL. */
void probe_enter_phase(struct os_thread *self, enum vm_phase phase);

/* A new Java thread, its mirror set, before its first Java code / after its last. Thread: self, IN_VM.
 * Not for the main thread's start (probe_enter_phase) and not for hidden threads. */
void probe_thread_begin(struct os_thread *self);
void probe_thread_finish(struct os_thread *self);

/* ---- firing ----------------------------------------------------------------------------------------------------- */

static inline bool probe_wanted(const struct os_thread *self, unsigned bit) {
    return self->java != NULL &&
           __builtin_expect((atomic_load_explicit(&self->java->event_mask, memory_order_relaxed) & PROBE_MASK(bit)) != 0, 0);
}
static inline bool probe_wanted_by_world(unsigned bit) {
    return __builtin_expect((atomic_load_explicit(&vm->probes->world_mask, memory_order_relaxed) & PROBE_MASK(bit)) != 0, 0);
}

/* probe_class_load(self, c) and so on: tests, and calls the subscribers if anybody wants it. */
#define THREAD_PROBE(name, bit, parameters, arguments)                                                                  \
    void probe_fire_##name parameters;                                                                                  \
    static inline void probe_##name parameters { if (probe_wanted(self, bit)) probe_fire_##name arguments; }
#define WORLD_PROBE(name, bit, parameters, arguments)                                                                   \
    void probe_fire_##name parameters;                                                                                  \
    static inline void probe_##name parameters { if (probe_wanted_by_world(bit)) probe_fire_##name arguments; }
#include "probe/probes.def"
#undef THREAD_PROBE
#undef WORLD_PROBE

#endif
