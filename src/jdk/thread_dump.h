/* thread_dump.h — what every Java thread does now, in jstack's layout: SIGQUIT, and whoever else asks. */
#ifndef VITRINE_JDK_THREAD_DUMP_H
#define VITRINE_JDK_THREAD_DUMP_H

#include <stdio.h>

#include "thread/thread.h"

enum thread_dump_more {
    THREAD_DUMP_LOCKS = 1,               /* the java.util.concurrent locks that each thread owns                  */
    THREAD_DUMP_EXTENDED = 2,            /* what each thread has allocated, and how many classes it has defined   */
    THREAD_DUMP_HEAP = 4                 /* how much of the heap is used                                          */
};

/* The text, malloc'd; NULL: out of memory. more: enum thread_dump_more. Stops the world for the time it takes to read
 * the stacks. Thread: IN_VM. */
char *thread_dump_text(struct os_thread *self, unsigned more);

/* Class metadata, in the line that follows a description of the heap. Any state. */
void put_metaspace_line(FILE *out);
/* Prints it where the VM prints. */
void thread_dump_print(struct os_thread *self);

#endif
