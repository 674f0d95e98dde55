/* intrinsic_big_integer.c — java.math.BigInteger: products, Montgomery's (P. Montgomery, Modular Multiplication
 * Without Trial Division, 1985), and shifts. Java has a number as ints, the most significant first; here it has limbs
 * of 64 bits, the least significant first. What is longer than cryptography needs is left to the library's code. */
#include "exec/intrinsic.h"

#include "base/base.h"

#define FUNCTION(name) INTRINSIC_FUNCTION(name)
#define INT_ARG(i) ((int32_t)args[i])

enum {
    MOST_INTS = 512,                     /* of a factor: the longest that is multiplied by Montgomery's method      */
    MOST_LIMBS = MOST_INTS / 2,
    LONGEST = 1 << 20                    /* ints that a loop passes: about a millisecond                            */
};

typedef unsigned __int128 wide;

/* ---- limbs ------------------------------------------------------------------------------------------------------- */

static uint32_t *ints_of(struct object *array) { return array_data(array); }
static size_t limbs_of(int32_t ints) { return ((size_t)ints + 1) / 2; }

/* The first `count` ints; an odd one is the uppermost limb's lower half. */
static void take(uint64_t *limb, struct object *array, int32_t count) {
    const uint32_t *p = ints_of(array) + count;
    for (; count >= 2; count -= 2, p -= 2) *limb++ = (uint64_t)p[-2] << 32 | p[-1];
    if (count == 1) *limb = p[-1];
}

static void put(struct object *array, int32_t count, const uint64_t *limb) {
    uint32_t *p = ints_of(array) + count;
    for (; count >= 2; count -= 2, p -= 2, limb++) {
        p[-1] = (uint32_t)*limb;
        p[-2] = (uint32_t)(*limb >> 32);
    }
    if (count == 1) p[-1] = (uint32_t)*limb;
}

/* Products are computed limb by limb of the result: all of a column are added up, and what exceeds a limb is the next
 * column's. That is of three limbs. */
struct column {
    wide lower;
    uint64_t upper;
};

static ALWAYS_INLINE void add(struct column *c, wide w) {
    c->lower += w;
    c->upper += c->lower < w;
}

/* Adds a[0] * b[0] + a[1] * b[-1] + ... */
static ALWAYS_INLINE void add_products(struct column *c, const uint64_t *a, const uint64_t *b, size_t count) {
    for (size_t i = 0; i < count; i++) add(c, (wide)a[i] * *b--);
}

static ALWAYS_INLINE uint64_t next_limb(struct column *c) {
    uint64_t limb = (uint64_t)c->lower;
    c->lower = c->lower >> 64 | (wide)c->upper << 64;
    c->upper = 0;
    return limb;
}

/* a -= b; returns what is borrowed. */
static uint64_t subtract(uint64_t *a, const uint64_t *b, size_t count) {
    uint64_t borrow = 0;
    for (size_t i = 0; i < count; i++) {
        wide w = (wide)a[i] - b[i] - borrow;
        a[i] = (uint64_t)w;
        borrow = (uint64_t)(w >> 64) & 1;
    }
    return borrow;
}

static bool is_below(const uint64_t *a, const uint64_t *b, size_t count) {
    while (count > 1 && a[count - 1] == b[count - 1]) count--;
    return a[count - 1] < b[count - 1];
}

static void multiply(uint64_t *product, const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count) {
    struct column c = {0, 0};
    for (size_t k = 0; k < a_count + b_count; k++) {
        size_t first = k < b_count ? 0 : k - b_count + 1, end = k < a_count ? k + 1 : a_count;
        add_products(&c, a + first, b + k - first, end - first);
        product[k] = next_limb(&c);
    }
}

/* The products of different limbs once, which counts twice. */
static void square(uint64_t *product, const uint64_t *a, size_t count) {
    struct column c = {0, 0};
    for (size_t k = 0; k < 2 * count; k++) {
        size_t first = k < count ? 0 : k - count + 1;
        struct column once = {0, 0};
        add_products(&once, a + first, a + k - first, (k + 1) / 2 - first);
        add(&c, once.lower);
        add(&c, once.lower);
        c.upper += 2 * once.upper;
        if (k % 2 == 0) add_products(&c, a + k / 2, a + k / 2, 1);
        product[k] = next_limb(&c);
    }
}

/* Adds that multiple of `modulus` to a product of 2 * count limbs with which the lower half is 0; the upper half, less
 * the modulus if it is not below that, is the result. `inverse` is -1 / modulus. False: the result is not below it. */
static bool reduce(uint64_t *product, const uint64_t *modulus, size_t count, uint64_t inverse) {
    uint64_t multiple[MOST_LIMBS], *upper = product + count;
    struct column c = {0, 0};
    for (size_t k = 0; k < count; k++) {
        add(&c, product[k]);
        add_products(&c, multiple, modulus + k, k);
        multiple[k] = (uint64_t)c.lower * inverse;
        add_products(&c, multiple + k, modulus, 1);
        product[k] = next_limb(&c);
    }
    for (size_t k = 0; k < count; k++) {
        add(&c, upper[k]);
        add_products(&c, multiple + k + 1, modulus + count - 1, count - 1 - k);
        upper[k] = next_limb(&c);
    }
    uint64_t carry = (uint64_t)c.lower;
    if (carry != 0 || !is_below(upper, modulus, count)) carry -= subtract(upper, modulus, count);
    return carry == 0 && is_below(upper, modulus, count);
}

/* ---- arguments ------------------------------------------------------------------------------------------------- */

static bool has_ints(struct object *array, int32_t count) { return array != NULL && count <= array_length(array); }
static bool is_factor(struct object *array, int32_t count) {
    return count >= 1 && count <= MOST_INTS && has_ints(array, count);
}

/* (a, count, b, count, product) -> the product, from the array's start on */
FUNCTION(big_multiply) {
    struct object *a = arg_array(args, 0), *b = arg_array(args, 2), *product = arg_array(args, 4);
    int32_t a_ints = INT_ARG(1), b_ints = INT_ARG(3);
    uint64_t of_a[MOST_LIMBS], of_b[MOST_LIMBS], of_product[2 * MOST_LIMBS];
    if (!is_factor(a, a_ints) || !is_factor(b, b_ints) || !has_ints(product, a_ints + b_ints)) return false;
    if (product == a || product == b) return false;
    take(of_a, a, a_ints);
    take(of_b, b, b_ints);
    multiply(of_product, of_a, limbs_of(a_ints), of_b, limbs_of(b_ints));
    put(product, a_ints + b_ints, of_product);
    *result = slot_ref(product);
    return true;
}

/* (a, count, product, twice the count, which is its length) -> the product */
FUNCTION(big_square) {
    struct object *a = arg_array(args, 0), *product = arg_array(args, 2);
    int32_t ints = INT_ARG(1);
    uint64_t of_a[MOST_LIMBS], of_product[2 * MOST_LIMBS];
    if (!is_factor(a, ints) || product == NULL || product == a || INT_ARG(3) != 2 * ints) return false;
    if (array_length(product) != 2 * ints) return false;
    take(of_a, a, ints);
    square(of_product, of_a, limbs_of(ints));
    put(product, 2 * ints, of_product);
    *result = slot_ref(product);
    return true;
}

/* (sum, a, offset from its end, count, factor) -> what is carried out */
FUNCTION(big_add_product) {
    struct object *sum = arg_array(args, 0), *a = arg_array(args, 1);
    int32_t offset = INT_ARG(2), count = INT_ARG(3);
    if (sum == NULL || count > LONGEST || !has_ints(a, count)) return false;
    if (!range_fits(offset, count, array_length(sum))) return false;
    const uint32_t *from = ints_of(a) + count;
    uint32_t *to = ints_of(sum) + array_length(sum) - offset;
    uint64_t by = (uint32_t)args[4], carry = 0;
    for (; count > 0; count--) {
        carry += *--from * by + *--to;
        *to = (uint32_t)carry;
        carry >>= 32;
    }
    *result = carry;
    return true;
}

/* The result is the upper half of the product's array, which is its first; the lower is 0 then. An array of another
 * length the library's code would replace, or take apart elsewhere. */
static bool by_montgomery(uint64_t *result, struct object *a, struct object *b, struct object *modulus, int32_t ints,
                          uint64_t inverse, struct object *product) {
    uint64_t of_a[MOST_LIMBS], of_b[MOST_LIMBS], of_modulus[MOST_LIMBS], of_product[2 * MOST_LIMBS];
    if (!is_factor(a, ints) || !is_factor(b, ints) || !is_factor(modulus, ints) || ints % 2 != 0) return false;
    if (product == NULL || array_length(product) != 2 * ints) return false;
    if (product == a || product == b || product == modulus) return false;
    size_t count = limbs_of(ints);
    take(of_modulus, modulus, ints);
    if (of_modulus[0] * inverse != UINT64_MAX) return false;
    take(of_a, a, ints);
    if (a == b) {
        square(of_product, of_a, count);
    } else {
        take(of_b, b, ints);
        multiply(of_product, of_a, count, of_b, count);
    }
    if (!reduce(of_product, of_modulus, count, inverse)) return false;
    put(product, 2 * ints, of_product);
    *result = slot_ref(product);
    return true;
}

/* (a, b, modulus, count, -1 / modulus, product) -> the product */
FUNCTION(montgomery_multiply) {
    return by_montgomery(result, arg_array(args, 0), arg_array(args, 1), arg_array(args, 2), INT_ARG(3), args[4],
                         arg_array(args, 6));
}

/* (a, modulus, count, -1 / modulus, product) -> the product */
FUNCTION(montgomery_square) {
    return by_montgomery(result, arg_array(args, 0), arg_array(args, 0), arg_array(args, 1), INT_ARG(2), args[3],
                         arg_array(args, 5));
}

/* ---- shifts: (to, from, offset in `to`, bits, count) ------------------------------------------------------------- */

/* Each of `count` ints is the lower half of two that are `bits` to the right. */
static void shift(uint32_t *restrict to, const uint32_t *restrict from, int32_t count, int32_t bits) {
    for (int32_t i = 0; i < count; i++) to[i] = (uint32_t)(((uint64_t)from[i] << 32 | from[i + 1]) >> bits);
}

static bool shift_between(const uint64_t *args, uint64_t *result, int32_t to_the_right) {
    struct object *to = arg_array(args, 0), *from = arg_array(args, 1);
    int32_t offset = INT_ARG(2), count = INT_ARG(4);
    if (to == NULL || from == NULL || to == from || count > LONGEST || count >= array_length(from)) return false;
    if (!range_fits(offset, count, array_length(to)) || to_the_right < 1 || to_the_right > 31) return false;
    shift(ints_of(to) + offset, ints_of(from), count, to_the_right);
    *result = 0;
    return true;
}

FUNCTION(big_shift_left) { return shift_between(args, result, 32 - INT_ARG(3)); }
/* With another offset than 0 and 1 the library's code passes fewer. */
FUNCTION(big_shift_right) { return INT_ARG(2) <= 1 && shift_between(args, result, INT_ARG(3)); }
