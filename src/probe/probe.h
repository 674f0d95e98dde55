/* probe.h: what becomes of probes: subscribers, masks, phases. Tool interfaces subscribe, the engine fires
 * (thread/probe_point.h).
 *
 * The mask of a thread is the union of what all subscribers want of it; it is recomputed by probes_changed() whenever a
 * subscriber's wishes change, and when a thread starts. */
#ifndef VITRINE_PROBE_PROBE_H
#define VITRINE_PROBE_PROBE_H

#include "exec/exec.h"
#include "link/link.h"
#include "thread/identity.h"
#include "thread/probe_point.h"
#include "vm/vm.h"

/* One interpreter of probes. Functions are called with no internal lock held; NULL = not interested. */
struct probe_subscriber {
    const char *name;
    /* What it wants of thread t (NULL: of events without a thread, and of threads to come). Caller holds the thread
     * list. */
    uint64_t (*mask)(struct java_thread *t);
    /* The filter of whoever, alone among its tools, wants all these events of thread t; NULL: several, or one without
     * filters. Caller holds the thread list. NULL: it has none. */
    struct event_filter *(*filter)(struct java_thread *t, uint64_t events);
    /* The thread has ended: forget what hangs on it. Caller holds the thread list. */
    void (*forget_thread)(struct java_thread *t);
    /* A frame with FRAME_POP_EVENT goes without the event being sent (PopFrame). */
    void (*frame_forgotten)(struct os_thread *self, struct frame *f);
    /* A class has a new version or is about to be unloaded, and has no breakpoints any more. World stopped. */
    void (*breakpoints_go)(struct class *c);
#define PROBE(scope, interface, name, number, parameters, arguments) void (*name) parameters;
#include "thread/probes.def"
#undef PROBE
};

enum { PROBE_SUBSCRIBERS_MAX = 8 };

struct probe_state {
    struct probe_receivers receivers;
    const struct probe_subscriber *subscribers[PROBE_SUBSCRIBERS_MAX];
    _Atomic unsigned subscriber_count;
    _Atomic bool object_init_watched;    /* Object.<init> may not be skipped                                    */
    _Atomic uint64_t allocation_events;  /* what heap and code are set to send; changes with the world stopped  */
};

/* Makes vm->probes. Before agents are loaded. False: out of memory. */
bool probes_create(void);
void probes_destroy(void);
/* For as long as the VM lives. A subscriber wants nothing yet; callers exclude each other. */
void probe_subscribe(const struct probe_subscriber *s);
/* A subscriber's wishes changed: recomputes all masks. self may be NULL before the first thread is attached. */
void probes_changed(struct os_thread *self);

/* Whether Object.<init>, which the interpreter does not really call, has to be called: it has a breakpoint, or other
 * code. World stopped; holds from the next probes_changed on. */
void probe_watch_object_init(bool on);

/* Enters a phase, in the order ONLOAD, PRIMORDIAL, START, LIVE, DEAD, and notifies the subscribers: START fires
 * vm_start, LIVE vm_init and then the main thread's thread_start. DEAD fires vm_death while the phase is still LIVE;
 * nothing is fired afterwards. Thread: IN_VM, main thread (DEAD: the thread that ends the VM); self may be NULL for
 * ONLOAD and PRIMORDIAL. */
void probe_enter_phase(struct os_thread *self, enum vm_phase phase);

/* A new Java thread, its mirror set, before its first Java code / after its last. Thread: self, IN_VM.
 * Not for the main thread's start (probe_enter_phase) and not for hidden threads. */
void probe_thread_begin(struct os_thread *self);
void probe_thread_finish(struct os_thread *self);

/* What probe/ keeps for a thread: its extension record, made when there is something to keep. */
struct probe_thread {
    struct event_filter *_Atomic allocation_filter;      /* asked before sampled_object_alloc; NULL: it is sent  */
};
static inline struct probe_thread *probe_thread(const struct java_thread *t) { return thread_extension(t, EXT_PROBE); }

/* Whom a tool wants asked before t's sampled allocations are reported; NULL: nobody. In t. */
static inline struct event_filter *probe_allocation_filter(const struct java_thread *t) {
    struct probe_thread *p = probe_thread(t);
    return p ? atomic_load_explicit(&p->allocation_filter, memory_order_acquire) : NULL;
}
/* Until probes_changed is called next, nobody is asked before t's events. World stopped. */
void probe_ask_nobody(struct java_thread *t);
/* exec_hooks, link_hooks: passed on to the subscribers (struct probe_subscriber). */
void probe_frame_forgotten(struct os_thread *self, struct frame *f);
void probe_class_redefined(struct class *c);
void probe_breakpoints_go(struct class *c);

#endif
