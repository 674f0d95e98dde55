/* JNI handles: blocks of local handles, tables of global and weak global ones. */
#include "base/table.h"
#include "thread/roots.h"
#include "thread/thread_internal.h"

/* ---- local ------------------------------------------------------------------------------------------------------- */

static struct handle_block *block_new(struct os_thread *self, uint32_t capacity) {
    REQUIRES(IN_VM);
    struct handle_block *b = self->spare_handles;
    if (b && capacity <= HANDLE_BLOCK_CAPACITY) {
        self->spare_handles = b->previous;
    } else {
        capacity = MAX(capacity, (uint32_t)HANDLE_BLOCK_CAPACITY);
        b = mem_alloc(sizeof *b + capacity * sizeof b->slots[0]);
        if (!b) return NULL;
        *b = (struct handle_block){ .capacity = capacity };
    }
    b->previous = self->handles;
    return b;
}

/* A handle kept beyond its frame reads as null, not as an object that may be dead. Spare blocks are as good as new. */
static void block_free(struct os_thread *self, struct handle_block *b) {
    REQUIRES(IN_VM);
    if (b->capacity == 0) return;        /* handle_frame_begin's: it belongs to a Java frame */
    if (b->used) memset(b->slots, 0, b->used * sizeof b->slots[0]);
    if (b->capacity == HANDLE_BLOCK_CAPACITY) {
        *b = (struct handle_block){ .previous = self->spare_handles, .capacity = HANDLE_BLOCK_CAPACITY };
        self->spare_handles = b;
    } else {
        mem_free(b);
    }
}

static bool block_contains(const struct handle_block *b, const uint64_t *slot) {
    return slot >= b->slots && slot < b->slots + b->used;
}

/* A deleted handle's slot in the blocks of the youngest frame. */
static uint64_t *find_hole(struct handle_block *b) {
    for (;; b = b->previous) {
        for (uint32_t i = 0; i < b->used; i++)
            if (b->slots[i] == 0) return &b->slots[i];
        if (!b->overflow) return NULL;
    }
}

jobject handle_local(struct os_thread *self, struct object *o) {
    REQUIRES(IN_VM);
    if (!o) return NULL;
    struct handle_block *b = self->handles;
    if (UNLIKELY(!b || b->used == b->capacity)) {
        uint64_t *hole = b ? find_hole(b) : NULL;
        if (hole) { *hole = (uintptr_t)o; return (jobject)hole; }
        /* Doubling keeps the search for holes from becoming quadratic. */
        struct handle_block *more = block_new(self, b ? MIN(b->capacity * 2, 1u << 16) : 0);
        if (!more) {
            thread_hooks.out_of_memory(self, "JNI local handles");
            return NULL;
        }
        more->overflow = b != NULL;
        self->handles = b = more;
    }
    b->slots[b->used] = (uintptr_t)o;
    return (jobject)&b->slots[b->used++];
}

void handle_local_delete(struct os_thread *self, jobject h) {
    REQUIRES(IN_VM);
    uint64_t *slot = (uint64_t *)h;
    /* A slot of a Java frame (an argument of a native method) is not in any block and stays as it is. */
    for (struct handle_block *b = self->handles; b; b = b->previous) {
        if (!block_contains(b, slot)) continue;
        *slot = 0;
        while (b->used > 0 && b->slots[b->used - 1] == 0) b->used--;
        return;
    }
}

bool handle_frame_push(struct os_thread *self, uint32_t capacity, bool by_jni) {
    REQUIRES(IN_VM);
    struct handle_block *b = block_new(self, capacity);
    if (!b) {
        thread_hooks.out_of_memory(self, "JNI local handles");
        return false;
    }
    b->pushed = by_jni;
    self->handles = b;
    return true;
}

/* One logical frame: its overflow blocks and the block it began with. */
static bool pop_one(struct os_thread *self) {
    REQUIRES(IN_VM);
    for (;;) {
        struct handle_block *b = self->handles;
        bool overflow = b->overflow, pushed = b->pushed;
        self->handles = b->previous;
        block_free(self, b);
        if (!overflow) return pushed;
    }
}

void handle_frame_pop(struct os_thread *self) {
    REQUIRES(IN_VM);
    while (self->handles && pop_one(self)) {}
}

bool handle_frame_pop_jni(struct os_thread *self) {
    REQUIRES(IN_VM);
    struct handle_block *b = self->handles;
    while (b && b->overflow) b = b->previous;
    if (!b || !b->pushed) return false;
    pop_one(self);
    return true;
}

struct handle_block *handle_frame(struct os_thread *self, bool native_only) {
    REQUIRES(IN_VM);
    struct handle_block *b = self->handles;
    while (b && (b->overflow || (native_only && b->pushed))) b = b->previous;
    return b;
}

uint32_t handle_frame_count(struct os_thread *self) {
    REQUIRES(IN_VM);
    uint32_t live = 0;
    for (struct handle_block *b = self->handles; b; b = b->previous) {
        for (uint32_t i = 0; i < b->used; i++) live += b->slots[i] != 0;
        if (!b->overflow) break;
    }
    return live;
}

void handle_release_all(struct os_thread *self) {
    REQUIRES(IN_VM);
    while (self->handles) pop_one(self);
    while (self->spare_handles) {
        struct handle_block *b = self->spare_handles;
        self->spare_handles = b->previous;
        mem_free(b);
    }
}

void handles_visit_local(struct heap_visitor *v, struct os_thread *t) {
    for (struct handle_block *b = t->handles; b; b = b->previous)
        for (uint32_t i = 0; i < b->used; i++) heap_visit(v, (struct object *)(uintptr_t)b->slots[i]);
}

/* ---- global and weak --------------------------------------------------------------------------------------------- */

/* A chunk lies in a page of its own, so that a slot's address names its chunk; what malloc puts between two fits into
 * the rest. Slots never move and are never given back to the system while the VM lives, so that a stale handle reads
 * null or another object, never unmapped memory. */
enum { CHUNK_PAGE = 4096, CHUNK_WORDS = 8, CHUNK_SLOTS = (CHUNK_PAGE - 16) / 8 - 3 - CHUNK_WORDS };

struct handle_chunk {
    struct handle_chunk *next;           /* of the set                                                          */
    struct handle_chunk *next_free;      /* of those with a free slot                                           */
    uint64_t live_count;
    uint64_t live[CHUNK_WORDS];          /* a weak handle stays live when its object dies                       */
    uint64_t slots[CHUNK_SLOTS];
};
_Static_assert(sizeof(struct handle_chunk) == CHUNK_PAGE - 16 && CHUNK_SLOTS <= CHUNK_WORDS * 64,
               "a chunk does not fill its page");

/* Taking and giving a slot cost the same however many there are. */
struct handle_set {
    struct handle_chunk *chunks, *last;
    struct handle_chunk *free;           /* chunks with a free slot, the one used last first                    */
    struct ptr_table known;    /* of all chunks: distinguishes a handle from any other word */
};

struct handle_table {
    struct lock lock;
    struct handle_set global, weak;
};

void handles_create(void) {
    struct handle_table *t = mem_zalloc(sizeof *t);
    if (!t) fatal("Out of memory: handle table");
    lock_init(&t->lock, "JNI handles", LOCK_RANK_HANDLE);
    thread_list()->handles = t;
}

static void set_free(struct handle_set *set) {
    for (struct handle_chunk *c = set->chunks, *next; c; c = next) { next = c->next; mem_free(c); }
}

void handles_destroy(void) {
    struct handle_table *t = thread_list()->handles;
    if (!t) return;
    if (!thread_list()->loads) {
        set_free(&t->global);
        set_free(&t->weak);
    }
    ptr_table_free(&t->global.known);
    ptr_table_free(&t->weak.known);
    mem_free(t);
    thread_list()->handles = NULL;
}

static struct handle_chunk *set_grow(struct handle_set *set) {
    struct handle_chunk *c = mem_alloc_aligned(CHUNK_PAGE, sizeof *c);
    if (!c || !ptr_table_put(&set->known, c, c)) {
        mem_free(c);
        return NULL;
    }
    memset(c, 0, sizeof *c);
    if (set->last) set->last->next = c; else set->chunks = c;
    set->last = c;
    return set->free = c;
}

static uint64_t *set_take(struct handle_set *set, struct object *o) {
    struct handle_chunk *c = set->free ? set->free : set_grow(set);
    if (!c) return NULL;
    unsigned w = 0;
    while (c->live[w] == UINT64_MAX) w++;
    unsigned bit = (unsigned)__builtin_ctzll(~c->live[w]);
    c->live[w] |= 1ull << bit;
    if (++c->live_count == CHUNK_SLOTS) set->free = c->next_free;
    uint64_t *slot = &c->slots[w * 64 + bit];
    *slot = (uintptr_t)o;
    return slot;
}

/* NULL: `slot` is none of this set's. */
static struct handle_chunk *set_find(const struct handle_set *set, const uint64_t *slot) {
    uintptr_t page = ALIGN_DOWN((uintptr_t)slot, (uintptr_t)CHUNK_PAGE);
    struct handle_chunk *c = ptr_table_get(&set->known, (const void *)page);
    return c && slot >= c->slots && slot < c->slots + CHUNK_SLOTS && IS_ALIGNED(slot, 8) ? c : NULL;
}

static bool chunk_live(const struct handle_chunk *c, const uint64_t *slot) {
    size_t i = (size_t)(slot - c->slots);
    return c->live[i / 64] >> (i % 64) & 1;
}

static void set_give(struct handle_set *set, uint64_t *slot) {
    struct handle_chunk *c = set_find(set, slot);
    if (!c || !chunk_live(c, slot)) return;
    size_t i = (size_t)(slot - c->slots);
    *slot = 0;
    c->live[i / 64] &= ~(1ull << (i % 64));
    if (c->live_count-- != CHUNK_SLOTS) return;
    c->next_free = set->free;
    set->free = c;
}

static jobject table_take(bool weak, struct object *o) {
    if (!o) return NULL;
    struct handle_table *t = thread_list()->handles;
    lock_acquire(&t->lock);
    uint64_t *slot = set_take(weak ? &t->weak : &t->global, o);
    lock_release(&t->lock);
    return slot ? (jobject)((uintptr_t)slot | (weak ? HANDLE_WEAK : HANDLE_GLOBAL)) : NULL;
}

static void table_give(bool weak, jobject h) {
    if (!h) return;
    struct handle_table *t = thread_list()->handles;
    lock_acquire(&t->lock);
    set_give(weak ? &t->weak : &t->global, (uint64_t *)((uintptr_t)h & ~(uintptr_t)HANDLE_KIND_MASK));
    lock_release(&t->lock);
}

jobject handle_global(struct object *o) { return table_take(false, o); }
void handle_global_delete(jobject h) { if (((uintptr_t)h & HANDLE_KIND_MASK) == HANDLE_GLOBAL) table_give(false, h); }
jweak handle_weak(struct object *o) { return table_take(true, o); }
void handle_weak_delete(jweak h) { if (((uintptr_t)h & HANDLE_KIND_MASK) == HANDLE_WEAK) table_give(true, h); }

jobjectRefType handle_type(struct os_thread *self, jobject h) {
    REQUIRES(IN_VM);
    if (!h) return JNIInvalidRefType;
    uint64_t *slot = (uint64_t *)((uintptr_t)h & ~(uintptr_t)HANDLE_KIND_MASK);
    unsigned kind = (uintptr_t)h & HANDLE_KIND_MASK;
    if (kind == HANDLE_LOCAL) {
        for (struct handle_block *b = self->handles; b; b = b->previous)
            if (block_contains(b, slot)) return *slot ? JNILocalRefType : JNIInvalidRefType;
        struct java_thread *t = self->java;      /* arguments of native methods lie on the Java stack */
        return t && thread_stack_holds(t, slot) && *slot ? JNILocalRefType : JNIInvalidRefType;
    }
    if (kind == HANDLE_KIND_MASK) return JNIInvalidRefType;
    struct handle_table *t = thread_list()->handles;
    lock_acquire(&t->lock);
    struct handle_chunk *c = set_find(kind == HANDLE_WEAK ? &t->weak : &t->global, slot);
    bool live = c && chunk_live(c, slot);
    lock_release(&t->lock);
    if (!live) return JNIInvalidRefType;
    return kind == HANDLE_WEAK ? JNIWeakGlobalRefType : JNIGlobalRefType;
}

void handles_visit_global(struct heap_visitor *v) {
    for (struct handle_chunk *c = thread_list()->handles->global.chunks; c; c = c->next)
        for (unsigned i = 0; c->live_count && i < CHUNK_SLOTS; i++)
            heap_visit(v, (struct object *)(uintptr_t)c->slots[i]);
}

void handles_clear_weak(bool (*is_live)(struct object *o)) {
    for (struct handle_chunk *c = thread_list()->handles->weak.chunks; c; c = c->next)
        for (unsigned i = 0; c->live_count && i < CHUNK_SLOTS; i++)
            if (c->slots[i] && !is_live((struct object *)(uintptr_t)c->slots[i])) c->slots[i] = 0;
}

void handles_walk_global(bool weak, bool (*visit)(void *arg, jobject handle, struct object *o), void *arg) {
    REQUIRES(STOPPED);
    struct handle_table *t = thread_list()->handles;
    unsigned kind = weak ? HANDLE_WEAK : HANDLE_GLOBAL;
    for (struct handle_chunk *c = weak ? t->weak.chunks : t->global.chunks; c; c = c->next)
        for (unsigned i = 0; c->live_count && i < CHUNK_SLOTS; i++)
            if (c->slots[i] &&
                !visit(arg, (jobject)((uintptr_t)&c->slots[i] | kind), (struct object *)(uintptr_t)c->slots[i]))
                return;
}
