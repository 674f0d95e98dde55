/* backtrace.h — the VM's private stack trace of a Throwable: Object[]{long[] positions, Object[] mirrors}. */
#ifndef VITRINE_EXEC_BACKTRACE_H
#define VITRINE_EXEC_BACKTRACE_H

#include "exec/exec.h"

struct backtrace_element {
    struct method *method;
    struct method_code *code;            /* version that was executing; the current one if that is gone          */
    int32_t bci;                         /* -1: native method                                                    */
};

/* Throwable.fillInStackTrace: records the current thread's frames from the one that created the throwable on, sets
 * backtrace and depth and clears stackTrace. Without memory, nothing is recorded and nothing thrown. */
void backtrace_fill(struct os_thread *self, struct object *throwable);
/* The throwing frame itself is hidden, so that the first one listed is not where it happened. */
bool backtrace_hides_top(struct object *backtrace);
int32_t backtrace_depth(struct object *backtrace);
/* False when the method's class has been unloaded. */
bool backtrace_at(struct object *backtrace, int32_t index, struct backtrace_element *out);

#endif
