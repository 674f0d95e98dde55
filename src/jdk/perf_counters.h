/* perf_counters.h — what the performance data (base/perf_data.h) says of this VM beside what each room counts. */
#ifndef VITRINE_JDK_PERF_COUNTERS_H
#define VITRINE_JDK_PERF_COUNTERS_H

#include <stdint.h>

struct heap_collection;

/* The texts and sizes that are known before the library starts: command line, properties, heap. */
void perf_counters_name(void);
/* The VM has started: tools may look. */
void perf_counters_started(void);
/* heap_hooks.collected. World stopped. */
void perf_counters_collected(const struct heap_collection *c);
/* How long to wait until perf_counters_tick is to be called, ms; -1: it is not wanted. */
int perf_counters_interval(void);
/* The clock that the library of 17 has tools read. */
void perf_counters_tick(void);

#endif
