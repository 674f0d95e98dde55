/* attach_listener.h — the door for tools in other processes: HotSpot's attach protocol over a socket in /tmp. */
#ifndef VITRINE_JDK_ATTACH_LISTENER_H
#define VITRINE_JDK_ATTACH_LISTENER_H

#include "thread/thread.h"

/* SIGQUIT arrived: did a tool ask to be let in (its file .attach_pid<pid>) rather than for a thread dump? Then the
 * listener is started unless it runs already. Thread: IN_VM, no exception is pending afterwards. */
bool attach_listener_triggered(struct os_thread *self);
/* A socket that an earlier process with our id left behind: a tool would find it and be refused. Before SIGQUIT is
 * the VM's. */
void attach_listener_remove_stale(void);
/* Starts it without being asked: with -XX:+StartAttachListener, and where SIGQUIT is not the VM's (-Xrs). Thread:
 * IN_VM, live phase; no exception is pending afterwards. */
void attach_listener_start_early(struct os_thread *self);
/* The socket's file goes. Any thread, any number of times. */
void attach_listener_close(void);
/* DestroyJavaVM: nobody listens any more. */
void attach_listener_destroy(void);

/* The VM ends: the listener, and who waits for a client, finds out. */
void attach_listener_wake(void);

#endif
