/* interval.c: how many allocations are sampled before this VM's tool has set an interval, and after
 * (tests/jni/Cycle.java). A VM of the same process may have set one before. */
#include "agent_support.h"

enum { OBJECTS = 8000, BYTES = 1000 };

static int sampled;

static void JNICALL on_sampled(jvmtiEnv *e, JNIEnv *jni, jthread thread, jobject object, jclass class, jlong size) {
    (void)e, (void)jni, (void)thread, (void)object, (void)class, (void)size;
    sampled++;
}

static int sampled_of_all(JNIEnv *jni) {
    sampled = 0;
    for (int i = 0; i < OBJECTS; i++) (*jni)->DeleteLocalRef(jni, (*jni)->NewByteArray(jni, BYTES));
    return sampled;
}

/* Bytes for every sample, roughly, without an interval of ours; then all must be sampled. -1: something went wrong. */
JNIEXPORT jint JNICALL Java_Cycle_interval(JNIEnv *jni, jclass c) {
    (void)c;
    JavaVM *vm;
    if ((*jni)->GetJavaVM(jni, &vm) != JNI_OK || attach_jvmti(vm) != JNI_OK) return -1;
    jvmtiCapabilities wanted = {.can_generate_sampled_object_alloc_events = 1};
    jvmtiEventCallbacks callbacks = {.SampledObjectAlloc = on_sampled};
    jthread self;
    if (!ok((*jvmti)->AddCapabilities(jvmti, &wanted), "AddCapabilities") ||
        !ok((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks), "SetEventCallbacks") ||
        !ok((*jvmti)->GetCurrentThread(jvmti, &self), "GetCurrentThread") ||
        !ok((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, self), "enable"))
        return -1;
    int some = sampled_of_all(jni);
    if (!ok((*jvmti)->SetHeapSamplingInterval(jvmti, 0), "SetHeapSamplingInterval")) return -1;
    int all = sampled_of_all(jni);
    say("sampled: %d of %d, then %d", some, OBJECTS, all);
    return all == OBJECTS ? OBJECTS * BYTES / (some > 0 ? some : 1) : -1;
}
