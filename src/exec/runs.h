/* runs.h — where something stands in a run of bytes or chars, 16 bytes at a time; for intrinsics of text and arrays.
 *
 * What is read lies in arrays of the heap, and may begin up to 16 bytes before the run: so short runs and the ends of
 * long ones are one vector too. Other threads may write meanwhile. */
#ifndef VITRINE_EXEC_RUNS_H
#define VITRINE_EXEC_RUNS_H

#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "heap/object.h"

typedef uint8_t bytes16 __attribute__((vector_size(16)));
typedef uint8_t bytes8 __attribute__((vector_size(8)));
typedef uint16_t chars8 __attribute__((vector_size(16)));
_Static_assert(ARRAY_DATA >= sizeof(bytes16), "what is read before a run belongs to its array");

/* Bit i: byte i is not 0. */
static ALWAYS_INLINE unsigned set_bytes(bytes16 v) {
#ifdef __SSE2__
    return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8((__m128i)v, _mm_setzero_si128())) ^ UINT16_MAX;
#else
    unsigned bits = 0;
    for (unsigned i = 0; i < sizeof v; i++) bits |= (unsigned)(v[i] != 0) << i;
    return bits;
#endif
}

static ALWAYS_INLINE bytes16 bytes_at(const uint8_t *p) { bytes16 v; memcpy(&v, p, sizeof v); return v; }
static ALWAYS_INLINE chars8 chars_at(const uint8_t *p) { chars8 v; memcpy(&v, p, sizeof v); return v; }
static ALWAYS_INLINE chars8 widened_at(const uint8_t *p) {
    bytes8 v;
    memcpy(&v, p, sizeof v);
    return __builtin_convertvector(v, chars8);
}

/* What is compared with what: two runs, or one run and two elements. */
struct runs {
    const uint8_t *a, *b;
    uint16_t first, last;
};
/* Of the 16 bytes of a from `at`: those of which it holds are not 0. */
typedef bytes16 runs_test(const struct runs *r, ptrdiff_t at);

/* The first of `size` bytes of a of which the test holds; `size`: there is none. */
static ALWAYS_INLINE size_t runs_find(const struct runs *r, size_t size, runs_test *test) {
    size_t at = 0;
    for (; at + sizeof(bytes16) <= size; at += sizeof(bytes16)) {
        unsigned found = set_bytes(test(r, (ptrdiff_t)at));
        if (found != 0) return at + (size_t)__builtin_ctz(found);
    }
    if (at == size) return size;
    size_t known = at + sizeof(bytes16) - size;
    unsigned found = set_bytes(test(r, (ptrdiff_t)at - (ptrdiff_t)known)) >> known;
    return found != 0 ? at + (size_t)__builtin_ctz(found) : size;
}

/* ---- what can be asked ------------------------------------------------------------------------------------------- */

static ALWAYS_INLINE bytes16 runs_differ(const struct runs *r, ptrdiff_t at) {
    return bytes_at(r->a + at) ^ bytes_at(r->b + at);
}
/* The bytes of b stand for chars. */
static ALWAYS_INLINE bytes16 runs_differ_widened(const struct runs *r, ptrdiff_t at) {
    return (bytes16)(chars_at(r->a + at) ^ widened_at(r->b + at / 2));
}
static ALWAYS_INLINE bytes16 runs_negative(const struct runs *r, ptrdiff_t at) {
    return bytes_at(r->a + at) & 0x80;
}
static ALWAYS_INLINE bytes16 runs_is_char(const struct runs *r, ptrdiff_t at) {
    return (bytes16)(chars_at(r->a + at) == (chars8){0} + r->first);
}
/* One in a, and another there in b. */
static ALWAYS_INLINE bytes16 runs_are_bytes(const struct runs *r, ptrdiff_t at) {
    return (bytes16)(bytes_at(r->a + at) == (bytes16){0} + (uint8_t)r->first) &
           (bytes16)(bytes_at(r->b + at) == (bytes16){0} + (uint8_t)r->last);
}
static ALWAYS_INLINE bytes16 runs_are_chars(const struct runs *r, ptrdiff_t at) {
    return (bytes16)((chars_at(r->a + at) == (chars8){0} + r->first) &
                     (chars_at(r->b + at) == (chars8){0} + r->last));
}

static inline bool arrays_equal(struct object *a, struct object *b, unsigned shift) {
    size_t size = (size_t)(uint32_t)array_length(a) << shift;
    return array_length(a) == array_length(b) && memcmp(array_data(a), array_data(b), size) == 0;
}
/* How many of `size` bytes, from the first on, are alike. */
static inline size_t runs_alike(const uint8_t *a, const uint8_t *b, size_t size) {
    return runs_find(&(struct runs){.a = a, .b = b}, size, runs_differ);
}
/* How many of `count` chars and bytes. */
static inline size_t runs_alike_widened(const uint8_t *chars, const uint8_t *bytes, size_t count) {
    return runs_find(&(struct runs){.a = chars, .b = bytes}, 2 * count, runs_differ_widened) / 2;
}

/* ---- copies between arrays --------------------------------------------------------------------------------------- */

static inline void runs_widen(uint16_t *to, const uint8_t *from, size_t count) {
    for (; count >= sizeof(bytes8); count -= sizeof(bytes8), from += sizeof(bytes8), to += sizeof(bytes8)) {
        chars8 v = widened_at(from);
        memcpy(to, &v, sizeof v);
    }
    for (; count > 0; count--) *to++ = *from++;
}

/* Up to a char that has one of the bits `above`. Returns how many were copied. */
static inline size_t runs_narrow(uint8_t *to, const uint16_t *from, size_t count, uint16_t above) {
    size_t i = 0;
    for (; i + sizeof(bytes8) <= count; i += sizeof(bytes8)) {
        chars8 v = chars_at((const uint8_t *)(from + i));
        if (set_bytes((bytes16)(v & above)) != 0) break;
        bytes8 narrow = __builtin_convertvector(v, bytes8);
        memcpy(to + i, &narrow, sizeof narrow);
    }
    for (; i < count && (from[i] & above) == 0; i++) to[i] = (uint8_t)from[i];
    return i;
}

#endif
