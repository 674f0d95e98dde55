/* tools.h: what the Invocation API and the attach listener need of the tool interface: environments and agents. */
#ifndef VITRINE_JVMTI_TOOLS_H
#define VITRINE_JVMTI_TOOLS_H

#include <stdio.h>

#include "jdk/hooks.h"
#include "thread/thread.h"

/* Makes vm->jvmti and subscribes to the probes; after probes_create. False: out of memory. */
bool jvmti_create(void);
void jvmti_destroy(void);
/* thread_hooks: frees what environments keep of a thread; wakes who waits for ObjectFree events to be delivered. */
void jvmti_thread_extension_free(void *record);
void freed_queue_end(void);

/* GetEnv with a JVM TI version word: makes a new environment. JNI_OK, JNI_EVERSION or JNI_ENOMEM. Any thread, any
 * state. */
jint jvmti_get_env(JavaVM *java_vm, void **out, jint version);
/* Is this version word one for jvmti_get_env? */
static inline bool jvmti_is_version(jint version) { return ((uint32_t)version & 0x70000000u) == 0x30000000u; }

/* Starts the agents of the command line, in order, in the OnLoad phase: those of -Xrun by JVM_OnLoad, or Agent_OnLoad
 * where they have none. False: one is missing or refused; *error is HotSpot's sentence (malloc'd), the VM ends with
 * JNI_ERR. self is IN_VM, or NULL before threads exist. */
bool agents_start(struct os_thread *self, char **error);
/* Attaches an agent to the running VM. Returns 0 and the agent's result in *result, or -1 with a malloc'd sentence in
 * *error. options may be NULL. Thread: IN_VM. */
int agent_attach(struct os_thread *self, const char *library, bool absolute, const char *options, jint *result,
                 char **error);
/* An exported name of an agent library, for native methods; NULL: none has it. agent.c */
void *agent_find_native(const char *symbol);
/* jdk_hooks.agent_function. */
void *agent_function(const char *name, const char *function);
/* The native method prefixes of all environments, in the order in which they are to be stripped; returns how many. No
 * lock needed. */
unsigned jvmti_native_prefixes(const char **out, unsigned max);
/* jdk_hooks.early_start: only environments that have asked for the early start phase are notified. IN_VM. */
void jvmti_early_start(struct os_thread *self);
/* The name of the agent whose start-up function the calling thread is in; NULL: none. */
const char *agent_starting(void);
/* Calls Agent_OnUnload of every agent; after VMDeath. Thread: IN_VM or NULL. */
void agents_stop(struct os_thread *self);
/* Frees the records of agents that agents_stop did not get to. */
void agents_forget(void);
/* jdk_hooks.agents_report: agents, environments, what they watch, what they have cost. Stops the world. IN_VM. */
void agents_report(struct os_thread *self, FILE *out, enum agents_measure measure);
/* The names of the agents that run, oldest first. No locks: for crash reports. */
void agents_visit(void (*visit)(void *arg, const char *name), void *arg);

#endif
