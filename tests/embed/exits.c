/* exits.c: threads that end while they are attached, and daemon threads in raw monitors, do not keep a VM from its end.
 * Usage: exits <libjvm.so> <class path> <cycles> <what> <VM option>...
 * what: "own", the program's own destructor detaches; "all", threads that nobody detaches too; "raw", raw monitors. The
 * specification asks a thread to detach before it ends (IA-035); HotSpot counts one that does not as alive for ever,
 * and its DestroyJavaVM never returns. */
#include <dlfcn.h>
#include <jni.h>
#include <jvmti.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { OPTIONS = 16 };

static JavaVM *vm;
static jclass program;
static jobject monitor;                  /* what the threads hold when they end                                   */
static jobject ending;                   /* the Thread of the one that ends                                       */
static atomic_int ready;                 /* its kernel id, once it is where it shall end                          */
static pthread_key_t own_key;
static jrawMonitorID held, waited;
static jvmtiEnv *ti;

static void announce(void) { atomic_store(&ready, (int)syscall(SYS_gettid)); }

static void await_ready(void) {
    while (atomic_load(&ready) == 0) usleep(100);
}

/* Runs when the C library has unwound the stack of a thread that ends, before the VM knows of the end: overwrites what
 * lay there, and has another thread collect and load classes. */
static pthread_key_t unwound_key;

static void *collect(void *unused) {
    JNIEnv *e = NULL;
    if ((*vm)->AttachCurrentThread(vm, (void **)&e, NULL) != JNI_OK) return unused;
    (*e)->CallStaticVoidMethod(e, program, (*e)->GetStaticMethodID(e, program, "collectAndLoad", "()V"));
    if ((*e)->ExceptionCheck(e)) (*e)->ExceptionDescribe(e);
    (*vm)->DetachCurrentThread(vm);
    return unused;
}

/* The sanitizer still has the frames that were unwound in its shadow: no call that it intercepts, and no check here. */
__attribute__((no_sanitize_address)) static void stack_is_unwound(void *unused) {
    volatile char below[64 << 10];
    (void)unused;
    for (size_t i = 0; i < sizeof below; i++) below[i] = 0x55;
    pthread_t t;
    pthread_create(&t, NULL, collect, NULL);
    pthread_join(t, NULL);
}

/* ---- native methods of Exits ------------------------------------------------------------------------------------- */

static void JNICALL leave(JNIEnv *e, jclass c) {
    (void)e, (void)c;
    pthread_setspecific(unwound_key, vm);
    announce();
    pthread_exit(NULL);
}

/* More arguments than there are registers. */
static void JNICALL leave_with(JNIEnv *e, jclass c, jlong a1, jlong a2, jlong a3, jlong a4, jlong a5, jlong a6,
                               jlong a7, jlong a8, jdouble d) {
    (void)e, (void)c;
    announce();
    if (a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 == 36 && d == 9) pthread_exit(NULL);
}

static void JNICALL stay(JNIEnv *e, jclass c) {
    (void)e, (void)c;
    pthread_setspecific(unwound_key, vm);
    announce();
    for (;;) pause();
}

static void JNICALL enter_held(JNIEnv *e, jclass c) {
    (void)e, (void)c;
    announce();
    (*ti)->RawMonitorEnter(ti, held);
}

static void JNICALL wait_in_waited(JNIEnv *e, jclass c) {
    (void)e, (void)c;
    (*ti)->RawMonitorEnter(ti, waited);
    announce();
    (*ti)->RawMonitorWait(ti, waited, 0);
}

static int bind(JNIEnv *e) {
    static const JNINativeMethod methods[] = {
        {(char *)"leave", (char *)"()V", (void *)leave},
        {(char *)"leaveWith", (char *)"(JJJJJJJJD)V", (void *)leave_with},
        {(char *)"stay", (char *)"()V", (void *)stay},
        {(char *)"enterHeld", (char *)"()V", (void *)enter_held},
        {(char *)"waitInWaited", (char *)"()V", (void *)wait_in_waited},
    };
    return (*e)->RegisterNatives(e, program, methods, sizeof methods / sizeof *methods) == JNI_OK;
}

static void call_with_monitor(JNIEnv *e, const char *method) {
    (*e)->CallStaticVoidMethod(e, program, (*e)->GetStaticMethodID(e, program, method, "(Ljava/lang/Object;)V"),
                               monitor);
}

/* ---- threads that end -------------------------------------------------------------------------------------------- */

/* Attached, owning the monitor, and known to Java as `ending`. */
static JNIEnv *attach(void) {
    JNIEnv *e = NULL;
    if ((*vm)->AttachCurrentThread(vm, (void **)&e, NULL) != JNI_OK) return NULL;
    jclass thread = (*e)->FindClass(e, "java/lang/Thread");
    jobject self = (*e)->CallStaticObjectMethod(e, thread,
                                                (*e)->GetStaticMethodID(e, thread, "currentThread",
                                                                        "()Ljava/lang/Thread;"));
    ending = (*e)->NewGlobalRef(e, self);
    return (*e)->MonitorEnter(e, monitor) == JNI_OK ? e : NULL;
}

static void *exits(void *unused) {
    if (attach()) announce();
    pthread_exit(unused);
}

static void *returns(void *unused) {
    if (attach()) announce();
    return unused;
}

static void *is_cancelled(void *unused) {
    if (attach()) announce();
    for (;;) pause();
    return unused;
}

static void *exits_in_java(void *unused) {
    call_with_monitor(attach(), "leaveWithin");
    return unused;
}

static void *exits_in_loader(void *unused) {
    call_with_monitor(attach(), "leaveInLoader");
    return unused;
}

static void *exits_with_arguments(void *unused) {
    call_with_monitor(attach(), "leaveWithArguments");
    return unused;
}

static void *is_cancelled_in_java(void *unused) {
    call_with_monitor(attach(), "stayWithin");
    return unused;
}

static void detach_myself(void *java_vm) {
    void *env;
    jint before = (*(JavaVM *)java_vm)->GetEnv(java_vm, &env, JNI_VERSION_1_8),
         r = (*(JavaVM *)java_vm)->DetachCurrentThread(java_vm);
    printf("IA-035 own destructor: attached %d, detach %d\n", before, r);
}

static void *has_destructor(void *unused) {
    JNIEnv *e = attach();
    (*e)->MonitorExit(e, monitor);       /* a program that detaches in order gives back what it holds */
    pthread_setspecific(own_key, vm);
    announce();
    return unused;
}

/* The thread has ended for Java: join returns, and others get the monitor. */
static void see_end(JNIEnv *e, const char *what, void *(*body)(void *), int cancel) {
    pthread_t t;
    atomic_store(&ready, 0);
    pthread_create(&t, NULL, body, NULL);
    await_ready();
    if (cancel) pthread_cancel(t);
    pthread_join(t, NULL);
    jint alive = (*e)->CallStaticIntMethod(e, program,
                                           (*e)->GetStaticMethodID(e, program, "join", "(Ljava/lang/Thread;)I"),
                                           ending);
    jint enter = (*e)->MonitorEnter(e, monitor), leave_it = (*e)->MonitorExit(e, monitor);
    printf("IA-037 %s: alive %d, monitor %d %d\n", what, alive, enter, leave_it);
    (*e)->DeleteGlobalRef(e, ending);
}

static void all_ends(JNIEnv *e) {
    see_end(e, "returns attached", returns, 0);
    see_end(e, "pthread_exit", exits, 0);
    see_end(e, "cancelled", is_cancelled, 1);
    see_end(e, "pthread_exit beneath Java", exits_in_java, 0);
    see_end(e, "pthread_exit beneath a class being loaded", exits_in_loader, 0);
    see_end(e, "pthread_exit beneath Java, arguments on the stack", exits_with_arguments, 0);
    see_end(e, "cancelled beneath Java", is_cancelled_in_java, 1);
    jint alive = (*e)->CallStaticIntMethod(e, program,
                                           (*e)->GetStaticMethodID(e, program, "startAndJoin", "(Ljava/lang/Object;)I"),
                                           monitor);
    jint enter = (*e)->MonitorEnter(e, monitor), leave_it = (*e)->MonitorExit(e, monitor);
    printf("IA-037 pthread_exit of a Java thread: alive %d, monitor %d %d\n", alive, enter, leave_it);
}

/* ---- raw monitors ------------------------------------------------------------------------------------------------ */

/* Where the thread can only sleep in the monitor. */
static void await_sleep(void) {
    char path[64], line[512], state = '?';
    await_ready();
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", atomic_load(&ready));
    while (state != 'S') {
        FILE *f = fopen(path, "r");
        char *behind_name = f && fgets(line, sizeof line, f) ? strrchr(line, ')') : NULL;
        if (behind_name) state = behind_name[2];
        if (f) fclose(f);
    }
}

static void *native_daemon(void *method) {
    JNIEnv *e;
    if ((*vm)->AttachCurrentThreadAsDaemon(vm, (void **)&e, NULL) != JNI_OK) return NULL;
    if (strcmp(method, "enter") == 0) enter_held(e, NULL);
    else wait_in_waited(e, NULL);
    return NULL;
}

static void raw_monitors(JNIEnv *e) {
    jint r = (*vm)->GetEnv(vm, (void **)&ti, JVMTI_VERSION_1_2);
    (*ti)->CreateRawMonitor(ti, "held", &held);
    (*ti)->CreateRawMonitor(ti, "waited", &waited);
    (*ti)->RawMonitorEnter(ti, held);
    static const char *const java[] = {"enterAsDaemon", "waitAsDaemon"}, *const native[] = {"enter", "wait"};
    for (int i = 0; i < 2; i++) {
        atomic_store(&ready, 0);
        (*e)->CallStaticVoidMethod(e, program, (*e)->GetStaticMethodID(e, program, java[i], "()V"));
        await_sleep();
        pthread_t t;
        atomic_store(&ready, 0);
        pthread_create(&t, NULL, native_daemon, (void *)native[i]);
        pthread_detach(t);
        await_sleep();
    }
    printf("raw monitors: %d\n", r);
}

int main(int argc, char **argv) {
    if (argc < 5 || argc > OPTIONS + 4) return 2;
    setvbuf(stdout, NULL, _IOLBF, 0);
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
    jint (*create)(JavaVM **, void **,
                   void *) = library ? (jint(*)(JavaVM **, void **, void *))dlsym(library, "JNI_CreateJavaVM") : NULL;
    if (!create || pthread_key_create(&own_key, detach_myself) != 0 ||
        pthread_key_create(&unwound_key, stack_is_unwound) != 0)
        return 2;
    char path[4096];
    snprintf(path, sizeof path, "-Djava.class.path=%s", argv[2]);
    for (int cycle = 0; cycle < atoi(argv[3]); cycle++) {
        JavaVMOption options[OPTIONS] = {{path, NULL}};
        for (int i = 5; i < argc; i++) options[i - 4].optionString = argv[i];
        JavaVMInitArgs args = {JNI_VERSION_1_8, argc - 4, options, JNI_FALSE};
        JNIEnv *e;
        jint r = create(&vm, (void **)&e, &args);
        printf("create: %d\n", r);
        if (r != JNI_OK) return 1;
        jclass local = (*e)->FindClass(e, "Exits");
        program = local ? (*e)->NewGlobalRef(e, local) : NULL;
        if (!program || !bind(e)) return 1;
        monitor = (*e)->NewGlobalRef(e, (*e)->AllocObject(e, (*e)->FindClass(e, "java/lang/Object")));
        if (strcmp(argv[4], "raw") == 0) raw_monitors(e);
        else see_end(e, "detached by the program's destructor", has_destructor, 0);
        if (strcmp(argv[4], "all") == 0) all_ends(e);
        printf("destroy: %d\n", (*vm)->DestroyJavaVM(vm));
    }
    return 0;
}
