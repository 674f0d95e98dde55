/* method_events.h — stubs that report that compiled frames are entered, and return. Where that is all there is to do
 * they call who is told of it, and else run.c. */
#ifndef VITRINE_JIT_METHOD_EVENTS_H
#define VITRINE_JIT_METHOD_EVENTS_H

#include "jit/asm.h"

/* stubs.attention, stubs.returns */
void attention_write(struct assembler *a);
void returns_write(struct assembler *a);

#endif
