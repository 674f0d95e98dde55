/* watch.h: what the two halves of the agent of Watch.java (`make bench`) share. */
#ifndef BENCH_WATCH_H
#define BENCH_WATCH_H

#include <jvmti.h>

#define NATIVE(type, name) JNIEXPORT type JNICALL Java_Watch_##name

extern jvmtiEnv *watch_env;

/* Ends the program with the error's number and `what` unless err is JVMTI_ERROR_NONE. */
void must(jvmtiError err, const char *what);
/* Nanoseconds of CPU time of the calling thread; of wall time. */
double thread_ns(void);
double wall_ns(void);

#endif
