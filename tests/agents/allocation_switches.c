/* allocation_switches.c: threads that want to be sent each of their allocations, or none
 * (tests/jvmti/AllocationSwitches.java). */
#include "agent_support.h"

static _Thread_local int sent;

static void JNICALL on_sampled(jvmtiEnv *e, JNIEnv *jni, jthread thread, jobject object, jclass class, jlong size) {
    (void)e, (void)jni, (void)thread, (void)object, (void)class, (void)size;
    sent++;
}

JNIEXPORT void JNICALL Java_AllocationSwitches_enable(JNIEnv *jni, jclass c, jthread t, jboolean on) {
    (void)jni, (void)c;
    jvmtiEventMode mode = on ? JVMTI_ENABLE : JVMTI_DISABLE;
    ok((*jvmti)->SetEventNotificationMode(jvmti, mode, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, t), "enable or disable");
}

/* How many events the current thread is sent of its allocations, `count` of them. */
JNIEXPORT jint JNICALL Java_AllocationSwitches_sent(JNIEnv *jni, jclass c, jint count) {
    (void)c;
    sent = 0;
    for (jint i = 0; i < count; i++) (*jni)->DeleteLocalRef(jni, (*jni)->NewIntArray(jni, 3));
    return sent;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)options, (void)reserved;
    jvmtiCapabilities wanted = {.can_generate_sampled_object_alloc_events = 1};
    jvmtiEventCallbacks callbacks = {.SampledObjectAlloc = on_sampled};
    if (attach_jvmti(vm) != JNI_OK || !ok((*jvmti)->AddCapabilities(jvmti, &wanted), "AddCapabilities") ||
        !ok((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks), "SetEventCallbacks") ||
        !ok((*jvmti)->SetHeapSamplingInterval(jvmti, 0), "SetHeapSamplingInterval")) return JNI_ERR;
    return JNI_OK;
}
