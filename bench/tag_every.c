/* tag_every.c: an agent for `make bench`: at the end of the program it tags every n-th object and prints the memory it
 * cost. */
#include <jvmti.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static long every = 1;

/* What one walk over the heap sees and does. */
struct walk {
    long step;   /* tag an object each so many, 0 = none */
    long objects, tagged;
};

static jint JNICALL on_object(jlong class_tag, jlong size, jlong *tag_ptr, jint length, void *user_data)
{
    (void)class_tag, (void)size, (void)length;
    struct walk *w = user_data;
    if (w->step != 0 && w->objects % w->step == 0) *tag_ptr = ++w->tagged % 1000 + 1;
    w->objects++;
    return JVMTI_VISIT_OBJECTS;
}

static struct walk walk(jvmtiEnv *env, long step)
{
    struct walk w = { step, 0, 0 };
    jvmtiHeapCallbacks callbacks = { .heap_iteration_callback = on_object };
    jvmtiError error = (*env)->IterateThroughHeap(env, 0, NULL, &callbacks, &w);
    if (error != JVMTI_ERROR_NONE) {
        fprintf(stderr, "tag_every: IterateThroughHeap: error %d\n", error);
        exit(1);
    }
    return w;
}

static long resident_bytes(void)
{
    long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f == NULL) return 0;
    if (fscanf(f, "%*d %ld", &pages) != 1) pages = 0;
    fclose(f);
    return pages * sysconf(_SC_PAGESIZE);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void JNICALL vm_death(jvmtiEnv *env, JNIEnv *jni)
{
    (void)jni;
    (*env)->ForceGarbageCollection(env);
    walk(env, 0); /* so that the walk's own memory is there before the tags are */
    long before = resident_bytes();
    double start = now();
    struct walk w = walk(env, every);
    double seconds = now() - start;
    long grown = resident_bytes() - before;
    printf("tagged %ld of %ld objects in %.1f ms, %.2f bytes per tag\n", w.tagged, w.objects, seconds * 1e3,
           (double)grown / (double)w.tagged);
    fflush(stdout);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    (void)reserved;
    jvmtiEnv *env;
    if (options != NULL) every = atol(options);
    if (every < 1 || (*vm)->GetEnv(vm, (void **)&env, JVMTI_VERSION_1_1) != JNI_OK) return JNI_ERR;
    jvmtiCapabilities wanted = { .can_tag_objects = 1 };
    jvmtiEventCallbacks callbacks = { .VMDeath = vm_death };
    if ((*env)->AddCapabilities(env, &wanted) != JVMTI_ERROR_NONE) return JNI_ERR;
    if ((*env)->SetEventCallbacks(env, &callbacks, sizeof callbacks) != JVMTI_ERROR_NONE) return JNI_ERR;
    if ((*env)->SetEventNotificationMode(env, JVMTI_ENABLE, JVMTI_EVENT_VM_DEATH, NULL) != JVMTI_ERROR_NONE)
        return JNI_ERR;
    return JNI_OK;
}
