/* stepping.c: steps that begin in another event, for tests/jvmti/Stepping.java: which instruction is the first. */
#include "agent_support.h"

enum { SHOWN = 3 };                      /* steps of each beginning                                                 */
static int left;

static void begin(jthread t, const char *event, jmethodID m, jlocation at) {
    char *name;
    if (!ok((*jvmti)->GetMethodName(jvmti, m, &name, NULL, NULL), "GetMethodName")) return;
    int is_ours = strncmp(name, "stepped", strlen("stepped")) == 0;
    if (is_ours) say("%s %s %d", event, name, (int)at);
    release(name);
    if (!is_ours || left != 0) return;
    left = SHOWN;
    ok((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_SINGLE_STEP, t), "SingleStep");
}

static void JNICALL on_step(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at) {
    char *name;
    (void)jni;
    if (!ok((*env)->GetMethodName(env, m, &name, NULL, NULL), "GetMethodName")) return;
    say("  %s %d", name, (int)at);
    release(name);
    if (--left > 0) return;
    ok((*env)->SetEventNotificationMode(env, JVMTI_DISABLE, JVMTI_EVENT_SINGLE_STEP, t), "SingleStep");
}

static void JNICALL on_catch(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at, jobject e) {
    (void)env, (void)jni, (void)e;
    begin(t, "ExceptionCatch", m, at);
}
static void JNICALL on_exception(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at, jobject e,
                                 jmethodID catcher, jlocation catch_at) {
    (void)env, (void)jni, (void)e, (void)catcher, (void)catch_at;
    begin(t, "Exception", m, at);
}
static void JNICALL on_breakpoint(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at) {
    (void)env, (void)jni;
    begin(t, "Breakpoint", m, at);
}
static void JNICALL on_entry(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m) {
    (void)env, (void)jni;
    begin(t, "MethodEntry", m, 0);
}
static void JNICALL on_exit_of(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jboolean by_exception, jvalue v) {
    (void)env, (void)jni, (void)by_exception, (void)v;
    begin(t, "MethodExit", m, 0);
}

static const jvmtiEvent events[] = {JVMTI_EVENT_EXCEPTION_CATCH, JVMTI_EVENT_EXCEPTION, JVMTI_EVENT_BREAKPOINT,
                                    JVMTI_EVENT_METHOD_ENTRY, JVMTI_EVENT_METHOD_EXIT};

/* Steps begin in this event, one of `events`, until it is -1. */
JNIEXPORT void JNICALL Java_Stepping_watch(JNIEnv *jni, jclass self, jint event) {
    jmethodID m = (*jni)->GetStaticMethodID(jni, self, "steppedCallee", "(I)I");
    jthread t;
    static int watched = -1;
    ok((*jvmti)->GetCurrentThread(jvmti, &t), "GetCurrentThread");
    if (watched >= 0)
        ok((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_DISABLE, events[watched], t), "SetEventNotificationMode");
    ok((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_DISABLE, JVMTI_EVENT_SINGLE_STEP, t), "SingleStep");
    if (watched == 2) ok((*jvmti)->ClearBreakpoint(jvmti, m, 0), "ClearBreakpoint");
    left = 0;
    watched = event;
    if (event == 2) ok((*jvmti)->SetBreakpoint(jvmti, m, 0), "SetBreakpoint");
    if (event >= 0)
        ok((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, events[event], t), "SetEventNotificationMode");
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)options, (void)reserved;
    if (attach_jvmti(vm) != JNI_OK) return JNI_ERR;
    jvmtiCapabilities wanted = {.can_generate_single_step_events = 1, .can_generate_exception_events = 1,
                                .can_generate_breakpoint_events = 1, .can_generate_method_entry_events = 1,
                                .can_generate_method_exit_events = 1};
    jvmtiEventCallbacks callbacks = {.SingleStep = on_step, .ExceptionCatch = on_catch, .Exception = on_exception,
                                     .Breakpoint = on_breakpoint, .MethodEntry = on_entry, .MethodExit = on_exit_of};
    ok((*jvmti)->AddCapabilities(jvmti, &wanted), "AddCapabilities");
    ok((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks), "SetEventCallbacks");
    return JNI_OK;
}
