/* timer.c: the Timers chapter. */
#include "base/os.h"
#include "inspect/thread_info.h"
#include "jvmti_gen.h"
#include "thread/identity.h"

#include <string.h>

static void describe(jvmtiTimerInfo *out, jvmtiTimerKind kind) {
    memset(out, 0, sizeof *out);
    out->max_value = -1;                          /* unsigned: all 64 bits                                        */
    out->kind = kind;
}

jvmtiError jvmti_get_current_thread_cpu_timer_info(struct jvmti_env *env, struct os_thread *self,
                                                   jvmtiTimerInfo *info_ptr) {
    (void)env, (void)self;
    describe(info_ptr, JVMTI_TIMER_TOTAL_CPU);
    return JVMTI_ERROR_NONE;
}

jvmtiError jvmti_get_current_thread_cpu_time(struct jvmti_env *env, struct os_thread *self, jlong *nanos_ptr) {
    (void)env, (void)self;
    *nanos_ptr = os_thread_cpu_ns();
    return JVMTI_ERROR_NONE;
}

jvmtiError jvmti_get_thread_cpu_timer_info(struct jvmti_env *env, struct os_thread *self, jvmtiTimerInfo *info_ptr) {
    (void)env, (void)self;
    describe(info_ptr, JVMTI_TIMER_TOTAL_CPU);
    return JVMTI_ERROR_NONE;
}

jvmtiError jvmti_get_thread_cpu_time(struct jvmti_env *env, struct os_thread *self, struct jvmti_thread thread,
                                     jlong *nanos_ptr) {
    (void)env;
    threads_lock(self);
    struct java_thread *t = thread_alive(thread.object);
    int64_t nanos = t ? thread_cpu_ns(t, false) : -1;
    bool unmounted = t && thread_activity(t) == ACTIVITY_UNMOUNTED;
    threads_unlock(self);
    if (nanos < 0) return unmounted ? JVMTI_ERROR_UNSUPPORTED_OPERATION : JVMTI_ERROR_THREAD_NOT_ALIVE;
    *nanos_ptr = nanos;
    return JVMTI_ERROR_NONE;
}

jvmtiError jvmti_get_timer_info(struct jvmti_env *env, struct os_thread *self, jvmtiTimerInfo *info_ptr) {
    (void)env, (void)self;
    describe(info_ptr, JVMTI_TIMER_ELAPSED);
    return JVMTI_ERROR_NONE;
}

jvmtiError jvmti_get_time(struct jvmti_env *env, struct os_thread *self, jlong *nanos_ptr) {
    (void)env, (void)self;
    *nanos_ptr = os_nanotime();
    return JVMTI_ERROR_NONE;
}

jvmtiError jvmti_get_available_processors(struct jvmti_env *env, struct os_thread *self, jint *processor_count_ptr) {
    (void)env, (void)self;
    *processor_count_ptr = os_cpu_count();
    return JVMTI_ERROR_NONE;
}
