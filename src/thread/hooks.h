/* hooks.h: what the thread room asks of the rooms above it, but for events (probe_point.h).
 *
 * A table of constants: vm/hooks.c fills it for the VM, so that no call can come before it is set, and nothing is set
 * back when a VM ends. A hook may therefore be called before the room that it leads to has been made, and copes with
 * that. A unit test of this room may define its own. */
#ifndef VITRINE_THREAD_HOOKS_H
#define VITRINE_THREAD_HOOKS_H

#include "thread/thread.h"

struct heap_visitor;

struct thread_hooks {
    /* Reports the references in t's Java frames. World stopped. */
    void (*visit_frames)(struct heap_visitor *v, struct java_thread *t);
    /* The C stack of `self` goes before the functions on it have returned: what they have linked into tables is taken
     * out. IN_VM. */
    void (*stack_goes)(struct os_thread *self);
    /* An attached thread has ended without detaching itself: ends its java.lang.Thread and detaches it. IN_NATIVE. */
    void (*exited)(struct os_thread *self);
    /* A thread ends; its records are still listed. Gives back its allocation buffer, caches, tools' data. IN_VM, or by
     * the thread that ends the VM, for one that the end has stopped. */
    void (*ends)(struct os_thread *t);
    /* Gives back a room's extension record of a thread whose own records go. Any thread, without locks; the VM may be
     * gone. */
    void (*free_extension[EXT_COUNT])(void *record);
    /* The VM ends: wakes whoever waits in a room above, so that it finds out. Called by the thread that ends it, which
     * holds no lock. */
    void (*wake)(void);
    /* Thread.interrupted as Java code sees it, cleared on demand (the library clears it without a call into the VM). t
     * lives and has its mirror; the caller is in the VM. */
    bool (*read_interrupted)(struct java_thread *t, bool clear);
    /* The state word of java.lang.Thread, JVM TI bits: kept up to date around blocking. t has its mirror. Any state, no
     * safepoint. */
    void (*set_status)(struct java_thread *t, int32_t status);
    /* Makes OutOfMemoryError pending; nothing before the class library stands. IN_VM. */
    void (*out_of_memory)(struct os_thread *self, const char *message);
    /* Makes the error of os_thread.memory_fault pending, which the room above has set with
     * POLL_ASYNC_EXCEPTION. IN_VM. */
    void (*memory_fault)(struct os_thread *self);
};
extern const struct thread_hooks thread_hooks;

#endif
