/* monitor_dump.c: MONITOR_DUMP: the Java monitors that threads own or wait for, and all raw monitors. */
#include "thread/raw_monitor.h"

#include <string.h>

#include "base/table.h"
#include "jvmpi/dump_record.h"
#include "thread/monitor.h"

struct monitor_dump {
    struct dump dump;
    struct int_table seen;               /* addresses of objects whose monitor has been dumped                  */
    VEC(struct java_thread *) queue;
};

static const void *env_of(const struct java_thread *t) { return t ? thread_jni_env(t) : NULL; }

/* ---- Java monitors ----------------------------------------------------------------------------------------------- */

typedef unsigned (*queue_function)(struct object *o, struct java_thread **out, unsigned max);

static void dump_queue(struct monitor_dump *m, struct object *o, queue_function queue) {
    unsigned n = queue(o, NULL, 0);
    if (!vec_reserve(&m->queue, n)) {
        m->dump.failed = true;
        return;
    }
    queue(o, m->queue.data, n);
    dump_u4(&m->dump, n);
    for (unsigned i = 0; i < n; i++) dump_pointer(&m->dump, env_of(m->queue.data[i]));
}

static void dump_java_monitor(struct monitor_dump *m, struct object *o) {
    if (o == NULL || int_table_get(&m->seen, (uintptr_t)o, NULL)) return;
    if (!int_table_put(&m->seen, (uintptr_t)o, 1)) m->dump.failed = true;
    uint32_t entries = 0;
    struct java_thread *owner = monitor_owner(o, &entries);
    dump_u1(&m->dump, JVMPI_MONITOR_JAVA);
    dump_pointer(&m->dump, jvmpi_id(o));
    dump_pointer(&m->dump, env_of(owner));
    dump_u4(&m->dump, entries);
    dump_queue(m, o, monitor_entering);
    dump_queue(m, o, monitor_waiting);
}

/* ---- raw monitors ------------------------------------------------------------------------------------------------ */

/* The attached threads that wait to enter m, or in it. */
static void dump_raw_queue(struct dump *d, struct raw_monitor *m, bool entering) {
    uint32_t n = 0;
    size_t at = d->used;
    dump_u4(d, 0);
    for (struct java_thread *t = threads_first(); t; t = t->next) {
        if (atomic_load(entering ? &t->raw_entering : &t->raw_waiting) != m) continue;
        dump_pointer(d, env_of(t));
        n++;
    }
    if (!d->failed) memcpy(d->data + at, &n, sizeof n);
}

static bool dump_raw_monitor(void *arg, struct raw_monitor *m) {
    struct dump *d = arg;
    unsigned entries;
    int owner = raw_monitor_owner(m, &entries);
    struct java_thread *t = owner ? threads_first() : NULL;
    while (t && thread_tid(t) != owner) t = t->next;
    dump_u1(d, JVMPI_MONITOR_RAW);
    dump_pointer(d, raw_monitor_name(m));
    dump_pointer(d, m);
    dump_pointer(d, env_of(t));
    dump_u4(d, entries);
    dump_raw_queue(d, m, true);
    dump_raw_queue(d, m, false);
    return !d->failed;
}

/* ---- the dump ---------------------------------------------------------------------------------------------------- */

/* World stopped. */
static bool dump_monitors(struct monitor_dump *m, struct jvmpi_traces *traces) {
    for (struct java_thread *t = threads_first(); t; t = t->next) {
        for (uint32_t i = 0; i < t->lock_count; i++) dump_java_monitor(m, t->locks[i].object);
        if (atomic_load(&t->blocked_on) || atomic_load(&t->waiting_on)) dump_java_monitor(m, t->blocked_object);
    }
    raw_monitors_walk(RAW_MONITOR_JVMPI, dump_raw_monitor, &m->dump);
    return !m->dump.failed && jvmpi_collect_traces(traces);
}

bool jvmpi_send_monitor_dump(struct os_thread *self) {
    REQUIRES(IN_VM);
    struct monitor_dump m;
    memset(&m, 0, sizeof m);
    struct jvmpi_traces traces = {0};
    safepoint_begin(self, "JVMPI monitor dump");
    MAY_ALLOCATE("the dump is called off");
    bool ok = dump_monitors(&m, &traces);
    safepoint_end(self);
    if (ok) {
        JVMPI_Event e;
        memset(&e, 0, sizeof e);
        e.event_type = JVMPI_EVENT_MONITOR_DUMP | JVMPI_REQUESTED_EVENT;
        e.u.monitor_dump.begin = m.dump.data;
        e.u.monitor_dump.end = m.dump.data + m.dump.used;
        e.u.monitor_dump.num_traces = traces.count;
        e.u.monitor_dump.traces = traces.traces;
        e.u.monitor_dump.threads_status = traces.statuses;
        jvmpi_notify(self, &e, true);
    }
    arena_free(traces.arena);
    vec_free(&m.queue);
    int_table_free(&m.seen);
    mem_free(m.dump.data);
    return ok;
}
