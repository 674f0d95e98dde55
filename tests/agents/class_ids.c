/* class_ids.c: keeps ids of the methods and fields of classes that are unloaded (tests/jvmti/ClassIds.java), and asks
 * what they mean. */
#include "agent_support.h"

#include <stdint.h>

enum { MOST = 1 << 17, SAMPLED = 97 };
static jmethodID methods[MOST];
static jfieldID fields[MOST];
static int method_count, field_count;
static int asks_fields;                  /* HotSpot does not survive a question about a stale field id */
static int asked_count, hits;

JNIEXPORT void JNICALL Java_ClassIds_keep(JNIEnv *env, jclass unused, jclass c) {
    (void)env, (void)unused;
    jint count;
    jmethodID *m;
    jfieldID *f;
    if (ok((*jvmti)->GetClassMethods(jvmti, c, &count, &m), "GetClassMethods")) {
        for (jint i = 0; i < count && method_count < MOST; i++) methods[method_count++] = m[i];
        release(m);
    }
    if (ok((*jvmti)->GetClassFields(jvmti, c, &count, &f), "GetClassFields")) {
        for (jint i = 0; i < count && field_count < MOST; i++) fields[field_count++] = f[i];
        release(f);
    }
}

/* Asks for all ids of a class, as debuggers do whenever one is prepared; reads and writes an object's field by them.
 * Keeps those of some classes. */
JNIEXPORT jint JNICALL Java_ClassIds_ask(JNIEnv *env, jclass unused, jclass c, jobject o) {
    (void)unused;
    jint count, read = -1;
    jmethodID *m;
    jfieldID *f, number = (*env)->GetFieldID(env, c, "number", "I");
    int found = 0, kept = asked_count++ % SAMPLED == 0;
    if (!number || !ok((*jvmti)->GetClassMethods(jvmti, c, &count, &m), "GetClassMethods")) return -1;
    for (jint i = 0; kept && i < count && method_count < MOST; i++) methods[method_count++] = m[i];
    release(m);
    if (!ok((*jvmti)->GetClassFields(jvmti, c, &count, &f), "GetClassFields")) return -1;
    for (jint i = 0; i < count; i++) {
        found += f[i] == number;
        if (kept && field_count < MOST) fields[field_count++] = f[i];
    }
    release(f);
    if (found != 1) say("FAILED: GetFieldID and GetClassFields differ");
    read = (*env)->GetIntField(env, o, number);
    (*env)->SetIntField(env, o, number, read + 1);
    return read;
}

/* Sets a breakpoint at the first instruction of the method; nobody clears it. */
JNIEXPORT void JNICALL Java_ClassIds_stopIn(JNIEnv *env, jclass unused, jclass c) {
    (void)unused;
    jmethodID m = (*env)->GetMethodID(env, c, "number", "()I");
    ok((*jvmti)->SetBreakpoint(jvmti, m, 0), "SetBreakpoint");
}

JNIEXPORT jint JNICALL Java_ClassIds_stops(JNIEnv *env, jclass unused) {
    (void)env, (void)unused;
    return hits;
}

static void JNICALL on_breakpoint(jvmtiEnv *from, JNIEnv *env, jthread t, jmethodID m, jlocation at) {
    (void)from, (void)env, (void)t, (void)m, (void)at;
    hits++;
}

static int by_value(const void *a, const void *b) {
    uint64_t x = (uint64_t)*(const uintptr_t *)a, y = (uint64_t)*(const uintptr_t *)b;
    return x < y ? -1 : x > y;
}

/* How many are there more than once. */
static int repeated(void *ids, int count) {
    int n = 0;
    uintptr_t *sorted = malloc((size_t)count * sizeof *sorted);
    memcpy(sorted, ids, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, by_value);
    for (int i = 1; i < count; i++) n += sorted[i] == sorted[i - 1];
    free(sorted);
    return n;
}

JNIEXPORT void JNICALL Java_ClassIds_report(JNIEnv *env, jclass unused, jstring when, jobject object) {
    (void)unused;
    const char *text = (*env)->GetStringUTFChars(env, when, NULL);
    jclass c = (*env)->GetObjectClass(env, object);
    int method = 0, field = 0, unexpected = 0;
    for (int i = 0; i < method_count; i++) {
        char *name = NULL;
        jvmtiError err = (*jvmti)->GetMethodName(jvmti, methods[i], &name, NULL, NULL);
        if (err == JVMTI_ERROR_NONE) method++, release(name);
        else unexpected += err != JVMTI_ERROR_INVALID_METHODID;
    }
    say("%s: %d of %d methods are there, %d other errors", text, method, method_count, unexpected);
    if (!asks_fields) goto done;
    say("ours: %d methods' ids again, %d fields' ids again", repeated(methods, method_count),
        repeated(fields, field_count));
    unexpected = 0;
    for (int i = 0; i < field_count; i++) {
        char *name = NULL;
        jvmtiError err = (*jvmti)->GetFieldName(jvmti, c, fields[i], &name, NULL, NULL);
        if (err == JVMTI_ERROR_NONE) field++, release(name);
        else unexpected += err != JVMTI_ERROR_INVALID_FIELDID;
    }
    say("ours: %d of %d fields are there, %d other errors", field, field_count, unexpected);
    int read = 0;
    for (int i = 0; i < field_count; i++) {
        (*env)->GetIntField(env, object, fields[i]);
        read += !(*env)->ExceptionCheck(env);
        (*env)->ExceptionClear(env);
        (*env)->SetIntField(env, object, fields[i], 1);
        read += !(*env)->ExceptionCheck(env);
        (*env)->ExceptionClear(env);
    }
    say("ours: JNI took %d", read);
done:
    (*env)->ReleaseStringUTFChars(env, when, text);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)reserved;
    asks_fields = options != NULL && options[0] != 0;
    if (attach_jvmti(vm) != JNI_OK) return JNI_ERR;
    jvmtiCapabilities wanted = {.can_generate_breakpoint_events = 1};
    jvmtiEventCallbacks callbacks = {.Breakpoint = on_breakpoint};
    ok((*jvmti)->AddCapabilities(jvmti, &wanted), "AddCapabilities");
    ok((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks), "SetEventCallbacks");
    enable(JVMTI_EVENT_BREAKPOINT);
    return JNI_OK;
}
