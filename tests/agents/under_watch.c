/* under_watch.c: agents that a program must not notice. Options: <kind>,<file>
 *   steps        a SingleStep event for every instruction of every thread
 *   methods      MethodEntry and MethodExit of every method
 *   fields       access and modification watches on every field of every class
 *   retransform  every class is retransformed as soon as it is prepared, with a class file that is a copy of its own
 *   suspend      an agent thread suspends, walks and resumes all other threads, over and over
 *   references   an agent thread follows all references and tags what it finds, over and over
 *   samples      a thousand times in a second a signal asks every thread for its stack by AsyncGetCallTrace
 * It prints nothing: what it counted, and what it first found wrong, stand in the file, a shared mapping of a `struct
 * record`, however the process ends. tests/run/differential.py reads it. */
#include "agent_support.h"

#include <vitrine.h>

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The layout that differential.py knows: two numbers of 8 bytes, then text. */
struct record {
    atomic_llong events;                          /* what the kind is there for: events, rounds, stacks            */
    atomic_llong mistakes;
    char first_mistake[240];
};

static struct record *record;
static atomic_int dying;                          /* VMDeath has come: calls of other threads may find the phase dead */
static int has_virtual_threads;                   /* whether the library has them, and so the functions for them */

__attribute__((format(printf, 1, 2))) static void mistake(const char *format, ...) {
    if (atomic_fetch_add(&record->mistakes, 1) != 0) return;
    va_list args;
    va_start(args, format);
    vsnprintf(record->first_mistake, sizeof record->first_mistake, format, args);
    va_end(args);
}

/* One event of many is looked at closely: what it says is compared with what a function says. Per thread. */
enum { LOOK_EVERY = 64 };

static int count_event(void) {
    static __thread unsigned turn;
    atomic_fetch_add_explicit(&record->events, 1, memory_order_relaxed);
    return ++turn % LOOK_EVERY == 0;
}

static int fine(jvmtiError err, const char *what) {
    int too_late = err == JVMTI_ERROR_WRONG_PHASE && atomic_load(&dying);
    if (err != JVMTI_ERROR_NONE && !too_late) mistake("%s: %s", what, error_text(err));
    return err == JVMTI_ERROR_NONE;
}

static void start_event(jvmtiEvent event) {
    fine((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, event, NULL), "SetEventNotificationMode");
}

/* ---- all loaded classes, then those that come -------------------------------------------------------------------- */

static void for_loaded_classes(JNIEnv *jni, void (*visit)(jint count, const jclass *classes)) {
    jint count;
    jclass *classes;
    if (!fine((*jvmti)->GetLoadedClasses(jvmti, &count, &classes), "GetLoadedClasses")) return;
    visit(count, classes);
    for (jint i = 0; i < count; i++) (*jni)->DeleteLocalRef(jni, classes[i]);
    release(classes);
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

static void JNICALL single_step(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method, jlocation location) {
    (void)env, (void)jni;
    if (!count_event()) return;
    jmethodID where;
    jlocation at;
    if (fine((*jvmti)->GetFrameLocation(jvmti, thread, 0, &where, &at), "GetFrameLocation") &&
        (where != method || at != location))
        mistake("step at %lld, frame at %lld%s", (long long)location, (long long)at,
                where != method ? " of another method" : "");
}

static void watch_steps(JNIEnv *jni) {
    (void)jni;
    start_event(JVMTI_EVENT_SINGLE_STEP);
}

/* ---- methods ----------------------------------------------------------------------------------------------------- */

/* What a thread has entered and not left, if it is watched from its start on. */
static __thread long entered;
static __thread int from_start;

static void JNICALL method_entry(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method) {
    (void)env, (void)jni;
    entered++;
    if (!count_event()) return;
    jmethodID where;
    jlocation at;
    if (fine((*jvmti)->GetFrameLocation(jvmti, thread, 0, &where, &at), "GetFrameLocation") && where != method)
        mistake("the method entered is not on top");
}

static void JNICALL method_exit(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method, jboolean by_exception,
                                jvalue value) {
    (void)env, (void)jni, (void)by_exception, (void)value;
    entered--;
    if (!count_event()) return;
    jmethodID where;
    jlocation at;
    if (fine((*jvmti)->GetFrameLocation(jvmti, thread, 0, &where, &at), "GetFrameLocation") && where != method)
        mistake("the method left is not on top");
}

static void JNICALL thread_start(jvmtiEnv *env, JNIEnv *jni, jthread thread) {
    (void)env, (void)jni, (void)thread;
    from_start = 1;
    entered = 0;
}

/* The thread that ends the VM by System.exit has not left its methods. */
static void JNICALL thread_end(jvmtiEnv *env, JNIEnv *jni, jthread thread) {
    (void)env, (void)jni;
    jint depth;
    if (from_start && fine((*jvmti)->GetFrameCount(jvmti, thread, &depth), "GetFrameCount") && entered != depth)
        mistake("a thread ends that entered %ld methods more than it left, at depth %d", entered, (int)depth);
}

static void watch_methods(JNIEnv *jni) {
    (void)jni;
    start_event(JVMTI_EVENT_THREAD_START);
    start_event(JVMTI_EVENT_THREAD_END);
    if (has_virtual_threads) {
        start_event(JVMTI_EVENT_VIRTUAL_THREAD_START);
        start_event(JVMTI_EVENT_VIRTUAL_THREAD_END);
    }
    start_event(JVMTI_EVENT_METHOD_ENTRY);
    start_event(JVMTI_EVENT_METHOD_EXIT);
}

/* ---- fields ------------------------------------------------------------------------------------------------------ */

static void look_at_field(jclass c, jobject object, jfieldID field) {
    jint modifiers;
    enum { STATIC = 8 };
    if (!fine((*jvmti)->GetFieldModifiers(jvmti, c, field, &modifiers), "GetFieldModifiers")) return;
    if (((modifiers & STATIC) != 0) != (object == NULL))
        mistake("a field event of modifiers 0x%x %s an object", (unsigned)modifiers, object ? "has" : "lacks");
}

static void JNICALL field_access(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method, jlocation location,
                                 jclass c, jobject object, jfieldID field) {
    (void)env, (void)jni, (void)thread, (void)method, (void)location;
    if (count_event()) look_at_field(c, object, field);
}

static void JNICALL field_modification(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method, jlocation location,
                                       jclass c, jobject object, jfieldID field, char type, jvalue value) {
    (void)env, (void)jni, (void)thread, (void)method, (void)location, (void)type, (void)value;
    if (count_event()) look_at_field(c, object, field);
}

/* A class that is loaded and not prepared comes again with its ClassPrepare; one that is prepared meanwhile comes
 * twice. */
static void watch_fields_of(jclass c) {
    jint count;
    jfieldID *fields;
    jvmtiError err = (*jvmti)->GetClassFields(jvmti, c, &count, &fields);
    if (err == JVMTI_ERROR_CLASS_NOT_PREPARED || !fine(err, "GetClassFields")) return;
    for (jint i = 0; i < count; i++) {
        err = (*jvmti)->SetFieldAccessWatch(jvmti, c, fields[i]);
        if (err != JVMTI_ERROR_DUPLICATE) fine(err, "SetFieldAccessWatch");
        err = (*jvmti)->SetFieldModificationWatch(jvmti, c, fields[i]);
        if (err != JVMTI_ERROR_DUPLICATE) fine(err, "SetFieldModificationWatch");
    }
    release(fields);
}

static void watch_fields_of_all(jint count, const jclass *classes) {
    for (jint i = 0; i < count; i++) watch_fields_of(classes[i]);
}

static void watch_fields(JNIEnv *jni) {
    start_event(JVMTI_EVENT_CLASS_PREPARE);
    start_event(JVMTI_EVENT_FIELD_ACCESS);
    start_event(JVMTI_EVENT_FIELD_MODIFICATION);
    for_loaded_classes(jni, watch_fields_of_all);
}

/* ---- retransform ------------------------------------------------------------------------------------------------- */

static void JNICALL class_file_load_hook(jvmtiEnv *env, JNIEnv *jni, jclass redefined, jobject loader, const char *name,
                                         jobject domain, jint size, const unsigned char *bytes, jint *new_size,
                                         unsigned char **new_bytes) {
    (void)env, (void)jni, (void)loader, (void)name, (void)domain;
    if (redefined == NULL || !fine((*jvmti)->Allocate(jvmti, size, new_bytes), "Allocate")) return;
    memcpy(*new_bytes, bytes, (size_t)size);
    *new_size = size;
    count_event();
}

/* Arrays and hidden classes cannot be. */
static int is_modifiable(jclass c) {
    jboolean modifiable = JNI_FALSE;
    return fine((*jvmti)->IsModifiableClass(jvmti, c, &modifiable), "IsModifiableClass") && modifiable;
}

static void retransform_one(jclass c) {
    long long before = atomic_load(&record->events);
    if (is_modifiable(c) && fine((*jvmti)->RetransformClasses(jvmti, 1, &c), "RetransformClasses") &&
        atomic_load(&record->events) == before)
        mistake("no hook in a retransformation");
}

static void retransform_all(jint count, const jclass *classes) {
    jclass *chosen = malloc((size_t)count * sizeof *chosen);
    jint n = 0;
    for (jint i = 0; chosen && i < count; i++)
        if (is_modifiable(classes[i])) chosen[n++] = classes[i];
    fine((*jvmti)->RetransformClasses(jvmti, n, chosen), "RetransformClasses of all");
    free(chosen);
}

static void watch_loading(JNIEnv *jni) {
    start_event(JVMTI_EVENT_CLASS_FILE_LOAD_HOOK);
    start_event(JVMTI_EVENT_CLASS_PREPARE);
    for_loaded_classes(jni, retransform_all);
}

static void (*at_prepare)(jclass c);

static void JNICALL class_prepare(jvmtiEnv *env, JNIEnv *jni, jthread thread, jclass c) {
    (void)env, (void)jni, (void)thread;
    at_prepare(c);
}

/* ---- an agent thread that goes its rounds ------------------------------------------------------------------------ */

static pthread_mutex_t in_round = PTHREAD_MUTEX_INITIALIZER;          /* held during a round */
static pthread_cond_t round_done = PTHREAD_COND_INITIALIZER;
static int rounds, ending;                                            /* under in_round      */
static void (*go_round)(JNIEnv *jni);

/* Between two rounds the program has as long as the last one took: it must come to its end. */
static void JNICALL go_rounds(jvmtiEnv *env, JNIEnv *jni, void *unused) {
    (void)env, (void)unused;
    for (int last = 0; !last;) {
        long start = now();
        pthread_mutex_lock(&in_round);
        if (!ending) go_round(jni);
        last = ending;
        rounds++;
        pthread_cond_signal(&round_done);
        pthread_mutex_unlock(&in_round);
        sleep_for(now() - start);
    }
}

/* Returns when the first round is done. */
static void start_rounds(JNIEnv *jni) {
    if (!fine(start_watcher(jni, go_rounds), "RunAgentThread")) return;
    pthread_mutex_lock(&in_round);
    while (rounds == 0) pthread_cond_wait(&round_done, &in_round);
    pthread_mutex_unlock(&in_round);
}

static void end_rounds(void) {
    pthread_mutex_lock(&in_round);
    ending = 1;
    pthread_mutex_unlock(&in_round);
}

/* ---- suspend ----------------------------------------------------------------------------------------------------- */

enum { MAX_WALKED = 64 };

static int alive(jvmtiError err, const char *what) { return err != JVMTI_ERROR_THREAD_NOT_ALIVE && fine(err, what); }

/* A suspended thread does not move: two walks find the same. */
static void walk(jthread thread) {
    jvmtiFrameInfo first[MAX_WALKED], second[MAX_WALKED];
    jint count, again;
    if (!alive((*jvmti)->GetStackTrace(jvmti, thread, 0, MAX_WALKED, first, &count), "GetStackTrace")) return;
    if (!alive((*jvmti)->GetStackTrace(jvmti, thread, 0, MAX_WALKED, second, &again), "GetStackTrace")) return;
    int same = count == again;
    for (jint i = 0; same && i < count; i++)
        same = first[i].method == second[i].method && first[i].location == second[i].location;
    if (!same) mistake("a suspended thread has moved: %d frames, then %d", (int)count, (int)again);
}

static void look_at_monitors(JNIEnv *jni, jthread thread) {
    jint count;
    jvmtiMonitorStackDepthInfo *owned;
    jobject contended = NULL;
    if (alive((*jvmti)->GetOwnedMonitorStackDepthInfo(jvmti, thread, &count, &owned),
              "GetOwnedMonitorStackDepthInfo")) {
        for (jint i = 0; i < count; i++) (*jni)->DeleteLocalRef(jni, owned[i].monitor);
        release(owned);
    }
    if (alive((*jvmti)->GetCurrentContendedMonitor(jvmti, thread, &contended), "GetCurrentContendedMonitor"))
        (*jni)->DeleteLocalRef(jni, contended);
}

/* Those that somebody else has suspended are left as they are. Returns how many are suspended now, first in
 * the list. */
static jint suspend_others(JNIEnv *jni, jthread self, jint count, jthread *threads) {
    jint suspended = 0;
    for (jint i = 0; i < count; i++) {
        if ((*jni)->IsSameObject(jni, threads[i], self)) continue;
        jvmtiError err = (*jvmti)->SuspendThread(jvmti, threads[i]);
        if (err == JVMTI_ERROR_THREAD_SUSPENDED || !alive(err, "SuspendThread")) continue;
        jthread t = threads[suspended];
        threads[suspended++] = threads[i];
        threads[i] = t;
    }
    return suspended;
}

static void suspend_walk_resume(JNIEnv *jni) {
    jint count;
    jthread self, *threads;
    if (!fine((*jvmti)->GetCurrentThread(jvmti, &self), "GetCurrentThread")) return;
    if (!fine((*jvmti)->GetAllThreads(jvmti, &count, &threads), "GetAllThreads")) return;
    jint suspended = suspend_others(jni, self, count, threads);
    if (has_virtual_threads) fine((*jvmti)->SuspendAllVirtualThreads(jvmti, 0, NULL), "SuspendAllVirtualThreads");
    for (jint i = 0; i < suspended; i++) {
        walk(threads[i]);
        look_at_monitors(jni, threads[i]);
    }
    if (has_virtual_threads) fine((*jvmti)->ResumeAllVirtualThreads(jvmti, 0, NULL), "ResumeAllVirtualThreads");
    for (jint i = 0; i < suspended; i++) fine((*jvmti)->ResumeThread(jvmti, threads[i]), "ResumeThread");
    for (jint i = 0; i < count; i++) (*jni)->DeleteLocalRef(jni, threads[i]);
    (*jni)->DeleteLocalRef(jni, self);
    release(threads);
    count_event();
}

static void watch_by_suspending(JNIEnv *jni) {
    go_round = suspend_walk_resume;
    start_rounds(jni);
}

/* ---- references -------------------------------------------------------------------------------------------------- */

/* An object's tag is its size: a tag that has come to another object would mostly be wrong. */
static jint JNICALL one_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag,
                                  jlong referrer_class_tag, jlong size, jlong *tag, jlong *referrer_tag, jint length,
                                  void *visited) {
    (void)kind, (void)info, (void)class_tag, (void)referrer_class_tag, (void)referrer_tag, (void)length;
    if (*tag != 0 && *tag != size)
        mistake("an object of %lld bytes has the tag of one of %lld", (long long)size, (long long)*tag);
    *tag = size;
    ++*(long *)visited;
    return JVMTI_VISIT_OBJECTS;
}

static void follow_references(JNIEnv *jni) {
    (void)jni;
    jvmtiHeapCallbacks callbacks = {.heap_reference_callback = one_reference};
    long visited = 0;
    if (!fine((*jvmti)->FollowReferences(jvmti, 0, NULL, NULL, &callbacks, &visited), "FollowReferences")) return;
    if (visited == 0) mistake("no reference at all");
    count_event();
}

static void watch_references(JNIEnv *jni) {
    go_round = follow_references;
    start_rounds(jni);
}

/* ---- samples ----------------------------------------------------------------------------------------------------- */

enum { MAX_SAMPLED = 256 };

static AsyncGetCallTrace_t trace_function;
static pthread_t sampler;
static atomic_int sampling;

static void on_signal(int number, siginfo_t *info, void *context) {
    (void)number, (void)info;
    JNIEnv *env = NULL;
    if ((*the_vm)->GetEnv(the_vm, (void **)&env, JNI_VERSION_1_6) != JNI_OK) env = NULL;
    ASGCT_CallFrame frames[MAX_SAMPLED];
    ASGCT_CallTrace trace = {env, -100, frames};
    trace_function(&trace, MAX_SAMPLED, context);
    int understood = trace.num_frames >= 0 || trace.num_frames == ASGCT_GC_ACTIVE ||
                     trace.num_frames == ASGCT_THREAD_EXIT;
    if (!understood || trace.num_frames > MAX_SAMPLED) mistake("%d frames", (int)trace.num_frames);
    for (jint i = 0; i < trace.num_frames; i++)
        if (frames[i].method_id == NULL || frames[i].lineno < ASGCT_NATIVE_FRAME || frames[i].lineno > 65535)
            mistake("no frame: at %d", (int)frames[i].lineno);
    if (trace.num_frames > 0) atomic_fetch_add(&record->events, 1);
}

static void signal_other_threads(pid_t process, pid_t self) {
    DIR *tasks = opendir("/proc/self/task");
    for (struct dirent *d; tasks && (d = readdir(tasks));) {
        pid_t tid = (pid_t)atoi(d->d_name);
        if (tid > 0 && tid != self) syscall(SYS_tgkill, process, tid, SIGPROF);
    }
    if (tasks) closedir(tasks);
}

static void *sample(void *unused) {
    (void)unused;
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    pid_t self = (pid_t)syscall(SYS_gettid), process = getpid();
    while (atomic_load(&sampling)) {
        signal_other_threads(process, self);
        sleep_for(1000000);
    }
    return NULL;
}

/* Returns when a stack was seen: the caller's own at the latest, which is in a callback. */
static void watch_samples(JNIEnv *jni) {
    (void)jni;
    trace_function = (AsyncGetCallTrace_t)dlsym(RTLD_DEFAULT, "AsyncGetCallTrace");
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
    sigaction(SIGPROF, &action, NULL);
    sampling = 1;
    if (!trace_function || pthread_create(&sampler, NULL, sample, NULL) != 0) mistake("no sampling");
    else while (atomic_load(&record->events) == 0) sleep_for(1000000);
}

static void end_sampling(void) {
    if (!atomic_exchange(&sampling, 0)) return;
    pthread_join(sampler, NULL);
    signal(SIGPROF, SIG_IGN);
}

/* ---- start ------------------------------------------------------------------------------------------------------- */

static const struct kind {
    const char *name;
    jvmtiCapabilities needs;
    void (*start)(JNIEnv *jni);
    void (*at_prepare)(jclass c);
} kinds[] = {
    {"steps", {.can_generate_single_step_events = 1}, watch_steps, NULL},
    {"methods", {.can_generate_method_entry_events = 1, .can_generate_method_exit_events = 1}, watch_methods, NULL},
    {"fields", {.can_generate_field_access_events = 1, .can_generate_field_modification_events = 1}, watch_fields,
        watch_fields_of},
    {"retransform", {.can_retransform_classes = 1, .can_retransform_any_class = 1}, watch_loading, retransform_one},
    {"suspend", {.can_suspend = 1, .can_get_owned_monitor_stack_depth_info = 1,
        .can_get_current_contended_monitor = 1}, watch_by_suspending, NULL},
    {"references", {.can_tag_objects = 1}, watch_references, NULL},
    {"samples", {0}, watch_samples, NULL},
};

static const struct kind *kind;

static void JNICALL vm_init(jvmtiEnv *env, JNIEnv *jni, jthread thread) {
    (void)env, (void)thread;
    kind->start(jni);
}

/* Nothing of the agent is busy in the dead phase but callbacks of threads that still run. */
static void JNICALL vm_death(jvmtiEnv *env, JNIEnv *jni) {
    (void)env, (void)jni;
    atomic_store(&dying, 1);
    end_rounds();
    end_sampling();
}

static int map_record(const char *path) {
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0 || ftruncate(fd, sizeof *record) != 0) return 0;
    record = mmap(NULL, sizeof *record, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    return record != MAP_FAILED;
}

static void add_capabilities(jvmtiCapabilities needs) {
    jvmtiCapabilities potential;
    fine((*jvmti)->GetPotentialCapabilities(jvmti, &potential), "GetPotentialCapabilities");
    has_virtual_threads = needs.can_support_virtual_threads = potential.can_support_virtual_threads;
    fine((*jvmti)->AddCapabilities(jvmti, &needs), "AddCapabilities");
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)reserved;
    char *file = options ? strchr(options, ',') : NULL;
    the_vm = vm;
    if (!file || !map_record(file + 1)) return JNI_ERR;
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_21) != JNI_OK &&
        (*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_11) != JNI_OK)
        return JNI_ERR;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strlen(kinds[i].name) == (size_t)(file - options) &&
            strncmp(kinds[i].name, options, (size_t)(file - options)) == 0)
            kind = &kinds[i];
    if (!kind) return JNI_ERR;
    at_prepare = kind->at_prepare;
    add_capabilities(kind->needs);
    jvmtiEventCallbacks callbacks = {.VMInit = vm_init,
                                     .VMDeath = vm_death,
                                     .ThreadStart = thread_start,
                                     .ThreadEnd = thread_end,
                                     .VirtualThreadStart = thread_start,
                                     .VirtualThreadEnd = thread_end,
                                     .SingleStep = single_step,
                                     .MethodEntry = method_entry,
                                     .MethodExit = method_exit,
                                     .FieldAccess = field_access,
                                     .FieldModification = field_modification,
                                     .ClassFileLoadHook = class_file_load_hook,
                                     .ClassPrepare = class_prepare};
    fine((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks), "SetEventCallbacks");
    start_event(JVMTI_EVENT_VM_INIT);
    start_event(JVMTI_EVENT_VM_DEATH);
    return JNI_OK;
}
