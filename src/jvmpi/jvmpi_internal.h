/* jvmpi_internal.h: state of the profiler interface and what its files share. */
#ifndef VITRINE_JVMPI_JVMPI_INTERNAL_H
#define VITRINE_JVMPI_JVMPI_INTERNAL_H

#include <jvmpi.h>

#include "base/alloc.h"
#include "base/log.h"
#include "base/os.h"
#include "heap/heap.h"
#include "link/link.h"
#include "probe/probe.h"
#include "thread/handle.h"
#include "thread/identity.h"
#include "thread/thread.h"

/* What the interface keeps for a thread: its extension record. */
struct jvmpi_thread {
    void *_Atomic storage;               /* SetThreadLocalStorage                                               */
    bool started;                        /* its THREAD_START has been sent                                      */
    bool in_alloc;                       /* its OBJECT_ALLOC handler runs                                       */
    uint32_t gc_disabled;                /* nesting of DisableGC                                                */
    int64_t wait_began;                  /* os_nanotime of its present wait or sleep's begin, 0: none           */
    int64_t cpu_now, cpu_before;         /* CPU ns used when SuspendThread stopped it last, and the time before */
};
/* NULL: nothing is kept yet. */
static inline struct jvmpi_thread *jvmpi_thread(const struct java_thread *t) { return thread_extension(t, EXT_JVMPI); }
/* NULL, with a warning: out of memory. */
struct jvmpi_thread *jvmpi_thread_make(struct java_thread *t);

struct jvmpi_state {
    struct lock lock;                    /* owner                                                               */
    char *owner;                         /* the agent that has the interface; "" when no agent asked            */
    _Atomic uint64_t enabled;            /* bits by event number                                                */
    _Atomic bool caught_up;              /* what existed before the start phase has been reported: events are sent  */
    _Atomic uint32_t held;               /* threads that SuspendThread stopped: the thread-suspended mode       */
};

enum { JVMPI_ARENA = 1 };                /* the one arena that there is                                         */

static inline uint64_t jvmpi_bit(jint event) { return UINT64_C(1) << event; }
/* Events that define and end ids of objects and classes are sent for the VM's own threads as well, and what one of them
 * reports compiled code; no others are. */
#define JVMPI_OF_ANY_THREAD \
    (jvmpi_bit(JVMPI_EVENT_OBJECT_ALLOC) | jvmpi_bit(JVMPI_EVENT_OBJECT_FREE) | jvmpi_bit(JVMPI_EVENT_CLASS_LOAD) | \
     jvmpi_bit(JVMPI_EVENT_CLASS_UNLOAD) | jvmpi_bit(JVMPI_EVENT_GC_START) | jvmpi_bit(JVMPI_EVENT_GC_FINISH) | \
     jvmpi_bit(JVMPI_EVENT_COMPILED_METHOD_LOAD) | jvmpi_bit(JVMPI_EVENT_COMPILED_METHOD_UNLOAD))
/* Is the event enabled, and are events sent in this thread already? Probes fire for other subscribers as well. */
static inline bool jvmpi_wants(const struct os_thread *self, jint event) {
    struct jvmpi_state *s = vm->jvmpi;
    return atomic_load_explicit(&s->enabled, memory_order_relaxed) & jvmpi_bit(event) && atomic_load(&s->caught_up) &&
           (self->java == NULL || !self->java->hidden || JVMPI_OF_ANY_THREAD & jvmpi_bit(event));
}
static inline jobjectID jvmpi_id(const struct object *o) { return (jobjectID)(uintptr_t)o; }
static inline jobjectID jvmpi_class_id(struct class *c) { return c ? jvmpi_id(class_mirror(c)) : NULL; }
/* The object of an id, or NULL when it is none (any more). No locks. */
struct object *jvmpi_object_of(const void *id);

/* ---- the frame around a function --------------------------------------------------------------------------------- */

struct jvmpi_call {
    struct os_thread *self;
    bool entered;                        /* false: called from an event that is sent while the world stands     */
    struct c_segment segment;
};

/* False: the calling thread is not attached, or the VM has ended. Inlined, because the C segment starts at
 * the caller. */
bool jvmpi_call_check(struct jvmpi_call *call);
static inline __attribute__((always_inline)) bool jvmpi_call_begin(struct jvmpi_call *call) {
    if (!jvmpi_call_check(call)) return false;
    if (call->entered) thread_enter_vm(call->self, &call->segment);
    return true;
}
static inline __attribute__((always_inline)) void jvmpi_call_end(struct jvmpi_call *call) {
    if (call->entered) thread_exit_vm(call->self, &call->segment);
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

/* Sends an event in the calling thread; `with_ids`: collections are disabled meanwhile. The thread is IN_VM and goes to
 * native state for it, unless it has stopped the world. A pending exception survives. */
void jvmpi_notify(struct os_thread *self, JVMPI_Event *event, bool with_ids);

/* The payloads, `requested` being 0 or JVMPI_REQUESTED_EVENT. False: out of memory. */
bool jvmpi_send_class_load(struct os_thread *self, struct class *c, jint requested);
bool jvmpi_send_thread_start(struct os_thread *self, struct object *mirror, JNIEnv *env_id, jint requested);
void jvmpi_send_object_alloc(struct os_thread *self, struct object *o, jint requested);
/* The dumps of RequestEvent. False: out of memory. */
bool jvmpi_send_heap_dump(struct os_thread *self, jint level);
bool jvmpi_send_object_dump(struct os_thread *self, struct object *o);
bool jvmpi_send_monitor_dump(struct os_thread *self);

/* subscriber.c: what the interface wants of the probes, and the events that they become. */
extern const struct probe_subscriber jvmpi_subscriber;
/* startup_events.c: reports, in the start phase, what exists already, as far as the events are enabled. */
void jvmpi_report_existing(struct os_thread *self);
/* compiled_code.c: COMPILED_METHOD_LOAD for all that there are. World stopped. */
void jvmpi_report_compiled_methods(struct os_thread *self);
/* class_load_hook.c, instruction.c, monitor_event.c, collection_event.c, compiled_code.c: handlers of probes. */
void jvmpi_on_class_file(struct os_thread *self, struct class_file_hook *h);
void jvmpi_on_instruction(struct os_thread *self, struct frame *f);
void jvmpi_on_contended_enter(struct os_thread *self, struct object *o);
void jvmpi_on_contended_entered(struct os_thread *self, struct object *o);
void jvmpi_on_contended_exit(struct os_thread *self, struct object *o);
void jvmpi_on_wait(struct os_thread *self, struct object *o, int64_t millis);
void jvmpi_on_waited(struct os_thread *self, struct object *o, bool timed_out);
void jvmpi_on_sleep(struct os_thread *self, int64_t millis);
void jvmpi_on_slept(struct os_thread *self);
void jvmpi_on_compiled_method(struct os_thread *self, const struct code_report *r);
void jvmpi_on_compiled_method_unload(struct os_thread *self, jmethodID method, const void *begin);
void jvmpi_on_gc_announce(struct os_thread *self);
void jvmpi_on_gc_marked(struct os_thread *self);
void jvmpi_on_gc_conclude(struct os_thread *self);

/* ---- threads and stacks ------------------------------------------------------------------------------------------ */

/* The thread of an id, with its mirror, or NULL. It may end at any time unless it is the current one or the caller
 * holds the thread list. */
struct java_thread *jvmpi_thread_of(struct os_thread *self, JNIEnv *env, struct object **mirror);
/* Up to `depth` frames of a thread that is stopped or current, callee first. Takes no memory. */
void jvmpi_fill_trace(JVMPI_CallTrace *trace, const struct java_thread *t, jint depth);
/* Status of a thread as GetThreadStatus gives it. Caller holds the thread list or the world. */
jint jvmpi_thread_status(struct java_thread *t);

struct jvmpi_traces {
    struct arena *arena;
    jint count;
    JVMPI_CallTrace *traces;
    jint *statuses;
};
/* The whole stacks of all threads that tools see, with their statuses. World stopped. False: out of memory. */
bool jvmpi_collect_traces(struct jvmpi_traces *out);

/* ---- functions of the interface ---------------------------------------------------------------------------------- */

jint jvmpi_EnableEvent(jint event_type, void *arg);
jint jvmpi_DisableEvent(jint event_type, void *arg);
jint jvmpi_RequestEvent(jint event_type, void *arg);
void jvmpi_GetCallTrace(JVMPI_CallTrace *trace, jint depth);
void jvmpi_ProfilerExit(jint err_code);
JVMPI_RawMonitor jvmpi_RawMonitorCreate(char *lock_name);
void jvmpi_RawMonitorEnter(JVMPI_RawMonitor lock_id);
void jvmpi_RawMonitorExit(JVMPI_RawMonitor lock_id);
void jvmpi_RawMonitorWait(JVMPI_RawMonitor lock_id, jlong ms);
void jvmpi_RawMonitorNotifyAll(JVMPI_RawMonitor lock_id);
void jvmpi_RawMonitorDestroy(JVMPI_RawMonitor lock_id);
jlong jvmpi_GetCurrentThreadCpuTime(void);
void jvmpi_SuspendThread(JNIEnv *env);
void jvmpi_ResumeThread(JNIEnv *env);
jint jvmpi_GetThreadStatus(JNIEnv *env);
jboolean jvmpi_ThreadHasRun(JNIEnv *env);
jint jvmpi_CreateSystemThread(char *name, jint priority, void (*f)(void *));
void jvmpi_SetThreadLocalStorage(JNIEnv *env_id, void *ptr);
void *jvmpi_GetThreadLocalStorage(JNIEnv *env_id);
void jvmpi_DisableGC(void);
void jvmpi_EnableGC(void);
void jvmpi_RunGC(void);
jobjectID jvmpi_GetThreadObject(JNIEnv *env);
jobjectID jvmpi_GetMethodClass(jmethodID mid);
jobject jvmpi_jobjectID2jobject(jobjectID jid);
jobjectID jvmpi_jobject2jobjectID(jobject j);
/* Frees the raw monitors that are left. */
void jvmpi_raw_monitors_free(void);

#endif
