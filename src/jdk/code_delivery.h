/* code_delivery.h — the thread that tells tools of compiled code (jit/code_queue.h). */
#ifndef VITRINE_JDK_CODE_DELIVERY_H
#define VITRINE_JDK_CODE_DELIVERY_H

#include "thread/thread.h"

/* Starts it, once. Whoever begins to want such events in the live phase calls it; runs Java code. False: no thread to
 * be had, no exception is left pending. Thread: IN_VM, live phase. */
bool code_delivery_start(struct os_thread *self);
/* The live phase has begun: starts it if anybody wants them. Thread: IN_VM. */
void code_delivery_begin(struct os_thread *self);

#endif
