/* heap.h — the heap: creation, allocation, the access layer for references, collection, walking, tag tables. */
#ifndef VITRINE_HEAP_HEAP_H
#define VITRINE_HEAP_HEAP_H

#include "base/base.h"
#include "heap/object.h"
#include "thread/thread.h"
#include "vm.h"

/* ---- creation ------------------------------------------------------------------------------------------------- */

struct heap_config {
    size_t initial_bytes, max_bytes;
    bool max_is_explicit;               /* -Xmx given: too large fails with the reason; default: shrinks and says so */
    unsigned stress_every;              /* collect at every n-th allocation; 0 = off (-XX:CollectEvery=n) */
    unsigned workers;                   /* marking threads; 0 = as many as processors, at most 4 */
    bool verify_before, verify_after;   /* heap_verify around every collection (-XX:+VerifyBeforeGC, +VerifyAfterGC) */
    uint32_t time_ratio;                /* GCTimeRatio: running time divided by collecting time to aim at */
    int64_t soft_ms_per_mb;             /* SoftRefLRUPolicyMSPerMB                                                  */
};

/* Reserves below 32 GiB what max_bytes needs and makes vm->heap. Returns false with a malloc'd sentence in *error. */
bool heap_create(const struct heap_config *config, char **error);
/* objects_in_use: foreign code still holds addresses of array elements; the address range stays mapped for good. */
void heap_destroy(bool objects_in_use);

/* ---- allocation: zeroed objects; NULL with OutOfMemoryError pending in self when the heap is full --------------- */
/* Thread: in VM state; may collect (safepoint). */

/* What the inline paths end in when the buffer is too small: instances of `size` bytes only. */
struct object *heap_alloc_slow(struct os_thread *self, const struct shape *shape, size_t size);

/* Instance of `shape` (SHAPE_INSTANCE, _MIRROR, _LOADER, _REFERENCE, _STATICS). Finalizer registration is not done here. */
struct object *heap_alloc_instance(struct os_thread *self, const struct shape *shape);

/* Array of `length` >= 0 (checked by the caller); too large gives OutOfMemoryError "Requested array size exceeds VM limit". */
struct object *heap_alloc_array(struct os_thread *self, const struct shape *shape, int32_t length);

/* Sampling of allocations (SampledObjectAlloc): calls the hook for an object about every `interval` bytes that a thread allocates, 0: for
 * each, default 512 KiB. The object is complete but for its fields. Not for heap_try_alloc, and not while the hook runs in that thread.
 * Thread: IN_VM; self NULL before there are threads. */
extern void (*heap_sample_hook)(struct os_thread *self, struct object *o);
/* Watching of allocations: every object, when it is complete but for its fields. Under the same conditions, heap_try_alloc included. */
extern void (*heap_alloc_hook)(struct os_thread *self, struct object *o);
bool heap_is_watching(void);
void heap_set_watching(struct os_thread *self, bool on);
bool heap_is_sampling(void);
void heap_set_sampling(struct os_thread *self, bool on);
void heap_set_sampling_interval(struct os_thread *self, int64_t bytes);

/* Like the two above, but NULL without an exception when memory is short. Arrays: length >= 0 and size ignored; instances:
 * length -1 and size in bytes (0 = the shape's). */
struct object *heap_try_alloc(struct os_thread *self, const struct shape *shape, size_t size, int32_t length);

/* Object-start bits of the heap: byte address >> 6, bit (address >> 3) & 7; exchanged with the mark bits at each collection.
 * A global because every allocation sets one; owned by vm->heap. */
extern uint8_t *heap_start_bits;

/* A byte of bits covers two lines, and only one thread at a time allocates in these: between two holes there is a line in which nobody
 * does. So a plain read-modify-write is enough. The header is in memory before the bit. */
static inline void heap_set_start(uintptr_t address) {
    atomic_signal_fence(memory_order_release);
    heap_start_bits[address >> 6] |= (uint8_t)(1u << ((address >> 3) & 7));
}

/* The allocation fast paths, for the interpreter and compilers; same contract as heap_alloc_instance and heap_alloc_array. */
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
    if (UNLIKELY((uint32_t)length > 1024)) return heap_alloc_array(self, shape, length);
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
/* Offsets are bytes from the object's start. Plain accesses are relaxed atomics; volatile ones are seq_cst. */

static inline _Atomic ref_t *heap_ref_slot(struct object *o, size_t offset) { return (_Atomic ref_t *)((char *)o + offset); }

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
}
static inline void heap_store_ref_release(struct object *o, size_t offset, struct object *value) {
    atomic_store_explicit(heap_ref_slot(o, offset), ref_encode(value), memory_order_release);
}
static inline void heap_store_ref_volatile(struct object *o, size_t offset, struct object *value) {
    atomic_store_explicit(heap_ref_slot(o, offset), ref_encode(value), memory_order_seq_cst);
}
/* Returns the value found; it equals `expected` exactly when the exchange was done. */
static inline struct object *heap_cas_ref(struct object *o, size_t offset, struct object *expected, struct object *value) {
    ref_t e = ref_encode(expected);
    atomic_compare_exchange_strong(heap_ref_slot(o, offset), &e, ref_encode(value));
    return ref_decode(e);
}
static inline struct object *heap_exchange_ref(struct object *o, size_t offset, struct object *value) {
    return ref_decode(atomic_exchange(heap_ref_slot(o, offset), ref_encode(value)));
}
static inline struct object *heap_array_get(struct object *a, int32_t i) { return heap_load_ref(a, ARRAY_DATA + (size_t)i * sizeof(ref_t)); }
static inline void heap_array_set(struct object *a, int32_t i, struct object *v) { heap_store_ref(a, ARRAY_DATA + (size_t)i * sizeof(ref_t), v); }

/* Copies count references between arrays without type checks (overlap allowed); polls for stops on long copies. */
void heap_copy_refs(struct os_thread *self, struct object *src, int32_t src_index, struct object *dst, int32_t dst_index, int32_t count);
/* Shallow copy of an object or array into a fresh one (monitor word clear); NULL with OutOfMemoryError pending. */
struct object *heap_clone(struct os_thread *self, struct object *o);

/* The referent of a java.lang.ref.Reference: weak load (keeps alive what it returns), clear without enqueueing. */
struct object *heap_reference_get(struct object *reference);
void heap_reference_clear(struct object *reference);
bool heap_reference_refers_to(struct object *reference, struct object *o);

/* Identity hash: 31 bits, positive, non-zero; from the address and a per-VM secret. */
int32_t heap_identity_hash(const struct object *o);

/* ---- roots ------------------------------------------------------------------------------------------------------ */

/* Given to root visitors: report one strong root. The collector's visitor marks; other visitors (verification, heap walks) bring
 * their own functions. A visitor without `word` ignores conservative words: what they find is never reported to a tool. */
struct heap_visitor {
    void (*object)(struct heap_visitor *v, struct object *o);        /* o is not NULL                    */
    void (*word)(struct heap_visitor *v, uintptr_t word);            /* may be NULL                      */
    void (*holder)(struct heap_visitor *v, struct class_holder *h);  /* may be NULL: not followed        */
};
void heap_visit(struct heap_visitor *v, struct object *o);           /* NULL is allowed */
void heap_visit_ref(struct heap_visitor *v, ref_t r);
/* A machine word that may point to or into an object. */
void heap_visit_word(struct heap_visitor *v, uintptr_t word);
/* The aligned words in [low, high). */
void heap_visit_words(struct heap_visitor *v, const void *low, const void *high);
/* Marks a class holder and, the first time, visits what it roots (through the registered visit_holder). */
void heap_visit_holder(struct heap_visitor *v, struct class_holder *h);
/* The known object that `word` points to or into; NULL when there is none. World stopped or racy. */
struct object *heap_object_at(uintptr_t word);

/* What the rooms above register. All are called at a safepoint by a collecting thread; visit_holder and holder_of also by
 * marking threads that are no carriers, several at once (each holder is visited once per marking, by one of them): they take no
 * locks and only read. Order: begin, visit_roots (visit_holder, holder_of), clear_weak, object_freed, unload, end, and after the
 * world runs again references_pending. unload also clears `marked` of the surviving holders that are not permanent. */
struct heap_collection;
struct heap_hooks {
    void (*visit_roots)(struct heap_visitor *v);                              /* thread stacks, handles, VM roots          */
    void (*visit_holder)(struct heap_visitor *v, struct class_holder *h);     /* mirrors, statics, cells, loader object    */
    struct class_holder *(*holder_of)(struct object *mirror_or_loader);       /* for SHAPE_MIRROR and SHAPE_LOADER; NULL ok */
    void (*clear_weak)(bool (*is_live)(struct object *o));                    /* weak handles, string table, monitors, tags... */
    void (*unload)(void);                                                     /* unmarked holders are to be unloaded       */
    void (*begin)(const char *cause); void (*end)(void);                      /* GarbageCollectionStart/Finish: world stopped */
    /* Around the whole: announce before the world stops (the thread may run foreign code; false: nobody wants to know), and if that was
     * true conclude afterwards: world stopped, or running when it did not come to a collection. By one thread at a time. */
    bool (*announce)(struct os_thread *self); void (*conclude)(struct os_thread *self);
    void (*marked)(struct os_thread *self);                                   /* what is dead is known and still readable; heap_walk_dead */
    void (*collected)(const struct heap_collection *c);                       /* the figures of a collection, before `end` */
    void (*out_of_memory)(struct os_thread *self, const char *message);       /* makes OutOfMemoryError pending            */
    void (*references_pending)(void);                                         /* wakes Reference Handler after a collection */
    void (*object_freed)(int env_index, int64_t tag);                         /* tagged object died (at the end of marking) */
};
/* Takes over the entries that are not NULL: every room registers its part. After heap_create. */
void heap_set_hooks(const struct heap_hooks *hooks);

/* Offsets of java.lang.ref.Reference's fields, set by link/ as soon as the class is laid out. */
struct heap_reference_layout { uint32_t referent, next, discovered, queue; uint32_t soft_timestamp; int64_t *soft_clock; };
void heap_set_reference_layout(const struct heap_reference_layout *layout);

/* Takes the list of pending References (linked through `discovered`) and leaves it empty. */
struct object *heap_take_pending_references(void);
bool heap_has_pending_references(void);

/* ---- collection ------------------------------------------------------------------------------------------------- */

/* Collects now; returns when done. Thread: in VM state. `cause` as HotSpot prints it, e.g. "System.gc()"; a constant. The C frames since
 * the thread entered the VM are not scanned: they may hold objects in handles only. Who asks for a collection wants exactly what is
 * unreachable to go, whatever older calls left in those frames. */
void heap_collect(struct os_thread *self, const char *cause, bool clear_softs);
/* Is a collection running, its pause included? Any thread, no locks: for signal handlers. */
bool heap_is_collecting(void);
/* Nesting per thread: while > 0 no collection runs (critical sections that hold raw element pointers do not need it). */
void heap_disable_gc(struct os_thread *self);
void heap_enable_gc(struct os_thread *self);
/* The same for no thread in particular: no collection until each hold has been released. */
void heap_hold_gc(void);
void heap_release_gc(void);
/* Whether heap_hooks.announce and conclude are called. */
void heap_set_announcing(bool on);

struct heap_stats { size_t used, committed, max, initial; uint64_t collections, collection_nanos, allocated_total; int64_t last_gc_millis;
                    size_t used_after_collection; };      /* what the last one left occupied; `used` counts on from there */
void heap_stats(struct heap_stats *out);
/* The last completed collection: number from 0, bytes used before and after, capacity before and after, class data (bytes in arenas)
 * before and after, when it began and ended (os_nanotime), how many threads marked. False: there was none. No locks. */
struct heap_collection { uint64_t number; const char *cause; size_t before, after, capacity_before, capacity, metadata_before, metadata_after;
                         int64_t began, ended, nanos; unsigned workers; };
bool heap_last_collection(struct heap_collection *out);
/* Calls reached() once, as soon as `bytes` are in use; SIZE_MAX: never. In an allocating thread, without locks: it neither blocks nor
 * allocates. Replaces the watch before. */
void heap_watch_usage(size_t bytes, void (*reached)(void));
/* The reservation: [*low, *high). */
void heap_bounds(uintptr_t *low, uintptr_t *high);
uint64_t heap_thread_allocated(struct os_thread *t);
/* Checks every object and reference; prints what is wrong; returns the number of faults. World stopped. */
unsigned heap_verify(const char *when);

/* ---- walking ---------------------------------------------------------------------------------------------------- */

/* Is `p` the address of a known (not dead) object? No locks; for stale handles and checking modes. */
bool heap_is_object(const void *p);
/* The reservation: its start, and its size in bytes and in units of 8 bytes. */
extern __attribute__((visibility("hidden"))) uintptr_t heap_low, heap_bytes, heap_units;
/* Does p lie there? */
static inline bool heap_reaches(const void *p) { return (uintptr_t)p - heap_low < heap_bytes; }
/* Can this be the address of an object: in the heap and aligned? One comparison, by which a forged reference is told. */
static inline bool heap_may_be_object(const void *p) {
    uintptr_t d = (uintptr_t)p - heap_low;
    return (d >> 3 | d << 61) < heap_units;
}
/* Every object that the collection under way has found dead. In heap_hooks.marked only. */
void heap_walk_dead(bool (*visit)(void *arg, struct object *o), void *arg);
/* Calls visit for every known object until it returns false. World stopped. */
void heap_walk(bool (*visit)(void *arg, struct object *o), void *arg);
/* One bit per 8 bytes of heap, for traversals: all clear; NULL when memory is short. Not for several threads at once. */
struct heap_bitmap { uint8_t *bits; void *memory; };                             /* bits: byte address >> 6, bit (address >> 3) & 7 */
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

/* ---- tags: side tables per block and environment ------------------------------------------------------------------ */

struct tag_table;                                                                /* one per JVM TI environment */
struct tag_table *heap_tags_new(int env_index);                                  /* env_index is handed to object_freed */
void heap_tags_free(struct tag_table *t);
int64_t heap_tag_get(struct tag_table *t, const struct object *o);
bool heap_tag_set(struct tag_table *t, struct object *o, int64_t tag);           /* false: out of memory */
/* The same for the thread that stopped the world, without the cost of other writers. */
bool heap_tag_set_stopped(struct tag_table *t, struct object *o, int64_t tag);
/* Every object with a tag that is wanted (NULL: every tag), until visit returns false. World stopped or no collection possible. */
void heap_tags_walk(struct tag_table *t, bool (*wanted)(void *arg, int64_t tag), bool (*visit)(void *arg, struct object *o, int64_t tag),
                    void *arg);
size_t heap_tags_bytes(struct tag_table *t);

#endif
