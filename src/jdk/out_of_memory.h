/* out_of_memory.h — what -XX:+HeapDumpOnOutOfMemoryError, OnOutOfMemoryError, +ExitOnOutOfMemoryError and +CrashOnOutOfMemoryError ask for. */
#ifndef VITRINE_JDK_OUT_OF_MEMORY_H
#define VITRINE_JDK_OUT_OF_MEMORY_H

/* Puts the flags in front of the heap's OutOfMemoryError. After the class library can make one. */
void out_of_memory_install(void);

#endif
