/* samples.h: which stacks run (cpu=samples), found by signals in the running threads or by looking at them at
 * safepoints. */
#ifndef HPROF_SAMPLES_H
#define HPROF_SAMPLES_H

#include <jvmti.h>

#include <stdbool.h>
#include <stdint.h>

struct hprof;
struct thread_info;

/* Makes h->samples. False: out of memory. */
bool samples_start(struct hprof *h);
/* Begins to sample, and starts the agent thread; live phase, no lock held. `attached`: the program was running already.
 * A failure is reported. */
void samples_run(struct hprof *h, JNIEnv *jni, bool attached);
/* The current thread begins or ends. Lock held. */
void samples_thread_start(struct hprof *h, struct thread_info *t);
void samples_thread_end(struct hprof *h, struct thread_info *t);
/* Counts a sample of a trace; 0: of a stack that is not known. Lock held. */
void samples_add(struct hprof *h, uint32_t trace, uint64_t weight);
/* Counts what has been taken up to now. Takes the lock. */
void samples_gather(struct hprof *h, JNIEnv *jni);
/* Ends the agent thread and waits for it; all samples are counted then. No lock held. */
void samples_stop(struct hprof *h, JNIEnv *jni);
/* All samples taken. Lock held. */
uint64_t samples_total(const struct hprof *h);
/* Writes the table in the text or binary form (HP-025, HP-043, HP-062). Lock held. */
void samples_write(struct hprof *h);
void samples_free(struct hprof *h);

#endif
