/* divide.c — quotients and remainders of ints and longs. By a constant they are a product's upper half, or shifts: the
 * machine's division takes three times as long (Granlund and Montgomery, "Division by Invariant Integers using
 * Multiplication"). */
#include "jit/optimising/build.h"

__extension__ typedef unsigned __int128 uint128;

/* x / d is the upper half of x * multiplier, shifted right by `shift`, and one more where x is negative. */
struct reciprocal { uint64_t multiplier; unsigned shift; };

/* Of d > 1, no power of two, for numbers of so many bits: the least multiplier that is near enough to
 * 2^(bits + shift) / d. */
static struct reciprocal reciprocal_of(uint64_t d, unsigned bits) {
    for (unsigned shift = 0;; shift++) {
        uint128 power = (uint128)1 << bits << shift;
        uint64_t missing = d - (uint64_t)(power % d);
        if (missing <= (uint64_t)2 << shift) return (struct reciprocal){(uint64_t)(power / d) + 1, shift};
    }
}

static node_id alu(struct builder *b, enum node_type type, enum asm_alu op, node_id x, node_id y) {
    return build_two(b, NODE_alu, type, (uint8_t)op, x, y);
}

static node_id shift(struct builder *b, enum node_type type, enum asm_shift how, node_id x, unsigned by) {
    return build_two(b, NODE_shift, type, (uint8_t)how, x, build_constant(b, TYPE_INT, by));
}

/* -1 where x is negative, else 0. */
static node_id sign_of(struct builder *b, enum node_type type, node_id x) {
    return shift(b, type, SHIFT_ARITHMETIC, x, type == TYPE_LONG ? 63 : 31);
}

/* 2^k - 1 where x is negative, else 0: with that added, shifts round to zero. */
static node_id rounding(struct builder *b, enum node_type type, node_id x, unsigned k) {
    if (is_not_negative(b->g, x)) return build_constant(b, type, 0);
    return shift(b, type, SHIFT_RIGHT, sign_of(b, type, x), (type == TYPE_LONG ? 64 : 32) - k);
}

static node_id divide_by_power(struct builder *b, enum node_type type, node_id x, unsigned k, bool remainder) {
    node_id more = rounding(b, type, x, k), sum = alu(b, type, ALU_ADD, x, more);
    if (!remainder) return shift(b, type, SHIFT_ARITHMETIC, sum, k);
    node_id rest = alu(b, type, ALU_AND, sum, build_constant(b, type, (int64_t)(((uint64_t)1 << k) - 1)));
    return alu(b, type, ALU_SUB, rest, more);
}

/* The upper half of the product, shifted. The product of an int and a multiplier, which has 32 bits, is a long. */
static node_id scale(struct builder *b, enum node_type type, node_id x, struct reciprocal r) {
    if (type == TYPE_INT) {
        node_id wide = build_two(b, NODE_convert, TYPE_LONG, OP_i2l, x, 0);
        node_id product = build_two(b, NODE_multiply, TYPE_LONG, 0, wide,
                                build_constant(b, TYPE_LONG, (int64_t)r.multiplier));
        node_id quotient = shift(b, TYPE_LONG, SHIFT_ARITHMETIC, product, 32 + r.shift);
        return build_two(b, NODE_convert, TYPE_INT, OP_l2i, quotient, 0);
    }
    node_id high = build_two(b, NODE_math, TYPE_LONG, MATH_MULTIPLY_HIGH, x,
                         build_constant(b, TYPE_LONG, (int64_t)r.multiplier));
    if ((int64_t)r.multiplier < 0) high = alu(b, TYPE_LONG, ALU_ADD, high, x);
    return shift(b, TYPE_LONG, SHIFT_ARITHMETIC, high, r.shift);
}

static node_id negate(struct builder *b, enum node_type type, node_id x) {
    return build_two(b, NODE_negate, type, 0, x, 0);
}

static node_id divide_by_number(struct builder *b, enum node_type type, node_id x, int64_t d, bool remainder) {
    uint64_t size = d < 0 ? -(uint64_t)d : (uint64_t)d;
    node_id quotient = scale(b, type, x, reciprocal_of(size, type == TYPE_LONG ? 64 : 32));
    if (!is_not_negative(b->g, x)) quotient = alu(b, type, ALU_SUB, quotient, sign_of(b, type, x));
    if (!remainder) return d < 0 ? negate(b, type, quotient) : quotient;
    node_id product = build_two(b, NODE_multiply, type, 0, quotient, build_constant(b, type, (int64_t)size));
    return alu(b, type, ALU_SUB, x, product);
}

/* d is not 0. */
static node_id divide_by_constant(struct builder *b, enum node_type type, node_id x, int64_t d, bool remainder) {
    uint64_t size = d < 0 ? -(uint64_t)d : (uint64_t)d;
    if (size == 1) return remainder ? build_constant(b, type, 0) : d < 0 ? negate(b, type, x) : x;
    if ((size & (size - 1)) != 0) return divide_by_number(b, type, x, d, remainder);
    node_id n = divide_by_power(b, type, x, (unsigned)__builtin_ctzll(size), remainder);
    return d < 0 && !remainder ? negate(b, type, n) : n;
}

void build_division(struct builder *b, enum node_type type, bool remainder) {
    (void)build_state(b);
    node_id y = pop_value(b, type), x = pop_value(b, type), guard = 0;
    if (!ir_goes_on(b->g)) return;
    const struct node *by = node_of(b->g, y);
    if ((is_constant(by) || by->op == NODE_literal) && by->imm != 0) {
        push_value(b, divide_by_constant(b, type, x, by->imm, remainder));
        return;
    }
    guard = build_check(b, NODE_check_zero, y, 0, 0);
    push_value(b, build_value(b, (struct node){.op = NODE_divide, .type = (uint8_t)type, .detail = remainder,
                                               .in = {x, y}, .guard = guard}));
}
