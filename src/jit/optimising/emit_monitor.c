/* emit_monitor.c — machine code of monitors: stubs enter and leave those that nobody else wants (jit/monitors.c); C
 * does the rest. */
#include "jit/optimising/emit.h"

static const enum asm_reg OBJECT = REG_C1, HOLDER = REG_C0;      /* of the stubs                                    */

static void load_frame(struct emitter *e, uint32_t scope) {
    asm_address(&e->c->a, HOLDER, asm_at(REG_FRAME, frame_of(e->g, scope) - frame_of(e->g, e->youngest)));
}

/* The stub that does it; its arguments are in their registers. */
static const uint8_t *stub_of(struct emitter *e, const struct node *n) {
    const struct stubs *s = e->c->stubs;
    uint32_t scope = (uint32_t)n->imm;
    bool enters = n->op == NODE_monitor_enter, is_own = !enters && n->detail;
    if (!is_own) into_general(e, OBJECT, n->in[0]);
    load_frame(e, scope);
    if (enters && scope == 0)            /* others have that where their records are written                       */
        asm_alu_store_constant(&e->c->a, ALU_OR, W32, asm_at(REG_FRAME, offsetof(struct frame, flags)),
                               FRAME_HOLDS_LOCKS);
    return enters ? s->frame_enters : is_own ? s->frame_exits_own : s->frame_exits;
}

bool emit_monitor(struct emitter *e, node_id id) {
    const struct node *n = emitted(e, id);
    struct asm_label done = {0};
    switch (n->op) {
    case NODE_monitor_enter: case NODE_monitor_exit:
        call_stub(e->c, stub_of(e, n));
        asm_branch_short(&e->c->a, COND_NOT_EQUAL, &done);
        emit_by_c(e, n);
        asm_bind(&e->c->a, &done);
        return true;
    case NODE_check_monitors:
        load_frame(e, (uint32_t)n->imm);
        call_stub(e->c, e->c->stubs->frame_holds);
        asm_branch(&e->c->a, COND_EQUAL, exit_of(e, n));
        return true;
    default: return false;
    }
}

void emit_give_back(struct emitter *e) {
    bool synchronized = e->c->code->uncommon & CODE_SYNCHRONIZED;
    call_stub(e->c, synchronized ? e->c->stubs->leaves_synchronized : e->c->stubs->leaves_monitors);
}
