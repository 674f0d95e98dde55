/* profiled_again.c: two VMs one after the other in one process, both with the profiler, whose library stays, and a
 * thread that outlives the first VM and calls Calls.leaf in both. Usage: profiled_again <libjvm.so> <class path> <JDK
 * directory> <libhprof.so> <agent options, %d: which VM> [<VM option>...] */
#include <dlfcn.h>
#include <jni.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

enum { VMS = 2, CALLS = 10, OPTIONS = 16 };

typedef jint (*create_function)(JavaVM **vm, void **env, void *args);

static JavaVM *vm;
static sem_t begin, done;

static void fail(const char *what) {
    printf("%s failed\n", what);
    exit(1);
}

/* It is attached when the VM ends. */
static void *calls(void *arg) {
    for (int i = 0; i < VMS; i++) {
        JNIEnv *env;
        sem_wait(&begin);
        if ((*vm)->AttachCurrentThreadAsDaemon(vm, (void **)&env, NULL) != JNI_OK) fail("AttachCurrentThreadAsDaemon");
        jclass c = (*env)->FindClass(env, "Calls");
        jmethodID leaf = c ? (*env)->GetStaticMethodID(env, c, "leaf", "(I)I") : NULL;
        if (leaf == NULL) fail("finding Calls.leaf");
        for (int n = 0; n < CALLS; n++)
            if ((*env)->CallStaticIntMethod(env, c, leaf, n) != n + 1) fail("Calls.leaf");
        sem_post(&done);
    }
    return arg;
}

int main(int argc, char **argv) {
    if (argc < 6 || argc - 6 > OPTIONS - 3) return 2;
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
    if (library == NULL || dlopen(argv[4], RTLD_NOW) == NULL) fail("dlopen");
    create_function create = (create_function)dlsym(library, "JNI_CreateJavaVM");
    sem_init(&begin, 0, 0);
    sem_init(&done, 0, 0);
    pthread_t thread;
    pthread_create(&thread, NULL, calls, NULL);
    for (int i = 0; i < VMS; i++) {
        char path[4096], home[4096], options_of_agent[4096], agent[8200];
        snprintf(path, sizeof path, "-Djava.class.path=%s", argv[2]);
        snprintf(home, sizeof home, "-Djava.home=%s", argv[3]);
        snprintf(options_of_agent, sizeof options_of_agent, argv[5], i + 1);
        snprintf(agent, sizeof agent, "-agentpath:%s=%s", argv[4], options_of_agent);
        JavaVMOption options[OPTIONS] = {{path, NULL}, {home, NULL}, {agent, NULL}};
        for (int k = 6; k < argc; k++) options[k - 3].optionString = argv[k];
        JavaVMInitArgs args = {JNI_VERSION_1_8, argc - 3, options, JNI_FALSE};
        JNIEnv *env;
        if (create(&vm, (void **)&env, &args) != JNI_OK) fail("JNI_CreateJavaVM");
        sem_post(&begin);
        sem_wait(&done);
        if ((*vm)->DestroyJavaVM(vm) != JNI_OK) fail("DestroyJavaVM");
    }
    return 0;
}
