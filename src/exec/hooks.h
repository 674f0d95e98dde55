/* hooks.h: what the interpreter's room asks of the rooms above it, but for events. A table of constants that vm/hooks.c
 * fills. */
#ifndef VITRINE_EXEC_HOOKS_H
#define VITRINE_EXEC_HOOKS_H

#include "link/class.h"

struct frame;

struct exec_hooks {
    /* The function of a native method, looked for in libraries; NULL with UnsatisfiedLinkError pending. IN_VM, may run
     * Java code. */
    void *(*native_method)(struct os_thread *self, struct method *m);
    /* Compiles this version of a method: what its method.enter is then; NULL: it stays interpreted. IN_VM, no
     * safepoint. */
    method_entry_function *(*compile)(struct method_code *code);
    /* A frame with FRAME_POP_EVENT goes without the event (PopFrame): whoever asked for it forgets it. IN_VM. */
    void (*frame_forgotten)(struct os_thread *self, struct frame *f);
};
extern const struct exec_hooks exec_hooks;

#endif
