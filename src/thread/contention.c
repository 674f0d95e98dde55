/* Times of contention: java.lang.management.ThreadInfo's blocked and waited time. */
#include "thread/contention.h"

#include "base/os.h"

void contention_begin_timed(struct contention *c) {
    atomic_store_explicit(&c->since, os_nanotime(), memory_order_relaxed);
}

void contention_end_timed(struct contention *c) {
    int64_t since = atomic_exchange(&c->since, 0);
    if (since != 0) atomic_fetch_add(&c->nanos, os_nanotime() - since);
}

int64_t contention_nanos(const struct contention *c) {
    int64_t since = atomic_load(&c->since), nanos = atomic_load(&c->nanos);
    return since != 0 ? nanos + (os_nanotime() - since) : nanos;
}

void contention_reset_time(struct contention *c) {
    int64_t since = atomic_load(&c->since);
    if (since != 0) atomic_compare_exchange_strong(&c->since, &since, os_nanotime());
    atomic_store(&c->nanos, 0);
}
