/* create.c: creates and destroys VMs one after the other (`make bench`), and prints for each cycle the wall and the CPU
 * seconds of the process that it took. Usage: create <libjvm.so> <cycles> <VM option>... */
#include <dlfcn.h>
#include <jni.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MAX_OPTIONS = 16 };

typedef jint (*create_function)(JavaVM **vm, void **env, void *args);

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
    if (argc < 3 || argc - 3 > MAX_OPTIONS) return 2;
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
    create_function create = library ? (create_function)dlsym(library, "JNI_CreateJavaVM") : NULL;
    if (!create) {
        printf("%s\n", dlerror());
        return 2;
    }
    JavaVMOption options[MAX_OPTIONS] = { { NULL, NULL } };
    for (int i = 3; i < argc; i++) options[i - 3].optionString = argv[i];
    for (int cycle = 1; cycle <= atoi(argv[2]); cycle++) {
        JavaVMInitArgs args = { JNI_VERSION_1_8, argc - 3, options, JNI_FALSE };
        JavaVM *vm;
        JNIEnv *env;
        double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
        jint created = create(&vm, (void **)&env, &args);
        if (created != JNI_OK || (*vm)->DestroyJavaVM(vm) != JNI_OK) {
            printf("cycle %d: create: %d\n", cycle, created);
            return 1;
        }
        printf("%.6f %.6f\n", seconds(CLOCK_MONOTONIC) - wall, seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu);
        fflush(stdout);
    }
    return 0;
}
