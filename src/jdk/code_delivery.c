/* code_delivery.c — see code_delivery.h. As the tool interfaces' own, it is hidden and goes by HotSpot's name. */
#include "jdk/code_delivery.h"

#include "base/alloc.h"
#include "base/log.h"
#include "inspect/compiled_code.h"
#include "jdk/service_thread.h"
#include "jdk/thread_life.h"
#include "jit/jit.h"
#include "thread/handle.h"
#include "thread/probe_point.h"

enum { DELIVERY_PRIORITY = 9 };

static void send_report(struct os_thread *self, const struct code_report *r) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (r->method == NULL) {
        probe_dynamic_code_generated(self, r->name, r->begin, r->length);
    } else if (code_report_hold(self, r)) {
        probe_compiled_method_load(self, r);
        handle_frame_pop(self);
    }
}

static void send_change(struct os_thread *self, const struct code_change *change) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (change->method != NULL) {
        probe_compiled_method_unload(self, change->method, code_blob_begin(change->blob));
        jit_give_back(change->blob);
    } else if (code_change_is_current(change)) {         /* else it is gone already                                 */
        struct code_report r = code_report_of(change->blob);
        send_report(self, &r);
        code_report_free(&r);
    }
}

void code_delivery_stubs(struct os_thread *self) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct code_report r;
    for (const struct code_blob *at = NULL; code_report_next(&at, &r);) send_report(self, &r);
}

void code_delivery_end(struct os_thread *self) { code_queue_close(self, send_change); }

static void deliver(struct os_thread *self, void *arg) {
    REQUIRES(IN_VM);
    (void)arg;
    code_queue_sender(self);
    for (;;) {
        code_queue_send(self, send_change);
        thread_is_interrupted(self->java, true);
        thread_park(self, false, 0);
        thread_poll(self);
        self->exception = NULL;                   /* a stop request does not end a service */
    }
}

bool code_delivery_start(struct os_thread *self) {
    REQUIRES(IN_VM | MAY_STOP);
    if (atomic_exchange(&vm->jdk->code_delivery_started, true)) return true;
    struct object *pending = self->exception;
    self->exception = NULL;
    bool started = service_thread_start(self, "Service Thread", DELIVERY_PRIORITY, true, deliver, NULL);
    self->exception = pending;
    if (!started) atomic_store(&vm->jdk->code_delivery_started, false);
    return started;
}

void code_delivery_begin(struct os_thread *self) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    bool wanted = probe_wanted_by_world(PROBE_compiled_method_load) ||
                  probe_wanted_by_world(PROBE_compiled_method_unload) ||
                  probe_wanted_by_world(PROBE_dynamic_code_generated);
    if (wanted && !code_delivery_start(self)) log_warning(jit, "no thread for events of compiled code");
}
