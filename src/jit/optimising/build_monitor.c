/* build_monitor.c — nodes of monitors. JVMS 2.11.10, 6.5. Accesses do not move over them. What is inlined has a frame
 * for its monitors: its place on the Java stack, where the lock stack finds it. */
#include "jit/optimising/build.h"
#include "jit/optimising/inline.h"

bool build_monitor(struct builder *b, uint8_t op) {
    if (op != OP_monitorenter && op != OP_monitorexit) return false;
    (void)build_state(b);
    node_id o = pop_value(b, TYPE_REF);
    if (!ir_goes_on(b->g)) return true;
    node_id guard = build_null_check(b, o);
    struct node n = {.op = op == OP_monitorenter ? NODE_monitor_enter : NODE_monitor_exit, .flags = NODE_VOLATILE,
                     .in = {o}, .guard = guard, .imm = b->g->scope, .state = build_state(b)};
    build_effect(b, n);
    return true;
}

/* Of the synchronized method that is the current scope. */
static node_id own_object(struct builder *b) {
    const struct method *m = b->c->code->method;
    return m->access_flags & ACC_STATIC ? build_constant(b, TYPE_REF, (int64_t)(uintptr_t)m->holder->mirror)
                                        : read_local(b, 0, TYPE_REF);
}

/* Whoever looks while C does it finds the callee's frame, at its begin: so does that state. */
void build_own_enter(struct builder *b) {
    uint32_t at = b->bci;
    b->bci = 0;
    uint32_t state = build_state_behind(b);
    b->bci = at;
    node_id o = ir_goes_on(b->g) ? own_object(b) : 0;
    if (!ir_goes_on(b->g)) return;
    build_effect(b, (struct node){.op = NODE_monitor_enter, .flags = NODE_VOLATILE, .in = {o}, .imm = b->g->scope,
                                  .state = state});
}

void build_monitors_left(struct builder *b) {
    const struct scope *s = &b->g->scopes[b->g->scope];
    if (s->synchronized) {
        node_id o = own_object(b);
        if (!ir_goes_on(b->g)) return;
        build_effect(b, (struct node){.op = NODE_monitor_exit, .detail = true, .flags = NODE_VOLATILE, .in = {o},
                                      .imm = b->g->scope, .state = build_state(b)});
    } else if (s->locks) {
        build_effect(b, (struct node){.op = NODE_check_monitors, .imm = b->g->scope, .state = build_state(b)});
    }
}
