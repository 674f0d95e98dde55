/* call.c: the frame around every call: admission and decoding of parameters. */
#include "base/alloc.h"
#include "base/options.h"
#include "base/os.h"
#include "exec/frame_cursor.h"
#include "inspect/thread_info.h"
#include "jvmti/cost.h"
#include "jvmti_gen.h"
#include "link/module.h"
#include "thread/raw_monitor.h"

/* ---- admission --------------------------------------------------------------------------------------------------- */

static jvmtiError admit(struct jvmti_call *call, jvmtiEnv *jvmti_env) {
    const struct jvmti_function_row *row = call->row;
    if (!jvmti_env_is_ours(jvmti_env)) return JVMTI_ERROR_INVALID_ENVIRONMENT;
    struct jvmti_env *env = (struct jvmti_env *)jvmti_env;
    uint32_t magic = atomic_load(&env->magic);           /* once: measuring may begin or end meanwhile */
    bool known = magic == JVMTI_ENV_MAGIC || magic == JVMTI_ENV_MEASURED;
    if (!known || atomic_load(&env->disposed) || vm == NULL)
        return JVMTI_ERROR_INVALID_ENVIRONMENT;
    call->env = env;
    int phase = jvmti_phase(env);
    bool early = phase == PHASE_ONLOAD;
    if (!(row->phases >> phase & 1)) return JVMTI_ERROR_WRONG_PHASE;
    if (row->needs & ~atomic_load(&env->capabilities)) return JVMTI_ERROR_MUST_POSSESS_CAPABILITY;
    if (call->self == NULL)
        return !row->attached && (row->safe || early) ? JVMTI_ERROR_NONE : JVMTI_ERROR_UNATTACHED_THREAD;
    if (row->safe) return JVMTI_ERROR_NONE;
    if (atomic_load(&call->self->state) != THREAD_IN_NATIVE) {
        log_warning(jvmti, "%s called from a heap or collector callback", row->name);
        return JVMTI_ERROR_INTERNAL;
    }
    call->entered = true;
    return JVMTI_ERROR_NONE;
}

jvmtiError jvmti_call_check(struct jvmti_call *call, jvmtiEnv *env, const struct jvmti_function_row *row) {
    call->env = NULL;
    call->self = current_thread();
    call->row = row;
    call->entered = false;
    call->traced = log_enabled(LOG_jvmti, LOG_TRACE);
    jvmtiError err = admit(call, env);
    call->measured = call->env != NULL && jvmti_env_is_measured(call->env);
    if (call->measured) jvmti_cost_enter(call);
    call->start = call->traced || call->measured ? os_nanotime() : 0;
    call->fails = err == JVMTI_ERROR_NONE && vm->options->flags.FailToolAllocation != 0;
    if (UNLIKELY(call->fails)) mem_fail_at((unsigned)vm->options->flags.FailToolAllocation);
    return err;
}

void jvmti_call_failed(struct jvmti_call *call) {
    (void)call;
    if (mem_fail_at(0) == 0) vm->options->flags.FailToolAllocation = 0;
}

/* ---- decoding ---------------------------------------------------------------------------------------------------- */

/* The jclass that a static native method was given: it stands in the class itself. */
static bool is_class_argument(const struct os_thread *self, jobject handle) {
    if (self->java == NULL) return false;
    for (struct frame_cursor c = frame_first(self->java); cursor_valid(&c); frame_next(&c))
        if (cursor_is_native(&c) && (void *)&cursor_method(&c)->holder->mirror == (void *)handle) return true;
    return false;
}

/* The object of a handle that is one; NULL otherwise. */
struct object *jvmti_object_of(struct os_thread *self, jobject handle) {
    REQUIRES(IN_VM);
    if (self == NULL || handle == NULL) return NULL;
    if (handle_type(self, handle) == JNIInvalidRefType && !is_class_argument(self, handle)) return NULL;
    return handle_get(handle);
}

/* Classes are known once the class library is loaded, which is after the OnLoad phase. */
#define CLASS(id) (vm->link ? known_class(id) : NULL)

static struct object *instance_of(struct os_thread *self, jobject handle, struct class *c) {
    REQUIRES(IN_VM);
    struct object *o = jvmti_object_of(self, handle);
    return o && c && object_is_instance(o, c) ? o : NULL;
}

jvmtiError jvmti_decode_thread(struct os_thread *self, jthread handle, int flags, struct jvmti_thread *out) {
    REQUIRES(IN_VM | MAY_STOP);
    out->object = NULL;
    out->java = NULL;
    if (handle == NULL) {
        if (flags & JVMTI_NULL_ALLOWED) return JVMTI_ERROR_NONE;
        if (!(flags & JVMTI_NULL_CURRENT)) return JVMTI_ERROR_INVALID_THREAD;
        out->java = self->java;
        out->object = out->java ? out->java->mirror : NULL;
        /* The main thread has no object before java.lang.Thread is there. What may be called so early and takes the
         * current thread needs its record alone. */
        bool enough = out->object != NULL || (out->java != NULL && atomic_load(&vm->phase) == PHASE_PRIMORDIAL);
        return enough ? JVMTI_ERROR_NONE : JVMTI_ERROR_INVALID_THREAD;
    }
    out->object = instance_of(self, handle, CLASS(java_lang_Thread));
    if (out->object == NULL) return JVMTI_ERROR_INVALID_THREAD;
    if (self->java && self->java->mirror == out->object) {
        out->java = self->java;
    } else {
        threads_lock(self);
        out->java = thread_alive(out->object);
        threads_unlock(self);
    }
    return (flags & JVMTI_NEED_ALIVE) && out->java == NULL ? JVMTI_ERROR_THREAD_NOT_ALIVE : JVMTI_ERROR_NONE;
}

jvmtiError jvmti_decode_object(struct os_thread *self, jobject handle, bool null_ok, struct object **out) {
    REQUIRES(IN_VM);
    *out = NULL;
    if (handle == NULL && null_ok) return JVMTI_ERROR_NONE;
    *out = jvmti_object_of(self, handle);
    return *out ? JVMTI_ERROR_NONE : JVMTI_ERROR_INVALID_OBJECT;
}

jvmtiError jvmti_decode_group(struct os_thread *self, jobject handle, bool null_ok, struct object **out) {
    REQUIRES(IN_VM);
    *out = NULL;
    if (handle == NULL && null_ok) return JVMTI_ERROR_NONE;
    *out = instance_of(self, handle, CLASS(java_lang_ThreadGroup));
    return *out ? JVMTI_ERROR_NONE : JVMTI_ERROR_INVALID_THREAD_GROUP;
}

jvmtiError jvmti_decode_loader(struct os_thread *self, jobject handle, bool null_ok, struct object **out) {
    REQUIRES(IN_VM);
    *out = NULL;
    if (handle == NULL && null_ok) return JVMTI_ERROR_NONE;
    *out = instance_of(self, handle, CLASS(java_lang_ClassLoader));
    return *out ? JVMTI_ERROR_NONE : JVMTI_ERROR_ILLEGAL_ARGUMENT;
}

jvmtiError jvmti_decode_module(struct os_thread *self, jobject handle, bool null_ok, struct object **out) {
    REQUIRES(IN_VM);
    *out = NULL;
    if (handle == NULL && null_ok) return JVMTI_ERROR_NONE;
    *out = instance_of(self, handle, CLASS(java_lang_Module));
    return *out ? JVMTI_ERROR_NONE : JVMTI_ERROR_INVALID_MODULE;
}

jvmtiError jvmti_decode_class(struct os_thread *self, jclass handle, bool null_ok, struct class **out) {
    REQUIRES(IN_VM);
    *out = NULL;
    if (handle == NULL && null_ok) return JVMTI_ERROR_NONE;
    struct object *mirror = instance_of(self, handle, CLASS(java_lang_Class));
    if (mirror) *out = class_of_mirror(mirror);
    return *out ? JVMTI_ERROR_NONE : JVMTI_ERROR_INVALID_CLASS;
}

jvmtiError jvmti_decode_method(struct os_thread *self, jmethodID id, bool native_ok, struct method **out) {
    REQUIRES(IN_VM);
    (void)self;
    *out = id ? method_of_id(id) : NULL;
    if (*out == NULL) return JVMTI_ERROR_INVALID_METHODID;
    return !native_ok && ((*out)->access_flags & ACC_NATIVE) ? JVMTI_ERROR_NATIVE_METHOD : JVMTI_ERROR_NONE;
}

jvmtiError jvmti_decode_field(struct os_thread *self, struct class *c, jfieldID id, struct field **out) {
    REQUIRES(IN_VM);
    (void)self;
    if (class_is_primitive(c)) return JVMTI_ERROR_INVALID_CLASS;
    *out = id ? field_of_id(id) : NULL;
    return *out && class_is_subtype(c, (*out)->holder) ? JVMTI_ERROR_NONE : JVMTI_ERROR_INVALID_FIELDID;
}

jvmtiError jvmti_decode_monitor(struct os_thread *self, jrawMonitorID id, struct raw_monitor **out) {
    (void)self;
    *out = raw_monitor_of_id(RAW_MONITOR_JVMTI, id);
    return *out ? JVMTI_ERROR_NONE : JVMTI_ERROR_INVALID_MONITOR;
}
