/* What C code has written, and has not flushed, when it creates a VM, and what an agent in this program writes
 * meanwhile (-agentlib:flushes): argv[1] is libjvm.so, the other arguments are VM options. Nothing but JNI_CreateJavaVM
 * flushes here: the process ends by _exit, and what follows the creation goes past the C library's buffers. */
#include <dlfcn.h>
#include <jni.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { OPTIONS = 4 };

static void write_past(int fd, const char *text) {
    if (write(fd, text, strlen(text)) != (ssize_t)strlen(text)) _exit(3);
}

JNIEXPORT jint JNICALL Agent_OnLoad_flushes(JavaVM *vm, char *options, void *reserved) {
    (void)vm, (void)options, (void)reserved;
    fputs("agent, to stdout\n", stdout);
    fputs("agent, to stderr\n", stderr);
    return JNI_OK;
}

int main(int argc, char **argv) {
    static char out[4096], err[4096];
    JavaVMOption options[OPTIONS];
    JavaVMInitArgs args = {.version = JNI_VERSION_1_8, .options = options};
    if (argc < 2 || argc - 2 > OPTIONS) return 2;
    for (int i = 2; i < argc; i++) options[args.nOptions++] = (JavaVMOption){argv[i], NULL};
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
    if (library == NULL) return 2;
    jint (*create)(JavaVM **, void **, void *) = (jint(*)(JavaVM **, void **, void *))dlsym(library,
                                                                                            "JNI_CreateJavaVM");
    setvbuf(stdout, out, _IOFBF, sizeof out);
    setvbuf(stderr, err, _IOFBF, sizeof err);
    fputs("before, to stdout\n", stdout);
    fputs("before, to stderr\n", stderr);
    JavaVM *vm;
    JNIEnv *env;
    jint r = create(&vm, (void **)&env, &args);
    write_past(1, r == JNI_OK ? "created\n" : "not created\n");
    write_past(2, "behind it\n");
    _exit(0);
}
