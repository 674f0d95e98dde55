/* escape.c — objects that nobody but the method sees are not allocated: their fields are values.
 *
 * A new object *escapes* where its reference goes anywhere but to accesses of its own fields, checks whose answer its
 * class gives, comparisons, and states. What is called may look at the frames that call it, so an object that a
 * call's state holds escapes, too; and so does one that meets another in a phi.
 *
 * Of one that does not, loads become the values that were stored, through phis of the fields where ways meet; and a
 * state names a *virtual object* (ir.h), with the fields as they are where the frame leaves. That makes the object.
 * Nobody else can want its monitor. Where it is known at each place which frames hold it how often, and each state
 * there has the object, it is not entered, and a state names those frames. Whoever leaves enters it for them.
 *
 * What an object refers to may be virtual in its turn, once the stores into it are gone: so it is looked for several
 * times. */
#include "jit/optimising/ir.h"

#include "base/alloc.h"
#include "jit/optimising/call.h"
#include "jit/optimising/home.h"
#include "link/link.h"

enum { MOST_FIELDS = EXIT_MOST_FIELDS, MOST_ROUNDS = 4, MADE_KEPT = 16 };

struct escape {
    struct ir *g;
    node_id *whose;                      /* by node: the new object whose reference it is for certain; 0: none       */
    uint8_t *escapes;                    /* by node: of new objects                                                */
    uint32_t nodes;                      /* so many had been made when these were                                   */
    node_id user;
    /* the one that is being replaced */
    node_id object;
    struct virtual_object shape;         /* its fields; `first` is of no meaning                                    */
    node_id now[MOST_FIELDS];
    node_id *at_end;                     /* by block: the fields there                                             */
    struct held_monitors *held_at_end;   /* by block; what is held now is the shape's                               */
    node_id described;                   /* the `object` node for what the fields are now; 0: not made yet           */
    struct made { uint32_t from, to; } states[MADE_KEPT], others[MADE_KEPT];     /* ... with that in it               */
    uint32_t state_count, other_count;
};

static node_id whose(const struct escape *e, node_id n) { return n < e->nodes ? e->whose[n] : 0; }

static const struct class *class_of_new(const struct ir *g, node_id n) {
    return (const struct class *)(uintptr_t)node_of(g, n)->imm;
}

/* ---- fields ------------------------------------------------------------------------------------------------------ */

static char kind_of_field(const struct field *f) { return f->desc->bytes[0] == '[' ? 'L' : f->desc->bytes[0]; }

/* Appends those of the class and its superclasses to g->fields, if that can be an object that nobody sees. */
static bool list_fields(struct ir *g, const struct class *class, struct virtual_object *out) {
    *out = (struct virtual_object){.class = class, .fields = g->field_count};
    if (class->shape.kind != SHAPE_INSTANCE || class->shape.has_finalizer) return false;
    for (const struct class *k = class; k != NULL; k = k->super)
        for (uint32_t i = 0; i < k->field_count; i++) {
            const struct field *f = &k->fields[i];
            if (f->access_flags & ACC_STATIC) continue;
            if (f->cf == NULL || out->count == MOST_FIELDS) return false;        /* the VM's own                     */
            if (!make_room((void **)&g->fields, &g->field_capacity, g->field_count + 1, sizeof *g->fields))
                return false;
            g->fields[g->field_count++] = (struct object_field){f->offset, kind_of_field(f)};
            out->count++;
        }
    return true;
}

static char kind_of_access(const struct node *n) { return n->detail == '[' ? 'L' : (char)n->detail; }

/* The number of the field that n loads or stores; MOST_FIELDS: it is none of them. */
static uint32_t field_of(const struct ir *g, const struct virtual_object *o, const struct node *n) {
    for (uint32_t i = 0; i < o->count; i++) {
        const struct object_field *f = &g->fields[o->fields + i];
        if (f->offset == (uint64_t)n->imm && f->kind == kind_of_access(n)) return i;
    }
    return MOST_FIELDS;
}

/* ---- which objects escape ---------------------------------------------------------------------------------------- */

static bool is_subtype(const struct class *c, const struct node *check) {
    return class_is_subtype((struct class *)(uintptr_t)c, (struct class *)(uintptr_t)check->imm);
}

static bool has_callee(const struct class *c, const struct node *check) {
    const struct method *m = (const struct method *)(uintptr_t)check->imm;
    bool has = m->vtable_index >= 0 && (uint32_t)m->vtable_index < c->vtable_length;
    return has && class_is_subtype((struct class *)(uintptr_t)c, m->holder) && c->vtable[m->vtable_index] == m;
}

static bool may_be_in_state(const struct escape *e, const struct node *user, const node_id *in) {
    switch (user->op) {
    case NODE_call: case NODE_throw: case NODE_new_arrays: return false;
    case NODE_call_leaf: return !is_argument_of(e->g, user, in);
    default: return true;
    }
}

/* Is the answer, or what is done, known without the object? */
static bool may_be_used(const struct class *c, const struct node *user, const node_id *in) {
    switch (user->op) {
    case NODE_load_field: case NODE_copy: case NODE_check_null: case NODE_instance_of: return true;
    case NODE_store_field: return in == &user->in[0];
    case NODE_check_class: return user->imm == (intptr_t)c;
    case NODE_check_callee: return has_callee(c, user);
    case NODE_check_cast: return is_subtype(c, user);
    case NODE_branch: return user->detail == COND_EQUAL || user->detail == COND_NOT_EQUAL;
    case NODE_monitor_enter: case NODE_monitor_exit: return true;        /* but see has_monitors_in_order          */
    default: return false;
    }
}

static void look_at_use(void *escape, node_id *in, bool in_state) {
    struct escape *e = escape;
    const struct node *user = node_of(e->g, e->user);
    node_id o = whose(e, *in);
    if (o == 0) return;
    bool good = in_state ? may_be_in_state(e, user, in) : may_be_used(class_of_new(e->g, o), user, in);
    if (!good) e->escapes[o] = true;
}

static void find_escapes(struct escape *e) {
    struct ir *g = e->g;
    for (uint32_t i = 0; i < g->order_count; i++)
        for (node_id id = block_of(g, g->order[i])->first; id != 0; id = node_of(g, id)->next) {
            struct node *n = node_of(g, id);
            if (n->op == NODE_new_object) e->whose[id] = id;
            if (n->op == NODE_copy) e->whose[id] = e->whose[n->in[0]];
        }
    for (uint32_t i = 0; i < g->order_count; i++)
        for (node_id id = block_of(g, g->order[i])->first; id != 0; id = node_of(g, id)->next) {
            e->user = id;
            ir_inputs(g, node_of(g, id), look_at_use, e);
        }
}

/* ---- states ------------------------------------------------------------------------------------------------------ */

static uint32_t *room_for_inputs(struct ir *g, uint32_t count) {
    if (!make_room((void **)&g->inputs, &g->input_capacity, g->input_count + count + 1, sizeof *g->inputs)) {
        ir_declines(g, "out of memory");
        return NULL;
    }
    g->input_count += count;
    return g->inputs + g->input_count - count;
}

static node_id new_description(struct ir *g, struct virtual_object o, uint32_t first) {
    o.first = first;
    if (!make_room((void **)&g->objects, &g->object_capacity, g->object_count + 1, sizeof *g->objects)) {
        ir_declines(g, "out of memory");
        return 0;
    }
    g->objects[g->object_count] = o;
    return ir_new_node(g, (struct node){.op = NODE_object, .type = TYPE_REF, .flags = NODE_NOT_NULL,
                                        .imm = g->object_count++});
}

static node_id describe(struct escape *e) {
    if (e->described != 0) return e->described;
    uint32_t *inputs = room_for_inputs(e->g, e->shape.count);
    if (inputs == NULL) return 0;
    memcpy(inputs, e->now, e->shape.count * sizeof *inputs);
    e->state_count = e->other_count = 0;
    return e->described = new_description(e->g, e->shape, (uint32_t)(inputs - e->g->inputs));
}

static void changes(struct escape *e) { e->described = e->state_count = e->other_count = 0; }

static uint32_t made_of(const struct made *made, uint32_t count, uint32_t from) {
    for (uint32_t i = 0; i < count; i++)
        if (made[i].from == from) return made[i].to;
    return 0;
}

static void note_made(struct made *made, uint32_t *count, uint32_t from, uint32_t to) {
    if (*count < MADE_KEPT) made[(*count)++] = (struct made){from, to};
}

static bool is_it(const struct escape *e, node_id n) { return n != 0 && whose(e, resolve(e->g, n)) == e->object; }

/* The reference, or a virtual object that has it? */
static bool holds_it(const struct escape *e, node_id n) {
    if (node_of(e->g, n)->op != NODE_object) return is_it(e, n);
    const struct virtual_object *o = object_of(e->g, n);
    for (uint32_t i = 0; i < o->count; i++)
        if (holds_it(e, e->g->inputs[o->first + i])) return true;
    return false;
}

static bool state_holds_it(const struct escape *e, uint32_t state) {
    const struct ir *g = e->g;
    for (; state != 0; state = g->states[state].outer)
        for (uint32_t i = 0; i < g->states[state].locals + g->states[state].depth; i++)
            if (holds_it(e, g->values[g->states[state].first + i])) return true;
    return false;
}

/* What a state has in the place of n. Of another object that has the reference there must be one description, which all
 * its slots name: without room to note it the method is not compiled. */
static node_id instead_of(struct escape *e, node_id n) {
    struct ir *g = e->g;
    if (is_it(e, n)) return describe(e);
    if (n == 0 || !holds_it(e, n) || describe(e) == 0) return n;
    node_id there = made_of(e->others, e->other_count, n);
    if (there != 0) return there;
    const struct virtual_object o = *object_of(g, n);
    node_id fields[MOST_FIELDS];
    for (uint32_t i = 0; i < o.count; i++) fields[i] = instead_of(e, g->inputs[o.first + i]);
    uint32_t *inputs = room_for_inputs(g, o.count);
    if (inputs == NULL) return 0;
    memcpy(inputs, fields, o.count * sizeof *inputs);
    there = new_description(g, o, (uint32_t)(inputs - g->inputs));
    if (e->other_count == MADE_KEPT) ir_declines(g, "it has too many objects");
    note_made(e->others, &e->other_count, n, there);
    return there;
}

/* Of a BLOCK_BEFORE: its caller's state, 0: there is none. */
static uint32_t outer_before(const struct ir *g, block_id b) {
    const struct block *p = block_of(g, b);
    return p->outer != 0 ? p->outer : g->scopes[p->scope].state;
}

static bool before_holds_it(const struct escape *e, block_id b) {
    const struct ir *g = e->g;
    const struct block *p = block_of(g, b);
    const struct scope *s = &g->scopes[p->scope];
    for (uint32_t i = 0; i < s->locals + s->places[p->bci].depth; i++)
        if (holds_it(e, g->values[p->variables + i])) return true;
    return state_holds_it(e, outer_before(g, b));
}

/* The state as it is here. */
static uint32_t state_here(struct escape *e, uint32_t state) {
    struct ir *g = e->g;
    if (!ir_goes_on(g) || !state_holds_it(e, state) || describe(e) == 0) return state;
    uint32_t there = made_of(e->states, e->state_count, state);
    if (there != 0) return there;
    struct state s = g->states[state];
    uint32_t count = s.locals + s.depth, from = s.first;
    s.outer = state_here(e, s.outer);
    if (!make_room((void **)&g->values, &g->value_capacity, g->value_count + count, sizeof *g->values) ||
        !make_room((void **)&g->states, &g->state_capacity, g->state_count + 1, sizeof *g->states)) {
        ir_declines(g, "out of memory");
        return state;
    }
    s.first = g->value_count;
    g->value_count += count;
    for (uint32_t i = 0; i < count; i++) {
        node_id n = instead_of(e, g->values[from + i]);
        g->values[s.first + i] = n;
    }
    g->states[g->state_count] = s;
    note_made(e->states, &e->state_count, state, g->state_count);
    return g->state_count++;
}

/* ---- monitors ---------------------------------------------------------------------------------------------------- */

static bool uses_monitor(const struct escape *e, const struct node *n) {
    return (n->op == NODE_monitor_enter || n->op == NODE_monitor_exit) && is_it(e, n->in[0]);
}

static bool is_held_for(const struct held_monitors *h, int64_t scope) {
    for (uint32_t i = 0; i < h->count; i++)
        if (h->of[i].scope == scope) return true;
    return false;
}

/* The object's monitor is entered or left there. False: too often, or by a frame that has not entered it last. */
static bool note_monitor(struct held_monitors *h, const struct ir *g, node_id id) {
    const struct node *n = node_of(g, id);
    if (n->op == NODE_monitor_enter) {
        if (h->count == EXIT_MOST_MONITORS) return false;
        h->of[h->count++] = (struct held_monitor){id, (uint32_t)n->imm};
        return true;
    }
    return h->count != 0 && h->of[--h->count].scope == n->imm;
}

/* While it is held, may the node be there? Each state must have the object, and frames hold nothing when they are gone.
 * What else the same frame enters would have to come behind it on the lock stack. */
static bool may_be_held_at(const struct escape *e, const struct held_monitors *h, const struct node *n) {
    if (n->state != 0 && !state_holds_it(e, n->state)) return false;
    switch (n->op) {
    case NODE_monitor_enter: return is_it(e, n->in[0]) || !is_held_for(h, n->imm);
    case NODE_check_monitors: return !is_held_for(h, n->imm);
    case NODE_give: case NODE_throw: return false;
    default: return true;
    }
}

static bool same_monitors(const struct held_monitors *a, const struct held_monitors *b) {
    bool same = a->count == b->count;
    for (uint32_t i = 0; i < a->count && same; i++) same = a->of[i].enter == b->of[i].enter;
    return same;
}

/* What is held at the begin of the block: at the end of one before it that comes earlier in the order. */
static struct held_monitors held_before(const struct escape *e, block_id b) {
    const struct ir *g = e->g;
    const struct block *p = block_of(g, b);
    uint32_t i = 0;
    while (block_of(g, predecessor(g, p, i))->number >= p->number) i++;
    return e->held_at_end[predecessor(g, p, i)];
}

/* Is it known at the end of the block what is held there? */
static bool follow_monitors(struct escape *e, block_id b, node_id from, struct held_monitors *h) {
    const struct ir *g = e->g;
    for (node_id id = from; id != 0; id = node_of(g, id)->next) {
        const struct node *n = node_of(g, id);
        if (h->count != 0 && !may_be_held_at(e, h, n)) return false;
        if (uses_monitor(e, n) && !note_monitor(h, g, id)) return false;
    }
    e->held_at_end[b] = *h;
    return h->count == 0 || block_of(g, b)->kind != BLOCK_BEFORE || before_holds_it(e, b);
}

/* Where the object is new, or out of reach, nothing is held; and where ways meet, the same on each. */
static bool monitors_meet(const struct escape *e, block_id from, block_id b) {
    const struct ir *g = e->g;
    const struct block *p = block_of(g, b);
    for (uint32_t i = 0; i < p->successors; i++) {
        block_id to = successor(g, p, i);
        bool leaves = to == from || !dominates(g, from, to);
        const struct held_monitors there = leaves ? (struct held_monitors){0} : held_before(e, to);
        if (!same_monitors(&e->held_at_end[b], &there)) return false;
    }
    return true;
}

static bool has_monitors_in_order(struct escape *e) {
    const struct ir *g = e->g;
    block_id from = node_of(g, e->object)->block;
    struct held_monitors held = {0};
    bool good = follow_monitors(e, from, node_of(g, e->object)->next, &held);
    for (uint32_t i = block_of(g, from)->number + 1; i < g->order_count && good; i++) {
        block_id b = g->order[i];
        if (!dominates(g, from, b)) continue;
        held = held_before(e, b);
        good = follow_monitors(e, b, block_of(g, b)->first, &held);
    }
    for (uint32_t i = block_of(g, from)->number; i < g->order_count && good; i++)
        if (dominates(g, from, g->order[i])) good = monitors_meet(e, from, g->order[i]);
    return good;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* What n becomes when it is folded, or n itself in front of `at`. */
static node_id insert_value(struct ir *g, node_id at, struct node n) {
    n.bci = node_of(g, at)->bci;
    node_id there = fold_node(g, &n);
    if (there != 0) return there;
    there = ir_new_node(g, n);
    if (there != 0 && n.op != NODE_constant) ir_insert(g, at, there);
    return there;
}

static node_id narrowed(struct ir *g, node_id at, char kind, node_id v) {
    const uint8_t op = kind == 'B' ? OP_i2b : kind == 'C' ? OP_i2c : OP_i2s;
    if (kind != 'B' && kind != 'C' && kind != 'S') return v;
    return insert_value(g, at, (struct node){.op = NODE_convert, .type = TYPE_INT, .detail = op, .in = {v}});
}

/* What a field holds that v is stored to. A value whose home is a variable's is not that any more when the variable has
 * another one (home.h). */
static node_id stored(struct ir *g, node_id at, char kind, node_id v) {
    v = narrowed(g, at, kind, v);
    const struct node *x = node_of(g, v);
    if (!ir_goes_on(g) || !g->calls || is_constant(x) || x->op == NODE_home || home_of(x) == NO_HOME) return v;
    uint8_t kept = x->flags & (NODE_NOT_NULL | NODE_CAST | NODE_BYTES);
    return insert_value(g, at, (struct node){.op = NODE_copy, .type = x->type, .flags = kept, .in = {v}});
}

/* What a new object has. */
static void set_defaults(struct escape *e) {
    for (uint32_t i = 0; i < e->shape.count && ir_goes_on(e->g); i++) {
        enum node_type type = type_of_kind(e->g->fields[e->shape.fields + i].kind);
        uint8_t op = is_float_type((uint8_t)type) ? NODE_literal : NODE_constant;
        e->now[i] = insert_value(e->g, e->object, (struct node){.op = op, .type = (uint8_t)type});
    }
}

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

static node_id *at_end_of(const struct escape *e, block_id b) { return e->at_end + (size_t)b * e->shape.count; }

static node_id new_phi(struct escape *e, block_id b, uint32_t field) {
    struct ir *g = e->g;
    uint32_t count = block_of(g, b)->predecessors;
    uint32_t *inputs = room_for_inputs(g, count);
    if (inputs == NULL) return 0;
    memset(inputs, 0, count * sizeof *inputs);
    node_id at = block_of(g, b)->first;
    enum node_type type = type_of_kind(g->fields[e->shape.fields + field].kind);
    return insert_value(g, at, (struct node){.op = NODE_phi, .type = (uint8_t)type,
                                             .imm = (int64_t)(inputs - g->inputs)});
}

/* A block all of whose predecessors are behind the new object. Of a loop's header some come later: close_phis. */
static void enter_block(struct escape *e, block_id b) {
    struct ir *g = e->g;
    const struct block p = *block_of(g, b);
    changes(e);
    e->shape.held = held_before(e, b);
    for (uint32_t i = 0; i < e->shape.count && ir_goes_on(g); i++) {
        bool same = !p.is_header;
        node_id first = at_end_of(e, predecessor(g, &p, 0))[i];
        for (uint32_t k = 1; k < p.predecessors && same; k++) same = at_end_of(e, predecessor(g, &p, k))[i] == first;
        e->now[i] = same ? first : new_phi(e, b, i);
        if (same) continue;
        const struct node *phi = node_of(g, e->now[i]);
        for (uint32_t k = 0; k < p.predecessors && e->now[i] != 0; k++)
            g->inputs[(uint32_t)phi->imm + k] = at_end_of(e, predecessor(g, &p, k))[i];
    }
}

/* The phis of a header come first, those of the last field before the others. */
static void close_phis(struct escape *e, block_id b) {
    struct ir *g = e->g;
    const struct block *p = block_of(g, b);
    node_id phi = p->first;
    for (uint32_t i = e->shape.count; i-- > 0; phi = node_of(g, phi)->next)
        for (uint32_t k = 0; k < p->predecessors; k++)
            g->inputs[(uint32_t)node_of(g, phi)->imm + k] = at_end_of(e, predecessor(g, p, k))[i];
}

static void remove_node(struct ir *g, node_id id) {
    ir_unlink(g, id);
    node_of(g, id)->op = NODE_none;
    node_of(g, id)->type = TYPE_NONE;
    node_of(g, id)->state = 0;
}

/* It is equal to nothing but itself. */
static void decide_branch(struct escape *e, node_id id) {
    struct ir *g = e->g;
    bool same = is_it(e, node_of(g, id)->in[0]) && is_it(e, node_of(g, id)->in[1]);
    for (unsigned i = 0; i < 2 && ir_goes_on(g); i++) {
        node_id n = ir_new_node(g, (struct node){.op = NODE_constant, .type = TYPE_INT, .imm = i == 0 && !same});
        node_of(g, id)->in[i] = n;
    }
}

static void store(struct escape *e, node_id id) {
    struct ir *g = e->g;
    uint32_t field = field_of(g, &e->shape, node_of(g, id));
    e->now[field] = stored(g, id, g->fields[e->shape.fields + field].kind, resolve(g, node_of(g, id)->in[1]));
    changes(e);
    remove_node(g, id);
}

static void replace_by(struct ir *g, node_id id, node_id by) {
    if (!ir_goes_on(g)) return;
    replace(g, id, by);
    ir_unlink(g, id);
}

static void replace_use(struct escape *e, node_id id) {
    struct ir *g = e->g;
    const struct node n = *node_of(g, id);
    if (!is_it(e, n.in[0]) && !(n.op == NODE_branch && is_it(e, n.in[1]))) return;
    switch (n.op) {
    case NODE_load_field: replace_by(g, id, e->now[field_of(g, &e->shape, &n)]); break;
    case NODE_store_field: store(e, id); break;
    case NODE_branch: decide_branch(e, id); break;
    case NODE_monitor_enter: case NODE_monitor_exit:
        (void)note_monitor(&e->shape.held, g, id);
        changes(e);
        remove_node(g, id);
        break;
    case NODE_instance_of:
        replace_by(g, id, ir_new_node(g, (struct node){.op = NODE_constant, .type = TYPE_INT,
                                                       .imm = is_subtype(e->shape.class, &n)}));
        break;
    default: remove_node(g, id); break;  /* copies, and checks that hold                                            */
    }
}

/* The variables with which checks leave that move there, and the caller's: state_before. */
static void end_block(struct escape *e, block_id b) {
    struct ir *g = e->g;
    const struct block *p = block_of(g, b);
    memcpy(at_end_of(e, b), e->now, e->shape.count * sizeof *e->now);
    e->held_at_end[b] = e->shape.held;
    if (p->kind != BLOCK_BEFORE) return;
    const struct scope *s = &g->scopes[p->scope];
    uint32_t count = s->locals + s->places[p->bci].depth, variables = p->variables;
    for (uint32_t i = 0; i < count && ir_goes_on(g); i++) {
        node_id n = instead_of(e, g->values[variables + i]);
        g->values[variables + i] = n;
    }
    uint32_t outer = state_here(e, outer_before(g, b));
    block_of(g, b)->outer = outer;
}

static void replace_in_block(struct escape *e, block_id b, node_id from) {
    struct ir *g = e->g;
    for (node_id id = from, next; id != 0 && ir_goes_on(g); id = next) {
        next = node_of(g, id)->next;
        uint32_t state = state_here(e, node_of(g, id)->state);
        node_of(g, id)->state = state;
        replace_use(e, id);
    }
    if (ir_goes_on(g)) end_block(e, b);
}

/* All uses are in blocks that the object's dominates, and all ways to those come from it. */
static void replace_all_uses(struct escape *e) {
    struct ir *g = e->g;
    block_id from = node_of(g, e->object)->block;
    changes(e);
    set_defaults(e);
    if (ir_goes_on(g)) replace_in_block(e, from, node_of(g, e->object)->next);
    for (uint32_t i = block_of(g, from)->number + 1; i < g->order_count && ir_goes_on(g); i++) {
        block_id b = g->order[i];
        if (!dominates(g, from, b)) continue;
        enter_block(e, b);
        if (ir_goes_on(g)) replace_in_block(e, b, block_of(g, b)->first);
    }
    for (uint32_t i = block_of(g, from)->number + 1; i < g->order_count && ir_goes_on(g); i++)
        if (dominates(g, from, g->order[i]) && block_of(g, g->order[i])->is_header) close_phis(e, g->order[i]);
    remove_node(g, e->object);
    g->allocations = ALLOCATIONS_ELIDED;
}

static bool has_monitor_used(const struct escape *e) {
    for (node_id id = 1; id < e->nodes; id++)
        if (node_of(e->g, id)->same == 0 && uses_monitor(e, node_of(e->g, id))) return true;
    return false;
}

static bool has_only_own_fields(const struct escape *e, node_id object) {
    const struct ir *g = e->g;
    for (node_id id = 1; id < e->nodes; id++) {
        const struct node *n = node_of(g, id);
        bool accesses = n->op == NODE_load_field || n->op == NODE_store_field;
        if (!accesses || n->same != 0 || whose(e, n->in[0]) != object) continue;
        if (field_of(g, &e->shape, n) == MOST_FIELDS) return false;
    }
    return true;
}

/* True: it is gone. */
static bool replace_object(struct escape *e, node_id object) {
    struct ir *g = e->g;
    e->object = object;
    if (!list_fields(g, class_of_new(g, object), &e->shape) || !has_only_own_fields(e, object)) return false;
    e->at_end = mem_calloc((size_t)g->block_count * e->shape.count + 1, sizeof *e->at_end);
    e->held_at_end = mem_calloc(g->block_count, sizeof *e->held_at_end);
    bool is_told = true;
    if (e->at_end == NULL || e->held_at_end == NULL) ir_declines(g, "out of memory");
    else if (has_monitor_used(e)) is_told = g->elides_monitors && has_monitors_in_order(e);
    if (ir_goes_on(g) && is_told) replace_all_uses(e);
    mem_free(e->at_end);
    mem_free(e->held_at_end);
    return is_told;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static void forget_guards(struct ir *g) {
    for (node_id id = 1; id < g->node_count; id++)
        if (node_of(g, node_of(g, id)->guard)->op == NODE_none) node_of(g, id)->guard = 0;
}

static bool replace_those_that_stay(struct ir *g) {
    struct escape e = {.g = g, .nodes = g->node_count};
    bool found = false;
    e.whose = mem_calloc(e.nodes, sizeof *e.whose);
    e.escapes = mem_zalloc(e.nodes);
    if (e.whose == NULL || e.escapes == NULL) ir_declines(g, "out of memory");
    else find_escapes(&e);
    for (node_id id = 1; id < e.nodes && ir_goes_on(g); id++)
        if (e.whose[id] == id && !e.escapes[id]) found |= replace_object(&e, id);
    mem_free(e.whose);
    mem_free(e.escapes);
    return found && ir_goes_on(g);
}

static bool has_new_objects(const struct ir *g) {
    for (node_id id = 1; id < g->node_count; id++)
        if (node_of(g, id)->op == NODE_new_object) return true;
    return false;
}

void replace_objects(struct ir *g) {
    if (!g->elides || !has_new_objects(g)) return;
    if (g->allocations_watched) {
        g->allocations = ALLOCATIONS_WATCHED;
        return;
    }
    for (unsigned i = 0; i < MOST_ROUNDS && ir_goes_on(g); i++) {
        if (!replace_those_that_stay(g)) break;
        forget_guards(g);
        simplify_phis(g);
    }
}
