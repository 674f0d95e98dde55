/* stacks.c: weighted stacks, and the collapsed form: one line per stack, frames from the outermost on, then the weight. */
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

/* ---- gathering -------------------------------------------------------------------------------------------------------- */

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

static const char *thread_name(struct hprof *h, uint32_t serial) {
    for (uint32_t id = 1; id <= h->classes.known_count; id++) {
        const struct known *k = known_by_tag(h, id);
        if (k != NULL && k->kind == KNOWN_THREAD && ((const struct thread_info *)k)->serial == serial) return ((const struct thread_info *)k)->name;
    }
    return "?";
}

char *stack_text(struct hprof *h, const struct weighted *w) {
    const struct trace *t = trace_get(h, w->trace);
    char *text = NULL;
    size_t size;
    FILE *out = t != NULL ? open_memstream(&text, &size) : NULL;
    if (out == NULL) return NULL;
    const char *between = "";
    if (t->thread != 0) {
        fprintf(out, "%s", thread_name(h, t->thread));
        between = ";";
    }
    for (uint32_t i = t->frame_count; i > 0; i--) {
        const struct method_info *m = trace_method(h, t, i - 1, NULL);
        fprintf(out, "%s%s.%s", between, m->class->name, m->name);
        between = ";";
    }
    if (t->frame_count == 0) {
        fprintf(out, "%s[not known]", between);
        between = ";";
    }
    if (w->class != NULL) fprintf(out, "%s%s", between, w->class->name);
    if (fclose(out) == 0) return text;
    free(text);
    return NULL;
}

/* ---- collapsed -------------------------------------------------------------------------------------------------------- */

/* Stacks that differ in lines only are one line: their weights are added up. */
static void collapse(struct hprof *h, const struct weights *w, const char *prefix) {
    struct numbering texts = {0};
    uint64_t *sums = calloc((size_t)w->count + 1, sizeof *sums);
    for (uint32_t i = 0; sums != NULL && i < w->count; i++) {
        char *text = stack_text(h, &w->rows[i]);
        bool fresh;
        uint32_t number = text != NULL ? numbering_put(&texts, text, strlen(text), &fresh) : NO_INDEX;
        if (number != NO_INDEX) sums[number] += w->rows[i].weight;
        free(text);
    }
    for (uint32_t i = 0; i < texts.count; i++) {
        size_t n;
        const char *text = numbering_key(&texts, i, &n);
        output_format(h->out, "%s%.*s %llu\n", prefix, (int)n, text, (unsigned long long)sums[i]);
    }
    numbering_free(&texts);
    free(sums);
}

void collapsed_write(struct hprof *h) {
    struct weights kinds[STACK_KINDS];
    int present = 0;
    for (int k = 0; k < STACK_KINDS; k++) {
        kinds[k] = stacks_of(h, (enum stack_kind)k);
        present += kinds[k].rows != NULL;
    }
    for (int k = 0; k < STACK_KINDS; k++) {
        char prefix[32] = "";
        if (present > 1) snprintf(prefix, sizeof prefix, "[%s];", kinds[k].name);
        collapse(h, &kinds[k], prefix);
        free(kinds[k].rows);
    }
}

/* ---- public ----------------------------------------------------------------------------------------------------------- */

void stacks_write(struct hprof *h) {
    output_restart(h->out);
    if (h->options.form == FORM_COLLAPSED) collapsed_write(h);
    else pprof_write(h);
    output_commit(h->out);
}
