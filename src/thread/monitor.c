/* Java monitors: entering, leaving, waiting, notifying; queues of fat monitors. */
#include "thread/monitor_table.h"


enum {
    SPIN_THIN = 40, SPIN_FAT = 60,       /* pauses in any case                                                   */
    PASSED_OVER_MOST = 50                /* then the queue's first is woken, though others spin                  */
};

static inline bool is_fat(uint32_t word) { return (word & MONITOR_FAT) != 0; }

/* ---- queues (monitor's lock held) -------------------------------------------------------------------------------- */

static void queue_append(struct node_queue *q, struct monitor_node *n) {
    n->next = NULL;
    n->previous = q->last;
    if (q->last) q->last->next = n; else q->first = n;
    q->last = n;
}

static void queue_remove(struct node_queue *q, struct monitor_node *n) {
    if (n->previous) n->previous->next = n->next; else q->first = n->next;
    if (n->next) n->next->previous = n->previous; else q->last = n->previous;
    n->next = n->previous = NULL;
}

static void entry_append(struct monitor *m, struct monitor_node *n) {
    n->queue = QUEUE_ENTRY;
    queue_append(&m->entry, n);
    atomic_fetch_add(&m->entry_count, 1);
}

static void entry_remove(struct monitor *m, struct monitor_node *n) {
    queue_remove(&m->entry, n);
    atomic_fetch_sub(&m->entry_count, 1);
    n->queue = QUEUE_NONE;
}

/* Calls the first thread in the entry queue that would run: changes its futex, which is to be woken. NULL: nobody, or
 * one that has been called already. */
static _Atomic uint32_t *call_next(struct monitor *m) {
    struct monitor_node *n = m->entry.first;
    while (n && n->suspended) n = n->next;
    if (!n || atomic_exchange(&n->woken, true)) return NULL;
    atomic_fetch_add(&n->thread->wake, 1);
    return &n->thread->wake;
}

static void wake_next(struct monitor *m) {
    _Atomic uint32_t *futex = call_next(m);
    if (futex) os_futex_wake(futex, 1);
}

/* The thread needs the lock at once, so it is woken without. It may have run and ended by then: the futex is an address
 * that is not read any more, and threads that sleep there meanwhile are used to waking for nothing. */
static void wake_next_locking(struct monitor *m) {
    lock_acquire(&m->lock);
    _Atomic uint32_t *futex = call_next(m);
    lock_release(&m->lock);
    if (futex) os_futex_wake(futex, 1);
}

/* ---- fat monitors ------------------------------------------------------------------------------------------------ */

static inline bool fat_try(struct monitor *m, uint32_t slot) {
    uint32_t nobody = 0;
    return atomic_compare_exchange_strong(&m->owner, &nobody, slot);
}

/* The monitor goes to whoever comes first. A thread that spins makes it unnecessary to wake one: it sees the monitor
 * free, or comes after its last look but one, when it no longer counts as a spinner. */
static void fat_release(struct monitor *m) {
    if (atomic_load_explicit(&m->entry_count, memory_order_relaxed) == 0) m->passed_over = 0;
    bool wakes = m->passed_over >= PASSED_OVER_MOST;
    m->passed_over = wakes ? 0 : m->passed_over + 1;
    atomic_store(&m->owner, 0);
    if (atomic_load(&m->entry_count) && (wakes || atomic_load(&m->spinners) == 0)) wake_next_locking(m);
}

static bool owner_rests(const struct monitor *m) {
    uint32_t slot = atomic_load_explicit(&m->owner, memory_order_relaxed);
    return slot != 0 && atomic_load_explicit(&owner_slot_at(slot)->rests, memory_order_relaxed);
}

static bool spin(struct os_thread *self, struct monitor *m, int32_t pauses) {
    for (int32_t i = 0; i < pauses; i++) {
        if (atomic_load_explicit(&m->owner, memory_order_relaxed) == 0 && fat_try(m, self->java->slot)) return true;
        if (atomic_load_explicit(&self->attention, memory_order_relaxed) & POLL_ANY || owner_rests(m)) return false;
        spin_pause();
    }
    return false;
}

/* Tries for as long as it has paid here lately. Who leaves the monitor meanwhile need not wake anybody. */
static bool fat_spin_counted(struct os_thread *self, struct monitor *m) {
    uint32_t most = thread_processors() - 1;
    int32_t pauses = most == 0 || owner_rests(m) ? 0 : patience_now(&m->to_enter);
    if (pauses == 0) return false;
    bool done = false;
    if (atomic_fetch_add(&m->spinners, 1) < most) {
        done = spin(self, m, pauses);
        patience_learn(&m->to_enter, done);
    }
    atomic_fetch_sub(&m->spinners, 1);
    return done || fat_try(m, self->java->slot);
}

/* Tries while the owner may be running. The thread runs meanwhile, and is in no queue or stays in it. Stops and
 * requests for the thread end it. */
static bool fat_spin(struct os_thread *self, struct monitor *m) {
    REQUIRES(IN_VM);
    return thread_processors() > 1 && (spin(self, m, SPIN_FAT) || fat_spin_counted(self, m));
}

/* Waits in the entry queue until the monitor is ours. The node stands there already if the thread has been notified.
 * Caller has pinned m. */
static NOINLINE void fat_enter_queued(struct os_thread *self, struct monitor *m) {
    REQUIRES(IN_VM | MAY_STOP);
    struct java_thread *t = self->java;
    struct monitor_node *n = &t->node;
    lock_acquire(&m->lock);
    bool notified = n->queue == QUEUE_ENTRY;
    if (!notified) {
        atomic_store(&n->woken, false);
        entry_append(m, n);
    }
    lock_release(&m->lock);
    while (!(notified && fat_spin_counted(self, m))) {
        notified = false;
        /* In this order: who leaves the monitor after our attempt either finds `woken` clear and changes `wake`, or
         * somebody has set it since, and changes `wake` after `seen`. The other way round, a wake-up that falls between
         * the two would be taken for seen while `woken` still promises it. */
        uint32_t seen = atomic_load(&t->wake);
        atomic_store(&n->woken, false);
        if (fat_try(m, t->slot)) break;
        thread_rests(t, true);
        thread_block_begin(self);
        os_futex_wait(&t->wake, seen, INT64_MAX);
        thread_block_end(self);
        thread_rests(t, false);
        if (fat_spin(self, m)) break;
    }
    lock_acquire(&m->lock);
    entry_remove(m, n);
    lock_release(&m->lock);
}

/* m is not owned by self. The object stays in blocked_object. */
static void fat_enter(struct os_thread *self, struct monitor *m, struct object *o) {
    REQUIRES(IN_VM | MAY_STOP);
    struct java_thread *t = self->java;
    if (fat_spin(self, m)) return;
    atomic_fetch_add(&m->pins, 1);
    t->blocked_object = o;
    atomic_store(&t->blocked_on, m);
    thread_status(t, THREAD_STATUS_BLOCKED);
    contention_begin(&t->blocked);
    if (probe_wanted(self, PROBE_monitor_contended_enter)) {
        probe_fire_monitor_contended_enter(self, o);
        /* The subscriber may have waited for other monitors. */
        t->blocked_object = o;
        atomic_store(&t->blocked_on, m);
        thread_status(t, THREAD_STATUS_BLOCKED);
    }
    fat_enter_queued(self, m);
    contention_end(&t->blocked);
    atomic_store(&t->blocked_on, NULL);
    atomic_fetch_sub(&m->pins, 1);
    thread_status(t, THREAD_STATUS_RUNNABLE);
}

/* ---- entering and leaving ---------------------------------------------------------------------------------------- */

enum attempt { ENTERED, OCCUPIED, NO_MEMORY };

/* One attempt that does not block; *fat is the monitor to wait for when it is occupied (NULL while it is thin). */
static enum attempt try_enter(struct os_thread *self, struct object *o, struct monitor **fat) {
    REQUIRES(IN_VM | MAY_STOP);
    struct java_thread *t = self->java;
    *fat = NULL;
    if (!t->slot && !monitor_lend_slot(t)) return NO_MEMORY;
    for (;;) {
        uint32_t word = atomic_load(&o->monitor);
        if (is_fat(word)) {
            struct monitor *m = monitor_at(word & MONITOR_INDEX);
            if (atomic_load_explicit(&m->owner, memory_order_relaxed) == t->slot) { m->recursions++; return ENTERED; }
            if (fat_try(m, t->slot)) return ENTERED;
            *fat = m;
            return OCCUPIED;
        }
        if (word == 0 && t->slot < MONITOR_THIN_SLOTS) {
            if (atomic_compare_exchange_strong(&o->monitor, &word, MONITOR_THIN | t->slot << MONITOR_OWNER_SHIFT))
                return ENTERED;
            continue;
        }
        if (word != 0 && monitor_thin_owner(word) != t->slot) return OCCUPIED;
        if (word != 0 && (word & MONITOR_RECURSION) != MONITOR_RECURSION) {
            atomic_store_explicit(&o->monitor, word + 1, memory_order_relaxed);
            return ENTERED;
        }
        if (monitor_inflate(o, t->slot, fat) == NO_MONITOR_LEFT) return NO_MEMORY;
    }
}

static bool no_memory(struct os_thread *self) {
    REQUIRES(IN_VM);
    thread_hooks.out_of_memory(self, "monitor");
    return false;
}

static void push_entry(struct java_thread *t, struct object *o, struct frame *frame) {
    t->locks[t->lock_count++] = (struct lock_entry){ o, frame };
}

bool monitor_enter(struct os_thread *self, struct object *o, struct frame *frame) {
    REQUIRES(IN_VM | MAY_STOP);
    struct monitor *m;
    bool contended = false;
    if (!thread_reserve_lock(self)) return false;
    for (int spins = 0;; spins++) {
        enum attempt a = try_enter(self, o, &m);
        if (a == ENTERED) break;
        if (a == NO_MEMORY) return no_memory(self);
        if (!m) {
            if (spins < SPIN_THIN) { spin_pause(); continue; }
            enum inflation i = monitor_inflate_others(self, o, &m);
            if (i == NO_MONITOR_LEFT) return no_memory(self);
            if (i == NOT_OURS) continue;
            if (fat_try(m, self->java->slot)) break;
        }
        fat_enter(self, m, o);
        contended = true;
        break;
    }
    /* Subscribers of the contended case may have used up the room. */
    bool room = thread_reserve_lock(self);
    if (room) push_entry(self->java, o, frame);
    else fat_release(monitor_at(atomic_load(&o->monitor) & MONITOR_INDEX));
    if (!contended) return room;
    self->java->blocked_object = NULL;
    /* It is the thread's own by now, also to those who ask from here. */
    if (room) probe_monitor_contended_entered(self, o);
    return room;
}

bool monitor_enter_older(struct os_thread *self, struct object *o, struct frame *frame) {
    REQUIRES(IN_VM | MAY_STOP);
    struct java_thread *t = self->java;
    vm_assert(atomic_load(&o->monitor) == 0 || monitor_owned_by(o, t), "a monitor that another thread has");
    if (!monitor_enter(self, o, frame)) return false;
    uint32_t i = t->lock_count - 1;
    struct lock_entry e = t->locks[i];
    for (; i > 0 && t->locks[i - 1].frame > frame; i--) t->locks[i] = t->locks[i - 1];
    t->locks[i] = e;
    return true;
}

/* The owner is about to leave m. */
static void report_awaited_exit(struct os_thread *self, struct monitor *m, struct object *o) {
    REQUIRES(IN_VM);
    if (UNLIKELY(atomic_load_explicit(&m->entry_count, memory_order_relaxed) != 0))
        probe_monitor_contended_exit(self, o);
}

/* Everything but the lock stack. */
static bool leave(struct os_thread *self, struct object *o, bool reports) {
    REQUIRES(IN_VM | MAY_STOP);
    struct java_thread *t = self->java;
    if (!t->slot) return false;
    uint32_t word = atomic_load(&o->monitor);
    if (is_fat(word)) {
        struct monitor *m = monitor_at(word & MONITOR_INDEX);
        if (atomic_load_explicit(&m->owner, memory_order_relaxed) != t->slot) return false;
        if (m->recursions) {
            m->recursions--;
            return true;
        }
        if (reports) report_awaited_exit(self, m, o);
        fat_release(m);
        return true;
    }
    if (word == 0 || monitor_thin_owner(word) != t->slot) return false;
    atomic_store_explicit(&o->monitor, word & MONITOR_RECURSION ? word - 1 : 0, memory_order_release);
    return true;
}

static void remove_entry(struct java_thread *t, uint32_t i) {
    memmove(&t->locks[i], &t->locks[i + 1], (t->lock_count - i - 1) * sizeof t->locks[0]);
    t->lock_count--;
}

bool monitor_exit(struct os_thread *self, struct object *o) {
    REQUIRES(IN_VM | MAY_STOP);
    struct java_thread *t = self->java;
    if (!leave(self, o, true)) return false;
    for (uint32_t i = t->lock_count; i-- > 0;)
        if (t->locks[i].object == o) { remove_entry(t, i); break; }
    return true;
}

/* The index of the youngest entry for o that is the frame's, plus 1; 0: there is none. */
static uint32_t entry_of(const struct java_thread *t, const struct object *o, const struct frame *frame) {
    uint32_t i = t->lock_count;
    while (i > 0 && (t->locks[i - 1].object != o || t->locks[i - 1].frame != frame)) i--;
    return i;
}

bool monitor_exit_of(struct os_thread *self, struct object *o, struct frame *frame) {
    REQUIRES(IN_VM | MAY_STOP);
    struct java_thread *t = self->java;
    if (entry_of(t, o, frame) == 0 || !leave(self, o, true)) return false;
    uint32_t entry = entry_of(t, o, frame);      /* who is told that it is left may enter others                    */
    if (entry != 0) remove_entry(t, entry - 1);
    return true;
}

uint64_t monitor_try_enter(struct os_thread *self, struct object *o, struct frame *frame) {
    PROMISES_NO_SAFEPOINT();
    struct java_thread *t = self->java;
    uint32_t word = atomic_load(&o->monitor);
    if (t->lock_count == t->lock_capacity || t->slot == 0 || !is_fat(word)) return false;
    struct monitor *m = monitor_at(word & MONITOR_INDEX);
    if (atomic_load_explicit(&m->owner, memory_order_relaxed) == t->slot) m->recursions++;
    else if (!fat_try(m, t->slot)) return false;
    push_entry(t, o, frame);
    return true;
}

uint64_t monitor_try_exit(struct os_thread *self, struct object *o, struct frame *frame) {
    PROMISES_NO_SAFEPOINT();
    struct java_thread *t = self->java;
    uint32_t word = atomic_load(&o->monitor);
    if (!is_fat(word) || !monitor_is_newest(t, o, frame)) return false;
    struct monitor *m = monitor_at(word & MONITOR_INDEX);
    if (atomic_load_explicit(&m->owner, memory_order_relaxed) != t->slot || atomic_load(&m->entry_count) != 0)
        return false;
    if (m->recursions != 0) m->recursions--;
    else fat_release(m);
    t->lock_count--;
    return true;
}

unsigned monitor_exit_frame(struct os_thread *self, struct frame *frame) {
    REQUIRES(IN_VM | MAY_STOP);
    struct java_thread *t = self->java;
    unsigned left = 0;
    for (uint32_t i = t->lock_count; i-- > 0;) {
        struct lock_entry e = t->locks[i];
        if (e.frame && e.frame != frame) break;
        if (e.frame != frame) continue;
        remove_entry(t, i);
        leave(self, e.object, true);
        left++;
    }
    return left;
}

void monitor_exit_all(struct os_thread *self) {
    REQUIRES(IN_VM | MAY_STOP);
    struct java_thread *t = self->java;
    while (t->lock_count) leave(self, t->locks[--t->lock_count].object, false);      /* its end has been reported */
}

/* ---- waiting and notifying --------------------------------------------------------------------------------------- */

/* The fat monitor of o if the thread owns it; else NULL, with an exception when there was no memory for one. Its C
 * variables have a frame of their own, which the wait does not keep: AddressSanitizer leaves the lower half of an
 * address there, which the collector may take for an object's. */
static NOINLINE struct monitor *owned_fat(struct os_thread *self, struct object *o) {
    REQUIRES(IN_VM | NO_PENDING);
    struct java_thread *t = self->java;
    uint32_t word = atomic_load(&o->monitor);
    if (!t->slot || word == 0) return NULL;
    if (!is_fat(word)) {
        if (monitor_thin_owner(word) != t->slot) return NULL;
        struct monitor *m = NULL;
        if (monitor_inflate(o, t->slot, &m) == NO_MONITOR_LEFT) no_memory(self);
        return m;
    }
    struct monitor *m = monitor_at(word & MONITOR_INDEX);
    return atomic_load(&m->owner) == t->slot ? m : NULL;
}

static int64_t wait_deadline(int64_t millis, int32_t nanos) {
    int64_t wait, deadline;
    if (__builtin_mul_overflow(millis, 1000000, &wait) || __builtin_add_overflow(wait, nanos, &wait)
        || __builtin_add_overflow(wait, os_nanotime(), &deadline)) return INT64_MAX;
    return deadline;
}

/* Takes the node out of the wait set unless a notification has been faster. */
static bool wait_give_up(struct monitor *m, struct monitor_node *n) {
    lock_acquire(&m->lock);
    bool waiting = n->queue == QUEUE_WAIT;
    if (waiting) {
        queue_remove(&m->wait, n);
        n->queue = QUEUE_NONE;
    }
    lock_release(&m->lock);
    return waiting;
}

static bool still_waiting(struct monitor *m, struct monitor_node *n) {
    lock_acquire(&m->lock);
    bool waiting = n->queue == QUEUE_WAIT;
    lock_release(&m->lock);
    return waiting;
}

static NOINLINE enum wait_result wait_for_notification(struct os_thread *self, struct monitor *m, int64_t deadline) {
    REQUIRES(IN_VM | MAY_STOP);
    struct java_thread *t = self->java;
    struct monitor_node *n = &t->node;
    for (bool looked = false;; looked = true) {
        uint32_t seen = atomic_load(&t->wake);
        if (!still_waiting(m, n)) return WAIT_NOTIFIED;
        if (thread_is_interrupted(t, false)) return wait_give_up(m, n) ? WAIT_INTERRUPTED : WAIT_NOTIFIED;
        /* the exception comes with the next poll */
        if (thread_is_stopping(self)) { wait_give_up(m, n); return WAIT_NOTIFIED; }
        if (n->timed && os_nanotime() >= deadline) return wait_give_up(m, n) ? WAIT_TIMED_OUT : WAIT_NOTIFIED;
        if (!looked && thread_looks(self, &m->to_be_notified, &t->wake, seen)) continue;
        thread_rests(t, true);
        thread_block_begin(self);
        if (n->timed) os_futex_wait_until(&t->wake, seen, deadline, false);
        else os_futex_wait(&t->wake, seen, INT64_MAX);
        thread_block_end(self);
        thread_rests(t, false);
    }
}

enum wait_result monitor_wait(struct os_thread *self, struct object *o, int64_t millis, int32_t nanos) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct java_thread *t = self->java;
    struct monitor_node *n = &t->node;
    struct monitor *m = owned_fat(self, o);
    if (!m) return self->exception ? WAIT_NOTIFIED : WAIT_NOT_OWNER;
    bool timed = millis != 0 || nanos != 0;
    atomic_fetch_add(&m->pins, 1);
    probe_monitor_wait(self, o, millis);
    contention_begin(&t->waited);
    enum wait_result result = WAIT_INTERRUPTED;
    if (thread_is_interrupted(t, true)) {
        contention_end(&t->waited);
        probe_monitor_waited(self, o, false);
        atomic_fetch_sub(&m->pins, 1);
        return result;
    }
    report_awaited_exit(self, m, o);
    int64_t deadline = timed ? wait_deadline(millis, nanos) : INT64_MAX;
    uint32_t recursions = m->recursions;
    t->blocked_object = o;
    lock_acquire(&m->lock);
    n->timed = timed;
    atomic_store(&n->woken, false);
    n->queue = QUEUE_WAIT;
    queue_append(&m->wait, n);
    atomic_store(&t->waiting_on, m);
    lock_release(&m->lock);
    thread_status(t, timed ? THREAD_STATUS_TIMED_WAITING : THREAD_STATUS_WAITING);
    m->recursions = 0;
    fat_release(m);

    result = wait_for_notification(self, m, deadline);
    contention_end(&t->waited);

    atomic_store(&t->blocked_on, m);
    atomic_store(&t->waiting_on, NULL);
    if (probe_wanted(self, PROBE_monitor_waited)) {
        /* The subscriber may enter other monitors, which needs the node; the turn we may have been given goes to the
         * next. */
        lock_acquire(&m->lock);
        if (n->queue == QUEUE_ENTRY) {
            entry_remove(m, n);
            if (atomic_load(&m->owner) == 0) wake_next(m);
        }
        lock_release(&m->lock);
        atomic_store(&t->blocked_on, NULL);
        probe_fire_monitor_waited(self, o, result == WAIT_TIMED_OUT);
        t->blocked_object = o;
        atomic_store(&t->blocked_on, m);
    }
    thread_status(t, THREAD_STATUS_BLOCKED);
    /* Being notified means being blocked from then on, whoever owns the monitor: the notifier has counted it. */
    if (result != WAIT_NOTIFIED && atomic_load(&m->owner) != 0) contention_begin(&t->blocked);
    fat_enter_queued(self, m);
    contention_end(&t->blocked);
    m->recursions = recursions;
    atomic_store(&t->blocked_on, NULL);
    t->blocked_object = NULL;
    atomic_fetch_sub(&m->pins, 1);
    thread_status(t, THREAD_STATUS_RUNNABLE);
    if (result == WAIT_INTERRUPTED) thread_is_interrupted(t, true);
    return result;
}

bool monitor_notify(struct os_thread *self, struct object *o, bool all) {
    REQUIRES(IN_VM);
    struct java_thread *t = self->java;
    uint32_t word = atomic_load(&o->monitor);
    if (!t->slot || word == 0) return false;
    if (!is_fat(word)) return monitor_thin_owner(word) == t->slot;      /* a thin monitor has no waiters */
    struct monitor *m = monitor_at(word & MONITOR_INDEX);
    if (atomic_load(&m->owner) != t->slot) return false;
    lock_acquire(&m->lock);
    struct monitor_node *n;
    while ((n = m->wait.first)) {
        struct java_thread *waiter = n->thread;
        queue_remove(&m->wait, n);
        atomic_store(&n->woken, false);
        entry_append(m, n);
        atomic_store(&waiter->blocked_on, m);
        atomic_store(&waiter->waiting_on, NULL);
        thread_status(waiter, THREAD_STATUS_BLOCKED);
        contention_begin(&waiter->blocked);
        atomic_fetch_add(&waiter->wake, 1);          /* it may look, though nobody wakes it yet */
        if (!all) break;
    }
    lock_release(&m->lock);
    return true;
}

/* ---- suspension -------------------------------------------------------------------------------------------------- */

/* A suspended thread in an entry queue would swallow the wake-up that others need. */
void monitor_thread_suspended(struct java_thread *t) {
    struct monitor *m = atomic_load(&t->blocked_on);
    if (!m) m = atomic_load(&t->waiting_on);
    if (!m) { t->node.suspended = true; return; }
    lock_acquire(&m->lock);
    t->node.suspended = true;
    if (t->node.queue == QUEUE_ENTRY && atomic_load(&m->owner) == 0) wake_next(m);
    lock_release(&m->lock);
}

/* Whoever has put t into the entry queue meanwhile has said so in blocked_on before it looked at `suspended`. A thread
 * that only waits need not run for this. */
void monitor_thread_resumed(struct java_thread *t) {
    t->node.suspended = false;
    atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load(&t->blocked_on)) thread_wake(t);
}

/* ---- looking ----------------------------------------------------------------------------------------------------- */

bool monitor_owned_by(struct object *o, struct java_thread *t) {
    uint32_t word = atomic_load(&o->monitor);
    if (!t->slot || word == 0) return false;
    return (is_fat(word) ? atomic_load(&monitor_at(word & MONITOR_INDEX)->owner) : monitor_thin_owner(word)) == t->slot;
}

struct java_thread *monitor_owner(struct object *o, uint32_t *entry_count) {
    uint32_t word = atomic_load(&o->monitor), slot = 0, count = 0;
    if (is_fat(word)) {
        struct monitor *m = monitor_at(word & MONITOR_INDEX);
        slot = atomic_load(&m->owner);
        count = m->recursions + 1;
    } else if (word) {
        slot = monitor_thin_owner(word);
        count = (word & MONITOR_RECURSION) + 1;
    }
    if (entry_count) *entry_count = slot ? count : 0;
    return slot ? monitor_slot_thread(slot) : NULL;
}

static unsigned list_queue(struct object *o, bool entry, struct java_thread **out, unsigned max) {
    uint32_t word = atomic_load(&o->monitor);
    if (!is_fat(word)) return 0;
    struct monitor *m = monitor_at(word & MONITOR_INDEX);
    unsigned count = 0;
    for (struct monitor_node *n = entry ? m->entry.first : m->wait.first; n; n = n->next, count++)
        if (count < max) out[count] = n->thread;
    return count;
}

unsigned monitor_entering(struct object *o, struct java_thread **out, unsigned max) {
    return list_queue(o, true, out, max);
}
unsigned monitor_waiting(struct object *o, struct java_thread **out, unsigned max) {
    return list_queue(o, false, out, max);
}
