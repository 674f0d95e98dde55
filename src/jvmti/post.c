/* post.c: the frame around every callback: who gets it, in which order, with which references and which pending exception. */
#include "base/os.h"
#include "jvmti_gen.h"
#include "probe/probe.h"

#include <string.h>

static const struct jvmti_event_row *row_of(jvmtiEvent event) { return &jvmti_event_rows[event - JVMTI_EVENT_FIRST]; }

/* Re-checked for every environment: another callback may have changed it, or ended it. */
static bool wants(const struct jvmti_post *post, struct jvmti_env *env) {
    uint64_t bit = PROBE_MASK(post->event);
    if (atomic_load(&env->disposed) || !(atomic_load(&env->has_callback) & bit)) return false;
    if (!(row_of(post->event)->phases >> jvmti_phase(env) & 1)) return false;
    if (atomic_load(&env->enabled) & bit) return post->event != JVMTI_EVENT_VM_START || !atomic_exchange(&env->start_sent, true);
    struct os_thread *self = post->self;
    struct jvmti_thread_data *d = self && self->java ? jvmti_thread_data(env, self->java, false) : NULL;
    if (d) return d->enabled & bit;
    return row_of(post->event)->runs == JVMTI_RUNS_QUEUED && post->only && atomic_load(&env->enabled_somewhere) & bit;
}

bool jvmti_post_begin(struct jvmti_post *post, struct os_thread *self, jvmtiEvent event, struct jvmti_env *only) {
    enum jvmti_runs runs = row_of(event)->runs;
    if (runs == JVMTI_RUNS_QUEUED && only == NULL) return false;
    bool to_native = self && (runs == JVMTI_RUNS_NATIVE || runs == JVMTI_RUNS_SELECTED);
    *post = (struct jvmti_post){
        .self = self, .event = event, .only = only, .next = only ? only : jvmti_first_env(), .to_native = to_native,
        .jni = to_native ? thread_env(self) : NULL, .exception = to_native ? exception_take(self) : NULL,
    };
    return true;
}

/* The engine is between two steps of its own work, where no exception of a tool's may surface. */
static NOINLINE void drop_exception(struct jvmti_post *post) {
    struct object *e = exception_take(post->self);
    char *name = class_external_name(class_of(e));
    log_warning(jvmti_event, "%s: the callback left a %s pending; it is dropped", row_of(post->event)->name, name ? name : "exception");
    mem_free(name);
}

static ALWAYS_INLINE void leave_frame(struct jvmti_post *post) {
    if (!post->in_frame) return;
    post->in_frame = false;
    handle_frame_pop_callback(post->self);
    if (UNLIKELY(post->self->exception != NULL)) drop_exception(post);
}

bool jvmti_post_next(struct jvmti_post *post) {
    leave_frame(post);
    struct jvmti_env *env = post->next;
    while (env && !wants(post, env)) env = post->only ? NULL : atomic_load(&env->next);
    if (env == NULL) return false;
    post->next = post->only ? NULL : atomic_load(&env->next);
    post->env = (jvmtiEnv *)env;
    void *callback = atomic_load_explicit(&env->callbacks[post->event - JVMTI_EVENT_FIRST], memory_order_acquire);
    memcpy(&post->callback, &callback, sizeof callback);
    if (post->callback == NULL) return jvmti_post_next(post);
    if (post->to_native) {
        if (!handle_frame_push_call(post->self)) {
            exception_take(post->self);
            log_warning(jvmti_event, "%s: out of memory, the event is not sent", row_of(post->event)->name);
            return false;
        }
        post->in_frame = true;
        post->thread = post->self->java ? handle_local(post->self, post->self->java->mirror) : NULL;
    }
    log_debug(jvmti_event, "%s to environment %d", row_of(post->event)->name, env->index);
    return true;
}

void jvmti_post_end(struct jvmti_post *post) {
    leave_frame(post);
    if (post->to_native) post->self->exception = post->exception;
}

jclass jvmti_post_class(struct jvmti_post *post, struct class *c) { return (jclass)handle_local(post->self, class_mirror(c)); }
jobject jvmti_post_object(struct jvmti_post *post, struct object *o) { return handle_local(post->self, o); }
jmethodID jvmti_post_method(struct jvmti_post *post, struct method_code *code) { return (void)post, code ? method_code_id(code) : NULL; }
jfieldID jvmti_post_field(struct jvmti_post *post, struct field *f) { return (void)post, field_id(f); }

jvalue jvmti_post_slot(struct jvmti_post *post, struct jvmti_slot slot) {
    jvalue v = {.j = 0};
    uint32_t low = (uint32_t)slot.value;
    switch (slot.type) {
    case T_BOOLEAN: v.z = slot.value & 1; break;
    case T_BYTE: v.b = (jbyte)slot.value; break;
    case T_CHAR: v.c = (jchar)slot.value; break;
    case T_SHORT: v.s = (jshort)slot.value; break;
    case T_INT: v.i = (jint)slot.value; break;
    case T_FLOAT: memcpy(&v.f, &low, sizeof low); break;
    case T_LONG: case T_DOUBLE: memcpy(&v, &slot.value, sizeof v); break;
    case T_OBJECT: case T_ARRAY: v.l = handle_local(post->self, (struct object *)(uintptr_t)slot.value); break;
    case T_VOID: break;
    }
    return v;
}
