/* in_foreign.c: what a tool sees of a thread that is in a C function called by java.lang.foreign; with the option
 * "ask", what it may not do to it. */
#include "agent_support.h"

static int asks;

/* Hidden classes have numbers in their names. */
static void print_frames(jthread t) {
    jvmtiFrameInfo frames[64];
    jint count = 0, n = 0;
    ok((*jvmti)->GetFrameCount(jvmti, t, &count), "GetFrameCount");
    ok((*jvmti)->GetStackTrace(jvmti, t, 0, 64, frames, &n), "GetStackTrace");
    say("%d frames, %d of them told", (int)count, (int)n);
    for (jint i = 0; i < n; i++) {
        jclass c;
        char *name = NULL, text[200];
        ok((*jvmti)->GetMethodDeclaringClass(jvmti, frames[i].method, &c), "GetMethodDeclaringClass");
        ok((*jvmti)->GetMethodName(jvmti, frames[i].method, &name, NULL, NULL), "GetMethodName");
        class_text(c, text, sizeof text);
        text[strcspn(text, ".")] = 0;
        say("  %s.%s%s", text, name, frames[i].location == -1 ? " native" : "");
        release(name);
    }
}

JNIEXPORT void JNICALL Java_InForeign_look(JNIEnv *jni, jclass self, jthread t) {
    (void)jni, (void)self;
    jint state = 0;
    ok((*jvmti)->SuspendThread(jvmti, t), "SuspendThread");
    ok((*jvmti)->GetThreadState(jvmti, t, &state), "GetThreadState");
    say("state %#x", (unsigned)state);
    print_frames(t);
    if (asks) {
        say("PopFrame: %s", error_text((*jvmti)->PopFrame(jvmti, t)));
        say("ForceEarlyReturnVoid: %s", error_text((*jvmti)->ForceEarlyReturnVoid(jvmti, t)));
    }
    ok((*jvmti)->ResumeThread(jvmti, t), "ResumeThread");
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)reserved;
    if (attach_jvmti(vm) != JNI_OK) return JNI_ERR;
    asks = options != NULL && strcmp(options, "ask") == 0;
    jvmtiCapabilities wanted;
    memset(&wanted, 0, sizeof wanted);
    wanted.can_suspend = wanted.can_pop_frame = wanted.can_force_early_return = 1;
    ok((*jvmti)->AddCapabilities(jvmti, &wanted), "AddCapabilities");
    return JNI_OK;
}
