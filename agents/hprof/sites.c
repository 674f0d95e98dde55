/* sites.c: allocation sites.
 *
 * An allocation costs one look-up in a table of the thread's own, by class and stack, without a lock; what is not found
 * there goes through the shared tables once. The threads' numbers are added to the sites' when they are asked for, and
 * when a thread ends. */
#include "sites.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hprof.h"

/* What one thread has allocated at a site, with the stack and class that lead to it. */
struct own_site {
    uint64_t hash;
    jweak class;                        /* struct class_info's reference                                  */
    uint32_t class_number;              /* ... and number                                                 */
    uint32_t number;                    /* of the site                                                    */
    jint frame_count;
    jvmtiFrameInfo *frames;             /* NULL: an empty place of the table                              */
    _Atomic double allocated, allocated_bytes;      /* written by the owner                               */
    double merged, merged_bytes;        /* the part that the site has already; lock held                  */
};

/* Open addressing. Only its thread looks into it and changes it; reports read it under the lock, under which
 * it grows. */
struct own_sites {
    struct overhead_turns turns;        /* of the filter                                                  */
    struct own_site *all;
    uint32_t count, capacity;           /* capacity: a power of two                                       */
};

struct sites {
    struct numbering keys;              /* class number, trace                                            */
    struct stable all;                  /* struct site, as keys counts + 1; 0 is "not known"              */
};

static _Atomic(struct hprof *) profile;
/* This thread's table in the profile that has the number: a thread may outlive one, and meet the next. */
static _Thread_local struct { uint32_t profile; struct own_sites *table; } own;

bool sites_start(struct hprof *h) {
    h->sites = calloc(1, sizeof *h->sites);
    if (h->sites == NULL) return false;
    h->sites->all.size = sizeof(struct site);
    atomic_store(&profile, h);
    return stable_make(&h->sites->all, 0) != NULL;
}

void sites_free(struct hprof *h) {
    if (h->sites == NULL) return;
    atomic_store(&profile, NULL);
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

/* ---- allocations ------------------------------------------------------------------------------------------------- */

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

/* The site of a class and a stack through the shared tables, in `found` with its class, whose reference is NULL without
 * memory. False: no memory. Takes the lock. */
static bool find_site(struct hprof *h, JNIEnv *jni, jthread thread, jclass klass, const jvmtiFrameInfo *frames,
                      jint count, struct own_site *found) {
    hprof_lock(h);
    struct class_info *c = class_of(h, jni, klass);
    struct thread_info *t = h->options.thread ? thread_of(h, jni, thread) : NULL;
    uint32_t trace = count > 0 ? trace_put(h, jni, frames, count, t != NULL ? t->serial : 0, true) : 0;
    found->number = c != NULL ? site_put(h, c, trace) : 0;
    if (c != NULL && c->reference == NULL) {
        c->reference = (*jni)->NewWeakGlobalRef(jni, klass);
        if (c->reference == NULL) (*jni)->ExceptionClear(jni);
    }
    found->class = c != NULL ? c->reference : NULL;
    found->class_number = c != NULL ? c->known.id : 0;
    hprof_unlock(h);
    return found->number != 0;
}

/* ---- a thread's own table ---------------------------------------------------------------------------------------- */

/* The class is left out: nearly always the stack says it. */
static uint64_t hash_of(const jvmtiFrameInfo *frames, jint count) {
    uint64_t hash = (uint64_t)count;
    for (jint i = 0; i < count; i++) {
        uint64_t frame = (uint64_t)(uintptr_t)frames[i].method ^
                         (uint64_t)frames[i].location * UINT64_C(0xbf58476d1ce4e5b9);
        hash += frame * (UINT64_C(0x9e3779b97f4a7c15) + 2 * (uint64_t)i);
    }
    return hash ^ hash >> 32 ^ hash >> 48;
}

static bool same_frames(const struct own_site *s, const jvmtiFrameInfo *frames, jint count) {
    if (s->frame_count != count) return false;
    for (jint i = 0; i < count; i++)
        if (s->frames[i].method != frames[i].method || s->frames[i].location != frames[i].location) return false;
    return true;
}

/* The first place from `at` on that is empty or has this stack; at hash, for the first one. */
static struct own_site *place_of(const struct own_sites *table, uint64_t at, uint64_t hash,
                                 const jvmtiFrameInfo *frames, jint count) {
    for (;; at++) {
        struct own_site *s = &table->all[at & (table->capacity - 1)];
        if (s->frames == NULL || (s->hash == hash && same_frames(s, frames, count))) return s;
    }
}

/* The same, for a class that has a number; NULL: it has no place. */
static struct own_site *find_numbered(const struct own_sites *table, uint64_t hash, uint64_t class_number,
                                      const jvmtiFrameInfo *frames, jint count) {
    struct own_site *s = place_of(table, hash, hash, frames, count);
    while (s->frames != NULL && s->class_number != class_number)
        s = place_of(table, (uint64_t)(s - table->all) + 1, hash, frames, count);
    return s->frames != NULL ? s : NULL;
}

/* The place of a stack and a class, or the empty one where they belong. */
static struct own_site *find_own(JNIEnv *jni, const struct own_sites *table, uint64_t hash, jclass klass,
                                 const jvmtiFrameInfo *frames, jint count) {
    struct own_site *s = place_of(table, hash, hash, frames, count);
    while (s->frames != NULL && !(*jni)->IsSameObject(jni, s->class, klass))
        s = place_of(table, (uint64_t)(s - table->all) + 1, hash, frames, count);
    return s;
}

static struct own_site *empty_place(const struct own_sites *table, uint64_t hash) {
    uint64_t at = hash;
    while (table->all[at & (table->capacity - 1)].frames != NULL) at++;
    return &table->all[at & (table->capacity - 1)];
}

/* Lock held. */
static bool grow(struct own_sites *table) {
    struct own_sites larger = {table->turns, NULL, table->count, table->capacity > 0 ? table->capacity * 2 : 256};
    larger.all = calloc(larger.capacity, sizeof *larger.all);
    if (larger.all == NULL) return false;
    for (uint32_t i = 0; i < table->capacity; i++) {
        const struct own_site *s = &table->all[i];
        if (s->frames != NULL) *empty_place(&larger, s->hash) = *s;
    }
    free(table->all);
    *table = larger;
    return true;
}

/* A new place for a site; NULL: no memory. */
static struct own_site *add_own(struct hprof *h, struct own_sites *table, struct own_site fresh,
                                const jvmtiFrameInfo *frames) {
    struct own_site *s = NULL;
    fresh.frames = malloc(((size_t)fresh.frame_count + 1) * sizeof *fresh.frames);
    if (fresh.frames == NULL) return NULL;
    memcpy(fresh.frames, frames, (size_t)fresh.frame_count * sizeof *fresh.frames);
    hprof_lock(h);
    if ((table->count + 1) * 2 <= table->capacity || grow(table)) {
        s = empty_place(table, fresh.hash);
        *s = fresh;
        table->count++;
    }
    hprof_unlock(h);
    if (s == NULL) free(fresh.frames);
    return s;
}

/* Lock held. NULL: no memory. */
static struct own_sites *table_new(void) {
    struct own_sites *table = calloc(1, sizeof *table);
    if (table != NULL && grow(table)) return table;
    free(table);
    return NULL;
}

/* The current thread's. NULL: no memory, or it has ended. */
static struct own_sites *table_of(struct hprof *h, JNIEnv *jni, jthread thread) {
    if (own.profile == h->number) return own.table;
    hprof_lock(h);
    struct thread_info *t = thread_of(h, jni, thread);
    if (t != NULL && t->allocations == NULL && !t->ended) t->allocations = table_new();
    struct own_sites *table = t != NULL ? t->allocations : NULL;
    hprof_unlock(h);
    if (table != NULL) own.table = table, own.profile = h->number;
    return table;
}

/* Adds what the sites do not have yet. Lock held. */
static void merge(struct hprof *h, struct own_sites *table) {
    for (uint32_t i = 0; i < table->capacity; i++) {
        struct own_site *own_site = &table->all[i];
        if (own_site->frames == NULL) continue;
        struct site *s = stable_get(&h->sites->all, own_site->number);
        double allocated = atomic_load_explicit(&own_site->allocated, memory_order_relaxed);
        double bytes = atomic_load_explicit(&own_site->allocated_bytes, memory_order_relaxed);
        s->allocated += allocated - own_site->merged;
        s->allocated_bytes += bytes - own_site->merged_bytes;
        own_site->merged = allocated;
        own_site->merged_bytes = bytes;
    }
}

void sites_gather(struct hprof *h) {
    for (uint32_t id = 1; id <= h->classes.known_count; id++) {
        const struct known *k = known_by_tag(h, id);
        struct own_sites *table = k != NULL && k->kind == KNOWN_THREAD ? ((const struct thread_info *)k)->allocations
                                                                       : NULL;
        if (table != NULL) merge(h, table);
    }
}

void sites_thread_end(struct hprof *h, struct thread_info *t) {
    struct own_sites *table = t->allocations;
    t->allocations = NULL;
    own.profile = 0;
    if (table == NULL) return;
    merge(h, table);
    for (uint32_t i = 0; i < table->capacity; i++) free(table->all[i].frames);
    free(table->all);
    free(table);
}

/* ---- one allocation ---------------------------------------------------------------------------------------------- */

static inline void add(_Atomic double *sum, double n) {
    atomic_store_explicit(sum, atomic_load_explicit(sum, memory_order_relaxed) + n, memory_order_relaxed);
}

/* Without a table of the thread's own. */
static void add_shared(struct hprof *h, uint32_t number, double n, double bytes) {
    hprof_lock(h);
    struct site *s = stable_get(&h->sites->all, number);
    s->allocated += n;
    s->allocated_bytes += bytes;
    hprof_unlock(h);
}

/* Counts an allocation with its stack. The number of the site; 0: no memory. */
static uint32_t count_allocation(struct hprof *h, JNIEnv *jni, jthread thread, jclass klass, jlong size,
                                 const jvmtiFrameInfo *frames, jint count) {
    double n = weight(h, size), bytes = n * (double)size;
    struct own_sites *table = table_of(h, jni, thread);
    uint64_t hash = hash_of(frames, count);
    struct own_site *s = table != NULL ? find_own(jni, table, hash, klass, frames, count) : NULL;
    if (s == NULL || s->frames == NULL) {
        struct own_site fresh = {.hash = hash, .frame_count = count};
        if (!find_site(h, jni, thread, klass, frames, count, &fresh)) return 0;
        s = table != NULL && fresh.class != NULL ? add_own(h, table, fresh, frames) : NULL;
        if (s == NULL) {
            add_shared(h, fresh.number, n, bytes);
            return fresh.number;
        }
    }
    add(&s->allocated, n);
    add(&s->allocated_bytes, bytes);
    return s->number;
}

static void note_allocation(struct hprof *h, JNIEnv *jni, jthread thread, jobject object, jclass klass, jlong size) {
    jvmtiFrameInfo short_stack[SHORT_STACK], *frames = short_stack;
    jint count = 0;
    if (h->options.depth > SHORT_STACK) frames = malloc((size_t)h->options.depth * sizeof *frames);
    if (frames == NULL || !stack_take(h, frames, h->options.depth, &count)) count = 0;
    uint32_t number = count_allocation(h, jni, thread, klass, size, frames, count);
    if (number != 0) (*h->env)->SetTag(h->env, object, (jlong)number << TAG_ID_BITS);
    if (frames != short_stack) free(frames);
}

void JNICALL sites_on_allocation(jvmtiEnv *env, JNIEnv *jni, jthread thread, jobject object, jclass klass, jlong size) {
    (void)env;
    struct hprof *h = atomic_load_explicit(&profile, memory_order_relaxed);
    if (h == NULL || hprof_inside > 0 || !atomic_load_explicit(&h->collecting, memory_order_relaxed)) return;
    hprof_inside++;
    note_allocation(h, jni, thread, object, klass, size);
    hprof_inside--;
}

/* Counts an allocation whose class and stack the thread has in its own table. The number of the site; 0: it has not. */
static uint32_t count_known(struct hprof *h, const struct own_sites *table, jlong class_tag, jlong size) {
    jvmtiFrameInfo frames[SHORT_STACK];
    jint count;
    if (!stack_take(h, frames, h->options.depth, &count)) return 0;
    struct own_site *s = find_numbered(table, hash_of(frames, count), (uint64_t)(class_tag & TAG_ID_MASK), frames,
                                       count);
    if (s == NULL) return 0;
    add(&s->allocated, 1);
    add(&s->allocated_bytes, (double)size);
    return s->number;
}

jboolean JNICALL sites_ask_allocation(void *storage, jlong class_tag, jlong size, jlong *tag_ptr) {
    struct hprof *h = atomic_load_explicit(&profile, memory_order_relaxed);
    if (h == NULL || hprof_inside > 0 || !atomic_load_explicit(&h->collecting, memory_order_relaxed)) return JNI_FALSE;
    struct own_sites *table = storage != NULL ? ((const struct thread_info *)storage)->allocations : NULL;
    if (table == NULL || h->options.sampling != 0 || h->options.depth > SHORT_STACK) return JNI_TRUE;
    struct overhead_mark mark = overhead_begin_turn(&table->turns);
    uint32_t number = count_known(h, table, class_tag, size);
    *tag_ptr = (jlong)number << TAG_ID_BITS;
    if (mark.weight > 0) overhead_end(h, mark);
    return number == 0;
}

/* ---- counting ---------------------------------------------------------------------------------------------------- */

struct count { struct hprof *h; struct site *untracked; };

static jint JNICALL on_object(jlong class_tag, jlong size, jlong *tag_ptr, jint length, void *user_data) {
    (void)length;
    struct count *count = user_data;
    struct hprof *h = count->h;
    uint32_t number = (uint32_t)((uint64_t)*tag_ptr >> TAG_ID_BITS);
    const struct class_info *c = class_by_tag(h, class_tag);
    struct site *s = number != 0 ? stable_get(&h->sites->all, number)
                     : c != NULL ? &count->untracked[c->known.id]
                                 : NULL;
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

/* Objects that were there before tracking began: one row per class, of which as much was allocated as lives (HP-080,
 * HP-081). */
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

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static double percent(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

static void write_text(struct hprof *h, const struct site *rows, uint32_t count, const struct site *total) {
    char date[32];
    double sum = 0;
    output_format(h->out, "SITES BEGIN (ordered by live bytes) %s\n", hprof_date(date));
    if (h->options.sampling > 0)
        output_format(h->out, "(estimated from one allocation in about %d bytes)\n", h->options.sampling);
    output_format(h->out, "          percent          live          alloc'ed  stack class\n");
    output_format(h->out, " rank   self  accum     bytes objs     bytes  objs trace name\n");
    for (uint32_t i = 0; i < count; i++) {
        const struct site *s = &rows[i];
        sum += s->live_bytes;
        output_format(h->out, "%5u %5.2f%% %5.2f%% %9.0f %4.0f %9.0f %5.0f %5u %s\n", i + 1,
                      percent(s->live_bytes, total->live_bytes), percent(sum, total->live_bytes), s->live_bytes,
                      s->live, s->allocated_bytes, s->allocated, trace_serial(s->trace), s->class->name);
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
