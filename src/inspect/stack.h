/* stack.h: Java stacks of stopped threads: walks, depths, the references in a frame. */
#ifndef VITRINE_INSPECT_STACK_H
#define VITRINE_INSPECT_STACK_H

#include "exec/exec.h"

struct stack_entry {
    struct method *method;
    int32_t bci;                         /* -1: native method                                                   */
};

/* Frames of `t`. Thread: t stopped or current. No safepoint, no allocation, no exception. */
int stack_depth(const struct java_thread *t);
/* The frame at `depth` (0 = youngest), or NULL when the stack is not that deep. */
struct frame *stack_frame_at(const struct java_thread *t, int depth);
/* Frames from depth `start` on, youngest first, into the caller's out[max]; returns how many. */
int stack_collect(const struct java_thread *t, int start, int max, struct stack_entry out[]);

/* Calls visit for every non-null reference in a frame's locals and operand stack; slot numbers go on from the locals to the
 * operands. Arguments of a native method count as its locals. `callee` is the frame that f called, NULL for the youngest: what it
 * took as arguments is no longer f's. Stops and returns false when visit does. */
bool frame_references(const struct frame *f, const struct frame *callee, bool (*visit)(void *arg, int slot, struct object *o), void *arg);

#endif
