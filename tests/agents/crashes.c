/* crashes.c: natives of the class Crash of command.crash_report. They crash where C's own locks are held, so that a
 * report that wanted one would wait for ever. */
#include <dlfcn.h>
#include <jni.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* In malloc, on its way through the free pieces, one of which leads nowhere: this thread has locked its arena. */
JNIEXPORT void JNICALL Java_Crash_inMalloc(JNIEnv *jni, jclass c) {
    (void)jni, (void)c;
    enum { PIECE = 4000, PIECES = 100, MORE = 8000 };
    static volatile uintptr_t pieces[PIECES];    /* so that no compiler sees what is done; the last lie side by side */
    for (int i = 0; i < PIECES; i++) pieces[i] = (uintptr_t)malloc(PIECE);
    free((void *)pieces[PIECES - 3]);
    ((void *volatile *)pieces[PIECES - 3])[1] = (void *)0x10;      /* the free piece before it                       */
    pieces[0] = (uintptr_t)malloc(MORE);
}

/* With a library that stays in its constructor another thread has locked the list of libraries, where functions' names
 * are looked up. That library is a copy of this one. */
__attribute__((constructor)) static void stay(void) {
    const char *address = getenv("CRASHES_STAY");
    if (address == NULL) return;
    sem_post((sem_t *)(uintptr_t)strtoull(address, NULL, 16));
    while (pause() == -1) continue;
}

static void *hold_list(void *path) { return dlopen(path, RTLD_NOW); }

JNIEXPORT void JNICALL Java_Crash_whileLibrariesAreLocked(JNIEnv *jni, jclass c, jstring copy) {
    (void)c;
    static volatile uintptr_t nowhere = 8;
    static sem_t stays;
    char address[32];
    pthread_t holder;
    sem_init(&stays, 0, 0);
    snprintf(address, sizeof address, "%lx", (unsigned long)(uintptr_t)&stays);
    setenv("CRASHES_STAY", address, 1);
    char *path = (char *)(uintptr_t)(*jni)->GetStringUTFChars(jni, copy, NULL);
    if (pthread_create(&holder, NULL, hold_list, path) != 0) return;
    sem_wait(&stays);
    *(volatile int *)nowhere = 1;
}
