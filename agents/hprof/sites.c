/* sites.c: allocation sites. */
#include "sites.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hprof.h"

struct sites {
    struct numbering keys;              /* class number, trace                                            */
    struct stable all;                  /* struct site, as keys counts + 1; 0 is "not known"              */
};

bool sites_start(struct hprof *h) {
    h->sites = calloc(1, sizeof *h->sites);
    if (h->sites == NULL) return false;
    h->sites->all.size = sizeof(struct site);
    return stable_make(&h->sites->all, 0) != NULL;
}

void sites_free(struct hprof *h) {
    if (h->sites == NULL) return;
    numbering_free(&h->sites->keys);
    stable_free(&h->sites->all);
    free(h->sites);
    h->sites = NULL;
}

uint32_t sites_trace(struct hprof *h, uint32_t site) {
    return h->sites != NULL ? ((const struct site *)stable_get(&h->sites->all, site))->trace : 0;
}

uint32_t sites_number(const struct hprof *h) { return h->sites->keys.count; }
const struct site *sites_get(struct hprof *h, uint32_t number) { return stable_get(&h->sites->all, number); }

/* ---- allocations ------------------------------------------------------------------------------------------------------ */

/* How many allocations of a size one sampled allocation stands for. */
static double weight(const struct hprof *h, jlong size) {
    return h->options.sampling == 0 ? 1 : 1 / -expm1(-(double)size / h->options.sampling);
}

/* The number of a site; 0: no memory. */
static uint32_t site_put(struct hprof *h, struct class_info *c, uint32_t trace) {
    uint32_t key[2] = {c->known.id, trace};
    bool fresh;
    uint32_t number = numbering_put(&h->sites->keys, key, sizeof key, &fresh);
    if (number >= TAG_SITE_MAX) return 0;
    struct site *s = stable_make(&h->sites->all, number + 1);
    if (s == NULL) return 0;
    if (fresh) *s = (struct site){.class = c, .trace = trace};
    return number + 1;
}

static void note_allocation(struct hprof *h, JNIEnv *jni, jthread thread, jobject object, jclass klass, jlong size) {
    jvmtiFrameInfo short_stack[64], *frames = short_stack;
    jint count = 0;
    if (h->options.depth > 64) frames = malloc((size_t)h->options.depth * sizeof *frames);
    if (frames == NULL || (*h->env)->GetStackTrace(h->env, NULL, 0, h->options.depth, frames, &count) != JVMTI_ERROR_NONE) count = 0;
    hprof_lock(h);
    struct class_info *c = class_of(h, jni, klass);
    struct thread_info *t = h->options.thread ? thread_of(h, jni, thread) : NULL;
    uint32_t trace = frames != NULL ? trace_put(h, jni, frames, count, t != NULL ? t->serial : 0, true) : 0;
    uint32_t number = c != NULL ? site_put(h, c, trace) : 0;
    if (number != 0) {
        struct site *s = stable_get(&h->sites->all, number);
        double n = weight(h, size);
        s->allocated += n;
        s->allocated_bytes += n * (double)size;
        (*h->env)->SetTag(h->env, object, (jlong)number << TAG_ID_BITS);
    }
    hprof_unlock(h);
    if (frames != short_stack) free(frames);
}

void JNICALL sites_on_allocation(jvmtiEnv *env, JNIEnv *jni, jthread thread, jobject object, jclass klass, jlong size) {
    void *profile = NULL;
    if (hprof_inside > 0 || (*env)->GetEnvironmentLocalStorage(env, &profile) != JVMTI_ERROR_NONE || profile == NULL) return;
    struct hprof *h = profile;
    if (!atomic_load(&h->collecting)) return;
    hprof_inside++;
    note_allocation(h, jni, thread, object, klass, size);
    hprof_inside--;
}

/* ---- counting --------------------------------------------------------------------------------------------------------- */

struct count { struct hprof *h; struct site *untracked; };

static jint JNICALL on_object(jlong class_tag, jlong size, jlong *tag_ptr, jint length, void *user_data) {
    (void)length;
    struct count *count = user_data;
    struct hprof *h = count->h;
    uint32_t number = (uint32_t)((uint64_t)*tag_ptr >> TAG_ID_BITS);
    const struct class_info *c = class_by_tag(h, class_tag);
    struct site *s = number != 0 ? stable_get(&h->sites->all, number) : c != NULL ? &count->untracked[c->known.id] : NULL;
    if (s == NULL) return JVMTI_VISIT_OBJECTS;
    double n = weight(h, size);
    s->live += n;
    s->live_bytes += n * (double)size;
    return JVMTI_VISIT_OBJECTS;
}

static bool walk(struct hprof *h, struct site *untracked) {
    struct count count = {h, untracked};
    jvmtiHeapCallbacks callbacks;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.heap_iteration_callback = on_object;
    for (uint32_t i = 1; i <= h->sites->keys.count; i++) {
        struct site *s = stable_get(&h->sites->all, i);
        s->live = s->live_bytes = 0;
    }
    return hprof_ok(h, (*h->env)->IterateThroughHeap(h->env, 0, NULL, &callbacks, &count), "IterateThroughHeap");
}

/* Objects that were there before tracking began: one row per class, of which as much was allocated as lives (HP-080, HP-081). */
static void add_untracked(struct hprof *h, const struct site *untracked) {
    for (uint32_t id = 1; id <= h->classes.known_count; id++) {
        if (untracked[id].live == 0) continue;
        uint32_t number = site_put(h, class_by_tag(h, id), 0);
        if (number == 0) continue;
        struct site *s = stable_get(&h->sites->all, number);
        s->live += untracked[id].live;
        s->live_bytes += untracked[id].live_bytes;
        if (s->allocated < s->live) s->allocated = s->live;
        if (s->allocated_bytes < s->live_bytes) s->allocated_bytes = s->live_bytes;
    }
}

static int by_live_bytes(const void *a, const void *b) {
    const struct site *x = a, *y = b;
    if (x->live_bytes != y->live_bytes) return x->live_bytes > y->live_bytes ? -1 : 1;
    if (x->allocated_bytes != y->allocated_bytes) return x->allocated_bytes > y->allocated_bytes ? -1 : 1;
    if (x->trace != y->trace) return x->trace < y->trace ? -1 : 1;
    return strcmp(x->class->name, y->class->name);
}

struct site *sites_count(struct hprof *h, JNIEnv *jni, uint32_t *count, struct site *total) {
    *count = 0;
    *total = (struct site){0};
    hprof_ok(h, (*h->env)->ForceGarbageCollection(h->env), "ForceGarbageCollection");
    if (!classes_refresh(h, jni, NULL, NULL)) return NULL;
    struct site *untracked = calloc((size_t)h->classes.known_count + 1, sizeof *untracked);
    bool ok = untracked != NULL && walk(h, untracked);
    if (ok && h->options.sampling == 0) add_untracked(h, untracked);
    free(untracked);
    struct site *rows = ok ? malloc(((size_t)h->sites->keys.count + 1) * sizeof *rows) : NULL;
    if (rows == NULL) return NULL;
    for (uint32_t i = 1; i <= h->sites->keys.count; i++) {
        const struct site *s = stable_get(&h->sites->all, i);
        rows[i - 1] = *s;
        total->live += s->live;
        total->live_bytes += s->live_bytes;
        total->allocated += s->allocated;
        total->allocated_bytes += s->allocated_bytes;
    }
    qsort(rows, h->sites->keys.count, sizeof *rows, by_live_bytes);
    while (*count < h->sites->keys.count && rows[*count].live_bytes >= h->options.cutoff * total->live_bytes) ++*count;
    return rows;
}

/* ---- writing ---------------------------------------------------------------------------------------------------------- */

static double percent(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

static void write_text(struct hprof *h, const struct site *rows, uint32_t count, const struct site *total) {
    char date[32];
    double sum = 0;
    output_format(h->out, "SITES BEGIN (ordered by live bytes) %s\n", hprof_date(date));
    if (h->options.sampling > 0) output_format(h->out, "(estimated from one allocation in about %d bytes)\n", h->options.sampling);
    output_format(h->out, "          percent          live          alloc'ed  stack class\n");
    output_format(h->out, " rank   self  accum     bytes objs     bytes  objs trace name\n");
    for (uint32_t i = 0; i < count; i++) {
        const struct site *s = &rows[i];
        sum += s->live_bytes;
        output_format(h->out, "%5u %5.2f%% %5.2f%% %9.0f %4.0f %9.0f %5.0f %5u %s\n", i + 1, percent(s->live_bytes, total->live_bytes),
                      percent(sum, total->live_bytes), s->live_bytes, s->live, s->allocated_bytes, s->allocated, trace_serial(s->trace),
                      s->class->name);
    }
    output_format(h->out, "SITES END\n");
    output_commit(h->out);
}

static uint32_t limited(double v) { return v < UINT32_MAX ? (uint32_t)llround(v) : UINT32_MAX; }

static uint32_t array_kind(const struct class_info *c) {
    if (c->shape == SHAPE_INSTANCE) return 0;
    return c->shape == SHAPE_OBJECT_ARRAY ? 2 : type_number(c->signature[1]);
}

static void write_binary(struct hprof *h, const struct site *rows, uint32_t count, const struct site *total) {
    struct packet p = {0};
    float cutoff = (float)h->options.cutoff;
    uint32_t bits;
    memcpy(&bits, &cutoff, 4);
    put_u2(&p, 0);
    put_u4(&p, bits);
    put_u4(&p, limited(total->live_bytes));
    put_u4(&p, limited(total->live));
    put_u8(&p, (uint64_t)llround(total->allocated_bytes));
    put_u8(&p, (uint64_t)llround(total->allocated));
    put_u4(&p, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct site *s = &rows[i];
        put_u1(&p, array_kind(s->class));
        put_u4(&p, s->class->serial);
        put_u4(&p, trace_serial(s->trace));
        put_u4(&p, limited(s->live_bytes));
        put_u4(&p, limited(s->live));
        put_u4(&p, limited(s->allocated_bytes));
        put_u4(&p, limited(s->allocated));
    }
    record_write(h, RECORD_ALLOC_SITES, &p);
}

void sites_write(struct hprof *h, JNIEnv *jni) {
    uint32_t count;
    struct site total, *rows = sites_count(h, jni, &count, &total);
    if (rows == NULL) {
        fprintf(stderr, "hprof: out of memory for the allocation sites\n");
        return;
    }
    for (uint32_t i = 0; i < count; i++) class_write(h, rows[i].class);
    traces_write(h);
    if (h->options.form == FORM_BINARY) write_binary(h, rows, count, &total);
    else write_text(h, rows, count, &total);
    free(rows);
}
