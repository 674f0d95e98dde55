/* frame_text.h — stack frames and throwables as the VM itself prints them (thread dumps, failures before main). */
#ifndef VITRINE_JDK_FRAME_TEXT_H
#define VITRINE_JDK_FRAME_TEXT_H

#include "exec/exec.h"

/* "java.lang.Thread.run(java.base@17.0.21/Thread.java:840)", malloc'd; NULL: out of memory. No safepoint. */
char *frame_text(const struct method_code *code, int32_t bci);
/* The throwable, its frames and its causes, where the VM prints. Runs no Java code. Thread: IN_VM. */
void throwable_print(struct object *throwable);

#endif
