/* call_trace.c: the calling thread's stack for signal handlers: AsyncGetCallTrace, and the extension function of the
 * same power. Nothing here takes a lock, allocates, or changes the state of a thread. */
#include "inspect/call_trace.h"

#include <vitrine.h>

#include "heap/heap.h"
#include "jvmti/extension.h"
#include "jvmti/jvmti_internal.h"

JNIEXPORT void JNICALL AsyncGetCallTrace(ASGCT_CallTrace *trace, jint depth, void *ucontext);

/* The calling thread while it is one of a living VM's. */
static struct os_thread *calling_thread(void) {
    struct os_thread *self = current_thread();
    return self != NULL && !thread_is_left(self) && atomic_load(&self->state) != THREAD_TERMINATED ? self : NULL;
}

static jint fill(ASGCT_CallFrame *frames, jint depth, const struct os_thread *self, const void *ucontext) {
    struct call_trace walk;
    struct call_trace_entry e;
    enum call_trace_step step = CALL_TRACE_FRAME;
    jint n = 0;
    call_trace_begin(&walk, self->java, ucontext);
    for (; n < depth && (step = call_trace_next(&walk, &e)) == CALL_TRACE_FRAME; n++)
        frames[n] = (ASGCT_CallFrame){e.bci >= 0 ? e.bci : ASGCT_NATIVE_FRAME, method_code_id(e.code)};
    return step == CALL_TRACE_DAMAGED ? ASGCT_NOT_WALKABLE_JAVA : n;
}

JNIEXPORT void JNICALL AsyncGetCallTrace(ASGCT_CallTrace *trace, jint depth, void *ucontext) {
    struct os_thread *self = trace->env_id != NULL ? calling_thread() : NULL;
    if (self == NULL || trace->env_id != thread_env(self)) trace->num_frames = ASGCT_THREAD_EXIT;
    else if (heap_is_collecting()) trace->num_frames = ASGCT_GC_ACTIVE;
    else trace->num_frames = fill(trace->frames, depth, self, ucontext);
}

static const jint kinds[] = {[FRAME_KIND_INTERPRETED] = VITRINE_FRAME_INTERPRETED,
                             [FRAME_KIND_COMPILED] = VITRINE_FRAME_COMPILED,
                             [FRAME_KIND_NATIVE] = VITRINE_FRAME_NATIVE,
                             [FRAME_KIND_INLINED] = VITRINE_FRAME_INLINED};

jvmtiError JNICALL jvmti_extension_get_call_trace(jvmtiEnv *env, ...) {
    va_list args;
    va_start(args, env);
    const void *ucontext = va_arg(args, const void *);
    jint max = va_arg(args, jint);
    vitrineCallFrame *frames = va_arg(args, vitrineCallFrame *);
    jint *count = va_arg(args, jint *);
    va_end(args);
    if (!jvmti_env_is_ours(env) || atomic_load(&((struct jvmti_env *)env)->disposed))
        return JVMTI_ERROR_INVALID_ENVIRONMENT;
    struct os_thread *self = calling_thread();
    if (self == NULL) return JVMTI_ERROR_UNATTACHED_THREAD;
    if (max < 0) return JVMTI_ERROR_ILLEGAL_ARGUMENT;
    if (frames == NULL || count == NULL) return JVMTI_ERROR_NULL_POINTER;
    struct call_trace walk;
    struct call_trace_entry e;
    enum call_trace_step step = CALL_TRACE_FRAME;
    jint n = 0;
    call_trace_begin(&walk, self->java, ucontext);
    for (; n < max && (step = call_trace_next(&walk, &e)) == CALL_TRACE_FRAME; n++)
        frames[n] = (vitrineCallFrame){method_code_id(e.code), e.bci, kinds[e.kind], 0};
    if (step == CALL_TRACE_DAMAGED) return JVMTI_ERROR_OPAQUE_FRAME;
    *count = n;
    return JVMTI_ERROR_NONE;
}
