/* control.c — branches, switches, returns. A branch backwards polls before anything else; what it polls for happens in
 * the interpreter, which then does the branch. JVMS 6.5. */
#include "jit/baseline/compiler.h"

#include "base/options.h"
#include "thread/thread.h"

static void leave_if_attention(struct compiler *c, uint32_t bits) {
    asm_test_bits(&c->a, thread_field(offsetof(struct os_thread, attention)), bits);
    leave_if(c, COND_NOT_EQUAL);
}

/* -XX:SwitchTierEvery: one less until the frame leaves. */
static void leave_if_switching(struct compiler *c) {
    if (vm->options->flags.SwitchTierEvery == 0) return;
    asm_alu_store_constant(&c->a, ALU_SUB, W32, thread_field(offsetof(struct os_thread, until_switch)), 1);
    leave_if(c, COND_NOT_GREATER);
}

/* What comes before a branch that takes `operands`: behind it all others are at home. */
static void begin_branch(struct compiler *c, uint32_t operands, bool backwards) {
    flush_operands(c, operands);
    if (!backwards) return;
    leave_if_attention(c, POLL_ANY);
    leave_if_switching(c);
    count_towards_optimising(c, 1);
}

static struct asm_label *target_label(struct compiler *c, int32_t offset) {
    return loops_way(c, (uint32_t)((int32_t)c->bci + offset));
}

/* ---- branches ---------------------------------------------------------------------------------------------------- */

static void compare_with_zero(struct compiler *c, enum asm_width w) {
    struct asm_mem m = in_memory(c, 1);
    if (m.base != REG_NONE) {
        asm_alu_store_constant(&c->a, ALU_CMP, w, m, 0);
    } else {
        enum asm_reg r = in_register(c, 1);
        asm_alu(&c->a, ALU_TEST, w, r, r);
    }
}

static void branch(struct compiler *c, enum asm_cond cond, enum asm_width w, uint32_t operands) {
    int32_t offset = op_s2(instruction(c) + 1);
    begin_branch(c, operands, offset <= 0);
    if (operands == 1 && w == W64) (void)in_register(c, 1);      /* it is not for this alone that it is looked at   */
    if (operands == 1) compare_with_zero(c, w);
    else apply_operand(c, ALU_CMP, w, in_register(c, 2), 1);
    enum asm_reg r = operands == 1 ? register_of(c, 1) : REG_NONE;
    drop(c, operands);
    asm_branch(&c->a, cond, target_label(c, offset));
    if (w == W64 && r != REG_NONE && cond == COND_EQUAL) c->not_null |= 1u << r;
}

static void jump(struct compiler *c, int32_t offset) {
    begin_branch(c, 0, offset <= 0);
    asm_jump(&c->a, target_label(c, offset));
}

static const uint8_t conditions[] = {COND_EQUAL, COND_NOT_EQUAL, COND_LESS, COND_NOT_LESS, COND_GREATER,
                                     COND_NOT_GREATER};          /* in the order of the opcodes                     */

/* ---- a comparison, and the branch by what it says --------------------------------------------------------------- */

static void branch_if_equal(struct compiler *c, bool equal, struct asm_label *target) {
    struct asm_label on = {0};
    if (equal) asm_branch_short(&c->a, COND_UNORDERED, &on);
    else asm_branch(&c->a, COND_UNORDERED, target);
    asm_branch(&c->a, equal ? COND_EQUAL : COND_NOT_EQUAL, target);
    asm_bind(&c->a, &on);
}

/* BELOW and NOT_ABOVE also hold where one is not a number, which counts as less, or, the operands being exchanged, as
 * greater. */
static void branch_by_floats(struct compiler *c, uint8_t compare, uint8_t op, struct asm_label *target) {
    static const uint8_t by_order[] = {[OP_iflt - OP_ifeq] = COND_BELOW, [OP_ifge - OP_ifeq] = COND_NOT_BELOW,
                                       [OP_ifgt - OP_ifeq] = COND_ABOVE, [OP_ifle - OP_ifeq] = COND_NOT_ABOVE},
                         exchanged[] = {[OP_iflt - OP_ifeq] = COND_ABOVE, [OP_ifge - OP_ifeq] = COND_NOT_ABOVE,
                                        [OP_ifgt - OP_ifeq] = COND_BELOW, [OP_ifle - OP_ifeq] = COND_NOT_BELOW};
    enum asm_float_type t = compare == OP_fcmpl || compare == OP_fcmpg ? F32 : F64;
    bool exchanges = compare == OP_fcmpg || compare == OP_dcmpg;
    uint32_t slots = t == F64 ? 2 : 1;
    unsigned left = in_floating(c, t, 2 * slots), right = in_floating(c, t, slots);
    asm_float_compare(&c->a, t, exchanges ? right : left, exchanges ? left : right);
    if (op == OP_ifeq || op == OP_ifne) branch_if_equal(c, op == OP_ifeq, target);
    else asm_branch(&c->a, (enum asm_cond)(exchanges ? exchanged : by_order)[op - OP_ifeq], target);
}

/* Where nothing else leads to the branch, and nobody wants to stop there. What it polls for happens before both. */
bool compile_compare_and_branch(struct compiler *c, uint8_t op) {
    uint32_t next = c->bci + c->length;
    if (next >= c->source->code_length) return false;
    uint8_t by = c->source->code[next];
    if (by < OP_ifeq || by > OP_ifle || c->places[next].is_target || c->code->code[next] == OP_breakpoint) return false;
    uint32_t slots = op == OP_fcmpl || op == OP_fcmpg ? 2 : 4;
    int32_t offset = op_s2(c->source->code + next + 1);
    struct asm_label *target = loops_way(c, (uint32_t)((int32_t)next + offset));
    begin_branch(c, slots, offset <= 0);
    if (op == OP_lcmp) {
        apply_operand(c, ALU_CMP, W64, in_register(c, 4), 2);
        asm_branch(&c->a, conditions[by - OP_ifeq], target);
    } else {
        branch_by_floats(c, op, by, target);
    }
    drop(c, slots);
    c->length += opcode_length(c->source->code, next, c->source->code_length);
    return true;
}

/* ---- switches: by a table behind the method's code, or by halves ------------------------------------------------- */

struct search {
    struct op_switch s;
    bool is_lookup;
    enum asm_reg key;
};

static int32_t key_of(const struct search *s, uint32_t k) {
    return s->is_lookup ? op_s4(s->s.table + 8 * (size_t)k) : (int32_t)((uint32_t)s->s.low + k);
}

static struct asm_label *case_label(struct compiler *c, const struct search *s, uint32_t k) {
    return target_label(c, op_switch_offset(&s->s, s->is_lookup, k));
}

static void search(struct compiler *c, const struct search *s, uint32_t from, uint32_t to) {
    enum { LINEAR = 4 };
    if (to - from > LINEAR) {
        struct asm_label lower = {0};
        uint32_t middle = from + (to - from) / 2;
        asm_alu_constant(&c->a, ALU_CMP, W32, s->key, key_of(s, middle));
        asm_branch(&c->a, COND_LESS, &lower);
        search(c, s, middle, to);
        asm_bind(&c->a, &lower);
        search(c, s, from, middle);
        return;
    }
    for (; from < to; from++) {
        asm_alu_constant(&c->a, ALU_CMP, W32, s->key, key_of(s, from));
        asm_branch(&c->a, COND_EQUAL, case_label(c, s, from));
    }
    asm_jump(&c->a, target_label(c, s->s.default_offset));
}

static void jump_by_table(struct compiler *c, const struct search *s) {
    c->failed |= !make_room((void **)&c->tables, &c->table_capacity, c->table_count + 1, sizeof *c->tables);
    if (c->failed) return;
    struct jump_table *table = &c->tables[c->table_count++];
    *table = (struct jump_table){.bci = c->bci, .loop = c->loop};
    enum asm_reg index = take_register(c);
    asm_move(&c->a, W32, index, s->key);
    if (s->s.low != 0) asm_alu_constant(&c->a, ALU_SUB, W32, index, s->s.low);
    asm_alu_constant(&c->a, ALU_CMP, W32, index, (int32_t)s->s.count);
    asm_branch(&c->a, COND_NOT_BELOW, target_label(c, s->s.default_offset));
    asm_jump_by_table(&c->a, &table->label, index);
}

void write_tables(struct compiler *c) {
    if (c->table_count != 0) note_pc(c, PCS_TABLES);
    for (struct jump_table *t = c->tables; t < c->tables + c->table_count; t++) {
        struct search s = {op_switch_decode(c->source->code, t->bci), false, REG_NONE};
        c->bci = t->bci;
        c->loop = t->loop;
        asm_bind(&c->a, &t->label);
        for (uint32_t k = 0; k < s.s.count; k++) asm_table_entry(&c->a, case_label(c, &s, k));
    }
}

static void choose(struct compiler *c, bool is_lookup) {
    enum { FEW = 8 };                    /* comparisons take less room, and a branch is foretold better               */
    struct search s = {op_switch_decode(c->source->code, c->bci), is_lookup, REG_NONE};
    bool backwards = s.s.default_offset <= 0;
    for (uint32_t k = 0; k < s.s.count; k++) backwards |= op_switch_offset(&s.s, is_lookup, k) <= 0;
    begin_branch(c, 1, backwards);
    s.key = in_register(c, 1);
    if (is_lookup || s.s.count <= FEW) search(c, &s, 0, s.s.count);
    else jump_by_table(c, &s);
    drop(c, 1);
}

/* ---- returns ----------------------------------------------------------------------------------------------------- */

/* REG_RESULT: narrowed to what the method returns. */
static void narrow(struct compiler *c) {
    switch (c->code->method->return_type) {
    case T_BOOLEAN: asm_alu_constant(&c->a, ALU_AND, W32, REG_RESULT, 1); break;
    case T_BYTE: asm_extend(&c->a, S8, REG_RESULT, REG_RESULT); break;
    case T_CHAR: asm_extend(&c->a, U16, REG_RESULT, REG_RESULT); break;
    case T_SHORT: asm_extend(&c->a, S16, REG_RESULT, REG_RESULT); break;
    default: asm_extend(&c->a, U32, REG_RESULT, REG_RESULT); break;
    }
}

static uint32_t result_slots(uint8_t op) {
    return op == OP_return ? 0 : op == OP_lreturn || op == OP_dreturn ? 2 : 1;
}

static void load_result(struct compiler *c, uint8_t op) {
    if (op == OP_return) {
        asm_zero(&c->a, REG_RESULT);
        return;
    }
    const struct value *v = operand_at(c, result_slots(op));
    if (v->kind == FLOATING)
        asm_float_to_word(&c->a, v->float_type == F32 ? W32 : W64, REG_RESULT, v->reg - FIRST_FLOATING);
    else
        load_operand(c, REG_RESULT, result_slots(op));
    if (op == OP_ireturn) narrow(c);
}

/* Those that others want, too, the stub `returns` gives back. */
static void give_back_locks(struct compiler *c) {
    bool synchronized = c->code->uncommon & CODE_SYNCHRONIZED;
    if (!synchronized && !c->locks) return;
    flush_operands(c, 0);
    call_stub(c, synchronized ? c->stubs->leaves_synchronized : c->stubs->leaves_monitors);
    forget_registers(c);
}

/* REG_RESULT is what the frame returns. The stub gives monitors back, and reports the exit where that is wanted; where
 * other operands lie beneath the result, which no compiler of Java does, the interpreter. */
static void return_reported(struct compiler *c, uint8_t op) {
    note_pc(c, (int32_t)c->bci);
    if (c->depth != result_slots(op)) {
        leave_now(c);
        return;
    }
    store_pc(c, false);
    call_stub(c, c->stubs->returns);
    note_pc(c, PCS_NO_FRAME);
    asm_return(&c->a);
}

static void leave_method(struct compiler *c, uint8_t op) {
    struct asm_label reported = {0};
    leave_if_switching(c);
    give_back_locks(c);
    if (c->depth != result_slots(op)) flush_operands(c, 0);
    load_result(c, op);
    asm_test_bits(&c->a, thread_field(offsetof(struct os_thread, attention)), WATCH_METHODS | WATCH_STEPS);
    asm_branch_short(&c->a, COND_NOT_EQUAL, &reported);
    asm_test_bits(&c->a, asm_at(REG_FRAME, offsetof(struct frame, flags)), FRAME_ANY & ~(uint32_t)FRAME_PLAIN);
    asm_branch_short(&c->a, COND_NOT_EQUAL, &reported);
    asm_load(&c->a, U64, REG_FRAME, asm_at(REG_FRAME, offsetof(struct frame, caller)));
    note_pc(c, PCS_NO_FRAME);
    asm_return(&c->a);
    asm_bind(&c->a, &reported);
    return_reported(c, op);
}

/* ---- by opcode --------------------------------------------------------------------------------------------------- */

bool compile_control(struct compiler *c, uint8_t op) {
    if (op >= OP_ifeq && op <= OP_ifle) {
        branch(c, conditions[op - OP_ifeq], W32, 1);
        return true;
    }
    if (op >= OP_if_icmpeq && op <= OP_if_icmple) {
        branch(c, conditions[op - OP_if_icmpeq], W32, 2);
        return true;
    }
    switch (op) {
    case OP_if_acmpeq: branch(c, COND_EQUAL, W64, 2); return true;
    case OP_if_acmpne: branch(c, COND_NOT_EQUAL, W64, 2); return true;
    case OP_ifnull: branch(c, COND_EQUAL, W64, 1); return true;
    case OP_ifnonnull: branch(c, COND_NOT_EQUAL, W64, 1); return true;
    case OP_goto: jump(c, op_s2(instruction(c) + 1)); return true;
    case OP_goto_w: jump(c, op_s4(instruction(c) + 1)); return true;
    case OP_tableswitch: choose(c, false); return true;
    case OP_lookupswitch: choose(c, true); return true;
    case OP_ireturn: case OP_lreturn: case OP_freturn: case OP_dreturn: case OP_areturn: case OP_return:
        leave_method(c, op);
        return true;
    default: return false;
    }
}
