/* thread_dump.h — what every Java thread does now, in jstack's layout: SIGQUIT, and whoever else asks. */
#ifndef VITRINE_JDK_THREAD_DUMP_H
#define VITRINE_JDK_THREAD_DUMP_H

#include "thread/thread.h"

/* The text, malloc'd; NULL: out of memory. with_synchronizers lists the java.util.concurrent locks that each thread
 * owns. Stops the world for the time it takes to read the stacks. Thread: IN_VM. */
char *thread_dump_text(struct os_thread *self, bool with_synchronizers);
/* Prints it where the VM prints. */
void thread_dump_print(struct os_thread *self);

#endif
