/* holder_roots.c — objects that resolution attached to a class. */
#include "link/holder_roots.h"

#include "base/alloc.h"
#include "base/base.h"
#include "heap/heap.h"
#include "link/call.h"
#include "link/link_internal.h"

/* Grows by chunks that never move: the collector may read while a thread that is about to stop has claimed a slot. The
 * first is small, since most hidden classes have few. */
enum { FIRST_ROOTS = 5, CHUNK_ROOTS = 61 };
struct holder_roots {
    struct holder_roots *next;
    _Atomic uint32_t used;
    uint32_t capacity;
    struct object *_Atomic objects[];
};

bool holder_add_root(struct os_thread *self, struct class *c, struct object *o) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (o == NULL) return true;
    struct holder_record *h = (struct holder_record *)c->shape.holder;
    for (;;) {
        struct holder_roots *chunk = __atomic_load_n(&h->roots, __ATOMIC_ACQUIRE);
        if (chunk != NULL) {
            uint32_t i = atomic_fetch_add(&chunk->used, 1);
            if (i < chunk->capacity) {
                atomic_store_explicit(&chunk->objects[i], o, memory_order_release);
                return true;
            }
            atomic_store(&chunk->used, chunk->capacity);
        }
        uint32_t capacity = chunk == NULL ? FIRST_ROOTS : MIN(chunk->capacity * 2 + 3, (uint32_t)CHUNK_ROOTS);
        struct holder_roots *fresh = mem_zalloc(sizeof *fresh + capacity * sizeof fresh->objects[0]);
        if (fresh == NULL) {
            throw_out_of_memory(self, "resolution");
            return false;
        }
        fresh->next = chunk;
        fresh->capacity = capacity;
        if (!__atomic_compare_exchange_n(&h->roots, &chunk, fresh, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            mem_free(fresh);
    }
}

void holder_visit_roots(struct heap_visitor *v, struct holder_record *h) {
    REQUIRES(STOPPED);
    for (struct holder_roots *chunk = h->roots; chunk != NULL; chunk = chunk->next) {
        uint32_t n = MIN(atomic_load(&chunk->used), chunk->capacity);
        for (uint32_t i = 0; i < n; i++) heap_visit(v, atomic_load_explicit(&chunk->objects[i], memory_order_relaxed));
    }
}

void holder_free_roots(struct holder_record *h) {
    while (h->roots != NULL) {
        struct holder_roots *chunk = h->roots;
        h->roots = chunk->next;
        mem_free(chunk);
    }
}

void *holder_alloc(struct class *c, size_t size) {
    struct holder_record *h = (struct holder_record *)c->shape.holder;
    lock_acquire(&li()->table_lock);
    if (h->arena == NULL) h->arena = arena_new_for("hidden class", size);
    void *p = h->arena != NULL ? arena_alloc(h->arena, size) : NULL;
    lock_release(&li()->table_lock);
    return p;
}
