/* card.c — the card table: which parts of the heap references were stored to since the last collection. Builds with
 * VITRINE_CARDS only. No collection looks at young objects alone yet; the CHECK build looks that one could: what has
 * survived a collection is old to it, the rest young, and each reference from old to young has to lie in a
 * marked card. */
#include "heap/heap_internal.h"

#ifdef VITRINE_CARDS

uint8_t *heap_cards;

void cards_mark(const void *from, size_t bytes) {
    size_t first = (uintptr_t)from >> HEAP_CARD_SHIFT, last = ((uintptr_t)from + bytes - 1) >> HEAP_CARD_SHIFT;
    vm_assert(heap_contains(vm->heap, (uintptr_t)from) && heap_contains(vm->heap, (uintptr_t)from + bytes - 1),
              "%zu bytes at %p do not lie in the heap", bytes, from);
    for (size_t card = first; card <= last; card++) __atomic_store_n(&heap_cards[card], 1, __ATOMIC_RELAXED);
}

/* The blocks [from, to). */
static void renew(struct heap *h, size_t from, size_t to) {
    enum { CARDS_PER_BLOCK = BLOCK_SIZE >> HEAP_CARD_SHIFT };
    memset(&h->cards[from * CARDS_PER_BLOCK], 0, (to - from) * CARDS_PER_BLOCK);
#ifdef VITRINE_CHECK
    uintptr_t at = block_address(h, from) >> 6;
    memcpy(&h->old[at], &h->marks[at], (to - from) * BIT_BYTES_PER_BLOCK);
#endif
}

void cards_renew(struct heap *h) {
    REQUIRES(STOPPED);
    renew(h, 0, MIN(h->gap_low, h->blocks));
    if (h->gap_low < h->gap_high) renew(h, h->gap_high, h->blocks);
    else renew(h, h->gap_low, h->blocks);
}

#ifdef VITRINE_CHECK

static void check_card(void *arg, struct object *o, size_t offset) {
    const struct heap *h = arg;
    const struct object *value = heap_load_ref(o, offset);
    if (value == NULL || bits_test(h->old, (uintptr_t)value)) return;
    vm_assert(heap_cards[((uintptr_t)o + offset) >> HEAP_CARD_SHIFT] != 0,
              "%p (%s) is old and refers at offset %zu to %p (%s), which is young, and the card there is not marked",
              (void *)o, heap_class_name(o), offset, (const void *)value, heap_class_name(value));
}

static bool check_object(void *arg, struct object *o) {
    const struct heap *h = arg;
    if (bits_test(h->old, (uintptr_t)o)) heap_each_slot(o, check_card, arg);
    return true;
}

void cards_verify(struct heap *h) {
    REQUIRES(STOPPED);
    heap_walk_bits(h, h->starts, check_object, h);
}

static bool is_reference_slot(const struct heap *h, const struct object *o, size_t offset) {
    const struct shape *s = shape_of(o);
    if (s->kind == SHAPE_REF_ARRAY)
        return offset >= ARRAY_DATA && offset % sizeof(ref_t) == 0 &&
               offset < ARRAY_DATA + (size_t)(uint32_t)array_length(o) * sizeof(ref_t);
    for (uint32_t i = 0; i < s->span_count; i++)
        if (offset - s->spans[i].offset < s->spans[i].count * sizeof(ref_t) && offset % sizeof(ref_t) == 0) return true;
    if (s->kind != SHAPE_REFERENCE) return false;
    return !h->layout_known || offset == h->layout.referent || offset == h->layout.discovered;
}

void heap_check_slot(const struct object *o, size_t offset) {
    const struct heap *h = vm->heap;
    vm_assert(heap_is_object(o), "a reference is stored at offset %zu of %p, which is no object", offset,
              (const void *)o);
    vm_assert(is_reference_slot(h, o, offset), "%p (%s) has no reference at offset %zu, but one is stored there",
              (const void *)o, heap_class_name(o), offset);
}

#endif
#endif
