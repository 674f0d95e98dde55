/* intrinsic_elementary.c — sine, cosine, tangent, exponential, logarithms and power of java.lang.Math and StrictMath.
 * StrictMath is defined by the results of fdlibm, so each step here rounds as that algorithm's does, with its
 * coefficients: the same order of operations, no contraction, no extended precision. Every argument is answered: what
 * only rare ones need would cost them fifty times as much in the library's code. */
#include "exec/elementary.h"
#include "exec/intrinsic.h"

#define FUNCTION(name) INTRINSIC_OF_NATIVE(name)    /* some are native on 17 */

/* The function of a method with one parameter. */
#define OF_ONE(name, function)                          \
    FUNCTION(name) {                                    \
        *result = bits_of(function(double_of(args[0])));\
        return true;                                    \
    }

enum {
    HIGH_QUARTER_PI = 0x3fe921fb,
    HIGH_HALF_PI = 0x3ff921fb,
    HIGH_THREE_QUARTERS_PI = 0x4002d97c,
    HIGH_REDUCED_MOST = 0x413921fb,      /* 2^19 pi/2                                                              */
    HIGH_TWO_TO_31 = 0x41e00000
};

/* Pi/2 in three pieces of 33 bits, each with the rest behind it. */
static const struct {
    double head, tail;
} half_pi[3] = {
    { 0x1.921fb544p+0, 0x1.0b4611a626331p-34 },
    { 0x1.0b4611a6p-34, 0x1.3198a2e037073p-69 },
    { 0x1.3198a2ep-69, 0x1.b839a252049c1p-104 },
};

static int exponent_of(double d) { return high_of(d) >> EXPONENT_SHIFT & 0x7ff; }

static struct reduced less(double x, double piece) {
    double value = x - piece;
    return (struct reduced){ value, (x - value) - piece };
}

/* x less the nearest multiple of pi/2; *quadrant counts these, or these beyond whole turns. x is finite and beyond
 * pi/4. */
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
    } else if (high > HIGH_REDUCED_MOST) {
        *quadrant = reduce_by_half_pi(a, &r);
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
    enum { HIGH_LINEAR = 0x3e300000 /* 2^-28 */, HIGH_CLOSE = 0x3fe59428 /* 0.67434 */ };
    double x = reduced.value, y = reduced.rest;
    int32_t high = high_of(x);
    if ((high & INT32_MAX) < HIGH_LINEAR) return reciprocal ? negative_reciprocal(x + y, y, x) : x;
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

static double sine_or_cosine(double x, int ahead) {
    if (magnitude_of(x) >= HIGH_INFINITE) return x - x;
    struct reduced r = { x, 0 };
    int quadrant = 0;
    bool small = magnitude_of(x) <= HIGH_QUARTER_PI;
    if (!small) r = reduce(x, &quadrant);
    quadrant = (quadrant + ahead) & 3;
    double value = quadrant & 1 ? cosine_near_zero(r) : sine_near_zero(r, small);
    return quadrant & 2 ? -value : value;
}
static double sine(double x) { return sine_or_cosine(x, 0); }
static double cosine(double x) { return sine_or_cosine(x, 1); }

static double tangent(double x) {
    if (magnitude_of(x) >= HIGH_INFINITE) return x - x;
    struct reduced r = { x, 0 };
    int quadrant = 0;
    if (magnitude_of(x) > HIGH_QUARTER_PI) r = reduce(x, &quadrant);
    return tangent_near_zero(r, quadrant & 1);
}

OF_ONE(sin, sine)
OF_ONE(cos, cosine)
OF_ONE(tan, tangent)

/* ---- exponential and logarithm --------------------------------------------------------------------------------- */

static const double ln2_head = 0x1.62e42feep-1, ln2_tail = 0x1.a39ef35793c76p-33;

/* What fdlibm makes of the remainder z of an exponent: z - z*z * (1/6 - ...). */
static double exponential_part(double z) {
    double t = z * z;
    return z - t * (0x1.555555555553ep-3 +
                    t * (-0x1.6c16c16bebd93p-9 +
                         t * (0x1.1566aaf25de2cp-14 + t * (-0x1.bbd41c5d26bf1p-20 + t * 0x1.6376972bea4dp-25))));
}

/* Arguments of 709.78 and more, infinities and NaN. False: the ordinary way serves. */
static bool exponential_is_extreme(double x, double *result) {
    if (isnan(x)) *result = x + x;
    else if (x > 0x1.62e42fefa39efp9) *result = INFINITY;
    else if (x < -0x1.74910d52d3051p9) *result = 0;
    else return false;
    return true;
}

static double exponential(double x) {
    enum {
        HIGH_HALF_LN2 = 0x3fd62e42,
        HIGH_THREE_HALVES_LN2 = 0x3ff0a2b2,
        HIGH_SMALL = 0x3e300000,
        HIGH_LARGE = 0x40862e42,
        LEAST_EXPONENT = -1021,
        RAISED = 1000
    };
    double head = 0, tail = 0, extreme;
    int32_t high = magnitude_of(x), k = 0;
    if (high >= HIGH_LARGE && exponential_is_extreme(x, &extreme)) return extreme;
    if (high < HIGH_SMALL) return 1.0 + x;
    if (high > HIGH_HALF_LN2) {
        bool negative = high_of(x) < 0;
        if (high < HIGH_THREE_HALVES_LN2) k = negative ? -1 : 1;
        else k = (int32_t)(0x1.71547652b82fep+0 * x + (negative ? -0.5 : 0.5));
        head = x - k * ln2_head;
        tail = k * ln2_tail;
        x = head - tail;
    }
    double c = exponential_part(x);
    if (k == 0) return 1.0 - ((x * c) / (c - 2.0) - x);
    double y = 1.0 - ((tail - (x * c) / (2.0 - c)) - head);
    if (k >= LEAST_EXPONENT) return raised(y, k);
    return raised(y, k + RAISED) * 0x1p-1000;
}

/* Zeros, negative numbers, infinities and NaN. False: the ordinary way serves, with *x made normal, and its exponent
 * before that. */
static bool logarithm_is_extreme(double *x, int32_t *exponent, double *result) {
    *exponent = 0;
    if (high_of(*x) < HIGH_NORMAL) {
        *result = *x == 0 ? -INFINITY : (*x - *x) / 0.0;
        if (*x == 0 || high_of(*x) < 0) return true;
        *exponent = -SUBNORMAL_BITS;
        *x *= 0x1p54;
    }
    *exponent += (high_of(*x) >> EXPONENT_SHIFT) - BIAS;
    *result = *x + *x;
    return high_of(*x) >= HIGH_INFINITE;
}

double elementary_logarithm(double x) {
    int32_t k;
    double extreme;
    if (logarithm_is_extreme(&x, &k, &extreme)) return extreme;
    int32_t high = high_of(x) & FRACTION;
    int32_t above = (high + 0x95f64) & EXPONENT_ONE; /* beyond the square root of two: halved           */
    k += above >> EXPONENT_SHIFT;
    double f = with_high(x, high | (above ^ HIGH_ONE)) - 1.0, dk = k;
    if ((FRACTION & (2 + high)) < 3) { /* |f| < 2^-20 */
        if (f == 0) return k == 0 ? 0 : dk * ln2_head + dk * ln2_tail;
        double r = f * f * (0.5 - 0x1.5555555555555p-2 * f);
        return k == 0 ? f - r : dk * ln2_head - ((r - dk * ln2_tail) - f);
    }
    double s = f / (2.0 + f), z = s * s, w = z * z;
    double even = w * (0x1.999999997fa04p-2 + w * (0x1.c71c51d8e78afp-3 + w * 0x1.39a09d078c69fp-3));
    double odd =
        z * (0x1.5555555555593p-1 + w * (0x1.2492494229359p-2 + w * (0x1.7466496cb03dep-3 + w * 0x1.2f112df3e5244p-3)));
    double r = even + odd;
    if (((high - 0x6147a) | (0x6b851 - high)) > 0) {
        double half = 0.5 * f * f;
        return k == 0 ? f - (half - s * (half + r)) : dk * ln2_head - ((half - (s * (half + r) + dk * ln2_tail)) - f);
    }
    return k == 0 ? f - s * (f - r) : dk * ln2_head - ((s * (f - r) - dk * ln2_tail) - f);
}

/* The exponent's logarithm, and that of a number near one. */
static double logarithm_10(double x) {
    int32_t k;
    double extreme;
    if (logarithm_is_extreme(&x, &k, &extreme)) return extreme;
    int32_t below = k < 0;
    double exponent = k + below, near = with_high(x, (high_of(x) & FRACTION) | (BIAS - below) << EXPONENT_SHIFT);
    double z = exponent * 0x1.9fef311f12b36p-42 + 0x1.bcb7b1526e50ep-2 * elementary_logarithm(near);
    return z + exponent * 0x1.34413509f6p-2;
}

OF_ONE(exp, exponential)
OF_ONE(log, elementary_logarithm)
OF_ONE(log10, logarithm_10)

/* ---- power ------------------------------------------------------------------------------------------------------ */

/* Logarithm to the base of 2 of a finite, positive x, in two parts of which the first has its lower half clear. */
static struct reduced logarithm_2(double x) {
    static const double base[2] = { 1.0, 1.5 }, log_head[2] = { 0, 0x1.2b8034p-1 },
                        log_tail[2] = { 0, 0x1.cfdeb43cfd006p-27 };
    int32_t high = high_of(x), n = -BIAS;
    if (high < HIGH_NORMAL) {
        x *= 0x1p53;
        high = high_of(x);
        n -= 53;
    }
    n += high >> EXPONENT_SHIFT;
    int32_t fraction = high & FRACTION;
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

/* The same near one, for exponents so large that it needs no more. */
static struct reduced logarithm_2_near_one(double x) {
    double t = x - 1.0, w = (t * t) * (0.5 - t * (0x1.5555555555555p-2 - t * 0.25));
    double u = 0x1.715476p0 * t, v = t * 0x1.4ae0bf85ddf44p-26 - w * 0x1.71547652b82fep0, value = upper(u + v);
    return (struct reduced){ value, v - (value - u) };
}

/* Two to the power of head + tail. */
static double power_of_2(double head, double tail) {
    enum { HIGH_MOST = 0x40900000 /* 1024 */, HIGH_LEAST = 0x4090cc00 /* 1075, of -z */ };
    double z = tail + head;
    int32_t high = high_of(z), magnitude = high & INT32_MAX, n = 0;
    if (high >= HIGH_MOST) {
        if (z > 1024 || tail + 8.0085662595372944372e-17 > z - head) return INFINITY;
    } else if (magnitude >= HIGH_LEAST) {
        if (z < -1075 || tail <= z - head) return 0;
    }
    if (magnitude > 0x3fe00000) { /* beyond a half: the nearest integer goes to the exponent; the sum is exact */
        int nearest = (int)(fabs(z) + 0.5);
        n = high < 0 ? -nearest : nearest;
        head -= n;
    }
    double t = upper(tail + head), u = t * 0x1.62e43p-1,
           v = (tail - (t - head)) * 0x1.62e42fefa39efp-1 + t * -0x1.05c610ca86c39p-29;
    z = u + v;
    double w = v - (z - u), part = exponential_part(z), r = (z * part) / (part - 2.0) - (w + z * w);
    z = 1.0 - (r - z);
    return (high_of(z) >> EXPONENT_SHIFT) + n <= 0 ? scalbn(z, n) : raised(z, n);
}

static bool is_odd(double y) { return fabs(y) < 0x1p53 && y == trunc(y) && ((int64_t)y & 1) != 0; }

/* Exponents and bases with an answer of their own. False: there is none. */
static bool power_is_simple(double x, double y, double *result) {
    double a = fabs(x);
    if (y == 0) *result = 1;
    else if (isnan(x) || isnan(y)) *result = x + y;
    else if (y == 2) *result = x * x;
    else if (y == 0.5 && x != -INFINITY) *result = sqrt(x + 0.0);
    else if (y == 1) *result = x;
    else if (y == -1) *result = 1.0 / x;
    else if (isinf(y)) *result = a == 1 ? y - y : (a > 1) == (y > 0) ? INFINITY : 0;
    else if (a == 0 || a == 1 || isinf(a)) {
        bool negative = high_of(x) < 0;
        double power = y < 0 ? 1.0 / a : a;
        if (negative && a == 1 && y != trunc(y)) power = (power - power) / (power - power);
        *result = negative && is_odd(y) ? -power : power;
    } else if (x < 0 && y != trunc(y)) *result = (x - x) / (x - x);
    else return false;
    return true;
}

static double power_by_logarithm(struct reduced log, double y) {
    double y_head = upper(y), tail = (y - y_head) * log.value + y * log.rest;
    return power_of_2(y_head * log.value, tail);
}

/* x is positive and normal, y below 2^31 and neither zero nor a power of two: nothing is infinite or NaN, and
 * nothing simple but one, which comes out as one. */
static bool is_ordinary(double x, double y) {
    const uint64_t normal = (uint64_t)HIGH_NORMAL << 32, infinite = (uint64_t)HIGH_INFINITE << 32;
    return bits_of(x) - normal < infinite - normal && bits_of(y) << (64 - 52) != 0 &&
           magnitude_of(y) < HIGH_TWO_TO_31;
}

static double power(double x, double y) {
    if (LIKELY(is_ordinary(x, y))) return power_by_logarithm(logarithm_2(x), y);
    double simple, a = fabs(x);
    if (power_is_simple(x, y, &simple)) return simple;
    double sign = x < 0 && is_odd(y) ? -1 : 1;
    struct reduced log;
    if (fabs(y) > 0x1.00000ffffffffp31) {
        if (a < 0x1.fffff00000000p-1) return y < 0 ? sign * INFINITY : sign * 0.0;
        if (a > 0x1.00000ffffffffp0) return y > 0 ? sign * INFINITY : sign * 0.0;
        log = logarithm_2_near_one(a);
    } else {
        log = logarithm_2(a);
    }
    return sign * power_by_logarithm(log, y);
}

FUNCTION(pow) {
    *result = bits_of(power(double_of(args[0]), double_of(args[2])));
    return true;
}
