/* events.c: what precedes the events of running code that are more than a test and a call. */
#include "exec/exec_internal.h"

void report_frame_pop(struct os_thread *self, struct frame *f, bool by_exception) {
    REQUIRES(IN_VM | MAY_STOP);
    f->flags &= ~(uint32_t)FRAME_POP_EVENT;
    /* Not by the mask: whoever asked for it forgets it, even when the event is not enabled any more. */
    probe_fire_frame_pop(self, f, by_exception);
    /* Who asks for it only now is too late, and must not be told of another frame that comes into its place. */
    if (f->flags & FRAME_POP_EVENT) exec_hooks.frame_forgotten(self, f);
}

/* The frame that is expected to catch e, looking down the stack. It may be wrong: native code between may clear e. */
static struct method_code *expected_catcher(struct os_thread *self, struct object *e, int32_t *bci) {
    REQUIRES(IN_VM);
    for (struct frame_cursor c = frame_first(self->java); cursor_valid(&c); frame_next(&c)) {
        if (cursor_is_native(&c)) continue;
        *bci = handler_expected(self, cursor_code(&c), cursor_bci(&c), &e);
        if (*bci >= 0) return cursor_code(&c);
    }
    *bci = 0;
    return NULL;
}

void report_new_throw(struct os_thread *self, struct frame *f) {
    REQUIRES(IN_VM | MAY_STOP);
    struct object *e = exception_take(self);
    self->java->reported_exception = e;
    int32_t bci;
    struct method_code *catcher = expected_catcher(self, e, &bci);
    probe_exception(self, f, e, catcher, bci);
    if (self->exception == NULL) self->exception = e;
}
