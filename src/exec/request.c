/* request.c — honouring what a tool wants of the youngest frame: popping it, or returning from it early. */
#include "base/base.h"
#include "classfile/descriptor.h"
#include "exec/exec_internal.h"
#include "exec/stack_map.h"

/* The arguments become the caller's operands again, with the values the method gave them. One whose slot it has used for something
 * else by now would make a lie of the caller's stack map: it becomes null. */
static void settle_arguments(struct frame *f) {
    const struct method *m = frame_method(f);
    uint32_t words = stack_map_words(f->code), slot = 0;
    uint64_t bits[words + 1];
    bool known = stack_map_of_frame(f, bits, words) >= 0;
    if (!(m->access_flags & ACC_STATIC)) {
        if (!known || !(bits[0] & 1)) f->locals[0] = 0;
        slot = 1;
    }
    struct desc_iter it = desc_begin(m->desc->bytes, m->desc->length);
    for (struct desc_type t; desc_next(&it, &t); slot += (uint32_t)desc_kind_slots(t.kind))
        if ((t.kind == 'L' || t.kind == '[') && (!known || !(bits[slot >> 6] >> (slot & 63) & 1))) f->locals[slot] = 0;
}

bool frame_request_take(struct os_thread *self, struct frame *frame, uint64_t *value) {
    struct java_thread *jt = self->java;
    bool pop = atomic_load(&self->poll) & POLL_POP_FRAME;
    uint64_t held = *value = jt->request.value;
    jt->request = (struct frame_request){.frame = NULL};
    thread_unrequest(self, POLL_POP_FRAME | POLL_EARLY_RETURN);
    self->exception = NULL;
    monitor_exit_frame(self, frame);
    thread_keep(&held);
    frame->flags &= ~(uint32_t)FRAME_HOLDS_LOCKS;
    if (!pop) return false;
    if (frame->flags & FRAME_POP_EVENT && exec_frame_popped_hook != NULL) exec_frame_popped_hook(self, frame);
    settle_arguments(frame);
    struct frame *caller = frame->caller;
    uint32_t words = stack_map_words(caller->code);
    uint64_t bits[words + 1];
    int operands = stack_map_of_frame(caller, bits, words);
    vm_assert(operands >= 0, "a popped frame was called from where no code is");
    caller->sp = frame_stack(caller) + operands;
    frame_leave(jt, caller);
    return true;
}
