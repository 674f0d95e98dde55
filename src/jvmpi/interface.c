/* interface.c: the one JVMPI_Interface of the process, who has it, and its start and end. */
#include "jvmpi/jvmpi_internal.h"

#include "jvmpi/jvmpi.h"

#include <string.h>

static const JVMPI_Interface functions = {
    .version = JVMPI_VERSION_1_2,
    .EnableEvent = jvmpi_EnableEvent,
    .DisableEvent = jvmpi_DisableEvent,
    .RequestEvent = jvmpi_RequestEvent,
    .GetCallTrace = jvmpi_GetCallTrace,
    .ProfilerExit = jvmpi_ProfilerExit,
    .RawMonitorCreate = jvmpi_RawMonitorCreate,
    .RawMonitorEnter = jvmpi_RawMonitorEnter,
    .RawMonitorExit = jvmpi_RawMonitorExit,
    .RawMonitorWait = jvmpi_RawMonitorWait,
    .RawMonitorNotifyAll = jvmpi_RawMonitorNotifyAll,
    .RawMonitorDestroy = jvmpi_RawMonitorDestroy,
    .GetCurrentThreadCpuTime = jvmpi_GetCurrentThreadCpuTime,
    .SuspendThread = jvmpi_SuspendThread,
    .ResumeThread = jvmpi_ResumeThread,
    .GetThreadStatus = jvmpi_GetThreadStatus,
    .ThreadHasRun = jvmpi_ThreadHasRun,
    .CreateSystemThread = jvmpi_CreateSystemThread,
    .SetThreadLocalStorage = jvmpi_SetThreadLocalStorage,
    .GetThreadLocalStorage = jvmpi_GetThreadLocalStorage,
    .DisableGC = jvmpi_DisableGC,
    .EnableGC = jvmpi_EnableGC,
    .RunGC = jvmpi_RunGC,
    .GetThreadObject = jvmpi_GetThreadObject,
    .GetMethodClass = jvmpi_GetMethodClass,
    .jobjectID2jobject = jvmpi_jobjectID2jobject,
    .jobject2jobjectID = jvmpi_jobject2jobjectID,
};

/* What agents get; they write NotifyEvent into it. It belongs to the process: an agent may use it longer than its VM
 * lives. */
static JVMPI_Interface interface;

/* ---- start and end ----------------------------------------------------------------------------------------------- */

bool jvmpi_create(void) {
    vm->jvmpi = mem_zalloc(sizeof *vm->jvmpi);
    if (vm->jvmpi == NULL) return false;
    lock_init(&vm->jvmpi->lock, "profiler interface", LOCK_RANK_TOOL_ENV);
    interface = functions;
    return true;
}

void jvmpi_destroy(void) {
    if (vm->jvmpi == NULL) return;
    interface.NotifyEvent = NULL;
    jvmpi_raw_monitors_free();
    mem_free(vm->jvmpi->owner);
    mem_free(vm->jvmpi);
    vm->jvmpi = NULL;
}

jint jvmpi_get_env(void **out, jint version, const char *agent) {
    *out = NULL;
    if (version < JVMPI_VERSION_1 || version > JVMPI_VERSION_1_2 || atomic_load(&vm->phase) == PHASE_DEAD)
        return JNI_EVERSION;
    struct jvmpi_state *s = vm->jvmpi;
    bool refused = false;
    lock_acquire(&s->lock);
    if (s->owner != NULL) {
        refused = agent != NULL && strcmp(agent, s->owner) != 0;
    } else {
        s->owner = mem_strdup(agent ? agent : "");
        if (s->owner != NULL) probe_subscribe(&jvmpi_subscriber);
    }
    lock_release(&s->lock);
    if (refused) {
        vm_print(true, "JVMPI: only one profiler agent is supported; %s is refused%s%s\n", agent,
                 s->owner[0] ? ", the interface belongs to " : "", s->owner);
        return JNI_ERR;
    }
    if (s->owner == NULL) return JNI_ENOMEM;
    *out = &interface;
    return JNI_OK;
}

/* ---- the frame around functions and events ----------------------------------------------------------------------- */

bool jvmpi_call_check(struct jvmpi_call *call) {
    struct os_thread *self = current_thread();
    if (vm == NULL || vm->jvmpi == NULL || self == NULL || thread_is_left(self)) return false;
    call->self = self;
    call->entered = atomic_load(&self->state) == THREAD_IN_NATIVE;
    return true;
}

static NOINLINE void notify_in_native(struct os_thread *self, JVMPI_Event *event) {
    REQUIRES(IN_VM);
    thread_to_native(self);
    interface.NotifyEvent(event);
    thread_from_native(self);
}

enum { HANDLER_LOCAL_REFERENCES = 16 };

void jvmpi_notify(struct os_thread *self, JVMPI_Event *event, bool with_ids) {
    REQUIRES(IN_VM);
    if (interface.NotifyEvent == NULL) return;
    event->env_id = thread_env(self);
    log_debug(jvmpi_event, "event %d%s", event->event_type & ~JVMPI_REQUESTED_EVENT,
              event->event_type & JVMPI_REQUESTED_EVENT ? ", requested" : "");
    if (safepoint_active()) {            /* this thread has stopped the world: nothing can be collected */
        interface.NotifyEvent(event);
        return;
    }
    struct object *pending = exception_take(self);
    if (with_ids) heap_disable_gc(self);
    if (handle_frame_push(self, HANDLER_LOCAL_REFERENCES, false)) {
        notify_in_native(self, event);
        handle_frame_pop(self);
    }
    if (with_ids) heap_enable_gc(self);
    if (self->exception) {
        /* The engine is between two steps of its own work, where no exception of a profiler's may surface. */
        exception_take(self);
        log_warning(jvmpi_event, "event %d: the handler left an exception pending; it is dropped", event->event_type);
    }
    self->exception = pending;
}

struct object *jvmpi_object_of(const void *id) {
    struct object *o = (struct object *)(uintptr_t)id;
    return heap_is_object(o) && shape_of(o)->kind != SHAPE_STATICS ? o : NULL;
}
