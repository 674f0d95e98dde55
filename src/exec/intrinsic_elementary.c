/* intrinsic_elementary.c — sine, cosine, tangent, exponential, logarithm and power of java.lang.Math and StrictMath.
 * StrictMath is defined by the results of fdlibm, so each step here rounds as that algorithm's does, with its
 * coefficients: the same order of operations, no contraction, no extended precision. Arguments out of the usual (zeros,
 * NaN, infinities, subnormal numbers, reductions by many digits of pi, results that overflow) are left to the library's
 * code. */
#include "exec/intrinsic.h"

#include <math.h>

#define FUNCTION(name) INTRINSIC_OF_NATIVE(name)    /* some are native on 17 */

static double double_of(uint64_t bits) {
    union {
        uint64_t i;
        double d;
    } u = { .i = bits };
    return u.d;
}
static uint64_t bits_of(double d) {
    union {
        double d;
        uint64_t i;
    } u = { .d = d };
    return u.i;
}

/* A double's sign, exponent and upper 20 bits of the fraction; and without the sign. */
static int32_t high_of(double d) { return (int32_t)(bits_of(d) >> 32); }
static int32_t magnitude_of(double d) { return high_of(d) & INT32_MAX; }
static double with_high(double d, int32_t high) {
    return double_of((uint64_t)(uint32_t)high << 32 | (uint32_t)bits_of(d));
}
/* The upper half alone: a product of two such has no rounding error. */
static double upper(double d) { return double_of(bits_of(d) & ~(uint64_t)UINT32_MAX); }

enum {
    FRACTION = 0xfffff,
    EXPONENT_SHIFT = 20,
    EXPONENT_ONE = 1 << EXPONENT_SHIFT,
    BIAS = 0x3ff,
    HIGH_ONE = BIAS << EXPONENT_SHIFT,
    HIGH_TINY = 0x3e400000 /* 2^-27 */,
    HIGH_INFINITE = 0x7ff00000,
    HIGH_NORMAL = EXPONENT_ONE
};

/* ---- reduction to [-pi/4, pi/4] -------------------------------------------------------------------------------- */

enum {
    HIGH_QUARTER_PI = 0x3fe921fb,
    HIGH_HALF_PI = 0x3ff921fb,
    HIGH_THREE_QUARTERS_PI = 0x4002d97c,
    HIGH_REDUCED_MOST = 0x413921fb /* 2^19 pi/2                                                              */
};

/* Pi/2 in three pieces of 33 bits, each with the rest behind it. */
static const struct {
    double head, tail;
} half_pi[3] = {
    { 0x1.921fb544p+0, 0x1.0b4611a626331p-34 },
    { 0x1.0b4611a6p-34, 0x1.3198a2e037073p-69 },
    { 0x1.3198a2ep-69, 0x1.b839a252049c1p-104 },
};

struct reduced {
    double value, rest;
}; /* what is left, and what does not fit into it                            */

static int exponent_of(double d) { return high_of(d) >> EXPONENT_SHIFT & 0x7ff; }

static struct reduced less(double x, double piece) {
    double value = x - piece;
    return (struct reduced){ value, (x - value) - piece };
}

/* x less the nearest multiple of pi/2; *quadrant counts these. |x| is above pi/4. */
static struct reduced reduce(double x, int *quadrant) {
    int32_t high = magnitude_of(x);
    double a = fabs(x);
    struct reduced r;
    if (high < HIGH_THREE_QUARTERS_PI) {
        *quadrant = 1;
        int piece = high == HIGH_HALF_PI;
        double z = a - half_pi[0].head;
        if (piece) z -= half_pi[1].head;
        r = less(z, half_pi[piece].tail);
    } else {
        int n = (int)(a * 0x1.45f306dc9c883p-1 + 0.5);
        double times = n, z = a - times * half_pi[0].head, w = times * half_pi[0].tail;
        *quadrant = n;
        double value = z - w;
        /* Bits that the subtraction has cancelled come from the next piece. */
        static const int cancelled[2] = { 16, 49 };
        bool near = n >= 32 || high == magnitude_of(times * 0x1.921fb54442d18p+0);
        for (int i = 0; near && i < 2 && (high >> EXPONENT_SHIFT) - exponent_of(value) > cancelled[i]; i++) {
            double before = z, head = times * half_pi[i + 1].head;
            z = before - head;
            w = times * half_pi[i + 1].tail - ((before - z) - head);
            value = z - w;
        }
        r = (struct reduced){ value, (z - value) - w };
    }
    if (x < 0) {
        *quadrant = -*quadrant;
        r = (struct reduced){ -r.value, -r.rest };
    }
    return r;
}

/* ---- sine, cosine, tangent ------------------------------------------------------------------------------------- */

static double sine_near_zero(struct reduced r, bool exact) {
    double x = r.value;
    if (magnitude_of(x) < HIGH_TINY) return x;
    double z = x * x, v = z * x;
    double p = 0x1.111111110f8a6p-7 +
               z * (-0x1.a01a019c161d5p-13 +
                    z * (0x1.71de357b1fe7dp-19 + z * (-0x1.ae5e68a2b9cebp-26 + z * 0x1.5d93a5acfd57cp-33)));
    if (exact) return x + v * (-0x1.5555555555549p-3 + z * p);
    return x - ((z * (0.5 * r.rest - v * p) - r.rest) - v * -0x1.5555555555549p-3);
}

static double cosine_near_zero(struct reduced r) {
    int32_t high = magnitude_of(r.value);
    if (high < HIGH_TINY) return 1;
    double x = r.value, z = x * x;
    double p = z * (0x1.555555555554cp-5 +
                    z * (-0x1.6c16c16c15177p-10 +
                         z * (0x1.a01a019cb159p-16 + z * (-0x1.27e4f809c52adp-22 +
                                                          z * (0x1.1ee9ebdb4b1c4p-29 + z * -0x1.8fae9be8838d4p-37)))));
    double tail = z * p - x * r.rest;
    if (high < 0x3fd33333) return 1.0 - (0.5 * z - tail);
    /* A part near x*x/2 goes off from one without error. */
    double part = high > 0x3fe90000 ? 0.28125 : with_high(0, high - 2 * EXPONENT_ONE), half = 0.5 * z - part;
    return (1.0 - part) - (half - tail);
}

/* -1 / (w + the rest of r + z), with the division's error taken back. */
static double negative_reciprocal(double w, double r, double x) {
    double head = upper(w), tail = r - (head - x), a = -1.0 / w, t = upper(a), s = 1.0 + t * head;
    return t + a * (s + t * tail);
}

/* Odd quadrants want -1/tan. */
static double tangent_near_zero(struct reduced reduced, bool reciprocal) {
    enum { HIGH_CLOSE = 0x3fe59428 }; /* 0.67434 */
    double x = reduced.value, y = reduced.rest;
    int32_t high = high_of(x);
    bool close = (high & INT32_MAX) >= HIGH_CLOSE;
    if (close) {
        if (high < 0) x = -x, y = -y;
        double z = 0x1.921fb54442d18p-1 - x, w = 0x1.1a62633145c07p-55 - y;
        x = z + w;
        y = 0;
    }
    double z = x * x, w = z * z;
    double odd = 0x1.111111110fe7ap-3 +
                 w * (0x1.664f48406d637p-6 +
                      w * (0x1.d6d22c9560328p-9 +
                           w * (0x1.344d8f2f26501p-11 + w * (0x1.47e88a03792a6p-14 + w * -0x1.375cbdb605373p-16))));
    double even =
        z * (0x1.ba1ba1bb341fep-5 +
             w * (0x1.226e3e96e8493p-7 +
                  w * (0x1.7dbc8fee08315p-10 +
                       w * (0x1.026f71a8d1068p-12 + w * (0x1.2b80f32f0a7e9p-14 + w * 0x1.b2a7074bf7ad4p-16)))));
    double cube = z * x, r = y + z * (cube * (odd + even) + y);
    r += 0x1.5555555555563p-2 * cube;
    w = x + r;
    if (close) {
        double one = reciprocal ? -1 : 1;
        return (high < 0 ? -1 : 1) * (one - 2.0 * (x - (w * w / (w + one) - r)));
    }
    return reciprocal ? negative_reciprocal(w, r, x) : w;
}

static bool is_trigonometric(double x) { return magnitude_of(x) >= HIGH_TINY && magnitude_of(x) <= HIGH_REDUCED_MOST; }

static double sine_or_cosine(double x, int ahead) {
    struct reduced r = { x, 0 };
    int quadrant = 0;
    bool small = magnitude_of(x) <= HIGH_QUARTER_PI;
    if (!small) r = reduce(x, &quadrant);
    quadrant = (quadrant + ahead) & 3;
    double value = quadrant & 1 ? cosine_near_zero(r) : sine_near_zero(r, small);
    return quadrant & 2 ? -value : value;
}

FUNCTION(sin) {
    double x = double_of(args[0]);
    if (!is_trigonometric(x)) return false;
    *result = bits_of(sine_or_cosine(x, 0));
    return true;
}

FUNCTION(cos) {
    double x = double_of(args[0]);
    if (!is_trigonometric(x)) return false;
    *result = bits_of(sine_or_cosine(x, 1));
    return true;
}

FUNCTION(tan) {
    double x = double_of(args[0]);
    if (!is_trigonometric(x)) return false;
    struct reduced r = { x, 0 };
    int quadrant = 0;
    if (magnitude_of(x) > HIGH_QUARTER_PI) r = reduce(x, &quadrant);
    if (magnitude_of(r.value) < HIGH_TINY) return false;
    *result = bits_of(tangent_near_zero(r, quadrant & 1));
    return true;
}

/* ---- exponential and logarithm --------------------------------------------------------------------------------- */

static const double ln2_head = 0x1.62e42feep-1, ln2_tail = 0x1.a39ef35793c76p-33;

/* What fdlibm makes of the remainder z of an exponent: z - z*z * (1/6 - ...). */
static double exponential_part(double z) {
    double t = z * z;
    return z - t * (0x1.555555555553ep-3 +
                    t * (-0x1.6c16c16bebd93p-9 +
                         t * (0x1.1566aaf25de2cp-14 + t * (-0x1.bbd41c5d26bf1p-20 + t * 0x1.6376972bea4dp-25))));
}

FUNCTION(exp) {
    enum {
        HIGH_HALF_LN2 = 0x3fd62e42,
        HIGH_THREE_HALVES_LN2 = 0x3ff0a2b2,
        HIGH_SMALL = 0x3e300000,
        HIGH_LARGE = 0x40862e42
    };
    double x = double_of(args[0]), head = 0, tail = 0;
    int32_t high = magnitude_of(x), k = 0;
    if (high < HIGH_SMALL || high >= HIGH_LARGE) return false;
    if (high > HIGH_HALF_LN2) {
        bool negative = high_of(x) < 0;
        if (high < HIGH_THREE_HALVES_LN2) {
            k = negative ? -1 : 1;
            head = x - k * ln2_head;
            tail = k * ln2_tail;
        } else {
            k = (int32_t)(0x1.71547652b82fep+0 * x + (negative ? -0.5 : 0.5));
            head = x - k * ln2_head;
            tail = k * ln2_tail;
        }
        x = head - tail;
    }
    double c = exponential_part(x);
    if (k == 0) {
        *result = bits_of(1.0 - ((x * c) / (c - 2.0) - x));
        return true;
    }
    double y = 1.0 - ((tail - (x * c) / (2.0 - c)) - head);
    if (k < -1021) return false;
    *result = bits_of(with_high(y, (int32_t)((uint32_t)high_of(y) + ((uint32_t)k << EXPONENT_SHIFT))));
    return true;
}

FUNCTION(log) {
    double x = double_of(args[0]);
    int32_t high = high_of(x);
    if (high < HIGH_NORMAL || high >= HIGH_INFINITE) return false;
    int32_t k = (high >> EXPONENT_SHIFT) - BIAS;
    high &= FRACTION;
    int32_t above = (high + 0x95f64) & EXPONENT_ONE; /* beyond the square root of two: halved           */
    k += above >> EXPONENT_SHIFT;
    double f = with_high(x, high | (above ^ HIGH_ONE)) - 1.0, dk = k;
    if ((FRACTION & (2 + high)) < 3) { /* |f| < 2^-20 */
        if (f == 0) {
            *result = bits_of(k == 0 ? 0 : dk * ln2_head + dk * ln2_tail);
            return true;
        }
        double r = f * f * (0.5 - 0x1.5555555555555p-2 * f);
        *result = bits_of(k == 0 ? f - r : dk * ln2_head - ((r - dk * ln2_tail) - f));
        return true;
    }
    double s = f / (2.0 + f), z = s * s, w = z * z;
    double even = w * (0x1.999999997fa04p-2 + w * (0x1.c71c51d8e78afp-3 + w * 0x1.39a09d078c69fp-3));
    double odd =
        z * (0x1.5555555555593p-1 + w * (0x1.2492494229359p-2 + w * (0x1.7466496cb03dep-3 + w * 0x1.2f112df3e5244p-3)));
    double r = even + odd, y;
    if (((high - 0x6147a) | (0x6b851 - high)) > 0) {
        double half = 0.5 * f * f;
        y = k == 0 ? f - (half - s * (half + r)) : dk * ln2_head - ((half - (s * (half + r) + dk * ln2_tail)) - f);
    } else {
        y = k == 0 ? f - s * (f - r) : dk * ln2_head - ((s * (f - r) - dk * ln2_tail) - f);
    }
    *result = bits_of(y);
    return true;
}

/* ---- power ------------------------------------------------------------------------------------------------------ */

/* Logarithm to the base of 2 of a normal, positive x, in two parts of which the first has its lower half clear. */
static struct reduced logarithm_2(double x) {
    static const double base[2] = { 1.0, 1.5 }, log_head[2] = { 0, 0x1.2b8034p-1 },
                        log_tail[2] = { 0, 0x1.cfdeb43cfd006p-27 };
    int32_t high = high_of(x), n = (high >> EXPONENT_SHIFT) - BIAS, fraction = high & FRACTION;
    int k = fraction > 0x3988e && fraction < 0xbb67a;
    high = fraction | HIGH_ONE;
    if (fraction >= 0xbb67a) {
        n++;
        high -= EXPONENT_ONE;
    }
    double a = with_high(x, high), u = a - base[k], v = 1.0 / (a + base[k]), s = u * v, s_head = upper(s);
    double sum_head = with_high(0, ((high >> 1) | 0x20000000) + 0x00080000 + (k << 18)),
           sum_tail = a - (sum_head - base[k]);
    double s_tail = v * ((u - s_head * sum_head) - s_head * sum_tail);
    double square = s * s;
    double r = square * square *
               (0x1.3333333333303p-1 +
                square * (0x1.b6db6db6fabffp-2 +
                          square * (0x1.55555518f264dp-2 +
                                    square * (0x1.17460a91d4101p-2 +
                                              square * (0x1.d864a93c9db65p-3 + square * 0x1.a7e284a454eefp-3)))));
    r += s_tail * (s_head + s);
    square = s_head * s_head;
    double t_head = upper(3.0 + square + r), t_tail = r - ((t_head - 3.0) - square);
    u = s_head * t_head;
    v = s_tail * t_head + t_tail * s;
    double p_head = upper(u + v), p_tail = v - (p_head - u);
    double z_head = 0x1.ec709ep-1 * p_head,
           z_tail = -0x1.e2fe0145b01f5p-28 * p_head + p_tail * 0x1.ec709dc3a03fdp-1 + log_tail[k];
    double t = n, value = upper(((z_head + z_tail) + log_head[k]) + t);
    return (struct reduced){ value, z_tail - (((value - t) - log_head[k]) - z_head) };
}

/* Two to the power of head + tail; false: it is not a normal number. */
static bool power_of_2(double head, double tail, double *result) {
    double z = tail + head;
    int32_t high = high_of(z), magnitude = high & INT32_MAX, n = 0;
    if (magnitude >= 0x4090cc00 || high >= 0x40900000) return false;
    if (magnitude > 0x3fe00000) { /* beyond a half: the nearest integer goes to the exponent */
        int32_t exponent = (magnitude >> EXPONENT_SHIFT) - BIAS;
        int32_t rounded = high + (EXPONENT_ONE >> (exponent + 1));
        exponent = ((rounded & INT32_MAX) >> EXPONENT_SHIFT) - BIAS;
        n = ((rounded & FRACTION) | EXPONENT_ONE) >> (EXPONENT_SHIFT - exponent);
        if (high < 0) n = -n;
        head -= with_high(0, rounded & ~(FRACTION >> exponent));
    }
    double t = upper(tail + head), u = t * 0x1.62e43p-1,
           v = (tail - (t - head)) * 0x1.62e42fefa39efp-1 + t * -0x1.05c610ca86c39p-29;
    z = u + v;
    double w = v - (z - u), part = exponential_part(z), r = (z * part) / (part - 2.0) - (w + z * w);
    z = 1.0 - (r - z);
    int32_t scaled = (int32_t)((uint32_t)high_of(z) + ((uint32_t)n << EXPONENT_SHIFT));
    if (scaled < HIGH_NORMAL) return false;
    *result = with_high(z, scaled);
    return true;
}

FUNCTION(pow) {
    enum { HIGH_TWO_TO_31 = 0x41e00000 };
    double x = double_of(args[0]), y = double_of(args[2]), power;
    int32_t high = high_of(x);
    if (high < HIGH_NORMAL || high >= HIGH_INFINITE || x == 1.0) return false;
    if (y == 2.0) {
        *result = bits_of(x * x);
        return true;
    }
    if (y == 0 || y == 0.5 || fabs(y) == 1.0 || magnitude_of(y) > HIGH_TWO_TO_31 || magnitude_of(y) < HIGH_NORMAL)
        return false;
    struct reduced log = logarithm_2(x);
    double y_head = upper(y), tail = (y - y_head) * log.value + y * log.rest;
    if (!power_of_2(y_head * log.value, tail, &power)) return false;
    *result = bits_of(power);
    return true;
}
