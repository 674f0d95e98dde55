/* intrinsic_checksum.c — java.util.zip: CRC-32 and CRC-32C by eight tables each, Adler-32 by zlib; all three by the
 * processor's instructions where it has them. A long array is left to the library's code, which lets the world stop
 * between two pieces or is foreign code. */
#include "exec/intrinsic.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif
#include <zlib.h>

#include "base/base.h"
#include "thread/foreign_memory.h"

#define FUNCTION(name) INTRINSIC_OF_NATIVE(name)
#define INT_ARG(i) ((int32_t)args[i])

enum { LONGEST = 1 << 20 };              /* bytes: about a millisecond                                             */

typedef uint32_t checksum(uint32_t sum, const uint8_t *bytes, size_t count);

/* ---- by tables: the polynomials are reflected; the sum stays inverted between calls ------------------------------ */

struct tables {
    uint32_t polynomial;
    _Atomic bool made;
    uint32_t of[8][256];
};

static struct tables ieee = {.polynomial = 0xedb88320u}, castagnoli = {.polynomial = 0x82f63b78u};

/* Threads that come here together write the same. */
static void make(struct tables *t) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t r = i;
        for (int bit = 0; bit < 8; bit++) r = r & 1 ? r >> 1 ^ t->polynomial : r >> 1;
        t->of[0][i] = r;
    }
    for (int k = 1; k < 8; k++)
        for (uint32_t i = 0; i < 256; i++) t->of[k][i] = t->of[k - 1][i] >> 8 ^ t->of[0][t->of[k - 1][i] & 0xff];
    atomic_store(&t->made, true);
}

static ALWAYS_INLINE uint32_t crc_by_tables(struct tables *t, uint32_t sum, const uint8_t *p, size_t count) {
    if (UNLIKELY(!atomic_load_explicit(&t->made, memory_order_acquire))) make(t);
    for (; count >= 8; count -= 8, p += 8) {
        uint32_t low;
        memcpy(&low, p, sizeof low);
        low ^= sum;
        sum = t->of[7][low & 0xff] ^ t->of[6][low >> 8 & 0xff] ^ t->of[5][low >> 16 & 0xff] ^ t->of[4][low >> 24] ^
              t->of[3][p[4]] ^ t->of[2][p[5]] ^ t->of[1][p[6]] ^ t->of[0][p[7]];
    }
    for (; count > 0; count--) sum = sum >> 8 ^ t->of[0][(sum ^ *p++) & 0xff];
    return sum;
}

static uint32_t crc_ieee(uint32_t sum, const uint8_t *p, size_t count) { return ~crc_by_tables(&ieee, ~sum, p, count); }
static uint32_t crc_castagnoli(uint32_t sum, const uint8_t *p, size_t count) {
    return crc_by_tables(&castagnoli, sum, p, count);
}
static uint32_t adler_by_zlib(uint32_t sum, const uint8_t *bytes, size_t count) {
    return (uint32_t)adler32(sum, bytes, (uInt)count);
}

/* ---- by the processor's instructions --------------------------------------------------------------------------- */

#ifdef __x86_64__
enum { WORD = 16, FOLDED = 4 * WORD, FOLDED_WIDE = 4 * FOLDED, FOLDED_WIDE_LEAST = 2 * FOLDED_WIDE };

#define PRODUCTS __attribute__((target("pclmul,sse4.2")))
#define WIDE     __attribute__((target("avx512f,vpclmulqdq")))

/* `a` moved up by as many bits as the two powers of x in `powers` say, modulo the polynomial, and what stands there. */
PRODUCTS static inline __m128i fold(__m128i a, __m128i powers, __m128i next) {
    return _mm_xor_si128(_mm_xor_si128(_mm_clmulepi64_si128(a, powers, 0x00), _mm_clmulepi64_si128(a, powers, 0x11)),
                         next);
}

/* Powers of x modulo a polynomial, bits reversed: by 2048 bits, by 512, by 128. */
struct polynomial {
    uint64_t by_sixteen[2], by_four[2], by_one[2];
};

/* Four words of 16 bytes. */
struct folded_words {
    __m128i a, b, c, d;
};

WIDE static inline __m512i fold_wide(__m512i a, __m512i powers, __m512i next) {
    return _mm512_xor_si512(_mm512_xor_si512(_mm512_clmulepi64_epi128(a, powers, 0x00),
                                             _mm512_clmulepi64_epi128(a, powers, 0x11)), next);
}

/* As the loop of `folded`, four times as wide; the words replace what lies before *words. */
WIDE static struct folded_words folded_wide(const struct polynomial *by, uint32_t sum, const __m128i **words,
                                            size_t *left) {
    const __m512i by_sixteen = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(const void *)by->by_sixteen)),
                  by_four = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(const void *)by->by_four));
    const __m512i *p = (const __m512i *)(const void *)*words;
    __m512i a = _mm512_xor_si512(_mm512_loadu_si512(p), _mm512_zextsi128_si512(_mm_cvtsi32_si128((int)sum))),
            b = _mm512_loadu_si512(p + 1), c = _mm512_loadu_si512(p + 2), d = _mm512_loadu_si512(p + 3);
    for (p += 4, *left -= FOLDED_WIDE; *left >= FOLDED_WIDE; *left -= FOLDED_WIDE, p += 4) {
        a = fold_wide(a, by_sixteen, _mm512_loadu_si512(p));
        b = fold_wide(b, by_sixteen, _mm512_loadu_si512(p + 1));
        c = fold_wide(c, by_sixteen, _mm512_loadu_si512(p + 2));
        d = fold_wide(d, by_sixteen, _mm512_loadu_si512(p + 3));
    }
    a = fold_wide(fold_wide(fold_wide(a, by_four, b), by_four, c), by_four, d);
    *words = (const __m128i *)(const void *)p;
    return (struct folded_words){_mm512_extracti32x4_epi32(a, 0), _mm512_extracti32x4_epi32(a, 1),
                                 _mm512_extracti32x4_epi32(a, 2), _mm512_extracti32x4_epi32(a, 3)};
}

static bool folds_wide(size_t count) {
    return count >= FOLDED_WIDE_LEAST && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("vpclmulqdq");
}

/* What `fold` makes of `a` and the next `count` bytes, fewer than 16; the bytes end where *last does. */
PRODUCTS static inline __m128i fold_end(__m128i a, __m128i powers, __m128i last, size_t count) {
    enum { NONE = -128 };
    static const int8_t moved[3 * WORD] = {
        NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE,
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
        NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE};
    const __m128i up = _mm_loadu_si128((const __m128i *)(const void *)(moved + count)),
                  down = _mm_loadu_si128((const __m128i *)(const void *)(moved + WORD + count));
    return fold(_mm_shuffle_epi8(a, up), powers, _mm_blendv_epi8(_mm_shuffle_epi8(a, down), last, down));
}

/* Carry-less products replace 64 bytes by four words of 16 that leave the same remainder, and these by one (V. Gopal
 * and others, Fast CRC Computation for Generic Polynomials Using PCLMULQDQ Instruction, 2009), which is the result. The
 * sum is the remainder, not inverted. At least 16 bytes. */
PRODUCTS static inline __m128i folded(const struct polynomial *by, uint32_t sum, const uint8_t *p, size_t left) {
    const __m128i by_four = _mm_set_epi64x((int64_t)by->by_four[1], (int64_t)by->by_four[0]),
                  by_one = _mm_set_epi64x((int64_t)by->by_one[1], (int64_t)by->by_one[0]);
    const __m128i *words = (const __m128i *)(const void *)p;
    __m128i a = _mm_xor_si128(_mm_loadu_si128(words), _mm_cvtsi32_si128((int)sum));
    if (left < FOLDED) {
        words++;
        left -= WORD;
    } else {
        struct folded_words f;
        if (folds_wide(left)) {
            f = folded_wide(by, sum, &words, &left);
        } else {
            f = (struct folded_words){a, _mm_loadu_si128(words + 1), _mm_loadu_si128(words + 2),
                                      _mm_loadu_si128(words + 3)};
            words += 4;
            left -= FOLDED;
        }
        for (; left >= FOLDED; left -= FOLDED, words += 4) {
            f.a = fold(f.a, by_four, _mm_loadu_si128(words));
            f.b = fold(f.b, by_four, _mm_loadu_si128(words + 1));
            f.c = fold(f.c, by_four, _mm_loadu_si128(words + 2));
            f.d = fold(f.d, by_four, _mm_loadu_si128(words + 3));
        }
        a = fold(fold(fold(f.a, by_one, f.b), by_one, f.c), by_one, f.d);
    }
    for (; left >= WORD; left -= WORD) a = fold(a, by_one, _mm_loadu_si128(words++));
    if (left == 0) return a;
    const void *last = (const uint8_t *)words + left - WORD;
    return fold_end(a, by_one, _mm_loadu_si128((const __m128i *)last), left);
}

/* The remainder of 16 bytes by that polynomial: of 12 and of 8, then as Barrett divides. */
PRODUCTS static inline uint32_t ieee_remainder(__m128i a, const struct polynomial *by) {
    const __m128i low = _mm_set_epi32(0, 0, 0, -1), by_eight = _mm_cvtsi64_si128(0x163cd6124),
                  divisor = _mm_set_epi64x(0x1f7011641, 0x1db710641);
    a = _mm_xor_si128(_mm_clmulepi64_si128(a, _mm_cvtsi64_si128((int64_t)by->by_one[1]), 0x00), _mm_srli_si128(a, 8));
    a = _mm_xor_si128(_mm_clmulepi64_si128(_mm_and_si128(a, low), by_eight, 0x00), _mm_srli_si128(a, 4));
    __m128i quotient = _mm_and_si128(_mm_clmulepi64_si128(_mm_and_si128(a, low), divisor, 0x10), low);
    return (uint32_t)_mm_extract_epi32(_mm_xor_si128(a, _mm_clmulepi64_si128(quotient, divisor, 0x00)), 1);
}

PRODUCTS static uint32_t crc_by_products(uint32_t sum, const uint8_t *p, size_t count) {
    static const struct polynomial powers = {
        { 0x11542778a, 0x1322d1430 }, { 0x154442bd4, 0x1c6e41596 }, { 0x1751997d0, 0x0ccaa009e } };
    return count < WORD ? crc_ieee(sum, p, count) : ~ieee_remainder(folded(&powers, ~sum, p, count), &powers);
}

__attribute__((target("sse4.2"))) static uint32_t crc_castagnoli_by_instruction(uint32_t sum, const uint8_t *p,
                                                                                size_t count) {
    uint64_t wide = sum;
    for (; count >= 8; count -= 8, p += 8) {
        uint64_t word;
        memcpy(&word, p, sizeof word);
        wide = _mm_crc32_u64(wide, word);
    }
    sum = (uint32_t)wide;
    for (; count > 0; count--) sum = _mm_crc32_u8(sum, *p++);
    return sum;
}

/* The instruction takes 8 bytes, and waits for the sum of those before. */
PRODUCTS static uint32_t crc_castagnoli_by_products(uint32_t sum, const uint8_t *p, size_t count) {
    static const struct polynomial powers = {
        { 0x0dcb17aa4, 0x0b9e02b86 }, { 0x0740eef02, 0x09e4addf8 }, { 0x0f20c0dfe, 0x14cd00bd6 } };
    if (count < 2 * FOLDED) return crc_castagnoli_by_instruction(sum, p, count);
    __m128i rest = folded(&powers, sum, p, count);
    uint64_t upper = _mm_crc32_u64(0, (uint64_t)_mm_cvtsi128_si64(rest));
    return (uint32_t)_mm_crc32_u64(upper, (uint64_t)_mm_extract_epi64(rest, 1));
}

static uint32_t crc(uint32_t sum, const uint8_t *p, size_t count) {
    return (__builtin_cpu_supports("pclmul") ? crc_by_products : crc_ieee)(sum, p, count);
}
static uint32_t crc_c(uint32_t sum, const uint8_t *p, size_t count) {
    if (!__builtin_cpu_supports("sse4.2")) return crc_castagnoli(sum, p, count);
    return (__builtin_cpu_supports("pclmul") ? crc_castagnoli_by_products : crc_castagnoli_by_instruction)(sum, p,
                                                                                                           count);
}

/* The lower half is the sum of all bytes, the upper that of all lower halves, modulo a prime. That of the lower ones
 * grows by 32 times the lower half before 32 bytes and by each byte as often as it and those after it are. No sum of at
 * most LONGEST bytes overflows. */
__attribute__((target("avx2"))) static uint32_t adler_by_vectors(uint32_t sum, const uint8_t *p, size_t count) {
    enum { PRIME = 65521, AT_ONCE = 32 };
    const __m256i times = _mm256_set_epi8(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
                                          22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32),
                  zero = _mm256_setzero_si256(), ones = _mm256_set1_epi16(1);
    __m256i bytes = zero, before = zero, weighed = zero;
    uint64_t lower = sum & UINT16_MAX, upper = sum >> 16;
    upper += (count - count % AT_ONCE) * lower;
    for (; count >= AT_ONCE; count -= AT_ONCE, p += AT_ONCE) {
        __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)p);
        before = _mm256_add_epi64(before, bytes);
        bytes = _mm256_add_epi64(bytes, _mm256_sad_epu8(v, zero));
        weighed = _mm256_add_epi32(weighed, _mm256_madd_epi16(_mm256_maddubs_epi16(v, times), ones));
    }
    uint64_t of_bytes[4], of_before[4];
    uint32_t of_weighed[8];
    _mm256_storeu_si256((__m256i *)(void *)of_bytes, bytes);
    _mm256_storeu_si256((__m256i *)(void *)of_before, before);
    _mm256_storeu_si256((__m256i *)(void *)of_weighed, weighed);
    for (int i = 0; i < 4; i++) {
        lower += of_bytes[i];
        upper += AT_ONCE * of_before[i] + of_weighed[i] + (uint64_t)of_weighed[i + 4];
    }
    for (; count > 0; count--) upper += lower += *p++;
    return (uint32_t)(upper % PRIME << 16 | lower % PRIME);
}

static uint32_t adler(uint32_t sum, const uint8_t *p, size_t count) {
    return (__builtin_cpu_supports("avx2") ? adler_by_vectors : adler_by_zlib)(sum, p, count);
}
#else
static uint32_t crc(uint32_t sum, const uint8_t *p, size_t count) { return crc_ieee(sum, p, count); }
static uint32_t crc_c(uint32_t sum, const uint8_t *p, size_t count) { return crc_castagnoli(sum, p, count); }
static uint32_t adler(uint32_t sum, const uint8_t *p, size_t count) { return adler_by_zlib(sum, p, count); }
#endif

/* ---- arguments ------------------------------------------------------------------------------------------------- */

static bool of_byte(const uint64_t *args, uint64_t *result, checksum *f) {
    uint8_t b = (uint8_t)args[1];
    *result = f((uint32_t)args[0], &b, 1);
    return true;
}

/* (sum, array, offset, count) */
static bool of_array(const uint64_t *args, uint64_t *result, int32_t count, checksum *f) {
    struct object *a = arg_array(args, 1);
    int32_t offset = INT_ARG(2);
    if (a == NULL || count > LONGEST || !range_fits(offset, count, array_length(a))) return false;
    *result = f((uint32_t)args[0], (const uint8_t *)array_data(a) + offset, (size_t)count);
    return true;
}

/* (sum, address, offset, count) */
static bool of_memory(const uint64_t *args, uint64_t *result, int32_t count, checksum *f) {
    int32_t offset = INT_ARG(3);
    if (args[1] == 0 || count < 0 || count > LONGEST) return false;
    struct os_thread *self = current_thread();
    foreign_memory_begin(self);
    *result = f((uint32_t)args[0], (const uint8_t *)(uintptr_t)args[1] + offset, (size_t)count);
    foreign_memory_end(self);
    return true;
}

FUNCTION(crc32_byte) { return of_byte(args, result, crc_ieee); }
FUNCTION(crc32_bytes) { return of_array(args, result, INT_ARG(3), crc); }
FUNCTION(crc32_memory) { return of_memory(args, result, INT_ARG(4), crc); }
FUNCTION(adler32_byte) { return of_byte(args, result, adler); }
FUNCTION(adler32_bytes) { return of_array(args, result, INT_ARG(3), adler); }
FUNCTION(adler32_memory) { return of_memory(args, result, INT_ARG(4), adler); }
/* These two take the end, not the count. */
FUNCTION(crc32c_bytes) { return INT_ARG(3) >= INT_ARG(2) && of_array(args, result, INT_ARG(3) - INT_ARG(2), crc_c); }
FUNCTION(crc32c_memory) { return INT_ARG(4) >= INT_ARG(3) && of_memory(args, result, INT_ARG(4) - INT_ARG(3), crc_c); }
