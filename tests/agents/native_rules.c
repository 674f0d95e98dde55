/* Native side of tests/natives/NativeRules.java. Copies of this library behave as their file names say:
 * libversion_<hex>.so answers that version from JNI_OnLoad, libthrows.so leaves an exception, all others register
 * Loaded.registered. When JNI_OnUnload runs, a file with the library's name and ".unloaded" appears. The destructor of
 * libexits.so asks for the VM, and as an agent it leaves a line in the buffer of its output. */
#include <dlfcn.h>
#include <jni.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int calls, loads;

/* This copy's path; its name without "lib" and what follows. */
static const char *path(void) {
    Dl_info info;
    return dladdr((void *)path, &info) ? info.dli_fname : "";
}
static const char *name(void) {
    const char *slash = strrchr(path(), '/');
    return slash ? slash + strlen("/lib") : "";
}

static JavaVM *left_behind;

__attribute__((destructor)) static void look_for_vm(void) {
    void *e;
    if (left_behind == NULL) return;
    jint got = (*left_behind)->GetEnv(left_behind, &e, JNI_VERSION_1_8);
    jint attached = (*left_behind)->AttachCurrentThread(left_behind, &e, NULL);
    printf("destructor: GetEnv %d, AttachCurrentThread %d\n", got, attached);
    fflush(stdout);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)vm, (void)options, (void)reserved;
    printf("agent loaded\n");
    return JNI_OK;
}

static jint JNICALL registered(JNIEnv *e, jclass c) { (void)e, (void)c; return 100 + ++calls; }

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *reserved) {
    JNIEnv *e;
    (void)reserved;
    loads++;
    if (strncmp(name(), "exits", 5) == 0) left_behind = vm;
    if (strncmp(name(), "version_", 8) == 0) return (jint)strtoul(name() + 8, NULL, 16);
    if ((*vm)->GetEnv(vm, (void **)&e, JNI_VERSION_1_8) != JNI_OK) return JNI_ERR;
    if (strncmp(name(), "throws", 6) == 0) {
        (*e)->ThrowNew(e, (*e)->FindClass(e, "java/lang/IllegalStateException"), "from JNI_OnLoad");
        return JNI_VERSION_1_8;
    }
    /* Found in the loader that loads the library. */
    jclass c = (*e)->FindClass(e, "Loaded");
    if (!c) {
        (*e)->ExceptionClear(e);
        return JNI_VERSION_1_8;
    }
    JNINativeMethod m = { (char *)"registered", (char *)"()I", (void *)registered };
    return (*e)->RegisterNatives(e, c, &m, 1) == JNI_OK ? JNI_VERSION_1_8 : JNI_ERR;
}

JNIEXPORT void JNICALL JNI_OnUnload(JavaVM *vm, void *reserved) {
    char mark[4096];
    (void)vm, (void)reserved;
    snprintf(mark, sizeof mark, "%s.unloaded", path());
    FILE *f = fopen(mark, "w");
    if (f) fclose(f);
}

/* Registered in JNI_OnLoad; this is found once the registration is taken back. */
JNIEXPORT jint JNICALL Java_Loaded_registered(JNIEnv *e, jclass c) { (void)e, (void)c; return 200 + ++calls; }
JNIEXPORT jint JNICALL Java_Loaded_count(JNIEnv *e, jclass c) { (void)e, (void)c; return ++calls; }
JNIEXPORT jint JNICALL Java_Loaded_loads(JNIEnv *e, jclass c) { (void)e, (void)c; return loads; }
JNIEXPORT jint JNICALL Java_Loaded_unregister(JNIEnv *e, jclass c) { return (*e)->UnregisterNatives(e, c); }

/* ---- names ------------------------------------------------------------------------------------------------------- */

#define NAMED(symbol, number, ...) \
    JNIEXPORT jint JNICALL symbol(JNIEnv *e, jclass c __VA_OPT__(, ) __VA_ARGS__); \
    JNIEXPORT jint JNICALL symbol(__attribute__((unused)) JNIEnv *e, \
        __attribute__((unused)) jclass c __VA_OPT__(, ) __VA_ARGS__) { return number; }
#define U __attribute__((unused))
NAMED(Java_p_1q_Names_plain, 1)
NAMED(Java_p_1q_Names_under_1score_1, 2)
NAMED(Java_p_1q_Names_dollar_00024sign, 3)
NAMED(Java_p_1q_Names_accent_000e9, 4)
NAMED(Java_p_1q_Names__065e5_0672c, 5)
NAMED(Java_p_1q_Names_over__I, 6, U jint a)
NAMED(Java_p_1q_Names_over__JLjava_lang_String_2, 7, U jlong a, U jobject b)
NAMED(Java_p_1q_Names_over___3I_3_3Ljava_lang_Object_2, 8, U jobject a, U jobject b)
NAMED(Java_p_1q_Names_over__Lp_1q_Names_00024In_1ner_2, 9, U jobject a)
NAMED(Java_p_1q_Names_both, 10)
NAMED(Java_p_1q_Names_both__, 11)
NAMED(Java_p_1q_Names_longOnly__, 12)
NAMED(Java_p_1q_Names_clash, 13, U jobject a)
NAMED(Java_p_1q_Names_clash__I, 14, U jint a)
NAMED(Java_p_1q_Names_00024In_1ner_inside, 15)
NAMED(Java_p_1q_Names_digit_10, 16)
