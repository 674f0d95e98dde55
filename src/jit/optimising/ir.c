/* ir.c — nodes and their places. */
#include "jit/optimising/ir.h"

#include "base/alloc.h"
#include "jit/optimising/inline.h"

const uint8_t node_groups[NODE_LIMIT] = {
#define NODE(name, group) [NODE_##name] = GROUP_##group,
    NODES(NODE)
#undef NODE
};
const char *const node_names[NODE_LIMIT] = {
#define NODE(name, group) [NODE_##name] = #name,
    NODES(NODE)
#undef NODE
};

enum { MOST_NODES = 12000 };

void ir_declines(struct ir *g, const char *why) {
    if (g->why_not == NULL) g->why_not = why;
}

node_id ir_new_node(struct ir *g, struct node n) {
    if (g->node_count >= MOST_NODES) ir_declines(g, "it is too large");
    else if (!make_room((void **)&g->nodes, &g->node_capacity, g->node_count + 1, sizeof *g->nodes))
        ir_declines(g, "out of memory");
    if (!ir_goes_on(g)) return 0;
    g->nodes[g->node_count] = n;
    return g->node_count++;
}

void ir_append(struct ir *g, block_id b, node_id id) {
    struct node *n = node_of(g, id);
    n->block = b;
    n->before = block_of(g, b)->last;
    n->next = 0;
    if (n->before != 0) node_of(g, n->before)->next = id;
    else block_of(g, b)->first = id;
    block_of(g, b)->last = id;
}

void ir_insert(struct ir *g, node_id at, node_id id) {
    struct node *n = node_of(g, id), *behind = node_of(g, at);
    n->block = behind->block;
    n->next = at;
    n->before = behind->before;
    behind->before = id;
    if (n->before != 0) node_of(g, n->before)->next = id;
    else block_of(g, n->block)->first = id;
}

void ir_unlink(struct ir *g, node_id id) {
    struct node *n = node_of(g, id);
    struct block *b = block_of(g, n->block);
    if (n->before != 0) node_of(g, n->before)->next = n->next;
    else b->first = n->next;
    if (n->next != 0) node_of(g, n->next)->before = n->before;
    else b->last = n->before;
    n->next = n->before = 0;
}

void ir_object_inputs(struct ir *g, node_id object, ir_input_function *visit, void *arg) {
    const struct virtual_object *o = object_of(g, object);
    for (uint32_t i = 0; i < o->count; i++)
        if (node_of(g, g->inputs[o->first + i])->op == NODE_object)
            ir_object_inputs(g, g->inputs[o->first + i], visit, arg);
        else visit(arg, &g->inputs[o->first + i], true);
}

void ir_operands(struct ir *g, struct node *n, ir_input_function *visit, void *arg) {
    for (unsigned i = 0; i < NODE_INPUTS; i++)
        if (n->in[i] != 0) visit(arg, &n->in[i], false);
    if (n->op == NODE_phi)
        for (uint32_t i = 0; i < block_of(g, n->block)->predecessors; i++)
            visit(arg, &g->inputs[(uint32_t)n->imm + i], false);
}

void ir_state_inputs(struct ir *g, uint32_t state, ir_input_function *visit, void *arg) {
    const struct state *s = &g->states[state];
    for (uint32_t i = 0; i < s->locals + s->depth; i++) {
        node_id *in = &g->values[s->first + i];
        if (node_of(g, *in)->op == NODE_object) ir_object_inputs(g, *in, visit, arg);
        else if (*in != 0) visit(arg, in, true);
    }
}

void ir_inputs(struct ir *g, struct node *n, ir_input_function *visit, void *arg) {
    ir_operands(g, n, visit, arg);
    for (uint32_t state = n->state; state != 0; state = g->states[state].outer) ir_state_inputs(g, state, visit, arg);
}

void ir_free(struct ir *g) {
    free_scopes(g);
    mem_free(g->seen);
    mem_free(g->noted);
    mem_free(g->nodes);
    mem_free(g->blocks);
    mem_free(g->loops);
    mem_free(g->handlers);
    mem_free(g->states);
    mem_free(g->edges);
    mem_free(g->inputs);
    mem_free(g->values);
    mem_free(g->bits);
    mem_free(g->objects);
    mem_free(g->fields);
    mem_free(g->order);
    mem_free(g->block_at);
    mem_free(g->assigned);
}
