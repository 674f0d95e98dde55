/* build.c — blocks of nodes from bytecode. Blocks are built in g->order, so that what leads to a block has been built
 * before it, but for a loop's own branches: its header has a phi for each variable that the loop assigns, whose inputs
 * from there come last. After Braun and others, "Simple and efficient construction of static single assignment form",
 * with the order known beforehand. */
#include "jit/optimising/build.h"

#include "base/alloc.h"
#include "exec/stack_map.h"
#include "jit/optimising/home.h"
#include "jit/optimising/inline.h"
#include "jit/optimising/support.h"

/* ---- nodes ------------------------------------------------------------------------------------------------------- */

node_id build_effect(struct builder *b, struct node n) {
    n.bci = (int32_t)b->bci;
    node_id id = ir_new_node(b->g, n);
    if (id != 0) ir_append(b->g, b->block, id);
    return id;
}

node_id build_value(struct builder *b, struct node n) {
    node_id there = fold_node(b->g, &n);
    if (there != 0) return there;
    if (n.op == NODE_constant) return build_constant(b, (enum node_type)n.type, n.imm);
    return build_effect(b, n);
}

node_id build_two(struct builder *b, enum node_op op, enum node_type type, uint8_t detail, node_id x, node_id y) {
    if (!ir_goes_on(b->g)) return 0;
    return build_value(b, (struct node){.op = (uint8_t)op, .type = (uint8_t)type, .detail = detail, .in = {x, y}});
}

node_id build_constant(struct builder *b, enum node_type type, int64_t value) {
    bool is_small = value == (int32_t)value && !is_float_type((uint8_t)type) && (type != TYPE_REF || value == 0);
    if (!is_small) {
        uint8_t flags = type == TYPE_REF ? NODE_NOT_NULL : 0;
        return build_effect(b, (struct node){.op = NODE_literal, .type = (uint8_t)type, .imm = value, .flags = flags});
    }
    node_id *kept = &b->constants[((uint64_t)value * 31 + type) % CONSTANTS_KEPT];
    const struct node *k = node_of(b->g, *kept);
    if (*kept == 0 || k->type != type || k->imm != value)
        *kept = ir_new_node(b->g, (struct node){.op = NODE_constant, .type = (uint8_t)type, .imm = value});
    return *kept;
}

static uint32_t copy_values(struct ir *g, const node_id *from, uint32_t count) {
    if (!make_room((void **)&g->values, &g->value_capacity, g->value_count + count, sizeof *g->values)) {
        ir_declines(g, "out of memory");
        return 0;
    }
    memcpy(g->values + g->value_count, from, count * sizeof *from);
    g->value_count += count;
    return g->value_count - count;
}

static uint32_t new_state(struct builder *b, uint32_t bci, uint32_t depth) {
    struct ir *g = b->g;
    uint32_t first = copy_values(g, b->now, g->locals + depth);
    if (!make_room((void **)&g->states, &g->state_capacity, g->state_count + 1, sizeof *g->states))
        ir_declines(g, "out of memory");
    if (!ir_goes_on(g)) return 0;
    uint32_t outer = g->scopes[g->scope].state;
    g->states[g->state_count] = (struct state){.bci = (int32_t)bci, .depth = depth, .first = first, .locals = g->locals,
                                               .scope = g->scope, .outer = outer};
    return g->state_count++;
}

uint32_t build_state(struct builder *b) {
    if (b->state == 0) b->state = new_state(b, b->bci, b->before);
    return b->state;
}

uint32_t build_state_behind(struct builder *b) { return new_state(b, b->bci, b->depth); }

uint32_t build_kept(struct builder *b) { return copy_values(b->g, b->now, b->g->variables); }

/* ---- variables --------------------------------------------------------------------------------------------------- */

static void makes_no_sense(struct builder *b) { ir_declines(b->g, "its code makes no sense"); }

node_id pop_value(struct builder *b, enum node_type type) {
    uint32_t slots = is_wide_type((uint8_t)type) ? 2 : 1;
    node_id n = b->depth >= slots ? b->now[b->g->locals + b->depth - slots] : 0;
    if (n == 0 || node_of(b->g, n)->type != type) {
        makes_no_sense(b);
        return 0;
    }
    b->depth -= slots;
    return n;
}

void push_value(struct builder *b, node_id n) {
    if (!ir_goes_on(b->g)) return;
    b->now[b->g->locals + b->depth++] = n;
    if (is_wide_type(node_of(b->g, n)->type)) b->now[b->g->locals + b->depth++] = 0;
}

/* Of the argument that begins there; "": none does, or it is the receiver. */
static const char *descriptor_of_argument(const struct method *m, uint32_t local) {
    uint32_t i = m->access_flags & ACC_STATIC ? 0 : 1;
    for (const char *p = m->desc->bytes + 1; *p != ')' && i <= local;) {
        if (i == local) return p;
        i += *p == 'J' || *p == 'D' ? 2 : 1;
        while (*p == '[') p++;
        p = *p == 'L' ? strchr(p, ';') + 1 : p + 1;
    }
    return "";
}

static bool is_array_of_bytes(const struct builder *b, uint32_t local) {
    return strncmp(descriptor_of_argument(b->c->code->method, local), "[B", 2) == 0;
}

node_id read_local(struct builder *b, uint32_t i, enum node_type type) {
    struct ir *g = b->g;
    node_id n = b->now[i];
    if (is_variable(g, i)) {
        if (n == 0 || node_of(g, n)->type != type) makes_no_sense(b);
        return n;
    }
    if (i >= b->c->code->method->arg_slots) makes_no_sense(b);
    uint8_t flags = i == 0 && b->c->keeps_this ? NODE_NOT_NULL : 0;
    if (type == TYPE_REF && is_array_of_bytes(b, i)) flags |= NODE_BYTES;
    return build_effect(b, (struct node){.op = NODE_home, .type = (uint8_t)type, .imm = i, .flags = flags});
}

void assign_local(struct builder *b, uint32_t i, node_id n) {
    if (!ir_goes_on(b->g)) return;
    node_id from = n;
    n = assign_home(b, i, n);
    if (!ir_goes_on(b->g)) return;
    /* what is left of a dup is the local's value, too: then one register does                                     */
    for (uint32_t v = b->g->locals; v < b->g->locals + b->depth; v++)
        if (b->now[v] == from) b->now[v] = n;
    if (i > 0 && b->now[i - 1] != 0 && is_wide_type(node_of(b->g, b->now[i - 1])->type)) b->now[i - 1] = 0;
    b->now[i] = n;
    if (is_wide_type(node_of(b->g, n)->type)) b->now[i + 1] = 0;
}

/* ---- where ways meet --------------------------------------------------------------------------------------------- */

static node_id variable_of(const struct ir *g, block_id b, uint32_t v) {
    return g->values[block_of(g, b)->variables + v];
}

static node_id new_phi(struct builder *b, enum node_type type, uint32_t home) {
    struct ir *g = b->g;
    uint32_t count = block_of(g, b->block)->predecessors;
    if (!make_room((void **)&g->inputs, &g->input_capacity, g->input_count + count, sizeof *g->inputs)) {
        ir_declines(g, "out of memory");
        return 0;
    }
    memset(g->inputs + g->input_count, 0, count * sizeof *g->inputs);
    struct node n = {.op = NODE_phi, .type = (uint8_t)type, .imm = g->input_count, .home = home};
    g->input_count += count;
    return build_effect(b, n);
}

/* The type that a variable has on all ways into the block that have been built; TYPE_NONE: none, or several. */
static enum node_type common_type(const struct ir *g, const struct block *p, uint32_t v) {
    enum node_type type = TYPE_NONE;
    for (uint32_t i = 0; i < p->predecessors; i++) {
        if (!block_of(g, predecessor(g, p, i))->has_run) continue;
        node_id n = variable_of(g, predecessor(g, p, i), v);
        if (n == 0 || (type != TYPE_NONE && node_of(g, n)->type != type)) return TYPE_NONE;
        type = (enum node_type)node_of(g, n)->type;
    }
    return type;
}

/* Of a block whose predecessors have all been built. */
node_id build_merge(struct builder *b, uint32_t v, uint32_t home) {
    struct ir *g = b->g;
    block_id block = b->block;
    const struct block p = *block_of(g, block);
    enum node_type type = common_type(g, &p, v);
    node_id first = variable_of(g, predecessor(g, &p, 0), v), phi;
    bool same = true;
    for (uint32_t i = 1; i < p.predecessors; i++) same &= variable_of(g, predecessor(g, &p, i), v) == first;
    if (type == TYPE_NONE || same) return type == TYPE_NONE ? 0 : first;
    phi = new_phi(b, type, home);
    if (phi == 0) return 0;
    for (uint32_t i = 0; i < p.predecessors; i++)
        g->inputs[(uint32_t)node_of(g, phi)->imm + i] = variable_of(g, predecessor(g, &p, i), v);
    return phi;
}

static void merge_all(struct builder *b) {
    for (uint32_t v = 0; v < b->g->locals + b->depth && ir_goes_on(b->g); v++)
        b->now[v] = build_merge(b, v, home_of_variable(b->g, v));
}

/* ---- loops ------------------------------------------------------------------------------------------------------- */

static void note_assigned(const struct compiler *c, uint32_t from, uint32_t to, uint8_t *assigned) {
    for (uint32_t bci = from; bci <= to; bci += length_at(c, bci)) {
        const uint8_t *p = c->source->code + bci;
        uint8_t op = *p == OP_wide ? p[1] : *p;
        if (op != OP_iinc && (op < OP_istore || op > OP_astore_3)) continue;
        uint32_t i = (uint32_t)flow_local(p);
        bool wide = op == OP_lstore || op == OP_dstore || (op >= OP_lstore_0 && op <= OP_lstore_3) ||
                    (op >= OP_dstore_0 && op <= OP_dstore_3);
        assigned[i] = true;
        if (wide) assigned[i + 1] = true;
    }
}

void find_assigned_locals(struct ir *g) {
    for (block_id b = 0; b < g->block_count; b++)
        if (block_of(g, b)->kind == BLOCK_CODE && block_of(g, b)->scope == 0)
            note_assigned(g->c, block_of(g, b)->bci, block_of(g, b)->end, g->assigned);
}

/* Do frames come in within the loop: at loops in it, and at handlers? */
static bool is_entered_within(const struct ir *g, const struct ir_loop *l) {
    for (block_id b = 0; b < g->block_count; b++) {
        const struct block *p = block_of(g, b);
        for (uint32_t i = 0; in_bits(g, l->members, b) && i < p->predecessors; i++)
            if (block_of(g, predecessor(g, p, i))->kind == BLOCK_ENTRY) return true;
    }
    return false;
}

/* Locals that may change on the way round: if frames come in there, with any values, all. */
static void find_assigned(const struct ir *g, const struct ir_loop *l, uint8_t *assigned) {
    if (is_entered_within(g, l)) {
        memcpy(assigned, g->assigned, g->locals);
        return;
    }
    memset(assigned, 0, g->locals);
    for (block_id b = 0; b < g->block_count; b++)
        if (in_bits(g, l->members, b) && block_of(g, b)->kind == BLOCK_CODE && block_of(g, b)->scope == g->scope)
            note_assigned(g->c, block_of(g, b)->bci, block_of(g, b)->end, assigned);
}

static void finish_block(struct builder *b, node_id end) {
    struct ir *g = b->g;
    if (end == 0) build_effect(b, (struct node){.op = NODE_jump});
    uint32_t at = build_kept(b);
    block_of(g, b->block)->variables = at;
    block_of(g, b->block)->has_run = true;
}

/* Does the stack map say that the local holds something? Operands always do. */
static bool is_held(const struct builder *b, uint32_t v) {
    const uint64_t *held = b->map + (size_t)STACK_MAP_HELD * stack_map_words(b->c->code);
    return v >= b->g->locals || (held[v / 64] >> v % 64 & 1);
}

/* Of a variable of a frame that comes in there, to block p. A handler has one operand, the exception, and locals are
 * what they are throughout its range, where the stack map says that they hold anything. */
static enum node_type type_at_entry(const struct ir *g, block_id entry, const struct block *p, uint32_t v) {
    uint32_t covered = block_of(g, entry)->variables;
    if (covered == 0) return common_type(g, p, v);
    if (v >= g->locals) return TYPE_REF;
    node_id n = g->values[covered + v];
    return n != 0 ? (enum node_type)node_of(g, n)->type : TYPE_NONE;
}

/* The block by which frames come in at the loop or handler that begins with block `to`: they have what the stack map
 * says. */
static void build_entry(struct builder *b, block_id entry, block_id to) {
    struct ir *g = b->g;
    const struct block p = *block_of(g, to);
    uint8_t of_operands = block_of(g, entry)->variables != 0 ? NODE_NOT_NULL : 0;
    if (stack_map_of_values(b->c->code, (int32_t)p.bci, NULL, b->map) < 0) {
        ir_declines(g, "an entry of it has no stack map");
        return;
    }
    b->block = entry;
    memset(b->now, 0, g->variables * sizeof *b->now);
    for (uint32_t v = 0; v < g->locals + b->depth && ir_goes_on(g); v++) {
        enum node_type type = type_at_entry(g, entry, &p, v);
        if (type == TYPE_NONE || !is_held(b, v)) continue;
        uint32_t home = v < g->locals ? v : v + FRAME_SLOTS;
        b->now[v] = build_effect(b, (struct node){.op = NODE_argument, .type = (uint8_t)type, .imm = home,
                                                  .flags = v < g->locals ? 0 : of_operands});
    }
    finish_block(b, 0);
    b->block = to;
}

/* A handler finds locals of the types that they have before an instruction that it covers: the first one. */
static void note_for_handlers(struct builder *b) {
    struct ir *g = b->g;
    for (uint32_t k = 0; k < g->handler_count && g->scope == 0 && ir_goes_on(g); k++) {
        const struct ir_handler *h = &g->handlers[k];
        if (b->bci < h->from || b->bci >= h->to || h->entry == 0 || block_of(g, h->entry)->variables != 0) continue;
        uint32_t now = build_kept(b);
        block_of(g, h->entry)->variables = now;
    }
}

static void begin_header(struct builder *b) {
    struct ir *g = b->g;
    const struct ir_loop *l = NULL;
    for (uint32_t k = 0; k < g->loop_count; k++)
        if (g->loops[k].header == b->block) l = &g->loops[k];
    uint8_t *assigned = mem_zalloc(g->variables + 1);
    if (assigned == NULL) {
        ir_declines(g, "out of memory");
        return;
    }
    find_assigned(g, l, assigned);
    memset(assigned + g->locals, true, g->variables - g->locals);
    for (uint32_t v = 0; v < g->locals + b->depth && ir_goes_on(g); v++) {
        node_id from = variable_of(g, l->before, v), phi;
        b->now[v] = from;
        if (!assigned[v] || from == 0) continue;
        phi = new_phi(b, (enum node_type)node_of(g, from)->type, home_of_variable(g, v));
        if (!make_room((void **)&b->open, &b->open_capacity, b->open_count + 1, sizeof *b->open))
            ir_declines(g, "out of memory");
        if (!ir_goes_on(g)) break;
        b->open[b->open_count++] = (struct open_phi){phi, v};
        b->now[v] = phi;
    }
    mem_free(assigned);
}

/* The loops' own branches have been built. */
static void close_phis(struct builder *b) {
    struct ir *g = b->g;
    for (uint32_t k = 0; k < b->open_count; k++) {
        struct node *phi = node_of(g, b->open[k].phi);
        const struct block *p = block_of(g, phi->block);
        for (uint32_t i = 0; i < p->predecessors; i++) {
            node_id n = variable_of(g, predecessor(g, p, i), b->open[k].variable);
            g->inputs[(uint32_t)phi->imm + i] = n;
            if (n == 0 || node_of(g, n)->type != phi->type) phi->type = TYPE_NONE;
        }
    }
}

/* ---- variables that hold different things on different ways: they hold nothing ----------------------------------- */

static bool spoil_phis(struct ir *g) {
    bool changed = false;
    for (node_id id = 1; id < g->node_count; id++) {
        struct node *n = node_of(g, id);
        if (n->op != NODE_phi || n->type == TYPE_NONE) continue;
        for (uint32_t i = 0; i < block_of(g, n->block)->predecessors; i++) {
            node_id in = phi_input(g, n, i);
            if (in != 0 && node_of(g, in)->type == n->type) continue;
            n->type = TYPE_NONE;
            changed = true;
        }
    }
    return changed;
}

static void forget_spoilt(void *ir, node_id *in, bool in_state) {
    struct ir *g = ir;
    if (node_of(g, *in)->type != TYPE_NONE) return;
    if (in_state) *in = 0;
    else ir_declines(g, "its code makes no sense");
}

static void remove_spoilt(struct ir *g) {
    while (spoil_phis(g)) continue;
    for (node_id id = 1; id < g->node_count; id++) {
        struct node *n = node_of(g, id);
        if (n->op != NODE_phi || n->type != TYPE_NONE) ir_inputs(g, n, forget_spoilt, g);
    }
    for (node_id id = 1; id < g->node_count; id++) {
        struct node *n = node_of(g, id);
        if (n->op != NODE_phi || n->type != TYPE_NONE) continue;
        ir_unlink(g, id);
        n->op = NODE_none;
    }
}

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

static void begin_block_of(struct builder *b) {
    struct ir *g = b->g;
    const struct block *p = block_of(g, b->block);
    b->bci = p->bci;
    b->depth = b->block == ROOT ? 0 : b->c->places[p->bci].depth;
    b->state = 0;
    if (p->is_header) {
        begin_header(b);
        return;
    }
    for (uint32_t i = 0; i < p->predecessors && ir_goes_on(g); i++) {
        block_id from = predecessor(g, p, i);
        if (block_of(g, from)->kind == BLOCK_ENTRY) build_entry(b, from, b->block);
    }
    if (p->kind == BLOCK_RESULT) build_result(b, p->callee);
    else if (ir_goes_on(g) && b->block != ROOT) merge_all(b);
}

static void leave_there(struct builder *b) {
    build_effect(b, (struct node){.op = NODE_leave, .state = build_state(b)});
}

static void build_code(struct builder *b) {
    struct ir *g = b->g;
    struct compiler *c = b->c;
    const struct block p = *block_of(g, b->block);
    for (uint32_t bci = p.bci; bci <= p.end && ir_goes_on(g); bci += c->length) {
        b->bci = c->bci = bci;
        c->length = length_at(c, bci);
        b->before = b->depth;
        b->state = 0;
        note_for_handlers(b);
        if (bci == p.end && p.leaves) {
            leave_there(b);
            return;
        }
        if (bci == p.end && p.part == PART_ASKS) {
            build_question(b, p.callee);
            return;
        }
        if (bci == p.end && p.callee != 0 && p.part != PART_CALLS) {
            build_inlined_call(b, p.callee);
            return;
        }
        build_instruction(b);
    }
    if (p.part == PART_CALLS && ir_goes_on(g)) build_called_instead(b, p.callee);
}

/* Those arguments that the method assigns. */
static void build_arguments(struct builder *b) {
    const struct method *m = b->c->code->method;
    for (uint32_t i = 0; i < m->arg_slots && ir_goes_on(b->g); i++) {
        const char *desc = descriptor_of_argument(m, i);
        bool is_receiver = i == 0 && !(m->access_flags & ACC_STATIC);
        if (!b->g->assigned[i] || (*desc == 0 && !is_receiver)) continue;
        enum node_type type = is_receiver ? TYPE_REF : type_of_kind(*desc);
        b->now[i] = build_effect(b, (struct node){.op = NODE_argument, .type = (uint8_t)type, .imm = i});
    }
}

static void build_block(struct builder *b) {
    struct ir *g = b->g;
    enter_scope(g, block_of(g, b->block)->scope);
    if (b->block == ROOT) build_arguments(b);
    else begin_block_of(b);
    if (ir_goes_on(g) && block_of(g, b->block)->kind == BLOCK_CODE) build_code(b);
    if (!ir_goes_on(g)) return;
    node_id last = block_of(g, b->block)->last;
    finish_block(b, last != 0 && group_of(node_of(g, last)) == GROUP_END ? last : 0);
}

void build_nodes(struct ir *g) {
    struct builder b = {.g = g, .c = g->c};
    uint32_t words = stack_map_words(g->c->code) * STACK_MAP_PARTS;
    b.now = mem_calloc(EXIT_MOST_OPERANDS + 1, sizeof *b.now);
    b.map = mem_calloc(words + 1, sizeof *b.map);
    if (b.now == NULL || b.map == NULL) ir_declines(g, "out of memory");
    for (uint32_t i = 0; i < g->order_count && ir_goes_on(g); i++) {
        b.block = g->order[i];
        if (block_of(g, b.block)->kind != BLOCK_ENTRY) build_block(&b);
    }
    enter_scope(g, 0);
    if (ir_goes_on(g)) close_phis(&b);
    if (ir_goes_on(g)) remove_spoilt(g);
    mem_free(b.now);
    mem_free(b.map);
    mem_free(b.open);
}
