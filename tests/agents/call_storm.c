/* call_storm.c: 5,000 times a second a signal has each Java thread call AsyncGetCallTrace. Option: how many stacks are
 * enough (Storm.enough). At the end each stack must have been whole: it ends in a frame that threads begin with, every
 * bytecode index is that of an instruction, and every caller stands at an instruction that calls the method above it.
 * What was seen is kept in tables without locks, and looked at when the VM ends. */
#include "agent_support.h"
#include "bytecode.h"

#include <vitrine.h>

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

enum { DEPTH = 1024, PERIOD_NS = 200000, CALLS = 1 << 20, MOST_TIMERS = 1 << 12, LOWEST_CODE = -10 };

/* The caller's method and position, and the method above it; NULL: it is the youngest. */
struct call { _Atomic(jmethodID) method; jint bci; jmethodID callee; atomic_int is_full; atomic_int is_bottom; };
static struct call calls[CALLS];
static atomic_long stacks, codes[1 - LOWEST_CODE], lost, kinds[VITRINE_FRAME_INLINED + 1], wrong_kinds;
static long wanted;
static AsyncGetCallTrace_t trace_function;
static jvmtiExtensionFunction extension;
static atomic_int ended;
static __thread __attribute__((tls_model("initial-exec"))) JNIEnv *own_env;

/* ---- the handler ------------------------------------------------------------------------------------------------- */

static void note(const ASGCT_CallFrame *f, jmethodID callee, int is_bottom) {
    uint64_t h = ((uintptr_t)f->method_id * 31 + (uint64_t)f->lineno) * 31 + (uintptr_t)callee;
    h = (h ^ h >> 29) * 0x9e3779b97f4a7c15u;
    for (uint64_t i = h >> 40, tries = 0; tries < 64; i++, tries++) {
        struct call *c = &calls[i % CALLS];
        jmethodID none = NULL;
        if (atomic_compare_exchange_strong(&c->method, &none, f->method_id)) {
            c->bci = f->lineno;
            c->callee = callee;
            atomic_store(&c->is_full, 1);
        } else if (none != f->method_id || !atomic_load(&c->is_full) || c->bci != f->lineno || c->callee != callee) {
            continue;
        }
        if (is_bottom) atomic_store(&c->is_bottom, 1);
        return;
    }
    atomic_fetch_add(&lost, 1);
}

/* Each frame says what runs it. */
static void count_kinds(const ASGCT_CallTrace *t, void *context) {
    vitrineCallFrame frames[DEPTH];
    jint n = 0;
    if (!extension || extension(jvmti, context, (jint)DEPTH, frames, &n) != JVMTI_ERROR_NONE) return;
    if (n != t->num_frames) atomic_fetch_add(&wrong_kinds, 1);
    for (jint i = 0; i < n && i < t->num_frames; i++) {
        int native = t->frames[i].lineno == ASGCT_NATIVE_FRAME, kind = frames[i].kind;
        if (kind < 1 || kind > VITRINE_FRAME_INLINED || native != (kind == VITRINE_FRAME_NATIVE) ||
            frames[i].method != t->frames[i].method_id)
            atomic_fetch_add(&wrong_kinds, 1);
        else atomic_fetch_add(&kinds[kind], 1);
    }
}

static void on_signal(int number, siginfo_t *info, void *context) {
    (void)number, (void)info;
    if (own_env == NULL || atomic_load(&ended)) return;
    ASGCT_CallFrame frames[DEPTH];
    ASGCT_CallTrace t = {own_env, -100, frames};
    trace_function(&t, DEPTH, context);
    if (t.num_frames <= 0) {
        atomic_fetch_add(&codes[t.num_frames < LOWEST_CODE ? -LOWEST_CODE : -t.num_frames], 1);
        return;
    }
    for (jint i = 0; i < t.num_frames; i++)
        note(&frames[i], i > 0 ? frames[i - 1].method_id : NULL, i == t.num_frames - 1 && t.num_frames < DEPTH);
    count_kinds(&t, context);
    atomic_fetch_add(&stacks, 1);
}

JNIEXPORT jboolean JNICALL Java_Storm_enough(JNIEnv *env, jclass c) {
    (void)env, (void)c;
    return atomic_load(&stacks) >= wanted;
}

/* ---- timers ------------------------------------------------------------------------------------------------------ */

static __thread timer_t own_timer;

static void begin_timer(JNIEnv *env) {
    struct sigevent to = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGPROF};
    struct itimerspec period = {{0, PERIOD_NS}, {0, PERIOD_NS}};
    if (own_env != NULL) return;
    to.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
    if (timer_create(CLOCK_MONOTONIC, &to, &own_timer) != 0) return;
    own_env = env;
    timer_settime(own_timer, 0, &period, NULL);
}

static void JNICALL on_start(jvmtiEnv *env, JNIEnv *jni, jthread t) {
    (void)env, (void)t;
    begin_timer(jni);
}

static void JNICALL on_end(jvmtiEnv *env, JNIEnv *jni, jthread t) {
    (void)env, (void)jni, (void)t;
    if (own_env == NULL) return;
    own_env = NULL;
    timer_delete(own_timer);
}

/* ---- classes: they stay, so that what was seen can be looked at in the end --------------------------------------- */

static void JNICALL on_prepare(jvmtiEnv *env, JNIEnv *jni, jthread t, jclass c) {
    (void)env, (void)t;
    (*jni)->NewGlobalRef(jni, c);
}

static void keep_classes(JNIEnv *jni) {
    jint count = 0;
    jclass *classes = NULL;
    if (!ok((*jvmti)->GetLoadedClasses(jvmti, &count, &classes), "GetLoadedClasses")) return;
    for (jint i = 0; i < count; i++) (*jni)->NewGlobalRef(jni, classes[i]);
    release(classes);
}

/* ---- what was seen ----------------------------------------------------------------------------------------------- */

enum {
    LDC = 0x12, LDC2_W = 0x14, GETSTATIC = 0xb2, PUTFIELD = 0xb5, INVOKEVIRTUAL = 0xb6, INVOKEINTERFACE = 0xb9,
    INVOKEDYNAMIC = 0xba, NEW = 0xbb, ANEWARRAY = 0xbd, ATHROW = 0xbf, CHECKCAST = 0xc0, INSTANCEOF = 0xc1,
    MULTIANEWARRAY = 0xc5
};

static int is_instruction(const unsigned char *code, jint length, jint bci) {
    jint i = 0;
    while (i < bci && i < length) i += instruction_length(code, i);
    return i == bci && i < length;
}

/* Where constant-pool entry `wanted` begins in the bytes of a pool of `count` entries. */
static const unsigned char *entry_at(const unsigned char *pool, jint count, jint wanted_entry) {
    static const unsigned char lengths[] = {[3] = 5, 5, 9, 9, 3, 3, 5, 5, 5, 5, [15] = 4, 3, 5, 5, 3, 3};
    for (jint i = 1; i < count; i++) {
        if (i == wanted_entry) return pool;
        unsigned tag = *pool;
        pool += tag == 1 ? 3 + (pool[1] << 8 | pool[2]) : lengths[tag];
        if (tag == 5 || tag == 6) i++;
    }
    return NULL;
}

static int u2(const unsigned char *p) { return p[0] << 8 | p[1]; }

/* The name of the method that the instruction invokes, by the constant pool of its class. */
static int invokes(jmethodID m, const unsigned char *instruction, const char *name) {
    jclass c;
    jint count, bytes;
    unsigned char *pool;
    if ((*jvmti)->GetMethodDeclaringClass(jvmti, m, &c) != JVMTI_ERROR_NONE ||
        (*jvmti)->GetConstantPool(jvmti, c, &count, &bytes, &pool) != JVMTI_ERROR_NONE)
        return 0;
    const unsigned char *e = entry_at(pool, count, u2(instruction + 1));
    if (e != NULL) e = entry_at(pool, count, u2(e + 3));
    if (e != NULL) e = entry_at(pool, count, u2(e + 1));
    int same = e != NULL && (size_t)u2(e + 1) == strlen(name) && memcmp(e + 3, name, strlen(name)) == 0;
    release(pool);
    return same;
}

static int is_one_of(const char *name, const char *const *list) {
    for (; *list != NULL; list++)
        if (strcmp(name, *list) == 0) return 1;
    return 0;
}

/* What the VM calls by itself at instructions that resolve, initialise, throw or link. */
static int may_be_called_by_vm(const char *class_name, const char *name) {
    static const char *const names[] = {"<clinit>", "loadClass", "loadClassInternal", "checkPackageAccess",
                                        "fillInStackTrace", "register", "<init>", NULL};
    return is_one_of(name, names) || strncmp(class_name, "Ljava/lang/invoke/", 18) == 0;
}

static char *class_of_method(jmethodID m) {
    jclass c;
    char *text = NULL;
    if ((*jvmti)->GetMethodDeclaringClass(jvmti, m, &c) != JVMTI_ERROR_NONE) return NULL;
    (*jvmti)->GetClassSignature(jvmti, c, &text, NULL);
    return text;
}

/* NULL: nothing is wrong with it. */
static const char *fault_of(const struct call *c, const char *class_name, const char *name) {
    static const char *const first[] = {"main", "run", "exit", "checkAndLoadMain", "makePlatformString",
                                        "getApplicationClass", "threadTerminated", "shutdown", "<clinit>", NULL};
    char *callee = NULL, *callee_class = NULL;
    unsigned char *code;
    jint length;
    jboolean is_native = JNI_FALSE;
    const char *fault = NULL;
    if (atomic_load(&c->is_bottom) && !is_one_of(name, first)) return "no thread begins with it";
    if ((*jvmti)->IsMethodNative(jvmti, c->method, &is_native) != JVMTI_ERROR_NONE) return "no method";
    if (is_native) return c->bci == ASGCT_NATIVE_FRAME ? NULL : "a native method with a position";
    if (c->bci < 0 || (*jvmti)->GetBytecodes(jvmti, c->method, &length, &code) != JVMTI_ERROR_NONE)
        return "no position";
    if (!is_instruction(code, length, c->bci)) fault = "no instruction";
    if (fault == NULL && c->callee != NULL) {
        unsigned op = code[c->bci];
        if (!ok((*jvmti)->GetMethodName(jvmti, c->callee, &callee, NULL, NULL), "GetMethodName")) return "no callee";
        callee_class = class_of_method(c->callee);
        int by_vm = callee_class != NULL && may_be_called_by_vm(callee_class, callee);
        int is_invocation = op >= INVOKEVIRTUAL && op <= INVOKEINTERFACE;
        int calls = is_invocation || op == INVOKEDYNAMIC || (op >= LDC && op <= LDC2_W) ||
                    (op >= GETSTATIC && op <= PUTFIELD) || op == NEW || op == ANEWARRAY || op == ATHROW ||
                    op == CHECKCAST || op == INSTANCEOF || op == MULTIANEWARRAY;
        if (!calls) fault = by_vm ? NULL : "it calls nothing";
        else if (!by_vm && !(is_invocation && invokes(c->method, code + c->bci, callee)) &&
                 strncmp(class_name, "Ljava/lang/invoke/", 18) != 0)
            fault = "it calls something else";
        if (fault != NULL) say("FAILED: callee %s.%s", callee_class ? callee_class : "?", callee);
        release(callee);
        if (callee_class) release(callee_class);
    }
    release(code);
    return fault;
}

static void look_at_calls(void) {
    long seen = 0;
    int faults = 0;
    for (int i = 0; i < CALLS && faults < 20; i++) {
        struct call *c = &calls[i];
        if (!atomic_load(&c->is_full)) continue;
        char *name = NULL, *class_name = class_of_method(c->method);
        seen++;
        const char *fault = "no method";
        if (class_name && (*jvmti)->GetMethodName(jvmti, c->method, &name, NULL, NULL) == JVMTI_ERROR_NONE)
            fault = fault_of(c, class_name, name);
        if (fault != NULL)
            say("FAILED: %s.%s at %d: %s, %d", class_name ? class_name : "?", name ? name : "?", (int)c->bci, fault,
                ++faults);
        if (name) release(name);
        if (class_name) release(class_name);
    }
    say("places: %s", seen > 100 ? "many" : "few");
}

static void JNICALL on_death(jvmtiEnv *env, JNIEnv *jni) {
    (void)env, (void)jni;
    atomic_store(&ended, 1);
    for (int code = 1; code <= -LOWEST_CODE; code++)
        if (code != -ASGCT_GC_ACTIVE && code != -ASGCT_THREAD_EXIT && atomic_load(&codes[code]) != 0)
            say("FAILED: code %d, %ld times", -code, atomic_load(&codes[code]));
    if (atomic_load(&lost) != 0 || atomic_load(&wrong_kinds) != 0)
        say("FAILED: lost %ld, kinds %ld", atomic_load(&lost), atomic_load(&wrong_kinds));
    look_at_calls();
    say("enough: %s", atomic_load(&stacks) >= wanted ? "yes" : "NO");
    for (int kind = 1; kind <= 3; kind++) say("kind %d: %s", kind, atomic_load(&kinds[kind]) ? "yes" : "no");
}

static void JNICALL on_init(jvmtiEnv *env, JNIEnv *jni, jthread t) {
    (void)env, (void)t;
    enable(JVMTI_EVENT_CLASS_PREPARE);
    keep_classes(jni);
    enable(JVMTI_EVENT_THREAD_START);
    enable(JVMTI_EVENT_THREAD_END);
    begin_timer(jni);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)reserved;
    wanted = atol(options);
    if (attach_jvmti(vm) != JNI_OK) return JNI_ERR;
    trace_function = (AsyncGetCallTrace_t)dlsym(RTLD_DEFAULT, "AsyncGetCallTrace");
    extension = extension_function("vitrine.functions.GetCallTrace");
    jvmtiCapabilities capabilities = {.can_get_bytecodes = 1, .can_get_constant_pool = 1};
    jvmtiEventCallbacks callbacks = {.VMInit = on_init, .VMDeath = on_death, .ThreadStart = on_start,
                                     .ThreadEnd = on_end, .ClassPrepare = on_prepare};
    if (!trace_function || !ok((*jvmti)->AddCapabilities(jvmti, &capabilities), "AddCapabilities") ||
        !ok((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks), "SetEventCallbacks"))
        return JNI_ERR;
    enable(JVMTI_EVENT_VM_INIT);
    enable(JVMTI_EVENT_VM_DEATH);
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
    return sigaction(SIGPROF, &action, NULL) == 0 ? JNI_OK : JNI_ERR;
}
