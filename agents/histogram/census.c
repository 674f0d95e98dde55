/* census.c: counts the objects of every class in one pass over the heap.
 *
 * Class mirrors are tagged 1..n, so that the class tag given to the heap callbacks is the index of the count. Every
 * other object is tagged n + 1 when it is met first: a reference to a tagged object is one to an object already
 * counted. Mirrors keep their tag and have a flag instead. Each census has an environment of its own, so two at once do
 * not meet. */
#include "census.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- callbacks: no JNI, no allocation ---------------------------------------------------------------------------- */

static inline struct class_count *count_of(struct census *c, jlong class_tag) {
    return &c->counts[class_tag > 0 && class_tag <= c->class_count ? class_tag : 0];
}

static inline void count(struct census *c, jlong class_tag, jlong size) {
    struct class_count *entry = count_of(c, class_tag);
    entry->instances++;
    entry->bytes += (uint64_t)size;
}

static jint JNICALL on_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag,
                                 jlong referrer_class_tag, jlong size, jlong *tag_ptr, jlong *referrer_tag_ptr,
                                 jint length, void *user_data) {
    (void)kind, (void)info, (void)referrer_class_tag, (void)referrer_tag_ptr, (void)length;
    struct census *c = user_data;
    jlong tag = *tag_ptr;
    if (tag == 0) {
        *tag_ptr = (jlong)c->class_count + 1;
        count(c, class_tag, size);
    } else if (tag <= c->class_count && !c->counts[tag].mirror_counted) {
        c->counts[tag].mirror_counted = true;
        count(c, class_tag, size);
    }
    return JVMTI_VISIT_OBJECTS;
}

static jint JNICALL on_object(jlong class_tag, jlong size, jlong *tag_ptr, jint length, void *user_data) {
    (void)tag_ptr, (void)length;
    count(user_data, class_tag, size);
    return JVMTI_VISIT_OBJECTS;
}

/* ---- steps ------------------------------------------------------------------------------------------------------ */

bool jvmti_ok(jvmtiEnv *env, jvmtiError error, const char *what) {
    if (error == JVMTI_ERROR_NONE) return true;
    char *name = NULL;
    if ((*env)->GetErrorName(env, error, &name) != JVMTI_ERROR_NONE) name = NULL;
    fprintf(stderr, "histogram: %s failed: %s (%d)\n", what, name != NULL ? name : "unknown error", (int)error);
    if (name != NULL) (*env)->Deallocate(env, (unsigned char *)name);
    return false;
}

static bool open_environments(struct census *c, JavaVM *vm) {
    if ((*vm)->GetEnv(vm, (void **)&c->jni, JNI_VERSION_1_6) != JNI_OK) {
        fprintf(stderr, "histogram: this thread is not attached to the VM\n");
        c->jni = NULL;
        return false;
    }
    if ((*vm)->GetEnv(vm, (void **)&c->env, JVMTI_VERSION_1_1) != JNI_OK) {
        fprintf(stderr, "histogram: the VM offers no JVM TI environment\n");
        c->env = NULL;
        return false;
    }
    jvmtiCapabilities wanted;
    memset(&wanted, 0, sizeof wanted);
    wanted.can_tag_objects = 1;
    return jvmti_ok(c->env, (*c->env)->AddCapabilities(c->env, &wanted), "adding can_tag_objects");
}

static bool tag_classes(struct census *c) {
    jvmtiEnv *env = c->env;
    if (!jvmti_ok(env, (*env)->GetLoadedClasses(env, &c->class_count, &c->classes), "GetLoadedClasses")) return false;
    c->counts = calloc((size_t)c->class_count + 1, sizeof *c->counts);
    if (c->counts == NULL) {
        fprintf(stderr, "histogram: out of memory for %d classes\n", (int)c->class_count);
        return false;
    }
    for (jint i = 0; i < c->class_count; i++)
        if (!jvmti_ok(env, (*env)->SetTag(env, c->classes[i], (jlong)i + 1), "SetTag")) return false;
    return true;
}

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static bool walk(struct census *c, bool all) {
    jvmtiHeapCallbacks callbacks;
    memset(&callbacks, 0, sizeof callbacks);
    int64_t start = now();
    bool ok;
    if (all) {
        callbacks.heap_iteration_callback = on_object;
        ok = jvmti_ok(c->env, (*c->env)->IterateThroughHeap(c->env, 0, NULL, &callbacks, c), "IterateThroughHeap");
    } else {
        callbacks.heap_reference_callback = on_reference;
        ok = jvmti_ok(c->env, (*c->env)->FollowReferences(c->env, 0, NULL, NULL, &callbacks, c), "FollowReferences");
    }
    c->nanos = now() - start;
    for (jint i = 0; ok && i <= c->class_count; i++) c->objects += c->counts[i].instances;
    return ok;
}

/* ---- public ----------------------------------------------------------------------------------------------------- */

bool census_take(struct census *c, JavaVM *vm, bool all, bool collect) {
    memset(c, 0, sizeof *c);
    if (!open_environments(c, vm)) return false;
    /* GetLoadedClasses makes thousands of local references; they go with this frame. */
    if ((*c->jni)->PushLocalFrame(c->jni, 64) != 0) {
        (*c->jni)->ExceptionClear(c->jni);
        c->jni = NULL;
        fprintf(stderr, "histogram: out of memory for local references\n");
        return false;
    }
    if (collect && !jvmti_ok(c->env, (*c->env)->ForceGarbageCollection(c->env), "ForceGarbageCollection")) return false;
    return tag_classes(c) && walk(c, all);
}

void census_release(struct census *c) {
    if (c->env != NULL && c->classes != NULL) (*c->env)->Deallocate(c->env, (unsigned char *)c->classes);
    if (c->jni != NULL) (*c->jni)->PopLocalFrame(c->jni, NULL);
    /* The tags disappear with the environment. */
    if (c->env != NULL) jvmti_ok(c->env, (*c->env)->DisposeEnvironment(c->env), "DisposeEnvironment");
    free(c->counts);
    memset(c, 0, sizeof *c);
}
