/* lifecycle.c: phases, start-up and end, thread and class events, storage, properties; what is refused in
 * which phase. */
#include "agent_support.h"

#include <pthread.h>

static void *attach_and_detach(void *arg) {
    JNIEnv *jni;
    JavaVMAttachArgs args = {JNI_VERSION_1_6, (char *)"Lifecycle attached", NULL};
    jint attached = (*the_vm)->AttachCurrentThread(the_vm, (void **)&jni, &args), detached = 0;
    const char *name = attached == JNI_OK && (*jni)->FindClass(jni, "java/lang/Thread") ? "works" : "fails";
    if (attached == JNI_OK) detached = (*the_vm)->DetachCurrentThread(the_vm);
    say("in %s: AttachCurrentThread %d, JNI %s, DetachCurrentThread %d", (const char *)arg, attached, name, detached);
    return NULL;
}

/* A thread of the agent's that attaches, which the callback waits for. */
static void attach_during(const char *event) {
    pthread_t thread;
    pthread_create(&thread, NULL, attach_and_detach, (void *)event);
    pthread_join(thread, NULL);
}

static void JNICALL on_vm_start(jvmtiEnv *env, JNIEnv *jni) {
    (void)env;
    say("VMStart in phase %s, JNI %s", phase_text(), (*jni)->FindClass(jni, "java/lang/String") ? "works" : "fails");
    jint n;
    jclass *classes;
    say("GetLoadedClasses: %s", error_text((*jvmti)->GetLoadedClasses(jvmti, &n, &classes)));
    say("SetEventNotificationMode: %s",
        error_text((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_DEATH, NULL)));
    jclass object = (*jni)->FindClass(jni, "java/lang/Object");
    jint status = 0;
    ok((*jvmti)->GetClassStatus(jvmti, object, &status), "GetClassStatus");
    say("status of Object: %d", status);
    attach_during("VMStart");
}

static void JNICALL on_vm_init(jvmtiEnv *env, JNIEnv *jni, jthread thread) {
    (void)jni;
    char name[100];
    void *data = NULL;
    say("VMInit in phase %s on %s", phase_text(), thread_text(thread, name, sizeof name));
    ok((*env)->GetEnvironmentLocalStorage(env, &data), "GetEnvironmentLocalStorage");
    say("storage: %s", (char *)data);
    say("SetSystemProperty: %s", error_text((*jvmti)->SetSystemProperty(jvmti, "a", "b")));
    char *value;
    if (ok((*jvmti)->GetSystemProperty(jvmti, "test.property", &value), "GetSystemProperty")) {
        say("test.property = %s", value);
        release(value);
    }
    say("GetSystemProperty of an unknown one: %s",
        error_text((*jvmti)->GetSystemProperty(jvmti, "no.such.property", &value)));
    attach_during("VMInit");
}

static void JNICALL on_vm_death(jvmtiEnv *env, JNIEnv *jni) {
    (void)env, (void)jni;
    say("VMDeath in phase %s", phase_text());
}

/* Before the live phase nobody may ask for a thread's name; which of the library's threads come to run by then is the
 * scheduler's business. */
static int is_early(void) { return strcmp(phase_text(), "live") != 0; }

static int is_ours(const char *name) { return strncmp(name, "Lifecycle", 9) == 0 || strcmp(name, "main") == 0; }

static void JNICALL on_thread_start(jvmtiEnv *env, JNIEnv *jni, jthread thread) {
    (void)env, (void)jni;
    char name[100];
    if (!is_early() && is_ours(thread_text(thread, name, sizeof name)))
        say("ThreadStart %s in phase %s", name, phase_text());
}

static void JNICALL on_thread_end(jvmtiEnv *env, JNIEnv *jni, jthread thread) {
    (void)env, (void)jni;
    char name[100];
    if (!is_early() && is_ours(thread_text(thread, name, sizeof name))) say("ThreadEnd %s", name);
}

static void class_event(const char *what, jclass klass) {
    char name[200];
    if (strncmp(class_text(klass, name, sizeof name), "LLifecycle", 10) != 0) return;
    jint n = -1, status = 0;
    jmethodID *methods = NULL;
    jvmtiError err = (*jvmti)->GetClassMethods(jvmti, klass, &n, &methods);
    (*jvmti)->GetClassStatus(jvmti, klass, &status);
    say("%s %s: GetClassMethods %s, prepared %d, initialized %d", what, name, error_text(err),
        (status & JVMTI_CLASS_STATUS_PREPARED) != 0, (status & JVMTI_CLASS_STATUS_INITIALIZED) != 0);
    if (err == JVMTI_ERROR_NONE) release(methods);
}

static void JNICALL on_class_load(jvmtiEnv *env, JNIEnv *jni, jthread thread, jclass klass) {
    (void)env, (void)jni, (void)thread;
    class_event("ClassLoad", klass);
}

static void JNICALL on_class_prepare(jvmtiEnv *env, JNIEnv *jni, jthread thread, jclass klass) {
    (void)env, (void)jni, (void)thread;
    class_event("ClassPrepare", klass);
}

/* A second environment that lives for one event: it is created, enabled and disposed of while the VM starts. */
static void JNICALL once(jvmtiEnv *env, JNIEnv *jni, jthread thread) {
    (void)jni, (void)thread;
    say("second environment: VMInit");
    jvmtiError err = (*env)->DisposeEnvironment(env);
    jint version;
    say("disposed: %d, then GetVersionNumber: %d", (int)err, (int)(*env)->GetVersionNumber(env, &version));
}

static void second_environment(JavaVM *vm) {
    jvmtiEnv *other;
    if ((*vm)->GetEnv(vm, (void **)&other, JVMTI_VERSION_1_0) != JNI_OK || other == jvmti)
        say("FAILED: second environment");
    jvmtiEventCallbacks callbacks;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.VMInit = once;
    ok((*other)->SetEventCallbacks(other, &callbacks, sizeof callbacks), "SetEventCallbacks");
    ok((*other)->SetEventNotificationMode(other, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL), "enable");
    void *data = &data;
    ok((*other)->GetEnvironmentLocalStorage(other, &data), "GetEnvironmentLocalStorage");
    say("storage of the second environment: %s", data == NULL ? "none" : "some");
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)reserved;
    if (attach_jvmti(vm) != JNI_OK) return JNI_ERR;
    say("Agent_OnLoad in phase %s, options \"%s\"", phase_text(), options ? options : "");
    void *none;
    say("GetEnv of an unknown version: %d", (int)(*vm)->GetEnv(vm, &none, 0x30630000));
    ok((*jvmti)->SetEnvironmentLocalStorage(jvmti, "kept by the environment"), "SetEnvironmentLocalStorage");
    second_environment(vm);
    jint n;
    jthread *threads;
    jclass *classes;
    jlong nanos;
    say("GetAllThreads: %s", error_text((*jvmti)->GetAllThreads(jvmti, &n, &threads)));
    say("GetLoadedClasses: %s", error_text((*jvmti)->GetLoadedClasses(jvmti, &n, &classes)));
    ok((*jvmti)->GetTime(jvmti, &nanos), "GetTime");
    say("GetTime is later than zero: %d", nanos > 0);
    jvmtiEventCallbacks callbacks;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.VMStart = on_vm_start;
    callbacks.VMInit = on_vm_init;
    callbacks.VMDeath = on_vm_death;
    callbacks.ThreadStart = on_thread_start;
    callbacks.ThreadEnd = on_thread_end;
    callbacks.ClassLoad = on_class_load;
    callbacks.ClassPrepare = on_class_prepare;
    ok((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks), "SetEventCallbacks");
    enable(JVMTI_EVENT_VM_START);
    enable(JVMTI_EVENT_VM_INIT);
    enable(JVMTI_EVENT_VM_DEATH);
    enable(JVMTI_EVENT_THREAD_START);
    enable(JVMTI_EVENT_THREAD_END);
    enable(JVMTI_EVENT_CLASS_LOAD);
    enable(JVMTI_EVENT_CLASS_PREPARE);
    return JNI_OK;
}

JNIEXPORT void JNICALL Agent_OnUnload(JavaVM *vm) {
    (void)vm;
    say("Agent_OnUnload");
}
