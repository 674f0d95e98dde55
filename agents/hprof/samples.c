/* samples.c: sampling of running threads.
 *
 * Where the VM offers it, threads take their own stacks when they have used the processor for an interval (signals.c),
 * and the agent thread only gathers them. Elsewhere the agent thread takes stacks by GetThreadListStackTraces, at
 * safepoints; a thread counts as running then when JVM TI calls it runnable and, since that includes threads that block
 * inside native methods, it has used processor time since the last sample (HP-026). */
#include "samples.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "hprof.h"
#include "report.h"
#include "signals.h"

enum { GATHER_MS = 50 };                /* how often the agent thread gathers what signals have taken      */

struct samples {
    pthread_mutex_t lock;               /* of the following, and of the condition                         */
    pthread_cond_t changed;
    bool running, stop;
    uint64_t total;                     /* under the hprof lock                                           */
    _Atomic(struct signals *) signals;  /* NULL: stacks are taken at safepoints                           */
};

bool samples_start(struct hprof *h) {
    h->samples = calloc(1, sizeof *h->samples);
    if (h->samples == NULL) return false;
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_mutex_init(&h->samples->lock, NULL);
    pthread_cond_init(&h->samples->changed, &clock);
    pthread_condattr_destroy(&clock);
    return true;
}

void samples_free(struct hprof *h) {
    if (h->samples == NULL) return;
    signals_free(h->samples->signals);
    pthread_mutex_destroy(&h->samples->lock);
    pthread_cond_destroy(&h->samples->changed);
    free(h->samples);
    h->samples = NULL;
}

void samples_add(struct hprof *h, uint32_t number, uint64_t weight) {
    struct trace *trace = trace_get(h, number);
    if (trace == NULL) return;
    trace->samples += weight;
    h->samples->total += weight;
}

void samples_thread_start(struct hprof *h, struct thread_info *t) {
    if (h->samples->signals != NULL) signals_thread_start(h->samples->signals, t);
}

void samples_thread_end(struct hprof *h, struct thread_info *t) {
    if (h->samples->signals != NULL) signals_thread_end(h->samples->signals, t);
}

/* ---- one sample at a safepoint ----------------------------------------------------------------------------------- */

/* True when a thread has used the processor since it was last asked. */
static bool has_worked(struct hprof *h, JNIEnv *jni, jthread thread) {
    jlong used = 0;
    hprof_lock(h);
    struct thread_info *t = thread_of(h, jni, thread);
    bool worked = t != NULL && (*h->env)->GetThreadCpuTime(h->env, thread, &used) == JVMTI_ERROR_NONE &&
                  used > t->cpu_time;
    if (worked) t->cpu_time = used;
    hprof_unlock(h);
    return worked;
}

static bool is_running(struct hprof *h, JNIEnv *jni, jthread self, jthread thread) {
    jint state = 0;
    if ((*jni)->IsSameObject(jni, self, thread)) return false;
    if ((*h->env)->GetThreadState(h->env, thread, &state) != JVMTI_ERROR_NONE) return false;
    if (!(state & JVMTI_THREAD_STATE_RUNNABLE) || (state & JVMTI_THREAD_STATE_SUSPENDED)) return false;
    return has_worked(h, jni, thread);
}

static void count_stack(struct hprof *h, JNIEnv *jni, const jvmtiStackInfo *info) {
    if (info->frame_count == 0) return;
    struct thread_info *t = h->options.thread ? thread_of(h, jni, info->thread) : NULL;
    samples_add(h, trace_put(h, jni, info->frame_buffer, info->frame_count, t != NULL ? t->serial : 0, true), 1);
}

static void take_stacks(struct hprof *h, JNIEnv *jni, const jthread *threads, jint count) {
    jvmtiStackInfo *list = NULL;
    jint depth = h->options.depth > 0 ? h->options.depth : 1;
    if ((*h->env)->GetThreadListStackTraces(h->env, count, threads, depth, &list) != JVMTI_ERROR_NONE) return;
    hprof_lock(h);
    for (jint i = 0; i < count && atomic_load(&h->collecting); i++) count_stack(h, jni, &list[i]);
    hprof_unlock(h);
    hprof_free(h, list);
}

static void sample(struct hprof *h, JNIEnv *jni, jthread self) {
    jint count = 0, running = 0;
    jthread *threads = NULL;
    if ((*jni)->PushLocalFrame(jni, 64) != 0) {
        (*jni)->ExceptionClear(jni);
        return;
    }
    if ((*h->env)->GetAllThreads(h->env, &count, &threads) == JVMTI_ERROR_NONE) {
        for (jint i = 0; i < count; i++)
            if (is_running(h, jni, self, threads[i])) threads[running++] = threads[i];
        if (running > 0) take_stacks(h, jni, threads, running);
        hprof_free(h, threads);
    }
    (*jni)->PopLocalFrame(jni, NULL);
}

/* ---- the agent thread -------------------------------------------------------------------------------------------- */

/* Sleeps until `when`; true: time to end. */
static bool sleep_until(struct samples *s, int64_t when) {
    struct timespec limit = {when / 1000000000, when % 1000000000};
    pthread_mutex_lock(&s->lock);
    while (!s->stop && pthread_cond_timedwait(&s->changed, &s->lock, &limit) != ETIMEDOUT) continue;
    bool stop = s->stop;
    pthread_mutex_unlock(&s->lock);
    return stop;
}

void samples_gather(struct hprof *h, JNIEnv *jni) {
    if (h->samples->signals != NULL) signals_drain(h, jni, h->samples->signals);
}

/* The agent thread itself is not sampled (HP-035). */
static void leave_out_current(struct hprof *h) {
    hprof_lock(h);
    struct thread_info *t = thread_current(h);
    if (t != NULL) samples_thread_end(h, t);
    hprof_unlock(h);
}

static void JNICALL run(jvmtiEnv *env, JNIEnv *jni, void *arg) {
    struct hprof *h = arg;
    jthread self = NULL;
    hprof_inside++;
    int64_t step = (int64_t)(h->samples->signals != NULL ? GATHER_MS : h->options.interval) * 1000000,
            next = hprof_now() + step;
    (*env)->GetCurrentThread(env, &self);
    leave_out_current(h);
    while (!sleep_until(h->samples, next)) {
        int64_t before = overhead_clock();
        if (h->samples->signals != NULL) samples_gather(h, jni);
        else if (atomic_load(&h->collecting)) sample(h, jni, self);
        overhead_add(&h->overhead, overhead_clock() - before);
        int64_t now = hprof_now();
        next = next + step > now ? next + step : now + step;
    }
    pthread_mutex_lock(&h->samples->lock);
    h->samples->running = false;
    pthread_cond_broadcast(&h->samples->changed);
    pthread_mutex_unlock(&h->samples->lock);
}

static jthread new_thread(JNIEnv *jni) {
    jclass klass = (*jni)->FindClass(jni, "java/lang/Thread");
    jmethodID constructor = klass != NULL ? (*jni)->GetMethodID(jni, klass, "<init>", "(Ljava/lang/String;)V") : NULL;
    jstring name = constructor != NULL ? (*jni)->NewStringUTF(jni, "HPROF sampler") : NULL;
    jthread thread = name != NULL ? (*jni)->NewObject(jni, klass, constructor, name) : NULL;
    if ((*jni)->ExceptionCheck(jni)) (*jni)->ExceptionClear(jni);
    return thread;
}

void samples_run(struct hprof *h, JNIEnv *jni, bool attached) {
    hprof_inside++;
    /* Threads that a library attached later meets cannot be told apart in signal handlers. */
    if (!attached || !h->options.thread) signals_start(h, jni, &h->samples->signals);
    jthread thread = new_thread(jni);
    hprof_inside--;
    if (thread == NULL) {
        fprintf(stderr, "hprof: cannot make the thread that samples\n");
        return;
    }
    h->samples->running = true;
    if (!hprof_ok(h, (*h->env)->RunAgentThread(h->env, thread, run, h, JVMTI_THREAD_MAX_PRIORITY), "RunAgentThread"))
        h->samples->running = false;
}

void samples_stop(struct hprof *h, JNIEnv *jni) {
    struct samples *s = h->samples;
    if (s->signals != NULL) signals_stop(h, s->signals);
    pthread_mutex_lock(&s->lock);
    s->stop = true;
    pthread_cond_broadcast(&s->changed);
    while (s->running) pthread_cond_wait(&s->changed, &s->lock);
    pthread_mutex_unlock(&s->lock);
    samples_gather(h, jni);
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

uint64_t samples_total(const struct hprof *h) { return h->samples->total; }

static struct rank_row *rows_of(struct hprof *h, uint32_t *count) {
    struct rank_row *rows = malloc(trace_count(h) * sizeof *rows);
    *count = 0;
    for (uint32_t i = 0; rows != NULL && i < trace_count(h); i++) {
        const struct trace *t = trace_get(h, i);
        if (t != NULL && t->samples > 0) rows[(*count)++] = (struct rank_row){t->samples, t->samples, i, NULL};
    }
    return rows;
}

static void write_binary(struct hprof *h, const struct rank_row *rows, uint32_t count) {
    struct packet p = {0};
    put_u4(&p, (uint32_t)h->samples->total);
    put_u4(&p, count);
    for (uint32_t i = 0; i < count; i++) {
        put_u4(&p, (uint32_t)rows[i].count);
        put_u4(&p, trace_serial(rows[i].trace));
    }
    record_write(h, RECORD_CPU_SAMPLES, &p);
}

void samples_write(struct hprof *h) {
    uint32_t count;
    struct rank_row *rows = rows_of(h, &count);
    if (rows == NULL) {
        fprintf(stderr, "hprof: out of memory for the samples\n");
        return;
    }
    char date[32];
    traces_write(h);
    if (h->options.form == FORM_BINARY) {
        write_binary(h, rows, count);
    } else {
        output_format(h->out, "CPU SAMPLES BEGIN (total = %llu) %s\n", (unsigned long long)h->samples->total,
                      hprof_date(date));
        report_ranked(h, rows, count, h->samples->total, "method");
        output_format(h->out, "CPU SAMPLES END\n");
        output_commit(h->out);
    }
    free(rows);
}
