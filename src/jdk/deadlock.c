/* deadlock.c — cycles of threads that wait for each other: thread dumps, ThreadMXBean.findDeadlockedThreads. */
#include "jdk/deadlock.h"

#include "base/table.h"
#include "heap/heap.h"
#include "link/link.h"
#include "thread/monitor.h"

static struct java_thread *listed_thread(struct object *mirror) {
    for (struct java_thread *t = threads_first(); t != NULL; t = t->next)
        if (t->mirror == mirror) return t;
    return NULL;
}

struct thread_wait thread_wait_of(struct java_thread *t, bool concurrent) {
    struct thread_wait w = {0};
    uint32_t entries;
    if (atomic_load(&t->blocked_on) != NULL && t->blocked_object != NULL) {
        w.object = t->blocked_object;
        w.is_monitor = true;
        w.owner = monitor_owner(w.object, &entries);
        return w;
    }
    struct object *blocker = concurrent && t->mirror ? heap_load_ref(t->mirror, known_offset(Thread_parkBlocker))
                                                     : NULL;
    if (blocker == NULL ||
        !object_is_instance(blocker, known_class(java_util_concurrent_locks_AbstractOwnableSynchronizer)))
        return w;
    w.object = blocker;
    struct object *owner = heap_load_ref(blocker, known_offset(AbstractOwnableSynchronizer_exclusiveOwnerThread));
    w.owner = owner ? listed_thread(owner) : NULL;
    return w;
}

/* Every thread waits for at most one other: follows the chains, giving each walk a number; meeting its own number
 * closes a cycle. */
bool deadlocks_find(bool concurrent, void (*visit)(void *arg, struct java_thread *const *cycle, size_t n), void *arg) {
    REQUIRES(STOPPED);
    struct ptr_table seen = {0};
    VEC(struct java_thread *) cycle = {0};
    bool ok = true;
    uintptr_t walk = 0;
    for (struct java_thread *first = threads_first(); first != NULL && ok; first = first->next) {
        struct java_thread *t = first;
        for (walk++; t != NULL && ok && ptr_table_get(&seen, t) == NULL; t = thread_wait_of(t, concurrent).owner)
            ok = ptr_table_put(&seen, t, (void *)walk);
        if (t == NULL || !ok || ptr_table_get(&seen, t) != (void *)walk) continue;
        vec_clear(&cycle);
        struct java_thread *start = t;
        do {
            ok = vec_push(&cycle, t);
            t = thread_wait_of(t, concurrent).owner;
        } while (ok && t != start);
        if (ok && cycle.count > 1) visit(arg, cycle.data, cycle.count);
    }
    vec_free(&cycle);
    ptr_table_free(&seen);
    return ok;
}
