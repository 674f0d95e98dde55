/* histogram.h: the live objects of every class, for the page. */
#ifndef HPROF_HISTOGRAM_H
#define HPROF_HISTOGRAM_H

#include <jvmti.h>

#include <stdint.h>

struct hprof;
struct class_info;

struct class_total { const struct class_info *class; uint64_t objects, bytes; };

/* Collects garbage and counts. Classes with objects, those with the most bytes first: malloc'd, `count` of them. NULL:
 * failed, reported. Lock held. */
struct class_total *histogram_take(struct hprof *h, JNIEnv *jni, uint32_t *count);

#endif
