/* execution.h: changing what a stopped thread does next: popping its youngest frame, returning from it early.
 * Breakpoints and field watches: exec/exec.h. */
#ifndef VITRINE_INSPECT_EXECUTION_H
#define VITRINE_INSPECT_EXECUTION_H

#include "exec/exec.h"

enum frame_answer {
    FRAME_DONE,                          /* will happen when the thread runs on                                 */
    FRAME_NONE,                          /* there are too few frames                                            */
    FRAME_OPAQUE,                        /* native code is involved, or the thread waits to enter a monitor     */
    FRAME_TYPE,                          /* the result does not fit                                             */
    FRAME_BUSY                           /* something is to happen to the frame already                         */
};

/* All: thread t stopped or current; nothing else happens here. No safepoint. */

/* PopFrame: the call that made the youngest frame is to be made again. */
enum frame_answer frame_pop_request(struct java_thread *t);
/* ForceEarlyReturn: `value` is a slot; kind I (int and smaller), J, F, D, L or V. */
enum frame_answer frame_return_request(struct java_thread *t, char kind, uint64_t value);

#endif
