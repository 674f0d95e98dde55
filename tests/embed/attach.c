/* attach.c: native threads come and go while the collector runs, from hosts of all kinds.
 * Usage: attach <libjvm.so> <class path> <attachments per thread> <VM option>...
 * Four threads attach, allocate and detach again and again while a Java thread collects; then the hosts below use the
 * VM: a thread with a small stack (IA-032; IA-035 is that no visitor is left), one on an alternate signal stack, one
 * whose process has its own SIGSEGV handler. */
#include <dlfcn.h>
#include <jni.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, SMALL_STACK = 128 << 10 };

static JavaVM *vm;
static int attachments;
static atomic_int failures;
static jclass program;
static jmethodID touch;

static int use(JNIEnv *e, int i) {
    (*e)->PushLocalFrame(e, 8);
    jint answer = (*e)->CallStaticIntMethod(e, program, touch, i);
    int ok = answer == i + 1 && !(*e)->ExceptionCheck(e);
    (*e)->PopLocalFrame(e, NULL);
    return ok;
}

static void *come_and_go(void *arg) {
    for (int i = 0; i < attachments; i++) {
        JNIEnv *e;
        char name[32];
        snprintf(name, sizeof name, "visitor %d", (int)(intptr_t)arg);
        JavaVMAttachArgs args = {JNI_VERSION_1_8, name, NULL};
        jint r = i % 2 ? (*vm)->AttachCurrentThread(vm, (void **)&e, &args)
                       : (*vm)->AttachCurrentThreadAsDaemon(vm, (void **)&e, NULL);
        int used = r == JNI_OK && use(e, i);
        if (r == JNI_OK && !used && (*e)->ExceptionCheck(e)) (*e)->ExceptionDescribe(e);
        if (!used || (*vm)->DetachCurrentThread(vm) != JNI_OK) {
            if (atomic_fetch_add(&failures, 1) == 0) printf("attach: %d, used %d\n", r, used);
            break;
        }
    }
    return NULL;
}

static void *visit(void *what) {
    JNIEnv *e;
    jint r = (*vm)->AttachCurrentThread(vm, (void **)&e, NULL);
    int ok = r == JNI_OK && use(e, 7);
    printf("%s: %d\n", (char *)what, ok && (*vm)->DetachCurrentThread(vm) == JNI_OK);
    return NULL;
}

static void run_thread(void *(*body)(void *), void *arg, size_t stack) {
    pthread_attr_t attributes;
    pthread_t t;
    pthread_attr_init(&attributes);
    if (stack) pthread_attr_setstacksize(&attributes, stack);
    if (pthread_create(&t, &attributes, body, arg) == 0) pthread_join(t, NULL);
    else printf("no thread\n");
    pthread_attr_destroy(&attributes);
}

static void on_usr1(int signo) {
    (void)signo;
    visit((void *)"alternate stack");
}

/* A coroutine-like host: the VM is entered on a stack that is not the thread's. */
static void *alternate(void *arg) {
    stack_t stack = {.ss_sp = malloc(1 << 20), .ss_size = 1 << 20};
    struct sigaction action = {.sa_handler = on_usr1, .sa_flags = SA_ONSTACK};
    (void)arg;
    sigaltstack(&stack, NULL);
    sigaction(SIGUSR1, &action, NULL);
    pthread_kill(pthread_self(), SIGUSR1);
    stack.ss_flags = SS_DISABLE;
    sigaltstack(&stack, NULL);
    free(stack.ss_sp);
    return NULL;
}

static sigjmp_buf back;
static void on_segv(int signo) {
    (void)signo;
    siglongjmp(back, 1);
}

/* The fault is the host's, and meant: sanitizers have nothing to say. */
__attribute__((no_sanitize("undefined", "address"))) static int host_fault(void) {
    volatile int *volatile nowhere = NULL;
    if (sigsetjmp(back, 1) != 0) return 1;
    *nowhere = 1;
    return 0;
}

int main(int argc, char **argv) {
    if (argc < 4 || argc > 12) return 2;
    setvbuf(stdout, NULL, _IOLBF, 0);
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
    jint (*create)(JavaVM **, void **,
                   void *) = library ? (jint(*)(JavaVM **, void **, void *))dlsym(library, "JNI_CreateJavaVM") : NULL;
    if (!create) return 2;
    attachments = atoi(argv[3]);
    char path[4096];
    snprintf(path, sizeof path, "-Djava.class.path=%s", argv[2]);
    JavaVMOption options[10] = {{path, NULL}};
    for (int i = 4; i < argc; i++) options[i - 3].optionString = argv[i];
    JavaVMInitArgs args = {JNI_VERSION_1_8, argc - 3, options, JNI_FALSE};
    JNIEnv *e;
    jint r = create(&vm, (void **)&e, &args);
    printf("create: %d\n", r);
    if (r != JNI_OK) return 1;
    jclass local = (*e)->FindClass(e, "Attached");
    program = local ? (*e)->NewGlobalRef(e, local) : NULL;
    touch = program ? (*e)->GetStaticMethodID(e, program, "touch", "(I)I") : NULL;
    jmethodID start = touch ? (*e)->GetStaticMethodID(e, program, "start", "()V") : NULL;
    jmethodID stop = start ? (*e)->GetStaticMethodID(e, program, "stop", "()I") : NULL;
    if (!stop) return 1;
    (*e)->CallStaticVoidMethod(e, program, start);
    pthread_t threads[THREADS];
    for (intptr_t i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, come_and_go, (void *)i);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    jint left = (*e)->CallStaticIntMethod(e, program, stop);
    printf("visits: %d, failures: %d, visitors left: %d\n", THREADS * attachments, atomic_load(&failures), left);

    run_thread(visit, (void *)"small stack", SMALL_STACK);
    run_thread(alternate, NULL, 0);
    struct sigaction mine = {.sa_handler = on_segv, .sa_flags = SA_NODEFER}, now;
    sigaction(SIGSEGV, &mine, NULL);
    printf("host's fault: %d\n", host_fault());
    printf("after it: %d\n", use(e, 1));
    printf("destroy: %d\n", (*vm)->DestroyJavaVM(vm));
    sigaction(SIGSEGV, NULL, &now);
    printf("host's handler stays: %d\n", now.sa_handler == on_segv);
    return 0;
}
