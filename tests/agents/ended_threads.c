/* ended_threads.c: a library that keeps a thread's end from coming, after its Java code is over: in a destructor of
 * thread-specific data. */
#include <jni.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static pthread_key_t key;
static int may_end, waits, ended;

static void wait_at_the_end(void *value) {
    (void)value;
    pthread_mutex_lock(&lock);
    waits = 1;
    pthread_cond_broadcast(&change);
    while (!may_end) pthread_cond_wait(&change, &lock);
    ended = 1;
    pthread_cond_broadcast(&change);
    pthread_mutex_unlock(&lock);
}

JNIEXPORT void JNICALL Java_EndedThreads_holdEnd(JNIEnv *env, jclass c) {
    (void)env, (void)c;
    pthread_key_create(&key, wait_at_the_end);
    pthread_setspecific(key, &key);
}

JNIEXPORT void JNICALL Java_EndedThreads_awaitHeld(JNIEnv *env, jclass c) {
    (void)env, (void)c;
    pthread_mutex_lock(&lock);
    while (!waits) pthread_cond_wait(&change, &lock);
    pthread_mutex_unlock(&lock);
}

JNIEXPORT void JNICALL Java_EndedThreads_letEnd(JNIEnv *env, jclass c) {
    (void)env, (void)c;
    pthread_mutex_lock(&lock);
    may_end = 1;
    pthread_cond_broadcast(&change);
    while (!ended) pthread_cond_wait(&change, &lock);
    pthread_mutex_unlock(&lock);
}
