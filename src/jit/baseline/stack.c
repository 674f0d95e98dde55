/* stack.c — constants, local variables, and the operand stack itself: mostly nothing but where values are. */
#include "jit/baseline/compiler.h"

#include "link/link.h"

/* ---- constants --------------------------------------------------------------------------------------------------- */

static void push_pair(struct compiler *c, int64_t v) {
    push_constant(c, v);
    push_upper(c);
}

static int64_t float_bits(float f) { union { float f; uint32_t i; } u = {.f = f}; return u.i; }
static int64_t double_bits(double d) { union { double d; int64_t i; } u = {.d = d}; return u.i; }

/* What is not a number is there once the instruction is quick. */
static void push_resolved(struct compiler *c, uint8_t op, uint16_t i) {
    bool is_class = cp_tag(class_file(c), i) == CP_Class;
    expect_quick(c, quick_opcode(op, is_class ? FORM_CLASS : FORM_PLAIN));
    enum asm_reg r = take_register(c);
    load_cell(c, r, i);
    if (is_class) asm_load(&c->a, U64, r, asm_at(r, offsetof(struct class, mirror)));
    push_register(c, r);
}

static void push_from_pool(struct compiler *c, uint8_t op) {
    const struct classfile *cf = class_file(c);
    uint16_t i = op == OP_ldc ? instruction(c)[1] : op_u2(instruction(c) + 1);
    switch (cp_tag(cf, i)) {
    case CP_Integer: push_constant(c, cp_int(cf, i)); break;
    case CP_Float: push_constant(c, float_bits(cp_float(cf, i))); break;
    case CP_Long: push_pair(c, cp_long(cf, i)); break;
    case CP_Double: push_pair(c, double_bits(cp_double(cf, i))); break;
    default: push_resolved(c, op, i); break;
    }
}

static bool compile_constant(struct compiler *c, uint8_t op) {
    switch (op) {
    case OP_nop: break;
    case OP_aconst_null: push_constant(c, 0); break;
    case OP_lconst_0: case OP_lconst_1: push_pair(c, op - OP_lconst_0); break;
    case OP_fconst_0: case OP_fconst_1: case OP_fconst_2:
        push_constant(c, float_bits((float)(op - OP_fconst_0)));
        break;
    case OP_dconst_0: case OP_dconst_1: push_pair(c, double_bits(op - OP_dconst_0)); break;
    case OP_bipush: push_constant(c, (int8_t)instruction(c)[1]); break;
    case OP_sipush: push_constant(c, op_s2(instruction(c) + 1)); break;
    case OP_ldc: case OP_ldc_w: case OP_ldc2_w: push_from_pool(c, op); break;
    default:
        if (op < OP_iconst_m1 || op > OP_iconst_5) return false;
        push_constant(c, op - OP_iconst_0);
        break;
    }
    return true;
}

/* ---- local variables --------------------------------------------------------------------------------------------- */

static void compile_load(struct compiler *c, uint8_t op, uint32_t i) {
    push_local(c, i);
    if (op == OP_lload || op == OP_dload) push_upper(c);
}

static void compile_store(struct compiler *c, uint8_t op, uint32_t i) {
    store_local(c, i, op == OP_lstore || op == OP_dstore ? 2 : 1);
}

static void compile_increment(struct compiler *c, uint32_t i, int32_t by) {
    enum asm_reg r = take_local(c, i);
    asm_alu_constant(&c->a, ALU_ADD, W32, r, by);
    keep_local(c, i, r);
}

static bool is_load(uint8_t op) { return op >= OP_iload && op <= OP_aload; }
static bool is_store(uint8_t op) { return op >= OP_istore && op <= OP_astore; }

bool compile_constant_or_local(struct compiler *c, uint8_t op) {
    const uint8_t *p = instruction(c);
    if (op == OP_wide) {
        uint32_t i = op_u2(p + 2);
        if (p[1] == OP_iinc) compile_increment(c, i, op_s2(p + 4));
        else if (is_load(p[1])) compile_load(c, p[1], i);
        else compile_store(c, p[1], i);
    } else if (is_load(op)) {
        compile_load(c, op, p[1]);
    } else if (is_store(op)) {
        compile_store(c, op, p[1]);
    } else if (op >= OP_iload_0 && op <= OP_aload_3) {
        compile_load(c, (uint8_t)(OP_iload + (op - OP_iload_0) / 4), (op - OP_iload_0) & 3u);
    } else if (op >= OP_istore_0 && op <= OP_astore_3) {
        compile_store(c, (uint8_t)(OP_istore + (op - OP_istore_0) / 4), (op - OP_istore_0) & 3u);
    } else if (op == OP_iinc) {
        compile_increment(c, p[1], (int8_t)p[2]);
    } else {
        return compile_constant(c, op);
    }
    return true;
}

/* ---- the stack itself -------------------------------------------------------------------------------------------- */

/* The `taken` top slots become those that `order` names, the lowest first, by their distance from the top. */
static void rearrange(struct compiler *c, uint32_t taken, const char *order) {
    struct value held[4];
    for (uint32_t i = 1; i <= taken; i++) held[i - 1] = hold_value(c, i);
    drop(c, taken);
    for (; *order != 0; order++) push_held(c, held[*order - '1']);
    for (uint32_t i = 0; i < taken; i++) drop_held(c, held[i]);
}

bool compile_stack(struct compiler *c, uint8_t op) {
    switch (op) {
    case OP_pop: drop(c, 1); return true;
    case OP_pop2: drop(c, 2); return true;
    case OP_dup: rearrange(c, 1, "11"); return true;
    case OP_dup_x1: rearrange(c, 2, "121"); return true;
    case OP_dup_x2: rearrange(c, 3, "1321"); return true;
    case OP_dup2: rearrange(c, 2, "2121"); return true;
    case OP_dup2_x1: rearrange(c, 3, "21321"); return true;
    case OP_dup2_x2: rearrange(c, 4, "214321"); return true;
    case OP_swap: rearrange(c, 2, "12"); return true;
    default: return false;
    }
}
