/* hooks.h: what the interpreter's room asks of the rooms above it, but for events. A table of constants that vm/hooks.c
 * fills. */
#ifndef VITRINE_EXEC_HOOKS_H
#define VITRINE_EXEC_HOOKS_H

#include "link/class.h"

struct frame;
struct inlined_position;

enum {
    COMPILED_BCI_NOT_HERE = -2,          /* pc is not in the code cache                                            */
    COMPILED_BCI_RECORD = -1             /* it is, but not in that frame's own code: the frame's record is current  */
};

/* How an engine's activation goes on, or has ended. */
enum resumption {
    RESUME_FRAME,                        /* with the instruction at pc of the youngest frame, operands up to its sp */
    RESUME_RETURNED,                     /* its entry frame has returned: *result is set                            */
    RESUME_THROWN,                       /* its entry frame is gone: exception pending                              */
    RESUME_POPPED                        /* ... at a tool's request: its caller stands before the call again        */
};

struct exec_hooks {
    /* The function of a native method, looked for in libraries; NULL with UnsatisfiedLinkError pending. IN_VM, may run
     * Java code. */
    void *(*native_method)(struct os_thread *self, struct method *m);
    /* Compiles this version of a method, its current one, and makes its method.enter, if that is `expected`, lead
     * there. Returns what it is then; NULL: it stays interpreted. IN_VM, no safepoint. */
    method_entry_function *(*compile)(struct method_code *code, method_entry_function *expected);
    /* method.compiled_entry of methods with a leaf; NULL: nothing is ever compiled. */
    const void *(*leaf_entry)(void);
    /* The youngest frame, before the first instruction of a loop, or if `catches`, of a handler with the exception as
     * its operand, goes on in the compiled code that there is of its code, or where that cannot be, in the interpreter.
     * RESUME_FRAME: that has frames to go on with, of which the
     * oldest, this one, has become an entry frame; else this one is gone as well. IN_VM. */
    enum resumption (*run_compiled)(struct os_thread *self, struct frame *frame, bool catches, uint64_t *result);
    /* Breakpoints of a version of a method have changed, or which fields it accesses are watched. World stopped. */
    void (*code_changed)(struct method_code *code);
    /* At the program counter pc the calling thread's youngest frame is in compiled code's register for it (rbx), and
     * java_thread.frame has one of before. Signal handlers too. */
    bool (*frame_is_in_register)(const void *pc);
    /* The bytecode index in the youngest frame, which runs `running`, of the calling thread at the program counter pc
     * with the stack pointer sp, or one of the two above. Signal handlers too. */
    int32_t (*compiled_bci)(const struct os_thread *self, const struct method_code *running, const void *pc,
                            const void *sp);
    /* The methods that are inlined there, the youngest first; returns how many, at most INLINED_POSITIONS. */
    uint32_t (*inlined_at)(const struct os_thread *self, const struct method_code *running, const void *pc,
                           const void *sp, struct inlined_position *out);
    /* A frame with FRAME_POP_EVENT goes without the event (PopFrame): whoever asked for it forgets it. IN_VM. */
    void (*frame_forgotten)(struct os_thread *self, struct frame *f);
};
extern const struct exec_hooks exec_hooks;

#endif
