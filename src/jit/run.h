/* run.h — the C side of compiled code: what its stubs call (jit/stubs.c). */
#ifndef VITRINE_JIT_RUN_H
#define VITRINE_JIT_RUN_H

#include "jit/exits.h"
#include "jit/stubs.h"

/* Where a thread goes on, on the C stack of the stub that asks. */
struct way_on {
    const uint8_t *address;
    uint64_t *sp;                        /* at first: the stack pointer where the stub was called or jumped to      */
    uint64_t value;                      /* for REG_RESULT                                                         */
};
struct native_way_on {
    struct way_on on;
    const struct method *callee;
};

/* All: the calling thread's youngest frame is compiled, its pc and sp are current. IN_VM, may stop. */

/* Calls m in whatever way. Nonzero: it has returned on->value; else *on. run_interpreted does not ask method.enter. */
int run_call(struct os_thread *self, struct method *m, uint64_t *args, struct way_on *on);
int run_interpreted(struct os_thread *self, struct method *m, uint64_t *args, struct way_on *on);
/* A native method has been called, with its arguments up to the frame's sp: way->callee has given way->on.value, or
 * thrown. Answers as run_call. */
int run_native_ended(struct os_thread *self, struct native_way_on *way);
/* The function of the native method whose frame is the youngest has returned way->on.value; exec/engine.h has the state
 * of the two, for C functions of JNI and for intrinsics. Answer as run_call. */
int run_function_ended(struct os_thread *self, struct native_way_on *way);
int run_intrinsic_ended(struct os_thread *self, struct native_way_on *way);
/* The method that the invocation calls, with its arguments at on->value; NULL: *on. */
struct method *run_invoke(struct os_thread *self, struct way_on *on);
/* Nonzero: compiled code goes on behind the instruction; else *on. */
int run_runtime(struct os_thread *self, runtime_function *f, struct way_on *on);
/* As run_runtime, before an instruction of the youngest frame f: the events of the breakpoint there. */
int run_breakpoint(struct os_thread *self, struct frame *f, struct way_on *on);
/* The youngest frame f is entered; it has no sp. Nonzero: compiled code goes on with it; else *on. */
int run_entered(struct os_thread *self, struct frame *f, struct way_on *on);
/* ... and its entry has been reported, with no step wanted before: what is left. */
int run_entry_reported(struct os_thread *self, struct frame *f, struct way_on *on);
/* The youngest frame f stands at its return with the value as its only operand, and has no sp. Nonzero: its caller is
 * the youngest and gets on->value, and f's record lies there still; else *on. */
int run_return(struct os_thread *self, struct frame *f, uint64_t value, struct way_on *on);
/* ... and its exit has been reported, with FRAME_EXITING set and the value on top: what is left. */
int run_exit_reported(struct os_thread *self, struct frame *f, struct way_on *on);
#ifdef VITRINE_CHECK
/* Report these alone, after a look at the frame, whose sp is current. */
void run_report_entry(struct os_thread *self, struct frame *f);
void run_report_exit(struct os_thread *self, struct frame *f, bool by_exception, uint64_t value);
#endif
/* The frame, whose record is not current, goes on in the interpreter from self->leaving, or returns. The registers lie
 * on top of the stack. Nonzero: C was to do the instruction (os_thread.allocating), and has; compiled code goes on at
 * on->address, with on->value in REG_RESULT and all other registers as they were, floating-point ones where that is
 * ALLOCATED. */
enum { ALLOCATED = 1, ALLOCATED_BESIDE_WORDS };
int run_left(struct os_thread *self, const struct exit_registers *registers, struct way_on *on);

#endif
