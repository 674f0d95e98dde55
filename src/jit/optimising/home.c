/* home.c — see home.h. */
#include "jit/optimising/home.h"

/* What is made anew wherever it is wanted needs no home. */
static bool is_remade(const struct node *n) { return is_constant(n) || n->op == NODE_literal; }

static node_id copy_of(struct builder *b, node_id n, uint32_t home) {
    const struct node *x = node_of(b->g, n);
    struct node copy = {.op = NODE_copy, .type = x->type, .flags = x->flags & (NODE_NOT_NULL | NODE_CAST | NODE_BYTES),
                        .in = {n}, .home = home};
    return build_effect(b, copy);
}

static node_id at_home(struct builder *b, uint32_t variable, node_id n) {
    const struct node *x = node_of(b->g, n);
    uint32_t home = home_of_variable(b->g, variable);
    return is_remade(x) || home_of(x) == home ? n : copy_of(b, n, home);
}

node_id assign_home(struct builder *b, uint32_t local, node_id n) {
    struct ir *g = b->g;
    if (!has_homes(g)) return n;
    for (uint32_t v = g->locals; v < g->locals + b->depth && ir_goes_on(g); v++) {
        node_id o = b->now[v];
        if (o != 0 && home_of(node_of(g, o)) == home_of_variable(g, local)) b->now[v] = copy_of(b, o, NO_HOME);
    }
    return ir_goes_on(g) ? at_home(b, local, n) : n;
}

void give_operands_homes(struct builder *b, uint32_t depth) {
    struct ir *g = b->g;
    for (uint32_t v = g->locals; v < g->locals + depth && ir_goes_on(g) && has_homes(g); v++) {
        node_id n = b->now[v];
        if (n != 0 && home_of(node_of(g, n)) == NO_HOME) b->now[v] = at_home(b, v, n);
    }
}

void give_arguments_homes(struct builder *b, uint32_t count) {
    struct ir *g = b->g;
    for (uint32_t v = 0; v < count && ir_goes_on(g) && has_homes(g); v++) {
        uint32_t home = b->now[v] != 0 ? home_of(node_of(g, b->now[v])) : NO_HOME;
        bool is_callers = home != NO_HOME && home <= g->scopes[g->scope].base;
        if (b->now[v] != 0 && !is_callers) b->now[v] = at_home(b, v, b->now[v]);
    }
}

void move_operands(struct builder *b, uint32_t from) {
    struct ir *g = b->g;
    const uint32_t first = slot_of_variable(&g->scopes[g->scope], g->locals);
    if (!has_homes(g)) return;
    for (uint32_t v = g->locals + from; v < g->locals + b->depth && ir_goes_on(g); v++) {
        uint32_t home = b->now[v] != 0 ? home_of(node_of(g, b->now[v])) : NO_HOME;
        if (home <= first - FRAME_SLOTS) continue;       /* a local's, or the caller's                              */
        bool is_there = home > first && home <= first + b->depth &&
                        b->now[g->locals + (home - 1 - first)] == b->now[v];
        if (!is_there) b->now[v] = copy_of(b, b->now[v], NO_HOME);
    }
}

void note_calls(struct ir *g) {
    for (block_id b = 0; g->calls && b < g->block_count; b++)
        for (node_id id = block_of(g, b)->first; id != 0; id = node_of(g, id)->next) {
            if (node_of(g, id)->op != NODE_call) continue;
            for (uint32_t k = 0; k < g->loop_count; k++) g->loops[k].calls |= in_bits(g, g->loops[k].members, b);
            break;
        }
}
