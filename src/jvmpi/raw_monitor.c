/* raw_monitor.c: raw monitors and their contention events. */
#include "thread/raw_monitor.h"

#include <string.h>

#include "jvmpi/jvmpi_internal.h"

static struct raw_monitor *monitor_of(JVMPI_RawMonitor id) { return raw_monitor_of_id(RAW_MONITOR_JVMPI, id); }

static struct os_thread *attached(void) {
    struct os_thread *self = current_thread();
    return self && !thread_is_left(self) ? self : NULL;
}

/* ---- contention -------------------------------------------------------------------------------------------------- */

static bool is_wanted(struct os_thread *self, const struct raw_monitor *m, jint event) {
    return self && vm && vm->jvmpi && self->java && jvmpi_wants(self, event) && raw_monitor_name(m)[0] != '_';
}

/* Collections need not be disabled: a raw monitor is no object. */
static void send_event(struct os_thread *self, struct raw_monitor *m, jint event) {
    struct jvmpi_call call;
    if (!is_wanted(self, m, event) || !jvmpi_call_begin(&call)) return;
    JVMPI_Event e;
    memset(&e, 0, sizeof e);
    e.event_type = event;
    e.u.raw_monitor.name = (char *)raw_monitor_name(m);
    e.u.raw_monitor.id = (JVMPI_RawMonitor)m;
    jvmpi_notify(call.self, &e, false);
    jvmpi_call_end(&call);
}

/* ---- functions: without a transition, as a waiting thread must not keep a stop from happening -------------------- */

JVMPI_RawMonitor jvmpi_RawMonitorCreate(char *lock_name) {
    return (JVMPI_RawMonitor)raw_monitor_new(RAW_MONITOR_JVMPI, lock_name ? lock_name : "");
}

void jvmpi_RawMonitorEnter(JVMPI_RawMonitor lock_id) {
    struct raw_monitor *m = monitor_of(lock_id);
    struct os_thread *self = attached();
    if (m == NULL || raw_monitor_try(self, m)) return;
    send_event(self, m, JVMPI_EVENT_RAW_MONITOR_CONTENDED_ENTER);
    if (raw_monitor_enter(self, m) == RAW_MONITOR_DONE) send_event(self, m, JVMPI_EVENT_RAW_MONITOR_CONTENDED_ENTERED);
}

void jvmpi_RawMonitorExit(JVMPI_RawMonitor lock_id) {
    struct raw_monitor *m = monitor_of(lock_id);
    if (m == NULL) return;
    bool awaited = raw_monitor_exit_is_awaited(m);
    if (awaited) send_event(attached(), m, JVMPI_EVENT_RAW_MONITOR_CONTENDED_EXIT);
    if (raw_monitor_exit(m) != RAW_MONITOR_DONE)
        log_warning(jvmpi, "RawMonitorExit of %s by a thread that does not own it", raw_monitor_name(m));
}

/* Whoever does not own the monitor does not wait. */
void jvmpi_RawMonitorWait(JVMPI_RawMonitor lock_id, jlong ms) {
    struct raw_monitor *m = monitor_of(lock_id);
    if (m) (void)raw_monitor_wait(attached(), m, ms, false);
}

void jvmpi_RawMonitorNotifyAll(JVMPI_RawMonitor lock_id) {
    struct raw_monitor *m = monitor_of(lock_id);
    if (m) (void)raw_monitor_notify(m, true);
}

void jvmpi_RawMonitorDestroy(JVMPI_RawMonitor lock_id) {
    struct raw_monitor *m = monitor_of(lock_id);
    if (m && raw_monitor_free(m) != RAW_MONITOR_DONE)
        log_warning(jvmpi, "RawMonitorDestroy of %s, which another thread owns", raw_monitor_name(m));
}

static bool free_one(void *unused, struct raw_monitor *m) {
    (void)unused;
    (void)raw_monitor_free(m);
    return true;
}

void jvmpi_raw_monitors_free(void) { raw_monitors_walk(RAW_MONITOR_JVMPI, free_one, NULL); }
