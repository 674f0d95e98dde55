/* delivery.c: the hidden Java thread "Service Thread", which sends what a collection leaves to be sent: ObjectFree and
 * ClassUnload. */
#include "jdk/service_thread.h"
#include "jvmti_gen.h"

enum { DELIVERY_PRIORITY = 9 };

static void deliver(struct os_thread *self, void *arg) {
    REQUIRES(IN_VM);
    struct jvmti_state *s = arg;
    atomic_store(&s->delivery_thread, self->java);
    for (;;) {
        unload_queue_send(self);
        freed_queue_send(self);
        thread_is_interrupted(self->java, true);
        thread_park(self, false, 0);
        thread_poll(self);
        self->exception = NULL;                   /* a stop request does not end a service */
    }
}

void delivery_wake(void) {
    struct java_thread *t = atomic_load(&vm->jvmti->delivery_thread);
    if (t != NULL) thread_unpark(t);
}

bool delivery_start(struct os_thread *self) {
    struct jvmti_state *s = vm->jvmti;
    if (atomic_exchange(&s->delivery_started, true)) return true;
    struct object *pending = self->exception;
    self->exception = NULL;
    bool started = service_thread_start(self, "Service Thread", DELIVERY_PRIORITY, true, deliver, s);
    self->exception = pending;
    if (!started) atomic_store(&s->delivery_started, false);
    return started;
}

void delivery_vm_init(struct os_thread *self) {
    if ((unload_queue_is_wanted() || freed_queue_is_wanted()) && !delivery_start(self))
        log_warning(jvmti, "no thread for ObjectFree and ClassUnload events");
}
