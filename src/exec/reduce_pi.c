/* reduce_pi.c — numbers of any size less multiples of pi/2: Payne and Hanek's way as fdlibm takes it, with its order of
 * operations, since the result's last bits depend on that. The number's bits are multiplied with those bits of 2/pi
 * that make a difference to the quotient modulo 8 and to 53 bits behind the point; 24 bits make a digit. */
#include "exec/elementary.h"

#include <math.h>
#include <stdbool.h>

#include "base/base.h"

enum {
    DIGIT_BITS = 24,
    DIGIT_ONE = 1 << DIGIT_BITS,
    DIGIT_MASK = DIGIT_ONE - 1,
    DIGITS_FIRST = 4,                    /* the last digit of the product to begin with                            */
    DIGITS_MOST = 20,
    NUMBER_DIGITS = 3
};

/* 2/pi. */
static const int32_t two_over_pi[] = {
    0xa2f983, 0x6e4e44, 0x1529fc, 0x2757d1, 0xf534dd, 0xc0db62, 0x95993c, 0x439041, 0xfe5163, 0xabdebb, 0xc561b7,
    0x246e3a, 0x424dd2, 0xe00649, 0x2eea09, 0xd1921c, 0xfe1deb, 0x1cb129, 0xa73ee8, 0x8235f5, 0x2ebb44, 0x84e99c,
    0x7026b4, 0x5f7e41, 0x3991d6, 0x398353, 0x39f49c, 0x845f8b, 0xbdf928, 0x3b1ff8, 0x97ffde, 0x05980f, 0xef2f11,
    0x8b5a0a, 0x6d1f6d, 0x367ecf, 0x27cb09, 0xb74f46, 0x3f669e, 0x5fea2d, 0x7527ba, 0xc7ebe5, 0xf17b3d, 0x0739f7,
    0x8a5292, 0xea6bfb, 0x5fb11f, 0x8d5d08, 0x560330, 0x46fc7b, 0x6babf0, 0xcfbc20, 0x9af436, 0x1da9e3, 0x91615e,
    0xe61b08, 0x659985, 0x5f14a0, 0x68408d, 0xffd880, 0x4d7327, 0x310606, 0x1556ca, 0x73a8c9, 0x60e27b, 0xc08c6b,
};

/* Pi/2. */
static const double half_pi_digits[DIGITS_FIRST + 1] = {
    0x1.921fb4p0, 0x1.4442dp-24, 0x1.846988p-48, 0x1.8cc516p-72, 0x1.01b838p-96,
};

struct product {
    double number[NUMBER_DIGITS];        /* the number's digits, the first one first                               */
    int number_last, start;              /* the last digit that is not zero; where in 2/pi the product begins      */
    int last, exponent;                  /* the last digit below; the exponent of the digit before it              */
    double sums[DIGITS_MOST];            /* the product's digits before carries                                    */
    int32_t digits[DIGITS_MOST];         /* and after, the last one first                                          */
};

static double power_of_two(int exponent) { return double_of((uint64_t)(uint32_t)(BIAS + exponent) << 52); }

static void begin(struct product *p, double x) {
    enum { BIAS_AND_23 = 1046 };
    int exponent = (high_of(x) >> EXPONENT_SHIFT) - BIAS_AND_23;
    double rest = with_high(x, high_of(x) - exponent * EXPONENT_ONE);
    for (int i = 0; i < NUMBER_DIGITS - 1; i++) {
        p->number[i] = (double)(int32_t)rest;
        rest = (rest - p->number[i]) * DIGIT_ONE;
    }
    p->number[NUMBER_DIGITS - 1] = rest;
    p->number_last = NUMBER_DIGITS - 1;
    while (p->number[p->number_last] == 0) p->number_last--;
    p->start = MAX(exponent - 3, 0) / DIGIT_BITS;
    p->exponent = exponent - DIGIT_BITS * (p->start + 1);
    p->last = DIGITS_FIRST;
}

static void add_up(struct product *p, int from, int to) {
    for (int i = from; i <= to; i++) {
        double sum = 0;
        for (int j = 0; j <= p->number_last; j++) {
            int at = p->start + i - j;
            sum += p->number[j] * (at < 0 ? 0.0 : (double)two_over_pi[at]);
        }
        p->sums[i] = sum;
    }
}

/* Makes digits of the sums; what is left before them. */
static double carry(struct product *p) {
    double z = p->sums[p->last];
    for (int i = 0, j = p->last; j > 0; i++, j--) {
        double above = (double)(int32_t)(z * 0x1p-24);
        p->digits[i] = (int32_t)(z - above * DIGIT_ONE);
        z = p->sums[j - 1] + above;
    }
    return z;
}

/* One less the fraction; whether it was not zero. */
static bool complement(struct product *p) {
    bool borrowed = false;
    for (int i = 0; i < p->last; i++) {
        int32_t digit = p->digits[i];
        if (borrowed) p->digits[i] = DIGIT_MASK - digit;
        else if (digit != 0) p->digits[i] = DIGIT_ONE - digit;
        borrowed = borrowed || digit != 0;
    }
    if (p->exponent > 0) p->digits[p->last - 1] &= DIGIT_MASK >> p->exponent;
    return borrowed;
}

/* The product's whole part, modulo 8, to the nearest; *fraction is what the digit before `digits` has behind the point.
 * *negative: the product was rounded up, and the digits are those of one less the fraction. */
static int whole_part(struct product *p, double *fraction, bool *negative) {
    int exponent = p->exponent;
    double z = carry(p) * power_of_two(exponent);
    z -= 8.0 * (double)(int64_t)(z * 0.125);
    int n = (int)z;
    z -= n;
    bool above_half = z >= 0.5, complemented = false;
    if (exponent > 0) {
        int32_t *first = &p->digits[p->last - 1], over = *first >> (DIGIT_BITS - exponent);
        n += over;
        *first -= over << (DIGIT_BITS - exponent);
        complemented = *first >> (DIGIT_BITS - 1 - exponent) > 0;
    } else if (exponent == 0) {
        complemented = p->digits[p->last - 1] >> (DIGIT_BITS - 1) > 0;
    } else {
        complemented = above_half;
    }
    *negative = complemented;
    *fraction = z;
    if (!complemented) return n;
    bool borrowed = complement(p);
    if (exponent < 0) *fraction = (1.0 - z) - (borrowed ? power_of_two(exponent) : 0.0);
    return n + 1;
}

/* Digits beyond the first ones, where the product has come so close to a whole number that these are zero. */
static bool needs_more(struct product *p, double fraction) {
    if (fraction != 0) return false;
    int32_t any = 0;
    for (int i = p->last - 1; i >= DIGITS_FIRST; i--) any |= p->digits[i];
    if (any != 0) return false;
    int more = 1;
    while (p->digits[DIGITS_FIRST - more] == 0) more++;
    add_up(p, p->last + 1, p->last + more);
    p->last += more;
    return true;
}

/* Drops leading zeros, or puts what stands before the digits to them. */
static void normalise(struct product *p, double fraction) {
    if (fraction == 0) {
        do {
            p->last--;
            p->exponent -= DIGIT_BITS;
        } while (p->digits[p->last] == 0);
        return;
    }
    double z = fraction * power_of_two(-p->exponent);
    if (z < DIGIT_ONE) {
        p->digits[p->last] = (int32_t)z;
        return;
    }
    double above = (double)(int32_t)(z * 0x1p-24);
    p->digits[p->last++] = (int32_t)(z - above * DIGIT_ONE);
    p->digits[p->last] = (int32_t)above;
    p->exponent += DIGIT_BITS;
}

/* The digits times pi/2. */
static struct reduced times_half_pi(struct product *p) {
    double scale = power_of_two(p->exponent), parts[DIGITS_MOST] = { 0 };
    for (int i = p->last; i >= 0; i--, scale *= 0x1p-24) p->sums[i] = scale * p->digits[i];
    for (int i = p->last; i >= 0; i--) {
        double sum = 0;
        for (int k = 0; k <= MIN(DIGITS_FIRST, p->last - i); k++) sum += half_pi_digits[k] * p->sums[i + k];
        parts[p->last - i] = sum;
    }
    double value = 0;
    for (int i = p->last; i >= 0; i--) value += parts[i];
    double rest = parts[0] - value;
    for (int i = 1; i <= p->last; i++) rest += parts[i];
    return (struct reduced){ value, rest };
}

int reduce_by_half_pi(double x, struct reduced *left) {
    struct product p;
    double fraction;
    bool negative;
    int n;
    begin(&p, x);
    add_up(&p, 0, p.last);
    do n = whole_part(&p, &fraction, &negative);
    while (needs_more(&p, fraction));
    normalise(&p, fraction);
    *left = times_half_pi(&p);
    if (negative) *left = (struct reduced){ -left->value, -left->rest };
    return n & 7;
}
