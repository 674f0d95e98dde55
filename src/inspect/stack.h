/* stack.h: Java stacks of stopped threads: walks, depths, the references in a frame. */
#ifndef VITRINE_INSPECT_STACK_H
#define VITRINE_INSPECT_STACK_H

#include "exec/exec.h"

/* Frames of `t`. Thread: t stopped or current. No safepoint, no allocation, no exception. */
int stack_depth(const struct java_thread *t);
/* A cursor at the frame at `depth` (0 = youngest); not valid when the stack is not that deep. */
static inline struct frame_cursor stack_frame_at(const struct java_thread *t, int depth) {
    REQUIRES_STILL(t);
    struct frame_cursor c = frame_first(t);
    while (cursor_valid(&c) && depth-- > 0) frame_next(&c);
    return c;
}

/* Calls visit for every non-null reference in a frame's locals and operand stack; slot numbers go on from the locals to
 * the operands. Arguments of a native method count as its locals. Stops and returns false when visit does. */
bool frame_references(const struct frame_cursor *c, bool (*visit)(void *arg, int slot, struct object *o), void *arg);

#endif
