/* unwind.h — leaving frames by exceptions, under watch and at a tool's request: what every engine calls.
 *
 *      throw, or a call that threw --> unwind ----------------+
 *                                        | handler found      |  RESUME_FRAME: the youngest frame's record says
 *      return under watch -----> frame_return                 +> where, with which operands
 *                                        |                    |  all others: the activation ends
 *      PopFrame, early return --> frame_honour_request -------+
 *
 * Thread: IN_VM, in the engine's activation; the youngest frame is bytecode's, its pc and sp are current. All may reach
 * a safepoint, and call the hooks of exec.h, after each of which a request is honoured first. */
#ifndef VITRINE_EXEC_UNWIND_H
#define VITRINE_EXEC_UNWIND_H

#include "exec/engine.h"

/* The pending exception goes to its handler, or out of the activation. *left grows by what the frames that are gone
 * had of the C stack (frame_words). */
enum resumption unwind(struct os_thread *self, uint64_t *result, uint32_t *left);
/* The same where entering the youngest frame failed, so that it cannot catch. */
enum resumption unwind_entered(struct os_thread *self, uint64_t *result, uint32_t *left);

/* What comes before the return of a frame with flags, or under WATCH_METHODS: gives monitors back and reports the
 * exit, which may change *value. False: exception pending. The frame is not left yet; it may have a request. */
bool frame_return(struct os_thread *self, struct frame *frame, uint64_t *value);
/* The first half of that: the frame has no FRAME_HOLDS_LOCKS then. */
bool frame_gives_back_locks(struct os_thread *self, struct frame *frame);
/* The value is the frame's new top operand. */
static inline void frame_push(struct frame *f, enum basic_type type, uint64_t value) {
    if (type == T_VOID) return;
    f->sp[0] = value;
    f->sp += type == T_LONG || type == T_DOUBLE ? 2 : 1;
}
/* A callee has returned `value` to this frame, which stands behind the call then. */
void frame_give(struct frame *caller, enum basic_type type, uint64_t value);

/* The youngest frame has a request (frame_is_requested): it is popped, or returns early. */
enum resumption frame_honour_request(struct os_thread *self, uint64_t *result, uint32_t *left);

#endif
