/* arguments.c: arguments with which every function succeeds, and what has to be done before and after such a call. */
#include "every_call.h"

#include <unistd.h>

JavaVM *the_vm;
jvmtiEnv *jvmti;
struct fixture fixture;
jvmtiEnv *bare;
bool strict, late;

static char scratch[MAX_PARAMETERS][4096];        /* results go here, one buffer for each parameter */
static jrawMonitorID monitor;
static jthread threads[1];
static jclass classes[1];
static jlong tags[1] = {4711};
static char prefix[] = "every_call_";
static char *prefixes[1] = {prefix};
static bool suspended;

/* ---- the victim -------------------------------------------------------------------------------------------------- */

static jint static_int(const char *name) {
    return (*fixture.jni)
        ->GetStaticIntField(fixture.jni, fixture.self,
                            (*fixture.jni)->GetStaticFieldID(fixture.jni, fixture.self, name, "I"));
}

void let_go(void) {
    if (suspended) ok((*jvmti)->ResumeThread(jvmti, fixture.victim), "ResumeThread");
    suspended = false;
}

void stand(char kind) {
    JNIEnv *jni = fixture.jni;
    if (suspended && static_int("mode") == kind) return;
    let_go();
    (*jni)->SetStaticIntField(jni, fixture.self, (*jni)->GetStaticFieldID(jni, fixture.self, "mode", "I"), kind);
    while (static_int("at") != kind) usleep(100);
    ok((*jvmti)->SuspendThread(jvmti, fixture.victim), "SuspendThread");
    suspended = true;
}

/* ---- callbacks that do nothing ----------------------------------------------------------------------------------- */

static void JNICALL agent_thread(jvmtiEnv *env, JNIEnv *jni, void *arg) { (void)env, (void)jni, (void)arg; }

static jvmtiIterationControl JNICALL heap_object(jlong class_tag, jlong size, jlong *tag, void *data) {
    (void)class_tag, (void)size, (void)tag, (void)data;
    return JVMTI_ITERATION_ABORT;
}
static jvmtiIterationControl JNICALL heap_root(jvmtiHeapRootKind kind, jlong class_tag, jlong size, jlong *tag,
                                               void *data) {
    (void)kind, (void)class_tag, (void)size, (void)tag, (void)data;
    return JVMTI_ITERATION_ABORT;
}
static jvmtiIterationControl JNICALL stack_reference(jvmtiHeapRootKind kind, jlong class_tag, jlong size, jlong *tag,
                                                     jlong thread_tag, jint depth, jmethodID method, jint slot,
                                                     void *data) {
    (void)kind, (void)class_tag, (void)size, (void)tag, (void)thread_tag, (void)depth, (void)method, (void)slot,
        (void)data;
    return JVMTI_ITERATION_ABORT;
}
static jvmtiIterationControl JNICALL object_reference(jvmtiObjectReferenceKind kind, jlong class_tag, jlong size,
                                                      jlong *tag, jlong referrer_tag, jint index, void *data) {
    (void)kind, (void)class_tag, (void)size, (void)tag, (void)referrer_tag, (void)index, (void)data;
    return JVMTI_ITERATION_ABORT;
}

static void *function_of(const char *type) {
    if (strcmp(type, "jvmtiStartFunction") == 0) return (void *)agent_thread;
    if (strcmp(type, "jvmtiHeapObjectCallback") == 0) return (void *)heap_object;
    if (strcmp(type, "jvmtiHeapRootCallback") == 0) return (void *)heap_root;
    if (strcmp(type, "jvmtiStackReferenceCallback") == 0) return (void *)stack_reference;
    if (strcmp(type, "jvmtiObjectReferenceCallback") == 0) return (void *)object_reference;
    return NULL;                                  /* an extension event's: disables it */
}

/* ---- values that fit a kind -------------------------------------------------------------------------------------- */

/* What depends on the function as well: `Function.parameter` and the value. */
static const struct { const char *function, *parameter; jlong value; } numbers[] = {
    {"SetEventNotificationMode", "mode", JVMTI_DISABLE},
    {"SetEventNotificationMode", "event_type", JVMTI_EVENT_CLASS_LOAD},
    {"GenerateEvents", "event_type", JVMTI_EVENT_DYNAMIC_CODE_GENERATED},
    {"SetEventCallbacks", "size_of_callbacks", sizeof(jvmtiEventCallbacks)},
    {"RunAgentThread", "priority", JVMTI_THREAD_NORM_PRIORITY},
    {"GetStackTrace", "start_depth", 0},
    {"GetLocalObject", "slot", 6}, {"SetLocalObject", "slot", 6},
    {"GetLocalInt", "slot", 0}, {"SetLocalInt", "slot", 0},
    {"GetLocalLong", "slot", 1}, {"SetLocalLong", "slot", 1},
    {"GetLocalFloat", "slot", 3}, {"SetLocalFloat", "slot", 3},
    {"GetLocalDouble", "slot", 4}, {"SetLocalDouble", "slot", 4},
    {"GetLocalInstance", "depth", 1},             /* the caller of spin*, an instance method */
    {"RedefineClasses", "class_count", 0},
    {"SetHeapSamplingInterval", "sampling_interval", 512 * 1024},
    {"IterateOverHeap", "object_filter", JVMTI_HEAP_OBJECT_EITHER},
    {"IterateOverInstancesOfClass", "object_filter", JVMTI_HEAP_OBJECT_EITHER},
    {"RawMonitorWait", "millis", 1},
    {"Allocate", "size", 16},
    {"SetExtensionEventCallback", "extension_event_index", -1},           /* found at run time */
    {"SetVerboseFlag", "flag", JVMTI_VERBOSE_OTHER},
    {"SuspendAllVirtualThreads", "except_count", 0}, {"ResumeAllVirtualThreads", "except_count", 0},
};

static jlong number_of(const struct function *f, const struct parameter *p) {
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strcmp(numbers[i].function, f->name) == 0 && strcmp(numbers[i].parameter, p->name) == 0)
            return numbers[i].value;
    return p->kind == KIND_COUNT ? 1 : 0;
}

static void *text_of(const struct function *f, const struct parameter *p) {
    if (strcmp(p->name, "segment") == 0) return (void *)fixture.jar;
    if (strcmp(p->name, "package_name") == 0) return "java/lang";
    if (strcmp(p->name, "pkg_name") == 0) return "some/package";
    if (strcmp(p->name, "prefix") == 0) return prefix;
    if (strcmp(f->name, "GetSystemProperty") == 0) return "java.vm.name";
    return "every.call";
}

static void *memory_of(const struct function *f, const struct parameter *p, void *room) {
    if (strcmp(p->type, "const char*") == 0) return text_of(f, p);
    if (strcmp(p->type, "const jthread*") == 0) return threads;
    if (strcmp(p->type, "const jclass*") == 0) return classes;
    if (strcmp(p->type, "const jlong*") == 0) return tags;
    if (strcmp(p->type, "char**") == 0) return prefixes;
    if (strcmp(p->type, "const jniNativeInterface*") == 0) return fixture.jni ? (void *)*fixture.jni : room;
    memset(room, 0, sizeof scratch[0]);
    return room;
}

static union argument good(const struct function *f, const struct parameter *p, void *room) {
    union argument a = {.j = 0};
    switch (p->kind) {
    case KIND_THREAD: a.p = late ? fixture.victim : NULL; break;
    case KIND_THREAD_TOO: a.p = late ? fixture.victim : NULL; break;
    case KIND_GROUP: a.p = fixture.group; break;
    case KIND_OBJECT:
        a.p = strcmp(f->name, "StopThread") == 0       ? fixture.exception
              : strcmp(f->name, "SetLocalObject") == 0 ? NULL
                                                       : fixture.object;
        break;
    case KIND_LOADER: a.p = strcmp(f->name, "GetNamedModule") == 0 ? NULL : fixture.loader; break;
    case KIND_MODULE: a.p = fixture.module; break;
    case KIND_CLASS:
        a.p = strcmp(f->name, "GetSourceDebugExtension") == 0 && fixture.extended ? fixture.extended : fixture.self;
        break;
    case KIND_METHOD: case KIND_METHOD_TOO: case KIND_VERSION: case KIND_VERSION_TOO: a.p = fixture.spin; break;
    case KIND_FIELD: a.p = fixture.field; break;
    case KIND_MONITOR: a.p = monitor; break;
    case KIND_FUNC: a.p = function_of(p->type); break;
    case KIND_IN: a.p = memory_of(f, p, room); break;
    case KIND_OUT: case KIND_ALLOC: a.p = room; break;
    case KIND_DATA: break;
    case KIND_DEPTH: case KIND_COUNT: case KIND_ENUM: case KIND_EVENT: case KIND_VALUE: a.j = number_of(f, p); break;
    }
    if (strcmp(p->type, "jfloat") == 0 || strcmp(p->type, "jdouble") == 0) a.d = 1.5;
    return a;
}

/* ---- before and after -------------------------------------------------------------------------------------------- */

static bool is(const struct function *f, const char *name) { return strcmp(f->name, name) == 0; }

/* The kind of method that a forced return demands. */
static char forced_kind(const struct function *f) {
    static const char *const names[] = {"Object", "Int", "Long", "Float", "Double", "Void"};
    if (strncmp(f->name, "ForceEarlyReturn", 16) == 0)
        for (int i = 0; i < 6; i++)
            if (strcmp(f->name + 16, names[i]) == 0) return "LIJFDV"[i];
    return 'I';
}

/* The victim's frame must not be used for another case. */
static bool spoils_frame(const struct function *f) {
    return is(f, "PopFrame") || is(f, "NotifyFramePop") || is(f, "InterruptThread") || is(f, "StopThread") ||
           strncmp(f->name, "ForceEarlyReturn", 16) == 0;
}

static void first_extension_event(union argument *a) {
    jint n = 0;
    jvmtiExtensionEventInfo *events = NULL;
    ok((*jvmti)->GetExtensionEvents(jvmti, &n, &events), "GetExtensionEvents");
    if (n > 0) a->j = events[0].extension_event_index;
    for (jint i = 0; i < n; i++) {
        release(events[i].id);
        release(events[i].short_description);
        for (jint k = 0; k < events[i].param_count; k++) release(events[i].params[k].name);
        release(events[i].params);
    }
    release(events);
}

static void prepare_monitor(const struct function *f) {
    bool has = false;
    for (int i = 0; i < f->count; i++) has |= f->parameters[i].kind == KIND_MONITOR;
    monitor = NULL;
    /* Monitors can be made in the OnLoad and live phases only: the others borrow one. */
    static jrawMonitorID kept;
    if (!kept) ok((*jvmti)->CreateRawMonitor(jvmti, "every call", &kept), "CreateRawMonitor");
    if (!has) return;
    jvmtiPhase phase = 0;
    ok((*jvmti)->GetPhase(jvmti, &phase), "GetPhase");
    if (is(f, "DestroyRawMonitor") && (late || phase == JVMTI_PHASE_ONLOAD))
        ok((*jvmti)->CreateRawMonitor(jvmti, "every call", &monitor), "CreateRawMonitor");
    else monitor = kept;
    if (is(f, "RawMonitorExit") || is(f, "RawMonitorWait") || strncmp(f->name, "RawMonitorNotify", 16) == 0)
        ok((*jvmti)->RawMonitorEnter(jvmti, monitor), "RawMonitorEnter");
}

static jthread new_thread(void) {
    JNIEnv *jni = fixture.jni;
    jclass c = (*jni)->FindClass(jni, "java/lang/Thread");
    return (*jni)->NewObject(jni, c, (*jni)->GetMethodID(jni, c, "<init>", "(Ljava/lang/String;)V"), fixture.object);
}

void prepare(const struct function *f, union argument *a) {
    prepare_monitor(f);
    if (late) {
        stand(forced_kind(f));
        if (is(f, "SuspendThread") || is(f, "SuspendThreadList")) let_go();
        threads[0] = fixture.victim;
        classes[0] = fixture.self;
        if (is(f, "ClearBreakpoint")) ok((*jvmti)->SetBreakpoint(jvmti, fixture.spin, 0), "SetBreakpoint");
        if (is(f, "ClearFieldAccessWatch"))
            ok((*jvmti)->SetFieldAccessWatch(jvmti, fixture.self, fixture.field), "SetFieldAccessWatch");
        if (is(f, "ClearFieldModificationWatch"))
            ok((*jvmti)->SetFieldModificationWatch(jvmti, fixture.self, fixture.field), "SetFieldModificationWatch");
    }
    for (int i = 0; i < f->count; i++) a[i] = good(f, &f->parameters[i], scratch[i]);
    if (late && is(f, "RunAgentThread")) a[0].p = new_thread();
    if (late && is(f, "SetExtensionEventCallback")) first_extension_event(&a[0]);
}

/* What the case may have left behind; errors are answers to what it did not. */
void restore(const struct function *f) {
    if (is(f, "SetNativeMethodPrefix") || is(f, "SetNativeMethodPrefixes"))
        (*jvmti)->SetNativeMethodPrefix(jvmti, NULL);
    if (monitor && !is(f, "DestroyRawMonitor"))
        while ((*jvmti)->RawMonitorExit(jvmti, monitor) == JVMTI_ERROR_NONE) continue;
    monitor = NULL;
    if (!late) return;
    jint state = 0;
    if (is(f, "SuspendThread") || is(f, "SuspendThreadList") || is(f, "ResumeThread") || is(f, "ResumeThreadList")) {
        ok((*jvmti)->GetThreadState(jvmti, fixture.victim, &state), "GetThreadState");
        suspended = state & JVMTI_THREAD_STATE_SUSPENDED;
    }
    if (is(f, "SetBreakpoint") || is(f, "ClearBreakpoint")) (*jvmti)->ClearBreakpoint(jvmti, fixture.spin, 0);
    if (is(f, "SetFieldAccessWatch") || is(f, "ClearFieldAccessWatch"))
        (*jvmti)->ClearFieldAccessWatch(jvmti, fixture.self, fixture.field);
    if (is(f, "SetFieldModificationWatch") || is(f, "ClearFieldModificationWatch"))
        (*jvmti)->ClearFieldModificationWatch(jvmti, fixture.self, fixture.field);
    if (spoils_frame(f)) stand(forced_kind(f) == 'I' ? 'J' : 'I');
}

/* ---- small helpers ----------------------------------------------------------------------------------------------- */

const struct function *function_named(const char *name) {
    for (int i = 0; i < function_count; i++)
        if (strcmp(functions[i].name, name) == 0) return &functions[i];
    say("FAILED no function %s", name);
    abort();
}

int version(void) {
    jint version = 0;
    (*jvmti)->GetVersionNumber(jvmti, &version);
    return version >> 16 & 0xfff;
}

bool is_there(const struct function *f) { return f->since <= version(); }

jvmtiError call_with(jvmtiEnv *env, const struct function *f, const union argument *a) {
    JNIEnv *jni = fixture.jni;
    if (jni) (*jni)->PushLocalFrame(jni, 16);
    jvmtiError err = f->call(*env, env, a);
    if (jni) (*jni)->PopLocalFrame(jni, NULL);
    return err;
}

void report(const struct function *f, const char *label, jvmtiError err) {
    say("%s, %s: %s", f->name, label, error_text(err));
}
