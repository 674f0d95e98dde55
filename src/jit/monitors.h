/* monitors.h — stubs that take and give back monitors of compiled frames. */
#ifndef VITRINE_JIT_MONITORS_H
#define VITRINE_JIT_MONITORS_H

#include "jit/stubs.h"

/* The instructions, with pc and sp current: as the stub `runtime` does them. */
void monitorenter_write(struct assembler *a, const struct stubs *s);
void monitorexit_write(struct assembler *a, const struct stubs *s);
/* As the stub `entered`, of a synchronized method; REG_C1: its object. */
void entered_synchronized_write(struct assembler *a, const struct stubs *s);
/* Called with an object in REG_C1, for the youngest frame, in REG_FRAME: NOT_EQUAL: it has the monitor; EQUAL: that is
 * C's to do. */
void try_enter_write(struct assembler *a);
/* ... NOT_EQUAL: it has left the monitor, which was the one that the thread had entered last, for that frame. */
void try_exit_write(struct assembler *a);
/* Before a return, of a synchronized method, of another one that enters monitors: it holds none afterwards, and has no
 * FRAME_HOLDS_LOCKS, or else everything is as before. */
void leaves_synchronized_write(struct assembler *a);
void leaves_monitors_write(struct assembler *a);
/* Of what is inlined; REG_C0: where its frame is, or would be. As try_enter and try_exit, for that frame; as try_exit,
 * of the only monitor that the frame holds, a synchronized method's; EQUAL: it holds one, and entered that last. */
void try_enter_inlined_write(struct assembler *a);
void try_exit_inlined_write(struct assembler *a);
void try_leave_inlined_write(struct assembler *a);
void inlined_holds_write(struct assembler *a);

#endif
