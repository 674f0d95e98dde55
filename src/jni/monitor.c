/* Monitors: MonitorEnter, MonitorExit. */
#include "jni/jni_internal.h"

jint JNICALL jni_MonitorEnter(JNIEnv *env, jobject h) {
    NATIVE_ENTRY(env);
    struct object *o = jni_object(self, h, JNI_NAME);
    return o && monitor_enter(self, o, NULL) ? JNI_OK : JNI_ERR;
}

jint JNICALL jni_MonitorExit(JNIEnv *env, jobject h) {
    NATIVE_ENTRY(env);
    struct object *o = jni_object(self, h, JNI_NAME);
    if (!o) return JNI_ERR;
    if (monitor_exit(self, o)) return JNI_OK;
    PENDING_ASIDE(self);
    throw_message(self, "java/lang/IllegalMonitorStateException", "current thread is not owner");
    return JNI_ERR;
}
