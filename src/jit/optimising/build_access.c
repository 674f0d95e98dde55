/* build_access.c — nodes of accesses by jdk.internal.misc.Unsafe (exec/unsafe_access.h), to which variable handles and
 * the library's concurrent collections come down. Their place is known to nobody: no access moves over one that stores
 * or is volatile, and none moves at all, since what says that there is such a place may be any branch. */
#include "jit/optimising/build.h"

#include "exec/unsafe_access.h"

/* ---- is the object none? ----------------------------------------------------------------------------------------- */

enum { MOST_LOOKED_AT = 400 };           /* nodes                                                                  */

/* A local that is no variable has a node each time that it is read. */
static bool is_same_value(const struct ir *g, node_id a, node_id b) {
    const struct node *x = node_of(g, a), *y = node_of(g, b);
    return a == b || (x->op == NODE_home && y->op == NODE_home && x->imm == y->imm);
}

static bool is_null(const struct ir *g, node_id n) { return is_constant(node_of(g, n)) && node_of(g, n)->imm == 0; }

/* Does the block's dominator lead to it only where o is not null? */
static bool is_behind_branch(const struct ir *g, block_id b, node_id o) {
    const struct block *above = block_of(g, block_of(g, b)->dominator);
    const struct node *n = node_of(g, above->last);
    if (n->op != NODE_branch || n->imm != 0 || !is_same_value(g, n->in[0], o) || !is_null(g, n->in[1])) return false;
    if (n->detail != COND_EQUAL && n->detail != COND_NOT_EQUAL) return false;
    return block_of(g, b)->predecessors == 1 && successor(g, above, n->detail == COND_EQUAL) == b;
}

/* Has a check or a branch, on every way there, found that it is an object? */
static bool is_known_object(const struct builder *b, node_id o) {
    const struct ir *g = b->g;
    if (node_of(g, o)->flags & NODE_NOT_NULL) return true;
    unsigned count = 0;
    for (block_id at = b->block;; at = block_of(g, at)->dominator) {
        for (node_id id = block_of(g, at)->last; id != 0 && count < MOST_LOOKED_AT; id = node_of(g, id)->before) {
            const struct node *n = node_of(g, id);
            count++;
            if (n->op == NODE_check_null && is_same_value(g, n->in[0], o)) return true;
        }
        if (at == ROOT || count >= MOST_LOOKED_AT) return false;
        if (is_behind_branch(g, at, o)) return true;
    }
}

/* ---- where ------------------------------------------------------------------------------------------------------- */

/* Made in this block, with no call since: its inputs need no home (home.h). */
static bool is_recent(const struct builder *b, node_id n) {
    const struct ir *g = b->g;
    node_id id = block_of(g, b->block)->last;
    while (id != 0 && id != n && node_of(g, id)->op != NODE_call) id = node_of(g, id)->before;
    return id != 0 && id == n;
}

/* What the machine adds up itself is no input. */
static void set_place(struct builder *b, struct node *n, node_id holder, node_id offset, bool is_strong) {
    const struct ir *g = b->g;
    struct raw_part p = {.is_strong = is_strong};
    const struct node *x = node_of(g, offset);
    n->in[0] = is_null(g, holder) ? 0 : holder;
    n->in[1] = offset;
    if (x->op == NODE_alu && x->detail == ALU_ADD && is_constant(node_of(g, x->in[1])) && is_recent(b, offset)) {
        p.displacement = (int32_t)node_of(g, x->in[1])->imm;
        n->in[1] = x->in[0];
    } else if (is_constant(x)) {
        p.displacement = (int32_t)x->imm;
        n->in[1] = 0;
    }
    x = node_of(g, n->in[1]);
    bool scales = n->in[0] != 0 && x->op == NODE_shift && x->detail == SHIFT_LEFT && is_constant(node_of(g, x->in[1]));
    if (scales && node_of(g, x->in[1])->imm >= 0 && node_of(g, x->in[1])->imm <= 3 && is_recent(b, n->in[1])) {
        p.shift = (uint8_t)node_of(g, x->in[1])->imm;
        n->in[1] = x->in[0];
    }
    n->imm = raw_imm(p);
}

/* ---- invocations ------------------------------------------------------------------------------------------------- */

static bool ends_with(const struct symbol *name, const char *end) {
    size_t n = strlen(end);
    return name->length >= n && memcmp(name->bytes + name->length - n, end, n) == 0;
}

/* The library makes the weaker forms of the strong one. Here stores, and loads, keep their order anyway. */
static bool is_asked_for_less(const struct builder *b, const struct method *m) {
    const struct method *by = b->c->code->method;
    if (by->holder != m->holder) return false;
    return ends_with(by->name, "Release") || ends_with(by->name, "Opaque") || ends_with(by->name, "loadFence") ||
           ends_with(by->name, "storeFence");
}

static void build_fence(struct builder *b, bool is_strong) {
    (void)build_null_check(b, pop_value(b, TYPE_REF));
    build_effect(b, (struct node){.op = NODE_fence, .flags = NODE_VOLATILE, .imm = is_strong});
}

static uint8_t op_of(const struct unsafe_access *x) {
    return x->kind == UNSAFE_GET ? NODE_load_raw : x->kind == UNSAFE_PUT ? NODE_store_raw : NODE_compare_raw;
}

static enum node_type type_given(const struct unsafe_access *x) {
    switch (x->kind) {
    case UNSAFE_PUT: return TYPE_NONE;
    case UNSAFE_COMPARE_AND_SET: return TYPE_INT;
    default: return type_of_kind(x->type);
    }
}

static void build_memory(struct builder *b, const struct unsafe_access *x, bool is_strong) {
    const enum node_type type = type_of_kind(x->type);
    bool is_plain_load = x->kind == UNSAFE_GET && !x->is_volatile;
    struct node n = {.op = op_of(x), .type = (uint8_t)type_given(x), .detail = (uint8_t)x->type,
                     .flags = is_plain_load ? NODE_STAYS : NODE_STAYS | NODE_VOLATILE};
    if (n.op == NODE_compare_raw) n.in[3] = pop_value(b, type);
    if (n.op != NODE_load_raw) n.in[2] = pop_value(b, type);
    node_id offset = pop_value(b, TYPE_LONG), holder = pop_value(b, TYPE_REF), unsafe = pop_value(b, TYPE_REF);
    if (!ir_goes_on(b->g)) return;
    n.guard = build_null_check(b, unsafe);
    if (!ir_goes_on(b->g)) return;
    set_place(b, &n, holder, offset, is_strong);
    if (x->type != 'L' && !is_known_object(b, holder)) n.state = build_state(b);
    node_id id = build_effect(b, n);
    if (n.type != TYPE_NONE && ir_goes_on(b->g)) push_value(b, id);
}

/* Those of the table that do it in an object: what is no object's may not be memory. */
static const struct exchange { const char *name; char type; bool adds; } exchanges[] = {
    {"get_and_add_int", 'I', true}, {"get_and_add_long", 'J', true},
    {"get_and_set_int", 'I', false}, {"get_and_set_long", 'J', false},
};

static const struct exchange *exchange_of(const struct builder *b, const struct method *m) {
    const char *name = intrinsic_of(m);
    for (size_t i = 0; i < ARRAY_LEN(exchanges); i++) {
        if (strcmp(exchanges[i].name, name) != 0) continue;
        node_id holder = b->now[b->g->locals + b->depth - b->c->places[b->bci].arguments + 1];
        return is_known_object(b, holder) ? &exchanges[i] : NULL;
    }
    return NULL;
}

bool build_exchange(struct builder *b, const struct method *m) {
    const struct exchange *x = exchange_of(b, m);
    if (x == NULL) return false;
    const enum node_type type = type_of_kind(x->type);
    struct node n = {.op = NODE_exchange_raw, .type = (uint8_t)type, .detail = (uint8_t)x->type,
                     .flags = NODE_STAYS | NODE_VOLATILE, .in[2] = pop_value(b, type)};
    node_id offset = pop_value(b, TYPE_LONG), holder = pop_value(b, TYPE_REF), unsafe = pop_value(b, TYPE_REF);
    n.guard = build_null_check(b, unsafe);
    if (!ir_goes_on(b->g)) return true;
    set_place(b, &n, holder, offset, x->adds);
    node_id id = build_effect(b, n);
    if (ir_goes_on(b->g)) push_value(b, id);
    return true;
}

bool build_access(struct builder *b) {
    struct unsafe_access x;
    const struct method *m = access_called(b->c);
    if (m == NULL || !unsafe_access_of(m, &x)) return false;
    (void)build_state(b);
    build_watch_check(b, WATCH_ANY | POLL_LIBRARY);
    bool is_strong = x.kind == UNSAFE_COMPARE_AND_EXCHANGE || (x.is_volatile && !is_asked_for_less(b, m));
    if (x.kind == UNSAFE_FENCE) build_fence(b, is_strong);
    else build_memory(b, &x, is_strong);
    return true;
}
