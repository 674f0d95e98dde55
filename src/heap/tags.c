/* tags.c — object tags: per environment one word per block that says where the tags of the block's objects are.
 *
 *   word = 0                          no tags
 *   tag (32) | 0 | slot (11) | 001    one tag, in the word itself
 *   address | SPARSE (2)              struct sparse: few tags, open addressing by slot; under the table's lock
 *   address | DENSE32 (4)             struct dense: 2048 tags of 32 bits; no lock
 *   address | DENSE64 (6)             struct dense: 2048 tags of 64 bits; no lock
 *
 * Slot = 16 bytes of heap: objects are at least that long, so no two begin in one slot. A block goes from one form to a
 * larger one under the lock, and to a smaller one at the end of marking. A 32-bit slot that has been widened holds
 * MOVED for ever, so that readers and writers that came through the old word notice and take
 * the lock. */
#include "heap/heap_internal.h"

#include "base/alloc.h"

enum { SLOT_SHIFT = TAG_SLOT_SHIFT, SLOTS = TAG_SLOTS };
enum { FORM_INLINE = 1, FORM_SPARSE = 2, FORM_DENSE32 = TAG_FORM_DENSE32, FORM_DENSE64 = 6, FORM_MASK = TAG_FORM_MASK };
_Static_assert((int)TAG_BLOCK_SHIFT == (int)BLOCK_SHIFT, "tags are by block");
/* A dense record is 8 KiB: 51 bytes for each of 160 tags, less than a hash table of objects takes, and filling one
 * costs no search. */
enum { DENSE_FROM = 160, SPARSE_BELOW = 80, FOLLOW_FROM = 12 };

#define MOVED     UINT32_MAX
#define KEY_EMPTY UINT16_MAX

struct sparse {
    uint16_t count, capacity;
    bool wide;
    /* values[capacity] of 4 or 8 bytes at 8, then uint16_t keys[capacity] */
};
enum { SPARSE_VALUES = 8 };

struct dense {
    struct dense *next_retired;
    _Alignas(8) char slots[];
};
_Static_assert(offsetof(struct dense, slots) == TAG_DENSE_SLOTS, "heap_tag_slot looks elsewhere");

/* What the end of marking finds in one block. */
struct dying {
    unsigned count, live;
    bool live_wide;
    struct tag_table *table;
    size_t block;
    int64_t tags[SLOTS];
    uint16_t slots[SLOTS];
};

struct tag_table {
    struct tag_table *next;
    struct lock lock;
    int env_index;
    uintptr_t base;
    size_t blocks;
    bool filling;                        /* between heap_tags_fill_begin and _end               */
    size_t bytes;                        /* of all sparse and dense records; under the lock     */
    struct dense *retired;               /* widened; freed at the next stop                     */
    struct dying dying;                  /* too large for a stack                               */
    _Atomic uint64_t words[];
};

static bool fits32(int64_t tag) { return (uint64_t)tag < MOVED; }

/* ---- sparse records ---------------------------------------------------------------------------------------------- */

static size_t sparse_bytes(unsigned capacity, bool wide) {
    return SPARSE_VALUES + (size_t)capacity * ((wide ? 8 : 4) + sizeof(uint16_t));
}
static uint16_t *sparse_keys(const struct sparse *s) {
    return (uint16_t *)((char *)s + SPARSE_VALUES + (size_t)s->capacity * (s->wide ? 8 : 4));
}
static int64_t sparse_value(const struct sparse *s, unsigned i) {
    return s->wide ? ((const int64_t *)((const char *)s + SPARSE_VALUES))[i]
                   : (int64_t)((const uint32_t *)((const char *)s + SPARSE_VALUES))[i];
}
static void sparse_put(struct sparse *s, unsigned i, uint16_t key, int64_t tag) {
    sparse_keys(s)[i] = key;
    if (s->wide) ((int64_t *)((char *)s + SPARSE_VALUES))[i] = tag;
    else ((uint32_t *)((char *)s + SPARSE_VALUES))[i] = (uint32_t)tag;
}

static struct sparse *sparse_new(struct tag_table *t, unsigned capacity, bool wide) {
    struct sparse *s = mem_alloc(sparse_bytes(capacity, wide));
    if (s == NULL) return NULL;
    *s = (struct sparse){ 0, (uint16_t)capacity, wide };
    memset(sparse_keys(s), 0xff, capacity * sizeof(uint16_t));
    t->bytes += sparse_bytes(capacity, wide);
    return s;
}

static void sparse_free(struct tag_table *t, struct sparse *s) {
    t->bytes -= sparse_bytes(s->capacity, s->wide);
    mem_free(s);
}

static unsigned sparse_home(const struct sparse *s, uint16_t key) {
    return (unsigned)((uint32_t)key * 40503u % 65536u * s->capacity >> 16);
}
static unsigned sparse_next(const struct sparse *s, unsigned i) { return i + 1 == s->capacity ? 0 : i + 1; }

/* Where `key` is or belongs. There is always an empty entry. */
static unsigned sparse_find(const struct sparse *s, uint16_t key) {
    const uint16_t *keys = sparse_keys(s);
    unsigned i = sparse_home(s, key);
    while (keys[i] != key && keys[i] != KEY_EMPTY) i = sparse_next(s, i);
    return i;
}

static void sparse_add(struct sparse *s, uint16_t key, int64_t tag) {
    sparse_put(s, sparse_find(s, key), key, tag);
    s->count++;
}

/* Closes the gap so that every later entry of the run can still be reached from its home. */
static void sparse_remove(struct sparse *s, unsigned gap) {
    uint16_t *keys = sparse_keys(s);
    for (unsigned i = sparse_next(s, gap); keys[i] != KEY_EMPTY; i = sparse_next(s, i)) {
        unsigned home = sparse_home(s, keys[i]);
        bool reachable = gap <= i ? gap < home && home <= i : gap < home || home <= i;
        if (reachable) continue;
        sparse_put(s, gap, keys[i], sparse_value(s, i));
        gap = i;
    }
    keys[gap] = KEY_EMPTY;
    s->count--;
}

/* ---- dense records ----------------------------------------------------------------------------------------------- */

static size_t dense_bytes(bool wide) { return sizeof(struct dense) + (size_t)SLOTS * (wide ? 8 : 4); }
static _Atomic uint32_t *dense32(struct dense *d) { return (_Atomic uint32_t *)d->slots; }
static _Atomic int64_t *dense64(struct dense *d) { return (_Atomic int64_t *)d->slots; }

static struct dense *dense_new(struct tag_table *t, bool wide) {
    struct dense *d = mem_zalloc(dense_bytes(wide));
    if (d != NULL) t->bytes += dense_bytes(wide);
    return d;
}

static void dense_free(struct tag_table *t, struct dense *d, bool wide) {
    t->bytes -= dense_bytes(wide);
    mem_free(d);
}

/* A slot of 32 bits: while nobody widens (the lock, or a record that nobody else has seen). */
static void dense_put(struct dense *d, bool wide, unsigned slot, int64_t tag) {
    if (wide) atomic_store_explicit(&dense64(d)[slot], tag, memory_order_release);
    else atomic_store_explicit(&dense32(d)[slot], (uint32_t)tag, memory_order_release);
}

/* How many tags a dense record has; not more than `enough`, where looking ends. Nobody counts while tags are set: that
 * would make setting one twice as slow. */
static unsigned dense_count(struct dense *d, bool wide, unsigned enough) {
    unsigned count = 0;
    for (unsigned i = 0; i < SLOTS && count < enough; i++)
        count += wide ? atomic_load_explicit(&dense64(d)[i], memory_order_relaxed) != 0
                      : atomic_load_explicit(&dense32(d)[i], memory_order_relaxed) != 0;
    return count;
}

/* ---- the word of a block ----------------------------------------------------------------------------------------- */

static unsigned form_of(uint64_t w) { return w & FORM_INLINE ? FORM_INLINE : (unsigned)(w & FORM_MASK); }
static void *record_of(uint64_t w) { return (void *)(uintptr_t)(w & ~(uint64_t)FORM_MASK); }
static uint64_t word_of(void *record, unsigned form) { return (uint64_t)(uintptr_t)record | form; }
static uint64_t word_inline(uint16_t slot, int64_t tag) {
    return (uint64_t)tag << 32 | (uint64_t)slot << 3 | FORM_INLINE;
}
static uint16_t inline_slot(uint64_t w) { return (uint16_t)(w >> 3) & (SLOTS - 1); }
static int64_t inline_tag(uint64_t w) { return (int64_t)(w >> 32); }

static void set_word(struct tag_table *t, size_t block, uint64_t w) {
    atomic_store_explicit(&t->words[block], w, memory_order_release);
}

/* Whoever tags everything in order of address has just filled the block before: then the steps up to there
 * are saved. */
static bool follows_dense(const struct tag_table *t, size_t block) {
    uint64_t before = block > 0 ? atomic_load_explicit(&t->words[block - 1], memory_order_acquire) : 0;
    if (form_of(before) != FORM_DENSE32 && form_of(before) != FORM_DENSE64) return false;
    return dense_count(record_of(before), form_of(before) == FORM_DENSE64, SPARSE_BELOW) == SPARSE_BELOW;
}

/* A sparse record that holds s's entries (NULL: none) with room for more, or a dense one when there are too many. */
static uint64_t grown(struct tag_table *t, size_t block, struct sparse *s, bool wide) {
    unsigned count = s != NULL ? s->count : 0;
    bool follows = t->filling ? count >= FOLLOW_FROM || follows_dense(t, block)
                              : count >= FOLLOW_FROM && follows_dense(t, block);
    bool dense = count + 1 >= DENSE_FROM || follows;
    wide |= s != NULL && s->wide;
    void *record;
    if (dense) record = dense_new(t, wide);
    else record = sparse_new(t, count < 4 ? 6 : MIN(count + count / 2, (unsigned)(DENSE_FROM + DENSE_FROM / 4)), wide);
    if (record == NULL) return 0;
    for (unsigned i = 0; s != NULL && i < s->capacity; i++) {
        uint16_t key = sparse_keys(s)[i];
        if (key == KEY_EMPTY) continue;
        if (dense) dense_put(record, wide, key, sparse_value(s, i));
        else sparse_add(record, key, sparse_value(s, i));
    }
    return word_of(record, dense ? wide ? FORM_DENSE64 : FORM_DENSE32 : FORM_SPARSE);
}

/* 32-bit slots become 64-bit ones. The old record stays readable until the next stop. */
static bool widen(struct tag_table *t, size_t block, struct dense *old) {
    struct dense *d = dense_new(t, true);
    if (d == NULL) return false;
    for (unsigned i = 0; i < SLOTS; i++) {
        uint32_t tag = atomic_exchange_explicit(&dense32(old)[i], MOVED, memory_order_acq_rel);
        if (tag != 0) dense_put(d, true, i, tag);
    }
    set_word(t, block, word_of(d, FORM_DENSE64));
    old->next_retired = t->retired;
    t->retired = old;
    return true;
}

static bool set_locked(struct tag_table *t, size_t block, uint16_t slot, int64_t tag) {
    MAY_ALLOCATE("the caller learns that the tag is not set");
    for (;;) {
        uint64_t w = atomic_load_explicit(&t->words[block], memory_order_acquire);
        if (w == 0) {
            if (tag == 0) return true;
            if (fits32(tag) && !(t->filling && follows_dense(t, block))) {
                set_word(t, block, word_inline(slot, tag));
                return true;
            }
            if ((w = grown(t, block, NULL, !fits32(tag))) == 0) return false;
            set_word(t, block, w);
            continue;
        }
        switch (form_of(w)) {
        case FORM_INLINE: {
            bool same = inline_slot(w) == slot;
            if (same && fits32(tag)) { set_word(t, block, tag == 0 ? 0 : word_inline(slot, tag)); return true; }
            if (tag == 0) return true;
            uint64_t fresh = grown(t, block, NULL, !fits32(tag));
            if (fresh == 0) return false;
            if (form_of(fresh) == FORM_SPARSE) sparse_add(record_of(fresh), inline_slot(w), inline_tag(w));
            else dense_put(record_of(fresh), form_of(fresh) == FORM_DENSE64, inline_slot(w), inline_tag(w));
            set_word(t, block, fresh);
            continue;
        }
        case FORM_SPARSE: {
            struct sparse *s = record_of(w);
            unsigned i = sparse_find(s, slot);
            bool found = sparse_keys(s)[i] == slot;
            if (tag == 0) {
                if (found) sparse_remove(s, i);
                if (s->count == 0) { set_word(t, block, 0); sparse_free(t, s); }
                return true;
            }
            if ((s->wide || fits32(tag)) && (found || (s->count + 1) * 8 <= s->capacity * 7)) {
                sparse_put(s, i, slot, tag);
                s->count = (uint16_t)(s->count + !found);
                return true;
            }
            uint64_t fresh = grown(t, block, s, !fits32(tag));
            if (fresh == 0) return false;
            set_word(t, block, fresh);
            sparse_free(t, s);
            continue;
        }
        case FORM_DENSE32:
            /* Under the lock nobody widens, so the slot cannot be MOVED. */
            if (fits32(tag)) { dense_put(record_of(w), false, slot, tag); return true; }
            if (!widen(t, block, record_of(w))) return false;
            continue;
        default:
            dense_put(record_of(w), true, slot, tag);
            return true;
        }
    }
}

static int64_t get_locked(struct tag_table *t, size_t block, uint16_t slot) {
    uint64_t w = atomic_load_explicit(&t->words[block], memory_order_acquire);
    if (w == 0) return 0;
    switch (form_of(w)) {
    case FORM_INLINE: return inline_slot(w) == slot ? inline_tag(w) : 0;
    case FORM_SPARSE: {
        struct sparse *s = record_of(w);
        unsigned i = sparse_find(s, slot);
        return sparse_keys(s)[i] == slot ? sparse_value(s, i) : 0;
    }
    case FORM_DENSE32: return atomic_load_explicit(&dense32(record_of(w))[slot], memory_order_acquire);
    default: return atomic_load_explicit(&dense64(record_of(w))[slot], memory_order_acquire);
    }
}

/* ---- public ------------------------------------------------------------------------------------------------------ */

int64_t heap_tag_get(struct tag_table *t, const struct object *o) {
    uintptr_t at = (uintptr_t)o - t->base;
    size_t block = at >> BLOCK_SHIFT;
    uint16_t slot = (uint16_t)(at >> SLOT_SHIFT) & (SLOTS - 1);
    uint64_t w = atomic_load_explicit(&t->words[block], memory_order_acquire);
    if (w == 0) return 0;
    unsigned form = form_of(w);
    if (form == FORM_INLINE) return inline_slot(w) == slot ? inline_tag(w) : 0;
    if (form == FORM_DENSE64) return atomic_load_explicit(&dense64(record_of(w))[slot], memory_order_acquire);
    if (form == FORM_DENSE32) {
        uint32_t tag = atomic_load_explicit(&dense32(record_of(w))[slot], memory_order_acquire);
        if (LIKELY(tag != MOVED)) return tag;
    }
    lock_acquire(&t->lock);
    int64_t tag = get_locked(t, block, slot);
    lock_release(&t->lock);
    return tag;
}

bool heap_tag_set(struct tag_table *t, struct object *o, int64_t tag) {
    uintptr_t at = (uintptr_t)o - t->base;
    size_t block = at >> BLOCK_SHIFT;
    uint16_t slot = (uint16_t)(at >> SLOT_SHIFT) & (SLOTS - 1);
    uint64_t w = atomic_load_explicit(&t->words[block], memory_order_acquire);
    unsigned form = form_of(w);
    if (form == FORM_DENSE64) { dense_put(record_of(w), true, slot, tag); return true; }
    if (form == FORM_DENSE32 && fits32(tag)) {
        struct dense *d = record_of(w);
        uint32_t old = atomic_load_explicit(&dense32(d)[slot], memory_order_relaxed);
        while (old != MOVED)
            if (atomic_compare_exchange_weak_explicit(&dense32(d)[slot], &old, (uint32_t)tag, memory_order_acq_rel,
                                                      memory_order_relaxed))
                return true;
    }
    lock_acquire(&t->lock);
    bool ok = set_locked(t, block, slot, tag);
    lock_release(&t->lock);
    return ok;
}

const _Atomic uint64_t *heap_tag_words(const struct tag_table *t) { return t->words; }

int64_t heap_tag_get_stopped_slow(struct tag_table *t, const struct object *o) {
    uintptr_t at = (uintptr_t)o - t->base;
    return get_locked(t, at >> BLOCK_SHIFT, (uint16_t)(at >> SLOT_SHIFT) & (SLOTS - 1));
}

bool heap_tag_set_stopped(struct tag_table *t, struct object *o, int64_t tag) {
    REQUIRES(STOPPED);
    uintptr_t at = (uintptr_t)o - t->base;
    uint64_t w = atomic_load_explicit(&t->words[at >> BLOCK_SHIFT], memory_order_relaxed);
    if (form_of(w) != FORM_DENSE32 || !fits32(tag))
        return set_locked(t, at >> BLOCK_SHIFT, (uint16_t)(at >> SLOT_SHIFT) & (SLOTS - 1), tag);
    atomic_store_explicit(&dense32(record_of(w))[(at >> SLOT_SHIFT) & (SLOTS - 1)], (uint32_t)tag,
                          memory_order_relaxed);
    return true;
}

struct tag_table *heap_tags_new(int env_index) {
    struct heap *h = vm->heap;
    /* calloc maps zero pages for sizes like this, so words of blocks never tagged cost nothing. */
    struct tag_table *t = mem_calloc(1, sizeof *t + h->blocks * sizeof t->words[0]);
    if (t == NULL) return NULL;
    lock_init(&t->lock, "tag table", LOCK_RANK_TAG);
    t->env_index = env_index;
    t->base = h->base;
    t->blocks = h->blocks;
    lock_acquire(&h->tag_lock);
    t->next = h->tag_tables;
    h->tag_tables = t;
    lock_release(&h->tag_lock);
    return t;
}

static void free_retired(struct tag_table *t) {
    while (t->retired != NULL) {
        struct dense *d = t->retired;
        t->retired = d->next_retired;
        dense_free(t, d, false);
    }
}

static void free_record(struct tag_table *t, uint64_t w) {
    if (w == 0 || form_of(w) == FORM_INLINE) return;
    if (form_of(w) == FORM_SPARSE) sparse_free(t, record_of(w));
    else dense_free(t, record_of(w), form_of(w) == FORM_DENSE64);
}

void heap_tags_free(struct tag_table *t) {
    if (t == NULL) return;
    struct heap *h = vm->heap;
    lock_acquire(&h->tag_lock);
    for (struct tag_table **p = &h->tag_tables; *p != NULL; p = &(*p)->next)
        if (*p == t) { *p = t->next; break; }
    lock_release(&h->tag_lock);
    for (size_t b = 0; b < t->blocks; b++) free_record(t, t->words[b]);
    free_retired(t);
    mem_free(t);
}

size_t heap_tags_bytes(struct tag_table *t) {
    lock_acquire(&t->lock);
    size_t bytes = t->bytes;
    for (size_t b = 0; b < t->blocks; b++) bytes += t->words[b] != 0 ? sizeof t->words[0] : 0;
    lock_release(&t->lock);
    return bytes;
}

/* ---- walks ------------------------------------------------------------------------------------------------------- */

/* The object that begins in a slot by `bits`; NULL when none does. */
static struct object *object_in_slot(const struct tag_table *t, const uint8_t *bits, size_t block, unsigned slot) {
    uintptr_t at = t->base + (block << BLOCK_SHIFT) + ((uintptr_t)slot << SLOT_SHIFT);
    if (bits_test(bits, at)) return (struct object *)at;
    return bits_test(bits, at + OBJECT_ALIGN) ? (struct object *)(at + OBJECT_ALIGN) : NULL;
}

/* Calls each(arg, slot, tag) for every tag of a block until it returns false. */
static ALWAYS_INLINE bool each_tag(uint64_t w, bool (*each)(void *arg, unsigned slot, int64_t tag), void *arg) {
    if (w == 0) return true;
    switch (form_of(w)) {
    case FORM_INLINE: return each(arg, inline_slot(w), inline_tag(w));
    case FORM_SPARSE: {
        struct sparse *s = record_of(w);
        for (unsigned i = 0; i < s->capacity; i++)
            if (sparse_keys(s)[i] != KEY_EMPTY && !each(arg, sparse_keys(s)[i], sparse_value(s, i))) return false;
        return true;
    }
    case FORM_DENSE32: {
        struct dense *d = record_of(w);
        for (unsigned i = 0; i < SLOTS; i++) {
            uint32_t tag = atomic_load_explicit(&dense32(d)[i], memory_order_relaxed);
            if (tag != 0 && !each(arg, i, tag)) return false;
        }
        return true;
    }
    default: {
        struct dense *d = record_of(w);
        for (unsigned i = 0; i < SLOTS; i++) {
            int64_t tag = atomic_load_explicit(&dense64(d)[i], memory_order_relaxed);
            if (tag != 0 && !each(arg, i, tag)) return false;
        }
        return true;
    }
    }
}

struct tags_walk {
    struct tag_table *table;
    size_t block;
    bool (*wanted)(void *arg, int64_t tag);
    bool (*visit)(void *arg, struct object *o, int64_t tag);
    void *arg;
    int64_t unwanted;                    /* the last tag that was not: many objects share one. 0 = none         */
};

static bool walk_tag(void *arg, unsigned slot, int64_t tag) {
    struct tags_walk *w = arg;
    if (tag == w->unwanted) return true;
    if (w->wanted != NULL && !w->wanted(w->arg, tag)) {
        w->unwanted = tag;
        return true;
    }
    struct object *o = object_in_slot(w->table, vm->heap->starts, w->block, slot);
    return o == NULL || w->visit(w->arg, o, tag);
}

void heap_tags_walk(struct tag_table *t, bool (*wanted)(void *arg, int64_t tag),
                    bool (*visit)(void *arg, struct object *o, int64_t tag), void *arg) {
    struct tags_walk w = { .table = t, .wanted = wanted, .visit = visit, .arg = arg };
    for (w.block = 0; w.block < t->blocks; w.block++) {
        uint64_t word = atomic_load_explicit(&t->words[w.block], memory_order_acquire);
        if (word != 0 && !each_tag(word, walk_tag, &w)) return;
    }
}

/* ---- the end of marking ------------------------------------------------------------------------------------------ */

static bool find_dead(void *arg, unsigned slot, int64_t tag) {
    struct dying *d = arg;
    if (object_in_slot(d->table, vm->heap->marks, d->block, slot) != NULL) {
        d->live++;
        d->live_wide |= !fits32(tag);
    } else {
        d->slots[d->count] = (uint16_t)slot;
        d->tags[d->count++] = tag;
    }
    return true;
}

static bool copy_to_sparse(void *arg, unsigned slot, int64_t tag) {
    sparse_add(arg, (uint16_t)slot, tag);
    return true;
}

/* A dense record with few tags left becomes a sparse one; without memory for that it stays. */
static void shrink(struct tag_table *t, size_t block, unsigned live, bool wide) {
    uint64_t w = t->words[block];
    if (form_of(w) != FORM_DENSE32 && form_of(w) != FORM_DENSE64) return;
    if (live == 0) {
        set_word(t, block, 0);
        free_record(t, w);
    } else if (live < SPARSE_BELOW) {
        MAY_ALLOCATE("the block keeps the form that it has");
        struct sparse *s = sparse_new(t, live + live / 4 + 2, wide);
        if (s == NULL) return;
        each_tag(w, copy_to_sparse, s);
        set_word(t, block, word_of(s, FORM_SPARSE));
        free_record(t, w);
    }
}

/* The same for 32-bit slots, 32 of them against one word of mark bits: nearly all tags of a fully tagged heap are seen
 * here. */
static void find_dead32(struct dying *d, struct dense *record) {
    uintptr_t block = d->table->base + (d->block << BLOCK_SHIFT);
    for (unsigned from = 0; from < SLOTS; from += 32) {
        uint64_t marks;
        memcpy(&marks, &vm->heap->marks[(block >> 6) + from / 4], sizeof marks);
        marks |= marks >> 1;
        for (unsigned i = 0; i < 32; i++, marks >>= 2) {
            uint32_t tag = atomic_load_explicit(&dense32(record)[from + i], memory_order_relaxed);
            if (tag == 0) continue;
            if (marks & 1) {
                d->live++;
            } else {
                d->slots[d->count] = (uint16_t)(from + i);
                d->tags[d->count++] = tag;
            }
        }
    }
}

void tags_drop_dead(struct heap *h) {
    for (struct tag_table *t = h->tag_tables; t != NULL; t = t->next) {
        struct dying *dying = &t->dying;
        free_retired(t);
        for (size_t b = 0; b < t->blocks; b++) {
            uint64_t w = t->words[b];
            if (w == 0) continue;
            dying->count = dying->live = 0;
            dying->live_wide = false;
            dying->table = t;
            dying->block = b;
            if (form_of(w) == FORM_DENSE32) find_dead32(dying, record_of(w));
            else each_tag(w, find_dead, dying);
            for (unsigned i = 0; i < dying->count; i++) (void)set_locked(t, b, dying->slots[i], 0);
            shrink(t, b, dying->live, dying->live_wide);
            for (unsigned i = 0; i < dying->count; i++)
                probe_object_free(current_thread(), t->env_index, dying->tags[i]);
        }
    }
}

void heap_tags_fill_begin(struct tag_table *t) { t->filling = true; }

void heap_tags_fill_end(struct tag_table *t) {
    t->filling = false;
    free_retired(t);
    for (size_t b = 0; b < t->blocks; b++) {
        uint64_t w = t->words[b];
        if (w == 0 || (form_of(w) != FORM_DENSE32 && form_of(w) != FORM_DENSE64)) continue;
        bool wide = form_of(w) == FORM_DENSE64;
        shrink(t, b, dense_count(record_of(w), wide, SPARSE_BELOW), wide);
    }
}
