/* Foreign code that VM code has called ends its thread (pthread_exit, cancellation): the C library unwinds the stack,
 * through the VM's frames, which have no clean-up of their own, and runs clean-up code of older foreign frames and
 * destructors of thread-specific data where they lay.
 *
 * The functions between thread_to_native and thread_from_native name thread_unwound as their personality. The unwinder
 * calls it at the first of them, while the whole stack is still there: the last moment at which anything on it can be
 * found in order. */
#include "thread/unwound.h"

#include <setjmp.h>

#include "thread/thread_internal.h"

/* The collector may be scanning: the thread enters the VM for this. If the VM ends meanwhile, nobody scans it any more
 * (end.c). */
static NOINLINE void drop_segments(struct os_thread *self) {
    jmp_buf end;
    void *outer = self->end_frame;
    self->end_frame = &end;
    if (_setjmp(end) == 0) {
        struct c_segment segment;
        thread_enter_vm(self, &segment);
        thread_hooks.stack_goes(self);
        segment.previous = NULL;
        thread_exit_vm(self, &segment);
    }
    self->end_frame = outer;
}

/* An exception of another language finds its handler on this side of the VM or not at all, as on HotSpot: what the
 * frames that it would pass have begun nobody could end. */
_Unwind_Reason_Code thread_unwound(int version, _Unwind_Action actions, _Unwind_Exception_Class language,
                                   struct _Unwind_Exception *exception, struct _Unwind_Context *context) {
    (void)version, (void)language, (void)exception, (void)context;
    if (actions & _UA_SEARCH_PHASE) return _URC_FATAL_PHASE1_ERROR;
    struct os_thread *self = current_thread();
    bool has_segments = self && !thread_is_left(self) && self->segment && atomic_load(&self->state) == THREAD_IN_NATIVE;
    if (has_segments) drop_segments(self);
    return _URC_CONTINUE_UNWIND;
}
