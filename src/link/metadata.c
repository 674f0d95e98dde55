/* metadata.c — how much class metadata there may be (MaxMetaspaceSize), and how much of it is worth a collection
 * (MetaspaceSize, MinMetaspaceFreeRatio), which unloads classes that nobody reaches. */
#include "base/log.h"
#include "base/perf_data.h"
#include "heap/heap.h"
#include "link/hooks.h"
#include "link/link_internal.h"

size_t metadata_limit(void) { return vm->options->flags.MaxMetaspaceSize; }

void metadata_show(void) {
    int64_t total = (int64_t)arena_total(), most = perf_get(PERF_METASPACE_MAX);
    int64_t limit = metadata_limit() > INT64_MAX ? 0 : (int64_t)metadata_limit();
    if (MAX(limit, total) > most) perf_set(PERF_METASPACE_MAX, MAX(limit, total));
    perf_set(PERF_METASPACE_CAPACITY, total);
    perf_set(PERF_METASPACE_USED, total);
}

/* The next collection for the sake of metadata: when it has grown so much that MinMetaspaceFreeRatio per cent of it are
 * new. */
void metadata_set_mark(void) {
    uint64_t ratio = MIN(vm->options->flags.MinMetaspaceFreeRatio, (uint64_t)99);
    size_t grown = (size_t)((double)arena_total() * 100 / (double)(100 - ratio));
    atomic_store(&li()->metadata_mark, MIN(MAX(grown, vm->options->flags.MetaspaceSize), metadata_limit()));
}

size_t metadata_mark(void) { return atomic_load(&li()->metadata_mark); }

static bool fits(size_t bytes) { return bytes <= metadata_limit() && arena_total() <= metadata_limit() - bytes; }

static NOINLINE bool make_room(struct os_thread *self, size_t bytes) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    /* Until the library stands nobody could be notified: link_create looks again. */
    if (vm->link->stack_overflow_error == NULL) return true;
    heap_collect_here(self, "Metadata GC Threshold", false);
    if (!fits(bytes)) heap_collect_here(self, "Metadata GC Clear Soft References", true);
    if (fits(bytes)) {
        size_t mark = atomic_load(&li()->metadata_mark), wanted = arena_total() + bytes;
        if (wanted > mark) atomic_compare_exchange_strong(&li()->metadata_mark, &mark, MIN(wanted, metadata_limit()));
        return true;
    }
    log_info(gc_metaspace, "Metadata: %zu bytes and %zu more are over MaxMetaspaceSize=%zu", arena_total(), bytes,
             metadata_limit());
    metadata_exhausted(self);
    return false;
}

bool metadata_reserve(struct os_thread *self, size_t bytes) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    size_t mark = atomic_load_explicit(&li()->metadata_mark, memory_order_relaxed), total = arena_total();
    return LIKELY(total <= mark && bytes <= mark - total) || make_room(self, bytes);
}

void metadata_exhausted(struct os_thread *self) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    link_hooks.out_of_memory(self, "Metaspace");
}
