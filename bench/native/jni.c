/* jni.c: the native half of Jni.java (`make bench`): the methods that Java code calls, and the operations of native
 * code with their CPU time. */
#include <jni.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 9, ROUND_NS = 10000000 };

static double thread_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* ---- what Java code calls ---------------------------------------------------------------------------------------- */

#define NATIVE(type, name) JNIEXPORT type JNICALL Java_Jni_##name

NATIVE(void, empty)(JNIEnv *env, jclass c) { (void)env, (void)c; }
NATIVE(void, emptyInstance)(JNIEnv *env, jobject o) { (void)env, (void)o; }
NATIVE(jint, ints2)(JNIEnv *env, jclass k, jint a, jint b) { (void)env, (void)k; return a + b; }
NATIVE(jint, ints6)(JNIEnv *env, jclass k, jint a, jint b, jint c, jint d, jint e, jint f)
{
    (void)env, (void)k;
    return a + b + c + d + e + f;
}
NATIVE(jdouble, doubles2)(JNIEnv *env, jclass k, jdouble a, jdouble b) { (void)env, (void)k; return a + b; }
NATIVE(jdouble, doubles6)(JNIEnv *env, jclass k, jdouble a, jdouble b, jdouble c, jdouble d, jdouble e, jdouble f)
{
    (void)env, (void)k;
    return a + b + c + d + e + f;
}
NATIVE(jobject, objects2)(JNIEnv *env, jclass k, jobject a, jobject b) { (void)env, (void)k, (void)a; return b; }
NATIVE(jobject, objects6)(JNIEnv *env, jclass k, jobject a, jobject b, jobject c, jobject d, jobject e, jobject f)
{
    (void)env, (void)k, (void)a, (void)b, (void)c, (void)d, (void)e;
    return f;
}
NATIVE(jint, mixed)(JNIEnv *env, jclass k, jint a, jdouble b, jobject c, jlong d, jfloat e, jobject f, jint g, jint h)
{
    (void)env, (void)k, (void)b, (void)c, (void)d, (void)e, (void)f;
    return a + g + h;
}
NATIVE(void, emptySynchronized)(JNIEnv *env, jclass c) { (void)env, (void)c; }
NATIVE(jlong, time)(JNIEnv *env, jclass k) { (void)env, (void)k; return (jlong)thread_ns(); }

/* ---- what native code calls -------------------------------------------------------------------------------------- */

/* What the operations work on. */
struct subject {
    JavaVM *vm;
    jclass c;
    jobject o;
    jintArray small, large;
    jint *buffer;                        /* as long as `large`                                                        */
    jmethodID static_void, static_ints, instance_void, instance_int, instance_double, instance_object;
    jfieldID number, static_number, reference;
};

static volatile jint sink;
static void *volatile sink_pointer;

#define OPERATION(name, ...)                                                                       \
    static void name(JNIEnv *env, const struct subject *s, long count)                             \
    {                                                                                              \
        (void)env, (void)s;                                                                        \
        for (long i = 0; i < count; i++) { __VA_ARGS__; }                                          \
    }

OPERATION(call_static_void, (*env)->CallStaticVoidMethod(env, s->c, s->static_void))
OPERATION(call_static_int, sink = (*env)->CallStaticIntMethod(env, s->c, s->static_ints, 1, 2))
OPERATION(call_void, (*env)->CallVoidMethod(env, s->o, s->instance_void))
OPERATION(call_nonvirtual_void, (*env)->CallNonvirtualVoidMethod(env, s->o, s->c, s->instance_void))
OPERATION(call_int, sink = (*env)->CallIntMethod(env, s->o, s->instance_int, 1))
OPERATION(call_double, jvalue v[2] = { { .d = 2 }, { .d = 3 } };
    sink = (jint)(*env)->CallDoubleMethodA(env, s->o, s->instance_double, v))
OPERATION(call_object, (*env)->DeleteLocalRef(env, (*env)->CallObjectMethod(env, s->o, s->instance_object, s->o)))

OPERATION(get_int, sink = (*env)->GetIntField(env, s->o, s->number))
OPERATION(set_int, (*env)->SetIntField(env, s->o, s->number, 3))
OPERATION(get_static_int, sink = (*env)->GetStaticIntField(env, s->c, s->static_number))
OPERATION(set_static_int, (*env)->SetStaticIntField(env, s->c, s->static_number, 4))
OPERATION(get_object, (*env)->DeleteLocalRef(env, (*env)->GetObjectField(env, s->o, s->reference)))
OPERATION(set_object, (*env)->SetObjectField(env, s->o, s->reference, s->o))

OPERATION(new_local, (*env)->DeleteLocalRef(env, (*env)->NewLocalRef(env, s->o)))
OPERATION(new_global, (*env)->DeleteGlobalRef(env, (*env)->NewGlobalRef(env, s->o)))
OPERATION(new_weak, (*env)->DeleteWeakGlobalRef(env, (*env)->NewWeakGlobalRef(env, s->o)))
/* One of many: 200,000 are made, then deleted. */
enum { MANY = 200000 };
static jobject many[MANY];
#define MANY_REFERENCES(name, make, delete)                                                       \
    static void name(JNIEnv *env, const struct subject *s, long count)                             \
    {                                                                                              \
        for (long i = 0; i < count; i++) {                                                         \
            if (i % MANY == 0)                                                                     \
                for (long k = 0; k < MANY && i + k < count; k++) many[k] = (*env)->make(env, s->o); \
            (*env)->delete(env, many[i % MANY]);                                                   \
        }                                                                                          \
    }
MANY_REFERENCES(many_globals, NewGlobalRef, DeleteGlobalRef)
MANY_REFERENCES(many_weaks, NewWeakGlobalRef, DeleteWeakGlobalRef)
OPERATION(is_same, sink = (*env)->IsSameObject(env, s->o, s->small))
OPERATION(new_string, (*env)->DeleteLocalRef(env, (*env)->NewStringUTF(env, "a string of Latin letters")))

OPERATION(array_length, sink = (*env)->GetArrayLength(env, s->small))
#define ARRAY_OPERATIONS(array, length)                                                            \
    OPERATION(elements_##array, jint *p = (*env)->GetIntArrayElements(env, s->array, NULL); sink_pointer = p; \
              (*env)->ReleaseIntArrayElements(env, s->array, p, 0))                                \
    OPERATION(get_region_##array, (*env)->GetIntArrayRegion(env, s->array, 0, length, s->buffer))  \
    OPERATION(set_region_##array, (*env)->SetIntArrayRegion(env, s->array, 0, length, s->buffer))  \
    OPERATION(critical_##array, void *p = (*env)->GetPrimitiveArrayCritical(env, s->array, NULL); sink_pointer = p; \
              (*env)->ReleasePrimitiveArrayCritical(env, s->array, p, 0))
ARRAY_OPERATIONS(small, 4)
ARRAY_OPERATIONS(large, 1 << 18)

/* In a thread of its own: the VM knows it only between the two calls. */
OPERATION(attach_detach, JNIEnv *e; (*s->vm)->AttachCurrentThread(s->vm, (void **)&e, NULL);
    (*s->vm)->DetachCurrentThread(s->vm))

struct row {
    const char *what;
    void (*run)(JNIEnv *env, const struct subject *s, long count);
};

static const struct row rows[] = {
    { "up-call, static void ()", call_static_void }, { "up-call, static int (int, int)", call_static_int },
    { "up-call, void ()", call_void }, { "up-call, nonvirtual void ()", call_nonvirtual_void },
    { "up-call, int (int)", call_int },
    { "up-call, double (double, double) A", call_double }, { "up-call, Object (Object)", call_object },
    { "field, GetIntField", get_int }, { "field, SetIntField", set_int },
    { "field, GetStaticIntField", get_static_int }, { "field, SetStaticIntField", set_static_int },
    { "field, GetObjectField", get_object }, { "field, SetObjectField", set_object },
    { "reference, local", new_local }, { "reference, global", new_global }, { "reference, weak", new_weak },
    { "reference, IsSameObject", is_same },
    { "reference, one of 200,000 globals", many_globals }, { "reference, one of 200,000 weaks", many_weaks },
    { "string, NewStringUTF", new_string },
    { "array, GetArrayLength", array_length },
    { "array, Get/ReleaseElements 16 B", elements_small }, { "array, Get/ReleaseElements 1 MB", elements_large },
    { "array, GetRegion 16 B", get_region_small }, { "array, GetRegion 1 MB", get_region_large },
    { "array, SetRegion 16 B", set_region_small }, { "array, SetRegion 1 MB", set_region_large },
    { "array, Get/ReleaseCritical 16 B", critical_small }, { "array, Get/ReleaseCritical 1 MB", critical_large },
};

static double spent(const struct row *row, JNIEnv *env, const struct subject *s, long count)
{
    double start = thread_ns();
    row->run(env, s, count);
    return thread_ns() - start;
}

/* The best of some rounds of about ten milliseconds each. */
static void print_row(const struct row *row, JNIEnv *env, const struct subject *s)
{
    long count = 10;
    while (spent(row, env, s, count) < ROUND_NS) count *= 2;
    double best = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double ns = spent(row, env, s, count) / (double)count;
        if (round == 0 || ns < best) best = ns;
    }
    printf("%s\t%.2f\n", row->what, best);
    fflush(stdout);
}

static void *attach_and_detach(void *subject)
{
    static const struct row row = { "attach and detach", attach_detach };
    print_row(&row, NULL, subject);
    return NULL;
}

NATIVE(void, measure)(JNIEnv *env, jclass c, jobject o, jintArray small, jintArray large)
{
    struct subject s = {
        .c = c, .o = o, .small = small, .large = large, .buffer = calloc(1 << 18, sizeof(jint)),
        .static_void = (*env)->GetStaticMethodID(env, c, "staticVoid", "()V"),
        .static_ints = (*env)->GetStaticMethodID(env, c, "staticInts", "(II)I"),
        .instance_void = (*env)->GetMethodID(env, c, "instanceVoid", "()V"),
        .instance_int = (*env)->GetMethodID(env, c, "instanceInt", "(I)I"),
        .instance_double = (*env)->GetMethodID(env, c, "instanceDouble", "(DD)D"),
        .instance_object = (*env)->GetMethodID(env, c, "instanceObject", "(Ljava/lang/Object;)Ljava/lang/Object;"),
        .number = (*env)->GetFieldID(env, c, "number", "I"),
        .static_number = (*env)->GetStaticFieldID(env, c, "staticNumber", "I"),
        .reference = (*env)->GetFieldID(env, c, "reference", "Ljava/lang/Object;"),
    };
    if ((*env)->ExceptionCheck(env) || !s.buffer || (*env)->GetJavaVM(env, &s.vm) != JNI_OK) return;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) print_row(&rows[i], env, &s);
    pthread_t thread;
    if (pthread_create(&thread, NULL, attach_and_detach, &s) == 0) pthread_join(thread, NULL);
    free(s.buffer);
}
