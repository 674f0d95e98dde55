/* watch_agent.c: the agent of Watch.java (`make bench`). Its option names the row: which capabilities it takes, and
 * what is switched on and off while the Java half measures. Callbacks do nothing but count. */
#include "watch.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

jvmtiEnv *watch_env;

struct row {
    const char *name;
    jvmtiCapabilities needs;
    jvmtiEvent events[2];                /* switched on with the row; 0 = none                                        */
    void (*set)(JNIEnv *env, bool on);   /* more than events; NULL = nothing                                          */
    bool one_thread;                     /* events of the thread that Java names, not of all                          */
};
static const struct row *row;

static long events;
static bool asked;                       /* Java_Watch_ask asks for a FramePop                                        */

double thread_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

double wall_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

void must(jvmtiError err, const char *what)
{
    if (err == JVMTI_ERROR_NONE) return;
    printf("%s: error %d\n", what, err);
    exit(1);
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

static void JNICALL on_entry(jvmtiEnv *e, JNIEnv *jni, jthread t, jmethodID m) {
    (void)e, (void)jni, (void)t, (void)m, events++;
}
static void JNICALL on_exit_of(jvmtiEnv *e, JNIEnv *jni, jthread t, jmethodID m, jboolean by_exception, jvalue v)
{
    (void)e, (void)jni, (void)t, (void)m, (void)by_exception, (void)v, events++;
}
static void JNICALL on_pop(jvmtiEnv *e, JNIEnv *jni, jthread t, jmethodID m, jboolean by_exception)
{
    (void)e, (void)jni, (void)t, (void)m, (void)by_exception, events++;
}
static void JNICALL on_location(jvmtiEnv *e, JNIEnv *jni, jthread t, jmethodID m, jlocation l)
{
    (void)e, (void)jni, (void)t, (void)m, (void)l, events++;
}
static void JNICALL on_access(jvmtiEnv *e, JNIEnv *jni, jthread t, jmethodID m, jlocation l, jclass c, jobject o,
                              jfieldID f) {
    (void)e, (void)jni, (void)t, (void)m, (void)l, (void)c, (void)o, (void)f, events++;
}
static void JNICALL on_modification(jvmtiEnv *e, JNIEnv *jni, jthread t, jmethodID m, jlocation l, jclass c, jobject o,
                                    jfieldID f, char type, jvalue v) {
    (void)e, (void)jni, (void)t, (void)m, (void)l, (void)c, (void)o, (void)f, (void)type, (void)v, events++;
}
static void JNICALL on_exception(jvmtiEnv *e, JNIEnv *jni, jthread t, jmethodID m, jlocation l, jobject x,
                                 jmethodID catcher, jlocation at) {
    (void)e, (void)jni, (void)t, (void)m, (void)l, (void)x, (void)catcher, (void)at, events++;
}
static void JNICALL on_catch(jvmtiEnv *e, JNIEnv *jni, jthread t, jmethodID m, jlocation l, jobject x)
{
    (void)e, (void)jni, (void)t, (void)m, (void)l, (void)x, events++;
}
static void JNICALL on_alloc(jvmtiEnv *e, JNIEnv *jni, jthread t, jobject o, jclass c, jlong size)
{
    (void)e, (void)jni, (void)t, (void)o, (void)c, (void)size, events++;
}
static void JNICALL on_class_file(jvmtiEnv *e, JNIEnv *jni, jclass redefined, jobject loader, const char *name,
                                  jobject domain, jint length, const unsigned char *bytes, jint *new_length,
                                  unsigned char **new_bytes) {
    (void)e, (void)jni, (void)redefined, (void)loader, (void)name, (void)domain, (void)length, (void)bytes,
        (void)new_length, (void)new_bytes;
    events++;
}

static void enable(bool on, jvmtiEvent event, jthread thread)
{
    must((*watch_env)->SetEventNotificationMode(watch_env, on ? JVMTI_ENABLE : JVMTI_DISABLE, event, thread),
         "SetEventNotificationMode");
}

/* ---- what is more than an event ---------------------------------------------------------------------------------- */

static jclass subject(JNIEnv *env) { return (*env)->FindClass(env, "Watch"); }

static void set_watch(JNIEnv *env, bool on, const char *name, bool access, bool modification)
{
    jclass c = subject(env);
    jfieldID f = (*env)->GetStaticFieldID(env, c, name, "I");
    if (access)
        must((on ? (*watch_env)->SetFieldAccessWatch : (*watch_env)->ClearFieldAccessWatch)(watch_env, c, f),
             "access watch");
    if (modification)
        must((on ? (*watch_env)->SetFieldModificationWatch : (*watch_env)->ClearFieldModificationWatch)(watch_env, c,
                                                                                                        f),
             "watch");
}

static void watch_unused(JNIEnv *env, bool on) { set_watch(env, on, "neverTouched", true, true); }
static void watch_access(JNIEnv *env, bool on) { set_watch(env, on, "watched", true, false); }
static void watch_modification(JNIEnv *env, bool on) { set_watch(env, on, "watched", false, true); }

/* A breakpoint at the line-th line of a method. */
static void set_breakpoint(JNIEnv *env, bool on, const char *method, jint line)
{
    jmethodID m = (*env)->GetStaticMethodID(env, subject(env), method, "(I)I");
    jint count;
    jvmtiLineNumberEntry *lines;
    must((*watch_env)->GetLineNumberTable(watch_env, m, &count, &lines), "GetLineNumberTable");
    if (line >= count) must(JVMTI_ERROR_INVALID_LOCATION, "line for a breakpoint");
    jlocation at = lines[line].start_location;
    (*watch_env)->Deallocate(watch_env, (unsigned char *)lines);
    must((on ? (*watch_env)->SetBreakpoint : (*watch_env)->ClearBreakpoint)(watch_env, m, at), "breakpoint");
}

static void breakpoint_unused(JNIEnv *env, bool on) { set_breakpoint(env, on, "hot", 1); }
static void breakpoint_unrelated(JNIEnv *env, bool on) { set_breakpoint(env, on, "unrelated", 0); }
static void breakpoint_hit(JNIEnv *env, bool on) { set_breakpoint(env, on, "step", 0); }

/* The frame that called the native method is to be reported. */
static void ask_for_caller(JNIEnv *env, bool on)
{
    (void)env;
    if (on) must((*watch_env)->NotifyFramePop(watch_env, NULL, 1), "NotifyFramePop");
}

static void ask_each(JNIEnv *env, bool on) { (void)env, asked = on; }

static void sample_each(JNIEnv *env, bool on)
{
    (void)env;
    if (on) must((*watch_env)->SetHeapSamplingInterval(watch_env, 0), "SetHeapSamplingInterval");
}

static const struct row rows[] = {
    { .name = "everything" },            /* its capabilities: whatever can be had                                     */
    { .name = "field-unused", .needs = { .can_generate_field_access_events = 1,
        .can_generate_field_modification_events = 1 },
      .events = { JVMTI_EVENT_FIELD_ACCESS, JVMTI_EVENT_FIELD_MODIFICATION }, .set = watch_unused },
    { .name = "pop-unused", .needs = { .can_generate_frame_pop_events = 1 }, .events = { JVMTI_EVENT_FRAME_POP },
        .set = ask_for_caller },
    { .name = "breakpoint-unused", .needs = { .can_generate_breakpoint_events = 1, .can_get_line_numbers = 1 },
      .events = { JVMTI_EVENT_BREAKPOINT }, .set = breakpoint_unused },
    { .name = "breakpoint-unrelated", .needs = { .can_generate_breakpoint_events = 1, .can_get_line_numbers = 1 },
      .events = { JVMTI_EVENT_BREAKPOINT }, .set = breakpoint_unrelated },
    { .name = "methods-elsewhere", .needs = { .can_generate_method_entry_events = 1,
        .can_generate_method_exit_events = 1 },
      .events = { JVMTI_EVENT_METHOD_ENTRY, JVMTI_EVENT_METHOD_EXIT }, .one_thread = true },
    { .name = "step-elsewhere", .needs = { .can_generate_single_step_events = 1 },
        .events = { JVMTI_EVENT_SINGLE_STEP }, .one_thread = true },
    { .name = "pop-elsewhere", .needs = { .can_generate_frame_pop_events = 1 }, .events = { JVMTI_EVENT_FRAME_POP },
        .set = ask_for_caller },
    { .name = "methods", .needs = { .can_generate_method_entry_events = 1, .can_generate_method_exit_events = 1 },
      .events = { JVMTI_EVENT_METHOD_ENTRY, JVMTI_EVENT_METHOD_EXIT } },
    { .name = "step", .needs = { .can_generate_single_step_events = 1 }, .events = { JVMTI_EVENT_SINGLE_STEP } },
    { .name = "breakpoint", .needs = { .can_generate_breakpoint_events = 1, .can_get_line_numbers = 1 },
        .events = { JVMTI_EVENT_BREAKPOINT },
      .set = breakpoint_hit },
    { .name = "access", .needs = { .can_generate_field_access_events = 1 }, .events = { JVMTI_EVENT_FIELD_ACCESS },
        .set = watch_access },
    { .name = "modification", .needs = { .can_generate_field_modification_events = 1 },
        .events = { JVMTI_EVENT_FIELD_MODIFICATION },
      .set = watch_modification },
    { .name = "exceptions", .needs = { .can_generate_exception_events = 1 },
        .events = { JVMTI_EVENT_EXCEPTION, JVMTI_EVENT_EXCEPTION_CATCH } },
    { .name = "pop", .needs = { .can_generate_frame_pop_events = 1 }, .events = { JVMTI_EVENT_FRAME_POP },
        .set = ask_each },
    { .name = "vm-alloc", .needs = { .can_generate_vm_object_alloc_events = 1 },
        .events = { JVMTI_EVENT_VM_OBJECT_ALLOC } },
    { .name = "sampled-alloc", .needs = { .can_generate_sampled_object_alloc_events = 1 },
        .events = { JVMTI_EVENT_SAMPLED_OBJECT_ALLOC },
      .set = sample_each },
    { .name = "heap", .needs = { .can_tag_objects = 1 } },
    { .name = "tags", .needs = { .can_tag_objects = 1 } },
    { .name = "stack", .needs = { .can_access_local_variables = 1, .can_suspend = 1, .can_get_bytecodes = 1 } },
    { .name = "classes", .needs = { .can_redefine_classes = 1, .can_retransform_classes = 1 } },
    /* From the first class on, whether or not it is read: switched on when the agent starts. */
    { .name = "early-hook", .needs = { .can_generate_all_class_hook_events = 1,
        .can_generate_early_class_hook_events = 1 },
      .events = { JVMTI_EVENT_CLASS_FILE_LOAD_HOOK } },
};

/* ---- what Java calls --------------------------------------------------------------------------------------------- */

NATIVE(jlong, time)(JNIEnv *env, jclass c) { (void)env, (void)c; return (jlong)thread_ns(); }
NATIVE(jlong, events)(JNIEnv *env, jclass c) { (void)env, (void)c; return events; }

NATIVE(void, counted)(JNIEnv *env, jclass c, jobject loop, jint n)
{
    (void)c;
    jmethodID run = (*env)->GetMethodID(env, (*env)->GetObjectClass(env, loop), "run", "(I)V");
    (*env)->CallVoidMethod(env, loop, run, n);
}

NATIVE(void, set)(JNIEnv *env, jclass c, jboolean on, jobject thread)
{
    (void)c;
    for (int i = 0; i < 2; i++)
        if (row->events[i] != 0) enable(on, row->events[i], row->one_thread ? thread : NULL);
    if (row->set != NULL) row->set(env, on);
}

NATIVE(void, ask)(JNIEnv *env, jclass c)
{
    (void)c;
    if (asked) ask_for_caller(env, true);
}

/* ---- start ------------------------------------------------------------------------------------------------------- */

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    (void)reserved;
    for (size_t i = 0; options != NULL && i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(options, rows[i].name) == 0) row = &rows[i];
    if (row == NULL || (*vm)->GetEnv(vm, (void **)&watch_env, JVMTI_VERSION_11) != JNI_OK) return JNI_ERR;
    jvmtiCapabilities needs = row->needs;
    if (row == rows) must((*watch_env)->GetPotentialCapabilities(watch_env, &needs), "GetPotentialCapabilities");
    jvmtiEventCallbacks callbacks = {
        .MethodEntry = on_entry, .MethodExit = on_exit_of, .FramePop = on_pop, .SingleStep = on_location,
        .Breakpoint = on_location,
        .FieldAccess = on_access, .FieldModification = on_modification, .Exception = on_exception,
        .ExceptionCatch = on_catch,
        .VMObjectAlloc = on_alloc, .SampledObjectAlloc = on_alloc, .ClassFileLoadHook = on_class_file,
    };
    must((*watch_env)->AddCapabilities(watch_env, &needs), "AddCapabilities");
    must((*watch_env)->SetEventCallbacks(watch_env, &callbacks, sizeof callbacks), "SetEventCallbacks");
    if (row->events[0] == JVMTI_EVENT_CLASS_FILE_LOAD_HOOK) enable(true, row->events[0], NULL);
    return JNI_OK;
}
