/* digest.c — MD5 (RFC 1321), SHA-1 and SHA-2 (FIPS 180-4), Keccak's permutation and sponge (FIPS 202), by the names
 * that these use. SHA-1 and SHA-256 have instructions of their own on some processors; SHA-512 and Keccak gain from
 * rotations that leave their operand and the flags as they are. */
#include "exec/digest.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>
#endif

#include "base/base.h"

static ALWAYS_INLINE uint32_t left_32(uint32_t x, unsigned n) { return x << n | x >> (32 - n); }
static ALWAYS_INLINE uint32_t right_32(uint32_t x, unsigned n) { return x >> n | x << (32 - n); }
static ALWAYS_INLINE uint64_t left_64(uint64_t x, unsigned n) { return n == 0 ? x : x << n | x >> (64 - n); }
static ALWAYS_INLINE uint64_t right_64(uint64_t x, unsigned n) { return x >> n | x << (64 - n); }

static ALWAYS_INLINE uint32_t big_endian_32(const uint8_t *p) {
    uint32_t x;
    memcpy(&x, p, sizeof x);
    return __builtin_bswap32(x);
}
static ALWAYS_INLINE uint64_t big_endian_64(const uint8_t *p) {
    uint64_t x;
    memcpy(&x, p, sizeof x);
    return __builtin_bswap64(x);
}

/* ---- MD5 --------------------------------------------------------------------------------------------------------- */

static const uint32_t md5_constants[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
};

void md5_blocks(void *state, const uint8_t *p, size_t count, size_t size UNUSED) {
    static const uint8_t turns[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
    uint32_t *s = state, a = s[0], b = s[1], c = s[2], d = s[3];
    for (; count > 0; count--, p += 64) {
        uint32_t x[16];
        memcpy(x, p, sizeof x);
#pragma GCC unroll 64
        for (unsigned i = 0; i < 64; i++) {
            uint32_t f, sum;
            switch (i / 16) {
            case 0: f = d ^ (b & (c ^ d)), sum = x[i % 16]; break;
            case 1: f = c ^ (d & (b ^ c)), sum = x[(5 * i + 1) % 16]; break;
            case 2: f = b ^ c ^ d, sum = x[(3 * i + 5) % 16]; break;
            default: f = c ^ (b | ~d), sum = x[7 * i % 16]; break;
            }
            sum += a + md5_constants[i];
            a = d, d = c, c = b;
            b += left_32(sum + f, turns[i / 16][i % 4]);
        }
        a = s[0] += a, b = s[1] += b, c = s[2] += c, d = s[3] += d;
    }
}

/* ---- SHA-1 ------------------------------------------------------------------------------------------------------- */

void sha1_blocks_portable(void *state, const uint8_t *p, size_t count, size_t size UNUSED) {
    uint32_t *s = state, a = s[0], b = s[1], c = s[2], d = s[3], e = s[4];
    for (; count > 0; count--, p += 64) {
        uint32_t w[16];
        for (unsigned i = 0; i < 16; i++) w[i] = big_endian_32(p + 4 * i);
#pragma GCC unroll 80
        for (unsigned t = 0; t < 80; t++) {
            uint32_t *word = &w[t % 16], f, k;
            if (t >= 16) *word = left_32(w[(t - 3) % 16] ^ w[(t - 8) % 16] ^ w[(t - 14) % 16] ^ *word, 1);
            switch (t / 20) {
            case 0: f = d ^ (b & (c ^ d)), k = 0x5a827999; break;
            case 1: f = b ^ c ^ d, k = 0x6ed9eba1; break;
            case 2: f = (b & c) ^ (d & (b ^ c)), k = 0x8f1bbcdc; break;
            default: f = b ^ c ^ d, k = 0xca62c1d6; break;
            }
            uint32_t sum = left_32(a, 5) + f + e + k + *word;
            e = d, d = c, c = left_32(b, 30), b = a, a = sum;
        }
        a = s[0] += a, b = s[1] += b, c = s[2] += c, d = s[3] += d, e = s[4] += e;
    }
}

/* ---- SHA-2: words of 32 bits ------------------------------------------------------------------------------------- */

static const uint32_t sha256_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

void sha256_blocks_portable(void *state, const uint8_t *p, size_t count, size_t size UNUSED) {
    uint32_t *s = state;
    for (; count > 0; count--, p += 64) {
        uint32_t w[16], a = s[0], b = s[1], c = s[2], d = s[3], e = s[4], f = s[5], g = s[6], h = s[7];
        for (unsigned i = 0; i < 16; i++) w[i] = big_endian_32(p + 4 * i);
#pragma GCC unroll 64
        for (unsigned t = 0; t < 64; t++) {
            uint32_t *word = &w[t % 16];
            if (t >= 16) {
                uint32_t x = w[(t - 15) % 16], y = w[(t - 2) % 16];
                *word += (right_32(x, 7) ^ right_32(x, 18) ^ x >> 3) + w[(t - 7) % 16] +
                         (right_32(y, 17) ^ right_32(y, 19) ^ y >> 10);
            }
            uint32_t t1 = h + (right_32(e, 6) ^ right_32(e, 11) ^ right_32(e, 25)) + (g ^ (e & (f ^ g))) +
                          sha256_constants[t] + *word;
            uint32_t t2 = (right_32(a, 2) ^ right_32(a, 13) ^ right_32(a, 22)) + ((a & b) ^ (c & (a ^ b)));
            h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
        }
        s[0] += a, s[1] += b, s[2] += c, s[3] += d, s[4] += e, s[5] += f, s[6] += g, s[7] += h;
    }
}

/* ---- SHA-2: words of 64 bits ------------------------------------------------------------------------------------- */

static const uint64_t sha512_constants[80] = {
    0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc,
    0x3956c25bf348b538, 0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118,
    0xd807aa98a3030242, 0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2,
    0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235, 0xc19bf174cf692694,
    0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
    0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5,
    0x983e5152ee66dfab, 0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4,
    0xc6e00bf33da88fc2, 0xd5a79147930aa725, 0x06ca6351e003826f, 0x142929670a0e6e70,
    0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed, 0x53380d139d95b3df,
    0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
    0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30,
    0xd192e819d6ef5218, 0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8,
    0x19a4c116b8d2d0c8, 0x1e376c085141ab53, 0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8,
    0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373, 0x682e6ff3d6b2b8a3,
    0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
    0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b,
    0xca273eceea26619c, 0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178,
    0x06f067aa72176fba, 0x0a637dc5a2c898a6, 0x113f9804bef90dae, 0x1b710b35131c471b,
    0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc, 0x431d67c49c100d4c,
    0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817,
};

static ALWAYS_INLINE void sha512_by_words(uint64_t *s, const uint8_t *p, size_t count) {
    for (; count > 0; count--, p += 128) {
        uint64_t w[16], a = s[0], b = s[1], c = s[2], d = s[3], e = s[4], f = s[5], g = s[6], h = s[7];
        for (unsigned i = 0; i < 16; i++) w[i] = big_endian_64(p + 8 * i);
#pragma GCC unroll 80
        for (unsigned t = 0; t < 80; t++) {
            uint64_t *word = &w[t % 16];
            if (t >= 16) {
                uint64_t x = w[(t - 15) % 16], y = w[(t - 2) % 16];
                *word += (right_64(x, 1) ^ right_64(x, 8) ^ x >> 7) + w[(t - 7) % 16] +
                         (right_64(y, 19) ^ right_64(y, 61) ^ y >> 6);
            }
            uint64_t t1 = h + (right_64(e, 14) ^ right_64(e, 18) ^ right_64(e, 41)) + (g ^ (e & (f ^ g))) +
                          sha512_constants[t] + *word;
            uint64_t t2 = (right_64(a, 28) ^ right_64(a, 34) ^ right_64(a, 39)) + ((a & b) ^ (c & (a ^ b)));
            h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
        }
        s[0] += a, s[1] += b, s[2] += c, s[3] += d, s[4] += e, s[5] += f, s[6] += g, s[7] += h;
    }
}

void sha512_blocks_portable(void *state, const uint8_t *p, size_t count, size_t size UNUSED) {
    sha512_by_words(state, p, count);
}

/* ---- SHA-3: the lane (x, y) is word 5 * y + x -------------------------------------------------------------------- */

/* The states before and behind a round take turns. */
static ALWAYS_INLINE void keccak_round(const uint64_t *from, uint64_t *to, uint64_t constant) {
    static const uint8_t offsets[KECCAK_WORDS] = { 0,  1, 62, 28, 27, 36, 44,  6, 55, 20,  3, 10, 43,
                                                  25, 39, 41, 45, 15, 21,  8, 18,  2, 61, 56, 14};
    uint64_t c[5], d[5];
#pragma GCC unroll 5
    for (unsigned x = 0; x < 5; x++) c[x] = from[x] ^ from[5 + x] ^ from[10 + x] ^ from[15 + x] ^ from[20 + x];
#pragma GCC unroll 5
    for (unsigned x = 0; x < 5; x++) d[x] = c[(x + 4) % 5] ^ left_64(c[(x + 1) % 5], 1);
#pragma GCC unroll 5
    for (unsigned y = 0; y < 5; y++) {
        uint64_t b[5];
#pragma GCC unroll 5
        for (unsigned x = 0; x < 5; x++) {
            unsigned moved = (x + 3 * y) % 5, lane = 5 * x + moved;      /* which pi brings to (x, y)               */
            b[x] = left_64(from[lane] ^ d[moved], offsets[lane]);
        }
#pragma GCC unroll 5
        for (unsigned x = 0; x < 5; x++) to[5 * y + x] = b[x] ^ (~b[(x + 1) % 5] & b[(x + 2) % 5]);
    }
    to[0] ^= constant;
}

static ALWAYS_INLINE void keccak_by_rounds(uint64_t *state) {
    static const uint64_t constants[24] = {
        0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000, 0x000000000000808b,
        0x0000000080000001, 0x8000000080008081, 0x8000000000008009, 0x000000000000008a, 0x0000000000000088,
        0x0000000080008009, 0x000000008000000a, 0x000000008000808b, 0x800000000000008b, 0x8000000000008089,
        0x8000000000008003, 0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
        0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008};
    uint64_t other[KECCAK_WORDS];
    for (unsigned i = 0; i < 24; i += 2) {
        keccak_round(state, other, constants[i]);
        keccak_round(other, state, constants[i + 1]);
    }
}

static ALWAYS_INLINE void absorb(uint64_t *state, const uint8_t *p, size_t count, size_t size,
                                 void (*permute)(uint64_t *)) {
    for (; count > 0; count--, p += size) {
        for (size_t i = 0; i < size / 8; i++) {
            uint64_t lane;
            memcpy(&lane, p + 8 * i, sizeof lane);
            state[i] ^= lane;
        }
        permute(state);
    }
}

static void keccak_permute_portable(uint64_t *state) { keccak_by_rounds(state); }

void keccak_blocks_portable(void *state, const uint8_t *p, size_t count, size_t size) {
    absorb(state, p, count, size, keccak_permute_portable);
}

/* ---- by the processor's instructions ----------------------------------------------------------------------------- */

#ifdef __x86_64__
#define SHA  __attribute__((target("sha,sse4.1")))
#define BMI2 __attribute__((target("bmi,bmi2")))

SHA static inline __m128i load(const void *p) { return _mm_loadu_si128(p); }

/* Four rounds, from round 4 * i on; e: what they add, of which the highest word has E. */
SHA static ALWAYS_INLINE __m128i sha1_rounds(__m128i abcd, __m128i e, unsigned i) {
    switch (i / 5) {
    case 0: return _mm_sha1rnds4_epu32(abcd, e, 0);
    case 1: return _mm_sha1rnds4_epu32(abcd, e, 1);
    case 2: return _mm_sha1rnds4_epu32(abcd, e, 2);
    default: return _mm_sha1rnds4_epu32(abcd, e, 3);
    }
}

/* Vectors have the first word highest. */
SHA static void sha1_by_instructions(uint32_t *s, const uint8_t *p, size_t count) {
    const __m128i reversed = _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    __m128i abcd = _mm_shuffle_epi32(load(s), 0x1b), e = _mm_set_epi32((int)s[4], 0, 0, 0);
    for (; count > 0; count--, p += 64) {
        __m128i w[4], begin = abcd, before = abcd, sum;
        for (unsigned i = 0; i < 4; i++) w[i] = _mm_shuffle_epi8(load(p + 16 * i), reversed);
#pragma GCC unroll 20
        for (unsigned i = 0; i < 20; i++) {
            __m128i *words = &w[i % 4], last = w[(i + 3) % 4];
            if (i >= 4)
                *words = _mm_sha1msg2_epu32(
                    _mm_xor_si128(_mm_sha1msg1_epu32(*words, w[(i + 1) % 4]), w[(i + 2) % 4]), last);
            sum = i == 0 ? _mm_add_epi32(e, *words) : _mm_sha1nexte_epu32(before, *words);
            before = abcd;
            abcd = sha1_rounds(abcd, sum, i);
        }
        e = _mm_sha1nexte_epu32(before, e);
        abcd = _mm_add_epi32(abcd, begin);
    }
    _mm_storeu_si128((__m128i *)(void *)s, _mm_shuffle_epi32(abcd, 0x1b));
    s[4] = (uint32_t)_mm_extract_epi32(e, 3);
}

/* The instruction for two rounds takes the state as (C, D, G, H) and (A, B, E, F), the first word highest. */
SHA static void sha256_by_instructions(uint32_t *s, const uint8_t *p, size_t count) {
    const __m128i swapped = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
    __m128i cdab = _mm_shuffle_epi32(load(s), 0xb1), efgh = _mm_shuffle_epi32(load(s + 4), 0x1b);
    __m128i abef = _mm_alignr_epi8(cdab, efgh, 8), cdgh = _mm_blend_epi16(efgh, cdab, 0xf0);
    for (; count > 0; count--, p += 64) {
        __m128i w[4], abef_begin = abef, cdgh_begin = cdgh;
        for (unsigned i = 0; i < 4; i++) w[i] = _mm_shuffle_epi8(load(p + 16 * i), swapped);
#pragma GCC unroll 16
        for (unsigned i = 0; i < 16; i++) {
            __m128i *words = &w[i % 4], last = w[(i + 3) % 4];
            if (i >= 4)
                *words = _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(*words, w[(i + 1) % 4]),
                                                            _mm_alignr_epi8(last, w[(i + 2) % 4], 4)), last);
            __m128i sum = _mm_add_epi32(*words, load(sha256_constants + 4 * i));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
        }
        abef = _mm_add_epi32(abef, abef_begin);
        cdgh = _mm_add_epi32(cdgh, cdgh_begin);
    }
    __m128i feba = _mm_shuffle_epi32(abef, 0x1b), dchg = _mm_shuffle_epi32(cdgh, 0xb1);
    _mm_storeu_si128((__m128i *)(void *)s, _mm_blend_epi16(feba, dchg, 0xf0));
    _mm_storeu_si128((__m128i *)(void *)(s + 4), _mm_alignr_epi8(dchg, feba, 8));
}

BMI2 static void sha512_by_bmi2(uint64_t *s, const uint8_t *p, size_t count) { sha512_by_words(s, p, count); }
BMI2 static void keccak_by_bmi2(uint64_t *state) { keccak_by_rounds(state); }

/* Compilers have no name for it that all of them know; asking takes long. */
static bool has_sha(void) {
    enum { UNKNOWN, NO, YES };
    static _Atomic uint8_t sha_instructions;
    uint8_t known = atomic_load_explicit(&sha_instructions, memory_order_relaxed);
    if (UNLIKELY(known == UNKNOWN)) {
        unsigned a, b, c, d;
        known = __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_SHA) && __builtin_cpu_supports("sse4.1") ? YES : NO;
        atomic_store_explicit(&sha_instructions, known, memory_order_relaxed);
    }
    return known == YES;
}
static bool has_bmi2(void) { return __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2"); }

void sha1_blocks(void *state, const uint8_t *p, size_t count, size_t size) {
    if (has_sha()) sha1_by_instructions(state, p, count);
    else sha1_blocks_portable(state, p, count, size);
}
void sha256_blocks(void *state, const uint8_t *p, size_t count, size_t size) {
    if (has_sha()) sha256_by_instructions(state, p, count);
    else sha256_blocks_portable(state, p, count, size);
}
void sha512_blocks(void *state, const uint8_t *p, size_t count, size_t size) {
    if (has_bmi2()) sha512_by_bmi2(state, p, count);
    else sha512_blocks_portable(state, p, count, size);
}
void keccak_permute(uint64_t *state) { (has_bmi2() ? keccak_by_bmi2 : keccak_permute_portable)(state); }
#else
void sha1_blocks(void *state, const uint8_t *p, size_t count, size_t size) {
    sha1_blocks_portable(state, p, count, size);
}
void sha256_blocks(void *state, const uint8_t *p, size_t count, size_t size) {
    sha256_blocks_portable(state, p, count, size);
}
void sha512_blocks(void *state, const uint8_t *p, size_t count, size_t size) {
    sha512_blocks_portable(state, p, count, size);
}
void keccak_permute(uint64_t *state) { keccak_permute_portable(state); }
#endif

void keccak_blocks(void *state, const uint8_t *p, size_t count, size_t size) {
    absorb(state, p, count, size, keccak_permute);
}
