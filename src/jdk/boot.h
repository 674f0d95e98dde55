/* boot.h — the class library's start and end, and what it waits for in between. */
#ifndef VITRINE_JDK_BOOT_H
#define VITRINE_JDK_BOOT_H

#include "thread/thread.h"

/* The system properties that the VM itself has, unless they are given; before the agents' OnLoad phase, in which they
 * may be asked for. */
void boot_properties(void);
/* Starts the class library, from its first class to the live phase. False: exception pending or a sentence printed. */
bool jdk_boot(struct os_thread *self);
/* Frees what jdk/ keeps; signals that it has taken get their former handlers back. No other thread of the VM lives. */
void jdk_destroy(void);
/* thread_hooks.wake: threads of this room that wait in the C library or for the collector. */
void jdk_wake_waiters(void);
/* Parts of it: jdk_internal_misc_Signal.c, agent_command.c, management.c. */
void signals_destroy(void);
/* -XX:+ManagementServer: starts the library's management agent, which says itself why it cannot. False: it has, or an
 * exception is pending. */
bool management_agent_start(struct os_thread *self);
void management_destroy(void);
/* heap_hooks: the collector has found References to enqueue. Any state, no lock held. */
void references_pending(void);
/* Reference Handler: blocks until the collector has found References to enqueue. */
void references_wait_pending(struct os_thread *self);
/* System.arraycopy with its exceptions. */
void system_arraycopy(struct os_thread *self, struct object *src, int32_t src_pos, struct object *dst, int32_t dst_pos,
                      int32_t n);
/* Starts the "Signal Dispatcher" thread. Unless -Xrs. */
bool signal_dispatcher_start(struct os_thread *self);
void signal_dispatcher_wake(void);
#endif
