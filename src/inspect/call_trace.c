/* call_trace.c: the calling thread's Java stack at any instruction. */
#include "inspect/call_trace.h"

enum call_trace_step call_trace_next(struct call_trace *t, struct call_trace_entry *out) {
    if (!cursor_valid(&t->next)) return CALL_TRACE_END;
    if (!cursor_in_place(&t->next)) return CALL_TRACE_DAMAGED;
    if (!t->begun) t->inlined_count = frame_inlined_at_signal(t->next.frame, t->next.ucontext, t->inlined);
    t->begun = true;
    if (t->inlined_next < t->inlined_count) {
        const struct inlined_position *i = &t->inlined[t->inlined_next++];
        *out = (struct call_trace_entry){i->code, i->bci, FRAME_KIND_INLINED};
        return CALL_TRACE_FRAME;
    }
    *out = (struct call_trace_entry){cursor_code(&t->next), cursor_bci(&t->next), cursor_kind(&t->next)};
    frame_next(&t->next);
    return CALL_TRACE_FRAME;
}
