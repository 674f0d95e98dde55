/* allocate.c — allocation: thread buffers in free lines, blocks, pages for large objects, and what happens when memory
 * is short. */
#include "heap/heap_internal.h"

#include "base/log.h"
#include "base/os.h"
#include "base/perf_data.h"

/* Larger arrays than this give the second message of OutOfMemoryError, as in HotSpot. */
#define ARRAY_LENGTH_MAX (INT32_MAX - 2)

/* ---- memory behind blocks ---------------------------------------------------------------------------------------- */

/* Makes the pieces that hold [from, to) accessible. Block lock held. False: the system refuses. */
static bool commit_range(struct heap *h, size_t from, size_t to) {
    for (size_t piece = from / COMMIT_BLOCKS; piece <= (to - 1) / COMMIT_BLOCKS; piece++) {
        if (h->committed[piece]) continue;
        size_t first = piece * COMMIT_BLOCKS, last = MIN(first + COMMIT_BLOCKS, h->blocks);
        if (!os_commit((void *)block_address(h, first), (last - first) << BLOCK_SHIFT)) return false;
        h->committed[piece] = 1;
    }
    return true;
}

static NOINLINE void watched_reached(struct heap *h) {
    if (atomic_exchange(&h->watched, SIZE_MAX) != SIZE_MAX) heap_hooks.usage_reached();
}

/* Memory that threads have got, until a collection takes it into account. No locks held. */
static void count_handed_out(struct heap *h, size_t bytes) {
    size_t since = atomic_fetch_add_explicit(&h->since_collection, bytes, memory_order_relaxed) + bytes;
    atomic_fetch_add_explicit(&h->handed_out, bytes, memory_order_relaxed);
    perf_set(PERF_SPACE_USED, (int64_t)(h->occupied + since));
    if (UNLIKELY(h->occupied + since >= atomic_load_explicit(&h->watched, memory_order_relaxed))) watched_reached(h);
}

static bool over_budget(struct heap *h, size_t bytes) {
    return atomic_load_explicit(&h->since_collection, memory_order_relaxed) + bytes > h->budget;
}

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

static size_t lines_of(size_t size) { return (size + LINE_SIZE - 1) >> LINE_SHIFT; }

/* The first line from `line` on that is free, or the first that is not; `end`: none is. Blocks begin and end where
 * eight lines do. */
static uintptr_t next_line(const struct heap *h, uintptr_t line, uintptr_t end, bool free) {
    const uint64_t each = 0x0101010101010101, live = h->epoch * each;
    uint64_t before = (UINT64_C(1) << (line % 8 * 8)) - 1;              /* the lines below it, of the first eight */
    for (line &= ~(uintptr_t)7; line < end; line += 8, before = 0) {
        uint64_t eight;
        memcpy(&eight, &h->lines[line], sizeof eight);
        eight ^= live;                   /* bytes of live lines are zero now                                    */
        /* the lowest bit of these is in the first such byte: no byte below it has borrowed from another */
        uint64_t found = free ? eight & ~before : ((eight | before) - each) & ~(eight | before) & each << 7;
        if (found != 0) return line + (uintptr_t)__builtin_ctzll(found) / 8;
    }
    return end;
}

/* The first run of at least `wanted` free lines in [from, to); false when there is none. `to` is a block's end. */
static bool find_hole(const struct heap *h, uintptr_t from, uintptr_t to, size_t wanted, uintptr_t *out_low,
                      uintptr_t *out_high) {
    uintptr_t end = to >> LINE_SHIFT;
    for (uintptr_t line = from >> LINE_SHIFT, low; (low = next_line(h, line, end, true)) < end;) {
        line = next_line(h, low, end, false);
        if (line - low < wanted) continue;
        *out_low = low << LINE_SHIFT;
        *out_high = line << LINE_SHIFT;
        return true;
    }
    return false;
}

/* Lowest free block, now small, if `keep` are left; its address, *out_clean when it reads as zero. 0: none. Block lock
 * held. */
static uintptr_t take_free_block(struct heap *h, size_t keep, bool *out_clean) {
    if (h->free_blocks <= keep) return 0;
    for (size_t b = h->free_cursor; b < h->blocks; b++) {
        if (h->kind[b] != BLOCK_FREE) continue;
        h->free_cursor = b;
        if (!commit_range(h, b, b + 1)) return 0;
        h->free_cursor = b + 1;
        h->free_blocks--;
        h->from_blocks += BLOCK_SIZE;
        h->kind[b] = BLOCK_SMALL;
        h->used[b] = 0xff;
        *out_clean = h->dirty[b] == 0;
        h->dirty[b] = 0xff;
        if (b >= h->gap_low) h->gap_low = b + 1;
        return block_address(h, b);
    }
    h->free_cursor = h->blocks;
    return 0;
}

/* A block with free lines, one hole of which has at least `lines`; 0: none. Block lock held. */
static uintptr_t take_recyclable_block(struct heap *h, size_t lines) {
    for (size_t b = h->recycle_cursor; b < h->gap_low; b++) {
        if (h->kind[b] != BLOCK_RECYCLABLE) continue;
        uintptr_t at = block_address(h, b), low, high;
        if (lines > 1 && !find_hole(h, at, at + BLOCK_SIZE, lines, &low, &high)) continue;
        h->kind[b] = BLOCK_SMALL;
        if (lines == 1) h->recycle_cursor = b + 1;
        return at;
    }
    if (lines == 1) h->recycle_cursor = h->gap_low;
    return 0;
}

/* A hole of at least `lines` in a recyclable block, taken out of it; the rest of the block stays on offer. Block lock
 * held. */
static bool take_hole(struct heap *h, size_t lines, uintptr_t *out_low, uintptr_t *out_high) {
    uintptr_t at = take_recyclable_block(h, lines);
    if (at == 0) return false;
    (void)find_hole(h, at, at + BLOCK_SIZE, lines, out_low, out_high);
    memset(&h->lines[*out_low >> LINE_SHIFT], h->epoch, (*out_high - *out_low) >> LINE_SHIFT);
    size_t b = block_of(h, at);
    h->kind[b] = BLOCK_RECYCLABLE;
    if (b < h->recycle_cursor) h->recycle_cursor = b;
    return true;
}

/* Which holes medium objects of that size share: those of at least hole_sizes[k] bytes; HOLE_KINDS: none. If they went
 * into free blocks as long as there are any, the few that live among them would take ever more blocks. */
static const size_t hole_sizes[HOLE_KINDS] = {512, 4096, 8192, LARGE_SIZE};
static int hole_kind(size_t size) {
    int k = 0;
    while (k < HOLE_KINDS && size > hole_sizes[k]) k++;
    return k;
}

/* The next such hole, taken out of its block: every block is looked through once for each kind between two collections.
 * Block lock held. */
static bool take_medium_hole(struct heap *h, int kind, uintptr_t *out_low, uintptr_t *out_high) {
    if (kind == HOLE_KINDS) return false;
    for (size_t b = h->hole_cursors[kind]; b < h->gap_low; h->hole_cursors[kind] = ++b) {
        uintptr_t at = block_address(h, b);
        if (h->kind[b] != BLOCK_RECYCLABLE ||
            !find_hole(h, at, at + BLOCK_SIZE, hole_sizes[kind] >> LINE_SHIFT, out_low, out_high))
            continue;
        memset(&h->lines[*out_low >> LINE_SHIFT], h->epoch, (*out_high - *out_low) >> LINE_SHIFT);
        return true;
    }
    return false;
}

/* Puts the free rest [from, block end) of a thread's own block on offer; the lines below count as live until the next
 * marking. */
static void return_rest(struct heap *h, uintptr_t from, uintptr_t block_end) {
    uintptr_t first_free = ALIGN_UP(from, (uintptr_t)LINE_SIZE), start = block_end - BLOCK_SIZE;
    if ((block_end - first_free) >> LINE_SHIFT < h->min_free_lines) return;
    lock_acquire(&h->block_lock);
    memset(&h->lines[start >> LINE_SHIFT], h->epoch, (first_free - start) >> LINE_SHIFT);
    size_t b = block_of(h, start);
    h->kind[b] = BLOCK_RECYCLABLE;
    if (b < h->recycle_cursor) h->recycle_cursor = b;
    lock_release(&h->block_lock);
}

void allocate_sweep_all(struct heap *h) {
    lock_acquire(&h->block_lock);
    for (size_t b = 0; b < h->gap_low; b++)
        if (h->kind[b] == BLOCK_FRAGMENTED) h->kind[b] = BLOCK_RECYCLABLE;
    h->recycle_cursor = 0;
    h->free_cursor = 0;
    h->large_cursor = h->blocks * PAGES_PER_BLOCK;
    lock_release(&h->block_lock);
}

/* ---- thread buffers ---------------------------------------------------------------------------------------------- */

/* Sets the buffer to [low, high). */
static void set_buffer(struct heap *h, struct tlab *t, uintptr_t low, uintptr_t high) {
    t->start = t->top = low;
    t->limit = high;
    t->end = h->config.stress_every != 0 ? low : h->sampling ? heap_sample_end(t) : high;
}

/* Holes, and what has been left of buffers, are counted a block at a time. */
static void count_holes(struct heap *h, struct tlab *t) {
    if (t->uncounted != 0) count_handed_out(h, t->uncounted);
    if (t->left_over != 0) atomic_fetch_sub_explicit(&h->handed_out, t->left_over, memory_order_relaxed);
    t->uncounted = t->left_over = 0;
}

static void retire_buffer(struct tlab *t) {
    t->allocated_before += t->top - t->start;
    t->left_over += t->limit - t->top;
    t->start = t->top = t->end = t->limit = 0;
}

void allocate_reset_thread(struct heap *h, struct os_thread *t) {
    REQUIRES(STOPPED);
    struct tlab *b = &t->tlab;
    retire_buffer(b);
    count_holes(h, b);
    b->block_next = b->block_end = 0;
    atomic_fetch_sub_explicit(&h->handed_out, b->overflow_end - b->overflow_top, memory_order_relaxed);
    b->overflow_top = b->overflow_end = 0;
    b->overflow_whole = false;
}

void heap_thread_ends(struct os_thread *thread) {
    struct heap *h = vm->heap;
    if (h == NULL) return;
    struct tlab *t = &thread->tlab;
    uintptr_t low = t->top, high = t->limit;
    retire_buffer(t);
    count_holes(h, t);
    lock_acquire(&h->block_lock);
    if (high - low > h->spare_high - h->spare_low) {
        h->spare_low = low;
        h->spare_high = high;
    }
    lock_release(&h->block_lock);
}

/* A thread that lives shortly begins with what the one before it has left, and need not clear a block of its own. */
static bool take_spare(struct heap *h, struct tlab *t) {
    lock_acquire(&h->block_lock);
    uintptr_t low = h->spare_low, high = h->spare_high;
    h->spare_low = h->spare_high = 0;
    lock_release(&h->block_lock);
    if (low == high) return false;
    count_handed_out(h, high - low);
    set_buffer(h, t, low, high);
    return true;
}

/* The next hole of the current block that has room for `size` bytes becomes the buffer. */
static bool next_hole(struct heap *h, struct tlab *t, size_t size) {
    uintptr_t low, high;
    if (!find_hole(h, t->block_next, t->block_end, lines_of(size), &low, &high)) {
        t->block_next = t->block_end;
        count_holes(h, t);
        return false;
    }
    t->block_next = high;
    memset((void *)low, 0, high - low);
    t->uncounted += high - low;
    set_buffer(h, t, low, high);
    return true;
}

static uintptr_t bump(struct heap *h, struct tlab *t, size_t size) {
    if (t->limit - t->top < size) return 0;
    uintptr_t p = t->top;
    t->top = p + size;
    if (h->config.stress_every != 0 || t->end < t->top) t->end = t->top;
    return p;
}

/* Up to SMALL_SIZE: nearly any hole will do. */
static uintptr_t take_small(struct heap *h, struct tlab *t, size_t size, bool respect_budget) {
    for (;;) {
        uintptr_t p = bump(h, t, size);
        if (p != 0) return p;
        t->no_small = false;
        retire_buffer(t);
        if (next_hole(h, t, size) || take_spare(h, t)) continue;
        if (respect_budget && over_budget(h, 0)) return 0;
        bool clean = false;
        lock_acquire(&h->block_lock);
        uintptr_t block = take_recyclable_block(h, 1);
        bool recycled = block != 0;
        if (!recycled) block = take_free_block(h, h->reserved_blocks, &clean);
        lock_release(&h->block_lock);
        if (block == 0) return 0;
        if (recycled) {
            t->block_next = block;
            t->block_end = block + BLOCK_SIZE;
        } else {
            if (!clean) memset((void *)block, 0, BLOCK_SIZE);
            count_handed_out(h, BLOCK_SIZE);
            set_buffer(h, t, block, block + BLOCK_SIZE);
        }
    }
}

/* A thread that allocates no small objects never comes to the end of its buffer: a new block, or large hole, is the
 * buffer then, where hardly anything is left of that, and not the second one. For other threads it is not: their small
 * objects, too, would go into new blocks for ever, and the holes stay. */
static bool wants_new_buffer(struct tlab *t, size_t room) {
    enum { THROWN_AWAY = 512 };
    if (room < hole_sizes[1]) return false;
    if (t->top == t->top_before) t->no_small = true;
    t->top_before = t->top;
    return t->no_small && t->limit - t->top < THROWN_AWAY;
}

/* Larger than that: the buffer if it fits, else the second buffer, so that small holes are not thrown away for it. */
static uintptr_t take_medium(struct heap *h, struct tlab *t, size_t size, bool respect_budget) {
    uintptr_t p = bump(h, t, size);
    if (p != 0) return p;
    if (t->overflow_end - t->overflow_top < size) {
        if (respect_budget && over_budget(h, 0)) return 0;
        bool clean = false;
        uintptr_t low, high = 0;
        lock_acquire(&h->block_lock);
        bool recycled = take_medium_hole(h, hole_kind(size), &low, &high);
        if (!recycled) low = take_free_block(h, h->reserved_blocks, &clean);
        bool whole = !recycled && low != 0;
        if (whole) high = low + BLOCK_SIZE;
        else if (!recycled && !take_hole(h, lines_of(size), &low, &high)) low = 0;
        lock_release(&h->block_lock);
        if (low == 0) return 0;
        if (!clean) memset((void *)low, 0, high - low);
        count_handed_out(h, high - low);
        if (wants_new_buffer(t, high - low)) {
            retire_buffer(t);
            set_buffer(h, t, low, high);
            return bump(h, t, size);
        }
        uintptr_t rest = t->overflow_top, rest_end = t->overflow_end;
        atomic_fetch_sub_explicit(&h->handed_out, rest_end - rest, memory_order_relaxed);
        if (t->overflow_whole && rest != rest_end) return_rest(h, rest, rest_end);
        t->overflow_top = low;
        t->overflow_end = high;
        t->overflow_whole = whole;
    }
    p = t->overflow_top;
    t->overflow_top = p + size;
    t->allocated_before += size;
    return p;
}

/* ---- large objects ----------------------------------------------------------------------------------------------- */

/* Would [page, page + count) take blocks of the reserve? Block lock held. */
static bool is_reserved(const struct heap *h, size_t page, size_t count) {
    size_t taken = 0;
    for (size_t b = page / PAGES_PER_BLOCK; b <= (page + count - 1) / PAGES_PER_BLOCK; b++)
        taken += h->kind[b] == BLOCK_FREE;
    return taken != 0 && h->free_blocks < taken + h->reserved_blocks;
}

/* Highest run of `count` free pages, taken: its first page, or SIZE_MAX. Block lock held. */
static size_t take_pages(struct heap *h, size_t count) {
    size_t run = 0;
    bool cursor_set = false;
    for (size_t page = h->large_cursor; page-- > 0;) {
        size_t b = page / PAGES_PER_BLOCK;
        uint8_t used = h->used[b];
        if (used == 0xff) { run = 0; page = b * PAGES_PER_BLOCK; continue; }
        if (used >> (page % PAGES_PER_BLOCK) & 1) { run = 0; continue; }
        if (!cursor_set) { h->large_cursor = page + 1; cursor_set = true; }
        if (++run < count) continue;
        if (UNLIKELY(is_reserved(h, page, count))) { run = 0; continue; }
        if (!commit_range(h, b, (page + count - 1) / PAGES_PER_BLOCK + 1)) return SIZE_MAX;
        if (b < h->gap_high) h->gap_high = b;
        h->from_blocks += count << HEAP_PAGE_SHIFT;
        for (size_t i = page; i < page + count; i++) {
            size_t block = i / PAGES_PER_BLOCK;
            if (h->kind[block] == BLOCK_FREE) { h->kind[block] = BLOCK_LARGE; h->free_blocks--; }
            h->used[block] |= (uint8_t)(1u << (i % PAGES_PER_BLOCK));
        }
        return page;
    }
    if (!cursor_set) h->large_cursor = 0;
    return SIZE_MAX;
}

/* Zeroes the pages that hold old data. They are nobody's object yet, so a long run lets a stop proceed meanwhile. */
static void zero_pages(struct heap *h, struct os_thread *self, size_t page, size_t count) {
    bool let_stop = count * HEAP_PAGE > 256 * KIB;
    if (let_stop) thread_block_begin(self);
    for (size_t i = page; i < page + count;) {
        size_t from = i;
        while (i < page + count && (h->dirty[i / PAGES_PER_BLOCK] >> (i % PAGES_PER_BLOCK) & 1) != 0) i++;
        if (i > from) memset((void *)(h->base + (from << HEAP_PAGE_SHIFT)), 0, (i - from) << HEAP_PAGE_SHIFT);
        else i++;
    }
    if (let_stop) thread_block_end(self);
}

static uintptr_t take_large(struct heap *h, struct os_thread *self, size_t size, bool respect_budget) {
    if (size > h->max) return 0;
    size_t count = (size + HEAP_PAGE - 1) >> HEAP_PAGE_SHIFT;
    if (respect_budget && over_budget(h, count << HEAP_PAGE_SHIFT)) return 0;
    lock_acquire(&h->block_lock);
    size_t page = take_pages(h, count);
    lock_release(&h->block_lock);
    if (page == SIZE_MAX) return 0;
    zero_pages(h, self, page, count);
    lock_acquire(&h->block_lock);
    for (size_t i = 0; i < count; i++) {
        size_t at = page + i;
        h->dirty[at / PAGES_PER_BLOCK] |= (uint8_t)(1u << (at % PAGES_PER_BLOCK));
        h->pages[at] = i == 0 ? PAGE_HEAD | (uint32_t)count : (uint32_t)i;
    }
    lock_release(&h->block_lock);
    count_handed_out(h, count << HEAP_PAGE_SHIFT);
    self->tlab.allocated_before += size;
    return h->base + (page << HEAP_PAGE_SHIFT);
}

/* ---- the way through a shortage ---------------------------------------------------------------------------------- */

static uintptr_t take(struct heap *h, struct os_thread *self, size_t size, bool respect_budget) {
    if (size > LARGE_SIZE) return take_large(h, self, size, respect_budget);
    return size <= SMALL_SIZE ? take_small(h, &self->tlab, size, respect_budget)
                              : take_medium(h, &self->tlab, size, respect_budget);
}

/* Zeroed memory for an object; 0 when the heap is full even without softly reachable objects. */
static uintptr_t take_or_collect(struct heap *h, struct os_thread *self, size_t size) {
    bool may_collect = self->gc_disabled == 0;
    uint64_t seen = atomic_load(&h->collections);
    if (UNLIKELY(h->config.stress_every != 0) && may_collect &&
        (atomic_fetch_add(&h->stress_count, 1) + 1) % h->config.stress_every == 0) {
        collect_request(self, "Stress", false, seen);
        seen = atomic_load(&h->collections);
    }
    uintptr_t p = take(h, self, size, may_collect);
    if (LIKELY(p != 0)) return p;
    if (size > h->max) return 0;
    int attempt = 0;
    if (may_collect && over_budget(h, size > LARGE_SIZE ? size : 0)) {
        collect_request(self, "Allocation Failure", false, seen);
        attempt = 1;
        if ((p = take(h, self, size, false)) != 0) return p;
    }
    allocate_sweep_all(h);
    if ((p = take(h, self, size, false)) != 0 || !may_collect) return p;
    /* Other threads may take what a collection frees; two more tries, then softly reachable objects go. */
    for (; attempt < 3; attempt++) {
        collect_request(self, "Allocation Failure", attempt == 2, atomic_load(&h->collections));
        allocate_sweep_all(h);
        if ((p = take(h, self, size, false)) != 0) return p;
        if (attempt == 0 && h->max - h->occupied < size) attempt = 1;
    }
    return 0;
}

/* `length` < 0: no array. */
static struct object *finish(uintptr_t p, const struct shape *shape, int32_t length) {
    struct object *o = (struct object *)p;
    o->class_id = shape->id;
    if (length >= 0) ((struct array *)o)->length = length;
    heap_set_start(p);
    return o;
}

static struct object *out_of_memory(struct os_thread *self, const char *message) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    heap_hooks.out_of_memory(self, message);
    self->stack_is_stale = true;
    return NULL;
}

static size_t array_size(const struct shape *shape, int32_t length) {
    return ALIGN_UP(ARRAY_DATA + ((size_t)(uint32_t)length << shape->element_shift), (size_t)OBJECT_ALIGN);
}

/* Memory for an object for which the buffer has no room up to its end; mostly there is room behind that. */
static uintptr_t take_behind(struct heap *h, struct os_thread *self, size_t size) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    uintptr_t p = LIKELY(h->config.stress_every == 0) ? bump(h, &self->tlab, size) : 0;
    return LIKELY(p != 0) ? p : take_or_collect(h, self, size);
}

struct object *heap_alloc_slow(struct os_thread *self, const struct shape *shape, size_t size) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    uintptr_t p = take_behind(vm->heap, self, size);
    if (UNLIKELY(p == 0)) return out_of_memory(self, "Java heap space");
    struct object *o = finish(p, shape, -1);
    if (UNLIKELY(vm->heap->sampling)) heap_sample(self, o);
    return o;
}

uintptr_t heap_take(struct os_thread *self, size_t size) {
    REQUIRES(IN_VM | NO_PENDING | NO_LOCK);
    PROMISES_NO_SAFEPOINT();
    struct heap *h = vm->heap;
    bool has_event = h->config.stress_every != 0 || h->sampling;
    return has_event || size > LARGE_SIZE ? 0 : take(h, self, size, true);
}

struct object *heap_alloc_instance(struct os_thread *self, const struct shape *shape) {
    return heap_alloc_instance_fast(self, shape);
}

struct object *heap_alloc_array(struct os_thread *self, const struct shape *shape, int32_t length) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (UNLIKELY(length > ARRAY_LENGTH_MAX)) return out_of_memory(self, "Requested array size exceeds VM limit");
    size_t size = array_size(shape, length);
    struct tlab *t = &self->tlab;
    uintptr_t p = t->top;
    bool fast = t->end - p >= size;
    if (LIKELY(fast)) t->top = p + size;
    else p = take_behind(vm->heap, self, size);
    if (UNLIKELY(p == 0)) return out_of_memory(self, "Java heap space");
    struct object *o = finish(p, shape, length);
    if (UNLIKELY(!fast) && vm->heap->sampling) heap_sample(self, o);
    return o;
}

/* An object in the reserve, if nothing else is free; NULL: that is used up, too. It is made under the lock: other
 * threads set the start bits beside it. */
static struct object *take_reserved(struct heap *h, struct os_thread *self, const struct shape *shape) {
    struct reserve *r = &h->reserve;
    size_t size = shape->instance_size;
    struct object *o = NULL;
    if (size > BLOCK_SIZE) return NULL;
    lock_acquire(&h->block_lock);
    bool is_full = h->free_blocks <= h->reserved_blocks;
    if (is_full && r->end - r->top < size) {
        uintptr_t block_end = r->block != 0 ? r->block + BLOCK_SIZE : 0, block;
        bool clean = false;
        if (find_hole(h, r->end, block_end, lines_of(size), &r->top, &r->end)) {
            memset((void *)r->top, 0, r->end - r->top);
        } else if ((block = take_free_block(h, 0, &clean)) != 0) {
            if (!clean) memset((void *)block, 0, BLOCK_SIZE);
            *r = (struct reserve){block, block, block + BLOCK_SIZE};
        }
    }
    if (is_full && r->end - r->top >= size) {
        o = finish(r->top, shape, -1);
        r->top += size;
        self->tlab.allocated_before += size;
    }
    lock_release(&h->block_lock);
    if (o != NULL) count_handed_out(h, size);
    return o;
}

struct object *heap_alloc_reserved(struct os_thread *self, const struct shape *shape) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct heap *h = vm->heap;
    size_t size = shape->instance_size;
    bool stress = h->config.stress_every != 0;
    uintptr_t p = stress ? 0 : take(h, self, size, true);
    /* The reserve of a full heap comes before a collection: each object would cost several. */
    struct object *o = stress || p != 0 ? NULL : take_reserved(h, self, shape);
    if (p == 0 && o == NULL && (p = take_or_collect(h, self, size)) == 0) o = take_reserved(h, self, shape);
    if (p != 0) o = finish(p, shape, -1);
    if (o != NULL && UNLIKELY(h->alloc_watched)) heap_watch(self, o);
    return o;
}

struct object *heap_try_alloc(struct os_thread *self, const struct shape *shape, size_t size, int32_t length) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (length > ARRAY_LENGTH_MAX) return NULL;
    if (length >= 0) size = array_size(shape, length);
    else if (size == 0) size = shape->instance_size;
    uintptr_t p = take_or_collect(vm->heap, self, size);
    if (p == 0) return NULL;
    struct object *o = finish(p, shape, length);
    if (UNLIKELY(vm->heap->alloc_watched)) heap_watch(self, o);
    return o;
}
