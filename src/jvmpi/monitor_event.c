/* monitor_event.c: events of Java monitors, and of Thread.sleep, which counts as waiting on nothing. */
#include "jvmpi/jvmpi_internal.h"

#include <string.h>

static void send_monitor(struct os_thread *self, jint event, struct object *o) {
    REQUIRES(IN_VM | MAY_STOP);
    if (!jvmpi_wants(self, event)) return;
    JVMPI_Event e;
    memset(&e, 0, sizeof e);
    e.event_type = event;
    e.u.monitor.object = jvmpi_id(o);
    jvmpi_notify(self, &e, true);
}

void jvmpi_on_contended_enter(struct os_thread *self, struct object *o) {
    send_monitor(self, JVMPI_EVENT_MONITOR_CONTENDED_ENTER, o);
}
void jvmpi_on_contended_entered(struct os_thread *self, struct object *o) {
    send_monitor(self, JVMPI_EVENT_MONITOR_CONTENDED_ENTERED, o);
}
void jvmpi_on_contended_exit(struct os_thread *self, struct object *o) {
    send_monitor(self, JVMPI_EVENT_MONITOR_CONTENDED_EXIT, o);
}

static void send_wait(struct os_thread *self, jint event, struct object *o, int64_t millis) {
    REQUIRES(IN_VM);
    if (!jvmpi_wants(self, event)) return;
    JVMPI_Event e;
    memset(&e, 0, sizeof e);
    e.event_type = event;
    e.u.monitor_wait.object = jvmpi_id(o);
    e.u.monitor_wait.timeout = millis;
    jvmpi_notify(self, &e, true);
}

void jvmpi_on_wait(struct os_thread *self, struct object *o, int64_t millis) {
    REQUIRES(IN_VM);
    send_wait(self, JVMPI_EVENT_MONITOR_WAIT, o, millis);
    struct jvmpi_thread *d = jvmpi_thread_make(self->java);
    if (d) d->wait_began = os_nanotime();
}

/* 0 when the event was enabled in the middle of the wait. */
void jvmpi_on_waited(struct os_thread *self, struct object *o, bool timed_out) {
    REQUIRES(IN_VM);
    (void)timed_out;
    struct jvmpi_thread *d = jvmpi_thread(self->java);
    int64_t began = d ? d->wait_began : 0;
    if (d) d->wait_began = 0;
    send_wait(self, JVMPI_EVENT_MONITOR_WAITED, o, began ? (os_nanotime() - began) / 1000000 : 0);
}

void jvmpi_on_sleep(struct os_thread *self, int64_t millis) { jvmpi_on_wait(self, NULL, millis); }
void jvmpi_on_slept(struct os_thread *self) { jvmpi_on_waited(self, NULL, true); }
