/* monitors.c: suspending, stopping and interrupting threads, agents' own threads, monitors and their events, allocation
 * events. */
#include "agent_support.h"
#include <stdatomic.h>

static int is_ours(JNIEnv *jni, jobject o, char *out, size_t size) {
    if (o == NULL) return 0;
    class_text((*jni)->GetObjectClass(jni, o), out, size);
    return strncmp(out, "LMonitors", 9) == 0 || strncmp(out, "[LMonitors", 10) == 0;
}

static jrawMonitorID turn;               /* orders what the agent's own thread says and what its starter says */
static atomic_int events_told;

static void told(JNIEnv *jni, jthread t, jobject o, const char *what, long number) {
    char type[100], name[100];
    if (!is_ours(jni, o, type, sizeof type)) return;
    say("%s %s in %s, %ld", what, type, thread_text(t, name, sizeof name), number);
    events_told++;
}

static void JNICALL on_enter(jvmtiEnv *env, JNIEnv *jni, jthread t, jobject o) {
    (void)env;
    told(jni, t, o, "contended enter", 0);
}
static void say_owned(JNIEnv *jni, jthread t);
static void JNICALL on_entered(jvmtiEnv *env, JNIEnv *jni, jthread t, jobject o) {
    char type[100];
    (void)env;
    told(jni, t, o, "contended entered", 0);
    if (is_ours(jni, o, type, sizeof type)) say_owned(jni, t);
}
static void JNICALL on_wait(jvmtiEnv *env, JNIEnv *jni, jthread t, jobject o, jlong millis) {
    (void)env;
    told(jni, t, o, "wait", (long)millis);
}
static void JNICALL on_waited(jvmtiEnv *env, JNIEnv *jni, jthread t, jobject o, jboolean timed_out) {
    (void)env;
    told(jni, t, o, "waited", timed_out);
}
static void JNICALL on_alloc(jvmtiEnv *env, JNIEnv *jni, jthread t, jobject o, jclass c, jlong size) {
    char type[100];
    (void)env;
    told(jni, t, o, "allocated", 0);
    if (is_ours(jni, o, type, sizeof type) &&
        (size <= 0 || !(*jni)->IsSameObject(jni, c, (*jni)->GetObjectClass(jni, o))))
        say("FAILED size or class");
}

static long sampled;
static void JNICALL on_sample(jvmtiEnv *env, JNIEnv *jni, jthread t, jobject o, jclass c, jlong size) {
    char type[100];
    (void)env, (void)t, (void)c;
    if (size > 0 && is_ours(jni, o, type, sizeof type)) sampled++;
}

static void JNICALL on_exhausted(jvmtiEnv *env, JNIEnv *jni, jint flags, const void *reserved,
                                 const char *description) {
    (void)env, (void)jni;
    say("exhausted %d %d %s", flags, reserved != NULL, description);
}

/* ---- what the program asks for ----------------------------------------------------------------------------------- */

JNIEXPORT void JNICALL Java_Monitors_event(JNIEnv *jni, jclass self, jint event, jboolean on) {
    (void)jni, (void)self;
    ok((*jvmti)->SetEventNotificationMode(jvmti, on ? JVMTI_ENABLE : JVMTI_DISABLE, event, NULL),
       "SetEventNotificationMode");
}

/* How many lines about events have been printed. */
JNIEXPORT jint JNICALL Java_Monitors_told(JNIEnv *jni, jclass self) {
    (void)jni, (void)self;
    return events_told;
}

JNIEXPORT jlong JNICALL Java_Monitors_sampled(JNIEnv *jni, jclass self, jint interval) {
    (void)jni, (void)self;
    jvmtiError err = (*jvmti)->SetHeapSamplingInterval(jvmti, interval);
    if (err) say("interval %d: %s", interval, error_text(err));
    return sampled;
}

JNIEXPORT jstring JNICALL Java_Monitors_suspend(JNIEnv *jni, jclass self, jthread t) {
    (void)self;
    return (*jni)->NewStringUTF(jni, error_text((*jvmti)->SuspendThread(jvmti, t)));
}

JNIEXPORT jstring JNICALL Java_Monitors_resume(JNIEnv *jni, jclass self, jthread t) {
    (void)self;
    return (*jni)->NewStringUTF(jni, error_text((*jvmti)->ResumeThread(jvmti, t)));
}

JNIEXPORT void JNICALL Java_Monitors_lists(JNIEnv *jni, jclass self, jthread a, jthread b, jobject none) {
    (void)jni, (void)self;
    jthread list[] = {a, b, none, a};
    jvmtiError results[4];
    ok((*jvmti)->SuspendThreadList(jvmti, 4, list, results), "SuspendThreadList");
    for (int i = 0; i < 4; i++) say("suspend %d: %s", i, error_text(results[i]));
    ok((*jvmti)->ResumeThreadList(jvmti, 4, list, results), "ResumeThreadList");
    for (int i = 0; i < 4; i++) say("resume %d: %s", i, error_text(results[i]));
}

JNIEXPORT jint JNICALL Java_Monitors_state(JNIEnv *jni, jclass self, jthread t) {
    (void)jni, (void)self;
    jint state = 0;
    ok((*jvmti)->GetThreadState(jvmti, t, &state), "GetThreadState");
    return state;
}

JNIEXPORT jstring JNICALL Java_Monitors_signal(JNIEnv *jni, jclass self, jthread t, jthrowable e) {
    (void)self;
    return (*jni)->NewStringUTF(jni, error_text(e ? (*jvmti)->StopThread(jvmti, t, e)
                                                  : (*jvmti)->InterruptThread(jvmti, t)));
}

/* What a thread owns and waits for; the thread is suspended or stands still. */
static void say_owned(JNIEnv *jni, jthread t) {
    jint n;
    jobject *list, contended;
    jvmtiMonitorStackDepthInfo *depths;
    char type[100];
    if (!ok((*jvmti)->GetOwnedMonitorInfo(jvmti, t, &n, &list), "GetOwnedMonitorInfo")) return;
    for (jint i = 0; i < n; i++)
        if (is_ours(jni, list[i], type, sizeof type)) say("owns %s", type);
    release(list);
    if (!ok((*jvmti)->GetOwnedMonitorStackDepthInfo(jvmti, t, &n, &depths), "GetOwnedMonitorStackDepthInfo")) return;
    for (jint i = 0; i < n; i++)
        if (is_ours(jni, depths[i].monitor, type, sizeof type)) say("owns %s at %d", type, depths[i].stack_depth);
    release(depths);
    if (!ok((*jvmti)->GetCurrentContendedMonitor(jvmti, t, &contended), "GetCurrentContendedMonitor")) return;
    say("contended %s", is_ours(jni, contended, type, sizeof type) ? type : "none");
}

JNIEXPORT void JNICALL Java_Monitors_owned(JNIEnv *jni, jclass self, jthread t) {
    (void)self;
    say_owned(jni, t);
}

JNIEXPORT void JNICALL Java_Monitors_usage(JNIEnv *jni, jclass self, jobject o) {
    (void)jni, (void)self;
    jvmtiMonitorUsage u;
    char name[100];
    if (!ok((*jvmti)->GetObjectMonitorUsage(jvmti, o, &u), "GetObjectMonitorUsage")) return;
    say("usage: owner %s entered %d", u.owner ? thread_text(u.owner, name, sizeof name) : "none", u.entry_count);
    say("usage: waiting to own %d", u.waiter_count);
    for (jint i = 0; i < u.waiter_count; i++) say("  %s", thread_text(u.waiters[i], name, sizeof name));
    say("usage: waiting to be notified %d", u.notify_waiter_count);
    for (jint i = 0; i < u.notify_waiter_count; i++) say("  %s", thread_text(u.notify_waiters[i], name, sizeof name));
    release(u.waiters);
    release(u.notify_waiters);
}

/* Somebody waits to be notified, and nobody owns it. */
JNIEXPORT jboolean JNICALL Java_Monitors_isWaitedOn(JNIEnv *jni, jclass self, jobject o) {
    (void)jni, (void)self;
    jvmtiMonitorUsage u;
    if (!ok((*jvmti)->GetObjectMonitorUsage(jvmti, o, &u), "GetObjectMonitorUsage")) return JNI_TRUE;
    jboolean waited_on = u.owner == NULL && u.notify_waiter_count > 0;
    release(u.waiters);
    release(u.notify_waiters);
    return waited_on;
}

JNIEXPORT jboolean JNICALL Java_Monitors_isOwnedBy(JNIEnv *jni, jclass self, jobject o, jthread t) {
    (void)self;
    jvmtiMonitorUsage u;
    if (!ok((*jvmti)->GetObjectMonitorUsage(jvmti, o, &u), "GetObjectMonitorUsage")) return JNI_TRUE;
    release(u.waiters);
    release(u.notify_waiters);
    return (*jni)->IsSameObject(jni, u.owner, t);
}

/* Runs `body` with o's monitor entered by JNI. */
JNIEXPORT void JNICALL Java_Monitors_locked(JNIEnv *jni, jclass self, jobject o) {
    (*jni)->MonitorEnter(jni, o);
    Java_Monitors_owned(jni, self, NULL);
    (*jni)->MonitorExit(jni, o);
}

static void JNICALL agent_body(jvmtiEnv *env, JNIEnv *jni, void *arg) {
    jthread me;
    jvmtiThreadInfo info;
    (void)env, (void)jni;
    ok((*jvmti)->GetCurrentThread(jvmti, &me), "GetCurrentThread");
    ok((*jvmti)->GetThreadInfo(jvmti, me, &info), "GetThreadInfo");
    ok((*jvmti)->RawMonitorEnter(jvmti, turn), "RawMonitorEnter");
    say("agent thread %s priority %d daemon %d argument %ld", info.name, info.priority, info.is_daemon, (long)arg);
    ok((*jvmti)->RawMonitorExit(jvmti, turn), "RawMonitorExit");
    release(info.name);
}

JNIEXPORT void JNICALL Java_Monitors_run(JNIEnv *jni, jclass self, jthread fresh, jthread running) {
    (void)jni, (void)self;
    say("priority 0: %s", error_text((*jvmti)->RunAgentThread(jvmti, fresh, agent_body, NULL, 0)));
    say("priority 11: %s", error_text((*jvmti)->RunAgentThread(jvmti, fresh, agent_body, NULL, 11)));
    say("no function: %s", error_text((*jvmti)->RunAgentThread(jvmti, fresh, NULL, NULL, 5)));
    say("running: %s", error_text((*jvmti)->RunAgentThread(jvmti, running, agent_body, NULL, 5)));
    ok((*jvmti)->RawMonitorEnter(jvmti, turn), "RawMonitorEnter");
    say("run: %s", error_text((*jvmti)->RunAgentThread(jvmti, fresh, agent_body, (void *)42, 7)));
    ok((*jvmti)->RawMonitorExit(jvmti, turn), "RawMonitorExit");
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)options, (void)reserved;
    if (attach_jvmti(vm) != JNI_OK) return JNI_ERR;
    jvmtiCapabilities wanted;
    memset(&wanted, 0, sizeof wanted);
    wanted.can_suspend = wanted.can_signal_thread = wanted.can_get_owned_monitor_info =
        wanted.can_get_owned_monitor_stack_depth_info = 1;
    wanted.can_get_current_contended_monitor = wanted.can_get_monitor_info = wanted.can_generate_monitor_events = 1;
    wanted.can_generate_vm_object_alloc_events = wanted.can_generate_sampled_object_alloc_events = 1;
    wanted.can_generate_resource_exhaustion_heap_events = wanted.can_generate_resource_exhaustion_threads_events = 1;
    ok((*jvmti)->AddCapabilities(jvmti, &wanted), "AddCapabilities");
    ok((*jvmti)->CreateRawMonitor(jvmti, "turn", &turn), "CreateRawMonitor");
    jvmtiEventCallbacks callbacks;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.MonitorContendedEnter = on_enter;
    callbacks.MonitorContendedEntered = on_entered;
    callbacks.MonitorWait = on_wait;
    callbacks.MonitorWaited = on_waited;
    callbacks.VMObjectAlloc = on_alloc;
    callbacks.SampledObjectAlloc = on_sample;
    callbacks.ResourceExhausted = on_exhausted;
    ok((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks), "SetEventCallbacks");
    return JNI_OK;
}
