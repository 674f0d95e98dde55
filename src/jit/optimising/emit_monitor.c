/* emit_monitor.c — machine code of monitors: stubs enter and leave those that nobody else wants (jit/monitors.c); C
 * does the rest. */
#include "jit/optimising/emit.h"

static const enum asm_reg OBJECT = REG_C1;               /* of the stubs                                            */

bool emit_monitor(struct emitter *e, node_id id) {
    const struct node *n = emitted(e, id);
    struct asm_label done = {0};
    if (n->op != NODE_monitor_enter && n->op != NODE_monitor_exit) return false;
    into_general(e, OBJECT, n->in[0]);
    call_stub(e->c, n->op == NODE_monitor_enter ? e->c->stubs->try_enter : e->c->stubs->try_exit);
    asm_branch_short(&e->c->a, COND_NOT_EQUAL, &done);
    emit_by_c(e, n);
    asm_bind(&e->c->a, &done);
    return true;
}

void emit_give_back(struct emitter *e) {
    bool synchronized = e->c->code->uncommon & CODE_SYNCHRONIZED;
    call_stub(e->c, synchronized ? e->c->stubs->leaves_synchronized : e->c->stubs->leaves_monitors);
}
