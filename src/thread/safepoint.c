/* Stopping all threads (safepoints), one thread (handshakes), and one thread until further notice (suspension). */
#include "base/events.h"
#include "base/perf_data.h"
#include "thread/thread_internal.h"

/* ---- the list of threads ----------------------------------------------------------------------------------------- */

bool threads_lock_for_change(struct os_thread *self) {
    REQUIRES(MAY_STOP);
    struct thread_list *list = thread_list();
    for (;;) {
        uint32_t generation = atomic_load(&list->stop_generation);
        lock_acquire(&list->lock);
        if (!atomic_load(&list->stopping) || atomic_load(&list->stopper) == os_thread_id()) return true;
        lock_release(&list->lock);
        if (self && atomic_load(&self->state) == THREAD_IN_VM) transition_poll_stops(self);
        else if (atomic_load(&list->ending)) return false;
        else os_futex_wait(&list->stop_generation, generation, INT64_MAX);
    }
}

void threads_lock(struct os_thread *self) { (void)threads_lock_for_change(self); }

void threads_unlock(struct os_thread *self) {
    (void)self;
    lock_release(&thread_list()->lock);
}

/* ---- safepoints -------------------------------------------------------------------------------------------------- */

/* Full barrier on both sides: after it, every other thread either shows a state other than IN_VM that it can only leave
 * through its slow path, or will see the poll bit that was set before. */
static void barrier_all(void) {
    atomic_thread_fence(memory_order_seq_cst);
    os_membarrier();
}

/* The threads that the last stop has kept from running go on before the next one: a program that stops the world over
 * and over (by System.gc, say) would leave them no time at all otherwise. */
static void let_kept_threads_go_on(void) {
    if (atomic_load(&stop_counts.kept) == 0) return;
    int64_t deadline = os_nanotime() + STOP_PATIENCE_NS;
    atomic_store(&stop_counts.kept_awaited, true);
    for (uint32_t kept; (kept = atomic_load(&stop_counts.kept)) != 0;) {
        int64_t left = deadline - os_nanotime();
        if (left <= 0) break;
        os_futex_wait(&stop_counts.kept, kept, left);
    }
    atomic_store(&stop_counts.kept_awaited, false);
}

#ifdef VITRINE_CHECK
/* Exported by this build alone. From now on each thread calls `function` before it stops the world, or one thread for a
 * handshake; NULL: no more. Any thread. */
EXPORT void JVM_CallBeforeStop(void (*function)(const char *reason));
EXPORT void JVM_CallBeforeStop(void (*function)(const char *reason)) {
    if (vm != NULL) atomic_store(&thread_list()->before_stop, function);
}

/* The window between what the caller has looked up and the stop that it asks for. In foreign code: the function may do
 * whatever an agent may, or wait until others have. */
static NOINLINE void before_stop(struct os_thread *self, const char *reason) {
    struct thread_list *list = thread_list();
    void (*function)(const char *) = atomic_load(&list->before_stop);
    if (function == NULL || self == NULL || self->segment == NULL || atomic_load(&list->stopper) == os_thread_id())
        return;
    struct object *pending = self->exception;
    self->exception = NULL;
    thread_to_native(self);
    function(reason);
    thread_from_native(self);
    self->exception = pending;
}
#else
static inline void before_stop(const struct os_thread *self, const char *reason) { (void)self, (void)reason; }
#endif

NOINLINE void safepoint_begin(struct os_thread *self, const char *reason) {
    REQUIRES(IN_VM | MAY_STOP);
    struct thread_list *list = thread_list();
    if (atomic_load(&list->stopper) == os_thread_id()) { list->stop_depth++; return; }
    before_stop(self, reason);
    int64_t asked = os_nanotime();
    if (self) thread_block_begin(self);
    lock_acquire(&list->stop_lock);
    if (UNLIKELY(atomic_load(&list->ending))) { /* somebody else has stopped it for good */
        lock_release(&list->stop_lock);
        thread_end_now(self);
    }
    let_kept_threads_go_on();

    lock_acquire(&list->lock);
    atomic_store(&list->stopper, os_thread_id());
    list->stop_depth = 1;
    atomic_store(&list->stopping, true);
    for (struct os_thread *t = list->carriers; t; t = t->next)
        if (t != self) thread_request(t, POLL_SAFEPOINT);
    lock_release(&list->lock);

    barrier_all();
    uint32_t running = 0, threads = 0;
    for (struct os_thread *t = list->carriers; t; t = t->next) {
        threads++;
        if (t == self) continue;
        for (bool waited = false;; waited = true) {
            uint32_t seen = atomic_load(&stop_counts.acknowledged);
            if (atomic_load_explicit(&t->state, memory_order_acquire) != THREAD_IN_VM) break;
            running += !waited;
            os_futex_wait(&stop_counts.acknowledged, seen, INT64_MAX);
        }
    }
    atomic_store(&list->stopped, true);
    if (self) {
        /* Nobody runs who could have a claim on us; suspension and handshakes are honoured when the stop ends. */
        atomic_store(&self->state, THREAD_IN_VM);
        if (self->segment) self->segment->exit = 0;
        self->held_reason = reason;
    }
    list->stop.asked = asked;
    list->stop.reason = reason;
    list->stop.began = os_nanotime();
    event_note_name(EVENT_OPERATION, NULL, "Executing VM operation: ", reason, strlen(reason), "");
    list->stop.running = running;
    list->stop.threads = threads;
}

/* What a stop took that has ended: for jstat, and one line of the log, as JDK 25 prints it. `leaving`: when the threads
 * began to be let go. */
static void count_stop(struct thread_list *list, int64_t leaving) {
    int64_t asked = list->stop.asked, began = list->stop.began, ended = os_nanotime();
    int64_t before = list->stop.ended ? asked - list->stop.ended : 0;
    list->stop.ended = ended;
    perf_add(PERF_STOPS, 1);
    perf_add(PERF_RUN_TIME, before);
    perf_add(PERF_STOP_SYNC_TIME, began - asked);
    perf_add(PERF_STOP_TIME, ended - began);
    log_info(safepoint,
             "Safepoint \"%s\", Time since last: %" PRId64 " ns, Reaching safepoint: %" PRId64
             " ns, At safepoint: %" PRId64 " ns, Leaving safepoint: %" PRId64 " ns, Total: %" PRId64
             " ns, Threads: %" PRIu32 " runnable, %" PRIu32 " total",
             list->stop.reason, before, began - asked, leaving - began, ended - leaving, ended - asked,
             list->stop.running, list->stop.threads);
}

void safepoint_end(struct os_thread *self) {
    REQUIRES(IN_VM | MAY_STOP);
    struct thread_list *list = thread_list();
    vm_assert(atomic_load(&list->stopper) == os_thread_id(), "not the thread that stopped the world");
    if (--list->stop_depth) return;
    int64_t leaving = os_nanotime();
    const char *reason = list->stop.reason;
    event_note_name(EVENT_OPERATION, NULL, "Executing VM operation: ", reason, strlen(reason), " done");
    if (self) self->held_reason = NULL;
    lock_acquire(&list->lock);
    atomic_store(&list->stopped, false);
    atomic_store(&list->stopping, false);
    atomic_store(&list->stopper, 0);
    for (struct os_thread *t = list->carriers; t; t = t->next)
        if (t != self) thread_unrequest(t, POLL_SAFEPOINT);
    lock_release(&list->lock);
    atomic_fetch_add(&list->stop_generation, 1);
    os_futex_wake(&list->stop_generation, OS_WAKE_ALL);
    count_stop(list, leaving);
    lock_release(&list->stop_lock);
    if (self) transition_poll_stops(self);
}

bool safepoint_active(void) { return thread_list() && atomic_load(&thread_list()->stopped); }

/* ---- handshakes -------------------------------------------------------------------------------------------------- */

bool thread_pin(struct os_thread *self, struct java_thread *t, const struct object *mirror) {
    REQUIRES(IN_VM | MAY_STOP);
    threads_lock(self);
    bool listed = thread_is_listed(thread_list(), t) && (mirror == NULL || t->mirror == mirror);
    if (listed) atomic_fetch_add(&t->pins, 1);
    threads_unlock(self);
    return listed;
}

void thread_unpin(struct java_thread *t) {
    /* The record may go as soon as the count is 0: the wake uses only its address. */
    if (atomic_fetch_sub(&t->pins, 1) == (PINS_AWAITED | 1)) os_futex_wake(&t->pins, OS_WAKE_ALL);
}

/* Spins until the target, of which a handshake is wanted, has left the VM; false: it takes too long. What BLOCKED says
 * is true as it is (transition_enter); foreign code may have entered the VM in the meantime without having seen that
 * somebody wants something. */
static bool spin_until_left(struct os_thread *target) {
    atomic_thread_fence(memory_order_seq_cst);
    for (int spins = 0; spins < SPIN_HANDSHAKE; spins++) {
        uint32_t state = atomic_load_explicit(&target->state, memory_order_acquire);
        if (state == THREAD_IN_NATIVE) return false;
        if (state != THREAD_IN_VM) return true;
        spin_pause();
    }
    return false;
}

static void wait_until_left(struct os_thread *target) {
    if (spin_until_left(target)) return;
    barrier_all();
    for (;;) {
        uint32_t seen = atomic_load(&target->left);
        if (atomic_load_explicit(&target->state, memory_order_acquire) != THREAD_IN_VM) return;
        os_futex_wait(&target->left, seen, INT64_MAX);
    }
}

static void operate(void (*op)(void *arg, struct java_thread *t), void *arg, struct java_thread *t) {
    PROMISES_NO_SAFEPOINT();
    op(arg, t);
}

NOINLINE bool thread_handshake(struct os_thread *self, struct java_thread *t, struct object *mirror,
                               void (*op)(void *arg, struct java_thread *t), void *arg) {
    REQUIRES(IN_VM | MAY_STOP);
    struct thread_list *list = thread_list();
    if (self->java == t) { operate(op, arg, t); return true; }
    before_stop(self, "Handshake");
    if (!thread_pin(self, t, mirror)) return false;
    self->pinned = t;
    if (atomic_load(&list->stopper) == os_thread_id()) {
        operate(op, arg, t);
        self->pinned = NULL;
        thread_unpin(t);
        return true;
    }
    thread_block_begin(self);
    lock_acquire(&t->hold);
    /* As long as it is held, t keeps the carrier it has, or has none. */
    struct os_thread *target = t->carrier;
    if (target) {
        thread_request(target, POLL_HANDSHAKE);
        wait_until_left(target);
    }
    /* Somebody may be holding us in turn, or have suspended us. Both wait for our own op: two threads that shake each
     * other's hand would wait for each other otherwise, and what is done to us does not touch what op works with. */
    transition_enter(self, THREAD_BLOCKED, POLL_SAFEPOINT);
    if (self->segment) self->segment->exit = 0;
    bool alive = atomic_load(&t->life) != LIFE_GONE;
    if (alive) operate(op, arg, t);
    if (target) thread_unrequest(target, POLL_HANDSHAKE);
    lock_release(&t->hold);
    self->pinned = NULL;
    thread_unpin(t);
    transition_poll_stops(self);
    return alive;
}

/* ---- suspension -------------------------------------------------------------------------------------------------- */

/* Keeps a thread's flag and its poll bit in step. */
static struct lock suspend_lock = LOCK_INIT("suspension", PARK);

/* The two reasons for which a thread may be suspended: neither resumes what the other has suspended. */
enum suspend_reason { REASON_TOOL, REASON_PROFILER };
struct suspension { enum suspend_reason reason; bool already; };

static _Atomic bool *reason_flag(struct java_thread *t, enum suspend_reason reason) {
    return reason == REASON_TOOL ? &t->suspended : &t->held;
}

static void suspend_op(void *arg, struct java_thread *t) {
    struct suspension *s = arg;
    lock_acquire(&suspend_lock);
    s->already = atomic_exchange(reason_flag(t, s->reason), true);
    if (!s->already) thread_ask(t, POLL_SUSPEND);
    lock_release(&suspend_lock);
    if (!s->already) monitor_thread_suspended(t);
}

static enum suspend_result suspend(struct os_thread *self, struct java_thread *t, struct object *mirror,
                                   enum suspend_reason reason) {
    REQUIRES(IN_VM);
    struct suspension s = {reason, false};
    if (!thread_handshake(self, t, mirror, suspend_op, &s)) return SUSPEND_ENDED;
    return s.already ? SUSPEND_ALREADY : SUSPEND_DONE;
}

enum suspend_result thread_suspend_later(struct os_thread *self, struct java_thread *t, struct object *mirror) {
    return suspend(self, t, mirror, REASON_TOOL);
}
enum suspend_result thread_hold(struct os_thread *self, struct java_thread *t, struct object *mirror) {
    return suspend(self, t, mirror, REASON_PROFILER);
}

enum suspend_result thread_suspend(struct os_thread *self, struct java_thread *t, struct object *mirror) {
    REQUIRES(IN_VM);
    enum suspend_result result = thread_suspend_later(self, t, mirror);
    if (self->java == t) transition_poll_stops(self);
    return result;
}

static bool resume(struct os_thread *self, struct java_thread *t, const struct object *mirror,
                   enum suspend_reason reason) {
    REQUIRES(IN_VM);
    struct java_thread *pinned = self->java == t ? NULL : t;
    if (pinned && !thread_pin(self, pinned, mirror)) return false;
    self->pinned = pinned;
    lock_acquire(&suspend_lock);
    bool was_suspended = atomic_exchange(reason_flag(t, reason), false);
    bool runs = was_suspended && !atomic_load(reason_flag(t, reason == REASON_TOOL ? REASON_PROFILER : REASON_TOOL));
    if (runs) thread_unask(t, POLL_SUSPEND);
    lock_release(&suspend_lock);
    if (runs) monitor_thread_resumed(t);
    self->pinned = NULL;
    if (pinned) thread_unpin(pinned);
    return was_suspended;
}

bool thread_resume(struct os_thread *self, struct java_thread *t, struct object *mirror) {
    return resume(self, t, mirror, REASON_TOOL);
}
bool thread_let_go(struct os_thread *self, struct java_thread *t, struct object *mirror) {
    return resume(self, t, mirror, REASON_PROFILER);
}
