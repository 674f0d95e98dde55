/* hprof.h: the one record of a running profile, and what its parts share.
 *
 * lifecycle (hprof.c) -> parts: dump, sites, samples, times, monitors -> tables: classes, threads, traces -> records ->
 * output
 *
 * Lock: `lock` guards the tables and the output. JVM TI and JNI may be called under it, callbacks of heap walks run
 * while the walking thread holds it and take no lock at all. `h` in every function below is the running profile. */
#ifndef HPROF_H
#define HPROF_H

#include <jvmti.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "classes.h"
#include "options.h"
#include "output.h"
#include "overhead.h"
#include "record.h"
#include "table.h"
#include "threads.h"
#include "traces.h"

struct sites;
struct samples;
struct times;
struct monitors;

struct hprof {
    uint32_t number;                    /* 1...: of the profiles of this process                          */
    JavaVM *vm;
    jvmtiEnv *env;
    jvmtiExtensionFunction call_trace;  /* vitrine.functions.GetCallTrace; NULL: not offered              */
    jvmtiExtensionFunction follow_objects; /* vitrine.functions.FollowObjects; NULL: not offered          */
    struct options options;
    pthread_mutex_t lock;               /* recursive                                                      */
    struct output *out;                 /* NULL: could not be opened, nothing is written                  */
    struct records records;
    struct classes classes;
    struct threads threads;
    struct traces traces;
    uint64_t next_object;               /* next tag of an object in heap dumps, see dump_walk.h           */
    uint32_t dumps;                     /* heap dumps begun                                               */
    struct overhead overhead;
    long overhead_at;                   /* where its line stands in the file; 0: nowhere                  */
    struct sites *sites;                /* NULL: not asked for                                            */
    struct samples *samples;
    struct times *times;
    struct monitors *monitors;
    bool prepares;                      /* ClassPrepare is enabled for good; of `lock`                    */
    bool begun;                         /* the file has its beginning, and knows the threads; of `lock`   */
    atomic_bool collecting;             /* between start and stop                                         */
    atomic_bool ended;                  /* the VM has ended: nothing more is collected or written         */
};

/* Object tags: the low bits are the number of a known object (a class or thread) or of an object in heap dumps, the
 * rest is the allocation site. */
#define TAG_ID_BITS 40
#define TAG_ID_MASK ((INT64_C(1) << TAG_ID_BITS) - 1)
#define TAG_SITE_MAX ((UINT32_C(1) << 23) - 1)
/* Numbers of known objects are below this; it is also where identifiers of all other objects begin. */
#define KNOWN_MAX (UINT32_C(1) << 26)

/* True while this thread is inside the agent: what it allocates or calls there is not profiled. */
extern _Thread_local int hprof_inside;

void hprof_lock(struct hprof *h);
void hprof_unlock(struct hprof *h);
/* True when `error` is none; else says on standard error what failed. */
bool hprof_ok(struct hprof *h, jvmtiError error, const char *what);
/* Gives JVM TI memory back; NULL is allowed. */
void hprof_free(struct hprof *h, void *memory);
/* Frames that stack_take takes without JVM TI, where the VM offers GetCallTrace. */
enum { SHORT_STACK = 64 };
/* The current thread's stack, at most `max` frames, innermost first. False: it cannot be had. */
bool stack_take(struct hprof *h, jvmtiFrameInfo *frames, jint max, jint *count);
/* The JNI environment of the current thread; NULL when it is not attached. */
JNIEnv *hprof_jni(struct hprof *h);
/* One line on standard error, with verbose=y. */
void hprof_say(struct hprof *h, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Nanoseconds of a clock that only goes forward. */
int64_t hprof_now(void);
/* Writes the date as ctime does, without the line's end, into 32 bytes. */
const char *hprof_date(char text[32]);

#endif
