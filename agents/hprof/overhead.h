/* overhead.h: what the profile costs the program, as the profile measures it: processor time in the agent's callbacks
 * and in its sampler. What the VM does to deliver an event is not in it, nor what it takes to write the data. */
#ifndef HPROF_OVERHEAD_H
#define HPROF_OVERHEAD_H

#include <stdatomic.h>
#include <stdint.h>

struct hprof;

struct overhead {
    _Atomic uint64_t spent;             /* ns, an estimate where callbacks are frequent                   */
    int64_t process_start;              /* processor time of the process when the profile began, ns       */
    int64_t clock;                      /* what reading the time adds to a measured one, ns               */
};

/* A callback that is being measured. */
struct overhead_mark {
    int64_t time, processor;            /* hprof_now() and, with weight 1, overhead_clock() when it began */
    uint32_t weight;                    /* callbacks that it stands for; 0: it is not measured            */
};

/* Which of a thread's callbacks are measured: every one of the first, then about one in some hundreds, since a look at
 * the clocks costs more than a short callback. Starts as {0}. */
struct overhead_turns { uint32_t left, stride, measured, noise; };

/* Processor time of the current thread, ns. Async-signal-safe. */
int64_t overhead_clock(void);
void overhead_start(struct hprof *h);
struct overhead_mark overhead_measure(struct overhead_turns *turns);
/* Around a callback or a filter, each with a turn of its own: by the turns of the caller's, or of the thread. Callbacks
 * that the agent causes itself belong to those in which it does so. */
static inline struct overhead_mark overhead_begin_turn(struct overhead_turns *turns) {
    if (turns->left == 0) return overhead_measure(turns);
    turns->left--;
    return (struct overhead_mark){0, 0, 0};
}
struct overhead_mark overhead_begin(void);
void overhead_end(struct hprof *h, struct overhead_mark mark);
/* Adds nanoseconds. Async-signal-safe. */
static inline void overhead_add(struct overhead *o, int64_t ns) {
    if (ns > 0) atomic_fetch_add_explicit(&o->spent, (uint64_t)ns, memory_order_relaxed);
}

/* What has been spent of what processor time since the profile began, ns. */
struct overhead_figures { uint64_t spent, process; };
struct overhead_figures overhead_figures(const struct hprof *h);
/* "Overhead: ... s of ... s processor time (... %)", always of the same length unless the run takes years. */
enum { OVERHEAD_TEXT = 96 };
void overhead_text(const struct hprof *h, char text[OVERHEAD_TEXT]);

#endif
