/* conversion.c — conversions between primitive types. JVMS 6.5. */
#include "jit/baseline/compiler.h"

static void push_of(struct compiler *c, bool two_slots, enum asm_reg r) {
    push_register(c, r);
    if (two_slots) push_upper(c);
}

static void push_of_floating(struct compiler *c, enum asm_float_type t, unsigned x) {
    push_floating(c, t, x);
    if (t == F64) push_upper(c);
}

/* Of an int: the top slot, or the first of a long's. */
static void extend(struct compiler *c, enum asm_type t, uint32_t from_slots, bool to_two) {
    enum asm_reg from = in_register(c, from_slots), to = take_register(c);
    asm_extend(&c->a, t, to, from);
    drop(c, from_slots);
    push_of(c, to_two, to);
}

static void to_floating(struct compiler *c, enum asm_width from, enum asm_float_type t) {
    uint32_t slots = from == W64 ? 2 : 1;
    enum asm_reg r = in_register(c, slots);
    unsigned x = take_floating(c);
    asm_float_bits(&c->a, FLOAT_XOR, x, x);              /* else it waits for what was there                        */
    asm_float_from_int(&c->a, t, x, from, r);
    drop(c, slots);
    push_of_floating(c, t, x);
}

/* The machine answers the least number for what does not fit. Then: the largest for what is positive, 0 for what is no
 * number. */
static void to_word(struct compiler *c, enum asm_float_type from, enum asm_width w) {
    uint32_t slots = from == F64 ? 2 : 1;
    enum asm_width bits = from == F64 ? W64 : W32;
    struct asm_label done = {0}, no_number = {0};
    unsigned x = in_floating(c, from, slots);
    enum asm_reg r = take_register(c);
    asm_float_to_int(&c->a, w, r, from, x);
    asm_alu_constant(&c->a, ALU_CMP, w, r, 1);           /* overflows for the least number alone                    */
    asm_branch_short(&c->a, COND_NOT_OVERFLOW, &done);
    asm_float_compare(&c->a, from, x, x);
    asm_branch_short(&c->a, COND_UNORDERED, &no_number);
    asm_float_to_word(&c->a, bits, REG_SCRATCH, x);
    asm_alu(&c->a, ALU_TEST, bits, REG_SCRATCH, REG_SCRATCH);
    asm_branch_short(&c->a, COND_NEGATIVE, &done);
    asm_alu_constant(&c->a, ALU_SUB, w, r, 1);
    asm_jump_short(&c->a, &done);
    asm_bind(&c->a, &no_number);
    asm_alu(&c->a, ALU_XOR, W32, r, r);
    asm_bind(&c->a, &done);
    drop(c, slots);
    push_of(c, w == W64, r);
}

static void change_floating(struct compiler *c, enum asm_float_type from, enum asm_float_type to) {
    uint32_t slots = from == F64 ? 2 : 1;
    unsigned x = in_floating(c, from, slots), y = take_floating(c);
    asm_float_bits(&c->a, FLOAT_XOR, y, y);
    asm_float_convert(&c->a, to, y, x);
    drop(c, slots);
    push_of_floating(c, to, y);
}

bool compile_conversion(struct compiler *c, uint8_t op) {
    switch (op) {
    case OP_i2l: extend(c, S32, 1, true); return true;
    case OP_l2i: extend(c, U32, 2, false); return true;
    case OP_i2b: extend(c, S8, 1, false); return true;
    case OP_i2c: extend(c, U16, 1, false); return true;
    case OP_i2s: extend(c, S16, 1, false); return true;
    case OP_i2f: to_floating(c, W32, F32); return true;
    case OP_i2d: to_floating(c, W32, F64); return true;
    case OP_l2f: to_floating(c, W64, F32); return true;
    case OP_l2d: to_floating(c, W64, F64); return true;
    case OP_f2i: to_word(c, F32, W32); return true;
    case OP_f2l: to_word(c, F32, W64); return true;
    case OP_d2i: to_word(c, F64, W32); return true;
    case OP_d2l: to_word(c, F64, W64); return true;
    case OP_f2d: change_floating(c, F32, F64); return true;
    case OP_d2f: change_floating(c, F64, F32); return true;
    default: return false;
    }
}
