/* escape.c: counts the allocations of Escape's points that are sampled, each of them, while the program wants it; and
 * says which monitors a thread holds. */
#include "agent_support.h"

#include <stdatomic.h>
#include <stdbool.h>

static atomic_int events;

static void on_sampled(jvmtiEnv *env, JNIEnv *jni, jthread t, jobject o, jclass c, jlong size) {
    char *name = NULL;
    (void)env, (void)jni, (void)t, (void)o, (void)size;
    if (!ok((*jvmti)->GetClassSignature(jvmti, c, &name, NULL), "GetClassSignature")) return;
    if (strcmp(name, "LEscape$Point;") == 0) atomic_fetch_add(&events, 1);
    release(name);
}

JNIEXPORT void JNICALL Java_Escape_watch(JNIEnv *env, jclass c, jboolean on) {
    (void)env, (void)c;
    if (on) atomic_store(&events, 0);
    ok((*jvmti)->SetEventNotificationMode(jvmti, on ? JVMTI_ENABLE : JVMTI_DISABLE, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC,
                                          NULL), "SetEventNotificationMode");
}

JNIEXPORT jint JNICALL Java_Escape_events(JNIEnv *env, jclass c) {
    (void)env, (void)c;
    return atomic_load(&events);
}

JNIEXPORT jstring JNICALL Java_Escape_owned(JNIEnv *env, jclass c, jthread t) {
    char text[500] = "";
    jint count = 0;
    jvmtiMonitorStackDepthInfo *owned = NULL;
    (void)c;
    jthread here = NULL;
    ok((*jvmti)->GetCurrentThread(jvmti, &here), "GetCurrentThread");
    bool suspends = !(*env)->IsSameObject(env, t, here);
    if (suspends && !ok((*jvmti)->SuspendThread(jvmti, t), "SuspendThread")) return NULL;
    if (ok((*jvmti)->GetOwnedMonitorStackDepthInfo(jvmti, t, &count, &owned), "GetOwnedMonitorStackDepthInfo"))
        for (jint i = 0; i < count; i++) {
            char *name = NULL;
            size_t length = strlen(text);
            if (!ok((*jvmti)->GetClassSignature(jvmti, (*env)->GetObjectClass(env, owned[i].monitor), &name, NULL),
                    "GetClassSignature")) continue;
            snprintf(text + length, sizeof text - length, "%s%s at %d", i == 0 ? "" : ", ", name,
                     (int)owned[i].stack_depth);
            release(name);
        }
    if (suspends) ok((*jvmti)->ResumeThread(jvmti, t), "ResumeThread");
    return (*env)->NewStringUTF(env, text);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)options, (void)reserved;
    the_vm = vm;
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_11) != JNI_OK) return JNI_ERR;
    jvmtiCapabilities capabilities = {.can_generate_sampled_object_alloc_events = 1, .can_suspend = 1,
                                      .can_get_owned_monitor_stack_depth_info = 1};
    jvmtiEventCallbacks callbacks = {.SampledObjectAlloc = on_sampled};
    if (!ok((*jvmti)->AddCapabilities(jvmti, &capabilities), "AddCapabilities")) return JNI_ERR;
    ok((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks), "SetEventCallbacks");
    ok((*jvmti)->SetHeapSamplingInterval(jvmti, 0), "SetHeapSamplingInterval");
    return JNI_OK;
}
