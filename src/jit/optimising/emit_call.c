/* emit_call.c — machine code of calls. All that the frame shows meanwhile goes home; what lives on and is wanted in a
 * register comes back behind the call. */
#include "jit/optimising/call.h"
#include "jit/optimising/emit.h"
#include "jit/optimising/home.h"
#include "jit/optimising/inline.h"

/* Is the value of its node in the slot already, wherever else it is? */
static bool is_at(const struct emitter *e, node_id n, uint32_t slot) {
    const struct node *x = emitted(e, n);
    bool reads_home = x->op == NODE_home || x->op == NODE_argument;
    return e->places->kept[n] == slot + 1 || (reads_home && x->imm == (int64_t)slot);
}

/* Variables from `arguments` on are wanted where their values are, not where those are kept. */
static void collect_moves(struct emitter *e, const struct state *s, uint32_t arguments) {
    const struct ir *g = e->g;
    for (uint32_t v = 0; v < s->locals + s->depth; v++) {
        node_id n = g->values[s->first + v];
        struct value_place home = {PLACE_SLOT, slot_of_variable(&g->scopes[s->scope], v)};
        if (n == 0 || is_at(e, n, home.number)) continue;
        if (v >= arguments) add_move(e, n, home);
        else add_steady_move(e, n, home);
    }
}

static void bring_home(struct emitter *e, const struct state *s, uint32_t arguments) {
    e->moves.count = 0;
    collect_moves(e, s, arguments);
    while (s->outer != 0) {
        s = &e->g->states[s->outer];
        collect_moves(e, s, UINT32_MAX);
    }
    make_moves(e);
}

/* The register of the receiver, if it is in one. */
static enum asm_reg receiver_register(const struct emitter *e, const struct node *call) {
    if (call->detail == OP_invokestatic || call->detail == OP_invokedynamic) return REG_NONE;
    node_id n = e->g->values[e->g->states[call->state].first + first_argument(e->g, call)];
    struct value_place p = e->places->places[n];
    return !is_constant(emitted(e, n)) && p.kind == PLACE_REGISTER ? (enum asm_reg)p.number : REG_NONE;
}

static void take_result(struct emitter *e, node_id id) {
    struct assembler *a = &e->c->a;
    struct value_place p = e->places->places[id];
    if (p.kind == PLACE_FLOATING) asm_float_from_word(a, W64, p.number, REG_RESULT);
    else if (p.kind == PLACE_REGISTER && p.number != REG_RESULT) asm_move(a, W64, (enum asm_reg)p.number, REG_RESULT);
    else if (p.kind == PLACE_SLOT) asm_store(a, W64, slot_at(e, p.number), REG_RESULT);
}

static void bring_back(struct emitter *e, node_id n) {
    struct assembler *a = &e->c->a;
    const struct node *x = emitted(e, n);
    struct value_place p = e->places->places[n];
    if (x->op == NODE_literal) {
        emit_literal(e, n);
    } else if (e->places->kept[n] != 0) {
        struct asm_mem home = slot_at(e, e->places->kept[n] - 1);
        if (p.kind == PLACE_FLOATING) asm_float_load(a, float_of_type(x->type), p.number, home);
        else if (p.kind == PLACE_REGISTER) asm_load(a, x->type == TYPE_INT ? U32 : U64, (enum asm_reg)p.number, home);
    }
}

static void bring_all_back(struct emitter *e, node_id call) {
    const struct allocation *places = e->places;
    uint32_t i = 0;
    while (i < places->reload_count && places->reloads[i].call != call) i++;
    for (; i < places->reload_count && places->reloads[i].call == call; i++) bring_back(e, places->reloads[i].value);
}

/* From here to enter_scope(0) the node's scope is the compiler's; its frame, which is whole, is the youngest, and stays
 * that until somebody wants another (emit_block). */
static void begin_call(struct emitter *e, const struct node *n, uint32_t arguments) {
    const struct state *s = &e->g->states[n->state];
    bring_home(e, s, arguments);
    write_records(e, s->scope, (uint32_t)n->bci);
    set_youngest(e, s->scope);
    enter_scope(e->g, s->scope);
    e->c->bci = (uint32_t)n->bci;
    e->c->depth = s->depth;
}

void emit_call(struct emitter *e, node_id id) {
    struct compiler *c = e->c;
    const struct node *n = emitted(e, id);
    begin_call(e, n, first_argument(e->g, n));
    c->loop_end = UINT32_MAX;            /* it is all hot: no stub selects a callee in a little less code          */
    write_call(c, n->detail, receiver_register(e, n));
    enter_scope(e->g, 0);
    if (n->type != TYPE_NONE) take_result(e, id);
    bring_all_back(e, id);
}

/* By C, which never comes back. */
void emit_throw(struct emitter *e, const struct node *n) {
    struct compiler *c = e->c;
    begin_call(e, n, UINT32_MAX);
    store_position(c, true);
    asm_constant(&c->a, REG_SCRATCH, (uintptr_t)runtime_athrow);
    call_stub(c, c->stubs->runtime);
    enter_scope(e->g, 0);
}

void emit_keep(struct emitter *e, node_id id) {
    const struct node *n = emitted(e, id);
    struct value_place p = e->places->places[id];
    uint32_t kept = e->places->kept[id];
    if (kept == 0 || n->op != NODE_copy || p.kind == PLACE_SLOT) return;
    struct asm_mem home = slot_at(e, kept - 1);
    if (p.kind == PLACE_FLOATING) asm_float_store(&e->c->a, F64, home, p.number);
    else asm_store(&e->c->a, W64, home, (enum asm_reg)p.number);
}
