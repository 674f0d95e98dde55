/* compiled_loop.c: what the program CompiledLoop does to a thread that loops. */
#include "agent_support.h"

#include <sched.h>
#include <stdatomic.h>

static atomic_int breakpoints, steps, steps_wanted, modifications, frame_pops, exits;
static jclass program;
static jmethodID spin;

static void on_breakpoint(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at) {
    (void)env, (void)jni, (void)t;
    if (++breakpoints == 3) ok((*jvmti)->ClearBreakpoint(jvmti, m, at), "ClearBreakpoint");
}

static void on_step(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at) {
    (void)env, (void)jni, (void)at;
    if (m != spin || ++steps < steps_wanted) return;
    ok((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_DISABLE, JVMTI_EVENT_SINGLE_STEP, t), "no steps");
}

static void on_modification(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at, jclass c, jobject o,
                            jfieldID f, char type, jvalue value) {
    (void)env, (void)jni, (void)t, (void)m, (void)at, (void)c, (void)o, (void)value;
    modifications++;
    if (type != 'I') say("FAILED: type %c", type);
    ok((*jvmti)->ClearFieldModificationWatch(jvmti, program, f), "ClearFieldModificationWatch");
}

static void on_frame_pop(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jboolean by_exception) {
    (void)env, (void)jni, (void)t;
    if (m == spin && !by_exception) frame_pops++;
}

static void on_method_exit(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jboolean by_exception,
                           jvalue value) {
    (void)env, (void)jni, (void)by_exception;
    if (m != spin || value.i <= 0) return;
    exits++;
    ok((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_DISABLE, JVMTI_EVENT_METHOD_EXIT, t), "no exits");
}

static void find(JNIEnv *env, jclass c) {
    if (program != NULL) return;
    program = (*env)->NewGlobalRef(env, c);
    spin = (*env)->GetStaticMethodID(env, c, "spin", "()I");
}

#define TOOL(type, name, ...) JNIEXPORT type JNICALL Java_CompiledLoop_##name(JNIEnv *env, jclass c, ##__VA_ARGS__)

/* At the begin of n++. */
TOOL(void, breakpoint) {
    find(env, c);
    ok((*jvmti)->SetBreakpoint(jvmti, spin, 8), "SetBreakpoint");
}

TOOL(void, reached) {
    (void)env, (void)c;
    while (breakpoints < 3) sched_yield();
}

TOOL(void, steps, jthread t, jint count) {
    find(env, c);
    steps_wanted = count;
    ok((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_SINGLE_STEP, t), "steps");
    while (steps < steps_wanted) sched_yield();
}

TOOL(void, watch) {
    jfieldID f = (*env)->GetStaticFieldID(env, c, "watched", "I");
    ok((*jvmti)->SetFieldModificationWatch(jvmti, c, f), "SetFieldModificationWatch");
}

TOOL(void, suspend, jthread t) { (void)env, (void)c, ok((*jvmti)->SuspendThread(jvmti, t), "SuspendThread"); }
TOOL(void, resume, jthread t) { (void)env, (void)c, ok((*jvmti)->ResumeThread(jvmti, t), "ResumeThread"); }

TOOL(jstring, position, jthread t) {
    jmethodID m;
    jlocation at;
    find(env, c);
    if (!ok((*jvmti)->GetFrameLocation(jvmti, t, 0, &m, &at), "GetFrameLocation")) return NULL;
    return (*env)->NewStringUTF(env, m == spin && at > 0 && at < 40 ? "in the loop" : "elsewhere");
}

TOOL(jint, local, jthread t) {
    jint value = 0;
    (void)env, (void)c, ok((*jvmti)->GetLocalInt(jvmti, t, 0, 0, &value), "GetLocalInt");
    return value;
}

TOOL(void, setLocal, jthread t, jint value) {
    (void)env, (void)c, ok((*jvmti)->SetLocalInt(jvmti, t, 0, 0, value), "SetLocalInt");
}

TOOL(void, takeReceiver) {
    (void)env, (void)c;
    ok((*jvmti)->SetLocalObject(jvmti, NULL, 1, 0, NULL), "SetLocalObject");
}

TOOL(void, pop, jthread t) { (void)env, (void)c, ok((*jvmti)->PopFrame(jvmti, t), "PopFrame"); }

TOOL(void, returnEarly, jthread t, jint value) {
    (void)env, (void)c, ok((*jvmti)->ForceEarlyReturnInt(jvmti, t, value), "ForceEarlyReturnInt");
}

TOOL(void, stop, jthread t, jobject e) { (void)env, (void)c, ok((*jvmti)->StopThread(jvmti, t, e), "StopThread"); }
TOOL(void, notifyPop, jthread t) { (void)env, (void)c, ok((*jvmti)->NotifyFramePop(jvmti, t, 0), "NotifyFramePop"); }

TOOL(void, exits, jthread t) {
    find(env, c);
    ok((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_METHOD_EXIT, t), "exits");
}

TOOL(jstring, events) {
    char text[128];
    (void)c;
    snprintf(text, sizeof text, "%d breakpoints, %d steps, %d modifications, %d pops, %d exits", breakpoints, steps,
             modifications, frame_pops, exits);
    breakpoints = steps = modifications = frame_pops = exits = 0;
    return (*env)->NewStringUTF(env, text);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)options, (void)reserved;
    the_vm = vm;
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK) return JNI_ERR;
    jvmtiCapabilities capabilities = {
        .can_generate_breakpoint_events = 1, .can_generate_single_step_events = 1, .can_suspend = 1,
        .can_generate_field_modification_events = 1, .can_access_local_variables = 1, .can_pop_frame = 1,
        .can_force_early_return = 1, .can_signal_thread = 1, .can_generate_frame_pop_events = 1,
        .can_generate_method_exit_events = 1,
    };
    jvmtiEventCallbacks callbacks = {.Breakpoint = on_breakpoint, .SingleStep = on_step,
                                     .FieldModification = on_modification, .FramePop = on_frame_pop,
                                     .MethodExit = on_method_exit};
    if (!ok((*jvmti)->AddCapabilities(jvmti, &capabilities), "AddCapabilities")) return JNI_ERR;
    ok((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks), "SetEventCallbacks");
    enable(JVMTI_EVENT_BREAKPOINT);
    enable(JVMTI_EVENT_FIELD_MODIFICATION);
    enable(JVMTI_EVENT_FRAME_POP);
    return JNI_OK;
}
