/* allocate.c — registers for values, by the ranges of positions in which they live, which have holes (after Wimmer and
 * Franz, "Linear Scan Register Allocation on SSA Form"). A phi and its inputs share a place where their ranges allow
 * it. Values get registers in the order of how much they are used in loops for how long they live; what gets none is in
 * memory throughout. Uses by states count nothing: a value that nobody else wants is the first to go to memory.
 *
 * Where a value lives across calls, its home keeps it from its definition on (home.h): no register does. It has a
 * register besides, if one is to spare, where it is used before the next call, and gets it back behind calls that are
 * followed by such uses. States find it at home, and do not want its register.
 *
 * An instruction has four positions: before it, its first inputs and its state are read; then registers are lost; then
 * its result is written; then inputs are read that must not lie where the result does. What a function of C is called
 * with is read before it, by its state too: if it declines, that finds it where it was passed. */
#include "jit/optimising/allocate.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "jit/optimising/call.h"
#include "jit/optimising/home.h"

enum { READ = 1, LOST = 1, WRITTEN = 2, READ_LATE = 3, POSITIONS = 4, NO_REGISTER = 255 };

struct live_range { uint32_t from, to, next; };          /* next: index in `ranges`, 0: none                        */

/* What shares a place: at first one value. */
struct share {
    uint32_t parent;                     /* the share that it has become part of, or itself                         */
    uint32_t ranges;                     /* where it wants its place                                               */
    uint32_t lives;                      /* the ranges in which it lives                                           */
    uint32_t length;
    double weight, crossing;             /* crossing: what it costs that calls lose it where it is in a register     */
    node_id node, hint;
    uint16_t count, homeless;            /* values; those without a home                                           */
    uint8_t reg;                         /* or NO_REGISTER                                                         */
    uint8_t floats;
    bool crosses;                        /* it, or a value that it has become one with, lives across a call         */
};

enum { FLOATS_FROM = ASM_REGISTERS, PLACES = 2 * ASM_REGISTERS };
struct taken { struct live_range *rows; uint32_t count, capacity; };     /* of a register or slot, by position      */
struct allocator {
    struct ir *g;
    struct allocation *out;
    uint32_t *index;                     /* by node: its share, plus 1                                             */
    struct share *shares;
    struct share *single;                /* as they were before some became one                                     */
    uint32_t share_count, share_capacity;
    struct live_range *ranges;
    uint32_t range_count, range_capacity;
    uint32_t *position;                  /* by node                                                                */
    uint32_t *begin, *end;               /* by block                                                               */
    uint64_t *live;                      /* by block: words of shares that live where it begins                     */
    uint64_t *now;
    uint32_t words;
    bool phis_changed;                   /* one is wanted that was not                                             */
    bool is_about_places;                /* not where values live, but where they want their places                 */
    uint64_t *across;                    /* values that live across calls                                          */
    struct taken *homes;                 /* by slot                                                                */
    struct taken registers[PLACES];
    uint8_t in_turn[8];                  /* general registers as they are given out; then REG_KEPT                  */
    struct taken *slots;
    uint32_t slot_count, slot_capacity;
    block_id block;
    node_id user;
    bool has_spilt;                      /* a general register was wanted in vain                                   */
    node_id *calls;                      /* of C functions                                                          */
    uint32_t call_count, call_capacity;
};

/* ---- what instructions want -------------------------------------------------------------------------------------- */

bool is_exact(const struct node *check) {
    return class_element((const struct class *)(uintptr_t)check->imm)->access_flags & ACC_FINAL;
}

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

/* REG_SCRATCH holds the address, or a part of it, where that is loaded; the second is for what else is. */
static uint32_t lost_by_raw(const struct ir *g, const struct node *n) {
    const uint32_t second = 1u << SECOND_SCRATCH, copy = 1u << REFERENCE_COPY;
    uint32_t of_reference = is_reference(n) && n->op != NODE_load_raw && REFERENCE_COPY != REG_SCRATCH ? copy : 0;
    bool loads = n->in[0] == 0 && n->in[1] == 0;
    for (unsigned i = 0; i < 2; i++) loads |= n->in[i] != 0 && node_of(g, n->in[i])->op == NODE_literal;
    if (n->op == NODE_compare_raw || n->op == NODE_exchange_raw) return 1u << REG_RESULT | second;
    return (loads ? second : 0) | of_reference;
}

static uint32_t lost_by_math(const struct ir *g, const struct node *n) {
    const uint32_t floats = 1u << (FLOATS_FROM + FLOAT_SECOND);
    if (is_float_type(node_of(g, n->in[0])->type))
        return n->detail == MATH_SQRT || n->detail == MATH_SAME_BITS ? 0
               : n->detail == MATH_FMA                               ? floats | 1u << (FLOATS_FROM + FLOAT_THIRD)
                                                                     : floats;
    switch (n->detail) {
    case MATH_MULTIPLY_HIGH: return 1u << REG_RESULT | 1u << REG_REMAINDER;
    case MATH_REVERSE: return 1u << SECOND_SCRATCH;
    default: return 0;
    }
}

uint32_t registers_lost(const struct ir *g, const struct node *n) {
    const uint32_t of_monitors = 1u << REG_RESULT | 1u << REG_COUNT | 1u << REG_C0 | 1u << REG_C1 | 1u << REG_C2;
    if (n->op == NODE_call) return UINT32_MAX;
    const uint32_t stub = 1u << CLASS_HELD | 1u << CLASS_WANTED | 1u << REG_C2;
    switch (n->op) {
    case NODE_divide: return 1u << REG_RESULT | 1u << REG_REMAINDER;
    case NODE_choose: return n->detail ? 1u << SECOND_SCRATCH : 0;
    case NODE_shift: return is_constant(node_of(g, n->in[1])) ? 0 : 1u << REG_COUNT;
    case NODE_check_store: return stub;
    case NODE_new_object: case NODE_new_array:
        return 1u << REG_RESULT | 1u << REG_C0 | 1u << REG_C1 | 1u << REG_COUNT;         /* of the stub `allocate`  */
    case NODE_new_arrays: case NODE_call_leaf: case NODE_call_math: return 1u << REG_RESULT;
    case NODE_monitor_enter: case NODE_monitor_exit: case NODE_check_monitors: return of_monitors;
    case NODE_give: return n->flags & NODE_VOLATILE ? of_monitors : 0;
    case NODE_text_char: case NODE_put_char:
        return is_constant(node_of(g, n->in[1])) && !is_small_index(node_of(g, n->in[1])) ? 1u << SECOND_SCRATCH : 0;
    case NODE_math: case NODE_math_checked: return lost_by_math(g, n);
    case NODE_check_callee: return 1u << CLASS_WANTED;
    case NODE_check_cast: return is_exact(n) ? 0 : is_in_display(n) ? 1u << CLASS_WANTED : stub;
    case NODE_instance_of: return is_exact(n) || is_in_display(n) ? 0 : stub;
    case NODE_branch_instance: return is_exact(n) ? 0 : is_in_display(n) ? 1u << SECOND_SCRATCH : stub;
    case NODE_load_field: case NODE_store_field: case NODE_load_element: case NODE_store_element:
        return lost_by_access(g, n);
    case NODE_load_raw: case NODE_store_raw: case NODE_compare_raw: case NODE_exchange_raw: return lost_by_raw(g, n);
    default: return 0;
    }
}

static bool is_late(const struct ir *g, const struct node *n, const node_id *in, bool in_state) {
    if (n->op == NODE_call) return false;
    if (is_call(n)) return in_state && slot_passed(g, n, *in) == NOT_PASSED;
    if (n->op == NODE_choose) return false;
    if (registers_lost(g, n) != 0 && n->op != NODE_divide && n->op != NODE_shift) return true;
    if (n->op == NODE_math_checked) return true;         /* it leaves when its result has been written              */
    if (in_state) return n->op == NODE_load_raw;         /* and so may this                                         */
    bool is_first = in == &n->in[0], is_second = in == &n->in[1];
    switch (n->op) {
    case NODE_divide: return is_second;
    case NODE_math: return !is_first || n->detail == MATH_ABS;
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
                                                       .homeless = home_of(node_of(g, id)) == NO_HOME,
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

static bool is_live(const struct allocator *a, const uint64_t *bits, node_id n) {
    uint32_t i = a->index[n];
    return i != 0 && bits[(i - 1) / 64] >> (i - 1) % 64 & 1;
}

/* Does the use want the value's place, or does its home do? */
static bool wants_place(const struct allocator *a, const struct node *user, const node_id *in, bool in_state) {
    if (!in_state || !a->is_about_places || !is_live(a, a->across, *in)) return true;
    return is_argument_of(a->g, user, in);
}

static void use_is_live(void *allocator, node_id *in, bool in_state) {
    struct allocator *a = allocator;
    if (wants_place(a, node_of(a->g, a->user), in, in_state)) set_live(a, *in, true);
}

/* What comes to the phi need not be in a register if the phi need not. */
static bool phi_wants(const struct allocator *a, node_id phi, node_id in) {
    return !a->is_about_places || a->out->wanted[phi] || !is_live(a, a->across, phi) || !is_live(a, a->across, in);
}

/* a->now: behind the call. Those that live on, and those that the frame shows meanwhile, are at home. */
static void note_across(void *allocator, node_id *in, bool in_state) {
    struct allocator *a = allocator;
    const struct node *call = node_of(a->g, a->user);
    uint32_t i = a->index[*in];
    if (in_state && i != 0 && !is_argument_of(a->g, call, in)) a->across[(i - 1) / 64] |= (uint64_t)1 << (i - 1) % 64;
}

static void pass_call(struct allocator *a) {
    if (a->is_about_places) {
        for (uint32_t k = 0; k < a->words; k++) a->now[k] &= ~a->across[k];
        return;
    }
    for (uint32_t k = 0; k < a->words; k++) a->across[k] |= a->now[k];
    ir_inputs(a->g, node_of(a->g, a->user), note_across, a);
}

/* From behind the node to before it. */
static void pass_node(struct allocator *a, node_id id) {
    struct node *n = node_of(a->g, id);
    if (n->op == NODE_phi && !a->out->wanted[id] && is_live(a, a->now, id)) a->out->wanted[id] = a->phis_changed = true;
    a->user = id;
    set_live(a, id, false);
    if (n->op == NODE_call) pass_call(a);
    if (n->op != NODE_phi) ir_inputs(a->g, n, use_is_live, a);
}

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
        if (phi_wants(a, id, phi_input(g, node_of(g, id), way))) set_live(a, phi_input(g, node_of(g, id), way), true);
}

static bool find_live_of(struct allocator *a, block_id b) {
    struct ir *g = a->g;
    live_at_end(a, b);
    for (node_id id = block_of(g, b)->last; id != 0; id = node_of(g, id)->before) pass_node(a, id);
    uint64_t *in = a->live + (size_t)b * a->words;
    bool changed = memcmp(in, a->now, a->words * sizeof *in) != 0;
    memcpy(in, a->now, a->words * sizeof *in);
    return changed;
}

static void find_live(struct allocator *a) {
    for (bool changed = true; changed;) {
        changed = a->phis_changed = false;
        for (uint32_t i = a->g->order_count; i-- > 0;) changed |= find_live_of(a, a->g->order[i]);
        changed |= a->phis_changed;
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
    const struct node *user = node_of(a->g, a->user);
    if (s == NULL || !wants_place(a, user, in, in_state)) return;
    if (in_state && is_argument_of(a->g, user, in)) in_state = false;
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

/* Values whose places are wanted behind the call get them there. */
static void begin_behind(struct allocator *a, node_id call) {
    struct allocation *out = a->out;
    uint32_t at = a->position[call] + WRITTEN;
    for (uint32_t i = 0; i < a->share_count; i++) {
        if (!((a->now[i / 64] & a->across[i / 64]) >> i % 64 & 1)) continue;
        if (!make_room((void **)&out->reloads, &out->reload_capacity, out->reload_count + 1, sizeof *out->reloads)) {
            failed(a);
            return;
        }
        out->reloads[out->reload_count++] = (struct reload){call, a->shares[i].node};
        a->ranges[a->shares[i].ranges].from = at;
    }
}

static void note_stay(struct allocator *a, node_id node, node_id value) {
    struct allocation *out = a->out;
    if (make_room((void **)&out->stays, &out->stay_capacity, out->stay_count + 1, sizeof *out->stays))
        out->stays[out->stay_count++] = (struct stay){node, value};
    else
        failed(a);
}

/* Those that live on behind the node, and its inputs, of which it has not read all when C is asked. */
static void note_stays(struct allocator *a, node_id node) {
    for (uint32_t i = 0; i < a->share_count && ir_goes_on(a->g); i++)
        if (a->now[i / 64] >> i % 64 & 1) note_stay(a, node, a->shares[i].node);
    for (unsigned i = 0; i < NODE_INPUTS && ir_goes_on(a->g); i++) {
        node_id in = node_of(a->g, node)->in[i];
        if (a->index[in] != 0 && !is_live(a, a->now, in)) note_stay(a, node, in);
    }
}

static void find_ranges_of(struct allocator *a, block_id b) {
    struct ir *g = a->g;
    a->block = b;
    live_at_end(a, b);
    for (uint32_t i = 0; i < a->share_count; i++)
        if (a->now[i / 64] >> i % 64 & 1) add_range(a, &a->shares[i], a->begin[b], a->end[b]);
    for (node_id id = block_of(g, b)->last; id != 0; id = node_of(g, id)->before) {
        begins(a, id);
        set_live(a, id, false);
        if (node_of(g, id)->op == NODE_call && a->is_about_places) begin_behind(a, id);
        if (!a->is_about_places && may_be_done_by_c(node_of(g, id))) note_stays(a, id);
        a->user = id;
        if (node_of(g, id)->op != NODE_phi) ir_inputs(g, node_of(g, id), use_has_range, a);
        pass_node(a, id);
    }
}

static void find_ranges(struct allocator *a) {
    for (uint32_t i = a->g->order_count; i-- > 0 && ir_goes_on(a->g);) find_ranges_of(a, a->g->order[i]);
}

static void measure_ranges(struct allocator *a) {
    for (uint32_t i = 0; i < a->share_count; i++)
        for (uint32_t r = a->shares[i].ranges; r != 0; r = a->ranges[r].next)
            a->shares[i].length += a->ranges[r].to - a->ranges[r].from;
}

/* Once more for places: not where what lives across calls is just at home. */
static void find_wanted(struct allocator *a) {
    for (uint32_t i = 0; i < a->share_count; i++) {
        struct share *s = &a->shares[i];
        s->lives = s->ranges;
        s->crosses = a->across[i / 64] >> i % 64 & 1;
        if (!a->g->calls) continue;
        s->ranges = 0;
        s->weight = 0;
    }
    if (!a->g->calls) return;
    a->is_about_places = true;
    memset(a->out->wanted, 0, a->g->node_count * sizeof *a->out->wanted);
    memset(a->live, 0, (size_t)a->g->block_count * a->words * sizeof *a->live);
    find_live(a);
    find_ranges(a);
}

/* ---- phis and their inputs share places -------------------------------------------------------------------------- */

static bool overlap(const struct allocator *a, const struct share *x, const struct share *y) {
    uint32_t i = x->lives, k = y->lives;
    while (i != 0 && k != 0) {
        const struct live_range *r = &a->ranges[i], *s = &a->ranges[k];
        if (r->to <= s->from) i = r->next;
        else if (s->to <= r->from) k = s->next;
        else return true;
    }
    return false;
}

/* The ranges of both, in order; 0: there are none, or there is no memory. Those of before remain. */
static uint32_t merge_ranges(struct allocator *a, uint32_t x, uint32_t y) {
    uint32_t first = 0, last = 0;
    while (x != 0 || y != 0) {
        if (!make_room((void **)&a->ranges, &a->range_capacity, a->range_count + 1, sizeof *a->ranges)) {
            failed(a);
            return 0;
        }
        uint32_t *from = y == 0 || (x != 0 && a->ranges[x].from < a->ranges[y].from) ? &x : &y, new = a->range_count++;
        a->ranges[new] = a->ranges[*from];
        a->ranges[new].next = 0;
        *from = a->ranges[*from].next;
        if (last != 0) a->ranges[last].next = new;
        else first = new;
        last = new;
    }
    return first;
}

static void join(struct allocator *a, struct share *x, struct share *y) {
    bool same = x->lives == x->ranges && y->lives == y->ranges;
    x->ranges = merge_ranges(a, x->ranges, y->ranges);
    x->lives = same ? x->ranges : merge_ranges(a, x->lives, y->lives);
    x->crosses |= y->crosses;
    x->length += y->length;
    x->weight += y->weight;
    x->count += y->count;
    x->homeless += y->homeless;
    y->parent = (uint32_t)(x - a->shares);
}

static void join_input(struct allocator *a, node_id id, node_id in) {
    struct share *x = share_of(a, id), *y = share_of(a, in);
    if (y == NULL || x == y || (y->crosses && node_of(a->g, in)->op == NODE_literal)) return;
    if (!overlap(a, x, y)) join(a, x, y);
    else if (y->hint == 0) y->hint = id;
}

static void join_inputs(struct allocator *a, node_id phi) {
    const struct ir *g = a->g;
    const struct node *n = node_of(g, phi);
    for (uint32_t i = 0; i < block_of(g, n->block)->predecessors; i++) join_input(a, phi, phi_input(g, n, i));
}

static void join_phis(struct allocator *a) {
    const struct ir *g = a->g;
    for (uint32_t depth = g->loop_count + 1; depth-- > 0;)
        for (uint32_t i = 0; i < g->order_count; i++) {
            if (block_of(g, g->order[i])->depth != depth) continue;
            for (node_id id = block_of(g, g->order[i])->first; id != 0; id = node_of(g, id)->next)
                if (node_of(g, id)->op == NODE_phi) join_inputs(a, id);
                else if (node_of(g, id)->op == NODE_copy) join_input(a, id, node_of(g, id)->in[0]);
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
            for (unsigned r = 0; r < PLACES && lost >> r != 0; r++)
                if (lost >> r & 1)
                    take_range(a, &a->registers[r], a->position[id] + LOST, a->position[id] + WRITTEN);
        }
}

/* Those come first that are lost most often: what can lie there leaves the others to what lives long. */
static void set_turns(struct allocator *a) {
    static const uint8_t all[] = {9, 8, 10, REG_C1, REG_C0, REG_RESULT, REG_C2, REG_COUNT};
    _Static_assert(sizeof all == sizeof a->in_turn, "each of them has a turn");
    for (unsigned i = 0; i < ARRAY_LEN(all); i++) {
        unsigned k = i;
        for (; k > 0 && a->registers[a->in_turn[k - 1]].count < a->registers[all[i]].count; k--)
            a->in_turn[k] = a->in_turn[k - 1];
        a->in_turn[k] = all[i];
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
    if (n->op == NODE_call && !s->floats && s->count == 1) return REG_RESULT;
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
    a->out->has_floats |= s->floats;
    return true;
}

/* Does it live while the node, a call, runs? */
static bool lives_across(const struct allocator *a, const struct share *s, node_id call) {
    uint32_t at = a->position[call] + LOST, i = s->ranges;
    while (i != 0 && a->ranges[i].to <= at) i = a->ranges[i].next;
    return i != 0 && a->ranges[i].from <= at;
}

static void list_calls(struct allocator *a) {
    struct ir *g = a->g;
    for (uint32_t i = 0; i < g->order_count; i++)
        for (node_id id = block_of(g, g->order[i])->first; id != 0; id = node_of(g, id)->next) {
            if (!is_call(node_of(g, id))) continue;
            if (!make_room((void **)&a->calls, &a->call_capacity, a->call_count + 1, sizeof *a->calls)) {
                failed(a);
                return;
            }
            a->calls[a->call_count++] = id;
        }
}

/* A call stores it, and loads it again. */
static void find_crossing(struct allocator *a, struct share *s) {
    for (uint32_t i = 0; i < a->call_count; i++)
        if (lives_across(a, s, a->calls[i])) s->crossing += 2 * weight_in(a->g, node_of(a->g, a->calls[i])->block);
}

static void find_crossings(struct allocator *a) {
    list_calls(a);
    for (uint32_t k = 0; k < a->share_count; k++)
        if (a->shares[k].parent == k) find_crossing(a, &a->shares[k]);
}

static void save_across(struct allocator *a, const struct share *s, struct value_place place, uint32_t slot) {
    struct allocation *out = a->out;
    for (uint32_t i = 0; i < a->call_count; i++) {
        if (!lives_across(a, s, a->calls[i])) continue;
        if (!make_room((void **)&out->saved, &out->saved_capacity, out->saved_count + 1, sizeof *out->saved)) {
            failed(a);
            return;
        }
        out->saved[out->saved_count++] = (struct saved_value){a->calls[i], place, slot};
    }
}

static void give_register(struct allocator *a, struct share *s) {
    if (s->crossing > 0 && !s->floats && try_register(a, s, REG_KEPT)) return;
    if (s->crossing >= s->weight && s->crossing > 0) {
        a->has_spilt |= s->weight > 0;
        return;
    }
    if (try_register(a, s, wanted_register(a, s))) return;
    for (unsigned i = 0; i < (s->floats ? FLOAT_SCRATCH : ARRAY_LEN(a->in_turn)); i++)
        if (try_register(a, s, s->floats ? FLOATS_FROM + i : a->in_turn[i])) return;
    if (try_register(a, s, REG_KEPT)) return;
    a->has_spilt |= s->weight > 0;
}

static int by_weight(const void *x, const void *y) {
    const struct share *s = *(const struct share *const *)x, *t = *(const struct share *const *)y;
    double v = s->weight / (s->length + 1), w = t->weight / (t->length + 1);
    return v < w ? 1 : v > w ? -1 : s < t ? -1 : 1;
}

static void give_in_turn(struct allocator *a, struct share **order, uint32_t count) {
    qsort(order, count, sizeof *order, by_weight);
    for (uint32_t i = 0; i < count && ir_goes_on(a->g); i++) give_register(a, order[i]);
}

/* Values that live across calls are at home, each in its own: if no register is free for all that have become one, some
 * may have one alone. */
static void give_to_singles(struct allocator *a, struct share **order) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < a->share_count; i++) {
        const struct share *s = &a->shares[i];
        while (s->parent != (uint32_t)(s - a->shares)) s = &a->shares[s->parent];
        if (s->crosses && s->count > 1 && s->reg == NO_REGISTER) order[count++] = &a->shares[i];
    }
    for (uint32_t i = 0; i < count; i++) {
        *order[i] = a->single[order[i] - a->shares];
        find_crossing(a, order[i]);
    }
    give_in_turn(a, order, count);
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
    give_in_turn(a, order, count);
    give_to_singles(a, order);
    mem_free(order);
}

/* Without a general register to spare what is in memory cannot be read. */
static void give_registers_twice(struct allocator *a) {
#ifdef VITRINE_CARDS
    a->out->second_is_free = true;
#endif
    note_lost(a);
    set_turns(a);
    give_registers(a);
    if (!a->has_spilt || a->out->second_is_free) return;
    a->out->second_is_free = true;
    for (unsigned r = 0; r < PLACES; r++) a->registers[r].count = 0;
    for (uint32_t i = 0; i < a->share_count; i++) a->shares[i].reg = NO_REGISTER;
    note_lost(a);
    set_turns(a);
    give_registers(a);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

/* Of values that do not live across calls. */
static uint32_t give_slot(struct allocator *a, const struct share *s) {
    uint32_t i = 0;
    while (i < a->out->slots && !is_free(a, &a->slots[i], s)) i++;
    if (i == a->out->slots) {
        if (!make_room((void **)&a->slots, &a->slot_capacity, i + 1, sizeof *a->slots)) {
            failed(a);
            return 0;
        }
        a->slots[i] = (struct taken){NULL, 0, 0};
        a->slot_count = ++a->out->slots;
    }
    take(a, &a->slots[i], s);
    return i + a->g->area + FRAME_SLOTS;
}

static struct value_place place_in_memory(struct allocator *a, const struct share *s) {
    const struct node *n = node_of(a->g, s->node);
    if (s->count == 1 && (n->op == NODE_home || n->op == NODE_argument))
        return (struct value_place){PLACE_SLOT, (uint32_t)n->imm};
    if (s->count == 1 && n->op == NODE_literal && !s->floats) return (struct value_place){PLACE_REMADE, 0};
    if (s->crosses && s->homeless == 0) return (struct value_place){PLACE_NONE, 0};      /* each has its own          */
    return (struct value_place){PLACE_SLOT, give_slot(a, s)};
}

/* What lives across calls takes its home, and arguments have theirs. */
static void take_homes(struct allocator *a) {
    struct ir *g = a->g;
    if (!g->calls) return;
    for (uint32_t i = 0; i < a->share_count && ir_goes_on(g); i++) {
        struct share *s = &a->shares[i];
        const struct node *n = node_of(g, s->node);
        uint32_t home = home_of(n);
        if (s->crosses && home == NO_HOME && n->op != NODE_literal) ir_declines(g, "a value has no home at a call");
        if (home == NO_HOME || n->op == NODE_home) continue;
        struct share lives = {.ranges = s->lives};
        if (!is_free(a, &a->homes[home - 1], &lives)) ir_declines(g, "two values have one home");
        take(a, &a->homes[home - 1], &lives);
    }
}

/* Each value that lives across calls; and one that has become one with such a value, where that is in memory: each is
 * in its own home then. */
static void keep_at_home(struct allocator *a, node_id id) {
    const struct share *s = share_of(a, id);
    uint32_t home = home_of(node_of(a->g, id));
    bool is_kept = is_live(a, a->across, id) || (s->crosses && s->reg == NO_REGISTER);
    if (home != NO_HOME && is_kept) a->out->kept[id] = home;
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
        if (s->crossing > 0 && s->reg != NO_REGISTER && s->reg != REG_KEPT)
            save_across(a, s, shared[i], give_slot(a, s));
    }
    for (node_id id = 1; id < a->g->node_count; id++) {
        if (a->index[id] == 0) continue;
        a->out->places[id] = shared[share_of(a, id) - a->shares];
        keep_at_home(a, id);
        if (share_of(a, id)->reg == NO_REGISTER && a->out->kept[id] != 0)
            a->out->places[id] = (struct value_place){PLACE_SLOT, a->out->kept[id] - 1};
    }
    mem_free(shared);
}

/* Room for the arguments of the call that has most. */
static void add_outgoing(struct allocator *a) {
    uint32_t most = 0;
    for (node_id id = 1; id < a->g->node_count; id++)
        if (is_call(node_of(a->g, id))) most = MAX(most, node_of(a->g, id)->detail);
    a->out->outgoing = a->out->slots + a->g->area + FRAME_SLOTS;
    a->out->slots += most;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static bool begin(struct allocator *a) {
    const struct ir *g = a->g;
    a->out->places = mem_calloc(g->node_count, sizeof *a->out->places);
    a->out->kept = mem_calloc(g->node_count, sizeof *a->out->kept);
    a->out->wanted = mem_calloc(g->node_count, sizeof *a->out->wanted);
    a->homes = mem_calloc(g->area + FRAME_SLOTS, sizeof *a->homes);
    a->index = mem_calloc(g->node_count, sizeof *a->index);
    a->position = mem_calloc(g->node_count, sizeof *a->position);
    a->begin = mem_calloc(2 * (size_t)g->block_count, sizeof *a->begin);
    if (a->out->kept == NULL || a->out->wanted == NULL || a->homes == NULL) return false;
    if (a->out->places == NULL || a->index == NULL || a->position == NULL || a->begin == NULL) return false;
    a->end = a->begin + g->block_count;
    make_shares(a);
    if (!ir_goes_on(g)) return false;
    a->single = mem_calloc(a->share_count + 1, sizeof *a->single);
    a->words = (a->share_count + 63) / 64 + 1;
    a->live = mem_calloc((size_t)g->block_count * a->words, sizeof *a->live);
    a->now = mem_calloc(a->words, sizeof *a->now);
    a->across = mem_calloc(a->words, sizeof *a->across);
    a->range_count = make_room((void **)&a->ranges, &a->range_capacity, 1, sizeof *a->ranges) ? 1 : 0;
    return a->single != NULL && a->live != NULL && a->now != NULL && a->across != NULL && a->range_count != 0;
}

static void end(struct allocator *a) {
    for (unsigned r = 0; r < PLACES; r++) mem_free(a->registers[r].rows);
    for (uint32_t i = 0; i < a->slot_count; i++) mem_free(a->slots[i].rows);
    for (uint32_t v = 0; a->homes != NULL && v < a->g->area + FRAME_SLOTS; v++) mem_free(a->homes[v].rows);
    mem_free(a->homes);
    mem_free(a->across);
    mem_free(a->slots);
    mem_free(a->index);
    mem_free(a->position);
    mem_free(a->begin);
    mem_free(a->shares);
    mem_free(a->single);
    mem_free(a->calls);
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
        find_wanted(&a);
        measure_ranges(&a);
    }
    if (ir_goes_on(g)) take_homes(&a);
    if (ir_goes_on(g) && a.share_count != 0) memcpy(a.single, a.shares, a.share_count * sizeof *a.shares);
    if (ir_goes_on(g)) join_phis(&a);
    if (ir_goes_on(g)) find_crossings(&a);
    if (ir_goes_on(g)) give_registers_twice(&a);
    if (ir_goes_on(g)) set_places(&a);
    if (ir_goes_on(g)) add_outgoing(&a);
    end(&a);
}

void allocation_free(struct allocation *out) {
    mem_free(out->places);
    mem_free(out->kept);
    mem_free(out->wanted);
    mem_free(out->reloads);
    mem_free(out->stays);
    mem_free(out->saved);
}
