/* monitors.c: monitor contention. */
#include "monitors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hprof.h"
#include "report.h"

struct monitors {
    struct numbering keys;              /* class number, trace                                            */
    struct stable all;                  /* struct contention, as keys counts                              */
};

bool monitors_start(struct hprof *h) {
    h->monitors = calloc(1, sizeof *h->monitors);
    if (h->monitors == NULL) return false;
    h->monitors->all.size = sizeof(struct contention);
    return true;
}

void monitors_free(struct hprof *h) {
    if (h->monitors == NULL) return;
    numbering_free(&h->monitors->keys);
    stable_free(&h->monitors->all);
    free(h->monitors);
    h->monitors = NULL;
}

uint32_t monitors_count(const struct hprof *h) { return h->monitors->keys.count; }
const struct contention *monitors_get(struct hprof *h, uint32_t i) { return stable_get(&h->monitors->all, i); }

/* ---- events ------------------------------------------------------------------------------------------------------ */

static struct hprof *profile_of(jvmtiEnv *env) {
    void *profile = NULL;
    if (hprof_inside > 0 || (*env)->GetEnvironmentLocalStorage(env, &profile) != JVMTI_ERROR_NONE || profile == NULL)
        return NULL;
    struct hprof *h = profile;
    return atomic_load(&h->collecting) ? h : NULL;
}

static struct contention *contention_put(struct hprof *h, struct class_info *c, uint32_t trace) {
    uint32_t key[2] = {c->known.id, trace};
    bool fresh;
    uint32_t number = numbering_put(&h->monitors->keys, key, sizeof key, &fresh);
    struct contention *m = number != NO_INDEX ? stable_make(&h->monitors->all, number) : NULL;
    if (m != NULL && fresh) *m = (struct contention){c, trace, 0, 0};
    return m;
}

static void note_wait(struct hprof *h, JNIEnv *jni, struct thread_info *t, jthread thread, jobject object) {
    jint depth = h->options.depth, count = 0;
    jvmtiFrameInfo *frames = malloc(((size_t)depth + 1) * sizeof *frames);
    if (frames == NULL || (*h->env)->GetStackTrace(h->env, thread, 0, depth, frames, &count) != JVMTI_ERROR_NONE)
        count = 0;
    jclass klass = (*jni)->GetObjectClass(jni, object);
    hprof_lock(h);
    t->wait_class = class_of(h, jni, klass);
    t->wait_trace = frames != NULL ? trace_put(h, jni, frames, count, t->serial, true) : 0;
    hprof_unlock(h);
    (*jni)->DeleteLocalRef(jni, klass);
    free(frames);
    t->wait_since = hprof_now();
}

void JNICALL monitors_on_contended_enter(jvmtiEnv *env, JNIEnv *jni, jthread thread, jobject object) {
    struct hprof *h = profile_of(env);
    struct thread_info *t = h != NULL ? thread_current(h) : NULL;
    if (t == NULL) return;
    hprof_inside++;
    note_wait(h, jni, t, thread, object);
    hprof_inside--;
}

void JNICALL monitors_on_contended_entered(jvmtiEnv *env, JNIEnv *jni, jthread thread, jobject object) {
    (void)jni, (void)thread, (void)object;
    int64_t now = hprof_now();
    struct hprof *h = profile_of(env);
    struct thread_info *t = h != NULL ? thread_current(h) : NULL;
    if (t == NULL || t->wait_class == NULL) return;
    hprof_lock(h);
    struct contention *m = contention_put(h, t->wait_class, t->wait_trace);
    if (m != NULL) {
        m->count++;
        m->waited += (uint64_t)(now - t->wait_since);
    }
    hprof_unlock(h);
    t->wait_class = NULL;
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static char *row_text(const struct class_info *c) {
    char *text = NULL;
    return asprintf(&text, "%s (Java)", c->name) < 0 ? NULL : text;
}

static void write_times(struct hprof *h) {
    uint32_t count = monitors_count(h);
    uint64_t total = 0;
    char date[32];
    struct rank_row *rows = malloc(((size_t)count + 1) * sizeof *rows);
    for (uint32_t i = 0; rows != NULL && i < count; i++) {
        const struct contention *m = monitors_get(h, i);
        total += m->waited;
        rows[i] = (struct rank_row){m->waited, m->count, m->trace, row_text(m->class)};
    }
    output_format(h->out, "MONITOR TIME BEGIN (total = %llu ms) %s\n", (unsigned long long)total / 1000000,
                  hprof_date(date));
    if (rows != NULL) report_ranked(h, rows, count, total, "monitor");
    output_format(h->out, "MONITOR TIME END\n");
    output_commit(h->out);
    for (uint32_t i = 0; rows != NULL && i < count; i++) free((char *)rows[i].text);
    free(rows);
}

void monitors_write(struct hprof *h, JNIEnv *jni) {
    monitor_dump_write(h, jni);
    write_times(h);
}
