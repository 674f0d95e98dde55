/* pcs.h — which bytecode a place in compiled code belongs to: a table behind the code, whose rows (rows.h) say of the
 * offset from which they hold the difference of the bytecode index to that of the row before, in the first of a chunk
 * to 0. */
#ifndef VITRINE_JIT_PCS_H
#define VITRINE_JIT_PCS_H

#include "jit/rows.h"

enum {
    PCS_NO_FRAME = -1,                   /* there is none yet, or none any more: the caller is the youngest           */
    PCS_CALLED = -2,                     /* what it belongs to has called it: the return address is on the stack     */
    PCS_TABLES = -3                      /* no code: what switches jump by, up to the end                          */
};

struct pcs_writer {
    struct rows_writer rows;
    int32_t bci;
};

/* Empties it; its memory is kept. */
static inline void pcs_begin(struct pcs_writer *w) { rows_begin(&w->rows), w->bci = 0; }
/* From `offset` on it is bci; offsets never go down. */
void pcs_add(struct pcs_writer *w, uint32_t offset, int32_t bci);
/* A walk over a table: from the offset rows.offset on it is bci, or PCS_*. */
struct pcs_reader { struct rows rows; int32_t bci; };
static inline struct pcs_reader pcs_read(const uint8_t *pcs, const uint8_t *end) {
    return (struct pcs_reader){rows_of(pcs, end), 0};
}
/* Goes to the next row. False: there are no more. */
bool pcs_next(struct pcs_reader *r);
/* The first offset that belongs to `bci` by the table; -1: none. */
int64_t pcs_offset_of(const uint8_t *pcs, const uint8_t *end, int32_t bci);
/* What belongs to `offset` by the table [pcs, end). Signal handlers too. */
int32_t pcs_find(const uint8_t *pcs, const uint8_t *end, uint32_t offset);

#endif
