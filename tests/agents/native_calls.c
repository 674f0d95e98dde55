/* native_calls.c — native methods that compiled code calls, while things happen to their threads: for
 * tests/jvmti/NativeCalls.java. */
#include <pthread.h>
#include <stdatomic.h>

#include "agent_support.h"

enum { MOST_EVENTS = 32, MOST_FRAMES = 8 };

static atomic_int arrived, released, left, bindings, native_stubs;

/* ---- events ------------------------------------------------------------------------------------------------------ */

static char events[MOST_EVENTS][96];
static atomic_int event_count;

/* Of these methods alone. */
static void note(jmethodID m, const char *what, const jvalue *value) {
    static const char *const noted[] = {"give", "failing", "waits"};
    char *name = NULL;
    if (!ok((*jvmti)->GetMethodName(jvmti, m, &name, NULL, NULL), "GetMethodName")) return;
    for (size_t i = 0; i < sizeof noted / sizeof *noted; i++) {
        if (strcmp(noted[i], name) != 0) continue;
        int n = atomic_fetch_add(&event_count, 1);
        if (n >= MOST_EVENTS) break;
        if (value != NULL && i != 0) snprintf(events[n], sizeof events[n], "%s %s %d", name, what, (int)value->i);
        else snprintf(events[n], sizeof events[n], "%s %s", name, what);
    }
    release(name);
}

static void JNICALL on_entry(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m) {
    (void)env, (void)jni, (void)t;
    note(m, "entered", NULL);
}

static void JNICALL on_exit_of(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jboolean thrown, jvalue v) {
    (void)env, (void)jni, (void)t;
    note(m, thrown ? "threw" : "gave", thrown ? NULL : &v);
}

/* Of our class alone. */
static void JNICALL on_bind(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, void *address, void **to) {
    char *name = NULL;
    (void)jni, (void)t, (void)address, (void)to;
    if ((*env)->GetMethodName(env, m, &name, NULL, NULL) != JVMTI_ERROR_NONE) return;
    if (strcmp(name, "bound") == 0) atomic_fetch_add(&bindings, 1);
    (*env)->Deallocate(env, (unsigned char *)name);
}

static void JNICALL on_code(jvmtiEnv *env, const char *name, const void *begin, jint length) {
    (void)env, (void)begin, (void)length;
    if (strncmp(name, "native_", strlen("native_")) == 0 && strcmp(name, "native_ended") != 0)
        atomic_fetch_add(&native_stubs, 1);
}

/* ---- what is called ---------------------------------------------------------------------------------------------- */

#define NATIVE(type, name) JNIEXPORT type JNICALL Java_NativeCalls_##name

static void make_references(JNIEnv *jni, jobject o, jint count) {
    for (jint i = 0; i < count; i++)
        if (o != NULL && (*jni)->NewLocalRef(jni, o) == NULL) say("FAILED no local reference");
}

NATIVE(jobject, give)(JNIEnv *jni, jclass c, jobject o, jint references) {
    (void)c;
    make_references(jni, o, references);
    if (references == 7) (*jni)->PushLocalFrame(jni, 20);            /* which the return pops                       */
    return (*jni)->NewLocalRef(jni, o);
}

NATIVE(jint, failing)(JNIEnv *jni, jobject self, jint n, jint references) {
    make_references(jni, self, references);
    if (n % 2 != 0) (*jni)->ThrowNew(jni, (*jni)->FindClass(jni, "java/lang/IllegalStateException"), "told");
    return n;
}

/* The upper half of the register is the callee's. */
JNIEXPORT unsigned long long JNICALL Java_NativeCalls_dirty(JNIEnv *jni, jclass c, jint n) {
    (void)jni, (void)c;
    return 0xdeadbeef00000000u | (unsigned)n;
}

/* Makes no local reference. */
static jthrowable prepared;
NATIVE(void, prepare)(JNIEnv *jni, jclass c, jthrowable exception) {
    (void)c;
    prepared = (*jni)->NewGlobalRef(jni, exception);
}
NATIVE(jint, throwing)(JNIEnv *jni, jclass c, jint n) {
    (void)c;
    if (n % 2 != 0) (*jni)->Throw(jni, prepared);
    return n;
}

NATIVE(jint, waits)(JNIEnv *jni, jclass c, jint n) {
    (void)jni, (void)c;
    atomic_store(&arrived, 1);
    while (!atomic_load(&released)) sched_yield();
    atomic_store(&released, 0);
    atomic_store(&left, 1);
    return n + 1;
}

NATIVE(void, release)(JNIEnv *jni, jclass c) {
    (void)jni, (void)c;
    atomic_store(&left, 0);
    atomic_store(&released, 1);
    while (!atomic_load(&left)) sched_yield();
}

NATIVE(void, awaitArrival)(JNIEnv *jni, jclass c) {
    (void)jni, (void)c;
    while (!atomic_load(&arrived)) sched_yield();
    atomic_store(&arrived, 0);
}

/* The class's monitor keeps others out. */
static volatile jlong turns;
NATIVE(jlong, count)(JNIEnv *jni, jclass c, jint n) {
    (void)jni, (void)c;
    turns += n;
    return turns;
}

NATIVE(jint, bound)(JNIEnv *jni, jclass c, jint n) { (void)jni, (void)c; return n + 100; }
static jint JNICALL first(JNIEnv *jni, jclass c, jint n) { (void)jni, (void)c; return n + 1; }
static jint JNICALL second(JNIEnv *jni, jclass c, jint n) { (void)jni, (void)c; return n + 2; }

NATIVE(void, bind)(JNIEnv *jni, jclass c, jint which) {
    JNINativeMethod m = {(char *)"bound", (char *)"(I)I", which == 1 ? (void *)first : (void *)second};
    jint failed = which == 0 ? (*jni)->UnregisterNatives(jni, c) : (*jni)->RegisterNatives(jni, c, &m, 1);
    if (failed) say("FAILED to bind");
}

NATIVE(jint, bindings)(JNIEnv *jni, jclass c) { (void)jni, (void)c; return atomic_load(&bindings); }

/* ---- what happens to them ---------------------------------------------------------------------------------------- */

NATIVE(void, suspend)(JNIEnv *jni, jclass c, jthread t) {
    (void)jni, (void)c;
    ok((*jvmti)->SuspendThread(jvmti, t), "SuspendThread");
}

NATIVE(void, resume)(JNIEnv *jni, jclass c, jthread t) {
    (void)jni, (void)c;
    ok((*jvmti)->ResumeThread(jvmti, t), "ResumeThread");
}

NATIVE(void, stop)(JNIEnv *jni, jclass c, jthread t, jobject exception) {
    (void)jni, (void)c;
    ok((*jvmti)->StopThread(jvmti, t, exception), "StopThread");
}

NATIVE(void, watch)(JNIEnv *jni, jclass c, jthread t, jboolean on) {
    (void)jni, (void)c;
    jvmtiEventMode mode = on ? JVMTI_ENABLE : JVMTI_DISABLE;
    ok((*jvmti)->SetEventNotificationMode(jvmti, mode, JVMTI_EVENT_METHOD_ENTRY, t), "METHOD_ENTRY");
    ok((*jvmti)->SetEventNotificationMode(jvmti, mode, JVMTI_EVENT_METHOD_EXIT, t), "METHOD_EXIT");
}

/* The youngest frames, and what is refused of the youngest. */
NATIVE(jstring, top)(JNIEnv *jni, jclass c, jthread t) {
    jvmtiFrameInfo frames[MOST_FRAMES];
    char text[512] = "", *name = NULL;
    jint count = 0, value = 0;
    (void)c;
    if (!ok((*jvmti)->GetStackTrace(jvmti, t, 0, 2, frames, &count), "GetStackTrace")) return NULL;
    for (jint i = 0; i < count; i++) {
        if (!ok((*jvmti)->GetMethodName(jvmti, frames[i].method, &name, NULL, NULL), "GetMethodName")) return NULL;
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s %d, ", name, (int)frames[i].location);
        release(name);
    }
    jvmtiError refused = (*jvmti)->PopFrame(jvmti, t);
    snprintf(text + strlen(text), sizeof text - strlen(text), "%s", error_text(refused));
    /* JDK 17 does not ask whether the thread is suspended. */
    if (refused != JVMTI_ERROR_THREAD_NOT_SUSPENDED)
        snprintf(text + strlen(text), sizeof text - strlen(text), " %s",
                 error_text((*jvmti)->GetLocalInt(jvmti, t, 0, 0, &value)));
    return (*jni)->NewStringUTF(jni, text);
}

static jint JNICALL count_object(jlong class_tag, jlong size, jlong *tag, jint length, void *count) {
    (void)class_tag, (void)size, (void)tag, (void)length;
    ++*(jint *)count;
    return 0;
}

/* Found by a walk through the heap. */
NATIVE(jint, instances)(JNIEnv *jni, jclass c, jclass of) {
    jvmtiHeapCallbacks callbacks = {.heap_iteration_callback = count_object};
    jint count = 0;
    (void)jni, (void)c;
    ok((*jvmti)->IterateThroughHeap(jvmti, 0, of, &callbacks, &count), "IterateThroughHeap");
    return count;
}

NATIVE(void, printEvents)(JNIEnv *jni, jclass c) {
    (void)jni, (void)c;
    int n = atomic_exchange(&event_count, 0);
    for (int i = 0; i < n && i < MOST_EVENTS; i++) say("  %s", events[i]);
}

/* Of native stubs the agent is notified when they are made, and again when it asks. */
NATIVE(void, awaitStubs)(JNIEnv *jni, jclass c) {
    (void)jni, (void)c;
    while (atomic_load(&native_stubs) <= 5) sched_yield();
}

NATIVE(jboolean, hasStubs)(JNIEnv *jni, jclass c) {
    (void)jni, (void)c;
    int before = atomic_load(&native_stubs);
    ok((*jvmti)->GenerateEvents(jvmti, JVMTI_EVENT_DYNAMIC_CODE_GENERATED), "GenerateEvents");
    return atomic_load(&native_stubs) - before > 5;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)options, (void)reserved;
    jvmtiCapabilities wanted = {.can_generate_method_entry_events = 1, .can_generate_method_exit_events = 1,
                                .can_generate_native_method_bind_events = 1, .can_suspend = 1, .can_pop_frame = 1,
                                .can_signal_thread = 1, .can_access_local_variables = 1,
                                .can_tag_objects = 1};
    jvmtiEventCallbacks callbacks = {.MethodEntry = on_entry, .MethodExit = on_exit_of, .NativeMethodBind = on_bind,
                                     .DynamicCodeGenerated = on_code};
    the_vm = vm;
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK) return JNI_ERR;
    ok((*jvmti)->AddCapabilities(jvmti, &wanted), "AddCapabilities");
    ok((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks), "SetEventCallbacks");
    ok((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_NATIVE_METHOD_BIND, NULL), "bind events");
    ok((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_DYNAMIC_CODE_GENERATED, NULL), "code");
    return JNI_OK;
}
