/* unwind.h — leaving frames by exceptions, under watch and at a tool's request: what every engine calls.
 *
 *      throw, or a call that threw --> unwind ----------------+
 *                                        | handler found      |  RESUME_FRAME: the youngest frame's record says
 *      return under watch -----> frame_return                 +> where, with which operands
 *                                        |                    |  RESUME_RETURNED, RESUME_THROWN: the activation ends
 *      PopFrame, early return --> frame_honour_request -------+
 *
 * Thread: IN_VM, in the engine's activation; the youngest frame is bytecode's, its pc and sp are current. All may reach
 * a safepoint, and call the hooks of exec.h, after each of which a request is honoured first. */
#ifndef VITRINE_EXEC_UNWIND_H
#define VITRINE_EXEC_UNWIND_H

#include "exec/exec_internal.h"

/* How an engine's activation goes on. */
enum resumption {
    RESUME_FRAME,                        /* with the instruction at pc of the youngest frame, operands up to its sp */
    RESUME_RETURNED,                     /* its entry frame has returned: *result is set                            */
    RESUME_THROWN                        /* its entry frame is gone: exception pending                              */
};

/* The pending exception goes to its handler, or out of the activation. */
enum resumption unwind(struct os_thread *self, uint64_t *result);
/* The same where entering the youngest frame failed, so that it cannot catch. */
enum resumption unwind_entered(struct os_thread *self, uint64_t *result);

/* What comes before the return of a frame with flags, or under WATCH_METHODS: gives monitors back and reports the
 * exit, which may change *value. False: exception pending. The frame is not left yet; it may have a request. */
bool frame_return(struct os_thread *self, struct frame *frame, uint64_t *value);

/* The youngest frame has a request (frame_is_requested): it is popped, or returns early. */
enum resumption frame_honour_request(struct os_thread *self, uint64_t *result);

#endif
