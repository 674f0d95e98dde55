/* holder_roots.c — objects that resolution attached to a class. */
#include "link/holder_roots.h"

#include "base/alloc.h"
#include "base/base.h"
#include "heap/heap.h"
#include "link/call.h"
#include "link/link_internal.h"

/* Grows by chunks that never move: the collector may read while a thread that is about to stop has claimed a slot. */
enum { CHUNK_ROOTS = 62 };
struct holder_roots {
    struct holder_roots *next;
    _Atomic uint32_t used;
    struct object *_Atomic objects[CHUNK_ROOTS];
};

bool holder_add_root(struct os_thread *self, struct class *c, struct object *o) {
    if (o == NULL) return true;
    struct holder_record *h = (struct holder_record *)c->shape.holder;
    for (;;) {
        struct holder_roots *chunk = __atomic_load_n(&h->roots, __ATOMIC_ACQUIRE);
        if (chunk != NULL) {
            uint32_t i = atomic_fetch_add(&chunk->used, 1);
            if (i < CHUNK_ROOTS) {
                atomic_store_explicit(&chunk->objects[i], o, memory_order_release);
                return true;
            }
            atomic_store(&chunk->used, CHUNK_ROOTS);
        }
        struct holder_roots *fresh = mem_zalloc(sizeof *fresh);
        if (fresh == NULL) {
            throw_out_of_memory(self, "resolution");
            return false;
        }
        fresh->next = chunk;
        if (!__atomic_compare_exchange_n(&h->roots, &chunk, fresh, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) mem_free(fresh);
    }
}

void holder_visit_roots(struct heap_visitor *v, struct holder_record *h) {
    for (struct holder_roots *chunk = h->roots; chunk != NULL; chunk = chunk->next) {
        uint32_t n = MIN(atomic_load(&chunk->used), (uint32_t)CHUNK_ROOTS);
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
    lock_acquire(&li()->table_lock);
    void *p = arena_alloc(((struct holder_record *)c->shape.holder)->arena, size);
    lock_release(&li()->table_lock);
    return p;
}
