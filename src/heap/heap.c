/* heap.c — creation of the heap and its tables, hooks, statistics, identity hashes. */
#include "heap/heap_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

#include "base/alloc.h"
#include "base/log.h"
#include "base/os.h"
#include "thread/identity.h"

enum { DEFAULT_SAMPLE_INTERVAL = 512 * KIB };

/* References are address >> 3 in 32 bits, based at zero. */
#define HEAP_LIMIT    ((uintptr_t)32 * GIB)
#define HEAP_SMALLEST (2 * MIB)

uint8_t *heap_start_bits;

/* ---- tables ------------------------------------------------------------------------------------------------------ */

/* Lays the tables out from `at` (NULL: only measures). Bit and line tables are biased by the heap's base. */
size_t heap_tables_layout(struct heap *h, size_t blocks, char *at) {
    size_t offset = 0;
#define TABLE(bytes) \
    ({ \
        size_t here_ = offset; \
        offset += ALIGN_UP((size_t)(bytes), (size_t)HEAP_PAGE); \
        (void *)(at + here_); \
    })
    void *starts = TABLE(blocks * BIT_BYTES_PER_BLOCK), *marks = TABLE(blocks * BIT_BYTES_PER_BLOCK);
    void *lines = TABLE(blocks * LINES_PER_BLOCK);
    void *kind = TABLE(blocks), *used = TABLE(blocks), *dirty = TABLE(blocks),
         *committed = TABLE(blocks / COMMIT_BLOCKS + 1);
    void *pages = TABLE(blocks * PAGES_PER_BLOCK * sizeof(uint32_t));
    void *deferred = TABLE(blocks * BIT_BYTES_PER_BLOCK / 2), *deferred_blocks = TABLE(blocks);
#ifdef VITRINE_CARDS
    void *cards = TABLE(blocks << (BLOCK_SHIFT - HEAP_CARD_SHIFT));
#ifdef VITRINE_CHECK
    void *old = TABLE(blocks * BIT_BYTES_PER_BLOCK);
#endif
#endif
#undef TABLE
    if (at != NULL) {
        h->starts = (uint8_t *)starts - (h->base >> 6);
        h->marks = (uint8_t *)marks - (h->base >> 6);
        h->lines = (uint8_t *)lines - (h->base >> LINE_SHIFT);
        h->kind = kind; h->used = used; h->dirty = dirty; h->committed = committed; h->pages = pages;
        h->deferred = (uint8_t *)deferred - (h->base >> 7);
        h->deferred_blocks = deferred_blocks;
#ifdef VITRINE_CARDS
        h->cards = cards;
        heap_cards = h->cards - (h->base >> HEAP_CARD_SHIFT);
#ifdef VITRINE_CHECK
        h->old = (uint8_t *)old - (h->base >> 6);
#endif
#endif
    }
    return offset;
}

uintptr_t heap_low, heap_bytes, heap_units;

static bool reserve(struct heap *h, size_t bytes) {
    bytes = ALIGN_UP(bytes, (size_t)BLOCK_SIZE);
    void *p = os_reserve_below_for(MEMORY_JAVA_HEAP, HEAP_LIMIT, bytes, BLOCK_SIZE);
    if (p == NULL) return false;
    h->base = (uintptr_t)p;
    h->end = h->base + bytes;
    heap_low = h->base;
    heap_bytes = bytes;
    heap_units = bytes >> 3;
    h->blocks = bytes >> BLOCK_SHIFT;
    h->tables_size = heap_tables_layout(h, h->blocks, NULL);
    h->tables = os_reserve(NULL, h->tables_size);
    if (h->tables == NULL || !os_commit(h->tables, h->tables_size)) {
        if (h->tables != NULL) os_release(h->tables, h->tables_size);
        os_release(p, bytes);
        return false;
    }
    heap_tables_layout(h, h->blocks, h->tables);
    return true;
}

/* The largest reservation that works, starting from what the gaps allow: an address-space limit shows only
 * when tried. */
static bool reserve_less(struct heap *h, size_t wanted) {
    size_t gap = os_largest_gap_below(HEAP_LIMIT, BLOCK_SIZE);
    for (size_t size = MIN(wanted, gap); size >= HEAP_SMALLEST; size = size / 4 * 3)
        if (reserve(h, size)) return true;
    return false;
}

static uint32_t random_secret(void) {
    uint32_t secret;
    if (getrandom(&secret, sizeof secret, GRND_NONBLOCK) != (ssize_t)sizeof secret)
        secret = (uint32_t)os_nanotime() * 2654435761u;
    return secret;
}

bool heap_create(const struct heap_config *config, char **error) {
    struct heap *h = mem_alloc_aligned(64, sizeof *h);
    if (h == NULL) { *error = mem_strdup("Could not allocate the heap's control structures"); return false; }
    memset(h, 0, sizeof *h);
    h->config = *config;
    atomic_init(&h->least_free, config->least_free);
    atomic_init(&h->most_free, config->most_free);
    size_t wanted = ALIGN_UP(MAX(config->max_bytes, (size_t)HEAP_SMALLEST), (size_t)BLOCK_SIZE);
    bool ok = wanted < HEAP_LIMIT && reserve(h, wanted);
    if (!ok && !config->max_is_explicit) {
        ok = reserve_less(h, wanted);
        if (ok) log_info(gc_init, "Maximum heap size reduced from %zuK to %zuK: no more address space below 32G",
                         wanted / KIB, (h->end - h->base) / KIB);
    }
    if (!ok) {
        if (wanted >= HEAP_LIMIT)
            *error = mem_printf("Could not reserve enough space for %zuKB object heap: references reach only 32GB",
                                wanted / KIB);
        else
            *error = mem_printf("Could not reserve enough space for %zuKB object heap (the largest gap in the address "
                                "space below 32GB is %zuKB)",
                                wanted / KIB, os_largest_gap_below(HEAP_LIMIT, BLOCK_SIZE) / KIB);
        mem_free(h);
        return false;
    }
    h->max = h->end - h->base;
    h->reserved_blocks = MIN(h->blocks / 32, (size_t)MOST_RESERVED_BLOCKS);
    h->initial = MIN(MAX(ALIGN_UP(config->initial_bytes, (size_t)BLOCK_SIZE), (size_t)HEAP_SMALLEST), h->max);
    if (h->config.workers == 0) h->config.workers = (unsigned)MIN(os_cpu_count(), 4);
    if (h->config.workers > MAX_WORKERS) h->config.workers = MAX_WORKERS;
    if (h->config.mark_chunks == 0) h->config.mark_chunks = SIZE_MAX;
    h->epoch = 1;
    h->min_free_lines = LINES_PER_BLOCK / 16;
    h->free_blocks = h->blocks;
    h->gap_high = h->blocks;
    h->large_cursor = h->blocks * PAGES_PER_BLOCK;
    lock_init(&h->block_lock, "heap blocks", LOCK_RANK_HEAP_BLOCK);
    lock_init(&h->lock, "heap", LOCK_RANK_HEAP);
    lock_init(&h->reference_lock, "pending references", LOCK_RANK_REFERENCE);
    lock_init(&h->tag_lock, "list of tag tables", LOCK_RANK_HEAP);
    h->hash_secret = random_secret();
    h->watched = SIZE_MAX;
    h->sample_interval = DEFAULT_SAMPLE_INTERVAL;
    h->last_gc_millis = os_wall_millis();
    if (!workers_create(h)) {
        *error = mem_strdup("Could not prepare the marking threads");
        os_release(h->tables, h->tables_size);
        os_release((void *)h->base, h->max);
        mem_free(h);
        return false;
    }
    heap_start_bits = h->starts;
    collect_set_budget(h);
    vm->heap = h;
    log_info(gc, "Using MarkRegion");
    log_info(gc_init,
             "Heap address: 0x%016" PRIxPTR ", size: %zu MB, Compressed Oops mode: Zero based, Oop shift amount: 3",
             h->base, h->max / MIB);
    log_info(gc_init, "Heap Initial Capacity: %zuM", h->initial / MIB);
    log_info(gc_init, "Heap Max Capacity: %zuM", h->max / MIB);
    log_info(gc_init, "Parallel Workers: %u", h->config.workers);
    return true;
}

void heap_destroy(bool objects_in_use) {
    struct heap *h = vm->heap;
    if (h == NULL) return;
    workers_destroy(h);
    vm->heap = NULL;
    heap_start_bits = NULL;
    os_release(h->tables, h->tables_size);
    if (!objects_in_use) os_release((void *)h->base, h->max);
    mem_free(h);
}

/* ---- hooks of the rooms above ------------------------------------------------------------------------------------ */

void heap_set_reference_layout(const struct heap_reference_layout *layout) {
    vm->heap->layout = *layout;
    vm->heap->layout_known = true;
    /* References made before the first collection carry this time, not the beginning of all time. */
    if (layout->soft_clock != NULL) *layout->soft_clock = os_nanotime() / 1000000;
}

/* A collector that waits for its turn gets it even where threads disable collections all the time: newcomers let it go
 * first, but not for long, since the thread it waits for may in turn wait for one of them. */
static void let_collector_go_first(struct heap *h, struct os_thread *self) {
    if (LIKELY(atomic_load(&h->waiting) == 0) || safepoint_active() || atomic_load(&self->state) != THREAD_IN_VM)
        return;
    REQUIRES(MAY_STOP);
    thread_block_begin(self);
    lock_acquire(&h->lock);
    if (atomic_load(&h->waiting) != 0) (void)cond_wait(&h->enabled, &h->lock, 10 * INT64_C(1000000));
    lock_release(&h->lock);
    thread_block_end(self);
}

void heap_disable_gc(struct os_thread *self) {
    REQUIRES(IN_VM | NO_PENDING);
    if (self->gc_disabled != 0) {
        self->gc_disabled++;
        return;
    }
    let_collector_go_first(vm->heap, self);
    self->gc_disabled = 1;
    atomic_fetch_add(&vm->heap->disabled, 1);
}

void heap_hold_gc(void) { atomic_fetch_add(&vm->heap->disabled, 1); }

void heap_enable_gc(struct os_thread *self) {
    REQUIRES(IN_VM | NO_PENDING);
    vm_assert(self->gc_disabled > 0, "heap_enable_gc without heap_disable_gc");
    if (--self->gc_disabled == 0) heap_release_gc();
}

void heap_release_gc(void) {
    struct heap *h = vm->heap;
    if (atomic_fetch_sub(&h->disabled, 1) != 1) return;
    lock_acquire(&h->lock);
    cond_notify_all(&h->enabled);
    lock_release(&h->lock);
}

/* ---- figures ----------------------------------------------------------------------------------------------------- */

void heap_stats(struct heap_stats *out) {
    struct heap *h = vm->heap;
    size_t used = h->occupied + atomic_load(&h->since_collection);
    *out = (struct heap_stats){
        .used = MIN(used, h->max), .committed = MAX(h->capacity, MIN(used, h->max)), .max = h->max,
        .initial = h->initial,
        .collections = atomic_load(&h->collections), .collection_nanos = h->collection_nanos,
        .allocated_total = atomic_load(&h->handed_out), .last_gc_millis = h->last_gc_millis,
        .used_after_collection = h->occupied,
    };
}

bool heap_last_collection(struct heap_collection *out) {
    *out = vm->heap->last;
    return out->cause != NULL;
}

void heap_watch_usage(size_t bytes) { atomic_store(&vm->heap->watched, bytes); }

void heap_bounds(uintptr_t *low, uintptr_t *high) {
    *low = vm->heap->base;
    *high = vm->heap->end;
}

/* Memory lies at both ends: large objects come from above. */
static uintptr_t committed_end(const struct heap *h) {
    size_t piece = (h->blocks + COMMIT_BLOCKS - 1) / COMMIT_BLOCKS;
    while (piece > 0 && !h->committed[piece - 1]) piece--;
    return MIN(h->base + piece * COMMIT_BLOCKS * BLOCK_SIZE, h->end);
}

void heap_describe_as(char *out, size_t size, const char *before, size_t used, size_t capacity) {
    const struct heap *h = vm->heap;
    bool is_17 = vm->library == LIBRARY_17;
    char bounds[3 * 20];
    snprintf(bounds, sizeof bounds, "0x%016" PRIxPTR ", 0x%016" PRIxPTR ", 0x%016" PRIxPTR, h->base, committed_end(h),
             h->end);
    snprintf(out, size, "%s%-*s total %zuK, used %zuK [%s)\n%s %s %zuK, %3d%% used [%s)\n", before, is_17 ? 20 : 10,
             "mark-region heap", capacity / KIB, used / KIB, bounds, before, is_17 ? "the space" : "the  space",
             capacity / KIB, capacity != 0 ? (int)((double)used * 100 / (double)capacity) : 0, bounds);
}

void heap_describe(char *out, size_t size, const char *before) {
    struct heap_stats s;
    heap_stats(&s);
    heap_describe_as(out, size, before, s.used, s.committed);
}

int64_t heap_thread_allocated(const struct java_thread *t) {
    const struct tlab *b = thread_tlab(t);
    return b ? (int64_t)(b->allocated_before + (b->top - b->start)) : -1;
}

/* The address is all there is to hash; the multiplications spread neighbours over the whole range. */
int32_t heap_identity_hash(const struct object *o) {
    uint32_t x = ref_encode(o) ^ vm->heap->hash_secret;
    x ^= x >> 16; x *= HASH_FACTOR_1;
    x ^= x >> 15; x *= HASH_FACTOR_2;
    x ^= x >> 16;
    x &= 0x7fffffffu;
    return x != 0 ? (int32_t)x : 1;
}

uint32_t heap_hash_secret(void) { return vm->heap->hash_secret; }
