/* flow.c — before any code is made: which instructions are reached without leaving, how many operands there are, and
 * where branches lead. What makes no sense is not compiled: unverified code may do so. */
#include "jit/baseline/compiler.h"

#include "base/alloc.h"
#include "classfile/descriptor.h"

struct walk {
    struct compiler *c;
    uint32_t *work;                      /* targets still to be looked at: each bytecode index once at most         */
    uint32_t count;
    bool sound;
    int64_t from;                        /* the instruction that is being looked at                                  */
    uint32_t depth;                      /* ... operands behind it                                                  */
};

static uint32_t slots_of_kind(char kind) { return kind == 'J' || kind == 'D' ? 2 : 1; }

static uint32_t slots_of(const char *kinds) {
    uint32_t n = 0;
    for (; *kinds != 0; kinds++) n += slots_of_kind(*kinds);
    return n;
}

static uint32_t field_slots(const struct compiler *c, uint32_t bci) {
    return slots_of_kind(cp_ref_desc(class_file(c), op_u2(c->source->code + bci + 1))->bytes[0]);
}

static const struct symbol *call_descriptor(const struct compiler *c, uint32_t bci) {
    return cp_ref_desc(class_file(c), op_u2(c->source->code + bci + 1));
}

uint32_t call_arguments(const struct compiler *c, uint32_t bci) {
    const struct symbol *desc = call_descriptor(c, bci);
    uint8_t op = c->source->code[bci];
    return (uint32_t)desc_arg_slots(desc->bytes, desc->length) + (op != OP_invokestatic && op != OP_invokedynamic);
}

char call_result(const struct compiler *c, uint32_t bci) {
    const struct symbol *desc = call_descriptor(c, bci);
    return desc_return(desc->bytes, desc->length).kind;
}

void flow_effect(const struct compiler *c, uint32_t bci, uint32_t *takes, uint32_t *gives) {
    uint8_t op = c->source->code[bci];
    if (op == OP_wide) op = c->source->code[bci + 1];
    *takes = slots_of(opcode_pops[op]);
    *gives = slots_of(opcode_pushes[op]);
    switch (op) {
    case OP_ldc2_w: *gives = 2; break;
    case OP_getstatic:
    case OP_getfield: *gives = field_slots(c, bci); break;
    case OP_putstatic: *takes = field_slots(c, bci); break;
    case OP_putfield: *takes = 1 + field_slots(c, bci); break;
    case OP_invokevirtual: case OP_invokespecial: case OP_invokestatic: case OP_invokeinterface: case OP_invokedynamic:
        *takes = call_arguments(c, bci);
        *gives = (uint32_t)desc_kind_slots(call_result(c, bci));
        break;
    case OP_multianewarray: *takes = c->source->code[bci + 3]; break;
    default: break;
    }
}

static bool is_constant(const struct compiler *c, uint32_t bci) {
    uint8_t op = c->source->code[bci], tag;
    tag = cp_tag(class_file(c), op == OP_ldc ? c->source->code[bci + 1] : op_u2(c->source->code + bci + 1));
    if (op == OP_ldc2_w) return tag == CP_Long || tag == CP_Double;
    return tag == CP_Integer || tag == CP_Float || tag == CP_Class || tag == CP_String;
}

static uint8_t tag_of(const struct compiler *c, uint32_t bci) {
    return cp_tag(class_file(c), op_u2(c->source->code + bci + 1));
}

static bool is_compiled(const struct compiler *c, uint32_t bci) {
    uint8_t op = c->source->code[bci];
    switch (op) {
    case OP_jsr: case OP_jsr_w: case OP_ret: return false;
    case OP_wide: return c->source->code[bci + 1] != OP_ret;
    case OP_ldc: case OP_ldc_w: case OP_ldc2_w: return is_constant(c, bci);
    case OP_getfield: case OP_putfield: case OP_getstatic: case OP_putstatic:
        return tag_of(c, bci) == CP_Fieldref;
    case OP_invokevirtual: case OP_invokespecial: case OP_invokestatic: case OP_invokeinterface:
        return tag_of(c, bci) == CP_Methodref || tag_of(c, bci) == CP_InterfaceMethodref;
    case OP_invokedynamic: return tag_of(c, bci) == CP_InvokeDynamic;
    default: return true;
    }
}

bool flow_ends(const struct compiler *c, uint32_t bci) {
    uint8_t op = c->source->code[bci];
    bool jumps = op == OP_goto || op == OP_goto_w || op == OP_tableswitch || op == OP_lookupswitch;
    return jumps || (op >= OP_ireturn && op <= OP_return) || op == OP_athrow || !c->places[bci].compiles;
}

static bool is_branch(uint8_t op) {
    return (op >= OP_ifeq && op <= OP_goto) || op == OP_ifnull || op == OP_ifnonnull;
}

bool flow_branches(uint8_t op) {
    return is_branch(op) || op == OP_goto_w || op == OP_tableswitch || op == OP_lookupswitch;
}

static void reach(struct walk *w, int64_t target, uint32_t depth, bool by_branch) {
    struct compiler *c = w->c;
    if (target < 0 || target >= c->source->code_length) {
        w->sound = false;
        return;
    }
    struct place *p = &c->places[target];
    p->is_target |= by_branch;
    if (by_branch && target <= w->from) {
        p->is_entry = true;
        p->loop_end = MAX(p->loop_end, (uint32_t)w->from);
    }
    if (p->depth == UNREACHED) {
        p->depth = (int32_t)depth;
        w->work[w->count++] = (uint32_t)target;
    } else if (p->depth != (int32_t)depth) {
        w->sound = false;
    }
}

static void reach_target(void *walk, uint32_t from UNUSED, int64_t to) {
    struct walk *w = walk;
    if (w->sound) reach(w, to, w->depth, true);
}

void flow_targets(const struct compiler *c, uint32_t bci, flow_target_function *to, void *arg) {
    const uint8_t *code = c->source->code, *p = code + bci;
    if (is_branch(*p)) {
        to(arg, bci, (int64_t)bci + op_s2(p + 1));
    } else if (*p == OP_goto_w) {
        to(arg, bci, (int64_t)bci + op_s4(p + 1));
    } else if (*p == OP_tableswitch || *p == OP_lookupswitch) {
        struct op_switch s = op_switch_decode(code, bci);
        to(arg, bci, (int64_t)bci + s.default_offset);
        for (uint32_t k = 0; k < s.count; k++)
            to(arg, bci, (int64_t)bci + op_switch_offset(&s, *p == OP_lookupswitch, k));
    }
}

int32_t flow_local(const uint8_t *p) {
    uint8_t op = *p;
    if (op == OP_wide) return op_u2(p + 2);
    if ((op >= OP_iload && op <= OP_aload) || (op >= OP_istore && op <= OP_astore) || op == OP_iinc) return p[1];
    if (op >= OP_iload_0 && op <= OP_aload_3) return (op - OP_iload_0) & 3;
    if (op >= OP_istore_0 && op <= OP_astore_3) return (op - OP_istore_0) & 3;
    return -1;
}

static bool stores_local(const uint8_t *p) {
    uint8_t op = *p == OP_wide ? p[1] : *p;
    return (op >= OP_istore && op <= OP_astore_3) || op == OP_iinc;
}

/* False: the instruction names a local variable that does not exist. */
static bool note_locals(struct compiler *c, uint32_t bci) {
    const uint8_t *p = c->source->code + bci;
    int32_t i = flow_local(p);
    c->keeps_this &= i != 0 || !stores_local(p);
    return i < (int32_t)c->source->max_locals;
}

/* Whatever an instruction has on the stack, a handler has the exception alone. */
static void reach_handlers(struct walk *w, uint32_t bci) {
    const struct cf_code *code = w->c->source;
    for (uint16_t k = 0; k < code->handler_count && w->sound; k++) {
        struct cf_handler h = cf_handler_at(code, k);
        if (bci < h.start_pc || bci >= h.end_pc) continue;
        w->sound = code->max_stack != 0;
        reach(w, h.handler_pc, 1, true);
        if (w->sound) w->c->places[h.handler_pc].is_entry = true;
    }
}

/* From a place that has just been reached, until something ends or joins. */
static void walk_from(struct walk *w, uint32_t bci) {
    struct compiler *c = w->c;
    uint32_t depth = (uint32_t)c->places[bci].depth, takes, gives;
    uint32_t length = opcode_length(c->source->code, bci, c->source->code_length);
    w->sound = length != 0 && note_locals(c, bci);
    w->from = bci;
    if (w->sound) reach_handlers(w, bci);
    if (!w->sound || !(c->places[bci].compiles = is_compiled(c, bci))) return;
    quicken_known(c->code, bci);
    uint8_t op = c->source->code[bci];
    c->locks |= op == OP_monitorenter;
    flow_effect(c, bci, &takes, &gives);
    w->sound = takes <= depth && depth - takes + gives <= c->source->max_stack;
    if (!w->sound) return;
    depth = depth - takes + gives;
    w->depth = depth;
    flow_targets(c, bci, reach_target, w);
    if (!flow_ends(c, bci)) reach(w, (int64_t)bci + length, depth, false);
}

const char *flow_find(struct compiler *c) {
    uint32_t n = c->source->code_length;
    struct walk w = {.c = c, .work = mem_calloc(n, sizeof *w.work), .sound = true};
    c->places = mem_calloc(n, sizeof *c->places);
    if (w.work == NULL || c->places == NULL) {
        mem_free(w.work);
        return "out of memory";
    }
    for (uint32_t i = 0; i < n; i++) c->places[i].depth = UNREACHED;
    c->keeps_this = !(c->code->method->access_flags & ACC_STATIC);
    reach(&w, 0, 0, false);
    while (w.count != 0 && w.sound) walk_from(&w, w.work[--w.count]);
    mem_free(w.work);
    return w.sound ? NULL : "its code makes no sense";
}
