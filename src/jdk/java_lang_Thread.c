/* java_lang_Thread.c — starting, stopping, sleeping and looking at threads. */
#include "base/os.h"
#include "inspect/thread_info.h"
#include "jdk/jvm.h"
#include "jdk/stack_snapshot.h"
#include "jdk/thread_life.h"
#include "probe/probe.h"
#include "thread/identity.h"
#include "thread/monitor.h"

/* java.lang.Thread.threadStatus values (JVM TI thread state bits). */
enum { EXHAUSTED_ERROR = 1, EXHAUSTED_THREADS = 4 };  /* JVM TI: ResourceExhausted */
enum { STATUS_NEW = 0, STATUS_RUNNABLE = 0x5, STATUS_TERMINATED = 0x2 };

/* ---- fields whose place differs by library ----------------------------------------------------------------------- */

static struct object *field_owner(struct object *mirror) {
    return vm->library == LIBRARY_17 ? mirror : heap_load_ref(mirror, known_offset(Thread_holder));
}

void thread_mirror_set_status(struct object *mirror, int32_t status) {
    struct object *o = field_owner(mirror);
    if (o == NULL) return;
    field_store(o,
                vm->library == LIBRARY_17 ? known_offset(Thread_threadStatus) : known_offset(FieldHolder_threadStatus),
                T_INT, (uint32_t)status);
}

int32_t thread_mirror_status(struct object *mirror) {
    struct object *o = field_owner(mirror);
    return o ? (int32_t)field_load(o,
                                   vm->library == LIBRARY_17 ? known_offset(Thread_threadStatus)
                                                             : known_offset(FieldHolder_threadStatus),
                                   T_INT)
             : 0;
}

bool thread_mirror_is_daemon(struct object *mirror) {
    struct object *o = field_owner(mirror);
    return o &&
           field_load(o, vm->library == LIBRARY_17 ? known_offset(Thread_daemon) : known_offset(FieldHolder_daemon),
                      T_BOOLEAN) != 0;
}

void thread_mirror_set_facts(struct object *mirror, bool daemon, int32_t priority) {
    bool is_17 = vm->library == LIBRARY_17;
    struct object *o = field_owner(mirror);
    field_store(o, is_17 ? known_offset(Thread_daemon) : known_offset(FieldHolder_daemon), T_BOOLEAN, daemon);
    field_store(o, is_17 ? known_offset(Thread_priority) : known_offset(FieldHolder_priority), T_INT,
                slot_int(priority));
}

static int64_t stack_size_of(struct object *mirror) {
    struct object *o = field_owner(mirror);
    return o ? (int64_t)field_load(o,
                                   vm->library == LIBRARY_17 ? known_offset(Thread_stackSize)
                                                             : known_offset(FieldHolder_stackSize),
                                   T_LONG)
             : 0;
}

/* ---- life of a Java thread --------------------------------------------------------------------------------------- */

/* Java threads as they come and go; without a name (attached, and not yet named) "?". */
static void log_life(struct os_thread *self, const char *what) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (!log_enabled(LOG_thread, LOG_INFO)) return;
    struct object *name_object = heap_load_ref(self->java->mirror, known_offset(Thread_name));
    char *name = name_object ? string_dup_utf8(name_object) : NULL;
    log_info(thread, "Thread \"%s\" %s (tid: %d%s).", name ? name : "?", what, self->tid,
             thread_mirror_is_daemon(self->java->mirror) ? ", daemon" : "");
    mem_free(name);
}

/* Thread.exit (17: group removal...; 25: containers), status, eetop, and the notifyAll that join waits for. */
void thread_finish(struct os_thread *self) {
    REQUIRES(IN_VM | MAY_STOP);
    struct object *mirror = self->java->mirror;
    uint64_t args[1] = {slot_ref(mirror)};
    if (self->exception != NULL) {
        uint64_t uncaught[2] = {slot_ref(mirror), slot_ref(exception_take(self))};
        struct method *m = class_method_cstr(known_class(java_lang_Thread), "dispatchUncaughtException",
                                             "(Ljava/lang/Throwable;)V");
        if (!java_call_virtual(self, m, uncaught, NULL)) {
            char *type = class_external_name(class_of(exception_take(self)));
            struct object *name_object = heap_load_ref(mirror, known_offset(Thread_name));
            char *name = name_object ? string_dup_utf8(name_object) : NULL;
            vm_print(true, "\nException: %s thrown from the UncaughtExceptionHandler in thread \"%s\"\n",
                     type ? type : "?", name ? name : "?");
            mem_free(type);
            mem_free(name);
        }
    }
    struct method *exit = class_method_cstr(known_class(java_lang_Thread), "exit", "()V");
    java_call(self, exit, args, NULL);
    self->exception = NULL;
    probe_thread_finish(self);
    log_life(self, "ended");
    if (monitor_enter(self, mirror, NULL)) {
        thread_mirror_set_status(mirror, STATUS_TERMINATED);
        thread_mark_ended(self->java);
        field_store(mirror, known_offset(Thread_eetop), T_LONG, 0);
        monitor_notify(self, mirror, true);
        monitor_exit(self, mirror);
    }
    self->exception = NULL;
}

static void run_thread(struct os_thread *self, void *arg) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    (void)arg;
    struct object *mirror = self->java->mirror;
    struct method *run = class_method_cstr(known_class(java_lang_Thread), "run", "()V");
    uint64_t args[1] = {slot_ref(mirror)};
    log_life(self, "started");
    probe_thread_begin(self);
    /* stopped before its start */
    bool stillborn = vm->library == LIBRARY_17 && field_load(mirror, known_offset(Thread_stillborn), T_BOOLEAN) != 0;
    if (self->exception == NULL && !stillborn) java_call_virtual(self, run, args, NULL);
    thread_finish(self);
}

static void prepare(struct java_thread *jt) {
    field_store(jt->mirror, known_offset(Thread_eetop), T_LONG, thread_eetop(jt));
    thread_mirror_set_status(jt->mirror, STATUS_RUNNABLE);
}

static bool start_thread(struct os_thread *self, struct object *mirror, enum thread_audience audience,
                         void (*body)(struct os_thread *self, void *arg), void *arg) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (field_load(mirror, known_offset(Thread_eetop), T_LONG) != 0 || thread_mirror_status(mirror) != STATUS_NEW) {
        throw_new(self, "java/lang/IllegalThreadStateException");
        return false;
    }
    char *name = NULL;
    struct object *name_object = heap_load_ref(mirror, known_offset(Thread_name));
    if (name_object != NULL) name = string_dup_utf8(name_object);
    int64_t size = stack_size_of(mirror);
    bool ok = thread_start(self, mirror, size > 0 ? (size_t)size : 0, thread_mirror_is_daemon(mirror), audience,
                           name ? name : "Thread", prepare, body ? body : run_thread, arg);
    if (!ok) log_warning(os_thread, "Failed to start the native thread for java.lang.Thread \"%s\"", name ? name : "");
    mem_free(name);
    if (!ok) {
        const char
            *message = "unable to create native thread: possibly out of memory or process/resource limits reached";
        probe_resource_exhausted(self, EXHAUSTED_ERROR | EXHAUSTED_THREADS, message);
        throw_out_of_memory(self, message);
    }
    return ok;
}

bool thread_start_java(struct os_thread *self, struct object *mirror, void (*body)(struct os_thread *self, void *arg),
                       void *arg) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    return start_thread(self, mirror, THREAD_SHOWN, body, arg);
}

bool thread_start_hidden(struct os_thread *self, struct object *mirror, void (*body)(struct os_thread *self, void *arg),
                         void *arg) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    return start_thread(self, mirror, THREAD_HIDDEN, body, arg);
}

bool thread_start_agent(struct os_thread *self, struct object *mirror, void (*body)(struct os_thread *self, void *arg),
                        void *arg) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    return start_thread(self, mirror, THREAD_SHOWN_TO_TOOLS, body, arg);
}

JVM void JVM_StartThread(JNIEnv *env, jobject thread);
JVM void JVM_StartThread(JNIEnv *env, jobject thread) {
    NATIVE_ENTRY(env);
    thread_start_java(self, handle_get(thread), NULL, NULL);
}

JVM void JVM_SetThreadPriority(JNIEnv *env, jobject thread, jint priority);
JVM void JVM_SetThreadPriority(JNIEnv *env, jobject thread, jint priority) {
    NATIVE_ENTRY(env);    /* Linux ignores priorities of ordinary threads: only the field changes, as on HotSpot */
    struct object *o = field_owner(handle_get(thread));
    if (o != NULL)
        field_store(o, vm->library == LIBRARY_17 ? known_offset(Thread_priority) : known_offset(FieldHolder_priority),
                    T_INT, (uint32_t)priority);
}

JVM void JVM_Yield(JNIEnv *env, jclass c);
JVM void JVM_Yield(JNIEnv *env, jclass c) {
    (void)env;
    (void)c;
    os_yield();
}

JVM jobject JVM_CurrentThread(JNIEnv *env, jclass c);
JVM jobject JVM_CurrentThread(JNIEnv *env, jclass c) {
    NATIVE_ENTRY(env);
    (void)c;
    return handle_local(self, self->current_thread_object ? self->current_thread_object : self->java->mirror);
}

JVM jobject JVM_CurrentCarrierThread(JNIEnv *env, jclass c);
JVM jobject JVM_CurrentCarrierThread(JNIEnv *env, jclass c) {
    NATIVE_ENTRY(env);
    (void)c;
    return handle_local(self, self->java->mirror);
}

JVM void JVM_SetCurrentThread(JNIEnv *env, jobject carrier, jobject thread);
JVM void JVM_SetCurrentThread(JNIEnv *env, jobject carrier, jobject thread) {
    NATIVE_ENTRY(env);
    (void)carrier;
    self->current_thread_object = handle_get(thread);
}

JVM void JVM_Interrupt(JNIEnv *env, jobject thread);
JVM void JVM_Interrupt(JNIEnv *env, jobject thread) {
    NATIVE_ENTRY(env);
    threads_lock(self);
    struct java_thread *t = thread_of_mirror(handle_get(thread));
    if (t != NULL) thread_interrupt(t);
    threads_unlock(self);
}

JVM jboolean JVM_HoldsLock(JNIEnv *env, jclass c, jobject o);
JVM jboolean JVM_HoldsLock(JNIEnv *env, jclass c, jobject o) {
    NATIVE_ENTRY(env);
    (void)c;
    if (o == NULL) {
        throw_new(self, "java/lang/NullPointerException");
        return JNI_FALSE;
    }
    return monitor_owned_by(handle_get(o), self->java);
}

static bool interrupted_clear(struct os_thread *self) {
    REQUIRES(IN_VM | NO_PENDING);
    struct object *mirror = self->java->mirror;
    bool was = field_load(mirror, known_offset(Thread_interrupted), T_BOOLEAN) != 0;
    if (was) {
        field_store(mirror, known_offset(Thread_interrupted), T_BOOLEAN, 0);
        atomic_store(&self->java->interrupted, false);
    }
    return was;
}

static void sleep_nanos(struct os_thread *self, int64_t nanos) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (interrupted_clear(self) || !thread_sleep(self, nanos)) {
        interrupted_clear(self);
        if (self->exception == NULL) throw_message(self, "java/lang/InterruptedException", "sleep interrupted");
    }
}

/* 17: milliseconds. */
JVM void JVM_Sleep(JNIEnv *env, jclass c, jlong millis);
JVM void JVM_Sleep(JNIEnv *env, jclass c, jlong millis) {
    NATIVE_ENTRY(env);
    (void)c;
    if (millis < 0) {
        throw_message(self, "java/lang/IllegalArgumentException", "timeout value is negative");
        return;
    }
    sleep_nanos(self, millis > INT64_MAX / 1000000 ? INT64_MAX : millis * 1000000);
}

/* 25. */
JVM void JVM_SleepNanos(JNIEnv *env, jclass c, jlong nanos);
JVM void JVM_SleepNanos(JNIEnv *env, jclass c, jlong nanos) {
    NATIVE_ENTRY(env);
    (void)c;
    if (nanos < 0) {
        throw_message(self, "java/lang/IllegalArgumentException", "nanosecond timeout value out of range");
        return;
    }
    sleep_nanos(self, nanos);
}

JVM void JVM_SetNativeThreadName(JNIEnv *env, jobject thread, jstring name);
JVM void JVM_SetNativeThreadName(JNIEnv *env, jobject thread, jstring name) {
    NATIVE_ENTRY(env);
    char *text = name ? string_dup_utf8(handle_get(name)) : NULL;
    if (text == NULL) return;
    threads_lock(self);
    struct java_thread *t = thread_of_mirror(handle_get(thread));
    if (t != NULL) thread_set_name(t, text);
    threads_unlock(self);
    mem_free(text);
}

/* ---- looking at threads ------------------------------------------------------------------------------------------ */

JVM jobjectArray JVM_GetAllThreads(JNIEnv *env, jclass c);
JVM jobjectArray JVM_GetAllThreads(JNIEnv *env, jclass c) {
    NATIVE_ENTRY(env);
    (void)c;
    for (;;) {                           /* allocating may let threads come and go: try until the number fits */
        unsigned n = 0;
        threads_lock(self);
        for (struct java_thread *t = threads_first(); t != NULL; t = t->next) n += thread_is_of_program(t);
        threads_unlock(self);
        struct object *array = new_ref_array(self, known_class(java_lang_Thread), (int32_t)n);
        if (array == NULL) return NULL;
        unsigned k = 0;                  /* oldest first */
        threads_lock(self);
        for (struct java_thread *t = threads_first(); t != NULL; t = t->next) {
            if (!thread_is_of_program(t)) continue;
            if (k < n) heap_array_set(array, (int32_t)k, t->mirror);
            k++;
        }
        threads_unlock(self);
        if (k == n) return handle_local(self, array);
    }
}

bool thread_is_virtual(struct java_thread *t) {
    if (vm->library == LIBRARY_17 || t->mirror == NULL || known_class(java_lang_BaseVirtualThread) == NULL)
        return false;
    return object_is_instance(t->mirror, known_class(java_lang_BaseVirtualThread));
}

bool thread_is_of_program(struct java_thread *t) {
    return thread_is_visible(t) && !t->of_tool && !thread_is_virtual(t);
}

enum { MAX_TRACE_DEPTH = 1024 };         /* MaxJavaStackTraceDepth                                               */

struct trace_request {
    struct stack_snapshot snapshot;
    int32_t max_depth;
    bool hidden;
};

/* Handshake operation. */
static void take_trace(void *arg, struct java_thread *t) {
    struct trace_request *r = arg;
    stack_snapshot_take(&r->snapshot, t, r->max_depth, r->hidden);
}

/* StackTraceElement[] of a thread as it is now; NULL without exception when it does not live. */
static struct object *trace_of(struct os_thread *self, struct object *mirror, int32_t max_depth, bool hidden) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct trace_request r = {.max_depth = max_depth, .hidden = hidden};
    threads_lock(self);
    struct java_thread *t = thread_of_mirror(mirror);
    threads_unlock(self);
    bool alive = t != NULL && thread_handshake(self, t, mirror, take_trace, &r);
    struct object *trace = NULL;
    if (r.snapshot.failed) throw_out_of_memory(self, "stack trace");
    else if (alive) trace = stack_snapshot_elements(self, &r.snapshot);
    stack_snapshot_free(&r.snapshot);
    return trace;
}

struct object *thread_stack_trace(struct os_thread *self, struct object *mirror) {
    return trace_of(self, mirror, MAX_TRACE_DEPTH, false);
}

JVM jobjectArray JVM_DumpThreads(JNIEnv *env, jclass c, jobjectArray threads);
JVM jobjectArray JVM_DumpThreads(JNIEnv *env, jclass c, jobjectArray threads) {
    NATIVE_ENTRY(env);
    (void)c;
    struct object *list = handle_get(threads);
    if (list == NULL) {
        throw_new(self, "java/lang/NullPointerException");
        return NULL;
    }
    struct class *row = class_array_of(self, known_class(java_lang_StackTraceElement));
    int32_t n = array_length(list);
    if (n == 0) {
        throw_new(self, "java/lang/IllegalArgumentException");
        return NULL;
    }
    struct object *out = row ? new_ref_array(self, row, n) : NULL;
    for (int32_t i = 0; out != NULL && i < n; i++) {
        struct object *mirror = heap_array_get(list, i);
        struct object *trace = mirror ? trace_of(self, mirror, -1, true) : NULL;
        if (self->exception) return NULL;
        heap_array_set(out, i, trace);
    }
    return handle_local(self, out);
}

/* 25: asyncGetStackTrace; null for a thread that has ended or not started. */
JVM jobject JVM_GetStackTrace(JNIEnv *env, jobject thread);
JVM jobject JVM_GetStackTrace(JNIEnv *env, jobject thread) {
    NATIVE_ENTRY(env);
    return handle_local(self, thread_stack_trace(self, handle_get(thread)));
}

/* ---- 17: stop, suspend, resume ----------------------------------------------------------------------------------- */

JVM void JVM_StopThread(JNIEnv *env, jobject thread, jobject exception);
JVM void JVM_StopThread(JNIEnv *env, jobject thread, jobject exception) {
    NATIVE_ENTRY(env);
    struct object *e = handle_get(exception);
    if (e == NULL) {
        throw_new(self, "java/lang/NullPointerException");
        return;
    }
    threads_lock(self);
    struct java_thread *t = thread_of_mirror(handle_get(thread));
    if (t == self->java) {
        threads_unlock(self);
        throw_object(self, e);
        return;
    }
    if (t != NULL) thread_stop(t, e);
    else field_store(handle_get(thread), known_offset(Thread_stillborn), T_BOOLEAN, 1);
    threads_unlock(self);
}

static void suspend_or_resume(struct os_thread *self, jobject thread, bool suspend) {
    REQUIRES(IN_VM);
    threads_lock(self);
    struct object *mirror = handle_get(thread);
    struct java_thread *t = thread_of_mirror(mirror);
    threads_unlock(self);
    if (t == NULL) return;
    if (suspend) thread_suspend(self, t, mirror);
    else thread_resume(self, t, mirror);
}
JVM void JVM_SuspendThread(JNIEnv *env, jobject thread);
JVM void JVM_SuspendThread(JNIEnv *env, jobject thread) {
    NATIVE_ENTRY(env);
    suspend_or_resume(self, thread, true);
}
JVM void JVM_ResumeThread(JNIEnv *env, jobject thread);
JVM void JVM_ResumeThread(JNIEnv *env, jobject thread) {
    NATIVE_ENTRY(env);
    suspend_or_resume(self, thread, false);
}
JVM jboolean JVM_SupportsCX8(void);
JVM jboolean JVM_SupportsCX8(void) { return JNI_TRUE; }

/* ---- 25: scoped values, virtual threads -------------------------------------------------------------------------- */

JVM jobject JVM_ScopedValueCache(JNIEnv *env, jclass c);
JVM jobject JVM_ScopedValueCache(JNIEnv *env, jclass c) {
    NATIVE_ENTRY(env);
    (void)c;
    return handle_local(self, self->java->scoped_cache);
}
JVM void JVM_SetScopedValueCache(JNIEnv *env, jclass c, jobject cache);
JVM void JVM_SetScopedValueCache(JNIEnv *env, jclass c, jobject cache) {
    NATIVE_ENTRY(env);
    (void)c;
    self->java->scoped_cache = handle_get(cache);
}

/* Local 1 of the youngest runWith frame of Thread, VirtualThread or ScopedValue.Carrier: the current bindings. */
JVM jobject JVM_FindScopedValueBindings(JNIEnv *env, jclass c);
JVM jobject JVM_FindScopedValueBindings(JNIEnv *env, jclass c) {
    NATIVE_ENTRY(env);
    (void)c;
    for (struct frame_cursor f = frame_first(self->java); cursor_valid(&f); frame_next(&f)) {
        struct method *m = cursor_method(&f);
        if (strcmp(m->name->bytes, "runWith") != 0 || m->access_flags & ACC_STATIC) continue;
        const char *holder = m->holder->name->bytes;
        if (strcmp(holder, "java/lang/Thread") == 0 || strcmp(holder, "java/lang/VirtualThread") == 0
            || strcmp(holder, "java/lang/ScopedValue$Carrier") == 0)
            return handle_local(self, slot_object(cursor_locals(&f)[1]));
    }
    return NULL;
}

/* Address of the counter from which Java draws thread ids; main is fixed at 3. */
JVM jlong JVM_GetNextThreadIdOffset(JNIEnv *env, jclass c);
JVM jlong JVM_GetNextThreadIdOffset(JNIEnv *env, jclass c) {
    (void)env;
    (void)c;
    return (jlong)(uintptr_t)&thread_life()->next_thread_id;
}

/* Keeping scoped values visible to a stack walk is for compilers that drop dead locals. */
JVM void JVM_EnsureMaterializedForStackWalk_func(JNIEnv *env, jclass c, jobject o);
JVM void JVM_EnsureMaterializedForStackWalk_func(JNIEnv *env, jclass c, jobject o) { (void)env; (void)c; (void)o; }

/* Continuations are declined (JVM_IsContinuationsSupported): virtual threads are bound ones, and these transitions
 * never happen. */
JVM void JVM_VirtualThreadStart(JNIEnv *env, jobject t);
JVM void JVM_VirtualThreadStart(JNIEnv *env, jobject t) { (void)env; (void)t; }
JVM void JVM_VirtualThreadEnd(JNIEnv *env, jobject t);
JVM void JVM_VirtualThreadEnd(JNIEnv *env, jobject t) { (void)env; (void)t; }
JVM void JVM_VirtualThreadMount(JNIEnv *env, jobject t, jboolean hide);
JVM void JVM_VirtualThreadMount(JNIEnv *env, jobject t, jboolean hide) { (void)env; (void)t; (void)hide; }
JVM void JVM_VirtualThreadUnmount(JNIEnv *env, jobject t, jboolean hide);
JVM void JVM_VirtualThreadUnmount(JNIEnv *env, jobject t, jboolean hide) { (void)env; (void)t; (void)hide; }
JVM void JVM_VirtualThreadDisableSuspend(JNIEnv *env, jclass c, jboolean enter);
JVM void JVM_VirtualThreadDisableSuspend(JNIEnv *env, jclass c, jboolean enter) { (void)env; (void)c; (void)enter; }
JVM void JVM_VirtualThreadPinnedEvent(JNIEnv *env, jclass c, jstring op);
JVM void JVM_VirtualThreadPinnedEvent(JNIEnv *env, jclass c, jstring op) { (void)env; (void)c; (void)op; }
JVM jobject JVM_TakeVirtualThreadListToUnblock(JNIEnv *env, jclass c);
JVM jobject JVM_TakeVirtualThreadListToUnblock(JNIEnv *env, jclass c) { (void)env; (void)c; return NULL; }
