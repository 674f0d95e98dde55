/* object.c: the Object chapter. */
#include "jdk/thread_life.h"
#include "jvmti_gen.h"
#include "thread/monitor.h"

jvmtiError jvmti_get_object_size(struct jvmti_env *env, struct os_thread *self, struct object *object,
                                 jlong *size_ptr) {
    (void)env, (void)self;
    *size_ptr = (jlong)object_size(object);
    return JVMTI_ERROR_NONE;
}

jvmtiError jvmti_get_object_hash_code(struct jvmti_env *env, struct os_thread *self, struct object *object,
                                      jint *hash_code_ptr) {
    (void)env, (void)self;
    *hash_code_ptr = heap_identity_hash(object);
    return JVMTI_ERROR_NONE;
}

/* ---- monitor usage: platform threads only ------------------------------------------------------------------------ */

typedef unsigned (*queue_function)(struct object *o, struct java_thread **out, unsigned max);

/* 17's library: whoever waits to be notified also waits to own it again. Tools of that time read the counts so. */
static unsigned all_waiters(struct object *o, struct java_thread **out, unsigned max) {
    unsigned entering = monitor_entering(o, out, max);
    unsigned room = max > entering ? max - entering : 0;
    return entering + monitor_waiting(o, out ? out + MIN(entering, max) : NULL, room);
}

/* The platform threads of a queue as local references in tool memory. World stopped. False: out of memory. */
static bool give_queue(struct os_thread *self, struct object *o, queue_function queue, jint *count, jthread **out) {
    REQUIRES(IN_VM);
    unsigned n = queue(o, NULL, 0), k = 0;
    struct java_thread **threads = mem_alloc((n + 1) * sizeof *threads);
    jthread *list = tool_alloc(n * sizeof *list);
    bool ok = threads && (list || n == 0);
    if (ok) queue(o, threads, n);
    for (unsigned i = 0; ok && i < n; i++) {
        if (threads[i]->mirror == NULL || thread_is_virtual(threads[i])) continue;
        list[k] = handle_local(self, threads[i]->mirror);
        ok = list[k] != NULL;
        if (ok) k++;
    }
    mem_free(threads);
    *count = (jint)k;
    *out = list;
    if (ok && k > 0) return true;
    while (k > 0) handle_local_delete(self, list[--k]);
    tool_free(list);
    *out = NULL;
    self->exception = NULL;
    return ok;
}

jvmtiError jvmti_get_object_monitor_usage(struct jvmti_env *env, struct os_thread *self, struct object *object,
                                          jvmtiMonitorUsage *info_ptr) {
    (void)env;
    jvmtiMonitorUsage usage = {0};
    uint32_t entries = 0;
    queue_function waiters = vm->library == LIBRARY_17 ? all_waiters : monitor_entering;
    safepoint_begin(self, "GetObjectMonitorUsage");
    MAY_ALLOCATE("the call answers OUT_OF_MEMORY");
    struct java_thread *owner = monitor_owner(object, &entries);
    bool ok = give_queue(self, object, waiters, &usage.waiter_count, &usage.waiters);
    bool waiting = ok && give_queue(self, object, monitor_waiting, &usage.notify_waiter_count, &usage.notify_waiters);
    if (waiting && owner && owner->mirror && !thread_is_virtual(owner)) {
        usage.owner = handle_local(self, owner->mirror);
        usage.entry_count = (jint)entries;
        waiting = usage.owner != NULL;
    }
    safepoint_end(self);
    if (waiting) {
        *info_ptr = usage;
        return JVMTI_ERROR_NONE;
    }
    for (jint i = 0; i < usage.waiter_count; i++) handle_local_delete(self, usage.waiters[i]);
    for (jint i = 0; i < usage.notify_waiter_count; i++) handle_local_delete(self, usage.notify_waiters[i]);
    tool_free(usage.waiters);
    tool_free(usage.notify_waiters);
    self->exception = NULL;
    return JVMTI_ERROR_OUT_OF_MEMORY;
}
