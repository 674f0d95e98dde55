/* jvmpi.h: what the Invocation API and the starting of agents need of the profiler interface. */
#ifndef VITRINE_JVMPI_JVMPI_H
#define VITRINE_JVMPI_JVMPI_H

#include "thread/thread.h"

/* Makes vm->jvmpi and subscribes to the probes: after probes_create, before jvmti_create, so that JVM TI agents that
 * can retransform see class files as the profiler has left them. False: out of memory. */
bool jvmpi_create(void);
void jvmpi_destroy(void);

/* GetEnv with a JVMPI version word: the one interface of the process. `agent` is the name of the agent whose start-up
 * function asks, NULL if none does. JNI_OK; JNI_EVERSION; JNI_ERR with a message when another agent has it. Any thread,
 * any state. */
jint jvmpi_get_env(void **out, jint version, const char *agent);
/* Is this version word one for jvmpi_get_env? */
static inline bool jvmpi_is_version(jint version) { return ((uint32_t)version & 0xf0000000u) == 0x10000000u; }

#endif
