/* code_form.c: watches a field and sets a breakpoint when the program MethodData asks for it; the events do nothing. */
#include "agent_support.h"

static void JNICALL on_access(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at, jclass c, jobject o,
                              jfieldID f) {
    (void)env, (void)jni, (void)t, (void)m, (void)at, (void)c, (void)o, (void)f;
}

static void JNICALL on_breakpoint(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at) {
    (void)env, (void)jni, (void)t, (void)m, (void)at;
}

JNIEXPORT void JNICALL Java_MethodData_watch(JNIEnv *jni, jclass c, jboolean on) {
    jfieldID f = (*jni)->GetFieldID(jni, c, "value", "I");
    if (on) ok((*jvmti)->SetFieldAccessWatch(jvmti, c, f), "SetFieldAccessWatch");
    else ok((*jvmti)->ClearFieldAccessWatch(jvmti, c, f), "ClearFieldAccessWatch");
}

JNIEXPORT void JNICALL Java_MethodData_stop(JNIEnv *jni, jclass c, jint at, jboolean on) {
    jmethodID m = (*jni)->GetMethodID(jni, c, "read", "(I)I");
    if (on) ok((*jvmti)->SetBreakpoint(jvmti, m, at), "SetBreakpoint");
    else ok((*jvmti)->ClearBreakpoint(jvmti, m, at), "ClearBreakpoint");
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)options, (void)reserved;
    the_vm = vm;
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK) return JNI_ERR;
    jvmtiCapabilities wanted = { .can_generate_field_access_events = 1, .can_generate_breakpoint_events = 1 };
    jvmtiEventCallbacks callbacks = { .FieldAccess = on_access, .Breakpoint = on_breakpoint };
    ok((*jvmti)->AddCapabilities(jvmti, &wanted), "AddCapabilities");
    ok((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks), "SetEventCallbacks");
    ok((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_FIELD_ACCESS, NULL), "FieldAccess");
    ok((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_BREAKPOINT, NULL), "Breakpoint");
    return JNI_OK;
}
