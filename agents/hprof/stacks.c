/* stacks.c: weighted stacks, the trees they form, and the collapsed form: one line per stack, frames from the outermost
 * on, then the weight. */
#include "stacks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hprof.h"
#include "monitors.h"
#include "samples.h"
#include "sites.h"
#include "times.h"

/* ---- gathering --------------------------------------------------------------------------------------------------- */

static void add(struct weights *w, uint32_t trace, const struct class_info *class, uint64_t weight) {
    if (weight > 0 && w->rows != NULL) w->rows[w->count++] = (struct weighted){trace, class, weight};
}

static struct weights cpu_stacks(struct hprof *h) {
    struct weights w = {NULL, 0, "cpu", h->samples != NULL ? "samples" : "nanoseconds"};
    if (h->samples == NULL && h->times == NULL) return w;
    uint32_t count = trace_count(h);
    w.rows = malloc(count * sizeof *w.rows);
    struct spent *sums = h->times != NULL ? times_sum(h) : NULL;
    for (uint32_t i = 0; i < count; i++) {
        if (h->samples != NULL) add(&w, i, NULL, trace_get(h, i)->samples);
        else if (sums != NULL) add(&w, i, NULL, sums[i].self);
    }
    free(sums);
    return w;
}

static struct weights allocation_stacks(struct hprof *h) {
    struct weights w = {NULL, 0, "allocation", "bytes"};
    if (h->sites == NULL) return w;
    uint32_t count = sites_number(h);
    w.rows = malloc(((size_t)count + 1) * sizeof *w.rows);
    for (uint32_t i = 1; i <= count; i++) {
        const struct site *s = sites_get(h, i);
        add(&w, s->trace, s->class, (uint64_t)llround(s->allocated_bytes));
    }
    return w;
}

static struct weights contention_stacks(struct hprof *h) {
    struct weights w = {NULL, 0, "contention", "nanoseconds"};
    if (h->monitors == NULL) return w;
    uint32_t count = monitors_count(h);
    w.rows = malloc(((size_t)count + 1) * sizeof *w.rows);
    for (uint32_t i = 0; i < count; i++) {
        const struct contention *m = monitors_get(h, i);
        add(&w, m->trace, m->class, m->waited);
    }
    return w;
}

struct weights stacks_of(struct hprof *h, enum stack_kind kind) {
    switch (kind) {
    case STACK_CPU: return cpu_stacks(h);
    case STACK_ALLOCATION: return allocation_stacks(h);
    default: return contention_stacks(h);
    }
}

/* ---- trees ------------------------------------------------------------------------------------------------------- */

static const char *thread_name(struct hprof *h, uint32_t serial) {
    for (uint32_t id = 1; id <= h->classes.known_count; id++) {
        const struct known *k = known_by_tag(h, id);
        if (k != NULL && k->kind == KNOWN_THREAD && ((const struct thread_info *)k)->serial == serial)
            return ((const struct thread_info *)k)->name;
    }
    return "?";
}

/* The frame with a name, which is first.second when there are two parts. */
static uint32_t frame_of(struct trees *t, enum frame_kind kind, const char *first, const char *second) {
    struct packet key = {0};
    bool fresh;
    put_u1(&key, kind);
    put_bytes(&key, first, strlen(first));
    if (second != NULL) {
        put_u1(&key, '.');
        put_bytes(&key, second, strlen(second));
    }
    uint32_t number = key.failed ? NO_INDEX : numbering_put(&t->frames, key.data, key.used, &fresh);
    free(key.data);
    return number;
}

/* The node of a frame inside another one; NO_INDEX: no memory. */
static uint32_t node_of(struct tree *tree, uint32_t parent, uint32_t frame) {
    struct tree_node key = {parent, frame};
    bool fresh;
    if (frame == NO_INDEX) return NO_INDEX;
    if (tree->nodes.count == tree->capacity) {
        uint32_t capacity = tree->capacity > 0 ? tree->capacity * 2 : 1024;
        uint64_t *grown = realloc(tree->self, capacity * sizeof *grown);
        if (grown == NULL) return NO_INDEX;
        memset(grown + tree->capacity, 0, (capacity - tree->capacity) * sizeof *grown);
        tree->self = grown;
        tree->capacity = capacity;
    }
    return numbering_put(&tree->nodes, &key, sizeof key, &fresh);
}

static void add_stack(struct hprof *h, struct trees *t, struct tree *tree, const struct weighted *w) {
    const struct trace *trace = trace_get(h, w->trace);
    uint32_t node = NO_INDEX;
    if (trace == NULL) return;
    if (trace->thread != 0 &&
        (node = node_of(tree, node, frame_of(t, FRAME_THREAD, thread_name(h, trace->thread), NULL))) == NO_INDEX)
        return;
    if (trace->frame_count == 0 &&
        (node = node_of(tree, node, frame_of(t, FRAME_UNKNOWN, "[not known]", NULL))) == NO_INDEX)
        return;
    for (uint32_t i = trace->frame_count; i > 0; i--) {
        const struct method_info *m = trace_method(h, trace, i - 1, NULL);
        node = node_of(tree, node, frame_of(t, m->is_native ? FRAME_NATIVE : FRAME_METHOD, m->class->name, m->name));
        if (node == NO_INDEX) return;
    }
    if (w->class != NULL && (node = node_of(tree, node, frame_of(t, FRAME_CLASS, w->class->name, NULL))) == NO_INDEX)
        return;
    tree->self[node] += w->weight;
}

void trees_make(struct hprof *h, struct trees *t) {
    *t = (struct trees){0};
    for (int k = 0; k < STACK_KINDS; k++) {
        struct weights w = stacks_of(h, (enum stack_kind)k);
        struct tree *tree = &t->kinds[k];
        tree->name = w.name;
        tree->unit = w.unit;
        tree->collected = w.rows != NULL;
        for (uint32_t i = 0; i < w.count; i++) add_stack(h, t, tree, &w.rows[i]);
        free(w.rows);
    }
}

void trees_free(struct trees *t) {
    for (int k = 0; k < STACK_KINDS; k++) {
        numbering_free(&t->kinds[k].nodes);
        free(t->kinds[k].self);
    }
    numbering_free(&t->frames);
}

struct tree_node tree_node(const struct tree *t, uint32_t node) {
    size_t n;
    return *(const struct tree_node *)numbering_key(&t->nodes, node, &n);
}

const char *tree_frame(const struct trees *t, uint32_t frame, enum frame_kind *kind, size_t *n) {
    const char *key = numbering_key(&t->frames, frame, n);
    *kind = (enum frame_kind)key[0];
    --*n;
    return key + 1;
}

/* ---- collapsed --------------------------------------------------------------------------------------------------- */

/* A thread's name may have what separates frames and lines. */
static void write_frame(const struct trees *t, uint32_t frame, struct output *out) {
    enum frame_kind kind;
    size_t n;
    const char *name = tree_frame(t, frame, &kind, &n);
    for (size_t i = 0; i < n; i++) {
        bool separator = name[i] == ';' || (name[i] >= 0 && name[i] < ' ');
        output_bytes(out, separator ? "_" : &name[i], 1);
    }
}

/* `path` has room for as many frames as there are. */
static void write_stack(const struct trees *t, const struct tree *tree, uint32_t node, uint32_t *path,
                        struct output *out) {
    uint32_t depth = 0;
    for (uint32_t at = node; at != NO_INDEX; at = tree_node(tree, at).parent) path[depth++] = tree_node(tree, at).frame;
    while (depth > 0) {
        write_frame(t, path[--depth], out);
        if (depth > 0) output_bytes(out, ";", 1);
    }
}

static void collapsed_write_tree(const struct trees *t, const struct tree *tree, const char *prefix, uint32_t *path,
                                 struct output *out) {
    for (uint32_t i = 0; i < tree->nodes.count; i++) {
        if (tree->self[i] == 0) continue;
        output_format(out, "%s", prefix);
        write_stack(t, tree, i, path, out);
        output_format(out, " %llu\n", (unsigned long long)tree->self[i]);
    }
}

static void collapsed_write(struct hprof *h, struct output *out) {
    enum { AROUND = 2 };                                   /* a stack's thread and class                        */
    uint32_t *path = malloc(((size_t)h->options.depth + AROUND + 1) * sizeof *path);
    struct trees t;
    int present = 0;
    trees_make(h, &t);
    for (int k = 0; k < STACK_KINDS; k++) present += t.kinds[k].collected;
    for (int k = 0; path != NULL && k < STACK_KINDS; k++) {
        char prefix[32] = "";
        if (present > 1) snprintf(prefix, sizeof prefix, "[%s];", t.kinds[k].name);
        collapsed_write_tree(&t, &t.kinds[k], prefix, path, out);
    }
    trees_free(&t);
    free(path);
}

/* ---- public ------------------------------------------------------------------------------------------------------ */

void stacks_write(struct hprof *h, JNIEnv *jni, enum form form, struct output *out) {
    output_restart(out);
    if (form == FORM_COLLAPSED) collapsed_write(h, out);
    else if (form == FORM_PPROF) pprof_write(h, out);
    else html_write(h, jni, out);
    output_commit(out);
}
