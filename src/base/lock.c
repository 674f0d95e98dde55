/* Internal locks on futexes; CHECK builds verify the order of ranks per thread. */
#include "base/lock.h"

#include <errno.h>

#include "base/os.h"

static const char *const rank_names[] = {
#define RANK(name, what) #name,
#include "base/rank.def"
#undef RANK
};
_Static_assert(ARRAY_LEN(rank_names) == LOCK_RANK_COUNT, "rank.def names");

/* ---- Ranks ---------------------------------------------------------------------------------------------------- */

#ifdef VITRINE_CHECK
static _Thread_local struct lock *held;         /* newest first */

static void note_acquire(struct lock *l, bool tried) {
    /* A lock taken by try cannot deadlock, whatever its rank. */
    if (!tried && held && l->rank >= held->rank)
        fatal("lock %s (rank %s) taken while holding %s (rank %s)", l->name, rank_names[l->rank], held->name,
              rank_names[held->rank]);
    l->outer = held;
    held = l;
}

static void note_release(struct lock *l) {
    struct lock **link = &held;
    while (*link && *link != l) link = &(*link)->outer;
    if (!*link) fatal("lock %s released by a thread that does not hold it", l->name);
    *link = l->outer;
    l->outer = NULL;
}

void lock_assert_none(void) {
    if (held) fatal("lock %s is held where none may be", held->name);
}

const char *lock_held_below(enum lock_rank rank) {
    for (const struct lock *l = held; l; l = l->outer)
        if (l->rank < rank) return l->name;
    return NULL;
}

const char *lock_innermost_name(void) { return held ? held->name : NULL; }
#else
static inline void note_acquire(struct lock *l, bool tried) { (void)l, (void)tried; }
static inline void note_release(struct lock *l)             { (void)l; }
void        lock_assert_none(void)                          { }
const char *lock_held_below(enum lock_rank rank)            { (void)rank; return NULL; }
const char *lock_innermost_name(void)                       { (void)rank_names; return NULL; }
#endif

/* ---- Locks ---------------------------------------------------------------------------------------------------- */

enum { FREE, HELD, CONTENDED };

void lock_init(struct lock *l, const char *name, enum lock_rank rank) {
    atomic_init(&l->word, FREE);
    atomic_init(&l->owner, 0);
    l->name = name;
    l->rank = rank;
    l->outer = NULL;
}

static bool take_free(struct lock *l) {
    uint32_t free = FREE;
    return atomic_compare_exchange_strong_explicit(&l->word, &free, HELD, memory_order_acquire, memory_order_relaxed);
}

/* Whoever may have slept takes the lock as CONTENDED, since others may still sleep: at worst one wake too many. */
static NOINLINE void acquire_slow(struct lock *l) {
    for (int spin = 0; spin < 64; spin++) {
        if (atomic_load_explicit(&l->word, memory_order_relaxed) == FREE && take_free(l)) return;
        __builtin_ia32_pause();
    }
    while (atomic_exchange_explicit(&l->word, CONTENDED, memory_order_acquire) != FREE)
        os_futex_wait(&l->word, CONTENDED, INT64_MAX);
}

void lock_acquire(struct lock *l) {
    vm_assert(!lock_held_by_me(l), "%s is not recursive", l->name);
    if (UNLIKELY(!take_free(l))) acquire_slow(l);
    atomic_store_explicit(&l->owner, (uint32_t)os_thread_id(), memory_order_relaxed);
    note_acquire(l, false);
}

bool lock_try(struct lock *l) {
    if (!take_free(l)) return false;
    atomic_store_explicit(&l->owner, (uint32_t)os_thread_id(), memory_order_relaxed);
    note_acquire(l, true);
    return true;
}

void lock_release(struct lock *l) {
    note_release(l);
    atomic_store_explicit(&l->owner, 0, memory_order_relaxed);
    if (atomic_exchange_explicit(&l->word, FREE, memory_order_release) == CONTENDED) os_futex_wake(&l->word, 1);
}

bool lock_held_by_me(const struct lock *l) {
    return atomic_load_explicit(&l->owner, memory_order_relaxed) == (uint32_t)os_thread_id();
}

/* ---- Conditions ----------------------------------------------------------------------------------------------- */

/* The sequence is read under the lock, so a notify that comes after the predicate was tested changes it and the futex
 * refuses to sleep. */
bool cond_wait(struct cond *c, struct lock *l, int64_t timeout_ns) {
    uint32_t seen = atomic_load_explicit(&c->sequence, memory_order_relaxed);
    atomic_fetch_add_explicit(&c->waiters, 1, memory_order_relaxed);
    lock_release(l);
    int rc = os_futex_wait(&c->sequence, seen, timeout_ns);
    lock_acquire(l);
    atomic_fetch_sub_explicit(&c->waiters, 1, memory_order_relaxed);
    return rc != ETIMEDOUT;
}

static void notify(struct cond *c, int count) {
    atomic_fetch_add(&c->sequence, 1);
    if (atomic_load(&c->waiters)) os_futex_wake(&c->sequence, count);
}

void cond_notify(struct cond *c)     { notify(c, 1); }
void cond_notify_all(struct cond *c) { notify(c, OS_WAKE_ALL); }
