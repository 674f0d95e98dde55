/* thread_control.c: the Thread chapter's second half: suspending, stopping, interrupting threads, running agents' own,
 * and the monitors threads hold. */
#include "base/table.h"
#include "inspect/owned_monitor.h"
#include "inspect/thread_info.h"
#include "jdk/thread_life.h"
#include "jvmti_gen.h"
#include "probe/probe.h"
#include "thread/monitor.h"

#include <string.h>

/* ---- suspending and resuming ------------------------------------------------------------------------------------- */

static jvmtiError suspend_error(enum suspend_result result) {
    switch (result) {
    case SUSPEND_DONE: return JVMTI_ERROR_NONE;
    case SUSPEND_ALREADY: return JVMTI_ERROR_THREAD_SUSPENDED;
    case SUSPEND_ENDED: return JVMTI_ERROR_THREAD_NOT_ALIVE;
    }
    return JVMTI_ERROR_INTERNAL;
}

static jvmtiError resume(struct os_thread *self, struct jvmti_thread t) {
    REQUIRES(IN_VM);
    return thread_resume(self, t.java, t.object) ? JVMTI_ERROR_NONE : JVMTI_ERROR_THREAD_NOT_SUSPENDED;
}

jvmtiError jvmti_suspend_thread(struct jvmti_env *env, struct os_thread *self, struct jvmti_thread thread) {
    (void)env;
    return suspend_error(thread_suspend(self, thread.java, thread.object));
}

jvmtiError jvmti_resume_thread(struct jvmti_env *env, struct os_thread *self, struct jvmti_thread thread) {
    (void)env;
    return resume(self, thread);
}

/* The live thread of a list's element, or why there is none. */
static jvmtiError element(struct os_thread *self, jthread handle, struct jvmti_thread *out) {
    REQUIRES(IN_VM);
    struct object *o = jvmti_object_of(self, handle);
    *out = (struct jvmti_thread){.object = o};
    if (o == NULL || !object_is_instance(o, known_class(java_lang_Thread))) return JVMTI_ERROR_INVALID_THREAD;
    threads_lock(self);
    out->java = thread_alive(o);
    threads_unlock(self);
    return out->java ? JVMTI_ERROR_NONE : JVMTI_ERROR_THREAD_NOT_ALIVE;
}

/* The caller comes last, and does not return before somebody resumes it. */
jvmtiError jvmti_suspend_thread_list(struct jvmti_env *env, struct os_thread *self, jint request_count,
                                     const jthread *request_list, jvmtiError *results) {
    (void)env;
    jint mine = -1;
    for (jint i = 0; i < request_count; i++) {
        struct jvmti_thread t;
        results[i] = element(self, request_list[i], &t);
        if (t.java == self->java && mine < 0) mine = i;
        else if (results[i] == JVMTI_ERROR_NONE)
            results[i] = t.java == self->java ? JVMTI_ERROR_THREAD_SUSPENDED
                                              : suspend_error(thread_suspend(self, t.java, t.object));
    }
    if (mine >= 0) results[mine] = suspend_error(thread_suspend(self, self->java, self->java->mirror));
    return JVMTI_ERROR_NONE;
}

jvmtiError jvmti_resume_thread_list(struct jvmti_env *env, struct os_thread *self, jint request_count,
                                    const jthread *request_list, jvmtiError *results) {
    (void)env;
    for (jint i = 0; i < request_count; i++) {
        struct jvmti_thread t;
        results[i] = element(self, request_list[i], &t);
        if (results[i] == JVMTI_ERROR_NONE) results[i] = resume(self, t);
    }
    return JVMTI_ERROR_NONE;
}

/* ---- all virtual threads ----------------------------------------------------------------------------------------- */

static bool is_except(jint count, const jthread *list, const struct object *mirror) {
    for (jint i = 0; i < count; i++)
        if (handle_get(list[i]) == mirror) return true;
    return false;
}

static jvmtiError check_exceptions(struct os_thread *self, jint count, const jthread *list) {
    REQUIRES(IN_VM);
    if (count > 0 && list == NULL) return JVMTI_ERROR_NULL_POINTER;
    for (jint i = 0; i < count; i++) {
        struct object *o = jvmti_object_of(self, list[i]);
        struct class *virtual_class = known_class(java_lang_BaseVirtualThread);
        if (o == NULL || virtual_class == NULL || !object_is_instance(o, virtual_class))
            return JVMTI_ERROR_INVALID_THREAD;
    }
    return JVMTI_ERROR_NONE;
}

static jvmtiError for_all_virtual(struct os_thread *self, jint count, const jthread *list, bool suspend) {
    REQUIRES(IN_VM);
    jvmtiError err = check_exceptions(self, count, list);
    if (err) return err;
    VEC(struct jvmti_thread) threads = {0};
    bool mine = false, ok = true;
    threads_lock(self);
    for (struct java_thread *t = threads_first(); t && ok; t = t->next) {
        if (!thread_is_visible(t) || !thread_is_virtual(t) || is_except(count, list, t->mirror)) continue;
        if (t == self->java) mine = true;
        else ok = vec_push(&threads, ((struct jvmti_thread){t->mirror, t}));
    }
    threads_unlock(self);
    for (size_t i = 0; ok && i < threads.count; i++) {
        struct jvmti_thread t = threads.data[i];
        if (suspend) thread_suspend(self, t.java, t.object);
        else thread_resume(self, t.java, t.object);
    }
    vec_free(&threads);
    if (!ok) return JVMTI_ERROR_OUT_OF_MEMORY;
    if (mine && suspend) thread_suspend(self, self->java, self->java->mirror);
    return JVMTI_ERROR_NONE;
}

jvmtiError jvmti_suspend_all_virtual_threads(struct jvmti_env *env, struct os_thread *self, jint except_count,
                                             const jthread *except_list) {
    (void)env;
    return for_all_virtual(self, except_count, except_list, true);
}

jvmtiError jvmti_resume_all_virtual_threads(struct jvmti_env *env, struct os_thread *self, jint except_count,
                                            const jthread *except_list) {
    (void)env;
    return for_all_virtual(self, except_count, except_list, false);
}

/* ---- signals ----------------------------------------------------------------------------------------------------- */

jvmtiError jvmti_stop_thread(struct jvmti_env *env, struct os_thread *self, struct jvmti_thread thread,
                             struct object *exception) {
    (void)env;
    if (!object_is_instance(exception, known_class(java_lang_Throwable))) return JVMTI_ERROR_INVALID_OBJECT;
    jvmtiError err = JVMTI_ERROR_NONE;
    threads_lock(self);
    struct java_thread *t = thread_alive(thread.object);
    if (t == NULL) err = JVMTI_ERROR_THREAD_NOT_ALIVE;
    else if (thread_is_virtual(t)) err = jvmti_frame_error(t, self->java);
    if (err == JVMTI_ERROR_NONE) thread_stop(t, exception);
    threads_unlock(self);
    return err;
}

/* As Thread.interrupt does it: channels and selectors have to hear of it too. */
jvmtiError jvmti_interrupt_thread(struct jvmti_env *env, struct os_thread *self, struct jvmti_thread thread) {
    (void)env;
    struct object *pending = exception_take(self);
    struct method *interrupt = class_method_cstr(known_class(java_lang_Thread), "interrupt", "()V");
    uint64_t args[] = {slot_ref(thread.object)};
    unsigned failing = mem_fail_at(0);
    bool ok = java_call_virtual(self, interrupt, args, NULL);
    mem_fail_at(failing);
    self->exception = pending;
    return ok ? JVMTI_ERROR_NONE : JVMTI_ERROR_INTERNAL;
}

/* ---- agents' own threads ----------------------------------------------------------------------------------------- */

struct agent_thread {
    struct jvmti_env *env;
    jvmtiStartFunction proc;
    void *arg;
};

static void run_agent(struct os_thread *self, void *arg) {
    REQUIRES(IN_VM | MAY_STOP);
    struct agent_thread run = *(struct agent_thread *)arg;
    mem_free(arg);
    probe_thread_begin(self);
    if (handle_frame_push(self, 16, false)) {
        thread_to_native(self);
        run.proc((jvmtiEnv *)run.env, thread_env(self), run.arg);
        thread_from_native(self);
        handle_frame_pop(self);
    }
    thread_finish(self);
}

jvmtiError jvmti_run_agent_thread(struct jvmti_env *env, struct os_thread *self, struct jvmti_thread thread,
                                  jvmtiStartFunction proc, const void *arg, jint priority) {
    struct class *virtual_class = known_class(java_lang_BaseVirtualThread);
    if (virtual_class && object_is_instance(thread.object, virtual_class)) return JVMTI_ERROR_UNSUPPORTED_OPERATION;
    if (thread_mirror_status(thread.object) != THREAD_STATUS_NEW) return JVMTI_ERROR_INVALID_THREAD;
    if (priority < JVMTI_THREAD_MIN_PRIORITY || priority > JVMTI_THREAD_MAX_PRIORITY)
        return JVMTI_ERROR_INVALID_PRIORITY;
    struct agent_thread *run = mem_alloc(sizeof *run);
    if (run == NULL) return JVMTI_ERROR_OUT_OF_MEMORY;
    *run = (struct agent_thread){env, proc, (void *)arg};
    thread_mirror_set_facts(thread.object, true, priority);
    struct object *pending = exception_take(self);
    bool ok = thread_start_agent(self, thread.object, run_agent, run);
    self->exception = pending;
    if (ok) return JVMTI_ERROR_NONE;
    mem_free(run);
    return JVMTI_ERROR_OUT_OF_MEMORY;
}

/* ---- monitors ---------------------------------------------------------------------------------------------------- */

struct owned {
    struct owned_monitor *list;
    unsigned max, count;
    struct object *contended;
};

static void owned_op(void *arg, struct java_thread *t) {
    struct owned *o = arg;
    if (t->lock_count > o->max) o->count = t->lock_count;            /* come back with more room */
    else o->count = owned_monitors(t, o->list, o->max);
}

/* o->list is the caller's to free. */
static jvmtiError find_owned(struct os_thread *self, struct jvmti_thread thread, struct owned *o) {
    REQUIRES(IN_VM | MAY_STOP);
    for (o->max = 16;; o->max = o->count) {
        o->list = mem_alloc(o->max * sizeof *o->list);
        if (o->list == NULL) return JVMTI_ERROR_OUT_OF_MEMORY;
        if (!thread_handshake(self, thread.java, thread.object, owned_op, o)) return JVMTI_ERROR_THREAD_NOT_ALIVE;
        if (o->count <= o->max) return JVMTI_ERROR_NONE;
        mem_free(o->list);
    }
}

/* A local reference to each object; false: out of memory, and none is left. */
static bool make_handles(struct os_thread *self, const struct owned *o, jobject *handles) {
    REQUIRES(IN_VM);
    for (unsigned i = 0; i < o->count; i++) {
        handles[i] = handle_local(self, o->list[i].object);
        if (handles[i]) continue;
        while (i-- > 0) handle_local_delete(self, handles[i]);
        self->exception = NULL;
        return false;
    }
    return true;
}

jvmtiError jvmti_get_owned_monitor_info(struct jvmti_env *env, struct os_thread *self, struct jvmti_thread thread,
                                        jint *owned_monitor_count_ptr, jobject **owned_monitors_ptr) {
    (void)env;
    struct owned o = {0};
    jvmtiError err = find_owned(self, thread, &o);
    jobject *list = err ? NULL : tool_alloc(o.count * sizeof *list);
    if (!err && ((list == NULL && o.count > 0) || !make_handles(self, &o, list))) {
        tool_free(list);
        err = JVMTI_ERROR_OUT_OF_MEMORY;
    }
    mem_free(o.list);
    if (err) return err;
    *owned_monitor_count_ptr = (jint)o.count;
    *owned_monitors_ptr = list;
    return JVMTI_ERROR_NONE;
}

jvmtiError jvmti_get_owned_monitor_stack_depth_info(struct jvmti_env *env, struct os_thread *self,
                                                    struct jvmti_thread thread, jint *monitor_info_count_ptr,
                                                    jvmtiMonitorStackDepthInfo **monitor_info_ptr) {
    (void)env;
    struct owned o = {0};
    jvmtiError err = find_owned(self, thread, &o);
    jvmtiMonitorStackDepthInfo *list = err ? NULL : tool_alloc(o.count * sizeof *list);
    jobject *handles = err ? NULL : mem_alloc(o.count * sizeof *handles);
    if (!err && ((list == NULL && o.count > 0) || handles == NULL || !make_handles(self, &o, handles))) {
        tool_free(list);
        err = JVMTI_ERROR_OUT_OF_MEMORY;
    }
    for (unsigned i = 0; !err && i < o.count; i++) list[i] = (jvmtiMonitorStackDepthInfo){handles[i], o.list[i].depth};
    mem_free(handles);
    mem_free(o.list);
    if (err) return err;
    *monitor_info_count_ptr = (jint)o.count;
    *monitor_info_ptr = list;
    return JVMTI_ERROR_NONE;
}

static void contended_op(void *arg, struct java_thread *t) { ((struct owned *)arg)->contended = contended_monitor(t); }

jvmtiError jvmti_get_current_contended_monitor(struct jvmti_env *env, struct os_thread *self,
                                               struct jvmti_thread thread, jobject *monitor_ptr) {
    (void)env;
    struct owned o = {0};
    if (!thread_handshake(self, thread.java, thread.object, contended_op, &o)) return JVMTI_ERROR_THREAD_NOT_ALIVE;
    jobject handle = handle_local(self, o.contended);
    if (o.contended && handle == NULL) {
        self->exception = NULL;
        return JVMTI_ERROR_OUT_OF_MEMORY;
    }
    *monitor_ptr = handle;
    return JVMTI_ERROR_NONE;
}
