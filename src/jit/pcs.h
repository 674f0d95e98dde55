/* pcs.h — which bytecode a place in compiled code belongs to: pairs of numbers behind the code, each the difference to
 * the one before, of the offset in the code from which it holds, and of the bytecode index. */
#ifndef VITRINE_JIT_PCS_H
#define VITRINE_JIT_PCS_H

#include "jit/numbers.h"

enum {
    PCS_NO_FRAME = -1,                   /* there is none yet, or none any more: the caller is the youngest           */
    PCS_CALLED = -2,                     /* what it belongs to has called it: the return address is on the stack     */
    PCS_TABLES = -3                      /* no code: what switches jump by, up to the end                          */
};

struct pcs_writer {
    struct numbers_writer table;
    uint32_t offset;
    int32_t bci;
};

/* Empties it; its memory is kept. */
static inline void pcs_begin(struct pcs_writer *w) { w->table.length = w->offset = 0, w->bci = 0; }
/* From `offset` on it is bci; offsets never go down. */
void pcs_add(struct pcs_writer *w, uint32_t offset, int32_t bci);
/* A row of a table: from an offset on it is bci, or PCS_*. */
struct pcs_row { uint32_t from; int32_t bci; };
/* The next row of the table [*pcs, end), *r being the one before, at first {0, 0}; *pcs moves on. False: that was the
 * last. */
bool pcs_next(struct pcs_row *r, const uint8_t **pcs, const uint8_t *end);
/* The first offset that belongs to `bci` by the table; -1: none. */
int64_t pcs_offset_of(const uint8_t *pcs, const uint8_t *end, int32_t bci);
/* What belongs to `offset` by the table [pcs, end). Signal handlers too. */
int32_t pcs_find(const uint8_t *pcs, const uint8_t *end, uint32_t offset);

#endif
