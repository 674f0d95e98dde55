/* verify.c — CHECK builds look between the passes that the nodes make sense: each use is dominated by its definition,
 * operands have the types that their users want, phis have an input for each way, and states have all that the stack
 * map says is there. */
#include "jit/optimising/build.h"

#ifdef VITRINE_CHECK
#include "base/alloc.h"
#include "exec/stack_map.h"

struct verifier {
    struct ir *g;
    const char *pass;
    node_id user;
    uint64_t *map;
};

static bool comes_before(const struct ir *g, node_id a, node_id b) {
    for (node_id id = node_of(g, b)->before; id != 0; id = node_of(g, id)->before)
        if (id == a) return true;
    return false;
}

static void fail(const struct verifier *v, const char *what, node_id in) {
    ir_print(v->g, v->pass);
    vm_assert(false, "after %s node %u has %s: %u", v->pass, v->user, what, in);
}

static void look_at_order(struct verifier *v, node_id in) {
    const struct ir *g = v->g;
    const struct node *user = node_of(g, v->user), *n = node_of(g, in);
    if (n->op == NODE_object) fail(v, "a virtual object outside a state", in);
    if (n->same != 0 || n->op == NODE_none) fail(v, "an input that is gone", in);
    if (is_constant(n) || user->op == NODE_phi) return;
    bool is_beside = n->block == user->block && !(n->flags & NODE_BRANCHED);
    bool good = is_beside ? comes_before(g, in, v->user) : dominates(g, n->block, user->block);
    if (!good) fail(v, "an input that does not come before it", in);
}

static void look_at_use(void *verifier, node_id *in, bool in_state UNUSED) {
    struct verifier *v = verifier;
    if (node_of(v->g, *in)->type == TYPE_NONE) fail(v, "an input that is no value", *in);
    look_at_order(v, *in);
}

static void look_at_phi(struct verifier *v, const struct node *phi) {
    const struct ir *g = v->g;
    const struct block *b = block_of(g, phi->block);
    for (uint32_t i = 0; i < b->predecessors; i++) {
        node_id in = phi_input(g, phi, i);
        const struct node *n = node_of(g, in);
        if (in == 0 || n->type != phi->type) fail(v, "an input of another type", in);
        if (!is_constant(n) && !dominates(g, n->block, predecessor(g, b, i))) fail(v, "an input from elsewhere", in);
    }
}

static uint8_t type_of(const struct ir *g, node_id n) { return node_of(g, n)->type; }

static void look_at_types(struct verifier *v, const struct node *n) {
    const struct ir *g = v->g;
    bool good = true;
    switch (n->op) {
    case NODE_alu: case NODE_multiply: case NODE_divide: case NODE_float_binary:
        good = type_of(g, n->in[0]) == n->type && type_of(g, n->in[1]) == n->type;
        break;
    case NODE_shift: good = type_of(g, n->in[0]) == n->type && type_of(g, n->in[1]) == TYPE_INT; break;
    case NODE_compare: case NODE_branch: good = type_of(g, n->in[0]) == type_of(g, n->in[1]); break;
    case NODE_array_length: case NODE_check_null: case NODE_check_cast: case NODE_instance_of:
    case NODE_check_callee: case NODE_check_class: case NODE_check_is_null: case NODE_branch_instance:
    case NODE_branch_class: case NODE_monitor_enter: case NODE_monitor_exit:
        good = type_of(g, n->in[0]) == TYPE_REF;
        break;
    case NODE_load_element: case NODE_store_element:
        good = type_of(g, n->in[0]) == TYPE_REF && type_of(g, n->in[1]) == TYPE_INT;
        break;
    case NODE_load_raw: case NODE_store_raw: case NODE_compare_raw: case NODE_exchange_raw:
        good = (n->in[0] == 0 || type_of(g, n->in[0]) == TYPE_REF) &&
               (n->in[1] == 0 || type_of(g, n->in[1]) == TYPE_LONG);
        for (unsigned i = 2; i < NODE_INPUTS && n->in[i] != 0; i++)
            good &= type_of(g, n->in[i]) == type_of_kind((char)n->detail);
        good &= n->op == NODE_compare_raw || n->type == (n->op == NODE_store_raw ? TYPE_NONE
                                                                                 : type_of_kind((char)n->detail));
        break;
    case NODE_check_bounds: good = type_of(g, n->in[0]) == TYPE_INT && type_of(g, n->in[1]) == TYPE_INT; break;
    case NODE_new_array: good = type_of(g, n->in[0]) == TYPE_INT; break;
    default: break;
    }
    if (!good) fail(v, "an operand of a wrong type", n->in[0]);
}

/* The fields' values have their types; those of another class's object are looked at in their turn. */
static void look_at_object(struct verifier *v, node_id id) {
    const struct ir *g = v->g;
    const struct virtual_object *o = object_of(g, id);
    for (uint32_t i = 0; i < o->count; i++) {
        node_id in = g->inputs[o->first + i];
        if (in == 0 || type_of(g, in) != type_of_kind(g->fields[o->fields + i].kind))
            fail(v, "a virtual object with a field of another type", in);
        if (node_of(g, in)->op == NODE_object) look_at_object(v, in);
    }
}

/* Of locals that the method assigns, and of operands. */
static void look_at_state(struct verifier *v, const struct node *n) {
    const struct ir *g = v->g;
    const struct state *s = &g->states[n->state];
    const struct scope *scope = &g->scopes[s->scope];
    struct method_code *code = scope->code;
    int operands = stack_map_of_values(code, s->bci, NULL, v->map);
    if (operands < 0) return;
    if ((uint32_t)operands != s->depth) fail(v, "a state of another depth", 0);
    const uint64_t *held = v->map + (size_t)STACK_MAP_HELD * stack_map_words(code);
    for (uint32_t i = 0; i < s->locals + s->depth; i++) {
        node_id in = g->values[s->first + i];
        if (node_of(g, in)->op == NODE_object) look_at_object(v, in);
        bool is_ref = v->map[i / 64] >> i % 64 & 1, is_local = i < s->locals;
        if (is_local && s->scope == 0 && !g->assigned[i]) continue;
        if (is_ref && (in == 0 || type_of(g, in) != TYPE_REF)) fail(v, "a state without a reference", in);
        if (!is_ref && in != 0 && type_of(g, in) == TYPE_REF && is_local && (held[i / 64] >> i % 64 & 1))
            fail(v, "a state with a reference", in);
        /* what data flow finds may be of several types */
        if (is_local && in == 0 && (held[i / 64] >> i % 64 & 1) && class_version_has_stack_maps(code->owner))
            fail(v, "a state without a local", i);
    }
}

static void look_at_block(struct verifier *v, block_id b) {
    const struct ir *g = v->g;
    const struct block *p = block_of(g, b);
    vm_assert(p->last != 0 && group_of(node_of(g, p->last)) == GROUP_END, "a block has no end");
    vm_assert(node_of(g, p->last)->op != NODE_jump || p->successors == 1, "a jump leads nowhere");
    uint8_t last = node_of(g, p->last)->op;
    bool branches = last == NODE_branch || last == NODE_branch_instance || last == NODE_branch_class;
    vm_assert(!branches || p->successors == 2, "a branch leads nowhere");
    for (node_id id = p->first; id != 0; id = node_of(g, id)->next) {
        struct node *n = node_of(g, id);
        v->user = id;
        if (n->block != b) fail(v, "another block", 0);
        if (group_of(n) == GROUP_END && id != p->last) fail(v, "its end within it", 0);
        if (n->guard != 0) look_at_order(v, n->guard);
        ir_inputs(v->g, n, look_at_use, v);
        if (n->op == NODE_phi) look_at_phi(v, n);
        look_at_types(v, n);
        if (n->state != 0 && n->op != NODE_check_negative) look_at_state(v, n);
    }
}

void ir_verify(struct ir *g, const char *pass) {
    if (!ir_goes_on(g)) return;
    struct verifier v = {.g = g, .pass = pass};
    v.map = mem_calloc((EXIT_MOST_OPERANDS / 64 + 1) * STACK_MAP_PARTS, sizeof *v.map);
    if (v.map == NULL) return;
    for (uint32_t i = 0; i < g->order_count; i++) look_at_block(&v, g->order[i]);
    mem_free(v.map);
}
#endif
