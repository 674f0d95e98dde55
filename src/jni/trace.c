/* -Xlog:jni=trace: every JNI call with its arguments, and what it returned. */
#include <stdio.h>
#include <stdlib.h>

#include "classfile/descriptor.h"
#include "jni/watch.h"

enum { TEXT_SHOWN = 60 };                /* bytes of a string that are printed                                     */

/* "local 0x7f... java.lang.String"; a class by its own name. */
static void put_reference(FILE *out, struct os_thread *self, jobject h) {
    static const char *const kinds[] = { "local", "weak", "global", "invalid" };
    struct object *o = NULL;
    if (!h) { fputs("null", out); return; }
    if (!self || !jni_reference_is_good(self, h, &o)) { fprintf(out, "invalid %p", (void *)h); return; }
    fprintf(out, "%s %p ", kinds[(uintptr_t)h & HANDLE_KIND_MASK], (void *)h);
    if (!o) { fputs("cleared", out); return; }
    bool mirror = shape_of(o)->kind == SHAPE_MIRROR;
    char *name = class_external_name(mirror ? class_of_mirror(o) : class_of(o));
    fprintf(out, "%s%s", mirror ? "class " : "", name ? name : "?");
    mem_free(name);
}

static void put_text(FILE *out, const char *s) {
    if (!s) { fputs("null", out); return; }
    fputc('"', out);
    for (size_t i = 0; s[i] && i < TEXT_SHOWN; i++) {
        unsigned char c = (unsigned char)s[i];
        if (c >= ' ' && c < 0x7f && c != '"') fputc(c, out);
        else fprintf(out, "\\x%02x", c);
    }
    fputs(strlen(s) > TEXT_SHOWN ? "\"..." : "\"", out);
}

static void put_method(FILE *out, jmethodID id) {
    const struct method *m = method_of_id(id);
    char *text = m ? jni_method_text(m->holder, m->name->bytes, m->desc->bytes) : NULL;
    if (text) fprintf(out, "'%s'", text);
    else fprintf(out, "%s%p", m ? "" : "invalid ", (void *)id);
    mem_free(text);
}

static void put_field(FILE *out, jfieldID id) {
    const struct field *f = field_of_id(id);
    if (!f) { fprintf(out, "invalid %p", (void *)id); return; }
    char *holder = class_external_name(f->holder);
    fprintf(out, "%s.%s:%s", holder ? holder : "?", f->name->bytes, f->desc->bytes);
    mem_free(holder);
}

static void put_typed(FILE *out, struct os_thread *self, char type, const jvalue *v) {
    switch (type) {
    case 'Z': fputs(v->z ? "true" : "false", out); break;
    case 'B': fprintf(out, "%d", v->b); break;
    case 'C': fprintf(out, "%d", v->c); break;
    case 'S': fprintf(out, "%d", v->s); break;
    case 'I': fprintf(out, "%d", v->i); break;
    case 'J': fprintf(out, "%" PRId64, (int64_t)v->j); break;
    case 'F': fprintf(out, "%g", (double)v->f); break;
    case 'D': fprintf(out, "%g", v->d); break;
    default: put_reference(out, self, v->l); break;
    }
}

/* The arguments for a Java method: as many as its descriptor says. */
static void put_arguments(FILE *out, struct os_thread *self, const struct jni_call *call, int k) {
    const jvalue *values = call->function->parameters[k].kind == KIND_VALUES ? call->arguments[k].p : NULL;
    bool listed = call->function->parameters[k].kind != KIND_VALUES;
    const struct method *m = k ? method_of_id((jmethodID)(uintptr_t)call->arguments[k - 1].p) : NULL;
    if (!m || (!listed && !values)) { fputs("?", out); return; }
    va_list list;
    if (listed) va_copy(list, ((struct jni_list *)(uintptr_t)call->arguments[k].p)->list);
    fputc('(', out);
    struct desc_type t;
    const char *separator = "";
    for (struct desc_iter it = desc_begin(m->desc->bytes, m->desc->length); desc_next(&it, &t); separator = ", ") {
        jvalue v;
        if (!listed) v = *values++;
        else if (t.kind == 'J') v.j = va_arg(list, jlong);
        else if (t.kind == 'D') v.d = va_arg(list, jdouble);
        else if (t.kind == 'F') v.f = (jfloat)va_arg(list, jdouble);
        else if (t.kind == 'L' || t.kind == '[') v.l = va_arg(list, jobject);
        else v.j = va_arg(list, jint);   /* the narrower ones are its low bytes */
        fputs(separator, out);
        put_typed(out, self, t.kind, &v);
    }
    fputc(')', out);
    if (listed) va_end(list);
}

static void put_value(FILE *out, struct os_thread *self, uint8_t kind, const union jni_argument *a) {
    switch (kind) {
    case KIND_VOID: break;
    case KIND_Z: case KIND_B: case KIND_C: case KIND_S: case KIND_I: case KIND_J: case KIND_F: case KIND_D: {
        static const char letters[] = "ZBCSIJFD";
        jvalue v;
        memcpy(&v, a, sizeof v);
        put_typed(out, self, letters[kind - KIND_Z], &v);
        break;
    }
    case KIND_CAPACITY: case KIND_MODE: fprintf(out, "%d", a->i); break;
    case KIND_METHOD: put_method(out, (jmethodID)(uintptr_t)a->p); break;
    case KIND_FIELD: put_field(out, (jfieldID)(uintptr_t)a->p); break;
    case KIND_NAME:
    case KIND_TEXT_OR_NULL:
    case KIND_CLASS_NAME:
    case KIND_CLASS_NAME_OR_NULL: put_text(out, a->p); break;
    case KIND_OUT:
    case KIND_OUT_OR_NULL:
    case KIND_MEMORY:
    case KIND_MEMORY_OR_NULL:
    case KIND_LENT:
    case KIND_ADDRESS:
    case KIND_NATIVES: fprintf(out, "%p", a->p); break;
    default: put_reference(out, self, (jobject)(uintptr_t)a->p); break;
    }
}

/* The record of the thread that calls; NULL: the environment is not its own. */
static struct os_thread *caller(const struct jni_call *call) {
    struct os_thread *current = current_thread();
    return current && thread_env(current) == call->env ? current : NULL;
}

static void put_call(FILE *out, struct os_thread *self, const struct jni_call *call) {
    const struct jni_function *f = call->function;
    fprintf(out, "%s(", f->name);
    for (int k = 0; k < f->count; k++) {
        fprintf(out, "%s%s=", k ? ", " : "", f->parameters[k].name);
        uint8_t kind = f->parameters[k].kind;
        if (kind == KIND_LIST || kind == KIND_DOTS || kind == KIND_VALUES) put_arguments(out, self, call, k);
        else put_value(out, self, kind, &call->arguments[k]);
    }
    fputc(')', out);
}

void jni_trace_enter(const struct jni_call *call) {
    char *text = NULL;
    size_t size;
    struct os_thread *self = caller(call);
    FILE *out = open_memstream(&text, &size);
    if (!out) return;
    if (self) {
        struct c_segment segment;
        thread_enter_vm(self, &segment);
        put_call(out, self, call);
        thread_exit_vm(self, &segment);
    } else {
        fprintf(out, "%s(environment %p is not this thread's)", call->function->name, (void *)call->env);
    }
    fclose(out);
    log_trace(jni, "%s", text);
    free(text);
}

void jni_trace_leave(const struct jni_call *call) {
    char *text = NULL;
    size_t size;
    struct os_thread *self = caller(call);
    FILE *out = self ? open_memstream(&text, &size) : NULL;
    if (!out) return;
    struct c_segment segment;
    thread_enter_vm(self, &segment);
    fprintf(out, "%s returns ", call->function->name);
    put_value(out, self, call->function->result, &call->result);
    if (self->exception) {
        char *name = class_external_name(class_of(self->exception));
        fprintf(out, " with %s pending", name ? name : "an exception");
        mem_free(name);
    }
    thread_exit_vm(self, &segment);
    fclose(out);
    log_trace(jni, "%s", text);
    free(text);
}
