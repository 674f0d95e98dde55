/* numbers.c — see numbers.h. */
#include "jit/numbers.h"

#include "base/alloc.h"

static bool make_room(struct numbers_writer *w) {
    if (w->length + NUMBER_BYTES > w->capacity && !w->failed) {
        uint32_t capacity = 2 * w->capacity + 64;
        uint8_t *bytes = mem_realloc(w->bytes, capacity);
        w->failed = bytes == NULL;
        if (bytes != NULL) w->bytes = bytes, w->capacity = capacity;
    }
    return !w->failed;
}

void numbers_put_long(struct numbers_writer *w, uint64_t v) {
    if (!make_room(w)) return;
    for (; v >= 0x80; v >>= 7) w->bytes[w->length++] = (uint8_t)(v | 0x80);
    w->bytes[w->length++] = (uint8_t)v;
}

void numbers_put_fixed(struct numbers_writer *w, uint64_t v, unsigned bytes) {
    if (!make_room(w)) return;
    memcpy(w->bytes + w->length, &v, bytes);
    w->length += bytes;
}
