/* early.c: can_generate_early_vmstart and can_generate_early_class_hook_events. Two environments, of which the one
 * called early has the capabilities that the options name: s (early VMStart), a (all class hooks), h (early class
 * hooks). Which classes come when is the VM's business: what is printed is in which phase an environment was sent
 * any, and what it could do there. JT-053, JT-112, JT-122. */
#include "agent_support.h"

static jvmtiEnv *early, *plain;
enum { EVENT_KINDS = 4, PHASES = 9 };
enum kind { HOOK, LOAD, PREPARE, THREAD };
static int told[2][EVENT_KINDS][PHASES], object_hooked[2][PHASES];

static const char *name_of(jvmtiEnv *env) { return env == early ? "early" : "plain"; }

static int phase_of(jvmtiEnv *env) {
    jvmtiPhase phase;
    return (*env)->GetPhase(env, &phase) == JVMTI_ERROR_NONE ? (int)phase : 0;
}

static void note(jvmtiEnv *env, enum kind kind) { told[env == early][kind][phase_of(env)] = 1; }

static void try_in_start_phase(jvmtiEnv *env) {
    jthread thread = NULL;
    jint count;
    jclass *classes;
    jobject *modules;
    jvmtiError err = (*env)->GetCurrentThread(env, &thread);
    say("  %s: phase %d", name_of(env), phase_of(env));
    say("    GetCurrentThread %s%s", error_text(err), err == JVMTI_ERROR_NONE && thread == NULL ? ", null" : "");
    say("    GetLoadedClasses %s", error_text((*env)->GetLoadedClasses(env, &count, &classes)));
    say("    GetAllModules %s", error_text((*env)->GetAllModules(env, &count, &modules)));
    say("    SetEventNotificationMode %s",
        error_text((*env)->SetEventNotificationMode(env, JVMTI_ENABLE, JVMTI_EVENT_EXCEPTION_CATCH, NULL)));
    say("    CreateRawMonitor %s", error_text((*env)->CreateRawMonitor(env, "early", &(jrawMonitorID){NULL})));
}

static void JNICALL vm_start(jvmtiEnv *env, JNIEnv *jni) {
    say("VMStart in %s", name_of(env));
    try_in_start_phase(early);
    try_in_start_phase(plain);
    jclass c = (*jni)->FindClass(jni, "java/lang/String");
    say("  FindClass: %s", c ? "found" : "not found");
    /* One that nobody has loaded yet, so that there is something to tell in this phase. */
    if (env == plain)
        say("  FindClass: %s", (*jni)->FindClass(jni, "java/util/concurrent/Phaser") ? "found" : "not found");
    say("  an exception is pending: %s", (*jni)->ExceptionCheck(jni) ? "yes" : "no");
    say("  the superclass has a name: %s", (*jni)->GetSuperclass(jni, c) ? "yes" : "no");
}

static const char *phases_text(const int in[PHASES]) {
    static char text[4][64];
    static unsigned turn;
    char *out = text[turn++ % 4];
    snprintf(out, sizeof text[0], "%s%s%s", in[JVMTI_PHASE_PRIMORDIAL] ? " primordial" : "",
             in[JVMTI_PHASE_START] ? " start" : "", in[JVMTI_PHASE_LIVE] ? " live" : "");
    return out;
}

/* What a thread can keep for itself in the events that it meets: by environment, phase, and how it names itself. */
static struct storage {
    int events, kept;
    jvmtiError set, get;
} storage[2][PHASES][2];

static void keep(jvmtiEnv *env, int by_handle, jthread thread) {
    struct storage *s = &storage[env == early][phase_of(env)][by_handle];
    void *back = NULL;
    jvmtiError set = (*env)->SetThreadLocalStorage(env, thread, s),
               get = (*env)->GetThreadLocalStorage(env, thread, &back);
    if (s->set == JVMTI_ERROR_NONE) s->set = set;
    if (s->get == JVMTI_ERROR_NONE) s->get = get;
    s->events++;
    s->kept += back == s;
}

static void JNICALL class_prepare(jvmtiEnv *env, JNIEnv *jni, jthread thread, jclass c) {
    (void)jni, (void)c;
    note(env, PREPARE);
    keep(env, 0, NULL);
    if (thread) keep(env, 1, thread);
}

static void say_storage(const char *name, const struct storage *s, const char *how) {
    if (s->events == 0) return;
    say("  %s, storage of %s: set %s, get %s, %s", name, how, error_text(s->set), error_text(s->get),
        s->kept == s->events ? "kept" : "not kept");
}

static void JNICALL vm_init(jvmtiEnv *env, JNIEnv *jni, jthread thread) {
    (void)jni, (void)thread;
    static const char *const kinds[EVENT_KINDS] = {"ClassFileLoadHook", "ClassLoad", "ClassPrepare", "ThreadStart"};
    say("VMInit in %s", name_of(env));
    if (env != plain) return;
    /* What came in the live phase before this event is a matter of threads; and a thread that is started in the start
     * phase may get its first processor time in the next one. */
    for (int e = 0; e < 2; e++)
        for (int k = 0; k < EVENT_KINDS; k++) {
            told[e][k][JVMTI_PHASE_LIVE] = 0;
            if (k == THREAD) told[e][k][JVMTI_PHASE_START] = 0;
            say("  %s, %s:%s", e ? "early" : "plain", kinds[k], phases_text(told[e][k]));
        }
    for (int e = 0; e < 2; e++) {
        say_storage(e ? "early" : "plain", &storage[e][JVMTI_PHASE_START][0], "no thread");
        say_storage(e ? "early" : "plain", &storage[e][JVMTI_PHASE_START][1], "the event's thread");
    }
    say("  java.lang.Object in early:%s, in plain:%s", phases_text(object_hooked[1]), phases_text(object_hooked[0]));
}

static void JNICALL class_load(jvmtiEnv *env, JNIEnv *jni, jthread thread, jclass c) {
    (void)jni, (void)thread, (void)c, note(env, LOAD);
}
static void JNICALL thread_start(jvmtiEnv *env, JNIEnv *jni, jthread thread) {
    (void)jni, (void)thread, note(env, THREAD);
}

static void JNICALL class_file_load_hook(jvmtiEnv *env, JNIEnv *jni, jclass redefined, jobject loader, const char *name,
                                         jobject domain, jint length, const unsigned char *bytes, jint *new_length,
                                         unsigned char **new_bytes) {
    (void)jni, (void)redefined, (void)loader, (void)domain, (void)length, (void)bytes, (void)new_length,
        (void)new_bytes;
    note(env, HOOK);
    if (name && strcmp(name, "java/lang/Object") == 0) object_hooked[env == early][phase_of(env)] = 1;
}

static const char *wanted;
static unsigned asked(char capability) { return strcmp(wanted, "none") != 0 && strchr(wanted, capability) != NULL; }

static void set_up(jvmtiEnv *env) {
    static const jvmtiEvent events[] = {JVMTI_EVENT_VM_START,
                                        JVMTI_EVENT_VM_INIT,
                                        JVMTI_EVENT_CLASS_FILE_LOAD_HOOK,
                                        JVMTI_EVENT_CLASS_LOAD,
                                        JVMTI_EVENT_CLASS_PREPARE,
                                        JVMTI_EVENT_THREAD_START};
    jvmtiEventCallbacks callbacks = {.VMStart = vm_start,
                                     .VMInit = vm_init,
                                     .ClassFileLoadHook = class_file_load_hook,
                                     .ClassLoad = class_load,
                                     .ClassPrepare = class_prepare,
                                     .ThreadStart = thread_start};
    ok((*env)->SetEventCallbacks(env, &callbacks, sizeof callbacks), "SetEventCallbacks");
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        ok((*env)->SetEventNotificationMode(env, JVMTI_ENABLE, events[i], NULL), "SetEventNotificationMode");
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)reserved;
    if (attach_jvmti(vm) != JNI_OK) return JNI_ERR;
    plain = jvmti;
    wanted = options;
    if ((*vm)->GetEnv(vm, (void **)&early, JVMTI_VERSION_1_2) != JNI_OK) return JNI_ERR;
    jvmtiCapabilities c = {.can_generate_early_vmstart = asked('s'), .can_generate_all_class_hook_events = asked('a'),
                           .can_generate_early_class_hook_events = asked('h')};
    ok((*early)->AddCapabilities(early, &c), "AddCapabilities");
    set_up(plain);
    set_up(early);
    return JNI_OK;
}
