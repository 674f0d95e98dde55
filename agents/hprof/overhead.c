/* overhead.c: the profile's measurement of itself. */
#include "overhead.h"

#include <stdio.h>
#include <time.h>

#include "hprof.h"

enum { ALL_OF_THE_FIRST = 512, STRIDE_LEAST = 192, STRIDE_SPREAD = 128, LONGEST = 50000 /* ns */ };

static int64_t clock_ns(clockid_t clock) {
    struct timespec t;
    return clock_gettime(clock, &t) == 0 ? (int64_t)t.tv_sec * 1000000000 + t.tv_nsec : 0;
}

int64_t overhead_clock(void) { return clock_ns(CLOCK_THREAD_CPUTIME_ID); }

void overhead_start(struct hprof *h) {
    struct overhead *o = &h->overhead;
    o->clock = INT64_MAX;
    for (int i = 0; i < 100; i++) {
        int64_t before = hprof_now(), passed = hprof_now() - before;
        if (passed < o->clock) o->clock = passed;
    }
    o->process_start = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
}

/* How many callbacks the next measured one is to stand for: not always as many, since a program's calls come in
 * patterns. */
static uint32_t next_stride(struct overhead_turns *t) {
    if (t->measured < ALL_OF_THE_FIRST) return 1;
    t->noise = t->noise * 1664525 + 1013904223;
    return STRIDE_LEAST + (t->noise >> 16) % STRIDE_SPREAD;
}

struct overhead_mark overhead_measure(struct overhead_turns *t) {
    struct overhead_mark mark = {0, 0, t->stride > 0 ? t->stride : 1};
    t->measured++;
    t->stride = next_stride(t);
    t->left = t->stride - 1;
    if (mark.weight == 1) mark.processor = overhead_clock();
    mark.time = hprof_now();
    return mark;
}

struct overhead_mark overhead_begin(void) {
    static _Thread_local struct overhead_turns own;
    return hprof_inside > 0 ? (struct overhead_mark){0, 0, 0} : overhead_begin_turn(&own);
}

/* Asking for processor time is a call of the system: it takes longer than many a callback and slows down what follows.
 * So the time that passed is taken, and where the thread may have had to wait, its processor time: that of each
 * callback as long as all are measured, later what is the most that a callback takes. */
void overhead_end(struct hprof *h, struct overhead_mark mark) {
    if (mark.weight == 0) return;
    int64_t passed = hprof_now() - mark.time - h->overhead.clock;
    int64_t most = mark.weight == 1 ? overhead_clock() - mark.processor : LONGEST;
    overhead_add(&h->overhead, (passed < most ? passed : most) * mark.weight);
}

struct overhead_figures overhead_figures(const struct hprof *h) {
    return (struct overhead_figures){atomic_load(&h->overhead.spent),
                                     (uint64_t)(clock_ns(CLOCK_PROCESS_CPUTIME_ID) - h->overhead.process_start)};
}

void overhead_text(const struct hprof *h, char text[OVERHEAD_TEXT]) {
    struct overhead_figures f = overhead_figures(h);
    double percent = f.process > 0 ? 100 * (double)f.spent / (double)f.process : 0;
    snprintf(text, OVERHEAD_TEXT, "Overhead: %13.3f s of %13.3f s processor time (%6.2f %%)", (double)f.spent / 1e9,
             (double)f.process / 1e9, percent);
}
