/* Classes and objects: DefineClass, FindClass, GetSuperclass, IsAssignableFrom, AllocObject, GetObjectClass,
 * IsInstanceOf, GetModule. */
#include "jni/jni_internal.h"

struct field *jni_field_cstr(struct class *c, const char *name, const char *desc) {
    struct symbol *n = symbol_lookup_cstr(name), *d = symbol_lookup_cstr(desc);
    struct field *f = n && d ? class_lookup_field(c, n, d) : NULL;
    symbol_release(n);
    symbol_release(d);
    return f;
}

struct object *jni_read_ref(struct object *o, const char *name, const char *desc) {
    struct field *f = jni_field_cstr(class_of(o), name, desc);
    return f ? heap_load_ref(o, f->offset) : NULL;
}

jclass JNICALL jni_DefineClass(JNIEnv *env, const char *name, jobject loader, const jbyte *bytes, jsize length) {
    NATIVE_ENTRY(env);
    if (self->exception) return NULL;
    struct define_args args = { .bytes = (const uint8_t *)bytes, .length = (size_t)length };
    if (name && !(args.name = symbol_intern_cstr(name))) {
        throw_message(self, "java/lang/NoClassDefFoundError", "Class name exceeds maximum length of %d: %s",
                      SYMBOL_MAX_LENGTH, name);
        return NULL;
    }
    struct loader *l = loader_of_object(self, jni_get(loader, JNI_NAME));
    struct class *c = l ? class_define(self, l, &args) : NULL;
    symbol_release(args.name);
    return jni_class_handle(self, c);
}

/* The loader of the Java code that runs, JNI_OnLoad and JNI_OnUnload counting as code of the class that loads the
 * library; the system loader when no Java code runs. False: exception pending. */
static bool find_loader(struct os_thread *self, struct loader **out) {
    REQUIRES(IN_VM | MAY_STOP);
    struct frame_cursor youngest = frame_first(self->java);
    if (cursor_valid(&youngest)) {
        struct class *caller = cursor_method(&youngest)->holder;
        *out = caller->loader;
        if (!caller->loader->is_boot || strcmp(caller->name->bytes, "jdk/internal/loader/NativeLibraries") != 0)
            return true;
        struct method *m = class_method_cstr(caller, "getFromClass", "()Ljava/lang/Class;");
        uint64_t from = 0;
        if (!m || !java_call(self, m, NULL, &from)) return self->exception == NULL;
        if (from) *out = class_of_mirror(slot_object(from))->loader;
        return true;
    }
    /* Null until the library has come far enough. */
    struct field *scl = jni_field_cstr(known_class(java_lang_ClassLoader), "scl", "Ljava/lang/ClassLoader;");
    struct object *system = scl && scl->holder->statics ? heap_load_ref(scl->holder->statics, scl->offset) : NULL;
    *out = system ? loader_of_object(self, system) : vm->boot_loader;
    return *out != NULL;
}

/* NULL: exception pending. */
static struct class *find_class(struct os_thread *self, const char *name) {
    if (!name) {
        throw_message(self, "java/lang/NoClassDefFoundError", "No class name given");
        return NULL;
    }
    size_t length = strlen(name);
    bool wrapped = name[0] == 'L' && name[length - 1] == ';';      /* tolerated: a descriptor */
    struct symbol *s = wrapped ? symbol_intern(name + 1, length - 2) : symbol_intern(name, length);
    if (!s) {
        throw_message(self, "java/lang/NoClassDefFoundError", "Class name exceeds maximum length of %d: %s",
                      SYMBOL_MAX_LENGTH, name);
        return NULL;
    }
    struct loader *loader;
    struct class *c = find_loader(self, &loader) ? class_load(self, s, loader) : NULL;
    symbol_release(s);
    return c && class_ensure_initialized(self, c) ? c : NULL;
}

jclass JNICALL jni_FindClass(JNIEnv *env, const char *name) {
    NATIVE_ENTRY(env);
    PENDING_ASIDE(self);
    struct class *c = find_class(self, name);
    if (c == NULL) return NULL;
    log_trace(jni_resolve, "FindClass %s", name);
    return jni_class_handle(self, c);
}

jclass JNICALL jni_GetSuperclass(JNIEnv *env, jclass sub) {
    NATIVE_ENTRY(env);
    struct class *c = jni_class(sub, JNI_NAME);
    if (!c || c->is_interface || class_is_primitive(c)) return NULL;
    return jni_class_handle(self, c->super);
}

jboolean JNICALL jni_IsAssignableFrom(JNIEnv *env, jclass sub, jclass super) {
    NATIVE_ENTRY(env);
    struct class *a = jni_class(sub, JNI_NAME), *b = jni_class(super, JNI_NAME);
    if (!a || !b) return JNI_FALSE;
    if (class_is_primitive(a) || class_is_primitive(b)) return a == b;
    return class_is_subtype(a, b);
}

jobject JNICALL jni_GetModule(JNIEnv *env, jclass handle) {
    NATIVE_ENTRY(env);
    struct class *c = jni_class(handle, JNI_NAME);
    PENDING_ASIDE(self);
    if (!c) {
        throw_message(self, "java/lang/NullPointerException", "class is null");
        return NULL;
    }
    return handle_local(self, module_object_of_class(c));
}

struct object *jni_allocate(struct os_thread *self, struct class *c) {
    REQUIRES(IN_VM | MAY_STOP);
    if (!c) {
        throw_new(self, "java/lang/NullPointerException");
        return NULL;
    }
    bool has_instances = !class_is_primitive(c) && !class_is_array(c) && !c->is_interface && !c->is_abstract;
    if (!has_instances || c->shape.kind == SHAPE_MIRROR) {
        char *name = class_external_name(c);
        throw_message(self, has_instances ? "java/lang/IllegalAccessException" : "java/lang/InstantiationException",
                      "%s", name ? name : "");
        mem_free(name);
        return NULL;
    }
    return class_ensure_initialized(self, c) ? heap_alloc_instance(self, &c->shape) : NULL;
}

jobject JNICALL jni_AllocObject(JNIEnv *env, jclass c) {
    NATIVE_ENTRY(env);
    if (self->exception) return NULL;
    return handle_local(self, jni_allocate(self, jni_class(c, JNI_NAME)));
}

jclass JNICALL jni_GetObjectClass(JNIEnv *env, jobject h) {
    NATIVE_ENTRY(env);
    struct object *o = jni_object(self, h, JNI_NAME);
    return o ? jni_class_handle(self, class_of(o)) : NULL;
}

jboolean JNICALL jni_IsInstanceOf(JNIEnv *env, jobject h, jclass handle) {
    NATIVE_ENTRY(env);
    struct object *o = jni_get(h, JNI_NAME);
    struct class *c = jni_class(handle, JNI_NAME);
    if (!o) return JNI_TRUE;            /* null can be cast to every class */
    return c && object_is_instance(o, c);
}

jboolean JNICALL jni_IsVirtualThread(JNIEnv *env, jobject h) {
    NATIVE_ENTRY(env);
    struct object *o = jni_get(h, JNI_NAME);
    struct class *c = o ? class_find_boot(self, "java/lang/BaseVirtualThread") : NULL;
    return c && object_is_instance(o, c);
}
