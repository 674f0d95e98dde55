/* trace.c: call traces. */
#include "jvmpi/jvmpi_internal.h"

#include "inspect/stack.h"
#include "inspect/thread_info.h"

enum { LINE_NATIVE = -3 };                /* as the profilers of the time print it; -1 is an unknown line */

void jvmpi_fill_trace(JVMPI_CallTrace *trace, const struct java_thread *t, jint depth) {
    jint n = 0;
    for (struct frame_cursor c = frame_first(t); cursor_valid(&c) && n < depth; frame_next(&c), n++) {
        struct method_code *code = cursor_code(&c);
        trace->frames[n].lineno = cursor_is_native(&c) ? LINE_NATIVE : method_line_number(code, cursor_bci(&c));
        trace->frames[n].method_id = method_code_id(code);
    }
    trace->num_frames = n;
}

struct trace_request {
    JVMPI_CallTrace *trace;
    jint depth;
};

static void fill_op(void *arg, struct java_thread *t) {
    struct trace_request *r = arg;
    jvmpi_fill_trace(r->trace, t, r->depth);
}

void jvmpi_GetCallTrace(JVMPI_CallTrace *trace, jint depth) {
    if (trace == NULL) return;
    trace->num_frames = 0;
    struct jvmpi_call call;
    if (trace->frames == NULL || !jvmpi_call_begin(&call)) return;
    struct trace_request r = {trace, depth};
    struct object *mirror;
    struct java_thread *t = jvmpi_thread_of(call.self, trace->env_id, &mirror);
    if (t) thread_handshake(call.self, t, mirror, fill_op, &r);
    jvmpi_call_end(&call);
}

bool jvmpi_collect_traces(struct jvmpi_traces *out) {
    REQUIRES(STOPPED);
    unsigned n = 0;
    for (struct java_thread *t = threads_first(); t; t = t->next) n += thread_is_visible(t) && thread_jni_env(t);
    out->count = 0;
    out->arena = arena_new("profiler traces");
    out->traces = out->arena ? arena_alloc(out->arena, n * sizeof *out->traces + 1) : NULL;
    out->statuses = out->arena ? arena_alloc(out->arena, n * sizeof *out->statuses + 1) : NULL;
    bool ok = out->traces && out->statuses;
    for (struct java_thread *t = threads_first(); t && ok; t = t->next) {
        JNIEnv *env = thread_is_visible(t) ? thread_jni_env(t) : NULL;
        if (env == NULL) continue;
        int depth = stack_depth(t);
        JVMPI_CallTrace *trace = &out->traces[out->count];
        trace->env_id = env;
        trace->frames = arena_alloc(out->arena, (size_t)depth * sizeof *trace->frames + 1);
        ok = trace->frames != NULL;
        if (ok) jvmpi_fill_trace(trace, t, depth);
        out->statuses[out->count++] = jvmpi_thread_status(t);
    }
    return ok;
}
