/* call.h — calls, behind the nodes. */
#ifndef VITRINE_JIT_OPTIMISING_CALL_H
#define VITRINE_JIT_OPTIMISING_CALL_H

#include "jit/optimising/ir.h"

/* The variable of the call's state that its arguments begin with: they come last. */
uint32_t first_argument(const struct ir *g, const struct node *call);
/* Is `in` one of the call's arguments, which ir_inputs visits in its state? */
static inline bool is_argument_of(const struct ir *g, const struct node *call, const node_id *in) {
    uint32_t first = g->states[call->state].first;
    return in >= g->values + first + first_argument(g, call);
}

#endif
