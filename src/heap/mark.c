/* mark.c — marking: the threads that do it, their work lists, and what is scanned in each kind of object. */
#include "heap/heap_internal.h"

#include <signal.h>

#include "base/alloc.h"
#include "base/log.h"
#include "base/os.h"

/* A reference array is scanned in slices, so that several threads can share a long one and the work list
 * stays short. */
enum { SLICE_SHIFT = 10, SLICE = 1 << SLICE_SHIFT };
/* A thread with more than this gives half away when another has nothing to do. */
enum { SHARE_FROM = 32, LOOK_EVERY = 64 };

#define HOLDER_ITEM ((uint64_t)1 << 63)

/* ---- helping threads --------------------------------------------------------------------------------------------- */

struct worker_start { struct heap *heap; unsigned index; };

static void *worker_main(void *arg) {
    struct worker_start start = *(struct worker_start *)arg;
    mem_free(arg);
    struct heap *h = start.heap;
    struct worker_pool *p = &h->pool;
    char name[16];
    snprintf(name, sizeof name, "GC Thread#%u", start.index);
    os_thread_set_name(name);
    os_account_stack();
    uint32_t seen = 0;
    lock_acquire(&p->lock);
    for (;;) {
        while (!p->stop && (p->generation == seen || start.index >= p->wanted)) {
            seen = p->generation;
            (void)cond_wait(&p->wake, &p->lock, COND_FOREVER);
        }
        if (p->stop) break;
        seen = p->generation;
        void (*task)(struct heap *h, unsigned index) = p->task;
        lock_release(&p->lock);
        task(h, start.index);
        lock_acquire(&p->lock);
        if (--p->running == 0) cond_notify_all(&p->done);
    }
    lock_release(&p->lock);
    os_unaccount_stack();
    return NULL;
}

/* Starts helpers up to `wanted` (the collecting thread is number 0); fewer when the system refuses. */
static unsigned start_workers(struct heap *h, unsigned wanted) {
    struct worker_pool *p = &h->pool;
    if (p->started == 0) p->started = 1;
    sigset_t all, faults, old;
    sigfillset(&all);
    os_signal_faults(&faults);
    MAY_ALLOCATE("fewer threads mark");
    pthread_sigmask(SIG_SETMASK, &all, &old);           /* signals are for Java threads and the host's */
    pthread_sigmask(SIG_UNBLOCK, &faults, NULL);        /* a crash gives a report, whoever collects */
    while (p->started < wanted) {
        struct worker_start *arg = mem_alloc(sizeof *arg);
        if (arg == NULL) break;
        *arg = (struct worker_start){ h, p->started };
        if (os_thread_create(&p->threads[p->started], worker_main, arg, 256 * KIB, false) != 0) {
            mem_free(arg);
            break;
        }
        p->started++;
    }
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return MIN(p->started, wanted);
}

/* Runs task(h, 0 .. active_workers - 1), number 0 on the calling thread. */
void workers_run(struct heap *h, void (*task)(struct heap *h, unsigned index)) {
    struct worker_pool *p = &h->pool;
    if (h->active_workers > 1) {
        lock_acquire(&p->lock);
        p->task = task;
        p->wanted = h->active_workers;
        p->running = h->active_workers - 1;
        p->generation++;
        cond_notify_all(&p->wake);
        lock_release(&p->lock);
    }
    task(h, 0);
    if (h->active_workers > 1) {
        lock_acquire(&p->lock);
        while (p->running != 0) (void)cond_wait(&p->done, &p->lock, COND_FOREVER);
        lock_release(&p->lock);
    }
}

/* ---- work lists -------------------------------------------------------------------------------------------------- */

/* NULL: no memory, or as many as MarkStackSizeMax allows. */
static struct mark_chunk *chunk_take_empty(struct heap *h) {
    struct worker_pool *p = &h->pool;
    lock_acquire(&p->mark_lock);
    struct mark_chunk *c = p->empty;
    bool may_grow = c == NULL && p->chunks < h->config.mark_chunks;
    MAY_ALLOCATE("what finds no room in the list is deferred, in bits that are there");
    if (c != NULL) p->empty = c->next;
    if (may_grow) p->chunks++;
    lock_release(&p->mark_lock);
    if (may_grow && (c = mem_alloc(sizeof *c)) == NULL) {
        lock_acquire(&p->mark_lock);
        p->chunks--;
        lock_release(&p->mark_lock);
    }
    if (c != NULL) c->count = 0;
    return c;
}

static void pool_put(struct heap *h, struct mark_chunk *c) {
    struct worker_pool *p = &h->pool;
    lock_acquire(&p->mark_lock);
    c->next = p->full;
    p->full = c;
    atomic_store_explicit(&p->hungry, false, memory_order_relaxed);
    if (atomic_load_explicit(&p->idle, memory_order_relaxed) != 0) cond_notify(&p->mark_wake);
    lock_release(&p->mark_lock);
}

static NOINLINE bool push_slow(struct marker *m, uint64_t item) {
    struct mark_chunk *fresh = chunk_take_empty(m->heap);
    if (fresh == NULL) return false;
    if (m->chunk != NULL) pool_put(m->heap, m->chunk);
    m->chunk = fresh;
    fresh->items[fresh->count++] = item;
    return true;
}

/* False: there is no room for it. */
static ALWAYS_INLINE bool push(struct marker *m, uint64_t item) {
    struct mark_chunk *c = m->chunk;
    if (UNLIKELY(c == NULL || c->count == MARK_CHUNK_ITEMS)) return push_slow(m, item);
    c->items[c->count++] = item;
    return true;
}

/* No room for a marked object: a bit says that it is still to be scanned. So each object is scanned once, however short
 * memory is. */
static NOINLINE void defer(struct heap *h, ref_t r) {
    uintptr_t a = (uintptr_t)ref_decode(r);
    __atomic_fetch_or(&h->deferred[a >> 7], (uint8_t)(1u << (a >> 4 & 7)), __ATOMIC_RELAXED);
    __atomic_store_n(&h->deferred_blocks[block_of(h, a)], 1, __ATOMIC_RELAXED);
    atomic_store_explicit(&h->pool.deferring, true, memory_order_relaxed);
}

static void share_half(struct marker *m) {
    struct mark_chunk *c = m->chunk;
    if (c == NULL || c->count < SHARE_FROM) return;
    struct mark_chunk *fresh = chunk_take_empty(m->heap);
    if (fresh == NULL) return;
    /* The older half: nearer to the roots, so more hangs on it. */
    size_t half = c->count / 2;
    memcpy(fresh->items, c->items, half * sizeof c->items[0]);
    fresh->count = half;
    memmove(c->items, c->items + half, (c->count - half) * sizeof c->items[0]);
    c->count -= half;
    pool_put(m->heap, fresh);
}

/* Own chunk is empty: a full one from the pool; with others active, waits for one. False: everybody is done. */
static bool refill(struct marker *m) {
    struct heap *h = m->heap;
    struct worker_pool *p = &h->pool;
    lock_acquire(&p->mark_lock);
    if (m->chunk != NULL) { m->chunk->next = p->empty; p->empty = m->chunk; m->chunk = NULL; }
    while (p->full == NULL && !p->finished) {
        if (atomic_fetch_add(&p->idle, 1) + 1 == h->active_workers) {
            p->finished = true;
            cond_notify_all(&p->mark_wake);
        } else {
            atomic_store_explicit(&p->hungry, true, memory_order_relaxed);
            (void)cond_wait(&p->mark_wake, &p->mark_lock, COND_FOREVER);
        }
        if (!p->finished) atomic_fetch_sub(&p->idle, 1);
    }
    m->chunk = p->full;
    if (m->chunk != NULL) p->full = m->chunk->next;
    lock_release(&p->mark_lock);
    return m->chunk != NULL;
}

/* ---- scanning ---------------------------------------------------------------------------------------------------- */

/* `parallel` is a constant in every caller. */
static ALWAYS_INLINE void test_and_mark(struct marker *m, ref_t r, bool parallel) {
    uint8_t *byte = &m->heap->marks[r >> 3], bit = (uint8_t)(1u << (r & 7));
    if (__atomic_load_n(byte, __ATOMIC_RELAXED) & bit) return;
    if (parallel) {
        if (__atomic_fetch_or(byte, bit, __ATOMIC_RELAXED) & bit) return;
    } else {
        *byte |= bit;
    }
    if (UNLIKELY(!push(m, r))) defer(m->heap, r);
}

/* A reference found: its mark byte is fetched, the one found MARK_PROBES before it is looked at. */
static ALWAYS_INLINE void mark_ref(struct marker *m, ref_t r, bool parallel) {
    if (r == 0) return;
    __builtin_prefetch(&m->heap->marks[r >> 3], 1);
    unsigned at = m->probe_next;
    ref_t old = m->probes[at];
    m->probes[at] = r;
    m->probe_next = (at + 1) % MARK_PROBES;
    if (old != 0) test_and_mark(m, old, parallel);
}

/* Nothing else to do: the references in the probe ring get their turn. */
static void flush_probes(struct marker *m, bool parallel) {
    for (unsigned i = 0; i < MARK_PROBES; i++) {
        ref_t r = m->probes[i];
        m->probes[i] = 0;
        if (r != 0) test_and_mark(m, r, parallel);
    }
}

static ALWAYS_INLINE ref_t load_ref(const struct object *o, size_t offset) {
    return atomic_load_explicit((const _Atomic ref_t *)((const char *)o + offset), memory_order_relaxed);
}

static ALWAYS_INLINE void mark_holder(struct marker *m, struct class_holder *holder) {
    if (LIKELY(holder == NULL || atomic_load_explicit(&holder->marked, memory_order_relaxed))) return;
    if (atomic_exchange(&holder->marked, true)) return;
    if (UNLIKELY(!push(m, (uint64_t)(uintptr_t)holder | HOLDER_ITEM))) heap_hooks.visit_holder(&m->visitor, holder);
}

static ALWAYS_INLINE void mark_lines(struct heap *h, const struct object *o, size_t size) {
    /* Large ones lie on their pages, unless a thread's buffer happened to have room. */
    if (UNLIKELY(size > LARGE_SIZE) && h->kind[block_of(h, (uintptr_t)o)] == BLOCK_LARGE) return;
    uintptr_t first = (uintptr_t)o >> LINE_SHIFT, last = ((uintptr_t)o + size - 1) >> LINE_SHIFT;
    h->lines[first] = h->epoch;
    for (uintptr_t line = first + 1; line <= last; line++) h->lines[line] = h->epoch;
}

static ALWAYS_INLINE void scan_fields(struct marker *m, const struct object *o, const struct shape *s, bool parallel) {
    for (uint32_t i = 0; i < s->span_count; i++) {
        size_t offset = s->spans[i].offset;
        for (uint32_t n = s->spans[i].count; n > 0; n--, offset += sizeof(ref_t))
            mark_ref(m, load_ref(o, offset), parallel);
    }
}

static ALWAYS_INLINE void scan_slice(struct marker *m, const struct object *o, uint32_t slice, bool parallel) {
    uint32_t length = (uint32_t)array_length(o);
    for (bool left_behind = true; left_behind; slice++) {
        uint32_t from = slice << SLICE_SHIFT, to = length;
        left_behind = length - from > SLICE;
        if (left_behind) {
            to = from + SLICE;
            left_behind = !push(m, ref_encode(o) | (uint64_t)(slice + 1) << 32);
        }
        for (uint32_t i = from; i < to; i++) mark_ref(m, load_ref(o, ARRAY_DATA + (size_t)i * sizeof(ref_t)), parallel);
    }
}

static ALWAYS_INLINE void scan(struct marker *m, uint64_t item, bool parallel) {
    struct heap *h = m->heap;
    if (UNLIKELY(item & HOLDER_ITEM)) {
        heap_hooks.visit_holder(&m->visitor, (struct class_holder *)(uintptr_t)(item & ~HOLDER_ITEM));
        return;
    }
    struct object *o = ref_decode((ref_t)item);
    uint32_t slice = (uint32_t)(item >> 32);
    if (slice != 0) { scan_slice(m, o, slice, parallel); return; }
    const struct shape *s = shape_of(o);
    vm_assert(s != NULL, "object %p has class id %u, which does not exist", (void *)o, o->class_id);
    mark_holder(m, s->holder);
    size_t size = s->instance_size;
    switch (s->kind) {
    case SHAPE_REF_ARRAY:
        size = object_size(o);
        scan_slice(m, o, 0, parallel);
        break;
    case SHAPE_PRIM_ARRAY:
        size = object_size(o);
        break;
    case SHAPE_MIRROR:
    case SHAPE_LOADER:
        mark_holder(m, heap_hooks.holder_of(o));
        scan_fields(m, o, s, parallel);
        break;
    case SHAPE_REFERENCE:
        if (!reference_discover(m, o, s) && h->layout_known) {
            mark_ref(m, load_ref(o, h->layout.referent), parallel);
            mark_ref(m, load_ref(o, h->layout.discovered), parallel);
        }
        scan_fields(m, o, s, parallel);
        break;
    default:
        scan_fields(m, o, s, parallel);
        break;
    }
    mark_lines(h, o, size);
    m->live_bytes += size;
    m->live_objects++;
}

/* Takes items through a small ring in which they wait for their prefetched header. */
static ALWAYS_INLINE void drain(struct marker *m, bool parallel) {
    struct worker_pool *p = &m->heap->pool;
    unsigned countdown = LOOK_EVERY;
    for (;;) {
        struct mark_chunk *c = m->chunk;
        if (c != NULL && c->count > 0) {
            uint64_t item = c->items[--c->count];
            /* What scan() will want: the head, what follows on the next cache line, the line's byte. A holder's address
             * is no object's; prefetching whatever the low half names does no harm. */
            const char *o = (const char *)ref_decode((ref_t)item);
            __builtin_prefetch(o);
            __builtin_prefetch(o + LINE_SIZE);
            __builtin_prefetch(&m->heap->lines[(uintptr_t)o >> LINE_SHIFT], 1);
            unsigned at = (m->ring_head + m->ring_count) % MARK_RING;
            m->ring[at] = item;
            if (++m->ring_count < MARK_RING) continue;
        } else if (m->ring_count == 0) {
            flush_probes(m, parallel);
            if ((m->chunk == NULL || m->chunk->count == 0) && !refill(m)) return;
            continue;
        }
        uint64_t item = m->ring[m->ring_head];
        m->ring_head = (m->ring_head + 1) % MARK_RING;
        m->ring_count--;
        scan(m, item, parallel);
        if (parallel && --countdown == 0) {
            countdown = LOOK_EVERY;
            if (UNLIKELY(atomic_load_explicit(&p->hungry, memory_order_relaxed))) share_half(m);
        }
    }
}

static void drain_task(struct heap *h, unsigned index) {
    if (h->active_workers > 1) drain(&h->markers[index], true);
    else drain(&h->markers[index], false);
}

/* Scans the deferred objects of a block. */
static void scan_deferred_block(struct heap *h, size_t b) {
    struct marker *m = &h->markers[0];
    uintptr_t block = block_address(h, b);
    h->deferred_blocks[b] = 0;
    m->deferred_looks++;
    for (uintptr_t group = block; group < block + BLOCK_SIZE; group += 1024) {
        uint64_t bits;
        memcpy(&bits, &h->deferred[group >> 7], sizeof bits);
        memset(&h->deferred[group >> 7], 0, sizeof bits);
        for (; bits != 0; bits &= bits - 1) {
            uintptr_t a = group + ((uintptr_t)__builtin_ctzll(bits) << 4);
            m->deferred++;
            scan(m, ref_encode((struct object *)(bits_test(h->marks, a) ? a : a + OBJECT_ALIGN)), false);
        }
    }
}

/* Scans deferred objects until what they lead to finds no room either. False: none were left. */
static bool scan_deferred(struct heap *h) {
    if (!atomic_exchange(&h->pool.deferring, false)) return false;
    bool found = false;
    while (!atomic_load_explicit(&h->pool.deferring, memory_order_relaxed)) {
        size_t from = h->deferred_cursor;
        const uint8_t *next = memchr(&h->deferred_blocks[from], 1, h->blocks - from);
        if (next == NULL && from == 0) break;
        h->deferred_cursor = 0;
        if (next == NULL) continue;
        size_t b = (size_t)(next - h->deferred_blocks);
        scan_deferred_block(h, b);
        if (b + 1 < h->blocks) h->deferred_cursor = b + 1;
        found = true;
    }
    return found;
}

void mark_drain(struct heap *h) {
    struct worker_pool *p = &h->pool;
    do {
        p->finished = false;
        atomic_store(&p->idle, 0);
        atomic_store(&p->hungry, false);
        workers_run(h, drain_task);
    } while (scan_deferred(h));
}

/* ---- the collector's visitor ------------------------------------------------------------------------------------- */

void mark_object(struct marker *m, struct object *o) {
    if (m->heap->active_workers > 1) mark_ref(m, ref_encode(o), true);
    else mark_ref(m, ref_encode(o), false);
}

static void visit_object(struct heap_visitor *v, struct object *o) {
    struct marker *m = (struct marker *)v;
    vm_assert(heap_contains(m->heap, (uintptr_t)o) && bits_test(m->heap->starts, (uintptr_t)o), "root %p is no object",
              (void *)o);
    mark_object(m, o);
}

static void visit_word(struct heap_visitor *v, uintptr_t word) {
    struct marker *m = (struct marker *)v;
    struct object *o = heap_find_start(m->heap, m->heap->starts, word);
    if (o != NULL) mark_object(m, o);
}

static void visit_holder(struct heap_visitor *v, struct class_holder *holder) {
    mark_holder((struct marker *)v, holder);
}

void heap_visit(struct heap_visitor *v, struct object *o) { if (o != NULL) v->object(v, o); }
void heap_visit_word(struct heap_visitor *v, uintptr_t word) { if (v->word != NULL) v->word(v, word); }
void heap_visit_holder(struct heap_visitor *v, struct class_holder *h) {
    if (h != NULL && v->holder != NULL) v->holder(v, h);
}

/* Reads stack memory that AddressSanitizer fences off. */
__attribute__((no_sanitize("address")))
void heap_visit_words(struct heap_visitor *v, const void *low, const void *high) {
    if (v->word == NULL) return;
    uintptr_t base = vm->heap->base, size = vm->heap->end - base;
    for (const uintptr_t *p = (const uintptr_t *)ALIGN_UP((uintptr_t)low, sizeof(uintptr_t));
         p < (const uintptr_t *)high; p++)
        if (*p - base < size) v->word(v, *p);
}

bool mark_is_live(struct object *o) { return o != NULL && heap_is_marked(vm->heap, o); }

/* Below this much to mark, waking other threads takes longer than doing it alone. */
#define PARALLEL_FROM (8 * MIB)

void mark_prepare(struct heap *h, bool clear_softs) {
    if (h->epoch == UINT8_MAX) {
        memset(&h->lines[h->base >> LINE_SHIFT], 0, (h->end - h->base) >> LINE_SHIFT);
        h->epoch = 0;
    }
    h->epoch++;
    bool alone = h->config.workers == 1 ||
                 MAX(h->live, h->occupied / 2) + atomic_load(&h->since_collection) / 8 < PARALLEL_FROM;
    h->active_workers = alone ? 1 : start_workers(h, h->config.workers);
    for (unsigned i = 0; i < h->active_workers; i++) {
        struct marker *m = &h->markers[i];
        memset(m, 0, sizeof *m);
        m->visitor = (struct heap_visitor){ visit_object, visit_word, visit_holder };
        m->heap = h;
        m->index = i;
    }
    h->discovering = h->layout_known;
    /* Softly reachable objects stay for a time that grows with the free memory, counted from their last use. */
    int64_t free_mb = (int64_t)((h->max - MIN(h->occupied, h->max)) / MIB);
    if (__builtin_mul_overflow(free_mb, h->config.soft_ms_per_mb, &h->soft_limit_ms)) h->soft_limit_ms = INT64_MAX;
    h->keep_softs = !clear_softs;
}

bool workers_create(struct heap *h) {
    struct worker_pool *p = &h->pool;
    lock_init(&p->lock, "collector threads", LOCK_RANK_HEAP_LARGE);
    lock_init(&p->mark_lock, "marking work", LOCK_RANK_HEAP_BLOCK);
    return true;
}

void workers_destroy(struct heap *h) {
    struct worker_pool *p = &h->pool;
    lock_acquire(&p->lock);
    p->stop = true;
    cond_notify_all(&p->wake);
    lock_release(&p->lock);
    for (unsigned i = 1; i < p->started; i++) pthread_join(p->threads[i], NULL);
    for (struct mark_chunk *c = p->empty; c != NULL;) {
        struct mark_chunk *next = c->next;
        mem_free(c);
        c = next;
    }
}
