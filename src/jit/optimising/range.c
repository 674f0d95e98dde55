/* range.c — checks of bounds that the condition of a loop makes already: i < length where i begins at 0 or above, and
 * grows by one while that holds. Where frames come into such a loop, i is looked at once. Where the condition is
 * i < limit, and neither changes in the loop, limit <= length is looked at before it. */
#include "jit/optimising/ir.h"

/* What i is below in the block: above it ends another by that condition; `limit`, if that is one. 0: nothing. */
static node_id limit_of(const struct ir *g, block_id b, node_id i, node_id limit) {
    node_id found = 0;
    for (; b != ROOT; b = block_of(g, b)->dominator) {
        const struct block *p = block_of(g, b);
        if (p->predecessors != 1) continue;
        const struct block *above = block_of(g, predecessor(g, p, 0));
        const struct node *end = node_of(g, above->last);
        if (end->op != NODE_branch || end->imm != 0) continue;
        bool taken = successor(g, above, 0) == b;
        if (taken && successor(g, above, 1) == b) continue;
        enum asm_cond cond = taken ? (enum asm_cond)end->detail : asm_not((enum asm_cond)end->detail);
        node_id other = 0;
        if (cond == COND_LESS && end->in[0] == i) other = end->in[1];
        if (cond == COND_GREATER && end->in[1] == i) other = end->in[0];
        if (other == limit) return other;
        if (other != 0) found = other;
    }
    return found;
}

/* What a copy is of: home.c. */
static const struct node *original(const struct ir *g, node_id n) {
    while (node_of(g, n)->op == NODE_copy) n = node_of(g, n)->in[0];
    return node_of(g, n);
}

static bool is_below(const struct ir *g, block_id b, node_id i, node_id limit) {
    return limit_of(g, b, i, limit) == limit;
}

/* The phi's input on the way into its loop; 0: the loop does not add one to it each time, from where it is below
 * limit. */
static node_id begin_of(const struct ir *g, const struct ir_loop *l, node_id phi, node_id limit) {
    const struct node *n = node_of(g, phi);
    const struct block *header = block_of(g, l->header);
    node_id begin = 0;
    for (uint32_t i = 0; i < header->predecessors; i++) {
        node_id in = phi_input(g, n, i);
        const struct node *step = original(g, in);
        if (predecessor(g, header, i) == l->before) {
            begin = in;
            continue;
        }
        bool grows = step->op == NODE_alu && step->detail == ALU_ADD && step->in[0] == phi &&
                     is_constant(node_of(g, step->in[1])) && node_of(g, step->in[1])->imm == 1;
        if (!grows || !is_below(g, step->block, phi, limit)) return 0;
    }
    return begin;
}

bool is_not_negative(const struct ir *g, node_id n) {
    const struct node *x = node_of(g, n), *y = node_of(g, x->in[1]);
    if (x->op == NODE_shift && x->detail == SHIFT_RIGHT) {
        int64_t most = x->type == TYPE_LONG ? 63 : 31;
        return (is_constant(y) && (y->imm & most) != 0) || is_not_negative(g, x->in[0]);
    }
    if (x->op == NODE_alu && x->detail == ALU_AND && is_constant(y) && y->imm >= 0) return true;
    return (is_constant(x) && x->imm >= 0) || x->op == NODE_array_length ||
           (x->op == NODE_convert && x->detail == OP_i2c) ||
           (x->op == NODE_load_element && x->detail == 'C');
}

bool is_index_below(const struct ir *g, node_id index, node_id length) {
    const struct node *i = node_of(g, index), *n = node_of(g, length), *y = node_of(g, i->in[1]);
    if (!is_constant(n)) return false;
    if (is_constant(i)) return i->imm >= 0 && i->imm < n->imm;
    if (i->op == NODE_alu && i->detail == ALU_AND && is_constant(y)) return y->imm >= 0 && y->imm < n->imm;
    if (i->op == NODE_shift && i->detail == SHIFT_RIGHT && is_constant(y))
        return UINT32_MAX >> (y->imm & 31) < (uint32_t)n->imm;
    return false;
}

/* The loop's entry leaves where the value is negative, which it then never is. */
static void look_at_entry(struct ir *g, const struct ir_loop *l, node_id n) {
    struct block *b = block_of(g, l->entry);
    for (node_id id = b->first; id != 0; id = node_of(g, id)->next)
        if (node_of(g, id)->op == NODE_check_negative && node_of(g, id)->in[0] == n) return;
    if (!make_room((void **)&g->states, &g->state_capacity, g->state_count + 1, sizeof *g->states)) {
        ir_declines(g, "out of memory");
        return;
    }
    uint32_t depth = g->c->places[b->bci].depth, state = g->state_count++;
    g->states[state] = (struct state){.bci = (int32_t)b->bci, .depth = depth, .first = b->variables,
                                      .locals = g->locals};
    node_id check = ir_new_node(g, (struct node){.op = NODE_check_negative, .in = {n}, .state = state,
                                                 .bci = (int32_t)b->bci});
    if (check != 0) ir_insert(g, block_of(g, l->entry)->last, check);
}

/* Is what the loop begins with 0 or above on all ways? */
static bool begins_well(struct ir *g, const struct ir_loop *l, node_id begin) {
    const struct node *n = node_of(g, begin);
    if (is_not_negative(g, begin)) return true;
    if (n->op != NODE_phi || n->block != l->before || l->entry == 0) return false;
    const struct block *p = block_of(g, l->before);
    for (uint32_t i = 0; i < p->predecessors; i++)
        if (predecessor(g, p, i) != l->entry && !is_not_negative(g, phi_input(g, n, i))) return false;
    for (uint32_t i = 0; i < p->predecessors; i++)
        if (predecessor(g, p, i) == l->entry) look_at_entry(g, l, phi_input(g, node_of(g, begin), i));
    return true;
}

static bool is_outside(const struct ir *g, const struct ir_loop *l, node_id n) {
    return is_constant(node_of(g, n)) || dominates(g, node_of(g, n)->block, l->before);
}

/* Before the loop the frame leaves where limit > length. */
static bool look_before(struct ir *g, const struct ir_loop *l, node_id limit, node_id length) {
    if (!g->hoists_checks || !is_outside(g, l, limit) || !is_outside(g, l, length)) return false;
    for (node_id id = block_of(g, l->before)->first; id != 0; id = node_of(g, id)->next) {
        const struct node *n = node_of(g, id);
        if (n->op == NODE_check_limit && n->in[0] == limit && n->in[1] == length) return true;
    }
    uint32_t state = state_before(g, l);
    node_id check = ir_new_node(g, (struct node){.op = NODE_check_limit, .in = {limit, length}, .state = state,
                                                 .bci = (int32_t)block_of(g, l->before)->bci});
    if (check != 0) ir_insert(g, block_of(g, l->before)->last, check);
    return check != 0;
}

static bool is_made_elsewhere(struct ir *g, const struct node *check) {
    node_id i = check->in[0], length = check->in[1];
    node_id limit = node_of(g, i)->op == NODE_phi ? limit_of(g, check->block, i, length) : 0;
    for (uint32_t k = 0; k < g->loop_count && limit != 0; k++) {
        const struct ir_loop *l = &g->loops[k];
        if (l->header != node_of(g, i)->block) continue;
        node_id begin = begin_of(g, l, i, limit);
        return begin != 0 && begins_well(g, l, begin) && (limit == length || look_before(g, l, limit, length));
    }
    return false;
}

/* What the check guards is now guarded by the loop's condition. */
static void stays(struct ir *g, node_id check) {
    for (uint32_t i = 0; i < g->order_count; i++)
        for (node_id id = block_of(g, g->order[i])->first; id != 0; id = node_of(g, id)->next) {
            struct node *n = node_of(g, id);
            if (n->guard != check) continue;
            n->guard = node_of(g, check)->guard;
            n->flags |= NODE_STAYS;
        }
}

void remove_ranges(struct ir *g) {
    for (uint32_t i = 0; i < g->order_count && ir_goes_on(g); i++)
        for (node_id id = block_of(g, g->order[i])->first, next; id != 0 && ir_goes_on(g); id = next) {
            next = node_of(g, id)->next;
            const struct node check = *node_of(g, id);
            if (check.op != NODE_check_bounds || !is_made_elsewhere(g, &check)) continue;
            stays(g, id);
            ir_unlink(g, id);
            node_of(g, id)->op = NODE_none;
        }
}
