/* monitors.h: monitor contention (monitor=y): how long threads waited to enter monitors, and who holds what now. */
#ifndef HPROF_MONITORS_H
#define HPROF_MONITORS_H

#include <jvmti.h>

#include <stdbool.h>
#include <stdint.h>

struct hprof;
struct class_info;

/* Waits for monitors of a class at a stack. */
struct contention { struct class_info *class; uint32_t trace; uint64_t count, waited; /* ns */ };

/* Makes h->monitors. False: out of memory. */
bool monitors_start(struct hprof *h);
void JNICALL monitors_on_contended_enter(jvmtiEnv *env, JNIEnv *jni, jthread thread, jobject object);
void JNICALL monitors_on_contended_entered(jvmtiEnv *env, JNIEnv *jni, jthread thread, jobject object);
/* Number of rows, and each of them. Lock held. */
uint32_t monitors_count(const struct hprof *h);
const struct contention *monitors_get(struct hprof *h, uint32_t i);
/* Writes MONITOR DUMP and MONITOR TIME (HP-045, HP-046). Lock held. */
void monitors_write(struct hprof *h, JNIEnv *jni);
/* Writes MONITOR DUMP. Lock held. */
void monitor_dump_write(struct hprof *h, JNIEnv *jni);
void monitors_free(struct hprof *h);

#endif
