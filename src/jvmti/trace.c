/* trace.c: -Xlog:jvmti=trace: calls with decoded arguments, result and time; events with decoded arguments and their
 * callback's time. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/os.h"
#include "jvmti/cost.h"
#include "jvmti_gen.h"
#include "probe/probe.h"

/* ---- values ------------------------------------------------------------------------------------------------------ */

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

static void print_slot(FILE *out, const struct jvmti_slot *slot) {
    struct object *o = (struct object *)(uintptr_t)slot->value;
    float single;
    uint32_t low = (uint32_t)slot->value;
    memcpy(&single, &low, sizeof single);
    switch (slot->type) {
    case T_VOID: fprintf(out, "void"); return;
    case T_FLOAT: fprintf(out, "%g", (double)single); return;
    case T_DOUBLE: print_real(out, slot->value); return;
    case T_LONG: fprintf(out, "%" PRId64, (int64_t)slot->value); return;
    case T_OBJECT: case T_ARRAY:
        if (o != NULL) print_object(out, o);
        else fprintf(out, "null");
        return;
    default: fprintf(out, "%d", (int)low); return;
    }
}

/* Handles and ids are looked behind only with self, which is IN_VM; results only when the call succeeded. */
static void print_value(FILE *out, struct os_thread *self, enum jvmti_param_kind kind, uint64_t v, bool ok) {
    void *p = (void *)(uintptr_t)v;
    switch (kind) {
    case JVMTI_KIND_OF_THREAD: case JVMTI_KIND_OF_GROUP: case JVMTI_KIND_OF_OBJECT: case JVMTI_KIND_OF_LOADER:
    case JVMTI_KIND_OF_MODULE: case JVMTI_KIND_OF_CLASS: {
        struct object *o = self && p ? jvmti_object_of(self, p) : NULL;
        if (o) print_object(out, o);
        else fprintf(out, p ? "%p" : "null", p);
        return;
    }
    case JVMTI_KIND_OF_METHOD: {
        struct method *m = self && p ? method_of_id(p) : NULL;
        if (m) fprintf(out, "%s.%s%s", m->holder->name->bytes, m->name->bytes, m->desc->bytes);
        else fprintf(out, "%p", p);
        return;
    }
    case JVMTI_KIND_OF_FIELD: {
        struct field *f = self && p ? field_of_id(p) : NULL;
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
    case JVMTI_KIND_OF_CHAR: fprintf(out, "%c", (int)v); return;
    case JVMTI_KIND_OF_SLOT: print_slot(out, p); return;
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

/* ---- calls ------------------------------------------------------------------------------------------------------- */

/* "[environment] Name(parameter value, ...)" */
static void print_head(FILE *out, const struct jvmti_env *env, const char *what, const char *name) {
    fprintf(out, "[%d] %s%s", env ? env->index : -1, what, name);
}

static void print_values(FILE *out, struct os_thread *self, const struct jvmti_param_row *params, unsigned count,
                         const uint64_t *values, bool ok) {
    fprintf(out, "(");
    for (unsigned i = 0; i < count; i++) {
        fprintf(out, i ? ", %s " : "%s ", params[i].name);
        print_value(out, self, params[i].kind, values[i], ok);
    }
    fprintf(out, ")");
}

static double microseconds_since(int64_t start) { return (double)(os_nanotime() - start) / 1e3; }

void jvmti_trace_call(struct jvmti_call *call, jvmtiError err, const uint64_t *values) {
    double microseconds = microseconds_since(call->start);
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL) return;
    print_head(out, call->env, "", call->row->name);
    print_values(out, call->entered ? call->self : NULL, call->row->params, call->row->param_count, values,
                 err == JVMTI_ERROR_NONE);
    const char *name = jvmti_error_name(err);
    fprintf(out, " = %s, %.1f us", name ? name + strlen("JVMTI_ERROR_") : "?", microseconds);
    if (fclose(out) == 0) log_trace(jvmti, "%s", text);
    free(text);
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

int64_t jvmti_log_event(const struct jvmti_env *env, struct os_thread *self, jvmtiEvent event, const uint64_t *values) {
    const struct jvmti_event_row *row = &jvmti_event_rows[event - JVMTI_EVENT_FIRST];
    log_debug(jvmti_event, "%s to environment %d", row->name, env->index);
    if (!log_enabled(LOG_jvmti, LOG_TRACE)) return jvmti_env_is_measured(env) ? os_nanotime() : 0;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL) return 0;
    print_head(out, env, "event ", row->name);
    print_values(out, self, row->params, row->param_count, values, true);
    if (fclose(out) == 0) log_trace(jvmti, "%s", text);
    free(text);
    return os_nanotime();
}

void jvmti_trace_event_end(const struct jvmti_env *env, jvmtiEvent event, int64_t start) {
    jvmti_cost_of_event(env, event, start, os_nanotime());
    log_trace(jvmti, "[%d] event %s: %.1f us", env->index, jvmti_event_rows[event - JVMTI_EVENT_FIRST].name,
              microseconds_since(start));
}
