/* post.h: the frame around every callback: who gets it, in which order, with which references and which pending
 * exception.
 *
 *     jvmti_post_begin(&post, self, event, runs, only);
 *     while (jvmti_post_next(&post)) {
 *         ... references: jvmti_post_class and so on
 *         int64_t start = jvmti_post_trace(&post, values);
 *         jvmti_post_enter(&post); callback(...); jvmti_post_leave(&post);
 *         jvmti_post_done(&post, start);
 *     }
 *     jvmti_post_end(&post);
 *
 * Of an event that is frequent, jvmti_post_is_plain stands for begin and next, and for end: mostly one environment
 * wants it of all threads, and nothing is uncommon.
 *
 * All of it is inlined into the trampolines (generated), where event and runs are constants: what it costs is what a
 * watched program feels, and the C segment ends in the trampoline. Thread: self, IN_VM (JVMTI_RUNS_STOPPED: as the
 * event says). */
#ifndef VITRINE_JVMTI_POST_H
#define VITRINE_JVMTI_POST_H

#include "jvmti_gen.h"
#include "probe/probe.h"

#include <string.h>

struct jvmti_post {
    jvmtiEnv *env;                                /* the receiver                                                 */
    JNIEnv *jni;
    jthread thread;                               /* the current thread                                           */
    void (*callback)(void);
    struct os_thread *self;
    struct jvmti_env *next;
    int index, next_index;                        /* of env and of next, which may go during the callback         */
    struct object *exception;                     /* pending before the event; put back afterwards                */
    struct handle_block *frame;                   /* the callback's local references                              */
    jvmtiEvent event;
    bool to_native, one;                          /* one: nobody but `next` is to be asked                        */
    uint32_t handles;                             /* places in `frame` that have been given; constants            */
};

/* post.c. Does env get the event in this thread (event not in env->for_all)? one: it is the one that the event
 * is for. */
bool jvmti_post_wanted(struct jvmti_env *env, struct os_thread *self, jvmtiEvent event, bool one);
/* There is no memory for the callback's references. */
void jvmti_post_out_of_memory(struct os_thread *self, jvmtiEvent event);
void jvmti_post_drop_exception(struct os_thread *self, jvmtiEvent event);

/* only: the environment that a selected or queued event is for (NULL: gone). */
static ALWAYS_INLINE void jvmti_post_begin(struct jvmti_post *post, struct os_thread *self, jvmtiEvent event,
                                           enum jvmti_runs runs, struct jvmti_env *only) {
    post->self = self;
    post->event = event;
    post->env = NULL;
    post->index = post->next_index = 0;
    post->one = runs == JVMTI_RUNS_SELECTED || runs == JVMTI_RUNS_QUEUED;
    post->next = post->one ? only : jvmti_first_env();
    post->to_native = runs != JVMTI_RUNS_STOPPED;
    vm_assert(!post->to_native || self != NULL, "an event of no thread");
    post->jni = NULL;
    post->frame = NULL;
    post->thread = NULL;
    post->exception = NULL;
    if (!post->to_native) return;
    post->jni = thread_env(self);
    post->exception = self->exception;
    self->exception = NULL;
}

/* The next place, which stays free if o is NULL. */
static ALWAYS_INLINE jobject jvmti_post_object(struct jvmti_post *post, struct object *o) {
    return handle_in_new_frame(post->frame, post->handles++, o);
}

/* The frame of references, with the current thread's as its first. */
static ALWAYS_INLINE bool jvmti_post_push_frame(struct jvmti_post *post) {
    struct os_thread *self = post->self;
    if (UNLIKELY(!handle_frame_push_call(self))) {
        jvmti_post_out_of_memory(self, post->event);
        return false;
    }
    post->frame = self->handles;
    post->handles = 0;
    post->thread = jvmti_post_object(post, self->java != NULL ? self->java->mirror : NULL);
    return true;
}

/* Looks for the next receiver. Asked anew for each: another callback may have changed what it wants, or ended it. */
static ALWAYS_INLINE bool jvmti_post_next(struct jvmti_post *post) {
    uint64_t bit = PROBE_MASK(post->event);
    struct jvmti_env *env = post->next;
    void *callback = NULL;
    if (post->env != NULL && UNLIKELY(env != NULL) && !jvmti_env_is_listed(env, post->next_index))
        env = jvmti_env_after(post->index);
    for (; env != NULL; env = post->one ? NULL : atomic_load(&env->next)) {
        if (UNLIKELY(!(atomic_load_explicit(&env->for_all, memory_order_relaxed) & bit)) &&
            !jvmti_post_wanted(env, post->self, post->event, post->one))
            continue;
        callback = atomic_load_explicit(&env->callbacks[post->event - JVMTI_EVENT_FIRST], memory_order_acquire);
        if (callback != NULL) break;
    }
    if (env == NULL) return false;
    post->next = post->one ? NULL : atomic_load(&env->next);
    if (UNLIKELY(post->next != NULL)) {
        post->index = env->index;
        post->next_index = post->next->index;
    }
    post->env = (jvmtiEnv *)env;
    memcpy(&post->callback, &callback, sizeof callback);
    if (post->to_native && !jvmti_post_push_frame(post)) return false;
    return true;
}

/* An event of a Java thread: does it go to env, and to nobody else, whatever the thread, with nothing to be logged, no
 * exception pending and memory at hand? Then the frame of references is there. */
static ALWAYS_INLINE bool jvmti_post_is_plain(struct jvmti_post *post, struct os_thread *self, jvmtiEvent event,
                                              struct jvmti_env *env) {
    if (env == NULL || !(atomic_load_explicit(&env->for_all, memory_order_relaxed) & PROBE_MASK(event))) return false;
    void *callback = atomic_load_explicit(&env->callbacks[event - JVMTI_EVENT_FIRST], memory_order_acquire);
    struct handle_block *frame = self->spare_handles;
    if (callback == NULL || frame == NULL || self->exception != NULL || jvmti_events_are_logged()) return false;
    *post = (struct jvmti_post){.env = (jvmtiEnv *)env,
                                .jni = thread_env(self),
                                .self = self,
                                .frame = frame,
                                .event = event,
                                .to_native = true};
    memcpy(&post->callback, &callback, sizeof callback);
    handle_frame_push_spare(self, frame);
    post->thread = jvmti_post_object(post, self->java->mirror);
    return true;
}

/* All handles have been made. */
static ALWAYS_INLINE void jvmti_post_count_handles(struct jvmti_post *post) {
    if (post->to_native) post->frame->used = post->handles;
}
/* A macro, so that the values are only made when they are printed. */
#define jvmti_post_trace(post, ...) \
    (jvmti_post_count_handles(post), UNLIKELY(jvmti_events_are_traced((post)->env)) \
         ? jvmti_log_event((struct jvmti_env *)(post)->env, (post)->to_native ? (post)->self : NULL, (post)->event, \
             __VA_ARGS__) : 0)

static ALWAYS_INLINE void jvmti_post_enter(struct jvmti_post *post) {
    if (post->to_native) thread_to_native(post->self);
}
static ALWAYS_INLINE void jvmti_post_leave(struct jvmti_post *post) {
    if (post->to_native) thread_from_native(post->self);
}
/* Ends the callback's references. The engine is between two steps of its own work: no exception of a tool's may surface
 * there. */
static ALWAYS_INLINE void jvmti_post_done(struct jvmti_post *post, int64_t start) {
    if (UNLIKELY(start != 0)) jvmti_trace_event_end((struct jvmti_env *)post->env, post->event, start);
    if (!post->to_native) return;
    handle_frame_pop_callback(post->self, post->frame);
    if (UNLIKELY(post->self->exception != NULL)) jvmti_post_drop_exception(post->self, post->event);
}
static ALWAYS_INLINE void jvmti_post_end(struct jvmti_post *post) {
    if (post->to_native) post->self->exception = post->exception;
}

/* ---- what is handed over: at most as many references as fit into a new frame ------------------------------------- */

static ALWAYS_INLINE jclass jvmti_post_class(struct jvmti_post *post, struct class *c) {
    return (jclass)jvmti_post_object(post, class_mirror(c));
}
static ALWAYS_INLINE jmethodID jvmti_post_method(struct jvmti_post *post, struct method_code *code) {
    return (void)post, code ? method_code_id(code) : NULL;
}
static ALWAYS_INLINE jfieldID jvmti_post_field(struct jvmti_post *post, struct field *f) {
    return (void)post, field_id(f);
}

/* A slot as what its type says: a reference, or the low bits. */
static ALWAYS_INLINE jvalue jvmti_post_slot(struct jvmti_post *post, struct jvmti_slot slot) {
    static const uint64_t bits[] = {[T_BOOLEAN] = 1, [T_BYTE] = UINT8_MAX, [T_CHAR] = UINT16_MAX,
                                    [T_SHORT] = UINT16_MAX, [T_INT] = UINT32_MAX, [T_FLOAT] = UINT32_MAX,
                                    [T_LONG] = UINT64_MAX, [T_DOUBLE] = UINT64_MAX, [T_VOID] = 0};
    bool is_reference = slot.type == T_OBJECT || slot.type == T_ARRAY;
    if (is_reference) return (jvalue){.l = jvmti_post_object(post, (struct object *)(uintptr_t)slot.value)};
    return (jvalue){.j = (jlong)(slot.value & bits[slot.type])};
}

#endif
