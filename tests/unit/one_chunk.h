/* A table of rows (jit/rows.h) as a search may read it: of all chunks but one the rows have been overwritten. */
#ifndef UNIT_ONE_CHUNK_H
#define UNIT_ONE_CHUNK_H

#include "jit/rows.h"

/* `copy` gets the rows at [rows, end), of all chunks the heads, and of that which a search for `offset` comes to all;
 * in what else there is no number ends. Returns how many chunks there are. */
static inline uint32_t copy_one_chunk(uint8_t *copy, const uint8_t *rows, const uint8_t *end, uint32_t offset) {
    struct rows r = rows_of(rows, end);
    uint32_t chunks = 0;
    rows_seek(&r, offset);
    memset(copy, 0xff, (size_t)(end - rows));
    for (const uint8_t *p = rows, *head = p; p < end; head = p, chunks++) {
        (void)numbers_take(&p, end);
        uint64_t length = numbers_take(&p, end);
        const uint8_t *next = length != 0 ? p + length : end;
        memcpy(copy + (head - rows), head, (size_t)((r.at == head ? next : p) - head));
        p = next;
    }
    return chunks;
}

#endif
