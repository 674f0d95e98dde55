/* use.c — phis whose inputs are one value, or themselves, are that value. Nodes that nobody wants go. */
#include "jit/optimising/ir.h"

#include "base/alloc.h"
#include "jit/optimising/home.h"

/* What all inputs but the phi itself are; 0: several. */
static node_id only_input(const struct ir *g, node_id id) {
    const struct node *n = node_of(g, id);
    node_id only = 0;
    for (uint32_t i = 0; i < block_of(g, n->block)->predecessors; i++) {
        node_id in = resolve(g, phi_input(g, n, i));
        if (in == id || in == only) continue;
        if (only != 0) return 0;
        only = in;
    }
    /* What lives across calls keeps its home, and no other.                                                    */
    const struct node *o = node_of(g, only);
    bool keeps_home = g->calls && only != 0 && !is_constant(o) && o->op != NODE_literal && home_of(o) != n->home;
    return keeps_home ? 0 : only;
}

static void use_leader(void *ir, node_id *in, bool in_state UNUSED) { *in = resolve(ir, *in); }

void ir_use_leaders(struct ir *g) {
    for (uint32_t i = 0; i < g->order_count; i++)
        for (node_id id = block_of(g, g->order[i])->first; id != 0; id = node_of(g, id)->next) {
            struct node *n = node_of(g, id);
            ir_operands(g, n, use_leader, g);
            n->guard = resolve(g, n->guard);
        }
    for (uint32_t s = 1; s < g->state_count; s++) ir_state_inputs(g, s, use_leader, g);
}

void simplify_phis(struct ir *g) {
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < g->order_count; i++)
            for (node_id id = block_of(g, g->order[i])->first, next; id != 0 && node_of(g, id)->op == NODE_phi;
                 id = next) {
                next = node_of(g, id)->next;
                node_id only = only_input(g, id);
                if (only == 0) continue;
                replace(g, id, only);
                ir_unlink(g, id);
                changed = true;
            }
    }
    ir_use_leaders(g);
}

struct marks { struct ir *g; node_id *waiting; uint32_t count; };

static void want(void *marks, node_id *in, bool in_state UNUSED) {
    struct marks *m = marks;
    struct node *n = node_of(m->g, *in);
    if (n->flags & NODE_USED) return;
    n->flags |= NODE_USED;
    m->waiting[m->count++] = *in;
}

static bool is_wanted(const struct node *n) { return group_of(n) >= GROUP_CHECK; }

static void mark(struct marks *m) {
    struct ir *g = m->g;
    for (uint32_t i = 0; i < g->order_count; i++)
        for (node_id id = block_of(g, g->order[i])->first; id != 0; id = node_of(g, id)->next)
            if (is_wanted(node_of(g, id))) want(m, &id, false);
    while (m->count > 0) {
        struct node *n = node_of(g, m->waiting[--m->count]);
        ir_operands(g, n, want, m);
        for (uint32_t s = n->state; s != 0 && !g->states[s].wanted; s = g->states[s].outer) {
            g->states[s].wanted = true;
            ir_state_inputs(g, s, want, m);
        }
    }
}

void remove_unused(struct ir *g) {
    for (node_id id = 0; id < g->node_count; id++) node_of(g, id)->flags &= (uint8_t)~NODE_USED;
    for (uint32_t s = 0; s < g->state_count; s++) g->states[s].wanted = false;
    struct marks m = {.g = g, .waiting = mem_alloc((g->node_count + 1) * sizeof *m.waiting)};
    if (m.waiting == NULL) {
        ir_declines(g, "out of memory");
        return;
    }
    mark(&m);
    mem_free(m.waiting);
    for (uint32_t i = 0; i < g->order_count; i++)
        for (node_id id = block_of(g, g->order[i])->first, next; id != 0; id = next) {
            next = node_of(g, id)->next;
            if (node_of(g, id)->flags & NODE_USED) continue;
            ir_unlink(g, id);
            node_of(g, id)->op = NODE_none;
            node_of(g, id)->type = TYPE_NONE;
        }
}
