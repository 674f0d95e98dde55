/* java_lang_Throwable.c — stack traces: recording, StackTraceElement, helpful NullPointerException messages. */
#include "base/options.h"
#include "exec/backtrace.h"
#include "jdk/jvm.h"
#include "jdk/stack_snapshot.h"

JVM void JVM_FillInStackTrace(JNIEnv *env, jobject receiver);
JVM void JVM_FillInStackTrace(JNIEnv *env, jobject receiver) {
    NATIVE_ENTRY(env);
    backtrace_fill(self, handle_get(receiver));
}

static struct object *intern_text(struct os_thread *self, struct symbol *s, bool dots) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct object *string = s ? string_from_symbol(self, s, dots) : NULL;
    return string ? string_intern(self, string) : NULL;
}

/* Fills a StackTraceElement; false: exception pending. */
static bool fill_element(struct os_thread *self, struct object *element, struct method *m, struct method_code *code,
                         int32_t bci) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *c = m->holder;
    heap_store_ref(element, known_offset(StackTraceElement_declaringClassObject), c->mirror);
    char *name = class_external_name(c);
    struct object *s = name ? string_from_cstr(self, name) : NULL;
    mem_free(name);
    if (s == NULL || (s = string_intern(self, s)) == NULL) return false;
    heap_store_ref(element, known_offset(StackTraceElement_declaringClass), s);
    if (c->loader->object != NULL)
        heap_store_ref(element, known_offset(StackTraceElement_classLoaderName),
                       heap_load_ref(c->loader->object, known_offset(ClassLoader_name)));
    if ((s = intern_text(self, m->name, false)) == NULL) return false;
    heap_store_ref(element, known_offset(StackTraceElement_methodName), s);
    if (c->module != NULL && c->module->name != NULL) {
        if ((s = intern_text(self, c->module->name, false)) == NULL) return false;
        heap_store_ref(element, known_offset(StackTraceElement_moduleName), s);
        if (c->module->version != NULL) {
            if ((s = intern_text(self, c->module->version, false)) == NULL) return false;
            heap_store_ref(element, known_offset(StackTraceElement_moduleVersion), s);
        }
    }
    struct symbol *file = method_source_file(code);
    if (file != NULL) {
        if ((s = intern_text(self, file, false)) == NULL) return false;
        heap_store_ref(element, known_offset(StackTraceElement_fileName), s);
    }
    field_store(element, known_offset(StackTraceElement_lineNumber), T_INT, (uint32_t)method_line_number(code, bci));
    return true;
}

/* backtrace may be NULL: there are no frames. */
static void fill_elements(struct os_thread *self, struct object *elements, struct object *backtrace) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    int32_t n = backtrace != NULL ? backtrace_depth(backtrace) : 0;
    if (n != array_length(elements)) {
        throw_new(self, "java/lang/IndexOutOfBoundsException");
        return;
    }
    for (int32_t i = 0; i < n; i++) {
        struct backtrace_element e;
        if (backtrace_at(backtrace, i, &e) && !fill_element(self, heap_array_get(elements, i), e.method, e.code, e.bci))
            return;
    }
}

/* 17: (elements, throwable); 25: (elements, backtrace, depth). */
JVM void JVM_InitStackTraceElementArray(JNIEnv *env, jobjectArray elements, jobject source, jint depth);
JVM void JVM_InitStackTraceElementArray(JNIEnv *env, jobjectArray elements, jobject source, jint depth) {
    NATIVE_ENTRY(env);
    (void)depth;
    struct object *from = handle_get(source), *array = handle_get(elements);
    if (from == NULL || array == NULL) {
        throw_new(self, "java/lang/NullPointerException");
        return;
    }
    if (vm->library == LIBRARY_17) from = heap_load_ref(from, known_offset(Throwable_backtrace));
    fill_elements(self, array, from);
}

/* From a StackFrameInfo that a stack walk has filled. */
JVM void JVM_InitStackTraceElement(JNIEnv *env, jobject element, jobject frame_info);
JVM void JVM_InitStackTraceElement(JNIEnv *env, jobject element, jobject frame_info) {
    NATIVE_ENTRY(env);
    struct object *info = handle_get(frame_info), *e = handle_get(element);
    struct object *resolved;
    if (vm->library == LIBRARY_17) {
        struct object *member = heap_load_ref(info, known_offset(StackFrameInfo_memberName));
        resolved = member ? heap_load_ref(member, known_offset(MemberName_method)) : NULL;
    } else {
        resolved = heap_load_ref(info, known_offset(ClassFrameInfo_classOrMemberName));
    }
    struct method *m = resolved && class_of(resolved) == known_class(java_lang_invoke_ResolvedMethodName)
                           ? (struct method *)(uintptr_t)field_load(resolved, known_offset(ResolvedMethodName_vmtarget),
                                                                    T_LONG)
                           : NULL;
    if (m == NULL) {
        throw_message(self, "java/lang/InternalError", "stack frame without a method");
        return;
    }
    fill_element(self, e, m, atomic_load(&m->code), (int32_t)field_load(info, known_offset(StackFrameInfo_bci), T_INT));
}

JVM jstring JVM_GetExtendedNPEMessage(JNIEnv *env, jthrowable throwable);
JVM jstring JVM_GetExtendedNPEMessage(JNIEnv *env, jthrowable throwable) {
    NATIVE_ENTRY(env);
    if (!vm->options->flags.ShowCodeDetailsInExceptionMessages) return NULL;
    struct object *backtrace = heap_load_ref(handle_get(throwable), known_offset(Throwable_backtrace));
    struct backtrace_element e;
    if (backtrace == NULL || backtrace_depth(backtrace) == 0 || backtrace_hides_top(backtrace)) return NULL;
    if (!backtrace_at(backtrace, 0, &e) || e.bci < 0) return NULL;
    char *text = npe_message(e.code, e.bci);
    struct object *s = text ? string_from_cstr(self, text) : NULL;
    mem_free(text);
    return handle_local(self, s);
}

struct object *stack_snapshot_elements(struct os_thread *self, const struct stack_snapshot *s) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *c = known_class(java_lang_StackTraceElement);
    if (!class_ensure_initialized(self, c)) return NULL;
    int32_t n = (int32_t)s->frames.count;
    struct object *array = new_ref_array(self, c, n);
    for (int32_t i = 0; array != NULL && i < n; i++) {
        const struct backtrace_element *f = &s->frames.data[i];
        struct object *e = heap_alloc_instance(self, &c->shape);
        if (e == NULL || !fill_element(self, e, f->method, f->code, f->bci)) return NULL;
        heap_array_set(array, i, e);
    }
    return array;
}
