/* unload_event.c: the extension event ClassUnload, for the classes of tests/jvmti/extensions/Unloads.java: its
 * description, who gets it, and on which thread. */
#include "agent_support.h"

enum { MOST = 32 };

/* What one environment has been sent; guarded by the raw monitor. */
struct sent {
    jvmtiEnv *env;
    char names[MOST][80];
    int count;
};

static struct sent sent[2];
static jrawMonitorID lock;
static jint event_index = -1;
static int hotspot;

/* The address in a hidden class's name differs from run to run, and whether the lambda is numbered with the library. */
static void note(struct sent *t, const char *name) {
    const char *hidden = strstr(name, "$$Lambda");
    ok((*jvmti)->RawMonitorEnter(jvmti, lock), "RawMonitorEnter");
    if (t->count < MOST) {
        if (hidden)
            snprintf(t->names[t->count++], sizeof t->names[0], "%.*s, hidden, with an address: %d",
                     (int)(hidden - name), name, strstr(name, "+0x") != NULL);
        else snprintf(t->names[t->count++], sizeof t->names[0], "%s", name);
    }
    ok((*jvmti)->RawMonitorExit(jvmti, lock), "RawMonitorExit");
}

/* The event comes on a thread that may use JNI, and that tools do not see among the threads. */
static void look_around(JNIEnv *jni) {
    JNIEnv *own = NULL;
    jthread self = NULL, *threads = NULL;
    jvmtiThreadInfo info = {0};
    jint count = 0;
    if ((*the_vm)->GetEnv(the_vm, (void **)&own, JNI_VERSION_1_8) != JNI_OK || own != jni)
        say("FAILED the JNIEnv is not the thread's");
    if ((*jni)->FindClass(jni, "java/lang/String") == NULL) say("FAILED FindClass");
    if (!ok((*jvmti)->GetCurrentThread(jvmti, &self), "GetCurrentThread") ||
        !ok((*jvmti)->GetThreadInfo(jvmti, self, &info), "GetThreadInfo"))
        return;
    if (strcmp(info.name, "Service Thread") != 0 || !info.is_daemon)
        say("FAILED the thread is %s, daemon %d", info.name, info.is_daemon);
    release(info.name);
    if (!ok((*jvmti)->GetAllThreads(jvmti, &count, &threads), "GetAllThreads")) return;
    for (jint i = 0; i < count; i++)
        if ((*jni)->IsSameObject(jni, threads[i], self)) say("FAILED the thread is listed");
    release(threads);
    if (strcmp(phase_text(), "live") != 0) say("FAILED the phase is %s", phase_text());
}

static void JNICALL on_unload(jvmtiEnv *env, ...) {
    va_list args;
    va_start(args, env);
    JNIEnv *jni = va_arg(args, JNIEnv *);
    const char *name = va_arg(args, const char *);
    va_end(args);
    if (strncmp(name, "Unloads", 7) != 0) return;
    look_around(jni);
    note(&sent[env == sent[1].env], name);
}

static void describe(void) {
    jint count = 0;
    jvmtiExtensionEventInfo *list = NULL;
    ok((*jvmti)->GetExtensionEvents(jvmti, &count, &list), "GetExtensionEvents");
    for (jint i = 0; i < count; i++) {
        int mine = strcmp(list[i].id, "com.sun.hotspot.events.ClassUnload") == 0;
        if (mine) {
            event_index = list[i].extension_event_index;
            say("%d %s: %s", (int)event_index, list[i].id, list[i].short_description);
        }
        for (jint k = 0; k < list[i].param_count; k++) {
            jvmtiParamInfo *p = &list[i].params[k];
            if (mine) say("  %s: kind %d type %d null %d", p->name, p->kind, p->base_type, p->null_ok);
            release(p->name);
        }
        release(list[i].id);
        release(list[i].short_description);
        release(list[i].params);
    }
    release(list);
}

static void listen(int environment, int on) {
    jvmtiEnv *env = sent[environment].env;
    ok((*env)->SetExtensionEventCallback(env, event_index, on ? on_unload : NULL), "SetExtensionEventCallback");
    /* HotSpot 25 sends the event only then; the specification says that the callback alone enables it. */
    if (hotspot) (*env)->SetEventNotificationMode(env, on ? JVMTI_ENABLE : JVMTI_DISABLE, event_index, NULL);
}

JNIEXPORT void JNICALL Java_Unloads_listen(JNIEnv *jni, jclass c, jint environment, jboolean on) {
    (void)jni, (void)c;
    listen(environment - 1, on);
}

JNIEXPORT jint JNICALL Java_Unloads_seen(JNIEnv *jni, jclass c, jint environment) {
    (void)jni, (void)c;
    ok((*jvmti)->RawMonitorEnter(jvmti, lock), "RawMonitorEnter");
    jint count = sent[environment - 1].count;
    ok((*jvmti)->RawMonitorExit(jvmti, lock), "RawMonitorExit");
    return count;
}

static int by_text(const void *a, const void *b) { return strcmp(a, b); }

JNIEXPORT void JNICALL Java_Unloads_print(JNIEnv *jni, jclass c, jint environment) {
    struct sent *t = &sent[environment - 1];
    (void)jni, (void)c;
    ok((*jvmti)->RawMonitorEnter(jvmti, lock), "RawMonitorEnter");
    qsort(t->names, (size_t)t->count, sizeof t->names[0], by_text);
    say("environment %d: %d", (int)environment, t->count);
    for (int i = 0; i < t->count; i++) say("  %s", t->names[i]);
    t->count = 0;
    ok((*jvmti)->RawMonitorExit(jvmti, lock), "RawMonitorExit");
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)reserved;
    hotspot = options != NULL;
    if (attach_jvmti(vm) != JNI_OK || (*vm)->GetEnv(vm, (void **)&sent[1].env, JVMTI_VERSION_1_2) != JNI_OK)
        return JNI_ERR;
    sent[0].env = jvmti;
    ok((*jvmti)->CreateRawMonitor(jvmti, "unloaded", &lock), "CreateRawMonitor");
    describe();
    say("no such event: %s", error_text((*jvmti)->SetExtensionEventCallback(jvmti, event_index + 1000, on_unload)));
    listen(0, 1);
    return JNI_OK;
}
