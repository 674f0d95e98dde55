/* out_of_memory.h — what -XX:+HeapDumpOnOutOfMemoryError, OnOutOfMemoryError, +ExitOnOutOfMemoryError and
 * +CrashOnOutOfMemoryError ask for. */
#ifndef VITRINE_JDK_OUT_OF_MEMORY_H
#define VITRINE_JDK_OUT_OF_MEMORY_H

struct os_thread;
/* heap_hooks.out_of_memory: obeys the flags, then makes OutOfMemoryError pending. IN_VM. */
void out_of_memory(struct os_thread *self, const char *message);

#endif
