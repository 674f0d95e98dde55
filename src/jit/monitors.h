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
/* Before a return, of a synchronized method, of another one that enters monitors: it holds none afterwards, and has no
 * FRAME_HOLDS_LOCKS, or else everything is as before. */
void leaves_synchronized_write(struct assembler *a);
void leaves_monitors_write(struct assembler *a);
/* Of optimised code, for the frame in REG_C0, whose record need not be there. NOT_EQUAL: it has entered the monitor of
 * the object in REG_C1; exited that, which was the one that the thread had entered last; exited the only one that it
 * holds, a synchronized method's. EQUAL: that is C's to do. */
void frame_enters_write(struct assembler *a);
void frame_exits_write(struct assembler *a);
void frame_exits_own_write(struct assembler *a);
/* EQUAL: it holds one, and entered that last. */
void frame_holds_write(struct assembler *a);

#endif
