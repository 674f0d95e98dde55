/* calltrace.c: AsyncGetCallTrace from a signal handler. Options:
 *   sync     a signal at known places: every frame is printed
 *   sample   a CPU-time timer while CallTrace runs: what the samples say of the hot method is printed
 *   stress   the timer, and a thread that signals all threads of the process all the time; says at the end what was
 * impossible The last two count; a line is printed only for what holds in every run. */
#include "agent_support.h"

#include <vitrine.h>

#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

enum { MAX_FRAMES = 512, LOWEST_CODE = -10 };

static AsyncGetCallTrace_t trace_function;
static jvmtiExtensionFunction extension;          /* vitrine.functions.GetCallTrace; NULL elsewhere                  */
static jmethodID hot_id, main_id;
static int stress;

/* A handler must not be the first to touch thread-local memory that is made when first touched. */
#define HANDLER_LOCAL static __thread __attribute__((tls_model("initial-exec")))
HANDLER_LOCAL int is_main;                        /* the thread that runs CallTrace.main                             */
HANDLER_LOCAL ASGCT_CallTrace *volatile asked;    /* sync: where the answer goes, and for how many frames            */
HANDLER_LOCAL volatile int asked_depth;
static int (*volatile send)(int) = raise;         /* raise itself is declared as one that calls nothing of ours      */

static atomic_long codes[1 - LOWEST_CODE], traces, main_traces, hot_on_top, hot_in_loop, other_at_bottom, impossible,
    disagreements;
static jlocation loop_start, loop_end;

/* ---- the handler ------------------------------------------------------------------------------------------------- */

static JNIEnv *own_env(void) {
    JNIEnv *env = NULL;
    return (*the_vm)->GetEnv(the_vm, (void **)&env, JNI_VERSION_1_6) == JNI_OK ? env : NULL;
}

static void compare_with_extension(const ASGCT_CallTrace *trace, void *context) {
    vitrineCallFrame frames[MAX_FRAMES];
    jint count = -1;
    int same = extension(jvmti, context, (jint)MAX_FRAMES, frames, &count) == JVMTI_ERROR_NONE &&
               count == trace->num_frames;
    for (jint i = 0; same && i < count; i++) {
        int native = trace->frames[i].lineno == ASGCT_NATIVE_FRAME;
        same = frames[i].method == trace->frames[i].method_id &&
               frames[i].location == (native ? -1 : trace->frames[i].lineno) &&
               native == (frames[i].kind == VITRINE_FRAME_NATIVE) && frames[i].kind >= VITRINE_FRAME_INTERPRETED &&
               frames[i].kind <= VITRINE_FRAME_INLINED && frames[i].reserved == 0;
    }
    if (!same) atomic_fetch_add(&disagreements, 1);
}

static void count_trace(const ASGCT_CallTrace *trace) {
    const ASGCT_CallFrame *f = trace->frames;
    jint n = trace->num_frames;
    for (jint i = 0; i < n; i++)
        if (f[i].method_id == NULL || f[i].lineno < -3 || f[i].lineno > 65535) atomic_fetch_add(&impossible, 1);
    atomic_fetch_add(&traces, 1);
    if (!is_main) return;
    atomic_fetch_add(&main_traces, 1);
    if (f[n - 1].method_id != main_id) atomic_fetch_add(&other_at_bottom, 1);
    if (f[0].method_id != hot_id) return;
    atomic_fetch_add(&hot_on_top, 1);
    if (f[0].lineno >= loop_start && f[0].lineno < loop_end) atomic_fetch_add(&hot_in_loop, 1);
}

static void count_sample(void *context) {
    ASGCT_CallFrame frames[MAX_FRAMES];
    ASGCT_CallTrace trace = {own_env(), -100, frames};
    trace_function(&trace, MAX_FRAMES, context);
    if (trace.num_frames < LOWEST_CODE || trace.num_frames > MAX_FRAMES) atomic_fetch_add(&impossible, 1);
    else if (trace.num_frames <= 0) atomic_fetch_add(&codes[-trace.num_frames], 1);
    else count_trace(&trace);
    if (extension && trace.num_frames >= 0 && trace.num_frames < MAX_FRAMES) compare_with_extension(&trace, context);
}

static void on_signal(int number, siginfo_t *info, void *context) {
    (void)number, (void)info;
    ASGCT_CallTrace *here = asked;
    if (here == NULL) {
        count_sample(context);
        return;
    }
    here->env_id = own_env();
    trace_function(here, asked_depth, context);
}

/* ---- sync -------------------------------------------------------------------------------------------------------- */

static void print_frame(const ASGCT_CallFrame *f) {
    jclass c;
    char *name, text[256];
    if (!ok((*jvmti)->GetMethodDeclaringClass(jvmti, f->method_id, &c), "GetMethodDeclaringClass")) return;
    if (!ok((*jvmti)->GetMethodName(jvmti, f->method_id, &name, NULL, NULL), "GetMethodName")) return;
    say("    %s.%s at %d", class_text(c, text, sizeof text), name, (int)f->lineno);
    release(name);
}

static void trace_to(ASGCT_CallTrace *answer, const char *label, int depth) {
    asked_depth = depth;
    asked = answer;
    send(SIGPROF);
    asked = NULL;
    say("%s: %d", label, (int)answer->num_frames);
    for (jint i = 0; i < answer->num_frames; i++) print_frame(&answer->frames[i]);
}

static void trace_here(const char *label) {
    ASGCT_CallFrame frames[MAX_FRAMES];
    ASGCT_CallTrace answer = {NULL, -100, frames};
    trace_to(&answer, label, MAX_FRAMES);
}

/* GetStackTrace must see the same. */
static void compare_with_stack_trace(const ASGCT_CallTrace *answer) {
    jvmtiFrameInfo info[MAX_FRAMES];
    jint count = 0;
    ok((*jvmti)->GetStackTrace(jvmti, NULL, 0, MAX_FRAMES, info, &count), "GetStackTrace");
    if (answer->num_frames < count) count = answer->num_frames;
    for (jint i = 0; i < count; i++) {
        jint expected = info[i].location == -1 ? -3 : (jint)info[i].location;
        if (info[i].method != answer->frames[i].method_id || expected != answer->frames[i].lineno)
            say("FAILED: frame %d differs", (int)i);
    }
}

JNIEXPORT void JNICALL Java_CallTrace_here(JNIEnv *env, jclass c, jstring label, jint depth) {
    (void)c;
    const char *text = (*env)->GetStringUTFChars(env, label, NULL);
    ASGCT_CallFrame frames[MAX_FRAMES];
    ASGCT_CallTrace answer = {NULL, -100, frames};
    trace_to(&answer, text, depth);
    compare_with_stack_trace(&answer);
    (*env)->ReleaseStringUTFChars(env, label, text);
}

static void *run_foreign(void *unused) {
    (void)unused;
    JNIEnv *env;
    trace_here("unattached");
    if ((*the_vm)->AttachCurrentThread(the_vm, (void **)&env, NULL) != JNI_OK) say("FAILED AttachCurrentThread");
    trace_here("attached");
    jclass c = (*env)->FindClass(env, "CallTrace");
    (*env)->CallStaticVoidMethod(env, c, (*env)->GetStaticMethodID(env, c, "called", "()V"));
    trace_here("attached, after a call");
    (*the_vm)->DetachCurrentThread(the_vm);
    trace_here("detached");
    return NULL;
}

/* The Java thread waits in native code: only one thread prints at a time. */
JNIEXPORT void JNICALL Java_CallTrace_foreign(JNIEnv *env, jclass c) {
    (void)env, (void)c;
    pthread_t thread;
    if (pthread_create(&thread, NULL, run_foreign, NULL) != 0) say("FAILED pthread_create");
    else pthread_join(thread, NULL);
}

static int is_watched(jthread thread) {
    char text[64];
    return strcmp(thread_text(thread, text, sizeof text), "watched") == 0;
}

static void JNICALL thread_start(jvmtiEnv *env, JNIEnv *jni, jthread thread) {
    (void)env, (void)jni;
    if (is_watched(thread)) trace_here("ThreadStart");
}

static void JNICALL thread_end(jvmtiEnv *env, JNIEnv *jni, jthread thread) {
    (void)env, (void)jni;
    if (is_watched(thread)) trace_here("ThreadEnd");
}

/* ---- sample and stress ------------------------------------------------------------------------------------------- */

static pthread_t signaller;
static atomic_int signalling;

/* Signals every thread of the process, one after the other, until it is told to stop. */
static void *signal_all(void *unused) {
    (void)unused;
    sigset_t profiling;
    sigemptyset(&profiling);
    sigaddset(&profiling, SIGPROF);
    pthread_sigmask(SIG_BLOCK, &profiling, NULL);
    pid_t self = (pid_t)syscall(SYS_gettid), process = getpid();
    while (atomic_load(&signalling)) {
        DIR *tasks = opendir("/proc/self/task");
        for (struct dirent *d; tasks && (d = readdir(tasks));) {
            pid_t tid = (pid_t)atoi(d->d_name);
            if (tid > 0 && tid != self) syscall(SYS_tgkill, process, tid, SIGPROF);
        }
        if (tasks) closedir(tasks);
        usleep(300);
    }
    return NULL;
}

static void start_sampling(void) {
    struct itimerval every_millisecond = {{0, 1000}, {0, 1000}};
    setitimer(ITIMER_PROF, &every_millisecond, NULL);
    if (!stress || atomic_exchange(&signalling, 1)) return;
    if (pthread_create(&signaller, NULL, signal_all, NULL) != 0) say("FAILED pthread_create");
}

static void stop_sampling(void) {
    struct itimerval never = {{0, 0}, {0, 0}};
    setitimer(ITIMER_PROF, &never, NULL);
}

/* hot(int) and the part of it that the loop is: from the first line to the line behind the loop, as marked by the
 * source. */
static void find_methods(jclass c) {
    jint count, lines;
    jmethodID *methods;
    if (!ok((*jvmti)->GetClassMethods(jvmti, c, &count, &methods), "GetClassMethods")) return;
    for (jint i = 0; i < count; i++) {
        char *name;
        if (!ok((*jvmti)->GetMethodName(jvmti, methods[i], &name, NULL, NULL), "GetMethodName")) continue;
        if (strcmp(name, "main") == 0) main_id = methods[i];
        if (strcmp(name, "hot") == 0) {
            jvmtiLineNumberEntry *table;
            hot_id = methods[i];
            if (ok((*jvmti)->GetLineNumberTable(jvmti, hot_id, &lines, &table), "GetLineNumberTable")) {
                loop_start = table[1].start_location;
                loop_end = table[lines - 1].start_location;
                release(table);
            }
        }
        release(name);
    }
    release(methods);
}

JNIEXPORT void JNICALL Java_CallTrace_start(JNIEnv *env, jclass c) {
    (void)env;
    find_methods(c);
    is_main = 1;
    start_sampling();
}

/* Has the main thread been seen often enough? */
JNIEXPORT jboolean JNICALL Java_CallTrace_enough(JNIEnv *env, jclass c) {
    (void)env, (void)c;
    return atomic_load(&main_traces) >= 200;
}

JNIEXPORT jboolean JNICALL Java_CallTrace_collectionSeen(JNIEnv *env, jclass c) {
    (void)env, (void)c;
    return atomic_load(&codes[-ASGCT_GC_ACTIVE]) > 0;
}

JNIEXPORT void JNICALL Java_CallTrace_stop(JNIEnv *env, jclass c) {
    (void)env, (void)c;
    stop_sampling();
    long all = atomic_load(&main_traces);
    say("the hot method is on top: %s", atomic_load(&hot_on_top) > all * 3 / 4 ? "yes" : "NO");
    say("most of the time in its loop: %s",
        atomic_load(&hot_in_loop) > atomic_load(&hot_on_top) * 3 / 4 ? "yes" : "NO");
    say("main is at the bottom: %s", atomic_load(&other_at_bottom) == 0 ? "yes" : "NO");
}

static void JNICALL vm_death(jvmtiEnv *env, JNIEnv *jni) {
    (void)env, (void)jni;
    stop_sampling();
    if (atomic_load(&impossible) != 0) say("FAILED: %ld impossible results", atomic_load(&impossible));
    if (atomic_load(&disagreements) != 0)
        say("FAILED: the extension function says something else %ld times", atomic_load(&disagreements));
    if (!extension) return;
    for (int code = 1; code <= -LOWEST_CODE; code++)
        if (code != -ASGCT_GC_ACTIVE && code != -ASGCT_THREAD_EXIT && atomic_load(&codes[code]) != 0)
            say("FAILED: code %d, %ld times", -code, atomic_load(&codes[code]));
    if (stress && atomic_load(&traces) == 0) say("FAILED: no trace at all");
}

/* HotSpot has ids only for methods that somebody has asked for. */
static void make_ids(jclass c) {
    jint count;
    jmethodID *methods;
    if ((*jvmti)->GetClassMethods(jvmti, c, &count, &methods) == JVMTI_ERROR_NONE) release(methods);
}

static void JNICALL class_load(jvmtiEnv *env, JNIEnv *jni, jthread thread, jclass c) {
    (void)env, (void)jni, (void)thread, (void)c;
}

static void JNICALL class_prepare(jvmtiEnv *env, JNIEnv *jni, jthread thread, jclass c) {
    (void)env, (void)jni, (void)thread;
    make_ids(c);
}

static void JNICALL vm_init(jvmtiEnv *env, JNIEnv *jni, jthread thread) {
    (void)env, (void)thread;
    jint count;
    jclass *classes;
    if (!ok((*jvmti)->GetLoadedClasses(jvmti, &count, &classes), "GetLoadedClasses")) return;
    for (jint i = 0; i < count; i++) {
        make_ids(classes[i]);
        (*jni)->DeleteLocalRef(jni, classes[i]);
    }
    release(classes);
    if (stress) start_sampling();
}

/* ---- start ------------------------------------------------------------------------------------------------------- */

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)reserved;
    if (attach_jvmti(vm) != JNI_OK) return JNI_ERR;
    int sync = strcmp(options, "sync") == 0;
    stress = strcmp(options, "stress") == 0;
    trace_function = (AsyncGetCallTrace_t)dlsym(RTLD_DEFAULT, "AsyncGetCallTrace");
    if (!trace_function) return JNI_ERR;
    extension = extension_function("vitrine.functions.GetCallTrace");
    jvmtiCapabilities capabilities = {.can_get_line_numbers = 1};
    ok((*jvmti)->AddCapabilities(jvmti, &capabilities), "AddCapabilities");
    jvmtiEventCallbacks callbacks = {.VMInit = vm_init,
                                     .VMDeath = vm_death,
                                     .ClassLoad = class_load,
                                     .ClassPrepare = class_prepare};
    if (sync) {
        callbacks.ThreadStart = thread_start;
        callbacks.ThreadEnd = thread_end;
    }
    ok((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks), "SetEventCallbacks");
    enable(JVMTI_EVENT_VM_INIT);
    enable(JVMTI_EVENT_VM_DEATH);
    enable(JVMTI_EVENT_CLASS_LOAD);
    enable(JVMTI_EVENT_CLASS_PREPARE);
    if (sync) {
        enable(JVMTI_EVENT_THREAD_START);
        enable(JVMTI_EVENT_THREAD_END);
    }
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
    sigaction(SIGPROF, &action, NULL);
    return JNI_OK;
}

/* No signal comes behind this; a handler may still run. */
JNIEXPORT void JNICALL Agent_OnUnload(JavaVM *vm) {
    (void)vm;
    stop_sampling();
    if (atomic_exchange(&signalling, 0)) pthread_join(signaller, NULL);
    signal(SIGPROF, SIG_IGN);
}
