/* intrinsic_array.c — index checks, and arrays as a whole: whether they are equal, where they differ, their hashes. */
#include "exec/intrinsic.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "base/base.h"
#include "exec/runs.h"

#define FUNCTION(name) INTRINSIC_FUNCTION(name)
#define INT_ARG(i) ((int32_t)args[i])
#define LONG_ARG(i) ((int64_t)args[i])

FUNCTION(check_index_int) {
    *result = (uint32_t)INT_ARG(0);
    return INT_ARG(0) >= 0 && INT_ARG(0) < INT_ARG(1);
}

FUNCTION(check_index_long) {
    *result = args[0];
    return LONG_ARG(0) >= 0 && LONG_ARG(0) < LONG_ARG(2);
}

/* ---- equality and difference ------------------------------------------------------------------------------------- */

/* The first index below `count` at which elements of `size` bytes differ, or -1. */
static uint64_t mismatch(const uint8_t *a, const uint8_t *b, int32_t count, size_t size) {
    size_t alike = runs_alike(a, b, (size_t)(uint32_t)count * size) / size;
    return alike < (size_t)count ? alike : UINT32_MAX;
}

static bool mismatch_in(const uint64_t *args, uint64_t *result, size_t size) {
    struct object *a = arg_array(args, 0), *b = arg_array(args, 1);
    int32_t count = INT_ARG(2);
    if (a == NULL || b == NULL || !range_fits(0, count, array_length(a)) || count > array_length(b)) return false;
    *result = mismatch(array_data(a), array_data(b), count, size);
    return true;
}

FUNCTION(mismatch_bytes) { return mismatch_in(args, result, 1); }
FUNCTION(mismatch_chars) { return mismatch_in(args, result, 2); }
FUNCTION(mismatch_ints) { return mismatch_in(args, result, 4); }

/* (array, from, array, from, count) */
FUNCTION(mismatch_byte_ranges) {
    struct object *a = arg_array(args, 0), *b = arg_array(args, 2);
    int32_t count = INT_ARG(4);
    if (a == NULL || b == NULL || !range_fits(INT_ARG(1), count, array_length(a))) return false;
    if (!range_fits(INT_ARG(3), count, array_length(b))) return false;
    *result = mismatch((const uint8_t *)array_data(a) + INT_ARG(1), (const uint8_t *)array_data(b) + INT_ARG(3), count,
                       1);
    return true;
}

/* (array, offset in bytes, array, offset in bytes, count, log2 of an element's size): as `mismatch`, but where none
 * differs the complement of how many are left that make no 4 bytes. Memory that is in no array is the library's: a
 * file that is mapped may be shorter. */
FUNCTION(vectorized_mismatch) {
    enum { WORD_SHIFT = 3, HALF_SHIFT = 2 };
    const uint8_t *a = (const uint8_t *)arg_array(args, 0), *b = (const uint8_t *)arg_array(args, 3);
    int32_t count = INT_ARG(6), shift = INT_ARG(7);
    if (a == NULL || b == NULL || LONG_ARG(1) < ARRAY_DATA || LONG_ARG(4) < ARRAY_DATA) return false;
    if (count < 0 || shift < 0 || shift > WORD_SHIFT) return false;
    size_t size = (size_t)(uint32_t)count << shift, asked = size & ~(size_t)(shift < HALF_SHIFT ? 3 : 7);
    size_t alike = runs_alike(a + LONG_ARG(1), b + LONG_ARG(4), asked);
    *result = (uint32_t)(alike < asked ? (int32_t)(alike >> shift) : ~(int32_t)((size - asked) >> shift));
    return true;
}

#define ARRAY_EQUALS(size, shift)                                                                               \
    FUNCTION(array_equals_##size) {                                                                             \
        struct object *a = arg_array(args, 0), *b = arg_array(args, 1);                                         \
        *result = a == b || (a != NULL && b != NULL && arrays_equal(a, b, shift));                              \
        return true;                                                                                            \
    }
ARRAY_EQUALS(1, 0)
ARRAY_EQUALS(2, 1)
ARRAY_EQUALS(4, 2)
ARRAY_EQUALS(8, 3)

/* ---- hashes: each element has 31 times the weight of the one after it -------------------------------------------- */

enum { TIMES = 31, TIMES_2 = TIMES * TIMES, TIMES_3 = TIMES_2 * TIMES, TIMES_4 = TIMES_3 * TIMES };
static const uint32_t times_8 = (uint32_t)TIMES_4 * TIMES_4, times_16 = (uint32_t)TIMES_4 * TIMES_4 * TIMES_4 * TIMES_4;

#define HASH(name, type)                                                                                        \
    static uint32_t hash_##name(uint32_t hash, const type *p, size_t count) {                                   \
        for (; count >= 4; count -= 4, p += 4)                                                                  \
            hash = TIMES_4 * hash + TIMES_3 * (uint32_t)p[0] + TIMES_2 * (uint32_t)p[1] +                       \
                   TIMES * (uint32_t)p[2] + (uint32_t)p[3];                                                     \
        for (; count > 0; count--) hash = TIMES * hash + (uint32_t)*p++;                                        \
        return hash;                                                                                            \
    }
HASH(bytes, int8_t)
HASH(unsigned_bytes, uint8_t)
HASH(shorts, int16_t)
HASH(chars, uint16_t)
HASH(ints, int32_t)

#ifdef __x86_64__
typedef uint32_t ints8 __attribute__((vector_size(32)));

/* Two vectors hold the sums of every 16th element. widen: of eight. Not every compiler clears the upper halves at the
 * end, without which every later change between the two kinds of vector instructions takes a hundred cycles. */
#define HASH_BY_VECTORS(name, type, widen)                                                                      \
    __attribute__((target("avx2"))) static uint32_t vectors_##name(uint32_t hash, const type *p, size_t count) { \
        const uint32_t n = TIMES;                                                                               \
        const ints8 weights = {TIMES_4 * n * n * n, TIMES_4 * n * n, TIMES_4 * n, TIMES_4, TIMES_3, TIMES_2, n, 1}; \
        ints8 upper = {0}, lower = {0};                                                                         \
        for (; count >= 16; count -= 16, p += 16) {                                                             \
            upper = upper * times_16 + (ints8)widen((const void *)p);                                           \
            lower = lower * times_16 + (ints8)widen((const void *)(p + 8));                                     \
            hash *= times_16;                                                                                   \
        }                                                                                                       \
        lower = (upper * times_8 + lower) * weights;                                                            \
        for (int i = 0; i < 8; i++) hash += lower[i];                                                           \
        _mm256_zeroupper();                                                                                     \
        return hash_##name(hash, p, count);                                                                     \
    }
#define EIGHT_BYTES(p)          _mm256_cvtepi8_epi32(_mm_loadl_epi64(p))
#define EIGHT_UNSIGNED_BYTES(p) _mm256_cvtepu8_epi32(_mm_loadl_epi64(p))
#define EIGHT_SHORTS(p)         _mm256_cvtepi16_epi32(_mm_loadu_si128(p))
#define EIGHT_CHARS(p)          _mm256_cvtepu16_epi32(_mm_loadu_si128(p))
#define EIGHT_INTS(p)           _mm256_loadu_si256(p)
HASH_BY_VECTORS(bytes, int8_t, EIGHT_BYTES)
HASH_BY_VECTORS(unsigned_bytes, uint8_t, EIGHT_UNSIGNED_BYTES)
HASH_BY_VECTORS(shorts, int16_t, EIGHT_SHORTS)
HASH_BY_VECTORS(chars, uint16_t, EIGHT_CHARS)
HASH_BY_VECTORS(ints, int32_t, EIGHT_INTS)
#define HASH_OF(name, hash, p, count) \
    ((count) >= 32 && __builtin_cpu_supports("avx2") ? vectors_##name : hash_##name)((hash), (p), (count))
#else
#define HASH_OF(name, hash, p, count) hash_##name((hash), (p), (count))
#endif

FUNCTION(latin1_hash_code) {
    struct object *a = arg_array(args, 0);
    if (a == NULL) return false;
    *result = HASH_OF(unsigned_bytes, 0, array_data(a), (size_t)array_length(a));
    return true;
}

FUNCTION(utf16_hash_code) {
    struct object *a = arg_array(args, 0);
    if (a == NULL) return false;
    *result = HASH_OF(chars, 0, array_data(a), (size_t)array_length(a) >> 1);
    return true;
}

/* (array, from, count, hash of what is before, type). T_BOOLEAN means unsigned bytes; bytes may stand for chars. */
FUNCTION(vectorized_hash_code) {
    struct object *a = arg_array(args, 0);
    int32_t from = INT_ARG(1), count = INT_ARG(2), type = INT_ARG(4);
    if (a == NULL) return false;
    const struct class *component = class_of(a)->component;
    uint8_t of = component != NULL ? component->basic_type : T_OBJECT;
    bool as_chars = of == T_BYTE && type == T_CHAR;
    if (of == T_BOOLEAN || (of != type && !as_chars && !(of == T_BYTE && type == T_BOOLEAN))) return false;
    if (!range_fits(from, count, array_length(a) >> as_chars)) return false;
    uint32_t hash = (uint32_t)args[3];
    const void *data = array_data(a);
    size_t n = (size_t)count;
    switch (type) {
    case T_BOOLEAN: hash = HASH_OF(unsigned_bytes, hash, (const uint8_t *)data + from, n); break;
    case T_BYTE: hash = HASH_OF(bytes, hash, (const int8_t *)data + from, n); break;
    case T_CHAR: hash = HASH_OF(chars, hash, (const uint16_t *)data + from, n); break;
    case T_SHORT: hash = HASH_OF(shorts, hash, (const int16_t *)data + from, n); break;
    case T_INT: hash = HASH_OF(ints, hash, (const int32_t *)data + from, n); break;
    default: return false;
    }
    *result = hash;
    return true;
}
