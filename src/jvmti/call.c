/* call.c: the frame around every call: admission, decoding of parameters, tracing. */
#include "base/alloc.h"
#include "base/options.h"
#include "base/os.h"
#include "exec/frame.h"
#include "inspect/thread_info.h"
#include "jvmti_gen.h"
#include "link/module.h"
#include "thread/raw_monitor.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- admission ---------------------------------------------------------------------------------------------------- */

static jvmtiError admit(struct jvmti_call *call, jvmtiEnv *jvmti_env) {
    const struct jvmti_function_row *row = call->row;
    if (!jvmti_env_is_ours(jvmti_env)) return JVMTI_ERROR_INVALID_ENVIRONMENT;
    struct jvmti_env *env = (struct jvmti_env *)jvmti_env;
    if (env->magic != JVMTI_ENV_MAGIC || atomic_load(&env->disposed) || vm == NULL) return JVMTI_ERROR_INVALID_ENVIRONMENT;
    call->env = env;
    int phase = jvmti_phase(env);
    bool early = phase == PHASE_ONLOAD;
    if (!(row->phases >> phase & 1)) return JVMTI_ERROR_WRONG_PHASE;
    if (row->needs & ~atomic_load(&env->capabilities)) return JVMTI_ERROR_MUST_POSSESS_CAPABILITY;
    if (call->self == NULL) return !row->attached && (row->safe || early) ? JVMTI_ERROR_NONE : JVMTI_ERROR_UNATTACHED_THREAD;
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
    call->start = call->traced ? os_nanotime() : 0;
    jvmtiError err = admit(call, env);
    call->fails = err == JVMTI_ERROR_NONE && vm->options->flags.FailToolAllocation != 0;
    if (UNLIKELY(call->fails)) mem_fail_at((unsigned)vm->options->flags.FailToolAllocation);
    return err;
}

void jvmti_call_failed(struct jvmti_call *call) {
    (void)call;
    if (mem_fail_at(0) == 0) vm->options->flags.FailToolAllocation = 0;
}

/* ---- decoding --------------------------------------------------------------------------------------------------------- */

/* The jclass that a static native method was given: it stands in the class itself. */
static bool is_class_argument(const struct os_thread *self, jobject handle) {
    for (const struct frame *f = self->java ? self->java->frame : NULL; f; f = f->caller)
        if ((f->flags & FRAME_NATIVE) && (void *)&frame_method(f)->holder->mirror == (void *)handle) return true;
    return false;
}

/* The object of a handle that is one; NULL otherwise. */
struct object *jvmti_object_of(struct os_thread *self, jobject handle) {
    if (self == NULL || handle == NULL) return NULL;
    if (handle_type(self, handle) == JNIInvalidRefType && !is_class_argument(self, handle)) return NULL;
    return handle_get(handle);
}

/* Classes are known once the class library is loaded, which is after the OnLoad phase. */
#define CLASS(id) (vm->link ? known_class(id) : NULL)

static struct object *instance_of(struct os_thread *self, jobject handle, struct class *c) {
    struct object *o = jvmti_object_of(self, handle);
    return o && c && object_is_instance(o, c) ? o : NULL;
}

jvmtiError jvmti_decode_thread(struct os_thread *self, jthread handle, int flags, struct jvmti_thread *out) {
    out->object = NULL;
    out->java = NULL;
    if (handle == NULL) {
        if (flags & JVMTI_NULL_ALLOWED) return JVMTI_ERROR_NONE;
        if (!(flags & JVMTI_NULL_CURRENT)) return JVMTI_ERROR_INVALID_THREAD;
        out->java = self->java;
        out->object = out->java ? out->java->mirror : NULL;
        return out->object ? JVMTI_ERROR_NONE : JVMTI_ERROR_INVALID_THREAD;
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
    *out = NULL;
    if (handle == NULL && null_ok) return JVMTI_ERROR_NONE;
    *out = jvmti_object_of(self, handle);
    return *out ? JVMTI_ERROR_NONE : JVMTI_ERROR_INVALID_OBJECT;
}

jvmtiError jvmti_decode_group(struct os_thread *self, jobject handle, bool null_ok, struct object **out) {
    *out = NULL;
    if (handle == NULL && null_ok) return JVMTI_ERROR_NONE;
    *out = instance_of(self, handle, CLASS(java_lang_ThreadGroup));
    return *out ? JVMTI_ERROR_NONE : JVMTI_ERROR_INVALID_THREAD_GROUP;
}

jvmtiError jvmti_decode_loader(struct os_thread *self, jobject handle, bool null_ok, struct object **out) {
    *out = NULL;
    if (handle == NULL && null_ok) return JVMTI_ERROR_NONE;
    *out = instance_of(self, handle, CLASS(java_lang_ClassLoader));
    return *out ? JVMTI_ERROR_NONE : JVMTI_ERROR_ILLEGAL_ARGUMENT;
}

jvmtiError jvmti_decode_module(struct os_thread *self, jobject handle, bool null_ok, struct object **out) {
    *out = NULL;
    if (handle == NULL && null_ok) return JVMTI_ERROR_NONE;
    *out = instance_of(self, handle, CLASS(java_lang_Module));
    return *out ? JVMTI_ERROR_NONE : JVMTI_ERROR_INVALID_MODULE;
}

jvmtiError jvmti_decode_class(struct os_thread *self, jclass handle, bool null_ok, struct class **out) {
    *out = NULL;
    if (handle == NULL && null_ok) return JVMTI_ERROR_NONE;
    struct object *mirror = instance_of(self, handle, CLASS(java_lang_Class));
    if (mirror) *out = class_of_mirror(mirror);
    return *out ? JVMTI_ERROR_NONE : JVMTI_ERROR_INVALID_CLASS;
}

jvmtiError jvmti_decode_method(struct os_thread *self, jmethodID id, bool native_ok, struct method **out) {
    (void)self;
    *out = id ? method_of_id(id) : NULL;
    if (*out == NULL) return JVMTI_ERROR_INVALID_METHODID;
    return !native_ok && ((*out)->access_flags & ACC_NATIVE) ? JVMTI_ERROR_NATIVE_METHOD : JVMTI_ERROR_NONE;
}

jvmtiError jvmti_decode_field(struct os_thread *self, struct class *c, jfieldID id, struct field **out) {
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

/* ---- tracing ------------------------------------------------------------------------------------------------------------ */

uint64_t jvmti_trace_jfloat(jfloat value) { return jvmti_trace_jdouble(value); }

uint64_t jvmti_trace_jdouble(jdouble value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void print_class(FILE *out, const struct class *c) {
    char *name = class_external_name(c);
    fprintf(out, "%s", name ? name : "?");
    mem_free(name);
}

static void print_object(FILE *out, struct object *o) {
    if (class_of(o) == known_class(java_lang_Class)) {
        struct class *c = class_of_mirror(o);
        fprintf(out, "class ");
        if (c) print_class(out, c);
    } else {
        print_class(out, class_of(o));
        fprintf(out, "@%p", (void *)o);
    }
}

static void print_real(FILE *out, uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    fprintf(out, "%g", value);
}

/* Arguments are looked behind only when the call was admitted; results only when it succeeded. */
static void print_value(FILE *out, struct jvmti_call *call, enum jvmti_param_kind kind, uint64_t v, bool ok) {
    void *p = (void *)(uintptr_t)v;
    switch (kind) {
    case JVMTI_KIND_OF_THREAD: case JVMTI_KIND_OF_GROUP: case JVMTI_KIND_OF_OBJECT: case JVMTI_KIND_OF_LOADER:
    case JVMTI_KIND_OF_MODULE: case JVMTI_KIND_OF_CLASS: {
        struct object *o = call->entered && p ? jvmti_object_of(call->self, p) : NULL;
        if (o) print_object(out, o);
        else fprintf(out, p ? "%p" : "null", p);
        return;
    }
    case JVMTI_KIND_OF_METHOD: {
        struct method *m = call->entered && p ? method_of_id(p) : NULL;
        if (m) fprintf(out, "%s.%s%s", m->holder->name->bytes, m->name->bytes, m->desc->bytes);
        else fprintf(out, "%p", p);
        return;
    }
    case JVMTI_KIND_OF_FIELD: {
        struct field *f = call->entered && p ? field_of_id(p) : NULL;
        if (f) fprintf(out, "%s.%s", f->holder->name->bytes, f->name->bytes);
        else fprintf(out, "%p", p);
        return;
    }
    case JVMTI_KIND_OF_DEPTH: case JVMTI_KIND_OF_COUNT: case JVMTI_KIND_OF_ENUM: case JVMTI_KIND_OF_VALUE:
        fprintf(out, "%" PRId64, (int64_t)v);
        return;
    case JVMTI_KIND_OF_EVENT: {
        int64_t e = (int64_t)v;
        bool known = e >= JVMTI_EVENT_FIRST && e <= JVMTI_EVENT_LAST && jvmti_event_rows[e - JVMTI_EVENT_FIRST].name;
        if (known) fprintf(out, "%s", jvmti_event_rows[e - JVMTI_EVENT_FIRST].name);
        else fprintf(out, "%" PRId64, e);
        return;
    }
    case JVMTI_KIND_OF_REAL: print_real(out, v); return;
    case JVMTI_KIND_OF_STRING:
        if (ok && p) fprintf(out, "\"%s\"", (const char *)p);
        else fprintf(out, "%p", p);
        return;
    case JVMTI_KIND_OF_OUT_JINT:
        if (ok && p) fprintf(out, "-> %d", (int)*(jint *)p);
        else fprintf(out, "%p", p);
        return;
    case JVMTI_KIND_OF_OUT_JLONG:
        if (ok && p) fprintf(out, "-> %" PRId64, (int64_t)*(jlong *)p);
        else fprintf(out, "%p", p);
        return;
    case JVMTI_KIND_OF_OUT_JBOOLEAN:
        if (ok && p) fprintf(out, "-> %s", *(jboolean *)p ? "true" : "false");
        else fprintf(out, "%p", p);
        return;
    case JVMTI_KIND_OF_ALLOC_STRING:
        if (ok && p) fprintf(out, "-> \"%s\"", *(char **)p ? *(char **)p : "(null)");
        else fprintf(out, "%p", p);
        return;
    case JVMTI_KIND_OF_MONITOR: case JVMTI_KIND_OF_DATA: case JVMTI_KIND_OF_IN: case JVMTI_KIND_OF_OUT:
    case JVMTI_KIND_OF_ALLOC: case JVMTI_KIND_OF_FUNC:
        fprintf(out, "%p", p);
        return;
    }
}

void jvmti_trace_call(struct jvmti_call *call, jvmtiError err, const uint64_t *values) {
    int64_t nanos = os_nanotime() - call->start;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL) return;
    fprintf(out, "[%d] %s(", call->env ? call->env->index : -1, call->row->name);
    for (unsigned i = 0; i < call->row->param_count; i++) {
        fprintf(out, i ? ", %s " : "%s ", call->row->params[i].name);
        print_value(out, call, call->row->params[i].kind, values[i], err == JVMTI_ERROR_NONE);
    }
    const char *name = jvmti_error_name(err);
    fprintf(out, ") = %s, %.1f us", name ? name + strlen("JVMTI_ERROR_") : "?", (double)nanos / 1e3);
    if (fclose(out) == 0) log_trace(jvmti, "%s", text);
    free(text);
}
