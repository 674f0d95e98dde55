/* emit_access.c — machine code of accesses by addresses that nobody knows: build_access.c. */
#include "jit/optimising/emit.h"

#include "thread/thread.h"

enum { REF_SHIFT = 3 };                  /* of ref_t                                                               */

static struct asm_mem place(struct emitter *e, const struct node *n) {
    struct raw_part p = raw_part(n);
    if (n->in[0] == 0 && n->in[1] == 0) {
        load_bits(e, REG_SCRATCH, p.displacement);
        return asm_at(REG_SCRATCH, 0);
    }
    enum asm_reg base = in_general(e, n->in[0] != 0 ? n->in[0] : n->in[1], REG_SCRATCH);
    if (n->in[0] == 0 || n->in[1] == 0) return asm_at(base, p.displacement);
    return asm_indexed(base, in_general(e, n->in[1], SECOND_SCRATCH), p.shift, p.displacement);
}

/* The processor has left out an access to what is not there, and the interpreter shall say so: it does it again, and
 * throws. */
static void leave_at_fault(struct emitter *e, const struct node *n) {
    if (n->state == 0) return;
    asm_alu_store_constant(&e->c->a, ALU_CMP, W8, thread_field(offsetof(struct os_thread, memory_fault)), 0);
    asm_branch(&e->c->a, COND_NOT_EQUAL, exit_of(e, n));
}

static void emit_load(struct emitter *e, node_id id, const struct node *n) {
    struct asm_mem m = place(e, n);
    if (n->detail == 'Z') {              /* whatever byte is there                                                 */
        enum asm_reg r = result_general(e, id);
        asm_load(&e->c->a, U8, r, m);
        keep_general(e, id, r);
    } else {
        load_from(e, id, n, m);
    }
    leave_at_fault(e, n);
}

static void emit_store(struct emitter *e, const struct node *n) {
    store_to(e, n, n->in[2], place(e, n));
    if (raw_part(n).is_strong) asm_fence(&e->c->a);
    leave_at_fault(e, n);
}

/* The value in that register, as it lies in memory. */
static void into_memory_form(struct emitter *e, enum asm_reg r, node_id v) {
    into_general(e, r, v);
    if (emitted(e, v)->type == TYPE_REF && !is_constant(emitted(e, v)))
        asm_shift_constant(&e->c->a, SHIFT_RIGHT, W64, r, REF_SHIFT);
}

static void emit_compare(struct emitter *e, node_id id, const struct node *n) {
    struct assembler *a = &e->c->a;
    bool is_reference = n->detail == 'L';
    enum asm_width w = n->detail == 'J' ? W64 : W32;
    struct asm_mem m = in_second(e, place(e, n));
    enum asm_reg new = REG_SCRATCH, r = result_general(e, id);
    if (is_reference) into_memory_form(e, new, n->in[3]);
    else new = in_general(e, n->in[3], REG_SCRATCH);
    into_memory_form(e, REG_RESULT, n->in[2]);
    asm_compare_exchange(a, w, m, new);
    if (!raw_part(n).is_strong) asm_set(a, COND_EQUAL, r);
    else if (r != REG_RESULT) asm_move(a, w, r, REG_RESULT);
    if (raw_part(n).is_strong && is_reference) asm_shift_constant(a, SHIFT_LEFT, W64, r, REF_SHIFT);
    keep_general(e, id, r);
    if (is_reference) mark_card(e->c, m, SECOND_SCRATCH);        /* the result may be in any other             */
    leave_at_fault(e, n);
}

/* What was there. */
static void emit_exchange(struct emitter *e, node_id id, const struct node *n) {
    enum asm_width w = n->detail == 'J' ? W64 : W32;
    struct asm_mem m = place(e, n);
    enum asm_reg r = result_general(e, id);
    into_general(e, REG_RESULT, n->in[2]);
    if (raw_part(n).is_strong) asm_exchange_add(&e->c->a, w, m, REG_RESULT);
    else asm_exchange(&e->c->a, w, m, REG_RESULT);
    if (r != REG_RESULT) asm_move(&e->c->a, w, r, REG_RESULT);
    keep_general(e, id, r);
}

bool emit_access(struct emitter *e, node_id id) {
    const struct node *n = emitted(e, id);
    switch (n->op) {
    case NODE_load_raw: emit_load(e, id, n); return true;
    case NODE_store_raw: emit_store(e, n); return true;
    case NODE_compare_raw: emit_compare(e, id, n); return true;
    case NODE_exchange_raw: emit_exchange(e, id, n); return true;
    case NODE_fence:
        if (n->imm != 0) asm_fence(&e->c->a);
        return true;
    default: return false;
    }
}
