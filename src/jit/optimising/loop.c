/* loop.c — what computes the same at each turn of a loop is computed before it. A check may move if it is made at each
 * turn: where it fails before the loop the interpreter does the loop from its begin, and throws in its time. */
#include "jit/optimising/ir.h"

struct hoist {
    struct ir *g;
    const struct ir_loop *l;
    block_id before;
    bool outside;                        /* so far all inputs are                                                  */
};

static bool is_outside(const struct hoist *h, node_id n) {
    const struct node *x = node_of(h->g, n);
    return is_constant(x) || dominates(h->g, x->block, h->before);
}

static void look_at_input(void *hoist, node_id *in, bool in_state) {
    struct hoist *h = hoist;
    if (!in_state) h->outside &= is_outside(h, *in);
}

/* Could they be the same place? */
static bool may_overlap(const struct node *load, const struct node *store) {
    if (store->op == NODE_store_field)
        return load->op == NODE_load_field && load->imm == store->imm && (load->in[0] == 0) == (store->in[0] == 0);
    bool of_bytes = load->op == NODE_text_char || (load->op == NODE_load_element && load->detail == 'B');
    if (store->op == NODE_put_char) return of_bytes;
    if (store->op != NODE_store_element) return false;
    return (load->op == NODE_load_element && load->detail == store->detail) || (of_bytes && store->detail == 'B');
}

/* Does the loop leave alone what n loads? */
static bool is_kept(const struct hoist *h, const struct node *n) {
    struct ir *g = h->g;
    if (n->flags & NODE_FINAL) return true;
    if (n->flags & NODE_VOLATILE) return false;
    for (uint32_t i = 0; i < g->order_count; i++) {
        if (!in_bits(g, h->l->members, g->order[i])) continue;
        for (node_id id = block_of(g, g->order[i])->first; id != 0; id = node_of(g, id)->next) {
            const struct node *other = node_of(g, id);
            if (other->flags & NODE_VOLATILE) return false;
            if (group_of(other) == GROUP_EFFECT && may_overlap(n, other)) return false;
        }
    }
    return true;
}

/* Is the block passed at each turn, in the loop itself? */
static bool is_always_passed(const struct hoist *h, block_id b) {
    struct ir *g = h->g;
    const struct block *header = block_of(g, h->l->header);
    for (uint32_t i = 0; i < header->predecessors; i++) {
        block_id p = predecessor(g, header, i);
        if (p != h->before && !dominates(g, b, p)) return false;
    }
    return true;
}

static bool may_move(struct hoist *h, struct node *n) {
    struct ir *g = h->g;
    if (n->flags & NODE_STAYS) return false;
    if (h->l->calls && n->type != TYPE_NONE && n->op != NODE_home && n->op != NODE_literal) return false;
    bool reads = group_of(n) == GROUP_READ || n->op == NODE_array_length;
    if (reads && n->in[0] != 0 && node_of(g, n->in[0])->flags & NODE_CAST) return false;
    if (group_of(n) != GROUP_VALUE && group_of(n) != GROUP_READ && group_of(n) != GROUP_CHECK) return false;
    h->outside = true;
    ir_inputs(g, n, look_at_input, h);
    if (!h->outside || (n->guard != 0 && !is_outside(h, n->guard))) return false;
    if (group_of(n) == GROUP_READ) return is_kept(h, n);
    if (group_of(n) != GROUP_CHECK) return true;
    return g->hoists_checks && n->op != NODE_check_cast && n->op != NODE_check_store && is_always_passed(h, n->block);
}

static void use_leader(void *ir, node_id *in, bool in_state UNUSED) { *in = resolve(ir, *in); }

uint32_t state_before(struct ir *g, const struct ir_loop *l) {
    const struct block *b = block_of(g, l->before);
    const struct scope *scope = &g->scopes[b->scope];
    uint32_t depth = scope->places[b->bci].depth, count = scope->locals + depth;
    if (!make_room((void **)&g->values, &g->value_capacity, g->value_count + count, sizeof *g->values) ||
        !make_room((void **)&g->states, &g->state_capacity, g->state_count + 1, sizeof *g->states)) {
        ir_declines(g, "out of memory");
        return 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        node_id n = g->values[b->variables + i];
        n = n == 0 ? 0 : resolve(g, n);
        if (node_of(g, n)->op == NODE_object) {
            ir_object_inputs(g, n, use_leader, g);
            g->values[g->value_count + i] = n;
            continue;
        }
        bool spoilt = n != 0 && node_of(g, n)->type == TYPE_NONE;
        g->values[g->value_count + i] = spoilt ? 0 : n;
    }
    g->states[g->state_count] = (struct state){.bci = (int32_t)b->bci, .depth = depth,
                                               .first = g->value_count, .locals = scope->locals,
                                               .scope = b->scope, .outer = b->outer != 0 ? b->outer : scope->state};
    g->value_count += count;
    return g->state_count++;
}

static void move_before(struct ir *g, const struct ir_loop *l, node_id id, uint32_t *state) {
    struct node *n = node_of(g, id);
    if (group_of(n) == GROUP_CHECK) {
        if (*state == 0) *state = state_before(g, l);
        n = node_of(g, id);
        n->state = *state;
    }
    ir_unlink(g, id);
    n->bci = (int32_t)block_of(g, l->before)->bci;
    ir_insert(g, block_of(g, l->before)->last, id);
}

static void hoist_from(struct ir *g, const struct ir_loop *l) {
    struct hoist h = {.g = g, .l = l, .before = l->before};
    uint32_t state = 0;
    for (uint32_t i = 0; i < g->order_count && ir_goes_on(g); i++) {
        block_id b = g->order[i];
        if (!in_bits(g, l->members, b) || !dominates(g, l->before, b)) continue;
        for (node_id id = block_of(g, b)->first, next; id != 0 && ir_goes_on(g); id = next) {
            next = node_of(g, id)->next;
            if (may_move(&h, node_of(g, id))) move_before(g, l, id, &state);
        }
    }
}

/* Inner loops first: what leaves one may leave the next, too. */
void hoist_invariants(struct ir *g) {
    for (uint32_t depth = g->loop_count; depth > 0; depth--)
        for (uint32_t k = 0; k < g->loop_count && ir_goes_on(g); k++)
            if (block_of(g, g->loops[k].header)->depth == depth) hoist_from(g, &g->loops[k]);
}
