/* heap.h — the heap: creation, allocation, the access layer for references, collection, walking, tag tables. */
#ifndef VITRINE_HEAP_HEAP_H
#define VITRINE_HEAP_HEAP_H

#include "base/base.h"
#include "heap/object.h"
#include "thread/thread.h"
#include "vm/vm.h"

/* ---- creation ------------------------------------------------------------------------------------------------- */

enum { HEAP_MARK_ITEMS = 510 };

struct heap_config {
    size_t initial_bytes, max_bytes;
    bool max_is_explicit;               /* -Xmx given: too large fails with the reason; default: shrinks and says so */
    unsigned stress_every;              /* collect at every n-th allocation; 0 = off (-XX:CollectEvery=n) */
    unsigned workers;                   /* marking threads; 0 = as many as processors, at most 4 */
    size_t mark_chunks;                 /* most work lists of HEAP_MARK_ITEMS each; 0 = no limit (MarkStackSizeMax) */
    bool verify_before, verify_after;   /* heap_verify around every collection (-XX:+VerifyBeforeGC, +VerifyAfterGC) */
    uint32_t time_ratio;                /* GCTimeRatio: the program's processor time by the collections' to aim at */
    uint32_t least_free, most_free;     /* per cent of the heap (MinHeapFreeRatio, MaxHeapFreeRatio) */
    int64_t soft_ms_per_mb;             /* SoftRefLRUPolicyMSPerMB                                                  */
};

/* Reserves below 32 GiB what max_bytes needs and makes vm->heap. Returns false with a malloc'd sentence in *error. */
bool heap_create(const struct heap_config *config, char **error);
/* The config's least_free and most_free from now on; the next collection reads them. Any thread. */
void heap_set_free(uint32_t least, uint32_t most);
/* objects_in_use: foreign code still holds addresses of array elements; the address range stays mapped for good. */
void heap_destroy(bool objects_in_use);

/* ---- allocation: zeroed objects; NULL with OutOfMemoryError pending in self when the heap is full --------------- */
/* Thread: in VM state; may collect (safepoint). */

/* What the inline paths end in when the buffer is too small: instances of `size` bytes only. */
struct object *heap_alloc_slow(struct os_thread *self, const struct shape *shape, size_t size);

/* Zeroed memory of `size` bytes for an object, whose header the caller writes, where that takes no collection, no event
 * and no stop; else 0: then it is heap_alloc_slow's. What compiled code calls in the midst of an instruction: it does
 * not look at frames. */
uintptr_t heap_take(struct os_thread *self, size_t size);

/* Instance of `shape` (SHAPE_INSTANCE, _MIRROR, _LOADER, _REFERENCE, _STATICS). Finalizer registration is not done
 * here. */
struct object *heap_alloc_instance(struct os_thread *self, const struct shape *shape);

/* Array of `length` >= 0 (checked by the caller); too large gives OutOfMemoryError "Requested array size exceeds VM
 * limit". */
struct object *heap_alloc_array(struct os_thread *self, const struct shape *shape, int32_t length);

/* Sampling of allocations: fires sampled_object_alloc for an object about every `interval` bytes that a thread
 * allocates, 0: for each, default 512 KiB. The object is complete but for its fields. Not for heap_try_alloc, not for
 * hidden threads, and not while the event is delivered in that thread. Watching: fires object_alloc for every object,
 * heap_try_alloc included. Either changes with the world stopped. The interval: IN_VM, may stop; self NULL before there
 * are threads. */
void heap_observe_allocations(bool samples, bool watched);
void heap_set_sampling_interval(struct os_thread *self, int64_t bytes);

/* Like the two above, but NULL without an exception when memory is short. Arrays: length >= 0 and size ignored;
 * instances: length -1 and size in bytes (0 = the shape's). */
struct object *heap_try_alloc(struct os_thread *self, const struct shape *shape, size_t size, int32_t length);

/* An instance that the program has allocated in its own view already, as what compiled code has kept in registers: some
 * memory of a full heap only these get: a 32nd of max_bytes, at most 512 KiB. NULL without an exception when that is
 * used up, too. Watched like heap_try_alloc's. */
struct object *heap_alloc_reserved(struct os_thread *self, const struct shape *shape);

/* Object-start bits of the heap: byte address >> 6, bit (address >> 3) & 7; exchanged with the mark bits at each
 * collection. A global because every allocation sets one; owned by vm->heap. */
extern uint8_t *heap_start_bits;

/* A byte of bits covers two lines, and only one thread at a time allocates in these: between two holes there is a line
 * in which nobody does. So a plain read-modify-write is enough. The header is in memory before the bit. */
static inline void heap_set_start(uintptr_t address) {
    atomic_signal_fence(memory_order_release);
    heap_start_bits[address >> 6] |= (uint8_t)(1u << ((address >> 3) & 7));
}

/* Longer arrays than this are not allocated inline. */
enum { HEAP_INLINE_LENGTH = 1024 };

/* The allocation fast paths, for the interpreter and compilers; same contract as heap_alloc_instance and
 * heap_alloc_array. */
static inline struct object *heap_alloc_instance_fast(struct os_thread *self, const struct shape *shape) {
    uintptr_t p = self->tlab.top;
    size_t size = shape->instance_size;
    if (UNLIKELY(self->tlab.end - p < size)) return heap_alloc_slow(self, shape, size);
    self->tlab.top = p + size;
    struct object *o = (struct object *)p;
    o->class_id = shape->id;
    heap_set_start(p);
    return o;
}
static inline struct object *heap_alloc_array_fast(struct os_thread *self, const struct shape *shape, int32_t length) {
    if (UNLIKELY((uint32_t)length > HEAP_INLINE_LENGTH)) return heap_alloc_array(self, shape, length);
    uintptr_t p = self->tlab.top;
    size_t size = ALIGN_UP(ARRAY_DATA + ((size_t)(uint32_t)length << shape->element_shift), OBJECT_ALIGN);
    if (UNLIKELY(self->tlab.end - p < size)) return heap_alloc_array(self, shape, length);
    self->tlab.top = p + size;
    struct array *a = (struct array *)p;
    a->object.class_id = shape->id;
    a->length = length;
    heap_set_start(p);
    return &a->object;
}

/* ---- access layer: the only code that reads or writes references in objects -------------------------------------- */
/* `o` is the object that holds the slot, for a static field the statics object; offsets are bytes from its start. Plain
 * accesses are relaxed atomics; volatile ones are seq_cst. */

/* What follows each store, behind it and before the thread can stop. VITRINE_CARDS: the slot's card is marked, so that
 * who looks for references from old objects to young ones need look at marked cards alone; the CHECK build also looks
 * that the holder is the true one. Else nothing. */
enum { HEAP_CARD_SHIFT = 9 };                                   /* a card is 512 bytes of heap, a byte of the table */
#ifdef VITRINE_CARDS
extern __attribute__((visibility("hidden"))) uint8_t *heap_cards;    /* 1: marked; by address >> HEAP_CARD_SHIFT */
#ifdef VITRINE_CHECK
void heap_check_slot(const struct object *o, size_t offset);
#endif
static inline void heap_mark_card(struct object *o, size_t offset) {
    __atomic_store_n(&heap_cards[((uintptr_t)o + offset) >> HEAP_CARD_SHIFT], 1, __ATOMIC_RELAXED);
#ifdef VITRINE_CHECK
    heap_check_slot(o, offset);
#endif
}
#else
static inline void heap_mark_card(struct object *o, size_t offset) { (void)o, (void)offset; }
#endif

static inline _Atomic ref_t *heap_ref_slot(struct object *o, size_t offset) {
    return (_Atomic ref_t *)((char *)o + offset);
}

static inline struct object *heap_load_ref(struct object *o, size_t offset) {
    return ref_decode(atomic_load_explicit(heap_ref_slot(o, offset), memory_order_relaxed));
}
static inline struct object *heap_load_ref_acquire(struct object *o, size_t offset) {
    return ref_decode(atomic_load_explicit(heap_ref_slot(o, offset), memory_order_acquire));
}
static inline struct object *heap_load_ref_volatile(struct object *o, size_t offset) {
    return ref_decode(atomic_load_explicit(heap_ref_slot(o, offset), memory_order_seq_cst));
}
static inline void heap_store_ref(struct object *o, size_t offset, struct object *value) {
    atomic_store_explicit(heap_ref_slot(o, offset), ref_encode(value), memory_order_relaxed);
    heap_mark_card(o, offset);
}
static inline void heap_store_ref_release(struct object *o, size_t offset, struct object *value) {
    atomic_store_explicit(heap_ref_slot(o, offset), ref_encode(value), memory_order_release);
    heap_mark_card(o, offset);
}
static inline void heap_store_ref_volatile(struct object *o, size_t offset, struct object *value) {
    atomic_store_explicit(heap_ref_slot(o, offset), ref_encode(value), memory_order_seq_cst);
    heap_mark_card(o, offset);
}
/* Returns the value found; it equals `expected` exactly when the exchange was done. */
static inline struct object *heap_cas_ref(struct object *o, size_t offset, struct object *expected,
                                          struct object *value) {
    ref_t e = ref_encode(expected);
    atomic_compare_exchange_strong(heap_ref_slot(o, offset), &e, ref_encode(value));
    heap_mark_card(o, offset);
    return ref_decode(e);
}
static inline struct object *heap_exchange_ref(struct object *o, size_t offset, struct object *value) {
    ref_t found = atomic_exchange(heap_ref_slot(o, offset), ref_encode(value));
    heap_mark_card(o, offset);
    return ref_decode(found);
}
static inline struct object *heap_array_get(struct object *a, int32_t i) {
    return heap_load_ref(a, ARRAY_DATA + (size_t)i * sizeof(ref_t));
}
static inline void heap_array_set(struct object *a, int32_t i, struct object *v) {
    heap_store_ref(a, ARRAY_DATA + (size_t)i * sizeof(ref_t), v);
}

/* Copies count references between arrays without type checks (overlap allowed); polls for stops on long copies. */
void heap_copy_refs(struct os_thread *self, struct object *src, int32_t src_index, struct object *dst,
                    int32_t dst_index, int32_t count);
/* Shallow copy of an object or array into a fresh one (monitor word clear); NULL with OutOfMemoryError pending. */
struct object *heap_clone(struct os_thread *self, struct object *o);

/* The referent of a java.lang.ref.Reference: weak load (keeps alive what it returns), clear without enqueueing. */
struct object *heap_reference_get(struct object *reference);
void heap_reference_clear(struct object *reference);
bool heap_reference_refers_to(struct object *reference, struct object *o);

/* Identity hash: 31 bits, positive, non-zero; from the address and a per-VM secret. Compiled code computes it, too
 * (emit_identity_hash in jit/optimising/emit_intrinsic.c). */
int32_t heap_identity_hash(const struct object *o);
uint32_t heap_hash_secret(void);
#define HASH_FACTOR_1 0x7feb352du
#define HASH_FACTOR_2 0x846ca68bu

/* ---- roots ------------------------------------------------------------------------------------------------------ */

/* Given to root visitors: report one strong root. The collector's visitor marks; other visitors (verification, heap
 * walks) bring their own functions. A visitor without `word` ignores conservative words: what they find is never
 * reported to a tool. */
struct heap_visitor {
    void (*object)(struct heap_visitor *v, struct object *o);        /* o is not NULL                    */
    void (*word)(struct heap_visitor *v, uintptr_t word);            /* may be NULL                      */
    void (*holder)(struct heap_visitor *v, struct class_holder *h);  /* may be NULL: not followed        */
};
void heap_visit(struct heap_visitor *v, struct object *o);           /* NULL is allowed */
/* A machine word that may point to or into an object. */
void heap_visit_word(struct heap_visitor *v, uintptr_t word);
/* The aligned words in [low, high). */
void heap_visit_words(struct heap_visitor *v, const void *low, const void *high);
/* Marks a class holder and, the first time, visits what it roots (by heap_hooks.visit_holder). */
void heap_visit_holder(struct heap_visitor *v, struct class_holder *h);
/* The known object that `word` points to or into; NULL when there is none. World stopped or racy. */
struct object *heap_object_at(uintptr_t word);

/* Offsets of java.lang.ref.Reference's fields, set by link/ as soon as the class is laid out. */
struct heap_reference_layout {
    uint32_t referent, next, discovered, queue;
    uint32_t soft_timestamp;
    int64_t *soft_clock;
};
void heap_set_reference_layout(const struct heap_reference_layout *layout);

/* Takes the list of pending References (linked through `discovered`) and leaves it empty. */
struct object *heap_take_pending_references(void);
bool heap_has_pending_references(void);

/* ---- collection ------------------------------------------------------------------------------------------------- */

/* Collects now; returns when done. Thread: in VM state. `cause` as HotSpot prints it, e.g. "System.gc()"; a constant.
 * The C frames since the thread entered the VM are not scanned: they may hold objects in handles only. Who asks for a
 * collection wants exactly what is unreachable to go, whatever older calls left in those frames. */
void heap_collect(struct os_thread *self, const char *cause, bool clear_softs);
/* As heap_collect, for a caller that holds plain pointers: its C frames are scanned. */
void heap_collect_here(struct os_thread *self, const char *cause, bool clear_softs);
/* Is a collection running, its pause included? Any thread, no locks: for signal handlers. */
bool heap_is_collecting(void);
/* Nesting per thread: while > 0 no collection runs (critical sections that hold raw element pointers do not
 * need it). */
void heap_disable_gc(struct os_thread *self);
void heap_enable_gc(struct os_thread *self);
/* The same for no thread in particular: no collection until each hold has been released. */
void heap_hold_gc(void);
void heap_release_gc(void);
/* thread_hooks: keeps the rest of an ending thread's buffer for another one; wakes who waits for a collection or for
 * leave to begin one. */
void heap_thread_ends(struct os_thread *t);
void heap_wake_waiters(void);

struct heap_stats {
    size_t used, committed, max, initial;
    uint64_t collections, collection_nanos, allocated_total;
    int64_t last_gc_millis;
    size_t used_after_collection;
}; /* what the last one left occupied; `used` counts on from there */
void heap_stats(struct heap_stats *out);
/* The last completed collection: number from 0, bytes used before and after, capacity before and after, class data
 * (bytes in arenas) before and after, when it began and ended (os_nanotime), how many threads marked. False: there was
 * none. No locks. */
struct heap_collection {
    uint64_t number;
    const char *cause;
    size_t before, after, capacity_before, capacity, metadata_before, metadata_after;
    int64_t began, ended, nanos;
    unsigned workers;
};
bool heap_last_collection(struct heap_collection *out);
/* Calls heap_hooks.usage_reached once, as soon as `bytes` are in use; SIZE_MAX: never. Replaces the watch before. */
void heap_watch_usage(size_t bytes);
/* The reservation: [*low, *high). */
void heap_bounds(uintptr_t *low, uintptr_t *high);
/* The heap as the library's HotSpot describes a generation of one space: sizes, where it begins, where the memory that
 * it has ends, and where its reservation does. `before` stands in front of each of the two lines. No locks. */
void heap_describe(char *out, size_t size, const char *before);
/* The same with other figures. */
void heap_describe_as(char *out, size_t size, const char *before, size_t used, size_t capacity);
enum { HEAP_DESCRIPTION = 400 };         /* there is room for one */
/* Bytes allocated by t, which is kept (thread/identity.h); -1 while it is unmounted. */
int64_t heap_thread_allocated(const struct java_thread *t);
/* Checks every object and reference; prints what is wrong; returns the number of faults. World stopped. */
unsigned heap_verify(const char *when);

/* ---- walking ---------------------------------------------------------------------------------------------------- */

/* Is `p` the address of a known (not dead) object? No locks; for stale handles and checking modes. */
bool heap_is_object(const void *p);
/* The reservation: its start, and its size in bytes and in units of 8 bytes. */
extern __attribute__((visibility("hidden"))) uintptr_t heap_low, heap_bytes, heap_units;
/* Does p lie there? */
static inline bool heap_reaches(const void *p) { return (uintptr_t)p - heap_low < heap_bytes; }
/* Can this be the address of an object: in the heap and aligned? One comparison, which finds a forged reference. */
static inline bool heap_may_be_object(const void *p) {
    uintptr_t d = (uintptr_t)p - heap_low;
    return (d >> 3 | d << 61) < heap_units;
}
/* Every object that the collection under way has found dead. In gc_marked only. */
void heap_walk_dead(bool (*visit)(void *arg, struct object *o), void *arg);
/* Calls visit for every known object until it returns false. World stopped. */
void heap_walk(bool (*visit)(void *arg, struct object *o), void *arg);
/* One bit per 8 bytes of heap, for traversals: all clear; NULL when memory is short. Not for several threads
 * at once. */
struct heap_bitmap { uint8_t *bits; void *memory; };    /* bits: byte address >> 6, bit (address >> 3) & 7 */
struct heap_bitmap *heap_bitmap_new(void);
void heap_bitmap_free(struct heap_bitmap *b);
static inline bool heap_bitmap_test(const struct heap_bitmap *b, const struct object *o) {
    return b->bits[(uintptr_t)o >> 6] >> ((uintptr_t)o >> 3 & 7) & 1;
}
/* True if it was set before. */
static inline bool heap_bitmap_test_and_set(struct heap_bitmap *b, const struct object *o) {
    uint8_t *byte = &b->bits[(uintptr_t)o >> 6], bit = (uint8_t)(1u << ((uintptr_t)o >> 3 & 7));
    bool was = (*byte & bit) != 0;
    *byte |= bit;
    return was;
}

/* ---- tags: side tables per block and environment ----------------------------------------------------------------- */

struct tag_table;                                                                /* one per JVM TI environment */
struct tag_table *heap_tags_new(int env_index);    /* env_index is handed to object_freed */
void heap_tags_free(struct tag_table *t);
int64_t heap_tag_get(struct tag_table *t, const struct object *o);
bool heap_tag_set(struct tag_table *t, struct object *o, int64_t tag);           /* false: out of memory */
/* The same for the thread that stopped the world, without the cost of other threads. tag_words: of the same table, by
 * block of 1 << TAG_BLOCK_SHIFT bytes; most tags are found without a call. */
enum { TAG_BLOCK_SHIFT = 15, TAG_SLOT_SHIFT = 4, TAG_SLOTS = 1 << (TAG_BLOCK_SHIFT - TAG_SLOT_SHIFT) };
enum { TAG_FORM_DENSE32 = 4, TAG_FORM_MASK = 7, TAG_DENSE_SLOTS = 8 };
const _Atomic uint64_t *heap_tag_words(const struct tag_table *t);
int64_t heap_tag_get_stopped_slow(struct tag_table *t, const struct object *o);
bool heap_tag_set_stopped(struct tag_table *t, struct object *o, int64_t tag);
/* The object's slot of 32 bits; NULL: its block has none. */
static inline const _Atomic uint32_t *heap_tag_slot(const _Atomic uint64_t *tag_words, const struct object *o) {
    uintptr_t at = (uintptr_t)o - heap_low;
    uint64_t w = atomic_load_explicit(&tag_words[at >> TAG_BLOCK_SHIFT], memory_order_relaxed);
    if ((w & TAG_FORM_MASK) != TAG_FORM_DENSE32) return NULL;
    uintptr_t slots = (uintptr_t)w - TAG_FORM_DENSE32 + TAG_DENSE_SLOTS;
    return (const _Atomic uint32_t *)slots + (at >> TAG_SLOT_SHIFT & (TAG_SLOTS - 1));
}
static inline int64_t heap_tag_get_stopped(struct tag_table *t, const _Atomic uint64_t *tag_words,
                                           const struct object *o) {
    const _Atomic uint32_t *slot = heap_tag_slot(tag_words, o);
    uint32_t tag = slot != NULL ? atomic_load_explicit(slot, memory_order_relaxed) : UINT32_MAX;
    return LIKELY(tag != UINT32_MAX) ? tag : heap_tag_get_stopped_slow(t, o);
}
/* Around a walk that may tag many objects, in any order: blocks take the form for many tags sooner, and those that come
 * to few take the form for few at the end. World stopped throughout. */
void heap_tags_fill_begin(struct tag_table *t);
void heap_tags_fill_end(struct tag_table *t);
/* Every object with a tag that is wanted (NULL: every tag), until visit returns false. World stopped or no collection
 * possible. */
void heap_tags_walk(struct tag_table *t, bool (*wanted)(void *arg, int64_t tag),
                    bool (*visit)(void *arg, struct object *o, int64_t tag), void *arg);
size_t heap_tags_bytes(struct tag_table *t);

#endif
