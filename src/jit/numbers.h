/* numbers.h — the tables behind compiled code: numbers with seven bits a byte, the least first, bit 7 where more
 * follow. */
#ifndef VITRINE_JIT_NUMBERS_H
#define VITRINE_JIT_NUMBERS_H

#include "base/base.h"

struct numbers_writer {
    uint8_t *bytes;                      /* malloc'd                                                               */
    uint32_t length, capacity;
    bool failed;                         /* no memory                                                              */
};

enum { NUMBER_BYTES = 10 };              /* the most that one takes                                                */

void numbers_put_long(struct numbers_writer *w, uint64_t v);
static inline void numbers_put(struct numbers_writer *w, uint64_t v) {
    if (LIKELY(v < 0x80 && w->length < w->capacity)) w->bytes[w->length++] = (uint8_t)v;
    else numbers_put_long(w, v);
}

/* The lowest `bytes` bytes of v, at most 8, as they are: what is found by its place. */
void numbers_put_fixed(struct numbers_writer *w, uint64_t v, unsigned bytes);
/* ... at *p, which moves on. Signal handlers too. */
static inline uint64_t numbers_take_fixed(const uint8_t **p, unsigned bytes) {
    uint64_t v = 0;
    memcpy(&v, *p, bytes);
    *p += bytes;
    return v;
}

/* The number at *p, which moves on, at most to `end`. Signal handlers too. */
static inline uint64_t numbers_take(const uint8_t **p, const uint8_t *end) {
    uint64_t v = 0;
    if (LIKELY(*p < end && **p < 0x80)) return *(*p)++;
    for (unsigned shift = 0; *p < end && shift < 64; shift += 7) {
        uint8_t b = *(*p)++;
        v |= (uint64_t)(b & 0x7f) << shift;
        if (b < 0x80) break;
    }
    return v;
}

#endif
