/* rows.h — the tables behind compiled code that are searched by an offset in it. Rows, by growing offset, are in
 * chunks: a search reads the heads of chunks, and one chunk. All is numbers (numbers.h):
 *
 *      chunk          how far its first row's offset is behind that of the chunk before; how many bytes its rows have,
 *                     0: it is the last, and they end with the table; its rows
 *      row            how far its offset is behind that of the row before, left out in a chunk's first; then what the
 *                     table says of it
 *
 * No row needs one of a chunk before its own to be read. */
#ifndef VITRINE_JIT_ROWS_H
#define VITRINE_JIT_ROWS_H

#include "jit/numbers.h"

/* A chunk gets rows until it has so many bytes. */
enum { ROWS_CHUNK = 32 };

struct rows_writer {
    struct numbers_writer table;
    uint32_t offset;                     /* of the newest row                                                      */
    uint32_t first;                      /* ... of the first row of the newest chunk                               */
    uint32_t chunk;                      /* where the rows of that begin in the table; 0: there is none            */
};

/* Empties it; its memory is kept. */
static inline void rows_begin(struct rows_writer *w) { w->table.length = w->offset = w->first = w->chunk = 0; }
/* Begins a row, to whose end the caller puts what it says; offsets never go down. True: it is the first of a chunk. */
bool rows_add(struct rows_writer *w, uint32_t offset);

/* A walk over a table. Signal handlers too. */
struct rows {
    const uint8_t *at, *end;             /* what is read next, up to the end of the table                          */
    const uint8_t *chunk_end;
    uint32_t offset, first;              /* of the row, and of the first in its chunk                              */
};
static inline struct rows rows_of(const uint8_t *table, const uint8_t *end) {
    return (struct rows){.at = table, .end = end, .chunk_end = table};
}
static inline uint64_t rows_take(struct rows *r) { return numbers_take(&r->at, r->end); }
/* The next row is the first of the last chunk that begins at that offset or before it: what holds at the offset is in
 * that chunk. Before anything is read. */
static inline void rows_seek(struct rows *r, uint32_t offset) {
    const uint8_t *p = r->at;
    for (uint32_t first = 0; p < r->end;) {
        const uint8_t *chunk = p;
        uint32_t begins = first + (uint32_t)numbers_take(&p, r->end);
        uint64_t length = numbers_take(&p, r->end);
        if (begins > offset) break;
        r->at = r->chunk_end = chunk;
        r->first = first;
        first = begins;
        if (length == 0 || length >= (size_t)(r->end - p)) break;
        p += length;
    }
}
/* The offset of the next row, in front of what else it says, which is read before the next call; *is_first: it begins a
 * chunk. False: there are no more. */
static inline bool rows_next(struct rows *r, bool *is_first) {
    *is_first = r->at >= r->chunk_end;
    if (!*is_first) {
        r->offset += (uint32_t)rows_take(r);
        return true;
    }
    if (r->at >= r->end) return false;
    r->offset = r->first += (uint32_t)rows_take(r);
    uint64_t length = rows_take(r);
    r->chunk_end = length == 0 || length > (size_t)(r->end - r->at) ? r->end : r->at + length;
    return true;
}

#endif
