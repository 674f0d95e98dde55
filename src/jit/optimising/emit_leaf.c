/* emit_leaf.c — machine code of calls of C functions that neither stop nor throw, by the stub `leaf`. What else is in
 * registers goes to memory before the call and comes back behind it: the allocator has found that cheaper than to have
 * it there throughout. */
#include "exec/intrinsic.h"
#include "jit/optimising/emit.h"

static void save(struct emitter *e, node_id call, bool restores) {
    struct assembler *a = &e->c->a;
    for (uint32_t i = 0; i < e->places->saved_count; i++) {
        const struct saved_value *s = &e->places->saved[i];
        struct asm_mem m = slot_at(e, s->slot);
        if (s->call != call) continue;
        if (s->place.kind == PLACE_FLOATING && restores) asm_float_load(a, F64, s->place.number, m);
        else if (s->place.kind == PLACE_FLOATING) asm_float_store(a, F64, m, s->place.number);
        else if (restores) asm_load(a, U64, (enum asm_reg)s->place.number, m);
        else asm_store(a, W64, m, (enum asm_reg)s->place.number);
    }
}

/* Of call_math they are its inputs, else the operands on top of its state. */
static void pass_arguments(struct emitter *e, const struct node *n) {
    const struct ir *g = e->g;
    const struct state *s = &g->states[n->state];
    uint32_t slot = 0;
    e->moves.count = 0;
    if (n->op == NODE_call_leaf) {
        for (; slot < n->detail; slot++) {
            node_id v = g->values[s->first + s->locals + s->depth - n->detail + slot];
            if (v != 0) add_move(e, v, outgoing(e, slot));
        }
    } else {
        for (unsigned i = 0; i < NODE_INPUTS && n->in[i] != 0; i++) {
            add_move(e, n->in[i], outgoing(e, slot));
            slot += is_wide_type(emitted(e, n->in[i])->type) ? 2 : 1;
        }
    }
    make_moves(e);
}

static void keep_result(struct emitter *e, node_id id, const struct node *n) {
    if (n->type == TYPE_NONE) return;
    if (is_float_type(n->type)) {
        unsigned x = result_float(e, id);
        asm_float_from_word(&e->c->a, width_of_type(n->type), x, REG_RESULT);
        keep_float(e, id, x);
    } else {
        enum asm_reg r = result_general(e, id);
        if (r != REG_RESULT) asm_move(&e->c->a, W64, r, REG_RESULT);
        keep_general(e, id, r);
    }
}

static bool compares_arrays(const struct node *n) {
    static leaf_function *const those[] = {leaf_bytes_equal, leaf_array_equals_1, leaf_array_equals_2,
                                           leaf_array_equals_4, leaf_array_equals_8};
    for (size_t i = 0; i < ARRAY_LEN(those); i++)
        if (n->imm == (intptr_t)those[i]) return true;
    return false;
}

/* Two arrays of different lengths, at REG_COUNT, are not equal: then on at `differ`, with the result and NOT_EQUAL. */
static void compare_lengths(struct assembler *a, struct asm_label *differ) {
    const enum asm_reg x = REG_SCRATCH, y = REG_RESULT;
    struct asm_label ask = {0};
    asm_load(a, U64, x, asm_at(REG_COUNT, 0));
    asm_load(a, U64, y, asm_at(REG_COUNT, 8));
    asm_alu(a, ALU_TEST, W64, x, x);
    asm_branch_short(a, COND_EQUAL, &ask);
    asm_alu(a, ALU_TEST, W64, y, y);
    asm_branch_short(a, COND_EQUAL, &ask);
    asm_load(a, U32, x, asm_at(x, offsetof(struct array, length)));
    asm_alu_load(a, ALU_CMP, W32, x, asm_at(y, offsetof(struct array, length)));
    asm_constant(a, REG_RESULT, 0);      /* flags stay as they are                                                  */
    asm_branch(a, COND_NOT_EQUAL, differ);
    asm_bind(a, &ask);
}

/* A short copy needs neither C nor records: then on at `copied`, with NOT_EQUAL and the records that there were. */
static void copy_short(struct emitter *e, struct asm_label *copied) {
    set_youngest(e, 0);
    asm_address(&e->c->a, REG_COUNT, slot_at(e, e->places->outgoing));
    call_stub(e->c, e->c->stubs->copy);
    asm_branch(&e->c->a, COND_NOT_EQUAL, copied);
}

/* Where the function declines the frame leaves: the interpreter calls the method. */
bool emit_leaf(struct emitter *e, node_id id) {
    struct assembler *a = &e->c->a;
    struct asm_label differ = {0}, copied = {0};
    const struct node *n = emitted(e, id);
    if (!is_call(n)) return false;
    uint64_t written[e->record_words];
    memcpy(written, e->written, sizeof written);
    bool copies = n->imm == (intptr_t)leaf_copy_array;
    pass_arguments(e, n);
    save(e, id, false);
    if (copies) copy_short(e, &copied);
    uint32_t scope = e->g->states[n->state].scope;
    write_records(e, scope, (uint32_t)n->bci);
    asm_address(a, REG_COUNT, slot_at(e, e->places->outgoing));
    set_youngest(e, scope);
    if (compares_arrays(n)) compare_lengths(a, &differ);
    asm_constant(a, REG_RESULT, (uint64_t)n->imm);
    call_stub(e->c, e->c->stubs->leaf);
    asm_bind(a, &differ);
    set_youngest(e, 0);                  /* flags stay as they are                                                  */
    asm_bind(a, &copied);
    if (copies) memcpy(e->written, written, sizeof written);
    save(e, id, true);                   /* flags stay as they are                                                  */
    asm_branch(a, COND_EQUAL, exit_behind_leaf(e, n));
    keep_result(e, id, n);
    return true;
}
