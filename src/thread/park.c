/* Parking, sleeping, interrupting: the blocking operations that need no monitor. */
#include "thread/monitor_table.h"

bool thread_is_interrupted(struct java_thread *t, bool clear) {
    if (t->mirror) return thread_hooks.read_interrupted(t, clear);
    return clear ? atomic_exchange(&t->interrupted, false) : atomic_load(&t->interrupted);
}

static int64_t add_saturating(int64_t a, int64_t b) {
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

static void sleep_until_unparked(struct os_thread *self, uint32_t seen, bool absolute, int64_t time) {
    REQUIRES(IN_VM | MAY_STOP);
    struct java_thread *t = self->java;
    thread_rests(t, true);
    thread_block_begin(self);
    if (time == 0) {
        os_futex_wait(&t->park.word, seen, INT64_MAX);
    } else if (absolute) {
        int64_t deadline;
        if (__builtin_mul_overflow(time, 1000000, &deadline)) deadline = INT64_MAX;
        os_futex_wait_until(&t->park.word, seen, deadline, true);
    } else {
        os_futex_wait(&t->park.word, seen, time);
    }
    thread_block_end(self);
    thread_rests(t, false);
}

NOINLINE void thread_park(struct os_thread *self, bool absolute, int64_t time) {
    REQUIRES(IN_VM | MAY_STOP);
    struct java_thread *t = self->java;
    if (atomic_exchange(&t->park.permit, 0)) {
        atomic_fetch_add_explicit(&t->waited.count, 1, memory_order_relaxed);
        return;
    }
    if (time < 0 || (absolute && time == 0)) return;
    uint32_t seen = atomic_load(&t->park.word);
    if (atomic_exchange(&t->park.permit, 0) || thread_is_interrupted(t, false) || thread_is_stopping(self)) return;
    bool timed = time != 0;
    thread_status(t, timed ? THREAD_STATUS_TIMED_PARKED : THREAD_STATUS_PARKED);
    contention_begin(&t->waited);
    if (!thread_looks(self, &t->park.patience, &t->park.word, seen)) sleep_until_unparked(self, seen, absolute, time);
    atomic_store(&t->park.permit, 0);
    contention_end(&t->waited);
    thread_status(t, THREAD_STATUS_RUNNABLE);
}

void thread_unpark(struct java_thread *t) {
    if (atomic_exchange(&t->park.permit, 1)) return;
    atomic_fetch_add(&t->park.word, 1);
    os_futex_wake(&t->park.word, 1);
}

NOINLINE bool thread_sleep(struct os_thread *self, int64_t nanos) {
    REQUIRES(IN_VM | MAY_STOP);
    struct java_thread *t = self->java;
    probe_sleep(self, nanos / 1000000);
    int64_t deadline = add_saturating(os_nanotime(), nanos);
    bool interrupted = false;
    thread_status(t, THREAD_STATUS_SLEEPING);
    contention_begin(&t->waited);
    for (;;) {
        uint32_t seen = atomic_load(&t->wake);
        if (thread_is_interrupted(t, false)) { interrupted = true; break; }
        if (os_nanotime() >= deadline || thread_is_stopping(self)) break;
        thread_rests(t, true);
        thread_block_begin(self);
        os_futex_wait_until(&t->wake, seen, deadline, false);
        thread_block_end(self);
        thread_rests(t, false);
    }
    contention_end(&t->waited);
    thread_status(t, THREAD_STATUS_RUNNABLE);
    probe_slept(self);
    return !interrupted;
}

void thread_stop(struct java_thread *t, struct object *exception) {
    t->pending_async = exception;
    thread_ask(t, POLL_ASYNC_EXCEPTION);
    thread_unpark(t);
    thread_wake(t);
}

void thread_interrupt(struct java_thread *t) {
    atomic_store(&t->interrupted, true);
    thread_unpark(t);
    thread_wake(t);
}
