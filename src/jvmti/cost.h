/* cost.h: what environments cost, while somebody asks (cost.c). The figures of an environment belong to its record and
 * are never freed, so that a function that does not enter the VM may add to them at any time. */
#ifndef VITRINE_JVMTI_COST_H
#define VITRINE_JVMTI_COST_H

#include <stdio.h>

#include "jvmti/jvmti_internal.h"
#include "jvmti_gen.h"

/* The row of events that JVM TI has no number for: ClassUnload. */
enum { JVMTI_COST_EXTENSION_EVENT = JVMTI_EVENT_LAST + 1 };

/* The call begins: what it allocates for the agent is its environment's. Any thread. */
void jvmti_cost_enter(struct jvmti_call *call);
/* An event whose callback ran from start to now, in ns. It counts if env is still measured. Any thread. */
void jvmti_cost_of_event(const struct jvmti_env *env, int event, int64_t start, int64_t now);
/* The calling thread gives p to an agent, or takes it back; counts if that is in a call that is measured. */
void jvmti_cost_of_block(void *p, bool given);

/* The record is another environment's, which is not measured. */
void jvmti_cost_forget(struct jvmti_env *env);
/* From zero. Caller holds the lock of jvmti_state. Without memory env is not measured. */
void jvmti_cost_begin(struct jvmti_env *env);
/* All environments, and those to come. What was measured stays to be reported until it begins anew. IN_VM; stops the
 * world. */
void jvmti_measure(struct os_thread *self, bool on);
/* World stopped. */
void jvmti_cost_report(struct jvmti_env *env, FILE *out);

#endif
