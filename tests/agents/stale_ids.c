/* stale_ids.c: what a tool function was given goes, or changes, between its looking that up and the stop of the world
 * in which it works (tests/jvmti/StaleIds.java). The CHECK build calls a function just before a stop begins; there the
 * calling thread waits until another one has made the change. Where no such function can be set (HotSpot), the change
 * is made before the call. */
#include "agent_support.h"

#include <vitrine.h>

#include <dlfcn.h>
#include <semaphore.h>
#include <stdint.h>

static sem_t asked, done;
static const char *in_call;                      /* the function that is being called and has not been held yet    */
static int has_window;

static jmethodID method;
static jfieldID field;
static jweak class, loader, instance;
static jthread target;
static jlocation last;                           /* of the method as it was loaded                                   */

/* ---- the window -------------------------------------------------------------------------------------------------- */

static void wait_for(sem_t *s) {
    while (sem_wait(s) != 0) {}
}

static void let_change(void) {
    in_call = NULL;
    sem_post(&asked);
    wait_for(&done);
}

/* The thread that is in the call; all others stop as ever. */
static __thread int calls;
static void before_stop(const char *reason) {
    (void)reason;
    if (calls && in_call != NULL) let_change();
}

JNIEXPORT void JNICALL Java_StaleIds_await(JNIEnv *jni, jclass c) {
    (void)jni, (void)c;
    wait_for(&asked);
}

JNIEXPORT void JNICALL Java_StaleIds_changed(JNIEnv *jni, jclass c) {
    (void)jni, (void)c;
    sem_post(&done);
}

/* The collector takes what it finds in the VM's C frames for objects, dead slots included. A frame that waits in the
 * window for its class to go may therefore have no slot in which an earlier call has left something that leads
 * there. */
static void __attribute__((noinline)) clear_stack_below(void) {
    volatile uint64_t below[8192];
    for (size_t i = 0; i < sizeof below / sizeof *below; i++) below[i] = 0;
}

/* ---- the functions ----------------------------------------------------------------------------------------------- */

static jint JNICALL on_object(jlong class_tag, jlong size, jlong *tag, jint length, void *data) {
    (void)class_tag, (void)size, (void)tag, (void)length;
    ++*(int *)data;
    return JVMTI_VISIT_OBJECTS;
}

static jint JNICALL on_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag,
                                 jlong referrer_class_tag, jlong size, jlong *tag, jlong *referrer_tag, jint length,
                                 void *data) {
    (void)kind, (void)info, (void)class_tag, (void)referrer_class_tag, (void)size, (void)tag, (void)referrer_tag,
        (void)length;
    ++*(int *)data;
    return JVMTI_VISIT_OBJECTS;
}

static jvmtiIterationControl JNICALL on_instance(jlong class_tag, jlong size, jlong *tag, void *data) {
    (void)class_tag, (void)size, (void)tag;
    ++*(int *)data;
    return JVMTI_ITERATION_CONTINUE;
}

static jvmtiIterationControl JNICALL on_reached(jvmtiObjectReferenceKind kind, jlong class_tag, jlong size, jlong *tag,
                                                jlong referrer_tag, jint index, void *data) {
    (void)kind, (void)class_tag, (void)size, (void)tag, (void)referrer_tag, (void)index, (void)data;
    return JVMTI_ITERATION_IGNORE;
}

static jvmtiIterationControl JNICALL on_root(jvmtiHeapRootKind kind, jlong class_tag, jlong size, jlong *tag,
                                             void *data) {
    (void)kind, (void)class_tag, (void)size, (void)tag;
    ++*(int *)data;
    return JVMTI_ITERATION_ABORT;
}

/* ---- extension functions, which HotSpot does not have ------------------------------------------------------------ */

static void JNICALL on_untagged(jlong number, jclass c, void *data) { (void)number, (void)c, (void)data; }

static jvmtiError follow_objects(jvmtiEnv *e, int *found) {
    (void)found;
    vitrineObjectCallbacks callbacks = {.untagged_class = (void *)on_untagged, .heap_reference = (void *)on_untagged,
                                        .static_field = (void *)on_untagged, .object = (void *)on_untagged};
    return extension_function("vitrine.functions.FollowObjects")(e, (jlong)1, &callbacks, NULL);
}

static jboolean JNICALL refuse(void *storage, jmethodID m) {
    (void)storage, (void)m;
    return JNI_FALSE;
}

static jvmtiError set_filters(jvmtiEnv *e) {
    vitrineEventFilters filters = {.MethodEntry = refuse};
    return extension_function("vitrine.functions.SetEventFilters")(e, &filters);
}

/* ---- the functions, by name -------------------------------------------------------------------------------------- */

/* What looks at variables of the target, or changes its frames: at the youngest one, which is native. */
static jvmtiError call_of_frames(jvmtiEnv *e, const char *f) {
    jint i;
    jlong j;
    jfloat g;
    jdouble d;
    jobject o;
#define CALL(name, ...) \
    if (strcmp(f, #name) == 0) return (*e)->name(e, target, ##__VA_ARGS__)
    CALL(GetLocalObject, 0, 0, &o);
    CALL(GetLocalInstance, 0, &o);
    CALL(GetLocalInt, 0, 0, &i);
    CALL(GetLocalLong, 0, 0, &j);
    CALL(GetLocalFloat, 0, 0, &g);
    CALL(GetLocalDouble, 0, 0, &d);
    CALL(SetLocalObject, 0, 0, NULL);
    CALL(SetLocalInt, 0, 0, 1);
    CALL(SetLocalLong, 0, 0, 1);
    CALL(SetLocalFloat, 0, 0, 1);
    CALL(SetLocalDouble, 0, 0, 1);
    CALL(NotifyFramePop, 1);
    CALL(PopFrame);
    CALL(ForceEarlyReturnObject, NULL);
    CALL(ForceEarlyReturnInt, 1);
    CALL(ForceEarlyReturnLong, 1);
    CALL(ForceEarlyReturnFloat, 1);
    CALL(ForceEarlyReturnDouble, 1);
    CALL(ForceEarlyReturnVoid);
#undef CALL
    return JVMTI_ERROR_INTERNAL;
}

static int is_of_frames(const char *f) {
    return strstr(f, "Local") != NULL || strcmp(f, "NotifyFramePop") == 0 || strcmp(f, "PopFrame") == 0 ||
           strncmp(f, "ForceEarlyReturn", 16) == 0;
}

/* found: how many objects a walk has reported, or whether a list has anything. */
static jvmtiError call(jvmtiEnv *e, const char *f, int *found) {
    jvmtiHeapCallbacks objects = {.heap_iteration_callback = on_object};
    jvmtiHeapCallbacks references = {.heap_reference_callback = on_reference};
    jvmtiFrameInfo frames[10];
    jlong tag = 1;
    jint count = -1;
    jobject *list = NULL;
    jmethodID at;
    jlocation location;
    jobject one;
    jvmtiError err = JVMTI_ERROR_INTERNAL;
#define IS(name) (strcmp(f, #name) == 0)
    if (IS(SetBreakpoint)) return (*e)->SetBreakpoint(e, method, last);
    if (IS(ClearBreakpoint)) return (*e)->ClearBreakpoint(e, method, last);
    if (IS(SetFieldAccessWatch)) return (*e)->SetFieldAccessWatch(e, class, field);
    if (IS(ClearFieldAccessWatch)) return (*e)->ClearFieldAccessWatch(e, class, field);
    if (IS(SetFieldModificationWatch)) return (*e)->SetFieldModificationWatch(e, class, field);
    if (IS(ClearFieldModificationWatch)) return (*e)->ClearFieldModificationWatch(e, class, field);
    if (IS(FollowReferences)) return (*e)->FollowReferences(e, 0, class, NULL, &references, found);
    if (IS(IterateThroughHeap)) return (*e)->IterateThroughHeap(e, 0, class, &objects, found);
    if (IS(IterateOverInstancesOfClass))
        return (*e)->IterateOverInstancesOfClass(e, class, JVMTI_HEAP_OBJECT_EITHER, on_instance, found);
    if (IS(IterateOverObjectsReachableFromObject))
        return (*e)->IterateOverObjectsReachableFromObject(e, instance, on_reached, found);
    if (IS(RetransformClasses)) return (*e)->RetransformClasses(e, 1, (jclass *)&class);
    if (is_of_frames(f)) return call_of_frames(e, f);
    if (IS(IterateOverHeap))
        return (*e)->IterateOverHeap(e, JVMTI_HEAP_OBJECT_EITHER, on_instance, found);
    if (IS(IterateOverReachableObjects)) return (*e)->IterateOverReachableObjects(e, on_root, NULL, NULL, found);
    if (IS(FollowObjects)) return follow_objects(e, found);
    if (IS(SetEventFilters)) return set_filters(e);
    if (IS(GetFrameLocation)) return (*e)->GetFrameLocation(e, target, 0, &at, &location);
    if (IS(GetCurrentContendedMonitor)) return (*e)->GetCurrentContendedMonitor(e, target, &one);
    if (IS(SuspendThread)) return (*e)->SuspendThread(e, target);
    if (IS(GetClassLoaderClasses)) err = (*e)->GetClassLoaderClasses(e, loader, &count, (jclass **)&list);
    if (IS(GetObjectsWithTags)) err = (*e)->GetObjectsWithTags(e, 1, &tag, &count, &list, NULL);
    if (IS(GetStackTrace)) err = (*e)->GetStackTrace(e, target, 0, 10, frames, &count);
    if (IS(GetFrameCount)) err = (*e)->GetFrameCount(e, target, &count);
    if (IS(GetOwnedMonitorStackDepthInfo))
        err = (*e)->GetOwnedMonitorStackDepthInfo(e, target, &count, (jvmtiMonitorStackDepthInfo **)&list);
    if (IS(GetThreadListStackTraces)) {
        err = (*e)->GetThreadListStackTraces(e, 1, &target, 10, (jvmtiStackInfo **)&list);
        if (err == JVMTI_ERROR_NONE) count = ((jvmtiStackInfo *)list)->frame_count;
    }
    if (IS(GetOwnedMonitorInfo)) err = (*e)->GetOwnedMonitorInfo(e, target, &count, &list);
    if (list) release(list);
    if (err == JVMTI_ERROR_NONE) *found = count > 0;
    return err;
#undef IS
}

static jvmtiEnv *new_env(void) {
    jvmtiEnv *e = NULL;
    jvmtiCapabilities all;
    if ((*the_vm)->GetEnv(the_vm, (void **)&e, JVMTI_VERSION_1_2) != JNI_OK) say("FAILED GetEnv");
    ok((*e)->GetPotentialCapabilities(e, &all), "GetPotentialCapabilities");
    ok((*e)->AddCapabilities(e, &all), "AddCapabilities");
    return e;
}

static jvmtiEnv *used;
static int is_suspended;                         /* the target                                                       */

static void resume(void) {
    if (is_suspended) ok((*jvmti)->ResumeThread(jvmti, target), "ResumeThread");
    is_suspended = 0;
}

/* One call: what is changed while it waits is the other thread's business. `opposite` undoes or repeats what it did. */
JNIEXPORT void JNICALL Java_StaleIds_call(JNIEnv *jni, jclass c, jstring function, jstring change, jstring opposite) {
    (void)c;
    const char *f = (*jni)->GetStringUTFChars(jni, function, NULL);
    const char *how = (*jni)->GetStringUTFChars(jni, change, NULL);
    const char *back = opposite ? (*jni)->GetStringUTFChars(jni, opposite, NULL) : NULL;
    int of_env = strcmp(how, "disposed") == 0 || strcmp(how, "relinquished") == 0, found = 0, unused = 0;
    used = of_env ? new_env() : jvmti;
    if (strncmp(f, "Clear", 5) == 0) ok(call(used, back, &unused), back);
    is_suspended = is_of_frames(f);
    if (is_suspended) ok((*jvmti)->SuspendThread(jvmti, target), "SuspendThread");
    in_call = f;
    calls = 1;
    if (!has_window) let_change();
    clear_stack_below();
    jvmtiError err = call(used, f, &found);
    calls = 0;
    if (in_call != NULL) {
        say("FAILED %s began no stop: %s", f, error_text(err));
        exit(1);
    }
    char then[100] = "";
    if (back != NULL && !of_env && strcmp(how, "unloaded") != 0)
        snprintf(then, sizeof then, ", then %s %s", back, error_text(call(used, back, &unused)));
    resume();
    jobject alive = (*jni)->NewLocalRef(jni, class);
    say("%s, %s: %s, %d found, class %s%s", f, how, error_text(err), found, alive ? "there" : "gone", then);
    if (strcmp(how, "relinquished") == 0) ok((*used)->DisposeEnvironment(used), "DisposeEnvironment");
    (*jni)->ReleaseStringUTFChars(jni, function, f);
    (*jni)->ReleaseStringUTFChars(jni, change, how);
    if (back) (*jni)->ReleaseStringUTFChars(jni, opposite, back);
}

/* ---- the changes ------------------------------------------------------------------------------------------------- */

JNIEXPORT void JNICALL Java_StaleIds_redefine(JNIEnv *jni, jclass self, jclass c, jbyteArray file) {
    (void)self;
    jbyte *bytes = (*jni)->GetByteArrayElements(jni, file, NULL);
    jvmtiClassDefinition d = {c, (*jni)->GetArrayLength(jni, file), (unsigned char *)bytes};
    ok((*jvmti)->RedefineClasses(jvmti, 1, &d), "RedefineClasses");
    (*jni)->ReleaseByteArrayElements(jni, file, bytes, JNI_ABORT);
}

JNIEXPORT void JNICALL Java_StaleIds_dispose(JNIEnv *jni, jclass self) {
    (void)jni, (void)self;
    ok((*used)->DisposeEnvironment(used), "DisposeEnvironment");
}

JNIEXPORT void JNICALL Java_StaleIds_relinquish(JNIEnv *jni, jclass self) {
    (void)jni, (void)self;
    jvmtiCapabilities all;
    ok((*used)->GetCapabilities(used, &all), "GetCapabilities");
    ok((*used)->RelinquishCapabilities(used, &all), "RelinquishCapabilities");
}

JNIEXPORT void JNICALL Java_StaleIds_resume(JNIEnv *jni, jclass self) {
    (void)jni, (void)self;
    resume();
}

/* What the next call is about. Nothing of it is kept from being collected. */
JNIEXPORT void JNICALL Java_StaleIds_prepare(JNIEnv *jni, jclass self, jclass c, jobject of, jobject made, jthread t) {
    (void)self;
    if (class) {
        (*jni)->DeleteWeakGlobalRef(jni, class);
        (*jni)->DeleteWeakGlobalRef(jni, loader);
        (*jni)->DeleteWeakGlobalRef(jni, instance);
        (*jni)->DeleteGlobalRef(jni, target);
    }
    class = (*jni)->NewWeakGlobalRef(jni, c);
    loader = (*jni)->NewWeakGlobalRef(jni, of);
    instance = (*jni)->NewWeakGlobalRef(jni, made);
    target = (*jni)->NewGlobalRef(jni, t);
    method = (*jni)->GetStaticMethodID(jni, c, "run", "(I)I");
    field = (*jni)->GetStaticFieldID(jni, c, "field", "I");
    jlocation first;
    ok((*jvmti)->GetMethodLocation(jvmti, method, &first, &last), "GetMethodLocation");
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)options, (void)reserved;
    if (attach_jvmti(vm) != JNI_OK) return JNI_ERR;
    sem_init(&asked, 0, 0);
    sem_init(&done, 0, 0);
    jvmtiCapabilities wanted = {.can_redefine_classes = 1, .can_retransform_classes = 1, .can_suspend = 1,
                                .can_generate_breakpoint_events = 1, .can_generate_field_access_events = 1,
                                .can_generate_field_modification_events = 1, .can_tag_objects = 1,
                                .can_generate_frame_pop_events = 1, .can_get_owned_monitor_info = 1,
                                .can_get_owned_monitor_stack_depth_info = 1, .can_get_current_contended_monitor = 1,
                                .can_access_local_variables = 1, .can_pop_frame = 1, .can_force_early_return = 1};
    ok((*jvmti)->AddCapabilities(jvmti, &wanted), "AddCapabilities");
    return JNI_OK;
}

/* Only the CHECK build has it. */
JNIEXPORT jboolean JNICALL Java_StaleIds_hold(JNIEnv *jni, jclass self) {
    (void)jni, (void)self;
    typedef void set_function(void (*function)(const char *reason));
    set_function *set = (set_function *)(uintptr_t)dlsym(RTLD_DEFAULT, "JVM_CallBeforeStop");
    if (set) set(before_stop);
    has_window = set != NULL;
    return set != NULL;
}
