/* raw_monitor.c: the Raw Monitor chapter, over thread/raw_monitor.h. */
#include "thread/raw_monitor.h"

#include "jvmti_gen.h"

static jvmtiError error_of(enum raw_monitor_result result) {
    switch (result) {
    case RAW_MONITOR_DONE: return JVMTI_ERROR_NONE;
    case RAW_MONITOR_NOT_OWNER: return JVMTI_ERROR_NOT_MONITOR_OWNER;
    case RAW_MONITOR_INTERRUPTED: return JVMTI_ERROR_INTERRUPT;
    case RAW_MONITOR_DESTROYED: return JVMTI_ERROR_INVALID_MONITOR;
    }
    return JVMTI_ERROR_INTERNAL;
}

jvmtiError jvmti_create_raw_monitor(struct jvmti_env *env, struct os_thread *self, const char *name,
                                    jrawMonitorID *monitor_ptr) {
    (void)env, (void)self;
    struct raw_monitor *m = raw_monitor_new(RAW_MONITOR_JVMTI, name);
    if (m == NULL) return JVMTI_ERROR_OUT_OF_MEMORY;
    *monitor_ptr = (jrawMonitorID)m;
    return JVMTI_ERROR_NONE;
}

jvmtiError jvmti_destroy_raw_monitor(struct jvmti_env *env, struct os_thread *self, struct raw_monitor *m) {
    (void)env, (void)self;
    return error_of(raw_monitor_free(m));
}

jvmtiError jvmti_raw_monitor_enter(struct jvmti_env *env, struct os_thread *self, struct raw_monitor *m) {
    (void)env;
    return error_of(raw_monitor_enter(self, m));
}

jvmtiError jvmti_raw_monitor_exit(struct jvmti_env *env, struct os_thread *self, struct raw_monitor *m) {
    (void)env, (void)self;
    return error_of(raw_monitor_exit(m));
}

jvmtiError jvmti_raw_monitor_wait(struct jvmti_env *env, struct os_thread *self, struct raw_monitor *m, jlong millis) {
    (void)env;
    return error_of(raw_monitor_wait(self, m, millis, true));
}

jvmtiError jvmti_raw_monitor_notify(struct jvmti_env *env, struct os_thread *self, struct raw_monitor *m) {
    (void)env, (void)self;
    return error_of(raw_monitor_notify(m, false));
}

jvmtiError jvmti_raw_monitor_notify_all(struct jvmti_env *env, struct os_thread *self, struct raw_monitor *m) {
    (void)env, (void)self;
    return error_of(raw_monitor_notify(m, true));
}
