/* The end of the VM: bringing its threads to theirs.
 *
 *     in Java, in the VM, waiting ──► leaves its wait, unwinds to its first frame, is joined
 *     in foreign code             ──► cancelled and joined where the code allows it, else left: ends when it wants to
 * come back the embedder's              ──► left: stops for good when it wants to come back, unless it detaches first
 *
 * The way back into the VM leads through transition_enter, which holds no lock, so that is where a thread finds out. */
#include "thread/thread_internal.h"

#include <errno.h>
#include <setjmp.h>

/* How long a thread that is in the VM may take to find out, before it is left. It has been woken or
 * cancelled: this is for a machine in trouble. So long is waited for threads in foreign code, too, whose last loads are
 * to be over. */
#define PATIENCE_SECONDS 10
/* Processor time in which a load outside the VM (thread_may_load) is over, with page faults and signal handlers. */
#define LONGEST_LOAD_NS 1000000

static _Atomic uint32_t never;           /* futex that nobody wakes                                             */

/* Unattached threads inside vm_guard_enter .. vm_guard_leave; futex. Outlives the VM, as they may. */
static _Atomic uint32_t guards;

bool vm_guard_enter(void) {
    atomic_fetch_add(&guards, 1);
    struct vm *v = vm;
    if (v && !atomic_load(&v->exiting)) return true;
    vm_guard_leave();
    return false;
}

void vm_guard_leave(void) {
    if (atomic_fetch_sub(&guards, 1) == 1) os_futex_wake(&guards, OS_WAKE_ALL);
}

void threads_begin_end(struct os_thread *self) {
    struct thread_list *list = thread_list();
    vm_assert(atomic_load(&list->stopper) == os_thread_id() && self->java, "the world must stand");
    (void)self;
    atomic_store(&list->ending, true);
    atomic_fetch_add(&list->stop_generation, 1);
    os_futex_wake(&list->stop_generation, OS_WAKE_ALL);
    for (uint32_t n; (n = atomic_load(&guards)) != 0;) os_futex_wait(&guards, n, INT64_MAX);
}

/* Makes t find out, wherever it waits in the thread room. */
static void notify(struct os_thread *t) {
    /* on its way in; not yet in for the first time */
    t->comes_back = atomic_load(&t->poll_waiting) != 0 || (!t->attached && !t->segment);
    thread_request(t, POLL_END);
    t->used_at_end = t->tid != 0 ? os_cpu_ns_of_tid(t->tid, false) : 0;
    os_futex_wake(&t->attention, OS_WAKE_ALL);
    atomic_fetch_add(&t->java->park.word, 1);
    os_futex_wake(&t->java->park.word, OS_WAKE_ALL);
    thread_wake(t->java);
}

/* Whoever operates on a thread, or waits for its turn, has been notified, and gives it up on its way out
 * (thread_end_now). Its records stay until then. */
static void outlast_pins(const struct thread_list *list) {
    int64_t deadline = os_nanotime() + PATIENCE_SECONDS * (int64_t)1000000000;
    for (struct os_thread *t = list->carriers; t; t = t->next)
        while (atomic_load(&t->java->pins) & ~PINS_AWAITED && os_nanotime() < deadline) {
            uint32_t pins = atomic_fetch_or(&t->java->pins, PINS_AWAITED) | PINS_AWAITED;
            if (pins != PINS_AWAITED) os_futex_wait(&t->java->pins, pins, deadline - os_nanotime());
        }
}

void thread_strip(struct os_thread *t) {
    thread_hooks.ends(t);
    if (!t->loads) handle_release_all(t);
}

/* False: it runs on. */
static bool join(struct os_thread *t) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += PATIENCE_SECONDS;
    return pthread_clockjoin_np((pthread_t)t->pthread, NULL, CLOCK_MONOTONIC, &until) == 0;
}

/* t, in foreign code, may have looked at its attention word before the end, been kept from running, and be about to
 * load. That is over when it sleeps or has ended (it does neither within a load), or has run for longer than a load
 * takes. */
static bool is_past_loads(const struct os_thread *t) {
    if (t->tid == 0 || atomic_load(&t->fate) != THREAD_LIVES) return true;
    int64_t used = os_cpu_ns_of_tid(t->tid, false);
    if (used < 0 || used - t->used_at_end >= LONGEST_LOAD_NS) return true;
    char state = os_state_of_tid(t->tid);
    return state == 'S' || state == 'Z' || state == 'X';
}

/* Waits for that. False: it was in vain. */
static bool outlast_loads(const struct os_thread *t, int64_t deadline) {
    while (!is_past_loads(t)) {
        if (os_nanotime() >= deadline) return false;
        os_futex_wait(&never, 0, LONGEST_LOAD_NS / 10);
    }
    return true;
}

static void leave(struct thread_list *list, struct os_thread *t) {
    log_info(os_thread, "Thread \"%s\" (tid: %d) cannot be ended: it is left.", t->java->name, t->tid);
    thread_strip(t);
    thread_list_remove(list, t);
    uint32_t lives = THREAD_LIVES;
    pthread_t thread = (pthread_t)t->pthread;
    bool attached = t->attached;
    if (atomic_compare_exchange_strong(&t->fate, &lives, THREAD_LEFT)) {
        if (!attached) pthread_detach(thread);
        return;
    }
    if (!attached) pthread_join(thread, NULL);
    thread_records_free(t);
}

void threads_end_others(struct os_thread *self, enum foreign_code (*foreign)(struct java_thread *t),
                        void (*left)(struct os_thread *t, void *arg), void *arg) {
    struct thread_list *list = thread_list();
    int64_t deadline = 0;
    for (struct os_thread *t = list->carriers; t; t = t->next)
        if (t != self) notify(t);
    thread_hooks.wake();
    lock_release(&list->stop_lock);              /* whoever waits for it to stop the world finds out */
    outlast_pins(list);

    for (struct os_thread *t = list->carriers, *next; t; t = next) {
        next = t->next;
        if (t == self) continue;
        bool is_foreign = atomic_load(&t->state) == THREAD_IN_NATIVE && !t->comes_back;
        enum foreign_code code = is_foreign ? foreign(t->java) : FOREIGN_RETURNS;
        if (!t->attached && code == FOREIGN_CANCELLABLE) pthread_cancel((pthread_t)t->pthread);
        if (!t->attached && code != FOREIGN_UNKNOWN && join(t)) continue;
        if (deadline == 0) deadline = os_nanotime() + PATIENCE_SECONDS * (int64_t)1000000000;
        t->loads = !outlast_loads(t, deadline);
        if (t->loads)
            log_warning(os_thread, "Thread \"%s\" (tid: %d) gets no processor: heap and handles stay mapped for it.",
                        t->java->name, t->tid);
        list->loads |= t->loads;
        left(t, arg);
        leave(list, t);
    }
    thread_list_join_ended(list);
}

/* ---- in the ending thread ---------------------------------------------------------------------------------------- */

void thread_end_now(struct os_thread *self) {
    struct java_thread *pinned = self->pinned;
    if (pinned) {
        if (lock_held_by_me(&pinned->hold)) lock_release(&pinned->hold);
        self->pinned = NULL;
        thread_unpin(pinned);
    }
    lock_assert_none();
    if (self->end_frame) longjmp(*(jmp_buf *)self->end_frame, 1);
    for (;;) os_futex_wait(&never, 0, INT64_MAX);
}

void thread_wait_for_end(struct os_thread *self) {
    thread_block_begin(self);
    for (uint32_t poll; !((poll = atomic_load(&self->attention)) & POLL_END);)
        os_futex_wait(&self->attention, poll, INT64_MAX);
    thread_end_now(self);
}

void thread_finish_end(struct os_thread *self) {
    self->segment = NULL;                /* the VM keeps the record, and may scan what it lists; the stack goes now */
    if (self->has_signal_stack) sigaltstack(&(stack_t){ .ss_flags = SS_DISABLE }, NULL);
    thread_unbind(self);
    uint32_t lives = THREAD_LIVES;
    if (!atomic_compare_exchange_strong(&self->fate, &lives, THREAD_ENDED)) thread_records_free(self);
}

void thread_forget_left(struct os_thread *self) {
    if (self->has_signal_stack) sigaltstack(&(stack_t){ .ss_flags = SS_DISABLE }, NULL);
    thread_unbind(self);
    thread_records_free(self);
}
