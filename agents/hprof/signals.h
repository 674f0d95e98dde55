/* signals.h: samples by signals: each thread has a timer of its own processor time, whose signal makes the thread take
 * its own stack wherever it is (AsyncGetCallTrace), without waiting for a safepoint. */
#ifndef HPROF_SIGNALS_H
#define HPROF_SIGNALS_H

#include <jvmti.h>

#include <stdatomic.h>

struct hprof;
struct thread_info;
struct signals;

/* Live phase: begins to sample all threads of the process, with those that are there already, and sets *into under the
 * lock. Where this VM or system offers no such samples nothing is begun, and *into stays. Threads that are there, but
 * for the current one, cannot be told apart. No lock held. */
void signals_start(struct hprof *h, JNIEnv *jni, _Atomic(struct signals *) *into);
/* Called by a thread that begins or ends: its timer is made or taken away. Lock held. */
void signals_thread_start(struct signals *s, struct thread_info *t);
void signals_thread_end(struct signals *s, struct thread_info *t);
/* Turns the stacks that were taken since the last call into traces, which it counts with samples_add. Takes
 * the lock. */
void signals_drain(struct hprof *h, JNIEnv *jni, struct signals *s);
/* No signal is sent any more, and no handler is running when it returns. Takes the lock. */
void signals_stop(struct hprof *h, struct signals *s);
void signals_free(struct signals *s);

/* HotSpot gives a stack only methods that somebody has asked for. */
void JNICALL signals_on_class_load(jvmtiEnv *env, JNIEnv *jni, jthread thread, jclass klass);
void JNICALL signals_on_class_prepare(jvmtiEnv *env, JNIEnv *jni, jthread thread, jclass klass);

#endif
