/* State transitions of the calling thread: slow paths of entering and leaving the VM, blocking, polls. */
#include "thread/thread_internal.h"

struct stop_counts stop_counts;

const void *const *thread_dispatch_fast, *const *thread_dispatch_trap;

/* As deep as what allocates and throws, twice over; well within what any C function may use. */
void thread_clean_stack_slow(void) {
    volatile uint64_t below[1024];
    for (size_t i = 0; i < ARRAY_LEN(below); i++) below[i] = 0;
}

void thread_request(struct os_thread *t, uint32_t bits) {
    lock_acquire(&t->transition);
    atomic_fetch_or(&t->attention, bits);
    atomic_store_explicit(&t->dispatch, thread_dispatch_trap, memory_order_release);
    lock_release(&t->transition);
}

void thread_unrequest(struct os_thread *t, uint32_t bits) {
    lock_acquire(&t->transition);
    uint32_t left = atomic_fetch_and(&t->attention, ~bits) & ~bits;
    if (!(left & POLL_ANY)) atomic_store_explicit(&t->dispatch, thread_dispatch_fast, memory_order_release);
    uint32_t waiting = atomic_load(&t->poll_waiting);
    lock_release(&t->transition);
    /* Threads that wait for something else are notified of a stop's end, too: see set_kept. */
    if (waiting != 0 && (!(left & waiting) || bits & POLL_SAFEPOINT)) os_futex_wake(&t->attention, OS_WAKE_ALL);
}

void threads_mark(uint32_t bits, bool on) {
    REQUIRES(STOPPED);
    struct thread_list *list = thread_list();
    vm_assert(safepoint_active() && !(bits & POLL_ANY), "marking running threads");
    list->marks = on ? list->marks | bits : list->marks & ~bits;
    for (struct os_thread *t = list->carriers; t; t = t->next) {
        if (on) atomic_fetch_or(&t->attention, bits);
        else atomic_fetch_and(&t->attention, ~bits);
    }
}

void threads_set_dispatch(const void *const *fast, const void *const *trap) {
    struct os_thread *self = current_thread();
    threads_lock(self);
    thread_dispatch_fast = fast;
    thread_dispatch_trap = trap;
    for (struct os_thread *t = thread_list()->carriers; t; t = t->next) {
        lock_acquire(&t->transition);
        bool trapped = atomic_load(&t->attention) & POLL_ANY;
        atomic_store_explicit(&t->dispatch, trapped ? trap : fast, memory_order_release);
        lock_release(&t->transition);
    }
    threads_unlock(self);
}

void transition_notify(struct os_thread *self) {
    uint32_t bits = atomic_load(&self->attention);
    if (bits & POLL_SAFEPOINT) {
        atomic_fetch_add(&stop_counts.acknowledged, 1);
        os_futex_wake(&stop_counts.acknowledged, OS_WAKE_ALL);
    }
    if (bits & POLL_HANDSHAKE) {
        atomic_fetch_add(&self->left, 1);
        os_futex_wake(&self->left, OS_WAKE_ALL);
    }
}

/* Is it only a stop that keeps the thread from running? The next one waits until it runs again (safepoint.c). A thread
 * is counted before the stop sees it rest: the stop may end, and the next one begin, before the thread sleeps. */
static void set_kept(struct os_thread *self, bool kept) {
    if (self->kept == kept) return;
    self->kept = kept;
    if (kept) atomic_fetch_add(&stop_counts.kept, 1);
    else if (atomic_fetch_sub(&stop_counts.kept, 1) == 1 && atomic_load(&stop_counts.kept_awaited))
        os_futex_wake(&stop_counts.kept, OS_WAKE_ALL);
}

/* What is done to a thread whose hand is shaken is mostly done before it would sleep. */
static void spin_for_poll(struct os_thread *self, uint32_t mask) {
    for (int spins = 0; spins < SPIN_HANDSHAKE &&
                        (atomic_load_explicit(&self->attention, memory_order_relaxed) & mask) == POLL_HANDSHAKE;
         spins++)
        spin_pause();
}

static void wait_for_poll(struct os_thread *self, uint32_t mask) {
    spin_for_poll(self, mask);
    for (;;) {
        uint32_t seen = atomic_load(&self->attention);
        if (!(seen & mask) || seen & POLL_END) return;
        set_kept(self, (seen & mask) == POLL_SAFEPOINT);
        atomic_store(&self->poll_waiting, mask);
        os_futex_wait(&self->attention, seen, INT64_MAX);
        atomic_store(&self->poll_waiting, 0);
    }
}

void thread_wait_while_suspended(struct os_thread *self) { wait_for_poll(self, POLL_SUSPEND); }

/* IN_VM has been stored already or is stored by the loop: whoever wants us stopped either sees it or we see the bit.
 * From BLOCKED that holds without a barrier of the other side, since this is the only way out of it. */
void transition_enter(struct os_thread *self, uint32_t resting, uint32_t mask) {
    for (;;) {
        atomic_store_explicit(&self->state, THREAD_IN_VM, memory_order_relaxed);
        atomic_thread_fence(memory_order_seq_cst);
        uint32_t poll = atomic_load(&self->attention);
        if (!(poll & mask)) {
            set_kept(self, false);
            return;
        }
        set_kept(self, (poll & (mask | POLL_END)) == POLL_SAFEPOINT);
        atomic_store_explicit(&self->state, resting, memory_order_release);
        transition_fence(self);
        if (UNLIKELY(poll & POLL_END)) thread_end_now(self);
        transition_notify(self);
        wait_for_poll(self, mask);
    }
}

void thread_enter_vm_slow(struct os_thread *self) { transition_enter(self, THREAD_IN_NATIVE, POLL_STOPS); }

void thread_left_vm_slow(struct os_thread *self) {
    transition_fence(self);
    transition_notify(self);
}

void thread_block_begin_at(struct os_thread *self, uintptr_t sp) {
    STOPS_HERE();
    vm_assert(atomic_load(&self->state) == THREAD_IN_VM, "thread blocks outside the VM");
    if (self->segment) self->segment->exit = sp;
    atomic_store_explicit(&self->state, THREAD_BLOCKED, memory_order_release);
    transition_fence(self);
    if (atomic_load_explicit(&self->attention, memory_order_relaxed) & POLL_LEAVE_MASK) transition_notify(self);
}

void thread_block_end_slow(struct os_thread *self) {
    transition_enter(self, THREAD_BLOCKED, POLL_STOPS);
    if (self->segment) self->segment->exit = 0;
}

NOINLINE void transition_poll_stops(struct os_thread *self) {
    STOPS_HERE();
    uint32_t poll = atomic_load(&self->attention);
    if (!(poll & POLL_STOPS)) return;
    set_kept(self, (poll & (POLL_STOPS | POLL_END)) == POLL_SAFEPOINT);
    thread_block_begin(self);
    thread_block_end(self);
}

NOINLINE void thread_poll_slow(struct os_thread *self) {
    transition_poll_stops(self);
    struct java_thread *t = self->java;
    if ((atomic_load(&self->attention) & POLL_ASYNC_EXCEPTION) && t && !self->exception) {
        thread_unrequest(self, POLL_ASYNC_EXCEPTION);
        self->exception = t->pending_async;
        t->pending_async = NULL;
        if (atomic_exchange(&self->memory_fault, false) && !self->exception) thread_hooks.memory_fault(self);
    }
}
