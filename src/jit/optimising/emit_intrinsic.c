/* emit_intrinsic.c — machine code of nodes that stand for library methods: build_intrinsic.c. The first operand of
 * `math` may lie where the result does, the others do not; of `math_checked` none does, since the frame leaves with
 * them. */
#include "jit/optimising/emit.h"

#include "heap/heap.h"
#include "thread/thread.h"

static enum asm_width operand_width(const struct emitter *e, const struct node *n) {
    return width_of_type(emitted(e, n->in[0])->type);
}

/* A register for the result while REG_SCRATCH is used otherwise. */
static enum asm_reg result_beside_scratch(const struct emitter *e, node_id id) {
    enum asm_reg r = result_general(e, id);
    return r == REG_SCRATCH ? SECOND_SCRATCH : r;
}

/* ---- integers ---------------------------------------------------------------------------------------------------- */

static void emit_absolute(struct emitter *e, node_id id, const struct node *n) {
    enum asm_width w = operand_width(e, n);
    enum asm_reg r = result_general(e, id), x = in_general(e, n->in[0], other_scratch(r));
    asm_move(&e->c->a, w, r, x);
    asm_negate(&e->c->a, w, r);
    asm_select(&e->c->a, COND_NEGATIVE, w, r, x);
    keep_general(e, id, r);
}

/* The second is taken if `cond` holds of the first and it. */
static void emit_choice(struct emitter *e, node_id id, const struct node *n, enum asm_cond cond) {
    enum asm_width w = operand_width(e, n);
    enum asm_reg r = result_general(e, id), y = in_general(e, n->in[1], other_scratch(r));
    into_general(e, r, n->in[0]);
    asm_alu(&e->c->a, ALU_CMP, w, r, y);
    asm_select(&e->c->a, cond, w, r, y);
    keep_general(e, id, r);
}

static void emit_compare_unsigned(struct emitter *e, node_id id, const struct node *n) {
    struct assembler *a = &e->c->a;
    enum asm_reg r = result_general(e, id), less = other_scratch(r);
    apply(e, ALU_CMP, operand_width(e, n), in_general(e, n->in[0], REG_SCRATCH), n->in[1], SECOND_SCRATCH);
    asm_set(a, COND_ABOVE, r);
    asm_set(a, COND_BELOW, less);
    asm_alu(a, ALU_SUB, W32, r, less);
    keep_general(e, id, r);
}

static void emit_count_ones(struct emitter *e, node_id id, const struct node *n) {
    enum asm_reg r = result_general(e, id);
    asm_count_ones(&e->c->a, operand_width(e, n), r, in_general(e, n->in[0], REG_SCRATCH));
    keep_general(e, id, r);
}

/* The number of zeros above the highest bit, or below the lowest. */
static void emit_count_zeros(struct emitter *e, node_id id, const struct node *n, bool below) {
    struct assembler *a = &e->c->a;
    enum asm_width w = operand_width(e, n);
    int32_t bits = w == W64 ? 64 : 32;
    enum asm_reg r = result_beside_scratch(e, id), x = in_general(e, n->in[0], r);
    asm_constant(a, REG_SCRATCH, (uint64_t)(below ? bits : 2 * bits - 1));
    asm_scan(a, w, !below, r, x);
    asm_select(a, COND_EQUAL, W32, r, REG_SCRATCH);
    if (!below) asm_alu_constant(a, ALU_XOR, W32, r, bits - 1);
    keep_general(e, id, r);
}

/* The lower half comes down, of what has 16 bits. */
static void emit_swap_bytes(struct emitter *e, node_id id, const struct node *n) {
    enum asm_width w = operand_width(e, n);
    enum asm_reg r = result_general(e, id);
    into_general(e, r, n->in[0]);
    asm_swap_bytes(&e->c->a, w, r);
    if (n->detail == MATH_REVERSE_CHAR) asm_shift_constant(&e->c->a, SHIFT_RIGHT, w, r, 16);
    if (n->detail == MATH_REVERSE_SHORT) asm_shift_constant(&e->c->a, SHIFT_ARITHMETIC, w, r, 16);
    keep_general(e, id, r);
}

/* Neighbouring bits, pairs and fours change places, then the bytes. SECOND_SCRATCH is lost, so the result is elsewhere,
 * unless it is in memory: then two halves share REG_SCRATCH. */
static void emit_reverse(struct emitter *e, node_id id, const struct node *n) {
    static const uint64_t lower[] = {0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f};
    struct assembler *a = &e->c->a;
    enum asm_width w = operand_width(e, n);
    const enum asm_reg r = SECOND_SCRATCH, mask = REG_SCRATCH;
    into_general(e, r, n->in[0]);
    for (unsigned i = 0; i < ARRAY_LEN(lower); i++) {
        uint64_t bits = w == W64 ? lower[i] : (uint32_t)lower[i];
        asm_constant(a, mask, bits);                     /* x = (x & m) << s, and the rest of x >> s below it       */
        asm_alu(a, ALU_AND, w, mask, r);
        asm_alu(a, ALU_XOR, w, r, mask);
        asm_shift_constant(a, SHIFT_LEFT, w, mask, 1u << i);
        asm_shift_constant(a, SHIFT_RIGHT, w, r, 1u << i);
        asm_alu(a, ALU_OR, w, r, mask);
    }
    asm_swap_bytes(a, w, r);
    enum asm_reg result = result_general(e, id);
    if (result != REG_SCRATCH) asm_move(a, w, result, r);
    keep_general(e, id, r);
}

static void emit_multiply_high(struct emitter *e, node_id id, const struct node *n) {
    struct assembler *a = &e->c->a;
    into_general(e, REG_RESULT, n->in[0]);
    asm_multiply_high(a, W64, in_general(e, n->in[1], REG_SCRATCH));
    enum asm_reg r = result_general(e, id);
    if (r != REG_REMAINDER) asm_move(a, W64, r, REG_REMAINDER);
    keep_general(e, id, r);
}

static void emit_exact(struct emitter *e, node_id id, const struct node *n) {
    struct assembler *a = &e->c->a;
    enum asm_width w = operand_width(e, n);
    enum asm_reg r = result_general(e, id), y = REG_NONE;
    if (n->detail == MATH_MULTIPLY_EXACT) y = in_general(e, n->in[1], other_scratch(r));
    into_general(e, r, n->in[0]);
    switch (n->detail) {
    case MATH_ADD_EXACT: apply(e, ALU_ADD, w, r, n->in[1], other_scratch(r)); break;
    case MATH_SUBTRACT_EXACT: apply(e, ALU_SUB, w, r, n->in[1], other_scratch(r)); break;
    case MATH_MULTIPLY_EXACT: asm_multiply(a, w, r, y); break;
    default: asm_negate(a, w, r); break;
    }
    asm_branch(a, COND_OVERFLOW, exit_of(e, n));
    keep_general(e, id, r);
}

/* Below the length, which may be negative. */
static void emit_check_index(struct emitter *e, node_id id, const struct node *n) {
    struct assembler *a = &e->c->a;
    enum asm_reg r = result_general(e, id);
    into_general(e, r, n->in[0]);
    asm_alu(a, ALU_TEST, W64, r, r);
    asm_branch(a, COND_NEGATIVE, exit_of(e, n));
    apply(e, ALU_CMP, W64, r, n->in[1], other_scratch(r));
    asm_branch(a, COND_NOT_LESS, exit_of(e, n));
    keep_general(e, id, r);
}

/* ---- floating point ---------------------------------------------------------------------------------------------- */

/* The number-th register that is free beside r. */
static unsigned free_float(unsigned r, unsigned number) {
    static const uint8_t in_turn[] = {FLOATING_SCRATCH, FLOATING_SCRATCH - 1, FLOATING_SCRATCH - 2};
    for (unsigned i = 0;; i++)
        if (in_turn[i] != r && number-- == 0) return in_turn[i];
}

/* Through REG_SCRATCH. */
static void load_float_bits(struct emitter *e, enum asm_float_type t, unsigned x, uint64_t wide, uint32_t narrow) {
    asm_constant(&e->c->a, REG_SCRATCH, t == F64 ? wide : narrow);
    asm_float_from_word(&e->c->a, t == F64 ? W64 : W32, x, REG_SCRATCH);
}

/* The frame leaves if it is no number. */
static void expect_number(struct emitter *e, const struct node *n, enum asm_float_type t, unsigned x) {
    asm_float_compare(&e->c->a, t, x, x);
    asm_branch(&e->c->a, COND_UNORDERED, exit_of(e, n));
}

static void emit_root(struct emitter *e, node_id id, const struct node *n, enum asm_float_type t) {
    unsigned x = result_float(e, id);
    asm_float(&e->c->a, FLOAT_SQRT, t, x, in_float(e, n->in[0]));
    keep_float(e, id, x);
}

static void emit_absolute_float(struct emitter *e, node_id id, const struct node *n, enum asm_float_type t) {
    unsigned x = result_float(e, id), mask = free_float(x, 0);
    into_float(e, x, n->in[0]);
    load_float_bits(e, t, mask, INT64_MAX, INT32_MAX);
    asm_float_bits(&e->c->a, FLOAT_AND, x, mask);
    keep_float(e, id, x);
}

/* What is no number stays what it is; rint's loses its sign and becomes a quiet one, as by the library's arithmetic. */
static void emit_round(struct emitter *e, node_id id, const struct node *n, enum asm_float_type t, enum asm_round how) {
    struct assembler *a = &e->c->a;
    struct asm_label number = {0}, done = {0};
    unsigned x = result_float(e, id), mask = free_float(x, 0);
    into_float(e, x, n->in[0]);
    asm_float_compare(a, t, x, x);
    if (how == ROUND_NEAREST) {
        asm_branch_short(a, COND_ORDERED, &number);
        load_float_bits(e, t, mask, INT64_MAX, INT32_MAX);
        asm_float_bits(a, FLOAT_AND, x, mask);
        asm_float(a, FLOAT_ADD, t, x, x);
        asm_jump_short(a, &done);
        asm_bind(a, &number);
    } else {
        asm_branch_short(a, COND_UNORDERED, &done);
    }
    asm_float_round(a, how, t, x, x);
    asm_bind(a, &done);
    keep_float(e, id, x);
}

/* The next lower integer, and one more if it is half or further away. The least one stands for what has none as well:
 * that is 0 for what is no number, the least or the greatest for what is beyond them. */
static void emit_round_to_integer(struct emitter *e, node_id id, const struct node *n, enum asm_float_type t) {
    struct assembler *a = &e->c->a;
    struct asm_label within = {0}, beyond = {0}, done = {0};
    const unsigned above = FLOAT_SCRATCH, lower = FLOAT_SECOND;
    enum asm_width w = width_of_type(n->type);
    enum asm_reg r = result_beside_scratch(e, id);
    into_float(e, above, n->in[0]);
    asm_float_round(a, ROUND_DOWN, t, lower, above);
    asm_float_to_int(a, w, r, t, lower);
    asm_alu_constant(a, ALU_CMP, w, r, 1);
    asm_branch_short(a, COND_NOT_OVERFLOW, &within);
    asm_float_bits(a, FLOAT_XOR, lower, lower);
    asm_float_compare(a, t, above, lower);
    asm_branch_short(a, COND_ORDERED, &beyond);
    asm_constant(a, r, 0);
    asm_jump_short(a, &done);
    asm_bind(a, &beyond);
    asm_branch_short(a, COND_BELOW, &done);
    asm_alu_constant(a, ALU_SUB, w, r, 1);
    asm_jump_short(a, &done);
    asm_bind(a, &within);
    asm_float(a, FLOAT_SUB, t, above, lower);
    load_float_bits(e, t, lower, 0x3fe0000000000000, 0x3f000000);
    asm_float_compare(a, t, above, lower);
    asm_set(a, COND_NOT_BELOW, REG_SCRATCH);
    asm_alu(a, ALU_ADD, w, r, REG_SCRATCH);
    asm_bind(a, &done);
    keep_general(e, id, r);
}

/* The first, if that is `cond` than the second; of equal ones, which may be zeros, the sign that is less or greater:
 * of the least, either's; of the greatest, both's. What is no number, the first of two, is the result. */
static void emit_choice_float(struct emitter *e, node_id id, const struct node *n, enum asm_float_type t,
                              enum asm_cond cond) {
    struct assembler *a = &e->c->a;
    struct asm_label done = {0}, equal = {0}, unordered = {0}, second = {0};
    unsigned x = result_float(e, id), y = in_this_float(e, n->in[1], free_float(x, 0));
    into_float(e, x, n->in[0]);
    asm_float_compare(a, t, x, y);
    asm_branch_short(a, COND_UNORDERED, &unordered);
    asm_branch_short(a, cond, &done);
    asm_branch_short(a, COND_EQUAL, &equal);
    asm_bind(a, &second);
    asm_float_move(a, x, y);
    asm_jump_short(a, &done);
    asm_bind(a, &equal);
    asm_float_bits(a, cond == COND_BELOW ? FLOAT_OR : FLOAT_AND, x, y);
    asm_jump_short(a, &done);
    asm_bind(a, &unordered);
    asm_float_compare(a, t, x, x);
    asm_branch_short(a, COND_ORDERED, &second);
    asm_bind(a, &done);
    keep_float(e, id, x);
}

/* A result that is no number is the library's. */
static void emit_fused(struct emitter *e, node_id id, const struct node *n, enum asm_float_type t) {
    unsigned x = result_float(e, id);
    unsigned y = in_this_float(e, n->in[1], free_float(x, 0)), z = in_this_float(e, n->in[2], free_float(x, 1));
    into_float(e, x, n->in[0]);
    asm_float_fused(&e->c->a, t, x, y, z);
    expect_number(e, n, t, x);
    keep_float(e, id, x);
}

static void emit_copy_sign(struct emitter *e, node_id id, const struct node *n, enum asm_float_type t) {
    struct assembler *a = &e->c->a;
    unsigned x = result_float(e, id), y = in_this_float(e, n->in[1], free_float(x, 0)), mask = free_float(x, 1);
    expect_number(e, n, t, y);
    if (y == mask) mask = free_float(x, 0);
    load_float_bits(e, t, mask, INT64_MAX, INT32_MAX);
    into_float(e, x, n->in[0]);
    asm_float_bits(a, FLOAT_AND, x, mask);
    asm_float_bits(a, FLOAT_AND_NOT, mask, y);
    asm_float_bits(a, FLOAT_OR, x, mask);
    keep_float(e, id, x);
}

/* Zeros and what is no number stay; of others the sign is laid upon 1. */
static void emit_signum(struct emitter *e, node_id id, const struct node *n, enum asm_float_type t) {
    struct assembler *a = &e->c->a;
    struct asm_label done = {0};
    unsigned x = result_float(e, id), other = free_float(x, 0);
    into_float(e, x, n->in[0]);
    asm_float_bits(a, FLOAT_XOR, other, other);
    asm_float_compare(a, t, x, other);
    asm_branch_short(a, COND_UNORDERED, &done);
    asm_branch_short(a, COND_EQUAL, &done);
    load_float_bits(e, t, other, (uint64_t)INT64_MIN, (uint32_t)INT32_MIN);
    asm_float_bits(a, FLOAT_AND, x, other);
    load_float_bits(e, t, other, 0x3ff0000000000000, 0x3f800000);
    asm_float_bits(a, FLOAT_OR, x, other);
    asm_bind(a, &done);
    keep_float(e, id, x);
}

static void emit_same_bits(struct emitter *e, node_id id, const struct node *n) {
    enum asm_width w = width_of_type(n->type);
    if (is_float_type(n->type)) {
        unsigned x = result_float(e, id);
        asm_float_from_word(&e->c->a, w, x, in_general(e, n->in[0], REG_SCRATCH));
        keep_float(e, id, x);
    } else {
        enum asm_reg r = result_general(e, id);
        into_general(e, r, n->in[0]);
        keep_general(e, id, r);
    }
}

static void mix_high_into(struct emitter *e, enum asm_reg r, unsigned bits) {
    asm_move(&e->c->a, W32, REG_SCRATCH, r);
    asm_shift_constant(&e->c->a, SHIFT_RIGHT, W32, REG_SCRATCH, bits);
    asm_alu(&e->c->a, ALU_XOR, W32, r, REG_SCRATCH);
}

/* As heap_identity_hash; 0 of null. */
static void emit_identity_hash(struct emitter *e, node_id id, const struct node *n) {
    struct assembler *a = &e->c->a;
    struct asm_label done = {0};
    enum asm_reg r = result_beside_scratch(e, id);
    into_general(e, r, n->in[0]);
    asm_shift_constant(a, SHIFT_RIGHT, W64, r, 3);
    asm_branch_short(a, COND_EQUAL, &done);
    asm_alu_constant(a, ALU_XOR, W32, r, (int32_t)heap_hash_secret());
    mix_high_into(e, r, 16);
    asm_multiply_constant(a, W32, r, r, (int32_t)HASH_FACTOR_1);
    mix_high_into(e, r, 15);
    asm_multiply_constant(a, W32, r, r, (int32_t)HASH_FACTOR_2);
    mix_high_into(e, r, 16);
    asm_alu_constant(a, ALU_AND, W32, r, INT32_MAX);
    asm_branch_short(a, COND_NOT_EQUAL, &done);
    asm_constant(a, r, 1);
    asm_bind(a, &done);
    keep_general(e, id, r);
}

/* There is one form for what is no number. */
static void emit_float_to_bits(struct emitter *e, node_id id, const struct node *n, enum asm_float_type t) {
    struct assembler *a = &e->c->a;
    struct asm_label done = {0};
    enum asm_reg r = result_general(e, id);
    unsigned x = in_float(e, n->in[0]);
    asm_float_to_word(a, width_of_type(n->type), r, x);
    asm_float_compare(a, t, x, x);
    asm_branch_short(a, COND_ORDERED, &done);
    load_bits(e, r, t == F64 ? 0x7ff8000000000000 : 0x7fc00000);
    asm_bind(a, &done);
    keep_general(e, id, r);
}

/* ---- by detail --------------------------------------------------------------------------------------------------- */

static void emit_float_math(struct emitter *e, node_id id, const struct node *n) {
    enum asm_float_type t = float_of_type(emitted(e, n->in[0])->type);
    switch (n->detail) {
    case MATH_ABS: emit_absolute_float(e, id, n, t); break;
    case MATH_MIN: emit_choice_float(e, id, n, t, COND_BELOW); break;
    case MATH_MAX: emit_choice_float(e, id, n, t, COND_ABOVE); break;
    case MATH_SQRT: emit_root(e, id, n, t); break;
    case MATH_SIGNUM: emit_signum(e, id, n, t); break;
    case MATH_SAME_BITS: emit_same_bits(e, id, n); break;
    case MATH_FLOAT_BITS: emit_float_to_bits(e, id, n, t); break;
    case MATH_FMA: emit_fused(e, id, n, t); break;
    case MATH_COPY_SIGN: emit_copy_sign(e, id, n, t); break;
    case MATH_ROUND: emit_round_to_integer(e, id, n, t); break;
    case MATH_FLOOR: emit_round(e, id, n, t, ROUND_DOWN); break;
    case MATH_CEIL: emit_round(e, id, n, t, ROUND_UP); break;
    default: emit_round(e, id, n, t, ROUND_NEAREST); break;
    }
}

static void emit_math(struct emitter *e, node_id id, const struct node *n) {
    if (is_float_type(emitted(e, n->in[0])->type)) {
        emit_float_math(e, id, n);
        return;
    }
    switch (n->detail) {
    case MATH_ABS: emit_absolute(e, id, n); break;
    case MATH_MIN: emit_choice(e, id, n, COND_GREATER); break;
    case MATH_MAX: emit_choice(e, id, n, COND_LESS); break;
    case MATH_COMPARE_UNSIGNED: emit_compare_unsigned(e, id, n); break;
    case MATH_BIT_COUNT: emit_count_ones(e, id, n); break;
    case MATH_LEADING_ZEROS: emit_count_zeros(e, id, n, false); break;
    case MATH_TRAILING_ZEROS: emit_count_zeros(e, id, n, true); break;
    case MATH_REVERSE: emit_reverse(e, id, n); break;
    case MATH_MULTIPLY_HIGH: emit_multiply_high(e, id, n); break;
    case MATH_SAME_BITS: emit_same_bits(e, id, n); break;
    case MATH_CHECK_INDEX: emit_check_index(e, id, n); break;
    case MATH_IDENTITY_HASH: emit_identity_hash(e, id, n); break;
    case MATH_REVERSE_BYTES: case MATH_REVERSE_CHAR: case MATH_REVERSE_SHORT: emit_swap_bytes(e, id, n); break;
    default: emit_exact(e, id, n); break;
    }
}

/* ---- who could see that the method does not run ------------------------------------------------------------------ */

static void emit_check_watch(struct emitter *e, const struct node *n) {
    asm_test_bits(&e->c->a, thread_field(offsetof(struct os_thread, attention)), (uint32_t)n->imm);
    asm_branch(&e->c->a, COND_NOT_EQUAL, exit_of(e, n));
}

/* The stubs lie within 4 GiB. */
static void emit_check_leaf(struct emitter *e, const struct node *n) {
    asm_constant(&e->c->a, REG_SCRATCH, (uint64_t)n->imm);
    asm_alu_store_constant(&e->c->a, ALU_CMP, W32, asm_at(REG_SCRATCH, offsetof(struct method, compiled_entry)),
                           (int32_t)(uint32_t)(uintptr_t)e->c->stubs->call_leaf);
    asm_branch(&e->c->a, COND_NOT_EQUAL, exit_of(e, n));
}

static void emit_check_init(struct emitter *e, const struct node *n) {
    load_class(e->c, REG_SCRATCH, in_general(e, n->in[0], REG_SCRATCH));
    asm_alu_store_constant(&e->c->a, ALU_CMP, W8, asm_at(REG_SCRATCH, offsetof(struct class, shape.has_finalizer)), 0);
    asm_branch(&e->c->a, COND_NOT_EQUAL, exit_of(e, n));
}

/* ---- strings, objects, threads ----------------------------------------------------------------------------------- */

static struct asm_mem char_at(struct emitter *e, const struct node *n, bool wide) {
    const struct node *i = emitted(e, n->in[1]);
    enum asm_reg array = in_general(e, n->in[0], REG_SCRATCH);
    if (is_small_index(i)) return asm_at(array, ARRAY_DATA + ((int32_t)i->imm << wide));
    return asm_indexed(array, in_general(e, n->in[1], SECOND_SCRATCH), wide, ARRAY_DATA);
}

static void emit_text_char(struct emitter *e, node_id id, const struct node *n) {
    struct assembler *a = &e->c->a;
    struct asm_label wide = {0}, done = {0};
    enum asm_reg r = result_general(e, id);
    const struct node *coder = emitted(e, n->in[2]);
    if (is_constant(coder)) {
        asm_load(a, coder->imm ? U16 : U8, r, char_at(e, n, coder->imm != 0));
        keep_general(e, id, r);
        return;
    }
    compare_with_zero(e, n->in[2]);
    asm_branch(a, COND_NOT_EQUAL, &wide);
    asm_load(a, U8, r, char_at(e, n, false));
    asm_jump(a, &done);
    asm_bind(a, &wide);
    asm_load(a, U16, r, char_at(e, n, true));
    asm_bind(a, &done);
    keep_general(e, id, r);
}

static void emit_put_char(struct emitter *e, const struct node *n) {
    struct asm_mem m = char_at(e, n, true);
    const struct node *v = emitted(e, n->in[2]);
    if (is_constant(v)) {
        asm_store_constant(&e->c->a, W16, m, (int32_t)v->imm);
    } else {
        struct asm_mem to = in_second(e, m);
        asm_store(&e->c->a, W16, to, in_general(e, n->in[2], REG_SCRATCH));
    }
}

static void emit_object_class(struct emitter *e, node_id id, const struct node *n) {
    enum asm_reg r = result_general(e, id);
    load_class(e->c, r, in_general(e, n->in[0], REG_SCRATCH));
    asm_load(&e->c->a, U64, r, asm_at(r, offsetof(struct class, mirror)));
    keep_general(e, id, r);
}

static void emit_this_thread(struct emitter *e, node_id id) {
    struct assembler *a = &e->c->a;
    struct asm_label found = {0};
    enum asm_reg r = result_general(e, id);
    asm_load(a, U64, r, thread_field(offsetof(struct os_thread, current_thread_object)));
    asm_alu(a, ALU_TEST, W64, r, r);
    asm_branch_short(a, COND_NOT_EQUAL, &found);
    asm_load(a, U64, r, asm_at(REG_JAVA, offsetof(struct java_thread, mirror)));
    asm_bind(a, &found);
    keep_general(e, id, r);
}

bool emit_intrinsic(struct emitter *e, node_id id) {
    const struct node *n = emitted(e, id);
    switch (n->op) {
    case NODE_math: case NODE_math_checked: emit_math(e, id, n); return true;
    case NODE_check_watch: emit_check_watch(e, n); return true;
    case NODE_check_leaf: emit_check_leaf(e, n); return true;
    case NODE_check_init: emit_check_init(e, n); return true;
    case NODE_text_char: emit_text_char(e, id, n); return true;
    case NODE_put_char: emit_put_char(e, n); return true;
    case NODE_object_class: emit_object_class(e, id, n); return true;
    case NODE_this_thread: emit_this_thread(e, id); return true;
    default: return false;
    }
}
