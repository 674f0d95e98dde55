/* call.h — calls, behind the nodes. */
#ifndef VITRINE_JIT_OPTIMISING_CALL_H
#define VITRINE_JIT_OPTIMISING_CALL_H

#include "jit/optimising/ir.h"

/* The variable of the state of a `call` or `call_leaf` that its arguments begin with: they come last. */
uint32_t first_argument(const struct ir *g, const struct node *call);
/* Is `in` one of the call's arguments, which ir_inputs visits in its state? Of other nodes: no. */
static inline bool is_argument_of(const struct ir *g, const struct node *call, const node_id *in) {
    if (call->op != NODE_call && call->op != NODE_call_leaf) return false;
    const struct state *s = &g->states[call->state];
    const node_id *values = g->values + s->first;
    return in >= values + first_argument(g, call) && in < values + s->locals + s->depth;
}
/* Which of the slots that it passes to a function of C has the value, if one has: of a `call_leaf`, or `call_math`. */
enum { NOT_PASSED = UINT32_MAX };
uint32_t slot_passed(const struct ir *g, const struct node *call, node_id value);

#endif
