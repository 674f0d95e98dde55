/* elementary.h — what the elementary functions share: the parts of a double, and numbers less multiples of pi/2. For
 * exec/intrinsic_*.c and reduce_pi.c. */
#ifndef VITRINE_EXEC_ELEMENTARY_H
#define VITRINE_EXEC_ELEMENTARY_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

static inline double double_of(uint64_t bits) {
    union {
        uint64_t i;
        double d;
    } u = { .i = bits };
    return u.d;
}
static inline uint64_t bits_of(double d) {
    union {
        double d;
        uint64_t i;
    } u = { .d = d };
    return u.i;
}

/* A double's sign, exponent and upper 20 bits of the fraction; and without the sign. */
static inline int32_t high_of(double d) { return (int32_t)(bits_of(d) >> 32); }
static inline int32_t magnitude_of(double d) { return high_of(d) & INT32_MAX; }
static inline double with_high(double d, int32_t high) {
    return double_of((uint64_t)(uint32_t)high << 32 | (uint32_t)bits_of(d));
}
/* The upper half alone: a product of two such has no rounding error. It stays in its register: what follows waits for
 * it. */
static inline double upper(double d) {
#ifdef __SSE2__
    const __m128d mask = _mm_castsi128_pd(_mm_set1_epi64x((int64_t)((uint64_t)UINT32_MAX << 32)));
    __asm__("andpd %1, %0" : "+x"(d) : "x"(mask));       /* the intrinsic clears the other half first               */
    return d;
#else
    return double_of(bits_of(d) & ~(uint64_t)UINT32_MAX);
#endif
}

enum {
    FRACTION = 0xfffff,
    EXPONENT_SHIFT = 20,
    EXPONENT_ONE = 1 << EXPONENT_SHIFT,
    BIAS = 0x3ff,
    HIGH_ONE = BIAS << EXPONENT_SHIFT,
    HIGH_TINY = 0x3e400000 /* 2^-27 */,
    HIGH_INFINITE = 0x7ff00000,
    HIGH_NORMAL = EXPONENT_ONE,
    SUBNORMAL_BITS = 54 /* by which a subnormal number is scaled */
};

/* ---- reduction to [-pi/4, pi/4] -------------------------------------------------------------------------------- */

/* d times 2^k, where neither is subnormal and the result may be what the exponent's bits become. */
static inline double raised(double d, int32_t k) {
    return with_high(d, (int32_t)((uint32_t)high_of(d) + ((uint32_t)k << EXPONENT_SHIFT)));
}

/* What is left of a number, and what does not fit into it. */
struct reduced {
    double value, rest;
};

/* A finite number x >= pi/4 less the nearest multiple of pi/2, by as many bits of 2/pi as it takes: how many, modulo 8.
 * What is left is in [-pi/4, pi/4], to the bit as fdlibm's. */
int reduce_by_half_pi(double x, struct reduced *left);

/* fdlibm's natural logarithm. */
double elementary_logarithm(double x);

#endif
