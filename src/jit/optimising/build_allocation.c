/* build_allocation.c — nodes of new objects and arrays. JVMS 6.5. */
#include "jit/optimising/build.h"
#include "jit/optimising/known.h"

#include "link/link.h"
#include "thread/thread.h"

/* The new object; nobody has seen it yet. */
static void push_new(struct builder *b, struct node n) {
    n.type = TYPE_REF;
    n.flags |= NODE_NOT_NULL;
    n.state = build_state(b);
    node_id object = build_effect(b, n);
    if (ir_goes_on(b->g)) push_value(b, object);
}

static const struct class *class_of_instruction(const struct builder *b) {
    return (const struct class *)(uintptr_t)known_cell(b->c, op_u2(instruction(b->c) + 1));
}

static void new_array(struct builder *b, const struct class *array) {
    (void)build_state(b);
    node_id length = pop_value(b, TYPE_INT);
    if (!ir_goes_on(b->g)) return;
    uint8_t flags = array == vm->link->primitive_arrays[T_BYTE] ? NODE_BYTES : 0;
    push_new(b, (struct node){.op = NODE_new_array, .in = {length}, .imm = (intptr_t)array, .flags = flags});
}

/* Lengths are operands of the state alone: C takes them from there. */
static void new_arrays(struct builder *b) {
    (void)build_state(b);
    for (uint32_t n = instruction(b->c)[3]; n > 0; n--) (void)pop_value(b, TYPE_INT);
    if (ir_goes_on(b->g)) push_new(b, (struct node){.op = NODE_new_arrays});
}

/* Unsafe.allocateInstance of a class that is known: if there is no room C makes the object in the place of the call. */
static bool new_by_unsafe(struct builder *b) {
    const struct class *k = allocates_instance(b->c) ? class_known_at(b->g, b->bci) : NULL;
    if (k == NULL) return false;
    (void)build_state(b);
    build_watch_check(b, WATCH_ANY | POLL_LIBRARY);
    (void)pop_value(b, TYPE_REF);
    node_id unsafe = pop_value(b, TYPE_REF);
    if (!ir_goes_on(b->g)) return true;
    (void)build_null_check(b, unsafe);
    b->g->allocations = ALLOCATIONS_ELIDED;              /* it sends no event of its own                            */
    push_new(b, (struct node){.op = NODE_new_object, .imm = (intptr_t)k});
    return true;
}

bool build_allocation(struct builder *b, uint8_t op) {
    b->c->bci = b->bci;
    switch (op) {
    case OP_invokevirtual: return new_by_unsafe(b);
    case OP_new:
        push_new(b, (struct node){.op = NODE_new_object, .imm = (intptr_t)class_of_instruction(b)});
        return true;
    case OP_newarray: new_array(b, vm->link->primitive_arrays[instruction(b->c)[1]]); return true;
    case OP_anewarray: new_array(b, atomic_load(&((struct class *)class_of_instruction(b))->array_class)); return true;
    case OP_multianewarray: new_arrays(b); return true;
    default: return false;
    }
}
