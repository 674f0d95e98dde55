/* cost.h: what environments cost, while somebody asks (cost.c). */
#ifndef VITRINE_JVMTI_COST_H
#define VITRINE_JVMTI_COST_H

#include <stdio.h>

#include "jvmti/jvmti_internal.h"

/* One call of an admitted function, from its entry to its return. Any thread. */
void jvmti_cost_of_call(const struct jvmti_call *call, int64_t nanos);
/* `count` events whose callbacks ran for `nanos`. IN_VM, or the world stopped. */
void jvmti_cost_of_event(const struct jvmti_env *env, jvmtiEvent event, uint64_t count, int64_t nanos);

/* From zero. The world is stopped, or env is new. Without memory env is not measured. */
void jvmti_cost_begin(struct jvmti_env *env);
/* env is disposed of: the world is stopped, or the VM ends. */
void jvmti_cost_forget(struct jvmti_env *env);
/* All environments, and those to come. What was measured stays to be reported until it begins anew. */
void jvmti_measure(struct os_thread *self, bool on);
/* World stopped. */
void jvmti_cost_report(struct jvmti_env *env, FILE *out);

#endif
