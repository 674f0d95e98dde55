/* compiled.c: looks at a thread at every instruction of compiled code and its stubs that it executes, by the trap flag.
 * Options:
 *   retransform  lends again(), which gives a class a new version with the same code
 *   trace      between step(true) and step(false): what AsyncGetCallTrace says at each, every answer once
 *   crash=N    the N-th such instruction is reported to the VM's handler as one that has crashed
 *   crashes=N  the same at each N-th, in a copy of the process, whose end is waited for: "copy PID: status" */
#include "agent_support.h"

#include <vitrine.h>

#include <dlfcn.h>
#include <signal.h>
#include <stdint.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

enum { MAX_FRAMES = 64, MAX_ANSWERS = 256 };

static AsyncGetCallTrace_t trace_function;
static uintptr_t code_low, code_high;
static long crash_at, copy_each, instructions;
static volatile int stepping;
static __thread __attribute__((tls_model("initial-exec"))) JNIEnv *own_env;
static struct answer { jmethodID method; jint location, frames; } answers[MAX_ANSWERS];
static int answer_count;

/* Where compiled code runs: the executable view of the code cache. */
static void find_code(void) {
    char line[512], flags[5];
    unsigned long low, high;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (fgets(line, sizeof line, maps))
        if (strstr(line, "/dev/zero") && sscanf(line, "%lx-%lx %4s", &low, &high, flags) == 3 && flags[2] == 'x') {
            code_low = low;
            code_high = high;
        }
    fclose(maps);
}

static void note(jmethodID method, jint location, jint frames) {
    struct answer *last = answer_count ? &answers[answer_count - 1] : NULL;
    if (last && last->method == method && last->location == location && last->frames == frames) return;
    if (answer_count < MAX_ANSWERS) answers[answer_count++] = (struct answer){method, location, frames};
}

static void crash(siginfo_t *info, void *context) {
    struct sigaction handler;
    sigaction(SIGSEGV, NULL, &handler);
    info->si_signo = SIGSEGV;
    handler.sa_sigaction(SIGSEGV, info, context);
}

/* The interrupted code is no library's: the copy may do what it wants. */
static void crash_in_copy(siginfo_t *info, void *context) {
    int status = 0;
    pid_t copy = fork();
    if (copy == 0) crash(info, context);
    if (copy > 0 && waitpid(copy, &status, 0) == copy) say("copy %d: %d", (int)copy, WEXITSTATUS(status));
}

static void on_trap(int number, siginfo_t *info, void *context) {
    (void)number;
    uintptr_t pc = (uintptr_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
    if (!stepping || pc < code_low || pc >= code_high) return;
    if (++instructions == crash_at) crash(info, context);
    if (copy_each && instructions % copy_each == 0) crash_in_copy(info, context);
    ASGCT_CallFrame frames[MAX_FRAMES];
    ASGCT_CallTrace trace = {own_env, -100, frames};
    trace_function(&trace, MAX_FRAMES, context);
    if (trace.num_frames > 0) note(frames[0].method_id, frames[0].lineno, trace.num_frames);
    else note(NULL, 0, trace.num_frames);
}

JNIEXPORT void JNICALL Java_Compiled_step(JNIEnv *env, jclass c, jboolean on) {
    (void)c;
    own_env = env;
    find_code();
    stepping = on;
    if (on) __asm__ volatile("pushfq\n\torq $0x100, (%%rsp)\n\tpopfq" ::: "cc", "memory");
    else __asm__ volatile("pushfq\n\tandq $~0x100, (%%rsp)\n\tpopfq" ::: "cc", "memory");
}

/* Crashes beneath compiled code, if it is to. What the sanitizer would do with the frame pointer hides the frames of
 * the callers. */
__attribute__((no_sanitize_address)) JNIEXPORT void JNICALL Java_Compiled_fault(JNIEnv *env, jclass c, jboolean go) {
    (void)env, (void)c;
    static int somewhere;
    volatile uintptr_t nowhere = go ? 8 : (uintptr_t)&somewhere;
    *(volatile int *)nowhere = 1;
}

/* The answers in their order. */
JNIEXPORT void JNICALL Java_Compiled_show(JNIEnv *env, jclass c) {
    (void)env, (void)c;
    for (int i = 0; i < answer_count; i++) {
        char *name = NULL;
        jmethodID m = answers[i].method;
        if (m) ok((*jvmti)->GetMethodName(jvmti, m, &name, NULL, NULL), "GetMethodName");
        say("%s at %d, %d frames", name ? name : "?", (int)answers[i].location, (int)answers[i].frames);
        if (name) release(name);
    }
    say("compiled code: %s", code_low ? "yes" : "no");
}

JNIEXPORT void JNICALL Java_Compiled_again(JNIEnv *env, jclass c, jclass changed) {
    (void)env, (void)c;
    ok((*jvmti)->RetransformClasses(jvmti, 1, &changed), "RetransformClasses");
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)reserved;
    the_vm = vm;
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK) return JNI_ERR;
    jvmtiCapabilities capabilities = {.can_retransform_classes = 1};
    if (strcmp(options, "retransform") == 0 && !ok((*jvmti)->AddCapabilities(jvmti, &capabilities), "AddCapabilities"))
        return JNI_ERR;
    if (strncmp(options, "crash=", 6) == 0) crash_at = atol(options + 6);
    if (strncmp(options, "crashes=", 8) == 0) copy_each = atol(options + 8);
    trace_function = (AsyncGetCallTrace_t)dlsym(RTLD_DEFAULT, "AsyncGetCallTrace");
    if (trace_function == NULL) return JNI_ERR;
    struct sigaction action = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
    return sigaction(SIGTRAP, &action, NULL) == 0 ? JNI_OK : JNI_ERR;
}
