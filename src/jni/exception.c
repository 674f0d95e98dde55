/* Exceptions: Throw, ThrowNew, ExceptionOccurred, ExceptionDescribe, ExceptionClear, ExceptionCheck, FatalError. */
#include <stdlib.h>
#include <unistd.h>

#include "base/options.h"
#include "jdk/frame_text.h"
#include "jni/jni_internal.h"

static bool is_throwable(struct os_thread *self, struct class *c, const char *function) {
    REQUIRES(IN_VM | MAY_STOP);
    if (class_is_subtype(c, known_class(java_lang_Throwable))) return true;
    char *name = class_external_name(c);
    throw_message(self, "java/lang/InternalError", "class %s passed to %s is no Throwable", name ? name : "?",
                  function);
    mem_free(name);
    return false;
}

jint JNICALL jni_Throw(JNIEnv *env, jthrowable h) {
    NATIVE_ENTRY(env);
    struct object *o = jni_object(self, h, JNI_NAME);
    PENDING_ASIDE(self);
    if (o && is_throwable(self, class_of(o), "Throw")) throw_object(self, o);
    return JNI_OK;
}

/* HotSpot makes one of an abstract class too. */
static struct object *new_throwable(struct os_thread *self, struct class *c, const char *desc, uint64_t *args) {
    REQUIRES(IN_VM | MAY_STOP);
    struct method *m = class_method_cstr(c, "<init>", desc);
    if (!m || m->holder != c) {
        char *name = class_external_name(c);
        throw_message(self, "java/lang/NoSuchMethodError", "%s: method 'void <init>(%s)' not found", name ? name : "?",
                      args[1] ? "java.lang.String" : "");
        mem_free(name);
        return NULL;
    }
    if (!class_ensure_initialized(self, c)) return NULL;
    struct object *o = heap_alloc_instance(self, &c->shape);
    args[0] = slot_ref(o);
    return o && java_call(self, m, args, NULL) ? o : NULL;
}

jint JNICALL jni_ThrowNew(JNIEnv *env, jclass handle, const char *message) {
    NATIVE_ENTRY(env);
    struct class *c = jni_class(handle, JNI_NAME);
    uint64_t args[2] = { 0, 0 };
    if (self->exception) return JNI_OK;
    if (message) {
        struct object *s = string_from_cstr(self, message);
        if (!s) return JNI_OK;
        args[1] = slot_ref(s);
    }
    struct object *o = c && is_throwable(self, c, "ThrowNew")
                           ? new_throwable(self, c, message ? "(Ljava/lang/String;)V" : "()V", args)
                           : NULL;
    if (o) throw_object(self, o);
    else if (!c) jni_throw_null(self);
    return JNI_OK;
}

jthrowable JNICALL jni_ExceptionOccurred(JNIEnv *env) {
    NATIVE_ENTRY(env);
    return handle_local(self, self->exception);
}

/* The thread's own record: no need to enter the VM. */
jboolean JNICALL jni_ExceptionCheck(JNIEnv *env) { return thread_from_env(env)->exception != NULL; }

void JNICALL jni_ExceptionClear(JNIEnv *env) {
    struct os_thread *self = thread_from_env(env);
    if (self->exception != NULL) thread_clean_stack(self, true);
    self->exception = NULL;
}

void JNICALL jni_ExceptionDescribe(JNIEnv *env) {
    NATIVE_ENTRY(env);
    struct object *e = exception_take(self);
    if (!e) return;
    vm_print(true, "Exception ");
    struct object *thread = self->java->mirror;
    struct object *name = thread ? jni_read_ref(thread, "name", "Ljava/lang/String;") : NULL;
    if (name) {
        char *text = string_dup_utf8(name);
        vm_print(true, "in thread \"%s\" ", text ? text : "");
        mem_free(text);
    }
    struct method *m = class_method_cstr(class_of(e), "printStackTrace", "()V");
    uint64_t args[1] = { slot_ref(e) };
    if (m) java_call_virtual(self, m, args, NULL);
    self->exception = NULL;              /* what goes wrong while printing is not the caller's concern */
}

void jni_print_stack(struct os_thread *self) {
    REQUIRES(IN_VM | MAY_STOP);
    for (struct frame_cursor c = frame_first(self->java); cursor_valid(&c); frame_next(&c)) {
        char *text = frame_text(cursor_code(&c), cursor_bci(&c));
        vm_print(false, "\tat %s\n", text ? text : "?");
        mem_free(text);
    }
}

void jni_abort(void) {
    if (vm->options->abort_hook) vm->options->abort_hook();
    if (!vm->options->flags.CreateCoredumpOnCrash) _exit(1);
    abort();
}

void jni_throw_null(struct os_thread *self) {
    PENDING_ASIDE(self);
    throw_new(self, "java/lang/NullPointerException");
}

void jni_bad_reference(jobject h, const char *function) {
    vm_print(false, "FATAL ERROR in native method: Bad global or local ref passed to JNI\n\tin %s: %p\n", function,
             (void *)h);
    jni_print_stack(current_thread());
    jni_abort();
}

void JNICALL jni_FatalError(JNIEnv *env, const char *message) {
    NATIVE_ENTRY(env);
    vm_print(false, "FATAL ERROR in native method: %s\n", message ? message : "");
    jni_print_stack(self);
    jni_abort();
}
