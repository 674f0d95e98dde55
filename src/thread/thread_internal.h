/* State of the thread room and what its files share. */
#ifndef VITRINE_THREAD_THREAD_INTERNAL_H
#define VITRINE_THREAD_THREAD_INTERNAL_H

#include "base/alloc.h"
#include "base/lock.h"
#include "base/log.h"
#include "base/os.h"
#include "thread/handle.h"
#include "thread/monitor.h"
#include "thread/thread.h"

struct monitor_table;
struct handle_table;

/* vm->threads. */
struct thread_list {
    struct lock lock;                    /* THREADS: the two lists and the counters                             */
    struct java_thread *java, *java_last; /* in the order in which they came: tools list them so                 */
    struct os_thread *carriers;
    struct java_thread *found[64];       /* whom thread_of_mirror has found last, by a hash of the mirror's address  */
    unsigned count, daemons, peak;
    uint64_t started;
    _Atomic uint32_t users;              /* Java threads that DestroyJavaVM waits for; futex                    */

    _Atomic uint32_t stop_mutex;         /* futex mutex: one stop at a time                                     */
    _Atomic int stopper;                 /* kernel id of the thread that stops the world, 0 = none              */
    unsigned stop_depth;
    _Atomic bool stopping;               /* the lists do not change; changed under `lock`                       */
    _Atomic bool stopped;                /* the world stands                                                    */
    _Atomic uint32_t stop_generation;    /* futex: counts ends of stops                                         */
    struct { const char *reason; int64_t asked, began, ended; uint32_t running, threads; } stop; /* of the present stop, for the log; ended: of the last */

    void (*end_functions[8])(struct os_thread *self);
    unsigned end_function_count;
    void (*wakers[8])(void);
    unsigned waker_count;
    uint32_t marks;                      /* threads_mark; changes with the world stopped                        */

    _Atomic bool ending;                 /* DestroyJavaVM has stopped the world for good                        */
    pthread_t last_ended;                /* ended by itself and not joined yet; under `lock`                    */
    bool has_last_ended;
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

/* What a thread changes on its way out of the VM and back. A thread that was on such a way when the VM ended may still do so: this is no
 * part of the VM. */
extern struct stop_counts {
    _Atomic uint32_t acknowledged;       /* futex: counts departures from the VM during a stop                  */
    _Atomic uint32_t kept;               /* futex: threads that a stop has kept from running and that do not run yet */
    _Atomic bool kept_awaited;           /* somebody waits for `kept` to become 0                               */
} stop_counts;

/* Mutexes made of one futex word (0 free, 1 held, 2 held and awaited) that may be held over a stop, which a ranked lock may not. */
void futex_mutex_acquire(_Atomic uint32_t *word);
void futex_mutex_release(_Atomic uint32_t *word);
void unpin_carrier(struct os_thread *carrier);

/* safepoint.c */
/* Waits until no stop changes or reads the lists; returns with the lock held. self may be NULL or outside the VM: then false (and no
 * lock) when the VM ends. */
bool threads_lock_for_change(struct os_thread *self);
/* transition.c: `resting` (NATIVE or BLOCKED) -> IN_VM, as soon as none of the poll bits in `mask` is set. */
void transition_enter(struct os_thread *self, uint32_t resting, uint32_t mask);
/* After a store of a state other than IN_VM: wakes those who wait for that. */
void transition_notify(struct os_thread *self);
/* Stops if somebody wants it (no exceptions, no other poll bits). State IN_VM. */
void transition_poll_stops(struct os_thread *self);
/* The store of a new state becomes visible before the following load of `poll`, or the other side has a barrier. */
static inline void transition_fence(struct os_thread *self) {
    if (atomic_load_explicit(&self->poll, memory_order_relaxed) & POLL_FENCE) atomic_thread_fence(memory_order_seq_cst);
    else atomic_signal_fence(memory_order_seq_cst);
}

/* end.c: the VM has ended; unwinds a thread that the VM started to its first frame, stops any other for good. Holds no lock. */
_Noreturn void thread_end_now(struct os_thread *self);
/* thread.c: the calling thread's record from now on; NULL: it has none any more. */
void thread_bind(struct os_thread *t);
/* end.c: last acts of a started thread that thread_end_now has unwound. */
void thread_finish_end(struct os_thread *self);
/* end.c: frees what hangs on t; it runs no more, or only foreign code. */
void thread_strip(struct thread_list *list, struct os_thread *t);
/* thread.c: Java stack and records; nobody refers to them. */
void thread_records_free(struct os_thread *t);
/* thread.c: is t on the list? It may have been freed. Caller holds the list lock. */
bool thread_is_listed(const struct thread_list *list, const struct java_thread *t);
/* thread.c: takes t off the lists. Caller holds the list lock, or the world has ended. */
void thread_list_remove(struct thread_list *list, struct os_thread *t);

/* monitor.c */
void monitor_thread_suspended(struct java_thread *t);    /* t waits or not; it is stopped                         */
void monitor_thread_resumed(struct java_thread *t);
void monitor_release_slot(struct java_thread *t);        /* t has ended and owns nothing                          */
void monitor_exit_all(struct os_thread *self);           /* monitors an ending thread still holds                 */

/* An exception from another thread (thread_stop) is pending: blocking operations end, the next poll throws it. */
static inline bool thread_is_stopping(struct os_thread *self) { return atomic_load(&self->poll) & POLL_ASYNC_EXCEPTION; }

/* thread.c: changes the futex of sleep, wait and monitor entry. */
static inline void thread_wake(struct java_thread *t) {
    atomic_fetch_add(&t->wake, 1);
    os_futex_wake(&t->wake, 1);
}
static inline void thread_status(struct java_thread *t, enum thread_status s) {
    if (thread_set_status && t->mirror) thread_set_status(t, (int32_t)s);
}
/* An entry that is being filled: room for one more lock. False with OutOfMemoryError pending. */
bool thread_reserve_lock(struct os_thread *self);

#endif
