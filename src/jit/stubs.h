/* stubs.h — code that belongs to no method, and the code by which methods go back to the interpreter. */
#ifndef VITRINE_JIT_STUBS_H
#define VITRINE_JIT_STUBS_H

#include "base/table.h"
#include "jit/asm.h"
#include "jit/cache.h"
#include "link/class.h"

/* Where the stubs begin. None is a C function: registers are as compiled code has them. */
struct stubs {
    const uint8_t *enter;                /* method.enter of what is compiled: calls its method_code.compiled         */
    const uint8_t *interpret;            /* jumped to with the caller's return address on top, a method's code in
                                          * REG_RESULT and what would be its frame's flags in REG_C1: it is
                                          * interpreted                                                            */
    const uint8_t *call_interpreted;     /* called as a method is, with it in REG_RESULT: the interpreter runs it    */
    const uint8_t *call;                 /* ... whatever it is: method.compiled_entry of what has no compiled code  */
    const uint8_t *call_native_by_c;     /* ... of native methods, the VM's own too, in whatever state they are      */
    const uint8_t *call_native, *native_ended, *call_intrinsic, *call_leaf, *leaf;
                                         /* natives.h                                                              */
    const uint8_t *invoke_basic, *link_to_static, *link_to_special, *link_to_virtual, *link_to_interface;
                                         /* method_handles.h                                                        */
    const uint8_t *invoke;               /* called in a frame that stands at an invocation, with pc and sp: selects
                                          * what it calls, and calls it                                             */
    const uint8_t *call_site, *call_interface, *call_virtual, *call_noted_interface, *call_noted_virtual,
        *call_noted_site;
                                         /* call_sites.h                                                            */
    const uint8_t *entered;              /* called in a frame whose record is current but for sp, before its first
                                          * instruction: exec_enter_uncommon, and the entry is reported            */
    const uint8_t *attention;            /* jumped to in such a frame: as `entered`, and goes on where the frame's
                                          * code says that it is entered                                            */
    const uint8_t *returns;              /* called in a frame at its return, with pc, and with what it returns, its
                                          * only operand, in REG_RESULT: returns in the frame's caller, which is the
                                          * youngest, with the result there; the exit has been reported, and monitors
                                          * are given back                                                          */
    const uint8_t *monitorenter, *monitorexit, *try_enter;
    const uint8_t *entered_synchronized, *leaves_synchronized, *leaves_monitors;
    const uint8_t *frame_enters, *frame_exits, *frame_exits_own, *frame_holds;
                                         /* monitors.h                                                              */
    const uint8_t *runtime;              /* called in a frame with pc and sp, REG_SCRATCH: a runtime_function        */
    const uint8_t *breakpoint;           /* ... before an instruction with a breakpoint: sends its events            */
    const uint8_t *leave;                /* jumped to in a frame of compiled code with the caller's return address on
                                          * top, registers as they were at the exit, which os_thread.leaving names: the
                                          * interpreter goes on with the frame, or C returns from it               */
    const uint8_t *back;                 /* ... where C has done an instruction for compiled code, with the address
                                          * behind that on top: goes on there, with REG_RESULT as it is             */
    const uint8_t *subtype;              /* called with classes in REG_C0 and REG_C1, which it changes, as REG_C2 and
                                          * REG_SCRATCH: EQUAL if the first is the second or a subtype. Its caller's
                                          * return address stays on top of the stack                                */
    const uint8_t *allocate;             /* called with a class id in REG_C1 and bytes in REG_C0, which it changes, as
                                          * REG_COUNT: REG_RESULT is a new object of the thread's buffer, whose header
                                          * is written; or BELOW: there is no room, and when the instruction leaves
                                          * now C makes the object, as for a call that was not BELOW. Otherwise as
                                          * `subtype`. No floating-point register holds anything                    */
    const uint8_t *allocate_beside_floats;       /* ... or one may                                                  */
    const uint8_t *copy;                 /* called with the address of System.arraycopy's arguments in REG_COUNT:
                                          * NOT_EQUAL if it has copied, else nothing has happened. Changes the registers
                                          * that C may change. Otherwise as `subtype`                               */
    const uint8_t *enter_loop;           /* a C function, enter_loop_function                                       */
    const uint8_t *enter_returned, *enter_loop_returned;         /* where compiled code returns there               */
    const uint8_t *give, *resume, *ended;        /* where run.c sends a thread: see there                            */
};

/* Compiled code at `address` goes on with `frame`, an entry frame that becomes compiled. Answers as a
 * method_entry_function. */
typedef struct method *enter_loop_function(struct os_thread *self, struct frame *frame, const uint8_t *address,
                                           uint64_t *result);
/* Does an instruction, but for frame->pc; false: exception pending. What it gives is an operand then. IN_VM, may
 * stop. */
typedef bool runtime_function(struct os_thread *self, struct frame *frame);

/* Where a stub lies, and how its callers are found. */
struct stub_callers {
    const struct code_blob *blob;
    struct asm_callers callers;
};
typedef VEC(struct stub_callers) stub_callers_list;      /* in the order of their addresses                        */

/* Both false or NULL: the cache has no room, or the machine is not one that the assembler knows. vm->probe_receivers is
 * there: where these stand is part of the code. */
bool stubs_make(struct code_cache *c, struct stubs *out, stub_callers_list *callers) MUST_CHECK;
/* Compiled code begins with what calls from compiled code need; so many bytes behind, C enters, with the frame's flags
 * in REG_C1. */
enum { ENTERED_FROM_C = 9 };
/* Code for `code` that makes no frame and has it interpreted: its begin is method.enter; what compiled code calls is so
 * many bytes behind. */
enum { BOUNCE_CALLED = 16 };
const struct code_blob *stubs_make_bounce(struct code_cache *c, const struct stubs *s, struct method_code *code);

#endif
