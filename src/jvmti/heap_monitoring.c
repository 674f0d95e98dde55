/* heap_monitoring.c: the Heap Monitoring chapter. */
#include "jvmti_gen.h"

jvmtiError jvmti_set_heap_sampling_interval(struct jvmti_env *env, struct os_thread *self, jint sampling_interval) {
    (void)env;
    heap_set_sampling_interval(self, sampling_interval);
    return JVMTI_ERROR_NONE;
}
