/* errors.c: errors that only one function gives, each made to happen. */
#include "every_call.h"

#include <stdint.h>
#include <unistd.h>

#define TRY(function, label, ...) report(function_named(#function), label, (*jvmti)->function(jvmti, __VA_ARGS__))
#define TRY_BARE(function, label, ...) report(function_named(#function), label, (*bare)->function(bare, __VA_ARGS__))

/* ---- an agent thread: no Java frames, and the owner of a monitor ------------------------------------------------- */

static jrawMonitorID held, gate;
static volatile bool holding;

static void JNICALL holder(jvmtiEnv *env, JNIEnv *jni, void *arg) {
    (void)jni, (void)arg;
    ok((*env)->RawMonitorEnter(env, held), "RawMonitorEnter");
    ok((*env)->RawMonitorEnter(env, gate), "RawMonitorEnter");
    holding = true;
    while (holding) ok((*env)->RawMonitorWait(env, gate, 0), "RawMonitorWait");
    ok((*env)->RawMonitorExit(env, gate), "RawMonitorExit");
    ok((*env)->RawMonitorExit(env, held), "RawMonitorExit");
}

/* It waits for the gate when this returns. */
static jthread start_holder(void) {
    JNIEnv *jni = fixture.jni;
    jclass c = (*jni)->FindClass(jni, "java/lang/Thread");
    jthread t = (*jni)->NewObject(jni, c, (*jni)->GetMethodID(jni, c, "<init>", "()V"));
    ok((*jvmti)->CreateRawMonitor(jvmti, "held", &held), "CreateRawMonitor");
    ok((*jvmti)->CreateRawMonitor(jvmti, "gate", &gate), "CreateRawMonitor");
    ok((*jvmti)->RunAgentThread(jvmti, t, holder, NULL, JVMTI_THREAD_NORM_PRIORITY), "RunAgentThread");
    for (bool ready = false; !ready; usleep(100)) {
        ok((*jvmti)->RawMonitorEnter(jvmti, gate), "RawMonitorEnter");
        ready = holding;
        ok((*jvmti)->RawMonitorExit(jvmti, gate), "RawMonitorExit");
    }
    return t;
}

static void end_holder(void) {
    ok((*jvmti)->RawMonitorEnter(jvmti, gate), "RawMonitorEnter");
    holding = false;
    ok((*jvmti)->RawMonitorNotifyAll(jvmti, gate), "RawMonitorNotifyAll");
    ok((*jvmti)->RawMonitorExit(jvmti, gate), "RawMonitorExit");
    ok((*jvmti)->RawMonitorEnter(jvmti, held), "RawMonitorEnter");
    ok((*jvmti)->RawMonitorExit(jvmti, held), "RawMonitorExit");
}

static void force(jthread t, const char *label) {
    TRY(PopFrame, label, t);
    TRY(ForceEarlyReturnObject, label, t, NULL);
    TRY(ForceEarlyReturnInt, label, t, 1);
    TRY(ForceEarlyReturnLong, label, t, 1);
    TRY(ForceEarlyReturnFloat, label, t, 1);
    TRY(ForceEarlyReturnDouble, label, t, 1);
    TRY(ForceEarlyReturnVoid, label, t);
}

static void agent_thread_errors(void) {
    jthread t = start_holder();
    TRY(DestroyRawMonitor, "of another thread", held);
    TRY(RawMonitorExit, "of another thread", held);
    TRY(RawMonitorWait, "of another thread", held, 1);
    TRY(RawMonitorNotify, "of another thread", held);
    TRY(RawMonitorNotifyAll, "of another thread", held);
    ok((*jvmti)->SuspendThread(jvmti, t), "SuspendThread");
    force(t, "no Java frames");
    ok((*jvmti)->ResumeThread(jvmti, t), "ResumeThread");
    end_holder();
}

/* ---- threads and frames ------------------------------------------------------------------------------------------ */

/* The slots to ask for an object, for a long or a double, and for anything else. */
static void locals(const char *label, jint of_object, jint of_long, jint of_other) {
    jobject o;
    jint i;
    jlong j;
    jfloat f;
    jdouble d;
    jthread t = fixture.victim;
    TRY(GetLocalObject, label, t, 0, of_object, &o);
    TRY(GetLocalInt, label, t, 0, of_other, &i);
    TRY(GetLocalLong, label, t, 0, of_long, &j);
    TRY(GetLocalFloat, label, t, 0, of_other, &f);
    TRY(GetLocalDouble, label, t, 0, of_long, &d);
    TRY(SetLocalObject, label, t, 0, of_object, NULL);
    TRY(SetLocalInt, label, t, 0, of_other, 1);
    TRY(SetLocalLong, label, t, 0, of_long, 1);
    TRY(SetLocalFloat, label, t, 0, of_other, 1);
    TRY(SetLocalDouble, label, t, 0, of_long, 1);
}

static void running_thread(void) {
    jobject o;
    let_go();
    TRY(ResumeThread, "of a running thread", fixture.victim);
    TRY(NotifyFramePop, "of a running thread", fixture.victim, 0);
    if (is_there(function_named("ClearAllFramePops"))) TRY(ClearAllFramePops, "of a running thread", fixture.victim);
    if (version() >= 21) {                        /* before, variables of running threads were changed */
        TRY(GetLocalInstance, "of a running thread", fixture.victim, 0, &o);
        locals("of a running thread", 6, 1, 0);
    }
    force(fixture.victim, "of a running thread");
}

static void standing_thread(void) {
    stand('I');
    TRY(SuspendThread, "of a suspended thread", fixture.victim);
    locals("in a slot of another type", 0, 0, 6);
    locals("in slot 99", 99, 99, 99);
    locals("in slot -1", -1, -1, -1);
    if (strict) locals("in the greatest slot", INT32_MAX, INT32_MAX, INT32_MAX);
    TRY(SetLocalObject, "another class", fixture.victim, 0, 6, fixture.object);
    ok((*jvmti)->NotifyFramePop(jvmti, fixture.victim, 0), "NotifyFramePop");
    TRY(NotifyFramePop, "twice", fixture.victim, 0);
    stand('V');
    TRY(ForceEarlyReturnObject, "from a void method", fixture.victim, NULL);
    TRY(ForceEarlyReturnInt, "from a void method", fixture.victim, 1);
    TRY(ForceEarlyReturnLong, "from a void method", fixture.victim, 1);
    TRY(ForceEarlyReturnFloat, "from a void method", fixture.victim, 1);
    TRY(ForceEarlyReturnDouble, "from a void method", fixture.victim, 1);
    stand('I');
    TRY(ForceEarlyReturnVoid, "from an int method", fixture.victim);
    TRY(PopFrame, "before the thread runs", fixture.victim);
    TRY(PopFrame, "again before the thread runs", fixture.victim);
    stand('V');
    TRY(ForceEarlyReturnVoid, "before the thread runs", fixture.victim);
    TRY(ForceEarlyReturnVoid, "again before the thread runs", fixture.victim);
    TRY(PopFrame, "behind a return that is forced", fixture.victim);
    stand('I');
    TRY(PopFrame, "once the thread has returned", fixture.victim);
    TRY(ForceEarlyReturnInt, "behind a frame that is popped", fixture.victim, 1);
    stand('V');
    TRY(ForceEarlyReturnVoid, "once the frame was popped", fixture.victim);
    stand('I');
    ok((*jvmti)->SuspendThread(jvmti, fixture.waiter), "SuspendThread");
    force(fixture.waiter, "in a native method");
    TRY(NotifyFramePop, "in a native method", fixture.waiter, 0);
    ok((*jvmti)->ResumeThread(jvmti, fixture.waiter), "ResumeThread");
}

static void thread_lists(void) {
    jthread list[2] = {fixture.victim, fixture.object};
    jvmtiStackInfo *stacks;
    jvmtiError results[2] = {0, 0};
    stand('I');
    TRY(GetThreadListStackTraces, "an element of another type", 2, list, 1, &stacks);
    list[0] = fixture.done;
    TRY(SuspendThreadList, "elements that are no live threads", 2, list, results);
    report(function_named("SuspendThreadList"), "element 0", results[0]);
    report(function_named("SuspendThreadList"), "element 1", results[1]);
    TRY(ResumeThreadList, "elements that are no live threads", 2, list, results);
    report(function_named("ResumeThreadList"), "element 0", results[0]);
    report(function_named("ResumeThreadList"), "element 1", results[1]);
    TRY(RunAgentThread, "priority 0", fixture.fresh, holder, NULL, 0);
    TRY(RunAgentThread, "priority 11", fixture.fresh, holder, NULL, 11);
}

static void virtual_threads(void) {
    jlong nanos;
    jthread list[1] = {fixture.object};
    if (fixture.virtual_thread == NULL) return;
    TRY(SuspendAllVirtualThreads, "an element of another type", 1, list);
    TRY(SuspendAllVirtualThreads, "a list NULL", 1, NULL);
    TRY(ResumeAllVirtualThreads, "an element of another type", 1, list);
    TRY(ResumeAllVirtualThreads, "a list NULL", 1, NULL);
    TRY(StopThread, "a running virtual thread", fixture.virtual_thread, fixture.exception);
    TRY(GetThreadCpuTime, "a virtual thread", fixture.virtual_thread, &nanos);
    TRY(RunAgentThread, "a virtual thread", fixture.virtual_fresh, holder, NULL, JVMTI_THREAD_NORM_PRIORITY);
}

/* ---- breakpoints and watches ------------------------------------------------------------------------------------- */

static void breakpoints(void) {
    jmethodID m = fixture.spin;
    jclass c = fixture.self;
    jfieldID f = fixture.field;
    TRY(SetBreakpoint, "beyond the code", m, 100000);
    TRY(SetBreakpoint, "before the code", m, -1);
    TRY(ClearBreakpoint, "beyond the code", m, 100000);
    TRY(ClearBreakpoint, "where none is", m, 0);
    ok((*jvmti)->SetBreakpoint(jvmti, m, 0), "SetBreakpoint");
    TRY(SetBreakpoint, "twice", m, 0);
    ok((*jvmti)->ClearBreakpoint(jvmti, m, 0), "ClearBreakpoint");
    TRY(ClearFieldAccessWatch, "where none is", c, f);
    ok((*jvmti)->SetFieldAccessWatch(jvmti, c, f), "SetFieldAccessWatch");
    TRY(SetFieldAccessWatch, "twice", c, f);
    ok((*jvmti)->ClearFieldAccessWatch(jvmti, c, f), "ClearFieldAccessWatch");
    TRY(ClearFieldModificationWatch, "where none is", c, f);
    ok((*jvmti)->SetFieldModificationWatch(jvmti, c, f), "SetFieldModificationWatch");
    TRY(SetFieldModificationWatch, "twice", c, f);
    ok((*jvmti)->ClearFieldModificationWatch(jvmti, c, f), "ClearFieldModificationWatch");
}

/* JT-015: what an environment has set goes with it, and with the capability that it was set with. */
static void released(void) {
    jvmtiEnv *env[2];
    jvmtiCapabilities wanted;
    memset(&wanted, 0, sizeof wanted);
    wanted.can_generate_breakpoint_events = 1;
    for (int i = 0; i < 2; i++) {
        if ((*the_vm)->GetEnv(the_vm, (void **)&env[i], JVMTI_VERSION_1_2) != JNI_OK) say("FAILED GetEnv");
        ok((*env[i])->AddCapabilities(env[i], &wanted), "AddCapabilities");
    }
    ok((*env[0])->SetBreakpoint(env[0], fixture.spin, 0), "SetBreakpoint");
    ok((*env[0])->RelinquishCapabilities(env[0], &wanted), "RelinquishCapabilities");
    ok((*env[0])->AddCapabilities(env[0], &wanted), "AddCapabilities");
    report(function_named("SetBreakpoint"), "after the capability was given up",
           (*env[0])->SetBreakpoint(env[0], fixture.spin, 0));
    ok((*env[0])->DisposeEnvironment(env[0]), "DisposeEnvironment");
    report(function_named("SetBreakpoint"), "after another environment was given up",
           (*env[1])->SetBreakpoint(env[1], fixture.spin, 0));
    ok((*env[1])->DisposeEnvironment(env[1]), "DisposeEnvironment");
}

/* ---- classes and methods ----------------------------------------------------------------------------------------- */

static void classes(void) {
    JNIEnv *jni = fixture.jni;
    jint n;
    jmethodID *methods;
    jfieldID *fields;
    jclass *interfaces;
    char *text;
    jvmtiLineNumberEntry *lines;
    jvmtiLocalVariableEntry *variables;
    TRY(GetClassMethods, "of a class that is only loaded", fixture.unlinked, &n, &methods);
    TRY(GetClassFields, "of a class that is only loaded", fixture.unlinked, &n, &fields);
    TRY(GetImplementedInterfaces, "of a class that is only loaded", fixture.unlinked, &n, &interfaces);
    TRY(GetSourceDebugExtension, "of a class that has one", fixture.extended, &text);
    jmethodID m = (*jni)->GetStaticMethodID(jni, fixture.stripped, "method", "(I)I");
    TRY(GetLineNumberTable, "of a class without tables", m, &n, &lines);
    TRY(GetLocalVariableTable, "of a class without tables", m, &n, &variables);
    TRY(GetSourceFileName, "of a class without tables", fixture.stripped, &text);
}

static void modules(void) {
    TRY(AddModuleExports, "a package that is not in the module", fixture.named, "no.such.place", fixture.module);
    TRY(AddModuleOpens, "a package that is not in the module", fixture.named, "no.such.place", fixture.module);
}

/* ---- the rest ---------------------------------------------------------------------------------------------------- */

static void interrupted(void) {
    jthread me;
    jrawMonitorID m;
    ok((*jvmti)->CreateRawMonitor(jvmti, "interrupted", &m), "CreateRawMonitor");
    ok((*jvmti)->GetCurrentThread(jvmti, &me), "GetCurrentThread");
    ok((*jvmti)->RawMonitorEnter(jvmti, m), "RawMonitorEnter");
    ok((*jvmti)->InterruptThread(jvmti, me), "InterruptThread");
    TRY(RawMonitorWait, "interrupted", m, 0);
    TRY(RawMonitorWait, "no longer interrupted", m, 1);
    ok((*jvmti)->DestroyRawMonitor(jvmti, m), "DestroyRawMonitor");
}

static void the_rest(void) {
    unsigned char *p;
    char *text;
    jvmtiCapabilities wanted;
    memset(&wanted, 0, sizeof wanted);
    TRY(Allocate, "a negative size", -1, &p);
    TRY(Allocate, "more than there is", (jlong)1 << 62, &p);
    TRY_BARE(SetEventNotificationMode, "without the event's capability", JVMTI_ENABLE, JVMTI_EVENT_BREAKPOINT, NULL);
    TRY(SetEventNotificationMode, "a thread for an event that takes none", JVMTI_ENABLE, JVMTI_EVENT_VM_DEATH,
        fixture.victim);
    TRY(GenerateEvents, "another event", JVMTI_EVENT_VM_INIT);
    TRY_BARE(GenerateEvents, "without the event's capability", JVMTI_EVENT_COMPILED_METHOD_LOAD);
    TRY(GetSystemProperty, "of an unknown name", "no.such.property", &text);
    TRY(AddToBootstrapClassLoaderSearch, "no file", "/no/such/file.jar");
    TRY(AddToBootstrapClassLoaderSearch, "a directory", "/tmp");
    TRY(AddToSystemClassLoaderSearch, "no file", "/no/such/file.jar");
    TRY(AddToSystemClassLoaderSearch, "a directory", "/tmp");
    TRY(GetErrorName, "no error", (jvmtiError)1, &text);
    TRY(SetExtensionEventCallback, "no such event", 987654, NULL);
    wanted.can_support_value_objects = 1;
    TRY_BARE(AddCapabilities, "one that is not offered", &wanted);
}

void error_cases_in_onload(void) {
    TRY(SetSystemProperty, "of an unknown name", "no.such.property", "value");
    TRY(SetSystemProperty, "that is read-only", "java.vm.name", "value");
    TRY(SetSystemProperty, "no property", NULL, "value");
    if (strict) TRY(SetSystemProperty, "no value", "every.call", NULL);
}

void error_cases(void) {
    agent_thread_errors();
    running_thread();
    standing_thread();
    thread_lists();
    virtual_threads();
    breakpoints();
    if (strict) released();
    classes();
    modules();
    interrupted();
    the_rest();
}

/* The system class loader has no method to append to its path. */
JNIEXPORT void JNICALL Java_PlainLoader_run(JNIEnv *jni, jclass self) {
    (void)jni, (void)self;
    TRY(AddToSystemClassLoaderSearch, "a system class loader that cannot", fixture.jar);
}

/* On a virtual thread. */
JNIEXPORT void JNICALL Java_EveryCall_onVirtualThread(JNIEnv *jni, jclass self) {
    jlong nanos;
    (void)jni, (void)self;
    TRY(GetCurrentThreadCpuTime, "on a virtual thread", &nanos);
}
