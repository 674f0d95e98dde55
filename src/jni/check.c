/* -Xcheck:jni: what a call does to the thread's state, and its arguments one by one, by their kinds. */
#include <stdio.h>
#include <stdlib.h>

#include "base/options.h"
#include "base/utf8.h"
#include "classfile/descriptor.h"
#include "jni/watch.h"

enum severity { PLAIN, WARNING, FATAL };

static const struct { const char *text; enum severity severity; } messages[] = {
#define CHECK_MESSAGE(id, severity, text) { text, severity },
#include "jni/check_messages.def"
#undef CHECK_MESSAGE
};

/* HotSpot's: how many local references a frame may have unless EnsureLocalCapacity or PushLocalFrame asked for more. */
enum { USUAL_CAPACITY = 32 };

/* ---- reporting --------------------------------------------------------------------------------------------------- */

static void put_message(FILE *out, const char *text, const char *function, const char *other) {
    for (; *text; text++) {
        if (text[0] == '%' && text[1] == '1') fputs(function, out), text++;
        else if (text[0] == '%' && text[1] == '2') fputs(other ? other : "?", out), text++;
        else fputc(*text, out);
    }
    fputc('\n', out);
}

static void put_argument(FILE *out, const struct jni_call *call, int k) {
    const union jni_argument *a = &call->arguments[k];
    /* the environment is the first one */
    fprintf(out, ", argument %d (%s)", k + 2, call->function->parameters[k].name);
    switch (call->function->parameters[k].kind) {
    case KIND_I: case KIND_CAPACITY: case KIND_MODE: fprintf(out, " = %d", a->i); break;
    case KIND_J: fprintf(out, " = %" PRId64, (int64_t)a->j); break;
    case KIND_LIST: case KIND_DOTS: break;
    default: fprintf(out, " = %p", a->p); break;
    }
}

void jni_check_report(struct os_thread *self, const struct jni_call *call, enum check_message message, int parameter,
                      const char *other, const char *detail, ...) {
    static const char *const prefixes[] = { "", "WARNING in native method: ", "FATAL ERROR in native method: " };
    enum severity severity = messages[message].severity;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (out) {
        fputs(prefixes[severity], out);
        put_message(out, messages[message].text, call->function->name, other);
        fprintf(out, "\tin %s", call->function->name);
        if (parameter >= 0) put_argument(out, call, parameter);
        if (detail) {
            va_list ap;
            va_start(ap, detail);
            fputs(": ", out);
            vfprintf(out, detail, ap);
            va_end(ap);
        }
        fputc('\n', out);
        fclose(out);
        vm_print(false, "%s", text);
        free(text);                      /* not mem_free: stdio's */
    }
    if (self) jni_print_stack(self);
    if (severity == FATAL) jni_abort();
}

/* ---- references -------------------------------------------------------------------------------------------------- */

bool jni_reference_is_good(struct os_thread *self, jobject h, struct object **o) {
    REQUIRES(IN_VM);
    jobjectRefType type = handle_type(self, h);
    if (type == JNIInvalidRefType) {
        /* The class argument of a static native method is the address of the class's own slot. */
        if (self->java == NULL) return false;
        struct frame_cursor c = frame_first(self->java);
        while (cursor_valid(&c) && !(cursor_is_native(&c) && h == (jobject)&cursor_method(&c)->holder->mirror))
            frame_next(&c);
        if (!cursor_valid(&c)) return false;
    }
    *o = handle_get(h);
    return heap_is_object(*o) || (type == JNIWeakGlobalRefType && *o == NULL);
}

/* What the handle is, for the detail of a report. */
static const char *handle_fault(jobject h) {
    switch ((uintptr_t)h & HANDLE_KIND_MASK) {
    case HANDLE_LOCAL: return "no local reference of this thread, or deleted";
    case HANDLE_GLOBAL: return "no global reference, or deleted";
    case HANDLE_WEAK: return "no weak global reference, or deleted";
    default: return "no reference";
    }
}

/* The object of an argument that must be one. Does not return when it is none. */
static struct object *good_object(struct os_thread *self, const struct jni_call *call, int k, enum check_message null) {
    REQUIRES(IN_VM);
    jobject h = (jobject)call->arguments[k].p;
    struct object *o = NULL;
    if (!h) jni_check_report(self, call, null, k, NULL, NULL);
    else if (!jni_reference_is_good(self, h, &o))
        jni_check_report(self, call, CHECK_BAD_REFERENCE, k, NULL, "%s", handle_fault(h));
    else if (!o) jni_check_report(self, call, null, k, NULL, "a weak reference whose object is gone");
    return o;
}

static void check_any_reference(struct os_thread *self, const struct jni_call *call, int k) {
    REQUIRES(IN_VM);
    struct object *o;
    jobject h = (jobject)call->arguments[k].p;
    if (h && !jni_reference_is_good(self, h, &o))
        jni_check_report(self, call, CHECK_BAD_REFERENCE, k, NULL, "%s", handle_fault(h));
}

static void check_kind_of_reference(struct os_thread *self, const struct jni_call *call, int k, jobjectRefType type,
                                    enum check_message message) {
    REQUIRES(IN_VM);
    jobject h = (jobject)call->arguments[k].p;
    struct object *o;
    /* by the handle's kind */
    static const jobjectRefType types[] = { JNILocalRefType, JNIWeakGlobalRefType, JNIGlobalRefType };
    if (!h) return;
    if (!jni_reference_is_good(self, h, &o))
        jni_check_report(self, call, CHECK_BAD_REFERENCE, k, NULL, "%s", handle_fault(h));
    if (types[(uintptr_t)h & HANDLE_KIND_MASK] != type)
        jni_check_report(self, call, message, k, NULL, "a reference of another kind");
}

static struct class *good_class(struct os_thread *self, const struct jni_call *call, int k, bool primitive_allowed) {
    REQUIRES(IN_VM);
    jobject h = (jobject)call->arguments[k].p;
    struct object *o = NULL;
    if (!h || !jni_reference_is_good(self, h, &o))
        jni_check_report(self, call, CHECK_BAD_REFERENCE, k, NULL, "%s", h ? handle_fault(h) : "null");
    if (!o) jni_check_report(self, call, CHECK_NULL_CLASS, k, NULL, "a weak reference whose object is gone");
    if (shape_of(o)->kind != SHAPE_MIRROR) {
        char *name = class_external_name(class_of(o));
        jni_check_report(self, call, CHECK_NOT_A_CLASS, k, NULL, "an object of class %s", name ? name : "?");
    }
    struct class *c = class_of_mirror(o);
    if (class_is_primitive(c) && !primitive_allowed)
        jni_check_report(self, call, CHECK_NOT_A_CLASS, k, NULL, "the primitive type %s", c->name->bytes);
    return c;
}

static void check_instance(struct os_thread *self, const struct jni_call *call, int k, struct object *o,
                           struct class *of, enum check_message message) {
    REQUIRES(IN_VM);
    if (object_is_instance(o, of)) return;
    char *name = class_external_name(class_of(o));
    jni_check_report(self, call, message, k, NULL, "an object of class %s", name ? name : "?");
}

static void check_array(struct os_thread *self, const struct jni_call *call, int k) {
    REQUIRES(IN_VM);
    struct object *o = good_object(self, call, k, CHECK_NOT_AN_ARRAY);
    struct class *c = class_of(o);
    uint8_t kind = call->function->parameters[k].kind;
    char *name = class_external_name(c), *detail = mem_printf("an object of class %s", name ? name : "?");
    enum basic_type wanted = call->function->type ? basic_type_of_char(call->function->type) : T_VOID;
    enum check_message message;
    if (!class_is_array(c)) message = CHECK_NOT_AN_ARRAY;
    else if (kind == KIND_OBJECTS && c->shape.kind != SHAPE_REF_ARRAY) message = CHECK_NOT_OBJECTS;
    else if (kind == KIND_ELEMENTS_OF && c->shape.kind != SHAPE_PRIM_ARRAY) message = CHECK_NOT_PRIMITIVES;
    else if (kind == KIND_ELEMENTS_OF && wanted != T_VOID && c->component->basic_type != wanted)
        message = CHECK_ELEMENT_TYPE;
    else {
        mem_free(name);
        mem_free(detail);
        return;
    }
    jni_check_report(self, call, message, k, NULL, "%s", detail ? detail : "?");
}

/* ---- methods and fields ------------------------------------------------------------------------------------------ */

/* The class that a reference of that type has in the eyes of `loader`, if it is loaded: a check loads none. */
static struct class *class_of_type(struct loader *loader, const char *desc, size_t length) {
    size_t dimensions = 0;
    while (desc[dimensions] == '[') dimensions++;
    const char *element = desc + dimensions;
    struct class *c;
    if (*element == 'L') {
        struct symbol *name = symbol_lookup(element + 1, length - dimensions - 2);
        c = name ? class_find_loaded(loader, name) : NULL;
        symbol_release(name);
    } else {
        c = vm->link->primitive_arrays[basic_type_of_char(*element)];
        dimensions--;
    }
    while (c && dimensions--) c = atomic_load_explicit(&c->array_class, memory_order_acquire);
    return c;
}

/* One object that a Java method gets or a field is to hold. */
static void check_value(struct os_thread *self, const struct jni_call *call, int k, jobject h, struct class *holder,
                        const char *desc, size_t length) {
    REQUIRES(IN_VM);
    struct object *o;
    if (!h) return;
    if (!jni_reference_is_good(self, h, &o))
        jni_check_report(self, call, CHECK_BAD_REFERENCE, k, NULL, "%p passed as %.*s: %s", (void *)h, (int)length,
                         desc, handle_fault(h));
    struct class *wanted = o ? class_of_type(holder->loader, desc, length) : NULL;
    if (!wanted || object_is_instance(o, wanted)) return;
    char *name = class_external_name(class_of(o));
    jni_check_report(self, call, CHECK_VALUE_CLASS, k, NULL, "an object of class %s passed as %.*s", name ? name : "?",
                     (int)length, desc);
    mem_free(name);
}

/* The arguments that a Java method gets, in a list (of which a copy is read) or an array. */
static void check_arguments(struct os_thread *self, const struct jni_call *call, int k, const struct method *m) {
    REQUIRES(IN_VM);
    const jvalue *values = NULL;
    va_list list;
    if (call->function->parameters[k].kind == KIND_VALUES) {
        values = call->arguments[k].p;
        if (!values && m->desc->bytes[1] != ')')
            jni_check_report(self, call, CHECK_NULL_POINTER, k, NULL, "the method has parameters");
    } else {
        va_copy(list, ((struct jni_list *)(uintptr_t)call->arguments[k].p)->list);
    }
    struct desc_type t;
    for (struct desc_iter it = desc_begin(m->desc->bytes, m->desc->length); desc_next(&it, &t);) {
        if (t.kind == 'L' || t.kind == '[')
            check_value(self, call, k, values ? values->l : va_arg(list, jobject), m->holder, t.text, t.len);
        else if (values) {}
        else if (t.kind == 'J') (void)va_arg(list, jlong);
        else if (t.kind == 'F' || t.kind == 'D') (void)va_arg(list, jdouble);
        else (void)va_arg(list, jint);
        if (values) values++;
    }
    if (call->function->parameters[k].kind != KIND_VALUES) va_end(list);
}

static bool is_reference(enum basic_type t) { return t == T_OBJECT || t == T_ARRAY; }

static const struct method *check_method(struct os_thread *self, const struct jni_call *call, int k,
                                         struct object *receiver, struct class *c) {
    REQUIRES(IN_VM);
    const struct jni_function *f = call->function;
    const struct method *m = method_of_id((jmethodID)(uintptr_t)call->arguments[k].p);
    if (!m) jni_check_report(self, call, CHECK_WRONG_METHOD, k, NULL, "no method ID, or its class is gone");
    char *text = jni_method_text(m->holder, m->name->bytes, m->desc->bytes);
    const char *what = text ? text : m->name->bytes;
    bool of_class = !c || class_is_subtype(c, m->holder),
         of_object = !receiver || object_is_instance(receiver, m->holder);
    if (!of_class || !of_object)
        jni_check_report(self, call, CHECK_WRONG_METHOD, k, NULL, "'%s' is no method of this %s", what,
                         of_class ? "object" : "class");
    bool is_static = (m->access_flags & ACC_STATIC) != 0;
    if (f->traits & TRAIT_RUNS && is_static != ((f->traits & TRAIT_STATIC) != 0))
        jni_check_report(self, call, is_static ? CHECK_STATIC_METHOD : CHECK_INSTANCE_METHOD, k, NULL, "'%s'", what);
    if (strncmp(f->name, "NewObject", 9) == 0 && !(m->flags & METHOD_INIT))
        jni_check_report(self, call, CHECK_WRONG_METHOD, k, NULL, "'%s' is no constructor", what);
    enum basic_type wanted = f->type ? basic_type_of_char(f->type) : T_VOID;
    bool fits = is_reference(wanted) ? is_reference(m->return_type) : m->return_type == wanted;
    if (f->traits & TRAIT_RUNS && !fits) jni_check_report(self, call, CHECK_RESULT_TYPE, k, NULL, "'%s'", what);
    mem_free(text);
    return m;
}

static const struct field *check_field(struct os_thread *self, const struct jni_call *call, int k, struct object *o,
                                       struct class *c) {
    REQUIRES(IN_VM);
    const struct field *f = field_of_id((jfieldID)(uintptr_t)call->arguments[k].p);
    bool wants_static = c != NULL && o == NULL && call->function->traits & TRAIT_STATIC;
    if (!f)
        jni_check_report(self, call, wants_static ? CHECK_WRONG_STATIC_FIELD : CHECK_WRONG_FIELD, k, NULL,
                         "no field ID, or its class is gone");
    char *holder = class_external_name(f->holder),
         *text = mem_printf("%s.%s of type %s", holder ? holder : "?", f->name->bytes, f->desc->bytes);
    const char *what = text ? text : f->name->bytes;
    bool is_static = (f->access_flags & ACC_STATIC) != 0;
    enum basic_type wanted = call->function->type ? basic_type_of_char(call->function->type) : T_VOID;
    if (wanted != T_VOID && is_static && !wants_static)
        jni_check_report(self, call, CHECK_STATIC_FIELD, k, NULL, "%s", what);
    if (wants_static && !is_static) jni_check_report(self, call, CHECK_INSTANCE_FIELD, k, NULL, "%s", what);
    if (o && !object_is_instance(o, f->holder))
        jni_check_report(self, call, CHECK_WRONG_FIELD, k, NULL, "%s is no field of this object", what);
    if (c && !class_is_subtype(c, f->holder))
        jni_check_report(self, call, CHECK_WRONG_STATIC_FIELD, k, NULL, "%s is no field of this class", what);
    bool fits = is_reference(wanted) ? is_reference(f->type) : f->type == wanted;
    if (wanted != T_VOID && !fits)
        jni_check_report(self, call, is_static ? CHECK_STATIC_FIELD_TYPE : CHECK_FIELD_TYPE, k, NULL, "%s", what);
    mem_free(holder);
    mem_free(text);
    return f;
}

/* ---- the rest ---------------------------------------------------------------------------------------------------- */

static void check_text(struct os_thread *self, const struct jni_call *call, int k) {
    REQUIRES(IN_VM);
    const char *s = call->arguments[k].p;
    uint8_t kind = call->function->parameters[k].kind;
    if (!s) {
        if (kind == KIND_NAME) jni_check_report(self, call, CHECK_NULL_POINTER, k, NULL, NULL);
        return;
    }
    size_t n = strlen(s);
    if (!utf8_valid(s, n))
        jni_check_report(self, call, kind == KIND_CLASS_NAME ? CHECK_CLASS_NAME_UTF8 : CHECK_BAD_UTF8, k, s, NULL);
    else if (kind == KIND_CLASS_NAME && n >= 2 && s[0] == 'L' && s[n - 1] == ';')
        jni_check_report(self, call, CHECK_BAD_CLASS_NAME, k, s, NULL);
}

/* A pointer to as many things as the parameter `length` says; NULL is good for none. */
static void check_memory(struct os_thread *self, const struct jni_call *call, int k) {
    REQUIRES(IN_VM);
    const struct jni_function *f = call->function;
    uint8_t kind = f->parameters[k].kind;
    bool needed = kind == KIND_OUT || kind == KIND_MEMORY;
    if (call->arguments[k].p || strcmp(f->parameters[k].name, "is_copy") == 0) return;
    for (int i = 0; i < f->count; i++)
        if (strcmp(f->parameters[i].name, "length") == 0 || strcmp(f->parameters[i].name, "count") == 0)
            needed = call->arguments[i].i > 0;
    if (needed) jni_check_report(self, call, CHECK_NULL_POINTER, k, NULL, NULL);
}

static void check_throwable(struct os_thread *self, const struct jni_call *call, int k) {
    REQUIRES(IN_VM);
    if (!call->arguments[k].p) {
        jni_check_report(self, call, CHECK_NULL_THROWABLE, k, vm->library == LIBRARY_17 ? "NULL" : "null", NULL);
        return;
    }
    check_instance(self, call, k, good_object(self, call, k, CHECK_NULL_OBJECT), known_class(java_lang_Throwable),
                   CHECK_NOT_THROWABLE);
}

static void check_reflected(struct os_thread *self, const struct jni_call *call, int k) {
    REQUIRES(IN_VM);
    struct object *o = good_object(self, call, k, CHECK_NULL_OBJECT);
    bool member = call->function->parameters[k].kind == KIND_MEMBER;
    struct class *field = class_find_boot(self, "java/lang/reflect/Field"),
                 *executable = class_find_boot(self, "java/lang/reflect/Executable");
    struct class *wanted = member ? field : executable;
    if (wanted) check_instance(self, call, k, o, wanted, CHECK_NOT_REFLECTED);
}

static void check_capacity(struct os_thread *self, const struct jni_call *call, int k) {
    REQUIRES(IN_VM);
    if (call->arguments[k].i < 0) jni_check_report(self, call, CHECK_NEGATIVE_CAPACITY, k, NULL, NULL);
}

/* ---- a call ------------------------------------------------------------------------------------------------------ */

static void check_parameters(struct os_thread *self, struct jni_call *call) {
    REQUIRES(IN_VM);
    const struct jni_function *f = call->function;
    struct object *o = NULL;
    struct class *c = NULL;
    const struct method *m = NULL;
    const struct field *field = NULL;
    for (int k = 0; k < f->count; k++) {
        switch (f->parameters[k].kind) {
        case KIND_OBJECT: o = good_object(self, call, k, CHECK_NULL_OBJECT); break;
        case KIND_OBJECT_OR_NULL:
            check_any_reference(self, call, k);
            if (field)
                check_value(self, call, k, (jobject)call->arguments[k].p, field->holder, field->desc->bytes,
                            field->desc->length);
            break;
        case KIND_CLASS: c = good_class(self, call, k, false); break;
        case KIND_ANY_CLASS: c = good_class(self, call, k, true); break;
        case KIND_THROWABLE_CLASS:
            if (!class_is_subtype(good_class(self, call, k, false), known_class(java_lang_Throwable)))
                jni_check_report(self, call, CHECK_NOT_THROWABLE, k, NULL, NULL);
            break;
        case KIND_THROWABLE: check_throwable(self, call, k); break;
        case KIND_LOADER_OR_NULL:
            if (call->arguments[k].p)
                check_instance(self, call, k, good_object(self, call, k, CHECK_NULL_OBJECT),
                               known_class(java_lang_ClassLoader), CHECK_NOT_A_LOADER);
            break;
        case KIND_STRING:
            check_instance(self, call, k, good_object(self, call, k, CHECK_NOT_A_STRING), known_class(java_lang_String),
                           CHECK_NOT_A_STRING);
            break;
        case KIND_ARRAY: case KIND_OBJECTS: case KIND_ELEMENTS_OF: check_array(self, call, k); break;
        case KIND_EXECUTABLE: case KIND_MEMBER: check_reflected(self, call, k); break;
        case KIND_GLOBAL_OR_NULL: check_kind_of_reference(self, call, k, JNIGlobalRefType, CHECK_BAD_GLOBAL); break;
        case KIND_LOCAL_OR_NULL: check_kind_of_reference(self, call, k, JNILocalRefType, CHECK_BAD_LOCAL); break;
        case KIND_WEAK_OR_NULL: check_kind_of_reference(self, call, k, JNIWeakGlobalRefType, CHECK_BAD_WEAK); break;
        case KIND_METHOD: m = check_method(self, call, k, o, c); break;
        case KIND_FIELD: field = check_field(self, call, k, o, c); break;
        case KIND_NAME:
        case KIND_TEXT_OR_NULL:
        case KIND_CLASS_NAME:
        case KIND_CLASS_NAME_OR_NULL: check_text(self, call, k); break;
        case KIND_OUT:
        case KIND_OUT_OR_NULL:
        case KIND_MEMORY:
        case KIND_MEMORY_OR_NULL:
        case KIND_NATIVES: check_memory(self, call, k); break;
        case KIND_LIST: case KIND_DOTS: case KIND_VALUES: check_arguments(self, call, k, m); break;
        case KIND_CAPACITY: check_capacity(self, call, k); break;
        case KIND_LENT: lent_give_back(self, call, k); break;
        default: break;
        }
    }
}

/* Pending exceptions, critical regions: what must not be when this function is called. */
static void check_state(struct os_thread *self, const struct jni_call *call) {
    REQUIRES(IN_VM);
    uint8_t traits = call->function->traits;
    struct handle_block *frame = handle_frame(self, true);
    if (self->critical && !(traits & TRAIT_IN_CRITICAL))
        jni_check_report(self, call, CHECK_IN_CRITICAL, -1, NULL, NULL);
    if (!(traits & TRAIT_ALWAYS)) {
        if (self->exception) {
            char *name = class_external_name(class_of(self->exception));
            jni_check_report(self, call, CHECK_EXCEPTION_PENDING, -1, NULL, "%s is pending", name ? name : "?");
            mem_free(name);
        }
        if (frame && frame->unchecked)
            jni_check_report(self, call, CHECK_UNCHECKED_EXCEPTION, -1, frame->unchecked, NULL);
    }
    if (frame && (traits & TRAIT_ASKS || !(traits & TRAIT_ALWAYS))) frame->unchecked = NULL;   /* complain once */
}

void jni_check_enter(struct jni_call *call) {
    struct os_thread *current = current_thread();
    if (!current) jni_check_report(NULL, call, CHECK_NO_THREAD, -1, NULL, NULL);
    NATIVE_ENTRY(thread_env(current));
    if (call->env != thread_env(self))
        jni_check_report(self, call, CHECK_WRONG_THREAD, -1, NULL, "environment %p, the thread's is %p",
                         (void *)call->env, (void *)thread_env(self));
    if (!self->handles) handle_frame_push(self, 0, false);     /* an attached thread before its first reference */
    check_state(self, call);
    struct object *pending = self->exception;                  /* the checks look classes up and leave nothing behind */
    self->exception = NULL;
    check_parameters(self, call);
    self->exception = pending;
}

static void check_local_references(struct os_thread *self, const struct jni_call *call) {
    REQUIRES(IN_VM);
    struct handle_block *frame = handle_frame(self, false);
    uint32_t live = handle_frame_count(self), planned = frame && frame->planned ? frame->planned : USUAL_CAPACITY;
    if (!frame || live <= planned) return;
    char counts[64];
    snprintf(counts, sizeof counts, "%u, exceeds capacity: %u", live, planned);
    jni_check_report(self, call, CHECK_LOCAL_CAPACITY, -1, counts, NULL);
    frame->planned = live + USUAL_CAPACITY;                    /* complain once */
}

void jni_check_leave(struct jni_call *call) {
    NATIVE_ENTRY(call->env);
    const struct jni_function *f = call->function;
    struct handle_block *native = handle_frame(self, true), *frame = handle_frame(self, false);
    bool lends = (f->result == KIND_LENT || (f->count == 2 && strcmp(f->parameters[1].name, "is_copy") == 0)) &&
                 call->result.p;
    if (lends) lent_take(self, call);
    lent_forget(call);
    if (f->count == 1 && f->parameters[0].kind == KIND_CAPACITY && call->result.i == JNI_OK && frame)
        frame->planned = (uint32_t)call->arguments[0].i + handle_frame_count(self) + USUAL_CAPACITY;
    if (f->traits & TRAIT_RUNS && native) native->unchecked = f->name;
    check_local_references(self, call);
}
