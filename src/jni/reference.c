/* References: local frames, local, global and weak references, IsSameObject, GetObjectRefType. */
#include "jni/jni_internal.h"
#include "probe/probe.h"

jint JNICALL jni_PushLocalFrame(JNIEnv *env, jint capacity) {
    NATIVE_ENTRY(env);
    if (capacity < 0) return JNI_ERR;
    return handle_frame_push(self, (uint32_t)capacity, true) ? JNI_OK : JNI_ENOMEM;
}

jobject JNICALL jni_PopLocalFrame(JNIEnv *env, jobject result) {
    NATIVE_ENTRY(env);
    struct object *o = jni_get(result, JNI_NAME);
    handle_frame_pop_jni(self);
    return handle_local(self, o);
}

jint JNICALL jni_EnsureLocalCapacity(JNIEnv *env, jint capacity) {
    NATIVE_ENTRY(env);
    return capacity >= 0 ? JNI_OK : JNI_ERR;      /* blocks grow as needed */
}

jobject JNICALL jni_NewLocalRef(JNIEnv *env, jobject h) {
    NATIVE_ENTRY(env);
    return handle_local(self, jni_get(h, JNI_NAME));
}

void JNICALL jni_DeleteLocalRef(JNIEnv *env, jobject h) {
    NATIVE_ENTRY(env);
    if (h) handle_local_delete(self, h);
}

jobject JNICALL jni_NewGlobalRef(JNIEnv *env, jobject h) {
    NATIVE_ENTRY(env);
    struct object *o = jni_get(h, JNI_NAME);
    jobject g = handle_global(o);
    if (g) probe_global_ref_new(self, g, o, false);
    return g;
}

void JNICALL jni_DeleteGlobalRef(JNIEnv *env, jobject h) {
    NATIVE_ENTRY(env);
    probe_global_ref_delete(self, h, false);
    handle_global_delete(h);
}

jweak JNICALL jni_NewWeakGlobalRef(JNIEnv *env, jobject h) {
    NATIVE_ENTRY(env);
    struct object *o = jni_get(h, JNI_NAME);
    if (!o) return NULL;
    PENDING_ASIDE(self);
    jweak w = handle_weak(o);
    if (w) probe_global_ref_new(self, w, o, true);
    else throw_out_of_memory(self, "weak global reference");
    return w;
}

void JNICALL jni_DeleteWeakGlobalRef(JNIEnv *env, jweak h) {
    NATIVE_ENTRY(env);
    probe_global_ref_delete(self, h, true);
    handle_weak_delete(h);
}

jboolean JNICALL jni_IsSameObject(JNIEnv *env, jobject a, jobject b) {
    NATIVE_ENTRY(env);
    return jni_get(a, JNI_NAME) == jni_get(b, JNI_NAME);
}

jobjectRefType JNICALL jni_GetObjectRefType(JNIEnv *env, jobject h) {
    NATIVE_ENTRY(env);
    jobjectRefType type = handle_type(self, h);
    if (type != JNIInvalidRefType) return type;
    /* The class argument of a static native method lies in the class record. */
    struct frame_cursor c = frame_first(self->java);
    bool is_class = cursor_valid(&c) && cursor_is_native(&c) && h == (jobject)&cursor_method(&c)->holder->mirror;
    return is_class ? JNILocalRefType : type;
}
