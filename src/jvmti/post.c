/* post.c: the rarer half of post.h. */
#include "jvmti/post.h"

static const struct jvmti_event_row *row_of(jvmtiEvent event) { return &jvmti_event_rows[event - JVMTI_EVENT_FIRST]; }

bool jvmti_post_wanted(struct jvmti_env *env, struct os_thread *self, jvmtiEvent event, bool one) {
    uint64_t bit = PROBE_MASK(event);
    if (atomic_load(&env->disposed) || !(atomic_load(&env->has_callback) & bit)) return false;
    if (!(row_of(event)->phases >> jvmti_phase(env) & 1)) return false;
    if (atomic_load(&env->enabled) & bit)
        return event != JVMTI_EVENT_VM_START || !atomic_exchange(&env->start_sent, true);
    struct jvmti_thread_data *d = self && self->java ? jvmti_thread_data(env, self->java, false) : NULL;
    if (d && d->enabled & bit) return true;
    return row_of(event)->runs == JVMTI_RUNS_QUEUED && one && atomic_load(&env->enabled_somewhere) & bit;
}

void jvmti_post_out_of_memory(struct os_thread *self, jvmtiEvent event) {
    REQUIRES(IN_VM);
    exception_take(self);
    log_warning(jvmti_event, "%s: out of memory, the event is not sent", row_of(event)->name);
}

void jvmti_post_drop_exception(struct os_thread *self, jvmtiEvent event) {
    REQUIRES(IN_VM);
    struct object *e = exception_take(self);
    char *name = class_external_name(class_of(e));
    log_warning(jvmti_event, "%s: the callback left a %s pending; it is dropped", row_of(event)->name,
                name ? name : "exception");
    mem_free(name);
}
