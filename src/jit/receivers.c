/* receivers.c — see receivers.h. */
#include "jit/receivers.h"

#include "base/alloc.h"
#include "classfile/opcodes.h"
#include "exec/engine.h"
#include "thread/contract.h"

static bool has_receivers(uint8_t op) { return op == OP_invokevirtual || op == OP_invokeinterface; }

/* How many there are; they become `sites`, unless that is NULL. */
static uint32_t find_sites(const struct cf_code *source, struct receiver_site *sites) {
    uint32_t count = 0;
    for (uint32_t bci = 0; bci < source->code_length; bci += opcode_length(source->code, bci, source->code_length)) {
        if (!has_receivers(source->code[bci])) continue;
        if (sites != NULL) sites[count].bci = bci;
        count++;
    }
    return count;
}

struct receivers *receivers_of(struct receiver_tables *t, const struct method_code *code) {
    struct receivers *r = ptr_table_get(&t->map, code);
    uint32_t count = r == NULL ? find_sites(code_source(code), NULL) : 0;
    if (count == 0) return r;
    r = mem_zalloc(sizeof *r + count * sizeof *r->sites);
    if (r == NULL) return NULL;
    r->count = find_sites(code_source(code), r->sites);
    if (ptr_table_put(&t->map, code, r)) return r;
    mem_free(r);
    return NULL;
}

struct receiver_site *receivers_site(struct receivers *r, uint32_t bci) {
    uint32_t low = 0, high = r != NULL ? r->count : 0;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (r->sites[middle].bci == bci) return &r->sites[middle];
        if (r->sites[middle].bci < bci) low = middle + 1;
        else high = middle;
    }
    return NULL;
}

struct receivers_seen receivers_seen_at(const struct receiver_tables *t, const struct method_code *code, uint32_t bci) {
    const struct receiver_site *s = receivers_site(ptr_table_get(&t->map, code), bci);
    if (s == NULL) return (struct receivers_seen){0};
    return (struct receivers_seen){atomic_load_explicit(&s->first, memory_order_relaxed),
                                   atomic_load_explicit(&s->other, memory_order_relaxed),
                                   atomic_load_explicit(&s->first_calls, memory_order_relaxed),
                                   atomic_load_explicit(&s->other_calls, memory_order_relaxed),
                                   atomic_load_explicit(&s->more_calls, memory_order_relaxed)};
}

void receivers_forget(struct receiver_tables *t, const struct method_code *code) {
    mem_free(ptr_table_remove(&t->map, code));
}

/* ... with its calls: whoever takes the place begins anew. */
static void forget_if_gone(_Atomic uint32_t *id, _Atomic uint32_t *calls) {
    if (class_of_id(atomic_load_explicit(id, memory_order_relaxed)) != NULL) return;
    atomic_store(id, 0);
    atomic_store(calls, 0);
}

static bool forget_classes(uint64_t code UNUSED, uint64_t receivers, void *arg UNUSED) {
    struct receivers *r = (struct receivers *)(uintptr_t)receivers;
    for (uint32_t i = 0; i < r->count; i++) {
        forget_if_gone(&r->sites[i].first, &r->sites[i].first_calls);
        forget_if_gone(&r->sites[i].other, &r->sites[i].other_calls);
    }
    return true;
}

void receivers_forget_classes(const struct receiver_tables *t) {
    REQUIRES(STOPPED);
    int_table_iterate(&t->map.map, forget_classes, NULL);
}

static bool free_receivers(uint64_t code UNUSED, uint64_t receivers, void *arg UNUSED) {
    mem_free((void *)(uintptr_t)receivers);
    return true;
}

void receivers_free(struct receiver_tables *t) {
    int_table_iterate(&t->map.map, free_receivers, NULL);
    ptr_table_free(&t->map);
}
