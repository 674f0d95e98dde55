/* call_trace.c: the calling thread's Java stack at any instruction. */
#include "inspect/call_trace.h"

/* Frames lie on the thread's own Java stack, callers below those they call. */
static bool is_in_place(const struct java_thread *t, const struct frame *f, const struct frame *callee) {
    uintptr_t at = (uintptr_t)f, low = (uintptr_t)t->stack_low, high = callee ? (uintptr_t)callee : (uintptr_t)t->stack_high;
    return at % sizeof(uint64_t) == 0 && at >= low && at + sizeof *f <= high;
}

enum call_trace_step call_trace_next(struct call_trace *t, struct call_trace_entry *out) {
    const struct frame *f = t->frame;
    if (f == NULL) return CALL_TRACE_END;
    if (!is_in_place(t->thread, f, t->callee)) return CALL_TRACE_DAMAGED;
    *out = (struct call_trace_entry){f->code, t->callee ? frame_bci(f) : frame_bci_at_signal(f, t->ucontext)};
    t->callee = f;
    t->frame = f->caller;
    return CALL_TRACE_FRAME;
}
