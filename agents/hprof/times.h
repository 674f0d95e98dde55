/* times.h: calls and times of methods (cpu=times, cpu=old), from JVM TI's method entry and exit events. */
#ifndef HPROF_TIMES_H
#define HPROF_TIMES_H

#include <jvmti.h>

#include <stdbool.h>
#include <stdint.h>

struct hprof;
struct thread_info;

/* What was spent in a stack: calls, and ticks in its innermost method itself and with what that called. */
struct spent { uint64_t calls, self, whole; };

/* Makes h->times. False: out of memory. */
bool times_start(struct hprof *h);
void JNICALL times_on_entry(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method);
void JNICALL times_on_exit(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method, jboolean by_exception,
                           jvalue value);
/* Filters of these events, see include/vitrine.h: `storage` is the thread's record. */
jboolean JNICALL times_ask_entry(void *storage, jmethodID method);
jboolean JNICALL times_ask_exit(void *storage, jmethodID method, jboolean by_exception);
/* Takes over what an ending thread has collected. Lock held; on that thread. */
void times_thread_end(struct hprof *h, struct thread_info *t);
/* The sums over all threads by trace number, malloc'd, trace_count(h) of them, in nanoseconds; NULL: out of memory.
 * Lock held. */
struct spent *times_sum(struct hprof *h);
/* Writes the table (HP-043, HP-044). Lock held. */
void times_write(struct hprof *h);
void times_free(struct hprof *h);

#endif
