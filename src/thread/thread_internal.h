/* State of the thread room and what its files share. */
#ifndef VITRINE_THREAD_THREAD_INTERNAL_H
#define VITRINE_THREAD_THREAD_INTERNAL_H

#include "base/alloc.h"
#include "base/lock.h"
#include "base/log.h"
#include "base/os.h"
#include "thread/handle.h"
#include "thread/hooks.h"
#include "thread/identity.h"
#include "thread/monitor.h"
#include "thread/probe_point.h"
#include "thread/thread.h"

struct monitor_table;
struct handle_table;

enum { THREAD_PLACE_BITS = 10, THREAD_PLACES = 1 << THREAD_PLACE_BITS };

/* vm->threads. */
struct thread_list {
    struct lock lock;                    /* THREADS: the two lists and the counters                             */
    struct java_thread *java, *java_last; /* in the order in which they came: tools list them so                 */
    struct os_thread *carriers;
    /* Whom a look has found last, by a hash of the mirror's address, and of the record's: two places each. */
    struct java_thread *by_mirror[THREAD_PLACES], *by_record[THREAD_PLACES];
    unsigned count, daemons, peak;
    uint64_t started;
    _Atomic uint32_t users;              /* Java threads that DestroyJavaVM waits for; futex                    */

    struct lock stop_lock;               /* SAFEPOINT: one stop at a time                                       */
    _Atomic int stopper;                 /* kernel id of the thread that stops the world, 0 = none              */
    unsigned stop_depth;
    _Atomic bool stopping;               /* the lists do not change; changed under `lock`                       */
    _Atomic bool stopped;                /* the world stands                                                    */
    _Atomic uint32_t stop_generation;    /* futex: counts ends of stops                                         */
    /* of the present stop, for the log; ended: of the last */
    struct { const char *reason; int64_t asked, began, ended; uint32_t running, threads; } stop;

#ifdef VITRINE_CHECK
    void (*_Atomic before_stop)(const char *reason); /* of a test, called before each stop and handshake; or NULL */
#endif
    uint32_t marks;                      /* threads_mark; changes with the world stopped                        */

    _Atomic bool ending;                 /* DestroyJavaVM has stopped the world for good                        */
    _Atomic uint32_t leaving;            /* futex: threads that have left the lists, and nobody can join them yet */
    _Atomic uintptr_t ended;             /* pthread_t of one that has ended by itself, to be joined; 0: none     */
    bool loads;                          /* a thread that was left `loads`: handles stay                          */

    size_t usual_stack;                  /* bytes of a Java stack's mapping where no size is asked for              */
    _Atomic(uint64_t *) spare_stacks[2]; /* such stacks that ended threads have left, NULL: none                    */

    struct monitor_table *monitors;
    struct handle_table *handles;
};

static inline struct thread_list *thread_list(void) { return vm->threads; }

/* Rounds for which a thread spins before it sleeps, where two threads shake hands: some microseconds. */
enum { SPIN_HANDSHAKE = 200 };
static inline void spin_pause(void) { __builtin_ia32_pause(); }

/* What a thread changes on its way out of the VM and back. A thread that was on such a way when the VM ended may still
 * do so: this is no part of the VM. */
extern struct stop_counts {
    _Atomic uint32_t acknowledged;       /* futex: counts departures from the VM during a stop                  */
    _Atomic uint32_t kept;               /* futex: threads that a stop has kept from running and that do not run yet */
    _Atomic bool kept_awaited;           /* somebody waits for `kept` to become 0                               */
} stop_counts;

/* safepoint.c: the records of a listed thread stay until it is unpinned. False: the thread with this mirror is gone
 * (mirror NULL: whoever has the record). Caller is IN_VM and may stop. */
bool thread_pin(struct os_thread *self, struct java_thread *t, const struct object *mirror);
void thread_unpin(struct java_thread *t);
#define PINS_AWAITED 0x80000000u /* in java_thread.pins: its thread, or the end of the VM, waits for them to go */

/* safepoint.c */
/* Waits until no stop changes or reads the lists; returns with the lock held. self may be NULL or outside the VM: then
 * false (and no lock) when the VM ends. */
bool threads_lock_for_change(struct os_thread *self);
/* transition.c: `resting` (NATIVE or BLOCKED) -> IN_VM, as soon as none of the poll bits in `mask` is set. */
void transition_enter(struct os_thread *self, uint32_t resting, uint32_t mask);
/* After a store of a state other than IN_VM: wakes those who wait for that. */
void transition_notify(struct os_thread *self);
/* Stops if somebody wants it (no exceptions, no other poll bits). State IN_VM. */
void transition_poll_stops(struct os_thread *self);
/* The store of a new state becomes visible before the following load of `attention`, or the other side has
 * a barrier. */
static inline void transition_fence(struct os_thread *self) {
    if (atomic_load_explicit(&self->attention, memory_order_relaxed) & POLL_FENCE)
        atomic_thread_fence(memory_order_seq_cst);
    else atomic_signal_fence(memory_order_seq_cst);
}

/* end.c: the VM has ended; unwinds a thread that the VM started to its first frame, stops any other for good. Holds no
 * lock. */
_Noreturn void thread_end_now(struct os_thread *self);
/* thread.c: the calling thread's record t is its own no more, and its signal mask is what it was before. */
void thread_unbind(struct os_thread *t);
/* end.c: last acts of a started thread that thread_end_now has unwound. */
void thread_finish_end(struct os_thread *self);
/* end.c: frees what hangs on t; it runs no more, or only foreign code. */
void thread_strip(struct os_thread *t);
/* thread.c: Java stack and records; nobody refers to them. */
void thread_records_free(struct os_thread *t);
/* identity.c: what a Java thread's own record refers to, and a carrier's. World stopped. */
void java_thread_each_root(const struct java_thread *t, thread_root_visitor *visit, void *arg);
void carrier_each_root(const struct os_thread *t, thread_root_visitor *visit, void *arg);
/* thread.c: is t on the list? It may have been freed. Caller holds the list lock. */
bool thread_is_listed(struct thread_list *list, struct java_thread *t);
/* thread.c: takes t off the lists. Caller holds the list lock, or the world has ended. */
void thread_list_remove(struct thread_list *list, struct os_thread *t);
/* thread.c: waits for the threads that have left the lists by themselves; the list may go then. */
void thread_list_join_ended(struct thread_list *list);

/* monitor.c */
void monitor_thread_suspended(struct java_thread *t);    /* t waits or not; it is stopped                         */
void monitor_thread_resumed(struct java_thread *t);
void monitor_release_slot(struct java_thread *t);        /* t has ended and owns nothing                          */
void monitor_exit_all(struct os_thread *self);           /* monitors an ending thread still holds                 */

/* An exception from another thread (thread_stop) is pending: blocking operations end, the next poll throws it. */
static inline bool thread_is_stopping(struct os_thread *self) {
    return atomic_load(&self->attention) & POLL_ASYNC_EXCEPTION;
}

/* thread.c: changes the futex of sleep, wait and monitor entry. */
static inline void thread_wake(struct java_thread *t) {
    atomic_fetch_add(&t->wake, 1);
    os_futex_wake(&t->wake, 1);
}
static inline void thread_status(struct java_thread *t, enum thread_status s) {
    if (t->mirror) thread_hooks.set_status(t, (int32_t)s);
}
/* An entry that is being filled: room for one more lock. False with OutOfMemoryError pending. */
bool thread_reserve_lock(struct os_thread *self);

#endif
