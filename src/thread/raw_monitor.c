/* raw_monitor.c: monitors that belong to no object. */
#include "thread/raw_monitor.h"

#include "base/alloc.h"
#include "base/os.h"

#include <sched.h>
#include <string.h>

struct raw_waiter {
    struct raw_waiter *next;
    _Atomic uint32_t *word;               /* futex; every change wakes                                           */
    _Atomic bool notified;
};

struct raw_monitor {
    _Atomic uint32_t magic;               /* RAW_MONITOR_MAGIC while alive                                       */
    _Atomic uint32_t generation;          /* counts destructions; this and magic change while the word is held    */
    /* futex: 0 free, 1 held, 2 held and somebody may wait. A tool's lock, held over its code in the tool's order: it
     * has no rank, and no room waits for one with a lock of its own */
    _Atomic uint32_t word;
    _Atomic int owner;                    /* kernel thread id, 0 = none                                          */
    unsigned count;                       /* entries of the owner                                                */
    struct raw_waiter *first, **last;     /* in order of arrival; guarded by the monitor                         */
    struct raw_monitor *next_free;
    char *name;
    enum raw_monitor_kind kind;
    _Atomic unsigned entering;            /* threads that wait to enter                                          */
};

enum { RAW_MONITOR_MAGIC = 0x3A3A0717, CHUNK_MONITORS = 128 };

/* ---- slab: never unmapped, so that a stale id can be recognised -------------------------------------------------- */

struct monitor_chunk {
    struct monitor_chunk *next;
    unsigned used;
    struct raw_monitor monitors[CHUNK_MONITORS];
};
static struct monitor_chunk *_Atomic chunks;
static struct raw_monitor *free_list;
static struct lock slab_lock = LOCK_INIT("raw monitor slab", SLAB);

struct raw_monitor *raw_monitor_of_id(enum raw_monitor_kind kind, const void *id) {
    uintptr_t p = (uintptr_t)id;
    for (struct monitor_chunk *c = atomic_load(&chunks); c; c = c->next) {
        uintptr_t low = (uintptr_t)c->monitors;
        if (p < low || p >= low + sizeof c->monitors) continue;
        struct raw_monitor *m = (struct raw_monitor *)id;
        return (p - low) % sizeof *m == 0 && atomic_load(&m->magic) == RAW_MONITOR_MAGIC && m->kind == kind ? m : NULL;
    }
    return NULL;
}

static struct raw_monitor *slab_take(void) {
    lock_acquire(&slab_lock);
    struct raw_monitor *m = free_list;
    if (m) {
        free_list = m->next_free;
    } else {
        struct monitor_chunk *c = atomic_load(&chunks);
        if (c == NULL || c->used == CHUNK_MONITORS) {
            struct monitor_chunk *fresh = mem_zalloc(sizeof *fresh);
            if (fresh) {
                fresh->next = c;
                atomic_store(&chunks, fresh);
            }
            c = fresh;
        }
        if (c) m = &c->monitors[c->used++];
    }
    lock_release(&slab_lock);
    return m;
}

/* ---- entering and leaving ---------------------------------------------------------------------------------------- */

static bool owned(const struct raw_monitor *m) {
    return atomic_load_explicit(&m->owner, memory_order_relaxed) == os_thread_id();
}

static void release(struct raw_monitor *m) {
    m->count = 0;
    atomic_store_explicit(&m->owner, 0, memory_order_relaxed);
    if (atomic_exchange(&m->word, 0) == 2) os_futex_wake(&m->word, 1);
}

/* The word is ours. False: the monitor of that generation has been destroyed, and the word is given back. */
static bool become_owner(struct raw_monitor *m, unsigned count, uint32_t generation) {
    if (atomic_load(&m->magic) != RAW_MONITOR_MAGIC || atomic_load(&m->generation) != generation) {
        release(m);
        return false;
    }
    atomic_store_explicit(&m->owner, os_thread_id(), memory_order_relaxed);
    m->count = count;
    return true;
}

static bool take_word(struct raw_monitor *m) {
    uint32_t free_word = 0;
    return atomic_compare_exchange_strong(&m->word, &free_word, 1);
}

static bool acquire_once(struct os_thread *self, struct raw_monitor *m, unsigned count, uint32_t generation) {
    if (take_word(m)) return become_owner(m, count, generation);
    struct java_thread *t = self ? self->java : NULL;
    atomic_fetch_add(&m->entering, 1);
    if (t) atomic_store(&t->raw_entering, m);
    while (atomic_exchange(&m->word, 2) != 0) os_futex_wait(&m->word, 2, INT64_MAX);
    if (t) atomic_store(&t->raw_entering, NULL);
    atomic_fetch_sub(&m->entering, 1);
    return become_owner(m, count, generation);
}

/* A suspended thread does not come out of here with the monitor: whoever suspended it may need the monitor to resume
 * it. False: the monitor of that generation has been destroyed. */
static bool acquire(struct os_thread *self, struct raw_monitor *m, unsigned count, uint32_t generation) {
    for (;;) {
        if (!acquire_once(self, m, count, generation)) return false;
        if (self == NULL || !thread_is_suspended_in_native(self)) return true;
        release(m);
        thread_wait_while_suspended(self);
    }
}

struct raw_monitor *raw_monitor_new(enum raw_monitor_kind kind, const char *name) {
    char *copy = mem_strdup(name);
    struct raw_monitor *m = copy ? slab_take() : NULL;
    if (m == NULL) {
        mem_free(copy);
        return NULL;
    }
    m->name = copy;
    m->kind = kind;
    /* The word stays as it is: a thread that has yet to find out that an earlier monitor in this place is destroyed may
     * hold it. */
    m->first = NULL;
    m->last = &m->first;
    atomic_store(&m->magic, RAW_MONITOR_MAGIC);
    return m;
}

/* The waiter may return from its wait as soon as it is marked; its word belongs to the thread or lies on its stack, and
 * it cannot leave RawMonitorWait before we release the monitor. */
static void notify_first(struct raw_monitor *m) {
    struct raw_waiter *w = m->first;
    m->first = w->next;
    if (m->first == NULL) m->last = &m->first;
    atomic_store(&w->notified, true);
    atomic_fetch_add(w->word, 1);
    os_futex_wake(w->word, OS_WAKE_ALL);
}

/* Whoever waits takes the word before it goes on, and finds out then. */
enum raw_monitor_result raw_monitor_free(struct raw_monitor *m) {
    while (!owned(m) && !take_word(m)) {
        if (atomic_load(&m->owner) != 0) return RAW_MONITOR_NOT_OWNER;
        sched_yield();                    /* on its way in or out                                                */
    }
    atomic_store(&m->magic, 0);
    atomic_fetch_add(&m->generation, 1);
    while (m->first) notify_first(m);
    mem_free(m->name);
    m->name = NULL;
    release(m);
    lock_acquire(&slab_lock);
    m->next_free = free_list;
    free_list = m;
    lock_release(&slab_lock);
    return RAW_MONITOR_DONE;
}

bool raw_monitor_try(struct os_thread *self, struct raw_monitor *m) {
    if (owned(m)) {
        m->count++;
        return true;
    }
    uint32_t generation = atomic_load(&m->generation);
    return !(self && thread_is_suspended_in_native(self)) && take_word(m) && become_owner(m, 1, generation);
}

enum raw_monitor_result raw_monitor_enter(struct os_thread *self, struct raw_monitor *m) {
    if (!owned(m)) return acquire(self, m, 1, atomic_load(&m->generation)) ? RAW_MONITOR_DONE : RAW_MONITOR_DESTROYED;
    m->count++;
    return RAW_MONITOR_DONE;
}

enum raw_monitor_result raw_monitor_exit(struct raw_monitor *m) {
    if (!owned(m)) return RAW_MONITOR_NOT_OWNER;
    if (--m->count == 0) release(m);
    return RAW_MONITOR_DONE;
}

/* ---- waiting and notifying --------------------------------------------------------------------------------------- */

static void remove_waiter(struct raw_monitor *m, struct raw_waiter *w) {
    for (struct raw_waiter **p = &m->first; *p; p = &(*p)->next) {
        if (*p != w) continue;
        *p = w->next;
        if (m->last == &w->next) m->last = p;
        return;
    }
}

/* Until notified, interrupted (a Java thread only) or out of time. */
static bool wait_for_notify(struct raw_waiter *w, struct java_thread *t, int64_t deadline) {
    for (;;) {
        uint32_t seen = atomic_load(w->word);
        if (atomic_load(&w->notified)) return false;
        /* The Thread object is asked only then: this may be a thread that the VM has left at its end. */
        if (t && atomic_load(&t->interrupted) && thread_is_interrupted(t, false)) return true;
        if (os_nanotime() >= deadline) return false;
        os_futex_wait_until(w->word, seen, deadline, false);
    }
}

enum raw_monitor_result raw_monitor_wait(struct os_thread *self, struct raw_monitor *m, int64_t millis,
                                         bool interruptible) {
    if (!owned(m)) return RAW_MONITOR_NOT_OWNER;
    struct java_thread *java = self ? self->java : NULL, *t = interruptible ? java : NULL;
    if (t && thread_is_interrupted(t, true)) return RAW_MONITOR_INTERRUPTED;
    int64_t now = os_nanotime(), deadline = INT64_MAX;
    if (millis > 0 && millis < (INT64_MAX - now) / 1000000) deadline = now + millis * 1000000;
    /* Java threads wait on the word that an interrupt changes too. */
    _Atomic uint32_t own_word = 0;
    struct raw_waiter w = {.word = t ? &t->wake : &own_word};
    *m->last = &w;
    m->last = &w.next;
    unsigned count = m->count;
    uint32_t generation = atomic_load(&m->generation);
    if (java) atomic_store(&java->raw_waiting, m);
    release(m);
    bool interrupted = wait_for_notify(&w, t, deadline);
    if (java) atomic_store(&java->raw_waiting, NULL);
    if (!acquire(self, m, count, generation)) return RAW_MONITOR_DESTROYED;
    if (atomic_load(&w.notified)) return RAW_MONITOR_DONE;
    remove_waiter(m, &w);
    if (!interrupted) return RAW_MONITOR_DONE;
    thread_is_interrupted(t, true);
    return RAW_MONITOR_INTERRUPTED;
}

enum raw_monitor_result raw_monitor_notify(struct raw_monitor *m, bool all) {
    if (!owned(m)) return RAW_MONITOR_NOT_OWNER;
    if (m->first) notify_first(m);
    while (all && m->first) notify_first(m);
    return RAW_MONITOR_DONE;
}

/* ---- looking ----------------------------------------------------------------------------------------------------- */

const char *raw_monitor_name(const struct raw_monitor *m) { return m->name; }

int raw_monitor_owner(const struct raw_monitor *m, unsigned *entries) {
    int owner = atomic_load(&((struct raw_monitor *)m)->owner);
    *entries = owner ? m->count : 0;
    return owner;
}

bool raw_monitor_exit_is_awaited(const struct raw_monitor *m) {
    return owned(m) && m->count == 1 && atomic_load(&((struct raw_monitor *)m)->entering) > 0;
}

void raw_monitors_walk(enum raw_monitor_kind kind, bool (*visit)(void *arg, struct raw_monitor *m), void *arg) {
    for (struct monitor_chunk *c = atomic_load(&chunks); c; c = c->next)
        for (unsigned i = 0; i < c->used; i++)
            if (c->monitors[i].magic == RAW_MONITOR_MAGIC && c->monitors[i].kind == kind &&
                !visit(arg, &c->monitors[i]))
                return;
}
