/* hooks.c: the options vfprintf, exit and abort of a VM's creation. Each way ends in one of the hooks, which ends the
 * process with a code of its own. Usage: hooks <libjvm.so> <what> <VM option>... ; what: "exit" (System.exit), "halt",
 * "abort" (FatalError), or "option" (a bad one) */
#include <dlfcn.h>
#include <jni.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char printed[8192];

static jint JNICALL on_print(FILE *file, const char *format, va_list arguments) {
    size_t length = strlen(printed);
    (void)file;
    return vsnprintf(printed + length, sizeof printed - length, format, arguments);
}

static void end(const char *what, int code) {
    fprintf(stderr, "%s hook: %d, FatalError's text printed by the hook: %d\n", what, code,
            strstr(printed, "the embedder's reason") != NULL);
    _exit(40 + code);
}

static void JNICALL on_exit_of_vm(jint code) { end("exit", code); }
static void JNICALL on_abort(void) { end("abort", 1); }

int main(int argc, char **argv) {
    if (argc < 3 || argc > 8) return 2;
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
    jint (*create)(JavaVM **, void **,
                   void *) = library ? (jint(*)(JavaVM **, void **, void *))dlsym(library, "JNI_CreateJavaVM") : NULL;
    if (!create) return 2;
    const char *what = argv[2];
    JavaVMOption options[10] = {{(char *)"vfprintf", (void *)on_print},
                                {(char *)"exit", (void *)on_exit_of_vm},
                                {(char *)"abort", (void *)on_abort}};
    jint n = 3;
    for (int i = 3; i < argc; i++) options[n++].optionString = argv[i];
    if (strcmp(what, "option") == 0) options[n++].optionString = (char *)"-XX:NoSuchFlag";
    JavaVMInitArgs args = {JNI_VERSION_1_8, n, options, JNI_FALSE};
    JavaVM *vm;
    JNIEnv *e;
    jint r = create(&vm, (void **)&e, &args);
    if (r != JNI_OK) {
        printf("create: %d, explained by the hook: %d\n", r, strstr(printed, "NoSuchFlag") != NULL);
        return 0;
    }
    if (strcmp(what, "abort") == 0) (*e)->FatalError(e, "the embedder's reason");
    jclass system = (*e)->FindClass(e, strcmp(what, "halt") == 0 ? "java/lang/Shutdown" : "java/lang/System");
    if (strcmp(what, "exit") == 0)
        (*e)->CallStaticVoidMethod(e, system, (*e)->GetStaticMethodID(e, system, "exit", "(I)V"), 7);
    if (strcmp(what, "halt") == 0)
        (*e)->CallStaticVoidMethod(e, system, (*e)->GetStaticMethodID(e, system, "halt0", "(I)V"), 5);
    return 1;                            /* a hook should have ended the process */
}
