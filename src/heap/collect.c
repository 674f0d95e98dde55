/* collect.c — a collection from the stop to the restart: marking, References, weak tables, sweeping, giving memory
 * back. */
#include "heap/heap_internal.h"

#include "base/alloc.h"
#include "base/events.h"
#include "base/log.h"
#include "base/os.h"
#include "base/perf_data.h"
#include "thread/identity.h"

enum { SWEEP_SLICE = 256 };                       /* blocks that a sweeping thread takes at a time */

/* ---- when -------------------------------------------------------------------------------------------------------- */

/* What is free where `bytes` are in use and `percent` of all is free. */
static size_t free_beside(size_t bytes, uint32_t percent) {
    size_t share = MIN(percent, 99u);
    return bytes * share / (100 - share);
}

/* How much may be allocated until the next collection, never more than there is. Collecting may take 1 / (1 +
 * GCTimeRatio) of the processor time, where each thread that marks counts; whatever that says, least_free to most_free
 * per cent of the heap are free, counted by what lives and not by the lines that this occupies. Small heaps (-Xms)
 * start with little, but never so little that starting up collects all the time. */
void collect_set_budget(struct heap *h) {
    size_t least = MIN(MIN(MAX(h->initial / 2, 8 * MIB), 24 * MIB), MAX(h->max / 4, (size_t)MIB));
    size_t unused_initial = h->initial > h->occupied ? (h->initial - h->occupied) / 4 : 0;
    size_t free_bytes = h->max - MIN(h->occupied, h->max);
    double wanted = h->allocation_rate * (double)h->last.nanos * h->active_workers * h->config.time_ratio;
    size_t least_free = free_beside(h->live, atomic_load_explicit(&h->least_free, memory_order_relaxed));
    size_t most_free = free_beside(h->live, atomic_load_explicit(&h->most_free, memory_order_relaxed));
    size_t affordable = wanted < (double)most_free ? MAX((size_t)wanted, least_free) : most_free;
    h->budget = MIN(MAX(MAX(MAX(affordable, h->occupied / 4), least), unused_initial), free_bytes);
    h->capacity = MIN(ALIGN_UP(MAX(h->occupied + h->budget, h->initial), (size_t)MIB), h->max);
}

void heap_set_free(uint32_t least, uint32_t most) {
    atomic_store_explicit(&vm->heap->least_free, least, memory_order_relaxed);
    atomic_store_explicit(&vm->heap->most_free, most, memory_order_relaxed);
}

/* How much of the budget will come from free blocks: what holes have no room for, and what has not fitted into holes
 * since the collection before, of which `share` is the part. */
static size_t wanted_from_blocks(const struct heap *h, double share) {
    size_t without_holes = h->budget - MIN(h->holes, h->budget);
    return MAX(without_holes, (size_t)((double)h->budget * MIN(share, 1.0)));
}

/* ---- sweeping ---------------------------------------------------------------------------------------------------- */

static unsigned live_lines(const struct heap *h, size_t b) {
    const uint8_t *line = &h->lines[block_address(h, b) >> LINE_SHIFT];
    uint8_t epoch = h->epoch;
    unsigned live = 0;
    for (unsigned i = 0; i < LINES_PER_BLOCK; i++) live += line[i] == epoch;
    return live;
}

/* CHECK builds overwrite what died, so that a use of it shows. */
static void poison_free_lines(const struct heap *h, size_t b) {
#ifdef VITRINE_CHECK
    uintptr_t first = block_address(h, b) >> LINE_SHIFT;
    for (uintptr_t line = first; line < first + LINES_PER_BLOCK; line++)
        if (h->lines[line] != h->epoch) memset((void *)(line << LINE_SHIFT), 0xdb, LINE_SIZE);
#else
    (void)h, (void)b;
#endif
}

/* Looks at the blocks of small objects: which are free, which have lines to offer. The old start bits go: the marks
 * replace them. */
static void sweep_task(struct heap *h, unsigned index) {
    struct marker *m = &h->markers[index];
    m->live_bytes = m->hole_bytes = 0;
    for (;;) {
        size_t from = atomic_fetch_add(&h->pool.cursor, SWEEP_SLICE), to = MIN(from + SWEEP_SLICE, h->gap_low);
        if (from >= to) return;
        for (size_t b = from; b < to; b++) {
            if (h->kind[b] == BLOCK_FREE || h->kind[b] == BLOCK_LARGE) continue;
            memset(&h->starts[block_address(h, b) >> 6], 0, BIT_BYTES_PER_BLOCK);
            unsigned live = live_lines(h, b);
            poison_free_lines(h, b);
            m->live_bytes += (size_t)live << LINE_SHIFT;
            if (live == 0) { h->kind[b] = BLOCK_FREE; h->used[b] = 0; }
            else if (live == LINES_PER_BLOCK || block_address(h, b) == h->reserve.block) h->kind[b] = BLOCK_SMALL;
            else if (LINES_PER_BLOCK - live < h->min_free_lines) h->kind[b] = BLOCK_FRAGMENTED;
            else {
                h->kind[b] = BLOCK_RECYCLABLE;
                m->hole_bytes += (size_t)(LINES_PER_BLOCK - live) << LINE_SHIFT;
            }
        }
    }
}

static void free_pages(struct heap *h, size_t page, size_t count) {
    h->pages[page] = 0;
    for (size_t i = page; i < page + count; i++)
        h->used[i / PAGES_PER_BLOCK] &= (uint8_t) ~(1u << (i % PAGES_PER_BLOCK));
}

/* Frees the pages of dead large objects; the bytes on the others. Pages of an object in the making have no head and
 * stay. */
static size_t sweep_large(struct heap *h) {
    size_t bytes = 0;
    for (size_t b = skip_gap(h, 0); b < h->blocks; b = skip_gap(h, b + 1)) {
        if (h->kind[b] != BLOCK_LARGE) continue;
        for (size_t page = b * PAGES_PER_BLOCK; page < (b + 1) * PAGES_PER_BLOCK; page++) {
            uint32_t entry = h->pages[page];
            if (!(entry & PAGE_HEAD) || !(h->used[b] >> (page % PAGES_PER_BLOCK) & 1)) continue;
            uintptr_t address = h->base + (page << HEAP_PAGE_SHIFT);
            h->starts[address >> 6] = 0;
            if (!bits_test(h->marks, address)) free_pages(h, page, entry & ~PAGE_HEAD);
        }
    }
    for (size_t b = skip_gap(h, 0); b < h->blocks; b = skip_gap(h, b + 1)) {
        if (h->kind[b] != BLOCK_LARGE) continue;
        if (h->used[b] == 0) h->kind[b] = BLOCK_FREE;
        bytes += (size_t)__builtin_popcount(h->used[b]) << HEAP_PAGE_SHIFT;
    }
    return bytes;
}

/* Marks become the starts of all known objects. */
static void sweep(struct heap *h) {
    atomic_store(&h->pool.cursor, 0);
    workers_run(h, sweep_task);
    size_t occupied = sweep_large(h);
    h->holes = 0;
    for (unsigned i = 0; i < h->active_workers; i++) {
        occupied += h->markers[i].live_bytes;
        h->holes += h->markers[i].hole_bytes;
    }
    h->occupied = occupied;
    uint8_t *old = h->starts;
    h->starts = h->marks;
    h->marks = old;
    heap_start_bits = h->starts;
    h->free_blocks = h->gap_high > h->gap_low ? h->gap_high - h->gap_low : 0;
    for (size_t b = skip_gap(h, 0); b < h->blocks; b = skip_gap(h, b + 1)) h->free_blocks += h->kind[b] == BLOCK_FREE;
    uintptr_t reserve = h->reserve.block;
    if (reserve != 0 && h->kind[block_of(h, reserve)] == BLOCK_FREE) reserve = 0;
    h->reserve = (struct reserve){reserve, reserve, reserve};
    h->free_cursor = h->recycle_cursor = 0;
    memset(h->hole_cursors, 0, sizeof h->hole_cursors);
    h->large_cursor = h->blocks * PAGES_PER_BLOCK;
}

/* Single free pages of a large block: few, so they go whenever something goes. */
static void give_back_pages(struct heap *h, size_t b) {
    uint8_t loose = (uint8_t)(h->dirty[b] & ~h->used[b]);
    if (loose == 0 || os_page_size() != HEAP_PAGE) return;
    for (unsigned i = 0; i < PAGES_PER_BLOCK; i++)
        if (loose >> i & 1) os_discard((char *)block_address(h, b) + (size_t)i * HEAP_PAGE, HEAP_PAGE);
    h->dirty[b] &= (uint8_t)~loose;
}

/* The longest run of free and clean blocks becomes the gap; usually it is the one there was, with a little more on both
 * sides. */
static void find_gap(struct heap *h) {
    if (h->gap_low < h->gap_high) {
        while (h->gap_low > 0 && h->kind[h->gap_low - 1] == BLOCK_FREE && h->dirty[h->gap_low - 1] == 0) h->gap_low--;
        while (h->gap_high < h->blocks && h->kind[h->gap_high] == BLOCK_FREE && h->dirty[h->gap_high] == 0)
            h->gap_high++;
        return;
    }
    /* Small blocks must lie below it, and large ones above: it begins behind the last small one. */
    size_t low = h->blocks;
    while (low > 0 && (h->kind[low - 1] == BLOCK_LARGE || (h->kind[low - 1] == BLOCK_FREE && h->dirty[low - 1] == 0)))
        low--;
    while (low < h->blocks && h->kind[low] == BLOCK_LARGE) low++;
    size_t high = low;
    while (high < h->blocks && h->kind[high] == BLOCK_FREE && h->dirty[high] == 0) high++;
    h->gap_low = low;
    h->gap_high = high;
}

/* Gives free blocks back to the system, highest first, except `keep` bytes that will be wanted again soon. */
static void give_back(struct heap *h, size_t keep) {
    size_t dirty = 0;
    for (size_t b = skip_gap(h, 0); b < h->blocks; b = skip_gap(h, b + 1))
        if (h->kind[b] == BLOCK_FREE && h->dirty[b] != 0) dirty += BLOCK_SIZE;
    for (size_t b = h->blocks; b > 0 && dirty > keep;) {
        if (b == h->gap_high && h->gap_low < b) b = h->gap_low;
        size_t high = b;
        while (b > 0 && h->kind[b - 1] == BLOCK_FREE && h->dirty[b - 1] != 0 && dirty > keep) {
            dirty -= BLOCK_SIZE;
            h->dirty[--b] = 0;
        }
        if (b < high) os_discard((void *)block_address(h, b), (high - b) << BLOCK_SHIFT);
        else if (b > 0 && h->kind[--b] == BLOCK_LARGE) give_back_pages(h, b);
    }
    find_gap(h);
}

/* ---- a collection ------------------------------------------------------------------------------------------------ */

static size_t largest_free_run(const struct heap *h) {
    size_t best = 0, run = 0;
    for (size_t b = 0; b < h->blocks; b++) {
        if (b == h->gap_low && b < h->gap_high) { run += h->gap_high - b; b = h->gap_high - 1; }
        else run = h->kind[b] == BLOCK_FREE ? run + 1 : 0;
        if (run > best) best = run;
    }
    return best << BLOCK_SHIFT;
}

static void reset_threads(struct heap *h, struct os_thread *self) {
    for (struct os_thread *t = carriers_first(); t != NULL; t = t->next) allocate_reset_thread(h, t);
    if (self != NULL) allocate_reset_thread(h, self);     /* not on the list while the VM starts */
    h->spare_low = h->spare_high = 0;
}

static void report(struct heap *h, uint64_t number, const char *cause, size_t before, int64_t nanos) {
    log_info(gc, "GC(%" PRIu64 ") Pause Full (%s) %zuM->%zuM(%zuM) %.3fms", number, cause, before / MIB,
             h->occupied / MIB, h->capacity / MIB, (double)nanos / 1e6);
    if (!log_enabled(LOG_gc, LOG_INFO)) return;
    size_t waste = h->occupied - MIN(h->live, h->occupied);
    log_info(gc, "GC(%" PRIu64 ") Fragmentation: %.1f%% (%zuK live on %zuK, %zuK in holes), free blocks %zuM, "
             "largest free run %zuM",
             number, h->occupied != 0 ? 100.0 * (double)waste / (double)h->occupied : 0.0, h->live / KIB,
             h->occupied / KIB, h->holes / KIB, (h->free_blocks << BLOCK_SHIFT) / MIB, largest_free_run(h) / MIB);
}

/* CHECK builds always look. */
static void verify(bool wanted, const char *when) {
#ifdef VITRINE_CHECK
    wanted = true;
#endif
    if (wanted && heap_verify(when) != 0) fatal("the heap is damaged (%s)", when);
}

/* Not in the heap's record: a signal handler asks, and may run when that is gone. */
bool heap_is_collecting(void) {
    struct heap *h = vm != NULL ? vm->heap : NULL;
    return h != NULL && atomic_load_explicit(&h->collecting, memory_order_relaxed);
}

/* As the two libraries' HotSpots say it. */
static void note_collection(const struct heap *h, uint64_t number, const char *when, const char *capital,
                            size_t used) {
    bool is_17 = vm->library == LIBRARY_17;
    char head[64];
    snprintf(head, sizeof head, "%s GC invocations=%" PRIu64 " (full %" PRIu64 "):", is_17 ? when : capital, number,
             number);
    char heap[HEAP_DESCRIPTION];
    heap_describe_as(heap, sizeof heap, " ", used, h->capacity);
    size_t metadata = arena_total() / KIB;
    if (is_17)
        event_note(EVENT_HEAP, NULL,
                   "GC heap %s\n{Heap %s\n%s Metaspace       used %zuK, committed %zuK, reserved %zuK\n}", when, head,
                   heap, metadata, metadata, metadata);
    else
        event_note(EVENT_HEAP, NULL, "{heap %s\n%s}", head, heap);
    if (!is_17)
        event_note(EVENT_METASPACE, NULL, "{metaspace %s\n Metaspace       used %zuK, committed %zuK, reserved %zuK\n}",
                   head, metadata, metadata, metadata);
}

/* The world is stopped. */
static void collect_stopped(struct heap *h, struct os_thread *self, const char *cause, bool explicit_cause,
                            bool clear_softs) {
    uint64_t number = atomic_load(&h->collections);
    int64_t began = os_nanotime();
    size_t before = MIN(h->occupied + atomic_load(&h->since_collection), h->max),
           capacity_before = MAX(h->capacity, before);
    size_t metadata_before = arena_total();
    note_collection(h, number, "before", "Before", before);
    log_info(gc_start, "GC(%" PRIu64 ") Pause Full (%s)", number, cause);
    perf_set_text(PERF_GC_CAUSE, cause);
    probe_gc_start(current_thread());
    atomic_store(&h->collecting, true);
    reset_threads(h, self);
    verify(h->config.verify_before, "before collection");
    cards_verify(h);

    h->marking = true;
    mark_prepare(h, clear_softs);
    struct marker *m = &h->markers[0];
    heap_hooks.visit_roots(&m->visitor);
    heap_visit(&m->visitor, h->pending);
    mark_drain(h);
    int64_t marked = os_nanotime();
    references_process(h);
    int64_t processed = os_nanotime();
    heap_hooks.clear_weak(mark_is_live);
    tags_drop_dead(h);
    probe_gc_marked(self);
    heap_hooks.unload();
    h->marking = false;
    h->live = 0;
    for (unsigned i = 0; i < h->active_workers; i++) h->live += h->markers[i].live_bytes;
    int64_t cleared = os_nanotime();
    cards_renew(h);
    sweep(h);
    int64_t running = began - h->last.ended;
    h->allocation_rate = running > 0 ? (double)atomic_load(&h->since_collection) / (double)running : 0;
    double share = (double)h->from_blocks / (double)MAX(atomic_load(&h->since_collection), (size_t)1);
    atomic_store(&h->since_collection, 0);
    h->from_blocks = 0;
    h->last.nanos = os_nanotime() - began;
    collect_set_budget(h);
    size_t wanted_blocks = wanted_from_blocks(h, share);
    give_back(h, explicit_cause ? 0 : wanted_blocks);

    verify(h->config.verify_after, "after collection");
    h->last_gc_millis = os_wall_millis();
    int64_t ended = os_nanotime();
    h->collection_nanos += (uint64_t)(ended - began);
    h->last = (struct heap_collection){number,          cause,       before,          h->occupied,
                                       capacity_before, h->capacity, metadata_before, arena_total(),
                                       began,           ended,       ended - began,   h->active_workers};
    atomic_fetch_add(&h->collections, 1);
    note_collection(h, number + 1, "after", "After", h->occupied);
    if (clear_softs) h->softs_cleared_at = number + 1;
    log_debug(gc_phases, "GC(%" PRIu64 ") Mark %.3fms, References %.3fms, Weak %.3fms, Sweep %.3fms; %u workers",
              number, (double)(marked - began) / 1e6, (double)(processed - marked) / 1e6,
              (double)(cleared - processed) / 1e6, (double)(ended - cleared) / 1e6, h->active_workers);
    if (h->markers[0].deferred != 0)
        log_debug(gc_phases, "GC(%" PRIu64 ") Mark stack full: %zu objects deferred, %zu looks at blocks", number,
                  h->markers[0].deferred, h->markers[0].deferred_looks);
    report(h, number, cause, before, ended - began);
    atomic_store(&h->collecting, false);
    heap_hooks.collected(&h->last);
    probe_gc_finish(current_thread());
}

void heap_wake_waiters(void) {
    struct heap *h = vm->heap;
    if (h == NULL) return;
    lock_acquire(&h->lock);
    atomic_store(&h->disabled, 0);       /* those who disabled it have ended */
    h->announcer = NULL;
    cond_notify_all(&h->enabled);
    lock_release(&h->lock);
}

/* Until nobody is inside heap_disable_gc. */
static void wait_enabled(struct heap *h, struct os_thread *self) {
    if (self != NULL) thread_block_begin(self);
    atomic_fetch_add(&h->waiting, 1);
    lock_acquire(&h->lock);
    while (atomic_load(&h->disabled) != 0) (void)cond_wait(&h->enabled, &h->lock, COND_FOREVER);
    lock_release(&h->lock);
    atomic_fetch_sub(&h->waiting, 1);
    if (self != NULL) thread_block_end(self);
}

/* A collection that began after the caller decided serves as well. */
static bool is_served(struct heap *h, bool clear_softs, uint64_t seen) {
    return atomic_load(&h->collections) != seen && !(clear_softs && h->softs_cleared_at <= seen);
}

/* Becomes the one that announces; not while another one has announced and not concluded. */
static void announcer_begin(struct heap *h, struct os_thread *self) {
    thread_block_begin(self);
    lock_acquire(&h->lock);
    while (h->announcer != NULL) (void)cond_wait(&h->enabled, &h->lock, COND_FOREVER);
    h->announcer = self;
    lock_release(&h->lock);
    thread_block_end(self);
}

static void announcer_end(struct heap *h) {
    lock_acquire(&h->lock);
    h->announcer = NULL;
    cond_notify_all(&h->enabled);
    lock_release(&h->lock);
}

static bool announce(struct heap *h, struct os_thread *self, bool clear_softs, uint64_t seen) {
    if (self == NULL || !probe_wanted_by_world(PROBE_gc_announce)) return false;
    announcer_begin(h, self);
    if (!is_served(h, clear_softs, seen) && probe_wanted_by_world(PROBE_gc_announce)) {
        probe_fire_gc_announce(self);
        return true;
    }
    announcer_end(h);
    return false;
}

/* `stack_end`: the caller's stack pointer. What the collector itself leaves on the stack below it is never scanned: an
 * address that verification or an earlier collection left in a frame of ours would keep its object alive through every
 * collection asked for from the same place. */
static NOINLINE void request(struct os_thread *self, const char *cause, bool explicit_cause, bool clear_softs,
                             uint64_t seen, uintptr_t stack_end) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct heap *h = vm->heap;
    /* Before the rooms above can say where the roots are, nothing may be thought dead. */
    if ((self != NULL && (self->gc_disabled != 0 || h->announcer == self)) || !h->layout_known) return;
    bool announced;
    for (;;) {
        if (atomic_load(&h->disabled) != 0) wait_enabled(h, self);
        announced = announce(h, self, clear_softs, seen);
        if (atomic_load(&h->disabled) == 0) {
            safepoint_begin(self, cause);
            if (atomic_load(&h->disabled) == 0) break;
            safepoint_end(self);
        }
        /* What was taken for the collection may be what those wait for who have disabled it. */
        if (!announced) continue;
        probe_fire_gc_conclude(self);    /* who has been notified of the beginning is notified of the end */
        announcer_end(h);
    }
    if (self != NULL && self->segment != NULL) self->segment->exit = stack_end;
    if (!is_served(h, clear_softs, seen)) collect_stopped(h, self, cause, explicit_cause, clear_softs);
    if (announced) probe_fire_gc_conclude(self);
    if (self != NULL && self->segment != NULL) self->segment->exit = 0;
    safepoint_end(self);
    if (announced) announcer_end(h);
    if (heap_has_pending_references()) heap_hooks.references_pending();
}

/* Spilled here, a caller's registers lie in this frame, where the stack scan begins. */
NOINLINE void collect_request(struct os_thread *self, const char *cause, bool clear_softs, uint64_t seen) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    __builtin_unwind_init();
    request(self, cause, false, clear_softs, seen, thread_stack_pointer());
    thread_keep_frame();
}

void heap_collect_here(struct os_thread *self, const char *cause, bool clear_softs) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    collect_request(self, cause, clear_softs, atomic_load(&vm->heap->collections));
    thread_keep_frame();
}

void heap_collect(struct os_thread *self, const char *cause, bool clear_softs) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    uintptr_t nothing = self != NULL && self->segment != NULL ? self->segment->base : 0;
    request(self, cause, true, clear_softs, atomic_load(&vm->heap->collections), nothing);
}
