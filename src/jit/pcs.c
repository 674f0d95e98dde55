/* pcs.c — see pcs.h. Numbers have seven bits a byte, the least first, bit 7 where more follow; bit 0 is the sign. */
#include "jit/pcs.h"

#include "base/alloc.h"

enum { NUMBER_BYTES = 5 };

static void put(struct pcs_writer *w, uint32_t v) {
    if (w->length + NUMBER_BYTES > w->capacity && !w->failed) {
        uint32_t capacity = 2 * w->capacity + 64;
        uint8_t *bytes = mem_realloc(w->bytes, capacity);
        w->failed = bytes == NULL;
        if (bytes != NULL) w->bytes = bytes, w->capacity = capacity;
    }
    if (w->failed) return;
    for (; v >= 0x80; v >>= 7) w->bytes[w->length++] = (uint8_t)(v | 0x80);
    w->bytes[w->length++] = (uint8_t)v;
}

void pcs_add(struct pcs_writer *w, uint32_t offset, int32_t bci) {
    if (w->length != 0 && w->bci == bci) return;
    int32_t change = bci - w->bci;
    put(w, offset - w->offset);
    put(w, (uint32_t)(change < 0 ? -(int64_t)change << 1 | 1 : (int64_t)change << 1));
    w->offset = offset;
    w->bci = bci;
}

static uint32_t take(const uint8_t **p, const uint8_t *end) {
    uint32_t v = 0;
    for (unsigned shift = 0; *p < end; shift += 7) {
        uint8_t b = *(*p)++;
        v |= (uint32_t)(b & 0x7f) << shift;
        if (b < 0x80) break;
    }
    return v;
}

bool pcs_next(struct pcs_row *r, const uint8_t **p, const uint8_t *end) {
    if (*p >= end) return false;
    r->from += take(p, end);
    uint32_t change = take(p, end);
    r->bci += change & 1 ? -(int32_t)(change >> 1) : (int32_t)(change >> 1);
    return true;
}

int64_t pcs_offset_of(const uint8_t *pcs, const uint8_t *end, int32_t bci) {
    for (struct pcs_row r = {0, 0}; pcs_next(&r, &pcs, end);)
        if (r.bci == bci) return r.from;
    return -1;
}

int32_t pcs_find(const uint8_t *pcs, const uint8_t *end, uint32_t offset) {
    int32_t found = 0;
    for (struct pcs_row r = {0, 0}; pcs_next(&r, &pcs, end) && r.from <= offset;) found = r.bci;
    return found;
}
