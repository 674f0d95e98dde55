/* samples.h: which stacks run (cpu=samples): an agent thread looks at the running threads every interval. */
#ifndef HPROF_SAMPLES_H
#define HPROF_SAMPLES_H

#include <jvmti.h>

#include <stdbool.h>
#include <stdint.h>

struct hprof;

/* Makes h->samples. False: out of memory. */
bool samples_start(struct hprof *h);
/* Starts the agent thread; live phase. A failure is told. */
void samples_run(struct hprof *h, JNIEnv *jni);
/* Ends the agent thread and waits for it. */
void samples_stop(struct hprof *h);
/* All samples taken. Lock held. */
uint64_t samples_total(const struct hprof *h);
/* Writes the table in the text or binary form (HP-025, HP-043, HP-062). Lock held. */
void samples_write(struct hprof *h);
void samples_free(struct hprof *h);

#endif
