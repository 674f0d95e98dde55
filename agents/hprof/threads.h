/* threads.h: every thread that was met: its serial number, names, and what is collected for it. */
#ifndef HPROF_THREADS_H
#define HPROF_THREADS_H

#include <jvmti.h>

#include "classes.h"

struct hprof;
struct call_stack;
struct own_sites;

enum { THREAD_SERIAL_BASE = 200000 };

struct thread_info {
    struct known known;
    uint32_t serial;                    /* THREAD_SERIAL_BASE + 1...                                      */
    uint32_t trace;                     /* number of its stack in the dump being written                  */
    char *name, *group, *parent;
    bool ended;
    jlong cpu_time;                     /* at the last sample at a safepoint, ns                          */
    uint32_t watch;                     /* cpu=samples: its timer, see signals.c; 0: none                 */
    struct call_stack *calls;           /* cpu=times: only its own thread touches it                      */
    struct own_sites *allocations;      /* heap=sites: see sites.c; only its own thread changes it        */
    int64_t wait_since;                 /* monitor=y: when it began to wait for a monitor; own thread     */
    uint32_t wait_trace;
    struct class_info *wait_class;      /* NULL: it does not wait                                         */
};

struct threads { uint32_t count; };

/* The record of a thread, made and announced (THREAD START, HP-021, HP-059) when it is new. Lock held. NULL: out of
 * memory, or it has ended. */
struct thread_info *thread_of(struct hprof *h, JNIEnv *jni, jthread thread);
/* The current thread's record, without a lock; NULL: not met. */
struct thread_info *thread_current(struct hprof *h);
/* Takes in all live threads. Lock held. */
void threads_refresh(struct hprof *h, JNIEnv *jni);
/* Announces the end of the current thread (THREAD END, HP-040, HP-060). Lock held. */
void thread_end(struct hprof *h, struct thread_info *t);

#endif
