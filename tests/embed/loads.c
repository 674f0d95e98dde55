/* loads.c: JNI loads of primitive fields, which threads make without telling the VM, against what has to be told or
 * outlasted. Usage: loads <libjvm.so> <class path> <cycles> <what> <VM option>... what: "end", threads load in loops
 * when the VM ends; they stop for good, or end. "watch", so they do when a field is watched, which is seen. "held", the
 * VM ends while one stands in the midst of GetIntField: before each of its instructions in turn, one per cycle, held by
 * a tracer that lets it go when DestroyJavaVM has returned or plainly waits. Ends when it has been before all of them,
 * or after `cycles`. */
#include <dlfcn.h>
#include <elf.h>
#include <jni.h>
#include <jvmti.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OPTIONS = 16, THREADS = 4, MANY = 1000, VALUE = 42 };

struct loader {
    atomic_int tid;
    atomic_long loads, events, wrong;
};

static JavaVM *vm;
static jvmtiEnv *ti;
static struct loader loaders[THREADS];
static _Thread_local struct loader *mine;

/* ---- threads that load ------------------------------------------------------------------------------------------- */

static void load_for_ever(JNIEnv *e, jobject o, struct loader *l) {
    jfieldID number = (*e)->GetFieldID(e, (*e)->GetObjectClass(e, o), "number", "I");
    mine = l;
    atomic_store(&l->tid, (int)syscall(SYS_gettid));
    for (;;) {
        if ((*e)->GetIntField(e, o, number) != VALUE) atomic_fetch_add(&l->wrong, 1);
        atomic_fetch_add(&l->loads, 1);
    }
}

/* Loads.load: in a thread of Java's. */
static void JNICALL load(JNIEnv *e, jclass c, jobject o, jint k) {
    (void)c;
    load_for_ever(e, o, &loaders[k]);
}

static jobject shared;                   /* a Loads, for the program's threads: global                             */

/* In one of them. */
static void *attached(void *l) {
    JNIEnv *e;
    if ((*vm)->AttachCurrentThreadAsDaemon(vm, (void **)&e, NULL) == JNI_OK) load_for_ever(e, shared, l);
    return NULL;
}

static void await_loads(const struct loader *l, long more) {
    for (long until = atomic_load(&l->loads) + more; atomic_load(&l->loads) < until;) usleep(100);
}

/* Text of a file of /proc/self/task/TID behind `key`; '?' when the thread is gone. */
static void proc_of(int tid, const char *file, const char *key, char *text, size_t size) {
    char path[64], all[4096];
    snprintf(path, sizeof path, "/proc/self/task/%d/%s", tid, file);
    FILE *f = fopen(path, "r");
    size_t n = f ? fread(all, 1, sizeof all - 1, f) : 0;
    if (f) fclose(f);
    all[n] = 0;
    char *at = strstr(all, key);
    snprintf(text, size, "%s", at ? at + strlen(key) : "?");
}

/* It sleeps or has ended, and loads nothing any more. */
static void await_rest(const struct loader *l) {
    char state[64];
    do {
        usleep(100);
        proc_of(atomic_load(&l->tid), "status", "State:\t", state, sizeof state);
    } while (state[0] != 'S' && state[0] != '?');
}

/* ---- what becomes of them ---------------------------------------------------------------------------------------- */

static void begin(JNIEnv *e, jclass c, int threads) {
    memset(loaders, 0, sizeof loaders);
    jmethodID start = (*e)->GetStaticMethodID(e, c, "start", "(I)V");
    for (int k = 0; k < threads; k++) {
        if (k < 2) {
            (*e)->CallStaticVoidMethod(e, c, start, k);
        } else {
            pthread_t t;
            if (pthread_create(&t, NULL, attached, &loaders[k]) == 0) pthread_detach(t);
        }
    }
    for (int k = 0; k < threads; k++) await_loads(&loaders[k], MANY);
}

static void end(void) {
    printf("destroy: %d\n", (*vm)->DestroyJavaVM(vm));
    long wrong = 0, loads = 0, later = 0;
    for (int k = 0; k < THREADS; k++) await_rest(&loaders[k]);
    for (int k = 0; k < THREADS; k++) loads += atomic_load(&loaders[k].loads);
    for (int k = 0; k < THREADS; k++) {
        await_rest(&loaders[k]);         /* still */
        later += atomic_load(&loaders[k].loads);
        wrong += atomic_load(&loaders[k].wrong);
    }
    printf("loads went on: %d, wrong: %ld\n", later != loads, wrong);
}

static void JNICALL accessed(jvmtiEnv *unused, JNIEnv *e, jthread t, jmethodID m, jlocation at, jclass c, jobject o,
                             jfieldID f) {
    (void)unused, (void)e, (void)t, (void)m, (void)at, (void)c, (void)o, (void)f;
    if (mine) atomic_fetch_add(&mine->events, 1);
}

JNIEXPORT jint JNICALL Agent_OnLoad_loads(JavaVM *java_vm, char *options, void *reserved) {
    (void)options, (void)reserved;
    jvmtiCapabilities wanted = {.can_generate_field_access_events = 1};
    jvmtiEventCallbacks callbacks = {.FieldAccess = accessed};
    if ((*java_vm)->GetEnv(java_vm, (void **)&ti, JVMTI_VERSION_1_2) != JNI_OK) return JNI_ERR;
    return (*ti)->AddCapabilities(ti, &wanted) || (*ti)->SetEventCallbacks(ti, &callbacks, sizeof callbacks) ||
           (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_FIELD_ACCESS, NULL);
}

static void await_events(const struct loader *l) {
    while (atomic_load(&l->events) < 100) usleep(100);
}

/* Of Java's threads, 0 loads when the watch begins, 1 comes while it lasts. */
static void watch(JNIEnv *e, jclass c) {
    jfieldID number = (*e)->GetFieldID(e, c, "number", "I");
    begin(e, c, 1);
    long before = atomic_load(&loaders[0].events);
    printf("before: %ld, watch: %d\n", before, (*ti)->SetFieldAccessWatch(ti, c, number));
    await_events(&loaders[0]);
    (*e)->CallStaticVoidMethod(e, c, (*e)->GetStaticMethodID(e, c, "start", "(I)V"), 1);
    await_events(&loaders[1]);
    printf("seen in both threads, no more: %d\n", (*ti)->ClearFieldAccessWatch(ti, c, number));
    long seen = 0, later = 0;
    for (int k = 0; k < 2; k++) await_loads(&loaders[k], MANY);
    for (int k = 0; k < 2; k++) seen += atomic_load(&loaders[k].events);
    for (int k = 0; k < 2; k++) await_loads(&loaders[k], MANY);
    for (int k = 0; k < 2; k++) later += atomic_load(&loaders[k].events);
    printf("seen afterwards: %ld\n", later - seen);
}

/* ---- held by a tracer -------------------------------------------------------------------------------------------- */

/* Between this process and its tracer, which is its child. */
struct trace {
    atomic_int state;
    int tid, steps;
    uintptr_t entry;                     /* of GetIntField                                                        */
};
enum { IDLE, ASKED, HELD, OUTSIDE, FORBIDDEN, LET_GO };

static struct trace *trace;

#if defined(__x86_64__)
#define PC(regs) ((regs).rip)
#define SP(regs) ((regs).rsp)
#else
#define PC(regs) ((regs).pc)
#define SP(regs) ((regs).sp)
#endif

static int step(int tid, struct user_regs_struct *regs) {
    int status;
    struct iovec v = {regs, sizeof *regs};
    return ptrace(PTRACE_SINGLESTEP, tid, NULL, NULL) == 0 && waitpid(tid, &status, __WALL) == tid &&
           WIFSTOPPED(status) && ptrace(PTRACE_GETREGSET, tid, (void *)NT_PRSTATUS, &v) == 0;
}

/* Brings the thread before the instruction wanted of its next call; OUTSIDE: the call has fewer. */
static int hold(int tid, uintptr_t entry, int steps) {
    int status;
    struct user_regs_struct regs;
    if (ptrace(PTRACE_SEIZE, tid, NULL, NULL) != 0) return FORBIDDEN;
    if (ptrace(PTRACE_INTERRUPT, tid, NULL, NULL) != 0 || waitpid(tid, &status, __WALL) != tid) return FORBIDDEN;
    do
        if (!step(tid, &regs)) return FORBIDDEN;
    while (PC(regs) != entry);
    uintptr_t sp = SP(regs);
    for (int i = 0; i < steps; i++)
        if (!step(tid, &regs)) return FORBIDDEN;
        else if (SP(regs) > sp) return OUTSIDE;
    return HELD;
}

static void tracer(void) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;) {
        while (atomic_load(&trace->state) != ASKED) usleep(100);
        int result = hold(trace->tid, trace->entry, trace->steps);
        if (result != HELD) ptrace(PTRACE_DETACH, trace->tid, NULL, NULL);
        atomic_store(&trace->state, result);
        while (result == HELD && atomic_load(&trace->state) != LET_GO) usleep(100);
        if (result == HELD) ptrace(PTRACE_DETACH, trace->tid, NULL, NULL);
        if (result == HELD) atomic_store(&trace->state, IDLE);
    }
}

static atomic_bool destroyed;

/* DestroyJavaVM waits: its thread goes to sleep over and over. */
static void *let_go(void *tid) {
    char text[64];
    long first = -1, times = 0;
    while (!atomic_load(&destroyed) && times < first + 500) {
        proc_of((int)(intptr_t)tid, "status", "\nvoluntary_ctxt_switches:\t", text, sizeof text);
        times = atol(text);
        if (first < 0) first = times;
        usleep(100);
    }
    atomic_store(&trace->state, LET_GO);
    return NULL;
}

/* False: there was no such instruction. */
static int held(JNIEnv *e, jclass c, int steps) {
    begin(e, c, 3);                      /* 2 is the program's, and loads from an object of the field's class      */
    trace->tid = atomic_load(&loaders[2].tid);
    trace->entry = (uintptr_t)(*e)->GetIntField;
    trace->steps = steps;
    atomic_store(&trace->state, ASKED);
    while (atomic_load(&trace->state) == ASKED) usleep(100);
    int answer = atomic_load(&trace->state);
    if (answer == FORBIDDEN) printf("threads cannot be traced here\n");
    pthread_t other;
    atomic_store(&destroyed, 0);
    if (answer == HELD && pthread_create(&other, NULL, let_go, (void *)(intptr_t)syscall(SYS_gettid)) != 0) return 0;
    jint r = (*vm)->DestroyJavaVM(vm);
    atomic_store(&destroyed, 1);
    if (answer == HELD) {
        pthread_join(other, NULL);
        while (atomic_load(&trace->state) != IDLE) usleep(100);
    }
    await_rest(&loaders[2]);
    if (r != JNI_OK || atomic_load(&loaders[2].wrong))
        printf("held before instruction %d: destroy %d, wrong %ld\n", steps, r, atomic_load(&loaders[2].wrong));
    return answer == HELD;
}

int main(int argc, char **argv) {
    if (argc < 5 || argc > OPTIONS + 4) return 2;
    setvbuf(stdout, NULL, _IOLBF, 0);
    const char *what = argv[4];
    if (strcmp(what, "held") == 0) {
        trace = mmap(NULL, sizeof *trace, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        pid_t child = trace == MAP_FAILED ? -1 : fork();
        if (child < 0) return 2;
        if (child == 0) tracer();
        prctl(PR_SET_PTRACER, child);
    }
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
    jint (*create)(JavaVM **, void **,
                   void *) = library ? (jint(*)(JavaVM **, void **, void *))dlsym(library, "JNI_CreateJavaVM") : NULL;
    if (!create) return 2;
    char path[4096];
    snprintf(path, sizeof path, "-Djava.class.path=%s", argv[2]);
    int cycles = atoi(argv[3]), more = 1;
    for (int cycle = 0; cycle < cycles && more; cycle++) {
        JavaVMOption options[OPTIONS] = {{path, NULL}, {(char *)"-agentlib:loads", NULL}};
        int count = strcmp(what, "watch") == 0 ? 2 : 1;
        for (int i = 5; i < argc; i++) options[count++].optionString = argv[i];
        JavaVMInitArgs args = {JNI_VERSION_1_8, count, options, JNI_FALSE};
        JNIEnv *e;
        jint r = create(&vm, (void **)&e, &args);
        if (r != JNI_OK) return 1;
        jclass c = (*e)->FindClass(e, "Loads");
        const JNINativeMethod method = {(char *)"load", (char *)"(LLoads;I)V", (void *)load};
        if (!c || (*e)->RegisterNatives(e, c, &method, 1) != JNI_OK) return 1;
        shared = (*e)->NewGlobalRef(e, (*e)->NewObject(e, c, (*e)->GetMethodID(e, c, "<init>", "()V")));
        if (strcmp(what, "held") == 0) {
            more = held(e, c, cycle);
            if (!more) printf("held before each instruction\n");
            continue;
        }
        if (strcmp(what, "watch") == 0) watch(e, c);
        else begin(e, c, THREADS);
        if (strcmp(what, "watch") == 0) printf("destroy: %d\n", (*vm)->DestroyJavaVM(vm));
        else end();
    }
    return 0;
}
