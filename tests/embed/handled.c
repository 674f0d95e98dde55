/* handled.c: a thread of the host runs an agent's signal handler (agents/handles_signal.c) while the VM goes, and
 * returns through it behind the end, and who handles the signal then. argv: libjvm.so, how many VMs, VM options. */
#include <dlfcn.h>
#include <errno.h>
#include <jni.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

enum { OPTIONS = 8 };

static sem_t in_handler, may_return, ended;

static void await(sem_t *s) {
    while (sem_wait(s) != 0 && errno == EINTR) {}
}

JNIEXPORT void host_handles(void) {
    sem_post(&in_handler);
    await(&may_return);
}

static void *host_thread(void *unused) {
    (void)unused;
    await(&ended);
    return NULL;
}

static const char *disposition(void) {
    struct sigaction now;
    if (sigaction(SIGPROF, NULL, &now) != 0) return "unknown";
    return now.sa_handler == SIG_DFL ? "default" : now.sa_handler == SIG_IGN ? "ignored" : "handled";
}

int main(int argc, char **argv) {
    JavaVMOption options[OPTIONS];
    JavaVMInitArgs args = {.version = JNI_VERSION_1_8, .options = options};
    if (argc < 3 || argc - 3 > OPTIONS) return 2;
    for (int i = 3; i < argc; i++) options[args.nOptions++] = (JavaVMOption){argv[i], NULL};
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
    if (library == NULL) return 2;
    jint (*create)(JavaVM **, void **, void *) = (jint(*)(JavaVM **, void **, void *))dlsym(library,
                                                                                            "JNI_CreateJavaVM");
    sem_init(&in_handler, 0, 0), sem_init(&may_return, 0, 0), sem_init(&ended, 0, 0);
    for (int n = atoi(argv[2]); n > 0; n--) {
        JavaVM *vm;
        JNIEnv *env;
        pthread_t thread;
        jint created = create(&vm, (void **)&env, &args);
        printf("create: %d\n", (int)created);
        if (created != JNI_OK || pthread_create(&thread, NULL, host_thread, NULL) != 0) return 1;
        pthread_kill(thread, SIGPROF);
        await(&in_handler);
        printf("destroy: %d\n", (int)(*vm)->DestroyJavaVM(vm));
        printf("SIGPROF: %s\n", disposition());
        fflush(stdout);
        sem_post(&may_return);
        sem_post(&ended);
        pthread_join(thread, NULL);
        printf("the handler has returned\n");
    }
    return 0;
}
