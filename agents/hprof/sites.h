/* sites.h: where objects were allocated (heap=sites): every allocation, or a sample of them, is reported by JVM TI's
 * sampled allocation events. The number of its site is kept in the object's tag, so that live objects can be counted by
 * a walk. */
#ifndef HPROF_SITES_H
#define HPROF_SITES_H

#include <jvmti.h>

#include <stdbool.h>
#include <stdint.h>

struct hprof;
struct thread_info;

/* A row of the table: what was allocated at a site, and what of it was alive at the last count. */
struct site {
    struct class_info *class;
    uint32_t trace;
    double allocated, allocated_bytes, live, live_bytes;      /* estimates where allocations are sampled        */
};

/* Makes h->sites. False: out of memory. */
bool sites_start(struct hprof *h);
void JNICALL sites_on_allocation(jvmtiEnv *env, JNIEnv *jni, jthread thread, jobject object, jclass klass, jlong size);
/* Filter of this event, see include/vitrine.h: `storage` is the thread's record. */
jboolean JNICALL sites_ask_allocation(void *storage, jlong class_tag, jlong size, jlong *tag_ptr);
/* Adds up what the threads have counted: before sites are read. Lock held. */
void sites_gather(struct hprof *h);
/* The current thread ends. Lock held. */
void sites_thread_end(struct hprof *h, struct thread_info *t);
/* The trace of a site from an object's tag; 0 when unknown. No lock. */
uint32_t sites_trace(struct hprof *h, uint32_t site);
/* Sites are numbered 1...sites_number(). Lock held. */
uint32_t sites_number(const struct hprof *h);
const struct site *sites_get(struct hprof *h, uint32_t number);
/* Collects garbage and counts live objects per site. Lock held. The rows above the cutoff, ordered by live bytes:
 * malloc'd, `count` of them; `total` gets the sums over all. NULL: failed, reported. */
struct site *sites_count(struct hprof *h, JNIEnv *jni, uint32_t *count, struct site *total);
/* Writes the table in the text or binary form (HP-018 ... HP-020, HP-041, HP-057). Lock held. */
void sites_write(struct hprof *h, JNIEnv *jni);
void sites_free(struct hprof *h);

#endif
