/* jvmti_internal.h: environments, the frame around every call, and the frame around every callback.
 *
 * A call:      agent -> check_<Function> (generated): decoding of the parameters, the implementation. A call that is
 * not plain takes the way through admit_<Function>: jvmti_call_begin, the same, trace, jvmti_call_end. Implementations
 * see decoded values and hold plain object pointers. A callback:  probe -> jvmti_post_<event> (generated, post.h): for
 * every environment that wants it a frame of local references, IN_VM -> NATIVE, the agent's function, back. */
#ifndef VITRINE_JVMTI_INTERNAL_H
#define VITRINE_JVMTI_INTERNAL_H

#include <jvmti.h>

#include "base/base.h"
#include "base/lock.h"
#include "base/table.h"
#include "base/log.h"
#include "base/options.h"
#include "exec/frame_cursor.h"
#include "heap/heap.h"
#include "link/link.h"
#include "thread/native_entry.h"
#include "thread/thread.h"

struct code_report;
struct raw_monitor;

/* ---- environments ------------------------------------------------------------------------------------------------ */

/* ClassFileLoadHook asks the incapable ones first. Settled for ever when the event is first enabled. */
enum jvmti_hook_kind { JVMTI_HOOK_NOT_ENABLED, JVMTI_HOOK_INCAPABLE, JVMTI_HOOK_CAPABLE };

/* Lives in a slab that is never unmapped, and is not used again before some others have been disposed of, so that a
 * stale pointer is recognised. */
struct jvmti_env {
    const struct jvmtiInterface_1_ *functions;    /* first: the jvmtiEnv                                          */
    _Atomic uint32_t magic;                       /* JVMTI_ENV_MAGIC or _MEASURED                                 */
    int index;                                    /* environment number: tag tables, ObjectFree                   */
    char agent[32];                               /* whose start-up function made it; "": unknown                 */
    jint version;                                 /* what GetVersionNumber answers                                */
    _Atomic bool disposed;
    _Atomic uint64_t capabilities;                /* by JVMTI_CAP_ numbers                                        */
    _Atomic uint64_t enabled;                     /* events enabled globally; PROBE_MASK bits                     */
    _Atomic uint64_t enabled_somewhere;           /* of those a thread can have for itself: superset, never shrinks */
    _Atomic uint64_t has_callback;
    _Atomic uint64_t for_all;    /* ... that would now be delivered from any thread; by probes_changed */
    struct lock callbacks_lock;                   /* for changes: each callback is read without it               */
    void *_Atomic callbacks[sizeof(jvmtiEventCallbacks) / sizeof(void *)];
    jvmtiExtensionEvent _Atomic class_unload;     /* callback of the extension event; class_unload.c              */
    void *_Atomic storage;
    _Atomic bool start_sent;                      /* VMStart: once for each environment, early or not             */
    _Atomic int hook_kind;                        /* enum jvmti_hook_kind                                         */
    struct native_prefixes *_Atomic prefixes;     /* native_prefix.c                                              */
    struct tag_table *_Atomic tags;               /* made when can_tag_objects is first possessed                 */
    /* What this environment has set; changed with the world stopped, read in VM state. breakpoint.c, watched_field.c */
    struct int_table breakpoints;                 /* method_position with the location                            */
    struct int_table access_watches, modification_watches;   /* field ids                                         */
    bool reflective_watches;                      /* ... apply to accesses by jdk.internal.misc.Unsafe too        */
    struct event_filters filters;                 /* changed with the world stopped; event_filter.c               */
    struct jvmti_env *_Atomic next;               /* in order of creation                                         */
    struct jvmti_costs *_Atomic costs;            /* cost.c; NULL: never measured. Stays with the record          */
};

/* What an environment keeps per thread; the first one is the thread's extension record. Added under the thread list's
 * lock; freed with the world stopped, or at the thread's end. */
struct jvmti_thread_data {
    struct jvmti_thread_data *next;
    struct jvmti_env *env;
    _Atomic uint64_t enabled;
    struct event_filter filter;                   /* with the thread-local storage                                */
    VEC(const struct frame *) frame_pops;         /* NotifyFramePop; changed while the thread stands, or by it    */
};

/* Where environments lie. Belongs to the process, not to a VM: a tool may keep a jvmtiEnv beyond the VM it came from.
 * Never unmapped. */
enum { JVMTI_CHUNK_ENVS = 32 };
struct jvmti_env_chunk {
    struct jvmti_env_chunk *next;
    unsigned used;
    struct jvmti_env envs[JVMTI_CHUNK_ENVS];
};
extern __attribute__((visibility("hidden"))) struct jvmti_env_chunk jvmti_first_chunk;
/* The table of every living environment (writable: tools patch it), that of those whose VM has ended, and that of
 * disposed ones. Generated. */
extern __attribute__((visibility("hidden"))) const struct jvmtiInterface_1_ jvmti_functions, jvmti_functions_ended,
    jvmti_functions_disposed;

struct jvmti_state {
    struct lock lock;                             /* creation and the list of environments                        */
    struct jvmti_env *_Atomic first;
    struct jvmti_env *last;
    int env_count;
    _Atomic bool early_start;                     /* the early start phase has begun                              */
    _Atomic bool delivery_started;
    struct java_thread *_Atomic delivery_thread;  /* delivery.c; lives as long as the VM                          */
    struct freed_queue *freed;                    /* ObjectFree events not yet delivered; object_free.c           */
    struct unload_queue *unloads;                 /* ClassUnload events not yet delivered; class_unload.c         */
    struct JNINativeInterface_ *jni_functions;    /* jni_interception.c; NULL: never replaced                     */
    struct agent_library *agents;                 /* agent.c; in order of start                                   */
    _Atomic bool measures;                        /* cost.c; under lock                                           */
};

/* An environment that is measured takes no short way: it has another magic number, and no event in for_all. */
enum { JVMTI_ENV_MAGIC = 0x71EE71EE, JVMTI_ENV_MEASURED = 0x71EE71EF };
static inline bool jvmti_env_is_measured(const struct jvmti_env *env) {
    return atomic_load_explicit(&env->magic, memory_order_acquire) == JVMTI_ENV_MEASURED;
}

/* NULL-terminated by ->next, in order of creation. A disposed one leaves the list with the world stopped: in VM state
 * no lock is needed, but who leaves that state on the way (for a callback) goes on by jvmti_next_env. Any other thread
 * holds the state's lock. */
static inline struct jvmti_env *jvmti_first_env(void) { return atomic_load(&vm->jvmti->first); }

/* The only one that there is; NULL: there are others, or none. */
static inline struct jvmti_env *jvmti_only_env(void) {
    struct jvmti_env *env = jvmti_first_env();
    return env != NULL && atomic_load(&env->next) == NULL ? env : NULL;
}

struct jvmti_env *jvmti_env_after(int index);                            /* the first one with a greater index  */
/* Is env still the one that had this index? */
static inline bool jvmti_env_is_listed(const struct jvmti_env *env, int index) {
    return !atomic_load_explicit(&env->disposed, memory_order_relaxed) && env->index == index;
}
/* What comes after env, whose index it was before the callback. */
static inline struct jvmti_env *jvmti_next_env(const struct jvmti_env *env, int index) {
    return jvmti_env_is_listed(env, index) ? atomic_load(&env->next) : jvmti_env_after(index);
}

struct jvmti_env *jvmti_env_new(jint version);                           /* NULL: out of memory                 */
bool jvmti_env_is_ours(const jvmtiEnv *env);
/* Has the VM ended that env is of? Threads of the tool's may go on for a while: the debugger's agent does. */
bool jvmti_env_has_ended(const jvmtiEnv *env);
void jvmti_env_dispose(struct os_thread *self, struct jvmti_env *env);
/* The record of t for env; `create` makes it (NULL then: out of memory). Caller holds the thread list's lock; without
 * `create` it is enough that t is current or stopped. */
struct jvmti_thread_data *jvmti_thread_data(struct jvmti_env *env, struct java_thread *t, bool create);
void jvmti_thread_data_forget(struct java_thread *t, struct jvmti_env *env);   /* env NULL: of all environments */

static inline bool jvmti_has(const struct jvmti_env *env, int capability) {
    return atomic_load_explicit(&env->capabilities, memory_order_relaxed) >> capability & 1;
}

/* What hangs on an environment is freed in a stop. A call that has let one pass since it was admitted asks again: has
 * env been disposed of (by another thread, or in a callback that the call caused), or given the capability up? Thread:
 * IN_VM. */
static inline bool jvmti_env_is_gone(const struct jvmti_env *env) {
    return UNLIKELY(atomic_load_explicit(&env->disposed, memory_order_relaxed));
}
static inline jvmtiError jvmti_env_still_has(const struct jvmti_env *env, int capability) {
    if (jvmti_env_is_gone(env)) return JVMTI_ERROR_INVALID_ENVIRONMENT;
    return jvmti_has(env, capability) ? JVMTI_ERROR_NONE : JVMTI_ERROR_MUST_POSSESS_CAPABILITY;
}

/* The phase as env sees it: the start phase begins earlier for one with can_generate_early_vmstart. Any thread, no
 * locks. */
enum vm_phase jvmti_phase(const struct jvmti_env *env);

/* Memory for Deallocate; NULL for size 0 and when memory is short. */
void *tool_alloc(size_t size);
void tool_free(void *p);
char *tool_strdup(const char *s);
char *tool_strndup(const char *s, size_t n);

/* ---- rows of the generated tables -------------------------------------------------------------------------------- */

enum jvmti_param_kind {
    JVMTI_KIND_OF_THREAD, JVMTI_KIND_OF_GROUP, JVMTI_KIND_OF_OBJECT, JVMTI_KIND_OF_LOADER, JVMTI_KIND_OF_MODULE,
    JVMTI_KIND_OF_CLASS,
    JVMTI_KIND_OF_METHOD, JVMTI_KIND_OF_FIELD, JVMTI_KIND_OF_MONITOR, JVMTI_KIND_OF_DEPTH, JVMTI_KIND_OF_COUNT,
    JVMTI_KIND_OF_ENUM,
    JVMTI_KIND_OF_EVENT, JVMTI_KIND_OF_CHAR, JVMTI_KIND_OF_SLOT, JVMTI_KIND_OF_VALUE, JVMTI_KIND_OF_REAL,
    JVMTI_KIND_OF_DATA, JVMTI_KIND_OF_IN, JVMTI_KIND_OF_STRING,
    JVMTI_KIND_OF_OUT, JVMTI_KIND_OF_OUT_JINT, JVMTI_KIND_OF_OUT_JLONG, JVMTI_KIND_OF_OUT_JBOOLEAN, JVMTI_KIND_OF_ALLOC,
    JVMTI_KIND_OF_ALLOC_STRING, JVMTI_KIND_OF_FUNC
};

struct jvmti_param_row {
    const char *name;
    enum jvmti_param_kind kind;
};

struct jvmti_function_row {
    const char *name;                             /* NULL: reserved                                               */
    uint64_t needs;                               /* capabilities                                                 */
    uint32_t phases;                              /* 1 << phase                                                   */
    bool safe;                                    /* callable from heap and collector callbacks: no transition    */
    bool attached;                                /* demands an attached thread                                   */
    bool built;
    uint8_t param_count;
    const struct jvmti_param_row *params;
};

enum jvmti_runs {
    JVMTI_RUNS_NATIVE,                            /* in native state of the thread concerned                      */
    JVMTI_RUNS_SELECTED,                          /* the same, to one environment that asked for this very thing  */
    JVMTI_RUNS_STOPPED,                           /* while the world is stopped, without JNI                      */
    JVMTI_RUNS_QUEUED                             /* later, to one environment, in native state of another thread */
};

struct jvmti_event_row {
    const char *name;                             /* NULL: reserved                                               */
    uint64_t needs;
    uint32_t phases;
    bool global_only;
    enum jvmti_runs runs;
    bool built;
    uint8_t param_count;                          /* without the JNIEnv                                           */
    const struct jvmti_param_row *params;
};

/* ---- the frame around a call ------------------------------------------------------------------------------------- */

struct jvmti_call {
    struct jvmti_env *env;
    struct os_thread *self;                       /* NULL: not attached                                           */
    const struct jvmti_function_row *row;
    bool entered;                                 /* NATIVE -> IN_VM was done                                     */
    bool traced;
    bool measured;                                /* cost.c                                                       */
    bool fails;                                   /* -XX:FailToolAllocation: one of its allocations is to fail    */
    int64_t start;                                /* ns, when traced or measured                                  */
    struct jvmti_call *outer;                     /* measured: the call whose callback makes this one             */
    struct c_segment segment;
};

/* A decoded jthread. `java` is the thread when it was looked at: NULL if not started or ended. It may end at any time
 * unless it is the current one, so a user of it goes through a handshake or holds the thread list and looks again. */
struct jvmti_thread {
    struct object *object;
    struct java_thread *java;
};

enum { JVMTI_NULL_REFUSED = 0, JVMTI_NULL_CURRENT = 1, JVMTI_NULL_ALLOWED = 2, JVMTI_NEED_ALIVE = 4 };

/* Is it, beyond doubt, a call that jvmti_call_check would admit, and that is not traced? Then nothing of a jvmti_call
 * is needed but the segment. `row` is a constant. Environments of the first chunk have the function table from their
 * creation to their disposal or the end of the VM, and nothing else in the chunk is followed by the magic number. */
static inline __attribute__((always_inline)) bool jvmti_call_is_plain(const struct os_thread *self, jvmtiEnv *jvmti_env,
                                                                      const struct jvmti_function_row *row) {
    const struct jvmti_env *env = (const struct jvmti_env *)jvmti_env;
    uintptr_t offset = (uintptr_t)jvmti_env - (uintptr_t)jvmti_first_chunk.envs;
    return (row->phases >> PHASE_LIVE & 1) && offset < sizeof jvmti_first_chunk.envs - sizeof *env + 1 &&
           env->functions == &jvmti_functions &&
           atomic_load_explicit(&env->magic, memory_order_relaxed) == JVMTI_ENV_MAGIC &&
           atomic_load_explicit(&vm->phase, memory_order_relaxed) == PHASE_LIVE &&
           !(row->needs & ~atomic_load_explicit(&env->capabilities, memory_order_relaxed)) && self != NULL &&
           (row->safe || atomic_load_explicit(&self->state, memory_order_relaxed) == THREAD_IN_NATIVE) &&
           !log_enabled(LOG_jvmti, LOG_TRACE) && vm->options->flags.FailToolAllocation == 0;
}
/* Environment, phase, capabilities, thread; then NATIVE -> IN_VM. Inlined, because the C segment starts at
 * the caller. */
jvmtiError jvmti_call_check(struct jvmti_call *call, jvmtiEnv *env, const struct jvmti_function_row *row);
static inline __attribute__((always_inline)) jvmtiError jvmti_call_begin(struct jvmti_call *call, jvmtiEnv *env,
                                                                         const struct jvmti_function_row *row) {
    jvmtiError err = jvmti_call_check(call, env, row);
    if (!call->entered) return err;
    thread_enter_vm(call->self, &call->segment);
    return jvmti_env_is_gone(call->env) ? JVMTI_ERROR_INVALID_ENVIRONMENT : err;
}
/* The end of a call with the failing allocation before it or still to come. */
void jvmti_call_failed(struct jvmti_call *call);
/* cost.c: the end of a call that was measured at its beginning; counts if env still is. */
void jvmti_call_measured(struct jvmti_call *call);
static inline __attribute__((always_inline)) void jvmti_call_end(struct jvmti_call *call) {
    if (UNLIKELY(call->fails)) jvmti_call_failed(call);
    if (UNLIKELY(call->measured)) jvmti_call_measured(call);
    if (call->entered) thread_exit_vm(call->self, &call->segment);
}

/* The object of a handle; NULL when it is none. Thread: IN_VM. */
struct object *jvmti_object_of(struct os_thread *self, jobject handle);

jvmtiError jvmti_decode_thread(struct os_thread *self, jthread handle, int flags, struct jvmti_thread *out);
jvmtiError jvmti_decode_group(struct os_thread *self, jobject handle, bool null_ok, struct object **out);
jvmtiError jvmti_decode_object(struct os_thread *self, jobject handle, bool null_ok, struct object **out);
jvmtiError jvmti_decode_loader(struct os_thread *self, jobject handle, bool null_ok, struct object **out);
jvmtiError jvmti_decode_module(struct os_thread *self, jobject handle, bool null_ok, struct object **out);
jvmtiError jvmti_decode_class(struct os_thread *self, jclass handle, bool null_ok, struct class **out);
jvmtiError jvmti_decode_method(struct os_thread *self, jmethodID id, bool native_ok, struct method **out);
static inline jvmtiError jvmti_decode_version(struct os_thread *self, jmethodID id, bool native_ok,
                                              struct method_code **out) {
    (void)self;
    *out = method_code_of_id(id);
    if (*out == NULL) return JVMTI_ERROR_INVALID_METHODID;
    return !native_ok && ((*out)->method->access_flags & ACC_NATIVE) ? JVMTI_ERROR_NATIVE_METHOD : JVMTI_ERROR_NONE;
}
jvmtiError jvmti_decode_field(struct os_thread *self, struct class *c, jfieldID id, struct field **out);
jvmtiError jvmti_decode_monitor(struct os_thread *self, jrawMonitorID id, struct raw_monitor **out);

/* -Xlog:jvmti=trace. Decodes only arguments that are known to be good. */
void jvmti_trace_call(struct jvmti_call *call, jvmtiError err, const uint64_t *values);
uint64_t jvmti_trace_jfloat(jfloat value);
uint64_t jvmti_trace_jdouble(jdouble value);
/* The same for an event that is about to be sent to env; values: as the row's parameters, slots by their address. self:
 * decodes handles and ids, NULL when there are none. Returns when the callback began, for jvmti_trace_event_end; 0: it
 * is not traced. */
static inline bool jvmti_events_are_logged(void) {
    return log_enabled(LOG_jvmti_event, LOG_DEBUG) || log_enabled(LOG_jvmti, LOG_TRACE);
}
/* ... or env is measured (cost.c). */
static inline bool jvmti_events_are_traced(const jvmtiEnv *env) {
    return jvmti_events_are_logged() || jvmti_env_is_measured((const struct jvmti_env *)env);
}
int64_t jvmti_log_event(const struct jvmti_env *env, struct os_thread *self, jvmtiEvent event, const uint64_t *values);
void jvmti_trace_event_end(const struct jvmti_env *env, jvmtiEvent event, int64_t start);

/* A Java value on its way to a tool, as a slot. */
struct jvmti_slot {
    enum basic_type type;
    uint64_t value;
};

/* ---- what other files of the room offer -------------------------------------------------------------------------- */

/* class_file_load_hook.c: is env one that sees the classes of the primordial phase? */
bool jvmti_hook_is_early(const struct jvmti_env *env);

/* native_prefix.c. */
void jvmti_native_prefixes_free(struct jvmti_env *env);

/* Functions that demand a thread that cannot run: THREAD_NOT_SUSPENDED unless t is suspended or the current one. t
 * stopped. */
static inline jvmtiError jvmti_frame_error(const struct java_thread *t, const struct java_thread *self) {
    return t == self || atomic_load(&((struct java_thread *)t)->suspended) ? JVMTI_ERROR_NONE
                                                                           : JVMTI_ERROR_THREAD_NOT_SUSPENDED;
}
/* Events that env wants of t (of any thread, for t NULL) and that would be delivered now; PROBE_MASK bits. Caller holds
 * the thread list. */
uint64_t jvmti_wanted_events(struct jvmti_env *env, struct java_thread *t);
/* event_filter.c: the subscriber's; and whether the event for o, just allocated, is still wanted. Thread: IN_VM. */
struct event_filter *jvmti_event_filter(struct java_thread *t, uint64_t events);
bool jvmti_ask_allocation_filter(struct event_filter *filter, struct object *o);
/* stack_frame.c: the error for an answer of inspect/execution.h. */
jvmtiError jvmti_frame_answer(int answer);

/* heap.c: the tags of env, for the length of this stop; INVALID_ENVIRONMENT if it has been disposed of.
 * World stopped. */
jvmtiError jvmti_tags_in_stop(const struct jvmti_env *env, struct tag_table **out);

/* What an environment has set in the engine goes: with the capabilities for it (bits), or the environment. Thread:
 * IN_VM or NULL. */
void jvmti_breakpoints_release(struct os_thread *self, struct jvmti_env *env);
void jvmti_watches_release(struct os_thread *self, struct jvmti_env *env, bool access, bool modification);
/* What the room makes of each event's probe: events.c, and the files of the themes. */
#define PROBE(scope, interface, name, number, parameters, arguments) void jvmti_on_##name parameters;
#include "thread/probes.def"
#undef PROBE
void jvmti_on_frame_forgotten(struct os_thread *self, struct frame *f);
/* The class has a new version of its code, or goes: no environment has breakpoints in it any more. World stopped. */
void jvmti_breakpoints_forget(struct class *c);

/* delivery.c: a hidden Java thread sends what collections queue. Starts it once; runs Java code. False: no thread to be
 * had, and no exception is left pending. Thread: IN_VM, live phase. */
bool delivery_start(struct os_thread *self);
/* The live phase begins: starts it if anybody wants what it sends. Thread: IN_VM. */
void delivery_vm_init(struct os_thread *self);
/* Something has been queued. Any thread; the world may be stopped. */
void delivery_wake(void);

/* object_free.c: ObjectFree events, queued while the world is stopped. */
bool freed_queue_create(void);
void freed_queue_destroy(void);
void freed_queue_add(int environment, int64_t tag);                      /* world stopped                       */
bool freed_queue_is_wanted(void);
/* Sends what is queued. Thread: IN_VM, holds no lock. */
void freed_queue_send(struct os_thread *self);
/* Returns when everything queued so far has been delivered. Thread: IN_VM, world running. */
void freed_queue_flush(struct os_thread *self);
/* Before VMDeath: sends what is queued, waits a while for a callback that runs, and takes nothing more.
 * Thread: IN_VM. */
void freed_queue_close(struct os_thread *self);
/* The VM ends: nobody waits for deliveries any more. */

/* class_unload.c: ClassUnload events likewise. */
bool unload_queue_create(void);
void unload_queue_destroy(void);
bool unload_queue_is_wanted(void);
void unload_queue_send(struct os_thread *self);
/* A collection has marked what lives. World stopped. */
void jvmti_on_gc_marked(struct os_thread *self);
/* Sets or (NULL) takes away the callback. Thread: IN_VM, or NULL in the OnLoad phase; runs Java code. */
jvmtiError jvmti_set_class_unload_callback(struct jvmti_env *env, struct os_thread *self, jvmtiExtensionEvent callback);

#endif
