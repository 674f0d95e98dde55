/* optimised.c: reads the frames of the program Optimised where they make objects, wait for monitors and throw, and
 * counts what is reported of them. */
#include "agent_support.h"

enum { MAKE, GUARDED, WRONG, MAX, COUNT, METHODS };
/* Of make: a, b, c, d. */
enum { INT_SLOT = 2, LONG_SLOT = 3, FLOAT_SLOT = 5, DOUBLE_SLOT = 6 };

static jmethodID methods[METHODS];
static int changes, events, waiting;
static unsigned seen;
static jrawMonitorID turn;

static void add(double v) { seen = seen * 31 + (unsigned)(long long)(v * 16); }

static int is_of(jmethodID m, int method) { return methods[method] != NULL && m == methods[method]; }

static void read_maker(jthread t) {
    jint i = 0;
    jlong j = 0;
    jfloat f = 0;
    jdouble d = 0;
    if (ok((*jvmti)->GetLocalInt(jvmti, t, 0, INT_SLOT, &i), "GetLocalInt")) add(i);
    if (ok((*jvmti)->GetLocalLong(jvmti, t, 0, LONG_SLOT, &j), "GetLocalLong")) add((double)j);
    if (ok((*jvmti)->GetLocalFloat(jvmti, t, 0, FLOAT_SLOT, &f), "GetLocalFloat")) add(f);
    if (ok((*jvmti)->GetLocalDouble(jvmti, t, 0, DOUBLE_SLOT, &d), "GetLocalDouble")) add(d);
    if (changes) ok((*jvmti)->SetLocalInt(jvmti, t, 0, INT_SLOT, i + 1), "SetLocalInt");
}

static void count_monitors(jthread t) {
    jint count = 0;
    jobject *owned = NULL;
    if (ok((*jvmti)->GetOwnedMonitorInfo(jvmti, t, &count, &owned), "GetOwnedMonitorInfo")) add(count);
    release(owned);
}

static void look(jthread t) {
    jmethodID m;
    jlocation at;
    jvmtiError err = (*jvmti)->GetFrameLocation(jvmti, t, 0, &m, &at);
    if (err == JVMTI_ERROR_NO_MORE_FRAMES) return;       /* another thread, which begins or ends */
    if (!ok(err, "GetFrameLocation")) return;
    if (!is_of(m, MAKE) && !is_of(m, GUARDED) && !is_of(m, WRONG)) return;
    events++;
    add((double)at);
    count_monitors(t);
    if (is_of(m, MAKE)) read_maker(t);
}

static void on_sampled(jvmtiEnv *env, JNIEnv *jni, jthread t, jobject o, jclass c, jlong size) {
    (void)env, (void)jni, (void)o, (void)c, (void)size;
    look(t);
}

static void on_exception(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at, jobject e, jmethodID in,
                         jlocation to) {
    (void)env, (void)jni, (void)t, (void)e;
    if (!is_of(m, WRONG)) return;
    events++;
    add((double)at);
    add(in == m ? (double)to : -1);
}

static void on_entry(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m) {
    (void)env, (void)jni, (void)t;
    if (is_of(m, MAX) || is_of(m, COUNT)) events++;
}

static void on_contended(jvmtiEnv *env, JNIEnv *jni, jthread t, jobject o) {
    (void)env, (void)jni, (void)o;
    look(t);
    (*jvmti)->RawMonitorEnter(jvmti, turn);
    waiting = 1;
    (*jvmti)->RawMonitorNotifyAll(jvmti, turn);
    (*jvmti)->RawMonitorExit(jvmti, turn);
}

static void on_entered(jvmtiEnv *env, JNIEnv *jni, jthread t, jobject o) {
    (void)env, (void)jni, (void)o;
    look(t);
}

JNIEXPORT void JNICALL Java_Optimised_awaitContention(JNIEnv *env, jclass c) {
    (void)env, (void)c;
    (*jvmti)->RawMonitorEnter(jvmti, turn);
    while (!waiting) (*jvmti)->RawMonitorWait(jvmti, turn, 0);
    (*jvmti)->RawMonitorExit(jvmti, turn);
}

static void notify(jvmtiEventMode mode) {
    static const jvmtiEvent all[] = {JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, JVMTI_EVENT_EXCEPTION,
                                     JVMTI_EVENT_MONITOR_CONTENDED_ENTER, JVMTI_EVENT_MONITOR_CONTENDED_ENTERED};
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        ok((*jvmti)->SetEventNotificationMode(jvmti, mode, all[i], NULL), "SetEventNotificationMode");
}

JNIEXPORT void JNICALL Java_Optimised_begin(JNIEnv *env, jclass c, jboolean with_changes) {
    methods[MAKE] = (*env)->GetStaticMethodID(env, c, "make", "(II)D");
    methods[GUARDED] = (*env)->GetStaticMethodID(env, c, "guarded", "(Ljava/lang/Object;Ljava/lang/Object;I)I");
    methods[WRONG] = (*env)->GetStaticMethodID(env, c, "wrong", "(II)I");
    changes = with_changes;
    events = 0;
    seen = 1;
    notify(JVMTI_ENABLE);
}

JNIEXPORT void JNICALL Java_Optimised_beginEntries(JNIEnv *env, jclass c) {
    (void)c;
    methods[MAX] = (*env)->GetStaticMethodID(env, (*env)->FindClass(env, "java/lang/Math"), "max", "(II)I");
    methods[COUNT] = (*env)->GetStaticMethodID(env, (*env)->FindClass(env, "java/lang/Integer"), "bitCount", "(I)I");
    events = 0;
    enable(JVMTI_EVENT_METHOD_ENTRY);
}

JNIEXPORT jstring JNICALL Java_Optimised_end(JNIEnv *env, jclass c) {
    char text[64];
    (void)c;
    notify(JVMTI_DISABLE);
    ok((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_DISABLE, JVMTI_EVENT_METHOD_ENTRY, NULL), "disable entries");
    snprintf(text, sizeof text, "%d events, %x", events, seen);
    return (*env)->NewStringUTF(env, text);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)options, (void)reserved;
    the_vm = vm;
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK) return JNI_ERR;
    jvmtiCapabilities capabilities = {
        .can_generate_exception_events = 1, .can_access_local_variables = 1, .can_generate_monitor_events = 1,
        .can_generate_method_entry_events = 1,
        .can_generate_sampled_object_alloc_events = 1, .can_get_owned_monitor_info = 1,
    };
    jvmtiEventCallbacks callbacks = {.SampledObjectAlloc = on_sampled, .Exception = on_exception,
                                     .MethodEntry = on_entry,
                                     .MonitorContendedEnter = on_contended, .MonitorContendedEntered = on_entered};
    if (!ok((*jvmti)->AddCapabilities(jvmti, &capabilities), "AddCapabilities")) return JNI_ERR;
    ok((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks), "SetEventCallbacks");
    ok((*jvmti)->SetHeapSamplingInterval(jvmti, 0), "SetHeapSamplingInterval");
    ok((*jvmti)->CreateRawMonitor(jvmti, "turn", &turn), "CreateRawMonitor");
    return JNI_OK;
}
