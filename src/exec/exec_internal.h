/* exec_internal.h — what the files of exec/ share. */
#ifndef VITRINE_EXEC_EXEC_INTERNAL_H
#define VITRINE_EXEC_EXEC_INTERNAL_H

#include "exec/engine.h"
#include "exec/exec.h"
#include "exec/hooks.h"
#include "thread/probe_point.h"
#include "exec/quick.h"
#include "heap/heap.h"
#include "link/resolve.h"
#include "thread/handle.h"
#include "thread/monitor.h"

struct exec_state {
    uint32_t boolean_array_id;    /* class id of [Z: bastore masks its values */
    struct method *object_init;    /* Object.<init> */
    struct method *finalizer_register;
    method_entry_function *entry_of_compiled;    /* NULL: nothing is ever compiled */
    int32_t call_cost;    /* of a method's budget; a backward branch costs LOOP_COST */
    uint32_t library_breakpoints;    /* how many stand in classes of the boot loader; world stopped */
    bool intrinsics_changed;         /* a method that has one got other code; world stopped         */
    bool accesses_reported;          /* unsafe_accesses_reported                                        */
    _Atomic uint32_t entry_point[3];     /* foreign_call.c: where a NativeEntryPoint has its fields             */
    uint32_t fields_watched;    /* how many are, or were when their class was unloaded; world stopped */
};

/* Runs bytecode from the youngest frame on until the entry frame that it finds, itself or an older one, is gone. begun:
 * another engine has run some of it. Never RESUME_FRAME. The caller begins a segment (thread_to_bytecode). */
enum resumption interpret(struct os_thread *self, struct frame *frame, bool begun, uint64_t *result);
/* Would the thread leave code that is entered so before the first instruction, since it is stepped? */
static ALWAYS_INLINE bool steps_over_entry(const struct os_thread *self, method_entry_function *entry) {
    return UNLIKELY(thread_is_stepped(self)) && entry == vm->exec->entry_of_compiled;
}
/* Of the quotient rounded to zero, as frem and drem of floats and doubles demand. JVMS 6.5. runtime.c */
double remainder_of(double x, double y);
/* -Xlog:exceptions: the pending exception is looked for a handler in `frame`, which has it at `handler`, or
 * none (-1). */
void log_unwinding(struct os_thread *self, const struct frame *frame, int32_t handler);

/* Throws what entering a method without code means (AbstractMethodError, IncompatibleClassChangeError,
 * UnsupportedOperationException). */
void throw_unenterable(struct os_thread *self, struct method *m, struct class *receiver_class);

/* Selection for invokeinterface with the thread's cache; throws IncompatibleClassChangeError when c does
 * not implement. */
struct method *select_interface(struct os_thread *self, struct class *c, struct method *m);

/* Bytecode index of the handler of self->exception for the instruction at bci, or -1. Safepoint: may load classes; a
 * failure replaces self->exception, and the search goes on from the handler whose type could not be resolved
 * (JVMS 2.10). */
int32_t find_handler(struct os_thread *self, struct method_code *code, int32_t bci);

/* Replaces an opcode unless another quickening changed it meanwhile; under a breakpoint, the one that its record keeps.
 * Only patch.c writes code bytes. Thread: IN_VM, no poll since pc was read. */
void patch_opcode(const struct method_code *code, const uint8_t *pc, uint8_t expected, uint8_t replacement);
/* One access to a watched field by the instruction at frame->pc: sends the event, then does it on frame->sp. */
enum access_result { ACCESS_DONE, ACCESS_THREW, ACCESS_REQUESTED };
enum access_result field_access_watched(struct os_thread *self, struct frame *frame, struct field *f, uint8_t opcode);

/* ---- events: f is the youngest frame, f->pc and f->sp are current. They may stop, and leave a request for f behind
 * (java_thread.request), which is honoured before anything else happens in f. ---- */

void report_new_throw(struct os_thread *self, struct frame *f);
/* self->exception is pending in f: called at its origin and again in every frame that it reaches, native ones too. */
static inline void report_throw(struct os_thread *self, struct frame *f) {
    if (probe_wanted(self, PROBE_exception) && self->java->reported_exception != self->exception)
        report_new_throw(self, f);
}

/* method.enter of native methods. exec/invoke.c */
struct method *entry_native(struct os_thread *self, struct method *m, uint64_t *args, uint64_t *result);
/* A version of a method has used up a budget, and gets the next one while it has any. Thread: IN_VM, in the engine, its
 * frame pushed or about to be; no safepoint. exec/hotness.c */
void exec_method_is_hot(struct os_thread *self, struct method_code *code);
static inline void count_call(struct os_thread *self, struct method_code *code) {
    if (UNLIKELY((code->budget -= vm->exec->call_cost) <= 0)) exec_method_is_hot(self, code);
}

/* Slow paths of quickening; frame->pc is the instruction. True: dispatch again. False: exception pending, or *done:
 * executed once. */
bool quicken_ldc(struct os_thread *self, struct frame *frame, uint64_t *value, bool *done);
bool quicken_field(struct os_thread *self, struct frame *frame, struct field **unquickened);
/* The opcode that an access to f, whose class is initialised, has once it is quick, and what its cell holds. */
uint8_t quick_field_opcode(uint8_t op, const struct field *f);
uint64_t quick_field_cell(const struct field *f);
struct method *quicken_invoke(struct os_thread *self, struct frame *frame, bool *quickened);
/* Does the receiver of the invokeinterface at frame->pc, resolved, implement the interface that it names? False:
 * exception pending. */
bool receiver_implements(struct os_thread *self, const struct frame *frame, struct class *receiver);
struct class *quicken_class(struct os_thread *self, struct frame *frame, uint8_t replacement);
bool quicken_new(struct os_thread *self, struct frame *frame, struct class **unquickened);
struct object *new_multi_array(struct os_thread *self, struct class *c, const uint64_t *counts, unsigned dimensions);

/* Throwing with HotSpot's texts. */
void throw_not_implemented(struct os_thread *self, struct class *receiver, struct class *interface);
void throw_array_index(struct os_thread *self, int32_t index, int32_t length);
void throw_class_cast(struct os_thread *self, struct object *o, struct class *target);
void throw_array_store(struct os_thread *self, struct object *value);

#endif
