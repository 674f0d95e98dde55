/* while_entering.c: what is done in MethodEntry and MethodExit of inner, for tests/jvmti/WhileEntering.java. */
#include "agent_support.h"

static jclass holder;
static jmethodID inner, outer;
static jfieldID written;

/* ---- what is done, by the thread itself -------------------------------------------------------------------------- */

static jlocation line_of(jmethodID m, jint nth) {
    jint count;
    jvmtiLineNumberEntry *lines;
    if (!ok((*jvmti)->GetLineNumberTable(jvmti, m, &count, &lines), "GetLineNumberTable") || nth >= count) abort();
    jlocation at = lines[nth].start_location;
    release(lines);
    return at;
}

static jvmtiError nothing(JNIEnv *jni, jboolean exit) {
    (void)jni, (void)exit;
    return JVMTI_ERROR_NONE;
}

/* Where the method that goes on has still to come by. */
static jvmtiError breakpoint(JNIEnv *jni, jboolean exit) {
    (void)jni;
    return (*jvmti)->SetBreakpoint(jvmti, exit ? outer : inner, line_of(exit ? outer : inner, exit ? 3 : 2));
}

static jvmtiError watch(JNIEnv *jni, jboolean exit) {
    (void)jni, (void)exit;
    return (*jvmti)->SetFieldModificationWatch(jvmti, holder, written);
}

static jvmtiError argument(JNIEnv *jni, jboolean exit) {
    (void)jni, (void)exit;
    return (*jvmti)->SetLocalInt(jvmti, NULL, 0, 0, 50);
}

static jvmtiError variable_of_caller(JNIEnv *jni, jboolean exit) {
    (void)jni, (void)exit;
    return (*jvmti)->SetLocalInt(jvmti, NULL, 1, 1, 1000);
}

static jvmtiError pop_of_caller(JNIEnv *jni, jboolean exit) {
    (void)jni, (void)exit;
    return (*jvmti)->NotifyFramePop(jvmti, NULL, 1);
}

static jvmtiError pop(JNIEnv *jni, jboolean exit) {
    (void)jni, (void)exit;
    return (*jvmti)->NotifyFramePop(jvmti, NULL, 0);
}

static jvmtiError early_return(JNIEnv *jni, jboolean exit) {
    (void)jni, (void)exit;
    return (*jvmti)->ForceEarlyReturnInt(jvmti, NULL, 77);
}

static jvmtiError stop(JNIEnv *jni, jboolean exit) {
    jclass c = (*jni)->FindClass(jni, "java/lang/IllegalStateException");
    jobject e = (*jni)->NewObject(jni, c, (*jni)->GetMethodID(jni, c, "<init>", "(Ljava/lang/String;)V"),
                                  (*jni)->NewStringUTF(jni, "stopped"));
    jthread self;
    (void)exit;
    return ok((*jvmti)->GetCurrentThread(jvmti, &self), "GetCurrentThread") ? (*jvmti)->StopThread(jvmti, self, e)
                                                                             : JVMTI_ERROR_INTERNAL;
}

static jvmtiError steps(JNIEnv *jni, jboolean exit) {
    (void)jni, (void)exit;
    jthread self;
    if (!ok((*jvmti)->GetCurrentThread(jvmti, &self), "GetCurrentThread")) return JVMTI_ERROR_INTERNAL;
    return (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_SINGLE_STEP, self);
}

static jvmtiError collection(JNIEnv *jni, jboolean exit) {
    (void)jni, (void)exit;
    return (*jvmti)->ForceGarbageCollection(jvmti);
}

static const struct kind {
    const char *name;
    jvmtiError (*does)(JNIEnv *jni, jboolean exit);
} kinds[] = {{"nothing", nothing}, {"breakpoint behind it", breakpoint}, {"watched field", watch},
             {"its argument changes", argument}, {"a variable of the caller changes", variable_of_caller},
             {"frame pop", pop}, {"frame pop of the caller", pop_of_caller}, {"early return", early_return},
             {"StopThread", stop}, {"steps", steps}, {"collection", collection}};
static jint next;
static jboolean at_exit;

/* ---- events ------------------------------------------------------------------------------------------------------ */

static void happens(JNIEnv *jni, jmethodID m, jboolean exit) {
    if (m != inner || next == 0 || exit != at_exit) return;
    const struct kind *k = &kinds[next];
    next = 0;                            /* what it does may call methods                                          */
    say("  %s", error_text(k->does(jni, exit)));
}

static void JNICALL on_entry(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m) {
    (void)env, (void)t;
    happens(jni, m, JNI_FALSE);
}

static void JNICALL on_exit_of(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jboolean by_exception,
                               jvalue value) {
    (void)env, (void)t, (void)by_exception, (void)value;
    happens(jni, m, JNI_TRUE);
}

static const char *name_of(jmethodID m) { return m == inner ? "inner" : m == outer ? "outer" : NULL; }

static void JNICALL on_breakpoint(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at) {
    (void)jni, (void)t;
    say("  Breakpoint %s %d", name_of(m), (int)at);
    ok((*env)->ClearBreakpoint(env, m, at), "ClearBreakpoint");
}

static void JNICALL on_step(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at) {
    (void)env, (void)jni, (void)t;
    if (name_of(m) != NULL) say("  SingleStep %s %d", name_of(m), (int)at);
}

static void JNICALL on_modification(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at, jclass c,
                                    jobject o, jfieldID f, char type, jvalue value) {
    (void)env, (void)jni, (void)t, (void)c, (void)o, (void)f, (void)type;
    say("  FieldModification %s %d: %d", name_of(m), (int)at, (int)value.i);
}

static void JNICALL on_pop(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jboolean by_exception) {
    (void)env, (void)jni, (void)t;
    say("  FramePop %s%s", name_of(m), by_exception ? " by exception" : "");
}

/* ---- what Java calls --------------------------------------------------------------------------------------------- */

JNIEXPORT void JNICALL Java_WhileEntering_next(JNIEnv *jni, jclass self, jboolean exit, jint what) {
    static const jvmtiEvent events[] = {JVMTI_EVENT_METHOD_ENTRY, JVMTI_EVENT_METHOD_EXIT, JVMTI_EVENT_BREAKPOINT,
                                        JVMTI_EVENT_FIELD_MODIFICATION, JVMTI_EVENT_FRAME_POP};
    for (size_t i = 0; holder == NULL && i < sizeof events / sizeof events[0]; i++)
        ok((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, events[i], NULL), "SetEventNotificationMode");
    if (holder == NULL) {
        holder = (*jni)->NewGlobalRef(jni, self);
        inner = (*jni)->GetStaticMethodID(jni, self, "inner", "(I)I");
        outer = (*jni)->GetStaticMethodID(jni, self, "outer", "(I)I");
        written = (*jni)->GetStaticFieldID(jni, self, "written", "I");
    }
    if (what == 0) {
        (void)(*jvmti)->ClearFieldModificationWatch(jvmti, holder, written);
        jthread thread;
        ok((*jvmti)->GetCurrentThread(jvmti, &thread), "GetCurrentThread");
        ok((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_DISABLE, JVMTI_EVENT_SINGLE_STEP, thread), "no steps");
    }
    at_exit = exit;
    next = what;
}

JNIEXPORT jint JNICALL Java_WhileEntering_kinds(JNIEnv *jni, jclass self) {
    (void)jni, (void)self;
    return sizeof kinds / sizeof kinds[0];
}

JNIEXPORT jstring JNICALL Java_WhileEntering_kind(JNIEnv *jni, jclass self, jint what) {
    (void)self;
    return (*jni)->NewStringUTF(jni, kinds[what].name);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)options, (void)reserved;
    if (attach_jvmti(vm) != JNI_OK) return JNI_ERR;
    jvmtiCapabilities wanted = {
        .can_generate_method_entry_events = 1, .can_generate_method_exit_events = 1, .can_get_line_numbers = 1,
        .can_generate_breakpoint_events = 1, .can_generate_field_modification_events = 1,
        .can_access_local_variables = 1, .can_generate_frame_pop_events = 1, .can_force_early_return = 1,
        .can_signal_thread = 1, .can_generate_single_step_events = 1,
    };
    jvmtiEventCallbacks callbacks = {.MethodEntry = on_entry, .MethodExit = on_exit_of, .Breakpoint = on_breakpoint,
                                     .SingleStep = on_step, .FieldModification = on_modification, .FramePop = on_pop};
    ok((*jvmti)->AddCapabilities(jvmti, &wanted), "AddCapabilities");
    ok((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks), "SetEventCallbacks");
    return JNI_OK;
}
