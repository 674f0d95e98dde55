/* hprof.c: the HPROF agent: start with the VM or by attaching, events, dumps on request, end. */
#include "hprof.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <vitrine.h>

#include "monitors.h"
#include "report.h"
#include "samples.h"
#include "signals.h"
#include "sites.h"
#include "stacks.h"
#include "times.h"

_Thread_local int hprof_inside;

/* The profile of this process: one at a time, since a library that is attached again must find it. */
static _Atomic(struct hprof *) active;
static pthread_mutex_t start_lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- common ------------------------------------------------------------------------------------------------------ */

void hprof_lock(struct hprof *h) {
    hprof_inside++;
    pthread_mutex_lock(&h->lock);
}

void hprof_unlock(struct hprof *h) {
    pthread_mutex_unlock(&h->lock);
    hprof_inside--;
}

bool hprof_ok(struct hprof *h, jvmtiError error, const char *what) {
    if (error == JVMTI_ERROR_NONE) return true;
    char *name = NULL;
    if ((*h->env)->GetErrorName(h->env, error, &name) != JVMTI_ERROR_NONE) name = NULL;
    fprintf(stderr, "hprof: %s failed: %s (%d)\n", what, name != NULL ? name : "unknown error", (int)error);
    hprof_free(h, name);
    return false;
}

void hprof_free(struct hprof *h, void *memory) {
    if (memory != NULL) (*h->env)->Deallocate(h->env, memory);
}

bool stack_take(struct hprof *h, jvmtiFrameInfo *frames, jint max, jint *count) {
    if (h->call_trace == NULL || max > SHORT_STACK)
        return (*h->env)->GetStackTrace(h->env, NULL, 0, max, frames, count) == JVMTI_ERROR_NONE;
    vitrineCallFrame taken[SHORT_STACK];
    if (h->call_trace(h->env, NULL, max, taken, count) != JVMTI_ERROR_NONE) return false;
    for (jint i = 0; i < *count; i++) frames[i] = (jvmtiFrameInfo){taken[i].method, taken[i].location};
    return true;
}

JNIEnv *hprof_jni(struct hprof *h) {
    JNIEnv *jni = NULL;
    return (*h->vm)->GetEnv(h->vm, (void **)&jni, JNI_VERSION_1_6) == JNI_OK ? jni : NULL;
}

void hprof_say(struct hprof *h, const char *format, ...) {
    if (!h->options.verbose) return;
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
}

int64_t hprof_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

const char *hprof_date(char text[32]) {
    time_t now = time(NULL);
    if (ctime_r(&now, text) == NULL) text[0] = '\0';
    text[strcspn(text, "\n")] = '\0';
    return text;
}

static struct hprof *profile_of(jvmtiEnv *env) {
    void *profile = NULL;
    return (*env)->GetEnvironmentLocalStorage(env, &profile) == JVMTI_ERROR_NONE ? profile : NULL;
}

/* ---- collecting -------------------------------------------------------------------------------------------------- */

static bool set_event(struct hprof *h, bool on, jvmtiEvent event) {
    return hprof_ok(h, (*h->env)->SetEventNotificationMode(h->env, on ? JVMTI_ENABLE : JVMTI_DISABLE, event, NULL),
                    "SetEventNotificationMode");
}

/* Events that deliver data; only those that the options need (HP-016). */
static bool set_collecting(struct hprof *h, bool on) {
    static const struct { jvmtiEvent event; enum { SITES, TIMES, MONITORS } for_what; } events[] = {
        {JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, SITES},
        {JVMTI_EVENT_METHOD_ENTRY, TIMES}, {JVMTI_EVENT_METHOD_EXIT, TIMES},
        {JVMTI_EVENT_MONITOR_CONTENDED_ENTER, MONITORS}, {JVMTI_EVENT_MONITOR_CONTENDED_ENTERED, MONITORS},
    };
    const bool wanted[] = {h->sites != NULL, h->times != NULL, h->monitors != NULL};
    bool ok = true;
    for (unsigned i = 0; i < sizeof events / sizeof events[0]; i++)
        if (wanted[events[i].for_what]) ok = set_event(h, on, events[i].event) && ok;
    atomic_store(&h->collecting, on);
    return ok;
}

/* HotSpot samples a thread's allocations from its next buffer on. Asked for before there are threads, or with all
 * buffers given back by a collection, no allocation is missed. */
static bool arm_sampling(struct hprof *h, bool attached) {
    if (h->sites == NULL) return true;
    return hprof_ok(h, (*h->env)->SetHeapSamplingInterval(h->env, h->options.sampling), "SetHeapSamplingInterval") &&
           set_event(h, true, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC) &&
           (!attached || hprof_ok(h, (*h->env)->ForceGarbageCollection(h->env), "ForceGarbageCollection"));
}

/* Identifiers of 4 bytes do where the heap cannot hold more objects than they can name (HP-076). */
static int id_size_of(JNIEnv *jni) {
    jclass klass = (*jni)->FindClass(jni, "java/lang/Runtime");
    jmethodID get = klass != NULL ? (*jni)->GetStaticMethodID(jni, klass, "getRuntime", "()Ljava/lang/Runtime;") : NULL;
    jmethodID most = get != NULL ? (*jni)->GetMethodID(jni, klass, "maxMemory", "()J") : NULL;
    jobject runtime = most != NULL ? (*jni)->CallStaticObjectMethod(jni, klass, get) : NULL;
    jlong bytes = runtime != NULL ? (*jni)->CallLongMethod(jni, runtime, most) : -1;
    if ((*jni)->ExceptionCheck(jni)) (*jni)->ExceptionClear(jni);
    enum { SMALLEST_OBJECT = 8 };
    return bytes >= 0 && bytes / SMALLEST_OBJECT < UINT32_MAX - KNOWN_MAX ? 4 : 8;
}

/* In the live phase: the file's beginning, threads that are there, and what runs on a thread of its own. */
static void start_live(struct hprof *h, JNIEnv *jni, bool attached) {
    hprof_lock(h);
    h->records.id_size = id_size_of(jni);
    report_begin(h);
    threads_refresh(h, jni);
    h->begun = true;
    hprof_unlock(h);
    if (h->samples != NULL) samples_run(h, jni, attached);
}

static void write_report(struct hprof *h, JNIEnv *jni) {
    if (h->samples != NULL) samples_gather(h, jni);
    hprof_lock(h);
    if (h->sites != NULL) sites_gather(h);
    if (h->begun && !atomic_load(&h->ended)) report_write(h, jni);
    hprof_unlock(h);
}

/* HotSpot 17 has chosen the main thread's first sample, up to some MB ahead, before it learns the interval:
 * passes it. */
static void pass_first_sample(struct hprof *h, JNIEnv *jni) {
    enum { FAR = 16 << 20 };
    if (h->sites == NULL || h->options.sampling != 0) return;
    hprof_inside++;
    jobject garbage = (*jni)->NewByteArray(jni, FAR);
    if (garbage != NULL) (*jni)->DeleteLocalRef(jni, garbage);
    else (*jni)->ExceptionClear(jni);
    hprof_inside--;
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

static void JNICALL on_vm_init(jvmtiEnv *env, JNIEnv *jni, jthread thread) {
    (void)thread;
    struct hprof *h = profile_of(env);
    if (h == NULL) return;
    start_live(h, jni, false);
    pass_first_sample(h, jni);
    if (h->options.command != COMMAND_STOP) set_collecting(h, true);
}

static void JNICALL on_vm_death(jvmtiEnv *env, JNIEnv *jni) {
    struct hprof *h = profile_of(env);
    if (h == NULL) return;
    if (h->samples != NULL) samples_stop(h, jni);
    atomic_store(&h->collecting, false);
    if (h->options.doe) write_report(h, jni);
    hprof_lock(h);
    atomic_store(&h->ended, true);
    output_close(h->out);
    h->out = NULL;
    hprof_unlock(h);
}

static void JNICALL on_data_dump_request(jvmtiEnv *env) {
    struct hprof *h = profile_of(env);
    JNIEnv *jni = h != NULL ? hprof_jni(h) : NULL;
    if (jni != NULL) write_report(h, jni);
}

/* Ends the measurement of a callback. */
static void measured(jvmtiEnv *env, struct overhead_mark mark) {
    struct hprof *h = mark.weight > 0 ? profile_of(env) : NULL;
    if (h != NULL) overhead_end(h, mark);
}

/* A thread that starts before the file's beginning is written, in another agent's VMInit, start_live finds. */
static void thread_starts(jvmtiEnv *env, JNIEnv *jni, jthread thread) {
    struct hprof *h = profile_of(env);
    if (h == NULL) return;
    hprof_lock(h);
    struct thread_info *t = h->begun && !atomic_load(&h->ended) ? thread_of(h, jni, thread) : NULL;
    if (t != NULL && h->samples != NULL) samples_thread_start(h, t);
    hprof_unlock(h);
}

static void thread_ends(jvmtiEnv *env) {
    struct hprof *h = profile_of(env);
    if (h == NULL) return;
    hprof_lock(h);
    struct thread_info *t = thread_current(h);
    if (t != NULL && !atomic_load(&h->ended)) {
        if (h->samples != NULL) samples_thread_end(h, t);
        if (h->sites != NULL) sites_thread_end(h, t);
        thread_end(h, t);
    }
    hprof_unlock(h);
}

static void JNICALL on_thread_start(jvmtiEnv *env, JNIEnv *jni, jthread thread) {
    struct overhead_mark mark = overhead_begin();
    thread_starts(env, jni, thread);
    measured(env, mark);
}

static void JNICALL on_thread_end(jvmtiEnv *env, JNIEnv *jni, jthread thread) {
    (void)jni, (void)thread;
    struct overhead_mark mark = overhead_begin();
    thread_ends(env);
    measured(env, mark);
}

static void JNICALL on_allocation(jvmtiEnv *env, JNIEnv *jni, jthread thread, jobject object, jclass klass,
                                  jlong size) {
    struct overhead_mark mark = overhead_begin();
    sites_on_allocation(env, jni, thread, object, klass, size);
    measured(env, mark);
}

static void JNICALL on_contended_enter(jvmtiEnv *env, JNIEnv *jni, jthread thread, jobject object) {
    struct overhead_mark mark = overhead_begin();
    monitors_on_contended_enter(env, jni, thread, object);
    measured(env, mark);
}

static void JNICALL on_contended_entered(jvmtiEnv *env, JNIEnv *jni, jthread thread, jobject object) {
    struct overhead_mark mark = overhead_begin();
    monitors_on_contended_entered(env, jni, thread, object);
    measured(env, mark);
}

/* A thread that prepares a class while a dump is written waits here until that is done: so the class stays, and has no
 * instances yet. */
static void JNICALL on_class_prepare(jvmtiEnv *env, JNIEnv *jni, jthread thread, jclass klass) {
    struct hprof *h = profile_of(env);
    signals_on_class_prepare(env, jni, thread, klass);
    if (h == NULL) return;
    hprof_lock(h);
    hprof_unlock(h);
}

/* ---- start-up ---------------------------------------------------------------------------------------------------- */

static bool add_capabilities(struct hprof *h) {
    const struct options *o = &h->options;
    jvmtiCapabilities wanted;
    memset(&wanted, 0, sizeof wanted);
    wanted.can_tag_objects = wanted.can_get_source_file_name = wanted.can_get_line_numbers = 1;
    if (o->heap & HEAP_SITES) wanted.can_generate_sampled_object_alloc_events = 1;
    if (o->cpu == CPU_SAMPLES) wanted.can_get_thread_cpu_time = 1;
    if (o->cpu == CPU_TIMES || o->cpu == CPU_OLD)
        wanted.can_generate_method_entry_events = wanted.can_generate_method_exit_events = 1;
    if (o->monitor)
        wanted.can_generate_monitor_events = wanted.can_get_monitor_info = wanted.can_get_owned_monitor_info =
            wanted.can_get_current_contended_monitor = 1;
    return hprof_ok(h, (*h->env)->AddCapabilities(h->env, &wanted),
                    "asking the VM for the capabilities that these options need");
}

static bool enable_events(struct hprof *h, bool attached) {
    jvmtiEventCallbacks callbacks;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.VMInit = on_vm_init;
    callbacks.VMDeath = on_vm_death;
    callbacks.DataDumpRequest = on_data_dump_request;
    callbacks.ThreadStart = on_thread_start;
    callbacks.ThreadEnd = on_thread_end;
    callbacks.ClassLoad = signals_on_class_load;
    callbacks.ClassPrepare = on_class_prepare;
    callbacks.SampledObjectAlloc = on_allocation;
    callbacks.MethodEntry = times_on_entry;
    callbacks.MethodExit = times_on_exit;
    callbacks.MonitorContendedEnter = on_contended_enter;
    callbacks.MonitorContendedEntered = on_contended_entered;
    return hprof_ok(h, (*h->env)->SetEventCallbacks(h->env, &callbacks, sizeof callbacks), "SetEventCallbacks") &&
           (attached || set_event(h, true, JVMTI_EVENT_VM_INIT)) && set_event(h, true, JVMTI_EVENT_VM_DEATH) &&
           set_event(h, true, JVMTI_EVENT_DATA_DUMP_REQUEST) && set_event(h, true, JVMTI_EVENT_THREAD_START) &&
           set_event(h, true, JVMTI_EVENT_THREAD_END) && arm_sampling(h, attached);
}

/* The tables' element sizes, and the parts that the options ask for. */
static bool make_parts(struct hprof *h) {
    const struct options *o = &h->options;
    h->classes.known.size = sizeof(struct known *);
    h->traces.methods.size = sizeof(struct method_info);
    h->traces.raw.size = sizeof(uint32_t);
    h->traces.frames.size = sizeof(struct frame_info);
    h->traces.all.size = sizeof(struct trace);
    h->next_object = KNOWN_MAX;
    return (!(o->heap & HEAP_SITES) || sites_start(h)) && (o->cpu != CPU_SAMPLES || samples_start(h)) &&
           ((o->cpu != CPU_TIMES && o->cpu != CPU_OLD) || times_start(h)) && (!o->monitor || monitors_start(h));
}

static void profile_free(struct hprof *h) {
    output_close(h->out);
    if (h->env != NULL) (*h->env)->DisposeEnvironment(h->env);
    sites_free(h);
    samples_free(h);
    times_free(h);
    monitors_free(h);
    pthread_mutex_destroy(&h->lock);
    options_free(&h->options);
    free(h);
}

/* A profile that is ready for its environment; NULL: failed, reported. Takes the options over. */
static struct hprof *profile_new(JavaVM *vm, struct options *options) {
    static _Atomic uint32_t last_number;
    struct hprof *h = calloc(1, sizeof *h);
    if (h == NULL) {
        fprintf(stderr, "hprof: out of memory\n");
        options_free(options);
        return NULL;
    }
    h->number = atomic_fetch_add(&last_number, 1) + 1;
    h->vm = vm;
    h->options = *options;
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&h->lock, &kind);
    pthread_mutexattr_destroy(&kind);
    if (make_parts(h)) return h;
    fprintf(stderr, "hprof: out of memory\n");
    profile_free(h);
    return NULL;
}

/* Our VM's extension functions; NULL where they are not offered. */
static void find_extensions(struct hprof *h, jvmtiExtensionFunction *set_filters) {
    jint count = 0;
    jvmtiExtensionFunctionInfo *list = NULL;
    h->call_trace = h->follow_objects = *set_filters = NULL;
    if ((*h->env)->GetExtensionFunctions(h->env, &count, &list) != JVMTI_ERROR_NONE) return;
    for (jint i = 0; i < count; i++) {
        if (strcmp(list[i].id, "vitrine.functions.GetCallTrace") == 0) h->call_trace = list[i].func;
        if (strcmp(list[i].id, "vitrine.functions.FollowObjects") == 0) h->follow_objects = list[i].func;
        if (strcmp(list[i].id, "vitrine.functions.SetEventFilters") == 0) *set_filters = list[i].func;
        for (jint p = 0; p < list[i].param_count; p++) hprof_free(h, list[i].params[p].name);
        hprof_free(h, list[i].id);
        hprof_free(h, list[i].short_description);
        hprof_free(h, list[i].params);
        hprof_free(h, list[i].errors);
    }
    hprof_free(h, list);
}

/* Makes the environment that keeps the profile until the VM ends. */
static bool install(struct hprof *h, bool attached) {
    jint code = (*h->vm)->GetEnv(h->vm, (void **)&h->env, JVMTI_VERSION_11);
    if (code != JNI_OK) {
        h->env = NULL;
        fprintf(stderr, "hprof: the VM offers no JVM TI environment (%d)\n", (int)code);
        return false;
    }
    static const vitrineEventFilters filters = {times_ask_entry, times_ask_exit, sites_ask_allocation};
    jvmtiExtensionFunction set_filters;
    find_extensions(h, &set_filters);
    return (set_filters == NULL || hprof_ok(h, set_filters(h->env, &filters), "SetEventFilters")) &&
           add_capabilities(h) &&
           hprof_ok(h, (*h->env)->SetEnvironmentLocalStorage(h->env, h), "SetEnvironmentLocalStorage") &&
           enable_events(h, attached);
}

/* A profile that runs. An output that cannot be opened was reported: with the VM, the profile runs without (HP-085);
 * attached, there is none, so that another can be tried. NULL: failed, reported. */
static struct hprof *profile_start(JavaVM *vm, struct options *options, bool attached) {
    struct hprof *h = profile_new(vm, options);
    if (h == NULL) return NULL;
    if (attached) h->out = output_open(&h->options);
    if ((attached && h->out == NULL) || !install(h, attached)) {
        profile_free(h);
        return NULL;
    }
    if (!attached) h->out = output_open(&h->options);
    overhead_start(h);
    return h;
}

static bool read_options(struct options *o, const char *text) {
    char error[512];
    if (options_parse(o, text, error, sizeof error)) return true;
    fprintf(stderr, "hprof: %s\n\n%s", error, options_usage);
    options_free(o);
    return false;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *text, void *reserved) {
    (void)reserved;
    struct options o;
    if (!read_options(&o, text)) return JNI_ERR;
    if (o.help) {
        fputs(options_usage, stdout);
        options_free(&o);
        exit(0);
    }
    if (o.command == COMMAND_DUMP) {
        fprintf(stderr, "hprof: bad option 'dump': it is for a library that is attached\n\n%s", options_usage);
        options_free(&o);
        return JNI_ERR;
    }
    if (atomic_load(&active) != NULL) {
        fprintf(stderr, "hprof: it runs already, and can run once only\n");
        options_free(&o);
        return JNI_ERR;
    }
    struct hprof *h = profile_start(vm, &o, false);
    atomic_store(&active, h);
    return h != NULL ? JNI_OK : JNI_ERR;
}

/* What start, stop and dump mean to a profile that runs. */
static bool obey(struct hprof *h, enum command command) {
    JNIEnv *jni = hprof_jni(h);
    if (jni == NULL) return false;
    if (command == COMMAND_DUMP) write_report(h, jni);
    else return set_collecting(h, command == COMMAND_START);
    return h->out != NULL && !output_failed(h->out);
}

/* Writes what a running profile has collected to a place of its own. */
static bool copy(struct hprof *h, const struct options *o) {
    JNIEnv *jni = hprof_jni(h);
    struct output *out = jni != NULL ? output_open(o) : NULL;
    if (out == NULL) return false;
    if (h->samples != NULL) samples_gather(h, jni);
    hprof_lock(h);
    if (h->sites != NULL) sites_gather(h);
    bool ok = !atomic_load(&h->ended);
    if (ok) stacks_write(h, jni, o->form, out);
    output_flush(out);
    ok = ok && !output_failed(out);
    output_close(out);
    hprof_unlock(h);
    return ok;
}

/* Attached for the first time: begins to collect; with heap=dump alone, or the word dump, writes at once. */
static bool begin_attached(JavaVM *vm, struct options *o) {
    enum command command = o->command;
    bool only_dump = o->heap == HEAP_DUMP && o->cpu == CPU_OFF && !o->monitor;
    if (command == COMMAND_STOP) {
        fprintf(stderr, "hprof: there is nothing to stop\n");
        options_free(o);
        return false;
    }
    struct hprof *h = profile_start(vm, o, true);
    if (h == NULL) return false;
    atomic_store(&active, h);
    JNIEnv *jni = hprof_jni(h);
    if (jni == NULL) return false;
    start_live(h, jni, true);
    if (!set_collecting(h, true)) return false;
    if (command == COMMAND_DUMP || only_dump) write_report(h, jni);
    return h->out != NULL && !output_failed(h->out);
}

JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *text, void *reserved) {
    (void)reserved;
    struct options o;
    if (!read_options(&o, text)) return JNI_ERR;
    if (o.help) {
        bool ok = fputs(options_usage, stdout) >= 0 && fflush(stdout) == 0;
        options_free(&o);
        return ok ? JNI_OK : JNI_ERR;
    }
    pthread_mutex_lock(&start_lock);
    struct hprof *h = atomic_load(&active);
    bool ok;
    if (h == NULL) {
        ok = begin_attached(vm, &o);
    } else if (o.only_command || o.only_copy) {
        ok = o.only_copy ? copy(h, &o) : obey(h, o.command);
        options_free(&o);
    } else {
        fprintf(stderr, "hprof: it runs already: attach with start, stop or dump, or dump with format=collapsed, pprof "
                        "or html and file= or net=\n");
        options_free(&o);
        ok = false;
    }
    pthread_mutex_unlock(&start_lock);
    return ok ? JNI_OK : JNI_ERR;
}

/* The VM has ended and its environments are gone; another VM may follow in this process. */
JNIEXPORT void JNICALL Agent_OnUnload(JavaVM *vm) {
    (void)vm;
    atomic_store(&active, NULL);
}
