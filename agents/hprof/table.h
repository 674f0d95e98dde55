/* table.h: arrays whose elements never move, and a table that numbers distinct keys. Not locked. */
#ifndef HPROF_TABLE_H
#define HPROF_TABLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STABLE_CHUNK = 4096, STABLE_CHUNKS = 16384 };

/* Elements of `size` bytes, zero at first. One thread adds; any thread may read an element whose number it was given,
 * also inside heap callbacks, where no lock can be taken. */
struct stable {
    size_t size;
    _Atomic(char *) chunks[STABLE_CHUNKS];
};

/* The element, which must have been made. */
static inline void *stable_get(struct stable *s, uint32_t i) {
    return atomic_load_explicit(&s->chunks[i / STABLE_CHUNK], memory_order_acquire) +
           (size_t)(i % STABLE_CHUNK) * s->size;
}
/* The element, made when it is new. NULL: out of memory, or i is over STABLE_CHUNK * STABLE_CHUNKS. */
void *stable_make(struct stable *s, uint32_t i);
void stable_free(struct stable *s);

enum { NO_INDEX = UINT32_MAX };

/* Gives distinct keys (byte strings) the numbers 0, 1, 2... */
struct numbering {
    uint32_t count, capacity, bucket_count;
    uint32_t *buckets;                  /* entry + 1; 0: empty                                           */
    struct numbered *entries;
};

/* The number of a key, a new one when it is *fresh. NO_INDEX: out of memory. */
uint32_t numbering_put(struct numbering *t, const void *key, size_t n, bool *fresh);
/* The key with a number below count; lives as long as the table. */
const void *numbering_key(const struct numbering *t, uint32_t number, size_t *n);
void numbering_free(struct numbering *t);

#endif
