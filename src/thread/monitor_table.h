/* Fat monitors and the numbers of lock owners. */
#ifndef VITRINE_THREAD_MONITOR_TABLE_H
#define VITRINE_THREAD_MONITOR_TABLE_H

#include "thread/patience.h"
#include "thread/thread_internal.h"

enum monitor_queue { QUEUE_NONE, QUEUE_ENTRY, QUEUE_WAIT };

struct node_queue { struct monitor_node *first, *last; };

struct monitor {
    _Atomic uint32_t owner;              /* owner slot, 0 = free                                                */
    uint32_t recursions;                 /* entries beyond the first; the owner's                               */
    _Atomic uint32_t entry_count;        /* length of `entry`                                                   */
    _Atomic uint32_t pins;               /* threads that block here or come back from blocking                  */
    _Atomic uint32_t spinners;           /* threads that try again and again, and try once more when they give up */
    struct patience to_enter, to_be_notified;
    uint32_t passed_over;                /* exits in a row that left the queue to the spinners; the owner's      */
    struct object *object;               /* NULL: not in use                                                    */
    struct lock lock;                    /* MONITOR: both queues                                                */
    struct node_queue entry, wait;
    uint32_t index;
    uint32_t next_free;                  /* index                                                               */
};

enum {
    MONITOR_CHUNK_SHIFT = 9, MONITOR_CHUNK = 1 << MONITOR_CHUNK_SHIFT, MONITOR_CHUNKS = 1 << (28 - MONITOR_CHUNK_SHIFT),
    SLOT_CHUNK_SHIFT = 10, SLOT_CHUNK = 1 << SLOT_CHUNK_SHIFT, SLOT_CHUNKS = 1 << 12
};

/* What a lock owner's number stands for. */
struct owner_slot {
    struct java_thread *thread;          /* NULL: not lent                                                      */
    _Atomic bool rests;                  /* it sleeps in the VM: nobody spins for what it owns                   */
};

struct monitor_table {
    struct lock lock;                    /* MONITOR_TABLE                                                       */
    struct monitor **chunks;             /* MONITOR_CHUNKS, reserved address space                              */
    uint32_t used;                       /* indices ever given: 1 .. used-1                                     */
    uint32_t free;                       /* index, 0 = none                                                     */
    uint32_t live;
    struct owner_slot *slot_chunks[SLOT_CHUNKS];
    uint32_t slots_used;                 /* slots ever lent: 1 .. slots_used-1                                  */
    uint32_t *free_slots;
    uint32_t free_slot_count, free_slot_capacity;
    _Atomic uint32_t processors;         /* 0: not asked for yet                                                 */
};

static inline struct monitor *monitor_at(uint32_t index) {
    return &thread_list()->monitors->chunks[index >> MONITOR_CHUNK_SHIFT][index & (MONITOR_CHUNK - 1)];
}

static inline struct owner_slot *owner_slot_at(uint32_t slot) {
    return &thread_list()->monitors->slot_chunks[slot >> SLOT_CHUNK_SHIFT][slot & (SLOT_CHUNK - 1)];
}
/* t, the calling thread, is going to sleep, or has slept. */
static inline void thread_rests(struct java_thread *t, bool rests) {
    if (t->slot) atomic_store_explicit(&owner_slot_at(t->slot)->rests, rests, memory_order_relaxed);
}

static inline uint32_t monitor_thin_owner(uint32_t word) {
    return (word & ~(uint32_t)MONITOR_THIN) >> MONITOR_OWNER_SHIFT;
}

enum inflation { INFLATED, NOT_OURS, NO_MONITOR_LEFT };
/* Makes o's monitor fat, keeping its owner, if nobody has it or the thread with this slot, which is the caller or is
 * held by it: *out, which is the monitor it already has if it is fat. NOT_OURS: another thread has it, thin.
 * NO_MONITOR_LEFT: out of memory. Does not stop. */
enum inflation monitor_inflate(struct object *o, uint32_t slot, struct monitor **out);
/* The same where another thread may have it, which is held for this. NOT_OURS: it has let it go, try again. */
enum inflation monitor_inflate_others(struct os_thread *self, struct object *o, struct monitor **out);
/* Gives t an owner slot. False: out of memory. */
bool monitor_lend_slot(struct java_thread *t);
/* The thread of a slot, NULL when it has ended. */
struct java_thread *monitor_slot_thread(uint32_t slot);

#endif
