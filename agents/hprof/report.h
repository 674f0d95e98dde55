/* report.h: what is written when data is asked for: at the VM's end, at a data dump request, by attaching. */
#ifndef HPROF_REPORT_H
#define HPROF_REPORT_H

#include <jvmti.h>

#include <stdint.h>

struct hprof;

/* What a file begins with. Lock held. */
void report_begin(struct hprof *h);
/* Writes everything that was collected. Lock held. */
void report_write(struct hprof *h, JNIEnv *jni);

/* One row of a ranked table. */
struct rank_row { uint64_t self, count; uint32_t trace; const char *text; };
/* Writes the heading, the rows above the cutoff by `self` (ties: count, then trace) and nothing else (HP-043). `rows`
 * is sorted in place. Lock held. */
void report_ranked(struct hprof *h, struct rank_row *rows, uint32_t count, uint64_t total, const char *last_column);

#endif
