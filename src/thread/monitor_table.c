/* Inflating and deflating monitors; lending owner slots. */
#include "thread/monitor_table.h"

bool monitors_create(void) {
    struct monitor_table *t = mem_zalloc(sizeof *t);
    if (!t) return false;
    lock_init(&t->lock, "monitor table", LOCK_RANK_MONITOR_TABLE);
    size_t bytes = MONITOR_CHUNKS * sizeof *t->chunks;
    t->chunks = os_reserve(NULL, bytes);
    if (!t->chunks || !os_commit(t->chunks, bytes)) {
        if (t->chunks) os_release(t->chunks, bytes);
        mem_free(t);
        return false;
    }
    t->used = t->slots_used = 1;
    thread_list()->monitors = t;
    return true;
}

void monitors_destroy(void) {
    struct monitor_table *t = thread_list()->monitors;
    if (!t) return;
    for (uint32_t i = 0; i < MONITOR_CHUNKS && t->chunks[i]; i++) mem_free(t->chunks[i]);
    for (uint32_t i = 0; i < SLOT_CHUNKS && t->slot_chunks[i]; i++) mem_free(t->slot_chunks[i]);
    os_release(t->chunks, MONITOR_CHUNKS * sizeof *t->chunks);
    mem_free(t->free_slots);
    mem_free(t);
    thread_list()->monitors = NULL;
}

/* ---- owner slots ------------------------------------------------------------------------------------------------- */

bool monitor_lend_slot(struct java_thread *j) {
    struct monitor_table *t = thread_list()->monitors;
    bool done = false;
    lock_acquire(&t->lock);
    uint32_t slot = t->slots_used;
    if (t->free_slot_count) {
        slot = t->free_slots[--t->free_slot_count];
        done = true;
    } else if (slot < (uint32_t)SLOT_CHUNKS * SLOT_CHUNK) {
        struct owner_slot **chunk = &t->slot_chunks[slot >> SLOT_CHUNK_SHIFT];
        if (!*chunk) *chunk = mem_calloc(SLOT_CHUNK, sizeof **chunk);
        /* Room to take every slot back, so that an ending thread cannot fail. */
        if (t->free_slot_capacity <= slot) {
            uint32_t capacity = MAX(64u, 2 * t->free_slot_capacity);
            uint32_t *more = mem_realloc(t->free_slots, capacity * sizeof *more);
            if (more) { t->free_slots = more; t->free_slot_capacity = capacity; }
        }
        done = *chunk && t->free_slot_capacity > slot;
        if (done) t->slots_used++;
    }
    if (done) {
        __atomic_store_n(&owner_slot_at(slot)->thread, j, __ATOMIC_RELEASE);
        j->slot = slot;
    }
    lock_release(&t->lock);
    return done;
}

void monitor_release_slot(struct java_thread *j) {
    struct monitor_table *t = thread_list()->monitors;
    if (!j->slot) return;
    lock_acquire(&t->lock);
    owner_slot_at(j->slot)->thread = NULL;
    t->free_slots[t->free_slot_count++] = j->slot;
    lock_release(&t->lock);
    j->slot = 0;
}

struct java_thread *monitor_slot_thread(uint32_t slot) {
    return __atomic_load_n(&owner_slot_at(slot)->thread, __ATOMIC_ACQUIRE);
}

/* ---- fat monitors ------------------------------------------------------------------------------------------------ */

static struct monitor *monitor_take(void) {
    struct monitor_table *t = thread_list()->monitors;
    struct monitor *m = NULL;
    lock_acquire(&t->lock);
    if (t->free) {
        m = monitor_at(t->free);
        t->free = m->next_free;
    } else if (t->used <= MONITOR_INDEX) {
        struct monitor **chunk = &t->chunks[t->used >> MONITOR_CHUNK_SHIFT];
        if (!*chunk) *chunk = mem_calloc(MONITOR_CHUNK, sizeof **chunk);
        if (*chunk) {
            m = &(*chunk)[t->used & (MONITOR_CHUNK - 1)];
            m->index = t->used++;
            lock_init(&m->lock, "Java monitor", LOCK_RANK_MONITOR);
        }
    }
    if (m) t->live++;
    lock_release(&t->lock);
    return m;
}

static void monitor_give(struct monitor *m) {
    struct monitor_table *t = thread_list()->monitors;
    m->object = NULL;
    atomic_store(&m->owner, 0);
    m->recursions = 0;
    lock_acquire(&t->lock);
    m->next_free = t->free;
    t->free = m->index;
    t->live--;
    lock_release(&t->lock);
}

enum inflation monitor_inflate(struct object *o, uint32_t slot, struct monitor **out) {
    struct monitor *fresh = NULL;
    uint32_t word = atomic_load(&o->monitor);
    for (;;) {
        bool fat = word & MONITOR_FAT, others = !fat && word != 0 && monitor_thin_owner(word) != slot;
        if (fat || others) {
            if (fresh) monitor_give(fresh);
            if (fat) *out = monitor_at(word & MONITOR_INDEX);
            return fat ? INFLATED : NOT_OURS;
        }
        if (!fresh && !(fresh = monitor_take())) return NO_MONITOR_LEFT;
        /* A thin owner's slot and count are right if the word is still the same when it is replaced. */
        fresh->object = o;
        fresh->to_enter = (struct patience){ .pauses = PATIENCE_FIRST };
        fresh->to_be_notified = (struct patience){ .pauses = 0 };
        fresh->passed_over = 0;
        atomic_store(&fresh->owner, word ? monitor_thin_owner(word) : 0);
        fresh->recursions = word & MONITOR_RECURSION;
        if (atomic_compare_exchange_strong(&o->monitor, &word, MONITOR_FAT | fresh->index)) break;
    }
    log_trace(monitorinflation, "inflated %p: monitor %u", (void *)o, fresh->index);
    *out = fresh;
    return INFLATED;
}

struct others_monitor { struct object *object; enum inflation result; };

/* The owner is no nearer to the monitor than a poll. */
static void inflate_op(void *arg, struct java_thread *owner) {
    REQUIRES_STILL(owner);
    struct others_monitor *a = arg;
    struct monitor *m;
    a->result = monitor_inflate(a->object, owner->slot, &m);
}

enum inflation monitor_inflate_others(struct os_thread *self, struct object *o, struct monitor **out) {
    REQUIRES(IN_VM | MAY_STOP);
    struct others_monitor a = {.object = o, .result = NOT_OURS};
    uint32_t word = atomic_load(&o->monitor);
    if (word & MONITOR_FAT) return monitor_inflate(o, self->java->slot, out);
    struct java_thread *owner = word ? monitor_slot_thread(monitor_thin_owner(word)) : NULL;
    if (owner) (void)thread_handshake(self, owner, NULL, inflate_op, &a);
    if (a.result == NO_MONITOR_LEFT) return a.result;
    /* Behind the handshake the world may have been stopped, and a monitor that its owner had left made thin again. */
    word = atomic_load(&o->monitor);
    if (!(word & MONITOR_FAT)) return NOT_OURS;
    *out = monitor_at(word & MONITOR_INDEX);
    return INFLATED;
}

void monitors_sweep(bool (*is_live)(struct object *o)) {
    struct monitor_table *t = thread_list()->monitors;
    uint32_t deflated = 0;
    for (uint32_t i = 1; i < t->used; i++) {
        struct monitor *m = monitor_at(i);
        if (!m->object) continue;
        bool live = is_live(m->object);
        if (live && (atomic_load(&m->owner) || atomic_load(&m->pins))) continue;
        if (live) atomic_store(&m->object->monitor, 0);
        monitor_give(m);
        deflated++;
    }
    if (deflated) log_debug(monitorinflation, "deflated %u monitors, %u in use", deflated, t->live);
}
