/* watch_calls.c: what the functions of the JVM TI cost that look at objects, stacks and classes (`make bench`, with
 * Watch.java).
 *
 * Heaps and many classes are measured in CPU time of the process, since a VM may do the work in another thread; calls
 * about the calling thread in its CPU time, the best of some rounds; calls that have to stop another thread in wall
 * time, the lower quartile of many calls. */
#include "watch.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define CALL(function, ...) must((*watch_env)->function(watch_env, __VA_ARGS__), #function)

enum { ROUNDS = 7, CALLS = 401 };

static double process_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void print(const char *what, double value)
{
    printf("%s\t%.3f\n", what, value);
    fflush(stdout);
}

static void free_result(void *p) { (*watch_env)->Deallocate(watch_env, p); }

/* ---- heap -------------------------------------------------------------------------------------------------------- */

/* What a walk over the heap counts, and the tag it gives. */
struct walk {
    long objects, references;
    jlong tag;
    long of_class[1 << 15];              /* by class tag                                                              */
};

static jint JNICALL count_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag,
                                    jlong referrer_class_tag, jlong size, jlong *tag, jlong *referrer_tag, jint length,
                                    void *data) {
    (void)kind, (void)info, (void)class_tag, (void)referrer_class_tag, (void)size, (void)tag, (void)referrer_tag,
        (void)length;
    ((struct walk *)data)->references++;
    return JVMTI_VISIT_OBJECTS;
}

static jint JNICALL tag_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag,
                                  jlong referrer_class_tag, jlong size, jlong *tag, jlong *referrer_tag, jint length,
                                  void *data) {
    (void)kind, (void)info, (void)referrer_class_tag, (void)size, (void)referrer_tag, (void)length;
    struct walk *w = data;
    if (*tag != 0) return 0;
    *tag = w->tag;
    w->objects++;
    w->of_class[class_tag & (sizeof w->of_class / sizeof w->of_class[0] - 1)] += size;
    return JVMTI_VISIT_OBJECTS;
}

static jint JNICALL count_object(jlong class_tag, jlong size, jlong *tag, jint length, void *data)
{
    (void)class_tag, (void)size, (void)tag, (void)length;
    ((struct walk *)data)->objects++;
    return JVMTI_VISIT_OBJECTS;
}

static jint JNICALL tag_object(jlong class_tag, jlong size, jlong *tag, jint length, void *data)
{
    (void)class_tag, (void)size, (void)length;
    struct walk *w = data;
    w->objects++;
    *tag = w->tag;
    return JVMTI_VISIT_OBJECTS;
}

static jint JNICALL count_string(jlong class_tag, jlong size, jlong *tag, const jchar *value, jint length, void *data)
{
    (void)class_tag, (void)size, (void)tag, (void)value, (void)length;
    ((struct walk *)data)->objects++;
    return JVMTI_VISIT_OBJECTS;
}

static jint JNICALL count_field(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag,
                                jlong *tag, jvalue value, jvmtiPrimitiveType type, void *data) {
    (void)kind, (void)info, (void)class_tag, (void)tag, (void)value, (void)type;
    ((struct walk *)data)->objects++;
    return JVMTI_VISIT_OBJECTS;
}

static double follow(jvmtiHeapReferenceCallback callback, struct walk *w)
{
    jvmtiHeapCallbacks callbacks = { .heap_reference_callback = callback };
    double start = process_ns();
    CALL(FollowReferences, 0, NULL, NULL, &callbacks, w);
    return process_ns() - start;
}

static double iterate(const jvmtiHeapCallbacks *callbacks, struct walk *w)
{
    w->objects = w->references = 0;
    double start = process_ns();
    CALL(IterateThroughHeap, 0, NULL, callbacks, w);
    return process_ns() - start;
}

static const jvmtiHeapCallbacks counting = {.heap_iteration_callback = count_object},
                                tagging = {.heap_iteration_callback = tag_object},
                                values = {.string_primitive_value_callback = count_string,
                                          .primitive_field_callback = count_field};

static void keep_best(double *best, double now)
{
    if (*best < now) *best = now;
}

static void tag_classes(JNIEnv *env)
{
    jint count;
    jclass *classes;
    CALL(GetLoadedClasses, &count, &classes);
    for (jint i = 0; i < count; i++) {
        CALL(SetTag, classes[i], i + 1);
        (*env)->DeleteLocalRef(env, classes[i]);
    }
    free_result(classes);
}

/* Millions of references or objects per second. */
NATIVE(void, measureHeap)(JNIEnv *env, jclass c, jobjectArray roots)
{
    (void)c, (void)roots;
    static struct walk w;
    double references = 0, histogram = 0, objects = 0, read = 0, tagged = 0, untagged = 0;
    must((*watch_env)->ForceGarbageCollection(watch_env), "ForceGarbageCollection");
    for (int round = 0; round < ROUNDS; round++) {
        w = (struct walk){ .tag = 0 };
        double ns = follow(count_reference, &w);
        keep_best(&references, (double)w.references / ns * 1e3);
        ns = iterate(&counting, &w);
        keep_best(&objects, (double)w.objects / ns * 1e3);
        ns = iterate(&values, &w);
        keep_best(&read, (double)w.objects / ns * 1e3);
        w.tag = 5;
        ns = iterate(&tagging, &w);
        keep_best(&tagged, (double)w.objects / ns * 1e3);
        w.tag = 0;
        ns = iterate(&tagging, &w);
        keep_best(&untagged, (double)w.objects / ns * 1e3);
        tag_classes(env);
        w = (struct walk){ .tag = 1 << 20 };
        ns = follow(tag_reference, &w);
        keep_best(&histogram, (double)w.objects / ns * 1e3);
        w.tag = 0;
        iterate(&tagging, &w);
    }
    print("FollowReferences, M references/s", references);
    print("tagged histogram, M objects/s", histogram);
    print("IterateThroughHeap, M objects/s", objects);
    print("strings and primitive fields, M/s", read);
    print("tag all, M objects/s", tagged);
    print("untag all, M objects/s", untagged);
}

/* ---- tags -------------------------------------------------------------------------------------------------------- */

static long resident_bytes(void)
{
    long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f == NULL) return 0;
    if (fscanf(f, "%*d %ld", &pages) != 1) pages = 0;
    fclose(f);
    return pages * sysconf(_SC_PAGESIZE);
}

/* Every node gets the tag `many`, but for 1,000 of them, which get `few`. */
enum { SINGLE = 20000, FEW = 7, MANY = 9 };

/* One after the other in memory, or far apart. */
static void single_tags(JNIEnv *env, jobjectArray objects, jsize stride, const char *set_row, const char *get_row)
{
    static jobject handles[SINGLE];
    double set = 0, got = 0;
    if ((*env)->PushLocalFrame(env, SINGLE) != 0) exit(1);
    for (jsize i = 0; i < SINGLE; i++) handles[i] = (*env)->GetObjectArrayElement(env, objects, i * stride);
    for (int round = 0; round < ROUNDS; round++) {
        double start = thread_ns();
        for (jsize i = 0; i < SINGLE; i++) CALL(SetTag, handles[i], i + 1);
        double middle = thread_ns();
        jlong tag, sum = 0;
        for (jsize i = 0; i < SINGLE; i++) {
            CALL(GetTag, handles[i], &tag);
            sum += tag;
        }
        double end = thread_ns();
        if (sum != (jlong)SINGLE * (SINGLE + 1) / 2) exit(1);
        if (round == 0 || middle - start < set) set = middle - start;
        if (round == 0 || end - middle < got) got = end - middle;
        for (jsize i = 0; i < SINGLE; i++) CALL(SetTag, handles[i], 0);
    }
    (*env)->PopLocalFrame(env, NULL);
    print(set_row, set / SINGLE);
    print(get_row, got / SINGLE);
}

NATIVE(void, measureTags)(JNIEnv *env, jclass c, jobjectArray objects)
{
    (void)c;
    single_tags(env, objects, 1, "SetTag, new, ns", "GetTag, ns");
    single_tags(env, objects, 40, "scattered, SetTag, new, ns", "scattered, GetTag, ns");
    static struct walk w;
    must((*watch_env)->ForceGarbageCollection(watch_env), "ForceGarbageCollection");
    iterate(&counting, &w);
    w.tag = MANY;
    long before = resident_bytes();
    iterate(&tagging, &w);
    print("bytes per tag", (double)(resident_bytes() - before) / (double)w.objects);
    for (jsize i = 0; i < 1000; i++) {
        jobject o = (*env)->GetObjectArrayElement(env, objects, i * 997);
        CALL(SetTag, o, FEW);
        (*env)->DeleteLocalRef(env, o);
    }
    double best = 0;
    for (int round = 0; round < ROUNDS; round++) {
        jint count;
        jobject *found;
        jlong few = FEW;
        double start = process_ns();
        CALL(GetObjectsWithTags, 1, &few, &count, &found, NULL);
        double ns = process_ns() - start;
        if (round == 0 || ns < best) best = ns;
        if (count != 1000) exit(1);
        for (jint i = 0; i < count; i++) (*env)->DeleteLocalRef(env, found[i]);
        free_result(found);
    }
    print("GetObjectsWithTags, 1,000 of 1 M, ms", best / 1e6);
}

/* ---- stacks ------------------------------------------------------------------------------------------------------ */

enum { FRAMES = 1000, SUSPENDED = 200 };

NATIVE(void, measureDepth)(JNIEnv *env, jclass c)
{
    (void)env, (void)c;
    static jvmtiFrameInfo frames[FRAMES];
    double trace = 0, depth = 0;
    jint count = 0;
    for (int i = 0; i < CALLS; i++) {
        double start = thread_ns();
        CALL(GetStackTrace, NULL, 0, FRAMES, frames, &count);
        double middle = thread_ns();
        jint n;
        CALL(GetFrameCount, NULL, &n);
        double end = thread_ns();
        if (i == 0 || middle - start < trace) trace = middle - start;
        if (i == 0 || end - middle < depth) depth = end - middle;
    }
    print("GetStackTrace, ns per frame", trace / count);
    print("GetFrameCount, depth 1,000, us", depth / 1e3);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double lower_quartile(double *times, int count)
{
    qsort(times, (size_t)count, sizeof times[0], by_size);
    return times[count / 4];
}

/* Wall time of `call`, the lower quartile of CALLS of them, in `times`. */
#define QUARTILE(result, ...)                                                                      \
    do {                                                                                           \
        for (int call = 0; call < CALLS; call++) {                                                 \
            double start = wall_ns();                                                              \
            __VA_ARGS__;                                                                           \
            times[call] = wall_ns() - start;                                                       \
        }                                                                                          \
        result = lower_quartile(times, CALLS);                                                     \
    } while (0)

/* A thread that was suspended in the middle of spin(int): waits until it stands there. */
static void suspend_in_spin(jthread suspended, jmethodID spin)
{
    for (;;) {
        jmethodID m = NULL;
        jlocation at;
        CALL(SuspendThread, suspended);
        if ((*watch_env)->GetFrameLocation(watch_env, suspended, 0, &m, &at) == JVMTI_ERROR_NONE && m == spin) return;
        CALL(ResumeThread, suspended);
        usleep(1000);
    }
}

/* Returns when the thread that counts `spins` has done so. */
static void wait_until_it_runs(JNIEnv *env, jclass c, jfieldID spins)
{
    jint before = (*env)->GetStaticIntField(env, c, spins);
    while ((*env)->GetStaticIntField(env, c, spins) == before) sched_yield();
}

/* One after the other, all of them, then back again. */
static void suspend_many(JNIEnv *env, jobjectArray threads)
{
    static double times[CALLS];
    static jthread many[SUSPENDED];
    double all;
    if ((*env)->PushLocalFrame(env, SUSPENDED) != 0 || (*env)->GetArrayLength(env, threads) != SUSPENDED) exit(1);
    for (jsize i = 0; i < SUSPENDED; i++) many[i] = (*env)->GetObjectArrayElement(env, threads, i);
    QUARTILE(
        all, for (int i = 0; i < SUSPENDED; i++) CALL(SuspendThread, many[i]);
        for (int i = 0; i < SUSPENDED; i++) CALL(ResumeThread, many[i]));
    (*env)->PopLocalFrame(env, NULL);
    print("suspended and resumed, 200 threads, M/s", SUSPENDED / all * 1e3);
}

NATIVE(void, measureThreads)(JNIEnv *env, jclass c, jthread running, jthread suspended, jobjectArray parked)
{
    static double times[CALLS];
    static jvmtiFrameInfo frames[FRAMES];
    jmethodID spin = (*env)->GetStaticMethodID(env, c, "spin", "(I)I");
    double trace, all, get, set, bytecodes;
    jint count, value;
    jfieldID spins = (*env)->GetStaticFieldID(env, c, "spins", "I");
    suspend_in_spin(suspended, spin);
    suspend_in_spin(running, spin);
    CALL(ResumeThread, running);
    for (int call = 0; call < CALLS; call++) {
        wait_until_it_runs(env, c, spins);
        double start = wall_ns();
        CALL(GetStackTrace, running, 0, FRAMES, frames, &count);
        times[call] = wall_ns() - start;
    }
    trace = lower_quartile(times, CALLS);
    print("stack of a running thread, us", trace / 1e3);
    QUARTILE(get, CALL(GetLocalInt, suspended, 0, 0, &value));
    QUARTILE(set, CALL(SetLocalInt, suspended, 0, 0, value));
    CALL(ResumeThread, suspended);
    print("GetLocalInt, suspended thread, us", get / 1e3);
    print("SetLocalInt, suspended thread, us", set / 1e3);
    unsigned char *bytes;
    QUARTILE(
        bytecodes, for (int i = 0; i < 100; i++) {
            CALL(GetBytecodes, spin, &count, &bytes);
            free_result(bytes);
        });
    print("GetBytecodes, ns", bytecodes / 100);
    CALL(SuspendThread, running);
    CALL(SuspendThread, suspended);
    for (int call = 0; call < CALLS; call++) {
        jvmtiStackInfo *stacks;
        jint threads;
        double start = wall_ns();
        CALL(GetAllStackTraces, FRAMES, &stacks, &threads);
        times[call] = wall_ns() - start;
        for (jint i = 0; i < threads; i++) (*env)->DeleteLocalRef(env, stacks[i].thread);
        free_result(stacks);
    }
    all = lower_quartile(times, CALLS);
    print("GetAllStackTraces, 200 threads, ms", all / 1e6);
    CALL(ResumeThread, running);
    CALL(ResumeThread, suspended);
    suspend_many(env, parked);
}

/* ---- classes ----------------------------------------------------------------------------------------------------- */

enum { CLASSES = 500 };

NATIVE(void, measureClasses)(JNIEnv *env, jclass c, jobjectArray array, jbyteArray bytes)
{
    (void)c;
    static jclass classes[CLASSES];
    static jvmtiClassDefinition definitions[CLASSES];
    static double times[CALLS];
    jsize length = (*env)->GetArrayLength(env, bytes);
    jbyte *file = (*env)->GetByteArrayElements(env, bytes, NULL);
    if (file == NULL || (*env)->PushLocalFrame(env, CLASSES) != 0) exit(1);
    for (jsize i = 0; i < CLASSES; i++) {
        classes[i] = (*env)->GetObjectArrayElement(env, array, i);
        definitions[i] = (jvmtiClassDefinition){ classes[i], length, (unsigned char *)file };
    }
    double one, redefined = 0, retransformed = 0;
    QUARTILE(one, CALL(RedefineClasses, 1, definitions));
    print("RedefineClasses, one, ms", one / 1e6);
    QUARTILE(one, CALL(RetransformClasses, 1, classes));
    print("RetransformClasses, one, ms", one / 1e6);
    for (int round = 0; round < ROUNDS; round++) {
        double start = process_ns();
        CALL(RedefineClasses, CLASSES, definitions);
        double middle = process_ns();
        CALL(RetransformClasses, CLASSES, classes);
        double end = process_ns();
        if (round == 0 || middle - start < redefined) redefined = middle - start;
        if (round == 0 || end - middle < retransformed) retransformed = end - middle;
    }
    print("RedefineClasses, 500, us per class", redefined / CLASSES / 1e3);
    print("RetransformClasses, 500, us per class", retransformed / CLASSES / 1e3);
    (*env)->PopLocalFrame(env, NULL);
    (*env)->ReleaseByteArrayElements(env, bytes, file, JNI_ABORT);
}
