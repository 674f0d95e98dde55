/* arithmetic.c — arithmetic, logic and comparisons that make a number. JVMS 6.5. */
#include "jit/baseline/compiler.h"

void apply_operand(struct compiler *c, enum asm_alu op, enum asm_width w, enum asm_reg r, uint32_t from_top) {
    const struct value *v = operand_at(c, from_top);
    struct asm_mem m = in_memory(c, from_top);
    if (v->kind == CONSTANT && v->constant == (int32_t)v->constant)
        asm_alu_constant(&c->a, op, w, r, (int32_t)v->constant);
    else if (m.base != REG_NONE)
        asm_alu_load(&c->a, op, w, r, m);
    else
        asm_alu(&c->a, op, w, r, in_register(c, from_top));
}

static void binary(struct compiler *c, enum asm_alu op, enum asm_width w) {
    uint32_t slots = w == W64 ? 2 : 1;
    apply_operand(c, op, w, own_register(c, 2 * slots), slots);
    drop(c, slots);
}

static void multiply(struct compiler *c, enum asm_width w) {
    uint32_t slots = w == W64 ? 2 : 1;
    enum asm_reg r = own_register(c, 2 * slots);
    const struct value *v = operand_at(c, slots);
    struct asm_mem m = in_memory(c, slots);
    if (v->kind == CONSTANT && v->constant == (int32_t)v->constant)
        asm_multiply_constant(&c->a, w, r, r, (int32_t)v->constant);
    else if (m.base != REG_NONE)
        asm_multiply_load(&c->a, w, r, m);
    else
        asm_multiply(&c->a, w, r, in_register(c, slots));
    drop(c, slots);
}

/* The least number by -1 overflows to itself, and the machine would trap. */
static void divide(struct compiler *c, enum asm_width w, bool remainder) {
    uint32_t slots = w == W64 ? 2 : 1;
    struct asm_label by_minus_one = {0}, done = {0};
    take_these(c, 1u << REG_RESULT | 1u << REG_REMAINDER);
    const struct value *v = operand_at(c, slots);
    bool is_constant = v->kind == CONSTANT, simple = is_constant && v->constant != 0 && v->constant != -1;
    enum asm_reg by = in_register(c, slots);
    if (!simple) {
        asm_alu(&c->a, ALU_TEST, w, by, by);
        leave_if(c, COND_EQUAL);
    }
    load_operand(c, REG_RESULT, 2 * slots);
    if (!simple) {
        asm_alu_constant(&c->a, ALU_CMP, w, by, -1);
        asm_branch_short(&c->a, COND_EQUAL, &by_minus_one);
    }
    asm_divide(&c->a, w, by);
    if (!simple) {
        asm_jump_short(&c->a, &done);
        asm_bind(&c->a, &by_minus_one);
        if (remainder) asm_alu(&c->a, ALU_XOR, W32, REG_REMAINDER, REG_REMAINDER);
        else asm_negate(&c->a, w, REG_RESULT);
        asm_bind(&c->a, &done);
    }
    drop(c, 2 * slots);
    push_register(c, remainder ? REG_REMAINDER : REG_RESULT);
    if (slots == 2) push_upper(c);
}

/* The count is an int and counts modulo the width, as the machine does it. */
static void shift(struct compiler *c, enum asm_shift op, enum asm_width w) {
    uint32_t slots = w == W64 ? 2 : 1;
    const struct value *v = operand_at(c, 1);
    if (v->kind == CONSTANT) {
        unsigned count = (unsigned)v->constant & (w == W64 ? 63 : 31);
        enum asm_reg r = own_register(c, 1 + slots);
        if (count != 0) asm_shift_constant(&c->a, op, w, r, count);
        else if (w == W32) asm_move(&c->a, W32, r, r);
    } else {
        take_these(c, 1u << REG_COUNT);
        enum asm_reg r = own_register(c, 1 + slots);
        load_operand(c, REG_COUNT, 1);
        asm_shift(&c->a, op, w, r);
    }
    drop(c, 1);
}

static void negate(struct compiler *c, enum asm_width w) { asm_negate(&c->a, w, own_register(c, w == W64 ? 2 : 1)); }

static void compare_long(struct compiler *c) {
    enum asm_reg left = in_register(c, 4), less, greater;
    apply_operand(c, ALU_CMP, W64, left, 2);
    less = take_register(c);
    greater = take_register(c);
    asm_set(&c->a, COND_GREATER, greater);
    asm_set(&c->a, COND_LESS, less);
    asm_alu(&c->a, ALU_SUB, W32, greater, less);
    drop(c, 4);
    push_register(c, greater);
}

/* ---- floating point ---------------------------------------------------------------------------------------------- */

static void float_binary(struct compiler *c, enum asm_float_op op, enum asm_float_type t) {
    uint32_t slots = t == F64 ? 2 : 1;
    unsigned x = own_floating(c, t, 2 * slots);
    struct asm_mem m = in_memory(c, slots);
    if (m.base != REG_NONE) asm_float_from_memory(&c->a, op, t, x, m);
    else asm_float(&c->a, op, t, x, in_floating(c, t, slots));
    drop(c, slots);
}

static void float_negate(struct compiler *c, enum asm_float_type t) {
    unsigned x = own_floating(c, t, t == F64 ? 2 : 1);
    asm_constant(&c->a, REG_SCRATCH, t == F64 ? (uint64_t)1 << 63 : (uint64_t)1 << 31);
    asm_float_from_word(&c->a, t == F64 ? W64 : W32, FLOATING_SCRATCH, REG_SCRATCH);
    asm_float_bits(&c->a, FLOAT_XOR, x, FLOATING_SCRATCH);
}

/* BELOW also holds where one is not a number: the operands are exchanged for the answer to be greater then. */
static void compare_float(struct compiler *c, enum asm_float_type t, bool greater_if_unordered) {
    uint32_t slots = t == F64 ? 2 : 1;
    unsigned left = in_floating(c, t, 2 * slots), right = in_floating(c, t, slots);
    enum asm_reg above = take_register(c), below = take_register(c);
    if (greater_if_unordered) asm_float_compare(&c->a, t, right, left);
    else asm_float_compare(&c->a, t, left, right);
    asm_set(&c->a, COND_ABOVE, above);
    asm_set(&c->a, COND_BELOW, below);
    if (greater_if_unordered) asm_alu(&c->a, ALU_SUB, W32, below, above);
    else asm_alu(&c->a, ALU_SUB, W32, above, below);
    drop(c, 2 * slots);
    push_register(c, greater_if_unordered ? below : above);
}

/* ---- by opcode --------------------------------------------------------------------------------------------------- */

static bool compile_word(struct compiler *c, uint8_t op) {
    switch (op) {
    case OP_iadd: binary(c, ALU_ADD, W32); return true;
    case OP_isub: binary(c, ALU_SUB, W32); return true;
    case OP_iand: binary(c, ALU_AND, W32); return true;
    case OP_ior: binary(c, ALU_OR, W32); return true;
    case OP_ixor: binary(c, ALU_XOR, W32); return true;
    case OP_ladd: binary(c, ALU_ADD, W64); return true;
    case OP_lsub: binary(c, ALU_SUB, W64); return true;
    case OP_land: binary(c, ALU_AND, W64); return true;
    case OP_lor: binary(c, ALU_OR, W64); return true;
    case OP_lxor: binary(c, ALU_XOR, W64); return true;
    case OP_imul: multiply(c, W32); return true;
    case OP_lmul: multiply(c, W64); return true;
    case OP_idiv: divide(c, W32, false); return true;
    case OP_irem: divide(c, W32, true); return true;
    case OP_ldiv: divide(c, W64, false); return true;
    case OP_lrem: divide(c, W64, true); return true;
    case OP_ineg: negate(c, W32); return true;
    case OP_lneg: negate(c, W64); return true;
    case OP_ishl: shift(c, SHIFT_LEFT, W32); return true;
    case OP_ishr: shift(c, SHIFT_ARITHMETIC, W32); return true;
    case OP_iushr: shift(c, SHIFT_RIGHT, W32); return true;
    case OP_lshl: shift(c, SHIFT_LEFT, W64); return true;
    case OP_lshr: shift(c, SHIFT_ARITHMETIC, W64); return true;
    case OP_lushr: shift(c, SHIFT_RIGHT, W64); return true;
    case OP_lcmp: compare_long(c); return true;
    default: return false;
    }
}

bool compile_arithmetic(struct compiler *c, uint8_t op) {
    switch (op) {
    case OP_fadd: float_binary(c, FLOAT_ADD, F32); return true;
    case OP_fsub: float_binary(c, FLOAT_SUB, F32); return true;
    case OP_fmul: float_binary(c, FLOAT_MUL, F32); return true;
    case OP_fdiv: float_binary(c, FLOAT_DIV, F32); return true;
    case OP_dadd: float_binary(c, FLOAT_ADD, F64); return true;
    case OP_dsub: float_binary(c, FLOAT_SUB, F64); return true;
    case OP_dmul: float_binary(c, FLOAT_MUL, F64); return true;
    case OP_ddiv: float_binary(c, FLOAT_DIV, F64); return true;
    case OP_fneg: float_negate(c, F32); return true;
    case OP_dneg: float_negate(c, F64); return true;
    case OP_fcmpl: compare_float(c, F32, false); return true;
    case OP_fcmpg: compare_float(c, F32, true); return true;
    case OP_dcmpl: compare_float(c, F64, false); return true;
    case OP_dcmpg: compare_float(c, F64, true); return true;
    default: return compile_word(c, op);
    }
}
