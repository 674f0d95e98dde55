/* embed.c: a program with a Java virtual machine in it. It creates one, asks Java something, takes it down, and does it
 * again.
 *
 *     embed <JDK 17 or 25 directory>
 *
 * Linked with libjvm.so through CMake's package or pkg-config (see CMakeLists.txt and Makefile here); nothing in the
 * environment says where anything is: the library finds the JDK around itself, or serves the one that -Djava.home
 * names. */
#include <jni.h>
#include <stdio.h>

/* What the VM says goes through here: messages of the VM, and why it could not be created. */
static jint JNICALL say(FILE *file, const char *format, va_list arguments) {
    (void)file;
    fputs("[vm] ", stderr);
    return vfprintf(stderr, format, arguments);
}

static int ask(JNIEnv *env) {
    jclass system = (*env)->FindClass(env, "java/lang/System");
    jmethodID get = system ? (*env)->GetStaticMethodID(env, system, "getProperty",
                                                       "(Ljava/lang/String;)Ljava/lang/String;")
                           : NULL;
    jstring key = get ? (*env)->NewStringUTF(env, "java.version") : NULL;
    jstring value = key ? (jstring)(*env)->CallStaticObjectMethod(env, system, get, key) : NULL;
    const char *text = value ? (*env)->GetStringUTFChars(env, value, NULL) : NULL;
    if (text == NULL) {
        if ((*env)->ExceptionCheck(env)) (*env)->ExceptionDescribe(env);
        return 0;
    }
    printf("Java %s\n", text);
    (*env)->ReleaseStringUTFChars(env, value, text);
    return 1;
}

int main(int argc, char **argv) {
    char home[4096] = "-Dno.home";
    if (argc > 1) snprintf(home, sizeof home, "-Djava.home=%s", argv[1]);
    JavaVMOption options[] = {
        {(char *)"vfprintf", (void *)say},     /* hooks come first, so that they see everything */
        {home, NULL},
        {(char *)"-Xmx64m", NULL},             /* address space is reserved for this much        */
        {(char *)"-Xrs", NULL},                /* SIGINT, SIGTERM, SIGQUIT stay the program's     */
    };
    JavaVMInitArgs arguments = {JNI_VERSION_1_8, sizeof options / sizeof *options, options, JNI_FALSE};
    for (int round = 1; round <= 2; round++) {
        JavaVM *vm;
        JNIEnv *env;
        jint result = JNI_CreateJavaVM(&vm, (void **)&env, &arguments);
        if (result != JNI_OK) {
            fprintf(stderr, "no Java virtual machine: %d\n", (int)result);
            return 1;
        }
        int answered = ask(env);
        /* threads, memory, descriptors, handlers: as before */
        if ((*vm)->DestroyJavaVM(vm) != JNI_OK || !answered) return 1;
    }
    return 0;
}
