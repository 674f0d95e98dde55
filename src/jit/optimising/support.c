/* support.c — see support.h. */
#include "jit/optimising/support.h"

#include "base/options.h"
#include "exec/exec.h"
#include "jit/optimising/callee.h"
#include "jit/optimising/inline.h"
#include "jit/optimising/known.h"
#include "jit/receivers.h"
#include "link/link.h"

static bool is_invocation(uint8_t op) { return op >= OP_invokevirtual && op <= OP_invokedynamic; }

static bool is_quick_at(struct compiler *c, uint32_t bci) {
    c->bci = bci;
    return is_quick(c);
}

bool has_left_often_at(struct ir *g, uint32_t bci) {
    struct place *p = &g->c->places[bci];
    if (!p->is_asked) p->left_often = g->has_left_often(g->c->code, bci);
    p->is_asked = true;
    return p->left_often;
}

/* The instructions from bci on until something branches: does one of them say that none of them has run? Where names
 * are resolved before code runs for the first time, only what throws is taken to be rare. */
bool is_untouched(struct compiler *c, uint32_t bci) {
    bool has_run = vm->options->mode != VM_MODE_COMP;
    while (bci < c->source->code_length) {
        uint8_t op = c->source->code[bci];
        if (!has_run && op == OP_athrow) return true;
        if (has_run && (is_invocation(op) || op == OP_new) && !is_quick_at(c, bci)) return true;
        if (flow_branches(op) || !c->places[bci].is_reached || flow_ends(c, bci)) return false;
        bci += length_at(c, bci);
        if (bci < c->source->code_length && c->places[bci].is_target) return false;
    }
    return false;
}

static enum support declines(struct ir *g, const char *why) {
    ir_declines(g, why);
    return SUPPORT_DECLINED;
}

/* Of an instruction that sends an event: the interpreter does it, unless that has happened too often. */
static enum support at_event(struct ir *g, const char *why) {
    if (!g->leaves_at_events) return declines(g, why);
    g->has_events = true;
    return SUPPORT_LEAVES;
}

/* Of the class that the quick instruction names. */
static bool has_array_class(struct compiler *c, uint32_t bci) {
    if (!is_quick_at(c, bci)) return false;
    struct class *k = (struct class *)(uintptr_t)known_cell(c, op_u2(instruction(c) + 1));
    return atomic_load(&k->array_class) != NULL;
}

/* Does the handler look as if it has not run, or only ever throws on? */
static bool is_rare_handler(struct compiler *c, uint32_t bci) {
    if (is_untouched(c, bci)) return true;
    while (bci < c->source->code_length && c->places[bci].is_reached) {
        if (c->source->code[bci] == OP_athrow) return true;
        if (flow_branches(c->source->code[bci]) || flow_ends(c, bci)) return false;
        bci += length_at(c, bci);
    }
    return false;
}

/* A method whose code did not do is given all. */
bool handler_is_entered(struct ir *g, uint32_t bci) {
    struct compiler *c = g->c;
    return c->places[bci].is_reached && (g->enters_all || !is_rare_handler(c, bci));
}

/* Is there a handler for what the instruction throws that seems to have run? An inlined frame would leave there. */
static bool is_caught(struct compiler *c, uint32_t bci) {
    for (uint16_t k = 0; k < c->source->handler_count; k++) {
        struct cf_handler h = cf_handler_at(c->source, k);
        if (bci >= h.start_pc && bci < h.end_pc && !is_rare_handler(c, h.handler_pc)) return true;
    }
    return false;
}

/* The current scope calls, or has inlined what may. */
static void note_call(struct ir *g, bool calls, bool throws, bool stops) {
    struct scope *s = &g->scopes[g->scope];
    g->calls |= calls;
    s->calls |= calls;
    s->throws |= throws;
    s->stops |= stops;
}

static void note_known(struct ir *g, uint32_t bci, struct known value) {
    if (value.kind == KNOWN_NOTHING) return;
    if (!make_room((void **)&g->noted, &g->noted_capacity, g->noted_count + 1, sizeof *g->noted))
        ir_declines(g, "out of memory");
    else
        g->noted[g->noted_count++] = (struct noted){g->scope, bci, value};
}

static void note_class(struct ir *g, uint32_t bci, const struct class *k) {
    if (k != NULL) note_known(g, bci, known_object(k->mirror));
}

struct known known_at(const struct ir *g, uint32_t bci) {
    for (uint32_t i = 0; i < g->noted_count; i++)
        if (g->noted[i].scope == g->scope && g->noted[i].bci == bci) return g->noted[i].value;
    return known_nothing();
}

const struct class *class_known_at(const struct ir *g, uint32_t bci) {
    struct object *mirror = object_known(known_at(g, bci));
    return mirror != NULL ? class_of_mirror(mirror) : NULL;
}

/* Of a load. */
static enum support note_loaded(struct ir *g, uint32_t bci) {
    struct known value = known_loaded(g, bci);
    note_known(g, bci, value);
    return value.kind != KNOWN_NOTHING ? SUPPORT_KNOWN : SUPPORT_BUILT;
}

/* Object.hashCode, if that is what the receivers of the call have selected. */
static const struct method *identity_hash_at(struct ir *g, uint32_t bci) {
    struct compiler *c = g->c;
    if (c->source->code[bci] != OP_invokevirtual || g->receivers_at(c->code, bci).first == 0) return NULL;
    struct callee k = callee_at(g, bci);
    if (k.method == NULL || !k.guarded || k.calls_others || k.method->leaf == NULL) return NULL;
    return is_leaf(c, k.method) && strcmp(intrinsic_of(k.method), "identity_hash") == 0 ? k.method : NULL;
}

const struct method *hash_guessed_at(const struct ir *g, uint32_t bci) {
    struct known k = known_at(g, bci);
    return k.kind == KNOWN_METHOD ? (const struct method *)(uintptr_t)k.value : NULL;
}

/* Of an invocation. */
static enum support of_invocation(struct ir *g, uint32_t bci) {
    struct compiler *c = g->c;
    c->bci = bci;
    if (is_built_inline(c)) {
        if (g->inlines) note_intrinsic(g, bci, NULL);
        if (asks_for_class(c)) note_class(g, bci, known_class_asked(g, bci));
        return g->is_watched ? declines(g, "tools watch what it calls") : SUPPORT_BUILT;
    }
    if (is_untouched(c, bci)) return SUPPORT_LEAVES;
    const struct method *hash = g->inlines && !g->is_watched ? identity_hash_at(g, bci) : NULL;
    if (hash != NULL) {
        note_intrinsic(g, bci, hash);
        note_known(g, bci, (struct known){KNOWN_METHOD, false, (intptr_t)hash});
        return SUPPORT_BUILT;
    }
    /* Code that is to go when allocations are watched is found by what is inlined in it.                         */
    if (g->scope != 0 && allocates_instance(c) && !g->allocations_watched && !g->is_watched) {
        const struct class *k = known_class_allocated(g, bci);
        note_class(g, bci, k);
        if (k != NULL) return SUPPORT_BUILT;
    }
    c->bci = bci;
    uint32_t inlined = inline_call(g, bci);
    const struct scope *callee = &g->scopes[inlined];
    bool calls = inlined == 0 || callee->calls_others;
    if (g->scope != 0 && (calls || callee->throws) && is_caught(c, bci))
        return declines(g, "it catches what a call throws");
    const char *why_no_calls = g->scopes[g->scope].why_no_calls;
    if (inlined == 0 && why_no_calls != NULL) return declines(g, why_no_calls);
    if (calls) note_call(g, true, true, true);
    else note_call(g, callee->calls, callee->throws, callee->stops);
    c->bci = bci;
    return SUPPORT_BUILT;
}

static enum support by_opcode(struct ir *g, uint32_t bci, uint8_t op) {
    struct compiler *c = g->c;
    switch (op) {
    case OP_getfield: case OP_putfield: case OP_getstatic: case OP_putstatic:
        c->bci = bci;
        if (is_watched(c)) return at_event(g, "it uses a field that is watched");
        if (!is_quick(c)) return SUPPORT_LEAVES;
        return op == OP_getfield || op == OP_getstatic ? note_loaded(g, bci) : SUPPORT_BUILT;
    case OP_aaload: return note_loaded(g, bci);
    case OP_ldc: case OP_ldc_w: {
        uint8_t tag = cp_tag(class_file(c), op == OP_ldc ? c->source->code[bci + 1] : op_u2(c->source->code + bci + 1));
        return tag == CP_Integer || tag == CP_Float || is_quick_at(c, bci) ? SUPPORT_BUILT : SUPPORT_LEAVES;
    }
    /* Of null the class need not be resolved: the code may have come here often, and with nothing else.          */
    case OP_checkcast:
        if (is_quick_at(c, bci)) return passes_cast(g, bci) ? SUPPORT_KNOWN : SUPPORT_BUILT;
        return has_left_often_at(g, bci) ? SUPPORT_BUILT : SUPPORT_LEAVES;
    case OP_instanceof:
        return is_quick_at(c, bci) || has_left_often_at(g, bci) ? SUPPORT_BUILT : SUPPORT_LEAVES;
    case OP_new: return is_quick_at(c, bci) ? SUPPORT_BUILT : SUPPORT_LEAVES;
    case OP_anewarray: return has_array_class(c, bci) ? SUPPORT_BUILT : SUPPORT_LEAVES;
    case OP_invokevirtual: case OP_invokespecial: case OP_invokestatic: case OP_invokeinterface: case OP_invokedynamic:
        return of_invocation(g, bci);
    default: return flow_branches(op) ? known_branch(g, bci) : SUPPORT_BUILT;
    }
}

enum support instruction_support(struct ir *g, uint32_t bci) {
    struct compiler *c = g->c;
    const struct place *p = &c->places[bci];
    const uint8_t *known = g->scopes[g->scope].support;
    if (known != NULL && known[bci] != 0) return (enum support)(known[bci] - 1);
    c->bci = bci;
    if (c->code->code[bci] == OP_breakpoint) return at_event(g, "it has a breakpoint");
    if (!p->is_reached || !p->compiles) return SUPPORT_LEAVES;
    return by_opcode(g, bci, c->source->code[bci]);
}

bool is_known_at(const struct ir *g, uint32_t bci) {
    const uint8_t *known = g->scopes[g->scope].support;
    return known != NULL && known[bci] == SUPPORT_KNOWN + 1;
}

/* ---- fields ------------------------------------------------------------------------------------------------------ */

/* The class that a field reference names, if it is known. */
static struct class *class_at(const struct compiler *c, uint16_t i) {
    if (i == class_file(c)->this_class) return c->code->owner->class;
    return (struct class *)(uintptr_t)atomic_load_explicit(&c->code->cells[i], memory_order_acquire);
}

const struct field *field_named(const struct compiler *c) {
    const struct classfile *cf = class_file(c);
    uint16_t i = op_u2(instruction(c) + 1);
    struct class *k = class_at(c, cp_ref_class_index(cf, i));
    return k != NULL ? class_lookup_field(k, cp_ref_name(cf, i), cp_ref_desc(cf, i)) : NULL;
}

bool field_stays(const struct field *f) {
    const uint16_t kind = ACC_STATIC | ACC_FINAL;
    return (f->access_flags & kind) == kind && class_is_initialized(f->holder) && !field_is_assigned(f);
}
