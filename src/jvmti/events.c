/* events.c: what a probe becomes: one function for each event of probes.def, which hands what the engine knows to the
 * generated trampoline. Events with more to them have theirs in the file of their theme. */
#include "exec/frame_cursor.h"
#include "jvmti_frequent.h"
#include "probe/probe.h"

/* Each event that spec/jvmti.def says is sent has its probe, and the other way round. */
#define SENT_EVENT(number) | PROBE_MASK(number)
#define SENT_OTHER(number)
#define PROBE(scope, interface, name, number, parameters, arguments) SENT_##interface(number)
_Static_assert(JVMTI_EVENTS_SENT == (UINT64_C(0)
#include "thread/probes.def"
), "spec/jvmti.def and thread/probes.def differ");
#undef PROBE

void jvmti_on_object_free(struct os_thread *self, int environment, int64_t tag) {
    REQUIRES(IN_VM);
    (void)self;
    freed_queue_add(environment, tag);
}

void jvmti_on_vm_init(struct os_thread *self) {
    REQUIRES(IN_VM | MAY_STOP);
    jvmti_post_vm_init(self);
    delivery_vm_init(self);
}

void jvmti_on_vm_death(struct os_thread *self) {
    freed_queue_close(self);
    jvmti_post_vm_death(self);
}

void jvmti_on_exception(struct os_thread *self, struct frame *f, struct object *e, struct method_code *catcher,
                        int32_t catch_bci) {
    REQUIRES(IN_VM);
    jvmti_post_exception(self, f->code, frame_location(f), e, catcher, catch_bci);
}
void jvmti_on_exception_catch(struct os_thread *self, struct frame *f, struct object *e) {
    REQUIRES(IN_VM);
    jvmti_post_exception_catch(self, f->code, frame_bci(f), e);
}
void jvmti_on_single_step(struct os_thread *self, struct frame *f) {
    jvmti_send_single_step(self, f->code, frame_bci(f));
}
void jvmti_on_method_entry(struct os_thread *self, struct frame *f) { jvmti_send_method_entry(self, f->code); }
void jvmti_on_method_exit(struct os_thread *self, struct frame *f, bool by_exception, uint64_t value) {
    REQUIRES(IN_VM | MAY_STOP);
    jvmti_send_method_exit(self, f->code, by_exception,
                           (struct jvmti_slot){by_exception ? T_VOID : frame_method(f)->return_type, value});
}

void jvmti_on_monitor_waited(struct os_thread *self, struct object *o, bool timed_out) {
    jvmti_post_monitor_waited(self, o, timed_out);
}
void jvmti_on_resource_exhausted(struct os_thread *self, int flags, const char *description) {
    REQUIRES(IN_VM);
    jvmti_post_resource_exhausted(self, flags, NULL, description);
}

/* What callbacks of this event allocate is not told of: they would call themselves without end. */
static _Thread_local bool tells_of_allocation;
void jvmti_on_vm_object_alloc(struct os_thread *self, struct object *o) {
    REQUIRES(IN_VM);
    if (tells_of_allocation) return;
    tells_of_allocation = true;
    jvmti_post_vm_object_alloc(self, o, class_of(o), (jlong)object_size(o));
    tells_of_allocation = false;
}
void jvmti_on_sampled_object_alloc(struct os_thread *self, struct object *o) {
    REQUIRES(IN_VM | MAY_STOP);
    struct event_filter *filter = probe_allocation_filter(self->java);
    if (filter != NULL && !jvmti_ask_allocation_filter(filter, o)) return;
    jvmti_send_sampled_object_alloc(self, o, class_of(o), (jlong)object_size(o));
}

void jvmti_on_vm_start(struct os_thread *self) { jvmti_post_vm_start(self); }
void jvmti_on_thread_start(struct os_thread *self) { jvmti_post_thread_start(self); }
void jvmti_on_thread_end(struct os_thread *self) { jvmti_post_thread_end(self); }
void jvmti_on_virtual_thread_start(struct os_thread *self) { jvmti_post_virtual_thread_start(self); }
void jvmti_on_virtual_thread_end(struct os_thread *self) { jvmti_post_virtual_thread_end(self); }
void jvmti_on_class_load(struct os_thread *self, struct class *c) { jvmti_post_class_load(self, c); }
void jvmti_on_class_prepare(struct os_thread *self, struct class *c) { jvmti_post_class_prepare(self, c); }
void jvmti_on_data_dump_request(struct os_thread *self) { jvmti_post_data_dump_request(self); }
void jvmti_on_gc_start(struct os_thread *self) { jvmti_post_garbage_collection_start(self); }
void jvmti_on_gc_finish(struct os_thread *self) { jvmti_post_garbage_collection_finish(self); }

void jvmti_on_monitor_wait(struct os_thread *self, struct object *o, int64_t millis) {
    jvmti_post_monitor_wait(self, o, millis);
}
void jvmti_on_monitor_contended_enter(struct os_thread *self, struct object *o) {
    jvmti_post_monitor_contended_enter(self, o);
}
void jvmti_on_monitor_contended_entered(struct os_thread *self, struct object *o) {
    jvmti_post_monitor_contended_entered(self, o);
}
