/* watched_hot.c: observes the methods of the program WatchedHot, and counts what is reported of them; with ours also in
 * how many of these events the frame was not compiled code's. Prints that as lines "interpreted: ...". */
#include "agent_support.h"

#include <vitrine.h>

enum { WORK, FAIL, CAUGHT, READ, MAKE, METHODS };
/* Of work: the begin of the loop's body, the store to the static field, and the return; of read: the access. */
enum { BODY = 10, STORE = 26, RETURN = 30, ACCESS = 1 };

static jvmtiExtensionFunction call_trace;         /* NULL elsewhere                                                   */
static jclass program;
static jmethodID methods[METHODS];
static jfieldID total, own;
static int watches_stores;                        /* of `own`, which `work` loads: the constructor's are reported     */
static int events, interpreted, changes_locals, changes_maker, returns_early, asks_for_pops;

static void look(jmethodID m) {
    vitrineCallFrame frame;
    jint count = 0;
    events++;
    if (call_trace == NULL) return;
    int seen = call_trace(jvmti, NULL, 1, &frame, &count) == JVMTI_ERROR_NONE && count == 1 && frame.method == m;
    if (!seen) say("FAILED: not the youngest frame");
    interpreted += !seen || (frame.kind != VITRINE_FRAME_COMPILED && frame.kind != VITRINE_FRAME_INLINED);
}

/* What is made in `make`. A frame whose local variables change meanwhile goes on in the interpreter. */
static void on_sampled(jvmtiEnv *env, JNIEnv *jni, jthread t, jobject o, jclass c, jlong size) {
    (void)env, (void)jni, (void)o, (void)c, (void)size;
    jmethodID m;
    jlocation at;
    jint value = 0;
    if (!ok((*jvmti)->GetFrameLocation(jvmti, t, 0, &m, &at), "GetFrameLocation") || m != methods[MAKE]) return;
    if (!changes_maker) look(m);
    else if (events++, ok((*jvmti)->GetLocalInt(jvmti, t, 0, 1, &value), "GetLocalInt"))
        ok((*jvmti)->SetLocalInt(jvmti, t, 0, 1, value + 1), "SetLocalInt");
}

static int is_watched(jmethodID m) { return m == methods[WORK] || m == methods[FAIL] || m == methods[CAUGHT]; }

static void on_entry(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m) {
    (void)env, (void)jni, (void)t;
    if (is_watched(m)) look(m);
}

static void on_exit_of(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jboolean by_exception, jvalue value) {
    (void)env, (void)jni, (void)t, (void)by_exception, (void)value;
    if (is_watched(m)) look(m);
}

static void on_breakpoint(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at) {
    (void)env, (void)jni;
    look(m);
    jint value = 0;
    if (changes_locals && ok((*jvmti)->GetLocalInt(jvmti, t, 0, 1, &value), "GetLocalInt"))
        ok((*jvmti)->SetLocalInt(jvmti, t, 0, 1, value + (int)at), "SetLocalInt");
    if (asks_for_pops && at == STORE) ok((*jvmti)->NotifyFramePop(jvmti, t, 0), "NotifyFramePop");
    if (returns_early) ok((*jvmti)->ForceEarlyReturnInt(jvmti, t, 5), "ForceEarlyReturnInt");
}

static void on_access(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at, jclass c, jobject o,
                      jfieldID f) {
    (void)env, (void)jni, (void)t, (void)at, (void)c, (void)o;
    if (f != own) say("FAILED: another field");
    look(m);
}

static void on_modification(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at, jclass c, jobject o,
                            jfieldID f, char type, jvalue value) {
    (void)env, (void)jni, (void)t, (void)at, (void)c, (void)o, (void)type, (void)value;
    if (f != (watches_stores ? own : total)) say("FAILED: another field");
    look(m);
}

static void on_pop(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jboolean by_exception) {
    (void)env, (void)jni, (void)t, (void)by_exception;
    look(m);
}

static void on_exception(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at, jobject e, jmethodID in,
                         jlocation to) {
    (void)env, (void)jni, (void)t, (void)at, (void)e, (void)in, (void)to;
    if (is_watched(m)) look(m);
}

static void on_catch(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at, jobject e) {
    (void)env, (void)jni, (void)t, (void)at, (void)e;
    if (is_watched(m)) look(m);
}

static void find(JNIEnv *env, jclass c) {
    if (program != NULL) return;
    program = (*env)->NewGlobalRef(env, c);
    methods[WORK] = (*env)->GetMethodID(env, c, "work", "(I)I");
    methods[FAIL] = (*env)->GetStaticMethodID(env, c, "fail", "(I)V");
    methods[CAUGHT] = (*env)->GetStaticMethodID(env, c, "caught", "(I)I");
    methods[READ] = (*env)->GetStaticMethodID(env, c, "read", "(LWatchedHot;)I");
    methods[MAKE] = (*env)->GetStaticMethodID(env, c, "make", "(I)D");
    total = (*env)->GetStaticFieldID(env, c, "total", "I");
    own = (*env)->GetFieldID(env, c, "own", "I");
}

/* ---- what is observed -------------------------------------------------------------------------------------------- */

static struct { jmethodID method; jlocation at; } breakpoints[3];
static int breakpoint_count, watches_own, watches_total;

static void notify(jvmtiEventMode mode, jvmtiEvent event, jthread t) {
    ok((*jvmti)->SetEventNotificationMode(jvmti, mode, event, t), "SetEventNotificationMode");
}

static void notify_of_methods(jvmtiEventMode mode, const char *what) {
    int all = what == NULL || strcmp(what, "all") == 0;
    if (all || strcmp(what, "entries") == 0) notify(mode, JVMTI_EVENT_METHOD_ENTRY, NULL);
    if (all || strcmp(what, "exits") == 0) notify(mode, JVMTI_EVENT_METHOD_EXIT, NULL);
    if (all || strcmp(what, "exceptions") == 0) {
        notify(mode, JVMTI_EVENT_EXCEPTION, NULL);
        notify(mode, JVMTI_EVENT_EXCEPTION_CATCH, NULL);
    }
}

static void break_at(int method, jlocation at) {
    ok((*jvmti)->SetBreakpoint(jvmti, methods[method], at), "SetBreakpoint");
    breakpoints[breakpoint_count].method = methods[method];
    breakpoints[breakpoint_count++].at = at;
}

JNIEXPORT void JNICALL Java_WatchedHot_begin(JNIEnv *env, jclass c, jstring name) {
    find(env, c);
    const char *what = (*env)->GetStringUTFChars(env, name, NULL);
    int all = strcmp(what, "all") == 0;
    changes_locals = all || strcmp(what, "locals") == 0;
    changes_maker = strcmp(what, "samples, and locals") == 0;
    asks_for_pops = all || strcmp(what, "pops") == 0;
    returns_early = strcmp(what, "early") == 0;
    if (strcmp(what, "breakpoint") == 0 || strcmp(what, "locals") == 0) break_at(WORK, BODY);
    if (strcmp(what, "pops") == 0 || returns_early) break_at(WORK, STORE);
    if (strcmp(what, "breakpoint at null") == 0) break_at(READ, ACCESS);
    if (all || strcmp(what, "breakpoints") == 0) break_at(WORK, 0), break_at(WORK, STORE), break_at(WORK, RETURN);
    watches_own = all || strcmp(what, "access") == 0;
    watches_total = all || strcmp(what, "modification") == 0;
    if (strcmp(what, "stores of what is loaded") == 0) {
        ok((*jvmti)->SetFieldModificationWatch(jvmti, c, own), "SetFieldModificationWatch");
        watches_stores = 1;
    }
    if (watches_own) ok((*jvmti)->SetFieldAccessWatch(jvmti, c, own), "SetFieldAccessWatch");
    if (watches_total) ok((*jvmti)->SetFieldModificationWatch(jvmti, c, total), "SetFieldModificationWatch");
    events = interpreted = 0;
    notify_of_methods(JVMTI_ENABLE, what);
    if (all || strncmp(what, "samples", 7) == 0) notify(JVMTI_ENABLE, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, NULL);
    (*env)->ReleaseStringUTFChars(env, name, what);
}

JNIEXPORT jstring JNICALL Java_WatchedHot_end(JNIEnv *env, jclass c) {
    char text[64];
    notify_of_methods(JVMTI_DISABLE, NULL);
    notify(JVMTI_DISABLE, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, NULL);
    for (; breakpoint_count > 0; breakpoint_count--)
        ok((*jvmti)->ClearBreakpoint(jvmti, breakpoints[breakpoint_count - 1].method,
                                     breakpoints[breakpoint_count - 1].at), "ClearBreakpoint");
    if (watches_own) ok((*jvmti)->ClearFieldAccessWatch(jvmti, c, own), "ClearFieldAccessWatch");
    if (watches_total) ok((*jvmti)->ClearFieldModificationWatch(jvmti, c, total), "ClearFieldModificationWatch");
    if (watches_stores) ok((*jvmti)->ClearFieldModificationWatch(jvmti, c, own), "ClearFieldModificationWatch");
    watches_own = watches_total = watches_stores = 0;
    if (call_trace != NULL && events > 10) say("interpreted: %d of %d", interpreted, events);
    snprintf(text, sizeof text, "%d events", events);
    events = interpreted = 0;
    return (*env)->NewStringUTF(env, text);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)options, (void)reserved;
    the_vm = vm;
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK) return JNI_ERR;
    jvmtiCapabilities capabilities = {
        .can_generate_breakpoint_events = 1, .can_generate_method_entry_events = 1,
        .can_generate_method_exit_events = 1, .can_generate_field_access_events = 1,
        .can_generate_field_modification_events = 1, .can_generate_frame_pop_events = 1,
        .can_generate_exception_events = 1, .can_access_local_variables = 1, .can_force_early_return = 1,
        .can_generate_sampled_object_alloc_events = 1,
    };
    jvmtiEventCallbacks callbacks = {
        .Breakpoint = on_breakpoint, .MethodEntry = on_entry, .MethodExit = on_exit_of, .FieldAccess = on_access,
        .FieldModification = on_modification, .FramePop = on_pop, .Exception = on_exception,
        .ExceptionCatch = on_catch, .SampledObjectAlloc = on_sampled,
    };
    call_trace = extension_function("vitrine.functions.GetCallTrace");
    if (!ok((*jvmti)->AddCapabilities(jvmti, &capabilities), "AddCapabilities")) return JNI_ERR;
    ok((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks), "SetEventCallbacks");
    ok((*jvmti)->SetHeapSamplingInterval(jvmti, 0), "SetHeapSamplingInterval");
    enable(JVMTI_EVENT_BREAKPOINT);
    enable(JVMTI_EVENT_FIELD_ACCESS);
    enable(JVMTI_EVENT_FIELD_MODIFICATION);
    enable(JVMTI_EVENT_FRAME_POP);
    return JNI_OK;
}
