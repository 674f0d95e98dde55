/* Internal locks and conditions on futexes, with ranks that CHECK builds verify.
 *
 * Blocking here does not poll for safepoints and does not change the thread's state: a VM thread that may wait long
 * uses the wrappers of the thread room. No lock is held over Java code, native code or a callback. */
#ifndef VITRINE_BASE_LOCK_H
#define VITRINE_BASE_LOCK_H

#include "base/base.h"

enum lock_rank {
#define RANK(name, what) LOCK_RANK_##name,
#include "base/rank.def"
#undef RANK
    LOCK_RANK_COUNT
};

/* word: 0 free, 1 held, 2 held and somebody may be waiting. Not recursive. */
struct lock {
    _Atomic uint32_t word;
    _Atomic uint32_t owner;       /* kernel thread id of the holder, 0 when free        */
    const char      *name;
    enum lock_rank   rank;
    struct lock     *outer;       /* CHECK builds: next lock held by the same thread    */
};
#define LOCK_INIT(lock_name, lock_rank) { .name = (lock_name), .rank = LOCK_RANK_##lock_rank }

void lock_init(struct lock *l, const char *name, enum lock_rank rank);
void lock_acquire(struct lock *l);
bool lock_try(struct lock *l);
void lock_release(struct lock *l);
bool lock_held_by_me(const struct lock *l);

/* CHECK builds: fatal if the calling thread holds an internal lock. Otherwise nothing. */
void lock_assert_none(void);

/* CHECK builds: name of a lock that the thread holds and that stands further in than `rank`; otherwise, and if none
 * does, NULL. */
const char *lock_held_below(enum lock_rank rank);

/* After fork-like situations and in the crash report: name of the innermost lock the thread holds, or NULL (CHECK
 * only). */
const char *lock_innermost_name(void);

/* A condition used with one lock. Wake-ups may be spurious; test the predicate in a loop. */
struct cond {
    _Atomic uint32_t sequence;
    _Atomic uint32_t waiters;
};
#define COND_INIT { 0, 0 }
#define COND_FOREVER INT64_MAX

/* Releases l, waits, takes l again. timeout in nanoseconds (COND_FOREVER: none). False when the time ran out. */
bool cond_wait(struct cond *c, struct lock *l, int64_t timeout_ns);
void cond_notify(struct cond *c);
void cond_notify_all(struct cond *c);

#endif
