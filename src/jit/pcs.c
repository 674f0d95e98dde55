/* pcs.c — see pcs.h. In the differences of the bytecode index bit 0 is the sign. */
#include "jit/pcs.h"

void pcs_add(struct pcs_writer *w, uint32_t offset, int32_t bci) {
    if (w->table.length != 0 && w->bci == bci) return;
    int32_t change = bci - w->bci;
    numbers_put(&w->table, offset - w->offset);
    numbers_put(&w->table, (uint32_t)(change < 0 ? -(int64_t)change << 1 | 1 : (int64_t)change << 1));
    w->offset = offset;
    w->bci = bci;
}

static ALWAYS_INLINE bool next(struct pcs_row *r, const uint8_t **p, const uint8_t *end) {
    if (*p >= end) return false;
    r->from += (uint32_t)numbers_take(p, end);
    uint32_t change = (uint32_t)numbers_take(p, end);
    r->bci += change & 1 ? -(int32_t)(change >> 1) : (int32_t)(change >> 1);
    return true;
}

bool pcs_next(struct pcs_row *r, const uint8_t **p, const uint8_t *end) { return next(r, p, end); }

int64_t pcs_offset_of(const uint8_t *pcs, const uint8_t *end, int32_t bci) {
    for (struct pcs_row r = {0, 0}; pcs_next(&r, &pcs, end);)
        if (r.bci == bci) return r.from;
    return -1;
}

int32_t pcs_find(const uint8_t *pcs, const uint8_t *end, uint32_t offset) {
    int32_t found = 0;
    for (struct pcs_row r = {0, 0}; next(&r, &pcs, end) && r.from <= offset;) found = r.bci;
    return found;
}
