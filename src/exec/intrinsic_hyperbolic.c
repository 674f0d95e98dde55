/* intrinsic_hyperbolic.c — hyperbolic tangent and cube root of java.lang.Math and StrictMath, to the bit as fdlibm's;
 * see intrinsic_elementary.c. */
#include "exec/elementary.h"
#include "exec/intrinsic.h"

#define FUNCTION(name) INTRINSIC_OF_NATIVE(name)    /* StrictMath's are native on 17 */

/* e^x - 1 of the reduced x + rest, times 2^k. */
static double exponential_less_one_near_zero(double x, double rest, int32_t k) {
    double half = 0.5 * x, square = x * half;
    double high = -0x1.4ce199eaadbb7p-14 + square * (0x1.0cfca86e65239p-18 + square * -0x1.afdb76e09c32dp-23);
    double r = 1.0 + square * (-0x1.11111111110f4p-5 + square * (0x1.a01a019fe5585p-10 + square * high));
    double t = 3.0 - r * half, e = square * ((r - t) / (6.0 - x * t));
    if (k == 0) return x - (x * e - square);
    e = (x * (e - rest) - rest) - square;
    if (k == -1) return 0.5 * (x - e) - 0.5;
    if (k == 1) return x < -0.25 ? -2.0 * (e - (x + 0.5)) : 1.0 + 2.0 * (x - e);
    if (k <= -2 || k > 56) return raised(1.0 - (e - x), k) - 1.0;
    if (k < 20) return raised(with_high(0, HIGH_ONE - (0x200000 >> k)) - (e - x), k);
    return raised((x - (e + with_high(0, (BIAS - k) << EXPONENT_SHIFT))) + 1.0, k);
}

/* e^x - 1, |x| between 2^-54 and 56 ln 2. */
static double exponential_less_one(double x) {
    enum { HIGH_HALF_LN2 = 0x3fd62e42, HIGH_THREE_HALVES_LN2 = 0x3ff0a2b2 };
    int32_t high = magnitude_of(x), k;
    if (high <= HIGH_HALF_LN2) return exponential_less_one_near_zero(x, 0, 0);
    bool negative = high_of(x) < 0;
    if (high < HIGH_THREE_HALVES_LN2) k = negative ? -1 : 1;
    else k = (int32_t)(0x1.71547652b82fep+0 * x + (negative ? -0.5 : 0.5));
    double head = x - k * 0x1.62e42feep-1, tail = k * 0x1.a39ef35793c76p-33, value = head - tail;
    return exponential_less_one_near_zero(value, (head - value) - tail, k);
}

static double hyperbolic_tangent(double x) {
    enum { HIGH_SMALL = 0x3c800000 /* 2^-55 */, HIGH_LARGE = 0x40360000 /* 22 */ };
    int32_t high = magnitude_of(x);
    bool negative = high_of(x) < 0;
    if (high >= HIGH_INFINITE) return negative ? 1.0 / x - 1.0 : 1.0 / x + 1.0;
    if (high < HIGH_SMALL) return x * (1.0 + x);
    double z = 1.0;
    if (high < HIGH_ONE) {
        double t = exponential_less_one(-2.0 * fabs(x));
        z = -t / (t + 2.0);
    } else if (high < HIGH_LARGE) {
        z = 1.0 - 2.0 / (exponential_less_one(2.0 * fabs(x)) + 2.0);
    }
    return negative ? -z : z;
}

/* A third of the exponent, a quotient of polynomials, and a step of Newton's. */
static double cube_root(double x) {
    enum { HIGH_THIRD = 715094163, HIGH_THIRD_SUBNORMAL = 696219795 };
    if (x == 0 || !isfinite(x)) return x;
    double a = fabs(x), scaled = a * 0x1p54;
    double t = high_of(a) < HIGH_NORMAL ? with_high(scaled, high_of(scaled) / 3 + HIGH_THIRD_SUBNORMAL)
                                        : with_high(0, high_of(a) / 3 + HIGH_THIRD);
    double r = t * t / a, s = 0x1.15f15f15f15f1p-1 + r * t;
    t *= 0x1.6db6db6db6db7p-2 + 0x1.9b6db6db6db6ep0 / (s + 0x1.6a0ea0ea0ea0fp0 + -0x1.691de2532c834p-1 / s);
    t = with_high(0, high_of(t) + 1);
    r = a / (t * t);
    t = t + t * ((r - t) / (t + t + r));
    return x < 0 ? -t : t;
}

FUNCTION(tanh) {
    *result = bits_of(hyperbolic_tangent(double_of(args[0])));
    return true;
}
FUNCTION(cbrt) {
    *result = bits_of(cube_root(double_of(args[0])));
    return true;
}
