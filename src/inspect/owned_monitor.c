/* owned_monitor.c: the monitors a stopped thread owns or waits for. */
#include "inspect/owned_monitor.h"

#include "exec/frame_cursor.h"

static bool enters(const struct java_thread *t) { return atomic_load(&((struct java_thread *)t)->blocked_on) != NULL; }
static bool waits(const struct java_thread *t) { return atomic_load(&((struct java_thread *)t)->waiting_on) != NULL; }

struct object *contended_monitor(const struct java_thread *t) {
    PROMISES_NO_SAFEPOINT();
    REQUIRES_STILL(t);
    return enters(t) || (waits(t) && vm->library == LIBRARY_17) ? t->blocked_object : NULL;
}

struct object *awaited_monitor(const struct java_thread *t) {
    PROMISES_NO_SAFEPOINT();
    REQUIRES_STILL(t);
    return enters(t) || waits(t) ? t->blocked_object : NULL;
}

static bool listed(const struct owned_monitor *out, unsigned n, const struct object *o) {
    while (n-- > 0)
        if (out[n].object == o) return true;
    return false;
}

unsigned owned_monitors(const struct java_thread *t, struct owned_monitor *out, unsigned max) {
    PROMISES_NO_SAFEPOINT();
    REQUIRES_STILL(t);
    const struct object *given_up = awaited_monitor(t);
    unsigned n = 0;
    int depth = 0;
    for (struct frame_cursor c = frame_first(t);; frame_next(&c), depth++) {
        /* Within a frame in order of entry, as other VMs have it; behind the oldest: those of JNI. */
        for (uint32_t i = 0; i < t->lock_count; i++) {
            const struct lock_entry *e = &t->locks[i];
            if (!cursor_holds(&c, e) || e->object == given_up || n == max || listed(out, n, e->object)) continue;
            out[n++] = (struct owned_monitor){e->object, cursor_valid(&c) ? depth : -1};
        }
        if (!cursor_valid(&c)) return n;
    }
}
