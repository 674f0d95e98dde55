/* intrinsic_math.c — arithmetic: java.lang.Math, StrictMath, Float, Double, Integer, Long. No value here depends on the
 * machine: where the library's code makes a NaN of its own the function declines. */
#include "exec/intrinsic.h"

#include <math.h>

#include "base/base.h"

#define FUNCTION(name) INTRINSIC_FUNCTION(name)

static double double_of(uint64_t bits) { union { uint64_t i; double d; } u = {.i = bits}; return u.d; }
static uint64_t bits_of(double d) { union { double d; uint64_t i; } u = {.d = d}; return u.i; }
static float float_of(uint64_t bits) { union { uint32_t i; float f; } u = {.i = (uint32_t)bits}; return u.f; }
static uint64_t bits_of_float(float f) { union { float f; uint32_t i; } u = {.f = f}; return u.i; }

enum { FLOAT_SIGN_BIT = 31, DOUBLE_SIGN_BIT = 63 };
static const uint64_t double_sign = (uint64_t)1 << DOUBLE_SIGN_BIT;
static const uint32_t float_sign = (uint32_t)1 << FLOAT_SIGN_BIT;

/* ---- rounding and roots ---------------------------------------------------------------------------------------- */

#define ROUNDING(name, function)                       \
    FUNCTION(name) {                                   \
        double x = double_of(args[0]);                 \
        if (x != x) return false;                      \
        *result = bits_of(function(x));                \
        return true;                                   \
    }
ROUNDING(floor, floor)
ROUNDING(ceil, ceil)
ROUNDING(rint, rint)

INTRINSIC_OF_NATIVE(sqrt) {
    double x = double_of(args[0]);
    if (x < 0) *result = bits_of((x - x) / (x - x));
    else *result = bits_of(x != x ? x * x + x : sqrt(x));
    return true;
}

/* To the nearest integer, of two to the upper one. The difference from the lower one is exact where it is less than
 * half; what is far from zero, or no number, is the library's. */
#define ROUNDING_TO(name, type, read, function, result_type, limit)   \
    FUNCTION(name) {                                                  \
        type x = read(args[0]), lower = function(x);                  \
        if (!(x > -limit && x < limit)) return false;                 \
        *result = (result_type)lower + (x - lower >= (type)0.5);      \
        return true;                                                  \
    }
ROUNDING_TO(round, double, double_of, floor, int64_t, 0x1p62)
ROUNDING_TO(round_float, float, float_of, floorf, int32_t, 0x1p30f)

/* The library computes with BigDecimal; C's fma is exact as well, with the machine's instruction or without. */
FUNCTION(fma) {
    double a = double_of(args[0]), b = double_of(args[2]), c = double_of(args[4]);
    if (!isfinite(a) || !isfinite(b) || !isfinite(c)) return false;
    *result = bits_of(fma(a, b, c));
    return true;
}
FUNCTION(fma_float) {
    float a = float_of(args[0]), b = float_of(args[1]), c = float_of(args[2]);
    if (!isfinite(a) || !isfinite(b) || !isfinite(c)) return false;
    *result = bits_of_float(fmaf(a, b, c));
    return true;
}

/* ---- signs and bits -------------------------------------------------------------------------------------------- */

#define PURE(name, expression) FUNCTION(name) { *result = (uint64_t)(expression); return true; }
PURE(abs, args[0] & ~double_sign)
PURE(abs_float, (uint32_t)args[0] & ~float_sign)
INTRINSIC_OF_NATIVE(same_64_bits) { *result = args[0]; return true; }
INTRINSIC_OF_NATIVE(same_32_bits) { *result = (uint32_t)args[0]; return true; }
FUNCTION(copy_sign) {
    if (isnan(double_of(args[2]))) return false;
    *result = (args[0] & ~double_sign) | (args[2] & double_sign);
    return true;
}
FUNCTION(copy_sign_float) {
    if (isnan(float_of(args[1]))) return false;
    *result = ((uint32_t)args[0] & ~float_sign) | ((uint32_t)args[1] & float_sign);
    return true;
}
#define SIGN_OF(x, bits, sign, one) ((x) == 0 || isnan(x) ? (bits) : ((bits) & (sign)) | (one))
PURE(signum, SIGN_OF(double_of(args[0]), args[0], double_sign, (uint64_t)0x3ff << 52))
PURE(signum_float, SIGN_OF(float_of(args[0]), (uint32_t)args[0], float_sign, 0x3f800000u))
PURE(float_to_int_bits, isnan(float_of(args[0])) ? 0x7fc00000u : (uint32_t)args[0])
PURE(double_to_long_bits, isnan(double_of(args[0])) ? (uint64_t)0x7ff8 << 48 : args[0])

/* ---- numbers of 16 bits: 5 of the exponent, 10 of the fraction --------------------------------------------------- */

enum {
    HALF_SIGN = 0x8000, HALF_EXPONENT = 0x7c00, HALF_FRACTION = 0x3ff, HALF_FRACTION_BITS = 10, HALF_LEAST = -14,
    FLOAT_FRACTION = 0x7fffff, FLOAT_ONE = 0x800000, FLOAT_INFINITE = 0x7f800000, FLOAT_FRACTION_BITS = 23,
    FLOAT_BIAS = 127, FLOAT_HALF_EXPONENT = (FLOAT_BIAS - 15) << FLOAT_FRACTION_BITS,
    FRACTION_DROPPED = FLOAT_FRACTION_BITS - HALF_FRACTION_BITS,
    FLOAT_ROUNDS_TO_ZERO = 0x33000000 /* 2^-25 */, FLOAT_ROUNDS_TO_INFINITY = 0x477ff000 /* 65520 */
};

FUNCTION(float16_to_float) {
    uint32_t bits = (uint32_t)args[0], sign = (bits & HALF_SIGN) << 16, fraction = bits & HALF_FRACTION;
    uint32_t moved = (bits & (HALF_EXPONENT | HALF_FRACTION)) << FRACTION_DROPPED;
    if ((bits & HALF_EXPONENT) == 0) *result = bits_of_float((float)fraction * 0x1p-24f) | sign;
    else if ((bits & HALF_EXPONENT) == HALF_EXPONENT) *result = sign | FLOAT_INFINITE | moved;
    else *result = sign | (moved + FLOAT_HALF_EXPONENT);
    return true;
}

/* A NaN keeps what it can of its fraction: the bits that do not fit are laid upon the lower ones. */
static uint32_t half_nan(uint32_t bits) {
    return HALF_EXPONENT | (bits & 0x7fe000) >> 13 | (bits & 0x1ff0) >> 4 | (bits & 0xf);
}

/* Rounded to the nearest, to the even one of two. A fraction that overflows goes to the next exponent. */
static uint32_t half_of(uint32_t bits) {
    int exponent = (int)(bits >> FLOAT_FRACTION_BITS) - FLOAT_BIAS, dropped = FRACTION_DROPPED;
    uint32_t fraction = bits & FLOAT_FRACTION, half = 0;
    if (exponent < HALF_LEAST) {
        dropped += HALF_LEAST - exponent;
        fraction |= FLOAT_ONE;
    } else {
        half = (uint32_t)(exponent - HALF_LEAST + 1) << HALF_FRACTION_BITS;
    }
    uint32_t rest = fraction & ((1u << dropped) - 1), middle = 1u << (dropped - 1), kept = fraction >> dropped;
    return half + kept + (rest > middle || (rest == middle && (kept & 1) != 0));
}

FUNCTION(float_to_float16) {
    uint32_t bits = (uint32_t)args[0], magnitude = bits & ~float_sign, sign = (bits & float_sign) >> 16, half;
    if (magnitude > FLOAT_INFINITE) half = half_nan(magnitude);
    else if (magnitude >= FLOAT_ROUNDS_TO_INFINITY) half = HALF_EXPONENT;
    else half = magnitude <= FLOAT_ROUNDS_TO_ZERO ? 0 : half_of(magnitude);
    *result = (uint32_t)(int16_t)(sign | half);
    return true;
}

#define LOW(i) ((uint32_t)args[i])
#define INT_ARG(i) ((int32_t)args[i])
#define LONG_ARG(i) ((int64_t)args[i])
PURE(abs_int, INT_ARG(0) < 0 ? 0u - LOW(0) : LOW(0))
PURE(abs_long, LONG_ARG(0) < 0 ? 0u - args[0] : args[0])
PURE(min_int, (uint32_t)(INT_ARG(0) <= INT_ARG(1) ? INT_ARG(0) : INT_ARG(1)))
PURE(max_int, (uint32_t)(INT_ARG(0) >= INT_ARG(1) ? INT_ARG(0) : INT_ARG(1)))
PURE(min_long, LONG_ARG(0) <= LONG_ARG(2) ? LONG_ARG(0) : LONG_ARG(2))
PURE(max_long, LONG_ARG(0) >= LONG_ARG(2) ? LONG_ARG(0) : LONG_ARG(2))
#define COMPARED(a, b) (uint32_t)(((a) > (b)) - ((a) < (b)))
PURE(compare_unsigned_int, COMPARED(LOW(0), LOW(1)))
PURE(compare_unsigned_long, COMPARED(args[0], args[2]))
PURE(multiply_high, (uint64_t)(((__int128)LONG_ARG(0) * LONG_ARG(2)) >> 64))

/* Zeros compare equal and differ in their sign; NaN is the library's to answer. */
#define CHOICE(name, type, read, bits, second, prefers)                            \
    FUNCTION(name) {                                                               \
        type a = read(args[0]), b = read(args[second]);                            \
        if (a != a || b != b || (a == 0 && b == 0)) return false;                  \
        *result = bits(a prefers b ? a : b);                                       \
        return true;                                                               \
    }
CHOICE(min, double, double_of, bits_of, 2, <=)
CHOICE(max, double, double_of, bits_of, 2, >=)
CHOICE(min_float, float, float_of, bits_of_float, 1, <=)
CHOICE(max_float, float, float_of, bits_of_float, 1, >=)

/* ---- integers -------------------------------------------------------------------------------------------------- */

static uint64_t reversed(uint64_t v) {
    v = (v & 0x5555555555555555u) << 1 | (v >> 1 & 0x5555555555555555u);
    v = (v & 0x3333333333333333u) << 2 | (v >> 2 & 0x3333333333333333u);
    v = (v & 0x0f0f0f0f0f0f0f0fu) << 4 | (v >> 4 & 0x0f0f0f0f0f0f0f0fu);
    return __builtin_bswap64(v);
}

PURE(bit_count_int, __builtin_popcount(LOW(0)))
PURE(bit_count_long, __builtin_popcountll(args[0]))
PURE(leading_zeros_int, LOW(0) == 0 ? 32 : __builtin_clz(LOW(0)))
PURE(leading_zeros_long, args[0] == 0 ? 64 : __builtin_clzll(args[0]))
PURE(trailing_zeros_int, LOW(0) == 0 ? 32 : __builtin_ctz(LOW(0)))
PURE(trailing_zeros_long, args[0] == 0 ? 64 : __builtin_ctzll(args[0]))
PURE(reverse_int, reversed(args[0] << 32) & UINT32_MAX)
PURE(reverse_long, reversed(args[0]))
PURE(reverse_bytes_int, __builtin_bswap32(LOW(0)))
PURE(reverse_bytes_long, __builtin_bswap64(args[0]))
PURE(reverse_bytes_char, __builtin_bswap16((uint16_t)args[0]))
PURE(reverse_bytes_short, (uint32_t)(int16_t)__builtin_bswap16((uint16_t)args[0]))

#define ROTATIONS(suffix, type, distance, last)                                                        \
    PURE(rotate_left_##suffix, (type)args[0] << (distance & last) | (type)args[0] >> (-distance & last)) \
    PURE(rotate_right_##suffix, (type)args[0] >> (distance & last) | (type)args[0] << (-distance & last))
ROTATIONS(int, uint32_t, LOW(1), 31)
ROTATIONS(long, uint64_t, LOW(2), 63)

/* Overflow is the library's to report. */
#define EXACT(name, operation, int_first, int_second, long_first, long_second)                                   \
    FUNCTION(name##_int) {                                                                                       \
        int32_t value;                                                                                           \
        bool overflows = __builtin_##operation##_overflow(int_first, int_second, &value);                        \
        *result = (uint32_t)value;                                                                               \
        return !overflows;                                                                                       \
    }                                                                                                            \
    FUNCTION(name##_long) {                                                                                      \
        return !__builtin_##operation##_overflow(long_first, long_second, (int64_t *)result);                    \
    }
EXACT(add_exact, add, INT_ARG(0), INT_ARG(1), LONG_ARG(0), LONG_ARG(2))
EXACT(subtract_exact, sub, INT_ARG(0), INT_ARG(1), LONG_ARG(0), LONG_ARG(2))
EXACT(multiply_exact, mul, INT_ARG(0), INT_ARG(1), LONG_ARG(0), LONG_ARG(2))
EXACT(increment_exact, add, INT_ARG(0), 1, LONG_ARG(0), 1)
EXACT(decrement_exact, sub, INT_ARG(0), 1, LONG_ARG(0), 1)
EXACT(negate_exact, sub, 0, INT_ARG(0), 0, LONG_ARG(0))
