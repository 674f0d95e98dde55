/* flow.c — before any code is made: which instructions are reached without leaving, how many operands there are, and
 * where branches lead. What makes no sense is not compiled: unverified code may do so. */
#include "jit/baseline/compiler.h"

#include "classfile/descriptor.h"
#include "exec/unsafe_access.h"

struct walk {
    struct compiler *c;
    bool sound, failed;                  /* failed: no memory                                                      */
    int64_t from;                        /* the instruction that is being looked at                                  */
    uint32_t depth;                      /* ... operands behind it                                                  */
    uint32_t begin, end;                 /* between them all instructions have the same handlers                    */
    bool has_handlers, has_backwards;    /* ... any; any before `end`                                               */
};

const uint8_t flow_traits[256] = {
    [OP_ldc ... OP_ldc2_w] = FLOW_LOOKED_AT,
    [OP_iload ... OP_aload_3] = FLOW_LOCAL,
    [OP_istore ... OP_astore_3] = FLOW_LOCAL | FLOW_STORES,
    [OP_iinc] = FLOW_LOCAL | FLOW_STORES,
    [OP_ifeq ... OP_if_acmpne] = FLOW_BRANCHES,
    [OP_goto] = FLOW_BRANCHES | FLOW_ENDS,
    [OP_jsr ... OP_ret] = FLOW_LOOKED_AT,
    [OP_tableswitch ... OP_lookupswitch] = FLOW_BRANCHES | FLOW_ENDS,
    [OP_ireturn ... OP_return] = FLOW_ENDS,
    [OP_getstatic ... OP_invokedynamic] = FLOW_LOOKED_AT | FLOW_VARIES,
    [OP_new] = FLOW_LOOKED_AT,
    [OP_anewarray] = FLOW_LOOKED_AT,
    [OP_athrow] = FLOW_ENDS,
    [OP_checkcast ... OP_instanceof] = FLOW_LOOKED_AT,
    [OP_monitorenter] = FLOW_LOOKED_AT,
    [OP_wide] = FLOW_LOOKED_AT | FLOW_LOCAL | FLOW_VARIES,
    [OP_multianewarray] = FLOW_VARIES,
    [OP_ifnull ... OP_ifnonnull] = FLOW_BRANCHES,
    [OP_goto_w] = FLOW_BRANCHES | FLOW_ENDS,
    [OP_jsr_w] = FLOW_LOOKED_AT,
};

static uint8_t slots_of_kind(char kind) { return kind == 'J' || kind == 'D' ? 2 : 1; }

static uint8_t slots_of(const char *kinds) {
    uint8_t n = 0;
    for (; *kinds != 0; kinds++) n += slots_of_kind(*kinds);
    return n;
}

void flow_read_opcodes(struct compiler *c) {
    for (unsigned op = 0; op < OP_LIMIT; op++) {
        c->takes[op] = slots_of(opcode_pops[op]);
        c->gives[op] = slots_of(opcode_pushes[op]);
    }
    c->gives[OP_ldc2_w] = 2;
}

void flow_effect(const struct compiler *c, uint32_t bci, uint32_t *takes, uint32_t *gives) {
    const struct place *p = &c->places[bci];
    uint8_t op = c->source->code[bci];
    if (op == OP_wide) op = c->source->code[bci + 1];
    *takes = c->takes[op];
    *gives = c->gives[op];
    switch (op) {
    case OP_getstatic: case OP_getfield: *gives = slots_of_kind(p->kind); break;
    case OP_putstatic: *takes = slots_of_kind(p->kind); break;
    case OP_putfield: *takes = 1u + slots_of_kind(p->kind); break;
    case OP_invokevirtual: case OP_invokespecial: case OP_invokestatic: case OP_invokeinterface: case OP_invokedynamic:
        *takes = p->arguments;
        *gives = (uint32_t)desc_kind_slots(p->kind);
        break;
    case OP_multianewarray: *takes = c->source->code[bci + 3]; break;
    default: break;
    }
}

/* ---- one instruction --------------------------------------------------------------------------------------------- */

static bool is_constant(const struct compiler *c, uint32_t bci) {
    uint8_t op = c->source->code[bci], tag;
    tag = cp_tag(class_file(c), op == OP_ldc ? c->source->code[bci + 1] : op_u2(c->source->code + bci + 1));
    if (op == OP_ldc2_w) return tag == CP_Long || tag == CP_Double;
    return tag == CP_Integer || tag == CP_Float || tag == CP_Class || tag == CP_String;
}

static uint8_t tag_of(const struct compiler *c, uint32_t bci) {
    return cp_tag(class_file(c), op_u2(c->source->code + bci + 1));
}

/* What stands there from now on, for the compiler; the row of the quick form, of what is not quick an empty one. */
static const struct quick_row *note_opcode(struct compiler *c, uint32_t bci) {
    uint8_t now = c->places[bci].now = code_opcode(c->code, c->code->code + bci);
    return &quick_rows[now > OP_breakpoint ? now : OP_breakpoint];
}

/* By enum basic_type. */
static const char kinds[] = {[T_BOOLEAN] = 'Z', [T_CHAR] = 'C', [T_FLOAT] = 'F', [T_DOUBLE] = 'D', [T_BYTE] = 'B',
                             [T_SHORT] = 'S', [T_INT] = 'I', [T_LONG] = 'J', [T_OBJECT] = 'L', [T_ARRAY] = '[',
                             [T_VOID] = 'V'};

/* What an instruction has found that is quick says more quickly than the descriptor what that says. */
static bool look_at_field(struct compiler *c, uint32_t bci, const struct quick_row *quick) {
    uint16_t i = op_u2(c->source->code + bci + 1);
    if (quick->cell == CELL_FIELD) {
        c->places[bci].kind = kinds[FIELD_CELL_TYPE(known_cell(c, i))];
        return true;
    }
    if (quick->cell == CELL_NONE && tag_of(c, bci) != CP_Fieldref) return false;
    c->places[bci].kind = (char)cp_ref_desc_utf8(class_file(c), i).data[0];
    return true;
}

static bool look_at_call(struct compiler *c, uint32_t bci, uint8_t op, const struct quick_row *quick) {
    struct place *p = &c->places[bci];
    uint16_t i = op_u2(c->source->code + bci + 1);
    if (quick->cell == CELL_METHOD) {
        const struct method *m = (const struct method *)(uintptr_t)known_cell(c, i);
        p->arguments = m->arg_slots;
        p->kind = kinds[m->return_type];
        p->calls_leaf = is_leaf(c, m);
        struct unsafe_access access;
        p->calls_access = unsafe_access_of(m, &access);
        return true;
    }
    uint8_t tag = tag_of(c, bci);
    if (op == OP_invokedynamic ? tag != CP_InvokeDynamic : tag != CP_Methodref && tag != CP_InterfaceMethodref)
        return false;
    struct span desc = cp_ref_desc_utf8(class_file(c), i);
    bool has_receiver = op != OP_invokestatic && op != OP_invokedynamic;
    int slots = desc_slots((const char *)desc.data, desc.size, &p->kind) + has_receiver;
    p->arguments = (uint8_t)slots;
    return slots <= UINT8_MAX;
}

/* False: there is no code for it. */
static bool look_at(struct compiler *c, uint32_t bci) {
    uint8_t op = c->source->code[bci];
    if (LIKELY(!(flow_traits[op] & FLOW_LOOKED_AT))) return true;
    const struct quick_row *quick = note_opcode(c, bci);
    switch (op) {
    case OP_jsr: case OP_jsr_w: case OP_ret: return false;
    case OP_wide: return c->source->code[bci + 1] != OP_ret;
    case OP_monitorenter: c->locks = true; return true;
    case OP_invokevirtual: case OP_invokespecial: case OP_invokestatic: case OP_invokeinterface: case OP_invokedynamic:
        return look_at_call(c, bci, op, quick);
    case OP_ldc2_w: return is_constant(c, bci);
    case OP_ldc: case OP_ldc_w:
        if (!is_constant(c, bci)) return false;
        break;
    case OP_getfield: case OP_putfield: case OP_getstatic: case OP_putstatic:
        if (!look_at_field(c, bci, quick)) return false;
        break;
    case OP_new: case OP_anewarray: case OP_checkcast: case OP_instanceof: break;
    default: return true;
    }
    quicken_known(c->code, bci);
    (void)note_opcode(c, bci);
    return true;
}

/* ---- from one to the next ---------------------------------------------------------------------------------------- */

static void note_target(struct walk *w, struct place *p, uint32_t bci) {
    struct compiler *c = w->c;
    if (!p->is_target) {
        w->failed |= !make_room((void **)&c->targets, &c->target_capacity, c->target_count + 1, sizeof *c->targets);
        w->sound &= !w->failed;
        if (w->failed) return;
        p->is_target = true;
        p->target = (uint16_t)c->target_count;
        c->targets[c->target_count++] = (struct target){.bci = bci};
    }
    if (bci > w->from) return;
    p->is_entry = c->has_loops = true;
    c->targets[p->target].loop_end = MAX(c->targets[p->target].loop_end, (uint32_t)w->from);
}

/* The instruction at `bci`, which exists, with so many operands. */
static struct place *reach(struct walk *w, uint32_t bci, uint32_t depth) {
    struct place *p = &w->c->places[bci];
    if ((p->is_reached || p->is_target) && p->depth != depth) w->sound = false;
    p->depth = (uint16_t)depth;
    return p;
}

static void reach_by_branch(struct walk *w, int64_t bci, uint32_t depth) {
    if (bci < 0 || bci >= w->c->source->code_length) w->sound = false;
    else note_target(w, reach(w, (uint32_t)bci, depth), (uint32_t)bci);
}

static void reach_target(void *walk, uint32_t from UNUSED, int64_t to) {
    struct walk *w = walk;
    if (w->sound) reach_by_branch(w, to, w->depth);
}

void flow_targets(const struct compiler *c, uint32_t bci, flow_target_function *to, void *arg) {
    const uint8_t *code = c->source->code, *p = code + bci;
    if (!flow_branches(*p)) return;
    if (opcode_lengths[*p] == 3) {
        to(arg, bci, (int64_t)bci + op_s2(p + 1));
    } else if (*p == OP_goto_w) {
        to(arg, bci, (int64_t)bci + op_s4(p + 1));
    } else {
        struct op_switch s = op_switch_decode(code, bci);
        to(arg, bci, (int64_t)bci + s.default_offset);
        for (uint32_t k = 0; k < s.count; k++)
            to(arg, bci, (int64_t)bci + op_switch_offset(&s, *p == OP_lookupswitch, k));
    }
}

int32_t flow_local(const uint8_t *p) {
    uint8_t op = *p;
    if (!(flow_traits[op] & FLOW_LOCAL)) return -1;
    if (op == OP_wide) return op_u2(p + 2);
    if (opcode_lengths[op] != 1) return p[1];
    return (op - (op < OP_istore_0 ? OP_iload_0 : OP_istore_0)) & 3;
}

/* False: the instruction, which names a local variable, names one that does not exist. */
static bool note_local(struct compiler *c, const uint8_t *p) {
    int32_t i = flow_local(p);
    if (i == 0 && flow_traits[*p == OP_wide ? p[1] : *p] & FLOW_STORES) c->keeps_this = false;
    return i < (int32_t)c->source->max_locals;
}

static void find_handlers(struct walk *w, uint32_t bci) {
    const struct cf_code *code = w->c->source;
    w->begin = 0;
    w->end = code->code_length;
    w->has_handlers = w->has_backwards = false;
    for (uint16_t k = 0; k < code->handler_count; k++) {
        struct cf_handler h = cf_handler_at(code, k);
        if (bci < h.start_pc) {
            w->end = MIN(w->end, h.start_pc);
        } else if (bci >= h.end_pc) {
            w->begin = MAX(w->begin, h.end_pc);
        } else {
            w->begin = MAX(w->begin, h.start_pc);
            w->end = MIN(w->end, h.end_pc);
            w->has_handlers = true;
            w->has_backwards |= h.handler_pc < h.end_pc;
        }
    }
}

/* Whatever an instruction has on the stack, a handler has the exception alone. Those behind the instructions that they
 * serve need be looked at for one of these alone. */
static void reach_handlers(struct walk *w, uint32_t bci) {
    const struct cf_code *code = w->c->source;
    bool same = bci >= w->begin && bci < w->end;
    if (!same) find_handlers(w, bci);
    if (!w->has_handlers || (same && !w->has_backwards)) return;
    for (uint16_t k = 0; k < code->handler_count && w->sound; k++) {
        struct cf_handler h = cf_handler_at(code, k);
        if (bci < h.start_pc || bci >= h.end_pc) continue;
        w->sound = code->max_stack != 0;
        reach_by_branch(w, h.handler_pc, 1);
        if (w->sound) w->c->places[h.handler_pc].is_entry = true;
    }
}

/* One instruction; where the next is, or 0: nothing goes on with that. */
static uint32_t walk_over(struct walk *w, uint32_t bci) {
    struct compiler *c = w->c;
    struct place *p = &c->places[bci];
    const uint8_t *code = c->source->code;
    uint32_t takes, gives, length = length_at(c, bci), next = bci + length;
    uint8_t traits = flow_traits[code[bci]];
    p->is_reached = true;
    w->from = bci;
    w->sound = length != 0 && (!(traits & FLOW_LOCAL) || note_local(c, code + bci));
    if (w->sound && c->source->handler_count != 0) reach_handlers(w, bci);
    if (!w->sound || !(p->compiles = look_at(c, bci))) return 0;
    takes = c->takes[code[bci]];
    gives = c->gives[code[bci]];
    if (traits & FLOW_VARIES) flow_effect(c, bci, &takes, &gives);
    w->depth = p->depth - takes + gives;
    w->sound = takes <= p->depth && w->depth <= c->source->max_stack;
    if (w->sound && traits & FLOW_BRANCHES) flow_targets(c, bci, reach_target, w);
    if (!w->sound || traits & FLOW_ENDS) return 0;
    if (next < c->source->code_length) reach(w, next, w->depth);
    else w->sound = false;
    return next;
}

/* Until something ends or joins. */
static void walk_from(struct walk *w, uint32_t bci) {
    do {
        if (w->c->places[bci].is_reached) return;
        bci = walk_over(w, bci);
    } while (bci != 0 && w->sound);
}

const char *flow_find(struct compiler *c) {
    static const char *const no_memory = "out of memory";
    struct walk w = {.c = c, .sound = true};
    c->target_count = 0;
    uint32_t n = c->source->code_length;
    if (!make_room((void **)&c->places, &c->place_capacity, n, sizeof *c->places)) return no_memory;
    memset(c->places, 0, n * sizeof *c->places);
    c->locks = c->has_loops = false;
    c->keeps_this = !(c->code->method->access_flags & ACC_STATIC);
    walk_from(&w, 0);
    for (uint32_t i = 0; i < c->target_count && w.sound; i++) walk_from(&w, c->targets[i].bci);
    return w.sound ? NULL : w.failed ? no_memory : "its code makes no sense";
}
