/* engine.h — what the interpreter's room has for another engine: frames that pass from one to the other, calls, and
 * what an engine need not do itself. exec/unwind.h has how frames are left.
 *
 * Thread: IN_VM; pc and sp of the youngest frame are current. Where it may stop, a request for that frame may be there
 * afterwards (java_thread.request). */
#ifndef VITRINE_EXEC_ENGINE_H
#define VITRINE_EXEC_ENGINE_H

#include "exec/exec.h"
#include "exec/hooks.h"
#include "thread/probe_point.h"

/* f, complete, becomes the youngest frame; `caller` becomes it again when f goes. A signal handler that runs on this
 * thread sees whole frames only: f is written before, and what lies in f's place afterwards is written later. */
static inline __attribute__((always_inline)) void frame_enter(struct java_thread *t, struct frame *f) {
    atomic_signal_fence(memory_order_seq_cst);
    *(struct frame *volatile *)&t->frame = f;
}
static inline __attribute__((always_inline)) void frame_leave(struct java_thread *t, struct frame *caller) {
    vm_assert(t->request.frame == NULL || t->request.frame != t->frame, "a frame is left with a request pending");
    *(struct frame *volatile *)&t->frame = caller;
    atomic_signal_fence(memory_order_seq_cst);
}

/* The youngest frame is that of a native method whose intrinsic has run: whatever comes then, and the frame goes.
 * *result is what it has given; where an exception is pending, nothing. May stop. invoke.c */
void native_ends(struct os_thread *self, uint64_t *result);
/* ... whose C function has returned *result, and the thread's state is IN_VM, but what wants it to stop has not been
 * looked at: comes back from foreign code, makes the result one of the method's type, and does the same. */
void native_function_ends(struct os_thread *self, uint64_t *result);

/* Entries and exits of methods are reported. */
static inline bool thread_watches_methods(const struct os_thread *self) {
    return atomic_load_explicit(&self->attention, memory_order_relaxed) & WATCH_METHODS;
}
/* Is there a request for this frame, the youngest, to be honoured now? */
static inline bool frame_is_requested(const struct os_thread *self, const struct frame *frame) {
    return UNLIKELY(atomic_load_explicit(&self->attention, memory_order_relaxed) &
                    (POLL_POP_FRAME | POLL_EARLY_RETURN)) &&
           self->java->request.frame == frame;
}

/* Steps that a tool asks for in ExceptionCatch or MethodEntry begin behind the instruction before which the event is
 * sent, as on HotSpot. */
static inline bool thread_is_stepped(const struct os_thread *self) {
    return atomic_load_explicit(&self->attention, memory_order_relaxed) & WATCH_STEPS;
}
static inline void steps_begin_behind(struct os_thread *self, const struct frame *f, bool stepped_before) {
    if (LIKELY(stepped_before || !thread_is_stepped(self))) return;
    self->java->step_frame = f;
    self->java->step_pc = f->pc;
}
/* Is the step of the instruction that f has come to one of these, or hidden? */
static inline bool step_is_left_out(struct os_thread *self, const struct frame *f) {
    struct java_thread *t = self->java;
    if (t->steps_hidden != 0) return true;
    bool left_out = t->step_pc == f->pc && t->step_frame == f;
    t->step_pc = NULL;
    return left_out;
}

/* The events of a method's entry, before its first instruction, and of its exit, where the thread watches methods or
 * FRAME_POP_EVENT is set; unless the tool's filter has done with them. The filter of an exit is not asked where a frame
 * pop is to be sent as well. The frame pop comes last, since whoever is told of the exit may ask for it. *value is the
 * result, where the method has one. Safepoint, and perhaps a pending exception. */
static ALWAYS_INLINE void report_method_entry(struct os_thread *self, struct frame *f) {
    const struct event_filter *filter = atomic_load_explicit(&self->java->method_filter, memory_order_acquire);
    if (filter != NULL && !filter->filters->method_entry(filter->storage, method_code_id(f->code))) return;
    bool stepped = thread_is_stepped(self);
    probe_method_entry(self, f);
    steps_begin_behind(self, f, stepped);
}
/* events.c: the frame pop of a frame with FRAME_POP_EVENT. */
void report_frame_pop(struct os_thread *self, struct frame *f, bool by_exception);

/* The exit has been reported. */
static ALWAYS_INLINE void end_method_exit(struct os_thread *self, struct frame *f, bool by_exception) {
    if (UNLIKELY(f->flags & FRAME_POP_EVENT)) report_frame_pop(self, f, by_exception);
    f->flags &= ~(uint32_t)FRAME_EXITING;
}

static ALWAYS_INLINE void report_method_exit(struct os_thread *self, struct frame *f, bool by_exception,
                                             uint64_t *value) {
    const struct event_filter *filter = atomic_load_explicit(&self->java->method_filter, memory_order_acquire);
    if (!by_exception) f->flags |= FRAME_EXITING;
    if (filter == NULL || f->flags & FRAME_POP_EVENT ||
        filter->filters->method_exit(filter->storage, method_code_id(f->code), by_exception))
        probe_method_exit(self, f, by_exception, *value);
    end_method_exit(self, f, by_exception);
}

/* An int narrowed to the type of the method that returns it (JVMS ireturn). */
static inline uint32_t narrowed_result(enum basic_type type, uint32_t v) {
    switch (type) {
    case T_BOOLEAN: return v & 1;
    case T_BYTE: return (uint32_t)(int8_t)v;
    case T_CHAR: return (uint16_t)v;
    case T_SHORT: return (uint32_t)(int16_t)v;
    default: return v;
    }
}

/* An entry frame for m's code, whose arguments stand at `locals`, becomes the youngest. False: exception pending. */
bool exec_push_entry(struct os_thread *self, struct method *m, uint64_t *locals);
/* interpret() from the youngest frame on, with its segment; begun: not at the begin of the method. */
enum resumption exec_interpret(struct os_thread *self, bool begun, uint64_t *result);

/* Compiled code of f, the youngest frame, asks C to do something, and may stop: looks that its slots are what the stack
 * map says (CHECK build). exec/compiled_frame.c */
#ifdef VITRINE_CHECK
void compiled_frame_stops(struct frame *f);
#else
static inline void compiled_frame_stops(struct frame *f UNUSED) {}
#endif
/* Compiled code leaves f, its frame, to the interpreter: looks that it may go on there (CHECK build), and logs it.
 * exec/compiled_frame.c */
void compiled_frame_left(struct frame *f);
/* ... and with it all frames of its activation, down to the entry frame; returns how many words of the C stack they
 * have. */
uint32_t compiled_frames_left(struct frame *f);
/* The frames from f, the youngest, down to an entry frame belong to the activation that its caller belongs to: it is
 * none any more. */
void adopt_frames(struct frame *f);

/* What a method.enter answers besides NULL and a method: the frame that it made is gone at a tool's request, and the
 * caller stands before its call again. Compared, never looked into. */
extern const struct method method_popped;

/* What comes before the first instruction of code with `uncommon` bits: monitor, stack maps. False: exception pending;
 * the frame, the youngest, cannot catch it. exec/interpreter.c */
bool exec_enter_uncommon(struct os_thread *self, struct frame *frame);
/* The method that the invocation at frame->pc runs, with its arguments up to frame->sp (an appendix is pushed);
 * resolves. NULL: exception pending. exec/select_callee.c */
struct method *select_callee(struct os_thread *self, struct frame *frame);

/* Makes the instruction quick if all that it names has been resolved already, or is of its own class, and if that can
 * be known from there: nothing is loaded, initialised or thrown. IN_VM; no safepoint. exec/quicken.c */
void quicken_known(struct method_code *code, uint32_t bci);

/* `newarray` or `anewarray` of arrays of class c: takes the length from the operands, and gives the array, which is
 * none yet. NULL: exception pending. exec/runtime.c */
struct object *runtime_new_array(struct os_thread *self, struct frame *frame, struct class *c);
/* Instructions on frame->sp, which is current as is pc; pc stays. False: exception pending. exec/runtime.c */
bool runtime_athrow(struct os_thread *self, struct frame *frame);
bool runtime_monitorenter(struct os_thread *self, struct frame *frame);
bool runtime_monitorexit(struct os_thread *self, struct frame *frame);
bool runtime_multianewarray(struct os_thread *self, struct frame *frame);
bool runtime_frem(struct os_thread *self, struct frame *frame);
bool runtime_drem(struct os_thread *self, struct frame *frame);
leaf_function leaf_frem, leaf_drem;      /* of two operands: the same without a frame                              */
/* ... an access to a field that is watched, with its event. exec/patch.c */
bool runtime_getstatic_watched(struct os_thread *self, struct frame *frame);
bool runtime_putstatic_watched(struct os_thread *self, struct frame *frame);
bool runtime_getfield_watched(struct os_thread *self, struct frame *frame);
bool runtime_putfield_watched(struct os_thread *self, struct frame *frame);
/* Of the invocation at frame->pc: bytes. */
uint32_t call_length_at(const struct frame *frame);
/* What runs at pc: the opcode there, or the one behind the breakpoint. Thread: IN_VM, no poll since pc was
 * read. */
uint8_t code_opcode(const struct method_code *code, const uint8_t *pc);

/* Per-thread cache of interface method selection, by pairs of entries, the newer first: two call sites that would have
 * the same entry do not drive each other out. */
enum { LOOKUP_CACHE_SIZE = 512 };
struct lookup_cache {
    struct lookup_entry {
        uint32_t class_id;
        struct method *interface_method;
        struct method *target;
    } entries[LOOKUP_CACHE_SIZE];
};
/* Some of a thread's; empty ones have no target. */
struct lookups { const struct lookup_entry *entries; size_t count; };

#endif
