/* emit.c — the method's code, block after block:
 *
 *      entry             the baseline compiler's
 *      blocks            as layout.c has them; those by which loops are entered come last
 *      reported returns  locals go home, and the stub `returns` does the rest
 *      exits             calls of `leaving`, as the baseline compiler's
 *      jump tables       what switches jump by */
#include "jit/optimising/emit.h"

#include "base/alloc.h"
#include "base/options.h"
#include "jit/optimising/call.h"
#include "thread/thread.h"

static bool is_phi(const struct emitter *e, node_id n) { return n != 0 && emitted(e, n)->op == NODE_phi; }

/* ---- where the machine code belongs ------------------------------------------------------------------------------ */

/* From here on it belongs to the instruction bci of the scope. */
static void note_position(struct emitter *e, uint32_t scope, int32_t bci) {
    const struct scope *scopes = e->g->scopes;
    uint32_t outer = scope, here = (uint32_t)(e->c->a.next - e->c->a.start);
    int32_t at = bci;
    for (; outer != 0; outer = scopes[outer].parent) at = (int32_t)scopes[outer].bci;
    note_pc(e->c, at);
    if (e->g->scope_count > 1) inlined_note(&e->c->inlined, here, scope, scope != 0 ? (uint32_t)bci : 0);
}

/* ---- from block to block ----------------------------------------------------------------------------------------- */

/* Values for the phis of the block's only successor. */
static void collect_moves(struct emitter *e, block_id b) {
    const struct ir *g = e->g;
    const struct block *p = block_of(g, b);
    e->moves.count = 0;
    if (p->successors != 1) return;
    const struct block *to = block_of(g, successor(g, p, 0));
    uint32_t way = 0;
    while (predecessor(g, to, way) != b) way++;
    for (node_id id = to->first; is_phi(e, id); id = emitted(e, id)->next) {
        node_id in = phi_input(g, emitted(e, id), way);
        uint32_t kept = e->places->kept[id];
        struct value_place place = e->places->places[id];
        if (kept == 0 || (e->places->wanted[id] && place.kind != PLACE_SLOT)) add_move(e, in, place);
        if (kept != 0) add_steady_move(e, in, (struct value_place){PLACE_SLOT, kept - 1});
    }
}

/* Where a jump to the block ends; those that do nothing but jump have no code. */
static block_id final_target(struct emitter *e, block_id b) {
    const struct ir *g = e->g;
    for (uint32_t steps = 0; steps < g->block_count; steps++) {
        const struct block *p = block_of(g, b);
        if (p->first != p->last || emitted(e, p->first)->op != NODE_jump || p->kind == BLOCK_ENTRY) return b;
        collect_moves(e, b);
        if (e->moves.count != 0) return b;
        b = successor(g, p, 0);
    }
    return b;
}

static struct asm_label *label_to(struct emitter *e, block_id b) { return &e->labels[final_target(e, b)]; }

static bool is_next(struct emitter *e, block_id b) { return final_target(e, b) == e->next; }

static void jump_unless_next(struct emitter *e, block_id b) {
    if (!is_next(e, b)) asm_jump(&e->c->a, label_to(e, b));
}

static void emit_jump(struct emitter *e, block_id b) {
    collect_moves(e, b);
    make_moves(e);
    jump_unless_next(e, successor(e->g, block_of(e->g, b), 0));
}

/* ---- branches ---------------------------------------------------------------------------------------------------- */

/* op: ALU_CMP, or ALU_TEST: whether they have bits in common. */
static void compare(struct emitter *e, const struct node *n, enum asm_alu op) {
    enum asm_width w = width_of_type(emitted(e, n->in[0])->type);
    const struct node *y = emitted(e, n->in[1]);
    struct asm_mem m;
    if (is_constant(y) && is_in_slot(e, n->in[0], &m)) {
        asm_alu_store_constant(&e->c->a, op, w, m, (int32_t)y->imm);
        return;
    }
    enum asm_reg x = in_general(e, n->in[0], REG_SCRATCH);
    if (op == ALU_CMP && is_constant(y) && y->imm == 0) asm_alu(&e->c->a, ALU_TEST, w, x, x);
    else apply(e, op, w, x, n->in[1], SECOND_SCRATCH);
}

static enum asm_cond float_condition(const struct node *n) {
    static const uint8_t by_order[] = {[COND_LESS] = COND_BELOW, [COND_NOT_LESS] = COND_NOT_BELOW,
                                       [COND_GREATER] = COND_ABOVE, [COND_NOT_GREATER] = COND_NOT_ABOVE},
                         exchanged[] = {[COND_LESS] = COND_ABOVE, [COND_NOT_LESS] = COND_NOT_ABOVE,
                                        [COND_GREATER] = COND_BELOW, [COND_NOT_GREATER] = COND_NOT_BELOW};
    bool exchanges = n->imm == OP_fcmpg || n->imm == OP_dcmpg;
    return (enum asm_cond)(exchanges ? exchanged : by_order)[n->detail];
}

/* EQUAL also holds where one is not a number. */
static void branch_if_equal(struct emitter *e, const struct node *n, block_id taken, block_id other) {
    struct assembler *a = &e->c->a;
    bool equal = n->detail == COND_EQUAL;
    asm_branch(a, COND_UNORDERED, label_to(e, equal ? other : taken));
    asm_branch(a, equal ? COND_EQUAL : COND_NOT_EQUAL, label_to(e, taken));
    jump_unless_next(e, other);
}

/* Has the block been written? So it is mostly the way back in a loop. */
static bool is_behind(struct emitter *e, block_id b) { return label_to(e, b)->bound != 0; }

/* Where neither follows, a loop's next turn takes but one branch. */
static void branch(struct emitter *e, enum asm_cond cond, block_id taken, block_id other) {
    bool exchanges = is_next(e, taken) || (!is_next(e, other) && is_behind(e, other) && !is_behind(e, taken));
    if (exchanges) {
        asm_branch(&e->c->a, asm_not(cond), label_to(e, other));
        jump_unless_next(e, taken);
    } else {
        asm_branch(&e->c->a, cond, label_to(e, taken));
        jump_unless_next(e, other);
    }
}

static void emit_branch(struct emitter *e, block_id b, const struct node *n) {
    const struct ir *g = e->g;
    block_id taken = successor(g, block_of(g, b), 0), other = successor(g, block_of(g, b), 1);
    if (n->imm == 0 || n->imm == OP_lcmp || n->imm == OP_iand) {
        compare(e, n, n->imm == OP_iand ? ALU_TEST : ALU_CMP);
        branch(e, (enum asm_cond)n->detail, taken, other);
        return;
    }
    emit_float_compare(e, n, (uint8_t)n->imm);
    if (n->detail == COND_EQUAL || n->detail == COND_NOT_EQUAL) branch_if_equal(e, n, taken, other);
    else branch(e, float_condition(n), taken, other);
}

/* Null is an instance of nothing. */
static void emit_branch_instance(struct emitter *e, block_id b, const struct node *n) {
    struct assembler *a = &e->c->a;
    bool if_one = n->detail == COND_NOT_EQUAL;
    block_id one = successor(e->g, block_of(e->g, b), if_one ? 0 : 1),
             none = successor(e->g, block_of(e->g, b), if_one ? 1 : 0);
    enum asm_reg object = in_general(e, n->in[0], REG_SCRATCH);
    if (!(emitted(e, n->in[0])->flags & NODE_NOT_NULL)) {
        asm_alu(a, ALU_TEST, W64, object, object);
        asm_branch(a, COND_EQUAL, label_to(e, none));
    }
    compare_class(e, n, object, SECOND_SCRATCH);
    branch(e, COND_EQUAL, one, none);
}

/* Its first successor, if the object's class is this one. */
static void emit_branch_class(struct emitter *e, block_id b, const struct node *n) {
    const struct block *p = block_of(e->g, b);
    compare_with_class(e, n);
    branch(e, COND_EQUAL, successor(e->g, p, 0), successor(e->g, p, 1));
}

struct search { const struct block *block; struct op_switch s; bool is_lookup; enum asm_reg key; };

static int32_t key_of(const struct search *s, uint32_t k) {
    return s->is_lookup ? op_s4(s->s.table + 8 * (size_t)k) : (int32_t)((uint32_t)s->s.low + k);
}

/* By halves, as the baseline compiler does it. The default comes first among the successors. */
static void search(struct emitter *e, const struct search *s, uint32_t from, uint32_t to) {
    enum { LINEAR = 4 };
    struct assembler *a = &e->c->a;
    if (to - from > LINEAR) {
        struct asm_label lower = {0};
        uint32_t middle = from + (to - from) / 2;
        asm_alu_constant(a, ALU_CMP, W32, s->key, key_of(s, middle));
        asm_branch(a, COND_LESS, &lower);
        search(e, s, middle, to);
        asm_bind(a, &lower);
        search(e, s, from, middle);
        return;
    }
    for (; from < to; from++) {
        asm_alu_constant(a, ALU_CMP, W32, s->key, key_of(s, from));
        asm_branch(a, COND_EQUAL, label_to(e, successor(e->g, s->block, from + 1)));
    }
    asm_jump(a, label_to(e, successor(e->g, s->block, 0)));
}

static void jump_by_table(struct emitter *e, block_id b, const struct node *n, const struct op_switch *s) {
    struct assembler *a = &e->c->a;
    const enum asm_reg index = SECOND_SCRATCH;
    if (!make_room((void **)&e->tables, &e->table_capacity, e->table_count + 1, sizeof *e->tables)) {
        e->c->failed = true;
        return;
    }
    e->tables[e->table_count++] = (struct jump){{0}, b};
    into_general(e, index, n->in[0]);
    asm_move(a, W32, index, index);
    if (s->low != 0) asm_alu_constant(a, ALU_SUB, W32, index, s->low);
    asm_alu_constant(a, ALU_CMP, W32, index, (int32_t)s->count);
    asm_branch(a, COND_NOT_BELOW, label_to(e, successor(e->g, block_of(e->g, b), 0)));
    asm_jump_by_table(a, &e->tables[e->table_count - 1].label, index);
}

/* Behind all other code. */
static void emit_tables(struct emitter *e) {
    if (e->table_count != 0) note_pc(e->c, PCS_TABLES);
    for (uint32_t i = 0; i < e->table_count; i++) {
        const struct block *b = block_of(e->g, e->tables[i].block);
        asm_bind(&e->c->a, &e->tables[i].label);
        for (uint32_t k = 1; k < b->successors; k++) asm_table_entry(&e->c->a, label_to(e, successor(e->g, b, k)));
    }
}

static void emit_choose(struct emitter *e, block_id b, const struct node *n) {
    const uint8_t *code = e->g->scopes[block_of(e->g, b)->scope].source->code;
    struct search s = {block_of(e->g, b), op_switch_decode(code, (uint32_t)n->bci), false, REG_NONE};
    s.is_lookup = code[n->bci] == OP_lookupswitch;
    if (n->detail) {
        jump_by_table(e, b, n, &s.s);
        return;
    }
    s.key = in_general(e, n->in[0], REG_SCRATCH);
    search(e, &s, 0, s.s.count);
}

/* ---- polls and returns ------------------------------------------------------------------------------------------- */

/* One less until the frame leaves. */
static void leave_at_last(struct emitter *e, const struct node *n, size_t counter) {
    asm_alu_store_constant(&e->c->a, ALU_SUB, W32, thread_field(counter), 1);
    asm_branch(&e->c->a, COND_NOT_GREATER, exit_of(e, n));
}

/* -XX:SwitchTierEvery. */
static void leave_if_switching(struct emitter *e, const struct node *n) {
    if (vm->options->flags.SwitchTierEvery != 0) leave_at_last(e, n, offsetof(struct os_thread, until_switch));
}

/* -XX:DeoptimizeEvery: as if the check had failed. */
static void leave_if_deoptimizing(struct emitter *e, const struct node *n) {
    bool is_check = node_groups[n->op] == GROUP_CHECK && n->op != NODE_call_math;
    if (is_check && vm->options->flags.DeoptimizeEvery != 0)
        leave_at_last(e, n, offsetof(struct os_thread, until_deoptimize));
}

static void emit_poll(struct emitter *e, const struct node *n) {
    asm_test_bits(&e->c->a, thread_field(offsetof(struct os_thread, attention)), POLL_ANY);
    asm_branch(&e->c->a, COND_NOT_EQUAL, exit_of(e, n));
    leave_if_switching(e, n);
}

static uint32_t result_slots(const struct node *n) {
    return n->detail == OP_return ? 0 : n->detail == OP_lreturn || n->detail == OP_dreturn ? 2 : 1;
}

static bool has_objects(const struct ir *g, uint32_t state) {
    const struct state *s = &g->states[state];
    for (uint32_t i = 0; i < s->locals + s->depth; i++)
        if (node_of(g, g->values[s->first + i])->op == NODE_object) return true;
    return s->outer != 0 && has_objects(g, s->outer);
}

/* Where others see the return the frame is as the interpreter's, or is the interpreter's. */
static struct asm_label *return_label(struct emitter *e, node_id id) {
    const struct node *n = emitted(e, id);
    if (e->g->states[n->state].depth != result_slots(n) || has_objects(e->g, n->state)) return exit_of(e, n);
    if (!make_room((void **)&e->reported, &e->reported_capacity, e->reported_count + 1, sizeof *e->reported)) {
        e->c->failed = true;
        return exit_of(e, n);
    }
    e->reported[e->reported_count++] = (struct reported){{0}, id};
    return &e->reported[e->reported_count - 1].label;
}

/* The upper half of what has 32 bits is 0. */
static void load_result(struct emitter *e, const struct node *n) {
    if (n->in[0] == 0) {
        asm_zero(&e->c->a, REG_RESULT);
        return;
    }
    into_general(e, REG_RESULT, n->in[0]);
    if (is_constant(emitted(e, n->in[0])) && n->detail == OP_ireturn) asm_move(&e->c->a, W32, REG_RESULT, REG_RESULT);
}

static void emit_give(struct emitter *e, node_id id) {
    struct assembler *a = &e->c->a;
    const struct node *n = emitted(e, id);
    leave_if_switching(e, n);
    if (n->flags & NODE_VOLATILE) emit_give_back(e);
    uint32_t before = e->reported_count;
    (void)return_label(e, id);
    bool is_reported = e->reported_count != before;
    asm_test_bits(a, thread_field(offsetof(struct os_thread, attention)), WATCH_METHODS | WATCH_STEPS);
    asm_branch(a, COND_NOT_EQUAL, is_reported ? &e->reported[before].label : exit_of(e, n));
    asm_test_bits(a, asm_at(REG_FRAME, offsetof(struct frame, flags)), FRAME_ANY & ~(uint32_t)FRAME_PLAIN);
    asm_branch(a, COND_NOT_EQUAL, is_reported ? &e->reported[before].label : exit_of(e, n));
    load_result(e, n);
    asm_load(a, U64, REG_FRAME, asm_at(REG_FRAME, offsetof(struct frame, caller)));
    note_pc(e->c, PCS_NO_FRAME);
    asm_return(a);
}

/* The result goes to its register while the locals go home, since it may lie in the home of one. */
static void emit_reported(struct emitter *e, struct reported *t) {
    const struct ir *g = e->g;
    const struct node *n = emitted(e, t->give);
    const struct state *s = &g->states[n->state];
    node_id result = n->in[0];
    e->c->bci = (uint32_t)n->bci;
    note_position(e, 0, n->bci);
    asm_bind(&e->c->a, &t->label);
    e->moves.count = 0;
    for (uint32_t i = 0; i < g->locals; i++)
        if (g->values[s->first + i] != 0)
            add_steady_move(e, g->values[s->first + i], (struct value_place){PLACE_SLOT, i});
    if (result != 0) add_move(e, result, (struct value_place){PLACE_REGISTER, REG_RESULT});
    make_moves(e);
    if (result == 0) asm_zero(&e->c->a, REG_RESULT);
    else if (result_slots(n) == 1 && n->detail != OP_areturn) asm_move(&e->c->a, W32, REG_RESULT, REG_RESULT);
    store_pc(e->c, false);
    call_stub(e->c, e->c->stubs->returns);
    note_pc(e->c, PCS_NO_FRAME);
    asm_return(&e->c->a);
}

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

/* The slots up to the last that the code has of its own. */
static uint32_t end_of_slots(const struct emitter *e) { return e->g->area + FRAME_SLOTS + e->places->slots; }

/* Values in memory, and what is inlined, need room behind the operands: mostly no more than lies behind the limit. */
static void look_for_room(struct emitter *e, uint32_t bci, uint32_t depth) {
    const struct method_code *code = e->g->scopes[0].code;
    if (end_of_slots(e) <= code->max_locals + code->frame_slots + JAVA_STACK_UNASKED) return;
    struct assembler *a = &e->c->a;
    asm_address(a, REG_SCRATCH, slot_at(e, end_of_slots(e)));
    asm_alu_load(a, ALU_CMP, W64, REG_SCRATCH, asm_at(REG_JAVA, offsetof(struct java_thread, stack_limit)));
    asm_branch(a, COND_ABOVE, exit_at_home(e, bci, depth));
}

static void emit_end(struct emitter *e, block_id b, node_id id) {
    const struct node *n = emitted(e, id);
    switch (n->op) {
    case NODE_jump: emit_jump(e, b); break;
    case NODE_branch: emit_branch(e, b, n); break;
    case NODE_branch_instance: emit_branch_instance(e, b, n); break;
    case NODE_branch_class: emit_branch_class(e, b, n); break;
    case NODE_choose: emit_choose(e, b, n); break;
    case NODE_give: emit_give(e, id); break;
    case NODE_throw: emit_throw(e, n); break;
    default: asm_jump(&e->c->a, exit_of(e, n)); break;
    }
}

/* The turns of an innermost loop begin where the processor begins to fetch: how fast they are does not depend on how
 * long the code before them happens to be, which differs by a quarter otherwise, and changes when code is made anew. */
static void align_loop(struct emitter *e, const struct block *p) {
    enum { FETCHED_AT_ONCE = 32 };
    if (p->loop == e->loop) return;
    e->loop = p->loop;
    if (p->loop == 0 || e->g->loops[p->loop - 1].calls) return;
    for (uint32_t i = 0; i < e->g->loop_count; i++)
        if (e->g->loops[i].parent == p->loop) return;
    asm_align(&e->c->a, FETCHED_AT_ONCE);
}

static void emit_block(struct emitter *e, block_id b) {
    const struct block *p = block_of(e->g, b);
    struct compiler *c = e->c;
    align_loop(e, p);
    note_position(e, p->scope, (int32_t)p->bci);
    if (b != ROOT) asm_bind(&c->a, &e->labels[b]);
    if (p->kind == BLOCK_ENTRY) pcs_add(&c->entries, (uint32_t)(c->a.next - c->a.start), (int32_t)p->bci);
    if (b == ROOT || p->kind == BLOCK_ENTRY) look_for_room(e, p->bci, b == ROOT ? 0 : c->places[p->bci].depth);
    begin_records(e, b);
    e->youngest = 0;
    for (node_id id = p->first; id != 0; id = emitted(e, id)->next) {
        note_position(e, p->scope, emitted(e, id)->bci);
        if (!is_done_by_any(e, emitted(e, id))) set_youngest(e, 0);
        leave_if_deoptimizing(e, emitted(e, id));
        if (id == p->last) emit_end(e, b, id);
        else if (emitted(e, id)->op == NODE_poll) emit_poll(e, emitted(e, id));
        else emit_node(e, id);
        emit_keep(e, id);
    }
}

/* ---- exits ------------------------------------------------------------------------------------------------------- */

/* Is the value in its home throughout? */
static bool is_at_home(const struct node *n, uint32_t home) {
    return (n->op == NODE_argument || n->op == NODE_home) && n->imm == (int64_t)home;
}

/* In the list of the exit at hand, where those come first that it refers to. */
static uint16_t number_of_object(struct emitter *e, node_id id) {
    const struct virtual_object *o = object_of(e->g, id);
    for (uint32_t i = 0; i < e->object_count; i++)
        if (e->objects[i] == id) return (uint16_t)i;
    for (uint32_t i = 0; i < o->count; i++)
        if (emitted(e, e->g->inputs[o->first + i])->op == NODE_object)
            (void)number_of_object(e, e->g->inputs[o->first + i]);
    if (!make_room((void **)&e->objects, &e->object_capacity, e->object_count + 1, sizeof *e->objects)) {
        e->c->failed = true;
        return 0;
    }
    e->objects[e->object_count] = id;
    return (uint16_t)e->object_count++;
}

/* What has been passed to a function of C is there: its place may be another value's by now. */
static struct value_place place_left(const struct emitter *e, node_id id) {
    uint32_t slot = e->passed != 0 ? slot_passed(e->g, emitted(e, e->passed), id) : NOT_PASSED;
    return slot != NOT_PASSED ? outgoing(e, slot) : steady_place(e, id);
}

static struct exit_operand operand_left(struct emitter *e, node_id id, uint32_t home) {
    const struct node *n = emitted(e, id);
    struct value_place p = place_left(e, id);
    struct exit_operand o = {.index = home, .constant = n->imm, .local = (uint16_t)p.number};
    if (n->op == NODE_object) o.local = number_of_object(e, id);
    if (n->op == NODE_object) o.place = EXIT_OBJECT;
    else if (is_constant(n) || n->op == NODE_literal) o.place = EXIT_CONSTANT;
    else if (p.kind == PLACE_SLOT) o.place = EXIT_LOCAL;
    else if (p.kind == PLACE_REGISTER) o.place = (uint8_t)(EXIT_REGISTER + p.number);
    else o.place = (uint8_t)((n->type == TYPE_FLOAT ? EXIT_FLOAT : EXIT_DOUBLE) + p.number);
    return o;
}

/* Those of the oldest scope first. */
static uint32_t list_values(struct emitter *e, uint32_t state) {
    const struct ir *g = e->g;
    if (state == 0) return 0;
    const struct state *s = &g->states[state];
    uint32_t count = list_values(e, s->outer);
    for (uint32_t i = 0; i < s->locals + s->depth; i++) {
        node_id id = g->values[s->first + i];
        uint32_t home = g->scopes[s->scope].base + (i < s->locals ? i : i + FRAME_SLOTS);
        if (id == 0 || e->places->kept[id] == home + 1 || is_at_home(emitted(e, id), home)) continue;
        e->operands[count++] = operand_left(e, id, home);
    }
    return count;
}

/* Values that the code wants behind the exit are in their places again, and so are the records of what is inlined. */
static void add_places(struct emitter *e, const struct emitted_exit *x) {
    const struct allocation *places = e->places;
    uint64_t slots[EXIT_SLOT_WORDS] = {0};
    uint32_t words = 0, i = 0;
    while (i < places->stay_count && places->stays[i].node != x->back) i++;
    for (; i < places->stay_count && places->stays[i].node == x->back; i++) {
        node_id v = places->stays[i].value;
        const struct value_place found[] = {steady_place(e, v), places->places[v]};
        for (size_t k = 0; k < ARRAY_LEN(found); k++) {
            uint32_t number = found[k].number;
            if (found[k].kind == PLACE_SLOT) slots[number / 64] |= (uint64_t)1 << number % 64;
            if (found[k].kind == PLACE_REGISTER) words |= 1u << number;
        }
    }
    for (uint32_t s = x->scope; s != 0; s = e->g->scopes[s].parent) {
        uint32_t record = e->g->scopes[s].base + e->g->scopes[s].locals;
        for (uint32_t k = record; k < record + FRAME_SLOTS; k++) slots[k / 64] |= (uint64_t)1 << k % 64;
    }
    exits_add_places(&e->c->exits, words, slots);
}

static void add_object(struct emitter *e, node_id id) {
    const struct ir *g = e->g;
    const struct virtual_object *o = object_of(g, id);
    struct exit_field fields[EXIT_MOST_FIELDS];
    for (uint32_t i = 0; i < o->count; i++) {
        const struct object_field *f = &g->fields[o->fields + i];
        fields[i] = (struct exit_field){f->kind, operand_left(e, g->inputs[o->first + i], f->offset)};
    }
    struct exit_monitor monitors[EXIT_MOST_MONITORS];
    for (uint32_t i = 0; i < o->held.count; i++) {
        const struct scope *s = &g->scopes[o->held.of[i].scope];
        monitors[i] = (struct exit_monitor){s->base + s->locals, o->held.of[i].enter};
    }
    exits_add_object(&e->c->exits, o->class, fields, o->count, monitors, o->held.count);
}

/* Where frames leave with that state. True: they come back. */
static bool add_exit_row(struct emitter *e, const struct emitted_exit *x, unsigned kind) {
    struct compiler *c = e->c;
    e->object_count = 0;
    e->passed = x->passed;
    uint32_t count = list_values(e, x->state), end = (uint32_t)(c->a.next - c->a.start);
    if (e->object_count != 0) kind |= EXIT_OBJECTS;
    else if (x->back != 0) kind |= EXIT_BACK;
    exits_add(&c->exits, end, kind, x->depth, e->operands, count);
    if (kind & EXIT_BACK) add_places(e, x);
    if (e->object_count != 0) exits_begin_objects(&c->exits, e->object_count);
    for (uint32_t i = 0; i < e->object_count; i++) add_object(e, e->objects[i]);
    return kind & EXIT_BACK;
}

/* What comes back returns behind the call, as the processor expects. */
static void emit_exits(struct emitter *e) {
    struct compiler *c = e->c;
    for (uint32_t i = 0; i < e->exit_count; i++) {
        struct emitted_exit *x = &e->exits[i];
        unsigned kind = EXIT_WHOLE | x->kind | (x->scope != 0 ? EXIT_INLINED : 0);
        note_position(e, x->scope, (int32_t)x->bci);
        if (x->allocates) emit_no_room(e, x);
        asm_bind(&c->a, &x->label);
        asm_call(&c->a, &c->leaving);
        if (add_exit_row(e, x, kind)) asm_jump(&c->a, &x->behind);
    }
    if (e->exit_count != 0) write_leaving(c);
}

/* The table of what is inlined, if anything is. */
static void begin_inlined(struct emitter *e) {
    const struct ir *g = e->g;
    if (g->scope_count == 1) return;
    inlined_begin(&e->c->inlined, g->scope_count - 1);
    for (uint32_t i = 1; i < g->scope_count; i++) {
        const struct scope *s = &g->scopes[i];
        inlined_add(&e->c->inlined, &(struct inlined_method){s->code, s->parent, s->bci, s->base, s->receiver,
                                                                s->site});
    }
}

void emit_method(struct emitter *e) {
    struct ir *g = e->g;
    e->exit_count = e->reported_count = e->table_count = e->loop = 0;
    memset(e->labels, 0, g->block_count * sizeof *e->labels);
    begin_inlined(e);
    write_entry(e->c);
    uint32_t begun = 0;                  /* blocks of g->order                                                      */
    for (uint32_t i = 0, next; i < g->order_count && !e->c->failed; i = next) {
        next = i + 1;
        while (next < g->order_count && final_target(e, e->layout[next]) != e->layout[next]) next++;
        e->next = next < g->order_count ? e->layout[next] : ROOT;
        /* Those that come later, or do nothing but jump to another one: they write no records.                    */
        while (begun < block_of(g, e->layout[i])->number) begin_records(e, g->order[begun++]);
        begun = MAX(begun, block_of(g, e->layout[i])->number + 1);
        emit_block(e, e->layout[i]);
    }
    e->youngest = 0;
    for (uint32_t i = 0; i < e->reported_count && !e->c->failed; i++) emit_reported(e, &e->reported[i]);
    if (!e->c->failed) emit_exits(e);
    if (!e->c->failed) emit_tables(e);
    note_pc(e->c, PCS_NO_FRAME);
}
