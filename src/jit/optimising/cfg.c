/* cfg.c — from bytecode to blocks: what is reached without leaving, loops, and the places where they are entered. */
#include "jit/optimising/ir.h"

#include "base/alloc.h"
#include "jit/optimising/inline.h"
#include "jit/optimising/support.h"

enum { MOST_BLOCKS = 1500, MOST_LOOPS = 64 };

static block_id new_block(struct ir *g, enum block_kind kind, uint32_t bci) {
    if (g->block_count >= MOST_BLOCKS) ir_declines(g, "it is too large");
    else if (!make_room((void **)&g->blocks, &g->block_capacity, g->block_count + 1, sizeof *g->blocks))
        ir_declines(g, "out of memory");
    if (!ir_goes_on(g)) return ROOT;
    g->blocks[g->block_count] = (struct block){.kind = (uint8_t)kind, .bci = bci, .end = bci, .scope = g->scope};
    return g->block_count++;
}

static void push_edge(struct ir *g, uint32_t to) {
    if (!make_room((void **)&g->edges, &g->edge_capacity, g->edge_count + 1, sizeof *g->edges))
        ir_declines(g, "out of memory");
    else
        g->edges[g->edge_count++] = to;
}

static void set_only_successor(struct ir *g, block_id b, block_id to) {
    block_of(g, b)->first_successor = g->edge_count;
    block_of(g, b)->successors = 1;
    push_edge(g, to);
}

/* ---- blocks of bytecode ------------------------------------------------------------------------------------------ */

/* The block of the scope that begins there, which may be new. */
static block_id block_at(struct ir *g, uint32_t bci) {
    uint32_t *at = &g->scopes[g->scope].block_at[bci];
    if (*at == 0) *at = new_block(g, BLOCK_CODE, bci) + 1;
    return *at - 1;
}

/* Where the scope's caller goes on. */
static block_id result_of(struct ir *g, uint32_t scope) {
    struct scope *s = &g->scopes[scope];
    if (s->result != 0) return s->result;
    uint32_t next = s->bci + scope_length_at(g, s->parent, s->bci);
    block_id b = new_block(g, BLOCK_RESULT, next);
    if (!ir_goes_on(g)) return ROOT;
    block_of(g, b)->scope = s->parent;
    block_of(g, b)->callee = scope;
    return s->result = b;
}

static void push_target(void *ir, uint32_t from UNUSED, int64_t to) {
    struct ir *g = ir;
    push_edge(g, block_at(g, (uint32_t)to));
}

/* ---- handlers ---------------------------------------------------------------------------------------------------- */

/* Those by which frames are to come in. */
static void list_handlers(struct ir *g) {
    struct compiler *c = g->c;
    for (uint16_t k = 0; k < c->source->handler_count && ir_goes_on(g); k++) {
        struct cf_handler h = cf_handler_at(c->source, k);
        if (!handler_is_entered(g, h.handler_pc)) continue;
        if (!make_room((void **)&g->handlers, &g->handler_capacity, g->handler_count + 1, sizeof *g->handlers))
            ir_declines(g, "out of memory");
        else
            g->handlers[g->handler_count++] = (struct ir_handler){h.start_pc, h.end_pc, h.handler_pc, 0};
    }
}

/* The block by which frames come in at the handler there; 0: none. */
static block_id entry_of_handler(const struct ir *g, uint32_t bci) {
    for (uint32_t k = 0; k < g->handler_count; k++)
        if (g->handlers[k].bci == bci && g->handlers[k].entry != 0) return g->handlers[k].entry;
    return 0;
}

/* The instruction is compiled: so are its handlers. */
static void enter_handlers(struct ir *g, uint32_t bci) {
    for (uint32_t k = 0; g->scope == 0 && k < g->handler_count && ir_goes_on(g); k++) {
        struct ir_handler *h = &g->handlers[k];
        if (bci < h->from || bci >= h->to || h->entry != 0) continue;
        h->entry = entry_of_handler(g, h->bci);
        if (h->entry != 0) continue;
        h->entry = new_block(g, BLOCK_ENTRY, h->bci);
        if (ir_goes_on(g)) set_only_successor(g, h->entry, block_at(g, h->bci));
    }
}

/* Does the block have instructions that the handler covers? */
static bool is_covered(const struct block *p, const struct ir_handler *h) {
    return p->kind == BLOCK_CODE && p->scope == 0 && h->entry != 0 && p->bci < h->to && h->from <= p->end;
}

static void push_callee(struct ir *g, uint32_t callee) {
    enter_scope(g, callee);
    push_edge(g, block_at(g, 0));
}

/* Of a call that the block asks for: the two ways that it may be done. */
static void push_ways(struct ir *g, block_id b, uint32_t callee) {
    block_of(g, b)->part = PART_ASKS;
    for (enum block_part part = PART_INLINED; part <= PART_CALLS && ir_goes_on(g); part++) {
        block_id way = new_block(g, BLOCK_CODE, block_of(g, b)->end);
        if (!ir_goes_on(g)) return;
        block_of(g, way)->part = (uint8_t)part;
        block_of(g, way)->callee = callee;
        push_edge(g, way);
    }
}

/* Up to an instruction that branches, ends or leaves, or to where branches lead. Its successors: where the branch
 * leads, then what follows. */
static void find_end(struct ir *g, block_id b) {
    struct compiler *c = g->c;
    uint32_t bci = block_of(g, b)->bci, first = g->edge_count, callee;
    for (;;) {
        uint32_t length = length_at(c, bci), next = bci + length;
        enum support how = instruction_support(g, bci);
        enter_handlers(g, bci);
        first = g->edge_count;
        block_of(g, b)->end = bci;
        if (how == SUPPORT_DECLINED || !ir_goes_on(g)) return;
        block_of(g, b)->leaves = how == SUPPORT_LEAVES;
        if (how == SUPPORT_LEAVES) break;
        if ((callee = inlined_at(g, bci)) != 0) {
            block_of(g, b)->callee = callee;
            if (g->scopes[callee].calls_others) push_ways(g, b, callee);
            else push_callee(g, callee);
            break;
        }
        if (g->scope != 0 && is_return(c->source->code[bci])) push_edge(g, result_of(g, g->scope));
        if (flow_branches(c->source->code[bci]) && how != SUPPORT_PASSES) flow_targets(c, bci, push_target, g);
        if (flow_ends(c, bci) || how == SUPPORT_JUMPS) break;
        if (flow_branches(c->source->code[bci]) || c->places[next].is_target) {
            push_target(g, bci, next);
            break;
        }
        bci = next;
    }
    block_of(g, b)->first_successor = first;
    block_of(g, b)->successors = g->edge_count - first;
}

/* The block is one of the two ways of a call. */
static void find_way(struct ir *g, block_id b) {
    const struct block p = *block_of(g, b);
    uint32_t first = g->edge_count;
    if (p.part == PART_INLINED) push_callee(g, p.callee);
    else push_edge(g, result_of(g, p.callee));
    block_of(g, b)->first_successor = first;
    block_of(g, b)->successors = 1;
}

static void find_successors(struct ir *g, block_id b) {
    const struct block p = *block_of(g, b);
    enter_scope(g, p.scope);
    if (p.kind == BLOCK_ENTRY) return;
    if (p.kind == BLOCK_RESULT) set_only_successor(g, b, block_at(g, p.bci));
    else if (p.part == PART_NONE) find_end(g, b);
    else find_way(g, b);
}

/* ---- loops ------------------------------------------------------------------------------------------------------- */

struct walk {
    struct ir *g;
    uint8_t *state;                      /* by block: 1 on the way, 2 done                                          */
    uint32_t *out, count;                /* blocks that are done, the last first                                    */
};

static bool take_bits(struct ir *g, uint32_t words, uint32_t *first) {
    if (!make_room((void **)&g->bits, &g->bit_capacity, g->bit_count + words, sizeof *g->bits)) {
        ir_declines(g, "out of memory");
        return false;
    }
    memset(g->bits + g->bit_count, 0, words * sizeof *g->bits);
    *first = g->bit_count;
    g->bit_count += words;
    return true;
}

static void note_header(struct ir *g, block_id header) {
    struct block *b = block_of(g, header);
    if (b->is_header) return;
    b->is_header = true;
    if (g->loop_count >= MOST_LOOPS) ir_declines(g, "it has too many loops");
    else if (!make_room((void **)&g->loops, &g->loop_capacity, g->loop_count + 1, sizeof *g->loops))
        ir_declines(g, "out of memory");
    else
        g->loops[g->loop_count++] = (struct ir_loop){.header = header};
}

/* Blocks are walked as if what throws led to the entries of its handlers: so a handler comes behind what it covers, and
 * is in the loops to which it leads back. */
static void find_headers(struct walk *w, block_id b) {
    w->state[b] = 1;
    for (uint32_t k = 0; k < w->g->handler_count && ir_goes_on(w->g); k++) {
        const struct ir_handler *h = &w->g->handlers[k];
        if (is_covered(block_of(w->g, b), h) && w->state[h->entry] == 0) find_headers(w, h->entry);
    }
    for (uint32_t i = 0; i < block_of(w->g, b)->successors && ir_goes_on(w->g); i++) {
        block_id to = successor(w->g, block_of(w->g, b), i);
        if (w->state[to] == 1 && block_of(w->g, b)->kind != BLOCK_ENTRY) note_header(w->g, to);
        else if (w->state[to] == 0) find_headers(w, to);
    }
    w->state[b] = 2;
    w->out[w->count++] = b;
}

/* Ways into a loop from its outside meet in a block before it, to which another block leads that reads the frame: if
 * the loop begins with a handler, that one's. An edge is one from inside where its origin is done before its header is:
 * in the order of `out`. */
static void enter_loops(struct ir *g, const uint32_t *rank) {
    uint32_t blocks = g->block_count;
    for (uint32_t k = 0; k < g->loop_count && ir_goes_on(g); k++) {
        block_id header = g->loops[k].header;
        struct block h = *block_of(g, header);
        enter_scope(g, h.scope);
        block_id before = new_block(g, BLOCK_BEFORE, h.bci), entry = 0;
        if (h.scope == 0 && g->c->places[h.bci].is_entry) entry = entry_of_handler(g, h.bci);
        if (h.scope == 0 && g->c->places[h.bci].is_entry && entry == 0) entry = new_block(g, BLOCK_ENTRY, h.bci);
        if (!ir_goes_on(g)) return;
        for (block_id b = 0; b < blocks; b++)
            for (uint32_t i = 0; i < block_of(g, b)->successors; i++)
                if (successor(g, block_of(g, b), i) == header &&
                    (rank[b] > rank[header] || block_of(g, b)->kind == BLOCK_ENTRY))
                    g->edges[block_of(g, b)->first_successor + i] = before;
        set_only_successor(g, before, header);
        if (entry != 0) set_only_successor(g, entry, before);
        block_of(g, header)->is_entered = entry != 0;
        g->loops[k].before = before;
        g->loops[k].entry = entry;
    }
}

/* ---- edges ------------------------------------------------------------------------------------------------------- */

static void count_predecessors(struct ir *g) {
    for (block_id b = 0; b < g->block_count; b++) block_of(g, b)->predecessors = 0;
    for (block_id b = 0; b < g->block_count; b++)
        for (uint32_t i = 0; i < block_of(g, b)->successors; i++)
            block_of(g, successor(g, block_of(g, b), i))->predecessors++;
}

/* No edge leads from a block with several successors to one with several predecessors. */
static void split_edges(struct ir *g) {
    count_predecessors(g);
    uint32_t blocks = g->block_count;
    for (block_id b = 0; b < blocks && ir_goes_on(g); b++)
        for (uint32_t i = 0; i < block_of(g, b)->successors && block_of(g, b)->successors > 1; i++) {
            uint32_t at = block_of(g, b)->first_successor + i, to = g->edges[at];
            if (block_of(g, to)->predecessors < 2) continue;
            enter_scope(g, block_of(g, b)->scope);
            block_id edge = new_block(g, BLOCK_EDGE, block_of(g, to)->bci);
            if (!ir_goes_on(g)) return;
            g->edges[at] = edge;
            set_only_successor(g, edge, to);
        }
}

static void list_predecessors(struct ir *g) {
    count_predecessors(g);
    uint32_t at = g->edge_count, all = 0;
    for (block_id b = 0; b < g->block_count; b++) all += block_of(g, b)->predecessors;
    if (!make_room((void **)&g->edges, &g->edge_capacity, at + all, sizeof *g->edges)) {
        ir_declines(g, "out of memory");
        return;
    }
    g->edge_count = at + all;
    for (block_id b = 0; b < g->block_count; b++) {
        block_of(g, b)->first_predecessor = at;
        at += block_of(g, b)->predecessors;
        block_of(g, b)->predecessors = 0;
    }
    for (block_id b = 0; b < g->block_count; b++)
        for (uint32_t i = 0; i < block_of(g, b)->successors; i++) {
            struct block *to = block_of(g, successor(g, block_of(g, b), i));
            g->edges[to->first_predecessor + to->predecessors++] = b;
        }
}

/* ---- which blocks are in which loop ------------------------------------------------------------------------------ */

static const char several_begins[] = "a loop of it has several begins";

static void add_member(struct ir *g, struct ir_loop *l, block_id b) {
    if (in_bits(g, l->members, b) || !ir_goes_on(g)) return;
    g->bits[l->members + b / 64] |= (uint64_t)1 << b % 64;
    l->size++;
    if (block_of(g, b)->kind == BLOCK_ENTRY) return;
    if (b == ROOT) ir_declines(g, several_begins);
    for (uint32_t i = 0; i < block_of(g, b)->predecessors; i++) add_member(g, l, predecessor(g, block_of(g, b), i));
}

/* The entries of loops and handlers within it are not in the loop. */
static void find_members(struct ir *g, struct ir_loop *l) {
    if (!take_bits(g, (g->block_count + 63) / 64, &l->members)) return;
    g->bits[l->members + l->header / 64] |= (uint64_t)1 << l->header % 64;
    l->size = 1;
    const struct block *h = block_of(g, l->header);
    for (uint32_t i = 0; i < h->predecessors; i++)
        if (predecessor(g, h, i) != l->before) add_member(g, l, predecessor(g, h, i));
    for (block_id b = 0; b < g->block_count; b++)
        if (block_of(g, b)->kind == BLOCK_ENTRY) g->bits[l->members + b / 64] &= ~((uint64_t)1 << b % 64);
}

static void nest_loops(struct ir *g) {
    for (uint32_t k = 0; k < g->loop_count && ir_goes_on(g); k++) find_members(g, &g->loops[k]);
    if (!ir_goes_on(g)) return;
    for (block_id b = 0; b < g->block_count; b++) {
        struct block *p = block_of(g, b);
        for (uint32_t k = 0; k < g->loop_count; k++) {
            if (!in_bits(g, g->loops[k].members, b)) continue;
            p->depth++;
            if (p->loop == 0 || g->loops[k].size < g->loops[p->loop - 1].size) p->loop = k + 1;
        }
    }
    for (uint32_t k = 0; k < g->loop_count; k++) {
        struct ir_loop *l = &g->loops[k];
        l->parent = block_of(g, l->before)->loop;
    }
}

/* ---- order ------------------------------------------------------------------------------------------------------- */

static void find_order(struct walk *w, block_id b);

static void order_next(struct walk *w, const struct block *p, block_id to, bool staying) {
    bool stays = p->loop != 0 && in_bits(w->g, w->g->loops[p->loop - 1].members, to);
    if (stays == staying && w->state[to] == 0) find_order(w, to);
}

/* What leaves a loop comes behind it. */
static void find_order(struct walk *w, block_id b) {
    const struct ir *g = w->g;
    const struct block *p = block_of(g, b);
    w->state[b] = 1;
    for (unsigned pass = 0; pass < 2; pass++) {
        for (uint32_t k = 0; k < g->handler_count; k++) {
            const struct ir_handler *h = &g->handlers[k];
            if (is_covered(p, h)) order_next(w, p, successor(g, block_of(g, h->entry), 0), pass == 1);
        }
        for (uint32_t i = 0; i < p->successors; i++) order_next(w, p, successor(g, p, i), pass == 1);
    }
    w->out[w->count++] = b;
}

/* Does the loop with that header go on its way round from there? */
static bool is_turn(const struct ir *g, block_id header, block_id from) {
    for (uint32_t k = 0; k < g->loop_count; k++)
        if (g->loops[k].header == header) return in_bits(g, g->loops[k].members, from);
    return false;
}

/* Whoever builds a block finds all ways built that lead there, but for a loop's own. */
static void look_at_order(struct ir *g) {
    for (uint32_t i = 0; i < g->order_count; i++) {
        const struct block *p = block_of(g, g->order[i]);
        for (uint32_t k = 0; k < p->predecessors; k++) {
            block_id from = predecessor(g, p, k);
            if (block_of(g, from)->number < i || block_of(g, from)->kind == BLOCK_ENTRY) continue;
            if (!is_turn(g, g->order[i], from)) ir_declines(g, several_begins);
        }
    }
}

static void set_order(struct ir *g, struct walk *w) {
    if (!make_room((void **)&g->order, &g->order_capacity, g->block_count, sizeof *g->order)) {
        ir_declines(g, "out of memory");
        return;
    }
    for (uint32_t i = 0; i < w->count; i++) g->order[i] = w->out[w->count - 1 - i];
    g->order_count = w->count;
    for (block_id b = 0; b < g->block_count; b++)
        if (block_of(g, b)->kind == BLOCK_ENTRY) g->order[g->order_count++] = b;
    for (uint32_t i = 0; i < g->order_count; i++) block_of(g, g->order[i])->number = i;
    look_at_order(g);
}

static void with_walk(struct ir *g, void (*does)(struct ir *g, struct walk *w)) {
    if (!ir_goes_on(g)) return;
    uint32_t n = 2 * g->block_count + 2;
    struct walk w = {.g = g, .state = mem_zalloc(n), .out = mem_alloc(n * sizeof *w.out)};
    if (w.state != NULL && w.out != NULL) does(g, &w);
    else ir_declines(g, "out of memory");
    mem_free(w.state);
    mem_free(w.out);
}

static void walk_for_loops(struct ir *g, struct walk *w) {
    find_headers(w, ROOT);
    if (!ir_goes_on(g)) return;
    uint32_t *rank = mem_calloc(g->block_count, sizeof *rank);
    if (rank == NULL) {
        ir_declines(g, "out of memory");
        return;
    }
    for (uint32_t i = 0; i < w->count; i++) rank[w->out[i]] = i + 1;
    enter_loops(g, rank);
    mem_free(rank);
}

static void walk_for_order(struct ir *g, struct walk *w) {
    find_order(w, ROOT);
    set_order(g, w);
}

void cfg_build(struct ir *g) {
    uint32_t length = g->c->source->code_length;
    if (!make_room((void **)&g->block_at, &g->block_at_capacity, length, sizeof *g->block_at)) {
        ir_declines(g, "out of memory");
        return;
    }
    memset(g->block_at, 0, length * sizeof *g->block_at);
    g->scopes[0].block_at = g->block_at;
    list_handlers(g);
    if (ir_goes_on(g)) look_at_first(g);
    if (ir_goes_on(g)) (void)new_block(g, BLOCK_EDGE, 0);
    block_id begin = ir_goes_on(g) ? block_at(g, 0) : ROOT;
    if (ir_goes_on(g)) set_only_successor(g, ROOT, begin);
    for (block_id b = begin; b < g->block_count && ir_goes_on(g); b++) find_successors(g, b);
    g->inlines = false;
    with_walk(g, walk_for_loops);
    if (ir_goes_on(g)) split_edges(g);
    if (ir_goes_on(g)) list_predecessors(g);
    if (ir_goes_on(g)) nest_loops(g);
    with_walk(g, walk_for_order);
    enter_scope(g, 0);
}
