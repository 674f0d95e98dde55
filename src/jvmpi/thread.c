/* thread.c: threads: their ids, status, storage, suspension, and threads of the agent's own. */
#include "jvmpi/jvmpi_internal.h"

#include <string.h>

#include "inspect/thread_info.h"
#include "jdk/service_thread.h"
#include "jdk/thread_life.h"
#include "jdk/hooks.h"

/* The thread of an id, which an ended one has no more, except to itself. Caller holds the thread list. */
static struct java_thread *listed(JNIEnv *env) {
    struct java_thread *t = thread_of_env(env);
    return t && (t == current_thread()->java || !thread_has_ended(t)) ? t : NULL;
}

struct java_thread *jvmpi_thread_of(struct os_thread *self, JNIEnv *env, struct object **mirror) {
    REQUIRES(IN_VM);
    *mirror = self->java->mirror;
    if (env == thread_env(self)) return self->java;
    threads_lock(self);
    struct java_thread *t = listed(env);
    if (t) *mirror = t->mirror;
    threads_unlock(self);
    return t;
}

struct jvmpi_thread *jvmpi_thread_make(struct java_thread *t) {
    struct jvmpi_thread *d = thread_extend(t, EXT_JVMPI, sizeof *d);
    if (d == NULL) log_warning(jvmpi, "out of memory: nothing can be kept for a thread");
    return d;
}

/* ---- THREAD_START ------------------------------------------------------------------------------------------------ */

static char *text_of(struct object *string) { return string ? string_dup_utf8(string) : mem_strdup(""); }

bool jvmpi_send_thread_start(struct os_thread *self, struct object *mirror, JNIEnv *env_id, jint requested) {
    REQUIRES(IN_VM);
    struct thread_info info;
    struct thread_group_info group = {0}, parent = {0};
    thread_info_of(mirror, &info);
    if (info.group) thread_group_info_of(info.group, &group);
    if (group.parent) thread_group_info_of(group.parent, &parent);
    char *name = text_of(info.name), *group_name = text_of(group.name), *parent_name = text_of(parent.name);
    bool ok = name && group_name && parent_name;
    if (ok) {
        JVMPI_Event e;
        memset(&e, 0, sizeof e);
        e.event_type = JVMPI_EVENT_THREAD_START | requested;
        e.u.thread_start.thread_name = name;
        e.u.thread_start.group_name = group_name;
        e.u.thread_start.parent_name = parent_name;
        e.u.thread_start.thread_id = jvmpi_id(mirror);
        e.u.thread_start.thread_env_id = env_id;
        jvmpi_notify(self, &e, true);
    } else {
        log_warning(jvmpi_event, "out of memory: a thread start event is lost");
    }
    mem_free(name);
    mem_free(group_name);
    mem_free(parent_name);
    return ok;
}

/* ---- status and facts -------------------------------------------------------------------------------------------- */

enum { STATE_BLOCKED = 0x400, STATE_WAITING = 0x80 };    /* bits of Thread.threadStatus, those of JVM TI */

jint jvmpi_thread_status(struct java_thread *t) {
    struct thread_info info = {0};
    if (t->mirror) thread_info_of(t->mirror, &info);
    jint status = JVMPI_THREAD_RUNNABLE;
    if (info.status & STATE_BLOCKED || atomic_load(&t->raw_entering)) status = JVMPI_THREAD_MONITOR_WAIT;
    else if (info.status & STATE_WAITING || atomic_load(&t->raw_waiting)) status = JVMPI_THREAD_CONDVAR_WAIT;
    if (atomic_load(&t->suspended)) status |= JVMPI_THREAD_SUSPENDED;
    if (thread_is_interrupted(t, false)) status |= JVMPI_THREAD_INTERRUPTED;
    return status;
}

jint jvmpi_GetThreadStatus(JNIEnv *env) {
    struct jvmpi_call call;
    if (!jvmpi_call_begin(&call)) return 0;
    threads_lock(call.self);
    struct java_thread *t = listed(env);
    jint status = t ? jvmpi_thread_status(t) : 0;
    threads_unlock(call.self);
    jvmpi_call_end(&call);
    return status;
}

jobjectID jvmpi_GetThreadObject(JNIEnv *env) {
    struct jvmpi_call call;
    if (!jvmpi_call_begin(&call)) return NULL;
    threads_lock(call.self);
    struct java_thread *t = listed(env);
    jobjectID id = t ? jvmpi_id(t->mirror) : NULL;
    threads_unlock(call.self);
    jvmpi_call_end(&call);
    return id;
}

jlong jvmpi_GetCurrentThreadCpuTime(void) { return os_thread_cpu_ns(); }

/* ---- storage: no transition for a thread's own, which events as frequent as method entries use ------------------- */

static void store(struct java_thread *t, void *ptr) {
    struct jvmpi_thread *d = ptr ? jvmpi_thread_make(t) : jvmpi_thread(t);
    if (d) atomic_store(&d->storage, ptr);
}

static void *stored(const struct java_thread *t) {
    struct jvmpi_thread *d = jvmpi_thread(t);
    return d ? atomic_load(&d->storage) : NULL;
}

void jvmpi_SetThreadLocalStorage(JNIEnv *env_id, void *ptr) {
    struct os_thread *self = current_thread();
    if (self && env_id == thread_env(self) && self->java) {
        store(self->java, ptr);
        return;
    }
    struct jvmpi_call call;
    if (!jvmpi_call_begin(&call)) return;
    threads_lock(call.self);
    struct java_thread *t = listed(env_id);
    if (t) store(t, ptr);
    threads_unlock(call.self);
    jvmpi_call_end(&call);
}

void *jvmpi_GetThreadLocalStorage(JNIEnv *env_id) {
    struct os_thread *self = current_thread();
    if (self && env_id == thread_env(self) && self->java) return stored(self->java);
    struct jvmpi_call call;
    if (!jvmpi_call_begin(&call)) return NULL;
    threads_lock(call.self);
    struct java_thread *t = listed(env_id);
    void *ptr = t ? stored(t) : NULL;
    threads_unlock(call.self);
    jvmpi_call_end(&call);
    return ptr;
}

/* ---- suspension -------------------------------------------------------------------------------------------------- */

static void note_cpu(void *unused, struct java_thread *t) {
    (void)unused;
    struct jvmpi_thread *d = jvmpi_thread_make(t);
    if (d == NULL) return;
    d->cpu_before = d->cpu_now;
    d->cpu_now = thread_cpu_ns(t, false);
}

/* No collection runs while a thread is suspended, whatever the agent does with EnableGC. */
void jvmpi_SuspendThread(JNIEnv *env) {
    struct jvmpi_call call;
    if (!jvmpi_call_begin(&call)) return;
    struct object *mirror;
    struct java_thread *t = jvmpi_thread_of(call.self, env, &mirror);
    if (t && t != call.self->java && thread_hold(call.self, t, mirror) == SUSPEND_DONE) {
        heap_hold_gc();
        atomic_fetch_add(&vm->jvmpi->held, 1);
        thread_handshake(call.self, t, mirror, note_cpu, NULL);
    }
    jvmpi_call_end(&call);
}

void jvmpi_ResumeThread(JNIEnv *env) {
    struct jvmpi_call call;
    if (!jvmpi_call_begin(&call)) return;
    struct object *mirror;
    struct java_thread *t = jvmpi_thread_of(call.self, env, &mirror);
    if (t && thread_let_go(call.self, t, mirror)) {
        atomic_fetch_sub(&vm->jvmpi->held, 1);
        heap_release_gc();
    }
    jvmpi_call_end(&call);
}

jboolean jvmpi_ThreadHasRun(JNIEnv *env) {
    struct jvmpi_call call;
    if (!jvmpi_call_begin(&call)) return JNI_FALSE;
    threads_lock(call.self);
    struct java_thread *t = listed(env);
    struct jvmpi_thread *d = t ? jvmpi_thread(t) : NULL;
    bool has_run = d && d->cpu_now != d->cpu_before;
    threads_unlock(call.self);
    jvmpi_call_end(&call);
    return has_run;
}

/* ---- the agent's own threads ------------------------------------------------------------------------------------- */

enum { RUN_LOCAL_REFERENCES = 16 };

static void run(struct os_thread *self, void *arg) {
    REQUIRES(IN_VM | MAY_STOP);
    void (*f)(void *) = NULL;
    memcpy(&f, &arg, sizeof f);
    probe_thread_begin(self);
    if (handle_frame_push(self, RUN_LOCAL_REFERENCES, false)) {
        thread_to_native(self);
        f(NULL);
        thread_from_native(self);
        handle_frame_pop(self);
    }
    thread_finish(self);
}

jint jvmpi_CreateSystemThread(char *name, jint priority, void (*f)(void *)) {
    bool known = priority == JVMPI_MINIMUM_PRIORITY || priority == JVMPI_NORMAL_PRIORITY ||
                 priority == JVMPI_MAXIMUM_PRIORITY;
    struct jvmpi_call call;
    if (name == NULL || f == NULL || !known || !jvmpi_call_begin(&call)) return JNI_ERR;
    bool ok = false;
    if (call.entered && atomic_load(&vm->phase) == PHASE_LIVE && call.self->gc_disabled == 0 &&
        atomic_load(&vm->jvmpi->held) == 0) {
        void *arg;
        memcpy(&arg, &f, sizeof arg);
        struct object *pending = exception_take(call.self);
        ok = service_thread_start(call.self, name, priority, false, run, arg);
        call.self->exception = pending;
    }
    jvmpi_call_end(&call);
    return ok ? JNI_OK : JNI_ERR;
}

/* ---- the end ----------------------------------------------------------------------------------------------------- */

void jvmpi_ProfilerExit(jint err_code) {
    struct jvmpi_call call;
    int phase = vm ? atomic_load(&vm->phase) : PHASE_DEAD;
    if ((phase == PHASE_START || phase == PHASE_LIVE) && jvmpi_call_begin(&call)) {
        if (call.entered) jdk_hooks.end(call.self);
        jvmpi_call_end(&call);
    }
    jdk_hooks.exit(err_code);
}
