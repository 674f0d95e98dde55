/* unloading.c: a JNI library that says when it starts and ends (IA-046, IA-047), and whether its memory is fresh. With
 * Cycle.block a daemon thread stays in its code for good. */
#include <jni.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

static int starts;
static sem_t blocked;                    /* initialised by the first JNI_OnLoad */

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *reserved) {
    (void)vm, (void)reserved;
    if (starts == 0) sem_init(&blocked, 0, 0);
    printf("JNI_OnLoad %d\n", ++starts);
    fflush(stdout);
    return JNI_VERSION_1_8;
}

/* What the VM's threads held when it ended them is no root any more: their stacks are gone. And no class is being
 * loaded by them. */
static int collect(JNIEnv *env) {
    jclass c = (*env)->FindClass(env, "java/lang/System");
    (*env)->CallStaticVoidMethod(env, c, (*env)->GetStaticMethodID(env, c, "gc", "()V"));
    return (*env)->FindClass(env, "java/util/zip/Adler32") != NULL;
}

JNIEXPORT void JNICALL JNI_OnUnload(JavaVM *vm, void *reserved) {
    void *env = NULL;
    (void)reserved;
    jint r = (*vm)->GetEnv(vm, &env, JNI_VERSION_1_8);
    printf("JNI_OnUnload %d, collected %d\n", r, r == JNI_OK && collect(env));
    fflush(stdout);
}

JNIEXPORT void JNICALL Java_Cycle_block(JNIEnv *env, jclass c) {
    (void)env, (void)c;
    sem_post(&blocked);
    for (;;) pause();
}

/* Until a thread is in block. */
JNIEXPORT void JNICALL Java_Cycle_awaitBlocked(JNIEnv *env, jclass c) {
    (void)env, (void)c;
    while (sem_wait(&blocked) != 0) {}
}
