/* costs.c: an agent whose cost is known (tests/command/agent_costs.py): each store in Measured.poked is an event, whose
 * callback calls three functions. With the option "storm" two threads of its own call functions and make and dispose of
 * environments until the VM ends, while somebody switches the measuring on and off. */
#include "agent_support.h"

#include <stdatomic.h>
#include <stdbool.h>

enum { BLOCK = 104, STORMS = 2 };                /* what malloc makes of it, too */

static atomic_bool ends;

static void JNICALL on_store(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method, jlocation location, jclass c,
                             jobject object, jfieldID field, char type, jvalue value) {
    (void)jni, (void)thread, (void)method, (void)location, (void)c, (void)object, (void)field, (void)type, (void)value;
    unsigned char *block = NULL;
    void *storage;
    ok((*env)->Allocate(env, BLOCK, &block), "Allocate");
    ok((*env)->GetEnvironmentLocalStorage(env, &storage), "GetEnvironmentLocalStorage");
    ok((*env)->Deallocate(env, block), "Deallocate");
}

static void JNICALL on_prepare(jvmtiEnv *env, JNIEnv *jni, jthread thread, jclass c) {
    (void)thread;
    char name[64];
    if (strcmp(class_text(c, name, sizeof name), "LMeasured;") != 0) return;
    jfieldID field = (*jni)->GetStaticFieldID(jni, c, "poked", "I");
    ok((*env)->SetFieldModificationWatch(env, c, field), "SetFieldModificationWatch");
    ok((*env)->SetEventNotificationMode(env, JVMTI_DISABLE, JVMTI_EVENT_CLASS_PREPARE, NULL), "no other event");
}

static void use(jvmtiEnv *env) {
    unsigned char *block = NULL;
    void *storage;
    jvmtiPhase phase;
    ok((*env)->SetEnvironmentLocalStorage(env, &block), "SetEnvironmentLocalStorage");
    ok((*env)->GetEnvironmentLocalStorage(env, &storage), "GetEnvironmentLocalStorage");
    ok((*env)->GetPhase(env, &phase), "GetPhase");
    ok((*env)->Allocate(env, BLOCK, &block), "Allocate");
    ok((*env)->Deallocate(env, block), "Deallocate");
}

static void JNICALL storm(jvmtiEnv *env, JNIEnv *jni, void *arg) {
    (void)jni, (void)arg;
    while (!atomic_load(&ends)) {
        jvmtiEnv *other = NULL;
        if ((*the_vm)->GetEnv(the_vm, (void **)&other, JVMTI_VERSION_1_2) != JNI_OK) say("FAILED GetEnv");
        for (int i = 0; i < 20; i++) {
            use(env);
            use(other);
        }
        ok((*other)->DisposeEnvironment(other), "DisposeEnvironment");
    }
}

static void JNICALL on_init(jvmtiEnv *env, JNIEnv *jni, jthread thread) {
    (void)thread;
    jclass c = (*jni)->FindClass(jni, "java/lang/Thread");
    jmethodID make = (*jni)->GetMethodID(jni, c, "<init>", "()V");
    for (int i = 0; i < STORMS; i++)
        ok((*env)->RunAgentThread(env, (*jni)->NewObject(jni, c, make), storm, NULL, JVMTI_THREAD_NORM_PRIORITY),
           "RunAgentThread");
}

static void JNICALL on_death(jvmtiEnv *env, JNIEnv *jni) {
    (void)env, (void)jni;
    atomic_store(&ends, true);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)reserved;
    if (attach_jvmti(vm) != JNI_OK) return JNI_ERR;
    jvmtiCapabilities wanted = {.can_generate_field_modification_events = 1};
    jvmtiEventCallbacks callbacks = {.FieldModification = on_store, .ClassPrepare = on_prepare, .VMInit = on_init,
                                     .VMDeath = on_death};
    ok((*jvmti)->AddCapabilities(jvmti, &wanted), "AddCapabilities");
    ok((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks), "SetEventCallbacks");
    enable(JVMTI_EVENT_FIELD_MODIFICATION);
    enable(JVMTI_EVENT_CLASS_PREPARE);
    if (options == NULL || strcmp(options, "storm") != 0) return JNI_OK;
    enable(JVMTI_EVENT_VM_INIT);
    enable(JVMTI_EVENT_VM_DEATH);
    return JNI_OK;
}
