/* The JNI function table, and handing it to the threads. */
#include "base/options.h"
#include "jni/jni_internal.h"
#include "jni/watch.h"
#include "thread/identity.h"

static const struct JNINativeInterface_ function_table = {
#define JNI_FUNCTION(name) .name = jni_##name,
    JNI_FUNCTIONS(JNI_FUNCTION)
#undef JNI_FUNCTION
};

/* Gives all threads the table their calls go through now. */
static void install(void) {
    struct os_thread *self = current_thread();
    bool watch = vm->options->check_jni || log_enabled(LOG_jni, LOG_TRACE);
    const struct JNINativeInterface_ *wanted = watch ? &jni_watching_table : jni_active_functions();
    if (wanted == atomic_load(&vm->jni_functions)) return;
    threads_lock(self);
    atomic_store(&vm->jni_functions, wanted);
    for (struct os_thread *t = carriers_first(); t; t = t->next)
        __atomic_store_n(&t->env, wanted, __ATOMIC_RELEASE);
    threads_unlock(self);
}

void jni_log_changed(void) {
    if (vm != NULL && vm->jni_state != NULL) install();
}

bool jni_create(void) {
    vm->jni_state = mem_zalloc(sizeof *vm->jni_state);
    if (!vm->jni_state) return false;
    lock_init(&vm->jni_state->library_lock, "native libraries", LOCK_RANK_NATIVE_LIBRARY);
    if (vm->options->check_jni) lent_create();
    jni_set_functions(&function_table);
    return true;
}

void jni_destroy(void) {
    if (!vm->jni_state) return;
    lent_destroy();
    mem_free(vm->jni_state);
    vm->jni_state = NULL;
}

const struct JNINativeInterface_ *jni_original_functions(void) { return &function_table; }

const struct JNINativeInterface_ *jni_active_functions(void) { return atomic_load(&vm->jni_state->active); }

void jni_set_functions(const struct JNINativeInterface_ *functions) {
    atomic_store(&vm->jni_state->active, functions);
    install();
}

bool jni_is_supported_version(jint version, int library) {
    switch (version) {
    case JNI_VERSION_1_2:
    case JNI_VERSION_1_4:
    case JNI_VERSION_1_6:
    case JNI_VERSION_1_8:
    case JNI_VERSION_9:
    case JNI_VERSION_10: return true;
    case JNI_VERSION_19: case JNI_VERSION_20: case JNI_VERSION_21: case JNI_VERSION_24:
        return library >= 25;
    default:
        return false;
    }
}

jint JNICALL jni_GetVersion(JNIEnv *env) {
    (void)env;
    return vm->library == LIBRARY_17 ? JNI_VERSION_10 : JNI_VERSION_24;
}

jint JNICALL jni_GetJavaVM(JNIEnv *env, JavaVM **out) {
    (void)env;
    *out = vm_java_vm;
    return JNI_OK;
}

/* What libjava asks of a library's JNI_OnLoad. */
EXPORT jboolean JNICALL JVM_IsSupportedJNIVersion(jint version);
/* What a library may demand; the Invocation API takes nothing as old as 1.1. */
EXPORT jboolean JNICALL JVM_IsSupportedJNIVersion(jint version) {
    return version == JNI_VERSION_1_1 || jni_is_supported_version(version, (int)vm->library);
}
