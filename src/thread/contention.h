/* contention.h — how often and how long a Java thread was blocked by monitors, and how often and how long it waited
 * (Object.wait, park, sleep): java.lang.management.ThreadInfo. Occasions are always counted; time is taken only while
 * somebody has asked for it. */
#ifndef VITRINE_THREAD_CONTENTION_H
#define VITRINE_THREAD_CONTENTION_H

#include "base/base.h"
#include "vm/vm.h"

struct contention {
    _Atomic uint64_t count;
    _Atomic int64_t nanos;               /* of the occasions that are over                                     */
    _Atomic int64_t since;               /* os_nanotime of the present one's begin; 0: none, or not timed      */
};

void contention_begin_timed(struct contention *c);
void contention_end_timed(struct contention *c);

/* By the thread itself, or by the one that notifies it. */
static inline void contention_begin(struct contention *c) {
    atomic_fetch_add_explicit(&c->count, 1, memory_order_relaxed);
    if (UNLIKELY(atomic_load_explicit(&vm->contention_timed, memory_order_relaxed))) contention_begin_timed(c);
}
static inline void contention_end(struct contention *c) {
    if (UNLIKELY(atomic_load_explicit(&c->since, memory_order_relaxed) != 0)) contention_end_timed(c);
}

/* Any thread; the record must not go meanwhile. */
int64_t contention_nanos(const struct contention *c);
void contention_reset_time(struct contention *c);

#endif
