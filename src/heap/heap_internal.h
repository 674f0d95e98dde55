/* heap_internal.h — the heap's tables and what its files share.
 *
 *   base                                                                                             end
 *   | small blocks ->            free blocks                                    <- pages of large objects |
 *
 * A block is 32 KiB: 1,024 lines of 32 bytes, or 8 pages. Small and medium objects (up to LARGE_SIZE) are
 * bump-allocated into free lines; larger ones take whole pages. What a block is for is decided when it is taken and
 * forgotten when it is empty. */
#ifndef VITRINE_HEAP_HEAP_INTERNAL_H
#define VITRINE_HEAP_HEAP_INTERNAL_H

#include <pthread.h>

#include "base/base.h"
#include "base/lock.h"
#include "heap/heap.h"
#include "heap/hooks.h"
#include "thread/probe_point.h"

enum {
    BLOCK_SHIFT = 15, BLOCK_SIZE = 1 << BLOCK_SHIFT,
    LINE_SHIFT = 5, LINE_SIZE = 1 << LINE_SHIFT, LINES_PER_BLOCK = BLOCK_SIZE / LINE_SIZE,
    HEAP_PAGE_SHIFT = 12, HEAP_PAGE = 1 << HEAP_PAGE_SHIFT, PAGES_PER_BLOCK = BLOCK_SIZE / HEAP_PAGE,
    SMALL_SIZE = 64,                             /* larger objects do not use up small holes    */
    HOLE_KINDS = 4,                              /* holes that medium objects share, by size    */
    LARGE_SIZE = BLOCK_SIZE / 2,                 /* larger objects are page-granular            */
    BITS_PER_BLOCK = BLOCK_SIZE / OBJECT_ALIGN, BIT_BYTES_PER_BLOCK = BITS_PER_BLOCK / 8,
    COMMIT_BLOCKS = 32,                          /* memory is committed in pieces of 1 MiB      */
    MOST_RESERVED_BLOCKS = 16                    /* see struct reserve                          */
};

enum block_kind {
    BLOCK_FREE,
    BLOCK_SMALL,                                 /* full, or being filled by a thread           */
    BLOCK_RECYCLABLE,                            /* has free lines that nobody has taken        */
    BLOCK_FRAGMENTED,                            /* so few of them that they wait for a shortage */
    BLOCK_LARGE                                  /* pages of large objects                      */
};

/* heap.pages[page] of a page of a large object: the head with the number of pages, or how far back the head is. 0 while
 * the object is being made (pages taken, no head yet). */
#define PAGE_HEAD 0x80000000u

enum { MARK_CHUNK_ITEMS = HEAP_MARK_ITEMS, MARK_RING = 16, MARK_PROBES = 16, MAX_WORKERS = 32 };

/* Marking work: an object (ref | slice << 32) of which slice number `slice` is to be scanned, or a holder (address | 1
 * << 63). */
struct mark_chunk {
    struct mark_chunk *next;
    size_t count;
    uint64_t items[MARK_CHUNK_ITEMS];
};

/* One marking thread's state. */
struct marker {
    struct heap_visitor visitor;                 /* first                                       */
    struct heap *heap;
    unsigned index;
    struct mark_chunk *chunk;                    /* own stack; full chunks go to the pool       */
    uint64_t ring[MARK_RING];                    /* popped and prefetched, not yet scanned      */
    unsigned ring_head, ring_count;
    ref_t probes[MARK_PROBES];                   /* found, mark byte prefetched, not yet tested */
    unsigned probe_next;
    size_t live_bytes, live_objects, hole_bytes;
    size_t deferred, deferred_looks;             /* objects deferred, looks at a block of them  */
    ref_t discovered[REF_PHANTOM + 1];           /* lists through Reference.discovered          */
    size_t discovered_count[REF_PHANTOM + 1];
} __attribute__((aligned(64)));

/* Threads that help the collecting thread; they sleep between tasks and start with the first task that wants them. */
struct worker_pool {
    struct lock lock;
    struct cond wake, done;
    uint32_t generation, running, started, wanted;
    bool stop;
    void (*task)(struct heap *h, unsigned index);
    pthread_t threads[MAX_WORKERS];

    /* marking */
    struct lock mark_lock;
    struct cond mark_wake;
    struct mark_chunk *full, *empty;
    _Atomic uint32_t idle;
    _Atomic bool hungry;                         /* somebody is idle and `full` is empty        */
    bool finished;
    size_t chunks;                               /* that there are; under mark_lock             */
    _Atomic bool deferring;                      /* there are deferred objects                  */
    _Atomic size_t cursor;                       /* sweeping: next slice of blocks              */
};

/* What heap_alloc_reserved gives when the heap is full. Others leave reserved_blocks free blocks, whichever these are.
 * The block that is in use stays so across collections: nobody else gets into its holes, or it would not become free
 * again. */
struct reserve {
    uintptr_t block;                             /* 0: none                                     */
    uintptr_t top, end;                          /* the hole, zeroed                            */
};

struct heap {
    uintptr_t base, end;                         /* block-aligned                               */
    size_t blocks;
    size_t max, initial, capacity;               /* bytes; capacity: the present soft limit     */
    struct heap_config config;
    _Atomic uint32_t least_free, most_free;      /* the config's, until a tool sets others      */

    void *tables; size_t tables_size;            /* one reservation for all that follows        */
    uint8_t *starts, *marks;                     /* biased: address >> 6. marks is clear outside of marking */
    uint8_t *lines;                              /* biased: address >> LINE_SHIFT; live line == epoch    */
    uint8_t *kind;                               /* enum block_kind, by block                   */
    uint8_t *used;                               /* bit per page; small blocks: 0xff            */
    uint8_t *dirty;                              /* bit per page: may hold something but zeros  */
    uint8_t *committed;                          /* by piece of COMMIT_BLOCKS                   */
    uint32_t *pages;                             /* see PAGE_HEAD; by page                      */
    uint8_t *deferred;                           /* marked, but still to be scanned. Biased: address >> 7, bit
                                                  * (address >> 4) & 7                          */
    uint8_t *deferred_blocks;                    /* by block: 1 if it has such objects          */
    size_t deferred_cursor;                      /* where the search for one begins, by block   */
#ifdef VITRINE_CARDS
    uint8_t *cards;                              /* heap_cards without its bias                 */
#ifdef VITRINE_CHECK
    uint8_t *old;                                /* has survived a collection. Biased: address >> 6 */
#endif
#endif
    uint8_t epoch;                               /* of the last marking, 1..255              */

    struct lock block_lock;                      /* guards what follows, kind, used, dirty, pages */
    size_t free_cursor, recycle_cursor;          /* no free / recyclable block lies below       */
    size_t hole_cursors[HOLE_KINDS];             /* below, no recyclable block has a hole of that kind */
    size_t large_cursor;                         /* no free page lies at or above, by page      */
    /* blocks between are free and clean, small ones below, large ones above; low > high when they have met */
    size_t gap_low, gap_high;
    /* zeroed rest of an ended thread's buffer, until the next collection; empty: equal */
    uintptr_t spare_low, spare_high;
    struct reserve reserve;
    size_t reserved_blocks;                      /* a 32nd of all, up to MOST_RESERVED_BLOCKS   */
    uint8_t min_free_lines;                      /* blocks with fewer are not recycled          */
    size_t free_blocks;

    _Atomic size_t since_collection;             /* bytes handed out since the last collection  */
    _Atomic uint64_t handed_out;                 /* bytes ever allocated                        */
    _Atomic size_t watched;                      /* bytes in use for heap_hooks.usage_reached    */
    size_t occupied;                             /* after the last collection: lines and pages  */
    size_t live;                                 /*   and the objects on them                   */
    size_t holes;                                /*   and free lines that will be offered       */
    size_t from_blocks;                          /* bytes of free blocks and pages taken since; under block_lock */
    size_t budget;                               /* since_collection that asks for the next one */
    double allocation_rate;                      /* bytes a nanosecond, before the last collection */

    struct lock lock;                            /* guards waiting for disabled == 0            */
    struct cond enabled;
    _Atomic uint32_t disabled;                   /* threads inside heap_disable_gc              */
    _Atomic uint32_t waiting;                    /* collectors that wait for `disabled` to become 0 */
    struct os_thread *_Atomic announcer;                 /* has announced its collection; under `lock`  */
    _Atomic uint32_t stress_count;

    _Atomic uint64_t collections;
    uint64_t softs_cleared_at;                   /* number of collections when softs were last cleared */
    uint64_t collection_nanos;
    int64_t last_gc_millis;
    struct heap_collection last;                 /* cause NULL before the first                 */

    struct worker_pool pool;
    struct marker markers[MAX_WORKERS];
    unsigned active_workers;                     /* in the present marking                      */
    bool marking, discovering, keep_softs;
    int64_t soft_limit_ms;                       /* softs idle for longer are cleared           */

    struct lock reference_lock;
    struct object *pending;                      /* linked through Reference.discovered         */
    bool layout_known;
    struct heap_reference_layout layout;

    struct lock tag_lock;
    struct tag_table *tag_tables;
    uint32_t hash_secret;
    bool sampling;                               /* samples or alloc_watched; all three change with the world stopped */
    bool samples, alloc_watched;                       /* heap/sample.c                               */
    _Atomic int64_t sample_interval;             /* bytes, on average                           */
    _Atomic bool collecting;
};

static inline bool heap_contains(const struct heap *h, uintptr_t a) { return a - h->base < h->end - h->base; }
static inline size_t block_of(const struct heap *h, uintptr_t a) { return (a - h->base) >> BLOCK_SHIFT; }
static inline uintptr_t block_address(const struct heap *h, size_t b) { return h->base + (b << BLOCK_SHIFT); }
static inline size_t page_of(const struct heap *h, uintptr_t a) { return (a - h->base) >> HEAP_PAGE_SHIFT; }

/* b, or the first block behind the gap: for (b = skip_gap(h, 0); b < h->blocks; b = skip_gap(h, b + 1)) sees all but
 * unused blocks. */
static inline size_t skip_gap(const struct heap *h, size_t b) {
    return b >= h->gap_low && b < h->gap_high ? h->gap_high : b;
}

static inline bool bits_test(const uint8_t *bits, uintptr_t a) { return bits[a >> 6] >> ((a >> 3) & 7) & 1; }
static inline bool heap_is_marked(const struct heap *h, const struct object *o) {
    return bits_test(h->marks, (uintptr_t)o);
}

/* Is there room for the tables of `blocks` blocks; their sizes in one place. */
size_t heap_tables_layout(struct heap *h, size_t blocks, char *at);

/* sample.c: where the buffer ends for the fast paths; and after each allocation that did not take them. May run the
 * hook. */
uintptr_t heap_sample_end(const struct tlab *t);
void heap_sample(struct os_thread *self, struct object *o);
/* The watching half alone, for allocations that are not sampled. */
void heap_watch(struct os_thread *self, struct object *o);

/* allocate.c */
void allocate_reset_thread(struct heap *h, struct os_thread *t);   /* forgets the buffers; world stopped */
void allocate_sweep_all(struct heap *h);                           /* every free line counts from now on */

/* collect.c: 'seen' is heap.collections as read before the decision: a collection since then serves as well. */
void collect_request(struct os_thread *self, const char *cause, bool clear_softs, uint64_t seen);
void collect_set_budget(struct heap *h);

/* mark.c */
void mark_prepare(struct heap *h, bool clear_softs);
void mark_object(struct marker *m, struct object *o);
void mark_drain(struct heap *h);                                   /* until nothing is left, with all workers */
bool mark_is_live(struct object *o);
void workers_run(struct heap *h, void (*task)(struct heap *h, unsigned index));
/* collect.c: the VM ends. */
bool workers_create(struct heap *h);
void workers_destroy(struct heap *h);

/* reference.c */
bool reference_discover(struct marker *m, struct object *reference, const struct shape *shape);  /* true: discovered */
void references_process(struct heap *h);                           /* after marking; marks what finalizers need */

/* tags.c */
void tags_drop_dead(struct heap *h);

/* card.c */
#ifdef VITRINE_CARDS
void cards_mark(const void *from, size_t bytes);                   /* those of [from, from + bytes), bytes > 0 */
/* At the end of marking: what is marked is old from now on, and no card is marked. World stopped. */
void cards_renew(struct heap *h);
#else
static inline void cards_mark(const void *from, size_t bytes) { (void)from, (void)bytes; }
static inline void cards_renew(struct heap *h) { (void)h; }
#endif
#if defined VITRINE_CARDS && defined VITRINE_CHECK
/* Before marking: is the card of each reference from an old object to a young one marked? Fatal if not.
 * World stopped. */
void cards_verify(struct heap *h);
#else
static inline void cards_verify(struct heap *h) { (void)h; }
#endif

/* walk.c */
const char *heap_class_name(const struct object *o);               /* for messages */
/* Calls visit for each reference slot of o, a Reference's referent and discovered included. */
void heap_each_slot(struct object *o, void (*visit)(void *arg, struct object *o, size_t offset), void *arg);
struct object *heap_find_start(const struct heap *h, const uint8_t *bits, uintptr_t word);
bool heap_walk_bits(const struct heap *h, const uint8_t *bits, bool (*visit)(void *arg, struct object *o), void *arg);

#endif
