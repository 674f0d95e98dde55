/* Between reflection objects and ids: FromReflectedMethod, FromReflectedField, ToReflectedMethod, ToReflectedField. */
#include "jni/jni_internal.h"

/* The class and the slot that a Method, Constructor or Field object carries. */
static struct class *declaring(struct object *reflected, jint *slot) {
    struct object *mirror = jni_read_ref(reflected, "clazz", "Ljava/lang/Class;");
    struct field *f = jni_field_cstr(class_of(reflected), "slot", "I");
    if (!mirror || !f) return NULL;
    *slot = (jint)field_load(reflected, f->offset, T_INT);
    return class_of_mirror(mirror);
}

jmethodID JNICALL jni_FromReflectedMethod(JNIEnv *env, jobject h) {
    NATIVE_ENTRY(env);
    if (self->exception) return NULL;
    struct object *o = jni_object(self, h, JNI_NAME);
    jint slot;
    struct class *c = o ? declaring(o, &slot) : NULL;
    if (!c || slot < 0 || (uint32_t)slot >= c->method_count || !class_ensure_initialized(self, c)) return NULL;
    struct method *m = class_method_at(c, (uint32_t)slot);
    return method_is_deleted(m) ? NULL : method_id(m);
}

jfieldID JNICALL jni_FromReflectedField(JNIEnv *env, jobject h) {
    NATIVE_ENTRY(env);
    if (self->exception) return NULL;
    struct object *o = jni_object(self, h, JNI_NAME);
    jint slot;
    struct class *c = o ? declaring(o, &slot) : NULL;
    if (!c || slot < 0 || (uint32_t)slot >= c->field_count || !class_ensure_initialized(self, c)) return NULL;
    return field_id(&c->fields[slot]);
}

/* The reflection object of a member: the library's own native methods make all of a class, this picks one by
 * its slot. */
static struct object *reflected_member(struct os_thread *self, struct class *c, jint slot, const char *method,
                                       const char *desc) {
    REQUIRES(IN_VM);
    struct method *m = class_method_cstr(known_class(java_lang_Class), method, desc);
    uint64_t args[2] = { slot_ref(class_mirror(c)), 0 }, result = 0;
    if (!m || !java_call(self, m, args, &result) || !result) return NULL;
    struct object *all = slot_object(result);
    for (int32_t i = 0; i < array_length(all); i++) {
        struct object *o = heap_array_get(all, i);
        jint found;
        if (o && declaring(o, &found) == c && found == slot) return o;
    }
    return NULL;
}

jobject JNICALL jni_ToReflectedMethod(JNIEnv *env, jclass handle, jmethodID id, jboolean is_static) {
    NATIVE_ENTRY(env);
    if (self->exception) return NULL;
    (void)handle, (void)is_static;
    struct method *m = method_of_id(id);
    if (!m) {
        throw_message(self, "java/lang/InternalError", "invalid jmethodID %p passed to ToReflectedMethod", (void *)id);
        return NULL;
    }
    bool constructor = (m->flags & METHOD_INIT) != 0;
    return handle_local(self, reflected_member(self, m->holder, m->slot,
                                               constructor ? "getDeclaredConstructors0" : "getDeclaredMethods0",
                                               constructor ? "(Z)[Ljava/lang/reflect/Constructor;"
                                                           : "(Z)[Ljava/lang/reflect/Method;"));
}

jobject JNICALL jni_ToReflectedField(JNIEnv *env, jclass handle, jfieldID id, jboolean is_static) {
    NATIVE_ENTRY(env);
    if (self->exception) return NULL;
    (void)handle, (void)is_static;
    struct field *f = field_of_id(id);
    if (!f) {
        throw_message(self, "java/lang/InternalError", "invalid jfieldID %p passed to ToReflectedField", (void *)id);
        return NULL;
    }
    return handle_local(self, reflected_member(self, f->holder, f->slot, "getDeclaredFields0",
                                               "(Z)[Ljava/lang/reflect/Field;"));
}
