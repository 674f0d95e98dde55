/* rules.c: rows of tests/jvmti/rows.tsv about environments, references, events and threads; each prints its row's
 * number. */
#include "agent_support.h"

#include <sched.h>

static JNIEnv *jni;                      /* of the running native method                          */
static jclass rules;                     /* Rules                                                 */
static const char *doing = "";           /* the row whose events are printed                      */

static jvmtiEnv *new_env(void) {
    jvmtiEnv *env = NULL;
    if ((*the_vm)->GetEnv(the_vm, (void **)&env, JVMTI_VERSION_1_2) != JNI_OK) say("FAILED GetEnv");
    return env;
}

static void call(const char *name) {
    jmethodID m = (*jni)->GetStaticMethodID(jni, rules, name, "()V");
    (*jni)->CallStaticVoidMethod(jni, rules, m);
}

static void set_callbacks(jvmtiEnv *env, const jvmtiEventCallbacks *callbacks) {
    ok((*env)->SetEventCallbacks(env, callbacks, sizeof *callbacks), "SetEventCallbacks");
}

static void set_mode(jvmtiEnv *env, jvmtiEventMode mode, jvmtiEvent event, jthread thread) {
    ok((*env)->SetEventNotificationMode(env, mode, event, thread), "SetEventNotificationMode");
}

/* ---- environments ------------------------------------------------------------------------------------------------ */

static void versions(void) {
    static const jint words[] = {JVMTI_VERSION_1_0, JVMTI_VERSION_1_1, JVMTI_VERSION_1_2, JVMTI_VERSION_9,
                                 JVMTI_VERSION_11,  0x30020000,        0x307f0000};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        jvmtiEnv *env = NULL;
        jint code = (*the_vm)->GetEnv(the_vm, (void **)&env, words[i]), version = 0;
        if (code == JNI_OK) (*env)->GetVersionNumber(env, &version);
        say("JT-009 version %x: %d, interface type JVM TI %d", (unsigned)words[i], (int)code,
            (version & JVMTI_VERSION_MASK_INTERFACE_TYPE) == JVMTI_VERSION_INTERFACE_JVMTI);
        if (code == JNI_OK) (*env)->DisposeEnvironment(env);
    }
}

static char order[64];
static void note(char c) { order[strlen(order)] = c; }

static void JNICALL prepared_a(jvmtiEnv *env, JNIEnv *e, jthread t, jclass c) {
    char name[100];
    (void)env, (void)e, (void)t;
    if (strncmp(class_text(c, name, sizeof name), "LRules$", 7) == 0) note('a');
}
static void JNICALL prepared_b(jvmtiEnv *env, JNIEnv *e, jthread t, jclass c) {
    char name[100];
    (void)env, (void)e, (void)t;
    if (strncmp(class_text(c, name, sizeof name), "LRules$", 7) == 0) note('b');
}
static void JNICALL prepared_c(jvmtiEnv *env, JNIEnv *e, jthread t, jclass c) {
    char name[100];
    (void)env, (void)e, (void)t;
    if (strncmp(class_text(c, name, sizeof name), "LRules$", 7) == 0) note('c');
}

static void told(const char *row) {
    say("%s told \"%s\"", row, order);
    memset(order, 0, sizeof order);
}

/* Three environments: in order of creation, each with its own callbacks, modes and capabilities; one is given up. */
static void several_environments(void) {
    jvmtiEnv *env[3];
    void (JNICALL *functions[])(jvmtiEnv *, JNIEnv *, jthread, jclass) = {prepared_a, prepared_b, prepared_c};
    for (int i = 0; i < 3; i++) env[i] = new_env();
    for (int i = 2; i >= 0; i--) {
        jvmtiEventCallbacks callbacks = {.ClassPrepare = functions[i]};
        set_mode(env[i], JVMTI_ENABLE, JVMTI_EVENT_CLASS_PREPARE, NULL);         /* before the callback is set */
        set_callbacks(env[i], &callbacks);
    }
    call("loadOne");
    told("JT-088 JT-080");
    set_mode(env[1], JVMTI_DISABLE, JVMTI_EVENT_CLASS_PREPARE, NULL);
    call("loadTwo");
    told("JT-006");
    ok((*env[0])->DisposeEnvironment(env[0]), "DisposeEnvironment");
    call("loadThree");
    told("JT-010");
    /* The callbacks entry lies beyond the size that is given. */
    jvmtiEventCallbacks callbacks = {.ClassPrepare = prepared_c};
    ok((*env[2])->SetEventCallbacks(env[2], &callbacks, 4 * sizeof(void *)), "SetEventCallbacks");
    call("loadFour");
    told("JT-081 JT-082 too short");
    ok((*env[2])->SetEventCallbacks(env[2], &callbacks, 7 * sizeof(void *)), "SetEventCallbacks");
    memset(&callbacks, 0, sizeof callbacks);                                     /* the table was copied */
    call("loadFive");
    told("JT-081 JT-082 long enough");
    ok((*env[2])->SetEventCallbacks(env[2], NULL, 0), "SetEventCallbacks");
    call("loadSix");
    told("JT-081 no table");
    (*env[1])->DisposeEnvironment(env[1]);
    (*env[2])->DisposeEnvironment(env[2]);
}

/* What is an environment's own, what belongs to the VM, and what is left when one is given up. */
static void own_and_shared(jthread victim, jobject object) {
    jvmtiEnv *a = new_env(), *b = new_env();
    jvmtiCapabilities wanted = {.can_suspend = 1, .can_tag_objects = 1}, tags = {.can_tag_objects = 1};
    jlong tag = -1;
    void *data = &tag;
    jint state = 0;
    unsigned char *memory;
    jrawMonitorID monitor;
    ok((*a)->AddCapabilities(a, &wanted), "AddCapabilities");
    say("JT-006 SetTag without the other's capability: %s", error_text((*b)->SetTag(b, object, 1)));
    ok((*b)->AddCapabilities(b, &tags), "AddCapabilities");
    ok((*a)->SetTag(a, object, 7), "SetTag");
    ok((*b)->GetTag(b, object, &tag), "GetTag");
    ok((*a)->SetThreadLocalStorage(a, NULL, a), "SetThreadLocalStorage");
    ok((*b)->GetThreadLocalStorage(b, NULL, &data), "GetThreadLocalStorage");
    say("JT-006 the other's tag %ld, thread storage %s", (long)tag, data ? "set" : "not set");
    ok((*a)->SuspendThread(a, victim), "SuspendThread");
    ok((*b)->GetThreadState(b, victim, &state), "GetThreadState");
    say("JT-007 suspended by another: %d", (state & JVMTI_THREAD_STATE_SUSPENDED) != 0);
    ok((*a)->Allocate(a, 100, &memory), "Allocate");
    ok((*a)->CreateRawMonitor(a, "of a", &monitor), "CreateRawMonitor");
    ok((*a)->DisposeEnvironment(a), "DisposeEnvironment");
    memset(memory, 1, 100);
    ok((*b)->AddCapabilities(b, &wanted), "AddCapabilities");    /* HotSpot gives it to one environment at a time */
    say("JT-007 suspend it again: %s", error_text((*b)->SuspendThread(b, victim)));
    ok((*b)->GetThreadState(b, victim, &state), "GetThreadState");
    say("JT-011 still suspended %d, memory %s", (state & JVMTI_THREAD_STATE_SUSPENDED) != 0,
        error_text((*b)->Deallocate(b, memory)));
    say("JT-011 the monitor is entered: %s", error_text((*b)->RawMonitorEnter(b, monitor)));
    say("JT-011 and left: %s", error_text((*b)->RawMonitorExit(b, monitor)));
    ok((*b)->ResumeThread(b, victim), "ResumeThread");
    ok((*b)->DestroyRawMonitor(b, monitor), "DestroyRawMonitor");
    (*b)->DisposeEnvironment(b);
}

/* A native method prefix ends with its environment: Rules.wrapped_linked() has Java_Rules_linked(),
 * Rules.wrapped_other() nothing any more. */
static void prefixes(void) {
    jvmtiEnv *env = new_env();
    jvmtiCapabilities wanted = {.can_set_native_method_prefix = 1};
    ok((*env)->AddCapabilities(env, &wanted), "AddCapabilities");
    ok((*env)->SetNativeMethodPrefix(env, "wrapped_"), "SetNativeMethodPrefix");
    call("callLinked");
    ok((*env)->DisposeEnvironment(env), "DisposeEnvironment");
    call("callOther");
}

JNIEXPORT jint JNICALL Java_Rules_linked(JNIEnv *e, jclass c) { (void)e, (void)c; return 1; }
JNIEXPORT jint JNICALL Java_Rules_other(JNIEnv *e, jclass c) { (void)e, (void)c; return 2; }

/* Capabilities: all or none, and back. */
static void capabilities(void) {
    jvmtiEnv *env = new_env();
    jvmtiCapabilities wanted = {.can_suspend = 1, .can_tag_objects = 1, .can_support_value_objects = 1}, held,
                      potential;
    memset(&held, 0, sizeof held);
    ok((*env)->GetCapabilities(env, &held), "GetCapabilities");
    jvmtiCapabilities none;
    memset(&none, 0, sizeof none);
    say("JT-154 none at first: %d", memcmp(&held, &none, sizeof held) == 0);
    ok((*env)->GetPotentialCapabilities(env, &potential), "GetPotentialCapabilities");
    say("JT-161 both processor times or neither: %d",
        potential.can_get_thread_cpu_time <= potential.can_get_current_thread_cpu_time);
    jvmtiError refused = (*env)->AddCapabilities(env, &wanted);
    ok((*env)->GetCapabilities(env, &held), "GetCapabilities");
    say("JT-154 two, of which one is not offered: %s, held %d", error_text(refused), held.can_suspend);
    wanted.can_support_value_objects = 0;
    ok((*env)->AddCapabilities(env, &wanted), "AddCapabilities");
    ok((*env)->GetPotentialCapabilities(env, &potential), "GetPotentialCapabilities");
    ok((*env)->GetCapabilities(env, &held), "GetCapabilities");
    say("JT-155 JT-157 held %d and potential %d", held.can_suspend, potential.can_suspend);
    wanted.can_tag_objects = 0;
    wanted.can_get_line_numbers = 1;
    say("JT-156 giving up more than is held: %s", error_text((*env)->RelinquishCapabilities(env, &wanted)));
    ok((*env)->GetCapabilities(env, &held), "GetCapabilities");
    say("JT-156 JT-157 held %d, the rest %d", held.can_suspend, held.can_tag_objects);
    (*env)->DisposeEnvironment(env);
}

/* ---- calls and references ---------------------------------------------------------------------------------------- */

static void pending_exception(jobject object) {
    jint hash;
    char *name;
    (*jni)->ThrowNew(jni, (*jni)->FindClass(jni, "java/lang/IllegalStateException"), "pending");
    jthrowable before = (*jni)->ExceptionOccurred(jni);
    jvmtiError err = (*jvmti)->GetObjectHashCode(jvmti, object, &hash),
               bad = (*jvmti)->GetClassSignature(jvmti, object, &name, NULL);
    jthrowable after = (*jni)->ExceptionOccurred(jni);
    (*jni)->ExceptionClear(jni);
    say("JT-018 with an exception pending: %s, %s, still pending %d", error_text(err), error_text(bad),
        (*jni)->IsSameObject(jni, before, after));
}

static void references(jobject object) {
    jint n = -1, groups = -1;
    jfieldID *fields = (jfieldID *)&n;
    jclass *interfaces = (jclass *)&n;
    jthread me, *threads;
    jthreadGroup *tops;
    jclass empty = (*jni)->FindClass(jni, "Rules$Empty");
    ok((*jvmti)->GetClassFields(jvmti, empty, &n, &fields), "GetClassFields");
    ok((*jvmti)->GetImplementedInterfaces(jvmti, empty, &groups, &interfaces), "GetImplementedInterfaces");
    say("JT-021 fields %d %s, interfaces %d %s", n, fields ? "some" : "null", groups, interfaces ? "some" : "null");
    ok((*jvmti)->GetCurrentThread(jvmti, &me), "GetCurrentThread");
    ok((*jvmti)->GetAllThreads(jvmti, &n, &threads), "GetAllThreads");
    ok((*jvmti)->GetTopThreadGroups(jvmti, &groups, &tops), "GetTopThreadGroups");
    say("JT-023 kinds of reference: %d %d %d", (*jni)->GetObjectRefType(jni, me),
        (*jni)->GetObjectRefType(jni, threads[0]), (*jni)->GetObjectRefType(jni, tops[0]));
    jobject global = (*jni)->NewGlobalRef(jni, object);
    jint a, b;
    ok((*jvmti)->GetObjectHashCode(jvmti, object, &a), "GetObjectHashCode");
    ok((*jvmti)->GetObjectHashCode(jvmti, global, &b), "GetObjectHashCode");
    say("JT-022 JT-285 the same object by a global reference: %d", a == b);
    (*jni)->DeleteGlobalRef(jni, global);
    release(threads);
    release(tops);
}

static void texts(jthread named) {
    jvmtiThreadInfo info;
    char **properties, *value;
    jint n, found = 0;
    ok((*jvmti)->GetThreadInfo(jvmti, named, &info), "GetThreadInfo");
    char hex[100] = "";
    for (const char *p = info.name; *p; p++)
        snprintf(hex + strlen(hex), sizeof hex - strlen(hex), "%02x", (unsigned char)*p);
    say("JT-035 %s", hex);
    release(info.name);
    ok((*jvmti)->GetSystemProperties(jvmti, &n, &properties), "GetSystemProperties");
    for (jint i = 0; i < n; i++) {
        static const char *const wanted[] = {"java.vm.vendor",    "java.vm.version", "java.vm.name", "java.vm.info",
                                             "java.library.path", "java.class.path", "test.property"};
        for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
            if (strcmp(wanted[k], properties[i]) == 0 &&
                (*jvmti)->GetSystemProperty(jvmti, wanted[k], &value) == JVMTI_ERROR_NONE) {
                found++;
                release(value);
            }
        release(properties[i]);
    }
    release(properties);
    say("JT-041 JT-313 %d of the properties that are recommended or given", found);
    for (int flag = 0; flag < 6; flag++)
        say("JT-315 flag %d off: %s", flag, error_text((*jvmti)->SetVerboseFlag(jvmti, flag, JNI_FALSE)));
}

/* ---- which events may be enabled how ----------------------------------------------------------------------------- */

static void modes(void) {
    jvmtiEnv *env = new_env();
    jthread me;
    ok((*env)->GetCurrentThread(env, &me), "GetCurrentThread");
    for (int e = JVMTI_EVENT_VM_INIT; e <= JVMTI_EVENT_SAMPLED_OBJECT_ALLOC; e++) {
        if (e == 72 || (e >= 77 && e <= 79) || e == 85) continue;
        jvmtiError global = (*env)->SetEventNotificationMode(env, JVMTI_ENABLE, (jvmtiEvent)e, NULL);
        say("JT-142 JT-033 event %d without capabilities: %s", e, error_text(global));
        if (global == JVMTI_ERROR_NONE)
            say("JT-090 JT-091 event %d for one thread: %s", e,
                error_text((*env)->SetEventNotificationMode(env, JVMTI_ENABLE, (jvmtiEvent)e, me)));
        (*env)->SetEventNotificationMode(env, JVMTI_DISABLE, (jvmtiEvent)e, NULL);
    }
    (*env)->DisposeEnvironment(env);
}

/* ---- events of one place ----------------------------------------------------------------------------------------- */

static jmethodID place;                  /* Rules.place() */
static int steps_at_start;

static void JNICALL on_entry(jvmtiEnv *env, JNIEnv *e, jthread t, jmethodID m) {
    (void)env, (void)e, (void)t;
    if (m == place) say("%s entry", doing);
}
static void JNICALL on_method_exit(jvmtiEnv *env, JNIEnv *e, jthread t, jmethodID m, jboolean thrown, jvalue v) {
    (void)env, (void)e, (void)t, (void)thrown, (void)v;
    if (m == place) say("%s exit", doing);
}
static void JNICALL on_step(jvmtiEnv *env, JNIEnv *e, jthread t, jmethodID m, jlocation at) {
    (void)e, (void)t;
    if (m != place) return;
    say("%s step at %ld", doing, (long)at);
    /* A breakpoint set for the place where the thread stands is still reported. */
    if (at == 3 && strcmp(doing, "JT-101") == 0) ok((*env)->SetBreakpoint(env, place, 3), "SetBreakpoint");
}
static void JNICALL on_breakpoint(jvmtiEnv *env, JNIEnv *e, jthread t, jmethodID m, jlocation at) {
    (void)e;
    if (m != place) return;
    say("%s breakpoint at %ld, FindClass %s", doing, (long)at, (*e)->FindClass(e, "Rules$Empty") ? "finds" : "fails");
    (*e)->ExceptionClear(e);
    if (strcmp(doing, "JT-205") == 0) say("%s %s", doing, error_text((*env)->ForceEarlyReturnVoid(env, t)));
    /* A step enabled now is not reported for this place. */
    if (strcmp(doing, "JT-101 JT-087") == 0 && steps_at_start++ == 0)
        set_mode(env, JVMTI_ENABLE, JVMTI_EVENT_SINGLE_STEP, t);
}

static void same_place(void) {
    jvmtiEnv *env = jvmti;
    jvmtiEventCallbacks callbacks = {.MethodEntry = on_entry,
                                     .MethodExit = on_method_exit,
                                     .SingleStep = on_step,
                                     .Breakpoint = on_breakpoint};
    jthread me;
    static const jvmtiEvent events[] = {JVMTI_EVENT_METHOD_ENTRY, JVMTI_EVENT_METHOD_EXIT, JVMTI_EVENT_SINGLE_STEP,
                                        JVMTI_EVENT_BREAKPOINT};
    ok((*env)->GetCurrentThread(env, &me), "GetCurrentThread");
    place = (*jni)->GetStaticMethodID(jni, rules, "place", "()V");
    set_callbacks(env, &callbacks);
    ok((*env)->SetBreakpoint(env, place, 0), "SetBreakpoint");
    doing = "JT-099";
    for (int i = 0; i < 4; i++) set_mode(env, JVMTI_ENABLE, events[i], me);
    call("place");
    ok((*env)->ClearBreakpoint(env, place, 0), "ClearBreakpoint");
    doing = "JT-101";
    call("place");
    ok((*env)->ClearBreakpoint(env, place, 3), "ClearBreakpoint");
    set_mode(env, JVMTI_DISABLE, JVMTI_EVENT_SINGLE_STEP, me);
    ok((*env)->SetBreakpoint(env, place, 0), "SetBreakpoint");
    doing = "JT-101 JT-087";
    call("place");
    for (int i = 0; i < 4; i++) set_mode(env, JVMTI_DISABLE, events[i], me);
    ok((*env)->ClearBreakpoint(env, place, 0), "ClearBreakpoint");
    doing = "";
}

/* A thread-level event and a global one: either is enough, and turning one off does not mask the other. */
static void levels(void) {
    jthread me;
    ok((*jvmti)->GetCurrentThread(jvmti, &me), "GetCurrentThread");
    doing = "JT-089";
    set_mode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_METHOD_ENTRY, NULL);
    set_mode(jvmti, JVMTI_DISABLE, JVMTI_EVENT_METHOD_ENTRY, me);
    say("JT-089 global, not for the thread:");
    call("place");
    set_mode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_METHOD_ENTRY, me);
    set_mode(jvmti, JVMTI_DISABLE, JVMTI_EVENT_METHOD_ENTRY, NULL);
    say("JT-089 for the thread, not global:");
    call("place");
    set_mode(jvmti, JVMTI_DISABLE, JVMTI_EVENT_METHOD_ENTRY, me);
    say("JT-089 neither:");
    call("place");
    doing = "";
}

/* A breakpoint goes with the capability that it was set with, and with a new version of its class. */
static void released(void) {
    ok((*jvmti)->SetBreakpoint(jvmti, place, 0), "SetBreakpoint");
    say("JT-212 twice: %s", error_text((*jvmti)->SetBreakpoint(jvmti, place, 0)));
    ok((*jvmti)->RetransformClasses(jvmti, 1, &rules), "RetransformClasses");
    say("JT-213 JT-272 after a retransformation: %s", error_text((*jvmti)->ClearBreakpoint(jvmti, place, 0)));
}

/* A constructor that is left before its field is set. */
static void constructor(void) {
    jthread me;
    jclass half = (*jni)->FindClass(jni, "Rules$Half");
    jvmtiEventCallbacks callbacks = {.Breakpoint = on_breakpoint};
    ok((*jvmti)->GetCurrentThread(jvmti, &me), "GetCurrentThread");
    set_callbacks(jvmti, &callbacks);
    place = (*jni)->GetMethodID(jni, half, "<init>", "()V");
    doing = "JT-205";
    ok((*jvmti)->SetBreakpoint(jvmti, place, 4), "SetBreakpoint");
    set_mode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_BREAKPOINT, me);
    call("half");
    set_mode(jvmti, JVMTI_DISABLE, JVMTI_EVENT_BREAKPOINT, me);
    ok((*jvmti)->ClearBreakpoint(jvmti, place, 4), "ClearBreakpoint");
}

static int waits;
static void JNICALL on_wait(jvmtiEnv *env, JNIEnv *e, jthread t, jobject o, jlong millis) {
    (void)env, (void)e, (void)t, (void)o, (void)millis;
    waits++;
}

static void sleeping(void) {
    jthread me;
    jvmtiEventCallbacks callbacks = {.MonitorWait = on_wait};
    ok((*jvmti)->GetCurrentThread(jvmti, &me), "GetCurrentThread");
    set_callbacks(jvmti, &callbacks);
    set_mode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_MONITOR_WAIT, me);
    call("sleep");
    say("JT-140 waits while asleep: %d", waits);
    call("await");
    say("JT-139 waits in wait: %d", waits);
    set_mode(jvmti, JVMTI_DISABLE, JVMTI_EVENT_MONITOR_WAIT, me);
}

/* ---- the heap stands still --------------------------------------------------------------------------------------- */

struct seen { volatile jlong *beats; jlong first, last, objects; };

static jint JNICALL on_object(jlong class_tag, jlong size, jlong *tag, jint length, void *data) {
    struct seen *seen = data;
    (void)class_tag, (void)size, (void)tag, (void)length;
    if (seen->objects++ == 0) seen->first = *seen->beats;
    seen->last = *seen->beats;
    return 0;
}

/* A thread that counts in a buffer does not while the heap is walked. */
static void walks(jobject buffer) {
    struct seen seen = {.beats = (*jni)->GetDirectBufferAddress(jni, buffer)};
    jvmtiHeapCallbacks callbacks = {.heap_iteration_callback = on_object};
    ok((*jvmti)->IterateThroughHeap(jvmti, 0, NULL, &callbacks, &seen), "IterateThroughHeap");
    say("JT-219 many objects %d, beats in between %ld", seen.objects > 1000, (long)(seen.last - seen.first));
    jfieldID inherited = (*jni)->GetFieldID(jni, (*jni)->FindClass(jni, "Rules$Whole"), "field", "I");
    jclass declaring;
    char name[100];
    ok((*jvmti)->GetFieldDeclaringClass(jvmti, (*jni)->FindClass(jni, "Rules$Whole"), inherited, &declaring),
       "GetFieldDeclaringClass");
    say("JT-283 declared in %s", class_text(declaring, name, sizeof name));
}

/* ---- threads ----------------------------------------------------------------------------------------------------- */

static jrawMonitorID entered_early, gate;
static volatile int waiting;

static void JNICALL agent_thread(jvmtiEnv *env, JNIEnv *e, void *arg) {
    (void)e, (void)arg;
    ok((*env)->RawMonitorEnter(env, gate), "RawMonitorEnter");
    waiting = 1;
    while (waiting) ok((*env)->RawMonitorWait(env, gate, 0), "RawMonitorWait");
    ok((*env)->RawMonitorExit(env, gate), "RawMonitorExit");
}

static int agent_starts;
static void JNICALL on_thread_start(jvmtiEnv *env, JNIEnv *e, jthread t) {
    char name[100];
    (void)env, (void)e;
    if (strcmp(thread_text(t, name, sizeof name), "rules agent") == 0) agent_starts++;
}

static int listed(jthread wanted, jthread *list, jint n) {
    int found = 0;
    for (jint i = 0; i < n; i++) found += (*jni)->IsSameObject(jni, list[i], wanted);
    return found;
}

/* The thread is alive when the call returns: seen by this interface, not by Java's lists. */
static void agent_threads(jthread fresh) {
    jint n, in_group, state, groups;
    jthread *all, *members;
    jthreadGroup *children;
    jvmtiThreadInfo info;
    jvmtiEventCallbacks callbacks = {.ThreadStart = on_thread_start};
    set_callbacks(jvmti, &callbacks);
    set_mode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_THREAD_START, NULL);
    ok((*jvmti)->CreateRawMonitor(jvmti, "gate", &gate), "CreateRawMonitor");
    ok((*jvmti)->RunAgentThread(jvmti, fresh, agent_thread, NULL, JVMTI_THREAD_NORM_PRIORITY), "RunAgentThread");
    for (int ready = 0; !ready;) {
        ok((*jvmti)->RawMonitorEnter(jvmti, gate), "RawMonitorEnter");
        ready = waiting;
        ok((*jvmti)->RawMonitorExit(jvmti, gate), "RawMonitorExit");
    }
    ok((*jvmti)->GetAllThreads(jvmti, &n, &all), "GetAllThreads");
    ok((*jvmti)->GetThreadState(jvmti, fresh, &state), "GetThreadState");
    ok((*jvmti)->GetThreadInfo(jvmti, fresh, &info), "GetThreadInfo");
    ok((*jvmti)->GetThreadGroupChildren(jvmti, info.thread_group, &in_group, &members, &groups, &children),
       "GetThreadGroupChildren");
    say("JT-185 JT-114 alive %d, in the list %d, daemon %d, told of its start %d", state & JVMTI_THREAD_STATE_ALIVE,
        listed(fresh, all, n), info.is_daemon, agent_starts);
    say("JT-185 JT-186 in its group: %d", listed(fresh, members, in_group));
    jvmtiFrameInfo frame;
    jint depth = -1, count = -1;
    ok((*jvmti)->GetFrameCount(jvmti, fresh, &depth), "GetFrameCount");
    jvmtiError none = (*jvmti)->GetStackTrace(jvmti, fresh, 0, 1, &frame, &count),
               deep = (*jvmti)->GetStackTrace(jvmti, fresh, 1, 1, &frame, &n);
    say("JT-188 no frames: depth %d, from 0 %s %d, from 1 %s", depth, error_text(none), count, error_text(deep));
    say("JT-185 listed by Java code: %d",
        (*jni)->CallStaticBooleanMethod(jni, rules,
                                        (*jni)->GetStaticMethodID(jni, rules, "lists", "(Ljava/lang/Thread;)Z"),
                                        fresh));
    ok((*jvmti)->ForceGarbageCollection(jvmti), "ForceGarbageCollection");
    say("JT-299 collected while a thread waits for a raw monitor");
    ok((*jvmti)->RawMonitorEnter(jvmti, gate), "RawMonitorEnter");
    waiting = 0;
    ok((*jvmti)->RawMonitorNotify(jvmti, gate), "RawMonitorNotify");
    ok((*jvmti)->RawMonitorExit(jvmti, gate), "RawMonitorExit");
    set_mode(jvmti, JVMTI_DISABLE, JVMTI_EVENT_THREAD_START, NULL);
    release(info.name);
    release(members);
    release(children);
    release(all);
}

static jrawMonitorID contested;
static volatile int about_to_enter;

static void JNICALL contender(jvmtiEnv *env, JNIEnv *e, void *arg) {
    (void)env, (void)e, (void)arg;                /* the environment may be given up meanwhile */
    about_to_enter = 1;
    ok((*jvmti)->RawMonitorEnter(jvmti, contested), "RawMonitorEnter");
    ok((*jvmti)->RawMonitorExit(jvmti, contested), "RawMonitorExit");
}

/* A thread suspended on its way into a raw monitor does not take it. */
static void suspended_on_the_way(jthread fresh) {
    jvmtiEnv *env = new_env();
    jvmtiCapabilities wanted = {.can_suspend = 1};
    ok((*env)->AddCapabilities(env, &wanted), "AddCapabilities");
    ok((*env)->CreateRawMonitor(env, "contested", &contested), "CreateRawMonitor");
    ok((*env)->RawMonitorEnter(env, contested), "RawMonitorEnter");
    ok((*env)->RunAgentThread(env, fresh, contender, NULL, JVMTI_THREAD_NORM_PRIORITY), "RunAgentThread");
    while (!about_to_enter) sched_yield();
    ok((*env)->SuspendThread(env, fresh), "SuspendThread");
    ok((*env)->RawMonitorExit(env, contested), "RawMonitorExit");
    ok((*env)->RawMonitorEnter(env, contested), "RawMonitorEnter");
    say("JT-300 taken while the other is suspended");
    ok((*env)->RawMonitorExit(env, contested), "RawMonitorExit");
    ok((*env)->ResumeThread(env, fresh), "ResumeThread");
    ok((*env)->DisposeEnvironment(env), "DisposeEnvironment");
}

/* Reserved bits and the rules between the bits, for every thread there is. */
static void states(void) {
    jint n, wrong = 0;
    jthread *all;
    ok((*jvmti)->GetAllThreads(jvmti, &n, &all), "GetAllThreads");
    for (jint i = 0; i < n; i++) {
        jint s = 0;
        ok((*jvmti)->GetThreadState(jvmti, all[i], &s), "GetThreadState");
        int kinds = !!(s & JVMTI_THREAD_STATE_RUNNABLE) + !!(s & JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER) +
                    !!(s & JVMTI_THREAD_STATE_WAITING);
        int times = !!(s & JVMTI_THREAD_STATE_WAITING_INDEFINITELY) + !!(s & JVMTI_THREAD_STATE_WAITING_WITH_TIMEOUT);
        int reserved = s & ~(0x1 | 0x2 | 0x4 | 0x10 | 0x20 | 0x40 | 0x80 | 0x100 | 0x200 | 0x400 | 0x100000 | 0x200000 |
                             0x400000);
        wrong += (s & JVMTI_THREAD_STATE_ALIVE && kinds != 1) || times != !!(s & JVMTI_THREAD_STATE_WAITING) ||
                 reserved || (s & JVMTI_THREAD_STATE_TERMINATED && s & JVMTI_THREAD_STATE_ALIVE);
    }
    say("JT-165 JT-166 some threads %d, with impossible states %d", n > 2, wrong);
    release(all);
}

static void early_monitor(void) {
    say("JT-296 exit what OnLoad entered: %s", error_text((*jvmti)->RawMonitorExit(jvmti, entered_early)));
    say("JT-296 once more: %s", error_text((*jvmti)->RawMonitorExit(jvmti, entered_early)));
}

/* ---- what the program calls -------------------------------------------------------------------------------------- */

JNIEXPORT void JNICALL Java_Rules_run(JNIEnv *e, jclass c, jobject object, jthread victim, jthread fresh, jthread named,
                                      jthread second, jobject buffer) {
    jni = e;
    rules = c;
    versions();
    several_environments();
    own_and_shared(victim, object);
    prefixes();
    capabilities();
    pending_exception(object);
    references(object);
    texts(named);
    modes();
    same_place();
    levels();
    released();
    constructor();
    sleeping();
    walks(buffer);
    agent_threads(fresh);
    suspended_on_the_way(second);
    states();
    early_monitor();
}

JNIEXPORT jint JNICALL Java_Rules_state(JNIEnv *e, jclass c, jthread t) {
    jint state = 0;
    (void)e, (void)c;
    ok((*jvmti)->GetThreadState(jvmti, t, &state), "GetThreadState");
    return state;
}

JNIEXPORT jobject JNICALL Java_Rules_contended(JNIEnv *e, jclass c, jthread t) {
    jobject o = NULL;
    (void)e, (void)c;
    ok((*jvmti)->GetCurrentContendedMonitor(jvmti, t, &o), "GetCurrentContendedMonitor");
    return o;
}

static jvmtiEnv *lists;                  /* suspends                                              */
static jvmtiError suspensions[2] = {JVMTI_ERROR_INTERNAL, JVMTI_ERROR_INTERNAL};

static int is_suspended(jthread t) {
    jint state = 0;
    ok((*jvmti)->GetThreadState(jvmti, t, &state), "GetThreadState");
    return (state & JVMTI_THREAD_STATE_SUSPENDED) != 0;
}

static volatile int spin, spinning;
JNIEXPORT void JNICALL Java_Rules_nativeSpin(JNIEnv *e, jclass c) {
    (void)e, (void)c;
    spin = spinning = 1;
    while (spin) sched_yield();
}
JNIEXPORT void JNICALL Java_Rules_awaitSpin(JNIEnv *e, jclass c) {
    (void)e, (void)c;
    while (!spinning) sched_yield();
}
JNIEXPORT void JNICALL Java_Rules_endSpin(JNIEnv *e, jclass c) {
    (void)e, (void)c;
    spin = 0;
}

/* The caller stands first in the list and is suspended last: when that is seen, the others are. */
JNIEXPORT void JNICALL Java_Rules_suspendBoth(JNIEnv *e, jclass c, jthread me, jthread other) {
    jthread list[] = {me, other};
    (void)e, (void)c;
    ok((*lists)->SuspendThreadList(lists, 2, list, suspensions), "SuspendThreadList");
}

/* Once the caller of suspendBoth is suspended: the state of the other. Both are resumed, by one call. */
JNIEXPORT void JNICALL Java_Rules_resumeBoth(JNIEnv *e, jclass c, jthread caller, jthread other) {
    jthread list[] = {caller, other};
    jvmtiError results[2];
    (void)e, (void)c;
    while (!is_suspended(caller)) sched_yield();
    say("JT-175 the caller is suspended, and the other %d", is_suspended(other));
    ok((*lists)->ResumeThreadList(lists, 2, list, results), "ResumeThreadList");
    say("JT-175 resumed: %s, %s", error_text(results[0]), error_text(results[1]));
}

/* HotSpot gives can_suspend to one environment at a time. */
JNIEXPORT void JNICALL Java_Rules_useLists(JNIEnv *e, jclass c, jboolean on, jthread other) {
    jvmtiCapabilities wanted = {.can_suspend = 1};
    (void)e, (void)c;
    if (on) {
        lists = new_env();
        ok((*lists)->AddCapabilities(lists, &wanted), "AddCapabilities");
    } else {
        say("JT-175 suspended: %s, %s", error_text(suspensions[0]), error_text(suspensions[1]));
        jvmtiError again = (*lists)->ResumeThread(lists, other);
        say("JT-175 once more: %s", error_text(again));
        ok((*lists)->DisposeEnvironment(lists), "DisposeEnvironment");
    }
}

JNIEXPORT void JNICALL Java_Rules_ended(JNIEnv *e, jclass c, jthread t) {
    jvmtiThreadInfo info;
    (void)e, (void)c;
    ok((*jvmti)->GetThreadInfo(jvmti, t, &info), "GetThreadInfo");
    say("JT-181 ended: %s priority %d, group %s", info.name, info.priority, info.thread_group ? "given" : "none");
    release(info.name);
}

/* The thread's own state, seen from Java code that native code has called. */
JNIEXPORT void JNICALL Java_Rules_callBack(JNIEnv *e, jclass c) {
    (*e)->CallStaticVoidMethod(e, c, (*e)->GetStaticMethodID(e, c, "spin", "()V"));
}

/* Its only frame is returned from: the thread ends. */
JNIEXPORT void JNICALL Java_Rules_forceOut(JNIEnv *e, jclass c, jthread t) {
    jvmtiEnv *env = new_env();
    jvmtiCapabilities wanted = {.can_suspend = 1};
    jint depth;
    (void)e, (void)c;
    ok((*env)->AddCapabilities(env, &wanted), "AddCapabilities");
    ok((*env)->SuspendThread(env, t), "SuspendThread");
    ok((*jvmti)->GetFrameCount(jvmti, t, &depth), "GetFrameCount");
    say("JT-203 frames %d, forced %s", depth, error_text((*jvmti)->ForceEarlyReturnVoid(jvmti, t)));
    ok((*env)->ResumeThread(env, t), "ResumeThread");
    ok((*env)->DisposeEnvironment(env), "DisposeEnvironment");
}

JNIEXPORT jboolean JNICALL Java_Rules_addToBoot(JNIEnv *e, jclass c, jstring path) {
    const char *text = (*e)->GetStringUTFChars(e, path, NULL);
    (void)c;
    int added = ok((*jvmti)->AddToBootstrapClassLoaderSearch(jvmti, text), "AddToBootstrapClassLoaderSearch");
    (*e)->ReleaseStringUTFChars(e, path, text);
    return added != 0;
}

/* ---- virtual threads (from 21 on) -------------------------------------------------------------------------------- */

static int virtual_starts, virtual_ends, as_platform;
static void JNICALL on_virtual_start(jvmtiEnv *env, JNIEnv *e, jthread t) {
    jthread me;
    (void)env;
    ok((*jvmti)->GetCurrentThread(jvmti, &me), "GetCurrentThread");
    if ((*e)->IsSameObject(e, me, t)) virtual_starts++;
}
static void JNICALL on_virtual_end(jvmtiEnv *env, JNIEnv *e, jthread t) { (void)env, (void)e, (void)t; virtual_ends++; }
static void JNICALL on_platform_start(jvmtiEnv *env, JNIEnv *e, jthread t) {
    char name[100];
    (void)env, (void)e;
    if (strcmp(thread_text(t, name, sizeof name), "rules virtual") == 0) as_platform++;
}

JNIEXPORT void JNICALL Java_Rules_watchVirtual(JNIEnv *e, jclass c, jboolean on) {
    static const jvmtiEvent events[] = {JVMTI_EVENT_VIRTUAL_THREAD_START, JVMTI_EVENT_VIRTUAL_THREAD_END,
                                        JVMTI_EVENT_THREAD_START};
    jvmtiEventCallbacks callbacks = {.VirtualThreadStart = on_virtual_start,
                                     .VirtualThreadEnd = on_virtual_end,
                                     .ThreadStart = on_platform_start};
    (void)e, (void)c;
    set_callbacks(jvmti, &callbacks);
    for (int i = 0; i < 3; i++) set_mode(jvmti, on ? JVMTI_ENABLE : JVMTI_DISABLE, events[i], NULL);
    if (!on) say("JT-115 started %d ended %d, as a platform thread %d", virtual_starts, virtual_ends, as_platform);
}

/* The int that Rules.virtualSpin was called with. */
static int spin_argument(jthread t) {
    jint n, value = -1;
    jvmtiFrameInfo frames[20];
    jmethodID m = (*jni)->GetStaticMethodID(jni, rules, "virtualSpin", "(I)V");
    ok((*jvmti)->GetStackTrace(jvmti, t, 0, 20, frames, &n), "GetStackTrace");
    for (jint i = 0; i < n; i++)
        if (frames[i].method == m) ok((*jvmti)->GetLocalInt(jvmti, t, i, 0, &value), "GetLocalInt");
    return value;
}

/* Neither in its group nor among all stacks. */
static void not_listed(jthread v, jthreadGroup group) {
    jint n, groups, found = 0;
    jthread *members;
    jthreadGroup *children;
    jvmtiStackInfo *stacks;
    ok((*jvmti)->GetThreadGroupChildren(jvmti, group, &n, &members, &groups, &children), "GetThreadGroupChildren");
    say("JT-186 in its group: %d", listed(v, members, n));
    release(members);
    release(children);
    ok((*jvmti)->GetAllStackTraces(jvmti, 1, &stacks, &n), "GetAllStackTraces");
    for (jint i = 0; i < n; i++) found += (*jni)->IsSameObject(jni, v, stacks[i].thread);
    say("JT-173 among all stacks: %d", found);
    release(stacks);
}

JNIEXPORT void JNICALL Java_Rules_virtualThread(JNIEnv *e, jclass c, jthread v, jthread platform) {
    jint n, starts;
    jthread *all;
    jvmtiThreadInfo info;
    jvmtiEnv *env = new_env();
    jvmtiCapabilities wanted = {.can_suspend = 1, .can_support_virtual_threads = 1};
    ok((*env)->AddCapabilities(env, &wanted), "AddCapabilities");
    jni = e;
    rules = c;
    ok((*jvmti)->GetAllThreads(jvmti, &n, &all), "GetAllThreads");
    ok((*jvmti)->GetThreadInfo(jvmti, v, &info), "GetThreadInfo");
    say("JT-173 JT-181 listed %d, priority %d daemon %d", listed(v, all, n), info.priority, info.is_daemon);
    release(all);
    release(info.name);
    not_listed(v, info.thread_group);
    starts = virtual_starts;
    ok((*env)->SuspendAllVirtualThreads(env, 1, &v), "SuspendAllVirtualThreads");
    say("JT-178 but for this one: suspended %d", is_suspended(v));
    ok((*env)->ResumeAllVirtualThreads(env, 0, NULL), "ResumeAllVirtualThreads");
    ok((*env)->SuspendAllVirtualThreads(env, 0, NULL), "SuspendAllVirtualThreads");
    say("JT-178 all: suspended %d, a platform thread %d", is_suspended(v), is_suspended(platform));
    ok((*env)->SuspendAllVirtualThreads(env, 0, NULL), "SuspendAllVirtualThreads");
    say("JT-210 local variable %d, starts seen %d", spin_argument(v), starts);
    ok((*env)->ResumeAllVirtualThreads(env, 1, &v), "ResumeAllVirtualThreads");
    say("JT-178 resumed but for this one: suspended %d", is_suspended(v));
    ok((*env)->ResumeAllVirtualThreads(env, 0, NULL), "ResumeAllVirtualThreads");
    say("JT-178 resumed: suspended %d", is_suspended(v));
    ok((*env)->DisposeEnvironment(env), "DisposeEnvironment");
}

static void JNICALL on_vm_start(jvmtiEnv *env, JNIEnv *e) {
    jint status = -1;
    (void)env;
    say("JT-274 IsMethodObsolete in the start phase: %s", error_text((*jvmti)->IsMethodObsolete(jvmti,
        (*e)->GetMethodID(e, (*e)->FindClass(e, "java/lang/Object"), "hashCode", "()I"), (jboolean *)&status)));
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)reserved;
    if (attach_jvmti(vm) != JNI_OK) return JNI_ERR;
    say("JT-055 options %s, JT-060", options == NULL ? "NULL" : *options == 0 ? "empty" : options);
    jvmtiCapabilities wanted = {.can_generate_breakpoint_events = 1,
                                .can_generate_single_step_events = 1,
                                .can_generate_method_entry_events = 1,
                                .can_generate_method_exit_events = 1,
                                .can_retransform_classes = 1,
                                .can_force_early_return = 1,
                                .can_generate_monitor_events = 1,
                                .can_get_current_contended_monitor = 1,
                                .can_access_local_variables = 1,
                                .can_tag_objects = 1};
    jvmtiCapabilities potential;
    ok((*jvmti)->GetPotentialCapabilities(jvmti, &potential), "GetPotentialCapabilities");
    say("JT-115 virtual threads: %d", potential.can_support_virtual_threads);
    wanted.can_support_virtual_threads = potential.can_support_virtual_threads;
    ok((*jvmti)->AddCapabilities(jvmti, &wanted), "AddCapabilities");
    ok((*jvmti)->CreateRawMonitor(jvmti, "early", &entered_early), "CreateRawMonitor");
    ok((*jvmti)->RawMonitorEnter(jvmti, entered_early), "RawMonitorEnter");
    jvmtiEventCallbacks callbacks = {.VMStart = on_vm_start};
    set_callbacks(jvmti, &callbacks);
    enable(JVMTI_EVENT_VM_START);
    return JNI_OK;
}
