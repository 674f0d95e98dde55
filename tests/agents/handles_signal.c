/* handles_signal.c: handles SIGPROF, by a function of the host, as a profiler does that asks every thread; unloaded, it
 * ignores the signal, or with the option "keeps" leaves the handler where it is (embed/handled.c). */
#include <dlfcn.h>
#include <jvmti.h>
#include <signal.h>
#include <string.h>

static void (*volatile host_handles)(void);
static volatile sig_atomic_t handled;
static int keeps;

static void on_signal(int number) {
    (void)number;
    host_handles();
    handled = 1;                                  /* so that the handler is what the host's function returns to */
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)vm, (void)reserved;
    keeps = options != NULL && strcmp(options, "keeps") == 0;
    host_handles = (void (*)(void))dlsym(RTLD_DEFAULT, "host_handles");
    return host_handles && signal(SIGPROF, on_signal) != SIG_ERR ? JNI_OK : JNI_ERR;
}

JNIEXPORT void JNICALL Agent_OnUnload(JavaVM *vm) {
    (void)vm;
    if (!keeps) signal(SIGPROF, SIG_IGN);
}
