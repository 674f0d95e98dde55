/* hooks.h: what the class room asks of the rooms above it, but for events. A table of constants that vm/hooks.c fills;
 * a unit test of this room may define its own. */
#ifndef VITRINE_LINK_HOOKS_H
#define VITRINE_LINK_HOOKS_H

#include "link/class.h"

struct link_hooks {
    /* What method.enter of such a method is. */
    method_entry_function *(*entry)(enum method_entry entry);
    /* What method.compiled_entry of such a method is, without compiled code; NULL: nothing is ever compiled. */
    const void *(*compiled_entry)(enum method_entry entry);
    /* java_call: runs m with args. False: exception pending. IN_VM, reaches safepoints. */
    bool (*invoke)(struct os_thread *self, struct method *m, const uint64_t *args, uint64_t *result);
    /* Makes OutOfMemoryError pending, and does what flags and tools want then. IN_VM, reaches safepoints. */
    void (*out_of_memory)(struct os_thread *self, const char *message);
    /* Fills in the stack trace of a Throwable that the VM has made. IN_VM; may leave OutOfMemoryError pending. */
    void (*fill_in)(struct os_thread *self, struct object *throwable);
    /* Binds what the VM itself implements of a class of the boot loader that nobody else knows yet. IN_VM, no
     * safepoint. */
    void (*bind_natives)(struct class *c);

    /* All of these: world stopped, no exception is thrown. A class is about to be unloaded: what hangs on its methods
     * goes. */
    void (*class_unloads)(struct class *c);
    /* Classes have been unloaded, and their ids will be given again: whoever remembers something by class ids forgets
     * it. */
    void (*class_ids_retired)(void);
    /* c has its new version: breakpoints of the class go. */
    void (*class_redefined)(struct class *c);
    /* Methods of c have been deleted, after class_redefined: calls that resolved to them are to be resolved again. */
    void (*methods_deleted)(struct class *c);
    /* Does a frame run code of this version? */
    bool (*version_is_running)(const struct class_version *v);
    /* Nobody runs it any more: it is about to be freed. */
    void (*version_unloads)(struct class_version *v);
};
extern const struct link_hooks link_hooks;

#endif
