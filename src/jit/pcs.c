/* pcs.c — see pcs.h. In the differences of the bytecode index bit 0 is the sign. */
#include "jit/pcs.h"

void pcs_add(struct pcs_writer *w, uint32_t offset, int32_t bci) {
    if (w->rows.table.length != 0 && w->bci == bci) return;
    int32_t change = rows_add(&w->rows, offset) ? bci : bci - w->bci;
    numbers_put(&w->rows.table, (uint32_t)(change < 0 ? -(int64_t)change << 1 | 1 : (int64_t)change << 1));
    w->bci = bci;
}

static ALWAYS_INLINE bool next(struct pcs_reader *r) {
    bool is_first;
    if (!rows_next(&r->rows, &is_first)) return false;
    uint32_t change = (uint32_t)rows_take(&r->rows);
    r->bci = (is_first ? 0 : r->bci) + (change & 1 ? -(int32_t)(change >> 1) : (int32_t)(change >> 1));
    return true;
}

bool pcs_next(struct pcs_reader *r) { return next(r); }

int64_t pcs_offset_of(const uint8_t *pcs, const uint8_t *end, int32_t bci) {
    for (struct pcs_reader r = pcs_read(pcs, end); pcs_next(&r);)
        if (r.bci == bci) return r.rows.offset;
    return -1;
}

int32_t pcs_find(const uint8_t *pcs, const uint8_t *end, uint32_t offset) {
    struct pcs_reader r = pcs_read(pcs, end);
    int32_t found = 0;
    rows_seek(&r.rows, offset);
    while (next(&r) && r.rows.offset <= offset) found = r.bci;
    return found;
}
