/* rows.c — see rows.h. */
#include "jit/rows.h"

/* A byte has been left for how many the newest chunk has. */
static void close_chunk(struct rows_writer *w) {
    struct numbers_writer *t = &w->table;
    uint8_t bytes[NUMBER_BYTES];
    struct numbers_writer head = {.bytes = bytes, .capacity = sizeof bytes};
    uint32_t length = t->length - w->chunk;
    numbers_put(&head, length);
    for (uint32_t i = 1; i < head.length; i++) numbers_put(t, 0);
    if (t->failed) return;
    memmove(t->bytes + w->chunk - 1 + head.length, t->bytes + w->chunk, length);
    memcpy(t->bytes + w->chunk - 1, bytes, head.length);
}

bool rows_add(struct rows_writer *w, uint32_t offset) {
    struct numbers_writer *t = &w->table;
    bool begins = w->chunk == 0 || t->length - w->chunk >= ROWS_CHUNK;
    if (begins) {
        if (w->chunk != 0) close_chunk(w);
        numbers_put(t, offset - w->first);
        numbers_put(t, 0);
        w->first = offset;
        w->chunk = t->length;
    } else {
        numbers_put(t, offset - w->offset);
    }
    w->offset = offset;
    return begins;
}
