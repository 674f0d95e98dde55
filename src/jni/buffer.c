/* Direct byte buffers: NewDirectByteBuffer, GetDirectBufferAddress, GetDirectBufferCapacity. */
#include "jni/jni_internal.h"

jobject JNICALL jni_NewDirectByteBuffer(JNIEnv *env, void *address, jlong capacity) {
    NATIVE_ENTRY(env);
    if (self->exception) return NULL;
    if (vm->library != LIBRARY_17 && (capacity < 0 || capacity > INT32_MAX)) {
        throw_message(self, "java/lang/IllegalArgumentException",
                      capacity < 0 ? "JNI NewDirectByteBuffer passed capacity < 0: (%" PRId64 ")"
                                   : "JNI NewDirectByteBuffer passed capacity > Integer.MAX_VALUE: (%" PRId64 ")",
                      (int64_t)capacity);
        return NULL;
    }
    struct class *c = class_find_boot(self, "java/nio/DirectByteBuffer");
    if (!c || !class_ensure_initialized(self, c)) return NULL;
    uint64_t args[5] = { 0, (uint64_t)(uintptr_t)address, 0, (uint64_t)capacity, 0 };
    bool wide = class_method_cstr(c, "<init>", "(JJ)V") != NULL;
    if (!wide) args[3] = slot_int((jint)capacity);
    return handle_local(self, jni_new_object(self, c, wide ? "(JJ)V" : "(JI)V", args));
}

/* The buffer behind the handle if it is a direct one. */
static struct object *direct_buffer(struct os_thread *self, jobject h, const char *function) {
    REQUIRES(IN_VM | MAY_STOP);
    struct object *o = jni_get(h, function);
    struct class *direct = o ? class_find_boot(self, "sun/nio/ch/DirectBuffer") : NULL;
    return direct && object_is_instance(o, direct) ? o : NULL;
}

void *JNICALL jni_GetDirectBufferAddress(JNIEnv *env, jobject h) {
    NATIVE_ENTRY(env);
    struct object *o = direct_buffer(self, h, JNI_NAME);
    struct field *f = o ? jni_field_cstr(class_of(o), "address", "J") : NULL;
    return f ? (void *)(uintptr_t)field_load(o, f->offset, T_LONG) : NULL;
}

jlong JNICALL jni_GetDirectBufferCapacity(JNIEnv *env, jobject h) {
    NATIVE_ENTRY(env);
    struct object *o = direct_buffer(self, h, JNI_NAME);
    struct field *f = o ? jni_field_cstr(class_of(o), "capacity", "I") : NULL;
    return f ? (jint)field_load(o, f->offset, T_INT) : -1;
}
