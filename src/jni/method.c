/* Method ids: GetMethodID, GetStaticMethodID. */
#include "jni/jni_internal.h"

static jmethodID find_method(struct os_thread *self, jclass handle, const char *name, const char *desc, bool is_static,
                             const char *function) {
    REQUIRES(IN_VM | MAY_STOP);
    struct class *c = jni_class(handle, function);
    if (!c) {
        jni_throw_null(self);
        return NULL;
    }
    if (self->exception) return NULL;
    struct method *m = NULL;
    struct symbol *n = symbol_lookup_cstr(name), *d = symbol_lookup_cstr(desc);
    bool known = n && d;
    if (known && !class_is_primitive(c) && class_ensure_initialized(self, c)) {
        /* Constructors and initialisers are not inherited. */
        m = name[0] == '<' ? class_find_method(c, n, d) : class_lookup_method(c, n, d);
    }
    symbol_release(n);
    symbol_release(d);
    if (self->exception) return NULL;
    if (!known) {
        throw_message(self, "java/lang/NoSuchMethodError", "%s", name);
        return NULL;
    }
    if (!m || ((m->access_flags & ACC_STATIC) != 0) != is_static) {
        bool plain = class_is_array(c) || class_is_primitive(c);
        throw_message(self, "java/lang/NoSuchMethodError", "%s%s%s%s.%s%s", is_static ? "static " : "",
                      plain ? "" : "L", c->name->bytes, plain ? "" : ";", name, desc);
        return NULL;
    }
    return method_id(m);
}

jmethodID JNICALL jni_GetMethodID(JNIEnv *env, jclass c, const char *name, const char *desc) {
    NATIVE_ENTRY(env);
    return find_method(self, c, name, desc, false, JNI_NAME);
}

jmethodID JNICALL jni_GetStaticMethodID(JNIEnv *env, jclass c, const char *name, const char *desc) {
    NATIVE_ENTRY(env);
    return find_method(self, c, name, desc, true, JNI_NAME);
}
