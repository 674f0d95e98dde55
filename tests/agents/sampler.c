/* sampler.c: finds threads and their stacks as profilers do that look for "the VM's thread": Thread.eetop leads to it,
 * one pthread key holds it, and from there the JNIEnv* is equally far in all threads. Option: one of itimer   a timer
 * of processor time signals threads that run wall     an attached thread signals all threads of the process, over and
 * over alloc    SampledObjectAlloc lock     MonitorContendedEnter and -Entered, and a function of its own in front of
 * Unsafe.park Each sample asks AsyncGetCallTrace. Sampled runs until the agent has seen what it waits for. */
#include "agent_support.h"

#include <vitrine.h>

#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

enum { FRAMES = 128, KEYS = 1024, FIRST_WORDS = 12, ENOUGH = 20, ENOUGH_LOCKS = 3 };

static const char *mode;
static AsyncGetCallTrace_t trace_function;
static int key = -1;                              /* of pthread's, that holds the VM's thread                         */
static intptr_t env_offset;                       /* of a JNIEnv* from the VM's thread                                */
static const void *first_words[FIRST_WORDS];      /* of what the first word of the VM's thread points to              */
static jmethodID awaited[2];                      /* Sampled.work, Sampled.idle                                       */
static atomic_long seen[2], foreign, wrong;       /* samples with those methods; on other threads; impossible         */
static atomic_long entered, parked;
static atomic_int stopped;

/* ---- the bridge -------------------------------------------------------------------------------------------------- */

static void build_bridge(JNIEnv *jni) {
    jthread thread;
    ok((*jvmti)->GetCurrentThread(jvmti, &thread), "GetCurrentThread");
    jfieldID eetop = (*jni)->GetFieldID(jni, (*jni)->GetObjectClass(jni, thread), "eetop", "J");
    const char *vm_thread = (const char *)(intptr_t)(*jni)->GetLongField(jni, thread, eetop);
    env_offset = (const char *)jni - vm_thread;
    memcpy(first_words, *(void *const *)vm_thread, sizeof first_words);
    for (int i = 0; i < KEYS && key < 0; i++)
        if (pthread_getspecific((pthread_key_t)i) == vm_thread) key = i;
    say("bridge: %s", key >= 0 ? "found" : "NONE");
}

/* The calling thread's JNIEnv*, NULL if it is no Java thread. */
static JNIEnv *bridge_env(void) {
    const char *vm_thread = key >= 0 ? pthread_getspecific((pthread_key_t)key) : NULL;
    if (!vm_thread) return NULL;
    const void *const *words = *(const void *const *const *)vm_thread;
    if ((words[1] == first_words[1]) + (words[3] == first_words[3]) + (words[5] == first_words[5]) < 2) return NULL;
    JNIEnv *env = (JNIEnv *)(intptr_t)(vm_thread + env_offset), *own = NULL;
    if ((*the_vm)->GetEnv(the_vm, (void **)&own, JNI_VERSION_1_6) != JNI_OK || env != own) atomic_fetch_add(&wrong, 1);
    return env;
}

/* Which awaited method is on the stack; -1: none. */
static int sample(void *context) {
    ASGCT_CallFrame frames[FRAMES];
    ASGCT_CallTrace trace = {bridge_env(), 0, frames};
    if (!trace.env_id) {
        atomic_fetch_add(&foreign, 1);
        return -1;
    }
    trace_function(&trace, FRAMES, context);
    int found = -1;
    for (jint i = 0; i < trace.num_frames; i++)
        for (int k = 0; k < 2; k++)
            if (frames[i].method_id && frames[i].method_id == awaited[k]) found = k;
    if (found >= 0) atomic_fetch_add(&seen[found], 1);
    return found;
}

static void on_signal(int signal, siginfo_t *info, void *context) {
    (void)signal, (void)info;
    if (!atomic_load(&stopped)) sample(context);
}

/* ---- what samples ------------------------------------------------------------------------------------------------ */

static void handle(int signal) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigaction(signal, &action, NULL);
}

static void start_itimer(void) {
    handle(SIGPROF);
    struct itimerval every = {{0, 1000}, {0, 1000}};
    setitimer(ITIMER_PROF, &every, NULL);
}

/* It attaches while VMInit is being delivered, which waits for that. */
static atomic_int attached;
static void *signal_all(void *unused) {
    JNIEnv *env;
    JavaVMAttachArgs args = {JNI_VERSION_1_6, (char *)"sampler", NULL};
    jint r = (*the_vm)->AttachCurrentThreadAsDaemon(the_vm, (void **)&env, &args);
    atomic_store(&attached, r == JNI_OK ? 1 : 2);
    pid_t self = (pid_t)syscall(SYS_gettid);
    while (r == JNI_OK && !atomic_load(&stopped)) {
        DIR *tasks = opendir("/proc/self/task");
        for (struct dirent *e; tasks && (e = readdir(tasks));)
            if (atoi(e->d_name) > 0 && atoi(e->d_name) != self)
                syscall(SYS_tgkill, getpid(), atoi(e->d_name), SIGVTALRM);
        if (tasks) closedir(tasks);
        usleep(5000);
    }
    if (r == JNI_OK) (*the_vm)->DetachCurrentThread(the_vm);
    return unused;
}

static pthread_t signaller;
static void start_wall(void) {
    handle(SIGVTALRM);
    pthread_create(&signaller, NULL, signal_all, NULL);
    while (atomic_load(&attached) == 0) usleep(100);
    say("attached during VMInit: %s", atomic_load(&attached) == 1 ? "yes" : "NO");
}

static void JNICALL on_sampled_alloc(jvmtiEnv *env, JNIEnv *jni, jthread thread, jobject object, jclass klass,
                                     jlong size) {
    (void)jni, (void)thread, (void)object, (void)klass;
    if (size <= 0) atomic_fetch_add(&wrong, 1);
    if (atomic_load(&stopped) || sample(NULL) < 0) return;
    jvmtiFrameInfo frames[FRAMES];
    jint count = 0, found = 0;
    ok((*env)->GetStackTrace(env, NULL, 0, FRAMES, frames, &count), "GetStackTrace");
    for (jint i = 0; i < count; i++) found |= frames[i].method == awaited[0] || frames[i].method == awaited[1];
    if (!found) atomic_fetch_add(&wrong, 1);
}

static void start_alloc(void) {
    ok((*jvmti)->SetHeapSamplingInterval(jvmti, 4096), "SetHeapSamplingInterval");
    ok((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, NULL),
       "SampledObjectAlloc");
}

static int is_of(JNIEnv *jni, jobject object, const char *prefix) {
    char name[200];
    return strncmp(class_text((*jni)->GetObjectClass(jni, object), name, sizeof name), prefix, strlen(prefix)) == 0;
}

static __thread int entering;
static void JNICALL on_enter(jvmtiEnv *env, JNIEnv *jni, jthread thread, jobject object) {
    (void)env, (void)thread;
    entering = is_of(jni, object, "LSampled$Lock;");
}

static void JNICALL on_entered(jvmtiEnv *env, JNIEnv *jni, jthread thread, jobject object) {
    (void)env, (void)thread;
    if (is_of(jni, object, "LSampled$Lock;") && entering && sample(NULL) == 0) atomic_fetch_add(&entered, 1);
    entering = 0;
}

/* ---- park -------------------------------------------------------------------------------------------------------- */

typedef void(JNICALL *park_function)(JNIEnv *env, jobject unsafe, jboolean absolute, jlong time);
static park_function vm_park;
static jclass unsafe_class;
static jfieldID park_blocker;

static jint JNICALL see_registration(JNIEnv *env, jclass c, const JNINativeMethod *methods, jint count) {
    for (jint i = 0; i < count && (*env)->IsSameObject(env, c, unsafe_class); i++)
        if (strcmp(methods[i].name, "park") == 0 && strcmp(methods[i].signature, "(ZJ)V") == 0)
            vm_park = (park_function)methods[i].fnPtr;
    return JNI_OK;
}

static void JNICALL park(JNIEnv *env, jobject unsafe, jboolean absolute, jlong time) {
    jthread thread;
    (*jvmti)->GetCurrentThread(jvmti, &thread);
    jobject blocker = (*env)->GetObjectField(env, thread, park_blocker);
    int is_lock = blocker && is_of(env, blocker, "Ljava/util/concurrent/locks/ReentrantLock$");
    vm_park(env, unsafe, absolute, time);
    if (is_lock && !atomic_load(&stopped) && sample(NULL) == 0) atomic_fetch_add(&parked, 1);
}

static void replace_park(JNIEnv *jni) {
    unsafe_class = (*jni)->NewGlobalRef(jni, (*jni)->FindClass(jni, "jdk/internal/misc/Unsafe"));
    park_blocker = (*jni)->GetFieldID(jni, (*jni)->FindClass(jni, "java/lang/Thread"), "parkBlocker",
                                      "Ljava/lang/Object;");
    jmethodID register_natives = (*jni)->GetStaticMethodID(jni, unsafe_class, "registerNatives", "()V");
    jniNativeInterface *table;
    ok((*jvmti)->GetJNIFunctionTable(jvmti, &table), "GetJNIFunctionTable");
    jint(JNICALL * original)(JNIEnv *, jclass, const JNINativeMethod *, jint) = table->RegisterNatives;
    table->RegisterNatives = see_registration;
    ok((*jvmti)->SetJNIFunctionTable(jvmti, table), "SetJNIFunctionTable");
    (*jni)->CallStaticVoidMethod(jni, unsafe_class, register_natives);
    table->RegisterNatives = original;
    ok((*jvmti)->SetJNIFunctionTable(jvmti, table), "SetJNIFunctionTable");
    release(table);
    say("the VM's park: %s", vm_park ? "found" : "NONE");
    const JNINativeMethod own = {(char *)"park", (char *)"(ZJ)V", (void *)park};
    if (vm_park) say("park replaced: %d", (*jni)->RegisterNatives(jni, unsafe_class, &own, 1));
}

static void start_lock(JNIEnv *jni) {
    ok((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_MONITOR_CONTENDED_ENTER, NULL),
       "MonitorContendedEnter");
    ok((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_MONITOR_CONTENDED_ENTERED, NULL),
       "MonitorContendedEntered");
    replace_park(jni);
}

/* ---- the program's questions, start and end ---------------------------------------------------------------------- */

static jboolean JNICALL enough(JNIEnv *jni, jclass c, jint what) {
    (void)jni, (void)c;
    if (what == 2) return atomic_load(&entered) >= ENOUGH_LOCKS;
    if (what == 3) return atomic_load(&parked) >= ENOUGH_LOCKS;
    return atomic_load(&seen[what]) >= ENOUGH;
}

static void JNICALL finish(JNIEnv *jni, jclass c) {
    (void)jni, (void)c;
    atomic_store(&stopped, 1);
    if (strcmp(mode, "itimer") == 0) setitimer(ITIMER_PROF, &(struct itimerval){{0, 0}, {0, 0}}, NULL);
    if (strcmp(mode, "wall") == 0) pthread_join(signaller, NULL);
    say("impossible: %ld", atomic_load(&wrong));
}

/* The library's methods, for Sampled, once it is loaded. */
static void JNICALL begin(JNIEnv *jni, jclass c) {
    awaited[0] = (*jni)->GetStaticMethodID(jni, c, "work", "(Ljava/lang/String;)V");
    awaited[1] = (*jni)->GetStaticMethodID(jni, c, "idle", "()V");
}

/* AsyncGetCallTrace answers on HotSpot only where this event is wanted, and knows the methods whose ids somebody has
 * asked for. */
static void JNICALL on_class_load(jvmtiEnv *env, JNIEnv *jni, jthread thread, jclass c) {
    (void)env, (void)jni, (void)thread, (void)c;
}

static void JNICALL on_class_prepare(jvmtiEnv *env, JNIEnv *jni, jthread thread, jclass c) {
    static const JNINativeMethod methods[] = {
        {(char *)"begin", (char *)"()V", (void *)begin},
        {(char *)"enough", (char *)"(I)Z", (void *)enough},
        {(char *)"finish", (char *)"()V", (void *)finish},
    };
    char name[200];
    jint count;
    jmethodID *ids;
    (void)thread;
    if ((*env)->GetClassMethods(env, c, &count, &ids) == JVMTI_ERROR_NONE) release(ids);
    if (strcmp(class_text(c, name, sizeof name), "LSampled;") == 0)
        (*jni)->RegisterNatives(jni, c, methods, sizeof methods / sizeof *methods);
}

static void JNICALL on_vm_init(jvmtiEnv *env, JNIEnv *jni, jthread thread) {
    (void)env, (void)thread;
    build_bridge(jni);
    if (strcmp(mode, "itimer") == 0) start_itimer();
    if (strcmp(mode, "wall") == 0) start_wall();
    if (strcmp(mode, "alloc") == 0) start_alloc();
    if (strcmp(mode, "lock") == 0) start_lock(jni);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)reserved;
    if (attach_jvmti(vm) != JNI_OK) return JNI_ERR;
    mode = strdup(options ? options : "");
    trace_function = (AsyncGetCallTrace_t)dlsym(RTLD_DEFAULT, "AsyncGetCallTrace");
    if (!trace_function) return JNI_ERR;
    jvmtiCapabilities wanted;
    memset(&wanted, 0, sizeof wanted);
    wanted.can_generate_monitor_events = 1;
    wanted.can_generate_sampled_object_alloc_events = 1;
    ok((*jvmti)->AddCapabilities(jvmti, &wanted), "AddCapabilities");
    jvmtiEventCallbacks callbacks;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.VMInit = on_vm_init;
    callbacks.ClassLoad = on_class_load;
    callbacks.ClassPrepare = on_class_prepare;
    callbacks.SampledObjectAlloc = on_sampled_alloc;
    callbacks.MonitorContendedEnter = on_enter;
    callbacks.MonitorContendedEntered = on_entered;
    ok((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks), "SetEventCallbacks");
    ok((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL), "VMInit");
    ok((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_LOAD, NULL), "ClassLoad");
    ok((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_PREPARE, NULL), "ClassPrepare");
    return JNI_OK;
}
