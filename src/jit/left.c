/* left.c — see left.h. */
#include "jit/left.h"

#include "base/alloc.h"
#include "exec/engine.h"

enum { OFTEN = 4 };

/* Does it name what may not have been known, or a method that the receiver selects? Elsewhere, where values are not as
 * they should be, the same code would be made again. */
static bool is_named(uint8_t op) {
    return (op >= OP_ldc && op <= OP_ldc2_w) || (op >= OP_getstatic && op <= OP_new) || op == OP_anewarray ||
           op == OP_checkcast || op == OP_instanceof || op == OP_multianewarray;
}

static uint8_t *counts_of(struct left_places *l, const struct method_code *code) {
    uint8_t *counts = ptr_table_get(&l->map, code);
    if (counts != NULL) return counts;
    counts = mem_zalloc(code_source(code)->code_length);
    if (counts == NULL || ptr_table_put(&l->map, code, counts)) return counts;
    mem_free(counts);
    return NULL;
}

bool left_note(struct left_places *l, const struct method_code *code, uint32_t bci) {
    uint8_t *counts = is_named(code_source(code)->code[bci]) ? counts_of(l, code) : NULL;
    return counts != NULL && counts[bci] < OFTEN && ++counts[bci] == OFTEN;
}

bool left_often(const struct left_places *l, const struct method_code *code, uint32_t bci) {
    const uint8_t *counts = ptr_table_get(&l->map, code);
    return counts != NULL && counts[bci] >= OFTEN;
}

void left_forget(struct left_places *l, const struct method_code *code) { mem_free(ptr_table_remove(&l->map, code)); }

static bool free_counts(uint64_t code UNUSED, uint64_t counts, void *arg UNUSED) {
    mem_free((void *)(uintptr_t)counts);
    return true;
}

void left_free(struct left_places *l) {
    int_table_iterate(&l->map.map, free_counts, NULL);
    ptr_table_free(&l->map);
}
