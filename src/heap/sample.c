/* sample.c — sampling of allocations: a thread's buffer ends where its next sample is due, so that allocating costs
 * nothing more. */
#include "heap/heap_internal.h"

#include <math.h>

#include "base/os.h"
#include "thread/identity.h"

static int64_t interval(void) { return atomic_load(&vm->heap->sample_interval); }

static uint64_t allocated(const struct tlab *t) { return t->allocated_before + (t->top - t->start); }

/* xorshift; the state starts from the thread's own address. */
static double random_unit(struct os_thread *t) {
    uint64_t x = t->tlab.sample_random ? t->tlab.sample_random
                                       : (uint64_t)(uintptr_t)t * UINT64_C(0x9e3779b97f4a7c15) + 1;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    t->tlab.sample_random = x;
    return (double)(x >> 11) * 0x1p-53;
}

/* Distances are exponentially distributed around the interval, so that no rhythm of the program's hides. */
static NOINLINE uint64_t distance(struct os_thread *t, int64_t mean) {
    return (uint64_t)(-log(1.0 - random_unit(t)) * (double)mean);
}

/* When the next sample is due. */
static inline void arm(struct os_thread *t) {
    int64_t mean = interval();
    t->tlab.sample_at = allocated(&t->tlab);
    if (mean > 0) t->tlab.sample_at += distance(t, mean);
}

static inline uintptr_t sample_end(const struct heap *h, const struct tlab *t) {
    if (h->alloc_watched || h->config.stress_every != 0) return t->top;
    uint64_t now = allocated(t), left = t->sample_at > now ? t->sample_at - now : 0;
    return left < t->limit - t->top ? t->top + left : t->limit;
}

uintptr_t heap_sample_end(const struct tlab *t) { return sample_end(vm->heap, t); }

void heap_watch(struct os_thread *self, struct object *o) {
    REQUIRES(IN_VM | NO_PENDING);
    if (vm->heap->alloc_watched && shape_of(o)->kind != SHAPE_STATICS) probe_object_alloc(self, o);
}

void heap_sample(struct os_thread *self, struct object *o) {
    REQUIRES(IN_VM | NO_PENDING);
    const struct heap *h = vm->heap;
    struct tlab *t = &self->tlab;
    if (h->alloc_watched) heap_watch(self, o);
    if (UNLIKELY(t->sample_at == 0)) arm(self);          /* a new thread's first distance is drawn like all others */
    if (h->samples && (allocated(t) > t->sample_at || interval() == 0)) {
        arm(self);
        if (!t->in_sample && !self->java->hidden && shape_of(o)->kind != SHAPE_STATICS) {
            t->in_sample = true;         /* what a tool allocates meanwhile is not sampled */
            probe_sampled_object_alloc(self, o);
            t->in_sample = false;
        }
    }
    t->end = sample_end(h, t);
}

/* What is wanted of allocations has changed. */
static void renew(struct heap *h) {
    REQUIRES(STOPPED);
    h->sampling = h->samples || h->alloc_watched;
    for (struct os_thread *t = carriers_first(); t; t = t->next) {
        if (h->samples) arm(t);
        if (h->config.stress_every == 0) t->tlab.end = h->sampling ? heap_sample_end(&t->tlab) : t->tlab.limit;
    }
}

void heap_observe_allocations(bool samples, bool watched) {
    REQUIRES(STOPPED);
    struct heap *h = vm->heap;
    h->samples = samples;
    h->alloc_watched = watched;
    renew(h);
}

void heap_set_sampling_interval(struct os_thread *self, int64_t bytes) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    atomic_store(&vm->heap->sample_interval, bytes);
    if (self == NULL || !vm->heap->samples) return;
    safepoint_begin(self, "allocation sampling");
    renew(vm->heap);
    safepoint_end(self);
}
