/* disposal.c: environments that use everything and are disposed of, over and over (tests/jvmti/Disposal.java): nothing
 * is delivered afterwards, and the process has no more C memory in use than after the first of them. On our VM alone:
 * HotSpot gives most capabilities only before the live phase. */
#include "agent_support.h"

#include <dlfcn.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdint.h>

enum { CYCLES = 200, WARM = 50, SPAN = 50 };

static jmethodID target;
static jfieldID field, own;
static jclass program, loaded;
static jvmtiEnv *env;                            /* the one of this cycle                                        */
static atomic_long events[JVMTI_MAX_EVENT_TYPE_VAL + 1], unloads;
static size_t in_use[CYCLES];
static int cycles;

/* ---- callbacks: counted by event, whatever their parameters ------------------------------------------------------ */

#define EVENTS(each) \
    each(54) each(55) each(56) each(58) each(59) each(60) each(61) each(62) each(63) each(64) each(65) each(66) \
    each(67) each(68) each(69) each(70) \
    each(71) each(73) each(74) each(75) each(76) each(80) each(81) each(82) each(83) each(84) each(86) each(52) \
    each(53)
#define COUNT(number) \
    static void JNICALL on_##number(jvmtiEnv *e) { \
        (void)e; \
        atomic_fetch_add(&events[number], 1); \
    }
EVENTS(COUNT)

static void JNICALL on_unload(jvmtiEnv *e, ...) {
    (void)e;
    atomic_fetch_add(&unloads, 1);
}

static void set_callbacks(void) {
    union {
        jvmtiEventCallbacks table;
        void (JNICALL *slots[sizeof(jvmtiEventCallbacks) / sizeof(void *)])(jvmtiEnv *);
    } callbacks = {0};
#define SET(number) callbacks.slots[(number) - JVMTI_MIN_EVENT_TYPE_VAL] = on_##number;
    EVENTS(SET)
    ok((*env)->SetEventCallbacks(env, &callbacks.table, sizeof callbacks.table), "SetEventCallbacks");
}

/* ---- what an environment has ------------------------------------------------------------------------------------- */

static void set_modes(jthread other, jvmtiEventMode mode) {
    static const jvmtiEvent for_threads[] = {JVMTI_EVENT_SINGLE_STEP,  JVMTI_EVENT_METHOD_ENTRY,
                                             JVMTI_EVENT_METHOD_EXIT,  JVMTI_EVENT_BREAKPOINT,
                                             JVMTI_EVENT_FIELD_ACCESS, JVMTI_EVENT_FIELD_MODIFICATION,
                                             JVMTI_EVENT_EXCEPTION,    JVMTI_EVENT_FRAME_POP};
    static const jvmtiEvent for_all[] = {JVMTI_EVENT_CLASS_FILE_LOAD_HOOK,
                                         JVMTI_EVENT_CLASS_LOAD,
                                         JVMTI_EVENT_CLASS_PREPARE,
                                         JVMTI_EVENT_EXCEPTION_CATCH,
                                         JVMTI_EVENT_NATIVE_METHOD_BIND,
                                         JVMTI_EVENT_DATA_DUMP_REQUEST,
                                         JVMTI_EVENT_MONITOR_WAIT,
                                         JVMTI_EVENT_MONITOR_WAITED,
                                         JVMTI_EVENT_MONITOR_CONTENDED_ENTER,
                                         JVMTI_EVENT_MONITOR_CONTENDED_ENTERED,
                                         JVMTI_EVENT_RESOURCE_EXHAUSTED,
                                         JVMTI_EVENT_GARBAGE_COLLECTION_START,
                                         JVMTI_EVENT_GARBAGE_COLLECTION_FINISH,
                                         JVMTI_EVENT_OBJECT_FREE,
                                         JVMTI_EVENT_VM_OBJECT_ALLOC,
                                         JVMTI_EVENT_SAMPLED_OBJECT_ALLOC,
                                         JVMTI_EVENT_THREAD_START,
                                         JVMTI_EVENT_THREAD_END};
    for (size_t i = 0; i < sizeof for_threads / sizeof *for_threads; i++) {
        ok((*env)->SetEventNotificationMode(env, mode, for_threads[i], NULL), "SetEventNotificationMode");
        ok((*env)->SetEventNotificationMode(env, mode, for_threads[i], other), "SetEventNotificationMode for a thread");
    }
    for (size_t i = 0; i < sizeof for_all / sizeof *for_all; i++)
        ok((*env)->SetEventNotificationMode(env, mode, for_all[i], NULL), "SetEventNotificationMode for all");
}

static void extensions(void) {
    jint count;
    jvmtiExtensionEventInfo *list;
    if (!ok((*env)->GetExtensionEvents(env, &count, &list), "GetExtensionEvents")) return;
    for (jint i = 0; i < count; i++) {
        ok((*env)->SetExtensionEventCallback(env, list[i].extension_event_index, on_unload),
           "SetExtensionEventCallback");
        for (jint p = 0; p < list[i].param_count; p++) release(list[i].params[p].name);
        release(list[i].params);
        release(list[i].id);
        release(list[i].short_description);
    }
    release(list);
}

static void set_everything(JNIEnv *jni, jthread other, jobjectArray objects) {
    jvmtiCapabilities all;
    ok((*env)->GetPotentialCapabilities(env, &all), "GetPotentialCapabilities");
    ok((*env)->AddCapabilities(env, &all), "AddCapabilities");
    set_callbacks();
    extensions();
    ok((*env)->SetBreakpoint(env, target, 0), "SetBreakpoint");
    ok((*env)->SetFieldAccessWatch(env, program, field), "SetFieldAccessWatch");
    ok((*env)->SetFieldModificationWatch(env, program, field), "SetFieldModificationWatch");
    ok((*env)->SetFieldModificationWatch(env, program, own), "SetFieldModificationWatch");
    ok((*env)->SetThreadLocalStorage(env, NULL, &events), "SetThreadLocalStorage");
    ok((*env)->SetThreadLocalStorage(env, other, &events), "SetThreadLocalStorage of another thread");
    ok((*env)->SetEnvironmentLocalStorage(env, &events), "SetEnvironmentLocalStorage");
    ok((*env)->SetHeapSamplingInterval(env, 512), "SetHeapSamplingInterval");
    char *prefixes[] = {"first_", "second_"};
    ok((*env)->SetNativeMethodPrefixes(env, 2, prefixes), "SetNativeMethodPrefixes");
    ok((*env)->SetNativeMethodPrefix(env, "third_"), "SetNativeMethodPrefix");
    ok((*env)->SetVerboseFlag(env, JVMTI_VERBOSE_CLASS, JNI_FALSE), "SetVerboseFlag");
    jsize count = (*jni)->GetArrayLength(jni, objects);
    for (jsize i = 0; i < count; i++) {
        jobject o = (*jni)->GetObjectArrayElement(jni, objects, i);
        ok((*env)->SetTag(env, o, i % 7 ? i + 1 : INT64_MAX - i), "SetTag");
        (*jni)->DeleteLocalRef(jni, o);
    }
    ok((*env)->SuspendThread(env, other), "SuspendThread");
    ok((*env)->NotifyFramePop(env, other, 1), "NotifyFramePop");
    ok((*env)->ResumeThread(env, other), "ResumeThread");
    ok((*env)->NotifyFramePop(env, NULL, 1), "NotifyFramePop");
    set_modes(other, JVMTI_ENABLE);
}

/* ---- what it is given -------------------------------------------------------------------------------------------- */

static jint JNICALL on_object(jlong class_tag, jlong size, jlong *tag, jint length, void *data) {
    (void)class_tag, (void)size, (void)length;
    ++*(jlong *)data;
    if (*tag == 0) *tag = INT64_MAX / 2;
    return JVMTI_VISIT_OBJECTS;
}

static jint JNICALL on_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag,
                                 jlong referrer_class_tag, jlong size, jlong *tag, jlong *referrer_tag, jint length,
                                 void *data) {
    (void)kind, (void)info, (void)class_tag, (void)referrer_class_tag, (void)size, (void)tag, (void)referrer_tag,
        (void)length;
    ++*(jlong *)data;
    return JVMTI_VISIT_OBJECTS;
}

static void walk_heap(JNIEnv *jni) {
    jlong seen = 0, tags[] = {2, 3, 4};
    jvmtiHeapCallbacks callbacks = {.heap_iteration_callback = on_object};
    ok((*env)->IterateThroughHeap(env, 0, NULL, &callbacks, &seen), "IterateThroughHeap");
    callbacks = (jvmtiHeapCallbacks){.heap_reference_callback = on_reference};
    ok((*env)->FollowReferences(env, 0, NULL, NULL, &callbacks, &seen), "FollowReferences");
    jint count;
    jobject *objects;
    jlong *found;
    if (!ok((*env)->GetObjectsWithTags(env, 3, tags, &count, &objects, &found), "GetObjectsWithTags")) return;
    if (count != 3) say("FAILED %d objects with the tags", (int)count);
    for (jint i = 0; i < count; i++) (*jni)->DeleteLocalRef(jni, objects[i]);
    release(objects);
    release(found);
}

static void ask(JNIEnv *jni, jthread other) {
    jvmtiStackInfo *stacks;
    jint count;
    jthread *threads;
    jclass *classes;
    jmethodID *methods;
    unsigned char *bytes;
    if (ok((*env)->GetAllStackTraces(env, 10, &stacks, &count), "GetAllStackTraces")) release(stacks);
    if (ok((*env)->GetAllThreads(env, &count, &threads), "GetAllThreads")) release(threads);
    if (ok((*env)->GetLoadedClasses(env, &count, &classes), "GetLoadedClasses")) release(classes);
    if (ok((*env)->GetClassMethods(env, program, &count, &methods), "GetClassMethods")) release(methods);
    if (ok((*env)->GetBytecodes(env, target, &count, &bytes), "GetBytecodes")) release(bytes);
    jint pool_count;
    if (ok((*env)->GetConstantPool(env, program, &pool_count, &count, &bytes), "GetConstantPool")) release(bytes);
    jniNativeInterface *functions;
    if (ok((*env)->GetJNIFunctionTable(env, &functions), "GetJNIFunctionTable")) {
        ok((*env)->SetJNIFunctionTable(env, functions), "SetJNIFunctionTable");
        release(functions);
    }
    jvmtiThreadInfo info;
    if (ok((*env)->GetThreadInfo(env, other, &info), "GetThreadInfo")) release(info.name);
    ok((*env)->RetransformClasses(env, 1, &loaded), "RetransformClasses");
    ok((*env)->GenerateEvents(env, JVMTI_EVENT_DYNAMIC_CODE_GENERATED), "GenerateEvents");
    unsigned char *kept;
    if (ok((*env)->Allocate(env, 1000, &kept), "Allocate")) ok((*env)->Deallocate(env, kept), "Deallocate");
    jrawMonitorID monitor;
    if (ok((*env)->CreateRawMonitor(env, "of a cycle", &monitor), "CreateRawMonitor")) {
        ok((*env)->RawMonitorEnter(env, monitor), "RawMonitorEnter");
        ok((*env)->RawMonitorWait(env, monitor, 1), "RawMonitorWait");
        ok((*env)->RawMonitorExit(env, monitor), "RawMonitorExit");
        ok((*env)->DestroyRawMonitor(env, monitor), "DestroyRawMonitor");
    }
    (void)jni;
}

/* Another environment, which takes back what it has set. */
static void set_and_clear(void) {
    jvmtiEnv *e;
    jvmtiCapabilities all;
    if ((*the_vm)->GetEnv(the_vm, (void **)&e, JVMTI_VERSION_1_2) != JNI_OK) say("FAILED GetEnv");
    ok((*e)->GetPotentialCapabilities(e, &all), "GetPotentialCapabilities");
    ok((*e)->AddCapabilities(e, &all), "AddCapabilities");
    ok((*e)->SetBreakpoint(e, target, 0), "SetBreakpoint");
    ok((*e)->SetFieldAccessWatch(e, program, field), "SetFieldAccessWatch");
    ok((*e)->SetFieldModificationWatch(e, program, field), "SetFieldModificationWatch");
    ok((*e)->NotifyFramePop(e, NULL, 1), "NotifyFramePop");
    ok((*e)->SetTag(e, program, 5), "SetTag");
    ok((*e)->SetNativeMethodPrefix(e, "prefix_"), "SetNativeMethodPrefix");
    ok((*e)->ClearBreakpoint(e, target, 0), "ClearBreakpoint");
    ok((*e)->ClearFieldAccessWatch(e, program, field), "ClearFieldAccessWatch");
    ok((*e)->ClearFieldModificationWatch(e, program, field), "ClearFieldModificationWatch");
    ok((*e)->SetTag(e, program, 0), "SetTag");
    ok((*e)->SetNativeMethodPrefix(e, NULL), "SetNativeMethodPrefix");
    ok((*e)->RelinquishCapabilities(e, &all), "RelinquishCapabilities");
    ok((*e)->DisposeEnvironment(e), "DisposeEnvironment");
}

/* ---- the cycle --------------------------------------------------------------------------------------------------- */

static long run_target(JNIEnv *jni) {
    for (int i = 0; i <= JVMTI_MAX_EVENT_TYPE_VAL; i++) atomic_store(&events[i], 0);
    (*jni)->CallStaticIntMethod(jni, program, target, 3);
    long sum = 0;
    for (int i = 0; i <= JVMTI_MAX_EVENT_TYPE_VAL; i++) sum += atomic_load(&events[i]);
    return sum;
}

/* Bytes that the process has asked for and not given back; the sanitizer's allocator counts for itself. */
static size_t allocated(void) {
    size_t (*of_sanitizer)(void) = (size_t(*)(void))(uintptr_t)dlsym(RTLD_DEFAULT,
                                                                     "__sanitizer_get_current_allocated_bytes");
    if (of_sanitizer) return of_sanitizer();
    struct mallinfo2 m = mallinfo2();
    return m.uordblks + m.hblkhd;
}

JNIEXPORT void JNICALL Java_Disposal_cycle(JNIEnv *jni, jclass c, jthread other, jobjectArray objects) {
    (void)c;
    if ((*the_vm)->GetEnv(the_vm, (void **)&env, JVMTI_VERSION_1_2) != JNI_OK) {
        say("FAILED GetEnv");
        return;
    }
    (*jni)->PushLocalFrame(jni, 64);
    set_everything(jni, other, objects);
    walk_heap(jni);
    ask(jni, other);
    run_target(jni);
    static const int wanted[] = {JVMTI_EVENT_EXCEPTION,    JVMTI_EVENT_EXCEPTION_CATCH, JVMTI_EVENT_SINGLE_STEP,
                                 JVMTI_EVENT_BREAKPOINT,   JVMTI_EVENT_FIELD_ACCESS,    JVMTI_EVENT_FIELD_MODIFICATION,
                                 JVMTI_EVENT_METHOD_ENTRY, JVMTI_EVENT_METHOD_EXIT};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (atomic_load(&events[wanted[i]]) == 0) say("FAILED no event %d", wanted[i]);
    ok((*env)->DisposeEnvironment(env), "DisposeEnvironment");
    set_and_clear();
    (*jni)->PopLocalFrame(jni, NULL);
    long still = run_target(jni);
    if (still) say("FAILED %ld events after DisposeEnvironment", still);
    if ((*env)->GetEnvironmentLocalStorage(env, &(void *){NULL}) != JVMTI_ERROR_INVALID_ENVIRONMENT)
        say("FAILED it is still an environment");
    if (cycles < CYCLES) in_use[cycles++] = allocated();
}

/* Another thread of the VM's may have something in hand at any moment: the least of many is what stays. */
static size_t lowest(int from, int to) {
    size_t least = SIZE_MAX;
    for (int i = from; i < to; i++)
        if (in_use[i] < least) least = in_use[i];
    return least;
}

JNIEXPORT void JNICALL Java_Disposal_judge(JNIEnv *jni, jclass c) {
    (void)jni, (void)c;
    size_t early = lowest(WARM, WARM + SPAN), late = lowest(cycles - SPAN, cycles);
    if (late > early)
        say("FAILED %zu bytes in use after %d environments, %zu more after %d others", early, WARM, late - early,
            cycles - WARM);
    say("%d environments came and went", cycles);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)options, (void)reserved;
    return attach_jvmti(vm);
}

JNIEXPORT void JNICALL Java_Disposal_prepare(JNIEnv *jni, jclass c, jclass other_class) {
    program = (*jni)->NewGlobalRef(jni, c);
    loaded = (*jni)->NewGlobalRef(jni, other_class);
    target = (*jni)->GetStaticMethodID(jni, c, "target", "(I)I");
    field = (*jni)->GetStaticFieldID(jni, c, "field", "I");
    own = (*jni)->GetFieldID(jni, c, "own", "I");
}
