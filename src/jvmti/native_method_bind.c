/* native_method_bind.c: NativeMethodBind: every environment may put another function in the place of the one
 * before it. */
#include "jvmti/post.h"

static void *ask(struct os_thread *self, struct jvmti_env *env, struct method *m, void *address) {
    REQUIRES(IN_VM | MAY_STOP);
    struct jvmti_post post;
    bool primordial = jvmti_phase(env) == PHASE_PRIMORDIAL;
    jvmti_post_begin(&post, self, JVMTI_EVENT_NATIVE_METHOD_BIND, JVMTI_RUNS_SELECTED, env);
    if (jvmti_post_next(&post)) {
        jvmtiEventNativeMethodBind callback = (jvmtiEventNativeMethodBind)post.callback;
        void *replacement = address;
        jmethodID method = method_id(m);
        int64_t start = jvmti_post_trace(&post, (const uint64_t[]){(uintptr_t)post.thread, (uintptr_t)method,
                                                                   (uintptr_t)address, (uintptr_t)&replacement});
        jvmti_post_enter(&post);
        callback(post.env, primordial ? NULL : post.jni, post.thread, method, address, &replacement);
        jvmti_post_leave(&post);
        jvmti_post_done(&post, start);
        if (replacement != NULL) address = replacement;
    }
    jvmti_post_end(&post);
    return address;
}

void jvmti_on_native_method_bind(struct os_thread *self, struct method *m, void **address) {
    REQUIRES(IN_VM | MAY_STOP);
    int index;
    for (struct jvmti_env *env = jvmti_first_env(); env; env = jvmti_next_env(env, index)) {
        index = env->index;
        *address = ask(self, env, m, *address);
    }
}
