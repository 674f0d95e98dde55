/* call.c — nodes of invocations. Before a call the frame is as the interpreter's: its state's values go to their slots,
 * and the arguments are where the callee's locals begin. JVMS 6.5. */
#include "jit/optimising/call.h"

#include "jit/optimising/home.h"

/* Where the code itself asks whether there is a receiver; elsewhere a stub does. */
static bool wants_receiver(const struct compiler *c, uint8_t op) {
    if (op == OP_invokestatic || op == OP_invokedynamic) return false;
    uint8_t now = opcode_now(c);
    return now == quick_opcode(op, FORM_DIRECT) || now == quick_opcode(OP_invokevirtual, FORM_TABLE) ||
           now == quick_opcode(OP_invokevirtual, FORM_HANDLE);
}

static enum node_type type_of_result(char kind) {
    switch (kind) {
    case 'V': return TYPE_NONE;
    case 'J': return TYPE_LONG;
    case 'F': return TYPE_FLOAT;
    case 'D': return TYPE_DOUBLE;
    case 'L': case '[': return TYPE_REF;
    default: return TYPE_INT;
    }
}

bool build_call(struct builder *b, uint8_t op) {
    if (op < OP_invokevirtual || op > OP_invokedynamic) return false;
    struct compiler *c = b->c;
    struct ir *g = b->g;
    c->bci = b->bci;
    const struct place *p = &c->places[b->bci];
    uint32_t below = b->depth - p->arguments;
    give_operands_homes(b, below);
    uint32_t state = build_state(b);
    if (!ir_goes_on(g)) return true;
    node_id receiver = op == OP_invokestatic || op == OP_invokedynamic ? 0 : b->now[g->locals + below];
    if (receiver != 0 && wants_receiver(c, op) && !(node_of(g, receiver)->flags & NODE_NOT_NULL))
        build_effect(b, (struct node){.op = NODE_check_null, .in = {receiver}, .state = state});
    b->depth = below;
    enum node_type type = type_of_result(p->kind);
    node_id call = build_effect(b, (struct node){.op = NODE_call, .type = (uint8_t)type, .detail = op, .state = state});
    if (type != TYPE_NONE) push_value(b, call);
    return true;
}

uint32_t first_argument(const struct ir *g, const struct node *call) {
    const struct state *s = &g->states[call->state];
    uint32_t arguments = call->op == NODE_call ? g->scopes[s->scope].places[call->bci].arguments : call->detail;
    return s->locals + s->depth - arguments;
}

uint32_t slot_passed(const struct ir *g, const struct node *call, node_id value) {
    const struct state *s = &g->states[call->state];
    uint32_t slot = 0;
    if (call->op == NODE_call_leaf) {
        const node_id *arguments = g->values + s->first + first_argument(g, call);
        while (slot < call->detail && arguments[slot] != value) slot++;
        return slot < call->detail ? slot : NOT_PASSED;
    }
    for (unsigned i = 0; i < NODE_INPUTS && call->in[i] != 0; i++) {
        if (call->in[i] == value) return slot;
        slot += is_wide_type(node_of(g, call->in[i])->type) ? 2 : 1;
    }
    return NOT_PASSED;
}
