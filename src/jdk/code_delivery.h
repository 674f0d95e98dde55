/* code_delivery.h — tools are notified of compiled code (jit/code_queue.h), by a thread that may run theirs. */
#ifndef VITRINE_JDK_CODE_DELIVERY_H
#define VITRINE_JDK_CODE_DELIVERY_H

#include "thread/thread.h"

/* Starts it, once. Whoever begins to want such events in the live phase calls it; runs Java code. False: no thread to
 * be had, no exception is left pending. Thread: IN_VM, live phase. */
bool code_delivery_start(struct os_thread *self);
/* The live phase has begun: starts it if anybody wants them. Thread: IN_VM. */
void code_delivery_begin(struct os_thread *self);
/* Sends, in the calling thread, which goes on to PRIMORDIAL, that there are stubs. */
void code_delivery_stubs(struct os_thread *self);
/* The VM ends: what has happened until now is sent, and nothing more. IN_VM, may stop. */
void code_delivery_end(struct os_thread *self);

#endif
