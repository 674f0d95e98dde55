/* direct.c: single rows of the checklist, called from tests/jvmti/Direct.java: which capabilities need another one,
 * which exceptions are events, local variables of virtual threads. */
#include "agent_support.h"

static jvmtiEnv *new_env(void) {
    jvmtiEnv *env = NULL;
    if ((*the_vm)->GetEnv(the_vm, (void **)&env, JVMTI_VERSION_1_2) != JNI_OK) say("FAILED GetEnv");
    return env;
}

/* ---- JT-160 ------------------------------------------------------------------------------------------------------ */

static void try_with(const char *what, jvmtiCapabilities wanted, jclass c, const jvmtiClassDefinition *definition) {
    jvmtiEnv *env = new_env();
    ok((*env)->AddCapabilities(env, &wanted), "AddCapabilities");
    say("JT-160 %s: RedefineClasses %s, RetransformClasses %s", what,
        error_text((*env)->RedefineClasses(env, 1, definition)), error_text((*env)->RetransformClasses(env, 1, &c)));
    ok((*env)->DisposeEnvironment(env), "DisposeEnvironment");
}

JNIEXPORT void JNICALL Java_Direct_capabilities(JNIEnv *jni, jclass self, jclass c, jbyteArray file) {
    (void)self;
    jbyte *bytes = (*jni)->GetByteArrayElements(jni, file, NULL);
    jvmtiClassDefinition definition = {c, (*jni)->GetArrayLength(jni, file), (unsigned char *)bytes};
    try_with("none", (jvmtiCapabilities){0}, c, &definition);
    try_with("any class only", (jvmtiCapabilities){.can_redefine_any_class = 1, .can_retransform_any_class = 1}, c,
             &definition);
    try_with("redefine and any", (jvmtiCapabilities){.can_redefine_any_class = 1, .can_redefine_classes = 1}, c,
             &definition);
    try_with("retransform and any", (jvmtiCapabilities){.can_retransform_any_class = 1, .can_retransform_classes = 1},
             c, &definition);
    (*jni)->ReleaseByteArrayElements(jni, file, bytes, JNI_ABORT);
}

/* ---- JT-138 ------------------------------------------------------------------------------------------------------ */

static int is_raise(jmethodID m) {
    char *name = NULL;
    ok((*jvmti)->GetMethodName(jvmti, m, &name, NULL, NULL), "GetMethodName");
    int yes = strcmp(name, "raise") == 0 || strcmp(name, "exceptions") == 0;
    release(name);
    return yes;
}

static void JNICALL on_exception(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at, jobject e,
                                 jmethodID catcher, jlocation catch_at) {
    char name[100];
    (void)env, (void)t, (void)at, (void)catch_at;
    if (is_raise(m) || (catcher && is_raise(catcher)))
        say("JT-138 Exception %s", class_text((*jni)->GetObjectClass(jni, e), name, sizeof name));
}

static void JNICALL on_catch(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at, jobject e) {
    char name[100];
    (void)env, (void)t, (void)at;
    if (is_raise(m)) say("JT-138 ExceptionCatch %s", class_text((*jni)->GetObjectClass(jni, e), name, sizeof name));
}

static void exception_modes(jvmtiEnv *env, const char *when) {
    jvmtiError thrown = (*env)->SetEventNotificationMode(env, JVMTI_ENABLE, JVMTI_EVENT_EXCEPTION, NULL);
    jvmtiError caught = (*env)->SetEventNotificationMode(env, JVMTI_ENABLE, JVMTI_EVENT_EXCEPTION_CATCH, NULL);
    say("JT-138 %s: %s, %s", when, error_text(thrown), error_text(caught));
}

JNIEXPORT void JNICALL Java_Direct_watchExceptions(JNIEnv *jni, jclass self, jboolean on) {
    (void)jni, (void)self;
    if (on) {
        jvmtiEnv *other = new_env();
        exception_modes(other, "without the capability");
        ok((*other)->DisposeEnvironment(other), "DisposeEnvironment");
        exception_modes(jvmti, "with it");
    } else {
        ok((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_DISABLE, JVMTI_EVENT_EXCEPTION, NULL),
           "SetEventNotificationMode");
        ok((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_DISABLE, JVMTI_EVENT_EXCEPTION_CATCH, NULL),
           "SetEventNotificationMode");
    }
}

/* ---- JT-210 ------------------------------------------------------------------------------------------------------ */

/* Below the top a variable may be read and not set: if the VM refuses it has not changed, if it does not it has. */
JNIEXPORT void JNICALL Java_Direct_locals(JNIEnv *jni, jclass self, jthread t) {
    jmethodID outer = (*jni)->GetStaticMethodID(jni, self, "outer", "(I)V"),
              inner = (*jni)->GetStaticMethodID(jni, self, "inner", "(I)V");
    jvmtiFrameInfo frames[32];
    jint n = 0, found = 0;
    ok((*jvmti)->SuspendThread(jvmti, t), "SuspendThread");
    ok((*jvmti)->GetStackTrace(jvmti, t, 0, 32, frames, &n), "GetStackTrace");
    for (jint depth = 0; depth < n; depth++) {
        if (frames[depth].method != outer && frames[depth].method != inner) continue;
        jint before = -1, after = -1;
        found++;
        say("JT-210 %s: read %s", frames[depth].method == outer ? "outer" : "inner",
            error_text((*jvmti)->GetLocalInt(jvmti, t, depth, 0, &before)));
        say("  value %d", (int)before);
        if (frames[depth].method == inner) continue;
        jvmtiError err = (*jvmti)->SetLocalInt(jvmti, t, depth, 0, 99);
        ok((*jvmti)->GetLocalInt(jvmti, t, depth, 0, &after), "GetLocalInt");
        if (!(err == JVMTI_ERROR_OPAQUE_FRAME && after == before) && !(err == JVMTI_ERROR_NONE && after == 99))
            say("FAILED set below the top: %s, then %d", error_text(err), (int)after);
    }
    if (found != 2) say("FAILED %d frames found", (int)found);
    ok((*jvmti)->ResumeThread(jvmti, t), "ResumeThread");
}

/* Variables of a thread that waits and is not suspended, in the frame of Direct.idle. */
JNIEXPORT void JNICALL Java_Direct_waitingLocals(JNIEnv *jni, jclass self, jthread t, jobject other) {
    jmethodID m = (*jni)->GetMethodID(jni, self, "idle", "(ILjava/lang/Object;JD)V");
    jvmtiFrameInfo frames[32];
    jint n = 0, depth = 0, i = -1;
    jlong j = -1;
    jdouble d = -1;
    jobject o = NULL, receiver = NULL;
    jvmtiError err;
    ok((*jvmti)->GetStackTrace(jvmti, t, 0, 32, frames, &n), "GetStackTrace");
    while (depth < n && frames[depth].method != m) depth++;
    say("waiting: GetLocalInstance %s", error_text((*jvmti)->GetLocalInstance(jvmti, t, depth, &receiver)));
    err = (*jvmti)->GetLocalInt(jvmti, t, depth, 1, &i);
    say("waiting: GetLocalInt %s %d", error_text(err), (int)i);
    err = (*jvmti)->GetLocalObject(jvmti, t, depth, 2, &o);
    say("waiting: GetLocalObject %s %d", error_text(err), (*jni)->IsSameObject(jni, o, other));
    err = (*jvmti)->GetLocalLong(jvmti, t, depth, 3, &j);
    say("waiting: GetLocalLong %s %d", error_text(err), (int)j);
    err = (*jvmti)->GetLocalDouble(jvmti, t, depth, 5, &d);
    say("waiting: GetLocalDouble %s %.1f", error_text(err), d);
    say("waiting: SetLocalInt %s", error_text((*jvmti)->SetLocalInt(jvmti, t, depth, 1, 70)));
    say("waiting: SetLocalObject %s", error_text((*jvmti)->SetLocalObject(jvmti, t, depth, 2, t)));
    say("waiting: SetLocalLong %s", error_text((*jvmti)->SetLocalLong(jvmti, t, depth, 3, 80)));
    say("waiting: SetLocalDouble %s", error_text((*jvmti)->SetLocalDouble(jvmti, t, depth, 5, 0.5)));
    say("waiting: in a native method %s", error_text((*jvmti)->GetLocalInt(jvmti, t, 0, 0, &i)));
}

/* ---- which of several errors ------------------------------------------------------------------------------------- */

#define TRY(function, ...) \
    say("two errors: " #function "(" #__VA_ARGS__ ") %s", error_text((*jvmti)->function(jvmti, __VA_ARGS__)))

/* `other` is an object that is neither thread, group, class, loader nor module. */
JNIEXPORT void JNICALL Java_Direct_twoErrors(JNIEnv *jni, jclass self, jobject other) {
    (void)jni, (void)self;
    jthread thread = other;
    jclass class = other;
    TRY(GetObjectSize, NULL, NULL);
    TRY(GetObjectHashCode, NULL, NULL);
    TRY(GetObjectMonitorUsage, NULL, NULL);
    TRY(GetTag, NULL, NULL);
    TRY(IterateOverObjectsReachableFromObject, NULL, NULL, NULL);
    TRY(FollowReferences, 0, class, NULL, NULL, NULL);
    TRY(IterateThroughHeap, 0, class, NULL, NULL);
    TRY(GetThreadState, thread, NULL);
    TRY(GetThreadInfo, thread, NULL);
    TRY(GetThreadLocalStorage, thread, NULL);
    TRY(RunAgentThread, thread, NULL, NULL, 5);
    TRY(GetThreadCpuTime, thread, NULL);
    TRY(GetFrameCount, thread, NULL);
    TRY(GetStackTrace, thread, 0, -1, NULL, NULL);
    TRY(GetStackTrace, thread, 0, 1, NULL, NULL);
    TRY(GetFrameLocation, thread, -1, NULL, NULL);
    TRY(NotifyFramePop, thread, -1);
    TRY(GetLocalInt, thread, 0, 0, NULL);
    TRY(SetLocalInt, thread, -1, 0, 1);
    TRY(GetLocalInstance, thread, -1, NULL);
    TRY(GetOwnedMonitorInfo, thread, NULL, NULL);
    TRY(GetOwnedMonitorStackDepthInfo, thread, NULL, NULL);
    TRY(GetCurrentContendedMonitor, thread, NULL);
    TRY(GetThreadGroupInfo, NULL, NULL);
    TRY(GetThreadGroupChildren, NULL, NULL, NULL, NULL, NULL);
    TRY(GetClassLoaderClasses, other, NULL, NULL);
    TRY(GetNamedModule, other, NULL, NULL);
    TRY(AddModuleReads, other, NULL);
    TRY(AddModuleExports, other, NULL, NULL);
    TRY(AddModuleUses, other, NULL);
    TRY(AddModuleUses, other, class);
    TRY(IsModifiableModule, other, NULL);
    TRY(GetClassStatus, class, NULL);
    TRY(GetClassFields, class, NULL, NULL);
    TRY(GetFieldModifiers, class, NULL, NULL);
}

static void JNICALL on_breakpoint(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at) {
    jint value = -1;
    (void)env, (void)jni, (void)m, (void)at;
    ok((*jvmti)->GetLocalInt(jvmti, t, 0, 0, &value), "GetLocalInt");
    say("JT-210 at an event: value %d, set %s", (int)value, error_text((*jvmti)->SetLocalInt(jvmti, t, 0, 0, 70)));
}

JNIEXPORT void JNICALL Java_Direct_stopAt(JNIEnv *jni, jclass self, jclass c, jboolean on) {
    (void)self;
    jmethodID m = (*jni)->GetStaticMethodID(jni, c, "stopped", "(I)I");
    ok(on ? (*jvmti)->SetBreakpoint(jvmti, m, 0) : (*jvmti)->ClearBreakpoint(jvmti, m, 0), "breakpoint");
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)options, (void)reserved;
    if (attach_jvmti(vm) != JNI_OK) return JNI_ERR;
    jvmtiCapabilities wanted = {0}, potential;
    ok((*jvmti)->GetPotentialCapabilities(jvmti, &potential), "GetPotentialCapabilities");
    wanted.can_suspend = wanted.can_access_local_variables = wanted.can_generate_breakpoint_events =
        wanted.can_generate_exception_events = wanted.can_tag_objects = wanted.can_get_monitor_info =
            wanted.can_get_owned_monitor_info = wanted.can_get_owned_monitor_stack_depth_info =
                wanted.can_get_current_contended_monitor = wanted.can_get_thread_cpu_time =
                    wanted.can_generate_frame_pop_events = 1;
    wanted.can_support_virtual_threads = potential.can_support_virtual_threads;
    ok((*jvmti)->AddCapabilities(jvmti, &wanted), "AddCapabilities");
    jvmtiEventCallbacks callbacks = {.Exception = on_exception,
                                     .ExceptionCatch = on_catch,
                                     .Breakpoint = on_breakpoint};
    ok((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks), "SetEventCallbacks");
    enable(JVMTI_EVENT_BREAKPOINT);
    return JNI_OK;
}
