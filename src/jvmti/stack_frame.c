/* stack_frame.c: the Stack Frame chapter: looking at stacks. A single thread is stopped by a handshake, several by
 * stopping the world. */
#include "inspect/stack.h"

#include "base/table.h"
#include "inspect/execution.h"
#include "inspect/thread_info.h"
#include "jdk/thread_life.h"
#include "jvmti_gen.h"

#include <string.h>

/* ---- one thread -------------------------------------------------------------------------------------------------- */

struct trace {
    jint start, max, count;
    jvmtiFrameInfo *frames;
    jvmtiError err;
};

static void give_frames(const struct java_thread *t, int start, jint max, jvmtiFrameInfo *out, jint *count) {
    PROMISES_NO_SAFEPOINT();
    jvmtiFrameInfo *next = out, *end = out + max;
    struct frame_cursor c = stack_frame_at(t, start);
    for (; cursor_valid(&c) && next < end; frame_next(&c))
        *next++ = (jvmtiFrameInfo){method_code_id(cursor_code(&c)), cursor_bci(&c)};
    *count = (jint)(next - out);
}

static void take_trace(void *arg, struct java_thread *t) {
    struct trace *trace = arg;
    jint start = trace->start;
    if (start != 0) {
        jint depth = stack_depth(t);
        if (start >= depth || start < -depth) {
            trace->err = JVMTI_ERROR_ILLEGAL_ARGUMENT;
            return;
        }
        if (start < 0) start += depth;
    }
    give_frames(t, start, trace->max, trace->frames, &trace->count);
}

jvmtiError jvmti_get_stack_trace(struct jvmti_env *env, struct os_thread *self, struct jvmti_thread thread,
                                 jint start_depth, jint max_frame_count, jvmtiFrameInfo *frame_buffer,
                                 jint *count_ptr) {
    (void)env;
    struct trace trace = {.start = start_depth, .max = max_frame_count, .frames = frame_buffer};
    if (!thread_handshake(self, thread.java, thread.object, take_trace, &trace)) return JVMTI_ERROR_THREAD_NOT_ALIVE;
    if (trace.err == JVMTI_ERROR_NONE) *count_ptr = trace.count;
    return trace.err;
}

static void take_depth(void *arg, struct java_thread *t) { *(jint *)arg = stack_depth(t); }

jvmtiError jvmti_get_frame_count(struct jvmti_env *env, struct os_thread *self, struct jvmti_thread thread,
                                 jint *count_ptr) {
    (void)env;
    jint count = 0;
    if (!thread_handshake(self, thread.java, thread.object, take_depth, &count)) return JVMTI_ERROR_THREAD_NOT_ALIVE;
    *count_ptr = count;
    return JVMTI_ERROR_NONE;
}

jvmtiError jvmti_get_frame_location(struct jvmti_env *env, struct os_thread *self, struct jvmti_thread thread,
                                    jint depth, jmethodID *method_ptr, jlocation *location_ptr) {
    (void)env;
    jvmtiFrameInfo frame;
    struct trace trace = {.start = depth, .max = 1, .frames = &frame};
    if (!thread_handshake(self, thread.java, thread.object, take_trace, &trace)) return JVMTI_ERROR_THREAD_NOT_ALIVE;
    if (trace.err != JVMTI_ERROR_NONE || trace.count == 0) return JVMTI_ERROR_NO_MORE_FRAMES;
    *method_ptr = frame.method;
    *location_ptr = frame.location;
    return JVMTI_ERROR_NONE;
}

/* ---- several threads: one moment, one piece of memory ------------------------------------------------------------ */

/* Lays out [infos][frames] for the threads and fills it. World stopped. Handles are made here, so that nothing
 * can die. */
static jvmtiError give_stacks(struct os_thread *self, const struct jvmti_thread *threads, size_t count, jint max,
                              jvmtiStackInfo **out) {
    REQUIRES(IN_VM | MAY_STOP);
    size_t frames = 0;
    for (size_t i = 0; i < count; i++) frames += threads[i].java ? (size_t)MIN(max, stack_depth(threads[i].java)) : 0;
    jvmtiStackInfo *infos = tool_alloc(count * sizeof *infos + frames * sizeof(jvmtiFrameInfo));
    if (infos == NULL && count > 0) return JVMTI_ERROR_OUT_OF_MEMORY;
    jvmtiFrameInfo *next = (jvmtiFrameInfo *)(infos + count);
    for (size_t i = 0; i < count; i++) {
        struct java_thread *t = threads[i].java;
        infos[i].thread = handle_local(self, threads[i].object);
        infos[i].state = thread_state_of(threads[i].object, t);
        infos[i].frame_buffer = next;
        infos[i].frame_count = 0;
        if (infos[i].thread == NULL) {
            while (i-- > 0) handle_local_delete(self, infos[i].thread);
            tool_free(infos);
            self->exception = NULL;
            return JVMTI_ERROR_OUT_OF_MEMORY;
        }
        if (t) give_frames(t, 0, max, next, &infos[i].frame_count);
        next += infos[i].frame_count;
    }
    *out = infos;
    return JVMTI_ERROR_NONE;
}

jvmtiError jvmti_get_all_stack_traces(struct jvmti_env *env, struct os_thread *self, jint max_frame_count,
                                      jvmtiStackInfo **stack_info_ptr, jint *thread_count_ptr) {
    (void)env;
    VEC(struct jvmti_thread) threads = {0};
    bool ok = true;
    safepoint_begin(self, "GetAllStackTraces");
    MAY_ALLOCATE("the call answers OUT_OF_MEMORY");
    for (struct java_thread *t = threads_first(); t && ok; t = t->next)
        if (thread_is_visible(t) && !thread_is_virtual(t))
            ok = vec_push(&threads, ((struct jvmti_thread){t->mirror, t}));
    jvmtiError err = ok ? give_stacks(self, threads.data, threads.count, max_frame_count, stack_info_ptr)
                        : JVMTI_ERROR_OUT_OF_MEMORY;
    safepoint_end(self);
    if (err == JVMTI_ERROR_NONE) *thread_count_ptr = (jint)threads.count;
    vec_free(&threads);
    return err;
}

jvmtiError jvmti_get_thread_list_stack_traces(struct jvmti_env *env, struct os_thread *self, jint thread_count,
                                              const jthread *thread_list, jint max_frame_count,
                                              jvmtiStackInfo **stack_info_ptr) {
    (void)env;
    for (jint i = 0; i < thread_count; i++) {
        struct object *o = jvmti_object_of(self, thread_list[i]);
        if (o == NULL || !object_is_instance(o, known_class(java_lang_Thread))) return JVMTI_ERROR_INVALID_THREAD;
    }
    VEC(struct jvmti_thread) threads = {0};
    if (!vec_reserve(&threads, (size_t)thread_count)) return JVMTI_ERROR_OUT_OF_MEMORY;
    safepoint_begin(self, "GetThreadListStackTraces");
    MAY_ALLOCATE("the call answers OUT_OF_MEMORY");
    for (jint i = 0; i < thread_count; i++) {
        struct object *o = handle_get(thread_list[i]);
        threads.data[threads.count++] = (struct jvmti_thread){o, thread_alive(o)};
    }
    jvmtiError err = give_stacks(self, threads.data, threads.count, max_frame_count, stack_info_ptr);
    safepoint_end(self);
    vec_free(&threads);
    return err;
}

/* ---- frame pops -------------------------------------------------------------------------------------------------- */

struct frame_pop {
    const struct java_thread *self;
    struct jvmti_env *env;
    jint depth;
    jvmtiError err;
};

static bool frame_pop_take(struct jvmti_thread_data *d, const struct frame *f, bool remove) {
    for (size_t i = 0; i < d->frame_pops.count; i++) {
        if (d->frame_pops.data[i] != f) continue;
        if (remove) d->frame_pops.data[i] = vec_pop(&d->frame_pops);
        return true;
    }
    return false;
}

/* Looked up while t stands: the environment may have been disposed of on the way here. NULL: pop->err says why. */
static struct jvmti_thread_data *data_of(struct frame_pop *pop, struct java_thread *t) {
    struct jvmti_thread_data *d = jvmti_thread_data(pop->env, t, false);
    pop->err = d == NULL ? JVMTI_ERROR_INVALID_ENVIRONMENT : jvmti_frame_error(t, pop->self);
    return pop->err == JVMTI_ERROR_NONE ? d : NULL;
}

/* 25 takes no frame that is returning and has come to MethodExit or FramePop; 17 sends the event behind MethodExit, and
 * both do so where an exception leaves the frame. */
static bool comes_too_late(const struct frame_cursor *c) {
    return vm->library != LIBRARY_17 && cursor_is_exiting(c);
}

static void notify_op(void *arg, struct java_thread *t) {
    struct frame_pop *pop = arg;
    struct frame_cursor c = stack_frame_at(t, pop->depth);
    struct jvmti_thread_data *d = data_of(pop, t);
    if (pop->err) return;
    if (!cursor_valid(&c)) pop->err = JVMTI_ERROR_NO_MORE_FRAMES;
    else if (cursor_is_native(&c) || comes_too_late(&c)) pop->err = JVMTI_ERROR_OPAQUE_FRAME;
    else if (frame_pop_take(d, cursor_id(&c), false)) pop->err = JVMTI_ERROR_DUPLICATE;
    else if (!vec_push(&d->frame_pops, cursor_id(&c))) pop->err = JVMTI_ERROR_OUT_OF_MEMORY;
    else cursor_report_pop(&c);
}

static void clear_op(void *arg, struct java_thread *t) {
    struct frame_pop *pop = arg;
    struct jvmti_thread_data *d = data_of(pop, t);
    if (pop->err == JVMTI_ERROR_NONE) vec_clear(&d->frame_pops);
}

static jvmtiError with_frame_pops(struct jvmti_env *env, struct os_thread *self, struct jvmti_thread thread, jint depth,
                                  void (*op)(void *arg, struct java_thread *t)) {
    struct frame_pop pop = {.self = self->java, .env = env, .depth = depth};
    threads_lock(self);
    struct java_thread *t = thread_alive(thread.object);
    bool gone = jvmti_env_is_gone(env), ready = t && !gone && jvmti_thread_data(env, t, true);
    threads_unlock(self);
    if (gone) return JVMTI_ERROR_INVALID_ENVIRONMENT;
    if (t == NULL) return JVMTI_ERROR_THREAD_NOT_ALIVE;
    if (!ready) return JVMTI_ERROR_OUT_OF_MEMORY;
    return thread_handshake(self, t, thread.object, op, &pop) ? pop.err : JVMTI_ERROR_THREAD_NOT_ALIVE;
}

jvmtiError jvmti_notify_frame_pop(struct jvmti_env *env, struct os_thread *self, struct jvmti_thread thread,
                                  jint depth) {
    return with_frame_pops(env, self, thread, depth, notify_op);
}

jvmtiError jvmti_clear_all_frame_pops(struct jvmti_env *env, struct os_thread *self, struct jvmti_thread thread) {
    return with_frame_pops(env, self, thread, 0, clear_op);
}

void jvmti_on_frame_pop(struct os_thread *self, struct frame *f, bool by_exception) {
    REQUIRES(IN_VM);
    int index;
    for (struct jvmti_env *env = jvmti_first_env(); env; env = jvmti_next_env(env, index)) {
        index = env->index;
        struct jvmti_thread_data *d = jvmti_thread_data(env, self->java, false);
        if (d && frame_pop_take(d, f, true)) jvmti_post_frame_pop(self, env, f->code, by_exception);
    }
}

void jvmti_on_frame_forgotten(struct os_thread *self, struct frame *f) {
    REQUIRES(IN_VM);
    for (struct jvmti_env *env = jvmti_first_env(); env; env = atomic_load(&env->next)) {
        struct jvmti_thread_data *d = jvmti_thread_data(env, self->java, false);
        if (d) frame_pop_take(d, f, true);
    }
}

/* ---- PopFrame ---------------------------------------------------------------------------------------------------- */

jvmtiError jvmti_frame_answer(int answer) {
    switch ((enum frame_answer)answer) {
    case FRAME_DONE: return JVMTI_ERROR_NONE;
    case FRAME_NONE: return JVMTI_ERROR_NO_MORE_FRAMES;
    case FRAME_OPAQUE: return JVMTI_ERROR_OPAQUE_FRAME;
    case FRAME_TYPE: return JVMTI_ERROR_TYPE_MISMATCH;
    case FRAME_BUSY: break;
    }
    return JVMTI_ERROR_INTERNAL;
}

static void pop_op(void *arg, struct java_thread *t) {
    struct frame_pop *pop = arg;
    pop->err = jvmti_frame_error(t, pop->self);
    if (pop->err == JVMTI_ERROR_NONE) pop->err = jvmti_frame_answer(frame_pop_request(t));
}

jvmtiError jvmti_pop_frame(struct jvmti_env *env, struct os_thread *self, struct jvmti_thread thread) {
    (void)env;
    struct frame_pop pop = {.self = self->java};
    return thread_handshake(self, thread.java, thread.object, pop_op, &pop) ? pop.err : JVMTI_ERROR_THREAD_NOT_ALIVE;
}
