/* filters.c: event filters, called from tests/jvmti/extensions/Filters.java: calls and allocations counted by filters
 * where the VM offers them, and by events. */
#include "agent_support.h"

#include <vitrine.h>

#include <pthread.h>
#include <stdatomic.h>

enum { EVENTS, FILTERS, FILTERS_AND_EVENTS, SECOND_BESIDE, TAKEN_BACK, SECOND_ALONE, TOGGLED };
enum { ENTRY, EXIT, THROWN, KINDS };

static struct method {
    const char *name, *desc;
    jmethodID id;
    atomic_int counted[KINDS];
} methods[] = {
    {.name = "recursive", .desc = "(I)I"}, {.name = "raise", .desc = "(I)V"}, {.name = "catching", .desc = "()I"},
    {.name = "locked", .desc = "(I)I"},
    {.name = "inThread", .desc = "()V"}, {.name = "notified", .desc = "()I"}, {.name = "running", .desc = "(I)V"},
    {.name = "touch", .desc = "(I)I"},
    {.name = "spin", .desc = "()I"}, {.name = "respin", .desc = "()I"},
};
enum { METHODS = sizeof methods / sizeof methods[0] };

/* What a thread keeps in its thread-local storage. */
struct of_thread { pthread_t self; };

static jvmtiEnv *second;
static jvmtiExtensionFunction set_filters;        /* NULL: not offered                                               */
static int way;
static atomic_int asked, by_event, by_second, misled;

static void count(jmethodID id, int kind) {
    for (int i = 0; i < METHODS; i++)
        if (methods[i].id == id) atomic_fetch_add(&methods[i].counted[kind], 1);
}

static int is_counted(jmethodID id) {
    for (int i = 0; i < METHODS; i++)
        if (methods[i].id == id) return 1;
    return 0;
}

/* ---- filters and events ------------------------------------------------------------------------------------------ */

static jboolean ask(void *storage, jmethodID id, int kind) {
    if (!is_counted(id)) return JNI_FALSE;
    /* The thread that runs already when the second environment comes has no storage there. */
    if (storage == NULL ? way != SECOND_ALONE : !pthread_equal(((struct of_thread *)storage)->self, pthread_self()))
        atomic_fetch_add(&misled, 1);
    atomic_fetch_add(&asked, 1);
    if (way == FILTERS_AND_EVENTS) return JNI_TRUE;
    count(id, kind);
    return JNI_FALSE;
}
static jboolean JNICALL ask_entry(void *storage, jmethodID id) { return ask(storage, id, ENTRY); }
static jboolean JNICALL ask_exit(void *storage, jmethodID id, jboolean by_exception) {
    return ask(storage, id, by_exception ? THROWN : EXIT);
}

static void told(jvmtiEnv *env, jmethodID id, int kind) {
    if (!is_counted(id)) return;
    if (way == SECOND_BESIDE && env == second) {
        atomic_fetch_add(&by_second, 1);
        return;
    }
    atomic_fetch_add(&by_event, 1);
    count(id, kind);
}
static void JNICALL on_method_entry(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID id) {
    (void)jni, (void)t;
    told(env, id, ENTRY);
}
static void JNICALL on_method_exit(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID id, jboolean by_exception,
                                   jvalue value) {
    (void)jni, (void)t, (void)value;
    told(env, id, by_exception ? THROWN : EXIT);
}

static void mark_thread(jvmtiEnv *env) {
    struct of_thread *own = malloc(sizeof *own);
    own->self = pthread_self();
    ok((*env)->SetThreadLocalStorage(env, NULL, own), "SetThreadLocalStorage");
}
static void JNICALL on_thread_start(jvmtiEnv *env, JNIEnv *jni, jthread t) {
    jvmtiPhase phase;
    (void)jni, (void)t;
    if ((*env)->GetPhase(env, &phase) == JVMTI_ERROR_NONE && phase == JVMTI_PHASE_LIVE) mark_thread(env);
}
static void JNICALL on_thread_end(jvmtiEnv *env, JNIEnv *jni, jthread t) {
    void *own = NULL;
    (void)jni, (void)t;
    if ((*env)->GetThreadLocalStorage(env, NULL, &own) != JVMTI_ERROR_NONE || own == NULL) return;
    ok((*env)->SetThreadLocalStorage(env, NULL, NULL), "SetThreadLocalStorage");
    free(own);
}

/* ---- counting ---------------------------------------------------------------------------------------------------- */

static void set_events(jvmtiEnv *env, jvmtiEventMode mode) {
    ok((*env)->SetEventNotificationMode(env, mode, JVMTI_EVENT_METHOD_ENTRY, NULL), "MethodEntry");
    ok((*env)->SetEventNotificationMode(env, mode, JVMTI_EVENT_METHOD_EXIT, NULL), "MethodExit");
}

static jvmtiEnv *new_environment(void) {
    jvmtiEnv *env = NULL;
    jvmtiCapabilities wanted = {.can_generate_method_entry_events = 1, .can_generate_method_exit_events = 1};
    jvmtiEventCallbacks callbacks = {.MethodEntry = on_method_entry,
                                     .MethodExit = on_method_exit,
                                     .ThreadStart = on_thread_start,
                                     .ThreadEnd = on_thread_end};
    if ((*the_vm)->GetEnv(the_vm, (void **)&env, JVMTI_VERSION_1_2) != JNI_OK) say("FAILED GetEnv");
    ok((*env)->AddCapabilities(env, &wanted), "AddCapabilities");
    ok((*env)->SetEventCallbacks(env, &callbacks, sizeof callbacks), "SetEventCallbacks");
    ok((*env)->SetEventNotificationMode(env, JVMTI_ENABLE, JVMTI_EVENT_THREAD_START, NULL), "ThreadStart");
    ok((*env)->SetEventNotificationMode(env, JVMTI_ENABLE, JVMTI_EVENT_THREAD_END, NULL), "ThreadEnd");
    mark_thread(env);
    return env;
}

static const vitrineEventFilters filters = {.MethodEntry = ask_entry, .MethodExit = ask_exit};

JNIEXPORT void JNICALL Java_Filters_toggle(JNIEnv *jni, jclass self) {
    (void)jni, (void)self;
    if (set_filters == NULL) return;
    ok(set_filters(jvmti, NULL), "SetEventFilters");
    ok(set_filters(jvmti, &filters), "SetEventFilters");
}

JNIEXPORT void JNICALL Java_Filters_begin(JNIEnv *jni, jclass self, jint how) {
    for (int i = 0; i < METHODS; i++) {
        methods[i].id = (*jni)->GetStaticMethodID(jni, self, methods[i].name, methods[i].desc);
        for (int k = 0; k < KINDS; k++) atomic_store(&methods[i].counted[k], 0);
    }
    way = how;
    atomic_store(&asked, 0), atomic_store(&by_event, 0), atomic_store(&by_second, 0);
    jvmtiEnv *env = jvmti;
    if (how == SECOND_BESIDE || how == SECOND_ALONE) second = new_environment();
    if (how == SECOND_ALONE) env = second;
    if (set_filters && how != EVENTS) ok(set_filters(env, &filters), "SetEventFilters");
    if (set_filters && how == TAKEN_BACK) ok(set_filters(env, NULL), "SetEventFilters");
    /* both have some: neither is asked */
    if (set_filters && how == SECOND_BESIDE) ok(set_filters(second, &filters), "SetEventFilters");
    if (how == SECOND_BESIDE) set_events(second, JVMTI_ENABLE);
    set_events(env, JVMTI_ENABLE);
}

/* How many were asked about and told by which way: everything the same way, but for the one exit that comes with a
 * frame pop. */
static void check_ways(int all) {
    static const char *const names[] = {"events",
                                        "filters",
                                        "filters and events",
                                        "a second environment beside",
                                        "filters taken back",
                                        "a second environment"};
    int by_filter = atomic_load(&asked), by = atomic_load(&by_event), others = atomic_load(&by_second);
    int unasked = way == EVENTS || way == TAKEN_BACK || way == SECOND_BESIDE || set_filters == NULL;
    int expected_asked = unasked ? 0 : all - 1, expected_by = unasked || way == FILTERS_AND_EVENTS ? all : 1;
    if (by_filter != expected_asked || by != expected_by || others != (way == SECOND_BESIDE ? all : 0))
        say("FAILED %s: %d calls, %d asked about, %d told, %d told to the second", names[way], all, by_filter, by,
            others);
}

JNIEXPORT void JNICALL Java_Filters_end(JNIEnv *jni, jclass self) {
    (void)jni, (void)self;
    set_events(jvmti, JVMTI_DISABLE);
    if (set_filters) ok(set_filters(jvmti, NULL), "SetEventFilters");
    if (second) {
        void *own = NULL;
        if (way == SECOND_BESIDE) set_events(second, JVMTI_DISABLE);
        ok((*second)->GetThreadLocalStorage(second, NULL, &own), "GetThreadLocalStorage");
        ok((*second)->DisposeEnvironment(second), "DisposeEnvironment");
        free(own);
        if (set_filters && set_filters(second, NULL) != JVMTI_ERROR_INVALID_ENVIRONMENT)
            say("FAILED SetEventFilters of an environment that is gone");
        second = NULL;
    }
    int all = 0;
    for (int i = 0; i < METHODS; i++) {
        struct method *m = &methods[i];
        int n[KINDS];
        for (int k = 0; k < KINDS; k++) all += n[k] = atomic_load(&m->counted[k]);
        say("%s: %d entries, %d exits, %d by exception", m->name, n[ENTRY], n[EXIT], n[THROWN]);
    }
    if (way != TOGGLED) check_ways(all);
    if (atomic_load(&misled) != 0) say("FAILED %d filters were given another thread's storage", atomic_load(&misled));
}

/* ---- what the program asks for ----------------------------------------------------------------------------------- */

JNIEXPORT jint JNICALL Java_Filters_touch(JNIEnv *jni, jclass self, jint n) { return (void)jni, (void)self, n; }

/* The frame pop of the caller. */
JNIEXPORT void JNICALL Java_Filters_notifyPop(JNIEnv *jni, jclass self) {
    (void)jni, (void)self;
    ok((*jvmti)->NotifyFramePop(jvmti, NULL, 1), "NotifyFramePop");
}

JNIEXPORT void JNICALL Java_Filters_returnEarly(JNIEnv *jni, jclass self, jthread t, jint value) {
    (void)jni, (void)self;
    ok((*jvmti)->SuspendThread(jvmti, t), "SuspendThread");
    ok((*jvmti)->ForceEarlyReturnInt(jvmti, t, value), "ForceEarlyReturnInt");
    ok((*jvmti)->ResumeThread(jvmti, t), "ResumeThread");
}

JNIEXPORT void JNICALL Java_Filters_popFrame(JNIEnv *jni, jclass self, jthread t) {
    (void)jni, (void)self;
    ok((*jvmti)->SuspendThread(jvmti, t), "SuspendThread");
    ok((*jvmti)->PopFrame(jvmti, t), "PopFrame");
    ok((*jvmti)->ResumeThread(jvmti, t), "ResumeThread");
}

/* ---- allocations: every tenth of a tagged class by the event ----------------------------------------------------- */

enum { CLASS_TAG = 77, FIRST_TAG = 1000 };
static atomic_int allocated_asked, allocated_told;
static jlong told_size;

static jboolean JNICALL ask_allocation(void *storage, jlong class_tag, jlong size, jlong *tag_ptr) {
    if (class_tag != CLASS_TAG) return JNI_FALSE;
    if (storage == NULL || !pthread_equal(((struct of_thread *)storage)->self, pthread_self()) || *tag_ptr != 0)
        atomic_fetch_add(&misled, 1);
    int n = atomic_fetch_add(&allocated_asked, 1);
    told_size = size;
    *tag_ptr = n % 10 == 0 ? -1 : FIRST_TAG + n;      /* what is stored before an event counts for nothing */
    return n % 10 == 0;
}

static void JNICALL on_allocation(jvmtiEnv *env, JNIEnv *jni, jthread t, jobject o, jclass c, jlong size) {
    jlong tag = 0, class_tag = 0;
    (void)jni, (void)t;
    ok((*env)->GetTag(env, c, &class_tag), "GetTag");
    if (class_tag != CLASS_TAG) return;
    ok((*env)->GetTag(env, o, &tag), "GetTag");
    if (tag != 0 || size != told_size)
        say("FAILED an event with tag %lld and size %lld", (long long)tag, (long long)size);
    atomic_fetch_add(&allocated_told, 1);
}

JNIEXPORT jboolean JNICALL Java_Filters_beginAllocations(JNIEnv *jni, jclass self, jclass c) {
    static const vitrineEventFilters of_allocations = {.SampledObjectAlloc = ask_allocation};
    (void)jni, (void)self;
    if (set_filters == NULL) return JNI_FALSE;
    jvmtiCapabilities wanted = {.can_tag_objects = 1, .can_generate_sampled_object_alloc_events = 1};
    ok((*jvmti)->AddCapabilities(jvmti, &wanted), "AddCapabilities");
    ok((*jvmti)->SetTag(jvmti, c, CLASS_TAG), "SetTag");
    ok((*jvmti)->SetHeapSamplingInterval(jvmti, 0), "SetHeapSamplingInterval");
    ok(set_filters(jvmti, &of_allocations), "SetEventFilters");
    enable(JVMTI_EVENT_SAMPLED_OBJECT_ALLOC);
    return JNI_TRUE;
}

JNIEXPORT void JNICALL Java_Filters_endAllocations(JNIEnv *jni, jclass self, jobjectArray all) {
    (void)self;
    ok((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_DISABLE, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, NULL),
       "SetEventNotificationMode");
    int tagged = 0;
    for (jsize i = 0; i < (*jni)->GetArrayLength(jni, all); i++) {
        jobject o = (*jni)->GetObjectArrayElement(jni, all, i);
        jlong tag = 0, size = 0;
        ok((*jvmti)->GetTag(jvmti, o, &tag), "GetTag");
        ok((*jvmti)->GetObjectSize(jvmti, o, &size), "GetObjectSize");
        if (size != told_size || tag != (i % 10 == 0 ? 0 : FIRST_TAG + i))
            say("FAILED object %d has tag %lld and size %lld", (int)i, (long long)tag, (long long)size);
        else tagged += tag != 0;
        (*jni)->DeleteLocalRef(jni, o);
    }
    say("%d asked about, %d told, %d tagged", atomic_load(&allocated_asked), atomic_load(&allocated_told), tagged);
    if (atomic_load(&misled) != 0)
        say("FAILED %d filters were given another thread's storage, or a tag", atomic_load(&misled));
}

/* ---- start ------------------------------------------------------------------------------------------------------- */

static void JNICALL on_vm_init(jvmtiEnv *env, JNIEnv *jni, jthread t) {
    (void)jni, (void)t;
    mark_thread(env);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)options, (void)reserved;
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_11) != JNI_OK) return JNI_ERR;
    the_vm = vm;
    jvmtiCapabilities wanted = {.can_generate_method_entry_events = 1,
                                .can_generate_method_exit_events = 1,
                                .can_generate_frame_pop_events = 1,
                                .can_suspend = 1,
                                .can_force_early_return = 1,
                                .can_pop_frame = 1};
    jvmtiEventCallbacks callbacks = {.VMInit = on_vm_init,
                                     .ThreadStart = on_thread_start,
                                     .ThreadEnd = on_thread_end,
                                     .MethodEntry = on_method_entry,
                                     .MethodExit = on_method_exit,
                                     .SampledObjectAlloc = on_allocation};
    ok((*jvmti)->AddCapabilities(jvmti, &wanted), "AddCapabilities");
    ok((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks), "SetEventCallbacks");
    enable(JVMTI_EVENT_VM_INIT);
    enable(JVMTI_EVENT_THREAD_START);
    enable(JVMTI_EVENT_THREAD_END);
    set_filters = extension_function("vitrine.functions.SetEventFilters");
    return JNI_OK;
}
