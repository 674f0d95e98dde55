/* census.h: counts the objects of every class in one pass over the heap. */
#ifndef HISTOGRAM_CENSUS_H
#define HISTOGRAM_CENSUS_H

#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

struct class_count {
    uint64_t instances;
    uint64_t bytes;
    bool mirror_counted;            /* its java.lang.Class object has been counted               */
};

/* The result of a walk. counts[i] belongs to classes[i - 1]; counts[0] takes the instances of classes that were loaded
 * after the list was made. Class references are local ones of the frame that census_take opened. */
struct census {
    jvmtiEnv *env;                  /* an environment of its own, whose tags die with it          */
    JNIEnv *jni;
    jint class_count;
    jclass *classes;
    struct class_count *counts;
    uint64_t objects;               /* counted in all                                             */
    int64_t nanos;                  /* the walk alone                                             */
};

/* Walks the heap: all objects, or those reachable from the roots; after a collection if wanted. On failure a sentence
 * has been written to standard error and false is returned; census_release is due in both cases. */
bool census_take(struct census *c, JavaVM *vm, bool all, bool collect);
void census_release(struct census *c);

/* True for JVMTI_ERROR_NONE; otherwise writes "<what> failed: <name of the error>" to standard error. */
bool jvmti_ok(jvmtiEnv *env, jvmtiError error, const char *what);

#endif
