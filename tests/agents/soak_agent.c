/* soak_agent.c: each time that it is attached it makes an environment, watches with it, tags what lives, and disposes
 * of it. Nothing is left. */
#include <jvmti.h>
#include <string.h>

static volatile long events;

static void JNICALL on_class_prepare(jvmtiEnv *env, JNIEnv *jni, jthread thread, jclass class) {
    (void)env, (void)jni, (void)thread, (void)class;
    events++;
}

static void JNICALL on_thread(jvmtiEnv *env, JNIEnv *jni, jthread thread) {
    (void)env, (void)jni, (void)thread;
    events++;
}

static jint JNICALL tag(jlong class_tag, jlong size, jlong *object_tag, jint length, void *data) {
    (void)class_tag, (void)length;
    *object_tag = size;
    ++*(jlong *)data;
    return JVMTI_VISIT_OBJECTS;
}

static jint watch_and_tag(jvmtiEnv *env) {
    jvmtiEventCallbacks on = {.ClassPrepare = on_class_prepare, .ThreadStart = on_thread, .ThreadEnd = on_thread};
    jvmtiCapabilities can = {.can_tag_objects = 1};
    jvmtiHeapCallbacks heap = {.heap_iteration_callback = tag};
    jlong tagged = 0;
    if ((*env)->AddCapabilities(env, &can) || (*env)->SetEventCallbacks(env, &on, sizeof on)) return JNI_ERR;
    jvmtiEvent wanted[] = {JVMTI_EVENT_CLASS_PREPARE, JVMTI_EVENT_THREAD_START, JVMTI_EVENT_THREAD_END};
    for (unsigned i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if ((*env)->SetEventNotificationMode(env, JVMTI_ENABLE, wanted[i], NULL)) return JNI_ERR;
    if ((*env)->IterateThroughHeap(env, 0, NULL, &heap, &tagged) || tagged == 0) return JNI_ERR;
    return JNI_OK;
}

JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *options, void *reserved) {
    (void)options, (void)reserved;
    jvmtiEnv *env;
    if ((*vm)->GetEnv(vm, (void **)&env, JVMTI_VERSION_1_2) != JNI_OK) return JNI_ERR;
    jint result = watch_and_tag(env);
    return (*env)->DisposeEnvironment(env) == JVMTI_ERROR_NONE ? result : JNI_ERR;
}
