/* thread.c: the Thread chapter: lists, states, facts, thread-local storage. */
#include "base/table.h"
#include "inspect/thread_info.h"
#include "jdk/thread_life.h"
#include "jvmti_gen.h"

#include <string.h>

/* ---- lists ------------------------------------------------------------------------------------------------------- */

jvmtiError jvmti_get_current_thread(struct jvmti_env *env, struct os_thread *self, jthread *thread_ptr) {
    (void)env;
    jthread handle = handle_local(self, self->java ? self->java->mirror : NULL);
    if (self->exception && handle == NULL) {
        self->exception = NULL;
        return JVMTI_ERROR_OUT_OF_MEMORY;
    }
    *thread_ptr = handle;
    return JVMTI_ERROR_NONE;
}

jvmtiError jvmti_get_all_threads(struct jvmti_env *env, struct os_thread *self, jint *threads_count_ptr,
                                 jthread **threads_ptr) {
    (void)env;
    VEC(jthread) threads = {0};
    bool ok = true;
    threads_lock(self);
    for (struct java_thread *t = threads_first(); t && ok; t = t->next) {
        if (!thread_is_visible(t) || thread_is_virtual(t)) continue;
        jthread handle = handle_local(self, t->mirror);
        ok = handle && vec_push(&threads, handle);
        if (!ok && handle) handle_local_delete(self, handle);
    }
    threads_unlock(self);
    jthread *list = ok ? tool_alloc(threads.count * sizeof *list) : NULL;
    if (list) {
        memcpy(list, threads.data, threads.count * sizeof *list);
        *threads_count_ptr = (jint)threads.count;
        *threads_ptr = list;
    } else {
        for (size_t i = 0; i < threads.count; i++) handle_local_delete(self, threads.data[i]);
        self->exception = NULL;
    }
    vec_free(&threads);
    return list ? JVMTI_ERROR_NONE : JVMTI_ERROR_OUT_OF_MEMORY;
}

/* ---- one thread -------------------------------------------------------------------------------------------------- */

jvmtiError jvmti_get_thread_state(struct jvmti_env *env, struct os_thread *self, struct jvmti_thread thread,
                                  jint *thread_state_ptr) {
    (void)env;
    threads_lock(self);
    *thread_state_ptr = thread_state_of(thread.object, thread_alive(thread.object));
    threads_unlock(self);
    return JVMTI_ERROR_NONE;
}

jvmtiError jvmti_get_thread_info(struct jvmti_env *env, struct os_thread *self, struct jvmti_thread thread,
                                 jvmtiThreadInfo *info_ptr) {
    (void)env;
    struct thread_info info;
    thread_info_of(thread.object, &info);
    bool ended = info.status & JVMTI_THREAD_STATE_TERMINATED;
    char *name = info.name ? string_dup_utf8(info.name) : tool_strdup("");
    if (name == NULL) return JVMTI_ERROR_OUT_OF_MEMORY;
    struct object *group = ended ? NULL : info.group;
    jobject group_handle = handle_local(self, group), loader_handle = handle_local(self, info.context_loader);
    if ((group && !group_handle) || (info.context_loader && !loader_handle)) {
        if (group_handle) handle_local_delete(self, group_handle);
        tool_free(name);
        self->exception = NULL;
        return JVMTI_ERROR_OUT_OF_MEMORY;
    }
    *info_ptr = (jvmtiThreadInfo){name, info.priority, info.daemon, group_handle, loader_handle};
    return JVMTI_ERROR_NONE;
}

/* ---- thread-local storage ---------------------------------------------------------------------------------------- */

/* The current thread's records change only under the thread list's lock or with the world stopped, so it may read its
 * own. */
jvmtiError jvmti_get_thread_local_storage(struct jvmti_env *env, struct os_thread *self, struct jvmti_thread thread,
                                          void **data_ptr) {
    if (thread.java == self->java) {
        struct jvmti_thread_data *d = jvmti_thread_data(env, self->java, false);
        *data_ptr = d ? d->filter.storage : NULL;
        return JVMTI_ERROR_NONE;
    }
    threads_lock(self);
    struct java_thread *t = thread_alive(thread.object);
    struct jvmti_thread_data *d = t ? jvmti_thread_data(env, t, false) : NULL;
    void *data = d ? d->filter.storage : NULL;
    threads_unlock(self);
    if (t == NULL) return JVMTI_ERROR_THREAD_NOT_ALIVE;
    *data_ptr = data;
    return JVMTI_ERROR_NONE;
}

/* The current thread is alive whatever its object says, and early it has none. */
jvmtiError jvmti_set_thread_local_storage(struct jvmti_env *env, struct os_thread *self, struct jvmti_thread thread,
                                          const void *data) {
    jvmtiError err = JVMTI_ERROR_NONE;
    threads_lock(self);
    struct java_thread *t = thread.java == self->java ? self->java : thread_alive(thread.object);
    bool gone = jvmti_env_is_gone(env);
    struct jvmti_thread_data *d = t && !gone ? jvmti_thread_data(env, t, data != NULL) : NULL;
    if (gone) err = JVMTI_ERROR_INVALID_ENVIRONMENT;
    else if (t == NULL) err = JVMTI_ERROR_THREAD_NOT_ALIVE;
    else if (d == NULL && data) err = JVMTI_ERROR_OUT_OF_MEMORY;
    else if (d) d->filter.storage = (void *)data;
    threads_unlock(self);
    return err;
}
