/* decisions.c: what docs/jvmti.md has decided where the specification leaves it open. Lines that begin with "ours:" are
 * not compared with HotSpot. */
#include "agent_support.h"

#include <sched.h>
#include <stdatomic.h>

static jvmtiEnv *other;                           /* the one whose things go                                       */
static atomic_int breakpoints, modifications;
static jclass program;
static jmethodID target;
static jfieldID field;

static void JNICALL on_breakpoint(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method, jlocation location) {
    (void)env, (void)jni, (void)thread, (void)method, (void)location;
    atomic_fetch_add(&breakpoints, 1);
}

static void JNICALL on_modification(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method, jlocation location,
                                    jclass c, jobject o, jfieldID f, char type, jvalue value) {
    (void)env, (void)jni, (void)thread, (void)method, (void)location, (void)c, (void)o, (void)f, (void)type,
        (void)value;
    atomic_fetch_add(&modifications, 1);
}

static jvmtiCapabilities both(void) {
    return (jvmtiCapabilities){.can_generate_breakpoint_events = 1, .can_generate_field_modification_events = 1};
}

static int add_capabilities(jvmtiEnv *env) {
    jvmtiCapabilities c = both();
    return (*env)->AddCapabilities(env, &c) == JVMTI_ERROR_NONE;
}

/* An environment with the capabilities is notified of breakpoints and modifications. */
static void listen(jvmtiEnv *env) {
    jvmtiEventCallbacks callbacks = {.Breakpoint = on_breakpoint, .FieldModification = on_modification};
    ok((*env)->SetEventCallbacks(env, &callbacks, sizeof callbacks), "SetEventCallbacks");
    ok((*env)->SetEventNotificationMode(env, JVMTI_ENABLE, JVMTI_EVENT_BREAKPOINT, NULL), "SetEventNotificationMode");
    ok((*env)->SetEventNotificationMode(env, JVMTI_ENABLE, JVMTI_EVENT_FIELD_MODIFICATION, NULL),
       "SetEventNotificationMode");
}

static void set(jvmtiEnv *env, const char *prefix) {
    say("%sSetBreakpoint %s", prefix, error_text((*env)->SetBreakpoint(env, target, 0)));
    say("%sSetFieldModificationWatch %s", prefix, error_text((*env)->SetFieldModificationWatch(env, program, field)));
}

/* Runs target() and says how many events came. */
static void run_target(JNIEnv *env, const char *when) {
    atomic_store(&breakpoints, 0);
    atomic_store(&modifications, 0);
    (*env)->CallStaticVoidMethod(env, program, target);
    say("%s: %d breakpoints, %d modifications", when, atomic_load(&breakpoints), atomic_load(&modifications));
}

/* ---- DisposeEnvironment, RelinquishCapabilities ------------------------------------------------------------------ */

static void dispose(JNIEnv *env) {
    listen(other);
    set(other, "");
    run_target(env, "set in another environment");
    ok((*other)->DisposeEnvironment(other), "DisposeEnvironment");
    run_target(env, "disposed of");
    if (!add_capabilities(jvmti)) say("FAILED AddCapabilities");  /* HotSpot gives them to one environment at a time */
    listen(jvmti);
    set(jvmti, "ours: ");         /* HotSpot: DUPLICATE */
    run_target(env, "set in this one");
}

static void relinquish(JNIEnv *env) {
    jvmtiCapabilities c = both();
    ok((*jvmti)->RelinquishCapabilities(jvmti, &c), "RelinquishCapabilities");
    run_target(env, "ours: relinquished while set");
    say("ClearBreakpoint: %s", error_text((*jvmti)->ClearBreakpoint(jvmti, target, 0)));
    if (!add_capabilities(jvmti)) say("FAILED AddCapabilities");
    listen(jvmti);
    say("ours: ClearBreakpoint after the capability came back: %s",
        error_text((*jvmti)->ClearBreakpoint(jvmti, target, 0)));
    say("ours: ClearFieldModificationWatch: %s",
        error_text((*jvmti)->ClearFieldModificationWatch(jvmti, program, field)));
    run_target(env, "ours: after the capabilities came back");
}

/* ---- several errors in one call ---------------------------------------------------------------------------------- */

static void precedence(void) {
    jvmtiCapabilities c = both();
    say("disposed environment, NULL pointer: %s", error_text((*other)->GetPhase(other, NULL)));
    say("phase, NULL pointer: %s", error_text((*jvmti)->SetSystemProperty(jvmti, NULL, NULL)));
    ok((*jvmti)->RelinquishCapabilities(jvmti, &c), "RelinquishCapabilities");
    say("capability, no method: %s", error_text((*jvmti)->SetBreakpoint(jvmti, NULL, -1)));
    if (!add_capabilities(jvmti)) say("FAILED AddCapabilities");
    say("no method, bad location: %s", error_text((*jvmti)->SetBreakpoint(jvmti, NULL, -1)));
    say("no thread, NULL pointer: %s", error_text((*jvmti)->GetThreadState(jvmti, (jthread)program, NULL)));
    say("negative depth, NULL pointer: %s", error_text((*jvmti)->GetFrameLocation(jvmti, NULL, -1, NULL, NULL)));
}

/* ---- a raw monitor and a suspended thread ------------------------------------------------------------------------ */

static jrawMonitorID monitor;
static atomic_int waiting, passed;

JNIEXPORT void JNICALL Java_Decisions_waitForNotification(JNIEnv *env, jclass c) {
    (void)env, (void)c;
    ok((*jvmti)->RawMonitorEnter(jvmti, monitor), "RawMonitorEnter");
    atomic_store(&waiting, 1);
    ok((*jvmti)->RawMonitorWait(jvmti, monitor, 0), "RawMonitorWait");
    atomic_store(&passed, 1);
    ok((*jvmti)->RawMonitorExit(jvmti, monitor), "RawMonitorExit");
}

/* Never a matter of time: a thread that behaves stays where it is however long this takes. */
JNIEXPORT void JNICALL Java_Decisions_suspendAndNotify(JNIEnv *env, jclass c, jobject thread) {
    (void)env, (void)c;
    while (!atomic_load(&waiting)) sched_yield();
    ok((*jvmti)->RawMonitorEnter(jvmti, monitor), "RawMonitorEnter");     /* it waits: the monitor is free */
    ok((*jvmti)->SuspendThread(jvmti, thread), "SuspendThread");
    ok((*jvmti)->RawMonitorNotifyAll(jvmti, monitor), "RawMonitorNotifyAll");
    ok((*jvmti)->RawMonitorExit(jvmti, monitor), "RawMonitorExit");
    for (int i = 0; i < 1000; i++) {
        sched_yield();
        ok((*jvmti)->RawMonitorEnter(jvmti, monitor), "RawMonitorEnter");
        ok((*jvmti)->RawMonitorExit(jvmti, monitor), "RawMonitorExit");
    }
    say("notified while suspended: it %s", atomic_load(&passed) ? "RUNS" : "stays");
    ok((*jvmti)->ResumeThread(jvmti, thread), "ResumeThread");
    while (!atomic_load(&passed)) sched_yield();
    say("resumed: it goes on");
}

/* ---- a raw monitor that is destroyed while threads wait ---------------------------------------------------------- */

static jrawMonitorID doomed;
static atomic_int waiting_there, entering_there;
static int destroys;

JNIEXPORT jboolean JNICALL Java_Decisions_destroysMonitors(JNIEnv *env, jclass c) {
    return (void)env, (void)c, (jboolean)destroys;
}

JNIEXPORT void JNICALL Java_Decisions_waitForNothing(JNIEnv *env, jclass c) {
    (void)env, (void)c;
    ok((*jvmti)->RawMonitorEnter(jvmti, doomed), "RawMonitorEnter");
    atomic_fetch_add(&waiting_there, 1);
    jvmtiError waited = (*jvmti)->RawMonitorWait(jvmti, doomed, 0), left = (*jvmti)->RawMonitorExit(jvmti, doomed);
    say("ours: RawMonitorWait %s, RawMonitorExit %s", error_text(waited), error_text(left));
}

JNIEXPORT void JNICALL Java_Decisions_enterNothing(JNIEnv *env, jclass c) {
    (void)env, (void)c;
    atomic_store(&entering_there, 1);
    say("ours: RawMonitorEnter %s", error_text((*jvmti)->RawMonitorEnter(jvmti, doomed)));
}

static void waiters_have_come(int count) {
    for (int there = 0; there < count; sched_yield()) {
        ok((*jvmti)->RawMonitorEnter(jvmti, doomed), "RawMonitorEnter");
        there = atomic_load(&waiting_there);
        if (there < count) ok((*jvmti)->RawMonitorExit(jvmti, doomed), "RawMonitorExit");
    }
}

/* Owned from here on. */
JNIEXPORT void JNICALL Java_Decisions_enterDoomed(JNIEnv *env, jclass c, jint count) {
    (void)env, (void)c;
    waiters_have_come(count);
}

JNIEXPORT void JNICALL Java_Decisions_destroyDoomed(JNIEnv *env, jclass c) {
    (void)env, (void)c;
    while (!atomic_load(&entering_there)) sched_yield();
    ok((*jvmti)->DestroyRawMonitor(jvmti, doomed), "DestroyRawMonitor");
}

/* ... probably in the same place. */
JNIEXPORT void JNICALL Java_Decisions_useNext(JNIEnv *env, jclass c) {
    (void)env, (void)c;
    jrawMonitorID next;
    ok((*jvmti)->CreateRawMonitor(jvmti, "the next one", &next), "CreateRawMonitor");
    ok((*jvmti)->RawMonitorEnter(jvmti, next), "RawMonitorEnter");
    ok((*jvmti)->RawMonitorExit(jvmti, next), "RawMonitorExit");
    ok((*jvmti)->DestroyRawMonitor(jvmti, next), "DestroyRawMonitor");
}

/* ---- NativeMethodBind -------------------------------------------------------------------------------------------- */

/* Natives bound from the start phase on: of classes whose natives are the VM's own work, and of the program. */
static const char *const bound_classes[] = {"LDecisions;", "Ljdk/internal/perf/Perf;", "Ljdk/internal/misc/Unsafe;",
                                            "Ljava/lang/invoke/MethodHandleNatives;"};
enum { BOUND_CLASSES = sizeof bound_classes / sizeof *bound_classes };
static atomic_int bound[BOUND_CLASSES];

static void JNICALL on_bind(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method, void *address,
                            void **new_address) {
    (void)env, (void)thread, (void)new_address;
    jclass declaring;
    char text[200];
    if (jni == NULL) return;                      /* before the start phase no class can be asked for              */
    if (!ok((*jvmti)->GetMethodDeclaringClass(jvmti, method, &declaring), "GetMethodDeclaringClass")) return;
    class_text(declaring, text, sizeof text);
    (*jni)->DeleteLocalRef(jni, declaring);
    if (address == NULL) say("FAILED a native method of %s is bound to nothing", text);
    for (int i = 0; i < BOUND_CLASSES; i++)
        if (strcmp(text, bound_classes[i]) == 0) atomic_fetch_add(&bound[i], 1);
}

JNIEXPORT void JNICALL Java_Decisions_showBound(JNIEnv *env, jclass c) {
    (void)env, (void)c;
    for (int i = 0; i < BOUND_CLASSES; i++)
        say("%sNativeMethodBind %s: %d", i == 0 ? "" : "ours: ", bound_classes[i], atomic_load(&bound[i]));
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

static jmethodID stepped;
static int steps;

static void JNICALL on_step(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method, jlocation location) {
    (void)env, (void)jni, (void)thread, (void)location;
    steps += method == stepped;
}

/* The method returns to itself: the steps at what it does next follow each other without another between them. */
static void step_through_recursion(JNIEnv *env) {
    jvmtiEventCallbacks callbacks = {.SingleStep = on_step};
    ok((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks), "SetEventCallbacks");
    stepped = (*env)->GetStaticMethodID(env, program, "countDown", "(I)I");
    ok((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_SINGLE_STEP, NULL), "SingleStep");
    (*env)->CallStaticIntMethod(env, program, stepped, 4);
    ok((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_DISABLE, JVMTI_EVENT_SINGLE_STEP, NULL), "SingleStep");
    say("ours: %d steps of countDown(4)", steps);
}

/* ---- start ------------------------------------------------------------------------------------------------------- */

JNIEXPORT void JNICALL Java_Decisions_decide(JNIEnv *env, jclass c) {
    program = (*env)->NewGlobalRef(env, c);
    target = (*env)->GetStaticMethodID(env, c, "target", "()V");
    field = (*env)->GetStaticFieldID(env, c, "field", "I");
    dispose(env);
    relinquish(env);
    precedence();
    step_through_recursion(env);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)reserved;
    destroys = options != NULL && strcmp(options, "destroys") == 0;
    if (attach_jvmti(vm) != JNI_OK) return JNI_ERR;
    if ((*vm)->GetEnv(vm, (void **)&other, JVMTI_VERSION_1_2) != JNI_OK) return JNI_ERR;
    jvmtiCapabilities c = {.can_suspend = 1, .can_generate_native_method_bind_events = 1,
                           .can_generate_single_step_events = 1};
    ok((*jvmti)->AddCapabilities(jvmti, &c), "AddCapabilities");
    jvmtiEventCallbacks callbacks = {.NativeMethodBind = on_bind};
    ok((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks), "SetEventCallbacks");
    enable(JVMTI_EVENT_NATIVE_METHOD_BIND);
    if (!add_capabilities(other)) say("FAILED AddCapabilities");
    ok((*jvmti)->CreateRawMonitor(jvmti, "decisions", &monitor), "CreateRawMonitor");
    ok((*jvmti)->CreateRawMonitor(jvmti, "doomed", &doomed), "CreateRawMonitor");
    return JNI_OK;
}
