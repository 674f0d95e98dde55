/* cloning.c: clones each object of the program's class that VMObjectAlloc tells of, in the callback. What that
 * allocates must not be told of again. For tests/jvmti/Cloning.java. */
#include "agent_support.h"

static int depth;

static void JNICALL on_alloc(jvmtiEnv *e, JNIEnv *jni, jthread thread, jobject object, jclass c, jlong size) {
    (void)e, (void)thread, (void)size;
    char name[256];
    if (strcmp(class_text(c, name, sizeof name), "LCloning;") != 0) return;
    say("allocated %s, depth %d", name, depth);
    if (depth == 3) return;
    depth++;
    jobject copy = (*jni)->CallObjectMethod(jni, object, (*jni)->GetMethodID(jni, c, "clone", "()LCloning;"));
    depth--;
    say("cloned: %d", copy != NULL && !(*jni)->IsSameObject(jni, copy, object));
}

JNIEXPORT void JNICALL Java_Cloning_tell(JNIEnv *jni, jclass self, jboolean on) {
    (void)jni, (void)self;
    ok((*jvmti)->SetEventNotificationMode(jvmti, on ? JVMTI_ENABLE : JVMTI_DISABLE, JVMTI_EVENT_VM_OBJECT_ALLOC, NULL),
       "SetEventNotificationMode");
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)options, (void)reserved;
    if (attach_jvmti(vm) != JNI_OK) return JNI_ERR;
    jvmtiEventCallbacks callbacks = {.VMObjectAlloc = on_alloc};
    jvmtiCapabilities needs = {.can_generate_vm_object_alloc_events = 1};
    if (!ok((*jvmti)->AddCapabilities(jvmti, &needs), "AddCapabilities")) return JNI_ERR;
    return ok((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks), "SetEventCallbacks") ? JNI_OK : JNI_ERR;
}
