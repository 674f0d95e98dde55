/* event_filter.c: the extension function SetEventFilters: functions of a tool that are asked before it is sent an
 * event, without the cost of sending one. */
#include <vitrine.h>

#include "jvmti/extension.h"
#include "jvmti_gen.h"
#include "probe/probe.h"

/* No thread has a filter until probes_changed finds who is to be asked now. World stopped. */
static void ask_nobody(void) {
    for (struct java_thread *t = threads_first(); t; t = t->next) probe_ask_nobody(t);
}

static jvmtiError set(struct os_thread *self, struct jvmti_env *env, const vitrineEventFilters *f) {
    REQUIRES(IN_VM | MAY_STOP);
    struct event_filters filters = {f ? f->MethodEntry : NULL, f ? f->MethodExit : NULL,
                                    f ? f->SampledObjectAlloc : NULL};
    if (self) safepoint_begin(self, "SetEventFilters");
    bool gone = jvmti_env_is_gone(env);
    if (!gone && self) ask_nobody();
    if (!gone) env->filters = filters;
    if (self) safepoint_end(self);
    if (gone) return JVMTI_ERROR_INVALID_ENVIRONMENT;
    probes_changed(self);
    return JVMTI_ERROR_NONE;
}

jvmtiError JNICALL jvmti_extension_set_event_filters(jvmtiEnv *env, ...) {
    static const struct jvmti_function_row row = {.name = "SetEventFilters",
                                                  .phases = 1u << PHASE_ONLOAD | 1u << PHASE_START | 1u << PHASE_LIVE,
                                                  .built = true};
    va_list args;
    va_start(args, env);
    const vitrineEventFilters *filters = va_arg(args, const vitrineEventFilters *);
    va_end(args);
    struct jvmti_call call;
    jvmtiError err = jvmti_call_begin(&call, env, &row);
    if (err == JVMTI_ERROR_NONE) err = set(call.self, call.env, filters);
    jvmti_call_end(&call);
    return err;
}

/* Entries and exits go together: one without the other is of no use to a filter. */
static bool covers(const struct event_filters *f, uint64_t events) {
    return events & PROBE_MASK(PROBE_sampled_object_alloc) ? f->allocation != NULL
                                                           : f->method_entry != NULL && f->method_exit != NULL;
}

struct event_filter *jvmti_event_filter(struct java_thread *t, uint64_t events) {
    struct jvmti_env *only = NULL;
    for (struct jvmti_env *env = jvmti_first_env(); env; env = atomic_load(&env->next)) {
        uint64_t wanted = jvmti_wanted_events(env, t) & events;
        if (wanted == 0) continue;
        if (only != NULL || wanted != events || !covers(&env->filters, events)) return NULL;
        only = env;
    }
    struct jvmti_thread_data *d = only ? jvmti_thread_data(only, t, true) : NULL;
    return d ? &d->filter : NULL;
}

bool jvmti_ask_allocation_filter(struct event_filter *filter, struct object *o) {
    struct tag_table *tags = atomic_load(&CONTAINER_OF(filter, struct jvmti_thread_data, filter)->env->tags);
    jlong tag = 0, class_tag = tags ? heap_tag_get(tags, class_mirror(class_of(o))) : 0;
    if (filter->filters->allocation(filter->storage, class_tag, (jlong)object_size(o), &tag)) return true;
    return tags != NULL && tag != 0 && !heap_tag_set(tags, o, tag);
}
