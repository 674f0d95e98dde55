/* emit_monitor.c — machine code of monitors: stubs enter and leave those that nobody else wants (jit/monitors.c); C
 * does the rest. */
#include "jit/optimising/emit.h"

static const enum asm_reg OBJECT = REG_C1, INLINED = REG_C0;     /* of the stubs                                    */

static void load_inlined_frame(struct emitter *e, uint32_t scope) {
    asm_address(&e->c->a, INLINED, asm_at(REG_FRAME, frame_of(e->g, scope) - frame_of(e->g, e->youngest)));
}

/* The stub that does it; its arguments are in their registers. */
static const uint8_t *stub_of(struct emitter *e, const struct node *n) {
    const struct stubs *s = e->c->stubs;
    uint32_t scope = (uint32_t)n->imm;
    bool enters = n->op == NODE_monitor_enter, is_own = !enters && n->detail;
    if (!is_own) into_general(e, OBJECT, n->in[0]);
    if (scope == 0) return enters ? s->try_enter : s->try_exit;
    load_inlined_frame(e, scope);
    return enters ? s->try_enter_inlined : is_own ? s->try_leave_inlined : s->try_exit_inlined;
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
        load_inlined_frame(e, (uint32_t)n->imm);
        call_stub(e->c, e->c->stubs->inlined_holds);
        asm_branch(&e->c->a, COND_EQUAL, exit_of(e, n));
        return true;
    default: return false;
    }
}

void emit_give_back(struct emitter *e) {
    bool synchronized = e->c->code->uncommon & CODE_SYNCHRONIZED;
    call_stub(e->c, synchronized ? e->c->stubs->leaves_synchronized : e->c->stubs->leaves_monitors);
}
