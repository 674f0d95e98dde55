/* call_trace.c: the calling thread's Java stack at any instruction. */
#include "inspect/call_trace.h"

enum call_trace_step call_trace_next(struct call_trace *t, struct call_trace_entry *out) {
    if (!cursor_valid(&t->next)) return CALL_TRACE_END;
    if (!cursor_in_place(&t->next)) return CALL_TRACE_DAMAGED;
    *out = (struct call_trace_entry){cursor_code(&t->next), cursor_bci(&t->next), cursor_kind(&t->next)};
    frame_next(&t->next);
    return CALL_TRACE_FRAME;
}
