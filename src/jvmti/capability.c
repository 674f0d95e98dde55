/* capability.c: the Capability chapter. Every built capability is potential for every environment in OnLoad and live
 * phase; holding one costs nothing. */
#include "jvmti_gen.h"
#include "probe/probe.h"

#include <string.h>

/* The flags are the structure's first bits, from the low end. */
static uint64_t bits_of(const jvmtiCapabilities *c) {
    uint64_t bits;
    memcpy(&bits, c, sizeof bits);
    return bits & ((UINT64_C(1) << JVMTI_CAPABILITY_COUNT) - 1);
}

static void give(uint64_t bits, jvmtiCapabilities *out) {
    memset(out, 0, sizeof *out);
    memcpy(out, &bits, sizeof bits);
}

#define EARLY_START \
    (UINT64_C(1) << JVMTI_CAP_can_generate_early_vmstart | UINT64_C(1) \
                                                               << JVMTI_CAP_can_generate_early_class_hook_events)

/* An environment whose class file hook was settled without it cannot get can_retransform_classes any more. 17's library
 * has no virtual threads. What concerns the early start has no effect behind it: only who has it already is offered it
 * then. */
static uint64_t potential(const struct jvmti_env *env) {
    uint64_t missing = 0;
    if (atomic_load(&env->hook_kind) == JVMTI_HOOK_INCAPABLE)
        missing |= UINT64_C(1) << JVMTI_CAP_can_retransform_classes;
    if (vm->library == LIBRARY_17) missing |= UINT64_C(1) << JVMTI_CAP_can_support_virtual_threads;
    if (jvmti_phase(env) == PHASE_LIVE) missing |= EARLY_START & ~atomic_load(&env->capabilities);
    return JVMTI_CAPABILITIES_BUILT & ~missing;
}

jvmtiError jvmti_get_capabilities(struct jvmti_env *env, struct os_thread *self, jvmtiCapabilities *capabilities_ptr) {
    (void)self;
    give(atomic_load(&env->capabilities), capabilities_ptr);
    return JVMTI_ERROR_NONE;
}

jvmtiError jvmti_get_potential_capabilities(struct jvmti_env *env, struct os_thread *self,
                                            jvmtiCapabilities *capabilities_ptr) {
    (void)self;
    give(potential(env), capabilities_ptr);
    return JVMTI_ERROR_NONE;
}

static bool prepare(struct jvmti_env *env, uint64_t wanted) {
    if ((wanted >> JVMTI_CAP_can_tag_objects & 1) && atomic_load(&env->tags) == NULL) {
        struct tag_table *fresh = heap_tags_new(env->index), *none = NULL;
        if (fresh == NULL) return false;
        if (!atomic_compare_exchange_strong(&env->tags, &none, fresh)) heap_tags_free(fresh);
    }
    return true;
}

jvmtiError jvmti_add_capabilities(struct jvmti_env *env, struct os_thread *self,
                                  const jvmtiCapabilities *capabilities_ptr) {
    (void)self;
    uint64_t wanted = bits_of(capabilities_ptr), missing = wanted & ~potential(env);
    if (missing) {
        for (int i = 0; i < JVMTI_CAPABILITY_COUNT; i++)
            if (missing >> i & 1)
                log_info(jvmti, "environment %d: %s is not available", env->index, jvmti_capability_names[i]);
        return JVMTI_ERROR_NOT_AVAILABLE;
    }
    if (!prepare(env, wanted)) return JVMTI_ERROR_OUT_OF_MEMORY;
    atomic_fetch_or(&env->capabilities, wanted);
    return JVMTI_ERROR_NONE;
}

/* What a relinquished capability allowed ends with it: its events are disabled, and tags are dropped with the
 * environment. */
jvmtiError jvmti_relinquish_capabilities(struct jvmti_env *env, struct os_thread *self,
                                         const jvmtiCapabilities *capabilities_ptr) {
    uint64_t left = atomic_fetch_and(&env->capabilities, ~bits_of(capabilities_ptr)) & ~bits_of(capabilities_ptr);
    uint64_t lost = 0;
    for (int e = JVMTI_EVENT_FIRST; e <= JVMTI_EVENT_LAST; e++)
        if (jvmti_event_rows[e - JVMTI_EVENT_FIRST].needs & ~left) lost |= PROBE_MASK(e);
    atomic_fetch_and(&env->enabled, ~lost);
    threads_lock(self);
    for (struct java_thread *t = threads_first(); t; t = t->next) {
        struct jvmti_thread_data *d = jvmti_thread_data(env, t, false);
        if (d) atomic_fetch_and(&d->enabled, ~lost);
    }
    threads_unlock(self);
    probes_changed(self);
    if (!(left >> JVMTI_CAP_can_generate_breakpoint_events & 1)) jvmti_breakpoints_release(self, env);
    jvmti_watches_release(self, env, !(left >> JVMTI_CAP_can_generate_field_access_events & 1),
                          !(left >> JVMTI_CAP_can_generate_field_modification_events & 1));
    return JVMTI_ERROR_NONE;
}
