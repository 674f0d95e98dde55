/* event.c: the Event Management chapter. */
#include "inspect/thread_info.h"
#include "jdk/code_delivery.h"
#include "jvmti_gen.h"
#include "probe/probe.h"

#include <string.h>

/* ---- callbacks -------------------------------------------------------------------------------------------------- */

jvmtiError jvmti_set_event_callbacks(struct jvmti_env *env, struct os_thread *self,
                                     const jvmtiEventCallbacks *callbacks, jint size_of_callbacks) {
    jvmtiEventCallbacks copy;
    memset(&copy, 0, sizeof copy);
    if (callbacks) memcpy(&copy, callbacks, MIN((size_t)size_of_callbacks, sizeof copy));
    void *entries[sizeof copy / sizeof(void *)];
    memcpy(entries, &copy, sizeof copy);
    uint64_t present = 0;
    for (size_t i = 0; i < ARRAY_LEN(entries); i++)
        if (entries[i] && jvmti_event_rows[i].name) present |= PROBE_MASK(JVMTI_EVENT_FIRST + (int)i);
    lock_acquire(&env->callbacks_lock);
    for (size_t i = 0; i < ARRAY_LEN(entries); i++) atomic_store(&env->callbacks[i], entries[i]);
    atomic_store(&env->has_callback, present);
    lock_release(&env->callbacks_lock);
    probes_changed(self);
    return JVMTI_ERROR_NONE;
}

/* ---- modes ------------------------------------------------------------------------------------------------------ */

static jvmtiError set_for_thread(struct os_thread *self, struct jvmti_env *env, struct object *mirror, uint64_t bit,
                                 bool on) {
    REQUIRES(IN_VM);
    jvmtiError err = JVMTI_ERROR_NONE;
    threads_lock(self);
    struct java_thread *t = thread_alive(mirror);
    bool gone = jvmti_env_is_gone(env);
    struct jvmti_thread_data *d = t && !gone ? jvmti_thread_data(env, t, on) : NULL;
    if (gone) err = JVMTI_ERROR_INVALID_ENVIRONMENT;
    else if (t == NULL) err = JVMTI_ERROR_THREAD_NOT_ALIVE;
    else if (d == NULL && on) err = JVMTI_ERROR_OUT_OF_MEMORY;
    else if (d && on) atomic_fetch_or(&d->enabled, bit);
    else if (d) atomic_fetch_and(&d->enabled, ~bit);
    threads_unlock(self);
    return err;
}

jvmtiError jvmti_set_event_notification_mode(struct jvmti_env *env, struct os_thread *self, jvmtiEventMode mode,
                                             jvmtiEvent event_type, struct jvmti_thread event_thread) {
    const struct jvmti_event_row *row = &jvmti_event_rows[event_type - JVMTI_EVENT_FIRST];
    bool on = mode == JVMTI_ENABLE;
    if (event_thread.object && row->global_only) return JVMTI_ERROR_ILLEGAL_ARGUMENT;
    if (on && row->needs & ~atomic_load(&env->capabilities)) return JVMTI_ERROR_MUST_POSSESS_CAPABILITY;
    if (on && event_type == JVMTI_EVENT_OBJECT_FREE && jvmti_phase(env) == PHASE_LIVE && !delivery_start(self))
        return JVMTI_ERROR_OUT_OF_MEMORY;
    if (on && event_type >= JVMTI_EVENT_COMPILED_METHOD_LOAD && event_type <= JVMTI_EVENT_DYNAMIC_CODE_GENERATED &&
        jvmti_phase(env) == PHASE_LIVE && !code_delivery_start(self))
        return JVMTI_ERROR_OUT_OF_MEMORY;
    if (on && event_type == JVMTI_EVENT_CLASS_FILE_LOAD_HOOK) {
        int unsettled = JVMTI_HOOK_NOT_ENABLED;
        atomic_compare_exchange_strong(&env->hook_kind, &unsettled,
                                       jvmti_has(env, JVMTI_CAP_can_retransform_classes) ? JVMTI_HOOK_CAPABLE
                                                                                         : JVMTI_HOOK_INCAPABLE);
    }
    uint64_t bit = PROBE_MASK(event_type);
    if (event_thread.object) {
        jvmtiError err = set_for_thread(self, env, event_thread.object, bit, on);
        if (err) return err;
    } else if (on) {
        atomic_fetch_or(&env->enabled, bit);
    } else {
        atomic_fetch_and(&env->enabled, ~bit);
    }
    if (on && !row->global_only) atomic_fetch_or(&env->enabled_somewhere, bit);
    probes_changed(self);
    return JVMTI_ERROR_NONE;
}
