/* class_file_load_hook.c: ClassFileLoadHook: who is asked in which order, and what becomes of the answers. */
#include "base/alloc.h"
#include "jvmti/post.h"

/* Before the start phase only environments that asked for it with both capabilities. */
bool jvmti_hook_is_early(const struct jvmti_env *env) {
    return jvmti_has(env, JVMTI_CAP_can_generate_early_class_hook_events) &&
           jvmti_has(env, JVMTI_CAP_can_generate_all_class_hook_events);
}

/* What the environment made of the file takes its place. The first file that a retransformation-capable one replaced is
 * what later retransformations start from. */
static void replace(struct class_file_hook *h, bool capable, unsigned char *bytes, jint length) {
    if (capable && h->initial == NULL) {
        if (h->replaced != NULL) {
            h->initial = h->replaced;
            h->replaced = NULL;
        } else {
            h->initial = mem_dup(h->bytes, h->length);
        }
        h->initial_length = h->length;
        if (h->initial == NULL)
            log_warning(jvmti_event,
                        "ClassFileLoadHook: out of memory, %s cannot be retransformed from its initial bytes",
                        h->name ? h->name : "a class");
    }
    tool_free(h->replaced);
    h->replaced = bytes;                 /* allocated by the agent with Allocate, which is mem_alloc */
    h->bytes = bytes;
    h->length = (size_t)length;
}

static void ask(struct os_thread *self, struct jvmti_env *env, struct class_file_hook *h) {
    REQUIRES(IN_VM | MAY_STOP);
    struct jvmti_post post;
    bool primordial = jvmti_phase(env) == PHASE_PRIMORDIAL,
         capable = atomic_load(&env->hook_kind) == JVMTI_HOOK_CAPABLE;
    if (primordial && !jvmti_hook_is_early(env)) return;
    jvmti_post_begin(&post, self, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, JVMTI_RUNS_SELECTED, env);
    if (jvmti_post_next(&post)) {
        jclass redefined = h->redefined ? jvmti_post_class(&post, h->redefined) : NULL;
        jobject loader = jvmti_post_object(&post, h->loader->object),
                domain = jvmti_post_object(&post, h->protection_domain);
        jvmtiEventClassFileLoadHook callback = (jvmtiEventClassFileLoadHook)post.callback;
        jint length = 0;
        unsigned char *bytes = NULL;
        int64_t start = jvmti_post_trace(&post,
                                         (const uint64_t[]){(uintptr_t)redefined, (uintptr_t)loader, (uintptr_t)h->name,
                                                            (uintptr_t)domain, (uint64_t)h->length, (uintptr_t)h->bytes,
                                                            (uintptr_t)&length, (uintptr_t)&bytes});
        jvmti_post_enter(&post);
        callback(post.env, primordial ? NULL : post.jni, redefined, loader, h->name, domain, (jint)h->length, h->bytes,
                 &length, &bytes);
        jvmti_post_leave(&post);
        jvmti_post_done(&post, start);
        if (bytes != NULL) replace(h, capable, bytes, length);
    }
    jvmti_post_end(&post);
}

static void ask_all(struct os_thread *self, struct class_file_hook *h, int kind) {
    REQUIRES(IN_VM | MAY_STOP);
    int index;
    for (struct jvmti_env *env = jvmti_first_env(); env; env = jvmti_next_env(env, index)) {
        index = env->index;
        if (atomic_load(&env->hook_kind) == kind) ask(self, env, h);
    }
}

void jvmti_on_class_file_load(struct os_thread *self, struct class_file_hook *h) {
    REQUIRES(IN_VM | MAY_STOP);
    if (!h->retransform) ask_all(self, h, JVMTI_HOOK_INCAPABLE);
    ask_all(self, h, JVMTI_HOOK_CAPABLE);
}
