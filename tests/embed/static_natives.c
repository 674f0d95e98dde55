/* static_natives.c (IA-051): native methods linked into the program. System.loadLibrary("builtin") finds
 * JNI_OnLoad_builtin here and loads nothing; a library that asks for a version before 1.8 is none; the ordinary
 * functions JNI_OnLoad of the program are not called. Usage: static_natives <libjvm.so> <class path> <main class> */
#include <dlfcn.h>
#include <jni.h>
#include <stdio.h>
#include <string.h>

JNIEXPORT jint JNICALL JNI_OnLoad_builtin(JavaVM *vm, void *reserved);
JNIEXPORT jint JNICALL JNI_OnLoad_builtin(JavaVM *vm, void *reserved) {
    (void)vm, (void)reserved;
    printf("JNI_OnLoad_builtin\n");
    fflush(stdout);
    return JNI_VERSION_1_8;
}
JNIEXPORT jint JNICALL JNI_OnLoad_tooold(JavaVM *vm, void *reserved);
JNIEXPORT jint JNICALL JNI_OnLoad_tooold(JavaVM *vm, void *reserved) {
    (void)vm, (void)reserved;
    return JNI_VERSION_1_6;
}
JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *reserved) {
    (void)vm, (void)reserved;
    printf("JNI_OnLoad: must not be called\n");
    return JNI_VERSION_1_8;
}
JNIEXPORT jint JNICALL Java_StaticNatives_answer(JNIEnv *e, jclass c, jint a);
JNIEXPORT jint JNICALL Java_StaticNatives_answer(JNIEnv *e, jclass c, jint a) { (void)e, (void)c; return a + 42; }

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
    jint (*create)(JavaVM **, void **,
                   void *) = library ? (jint(*)(JavaVM **, void **, void *))dlsym(library, "JNI_CreateJavaVM") : NULL;
    if (!create) {
        printf("%s\n", dlerror());
        return 3;
    }
    char path[4096];
    snprintf(path, sizeof path, "-Djava.class.path=%s", argv[2]);
    JavaVMOption options[] = { { path, NULL }, { (char *)"--enable-native-access=ALL-UNNAMED", NULL } };
    JavaVMInitArgs args = { JNI_VERSION_1_8, 2, options, JNI_TRUE };
    JavaVM *vm;
    JNIEnv *e;
    if (create(&vm, (void **)&e, &args) != JNI_OK) return 4;
    jclass c = (*e)->FindClass(e, argv[3]);
    jmethodID m = c ? (*e)->GetStaticMethodID(e, c, "main", "([Ljava/lang/String;)V") : NULL;
    if (m) (*e)->CallStaticVoidMethod(e, c, m, NULL);
    if ((*e)->ExceptionCheck(e)) (*e)->ExceptionDescribe(e);
    return (*vm)->DestroyJavaVM(vm) == JNI_OK ? 0 : 5;
}
