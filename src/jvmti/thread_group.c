/* thread_group.c: the Thread Group chapter. */
#include "base/table.h"
#include "inspect/thread_info.h"
#include "jdk/thread_life.h"
#include "jvmti_gen.h"

#include <string.h>

typedef VEC(jobject) handle_list;

static bool add(struct os_thread *self, handle_list *list, struct object *o) {
    REQUIRES(IN_VM);
    jobject handle = handle_local(self, o);
    if (handle == NULL) return false;
    if (vec_push(list, handle)) return true;
    handle_local_delete(self, handle);
    return false;
}

/* Copies the handles into memory for the agent; false: none to be had. */
static bool give(const handle_list *list, jint *count, jobject **out) {
    jobject *copy = tool_alloc(list->count * sizeof *copy);
    if (copy == NULL && list->count > 0) return false;
    if (copy) memcpy(copy, list->data, list->count * sizeof *copy);
    *count = (jint)list->count;
    *out = copy;
    return true;
}

static void drop(struct os_thread *self, handle_list *list, bool handles_too) {
    REQUIRES(IN_VM);
    for (size_t i = 0; handles_too && i < list->count; i++) handle_local_delete(self, list->data[i]);
    vec_free(list);
}

jvmtiError jvmti_get_top_thread_groups(struct jvmti_env *env, struct os_thread *self, jint *group_count_ptr,
                                       jthreadGroup **groups_ptr) {
    (void)env;
    handle_list groups = {0};
    bool ok = add(self, &groups, vm->system_thread_group) && give(&groups, group_count_ptr, groups_ptr);
    drop(self, &groups, !ok);
    if (!ok) self->exception = NULL;
    return ok ? JVMTI_ERROR_NONE : JVMTI_ERROR_OUT_OF_MEMORY;
}

jvmtiError jvmti_get_thread_group_info(struct jvmti_env *env, struct os_thread *self, struct object *group,
                                       jvmtiThreadGroupInfo *info_ptr) {
    (void)env;
    struct thread_group_info info;
    thread_group_info_of(group, &info);
    char *name = info.name ? string_dup_utf8(info.name) : tool_strdup("");
    jthreadGroup parent = name ? handle_local(self, info.parent) : NULL;
    if (name == NULL || (info.parent && parent == NULL)) {
        tool_free(name);
        self->exception = NULL;
        return JVMTI_ERROR_OUT_OF_MEMORY;
    }
    *info_ptr = (jvmtiThreadGroupInfo){parent, name, info.max_priority, info.daemon};
    return JVMTI_ERROR_NONE;
}

static bool live_threads(struct os_thread *self, struct object *group, handle_list *out) {
    REQUIRES(IN_VM);
    bool ok = true;
    threads_lock(self);
    for (struct java_thread *t = threads_first(); t && ok; t = t->next) {
        if (!thread_is_visible(t) || t->of_tool || thread_is_virtual(t)) continue;
        struct thread_info info;
        thread_info_of(t->mirror, &info);
        if (info.group == group) ok = add(self, out, t->mirror);
    }
    threads_unlock(self);
    return ok;
}

static bool child_groups(struct os_thread *self, struct object *group, handle_list *out) {
    REQUIRES(IN_VM);
    struct object *array = thread_group_children(self, group);
    if (self->exception) return false;
    for (int32_t i = 0; array && i < array_length(array); i++) {
        struct object *child = heap_array_get(array, i);
        if (child && !add(self, out, child)) return false;
    }
    return true;
}

jvmtiError jvmti_get_thread_group_children(struct jvmti_env *env, struct os_thread *self, struct object *group,
                                           jint *thread_count_ptr, jthread **threads_ptr, jint *group_count_ptr,
                                           jthreadGroup **groups_ptr) {
    (void)env;
    handle_list threads = {0}, groups = {0};
    struct object *pending = exception_take(self);           /* looking at groups may run Java code               */
    jthread *thread_list = NULL;
    jint thread_count = 0;
    bool ok = live_threads(self, group, &threads) && child_groups(self, group, &groups) &&
              give(&threads, &thread_count, &thread_list);
    if (ok && !give(&groups, group_count_ptr, groups_ptr)) {
        tool_free(thread_list);
        ok = false;
    }
    drop(self, &threads, !ok);
    drop(self, &groups, !ok);
    self->exception = pending;
    if (!ok) return JVMTI_ERROR_OUT_OF_MEMORY;
    *thread_count_ptr = thread_count;
    *threads_ptr = thread_list;
    return JVMTI_ERROR_NONE;
}
