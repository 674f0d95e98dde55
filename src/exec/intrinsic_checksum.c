/* intrinsic_checksum.c — java.util.zip: CRC-32 and Adler-32 by zlib, CRC-32C by eight tables; both CRCs by the
 * processor's instructions where it has them. A long array is left to the library's code, which lets the world stop
 * between two pieces or is foreign code. */
#include "exec/intrinsic.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif
#include <zlib.h>

#include "base/base.h"

#define FUNCTION(name) INTRINSIC_OF_NATIVE(name)
#define INT_ARG(i) ((int32_t)args[i])

enum { LONGEST = 1 << 20 };              /* bytes: about a millisecond                                             */

typedef uint32_t checksum(uint32_t sum, const uint8_t *bytes, size_t count);

static uint32_t crc_by_zlib(uint32_t sum, const uint8_t *bytes, size_t count) {
    return (uint32_t)crc32(sum, bytes, (uInt)count);
}
static uint32_t adler_by_zlib(uint32_t sum, const uint8_t *bytes, size_t count) {
    return (uint32_t)adler32(sum, bytes, (uInt)count);
}

/* ---- CRC-32C: the Castagnoli polynomial, reflected; the sum stays inverted between calls ----------------------- */

static uint32_t castagnoli[8][256];
static _Atomic bool castagnoli_made;

/* Threads that come here together write the same. */
static void make_castagnoli(void) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t r = i;
        for (int bit = 0; bit < 8; bit++) r = r & 1 ? r >> 1 ^ 0x82f63b78u : r >> 1;
        castagnoli[0][i] = r;
    }
    for (int k = 1; k < 8; k++)
        for (uint32_t i = 0; i < 256; i++)
            castagnoli[k][i] = castagnoli[k - 1][i] >> 8 ^ castagnoli[0][castagnoli[k - 1][i] & 0xff];
    atomic_store(&castagnoli_made, true);
}

static uint32_t crc_castagnoli(uint32_t sum, const uint8_t *p, size_t count) {
    if (!atomic_load(&castagnoli_made)) make_castagnoli();
    for (; count >= 8; count -= 8, p += 8) {
        uint32_t low;
        memcpy(&low, p, sizeof low);
        low ^= sum;
        sum = castagnoli[7][low & 0xff] ^ castagnoli[6][low >> 8 & 0xff] ^ castagnoli[5][low >> 16 & 0xff] ^
              castagnoli[4][low >> 24] ^ castagnoli[3][p[4]] ^ castagnoli[2][p[5]] ^ castagnoli[1][p[6]] ^
              castagnoli[0][p[7]];
    }
    for (; count > 0; count--) sum = sum >> 8 ^ castagnoli[0][(sum ^ *p++) & 0xff];
    return sum;
}

/* ---- by the processor's instructions --------------------------------------------------------------------------- */

#ifdef __x86_64__
enum { FOLDED = 64, FOLDED_LEAST = 128, FOLDED_WIDE = 256, FOLDED_WIDE_LEAST = 512 };

/* `a` moved up by as many bits as the two powers of x in `powers` say, modulo the polynomial, and what stands there. */
__attribute__((target("pclmul,sse4.2"))) static inline __m128i fold(__m128i a, __m128i powers, __m128i next) {
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

#define WIDE __attribute__((target("avx512f,vpclmulqdq")))

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

/* The first words, with the sum. */
__attribute__((target("pclmul,sse4.2"))) static struct folded_words first_words(uint32_t sum, const __m128i **words,
                                                                                 size_t *left) {
    const __m128i *p = *words;
    *words += 4;
    *left -= FOLDED;
    return (struct folded_words){_mm_xor_si128(_mm_loadu_si128(p), _mm_cvtsi32_si128((int)sum)),
                                 _mm_loadu_si128(p + 1), _mm_loadu_si128(p + 2), _mm_loadu_si128(p + 3)};
}

/* Carry-less products replace 64 bytes by four words of 16 that leave the same remainder, and these by one (V. Gopal
 * and others, Fast CRC Computation for Generic Polynomials Using PCLMULQDQ Instruction, 2009), of which *rest is to be
 * taken before what is left of the bytes. The sum is the remainder, not inverted. At least FOLDED_LEAST bytes. */
__attribute__((target("pclmul,sse4.2"))) static const uint8_t *folded(const struct polynomial *by, uint32_t sum,
                                                                      const uint8_t *p, size_t *count, __m128i *rest) {
    const __m128i by_four = _mm_set_epi64x((int64_t)by->by_four[1], (int64_t)by->by_four[0]),
                  by_one = _mm_set_epi64x((int64_t)by->by_one[1], (int64_t)by->by_one[0]);
    const __m128i *words = (const __m128i *)(const void *)p;
    size_t left = *count;
    struct folded_words f = folds_wide(left) ? folded_wide(by, sum, &words, &left) : first_words(sum, &words, &left);
    for (; left >= FOLDED; left -= FOLDED, words += 4) {
        f.a = fold(f.a, by_four, _mm_loadu_si128(words));
        f.b = fold(f.b, by_four, _mm_loadu_si128(words + 1));
        f.c = fold(f.c, by_four, _mm_loadu_si128(words + 2));
        f.d = fold(f.d, by_four, _mm_loadu_si128(words + 3));
    }
    __m128i a = fold(fold(fold(f.a, by_one, f.b), by_one, f.c), by_one, f.d);
    for (; left >= sizeof a; left -= sizeof a) a = fold(a, by_one, _mm_loadu_si128(words++));
    *rest = a;
    *count = left;
    return (const uint8_t *)words;
}

static uint32_t crc_by_products(uint32_t sum, const uint8_t *p, size_t count) {
    static const struct polynomial ieee = {
        { 0x11542778a, 0x1322d1430 }, { 0x154442bd4, 0x1c6e41596 }, { 0x1751997d0, 0x0ccaa009e } };
    if (count < FOLDED_LEAST) return crc_by_zlib(sum, p, count);
    __m128i rest;
    p = folded(&ieee, ~sum, p, &count, &rest);
    sum = crc_by_zlib(UINT32_MAX, (const uint8_t *)&rest, sizeof rest);
    return crc_by_zlib(sum, p, count);
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
static uint32_t crc_castagnoli_by_products(uint32_t sum, const uint8_t *p, size_t count) {
    static const struct polynomial castagnoli_powers = {
        { 0x0dcb17aa4, 0x0b9e02b86 }, { 0x0740eef02, 0x09e4addf8 }, { 0x0f20c0dfe, 0x14cd00bd6 } };
    if (count < FOLDED_LEAST) return crc_castagnoli_by_instruction(sum, p, count);
    __m128i rest;
    p = folded(&castagnoli_powers, sum, p, &count, &rest);
    sum = crc_castagnoli_by_instruction(0, (const uint8_t *)&rest, sizeof rest);
    return crc_castagnoli_by_instruction(sum, p, count);
}

static uint32_t crc(uint32_t sum, const uint8_t *p, size_t count) {
    return (__builtin_cpu_supports("pclmul") ? crc_by_products : crc_by_zlib)(sum, p, count);
}
static uint32_t crc_c(uint32_t sum, const uint8_t *p, size_t count) {
    if (!__builtin_cpu_supports("sse4.2")) return crc_castagnoli(sum, p, count);
    return (__builtin_cpu_supports("pclmul") ? crc_castagnoli_by_products : crc_castagnoli_by_instruction)(sum, p,
                                                                                                           count);
}
#else
static uint32_t crc(uint32_t sum, const uint8_t *p, size_t count) { return crc_by_zlib(sum, p, count); }
static uint32_t crc_c(uint32_t sum, const uint8_t *p, size_t count) { return crc_castagnoli(sum, p, count); }
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
    *result = f((uint32_t)args[0], (const uint8_t *)(uintptr_t)args[1] + offset, (size_t)count);
    return true;
}

FUNCTION(crc32_byte) { return of_byte(args, result, crc_by_zlib); }
FUNCTION(crc32_bytes) { return of_array(args, result, INT_ARG(3), crc); }
FUNCTION(crc32_memory) { return of_memory(args, result, INT_ARG(4), crc); }
FUNCTION(adler32_byte) { return of_byte(args, result, adler_by_zlib); }
FUNCTION(adler32_bytes) { return of_array(args, result, INT_ARG(3), adler_by_zlib); }
FUNCTION(adler32_memory) { return of_memory(args, result, INT_ARG(4), adler_by_zlib); }
/* These two take the end, not the count. */
FUNCTION(crc32c_bytes) { return INT_ARG(3) >= INT_ARG(2) && of_array(args, result, INT_ARG(3) - INT_ARG(2), crc_c); }
FUNCTION(crc32c_memory) { return INT_ARG(4) >= INT_ARG(3) && of_memory(args, result, INT_ARG(4) - INT_ARG(3), crc_c); }
