/* build_monitor.c — nodes of monitors. JVMS 2.11.10, 6.5. */
#include "jit/optimising/build.h"

/* Accesses do not move over it. */
bool build_monitor(struct builder *b, uint8_t op) {
    if (op != OP_monitorenter && op != OP_monitorexit) return false;
    (void)build_state(b);
    node_id o = pop_value(b, TYPE_REF);
    if (!ir_goes_on(b->g)) return true;
    node_id guard = build_null_check(b, o);
    struct node n = {.op = op == OP_monitorenter ? NODE_monitor_enter : NODE_monitor_exit, .flags = NODE_VOLATILE,
                     .in = {o}, .guard = guard, .state = build_state(b)};
    build_effect(b, n);
    return true;
}
