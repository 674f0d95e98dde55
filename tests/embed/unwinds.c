/* unwinds.c: the C library's unwinder, and whoever follows frame pointers, walk through compiled code.
 * Usage: unwinds <libjvm.so> <class path> all|again <VM option>...
 * Prints what a backtrace from a native method beneath compiled code shows; that both walks get through at each
 * instruction of compiled code and its stubs, with the registers that C wants preserved; that clean-up code on both
 * sides runs when a thread ends in a native method. With "again" what runs for the first time is not stepped through:
 * compilers would be, too. Compiled with -fexceptions and with frame pointers. */
#include <dlfcn.h>
#include <execinfo.h>
#include <jni.h>
#include <jvmti.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

enum { OPTIONS = 16, MOST_CODES = 1 << 16, MOST_FRAMES = 256, MOST_SEEN = 256 };
enum what { BACKTRACE, EXIT, AGAIN, WAIT };

static JavaVM *vm;
static jvmtiEnv *ti;
static jclass program;

/* ---- generated code, by name ------------------------------------------------------------------------------------- */

static struct code { const char *begin, *end; char name[32]; int is_stub, seen; } codes[MOST_CODES];
static int code_count;
/* Stubs that have been stepped through: they are read anew when more may have been made. */
static char seen_stubs[MOST_SEEN][sizeof codes[0].name];
static int seen_count;
static const char *lowest, *highest;

static void note_code(const char *name, const void *begin, jint size, int is_stub) {
    if (code_count == MOST_CODES) abort();
    struct code *c = &codes[code_count++];
    *c = (struct code){begin, (const char *)begin + size, "", is_stub, 0};
    snprintf(c->name, sizeof c->name, "%s", name);
    if (lowest == NULL || c->begin < lowest) lowest = c->begin;
    if (c->end > highest) highest = c->end;
}

static void JNICALL on_method(jvmtiEnv *env, jmethodID m, jint size, const void *begin, jint rows,
                              const jvmtiAddrLocationMap *map, const void *info) {
    (void)rows, (void)map, (void)info;
    char *name = NULL;
    (*env)->GetMethodName(env, m, &name, NULL, NULL);
    note_code(name ? name : "?", begin, size, 0);
}

static void JNICALL on_code(jvmtiEnv *env, const char *name, const void *begin, jint size) {
    (void)env;
    note_code(name, begin, size, 1);
}

static void JNICALL on_entry(jvmtiEnv *env, JNIEnv *e, jthread t, jmethodID m) { (void)env, (void)e, (void)t, (void)m; }
static void JNICALL on_exit_of(jvmtiEnv *env, JNIEnv *e, jthread t, jmethodID m, jboolean thrown, jvalue v) {
    (void)env, (void)e, (void)t, (void)m, (void)thrown, (void)v;
}
static void JNICALL on_step(jvmtiEnv *env, JNIEnv *e, jthread t, jmethodID m, jlocation at) {
    (void)env, (void)e, (void)t, (void)m, (void)at;
}

static int begin_events(void) {
    jvmtiCapabilities wanted = {.can_generate_compiled_method_load_events = 1,
                                .can_generate_method_entry_events = 1,
                                .can_generate_method_exit_events = 1,
                                .can_generate_single_step_events = 1};
    jvmtiEventCallbacks callbacks = {.CompiledMethodLoad = on_method,
                                     .DynamicCodeGenerated = on_code,
                                     .MethodEntry = on_entry,
                                     .MethodExit = on_exit_of,
                                     .SingleStep = on_step};
    return (*vm)->GetEnv(vm, (void **)&ti, JVMTI_VERSION_1_2) == JNI_OK &&
           (*ti)->AddCapabilities(ti, &wanted) == JVMTI_ERROR_NONE &&
           (*ti)->SetEventCallbacks(ti, &callbacks, sizeof callbacks) == JVMTI_ERROR_NONE;
}

/* All that there is now. */
static void read_codes(void) {
    static const jvmtiEvent events[] = {JVMTI_EVENT_DYNAMIC_CODE_GENERATED, JVMTI_EVENT_COMPILED_METHOD_LOAD};
    code_count = 0;
    for (int i = 0; i < 2; i++) {
        (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, events[i], NULL);
        (*ti)->GenerateEvents(ti, events[i]);
        (*ti)->SetEventNotificationMode(ti, JVMTI_DISABLE, events[i], NULL);
    }
}

static struct code *code_at(const void *pc) {
    for (int i = 0; i < code_count; i++)
        if ((const char *)pc >= codes[i].begin && (const char *)pc < codes[i].end) return &codes[i];
    return NULL;
}

/* ---- a frame of C with known values in the registers that are preserved ------------------------------------------ */

enum { VALUE = 0x5a5a00 };
void call_with_registers(void (*f)(void));
extern const char called_with_registers[];
__asm__(".text\n"
        ".type call_with_registers, @function\n"
        "call_with_registers:\n"
        ".cfi_startproc\n"
        "push %rbp\n.cfi_def_cfa_offset 16\n.cfi_offset %rbp, -16\n"
        "mov %rsp, %rbp\n.cfi_def_cfa_register %rbp\n"
        "push %rbx\n.cfi_offset %rbx, -24\npush %r12\n.cfi_offset %r12, -32\npush %r13\n.cfi_offset %r13, -40\n"
        "push %r14\n.cfi_offset %r14, -48\npush %r15\n.cfi_offset %r15, -56\n"
        "sub $8, %rsp\n"
        "mov $0x5a5a03, %ebx\nmov $0x5a5a0c, %r12d\nmov $0x5a5a0d, %r13d\n"
        "mov $0x5a5a0e, %r14d\nmov $0x5a5a0f, %r15d\n"
        "call *%rdi\n"
        "called_with_registers:\n"
        "add $8, %rsp\n"
        "pop %r15\npop %r14\npop %r13\npop %r12\npop %rbx\npop %rbp\n"
        ".cfi_def_cfa %rsp, 8\n"
        "ret\n"
        ".cfi_endproc\n"
        ".size call_with_registers, . - call_with_registers\n");

/* ---- single steps ------------------------------------------------------------------------------------------------ */

struct walk { int frames, passed, wrong_registers, ends_in_main; };
static volatile int stepping;
static long instructions, failures;
int main(int argc, char **argv);

static int is_in_main(const char *pc) {
    return _Unwind_FindEnclosingFunction((void *)(uintptr_t)(pc - 1)) == (void *)(uintptr_t)main;
}

static _Unwind_Reason_Code look(struct _Unwind_Context *c, void *arg) {
    static const int registers[] = {3, 12, 13, 14, 15};
    struct walk *w = arg;
    w->frames++;
    void *pc = (void *)(uintptr_t)_Unwind_GetIP(c);
    w->ends_in_main |= is_in_main(pc);
    if (pc != called_with_registers) return _URC_NO_REASON;
    w->passed = 1;
    for (int i = 0; i < 5; i++)
        w->wrong_registers += _Unwind_GetGR(c, registers[i]) != (uintptr_t)(VALUE + registers[i]);
    return _URC_NO_REASON;
}

static int frame_pointers_pass(uintptr_t fp) {
    for (int n = 0; n < MOST_FRAMES; n++) {
        if (is_in_main(((const char *const *)fp)[1])) return 1;
        uintptr_t next = ((const uintptr_t *)fp)[0];
        if (next <= fp) return 0;
        fp = next;
    }
    return 0;
}

static void on_trap(int number, siginfo_t *info, void *context) {
    (void)number, (void)info;
    const greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;
    const char *pc = (const char *)(uintptr_t)r[REG_RIP];
    if (!stepping || pc < lowest || pc >= highest) return;
    struct walk w = {0};
    instructions++;
    _Unwind_Backtrace(look, &w);
    struct code *c = code_at(pc);
    if (c != NULL && c->is_stub && !c->seen && seen_count < MOST_SEEN)
        memcpy(seen_stubs[seen_count++], c->name, sizeof c->name);
    if (c != NULL) c->seen = 1;
    if (w.passed && w.ends_in_main && !w.wrong_registers && frame_pointers_pass((uintptr_t)r[REG_RBP])) return;
    if (failures++ < 10)
        printf("FAILED at %s+%#lx: %d frames, passed %d, in main %d, wrong registers %d, frame pointers %d\n",
               c ? c->name : "?", c ? (long)(pc - c->begin) : 0L, w.frames, w.passed, w.ends_in_main,
               w.wrong_registers, frame_pointers_pass((uintptr_t)r[REG_RBP]));
}

static void JNICALL step(JNIEnv *e, jclass c, jboolean on) {
    (void)e, (void)c;
    if (on) read_codes();
    stepping = on;
    if (on) __asm__ volatile("pushfq\n\torq $0x100, (%%rsp)\n\tpopfq" ::: "cc", "memory");
    else __asm__ volatile("pushfq\n\tandq $~0x100, (%%rsp)\n\tpopfq" ::: "cc", "memory");
}

static void enable(jvmtiEvent event, int on) {
    (*ti)->SetEventNotificationMode(ti, on ? JVMTI_ENABLE : JVMTI_DISABLE, event, NULL);
}

static void JNICALL watch(JNIEnv *e, jclass c, jboolean calls, jboolean steps) {
    (void)e, (void)c;
    enable(JVMTI_EVENT_METHOD_ENTRY, calls);
    enable(JVMTI_EVENT_METHOD_EXIT, calls);
    enable(JVMTI_EVENT_SINGLE_STEP, steps);
}

/* ---- native methods ---------------------------------------------------------------------------------------------- */

static jint call(JNIEnv *e, const char *method, jint argument) {
    return (*e)->CallStaticIntMethod(e, program, (*e)->GetStaticMethodID(e, program, method, "(I)I"), argument);
}

static jint JNICALL call_thrower(JNIEnv *e, jclass c, jint n) {
    (void)c;
    jint answer = call(e, "thrower", n);
    int thrown = (*e)->ExceptionCheck(e);
    (*e)->ExceptionClear(e);
    return thrown ? -1 : answer;
}

static jobject JNICALL many(JNIEnv *e, jobject self, jint a, jlong b, jobject c, jint d, jdouble f1, jfloat f2,
                            jdouble f3, jfloat f4, jdouble f5, jfloat f6, jdouble f7, jfloat f8, jdouble f9,
                            jfloat f10, jobject null, jint last) {
    int good = a == 1 && b == 2 && d == 3 && f1 == 4 && f2 == 5 && f3 == 6 && f4 == 7 && f5 == 8 && f6 == 9 &&
               f7 == 10 && f8 == 11 && f9 == 12 && f10 == 13 && null == NULL && (*e)->IsSameObject(e, c, self);
    if (last == 0) (*e)->ThrowNew(e, (*e)->FindClass(e, "java/lang/IllegalStateException"), "0");
    return good ? (*e)->NewLocalRef(e, c) : NULL;
}

static jint JNICALL inside(JNIEnv *e, jclass c, jint n) { (void)e, (void)c; return n + 1; }

/* Frames of one library after another are one line. */
static void print_backtrace(void) {
    void *frames[MOST_FRAMES];
    char last[64] = "", name[64];
    int n = backtrace(frames, MOST_FRAMES);
    for (int i = 0; i < n; i++) {
        Dl_info info;
        const struct code *c = code_at((char *)frames[i] - 1);
        const char *slash = NULL;
        if (c != NULL) snprintf(name, sizeof name, "%s %s", c->is_stub ? "stub" : "method", c->name);
        else if (dladdr(frames[i], &info) && (slash = strrchr(info.dli_fname, '/')) != NULL)
            snprintf(name, sizeof name, "%s", slash + 1);
        else snprintf(name, sizeof name, "?");
        if (strcmp(name, last) != 0) printf("  %s\n", name);
        memcpy(last, name, sizeof last);
    }
}

static atomic_int ready;
static void clean_bottom(const int *what) { printf("  cleaned: bottom %d\n", *what); }

static void JNICALL bottom(JNIEnv *e, jclass c, jint how) {
    (void)c;
    __attribute__((cleanup(clean_bottom))) int what = how;
    switch (what) {
    case BACKTRACE: print_backtrace(); break;
    case EXIT: pthread_exit(NULL);
    case AGAIN: call(e, "one", EXIT); break;
    default:
        atomic_store(&ready, 1);
        for (;;) pause();
    }
}

/* ---- threads that end -------------------------------------------------------------------------------------------- */

struct kept { long values[6]; };
static void clean_top(const struct kept *k) {
    printf("  cleaned: top %ld %ld %ld %ld %ld %ld\n", k->values[0], k->values[1], k->values[2], k->values[3],
           k->values[4], k->values[5]);
}

static void *run_thread(void *how) {
    __attribute__((cleanup(clean_top), unused)) struct kept k = {{1, 2, 3, 4, 5, 6}};
    JNIEnv *e = NULL;
    if ((*vm)->AttachCurrentThread(vm, (void **)&e, NULL) == JNI_OK) call(e, "one", (jint)(intptr_t)how);
    printf("FAILED: the thread goes on\n");
    return how;
}

static void end_thread(const char *label, enum what how) {
    pthread_t t;
    void *result = NULL;
    printf("%s\n", label);
    atomic_store(&ready, 0);
    if (pthread_create(&t, NULL, run_thread, (void *)(intptr_t)how) != 0) abort();
    if (how == WAIT) {
        while (!atomic_load(&ready)) sched_yield();
        pthread_cancel(t);
    }
    pthread_join(t, &result);
    printf("  canceled: %d\n", result == PTHREAD_CANCELED);
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static JNIEnv *env;

static jboolean from_the_first;

static void trace(void) {
    jmethodID traced = (*env)->GetStaticMethodID(env, program, "traced", "(Z)I");
    jint n = (*env)->CallStaticIntMethod(env, program, traced, from_the_first);
    if ((*env)->ExceptionCheck(env)) (*env)->ExceptionDescribe(env);
    printf("traced: %d\n", n);
}

static void show_backtrace(void) {
    read_codes();
    call(env, "one", BACKTRACE);
}

static int bind(void) {
    static const JNINativeMethod methods[] = {
        {(char *)"bottom", (char *)"(I)V", (void *)bottom},
        {(char *)"callThrower", (char *)"(I)I", (void *)call_thrower},
        {(char *)"many", (char *)"(IJLjava/lang/Object;IDFDFDFDFDFLjava/lang/Object;I)Ljava/lang/Object;",
         (void *)many},
        {(char *)"inside", (char *)"(I)I", (void *)inside},
        {(char *)"step", (char *)"(Z)V", (void *)step},
        {(char *)"watch", (char *)"(ZZ)V", (void *)watch},
    };
    return (*env)->RegisterNatives(env, program, methods, sizeof methods / sizeof *methods) == JNI_OK;
}

int main(int argc, char **argv) {
    if (argc < 4 || argc > OPTIONS + 3) return 2;
    from_the_first = strcmp(argv[3], "all") == 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
    jint (*create)(JavaVM **, void **, void *) = NULL;
    if (library) create = (jint(*)(JavaVM **, void **, void *))dlsym(library, "JNI_CreateJavaVM");
    if (!create) return 2;
    char path[4096];
    snprintf(path, sizeof path, "-Djava.class.path=%s", argv[2]);
    JavaVMOption options[OPTIONS] = {{path, NULL}};
    for (int i = 4; i < argc; i++) options[i - 3].optionString = argv[i];
    JavaVMInitArgs args = {JNI_VERSION_1_8, argc - 3, options, JNI_FALSE};
    if (create(&vm, (void **)&env, &args) != JNI_OK) return 1;
    program = (*env)->FindClass(env, "Unwinds");
    if (!program || !bind() || !begin_events()) return 1;
    struct sigaction action = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigaction(SIGTRAP, &action, NULL);
    call(env, "one", BACKTRACE);         /* binds */
    call(env, "one", BACKTRACE);         /* makes the native stub */
    printf("backtrace\n");
    call_with_registers(show_backtrace);
    call_with_registers(trace);
    printf("instructions: %s, failures: %ld\n", instructions > 1000 ? "many" : "few", failures);
    for (int i = 0; i < seen_count; i++) printf("seen: %s\n", seen_stubs[i]);
    end_thread("pthread_exit", EXIT);
    end_thread("pthread_exit, twice in Java", AGAIN);
    end_thread("cancelled", WAIT);
    printf("destroy: %d\n", (*vm)->DestroyJavaVM(vm));
    return 0;
}
