/* exit_pop.c: asks in MethodExit for the frame pop of the frame that is left, or of its callers, for
 * tests/jvmti/ExitPop.java; and in FramePop, which is too late. */
#include "agent_support.h"

static jint frames;                      /* how many frames to ask for, from the one that is left on               */
static jboolean again;                   /* whether FramePop asks once more                                         */

/* Whether the method is one of the program whose exit is to be shown; its name. */
static int is_ours(jmethodID m, char *out, size_t size) {
    jclass holder;
    char *name, text[200];
    if (!ok((*jvmti)->GetMethodDeclaringClass(jvmti, m, &holder), "GetMethodDeclaringClass")) return 0;
    if (strcmp(class_text(holder, text, sizeof text), "LExitPop;") != 0) return 0;
    if (!ok((*jvmti)->GetMethodName(jvmti, m, &name, NULL, NULL), "GetMethodName")) return 0;
    snprintf(out, size, "%s", name);
    release(name);
    return strcmp(out, "watch") != 0;
}

static void JNICALL on_exit_of(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jboolean by_exception,
                               jvalue value) {
    char name[200];
    (void)jni, (void)value;
    if (!is_ours(m, name, sizeof name)) return;
    say("  MethodExit %s%s", name, by_exception ? " by exception" : "");
    if (strcmp(name, "inner") != 0 && strcmp(name, "locked") != 0 && strcmp(name, "foreign") != 0) return;
    for (jint depth = 0; depth < frames; depth++)
        say("    NotifyFramePop %d: %s", (int)depth, error_text((*env)->NotifyFramePop(env, t, depth)));
}

static void JNICALL on_pop(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jboolean by_exception) {
    char name[200];
    (void)jni;
    if (!is_ours(m, name, sizeof name)) strcpy(name, "of another class");
    say("  FramePop %s%s", name, by_exception ? " by exception" : "");
    if (again) (void)(*env)->NotifyFramePop(env, t, 0);
}

JNIEXPORT void JNICALL Java_ExitPop_watch(JNIEnv *jni, jclass self, jint count, jboolean twice) {
    (void)jni, (void)self;
    frames = count;
    again = twice;
    jvmtiEventMode mode = count >= 0 ? JVMTI_ENABLE : JVMTI_DISABLE;
    ok((*jvmti)->SetEventNotificationMode(jvmti, mode, JVMTI_EVENT_METHOD_EXIT, NULL), "MethodExit");
    ok((*jvmti)->SetEventNotificationMode(jvmti, mode, JVMTI_EVENT_FRAME_POP, NULL), "FramePop");
}

JNIEXPORT jint JNICALL Java_ExitPop_foreign(JNIEnv *jni, jclass self, jint n) {
    if (n < 0) (*jni)->ThrowNew(jni, (*jni)->FindClass(jni, "java/lang/IllegalStateException"), "foreign");
    (void)self;
    return n;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)options, (void)reserved;
    if (attach_jvmti(vm) != JNI_OK) return JNI_ERR;
    jvmtiCapabilities wanted = {.can_generate_frame_pop_events = 1, .can_generate_method_exit_events = 1};
    jvmtiEventCallbacks callbacks = {.MethodExit = on_exit_of, .FramePop = on_pop};
    ok((*jvmti)->AddCapabilities(jvmti, &wanted), "AddCapabilities");
    ok((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks), "SetEventCallbacks");
    return JNI_OK;
}
