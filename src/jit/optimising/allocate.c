/* allocate.c — registers for values, by the ranges of positions in which they live, which have holes (after Wimmer and
 * Franz, "Linear Scan Register Allocation on SSA Form"). A phi and its inputs share a place where their ranges allow
 * it. Values get registers in the order of how much they are used in loops for how long they live; what gets none is in
 * memory throughout. Uses by states count nothing: a value that nobody else wants is the first to go to memory.
 *
 * An instruction has four positions: before it, its first inputs and its state are read; then registers are lost; then
 * its result is written; then inputs are read that must not lie where the result does. */
#include "jit/optimising/allocate.h"

#include <stdlib.h>

#include "base/alloc.h"

enum { READ = 1, LOST = 1, WRITTEN = 2, READ_LATE = 3, POSITIONS = 4, NO_REGISTER = 255 };

struct live_range { uint32_t from, to, next; };          /* next: index in `ranges`, 0: none                        */

/* What shares a place: at first one value. */
struct share {
    uint32_t parent;                     /* the share that it has become part of, or itself                         */
    uint32_t ranges;
    uint32_t length;
    double weight;
    node_id node, hint;
    uint16_t count;                      /* values                                                                 */
    uint8_t reg;                         /* or NO_REGISTER                                                         */
    uint8_t floats;
};

struct taken { struct live_range *rows; uint32_t count, capacity; };     /* of a register or slot, by position      */
enum { FLOATS_FROM = ASM_REGISTERS, PLACES = 2 * ASM_REGISTERS };

struct allocator {
    struct ir *g;
    struct allocation *out;
    uint32_t *index;                     /* by node: its share, plus 1                                             */
    struct share *shares;
    uint32_t share_count, share_capacity;
    struct live_range *ranges;
    uint32_t range_count, range_capacity;
    uint32_t *position;                  /* by node                                                                */
    uint32_t *begin, *end;               /* by block                                                               */
    uint64_t *live;                      /* by block: words of shares that live where it begins                     */
    uint64_t *now;
    uint32_t words;
    struct taken registers[PLACES];
    struct taken *slots;
    uint32_t slot_capacity;
    block_id block;
    node_id user;
    bool has_spilt;                      /* a general register was wanted in vain                                   */
};

/* ---- what instructions want -------------------------------------------------------------------------------------- */

bool is_in_display(const struct node *check) {
    const struct class *k = (const struct class *)(uintptr_t)check->imm;
    return !k->is_interface && !class_is_array(k) && k->depth < ARRAY_LEN(k->display);
}

static bool is_reference(const struct node *n) { return n->detail == 'L' || n->detail == '['; }

bool is_small_index(const struct node *i) {
    enum { SMALL = 1 << 24 };
    return is_constant(i) && i->imm >= 0 && i->imm < SMALL;
}

/* Of what accesses memory: a part of its address, or what is stored in another form, takes a register of its own. */
static uint32_t lost_by_access(const struct ir *g, const struct node *n) {
    bool is_field = n->op == NODE_load_field || n->op == NODE_store_field, stores = group_of(n) == GROUP_EFFECT;
    uint32_t lost = 0;
    if (is_field && n->in[0] == 0 && stores && is_reference(n)) lost |= 1u << SECOND_SCRATCH;
    if (!is_field && is_constant(node_of(g, n->in[1])) && !is_small_index(node_of(g, n->in[1])))
        lost |= 1u << SECOND_SCRATCH;
    if (stores && is_reference(n) && REFERENCE_COPY != REG_SCRATCH) lost |= 1u << REFERENCE_COPY;
    return lost;
}

uint32_t registers_lost(const struct ir *g, const struct node *n) {
    const uint32_t stub = 1u << CLASS_HELD | 1u << CLASS_WANTED | 1u << REG_C2;
    switch (n->op) {
    case NODE_divide: return 1u << REG_RESULT | 1u << REG_REMAINDER;
    case NODE_shift: return is_constant(node_of(g, n->in[1])) ? 0 : 1u << REG_COUNT;
    case NODE_check_store: return stub;
    case NODE_check_callee: return 1u << CLASS_WANTED;
    case NODE_check_cast: return is_in_display(n) ? 1u << CLASS_WANTED : stub;
    case NODE_instance_of: return is_in_display(n) ? 0 : stub;
    case NODE_load_field: case NODE_store_field: case NODE_load_element: case NODE_store_element:
        return lost_by_access(g, n);
    default: return 0;
    }
}

static bool is_late(const struct ir *g, const struct node *n, const node_id *in, bool in_state) {
    if (registers_lost(g, n) != 0 && n->op != NODE_divide && n->op != NODE_shift) return true;
    if (in_state) return false;
    bool is_second = in == &n->in[1];
    switch (n->op) {
    case NODE_divide: return is_second;
    case NODE_alu: return is_second && n->detail == ALU_SUB;
    case NODE_float_binary: return is_second && (n->detail == FLOAT_SUB || n->detail == FLOAT_DIV);
    default: return false;
    }
}

/* ---- shares ------------------------------------------------------------------------------------------------------ */

static struct share *share_of(const struct allocator *a, node_id n) {
    uint32_t i = a->index[n];
    if (i == 0) return NULL;
    for (i--; a->shares[i].parent != i;) i = a->shares[i].parent;
    return &a->shares[i];
}

static void failed(struct allocator *a) { ir_declines(a->g, "out of memory"); }

static void make_shares(struct allocator *a) {
    struct ir *g = a->g;
    for (uint32_t i = 0; i < g->order_count; i++)
        for (node_id id = block_of(g, g->order[i])->first; id != 0; id = node_of(g, id)->next) {
            if (!gives_value(node_of(g, id))) continue;
            if (!make_room((void **)&a->shares, &a->share_capacity, a->share_count + 1, sizeof *a->shares)) {
                failed(a);
                return;
            }
            a->shares[a->share_count] = (struct share){.parent = a->share_count, .node = id, .count = 1,
                                                       .reg = NO_REGISTER,
                                                       .floats = is_float_type(node_of(g, id)->type)};
            a->index[id] = ++a->share_count;
        }
}

static void number_nodes(struct allocator *a) {
    struct ir *g = a->g;
    uint32_t at = 0;
    for (uint32_t i = 0; i < g->order_count; i++) {
        block_id b = g->order[i];
        a->begin[b] = at;
        at += POSITIONS;
        for (node_id id = block_of(g, b)->first; id != 0; id = node_of(g, id)->next) {
            a->position[id] = node_of(g, id)->op == NODE_phi ? a->begin[b] : at;
            if (node_of(g, id)->op != NODE_phi) at += POSITIONS;
        }
        a->end[b] = at;
    }
}

/* ---- which live where a block begins ----------------------------------------------------------------------------- */

static void set_live(struct allocator *a, node_id n, bool live) {
    uint32_t i = a->index[n];
    if (i == 0) return;
    uint64_t bit = (uint64_t)1 << (i - 1) % 64;
    if (live) a->now[(i - 1) / 64] |= bit;
    else a->now[(i - 1) / 64] &= ~bit;
}

static void use_is_live(void *allocator, node_id *in, bool in_state UNUSED) { set_live(allocator, *in, true); }

/* a->now: those that live where the block ends. */
static void live_at_end(struct allocator *a, block_id b) {
    struct ir *g = a->g;
    const struct block *p = block_of(g, b);
    memset(a->now, 0, a->words * sizeof *a->now);
    for (uint32_t i = 0; i < p->successors; i++) {
        const uint64_t *in = a->live + (size_t)successor(g, p, i) * a->words;
        for (uint32_t k = 0; k < a->words; k++) a->now[k] |= in[k];
    }
    if (p->successors != 1) return;      /* phis have predecessors with no other successor                          */
    const struct block *to = block_of(g, successor(g, p, 0));
    uint32_t way = 0;
    while (predecessor(g, to, way) != b) way++;
    for (node_id id = to->first; id != 0 && node_of(g, id)->op == NODE_phi; id = node_of(g, id)->next)
        set_live(a, phi_input(g, node_of(g, id), way), true);
}

static bool find_live_of(struct allocator *a, block_id b) {
    struct ir *g = a->g;
    live_at_end(a, b);
    for (node_id id = block_of(g, b)->last; id != 0; id = node_of(g, id)->before) {
        set_live(a, id, false);
        if (node_of(g, id)->op != NODE_phi) ir_inputs(g, node_of(g, id), use_is_live, a);
    }
    uint64_t *in = a->live + (size_t)b * a->words;
    bool changed = memcmp(in, a->now, a->words * sizeof *in) != 0;
    memcpy(in, a->now, a->words * sizeof *in);
    return changed;
}

static void find_live(struct allocator *a) {
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = a->g->order_count; i-- > 0;) changed |= find_live_of(a, a->g->order[i]);
    }
}

/* ---- ranges ------------------------------------------------------------------------------------------------------ */

/* From the last position to the first. */
static void add_range(struct allocator *a, struct share *s, uint32_t from, uint32_t to) {
    struct live_range *first = s->ranges != 0 ? &a->ranges[s->ranges] : NULL;
    if (first != NULL && first->from <= to) {
        if (from < first->from) first->from = from;
        if (to > first->to) first->to = to;
        return;
    }
    if (!make_room((void **)&a->ranges, &a->range_capacity, a->range_count + 1, sizeof *a->ranges)) {
        failed(a);
        return;
    }
    a->ranges[a->range_count] = (struct live_range){from, to, s->ranges};
    s->ranges = a->range_count++;
}

static double weight_in(const struct ir *g, block_id b) {
    static const double weights[] = {1, 10, 100, 1000, 10000};
    return weights[MIN(block_of(g, b)->depth, (uint32_t)ARRAY_LEN(weights) - 1)];
}

static void use_has_range(void *allocator, node_id *in, bool in_state) {
    struct allocator *a = allocator;
    struct share *s = share_of(a, *in);
    if (s == NULL) return;
    const struct node *user = node_of(a->g, a->user);
    uint32_t at = a->position[a->user] + (is_late(a->g, user, in, in_state) ? READ_LATE : READ);
    add_range(a, s, a->begin[a->block], at);
    if (!in_state) s->weight += weight_in(a->g, a->block);
}

/* What it defines lives from there on. */
static void begins(struct allocator *a, node_id id) {
    struct share *s = share_of(a, id);
    const struct node *n = node_of(a->g, id);
    if (s == NULL) return;
    uint32_t at = a->position[id] + (n->op == NODE_phi ? 0 : WRITTEN);
    if (s->ranges == 0 || a->ranges[s->ranges].from > at) add_range(a, s, at, a->position[id] + POSITIONS);
    a->ranges[s->ranges].from = at;
    if (n->op != NODE_home && n->op != NODE_argument && n->op != NODE_literal) s->weight += weight_in(a->g, a->block);
}

static void find_ranges_of(struct allocator *a, block_id b) {
    struct ir *g = a->g;
    a->block = b;
    live_at_end(a, b);
    for (uint32_t i = 0; i < a->share_count; i++)
        if (a->now[i / 64] >> i % 64 & 1) add_range(a, &a->shares[i], a->begin[b], a->end[b]);
    for (node_id id = block_of(g, b)->last; id != 0; id = node_of(g, id)->before) {
        begins(a, id);
        a->user = id;
        if (node_of(g, id)->op != NODE_phi) ir_inputs(g, node_of(g, id), use_has_range, a);
    }
}

static void find_ranges(struct allocator *a) {
    for (uint32_t i = a->g->order_count; i-- > 0 && ir_goes_on(a->g);) find_ranges_of(a, a->g->order[i]);
    for (uint32_t i = 0; i < a->share_count; i++)
        for (uint32_t r = a->shares[i].ranges; r != 0; r = a->ranges[r].next)
            a->shares[i].length += a->ranges[r].to - a->ranges[r].from;
}

/* ---- phis and their inputs share places -------------------------------------------------------------------------- */

static bool overlap(const struct allocator *a, const struct share *x, const struct share *y) {
    uint32_t i = x->ranges, k = y->ranges;
    while (i != 0 && k != 0) {
        const struct live_range *r = &a->ranges[i], *s = &a->ranges[k];
        if (r->to <= s->from) i = r->next;
        else if (s->to <= r->from) k = s->next;
        else return true;
    }
    return false;
}

static void join(struct allocator *a, struct share *x, struct share *y) {
    uint32_t i = x->ranges, k = y->ranges, *tail = &x->ranges;
    while (i != 0 || k != 0) {
        uint32_t *from = k == 0 || (i != 0 && a->ranges[i].from < a->ranges[k].from) ? &i : &k;
        *tail = *from;
        tail = &a->ranges[*from].next;
        *from = *tail;
    }
    *tail = 0;
    x->length += y->length;
    x->weight += y->weight;
    x->count += y->count;
    y->parent = (uint32_t)(x - a->shares);
}

static void join_inputs(struct allocator *a, node_id phi) {
    const struct ir *g = a->g;
    const struct node *n = node_of(g, phi);
    for (uint32_t i = 0; i < block_of(g, n->block)->predecessors; i++) {
        struct share *x = share_of(a, phi), *y = share_of(a, phi_input(g, n, i));
        if (y == NULL || x == y) continue;
        if (!overlap(a, x, y)) join(a, x, y);
        else if (y->hint == 0) y->hint = phi;
    }
}

static void join_phis(struct allocator *a) {
    const struct ir *g = a->g;
    for (uint32_t depth = g->loop_count + 1; depth-- > 0;)
        for (uint32_t i = 0; i < g->order_count; i++) {
            if (block_of(g, g->order[i])->depth != depth) continue;
            for (node_id id = block_of(g, g->order[i])->first; id != 0 && node_of(g, id)->op == NODE_phi;
                 id = node_of(g, id)->next)
                join_inputs(a, id);
        }
}

/* ---- places ------------------------------------------------------------------------------------------------------ */

static uint32_t first_behind(const struct taken *t, uint32_t position) {
    uint32_t low = 0, high = t->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (t->rows[middle].to <= position) low = middle + 1;
        else high = middle;
    }
    return low;
}

static bool is_free(const struct allocator *a, const struct taken *t, const struct share *s) {
    uint32_t k = s->ranges != 0 ? first_behind(t, a->ranges[s->ranges].from) : 0;
    for (uint32_t i = s->ranges; i != 0 && k < t->count;) {
        const struct live_range *r = &a->ranges[i];
        if (t->rows[k].to <= r->from) k++;
        else if (r->to <= t->rows[k].from) i = r->next;
        else return false;
    }
    return true;
}

static void take_range(struct allocator *a, struct taken *t, uint32_t from, uint32_t to) {
    if (!make_room((void **)&t->rows, &t->capacity, t->count + 1, sizeof *t->rows)) {
        failed(a);
        return;
    }
    uint32_t k = first_behind(t, from);
    memmove(t->rows + k + 1, t->rows + k, (t->count++ - k) * sizeof *t->rows);
    t->rows[k] = (struct live_range){from, to, 0};
}

static void take(struct allocator *a, struct taken *t, const struct share *s) {
    for (uint32_t i = s->ranges; i != 0 && ir_goes_on(a->g); i = a->ranges[i].next)
        take_range(a, t, a->ranges[i].from, a->ranges[i].to);
}

static void note_lost(struct allocator *a) {
    struct ir *g = a->g;
    for (uint32_t i = 0; i < g->order_count; i++)
        for (node_id id = block_of(g, g->order[i])->first; id != 0; id = node_of(g, id)->next) {
            uint32_t lost = registers_lost(g, node_of(g, id));
            for (unsigned r = 0; lost >> r != 0; r++)
                if (lost >> r & 1)
                    take_range(a, &a->registers[r], a->position[id] + LOST, a->position[id] + WRITTEN);
        }
}

/* A register in which it would save a move. */
static unsigned wanted_register(const struct allocator *a, const struct share *s) {
    const struct node *n = node_of(a->g, s->node);
    const struct share *other = NULL;
    if (s->hint != 0) other = share_of(a, s->hint);
    if ((other == NULL || other->reg == NO_REGISTER) && n->in[0] != 0 && n->op != NODE_phi)
        other = share_of(a, n->in[0]);
    if (n->op == NODE_divide) return n->detail ? REG_REMAINDER : REG_RESULT;
    return other != NULL && other->floats == s->floats ? other->reg : NO_REGISTER;
}

static bool may_have(const struct allocator *a, const struct share *s, unsigned r) {
    if (s->floats) return r >= FLOATS_FROM && r < FLOATS_FROM + FLOAT_SCRATCH;
    if (r >= FLOATS_FROM || !(ASM_VALUE_REGISTERS >> r & 1)) return false;
    return r != SECOND_SCRATCH || !a->out->second_is_free;
}

static bool try_register(struct allocator *a, struct share *s, unsigned r) {
    if (r == NO_REGISTER || !may_have(a, s, r) || !is_free(a, &a->registers[r], s)) return false;
    take(a, &a->registers[r], s);
    s->reg = (uint8_t)r;
    return true;
}

static void give_register(struct allocator *a, struct share *s) {
    /* Those come last for which instructions ask. */
    static const uint8_t in_turn[] = {REG_KEPT, 9, 8, 10, REG_C1, REG_C0, REG_RESULT, REG_C2, REG_COUNT};
    if (try_register(a, s, wanted_register(a, s))) return;
    for (unsigned i = 0; i < (s->floats ? FLOAT_SCRATCH : ARRAY_LEN(in_turn)); i++)
        if (try_register(a, s, s->floats ? FLOATS_FROM + i : in_turn[i])) return;
    a->has_spilt |= s->weight > 0;
}

static int by_weight(const void *x, const void *y) {
    const struct share *s = *(const struct share *const *)x, *t = *(const struct share *const *)y;
    double v = s->weight / (s->length + 1), w = t->weight / (t->length + 1);
    return v < w ? 1 : v > w ? -1 : s < t ? -1 : 1;
}

static void give_registers(struct allocator *a) {
    struct share **order = mem_alloc((a->share_count + 1) * sizeof(struct share *));
    uint32_t count = 0;
    if (order == NULL) {
        failed(a);
        return;
    }
    for (uint32_t i = 0; i < a->share_count; i++)
        if (a->shares[i].parent == i) order[count++] = &a->shares[i];
    qsort(order, count, sizeof *order, by_weight);
    for (uint32_t i = 0; i < count && ir_goes_on(a->g); i++) give_register(a, order[i]);
    mem_free(order);
}

/* Without a general register to spare what is in memory cannot be read. */
static void give_registers_twice(struct allocator *a) {
#ifdef VITRINE_CARDS
    a->out->second_is_free = true;
#endif
    note_lost(a);
    give_registers(a);
    if (!a->has_spilt || a->out->second_is_free) return;
    a->out->second_is_free = true;
    for (unsigned r = 0; r < PLACES; r++) a->registers[r].count = 0;
    for (uint32_t i = 0; i < a->share_count; i++) a->shares[i].reg = NO_REGISTER;
    note_lost(a);
    give_registers(a);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static uint32_t give_slot(struct allocator *a, const struct share *s) {
    uint32_t i = 0;
    while (i < a->out->slots && !is_free(a, &a->slots[i], s)) i++;
    if (i == a->out->slots) {
        if (!make_room((void **)&a->slots, &a->slot_capacity, i + 1, sizeof *a->slots)) {
            failed(a);
            return 0;
        }
        a->slots[i] = (struct taken){NULL, 0, 0};
        a->out->slots++;
    }
    take(a, &a->slots[i], s);
    return i + a->g->area + FRAME_SLOTS;
}

static struct value_place place_in_memory(struct allocator *a, const struct share *s) {
    const struct node *n = node_of(a->g, s->node);
    if (s->count == 1 && (n->op == NODE_home || n->op == NODE_argument))
        return (struct value_place){PLACE_SLOT, (uint32_t)n->imm};
    if (s->count == 1 && n->op == NODE_literal && !s->floats) return (struct value_place){PLACE_REMADE, 0};
    return (struct value_place){PLACE_SLOT, give_slot(a, s)};
}

static void set_places(struct allocator *a) {
    struct value_place *shared = mem_calloc(a->share_count + 1, sizeof *shared);
    if (shared == NULL) {
        failed(a);
        return;
    }
    for (uint32_t i = 0; i < a->share_count && ir_goes_on(a->g); i++) {
        const struct share *s = &a->shares[i];
        if (s->parent != i) continue;
        if (s->reg == NO_REGISTER) shared[i] = place_in_memory(a, s);
        else if (s->floats) shared[i] = (struct value_place){PLACE_FLOATING, s->reg - FLOATS_FROM};
        else shared[i] = (struct value_place){PLACE_REGISTER, s->reg};
    }
    for (node_id id = 1; id < a->g->node_count; id++)
        if (a->index[id] != 0) a->out->places[id] = shared[share_of(a, id) - a->shares];
    mem_free(shared);
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static bool begin(struct allocator *a) {
    const struct ir *g = a->g;
    a->out->places = mem_calloc(g->node_count, sizeof *a->out->places);
    a->index = mem_calloc(g->node_count, sizeof *a->index);
    a->position = mem_calloc(g->node_count, sizeof *a->position);
    a->begin = mem_calloc(2 * (size_t)g->block_count, sizeof *a->begin);
    if (a->out->places == NULL || a->index == NULL || a->position == NULL || a->begin == NULL) return false;
    a->end = a->begin + g->block_count;
    make_shares(a);
    if (!ir_goes_on(g)) return false;
    a->words = (a->share_count + 63) / 64 + 1;
    a->live = mem_calloc((size_t)g->block_count * a->words, sizeof *a->live);
    a->now = mem_calloc(a->words, sizeof *a->now);
    a->range_count = make_room((void **)&a->ranges, &a->range_capacity, 1, sizeof *a->ranges) ? 1 : 0;
    return a->live != NULL && a->now != NULL && a->range_count != 0;
}

static void end(struct allocator *a) {
    for (unsigned r = 0; r < PLACES; r++) mem_free(a->registers[r].rows);
    for (uint32_t i = 0; i < a->out->slots; i++) mem_free(a->slots[i].rows);
    mem_free(a->slots);
    mem_free(a->index);
    mem_free(a->position);
    mem_free(a->begin);
    mem_free(a->shares);
    mem_free(a->ranges);
    mem_free(a->live);
    mem_free(a->now);
}

void allocate_registers(struct ir *g, struct allocation *out) {
    struct allocator a = {.g = g, .out = out};
    *out = (struct allocation){.places = NULL};
    if (!begin(&a)) failed(&a);
    if (ir_goes_on(g)) {
        number_nodes(&a);
        find_live(&a);
        find_ranges(&a);
    }
    if (ir_goes_on(g)) join_phis(&a);
    if (ir_goes_on(g)) give_registers_twice(&a);
    if (ir_goes_on(g)) set_places(&a);
    end(&a);
}
