/* gvn.c — of nodes that compute or check the same, the one that dominates the others stands for all; a check for null,
 * or of a class, also goes where a branch has asked that. Blocks are looked at in the order of g->order, dominators
 * first. */
#include "jit/optimising/ir.h"

#include "base/alloc.h"

struct table {
    node_id *slots;
    uint32_t size;                       /* a power of two                                                         */
    uint32_t memory, memories;           /* which one loads see now; how many there have been                       */
    uint32_t polls, all_polls;           /* where threads may have stopped last, by number; how many such places     */
    uint32_t calls, all_calls;           /* behind which calls values are computed now; how many there have been    */
    node_id watch;                       /* the check_watch that was made last on the way here; 0: none             */
    bool follows_watch;                  /* there is no other way from it than the one here                         */
};

static uint32_t hash_of(const struct node *n) {
    uint64_t h = n->op | (uint64_t)n->type << 8 | (uint64_t)n->detail << 16;
    for (unsigned i = 0; i < NODE_INPUTS; i++) h = (h ^ n->in[i]) * 0x9e3779b97f4a7c15u;
    h = (h ^ (uint64_t)n->imm) * 0x9e3779b97f4a7c15u ^ n->memory;
    return (uint32_t)(h >> 32);
}

static bool is_same(const struct node *x, const struct node *y) {
    return x->op == y->op && x->type == y->type && x->detail == y->detail && x->imm == y->imm &&
           x->memory == y->memory && memcmp(x->in, y->in, sizeof x->in) == 0;
}

static void use_leader(void *ir, node_id *in, bool in_state UNUSED) { *in = resolve(ir, *in); }

static bool is_commutative(const struct node *n) {
    return n->op == NODE_multiply || (n->op == NODE_alu && n->detail != ALU_SUB) ||
           (n->op == NODE_float_binary && (n->detail == FLOAT_ADD || n->detail == FLOAT_MUL));
}

/* A store, and what orders accesses, begin another memory. A value is not kept across a call: it has no home. */
static void look_at_memory(struct table *t, struct node *n) {
    if (group_of(n) == GROUP_READ && !(n->flags & NODE_FINAL)) n->memory = t->memory;
    else if (n->type != TYPE_NONE && n->op != NODE_home && n->op != NODE_literal) n->memory = t->calls;
    if (n->op == NODE_call) {
        t->memory = ++t->memories;
        t->polls = ++t->all_polls;
        t->calls = ++t->all_calls;
    }
    if (is_store(n) || n->flags & NODE_VOLATILE) t->memory = ++t->memories;
}

/* Watching begins where a thread stops. */
static void look_at_polls(struct table *t, struct node *n) {
    if (n->op == NODE_check_watch || n->op == NODE_check_leaf) n->memory = t->polls;
    if (group_of(n) == GROUP_EFFECT && !is_store(n)) t->polls = ++t->all_polls;
}

/* Where one way leads to the block, it sees what that has left. */
static void see_from(struct ir *g, struct table *t, const struct block *b) {
    const struct block *before = b->predecessors == 1 ? block_of(g, predecessor(g, b, 0)) : NULL;
    if (before != NULL && before->kind == BLOCK_ENTRY) before = NULL;
    t->memory = before != NULL ? before->memory : ++t->memories;
    t->polls = before != NULL ? before->polls : ++t->all_polls;
    t->watch = before != NULL ? before->watch : 0;
    t->follows_watch = before != NULL && before->follows_watch && before->successors == 1;
}

/* Has nobody begun to watch since it was asked the last time? The first asks for those that follow it in any case: what
 * would leave there leaves here. */
static bool is_asked(struct ir *g, struct table *t, node_id id) {
    struct node *n = node_of(g, id), *last = node_of(g, t->watch);
    if (n->op != NODE_check_watch) return false;
    bool is_recent = t->watch != 0 && last->memory == t->polls;
    if (is_recent && t->follows_watch) last->imm |= n->imm;
    if (is_recent && (last->imm & n->imm) == n->imm) {
        replace(g, id, t->watch);
        ir_unlink(g, id);
        return true;
    }
    t->watch = id;
    t->follows_watch = true;
    return false;
}

/* As far as all ways to the block have called the same. Nothing but what their loop reads comes in by entries. */
static uint32_t calls_at(struct ir *g, struct table *t, block_id block) {
    const struct block *b = block_of(g, block);
    uint32_t found = 0;
    bool differ = b->predecessors == 0;
    for (uint32_t k = 0; b->is_header && k < g->loop_count; k++)
        differ |= g->loops[k].header == block && g->loops[k].calls;
    for (uint32_t i = 0; i < b->predecessors; i++) {
        const struct block *p = block_of(g, predecessor(g, b, i));
        if (p->kind == BLOCK_ENTRY || p->number >= b->number) continue;
        differ |= found != 0 && p->calls != found;
        found = p->calls;
    }
    return differ || found == 0 ? ++t->all_calls : found;
}

static void number_node(struct ir *g, struct table *t, node_id id) {
    struct node *n = node_of(g, id);
    ir_operands(g, n, use_leader, g);    /* states get theirs at the end                                           */
    n->guard = resolve(g, n->guard);
    look_at_memory(t, n);
    look_at_polls(t, n);
    bool may_be_same = group_of(n) == GROUP_VALUE || group_of(n) == GROUP_CHECK || group_of(n) == GROUP_READ;
    if (!may_be_same || n->flags & NODE_VOLATILE || is_asked(g, t, id)) return;
    if (is_commutative(n) && n->in[0] > n->in[1] && !is_constant(node_of(g, n->in[1]))) {
        node_id first = n->in[0];
        n->in[0] = n->in[1];
        n->in[1] = first;
    }
    for (uint32_t i = hash_of(n) & (t->size - 1);; i = (i + 1) & (t->size - 1)) {
        node_id other = t->slots[i];
        if (other == 0) {
            t->slots[i] = id;
            return;
        }
        if (!is_same(node_of(g, other), n)) continue;
        if (dominates(g, node_of(g, other)->block, n->block)) {
            replace(g, id, other);
            ir_unlink(g, id);
        } else {
            t->slots[i] = id;
        }
        return;
    }
}

/* Whoever checks o in the block, and behind it, finds it done. */
static void note_check(struct ir *g, struct table *t, block_id b, uint8_t op, node_id o, int64_t class) {
    struct node n = {.op = op, .flags = NODE_BRANCHED, .block = b, .in = {o}, .imm = class};
    uint32_t i = hash_of(&n) & (t->size - 1);
    while (t->slots[i] != 0 && !is_same(node_of(g, t->slots[i]), &n)) i = (i + 1) & (t->size - 1);
    if (t->slots[i] != 0 && dominates(g, node_of(g, t->slots[i])->block, b)) return;
    node_id id = ir_new_node(g, n);
    if (id != 0) t->slots[i] = id;
}

/* What the branch says that leads to the block, if nothing else does: o != null, o instanceof C, o's class is C. */
static void note_branch(struct ir *g, struct table *t, block_id b) {
    const struct block *p = block_of(g, b);
    if (p->predecessors != 1) return;
    const struct block *above = block_of(g, predecessor(g, p, 0));
    const struct node *n = node_of(g, above->last);
    if (n->op == NODE_branch_class) {
        if (successor(g, above, 0) == b) note_check(g, t, b, NODE_check_class, n->in[0], n->imm);
        return;
    }
    if (n->op != NODE_branch || n->imm != 0 || (n->detail != COND_EQUAL && n->detail != COND_NOT_EQUAL)) return;
    const struct node *x = node_of(g, n->in[0]), *y = node_of(g, n->in[1]);
    bool not_zero = successor(g, above, n->detail == COND_NOT_EQUAL ? 0 : 1) == b;
    if (!not_zero || !is_constant(y) || y->imm != 0 || successor(g, above, 0) == successor(g, above, 1)) return;
    if (x->type == TYPE_REF) {
        note_check(g, t, b, NODE_check_null, n->in[0], 0);
    } else if (x->op == NODE_instance_of) {
        node_id o = x->in[0];
        int64_t class = x->imm;
        note_check(g, t, b, NODE_check_null, o, 0);
        note_check(g, t, b, NODE_check_cast, o, class);
    }
}

void number_values(struct ir *g) {
    struct table t = {.size = 64};
    enum { MOST_NOTED = 2 };             /* of a block                                                             */
    while (t.size < 2 * (g->node_count + MOST_NOTED * g->order_count)) t.size *= 2;
    t.slots = mem_calloc(t.size, sizeof *t.slots);
    if (t.slots == NULL) {
        ir_declines(g, "out of memory");
        return;
    }
    for (uint32_t i = 0; i < g->order_count; i++) {
        struct block *b = block_of(g, g->order[i]);
        see_from(g, &t, b);
        t.calls = calls_at(g, &t, g->order[i]);
        note_branch(g, &t, g->order[i]);
        for (node_id id = b->first, next; id != 0; id = next) {
            next = node_of(g, id)->next;
            number_node(g, &t, id);
        }
        b->memory = t.memory;
        b->polls = t.polls;
        b->calls = t.calls;
        b->watch = t.watch;
        b->follows_watch = t.follows_watch;
    }
    ir_use_leaders(g);
    mem_free(t.slots);
}
