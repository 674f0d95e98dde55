/* call_trace.h: the calling thread's Java stack as a signal handler can have it: at any instruction, only by reading,
 * without locks. */
#ifndef VITRINE_INSPECT_CALL_TRACE_H
#define VITRINE_INSPECT_CALL_TRACE_H

#include "exec/exec.h"

/* A walk over the frames of the calling thread, youngest first. */
struct call_trace {
    struct frame_cursor next;
    struct inlined_position inlined[INLINED_POSITIONS];  /* in the youngest frame                                   */
    uint32_t inlined_count, inlined_next;
    bool begun;
};

struct call_trace_entry {
    struct method_code *code;            /* the version that runs                                               */
    int32_t bci;                         /* -1: native method                                                   */
    enum frame_kind kind;                /* FRAME_KIND_INLINED: code of its caller runs it                      */
};

/* Damaged: the frames do not hang together, so that a handler must not follow them. */
enum call_trace_step { CALL_TRACE_FRAME, CALL_TRACE_END, CALL_TRACE_DAMAGED };

/* ucontext: what the signal handler was given, or NULL. The walk ends with the handler. */
static inline void call_trace_begin(struct call_trace *t, const struct java_thread *self, const void *ucontext) {
    t->next = frame_first_at_signal(self, ucontext);
    t->inlined_count = t->inlined_next = 0;
    t->begun = false;
}
/* Gives the next frame in *out. */
enum call_trace_step call_trace_next(struct call_trace *t, struct call_trace_entry *out);

#endif
