/* Looking before sleeping. */
#include "thread/patience.h"

#include "thread/monitor_table.h"

enum { MOST = 5000, GAIN = 100, LOSS = 200, OCCASIONS_NOT_TRIED = 64, LOST_MOST = 6 };

int32_t patience_now(struct patience *p) {
    int32_t pauses = atomic_load_explicit(&p->pauses, memory_order_relaxed);
    if (pauses > 0) return pauses;
    bool again = --pauses < -(OCCASIONS_NOT_TRIED << atomic_load_explicit(&p->lost, memory_order_relaxed));
    atomic_store_explicit(&p->pauses, again ? PATIENCE_FIRST : pauses, memory_order_relaxed);
    return 0;
}

void patience_learn(struct patience *p, bool paid) {
    int32_t pauses = atomic_load_explicit(&p->pauses, memory_order_relaxed);
    pauses = paid ? MIN(pauses + GAIN, MOST) : MAX(pauses - LOSS, 0);
    atomic_store_explicit(&p->pauses, pauses, memory_order_relaxed);
    int32_t lost = atomic_load_explicit(&p->lost, memory_order_relaxed);
    if (pauses >= 2 * PATIENCE_FIRST) lost = 0;
    else if (pauses == 0 && lost < LOST_MOST) lost++;
    atomic_store_explicit(&p->lost, lost, memory_order_relaxed);
}

uint32_t thread_processors(void) {
    struct monitor_table *t = thread_list()->monitors;
    uint32_t count = atomic_load_explicit(&t->processors, memory_order_relaxed);
    if (count) return count;
    count = (uint32_t)os_cpu_count();
    atomic_store_explicit(&t->processors, count, memory_order_relaxed);
    return count;
}

bool thread_looks(struct os_thread *self, struct patience *p, const _Atomic uint32_t *word, uint32_t seen) {
    REQUIRES(IN_VM);
    int32_t pauses = thread_processors() > 1 ? patience_now(p) : 0;
    if (pauses == 0) return false;
    bool changed = false;
    for (int32_t i = 0; i < pauses && !changed; i++) {
        if (atomic_load_explicit(&self->attention, memory_order_relaxed) & POLL_ANY) return false;
        spin_pause();
        changed = atomic_load_explicit(word, memory_order_acquire) != seen;
    }
    patience_learn(p, changed);
    return changed;
}
