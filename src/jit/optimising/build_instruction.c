/* build_instruction.c — nodes from one instruction. JVMS 6.5. */
#include "jit/optimising/home.h"
#include "jit/optimising/inline.h"
#include "jit/optimising/known.h"
#include "jit/optimising/support.h"
#include "link/link.h"

static const uint8_t types_by_order[] = {TYPE_INT, TYPE_LONG, TYPE_FLOAT, TYPE_DOUBLE, TYPE_REF};   /* i l f d a    */

static const uint8_t *at(const struct builder *b) { return b->c->source->code + b->bci; }

/* ---- constants, locals, the stack -------------------------------------------------------------------------------- */

static int64_t float_bits(float f) { union { float f; uint32_t i; } u = {.f = f}; return u.i; }
static int64_t double_bits(double d) { union { double d; int64_t i; } u = {.d = d}; return u.i; }

static void push_constant_value(struct builder *b, enum node_type type, int64_t v) {
    push_value(b, build_constant(b, type, v));
}

static void push_pool(struct builder *b, uint8_t op) {
    const struct classfile *cf = class_file(b->c);
    uint16_t i = op == OP_ldc ? at(b)[1] : op_u2(at(b) + 1);
    switch (cp_tag(cf, i)) {
    case CP_Integer: push_constant_value(b, TYPE_INT, cp_int(cf, i)); break;
    case CP_Float: push_constant_value(b, TYPE_FLOAT, float_bits(cp_float(cf, i))); break;
    case CP_Long: push_constant_value(b, TYPE_LONG, cp_long(cf, i)); break;
    case CP_Double: push_constant_value(b, TYPE_DOUBLE, double_bits(cp_double(cf, i))); break;
    case CP_Class: {
        const struct class *k = (const struct class *)(uintptr_t)known_cell(b->c, i);
        push_constant_value(b, TYPE_REF, (int64_t)(uintptr_t)k->mirror);
        break;
    }
    default: push_constant_value(b, TYPE_REF, (int64_t)known_cell(b->c, i)); break;
    }
}

static bool build_constants(struct builder *b, uint8_t op) {
    if (op == OP_aconst_null) push_constant_value(b, TYPE_REF, 0);
    else if (op_is_in(op, OP_iconst_m1, OP_iconst_5)) push_constant_value(b, TYPE_INT, op - OP_iconst_0);
    else if (op_is_in(op, OP_lconst_0, OP_lconst_1)) push_constant_value(b, TYPE_LONG, op - OP_lconst_0);
    else if (op_is_in(op, OP_fconst_0, OP_fconst_2))
        push_constant_value(b, TYPE_FLOAT, float_bits((float)(op - OP_fconst_0)));
    else if (op_is_in(op, OP_dconst_0, OP_dconst_1))
        push_constant_value(b, TYPE_DOUBLE, double_bits(op - OP_dconst_0));
    else if (op == OP_bipush) push_constant_value(b, TYPE_INT, (int8_t)at(b)[1]);
    else if (op == OP_sipush) push_constant_value(b, TYPE_INT, op_s2(at(b) + 1));
    else if (op_is_in(op, OP_ldc, OP_ldc2_w)) push_pool(b, op);
    else return false;
    return true;
}

static void increment(struct builder *b, uint32_t i, int32_t by) {
    node_id n = read_local(b, i, TYPE_INT), step = build_constant(b, TYPE_INT, by);
    if (!ir_goes_on(b->g)) return;
    assign_local(b, i, build_two(b, NODE_alu, TYPE_INT, ALU_ADD, n, step));
}

static bool build_local(struct builder *b, uint8_t op) {
    uint32_t i = (uint32_t)flow_local(at(b));
    if (op == OP_wide) op = at(b)[1];
    enum node_type type;
    if (op == OP_iinc) {
        increment(b, i, *at(b) == OP_wide ? op_s2(at(b) + 4) : (int8_t)at(b)[2]);
    } else if (op_is_in(op, OP_iload, OP_aload) || op_is_in(op, OP_iload_0, OP_aload_3)) {
        type = types_by_order[op <= OP_aload ? op - OP_iload : (op - OP_iload_0) / 4];
        node_id n = read_local(b, i, type);
        push_value(b, n);
    } else if (op_is_in(op, OP_istore, OP_astore) || op_is_in(op, OP_istore_0, OP_astore_3)) {
        type = types_by_order[op <= OP_astore ? op - OP_istore : (op - OP_istore_0) / 4];
        if (is_wide_type((uint8_t)type) && i + 1 >= b->g->locals) ir_declines(b->g, "its code makes no sense");
        node_id n = pop_value(b, type);
        assign_local(b, i, n);
    } else {
        return false;
    }
    return true;
}

/* The `taken` top slots become those that `order` names, the lowest first, by their distance from the top. */
static void rearrange(struct builder *b, uint32_t taken, const char *order) {
    node_id held[4];
    node_id *stack = b->now + b->g->locals;
    for (uint32_t i = 1; i <= taken; i++) held[i - 1] = stack[b->depth - i];
    b->depth -= taken;
    uint32_t from = b->depth;
    for (; *order != 0; order++) stack[b->depth++] = held[*order - '1'];
    move_operands(b, from);
}

static bool build_stack(struct builder *b, uint8_t op) {
    switch (op) {
    case OP_nop: return true;
    case OP_pop: b->depth--; return true;
    case OP_pop2: b->depth -= 2; return true;
    case OP_dup: rearrange(b, 1, "11"); return true;
    case OP_dup_x1: rearrange(b, 2, "121"); return true;
    case OP_dup_x2: rearrange(b, 3, "1321"); return true;
    case OP_dup2: rearrange(b, 2, "2121"); return true;
    case OP_dup2_x1: rearrange(b, 3, "21321"); return true;
    case OP_dup2_x2: rearrange(b, 4, "214321"); return true;
    case OP_swap: rearrange(b, 2, "12"); return true;
    default: return false;
    }
}

/* ---- arithmetic -------------------------------------------------------------------------------------------------- */

node_id build_check(struct builder *b, enum node_op op, node_id x, node_id y, node_id guard) {
    return build_effect(b, (struct node){.op = (uint8_t)op, .in = {x, y}, .guard = guard, .state = build_state(b)});
}

static bool build_binary(struct builder *b, uint8_t op) {
    static const uint8_t alus[] = {[OP_iadd / 4] = ALU_ADD, [OP_isub / 4] = ALU_SUB};
    static const uint8_t floats[] = {FLOAT_ADD, FLOAT_SUB, FLOAT_MUL, FLOAT_DIV};
    static const uint8_t shifts[] = {SHIFT_LEFT, SHIFT_ARITHMETIC, SHIFT_RIGHT};
    static const uint8_t bitwise[] = {ALU_AND, ALU_OR, ALU_XOR};
    enum node_type type;
    node_id x, y;
    if (op_is_in(op, OP_iadd, OP_drem)) {
        type = types_by_order[(op - OP_iadd) % 4];
        if (op >= OP_idiv && !is_float_type((uint8_t)type)) {
            build_division(b, type, op >= OP_irem);
            return true;
        }
        if (op == OP_frem || op == OP_drem) {
            build_float_remainder(b, type);
            return true;
        }
        y = pop_value(b, type);
        x = pop_value(b, type);
        if (is_float_type((uint8_t)type))
            push_value(b, build_two(b, NODE_float_binary, type, floats[(op - OP_iadd) / 4], x, y));
        else if (op_is_in(op, OP_imul, OP_lmul)) push_value(b, build_two(b, NODE_multiply, type, 0, x, y));
        else push_value(b, build_two(b, NODE_alu, type, alus[op / 4], x, y));
    } else if (op_is_in(op, OP_ishl, OP_lushr)) {
        type = (op - OP_ishl) % 2 ? TYPE_LONG : TYPE_INT;
        y = pop_value(b, TYPE_INT);
        x = pop_value(b, type);
        push_value(b, build_two(b, NODE_shift, type, shifts[(op - OP_ishl) / 2], x, y));
    } else if (op_is_in(op, OP_iand, OP_lxor)) {
        type = (op - OP_iand) % 2 ? TYPE_LONG : TYPE_INT;
        y = pop_value(b, type);
        x = pop_value(b, type);
        push_value(b, build_two(b, NODE_alu, type, bitwise[(op - OP_iand) / 2], x, y));
    } else if (op_is_in(op, OP_ineg, OP_dneg)) {
        type = types_by_order[op - OP_ineg];
        x = pop_value(b, type);
        push_value(b, build_two(b, is_float_type((uint8_t)type) ? NODE_float_negate : NODE_negate, type, 0, x, 0));
    } else {
        return false;
    }
    return true;
}

static bool build_convert(struct builder *b, uint8_t op) {
    static const uint8_t to[] = {TYPE_LONG, TYPE_FLOAT, TYPE_DOUBLE, TYPE_INT, TYPE_FLOAT, TYPE_DOUBLE,
                                 TYPE_INT, TYPE_LONG, TYPE_DOUBLE, TYPE_INT, TYPE_LONG, TYPE_FLOAT,
                                 TYPE_INT, TYPE_INT, TYPE_INT};
    if (!op_is_in(op, OP_i2l, OP_i2s)) return false;
    enum node_type from = op >= OP_i2b ? TYPE_INT : (enum node_type)types_by_order[(op - OP_i2l) / 3];
    node_id x = pop_value(b, from);
    push_value(b, build_two(b, NODE_convert, (enum node_type)to[op - OP_i2l], op, x, 0));
    return true;
}

/* ---- branches ---------------------------------------------------------------------------------------------------- */

static void poll_if(struct builder *b, bool backwards) {
    if (backwards) build_effect(b, (struct node){.op = NODE_poll, .state = build_state(b)});
}

static const uint8_t conditions[] = {COND_EQUAL, COND_NOT_EQUAL, COND_LESS, COND_NOT_LESS, COND_GREATER,
                                     COND_NOT_GREATER};

static void branch(struct builder *b, enum asm_cond cond, node_id x, node_id y, uint8_t comparison) {
    if (!ir_goes_on(b->g)) return;
    if (block_of(b->g, b->block)->successors == 1) {     /* it always goes one way                                  */
        build_effect(b, (struct node){.op = NODE_jump});
        return;
    }
    build_effect(b, (struct node){.op = NODE_branch, .detail = (uint8_t)cond, .in = {x, y}, .imm = comparison});
}

/* A comparison that makes a number; with the branch by that, where nothing else leads to it. What it polls for happens
 * before both. */
static bool build_compare(struct builder *b, uint8_t op) {
    if (!op_is_in(op, OP_lcmp, OP_dcmpg)) return false;
    struct compiler *c = b->c;
    enum node_type type = op == OP_lcmp ? TYPE_LONG : op <= OP_fcmpg ? TYPE_FLOAT : TYPE_DOUBLE;
    uint32_t next = b->bci + 1;
    const struct block *p = block_of(b->g, b->block);
    uint8_t by = next <= p->end ? c->source->code[next] : OP_nop;
    bool branches = op_is_in(by, OP_ifeq, OP_ifle) && !(next == p->end && p->leaves);
    if (branches) poll_if(b, op_s2(c->source->code + next + 1) <= 0);
    node_id y = pop_value(b, type), x = pop_value(b, type);
    if (branches) {
        branch(b, (enum asm_cond)conditions[by - OP_ifeq], x, y, op);
        c->length += 3;
    } else {
        push_value(b, build_two(b, NODE_compare, TYPE_INT, op, x, y));
    }
    return true;
}

static void choose(struct builder *b, uint8_t op) {
    enum { FEW = 8 };                    /* comparisons take less room, and a branch is foretold better             */
    struct op_switch s = op_switch_decode(b->c->source->code, b->bci);
    bool backwards = s.default_offset <= 0;
    for (uint32_t k = 0; k < s.count; k++) backwards |= op_switch_offset(&s, op == OP_lookupswitch, k) <= 0;
    poll_if(b, backwards);
    node_id x = pop_value(b, TYPE_INT);
    bool by_table = op == OP_tableswitch && s.count > FEW;
    build_effect(b, (struct node){.op = NODE_choose, .detail = by_table, .in = {x}});
}

/* The value that is returned, narrowed to what the method returns. */
static void give(struct builder *b, uint8_t op) {
    bool is_inlined = b->g->scope != 0;
    uint32_t state = is_inlined ? 0 : build_state(b);
    node_id n = op == OP_return ? 0 : pop_value(b, (enum node_type)types_by_order[op - OP_ireturn]);
    if (op == OP_ireturn && ir_goes_on(b->g)) {
        enum basic_type type = b->c->code->method->return_type;
        if (type == T_BOOLEAN) n = build_two(b, NODE_alu, TYPE_INT, ALU_AND, n, build_constant(b, TYPE_INT, 1));
        else if (type == T_BYTE) n = build_two(b, NODE_convert, TYPE_INT, OP_i2b, n, 0);
        else if (type == T_CHAR) n = build_two(b, NODE_convert, TYPE_INT, OP_i2c, n, 0);
        else if (type == T_SHORT) n = build_two(b, NODE_convert, TYPE_INT, OP_i2s, n, 0);
    }
    if (!ir_goes_on(b->g)) return;
    if (is_inlined) {
        build_inlined_return(b, n);
        return;
    }
    bool locks = b->c->locks || b->c->code->uncommon & CODE_SYNCHRONIZED;
    build_effect(b, (struct node){.op = NODE_give, .detail = op, .flags = locks ? NODE_VOLATILE : 0, .in = {n},
                                  .state = state});
}

static bool build_control(struct builder *b, uint8_t op) {
    node_id x, y;
    if (op_is_in(op, OP_ifeq, OP_ifle) || op == OP_ifnull || op == OP_ifnonnull) {
        bool refs = op >= OP_ifnull;
        poll_if(b, op_s2(at(b) + 1) <= 0);
        x = pop_value(b, refs ? TYPE_REF : TYPE_INT);
        y = build_constant(b, refs ? TYPE_REF : TYPE_INT, 0);
        branch(b, (enum asm_cond)conditions[refs ? op - OP_ifnull : op - OP_ifeq], x, y, 0);
    } else if (op_is_in(op, OP_if_icmpeq, OP_if_acmpne)) {
        bool refs = op >= OP_if_acmpeq;
        poll_if(b, op_s2(at(b) + 1) <= 0);
        y = pop_value(b, refs ? TYPE_REF : TYPE_INT);
        x = pop_value(b, refs ? TYPE_REF : TYPE_INT);
        branch(b, (enum asm_cond)conditions[refs ? op - OP_if_acmpeq : op - OP_if_icmpeq], x, y, 0);
    } else if (op == OP_goto || op == OP_goto_w) {
        poll_if(b, (op == OP_goto ? op_s2(at(b) + 1) : op_s4(at(b) + 1)) <= 0);
        build_effect(b, (struct node){.op = NODE_jump});
    } else if (op == OP_tableswitch || op == OP_lookupswitch) {
        choose(b, op);
    } else if (op_is_in(op, OP_ireturn, OP_return)) {
        give(b, op);
    } else if (op == OP_athrow) {
        (void)build_state(b);
        x = pop_value(b, TYPE_REF);
        build_effect(b, (struct node){.op = NODE_throw, .in = {x}, .state = build_state(b)});
    } else {
        return false;
    }
    return true;
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

enum node_type type_of_kind(char kind) {
    switch (kind) {
    case 'J': return TYPE_LONG;
    case 'F': return TYPE_FLOAT;
    case 'D': return TYPE_DOUBLE;
    case 'L': case '[': return TYPE_REF;
    case 'V': return TYPE_NONE;
    default: return TYPE_INT;
    }
}

node_id build_null_check(struct builder *b, node_id o) {
    if (!ir_goes_on(b->g) || node_of(b->g, o)->flags & NODE_NOT_NULL) return 0;
    return build_check(b, NODE_check_null, o, 0, 0);
}

/* False: f, which may be NULL, is no primitive field that stays as it is. */
static bool build_constant_field(struct builder *b, const struct field *f) {
    enum node_type type = f != NULL ? type_of_kind(f->desc->bytes[0]) : TYPE_REF;
    if (type == TYPE_REF || !field_stays(f)) return false;
    uint64_t v = field_load(f->holder->statics, f->offset, f->type);
    push_constant_value(b, type, type == TYPE_INT ? (int32_t)v : type == TYPE_FLOAT ? (uint32_t)v : (int64_t)v);
    return true;
}

/* What is known needs no load. */
static bool push_known(struct builder *b) {
    struct known k = known_at(b->g, b->bci);
    if (k.kind == KNOWN_INT) push_constant_value(b, TYPE_INT, k.value);
    if (k.kind == KNOWN_OBJECT) {
        node_id o = build_constant(b, TYPE_REF, k.value);
        if (class_of(object_known(k)) == vm->link->primitive_arrays[T_BYTE]) node_of(b->g, o)->flags |= NODE_BYTES;
        push_value(b, o);
    }
    return k.kind != KNOWN_NOTHING;
}

static bool build_field(struct builder *b, uint8_t op) {
    if (!op_is_in(op, OP_getstatic, OP_putfield)) return false;
    struct compiler *c = b->c;
    c->bci = b->bci;
    uint16_t i = op_u2(at(b) + 1);
    char kind = c->places[b->bci].kind;
    bool is_static = op == OP_getstatic || op == OP_putstatic, stores = op == OP_putstatic || op == OP_putfield;
    (void)build_state(b);
    struct node n = {.op = stores ? NODE_store_field : NODE_load_field, .detail = (uint8_t)kind};
    const struct field *watched = watched_field(c);      /* not this kind of access: support.c                      */
    const struct field *f = watched != NULL ? watched : stores ? NULL : field_named(c);
    bool is_volatile = f != NULL ? f->access_flags & ACC_VOLATILE
                                 : !stores || opcode_now(c) == quick_opcode(op, FORM_VOLATILE);
    if (is_volatile) n.flags = NODE_VOLATILE;           /* also where it is not known                              */
    if (op == OP_getstatic && build_constant_field(b, f)) return true;
    if (op == OP_getstatic && f != NULL && field_stays(f)) n.flags = NODE_FINAL;
    if (is_known_at(b->g, b->bci) && !is_volatile) {
        if (!is_static) (void)pop_value(b, TYPE_REF);
        return push_known(b);
    }
    node_id v = stores ? pop_value(b, type_of_kind(kind)) : 0, o = is_static ? 0 : pop_value(b, TYPE_REF);
    if (watched != NULL) n.imm = (int64_t)watched->offset + (is_static ? (intptr_t)watched->holder->statics : 0);
    else n.imm = is_static ? (int64_t)STATIC_CELL_ADDRESS(known_cell(c, i)) : FIELD_CELL_OFFSET(known_cell(c, i));
    if (!is_static) n.guard = build_null_check(b, o);
    if (stores && kind == 'Z') v = build_two(b, NODE_alu, TYPE_INT, ALU_AND, v, build_constant(b, TYPE_INT, 1));
    n.in[0] = o;
    n.in[1] = v;
    if (!ir_goes_on(b->g)) return true;
    if (stores) {
        build_effect(b, n);
    } else {
        n.type = (uint8_t)type_of_kind(kind);
        struct span desc = cp_ref_desc_utf8(class_file(c), i);
        if (desc.size == 2 && memcmp(desc.data, "[B", 2) == 0) n.flags |= NODE_BYTES;
        push_value(b, build_effect(b, n));
    }
    return true;
}

/* What says that the array has an element of that index. */
static node_id check_element(struct builder *b, node_id array, node_id index) {
    node_id guard = build_null_check(b, array);
    node_id length = build_value(b, (struct node){.op = NODE_array_length, .type = TYPE_INT, .in = {array},
                                                  .guard = guard});
    if (!ir_goes_on(b->g)) return 0;
    return is_index_below(b->g, index, length) ? guard : build_check(b, NODE_check_bounds, index, length, guard);
}

static const char element_kinds[] = "IJFDLBCS";          /* in the order of the opcodes                             */

static void load_element(struct builder *b, char kind) {
    (void)build_state(b);
    node_id index = pop_value(b, TYPE_INT), array = pop_value(b, TYPE_REF), guard;
    if (!ir_goes_on(b->g)) return;
    if (is_known_at(b->g, b->bci)) {
        (void)push_known(b);
        return;
    }
    guard = check_element(b, array, index);
    push_value(b, build_effect(b, (struct node){.op = NODE_load_element, .type = (uint8_t)type_of_kind(kind),
                                                .detail = (uint8_t)kind, .in = {array, index}, .guard = guard}));
}

static void store_element(struct builder *b, char kind) {
    (void)build_state(b);
    node_id v = pop_value(b, type_of_kind(kind)), index = pop_value(b, TYPE_INT), array = pop_value(b, TYPE_REF);
    if (!ir_goes_on(b->g)) return;
    node_id guard = check_element(b, array, index);
    const struct node *n = node_of(b->g, v);
    bool is_null = is_constant(n) && n->type == TYPE_REF;
    if (kind == 'L' && !is_null) guard = build_check(b, NODE_check_store, array, v, guard);
    build_effect(b, (struct node){.op = NODE_store_element, .detail = (uint8_t)kind, .in = {array, index, v},
                                  .guard = guard});
}

static bool build_array(struct builder *b, uint8_t op) {
    if (op_is_in(op, OP_iaload, OP_saload)) {
        load_element(b, element_kinds[op - OP_iaload]);
    } else if (op_is_in(op, OP_iastore, OP_sastore)) {
        store_element(b, element_kinds[op - OP_iastore]);
    } else if (op == OP_arraylength) {
        (void)build_state(b);
        node_id array = pop_value(b, TYPE_REF), guard = build_null_check(b, array);
        push_value(b, build_value(b, (struct node){.op = NODE_array_length, .type = TYPE_INT, .in = {array},
                                                   .guard = guard}));
    } else {
        return false;
    }
    return true;
}

static bool build_type_check(struct builder *b, uint8_t op) {
    if (op != OP_checkcast && op != OP_instanceof) return false;
    bool is_known = is_quick(b->c);
    int64_t class = is_known ? (int64_t)known_cell(b->c, op_u2(at(b) + 1)) : 0;
    (void)build_state(b);
    node_id o = pop_value(b, TYPE_REF);
    if (!ir_goes_on(b->g)) return true;
    if (!is_known) {
        build_effect(b, (struct node){.op = NODE_check_is_null, .in = {o}, .state = build_state(b)});
        push_constant_value(b, op == OP_instanceof ? TYPE_INT : TYPE_REF, 0);
        return true;
    }
    if (op == OP_instanceof) {
        push_value(b, build_value(b, (struct node){.op = NODE_instance_of, .type = TYPE_INT, .in = {o}, .imm = class}));
        return true;
    }
    if (!is_constant(node_of(b->g, o)) && !is_known_at(b->g, b->bci)) {
        node_of(b->g, o)->flags |= NODE_CAST;
        build_effect(b, (struct node){.op = NODE_check_cast, .in = {o}, .imm = class, .state = build_state(b)});
    }
    push_value(b, o);
    return true;
}

void build_instruction(struct builder *b) {
    uint8_t op = *at(b);
    bool done = build_constants(b, op) || build_local(b, op) || build_stack(b, op) || build_binary(b, op) ||
                build_convert(b, op) || build_compare(b, op) || build_control(b, op) || build_field(b, op) ||
                build_array(b, op) || build_type_check(b, op) || build_allocation(b, op) ||
                build_intrinsic(b, op) || build_monitor(b, op) || build_call(b, op);
    if (!done) ir_declines(b->g, "it has an instruction that there is no node for");
}
