/* sequence.c: random calls, legal and illegal, from several threads at a time. Every argument comes from a pool of what
 * fits, of what once did (ids and references of classes, threads, environments and VMs that are gone) or of garbage.
 * Callers meet after each round: then everything is resumed and disabled, and objects are replaced. A keeper resumes
 * what the callers have suspended. */
#include "every_call.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

enum {
    CALLERS = 4,
    ROUND = 5000,
    POOL = 256,
    ENVIRONMENTS = 6,
    ROOM = 4096,
    SCRATCH = 16,
    FILES = 4,
    ERRORS = 256,
    GRAVES = 64,
    FUNCTIONS = 200
};

/* Outlive the VM: the next one's callers find them stale. */
struct pool {
    void *_Atomic items[POOL];
    _Atomic unsigned next;
};
static struct pool methods, fields, stale, stale_envs;
/* of this VM; watched: fields of `redefined` */
static struct pool objects, throwables, modules, victims, threads, monitors, watched;
static jvmtiEnv *_Atomic environments[ENVIRONMENTS];                      /* the first one stays */

static struct { jint size; unsigned char *bytes; } files[FILES];
static jclass program, redefined;
static jthread caller_threads[CALLERS];
static pthread_barrier_t round_ends;
static pthread_t keeper;
static atomic_bool keeping;
static _Atomic long events;
static _Atomic int answers[FUNCTIONS][ERRORS];

struct caller {
    JNIEnv *jni;
    uint64_t random;
    int index;
    jrawMonitorID held, own;
    int entries;                                  /* of the one held */
    jobject graves[GRAVES];
    int grave_count;
    _Alignas(max_align_t) unsigned char room[MAX_PARAMETERS][ROOM];
};

/* ---- chance ------------------------------------------------------------------------------------------------------ */

static uint64_t draw(struct caller *c) {
    c->random ^= c->random << 13;
    c->random ^= c->random >> 7;
    c->random ^= c->random << 17;
    return c->random * UINT64_C(0x2545f4914f6cdd1d) >> 16;
}
static unsigned below(struct caller *c, unsigned n) { return (unsigned)(draw(c) % n); }
static bool one_in(struct caller *c, unsigned n) { return below(c, n) == 0; }

/* ---- pools ------------------------------------------------------------------------------------------------------- */

static void *put(struct pool *p, void *item) {
    return atomic_exchange(&p->items[atomic_fetch_add(&p->next, 1) % POOL], item);
}

static void *pick(struct caller *c, struct pool *p) {
    unsigned n = atomic_load(&p->next);
    return n == 0 ? NULL : atomic_load(&p->items[below(c, n < POOL ? n : POOL)]);
}

static void grow_old(struct pool *p) {
    for (int i = 0; i < POOL; i++) {
        void *item = atomic_exchange(&p->items[i], NULL);
        if (item != NULL) put(&stale, item);
    }
    atomic_store(&p->next, 0);
}

static void forget(struct pool *p, const void *item) {
    for (int i = 0; i < POOL; i++)
        if (atomic_load(&p->items[i]) == item) atomic_store(&p->items[i], NULL);
}

static void *garbage(struct caller *c) {
    switch (below(c, 6)) {
    case 0: return (void *)(uintptr_t)(1 + below(c, 64));
    case 1: return (void *)(uintptr_t)draw(c);
    case 2: return (void *)(uintptr_t)-1;
    case 3: return c->room[below(c, MAX_PARAMETERS)];
    case 4: return (void *)(uintptr_t)(draw(c) << 32 | below(c, 16) << 16 | 1);        /* as a method's id looks */
    default: return NULL;
    }
}

/* One of a pool, mostly. */
static void *some(struct caller *c, struct pool *p) {
    switch (below(c, 16)) {
    case 0: return garbage(c);
    case 1: return pick(c, &stale);
    case 2: return pick(c, &objects);
    default: return pick(c, p);
    }
}

/* ---- callbacks --------------------------------------------------------------------------------------------------- */

static void JNICALL on_event(jvmtiEnv *env) {
    (void)env;
    atomic_fetch_add(&events, 1);
}

/* Those that begin with the environment, the JNI one and a thread. */
static void JNICALL on_thread_event(jvmtiEnv *env, JNIEnv *jni, jthread thread) {
    jint n = 0;
    jvmtiFrameInfo frame;
    (void)jni;
    if (atomic_fetch_add(&events, 1) % 64 != 0) return;
    (*env)->GetFrameCount(env, thread, &n);
    (*env)->GetStackTrace(env, thread, 0, 1, &frame, &n);
    (*env)->GetThreadState(env, thread, &n);
}

static bool is_thread_event(int event) {
    static const int of_thread[] = {
        JVMTI_EVENT_THREAD_START, JVMTI_EVENT_THREAD_END, JVMTI_EVENT_CLASS_LOAD, JVMTI_EVENT_CLASS_PREPARE,
        JVMTI_EVENT_EXCEPTION,
        JVMTI_EVENT_EXCEPTION_CATCH, JVMTI_EVENT_SINGLE_STEP, JVMTI_EVENT_FRAME_POP, JVMTI_EVENT_BREAKPOINT,
        JVMTI_EVENT_FIELD_ACCESS,
        JVMTI_EVENT_FIELD_MODIFICATION, JVMTI_EVENT_METHOD_ENTRY, JVMTI_EVENT_METHOD_EXIT, JVMTI_EVENT_MONITOR_WAIT,
        JVMTI_EVENT_MONITOR_WAITED,
        JVMTI_EVENT_MONITOR_CONTENDED_ENTER, JVMTI_EVENT_MONITOR_CONTENDED_ENTERED, JVMTI_EVENT_VM_OBJECT_ALLOC,
        JVMTI_EVENT_SAMPLED_OBJECT_ALLOC,
    };
    for (size_t i = 0; i < sizeof of_thread / sizeof *of_thread; i++)
        if (of_thread[i] == event) return true;
    return false;
}

/* On x86-64 a function may be called with more arguments than it takes. */
static void fill_callbacks(struct caller *c, jvmtiEventCallbacks *out) {
    void *entries[sizeof *out / sizeof(void *)];
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
        entries[i] = one_in(c, 8)                                         ? NULL
                     : is_thread_event(JVMTI_MIN_EVENT_TYPE_VAL + (int)i) ? (void *)on_thread_event
                                                                          : (void *)on_event;
    memcpy(out, entries, sizeof *out);
}

static jint JNICALL on_reference(void) { return JVMTI_VISIT_OBJECTS; }
static jint JNICALL on_heap_object(void) {
    return atomic_fetch_add(&events, 1) % 512 == 0 ? JVMTI_VISIT_ABORT : JVMTI_VISIT_OBJECTS;
}

static void fill_heap_callbacks(struct caller *c, jvmtiHeapCallbacks *out) {
    void *entries[sizeof *out / sizeof(void *)];
    memset(entries, 0, sizeof entries);
    for (int i = 0; i < 5; i++)
        entries[i] = one_in(c, 2) ? NULL : one_in(c, 2) ? (void *)on_reference : (void *)on_heap_object;
    memcpy(out, entries, sizeof *out);
}

static void JNICALL agent_proc(jvmtiEnv *env, JNIEnv *jni, void *arg) {
    jint n;
    (void)jni, (void)arg;
    (*env)->GetFrameCount(env, NULL, &n);
    atomic_fetch_add(&events, 1);
}

/* ---- arguments --------------------------------------------------------------------------------------------------- */

static bool is(const struct function *f, const char *name) { return strcmp(f->name, name) == 0; }
static bool begins(const struct function *f, const char *prefix) {
    return strncmp(f->name, prefix, strlen(prefix)) == 0;
}

/* Only victims run nothing but their own code: what is done to frames of others would be done to the class library. */
static bool changes_frames(const struct function *f) {
    return begins(f, "SetLocal") || begins(f, "ForceEarlyReturn") || is(f, "PopFrame") || is(f, "StopThread");
}

static jlong number(struct caller *c) {
    static const jlong of_interest[] = {0, 0, 0,  1,  1,         2,         3,          4,         5,
                                        6, 8, 10, -1, INT32_MAX, INT32_MIN, UINT16_MAX, INT64_MAX, INT64_MIN};
    return one_in(c, 16) ? (jlong)draw(c) : of_interest[below(c, sizeof of_interest / sizeof *of_interest)];
}

static jlong value(struct caller *c, const struct function *f, const struct parameter *p) {
    if (is(f, "SetVerboseFlag")) return 0;
    if (is(f, "RawMonitorWait")) return 1;
    if (is(f, "Allocate")) return one_in(c, 4) ? number(c) | INT64_MIN : below(c, 200);
    if (strcmp(p->name, "size_of_callbacks") == 0)
        return one_in(c, 4) ? -(jlong)below(c, 9) : (jlong)sizeof(jvmtiEventCallbacks);
    if (strcmp(p->name, "depth") == 0 && one_in(c, 2)) return below(c, 4);
    if (strcmp(p->name, "slot") == 0 && one_in(c, 2)) return below(c, 8);
    return number(c);
}

/* Arrays have SCRATCH elements, and frame buffers and results more. */
static jlong count(struct caller *c, const struct function *f) {
    bool lists = is(f, "GetAllStackTraces") || is(f, "GetThreadListStackTraces");
    if (lists && one_in(c, 4)) return 1 + below(c, 4);
    return one_in(c, 10) ? -1 - (jlong)below(c, 2) * INT32_MAX : below(c, 5);
}

static const char *text(struct caller *c, const struct parameter *p) {
    static const char *const texts[] = {"",           "java/lang",    "java.lang", "java.vm.name",
                                        "every.call", "\xff\xfe\x80", "$x_",       "no/such/file.jar"};
    if (strcmp(p->name, "segment") == 0) return one_in(c, 2) ? "no/such/file.jar" : "";
    return texts[below(c, sizeof texts / sizeof *texts)];
}

static void *memory(struct caller *c, const struct parameter *p, void *room) {
    void **list = room;
    jlong *longs = room;
    jvmtiClassDefinition *definitions = room;
    const char *type = p->type;
    if (strcmp(type, "const char*") == 0) return (void *)(uintptr_t)text(c, p);
    if (strcmp(type, "const jniNativeInterface*") == 0) return (void *)(uintptr_t)*c->jni;
    if (strcmp(type, "const unsigned char*") == 0 || strcmp(type, "unsigned char*") == 0) return NULL;
    if (strcmp(type, "const jvmtiEventCallbacks*") == 0) fill_callbacks(c, room);
    else if (strcmp(type, "const jvmtiHeapCallbacks*") == 0) fill_heap_callbacks(c, room);
    else if (strcmp(type, "const jlong*") == 0) for (int i = 0; i < SCRATCH; i++) longs[i] = below(c, 9);
    else if (strcmp(type, "const jthread*") == 0)
        for (int i = 0; i < SCRATCH; i++) list[i] = some(c, one_in(c, 2) ? &victims : &threads);
    else if (strcmp(type, "const jclass*") == 0) for (int i = 0; i < SCRATCH; i++) list[i] = some(c, &objects);
    else if (strcmp(type, "char**") == 0)
        for (int i = 0; i < SCRATCH; i++) list[i] = (void *)(uintptr_t)(one_in(c, 16) ? NULL : text(c, p));
    else if (strcmp(type, "const jvmtiClassDefinition*") == 0)
        for (int i = 0; i < SCRATCH; i++) {
            unsigned k = below(c, one_in(c, 4) ? FILES : 2);
            definitions[i] = (jvmtiClassDefinition){one_in(c, 4) ? some(c, &objects) : redefined,
                                                    one_in(c, 8) ? 0 : files[k].size, files[k].bytes};
        }
    else if (strcmp(type, "const jvmtiCapabilities*") == 0)
        for (size_t i = 0; i < sizeof(jvmtiCapabilities); i++)
            ((unsigned char *)room)[i] = (unsigned char)(draw(c) & draw(c));
    else memset(room, 0, ROOM);
    return room;
}

static void *function(const char *type, struct caller *c) {
    if (strcmp(type, "jvmtiStartFunction") == 0) return (void *)agent_proc;
    if (strcmp(type, "jvmtiExtensionEvent") == 0) return one_in(c, 2) ? NULL : (void *)on_event;
    return (void *)on_heap_object;
}

static jthread new_thread(JNIEnv *jni) {
    jclass t = (*jni)->FindClass(jni, "java/lang/Thread");
    return t ? (*jni)->NewObject(jni, t, (*jni)->GetMethodID(jni, t, "<init>", "()V")) : NULL;
}

static void *thread(struct caller *c, const struct function *f) {
    if (is(f, "RunAgentThread") && one_in(c, 2)) return new_thread(c->jni);
    if (changes_frames(f)) return some(c, &victims);
    return one_in(c, 8) ? NULL : some(c, one_in(c, 2) ? &victims : &threads);
}

static void *monitor(struct caller *c, const struct function *f) {
    if (is(f, "DestroyRawMonitor")) {
        jrawMonitorID own = c->own;
        c->own = NULL;
        return own != NULL ? (void *)own : garbage(c);
    }
    /* Two at a time could make callers wait for each other, and an id of an earlier VM may mean a monitor again. */
    if (c->held != NULL && is(f, "RawMonitorEnter")) return c->held;
    if (one_in(c, 16)) return one_in(c, 2) ? garbage(c) : pick(c, &stale);
    return c->held != NULL ? c->held : pick(c, &monitors);
}

static union argument argument(struct caller *c, const struct function *f, const struct parameter *p, void *room) {
    union argument a = {.j = 0};
    switch (p->kind) {
    case KIND_THREAD: case KIND_THREAD_TOO: a.p = thread(c, f); break;
    case KIND_OBJECT:
        a.p = is(f, "SetLocalObject") ? (one_in(c, 2) ? NULL : pick(c, &stale))
                                      : some(c, is(f, "StopThread") ? &throwables : &objects);
        break;
    case KIND_MODULE: a.p = some(c, &modules); break;
    case KIND_CLASS: a.p = one_in(c, 2) ? redefined : some(c, &objects); break;
    case KIND_GROUP: case KIND_LOADER: a.p = some(c, &objects); break;
    case KIND_METHOD: case KIND_METHOD_TOO: case KIND_VERSION: case KIND_VERSION_TOO: a.p = some(c, &methods); break;
    case KIND_FIELD: a.p = some(c, one_in(c, 2) ? &watched : &fields); break;
    case KIND_MONITOR: a.p = monitor(c, f); break;
    case KIND_COUNT: a.j = count(c, f); break;
    case KIND_ENUM: a.j = one_in(c, 8) ? number(c) : below(c, 4); break;
    case KIND_EVENT:
        a.j = one_in(c, 16)
                  ? number(c)
                  : JVMTI_MIN_EVENT_TYPE_VAL + (jlong)below(c, JVMTI_MAX_EVENT_TYPE_VAL - JVMTI_MIN_EVENT_TYPE_VAL + 1);
        break;
    case KIND_DEPTH: case KIND_VALUE:
        a.j = value(c, f, p);
        if (strcmp(p->type, "jfloat") == 0 || strcmp(p->type, "jdouble") == 0) a.d = 1.5;
        break;
    case KIND_IN: a.p = one_in(c, 32) ? NULL : memory(c, p, room); break;
    case KIND_OUT: case KIND_ALLOC: a.p = one_in(c, 32) ? NULL : memset(room, 0, ROOM); break;
    case KIND_FUNC: a.p = one_in(c, 16) ? NULL : function(p->type, c); break;
    case KIND_DATA: a.p = is(f, "Deallocate") ? NULL : room; break;
    }
    return a;
}

/* ---- one call ---------------------------------------------------------------------------------------------------- */

/* Calls that walk the heap, run Java code, or keep memory as long as the VM. */
static bool is_heavy(const struct function *f) {
    static const char *const heavy[] = {
        "FollowReferences", "IterateThroughHeap", "IterateOver", "ForceGarbageCollection", "GetObjectsWithTags",
        "GetLoadedClasses", "GetClassLoaderClasses",
        "RedefineClasses", "RetransformClasses", "AddModule", "AddTo", "RunAgentThread", "SetNativeMethodPrefix",
        "GetAllModules", "GetSystemProperties",
        "GetExtension", "SetHeapSamplingInterval", "InterruptThread", "SetEventNotificationMode", "GetAllStackTraces",
        "DisposeEnvironment", "SetExtensionEventCallback",
    };
    for (size_t i = 0; i < sizeof heavy / sizeof *heavy; i++)
        if (begins(f, heavy[i])) return true;
    return false;
}

static jvmtiEnv *environment(struct caller *c, const struct function *f) {
    bool ends = is(f, "DisposeEnvironment") || is(f, "RelinquishCapabilities");
    if (!ends && !one_in(c, 4)) return atomic_load(&environments[0]);
    if (one_in(c, 16)) {
        jvmtiEnv *old = pick(c, &stale_envs);    /* whose place may be a living one's by now */
        if (ends) return old != atomic_load(&environments[0]) ? old : NULL;
        return one_in(c, 2) ? garbage(c) : old;
    }
    return atomic_load(&environments[1 + below(c, ENVIRONMENTS - 1)]);
}

static void keep_ids(struct caller *c, const struct function *f, const union argument *a) {
    bool are_methods = is(f, "GetClassMethods");
    if (!are_methods && !is(f, "GetClassFields")) return;
    jint n = *(jint *)a[1].p;
    void **ids = *(void ***)a[2].p;
    for (int i = 0; n > 0 && i < 2; i++) put(are_methods ? &methods : &fields, ids[below(c, (unsigned)n)]);
}

static void take_results(struct caller *c, const struct function *f, const union argument *a) {
    keep_ids(c, f, a);
    if (is(f, "CreateRawMonitor")) {
        if (c->own != NULL) (*jvmti)->DestroyRawMonitor(jvmti, c->own);
        c->own = *(jrawMonitorID *)a[1].p;
    }
    if (is(f, "RawMonitorEnter")) {
        c->held = a[0].p;
        c->entries++;
    }
    if (is(f, "RawMonitorExit") && --c->entries == 0) c->held = NULL;
    for (int i = 0; i < f->count; i++)
        if (f->parameters[i].kind == KIND_ALLOC && a[i].p != NULL)
            (*jvmti)->Deallocate(jvmti, *(unsigned char **)a[i].p);
}

static void leave_monitor(struct caller *c) {
    while (c->held != NULL && c->entries > 0 && (*jvmti)->RawMonitorExit(jvmti, c->held) == JVMTI_ERROR_NONE)
        c->entries--;
    c->held = NULL;
    c->entries = 0;
}

static void call_one(struct caller *c) {
    unsigned number = below(c, (unsigned)function_count);
    const struct function *f = &functions[number];
    union argument a[MAX_PARAMETERS];
    if (!is_there(f) || (is_heavy(f) && !one_in(c, 24)) || is(f, "SetSystemProperty")) return;
    if (c->held != NULL && is(f, "RawMonitorEnter") && c->entries > 3) return;
    jvmtiEnv *env = environment(c, f);
    if (env == NULL) return;
    (*c->jni)->PushLocalFrame(c->jni, 16);
    for (int i = 0; i < f->count; i++) a[i] = argument(c, f, &f->parameters[i], c->room[i]);
    jvmtiError err = f->call(*atomic_load(&environments[0]), env, a);
    if ((unsigned)err < ERRORS) atomic_fetch_add(&answers[number][err], 1);
    else say("FAILED %s: error %d", f->name, (int)err);
    if (err == JVMTI_ERROR_NONE) take_results(c, f, a);
    (*c->jni)->ExceptionClear(c->jni);
    (*c->jni)->PopLocalFrame(c->jni, NULL);
    if (one_in(c, 8)) leave_monitor(c);
}

/* ---- classes come and go ----------------------------------------------------------------------------------------- */

static jobject call_program(JNIEnv *jni, const char *name, const char *desc) {
    jobject o = (*jni)->CallStaticObjectMethod(jni, program, (*jni)->GetStaticMethodID(jni, program, name, desc));
    if ((*jni)->ExceptionCheck(jni)) {
        say("FAILED %s", name);
        (*jni)->ExceptionDescribe(jni);
        (*jni)->ExceptionClear(jni);
    }
    return o;
}

static void put_ids(struct caller *c, jclass class) {
    jint n = 0;
    void **ids = NULL;
    if ((*jvmti)->GetClassMethods(jvmti, class, &n, (jmethodID **)(void *)&ids) == JVMTI_ERROR_NONE) {
        for (jint i = 0; i < n && i < 8; i++) put(&methods, ids[below(c, (unsigned)n)]);
        release(ids);
    }
    if ((*jvmti)->GetClassFields(jvmti, class, &n, (jfieldID **)(void *)&ids) == JVMTI_ERROR_NONE) {
        for (jint i = 0; i < n && i < 8; i++) put(&fields, ids[i]);
        release(ids);
    }
}

static void fresh_class(struct caller *c) {
    JNIEnv *jni = c->jni;
    leave_monitor(c);
    (*jni)->PushLocalFrame(jni, 16);
    jclass class = call_program(jni, "fresh", "()Ljava/lang/Class;");
    if (class != NULL) {
        put_ids(c, class);
        if (c->grave_count < GRAVES && one_in(c, 4))
            c->graves[c->grave_count++] = put(&objects, (*jni)->NewGlobalRef(jni, class));
    }
    (*jni)->PopLocalFrame(jni, NULL);
}

/* ---- rounds ------------------------------------------------------------------------------------------------------ */

static jvmtiEnv *new_environment(struct caller *c) {
    jvmtiEnv *env = NULL;
    jvmtiCapabilities all;
    jvmtiEventCallbacks callbacks;
    if ((*the_vm)->GetEnv(the_vm, (void **)&env, JVMTI_VERSION_1_2) != JNI_OK) {
        say("FAILED GetEnv");
        return NULL;
    }
    ok((*env)->GetPotentialCapabilities(env, &all), "GetPotentialCapabilities");
    ok((*env)->AddCapabilities(env, &all), "AddCapabilities");
    fill_callbacks(c, &callbacks);
    ok((*env)->SetEventCallbacks(env, &callbacks, sizeof callbacks), "SetEventCallbacks");
    return env;
}

static void put_all(JNIEnv *jni, struct pool *p, jobjectArray list) {
    for (jsize i = 0; list != NULL && i < (*jni)->GetArrayLength(jni, list); i++) {
        jobject o = (*jni)->GetObjectArrayElement(jni, list, i);
        put(p, (*jni)->NewGlobalRef(jni, o));
        (*jni)->DeleteLocalRef(jni, o);
    }
}

/* All callers stand still, but for the one that does this. References to threads stay: the keeper uses them. */
static void renew(struct caller *c) {
    JNIEnv *jni = c->jni;
    jvmtiEnv *first = atomic_load(&environments[0]);
    for (int e = JVMTI_MIN_EVENT_TYPE_VAL; e <= JVMTI_MAX_EVENT_TYPE_VAL; e++) {
        (*first)->SetEventNotificationMode(first, JVMTI_DISABLE, (jvmtiEvent)e, NULL);
        for (int i = 0; i < POOL && atomic_load(&victims.items[i]) != NULL; i++)
            (*first)->SetEventNotificationMode(first, JVMTI_DISABLE, (jvmtiEvent)e, atomic_load(&victims.items[i]));
        for (int i = 0; i < CALLERS; i++)
            (*first)->SetEventNotificationMode(first, JVMTI_DISABLE, (jvmtiEvent)e, caller_threads[i]);
    }
    for (int i = 1; i < ENVIRONMENTS; i++) {
        jvmtiEnv *old = atomic_exchange(&environments[i], new_environment(c));
        if (old == NULL) continue;
        put(&stale_envs, (void *)old);
        (*old)->DisposeEnvironment(old);
    }
    (*jni)->PushLocalFrame(jni, 64);
    put_all(jni, &victims, call_program(jni, "victims", "()[Ljava/lang/Thread;"));
    if (one_in(c, 4)) (*jvmti)->ForceGarbageCollection(jvmti);
    (*jni)->PopLocalFrame(jni, NULL);
}

static void bury(struct caller *c) {
    for (int i = 0; i < c->grave_count; i++) {
        if (c->graves[i] == NULL) continue;
        (*c->jni)->DeleteGlobalRef(c->jni, c->graves[i]);
        put(&stale, c->graves[i]);
    }
    c->grave_count = 0;
}

/* The others would wait for ever. */
static void check_monitors_left(void) {
    for (int i = 0; i < POOL; i++) {
        jrawMonitorID m = atomic_load(&monitors.items[i]);
        if (m != NULL && (*jvmti)->RawMonitorNotify(jvmti, m) == JVMTI_ERROR_NONE) say("FAILED a monitor is kept");
    }
}

static void meet(struct caller *c) {
    leave_monitor(c);
    check_monitors_left();
    pthread_barrier_wait(&round_ends);
    if (c->index == 0) renew(c);
    pthread_barrier_wait(&round_ends);
    bury(c);
    pthread_barrier_wait(&round_ends);
}

JNIEXPORT void JNICALL Java_CallSequence_run(JNIEnv *jni, jclass self, jint index, jlong seed, jint calls) {
    (void)self;
    struct caller *c = calloc(1, sizeof *c);
    c->jni = jni;
    c->index = index;
    c->random = (uint64_t)seed * UINT64_C(0x9e3779b97f4a7c15);
    for (jint i = 1; i <= calls; i++) {
        if (i % 500 == 0) fresh_class(c);
        call_one(c);
        if (i % ROUND == 0) meet(c);
    }
    meet(c);
    free(c);
}

/* ---- what the callers have suspended ----------------------------------------------------------------------------- */

static void resume_all(jvmtiEnv *env) {
    for (int i = 0; i < CALLERS; i++) (*env)->ResumeThread(env, caller_threads[i]);
    for (int i = 0; i < POOL; i++) {
        if (atomic_load(&victims.items[i]) != NULL) (*env)->ResumeThread(env, atomic_load(&victims.items[i]));
        if (atomic_load(&threads.items[i]) != NULL) (*env)->ResumeThread(env, atomic_load(&threads.items[i]));
    }
}

static void *keep(void *arg) {
    JNIEnv *jni;
    jvmtiEnv *env = arg;
    if ((*the_vm)->AttachCurrentThreadAsDaemon(the_vm, (void **)&jni, NULL) != JNI_OK)
        say("FAILED AttachCurrentThreadAsDaemon");
    while (atomic_load(&keeping)) {
        resume_all(env);
        usleep(1000);
    }
    resume_all(env);
    (*the_vm)->DetachCurrentThread(the_vm);
    return NULL;
}

/* ---- begin and end ----------------------------------------------------------------------------------------------- */

static void take_files(JNIEnv *jni) {
    jobjectArray list = call_program(jni, "files", "()[[B");
    for (int i = 0; i < FILES && list != NULL; i++) {
        jbyteArray bytes = (*jni)->GetObjectArrayElement(jni, list, i);
        files[i].size = (*jni)->GetArrayLength(jni, bytes);
        free(files[i].bytes);
        files[i].bytes = malloc((size_t)files[i].size);
        (*jni)->GetByteArrayRegion(jni, bytes, 0, files[i].size, (jbyte *)files[i].bytes);
    }
}

static void fill_pools(struct caller *c) {
    JNIEnv *jni = c->jni;
    jclass throwable = (*jni)->FindClass(jni, "java/lang/Throwable"), class = (*jni)->FindClass(jni, "java/lang/Class");
    jclass module = (*jni)->FindClass(jni, "java/lang/Module");
    jint n = 0;
    jfieldID *of_victim = NULL;
    put_all(jni, &objects, call_program(jni, "objects", "()[Ljava/lang/Object;"));
    put_all(jni, &victims, call_program(jni, "victims", "()[Ljava/lang/Thread;"));
    put_all(jni, &threads, call_program(jni, "others", "()[Ljava/lang/Thread;"));
    for (int i = 0; i < CALLERS; i++) put(&threads, caller_threads[i]);
    for (int i = 0; i < POOL; i++) {
        jobject o = atomic_load(&objects.items[i]);
        if (o != NULL && (*jni)->IsInstanceOf(jni, o, throwable)) put(&throwables, o);
        if (o != NULL && (*jni)->IsInstanceOf(jni, o, module)) put(&modules, o);
        if (o != NULL && (*jni)->IsInstanceOf(jni, o, class)) put_ids(c, o);
    }
    ok((*jvmti)->GetClassFields(jvmti, redefined, &n, &of_victim), "GetClassFields");
    while (n-- > 0) put(&watched, (void *)of_victim[n]);
    release(of_victim);
    for (int i = 0; i < 8; i++) {
        jrawMonitorID m;
        if (ok((*jvmti)->CreateRawMonitor(jvmti, "shared", &m), "CreateRawMonitor")) put(&monitors, m);
    }
}

JNIEXPORT void JNICALL Java_CallSequence_begin(JNIEnv *jni, jclass self, jobjectArray callers) {
    struct pool *of_vm[] = {&objects, &throwables, &modules, &victims, &threads, &monitors, &watched};
    struct caller *c = calloc(1, sizeof *c);
    c->jni = jni;
    c->random = 1;
    program = (*jni)->NewGlobalRef(jni, self);
    redefined = (*jni)->NewGlobalRef(jni, (*jni)->FindClass(jni, "Victim"));
    for (size_t i = 0; i < sizeof of_vm / sizeof *of_vm; i++) grow_old(of_vm[i]);
    for (int i = 0; i < CALLERS; i++) {
        caller_threads[i] = (*jni)->NewGlobalRef(jni, (*jni)->GetObjectArrayElement(jni, callers, i));
        forget(&stale, caller_threads[i]);                /* an earlier VM's reference: callers are never stopped */
    }
    for (int i = 0; i < ENVIRONMENTS; i++) {
        if (atomic_load(&environments[i]) != NULL) put(&stale_envs, (void *)atomic_load(&environments[i]));
        atomic_store(&environments[i], i == 0 ? jvmti : new_environment(c));
    }
    take_files(jni);
    fill_pools(c);
    free(c);
    pthread_barrier_init(&round_ends, NULL, CALLERS);
    atomic_store(&keeping, true);
    pthread_create(&keeper, NULL, keep, (void *)jvmti);
}

JNIEXPORT void JNICALL Java_CallSequence_end(JNIEnv *jni, jclass self) {
    (void)jni, (void)self;
    atomic_store(&keeping, false);
    pthread_join(keeper, NULL);
    pthread_barrier_destroy(&round_ends);
    long calls = 0;
    for (int i = 0; i < function_count; i++)
        for (int e = 0; e < ERRORS; e++) {
            int n = atomic_exchange(&answers[i][e], 0);
            if (n != 0) say("%s: %s %d", functions[i].name, error_text((jvmtiError)e), n);
            calls += n;
        }
    say("%ld calls, %ld events", calls, atomic_exchange(&events, 0));
}
