/* native_prefix.c: the native method prefixes of the Method chapter. */
#include "base/alloc.h"
#include "base/symbol.h"
#include "jvmti_gen.h"

#include <string.h>

/* An environment's prefixes in the order of application. Replaced as a whole; the old one stays until the environment
 * goes, because a thread that binds a native method reads without a lock. */
struct native_prefixes {
    struct native_prefixes *before;
    unsigned count;
    struct symbol *prefixes[];
};

static struct native_prefixes *make(jint count, char *const *prefixes) {
    struct native_prefixes *p = mem_zalloc(sizeof *p + (size_t)count * sizeof p->prefixes[0]);
    for (jint i = 0; p != NULL && i < count; i++) {
        p->prefixes[i] = symbol_intern_cstr(prefixes[i]);
        if (p->prefixes[i] == NULL) {
            while (p->count > 0) symbol_release(p->prefixes[--p->count]);
            mem_free(p);
            return NULL;
        }
        p->count++;
    }
    return p;
}

static jvmtiError set(struct jvmti_env *env, jint count, char *const *prefixes) {
    struct native_prefixes *p = make(count, prefixes);
    if (p == NULL) return JVMTI_ERROR_OUT_OF_MEMORY;
    p->before = atomic_load(&env->prefixes);
    while (!atomic_compare_exchange_weak(&env->prefixes, &p->before, p)) {}
    return JVMTI_ERROR_NONE;
}

jvmtiError jvmti_set_native_method_prefix(struct jvmti_env *env, struct os_thread *self, const char *prefix) {
    (void)self;
    char *one = (char *)(uintptr_t)prefix;
    return set(env, prefix != NULL && *prefix != '\0', &one);
}

jvmtiError jvmti_set_native_method_prefixes(struct jvmti_env *env, struct os_thread *self, jint prefix_count,
                                            char **prefixes) {
    (void)self;
    for (jint i = 0; i < prefix_count; i++)
        if (prefixes[i] == NULL) return JVMTI_ERROR_NULL_POINTER;
    return set(env, prefix_count, prefixes);
}

/* In the order in which class files pass the environments: the retransformation-incapable ones first. */
unsigned jvmti_native_prefixes(const char **out, unsigned max) {
    unsigned n = 0;
    for (int capable = 0; capable < 2; capable++) {
        for (struct jvmti_env *env = jvmti_first_env(); env; env = atomic_load(&env->next)) {
            const struct native_prefixes *p = atomic_load(&env->prefixes);
            bool skipped = p == NULL || atomic_load(&env->disposed) ||
                           (atomic_load(&env->hook_kind) == JVMTI_HOOK_CAPABLE) != capable;
            for (unsigned i = 0; !skipped && i < p->count && n < max; i++) out[n++] = p->prefixes[i]->bytes;
        }
    }
    return n;
}

void jvmti_native_prefixes_free(struct jvmti_env *env) {
    struct native_prefixes *p = atomic_exchange(&env->prefixes, NULL);
    while (p != NULL) {
        struct native_prefixes *before = p->before;
        for (unsigned i = 0; i < p->count; i++) symbol_release(p->prefixes[i]);
        mem_free(p);
        p = before;
    }
}
