/* monitor.h — Java monitors: thin words, fat monitors, wait and notify, lock stacks.
 *
 *   monitor word (object.monitor)
 *   31 30 | 29 28 | 27 .............. 8 | 7 ....... 0
 *    0  0 |   0   |        0            |    0            free
 *    0  1 |   0   | owner slot (20 bit) | recursion - 1   thin: owned
 *    1  0 |   0   | fat index (28 bit) .............. |   fat
 *
 * A free word is anybody's to change, by compare-and-swap. A thin one is its owner's alone, which changes it by plain
 * stores, between two polls: whoever wants it fat holds the owner meanwhile (monitor_inflate_others). A fat one stays
 * until a collection.
 */
#ifndef VITRINE_THREAD_MONITOR_H
#define VITRINE_THREAD_MONITOR_H

#include "thread/thread.h"

enum {
    MONITOR_THIN = 1 << 30, MONITOR_RECURSION = 0xff, MONITOR_OWNER_SHIFT = 8, MONITOR_THIN_SLOTS = 1 << 20,
    MONITOR_INDEX = (1 << 28) - 1
};
#define MONITOR_FAT 0x80000000u

/* The uncontended case in line: one compare-and-swap. False: nothing happened, call monitor_enter. */
static inline bool monitor_enter_fast(struct os_thread *self, struct object *o, struct frame *frame) {
    struct java_thread *t = self->java;
    uint32_t free_word = 0;
    if (t->lock_count == t->lock_capacity || t->slot - 1 >= MONITOR_THIN_SLOTS - 1) return false;
    if (!atomic_compare_exchange_strong_explicit(&o->monitor, &free_word, MONITOR_THIN | t->slot << MONITOR_OWNER_SHIFT,
                                                 memory_order_acquire, memory_order_relaxed)) return false;
    t->locks[t->lock_count++] = (struct lock_entry){ o, frame };
    return true;
}
/* Is the thread's newest lock entry that one? */
static inline bool monitor_is_newest(const struct java_thread *t, const struct object *o, const struct frame *frame) {
    if (t->lock_count == 0) return false;
    const struct lock_entry *e = &t->locks[t->lock_count - 1];
    return e->object == o && e->frame == frame;
}
/* Leaves the monitor entered last, if it is o's, by that frame, thin and entered once, without a locked instruction.
 * False: nothing happened, call monitor_exit_of. */
static inline bool monitor_exit_fast(struct os_thread *self, struct object *o, struct frame *frame) {
    struct java_thread *t = self->java;
    if (!monitor_is_newest(t, o, frame)) return false;
    uint32_t mine = MONITOR_THIN | t->slot << MONITOR_OWNER_SHIFT;
    if (atomic_load_explicit(&o->monitor, memory_order_relaxed) != mine) return false;
    atomic_store_explicit(&o->monitor, 0, memory_order_release);
    t->lock_count--;
    return true;
}

/* Enters o's monitor for `frame` (NULL: JNI). Blocks. False with an exception pending only when memory is short.
 * Pushes a lock_entry on the lock stack. */
bool monitor_enter(struct os_thread *self, struct object *o, struct frame *frame);
/* The same of an object that no other thread knows, for a frame that others are younger than: what those hold comes
 * behind it on the lock stack. */
bool monitor_enter_older(struct os_thread *self, struct object *o, struct frame *frame);
/* Leaves it. False when self is not the owner (caller throws IllegalMonitorStateException). Removes the youngest entry
 * for o. */
bool monitor_exit(struct os_thread *self, struct object *o);
/* The same of the youngest entry for o that is the frame's. False: there is none, whoever is the owner; JVMS 2.11.10,
 * rule 2 of structured locking. */
bool monitor_exit_of(struct os_thread *self, struct object *o, struct frame *frame);
/* Leaves of compiled code, for a fat monitor that nobody waits for: enter it, exit it if it is the one entered last,
 * for the frame. 0: nothing happened. */
uint64_t monitor_try_enter(struct os_thread *self, struct object *o, struct frame *frame);
uint64_t monitor_try_exit(struct os_thread *self, struct object *o, struct frame *frame);
/* Exits all monitors that `frame` holds (method return and unwinding); returns how many there were. */
unsigned monitor_exit_frame(struct os_thread *self, struct frame *frame);

enum wait_result { WAIT_NOTIFIED, WAIT_TIMED_OUT, WAIT_INTERRUPTED, WAIT_NOT_OWNER };
/* 0,0 = for ever */
enum wait_result monitor_wait(struct os_thread *self, struct object *o, int64_t millis, int32_t nanos);
bool monitor_notify(struct os_thread *self, struct object *o, bool all);    /* false: not owner */

bool monitor_owned_by(struct object *o, struct java_thread *t);
/* Looking: never inflates. Owner or NULL; entry count; waiters. World stopped or racy. */
struct java_thread *monitor_owner(struct object *o, uint32_t *entry_count);
/* Fills up to max threads that wait to enter / wait to be notified; returns how many there are. World stopped. */
unsigned monitor_entering(struct object *o, struct java_thread **out, unsigned max);
unsigned monitor_waiting(struct object *o, struct java_thread **out, unsigned max);

/* Deflates idle fat monitors and forgets those of dead objects; called by the collector's clear_weak. */
void monitors_sweep(bool (*is_live)(struct object *o));
bool monitors_create(void);
void monitors_destroy(void);

#endif
