/* jni_interception.c: the JNI Function Interception chapter. The table in force after SetJNIFunctionTable is one of the
 * room's own, into which the agents' tables are copied: a thread may be between fetching the table and fetching a
 * function from it. */
#include "base/alloc.h"
#include "jvmti/hooks.h"
#include "jvmti_gen.h"

#include <string.h>

enum { ENTRIES = sizeof(struct JNINativeInterface_) / sizeof(void *) };

jvmtiError jvmti_set_jni_function_table(struct jvmti_env *env, struct os_thread *self,
                                        const jniNativeInterface *function_table) {
    (void)env, (void)self;
    struct jvmti_state *state = vm->jvmti;
    lock_acquire(&state->lock);
    if (state->jni_functions == NULL &&
        (state->jni_functions = mem_dup(function_table, sizeof *function_table)) == NULL) {
        lock_release(&state->lock);
        return JVMTI_ERROR_OUT_OF_MEMORY;
    }
    void **to = (void **)state->jni_functions;
    void *const *from = (void *const *)function_table;
    for (size_t i = 0; i < ENTRIES; i++) __atomic_store_n(&to[i], from[i], __ATOMIC_RELEASE);
    lock_release(&state->lock);
    jvmti_hooks.jni_replace(state->jni_functions);
    return JVMTI_ERROR_NONE;
}

/* Not the thread's: -Xcheck:jni and tracing stand before it, and an agent that called them would be sent round in a
 * circle. */
jvmtiError jvmti_get_jni_function_table(struct jvmti_env *env, struct os_thread *self,
                                        jniNativeInterface **function_table) {
    (void)env, (void)self;
    jniNativeInterface *copy = tool_alloc(sizeof *copy);
    if (copy == NULL) return JVMTI_ERROR_OUT_OF_MEMORY;
    memcpy(copy, jvmti_hooks.jni_active(), sizeof *copy);
    *function_table = copy;
    return JVMTI_ERROR_NONE;
}
