/* call.h — calls, behind the nodes. */
#ifndef VITRINE_JIT_OPTIMISING_CALL_H
#define VITRINE_JIT_OPTIMISING_CALL_H

#include "jit/optimising/ir.h"

/* The variable of the state of a `call` or `call_leaf` that its arguments begin with: they come last. */
uint32_t first_argument(const struct ir *g, const struct node *call);
/* Is `in` one of the call's arguments, which ir_inputs visits in its state? Of other nodes: no. */
static inline bool is_argument_of(const struct ir *g, const struct node *call, const node_id *in) {
    if (call->op != NODE_call && call->op != NODE_call_leaf) return false;
    uint32_t first = g->states[call->state].first;
    return in >= g->values + first + first_argument(g, call);
}

#endif
