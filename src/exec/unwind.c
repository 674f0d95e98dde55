/* unwind.c — how frames are left other than by a plain return: by an exception, under a tool's eyes, at a tool's
 * request. Any engine comes here; what it needs to go on stands in the youngest frame's record. JVMS 2.10. */
#include "exec/unwind.h"

#include "base/base.h"
#include "base/log.h"
#include "classfile/descriptor.h"
#include "exec/count.h"
#include "exec/exec_internal.h"
#include "exec/stack_map.h"

/* ---- monitors -------------------------------------------------------------------------------------------------- */

/* Gives back the monitor that entering the synchronized method took: the frame's oldest lock entry. */
static bool exit_synchronized(struct os_thread *self, struct frame *frame) {
    struct java_thread *jt = self->java;
    for (uint32_t i = 0; i < jt->lock_count; i++)
        if (jt->locks[i].frame == frame) return monitor_exit_of(self, jt->locks[i].object, frame);
    return false;
}

/* Gives back what a returning frame holds. False: a synchronized method's monitor was not its own any more, or another
 * one was left. */
static bool release_locks(struct os_thread *self, struct frame *frame) {
    struct java_thread *jt = self->java;
    uint32_t n = jt->lock_count;
    bool synchronized = (frame_method(frame)->access_flags & ACC_SYNCHRONIZED) != 0;
    bool top = n > 0 && jt->locks[n - 1].frame == frame;
    frame->flags &= ~(uint32_t)FRAME_HOLDS_LOCKS;
    if (!synchronized && !top) return true; /* every monitorenter had its monitorexit */
    bool alone = top && (n < 2 || jt->locks[n - 2].frame != frame);
    if (synchronized && alone && monitor_exit_fast(self, jt->locks[n - 1].object, frame)) return true;
    bool ok = !synchronized || exit_synchronized(self, frame);
    return monitor_exit_frame(self, frame) == 0 && ok;
}

bool frame_gives_back_locks(struct os_thread *self, struct frame *frame) {
    REQUIRES(IN_VM | MAY_STOP);
    if (!(frame->flags & FRAME_HOLDS_LOCKS) || release_locks(self, frame)) return true;
    throw_new(self, "java/lang/IllegalMonitorStateException");
    return false;
}

/* ---- returns --------------------------------------------------------------------------------------------------- */

bool frame_return(struct os_thread *self, struct frame *frame, uint64_t *value) {
    uint64_t held = *value;              /* the object of an early return lies nowhere else */
    bool reports = thread_watches_methods(self) || frame->flags & FRAME_POP_EVENT;
    if (frame_gives_back_locks(self, frame) && reports)
        report_method_exit(self, frame, false, value);
    thread_keep(&held);
    return self->exception == NULL;
}

void frame_give(struct frame *caller, enum basic_type type, uint64_t value) {
    frame_push(caller, type, value);
    caller->pc += call_length_at(caller);
}

/* The youngest frame is done: its caller has the value. */
static enum resumption give_value(struct java_thread *jt, struct frame *frame, uint64_t value, uint64_t *result) {
    struct frame *caller = frame->caller;
    frame_leave(jt, caller);
    if (frame->flags & FRAME_ENTRY) {
        *result = value;
        return RESUME_RETURNED;
    }
    frame_give(caller, frame_method(frame)->return_type, value);
    return RESUME_FRAME;
}

/* ---- requests -------------------------------------------------------------------------------------------------- */

/* The arguments become the caller's operands again, with the values the method gave them. One whose slot it has used
 * for something else by now would make a lie of the caller's stack map: it becomes null. */
static void settle_arguments(struct frame *f) {
    const struct method *m = frame_method(f);
    uint32_t words = stack_map_words(f->code), slot = 0;
    uint64_t bits[words + 1];
    bool known = stack_map_of_frame(f, bits, words) >= 0;
    if (!(m->access_flags & ACC_STATIC)) {
        if (!known || !(bits[0] & 1)) frame_locals(f)[0] = 0;
        slot = 1;
    }
    struct desc_iter it = desc_begin(m->desc->bytes, m->desc->length);
    for (struct desc_type t; desc_next(&it, &t); slot += (uint32_t)desc_kind_slots(t.kind)) {
        bool reference = t.kind == 'L' || t.kind == '[';
        if (reference && (!known || !(bits[slot >> 6] >> (slot & 63) & 1))) frame_locals(f)[slot] = 0;
    }
}

/* The caller stands before the call again. */
static void pop(struct os_thread *self, struct frame *frame) {
    if (frame->flags & FRAME_POP_EVENT) exec_hooks.frame_forgotten(self, frame);
    settle_arguments(frame);
    struct frame *caller = frame->caller;
    uint32_t words = stack_map_words(caller->code);
    uint64_t bits[words + 1];
    int operands = stack_map_of_frame(caller, bits, words);
    vm_assert(operands >= 0, "a popped frame was called from where no code is");
    caller->sp = frame_stack(caller) + operands;
    frame_leave(self->java, caller);
}

enum resumption frame_honour_request(struct os_thread *self, uint64_t *result, uint32_t *left) {
    struct java_thread *jt = self->java;
    struct frame *frame = jt->frame;
    bool pops = atomic_load(&self->attention) & POLL_POP_FRAME;
    uint32_t words = frame_words(frame);
    uint64_t value = jt->request.value, held = value;
    jt->request = (struct frame_request){.frame = NULL};
    thread_unrequest(self, POLL_POP_FRAME | POLL_EARLY_RETURN);
    self->exception = NULL;
    monitor_exit_frame(self, frame);
    thread_keep(&held);
    frame->flags &= ~(uint32_t)FRAME_HOLDS_LOCKS;
    if (pops) {
        bool is_entry = frame->flags & FRAME_ENTRY;
        pop(self, frame);
        *left += words;
        return is_entry ? RESUME_POPPED : RESUME_FRAME;
    }
    frame->sp = frame_stack(frame);
    if (!frame_return(self, frame, &value)) return unwind(self, result, left);
    if (frame_is_requested(self, frame)) return frame_honour_request(self, result, left);
    *left += words;
    return give_value(jt, frame, value, result);
}

/* ---- exceptions ------------------------------------------------------------------------------------------------ */

/* Looks for a handler in a frame; it then stands there, with the exception as its only operand. False as well: a
 * request for the frame came. */
static ALWAYS_INLINE bool catch_in(struct os_thread *self, struct frame *frame) {
    int32_t handler = find_handler(self, frame->code, frame_bci(frame));
    if (frame_is_requested(self, frame)) return false;
    if (UNLIKELY(log_enabled(LOG_exceptions, LOG_INFO))) log_unwinding(self, frame, handler);
    if (handler < 0) return false;
    struct object *e = self->exception;
    uint64_t *stack = frame_stack(frame);
    stack[0] = slot_ref(e);
    self->exception = NULL;
    frame->pc = frame->code->code + handler;
    frame->sp = stack + 1;
    self->java->reported_exception = NULL;
    bool stepped = thread_is_stepped(self);
    probe_exception_catch(self, frame, e);
    steps_begin_behind(self, frame, stepped);
    return true;
}

/* The exception goes on to the caller of a frame with flags, or under WATCH_METHODS. */
static NOINLINE void abandon(struct os_thread *self, struct frame *frame) {
    uint32_t own = frame_method(frame)->access_flags & ACC_SYNCHRONIZED ? 1 : 0;
    if (frame->flags & FRAME_HOLDS_LOCKS && monitor_exit_frame(self, frame) > own) {
        self->exception = NULL;          /* unstructured locking: the monitors left replace what was thrown */
        frame->sp = frame_stack(frame);
        throw_new(self, "java/lang/IllegalMonitorStateException");
    }
    uint64_t none = 0;
    if (thread_watches_methods(self) || frame->flags & FRAME_POP_EVENT) report_method_exit(self, frame, true, &none);
}

static ALWAYS_INLINE enum resumption unwind_from(struct os_thread *self, bool catches, uint64_t *result,
                                                 uint32_t *left) {
    struct java_thread *jt = self->java;
    for (;; catches = true) {
        struct frame *frame = jt->frame;
        if (catches) {
            report_throw(self, frame);
            if (frame_is_requested(self, frame)) return frame_honour_request(self, result, left);
            bool caught = catch_in(self, frame);
            if (frame_is_requested(self, frame)) return frame_honour_request(self, result, left);
            if (caught) return RESUME_FRAME;
        }
        if (UNLIKELY(frame->flags & ~(uint32_t)FRAME_PLAIN || thread_watches_methods(self))) abandon(self, frame);
        if (frame_is_requested(self, frame)) return frame_honour_request(self, result, left);
        frame_leave(jt, frame->caller);
        *left += frame_words(frame);
        if (frame->flags & FRAME_ENTRY) return RESUME_THROWN;
    }
}

enum resumption unwind(struct os_thread *self, uint64_t *result, uint32_t *left) {
    count_throw(self, self->java->frame);
    thread_clean_stack(self, false);             /* a handler's class may have to be loaded */
    return unwind_from(self, true, result, left);
}

enum resumption unwind_entered(struct os_thread *self, uint64_t *result, uint32_t *left) {
    return unwind_from(self, false, result, left);
}
