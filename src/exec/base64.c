/* base64.c — Base64 by tables, and 24 bytes at a time in vectors: multiplications move fields of 6 bits (W. Muła and
 * D. Lemire, Faster Base64 Encoding and Decoding Using AVX2 Instructions, 2018); comparisons tell the classes of
 * characters, for both alphabets alike. */
#include "exec/base64.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "base/base.h"

enum { BYTES = 3, CHARS = 4 };           /* of a group                                                              */

static const char alphabets[2][65] = {
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"};

enum { IN_ALPHABET = 0x40 };
#define VALUE(n) (IN_ALPHABET | (n))
#define LETTERS_AND_DIGITS \
    ['A'] = VALUE(0), ['B'] = VALUE(1), ['C'] = VALUE(2), ['D'] = VALUE(3), ['E'] = VALUE(4), ['F'] = VALUE(5), \
    ['G'] = VALUE(6), ['H'] = VALUE(7), ['I'] = VALUE(8), ['J'] = VALUE(9), ['K'] = VALUE(10), ['L'] = VALUE(11), \
    ['M'] = VALUE(12), ['N'] = VALUE(13), ['O'] = VALUE(14), ['P'] = VALUE(15), ['Q'] = VALUE(16), ['R'] = VALUE(17), \
    ['S'] = VALUE(18), ['T'] = VALUE(19), ['U'] = VALUE(20), ['V'] = VALUE(21), ['W'] = VALUE(22), ['X'] = VALUE(23), \
    ['Y'] = VALUE(24), ['Z'] = VALUE(25), ['a'] = VALUE(26), ['b'] = VALUE(27), ['c'] = VALUE(28), ['d'] = VALUE(29), \
    ['e'] = VALUE(30), ['f'] = VALUE(31), ['g'] = VALUE(32), ['h'] = VALUE(33), ['i'] = VALUE(34), ['j'] = VALUE(35), \
    ['k'] = VALUE(36), ['l'] = VALUE(37), ['m'] = VALUE(38), ['n'] = VALUE(39), ['o'] = VALUE(40), ['p'] = VALUE(41), \
    ['q'] = VALUE(42), ['r'] = VALUE(43), ['s'] = VALUE(44), ['t'] = VALUE(45), ['u'] = VALUE(46), ['v'] = VALUE(47), \
    ['w'] = VALUE(48), ['x'] = VALUE(49), ['y'] = VALUE(50), ['z'] = VALUE(51), ['0'] = VALUE(52), ['1'] = VALUE(53), \
    ['2'] = VALUE(54), ['3'] = VALUE(55), ['4'] = VALUE(56), ['5'] = VALUE(57), ['6'] = VALUE(58), ['7'] = VALUE(59), \
    ['8'] = VALUE(60), ['9'] = VALUE(61)

static const uint8_t values[2][256] = {{LETTERS_AND_DIGITS, ['+'] = VALUE(62), ['/'] = VALUE(63)},
                                       {LETTERS_AND_DIGITS, ['-'] = VALUE(62), ['_'] = VALUE(63)}};

void base64_encode_portable(const uint8_t *p, size_t groups, uint8_t *to, bool url) {
    const char *alphabet = alphabets[url];
    for (; groups > 0; groups--, p += BYTES, to += CHARS) {
        uint32_t bits = (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
        to[0] = (uint8_t)alphabet[bits >> 18];
        to[1] = (uint8_t)alphabet[bits >> 12 & 0x3f];
        to[2] = (uint8_t)alphabet[bits >> 6 & 0x3f];
        to[3] = (uint8_t)alphabet[bits & 0x3f];
    }
}

size_t base64_decode_portable(const uint8_t *p, size_t groups, uint8_t *to, bool url) {
    const uint8_t *value = values[url];
    size_t done = 0;
    for (; done < groups; done++, p += CHARS, to += BYTES) {
        uint32_t a = value[p[0]], b = value[p[1]], c = value[p[2]], d = value[p[3]];
        if (!(a & b & c & d & IN_ALPHABET)) break;
        uint32_t bits = a << 18 | (b & 0x3f) << 12 | (c & 0x3f) << 6 | (d & 0x3f);
        to[0] = (uint8_t)(bits >> 16);
        to[1] = (uint8_t)(bits >> 8);
        to[2] = (uint8_t)bits;
    }
    return done;
}

/* ---- by vectors -------------------------------------------------------------------------------------------------- */

#ifdef __x86_64__
enum { AT_ONCE = 8 };                    /* groups                                                                  */

#define AVX2 __attribute__((target("avx2")))

/* All ones where a byte is one of the `count` from `first` on. */
AVX2 static ALWAYS_INLINE __m256i in_range(__m256i v, int first, int count) {
    __m256i from_first = _mm256_sub_epi8(v, _mm256_set1_epi8((char)first));
    return _mm256_cmpeq_epi8(_mm256_min_epu8(from_first, _mm256_set1_epi8((char)(count - 1))), from_first);
}

/* `by` where `mask` is all ones. */
AVX2 static ALWAYS_INLINE __m256i where(__m256i mask, int by) {
    return _mm256_and_si256(mask, _mm256_set1_epi8((char)by));
}

AVX2 static size_t encode_by_vectors(const uint8_t *p, size_t groups, uint8_t *to, bool url) {
    enum { READ = 28 };                  /* bytes: the upper half of a vector begins 12 behind the lower            */
    const __m256i spread = _mm256_broadcastsi128_si256(
        _mm_set_epi8(10, 11, 9, 10, 7, 8, 6, 7, 4, 5, 3, 4, 1, 2, 0, 1));
    const int last = url ? '_' : '/', last_but_one = url ? '-' : '+';
    size_t left = groups;
    for (; left * BYTES >= READ; left -= AT_ONCE, p += AT_ONCE * BYTES, to += AT_ONCE * CHARS) {
        __m256i v = _mm256_inserti128_si256(
            _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)p)),
            _mm_loadu_si128((const __m128i *)(const void *)(p + 12)), 1);
        v = _mm256_shuffle_epi8(v, spread);
        __m256i even = _mm256_mulhi_epu16(_mm256_and_si256(v, _mm256_set1_epi32(0x0fc0fc00)),
                                          _mm256_set1_epi32(0x04000040)),
                odd = _mm256_mullo_epi16(_mm256_and_si256(v, _mm256_set1_epi32(0x003f03f0)),
                                         _mm256_set1_epi32(0x01000010));
        v = _mm256_or_si256(even, odd);
        __m256i shift = _mm256_or_si256(
            _mm256_or_si256(where(in_range(v, 0, 26), 'A'), where(in_range(v, 26, 26), 'a' - 26)),
            _mm256_or_si256(where(in_range(v, 52, 10), '0' - 52),
                            _mm256_or_si256(where(in_range(v, 62, 1), last_but_one - 62),
                                            where(in_range(v, 63, 1), last - 63))));
        _mm256_storeu_si256((__m256i *)(void *)to, _mm256_add_epi8(v, shift));
    }
    return groups - left;
}

AVX2 static size_t decode_by_vectors(const uint8_t *p, size_t groups, uint8_t *to, bool url) {
    const __m256i together = _mm256_broadcastsi128_si256(
                      _mm_set_epi8(-1, -1, -1, -1, 12, 13, 14, 8, 9, 10, 4, 5, 6, 0, 1, 2)),
                  halves = _mm256_set_epi32(7, 3, 6, 5, 4, 2, 1, 0);
    const int last = url ? '_' : '/', last_but_one = url ? '-' : '+';
    size_t left = groups;
    for (; left >= AT_ONCE; left -= AT_ONCE, p += AT_ONCE * CHARS, to += AT_ONCE * BYTES) {
        __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)p);
        __m256i upper = in_range(v, 'A', 26), lower = in_range(v, 'a', 26), digit = in_range(v, '0', 10),
                is_last_but_one = in_range(v, last_but_one, 1), is_last = in_range(v, last, 1);
        __m256i letter = _mm256_or_si256(upper, lower), sign = _mm256_or_si256(is_last_but_one, is_last);
        if (_mm256_movemask_epi8(_mm256_or_si256(_mm256_or_si256(letter, sign), digit)) != -1) break;
        __m256i shift = _mm256_or_si256(
            _mm256_or_si256(where(upper, -'A'), where(lower, 26 - 'a')),
            _mm256_or_si256(where(digit, 52 - '0'),
                            _mm256_or_si256(where(is_last_but_one, 62 - last_but_one), where(is_last, 63 - last))));
        v = _mm256_maddubs_epi16(_mm256_add_epi8(v, shift), _mm256_set1_epi32(0x01400140));
        v = _mm256_madd_epi16(v, _mm256_set1_epi32(0x00011000));
        v = _mm256_permutevar8x32_epi32(_mm256_shuffle_epi8(v, together), halves);
        _mm_storeu_si128((__m128i *)(void *)to, _mm256_castsi256_si128(v));
        _mm_storel_epi64((__m128i *)(void *)(to + 16), _mm256_extracti128_si256(v, 1));
    }
    return groups - left;
}

static size_t encode_most(const uint8_t *p, size_t groups, uint8_t *to, bool url) {
    return __builtin_cpu_supports("avx2") ? encode_by_vectors(p, groups, to, url) : 0;
}
static size_t decode_most(const uint8_t *p, size_t groups, uint8_t *to, bool url) {
    return __builtin_cpu_supports("avx2") ? decode_by_vectors(p, groups, to, url) : 0;
}
#else
static size_t encode_most(const uint8_t *p UNUSED, size_t groups UNUSED, uint8_t *to UNUSED, bool url UNUSED) {
    return 0;
}
static size_t decode_most(const uint8_t *p UNUSED, size_t groups UNUSED, uint8_t *to UNUSED, bool url UNUSED) {
    return 0;
}
#endif

void base64_encode(const uint8_t *p, size_t groups, uint8_t *to, bool url) {
    size_t done = encode_most(p, groups, to, url);
    base64_encode_portable(p + done * BYTES, groups - done, to + done * CHARS, url);
}

size_t base64_decode(const uint8_t *p, size_t groups, uint8_t *to, bool url) {
    size_t done = decode_most(p, groups, to, url);
    return done + base64_decode_portable(p + done * CHARS, groups - done, to + done * BYTES, url);
}
