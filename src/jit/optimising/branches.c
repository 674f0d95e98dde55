/* branches.c — branches whose outcome is known on all ways that lead to them: mostly by what an inlined method gives,
 * true or false. The ways go on where the branch would lead them.
 *
 *      iconst_1  ---+                                              iconst_1  --->  taken
 *                   +--->  phi, jump  --->  branch != phi 0        iconst_0  --->  other
 *      iconst_0  ---+
 *
 * What lies between must do nothing else, and nobody may want its values: the ways do without them.
 *
 * In the end a branch by what an instanceof gives asks that itself, without a value. */
#include "jit/optimising/ir.h"

#include "base/alloc.h"

struct finder {
    struct ir *g;
    uint32_t *uses;                      /* by node                                                                */
    bool changed;
};

/* From a phi, or its lowest bit, to a branch by it. */
struct way {
    block_id from, to;                   /* the phi's block and the branch's, which may be the same                */
    node_id phi, value;                  /* ... and what has become of it on the way                               */
    bool is_bit;
};

static void count_use(void *finder, node_id *in, bool in_state UNUSED) { ((struct finder *)finder)->uses[*in]++; }

/* Those before loops, too, that states made later will have (loop.c). */
static void count_uses(struct finder *f) {
    struct ir *g = f->g;
    for (uint32_t i = 0; i < g->order_count; i++)
        for (node_id id = block_of(g, g->order[i])->first; id != 0; id = node_of(g, id)->next)
            ir_inputs(g, node_of(g, id), count_use, f);
    for (uint32_t k = 0; k < g->loop_count; k++) {
        const struct block *before = block_of(g, g->loops[k].before);
        for (uint32_t v = 0; v < g->scopes[before->scope].variables; v++)
            f->uses[resolve(g, g->values[before->variables + v])]++;
    }
}

/* Is the block passed by nobody but who comes from its only predecessor, and has it no other begin? */
static bool is_passed_on(const struct block *p) {
    return p->predecessors == 1 && !p->is_header && p->kind != BLOCK_BEFORE && p->kind != BLOCK_ENTRY;
}

/* Does the node stand on the way and do something for it, or nothing at all? */
static bool goes_along(const struct finder *f, struct way *w, node_id id) {
    const struct ir *g = f->g;
    const struct node *n = node_of(g, id);
    if (n->op == NODE_phi || group_of(n) == GROUP_VALUE || n->op == NODE_copy) {
        if (id == w->phi || f->uses[id] == 0) return true;
        if (n->in[0] != w->value || f->uses[w->value] != 1) return false;
        bool is_bit = n->op == NODE_alu && n->detail == ALU_AND && is_constant(node_of(g, n->in[1])) &&
                      node_of(g, n->in[1])->imm == 1;
        if (!is_bit && n->op != NODE_copy) return false;
        w->is_bit |= is_bit;
        w->value = id;
        return true;
    }
    return false;
}

static bool find_branch(const struct finder *f, struct way *w) {
    const struct ir *g = f->g;
    for (uint32_t steps = 0; steps < g->block_count; steps++) {
        const struct block *p = block_of(g, w->to);
        node_id id = p->first;
        while (id != p->last && goes_along(f, w, id)) id = node_of(g, id)->next;
        const struct node *end = node_of(g, id);
        if (id != p->last) return false;
        if (end->op == NODE_branch)
            return end->in[0] == w->value && end->imm == 0 && f->uses[w->value] == 1 &&
                   is_constant(node_of(g, end->in[1]));
        if (end->op != NODE_jump || !is_passed_on(block_of(g, successor(g, p, 0)))) return false;
        w->to = successor(g, p, 0);
    }
    return false;
}

static bool holds(enum asm_cond cond, int64_t x, int64_t y) {
    switch (cond) {
    case COND_EQUAL: return x == y;
    case COND_NOT_EQUAL: return x != y;
    case COND_LESS: return x < y;
    case COND_NOT_LESS: return x >= y;
    case COND_GREATER: return x > y;
    default: return x <= y;
    }
}

/* Where the way by that predecessor of the phi's block leads; ROOT: that is not known. */
static block_id outcome(const struct ir *g, const struct way *w, uint32_t i) {
    const struct node *in = node_of(g, phi_input(g, node_of(g, w->phi), i));
    const struct block *from = block_of(g, w->from), *to = block_of(g, w->to);
    const struct block *p = block_of(g, predecessor(g, from, i));
    if (!is_constant(in) || p->kind == BLOCK_ENTRY || p->successors != 1) return ROOT;
    const struct node *branch = node_of(g, to->last);
    int64_t x = w->is_bit ? in->imm & 1 : in->imm;
    return successor(g, to, holds((enum asm_cond)branch->detail, x, node_of(g, branch->in[1])->imm) ? 0 : 1);
}

/* The block's predecessors are those from now on; there is room. */
static void set_predecessors(struct ir *g, block_id b, const block_id *from, uint32_t count) {
    block_of(g, b)->first_predecessor = g->edge_count;
    block_of(g, b)->predecessors = count;
    memcpy(g->edges + g->edge_count, from, count * sizeof *from);
    g->edge_count += count;
}

static void remove_block(struct ir *g, block_id b) {
    struct block *p = block_of(g, b);
    for (node_id id = p->first, next; id != 0; id = next) {
        next = node_of(g, id)->next;
        *node_of(g, id) = (struct node){.op = NODE_none};
    }
    p->first = p->last = 0;
    p->predecessors = p->successors = 0;
}

/* Nobody takes the way any more: its blocks go. */
static void remove_way(struct ir *g, const struct way *w) {
    for (block_id b = w->from, next;; b = next) {
        next = b != w->to ? successor(g, block_of(g, b), 0) : ROOT;
        remove_block(g, b);
        if (next == ROOT) return;
    }
}

/* Leads all ways past the branch. `lists`: room for two lists of predecessors. */
static void lead_past(struct finder *f, const struct way *w, block_id *lists) {
    struct ir *g = f->g;
    const uint32_t count = block_of(g, w->from)->predecessors;
    const block_id taken = successor(g, block_of(g, w->to), 0), other = successor(g, block_of(g, w->to), 1);
    block_id *to_taken = lists, *to_other = lists + count;
    uint32_t takes = 0, others = 0;
    for (uint32_t i = 0; i < count; i++) {
        block_id from = predecessor(g, block_of(g, w->from), i), to = outcome(g, w, i);
        g->edges[block_of(g, from)->first_successor] = to;
        if (to == taken) to_taken[takes++] = from;
        else to_other[others++] = from;
    }
    set_predecessors(g, taken, to_taken, takes);
    set_predecessors(g, other, to_other, others);
    remove_way(g, w);
    f->changed = true;
}

static bool has_no_phis(const struct ir *g, block_id b) {
    return is_passed_on(block_of(g, b)) && node_of(g, block_of(g, b)->first)->op != NODE_phi;
}

/* Is the outcome known on all ways, and not the same? Did the branch stay for some, an edge would lead from a block
 * that has two to one where several meet. */
static bool may_lead_past(const struct ir *g, const struct way *w) {
    const struct block *to = block_of(g, w->to);
    block_id taken = successor(g, to, 0), other = successor(g, to, 1);
    if (taken == other || !has_no_phis(g, taken) || !has_no_phis(g, other)) return false;
    uint32_t takes = 0, count = block_of(g, w->from)->predecessors;
    for (uint32_t i = 0; i < count; i++) {
        block_id there = outcome(g, w, i);
        if (there == ROOT) return false;
        takes += there == taken;
    }
    return takes != 0 && takes < count;
}

static void look_at(struct finder *f, block_id b) {
    struct ir *g = f->g;
    const struct block *p = block_of(g, b);
    if (p->predecessors < 2 || p->is_header || p->kind == BLOCK_BEFORE) return;
    for (node_id id = p->first; node_of(g, id)->op == NODE_phi; id = node_of(g, id)->next) {
        struct way w = {.from = b, .to = b, .phi = id, .value = id};
        if (node_of(g, id)->type != TYPE_INT || !find_branch(f, &w) || !may_lead_past(g, &w)) continue;
        uint32_t room = 2 * p->predecessors;
        block_id *lists = mem_calloc(room, sizeof *lists);
        if (lists == NULL || !make_room((void **)&g->edges, &g->edge_capacity, g->edge_count + room, sizeof *g->edges))
            ir_declines(g, "out of memory");
        else lead_past(f, &w, lists);
        mem_free(lists);
        return;
    }
}

/* What has been removed is in no order. */
static void set_order_anew(struct ir *g) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < g->order_count; i++)
        if (block_of(g, g->order[i])->last != 0) g->order[count++] = g->order[i];
    g->order_count = count;
    for (uint32_t i = 0; i < count; i++) block_of(g, g->order[i])->number = i;
}

void lead_past_branches(struct ir *g) {
    struct finder f = {.g = g, .uses = mem_calloc(g->node_count, sizeof *f.uses)};
    if (f.uses == NULL) {
        ir_declines(g, "out of memory");
        return;
    }
    count_uses(&f);
    for (uint32_t i = 0; i < g->order_count && ir_goes_on(g); i++) look_at(&f, g->order[i]);
    mem_free(f.uses);
    if (!f.changed || !ir_goes_on(g)) return;
    set_order_anew(g);
    cfg_dominators(g);
}

/* ---- branches that ask themselves -------------------------------------------------------------------------------- */

/* Is nothing called between the two, of one block, so that the test may be made later? */
static bool may_come_later(const struct ir *g, node_id test, node_id branch) {
    for (node_id id = branch; id != 0; id = node_of(g, id)->before) {
        if (id == test) return true;
        if (node_of(g, id)->op == NODE_call) return false;
    }
    return false;
}

static void fuse(const struct finder *f, node_id id) {
    struct ir *g = f->g;
    struct node *n = node_of(g, id);
    bool tests = n->op == NODE_branch && (n->imm == 0 || n->imm == OP_lcmp) &&
                 (n->detail == COND_EQUAL || n->detail == COND_NOT_EQUAL);
    if (!tests || !is_constant(node_of(g, n->in[1])) || node_of(g, n->in[1])->imm != 0) return;
    struct node *test = node_of(g, n->in[0]);
    bool tests_bits = test->op == NODE_alu && test->detail == ALU_AND;
    if ((test->op != NODE_instance_of && !tests_bits) || f->uses[n->in[0]] != 1 || !may_come_later(g, n->in[0], id))
        return;
    node_id gone = n->in[0];
    n->op = tests_bits ? NODE_branch : NODE_branch_instance;
    n->imm = tests_bits ? OP_iand : test->imm;
    n->in[0] = test->in[0];
    n->in[1] = tests_bits ? test->in[1] : 0;
    ir_unlink(g, gone);
    *test = (struct node){.op = NODE_none};
}

void fuse_tests(struct ir *g) {
    struct finder f = {.g = g, .uses = mem_calloc(g->node_count, sizeof *f.uses)};
    if (f.uses == NULL) {
        ir_declines(g, "out of memory");
        return;
    }
    count_uses(&f);
    for (uint32_t i = 0; i < g->order_count; i++) fuse(&f, block_of(g, g->order[i])->last);
    mem_free(f.uses);
}
