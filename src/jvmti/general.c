/* general.c: the General chapter. */
#include "jvmti_gen.h"

jvmtiError jvmti_get_phase(struct jvmti_env *env, struct os_thread *self, jvmtiPhase *phase_ptr) {
    (void)self;
    *phase_ptr = (jvmtiPhase)jvmti_phase(env);
    return JVMTI_ERROR_NONE;
}

jvmtiError jvmti_dispose_environment(struct jvmti_env *env, struct os_thread *self) {
    jvmti_env_dispose(self, env);
    return JVMTI_ERROR_NONE;
}

jvmtiError jvmti_set_environment_local_storage(struct jvmti_env *env, struct os_thread *self, const void *data) {
    (void)self;
    atomic_store(&env->storage, (void *)data);
    return JVMTI_ERROR_NONE;
}

jvmtiError jvmti_get_environment_local_storage(struct jvmti_env *env, struct os_thread *self, void **data_ptr) {
    (void)self;
    *data_ptr = atomic_load(&env->storage);
    return JVMTI_ERROR_NONE;
}

jvmtiError jvmti_get_version_number(struct jvmti_env *env, struct os_thread *self, jint *version_ptr) {
    (void)self;
    *version_ptr = env->version;
    return JVMTI_ERROR_NONE;
}

jvmtiError jvmti_get_error_name(struct jvmti_env *env, struct os_thread *self, jvmtiError error, char **name_ptr) {
    (void)env, (void)self;
    const char *name = jvmti_error_name(error);
    if (name == NULL) return JVMTI_ERROR_ILLEGAL_ARGUMENT;
    char *copy = tool_strdup(name);
    if (copy == NULL) return JVMTI_ERROR_OUT_OF_MEMORY;
    *name_ptr = copy;
    return JVMTI_ERROR_NONE;
}

jvmtiError jvmti_set_verbose_flag(struct jvmti_env *env, struct os_thread *self, jvmtiVerboseFlag flag,
                                  jboolean value) {
    (void)env, (void)self;
    enum log_level level = value ? LOG_INFO : LOG_WARNING;       /* warnings are on from the start */
    switch (flag) {
    case JVMTI_VERBOSE_OTHER:
        break;
    case JVMTI_VERBOSE_GC:
        log_configure_level("gc", level);
        break;
    case JVMTI_VERBOSE_CLASS:
        log_configure_level("class+load", level);
        log_configure_level("class+unload", level);
        break;
    case JVMTI_VERBOSE_JNI:
        log_configure_level("jni+resolve", value ? LOG_DEBUG : LOG_WARNING);
        break;
    }
    return JVMTI_ERROR_NONE;
}

jvmtiError jvmti_get_j_location_format(struct jvmti_env *env, struct os_thread *self,
                                       jvmtiJlocationFormat *format_ptr) {
    (void)env, (void)self;
    *format_ptr = JVMTI_JLOCATION_JVMBCI;
    return JVMTI_ERROR_NONE;
}
