/* native_memory.h — what the VM has of C memory and mappings, by purpose, as text. */
#ifndef VITRINE_JDK_NATIVE_MEMORY_H
#define VITRINE_JDK_NATIVE_MEMORY_H

#include "thread/thread.h"

/* -XX:+PrintNMTStatistics: the summary, or the detailed report if call sites are tracked, in bytes to stdout. Tracking
 * is on. IN_VM. */
void native_memory_print(struct os_thread *self);
/* Gives back what `VM.native_memory baseline` has kept. The VM ends. */
void native_memory_forget_baseline(void);

#endif
